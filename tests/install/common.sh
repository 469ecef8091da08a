# SPDX-License-Identifier: LGPL-2.1-only
# shellcheck shell=bash
# Shared by the tests in this folder: a scratch folder, installing the library, and how each MPI starts ranks.
set -u
readonly runfiles=$PWD
work=$(mktemp -d /tmp/strata-install.XXXXXX) || exit 1
readonly work
trap 'rm -rf "$work"' EXIT
export HOME=$work  # Open MPI 5's compiler wrapper needs one

fail() {
  echo "FAILED: $*"
  exit 1
}

install_library() { "$runfiles/tools/install" --archives "$runfiles" --only library "$@"; }

# Runs a command that must succeed. Its output is shown only if it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }

# expect_output EXPECTED COMMAND...: the command must succeed and print exactly this.
expect_output() {
  local expected=$1
  shift
  "$@" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; fail "$* ended with an error"; }
  diff <(printf '%s\n' "$expected") "$work/out" || { cat "$work/err"; fail "$* did not print what is expected (<)"; }
}

# The MPI's compiler wrappers.
c_compiler() { [ "$1" = smpi ] && echo smpicc || echo "mpicc.$1"; }
fortran_compiler() { [ "$1" = smpi ] && echo smpif90 || echo "mpifort.$1"; }

# For SMPI: a user's platform with three hosts, for two ranks each.
cat >"$work/platform.xml" <<'EOF'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="host" suffix="" radical="0-2" speed="1Gf" bw="1GBps" lat="1us" core="4"/>
</platform>
EOF
printf '%s\n' host0 host0 host1 host1 host2 host2 >"$work/hosts"

# start MPI RANKS COMMAND...: starts more ranks than cores if necessary, without binding.
start() {
  local mpi=$1 ranks=$2
  shift 2
  case $mpi in
    openmpi)
      env OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=vader,self OMPI_MCA_btl_vader_single_copy_mechanism=none \
        OMPI_MCA_plm_rsh_agent=false timeout 250 \
        mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -np "$ranks" "$@" </dev/null
      ;;
    mpich)  # Debian builds it on UCX, which logs missing features of a machine on stdout
      LD_PRELOAD=$runfiles/tests/mpi_ext/libyield_when_idle.so UCX_LOG_LEVEL=fatal timeout 250 \
        mpirun.mpich -bind-to none -np "$ranks" "$@" </dev/null
      ;;
    smpi)
      timeout 250 smpirun -platform "$work/platform.xml" -hostfile "$work/hosts" -np "$ranks" \
        --log=root.thres:warning "$@" </dev/null
      ;;
  esac
}
