#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# Runs the commands in the README and in the documents listed below: every indented line that begins with ./strata or
# smpicc must succeed. Commands that build or test everything, and those that need SimGrid's model checker, are skipped.
# The tests in tests/install run the commands of docs/library.md.
set -u
documents=(README.md docs/calibration.md docs/commands.md docs/compare.md docs/machines.md docs/scenarios.md docs/what-if.md)
root=$PWD
cd "$TEST_TMPDIR" || exit 1
export STRATA_CACHE=$PWD/cache
printf '#!/bin/sh\nexec "%s" "$@"\n' "$root/command/strata" >strata && chmod +x strata
mkdir -p scenarios/examples && cp "$root"/scenarios/examples/{halo,ring}.{c,yaml} scenarios/examples || exit 1
cp "$root/platforms/data/ntw10e5/node.xml" node.xml  # in place of lstopo's output
cp node.xml gpu.xml
cp "$root/tests/platforms/data/slurm/topology.conf" topology.conf
cp "$root/tests/platforms/data/infiniband/ibsim.ib" fabric.ib  # in place of ibnetdiscover's output
printf '%%%%MatrixMarket matrix coordinate integer symmetric\n48 48 24\n' >matrix.mtx  # ranks 0 and 24, 1 and 25, ...
for rank in $(seq 24); do echo "$((rank + 24)) $rank 1000"; done >>matrix.mtx
# Output like osu_latency's and STREAM's: latency in us and B/us; cores that share a NUMA node's 17.6 GB/s.
pingpongs() {
  awk -v latency="$1" -v bandwidth="$2" 'BEGIN {
    print "# OSU MPI Latency Test v7.3\n# Size          Latency (us)"
    for (m = 1; m <= 4194304; m *= 2) printf "%d %.2f\n", m, latency + m / bandwidth + (m > 8192 ? 1.5 : 0)
  }'
}
pingpongs 2.01 11000 >net.txt
pingpongs 0.62 8000 >package.txt
for threads in 1 2 4 6; do
  awk -v t=$threads 'BEGIN {
    print "STREAM version $Revision: 5.10 $\nThis system uses 8 bytes per array element."
    print "Array size = 100000000 (elements), Offset = 0 (elements)\nNumber of Threads requested = " t
    print "Function    Best Rate MB/s  Avg time     Min time     Max time"
    printf "Copy: %.1f 0.1 0.1 0.1\n", 6500 * t < 17600 ? 6500 * t : 17600
  }'
done >stream.txt
for document in "${documents[@]}"; do
  ran=0
  while IFS= read -r line; do
    command=$(sed -E 's/^    //; s/   +#.*$//' <<<"$line")
    case $command in
      './strata test'* | './strata install'* | './strata check --program'* | './strata check --all'*) continue ;;
    esac
    echo "+ $command"
    if ! bash -c "$command" >out 2>err; then
      echo "$document: failed:" && cat err
      exit 1
    fi
    case $command in
      smpicc* | *' >'* | *--svg* | *--out*) ;;  # the result is a file
      *) [ -s out ] || { echo "printed nothing"; exit 1; } ;;
    esac
    ran=$((ran + 1))
  done < <(grep -E '^    (\./strata|smpicc) ' "$root/$document")
  echo "$document: $ran commands"
  [ "$ran" -ge 3 ] || { echo "$document: too few commands; is the test still reading them?"; exit 1; }
done
