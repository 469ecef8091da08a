#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The probe finds the figures of a simulated machine whose figures are all 1: a message of m bytes takes 1 us and (m +
# 16) ns (16: its envelope), its sender is busy for 1 us, and links carry 1 GB/s.
#   probe_simulated_test.sh STRATA
set -eu
strata=$PWD/$1
cd "$TEST_TMPDIR"
fail() { echo "FAILED: $*" >&2; exit 1; }

figure() { echo "{value: $1, unit: $2, source: measured}"; }
{
  echo "schema: strata.machine/1"
  echo "name: ones"
  echo "description: two nodes of two packages of two cores"
  echo "source: none"
  echo "node: {xml: node.xml}"
  echo "network: {nodes: 2}"
  echo "costs:"
  echo "  core: {speed: $(figure 1 Gflop/s), copy_bandwidth: $(figure 1 GB/s)}"
  echo "  eager_limit: $(figure 64 KiB)"
  echo "  levels:"
  for level in "System - Cluster" NUMANode Package; do
    echo "    - {level: $level, latency: $(figure 1 us), overhead: $(figure 1 us), bandwidth: $(figure 1 GB/s)," \
      "link_bandwidth: $(figure 1 GB/s)}"
  done
} >machine.yaml
lstopo-no-graphics -i "pack:2 core:2 pu:1" --of xml node.xml
"$strata" probe --node node.xml --nodes 2 --samples 2 --most 262144 --array 0 --out probe >plan 2>/dev/null
eval "$("$strata" mpi --machine ./machine.yaml --prefix "$PWD/mpi" 2>/dev/null)"
mpicc -O2 -std=c99 probe/probe.c -o probe/probe
simulate() {
  "$strata" exec --machine "./$1" -n 8 -- probe/probe probe/plan.txt "$2" probe/places.txt >out 2>&1 ||
    fail "the simulation: $(cat out)"
}
simulate machine.yaml samples.csv

# Half a round trip at each level and of each size, below and above the eager limit. Reading the clock takes 10 ns under
# SMPI (smpi/wtime), which the probe measures and subtracts.
awk -F, '
  /^ping_pong/ {
    ++n[$2]
    want = 1e-6 + ($3 + 16) * 1e-9
    if ($6 / want > 1.001 || $6 / want < 0.999) { print "ping_pong at " $2 " of " $3 " B: " $6 ", not " want; bad = 1 }
  }
  /^send_overhead/ { ++n["overheads"]; if ($6 > 1.0001e-6 || $6 < 0.9999e-6) { print; bad = 1 } }
  /^eager_limit/ { ++n["limits"]; if ($6 != 65536) { print; bad = 1 } }
  # 16 messages of 1 MiB in one direction over a link of 1 GB/s, which all pairs share, and an answer.
  /^one_way/ { ++n["one way"]; if ($6 > 1e9 || $6 < 0.99e9) { print; bad = 1 } }
  # One message to the right and one from the left, at the same time.
  /^ring,,8,/ { ++n["rings"]; if ($6 < 1.02e-6 || $6 > 1.1e-6) { print "ring: " $6; bad = 1 } }
  END {
    if (n["System - Cluster"] != 40 || n["NUMANode"] != 40 || n["Package"] != 40) { print "rows are missing"; bad = 1 }
    if (n["overheads"] != 12 || n["one way"] < 12 || n["rings"] != 2 || n["limits"] != 6) { print "rows are missing"; bad = 1 }
    exit bad
  }' samples.csv >&2 || fail "figures"

# A list of messages, with 10 ns for each that is passed. The barriers and reductions between samples are in it too, so
# only the difference between long and short lists is exact.
sed "s/^  eager_limit/  queue_search: $(figure 10 ns)\n&/" machine.yaml >lists.yaml
simulate lists.yaml lists.csv
awk -F, '
  /^queue,/ { ++n; sum[$4] += $6 }
  END {
    entry = (sum[1024] - sum[1]) / (n / 2) / 1023
    if (n != 12 || entry < 9.9e-9 || entry > 10.1e-9) { print n " searches, " entry " s an entry"; exit 1 }
  }' lists.csv >&2 || fail "searches"
echo passed
