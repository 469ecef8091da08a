#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# Programs that monitor their messages (MPI_Monitoring.h), built against an installed prefix, with each available
# provider.
#
#   monitoring_test.sh MPI
. tests/install/common.sh
mpi=$1
cp tests/install/watched.c tests/install/watched.F90 tests/install/monitoring_api.F90 mpi_ext/fortran/mpi_monitoring.F90 "$work" && cd "$work" || exit 1
quietly install_library --prefix "$work/prefix" --mpi "$mpi"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
monitoring=$(pkg-config --variable=monitoring "mpix-topology-$mpi")
[ -f "$monitoring" ] || fail "pkg-config names no library that sees messages: '$monitoring'"
libraries=$(pkg-config --cflags --libs "mpix-topology-$mpi")
readonly ring=$'0 > 1: 3, 12 bytes\n1 > 2: 3, 12 bytes\n2 > 0: 3, 12 bytes' kinds='0 > 1: 9, 180 bytes'

# preloaded COMMAND...
preloaded() {
  if [ "$mpi" = smpi ]; then
    start smpi 3 -wrapper "env LD_PRELOAD=$monitoring" "$@"
  else
    start "$mpi" 3 env LD_PRELOAD="$monitoring" "$@"
  fi
}

echo "-- C, preloaded"
# shellcheck disable=SC2086  # words
quietly "$(c_compiler "$mpi")" -Wall -Wextra -Werror watched.c $libraries -o watched
expect_output "$ring" preloaded "$work/watched"

echo "-- nobody there who sees messages"
# After MPI_Abort, smpirun exits with code 0.
start "$mpi" 3 "$work/watched" >out 2>err && [ "$mpi" != smpi ] && fail "ended without an error"
grep -qF "libmpix_monitoring_" err || { cat out err; fail "not said what to do"; }

if [ "$mpi" != smpi ]; then
  echo "-- C, linked before the MPI, by CMake too"
  # shellcheck disable=SC2086  # words
  quietly "$(c_compiler "$mpi")" watched.c "$monitoring" $libraries -o linked
  expect_output "$ring" start "$mpi" 3 "$work/linked"
  mkdir project
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(watched C)
find_package(mpix_topology REQUIRED COMPONENTS ${MPI})
add_executable(by_cmake ../watched.c)
target_link_libraries(by_cmake PRIVATE mpix_topology::${MPI}_monitoring)
END
  quietly cmake -S project -B built -DCMAKE_PREFIX_PATH="$work/prefix" -DMPI="$mpi"
  quietly cmake --build built
  expect_output "$ring" start "$mpi" 3 "$work/built/by_cmake"
fi

if [ "$mpi" = openmpi ]; then
  echo "-- C, by what Open MPI counts itself"
  for enabled in 1 2; do
    expect_output "$ring" start openmpi 3 --mca pml_monitoring_enable $enabled "$work/watched"
  done
fi

echo "-- Fortran"
forms=(-DMPI -DF08)
[ "$mpi" = smpi ] && forms=(-DMPI)
# shellcheck disable=SC2086  # words
quietly "$(c_compiler "$mpi")" -DFORTRAN -c watched.c $libraries -o functions.o
for form in "${forms[@]}"; do
  # shellcheck disable=SC2086  # words
  quietly "$(fortran_compiler "$mpi")" -Wno-argument-mismatch "$form" watched.F90 functions.o $libraries -o fortran
  expect_output "$kinds" preloaded "$work/fortran"
done

echo "-- Fortran's module"
mkdir stub && touch stub/mpi.h
in_c=$(gcc -E -dM -Istub "$work/prefix/include/MPI_Monitoring.h" |
  sed -nE 's/^#define (MPI_M_[A-Z0-9_]+) \(?(-?[0-9]+)\)?$/\1 \2/p' | sort)
in_fortran=$(sed -nE 's/^ *integer, parameter, public :: (MPI_M_[A-Z0-9_]+) = (-?[0-9]+)$/\1 \2/p' mpi_monitoring.F90 |
  grep -v ALL_COMM | sort)
[ "$(wc -l <<<"$in_c")" -eq 24 ] || fail "MPI_Monitoring.h has other constants: $in_c"
diff <(echo "$in_c") <(echo "$in_fortran") || fail "constants differ"
libraries=$(pkg-config --cflags --libs "mpix-topology-fortran-$mpi")
readonly each=$'40 checks, 0 failed\n40 checks, 0 failed\n40 checks, 0 failed'
for form in "${forms[@]}"; do
  # shellcheck disable=SC2086  # words
  quietly "$(fortran_compiler "$mpi")" -Wall "$form" monitoring_api.F90 $libraries -o api
  expect_output "$each" preloaded "$work/api"
done
