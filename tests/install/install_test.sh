#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# What is installed where, and what remains after an installation that fails.
. tests/install/common.sh

libraries=/usr/lib/$(g++ -print-multiarch)

echo "-- bad usage is one line and 2, and changes nothing"
expect_refusal() {  # EXPECTED_WORDS COMMAND...
  local words=$1 code
  shift
  "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ $code -eq 2 ] || { cat "$work/err"; fail "$*: $code, not 2"; }
  [ "$(wc -l <"$work/err")" -eq 1 ] || { cat "$work/err"; fail "$*: not one line"; }
  [ ! -s "$work/out" ] || { cat "$work/out"; fail "$*: prints to stdout"; }
  grep -qF -- "$words" "$work/err" || { cat "$work/err"; fail "$*: does not say '$words'"; }
}
expect_refusal "--prefix is missing; give the folder" install_library
expect_refusal "--prefix needs a value" install_library --prefix
expect_refusal "'lam' is no MPI that the library is built for; give openmpi, mpich or smpi" \
  install_library --prefix "$work/p" --mpi lam
expect_refusal "'--mip=openmpi' is not understood; give --prefix DIR" install_library --prefix "$work/p" --mip=openmpi
touch "$work/file"
expect_refusal "$work/file: is not a folder; give another --prefix" install_library --prefix "$work/file/deep"
expect_refusal "$work/file: is not a folder; give another --prefix" "$runfiles/tools/install" --check --prefix "$work/file"
[ ! -e "$work/p" ] || fail "a refused installation made the prefix"
# The wrapper refuses this before it builds or installs anything.
expect_refusal "'lam' is no MPI" "$runfiles/strata" --no-install install --prefix "$work/p" --mpi lam
expect_refusal "cannot be written" install_library --prefix /proc/strata
if [ "$(id -u)" -ne 0 ]; then
  mkdir -m 555 "$work/readonly"
  expect_refusal "$work/readonly: cannot be written by $(id -un); give another --prefix" \
    install_library --prefix "$work/readonly/p"
fi

echo "-- packages that are missing are named, and not installed against the user's will"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
chmod +x "$work/bin/dpkg-query"
PATH=$work/bin:$PATH "$runfiles/strata" --no-install install --prefix "$work/p" --mpi mpich >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || { cat "$work/err"; fail "missing packages: not 2"; }
grep -q 'run: apt-get install .* mpich libmpich-dev' "$work/err" || { cat "$work/err"; fail "missing packages: not named"; }
[ ! -e "$work/p" ] || fail "missing packages: something was installed"

echo "-- help"
install_library --help >"$work/out" || fail "--help is no error"
grep -q '^usage: ./strata install --prefix DIR' "$work/out" || fail "--help shows no usage"

echo "-- the MPIs side by side"
quietly install_library --prefix "$work/prefix" --mpi openmpi --mpi=mpich
quietly install_library --prefix="$work/prefix" --mpi smpi
listing() { (cd "$1" && find . -printf '%P %y %m %l\n' | sort); }
for mpi in openmpi mpich smpi; do
  for file in include/mpix.h include/MPI_Monitoring.h lib/libmpix_topology_$mpi.so lib/libmpix_topology_fortran_$mpi.so \
    lib/libmpix_cart_shim_$mpi.so lib/libmpix_monitoring_$mpi.so \
    lib/pkgconfig/mpix-topology-$mpi.pc lib/pkgconfig/mpix-topology-fortran-$mpi.pc \
    lib/cmake/mpix_topology/mpix_topology-config.cmake lib/cmake/mpix_topology/mpix_topology-$mpi.cmake; do
    [ -f "$work/prefix/$file" ] || fail "$file is not installed"
  done
  [ -n "$(find "$work/prefix/lib/fortran" -path "*/gfortran-mod-*/$mpi/mpix_topology.mod")" ] ||
    fail "the Fortran module for $mpi is not installed"
  version=$(PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig pkg-config --modversion "mpix-topology-fortran-$mpi")
  [ -f "$work/prefix/lib/libmpix_topology_$mpi.so.${version%.*}" ] || fail "the library's name does not tell version $version"
done
[ -z "$(find "$work/prefix" -name '.strata*')" ] || fail "a staging folder is left"
for header in mpix.h MPI_Monitoring.h; do
  cmp -s mpi_ext/$header "$work/prefix/include/$header" || fail "$header is not the one that was built with"
done
! grep -rqF "$work" "$work/prefix" || fail "a file names the prefix: it could not be moved"

echo "-- the library exports its headers and nothing else, and needs hwloc and its MPI"
functions=$(sed -nE 's/^(int |const char\* )(MPI(X|_M)_[A-Za-z_]+)\(.*/\2/p' mpi_ext/mpix.h mpi_ext/MPI_Monitoring.h | sort)
[ "$(wc -l <<<"$functions")" -ge 40 ] || fail "the headers declare too few functions: $functions"
for mpi in openmpi mpich smpi; do
  library=$work/prefix/lib/libmpix_topology_$mpi.so
  diff <(echo "$functions") <(nm -D --defined-only "$library" | awk '{print $3}' | sort) || fail "$mpi: other symbols"
  needed=$(readelf -d "$library" | sed -nE 's/.*\(NEEDED\).*\[(.*)\.so.*/\1/p' | sort | paste -sd ' ')
  case $mpi in
    openmpi) its_mpi=libmpi ;;
    mpich) its_mpi=libmpich ;;
    smpi) its_mpi=libsimgrid ;;
  esac
  # The loader itself may also be needed, for thread-local variables.
  [ "${needed#ld-linux-x86-64 }" = "libc libgcc_s libhwloc libm $its_mpi libstdc++" ] || fail "$mpi needs $needed"
