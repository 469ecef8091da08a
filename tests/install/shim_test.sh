#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# Programs that do not use Strata, with and without the installed shim: plain_halo.c and a Fortran program. On simulated
# nodes the shim reduces the partners on other nodes, and the programs' results stay the same.
#
#   shim_test.sh MPI
. tests/install/common.sh
mpi=$1
readonly processes=12 nodes=2 # process p is on node p mod 2
cp mpi_ext/examples/c/plain_halo.c mpi_ext/examples/plain_halo.yaml tests/install/both.c tests/install/partners.F90 "$work" &&
  cd "$work" || exit 1
quietly install_library --prefix "$work/prefix" --mpi "$mpi"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
shim=$(pkg-config --variable=cart_shim "mpix-topology-$mpi")
[ -f "$shim" ] || fail "pkg-config names no shim: '$shim'"
libraries=$(pkg-config --cflags --libs "mpix-topology-$mpi")

# Ranks are dealt alternately to two nodes of six cores; under SMPI, to hosts of the platform.
if [ "$mpi" = smpi ]; then
  for ((p = 0; p < processes; ++p)); do echo "host$((p % nodes))"; done >hosts
else
  printf 'node-synthetic core:6 pu:1\nnetwork %s\nbindings %s\n' $nodes "$work/bindings" >placement
  for ((p = 0; p < processes; ++p)); do echo "$p $((p % nodes)) $((p / nodes))"; done >bindings
  export STRATA_PLACEMENT=$work/placement
fi

# started WITH COMMAND...: prints the program's output. WITH is `plain`, or environment variables separated by blanks.
started() {
  local with=$1
  shift
  [ "$with" = plain ] && with=
  # shellcheck disable=SC2086  # words
  if [ "$mpi" = smpi ]; then
    start smpi $processes ${with:+-wrapper "env $with"} "$@"
  else
    start "$mpi" $processes env $with "$@"
  fi 2>err
}
# The number of partners on another node, from the program's lines on stdin.
off_node() {
  awk -v nodes=$nodes '/^process/ {
    for (i = 4; i <= NF; ++i) off += $i % nodes != $2 % nodes
    ++processes
  } END { print processes + 0, "processes,", off + 0, "off-node" }'
}
# expect_partners EXPECTED WITH COMMAND...
expect_partners() {
  local expected="$processes processes, $1 off-node" with=$2 found
  shift 2
  started "$with" "$@" >"$work/out" || { cat out err; fail "$* ended with an error"; }
  found=$(off_node <out)
  [ "$found" = "$expected" ] || { cat out err; fail "$*, $with: $found where $expected were expected"; }
}
# 4 x 3 processes, periodic. In MPI's order, both column neighbours of a process are on the other node, and so are its
# row neighbours, except that the first and last process of a row are on the same node. In blocks of 2 x 3 each process
# has one partner on the other node.
readonly off_in_mpis_order=40 off_in_blocks=12
readonly preload="LD_PRELOAD=$shim"

echo "-- C, as it is"
quietly "$(c_compiler "$mpi")" -Wall -Wextra -Werror plain_halo.c -o plain_halo
! readelf -d plain_halo | grep -q mpix || fail "the program knows the library"
expect_partners $off_in_mpis_order plain "$work/plain_halo" --partners 1
grep '^4 x 3 processes, sum after 10 sweeps: ' out >sum || { cat out; fail "no sum"; }
expect_partners $off_in_blocks "$preload" "$work/plain_halo" --partners 1
grep '^4 x 3' out | diff sum - || fail "with the shim the exchange computes something else"
expect_partners $off_in_mpis_order "$preload MPIX_CART_METHOD=cart" "$work/plain_halo" --partners 1
expect_partners $off_in_blocks "$preload MPIX_CART_METHOD=nodecart" "$work/plain_halo" --partners 1

echo "-- a method that is none is an error, one line, and nobody hangs"
# After MPI_Abort, smpirun exits with code 0.
for _ in 1 2 3 4 5; do  # MPICH's mpirun sometimes loses what was printed before MPI_Abort
  started "$preload MPIX_CART_METHOD=nodekart" "$work/plain_halo" >out && [ "$mpi" != smpi ] && fail "ended without an error"
  [ "$mpi" = mpich ] && [ ! -s err ] || break
done
! grep -q sum out || { cat out; fail "went on after an error that is fatal"; }
[ "$(grep -c nodekart err)" -eq 1 ] || { cat out err; fail "not one line tells of the method"; }

if [ "$mpi" = smpi ]; then
  echo "-- one image of the program for all ranks"
  expect_partners $off_in_blocks "$preload" -no-privatize "$work/plain_halo" --partners 1
else
  echo "-- linked before MPI"
  # shellcheck disable=SC2086  # words
  quietly "$(c_compiler "$mpi")" plain_halo.c "$shim" $libraries -o linked
  expect_partners $off_in_blocks plain "$work/linked" --partners 1
fi

echo "-- a program that calls the library too"
# shellcheck disable=SC2086  # words
quietly "$(c_compiler "$mpi")" -Wall -Wextra -Werror both.c $libraries -o both
# A ring divided into two parts has four ends.
started "$preload" "$work/both" >out || { cat out err; fail "both ended with an error"; }
printf 'method nodecart, 4 off-node, same partners: yes\n%.0s' 1 2 | diff - out ||
  { cat err; fail "both: not what is expected (<)"; }

echo "-- Fortran"
forms=(-DMPI -DMPIF -DF08)
[ "$mpi" = smpi ] && forms=(-DMPI -DMPIF)
for form in "${forms[@]}"; do
  quietly "$(fortran_compiler "$mpi")" -Wall -Werror -Wno-unused-variable "$form" partners.F90 -o plain
  expect_partners $off_in_mpis_order plain "$work/plain"
  expect_partners $off_in_blocks "$preload" "$work/plain"
done

if [ "$mpi" = smpi ]; then
  echo "-- strata run"
  MPIX_CART_METHOD=cart quietly "$runfiles/command/strata" run plain_halo.yaml --out results
  [ "$(jq -s 'map(select(.parameters.shim == "on")) | length' results/records.jsonl)" -eq 3 ] ||
    fail "records do not tell of the shim"
  for point in 0 1 2; do
    sum_of() { grep '^20 x 12 processes, sum' "results/output/point-$1.out"; }
    [ "$(sum_of $point)" = "$(sum_of $((point + 3)))" ] || fail "with the shim the exchange computes something else"
  done
  # In MPI's order a node has two rows of twelve, with 24 partners on other nodes; a block of 4 x 6 has 20. Long
  # messages share the node's link.
  time_at() { jq "select(.parameters == {shim: \"$1\", elements: $2}) | .value" results/records.jsonl; }
  for elements in 10000 100000; do
    awk -v off="$(time_at off $elements)" -v on="$(time_at on $elements)" \
      'BEGIN { print off, on; exit !(on > 0 && off / on > 1.19 && off / on < 1.21) }' ||
      fail "$elements elements: not 24 / 20 times as fast with the shim"
  done
fi
