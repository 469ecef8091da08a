# Strata's topology-aware MPI extensions, for the MPIs that were installed here.
#
#   find_package(mpix_topology REQUIRED COMPONENTS openmpi)
#   target_link_libraries(c_program PRIVATE mpix_topology::openmpi)
#   target_link_libraries(fortran_program PRIVATE mpix_topology::openmpi_fortran)
#   target_link_libraries(program_that_monitors PRIVATE mpix_topology::openmpi_monitoring)
#
# The components are openmpi, mpich and smpi; without COMPONENTS all that are here. A target brings its MPI along: link no
# other. The last sees messages where Open MPI does not itself (MPI_Monitoring.h); there is none for SMPI. Programs for
# SMPI are compiled with CMAKE_C_COMPILER=smpicc and CMAKE_Fortran_COMPILER=smpif90.
get_filename_component(_mpix_topology_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_mpix_topology_mpi openmpi mpich smpi)
  set(_mpix_topology_file "${CMAKE_CURRENT_LIST_DIR}/mpix_topology-${_mpix_topology_mpi}.cmake")
  if(EXISTS "${_mpix_topology_file}")
    set(mpix_topology_${_mpix_topology_mpi}_FOUND TRUE)
    if(NOT TARGET mpix_topology::${_mpix_topology_mpi})
      include("${_mpix_topology_file}")
    endif()
  endif()
endforeach()
foreach(_mpix_topology_mpi ${mpix_topology_FIND_COMPONENTS})
  if(NOT mpix_topology_${_mpix_topology_mpi}_FOUND AND mpix_topology_FIND_REQUIRED_${_mpix_topology_mpi})
    set(mpix_topology_FOUND FALSE)
    set(mpix_topology_NOT_FOUND_MESSAGE
      "mpix_topology is not installed for ${_mpix_topology_mpi} in ${_mpix_topology_prefix}; ./strata install --mpi ${_mpix_topology_mpi}")
  endif()
endforeach()
unset(_mpix_topology_mpi)
unset(_mpix_topology_file)
unset(_mpix_topology_prefix)