done

echo "-- the shim stands before its MPI's Cartesian functions, all that exist and no others, and brings the library"
for mpi in openmpi mpich smpi; do
  shim=$(PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig pkg-config --variable=cart_shim "mpix-topology-$mpi")
  nm -D --defined-only "$shim" | awk '{print $3}' | sort >"$work/symbols"
  case $mpi in
    smpi) redirected=$(printf 'PMPI_%s\n' Cart_{coords,create,get,rank,shift,sub} Cartdim_get Topo_test \
      Neighbor_{allgather,allgatherv,alltoall,alltoallv,alltoallw}) ;;
    *) redirected=$(printf '%s\n' MPI_Cart_create mpi_cart_create{,_f08}_) ;;
  esac
  diff <(sort <<<"$redirected") "$work/symbols" || fail "the shim for $mpi: other symbols"
  case $mpi in
    openmpi) theirs=(libmpi.so libmpi_mpifh.so libmpi_usempif08.so) ;;
    mpich) theirs=(libmpich.so libmpichfort.so) ;;
    smpi) theirs=(libsimgrid.so) ;;
  esac
  nm -D --defined-only "${theirs[@]/#/$libraries/}" | awk '{print $3}' | sort -u | comm -23 "$work/symbols" - |
    { ! grep .; } || fail "the shim for $mpi: its MPI has no such functions"
  readelf -d "$shim" | grep -qF "Shared library: [libmpix_topology_$mpi.so.${version%.*}]" || fail "the shim for $mpi is alone"
  [ -z "$(ldd "$shim" | grep 'not found')" ] || fail "the shim for $mpi does not find the library beside it"
done

echo "-- what sees messages stands before its MPI's functions, all that exist"
for mpi in openmpi mpich smpi; do
  monitoring=$(PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig pkg-config --variable=monitoring "mpix-topology-$mpi")
  nm -D --defined-only "$monitoring" | awk '{print $3}' | grep -v ^strata_monitoring_ | sort >"$work/symbols"
  grep -qx PMPI_Ineighbor_alltoallw "$work/symbols" || fail "$monitoring: collectives are missing"
  case $mpi in
    openmpi) its_mpi=libmpi.so ;;
    mpich) its_mpi=libmpich.so ;;
    smpi) its_mpi=libsimgrid.so ;;
  esac
  nm -D --defined-only "$libraries/$its_mpi" | awk '{print $3}' | sort -u | comm -23 "$work/symbols" - |
    { ! grep .; } || fail "$monitoring: its MPI has no such functions"
done

echo "-- CMake finds what is here, of this version"
quietly install_library --prefix "$work/one" --mpi openmpi
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(finds NONE)
find_package(mpix_topology ${WANTED} REQUIRED COMPONENTS ${MPI})
EOF
finds() { cmake -S "$work/project" -B "$work/found" -DCMAKE_PREFIX_PATH="$work/one" -DWANTED="$1" -DMPI="$2" >"$work/log" 2>&1; }
finds "${version%.*}" openmpi || { cat "$work/log"; fail "CMake does not find version ${version%.*}"; }
for other in 0.1 "${version%.*}.99" 9.0; do
  finds "$other" openmpi && fail "CMake takes version $version for $other"
done
finds "$version" mpich && fail "CMake finds what is not installed"
tr -s ' \n' ' ' <"$work/log" | grep -qF "mpix_topology is not installed for mpich in $work/one; ./strata install" ||
  { cat "$work/log"; fail "CMake does not say what is missing"; }

echo "-- again is the same; DESTDIR stands before the prefix"
listing "$work/prefix" >"$work/first"
quietly install_library --prefix "$work/prefix" --mpi openmpi --mpi mpich --mpi smpi
listing "$work/prefix" | diff "$work/first" - || fail "a second installation differs"
(cd "$work" && DESTDIR=$work/stage quietly install_library --prefix /opt/x --mpi openmpi --mpi mpich --mpi smpi)
listing "$work/stage/opt/x" | diff "$work/first" - || fail "DESTDIR: other files"
[ ! -e /opt/x ] || fail "DESTDIR was not respected"

echo "-- what fails half way leaves what was there"
before=$(find "$work/prefix" -type f -exec md5sum {} + | sort)
# A write beyond 8 KiB fails as on a full disk.
no_space() { (ulimit -f 8 && trap '' XFSZ && install_library "$@"); }
expect_refusal "$work/prefix: cannot be written: tar: " no_space --prefix "$work/prefix" --mpi openmpi
[ "$before" = "$(find "$work/prefix" -type f -exec md5sum {} + | sort)" ] || fail "files were lost"
expect_refusal "$work/new/deep: cannot be written: tar: " no_space --prefix "$work/new/deep" --mpi openmpi
[ ! -e "$work/new" ] || fail "folders are left"
# A folder is in the place of the last file.
mkdir -p "$work/taken/lib/pkgconfig/mpix-topology-smpi.pc"
listing "$work/taken" >"$work/first"
expect_refusal "mpix-topology-smpi.pc: is a folder where a file is to be" install_library --prefix "$work/taken" --mpi smpi
listing "$work/taken" | diff "$work/first" - || fail "something is left"
