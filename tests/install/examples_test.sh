#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The examples, built against an installed prefix in all ways that their README describes: C and Fortran, with compiler
# wrapper and pkg-config, and with CMake. They run on a described machine of 240 cores, and on this machine.
#
#   examples_test.sh MPI
. tests/install/common.sh
mpi=$1
cp -rL mpi_ext/examples "$work/examples" && cp tests/install/levels.c "$work" || exit 1
chmod -R u+w "$work/examples"
quietly install_library --prefix "$work/prefix" --mpi "$mpi"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
cd "$work" || exit 1

# Eight ranks on ntw10e5: 0 and 1 in a NUMA node of 6 cores, 2 also in this package, 3 also in this node; two more
# nodes.
cat >placement <<EOF
node-xml $runfiles/platforms/data/ntw10e5/node.xml
network 10
bindings $work/bindings
EOF
printf '%s\n' '0 0 0' '1 0 1' '2 0 6' '3 0 12' '4 3 0' '5 3 13' '6 9 0' '7 9 23' >bindings
readonly on_240_cores="8 ranks, ranks 0 and 1 meet in: NUMANode
level 0: Machine 0 of 3, 4 ranks, root 0
level 1: Package 0 of 2, 3 ranks, root 0
level 2: NUMANode 0 of 2, 2 ranks, root 0
level 3: Core 0 of 2, 1 ranks, root 0
sums: 36 44 52 60"
# SMPI needs a host of its platform for each rank.
[ "$mpi" = smpi ] && yes host0 | head -n 8 >hosts

echo "-- compiler wrapper and pkg-config"
# shellcheck disable=SC2046  # words
quietly "$(c_compiler "$mpi")" -Wall -Werror examples/c/hierarchy.c $(pkg-config --cflags --libs "mpix-topology-$mpi") \
  -o by_wrapper_c
# shellcheck disable=SC2046
quietly "$(fortran_compiler "$mpi")" -Wall -Werror examples/fortran/hierarchy.f90 \
  $(pkg-config --cflags --libs "mpix-topology-fortran-$mpi") -o by_wrapper_fortran
for language in c fortran; do
  STRATA_PLACEMENT=$work/placement expect_output "$on_240_cores" start "$mpi" 8 "$work/by_wrapper_$language"
done

echo "-- CMake"
compilers=()
if [ "$mpi" = smpi ]; then
  compilers=(-DCMAKE_C_COMPILER=smpicc -DCMAKE_Fortran_COMPILER=smpif90)
  export SMPI_PRETEND_CC=1  # while CMake tests the compilers
fi
quietly cmake -S examples -B build -DCMAKE_PREFIX_PATH="$work/prefix" -DMPI="$mpi" "${compilers[@]}"
unset SMPI_PRETEND_CC
quietly cmake --build build

echo "-- halo exchange"
# Ranks are dealt to two nodes alternately: in MPI's own order each row of two is on both nodes.
without_time() { "$@" | grep -v '^@strata'; }
halo() {  # method, number of partners on the same node, on other nodes
  printf '%s\n' "4 x 2 processes by $1: $2 partners on the same node, $3 on others" "average: 3.500000"
}
printf 'node-synthetic pack:2 numa:2 core:6 pu:1\nnetwork 2\nbindings %s\n' "$work/dealt" >two_nodes
for rank in 0 1 2 3 4 5 6 7; do echo "$rank $((rank % 2)) $((rank / 2))"; done >dealt
export STRATA_PLACEMENT=$work/two_nodes
expect_output "$(halo nodecart 24 8)" without_time start "$mpi" 8 "$work/build/halo"
expect_output "$(halo cart 16 16)" without_time start "$mpi" 8 "$work/build/halo" cart
unset STRATA_PLACEMENT

if [ "$mpi" = smpi ]; then
  printf '%s\n' host0 host0 host1 host1 host2 host2 >hosts
  here="6 ranks, ranks 0 and 1 meet in: Machine
level 0: Machine 0 of 3, 2 ranks, root 0
sums: 21 27 33 39" ranks=6 see=()
else
  # The live provider. hwloc shows the same node on every machine, and each unbound rank is on all of it.
  here="4 ranks, ranks 0 and 1 meet in: Machine
sums: 10 14 18 22" ranks=4 see=(env "HWLOC_SYNTHETIC=pack:2 [numa] core:4 pu:1")
fi
for language in c fortran; do
  expect_output "$here" start "$mpi" $ranks "${see[@]}" "$work/build/hierarchy_$language"
