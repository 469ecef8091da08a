#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# tools/package takes what our Debian packages depend on from the table of ./strata, and stops if the table lacks it.
set -u
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/strata-package-depends.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tools" && cp tools/package "$work/tools" && cp strata "$work" || exit 1
fail() { echo "FAILED: $*"; exit 1; }

# expect LINE...: what tools/package prints with this table.
expect() {
  "$work/tools/package" --depends >"$work/out" 2>"$work/err" || fail "exit code $?: $(cat "$work/err")"
  diff "$work/out" <(printf '%s\n' "$@") || fail "other dependencies (above)"
}
expect 'strata: g++, libsimgrid-dev, gnuplot-nox | gnuplot' 'strata recommends: gfortran' \
  'python3-strata: python3:any, python3-numpy, python3-pandas' \
  'libmpix-topology-dev: libopenmpi-dev | libmpich-dev | libsimgrid-dev'

# A changed table gives changed dependencies.
sed -i 's/^build \( *\)libre2-dev/run   \1libre2-dev/; s/^\(mpich .*\)libmpich-dev/\1libmpich5-dev/' "$work/strata"
expect 'strata: g++, libsimgrid-dev, libre2-dev, gnuplot-nox | gnuplot' 'strata recommends: gfortran' \
  'python3-strata: python3:any, python3-numpy, python3-pandas' \
  'libmpix-topology-dev: libopenmpi-dev | libmpich5-dev | libsimgrid-dev'

sed -i '/^openmpi /d' "$work/strata"
"$work/tools/package" --depends >"$work/out" 2>"$work/err"
code=$?
[ "$code" -eq 2 ] || fail "exit code $code without packages of Open MPI"
diff "$work/err" - <<<"package: ./strata has no packages of the kind 'openmpi'" || fail "another error (above)"
