# SPDX-License-Identifier: LGPL-2.1-only
# Runs the probe on two cores of this machine under a real MPI. Tests source this file with their arguments. On a
# machine with fewer than two cores it skips the test.
#   . tests/calibration/probe/two_cores.sh openmpi|mpich STRATA
mpi=$1 strata=$PWD/$2
cd "$TEST_TMPDIR"
export HOME=$TEST_TMPDIR  # Open MPI 5 does not start without one
fail() { echo "FAILED: $*" >&2; exit 1; }

cores=$(lstopo-no-graphics --only core 2>/dev/null | wc -l)
[ "$cores" -ge 2 ] || { echo "skipped: this machine has fewer than two cores"; exit 0; }
case $mpi in
  openmpi) run="mpirun.openmpi --allow-run-as-root --oversubscribe -n 2 --bind-to core" ;;
  mpich) run="mpirun.mpich -n 2 -bind-to core" ;;
esac

# run_probe SAMPLES MOST ARRAY (options of strata probe): writes node.xml, plan and probe/samples.csv.
run_probe() {
  lstopo-no-graphics --of xml node.xml
  "$strata" probe --node node.xml --nodes 1 --ranks-per-node 2 --samples "$1" --most "$2" --array "$3" --out probe >plan
  MPICC="mpicc.$mpi" MPIRUN=$run sh probe/job.sh || fail "the job failed"
}
