#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# From a real machine to a simulated one: runs the probe on two cores of this machine under a real MPI, calibrates a
# machine, runs the probe again in simulation, and predicts its collectives and rings. This tests the steps but not the
# figures, because this machine may be busy.
#   loop_run_test.sh openmpi|mpich STRATA
set -eu
. tests/calibration/probe/two_cores.sh "$@"
run_probe 5 1048576 4194304
[ "$(grep -c '^# place ' probe/samples.csv)" -eq 2 ] || fail "the places of two ranks"

"$strata" calibrate --node node.xml --probe probe/samples.csv --out machine >out 2>err || fail "calibrate: $(cat err)"
document=machine/calibration.json
[ "$(jq -r .schema $document)" = strata.calibrate/1 ] || fail "no document"

# Latency and bandwidth of the level that the two cores share were measured and simulated again. They should be close,
# but not necessarily within narrow intervals.
for figure in latency bandwidth; do
  ratio=$(jq "[.loop[] | select(.figure == \"$figure\" and .from_bytes == 0)][0] | .simulated / .measured" $document)
  awk "BEGIN { exit !($ratio > 0.5 && $ratio < 2) }" || fail "$figure comes back as $ratio of what was measured: $(cat out)"
done
[ "$(jq '[.loop[] | select(.figure == "overhead")] | length' $document)" -ge 1 ] || fail "no overhead came back"
jq -e '[.loop[] | select(.within != null)] | length > 0' $document >/dev/null || fail "no figure has an interval"
grep -q ' figures come back within their intervals$' out || fail "no summary of the loop"

# Four sizes each of a broadcast, an allgather and a ring on two ranks.
for operation in bcast allgather sendrecv; do
  jq -e ".predicted[] | select(.operation == \"$operation\") |
         .ranks == 2 and (.sizes | length) >= 3 and .worst_error >= .median_error" $document >/dev/null ||
    fail "$operation is not predicted: $(jq -c .predicted $document)"
  [ -s "machine/predicted-$operation-2.svg" ] || fail "no plot of $operation"
done
[ "$(grep -c 'median_error' machine/machine.yaml)" -eq 3 ] || fail "validation in machine.yaml: $(cat machine/machine.yaml)"
ls machine/loop-*.svg >/dev/null || fail "no plot of the loop"

# Other commands accept the machine, and its figures are the same without simulation.
"$strata" topo machine >/dev/null || fail "topo refuses the machine"
"$strata" calibrate --node node.xml --probe probe/samples.csv --no-simulation --out alone >/dev/null 2>&1 || fail "--no-simulation"
sed '/^validation:/,$d' machine/machine.yaml | diff - alone/machine.yaml >&2 || fail "the figures differ with the simulation"
echo passed
