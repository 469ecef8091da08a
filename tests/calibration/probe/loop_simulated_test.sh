#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The probe measures a simulated machine, which is then calibrated. Every figure of the original machine is found again,
# and held-out operations are predicted almost exactly, because the same simulator measured them.
#   loop_simulated_test.sh STRATA
set -eu
strata=$PWD/$1
cd "$TEST_TMPDIR"
fail() { echo "FAILED: $*" >&2; exit 1; }

lstopo-no-graphics -i "pack:2 core:2 pu:1" --of xml node.xml
"$strata" probe --node node.xml --nodes 2 --samples 3 --most 1048576 --array 0 --out probe >plan 2>/dev/null
eval "$("$strata" mpi --xml node.xml --nodes 2 --prefix "$PWD/mpi" 2>/dev/null)"
mpicc -O2 -std=c99 probe/probe.c -o probe/probe
"$strata" exec --xml node.xml --nodes 2 -n 8 -- probe/probe probe/plan.txt samples.csv probe/places.txt >out 2>&1 ||
  fail "the simulation: $(cat out)"
"$strata" calibrate --node node.xml --nodes 2 --probe samples.csv --out machine >out 2>err || fail "calibrate: $(cat err)"

document=machine/calibration.json
[ "$(jq '.loop | length' $document)" -ge 9 ] || fail "figures are missing: $(cat out)"
jq -e '[.loop[] | select(.within != true)] == []' $document >/dev/null || fail "some figures do not come back: $(cat out)"
# Latency, bandwidth and overhead of the three levels equal those of the original machine, from strata topo.
"$strata" topo node.xml --nodes 2 --json >before.json
"$strata" topo machine --json >after.json
for key in latency bandwidth overhead; do
  for i in 0 1 2; do
    ratio=$(jq -s ".[1].costs.levels[$i].$key.value / .[0].costs.levels[$i].$key.value" before.json after.json)
    awk "BEGIN { exit !($ratio > 0.999 && $ratio < 1.001) }" || fail "$key of level $i: $ratio"
  done
done
[ "$(jq '.predicted | length' $document)" -eq 3 ] || fail "predictions are missing: $(cat out)"
# The times at which ranks leave the probe's barrier depend on the previous measurement.
jq -e '[.predicted[] | select(.median_error > 1.1 or .worst_error > 1.2)] == []' $document >/dev/null ||
  fail "predictions: $(cat out)"
echo passed
