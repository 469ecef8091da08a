#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The probe in real use: compiled by an MPI's mpicc, run on the cores of this machine, and its samples read. This checks
# which measurements exist, not their values.
#   probe_run_test.sh openmpi|mpich STRATA
set -eu
. tests/calibration/probe/two_cores.sh "$@"
run_probe 3 65536 1048576
grep -q '^nodes    1, 2 ranks each' plan || fail "the plan says: $(cat plan)"

rows=$(grep -cv '^#' probe/samples.csv)
# For the single level that two cores share: 18 sizes, 2 x 2 overheads, 3 rates, 2 searches in queues, the eager limit; copies and triads by 1 and 2 cores (by
# 1 if the cores are in different NUMA nodes); 4 broadcasts, 4 rings, 4 allgathers. Three samples of each, except those
# that it says are left out, and the heading.
left_out=$(sed -n 's/^# left out, .*: \([0-9]*\) of .*/\1/p' probe/samples.csv)
for memory in 2 4; do
  [ $((rows + ${left_out:-0})) -ne $((3 * (18 + 4 + 3 + 2 + 1 + memory + 12) + 1)) ] || found=yes
done
[ "${found:-}" = yes ] || fail "$rows rows, ${left_out:-0} left out"
for what in ping_pong one_way both_ways rate send_overhead receive_overhead queue eager_limit copy triad broadcast allgather ring; do
  [ "$(grep -c "^$what," probe/samples.csv)" -ge 3 ] || fail "no $what"
done
# The limits of Debian's libraries are between 1 and 64 KiB, and every sample finds the same one.
limits=$(grep '^eager_limit,' probe/samples.csv | cut -d, -f6 | sort -u)
[ "$(echo "$limits" | wc -l)" -eq 1 ] && [ "$limits" -ge 1024 ] && [ "$limits" -le 65536 ] || fail "eager limits: $limits"
# 64 KiB take longer than 0 B, by far more than noise. Compares the minimum of each.
least() { grep "^ping_pong,[^,]*,$1,1," probe/samples.csv | cut -d, -f6 | sort -g | head -n 1; }
awk "BEGIN { exit !($(least 65536) > $(least 0)) }" || fail "64 KiB took $(least 65536) s, 0 B $(least 0) s"
echo passed
