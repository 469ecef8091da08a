#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The program of fortran_api/, built against an installed prefix with the handles of module mpi and, except for SMPI, of mpi_f08.
#
#   fortran_api_test.sh MPI
. tests/install/common.sh
mpi=$1

echo "-- constants are those of mpix.h"
constants() { sed -nE "s/$2/\1 \2/p" "$1" | sort; }
in_c=$(constants mpi_ext/mpix.h '^#define (MPIX_[A-Z_]+) ([0-9]+).*')
in_fortran=$(constants mpi_ext/fortran/mpix_topology_c.F90 '^ *integer, parameter :: (MPIX_[A-Z_]+) = ([0-9]+)$' |
  grep -v '^MPIX_MAX_HLEVEL_TYPE ')
[ "$(wc -l <<<"$in_c")" -ge 15 ] || fail "mpix.h has lost constants: $in_c"
diff <(echo "$in_c") <(echo "$in_fortran") || fail "constants differ"

echo "-- functions are those of mpix.h, and all are called here"
in_c=$(sed -nE 's/^int (MPIX_[A-Za-z_]+)\(.*/\1/p' mpi_ext/mpix.h | sort)
in_fortran=$(sed -nE 's/^(MPIX_[A-Za-z_]+)\(.*/\1/p' mpi_ext/fortran/functions.txt | sort)
[ "$(wc -l <<<"$in_c")" -ge 55 ] || fail "mpix.h has lost functions: $in_c"
diff <(echo "$in_c") <(echo "$in_fortran") || fail "functions.txt has other functions than mpix.h"
for function in $in_c; do
  grep -qi "call $function *(" tests/install/fortran_api/*.F90 || fail "tests/install/fortran_api/ does not call $function"
done

cp -rL tests/install/fortran_api "$work/sources" && cd "$work" || exit 1
quietly install_library --prefix "$work/prefix" --mpi "$mpi"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
cat >placement <<EOF
node-synthetic pack:2 numa:2 core:6 pu:1
network 2
bindings $work/bindings
EOF
printf '%s\n' '0 0 0' '1 0 1' '2 0 6' '3 0 12' '4 1 0' '5 1 23' >bindings
export STRATA_PLACEMENT=$work/placement

handles=("" -DF08)
[ "$mpi" = smpi ] && handles=(-DSMPI)
for option in "${handles[@]}"; do
  echo "-- ${option:-handles that are integers}"
  # Disabled warnings: user functions have arguments required by MPI that this one does not use; sums of small integers
  # are exact; `size_of` is called only for its result.
  # shellcheck disable=SC2046,SC2086  # words
  quietly "$(fortran_compiler "$mpi")" -Wall -Wextra -Wno-unused-dummy-argument -Wno-compare-reals \
    -Wno-function-elimination -Werror -O2 -ffree-line-length-none $option \
    sources/{checks,splits,collectives,hierarchies,nonblocking,cartesian,reordering,bad_arguments,main}.F90 \
    $(pkg-config --cflags --libs "mpix-topology-fortran-$mpi") -o fortran_api
  start "$mpi" 6 "$work/fortran_api" >out 2>err || { cat out err; fail "ended with an error"; }
  cat out
  # There are fewer checks without MPI's own MPI_BOTTOM.
  grep -qE '^[56][0-9]{3} checks, 0 failed$' out || { cat err; fail "not all checks hold"; }
done
