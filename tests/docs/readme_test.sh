#!/usr/bin/env bash
# Runs the README's commands: every indented line that begins with ./strata or smpicc must succeed, but for those that build
# or test everything, or that need a machine which the reader would first add to the catalog. What uses the installed library
# is run in tests/install.
set -u
readme=$PWD/README.md
strata=$PWD/command/strata
node=$PWD/platforms/data/ntw10e5/node.xml
cd "$TEST_TMPDIR" || exit 1
cp "$node" node.xml  # what lstopo would write
cat >halo.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;  /* a global of each rank's own */
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, cells = 1, got;
  for (int i = 1; i + 1 < argc; i += 2) if (!strcmp(argv[i], "--cells")) cells = atoi(argv[i + 1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double start = MPI_Wtime();
  for (int i = 0; i < cells; i++) {
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    count++;
  }
  if (count != cells) return 1;
  if (rank == 0) printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
C
cat >my-scenario.yaml <<'Y'
schema: strata.scenario/1
name: my-scenario
title: A halo of my own
machine: ntw10e5
program: collective
ranks: 24
sweep: {cells: [1, 4]}
metric: {name: time, unit: s}
Y
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n48 48 24\n' >matrix.mtx  # 0 with 24, 1 with 25, ...
for rank in $(seq 24); do echo "$((rank + 24)) $rank 1000"; done >>matrix.mtx
ran=0
while IFS= read -r line; do
  command=$(sed -E 's/^    //; s/   +.*$//' <<<"$line")
  case $command in
    './strata test'* | './strata install'* | './strata check --program'* | *mpix-topology* | *mine*) continue ;;
    './strata '*) command="$strata ${command#./strata }" ;;
    'smpicc '*) ;;
    *) continue ;;
  esac
  echo "+ $command"
  # shellcheck disable=SC2086  # the README's words
  if ! $command >out 2>err; then
    echo "failed with $?:" && cat err
    exit 1
  fi
  [ -s out ] || [[ $command == smpicc* ]] || { echo "printed nothing"; exit 1; }
  ran=$((ran + 1))
done < <(grep -E '^    (\./strata|smpicc) ' "$readme")
echo "$ran commands"
[ "$ran" -ge 10 ]
