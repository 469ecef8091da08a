#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# Lays out the library of one MPI as it stands below a prefix, and writes the archive of that.
#
#   pack.sh MPI VERSION ARCHIVE FILE...
#
# Nothing in it names the prefix: pkg-config's and CMake's files find it from where they stand. All names but the headers'
# and the CMake package's own hold the MPI's, so that several MPIs share a prefix. The files for CMake bring the MPI along, with
# what its compiler wrappers say; those for pkg-config leave it to the wrapper.
set -eu
readonly mpi=$1 version=$2 archive=$3
shift 3
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
export HOME=$tree  # the compiler wrapper of Open MPI 5 needs one
readonly cmake=$tree/lib/cmake/mpix_topology pkgconfig=$tree/lib/pkgconfig
readonly library=libmpix_topology_$mpi.so fortran_library=libmpix_topology_fortran_$mpi.so
readonly monitoring_library=libmpix_monitoring_$mpi.so
mkdir -p "$tree/include" "$cmake" "$pkgconfig"

for file in "$@"; do
  name=$(basename "$file")
  case $name in
    *.so)
      cp "$file" "$tree/lib/$name.${version%.*}"
      ln -s "$name.${version%.*}" "$tree/lib/$name"
      ;;
    *.mod)
      # Debian's folders, named after the version of gfortran's module files, which the first line says.
      format=$(zcat "$file" | sed -n "1s/^GFORTRAN module version '\([0-9]*\)'.*/\1/p")
      modules=lib/fortran/gfortran-mod-$format/$mpi
      mkdir -p "$tree/$modules"
      cp "$file" "$tree/$modules/$name"
      ;;
    *.h) cp "$file" "$tree/include/$name" ;;
    *.cmake) cp "$file" "$cmake/$name" ;;
  esac
done

cat >"$pkgconfig/mpix-topology-$mpi.pc" <<EOF
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
# To be preloaded: MPI_Cart_create of programs as they are becomes the library's.
cart_shim=\${libdir}/libmpix_cart_shim_$mpi.so
# To be preloaded, of a real MPI linked before it also does: MPI_Monitoring.h's sessions see messages.
monitoring=\${libdir}/libmpix_monitoring_$mpi.so

Name: mpix-topology-$mpi
Description: Strata's topology-aware MPI extensions, for $mpi; to be used with that MPI's compiler wrapper
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${libdir} -Wl,-rpath,\${libdir} -lmpix_topology_$mpi
EOF
cat >"$pkgconfig/mpix-topology-fortran-$mpi.pc" <<EOF
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib

Name: mpix-topology-fortran-$mpi
Description: Strata's topology-aware MPI extensions from Fortran, for $mpi; to be used with that MPI's compiler wrapper
Version: $version
Requires: mpix-topology-$mpi = $version
Cflags: -I\${prefix}/$modules
Libs: -L\${libdir} -lmpix_topology_fortran_$mpi
EOF

# What a wrapper would add, as CMake lists: words_of WRAPPER -I prints the folders behind -I.
words_of() {
  "$1" -show | tr ' ' '\n' | sed -n "s/^$2//p" | awk '$0 != "/usr/include" && !seen[$0]++' | paste -sd ';'
}
case $mpi in
  smpi) c=smpicc fortran=smpif90 ;;
  *) c=mpicc.$mpi fortran=mpifort.$mpi ;;
esac
for wrapper in $c $fortran; do "$wrapper" -show >/dev/null; done  # ends here where one fails
target() {  # its name, library, wrapper, folder of headers or modules, what else it needs
  cat <<EOF
add_library(mpix_topology::$1 SHARED IMPORTED)
set_target_properties(mpix_topology::$1 PROPERTIES
  IMPORTED_LOCATION "\${_mpix_topology_prefix}/lib/$2.${version%.*}"
  IMPORTED_SONAME "$2.${version%.*}"
  INTERFACE_INCLUDE_DIRECTORIES "\${_mpix_topology_prefix}/$4;$(words_of "$3" -I)"
  INTERFACE_LINK_DIRECTORIES "$(words_of "$3" -L)"
  INTERFACE_LINK_LIBRARIES "$5$(words_of "$3" -l)")
EOF
}
{
  echo "# The library for $mpi, with the MPI that it was built with."
  target "$mpi" "$library" "$c" include ""
  target "${mpi}_fortran" "$fortran_library" "$fortran" "$modules" "mpix_topology::$mpi;"
  # Before the MPI, that is: under SMPI it can only be preloaded.
  [ "$mpi" = smpi ] || target "${mpi}_monitoring" "$monitoring_library" "$c" include "mpix_topology::$mpi;"
} >"$cmake/mpix_topology-$mpi.cmake"

# Up to 1.0 a new minor version may break programs.
cat >"$cmake/mpix_topology-config-version.cmake" <<EOF
set(PACKAGE_VERSION $version)
if(PACKAGE_FIND_VERSION MATCHES "^${version%.*}(\\\\.|\$)" AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
EOF

find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f -exec chmod 644 {} +
tar -cf "$archive" -C "$tree" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner include lib