done

echo "-- what a barrier is made of"
doubling=$'MPIX_Barrier by recursive doubling:\n0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 1 0'
monitoring=$(pkg-config --variable=monitoring "mpix-topology-$mpi")
if [ "$mpi" = smpi ]; then
  watched=(-wrapper "env LD_PRELOAD=$monitoring")
  # The algorithm that smpirun chooses.
  barrier=$'MPI_Barrier:\n0 1 1 1\n1 0 0 0\n1 0 0 0\n1 0 0 0'
else
  watched=(env "LD_PRELOAD=$monitoring")
  barrier=$'MPI_Barrier, whose messages nobody sees here:\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0'
fi
expect_output "$barrier"$'\n'"$doubling" start "$mpi" 4 "${watched[@]}" "$work/build/monitor_barrier"
expect_output "$doubling" start "$mpi" 4 "${watched[@]}" "$work/build/monitor_barrier_fortran"

if [ "$mpi" = openmpi ]; then
  echo "-- reordering ranks"
  # Nodes of four cores are filled in order: ranks that differ by half of all are on different nodes. Both ranks of
  # such a pair move, or none.
  for rank in 0 1 2 3 4 5 6 7; do echo "$rank $((rank / 4)) $((rank % 4))"; done >filled
  printf 'node-synthetic core:4 pu:1\nnetwork 2\nbindings %s\n' "$work/filled" >two_of_four
  export STRATA_PLACEMENT=$work/two_of_four OMPI_MCA_pml_monitoring_enable=1
  without_time start "$mpi" 8 "$work/build/reorder" >reordered || fail "reorder ended with an error"
  grep -qE '^[1-8] of 8 ranks are on another process, 0 have wrong data$' reordered || { cat reordered; fail "reorder"; }
  expect_output "0 of 8 ranks are on another process, 0 have wrong data" \
    without_time start "$mpi" 8 "$work/build/reorder" identity
  unset STRATA_PLACEMENT OMPI_MCA_pml_monitoring_enable
fi

echo "-- progress threads"
# 1 + ... + n - 1, plus n times the index of the last of 2^18 elements.
overlapped() {  # ranks, communication cores, steps
  echo "$1 ranks, $2 communication cores, $3 levels of the tree by the application"
  echo "sum of the last: $(($1 * ($1 - 1) / 2 + $1 * 262143)), computed: 0.5"
}
expect_output "$(overlapped 3 0 0)" without_time start "$mpi" 3 "$work/build/overlap" none
if [ "$mpi" != smpi ]; then  # a described node of four cores
  printf 'node-synthetic core:4 pu:1\nnetwork 1\nbindings %s\n' "$work/three" >four
  printf '%s\n' '0 0 0' '1 0 1' '2 0 2' >three
  STRATA_PLACEMENT=$work/four expect_output "$(overlapped 3 1 0)" without_time start "$mpi" 3 "$work/build/overlap"
fi

if [ "$mpi" = smpi ]; then
  echo "-- strata run"
  # shellcheck disable=SC2046
  quietly smpicc -Wall -Werror levels.c $(pkg-config --cflags --libs mpix-topology-smpi) -o levels
  cat >levels.yaml <<'EOF'
schema: strata.scenario/1
name: levels
title: Levels of the hierarchy
machine: ntw10e5
program: bcast
ranks: 48
sweep: {round: [1]}
metric: {name: levels, unit: "1"}
EOF
  quietly "$runfiles/command/strata" run levels.yaml --set program=./levels --out results
  # 48 ranks on two nodes have the levels Machine, Package, NUMANode and Core.
  grep -q '"value":4[,.}]' results/*.jsonl || { cat results/*.jsonl; fail "strata run found other than 4 levels"; }

  echo "-- strata run with progress threads"
  sed -n '/^    schema:/,/^    metric:/s/^    //p' examples/README.md >overlap.yaml
  cp build/overlap overlap
  quietly "$runfiles/command/strata" run overlap.yaml --out overlapped
  for point in "0 32 32 0" "1 51 13 0" "2 62 2 3"; do  # the best S according to IJHPCA'19, Section 6.2
    read -r number ranks free steps <<<"$point"
    diff <(overlapped "$ranks" "$free" "$steps") <(grep -v '^@strata' "overlapped/output/point-$number.out") ||
      fail "$ranks ranks did not print what is expected (<)"
  done
fi
