"""MPI code is built once for each MPI: SMPI, Open MPI and MPICH. Target NAME becomes NAME_smpi, NAME_openmpi, NAME_mpich."""

load("//:version.bzl", "VERSION")

_MPI = {
    "mpich": struct(
        copts = ["-isystem/usr/include/x86_64-linux-gnu/mpich"],
        deps = ["//third_party:mpich"],
    ),
    "openmpi": struct(
        copts = ["-DOMPI_SKIP_MPICXX"],
        deps = ["@openmpi//:mpi"],
    ),
    "smpi": struct(
        # smpicc's own -include smpi_helpers.h redefines malloc and exit for programs that are simulated unmodified; ours
        # call nothing that it would replace.
        copts = [
            "-isystem/usr/include/smpi",
            "-fPIC",
        ],
        deps = ["//third_party:simgrid"],
    ),
}

MPIS = sorted(_MPI.keys())

def soname(library):
    """The name under which programs look for a shared library: libNAME.so becomes libNAME.so.0.6."""
    return library + "." + VERSION.rpartition(".")[0]

def mpi_copts(mpi):
    """The compiler's options for an MPI of MPIS."""
    return _MPI[mpi].copts

def mpi_libraries(mpi):
    """What code for an MPI of MPIS depends on."""
    return _MPI[mpi].deps

def _variants(deps, mpi_deps, mpi):
    return deps + [d + "_" + mpi for d in mpi_deps] + _MPI[mpi].deps

def mpi_cc_library(name, mpi_deps = [], deps = [], copts = [], **kwargs):
    """A cc_library for each MPI.

    Args:
      name: NAME_smpi, NAME_openmpi and NAME_mpich are made.
      mpi_deps: other mpi_cc_library targets, by their NAME.
      deps: libraries without MPI.
      copts: for all.
      **kwargs: of cc_library.
    """
    for mpi in MPIS:
        native.cc_library(
            name = name + "_" + mpi,
            copts = copts + _MPI[mpi].copts,
            deps = _variants(deps, mpi_deps, mpi),
            **kwargs
        )

def mpi_program(name, srcs, mpi_deps = [], deps = [], mpis = ["smpi"], **kwargs):
    """An MPI program. For SMPI a shared object NAME.so, whose main smpirun calls for each rank; else NAME_openmpi, NAME_mpich.

    Args:
      name: see above.
      srcs: sources.
      mpi_deps: mpi_cc_library targets, by their NAME.
      deps: libraries without MPI.
      mpis: which to build for.
      **kwargs: of cc_binary.
    """
    for mpi in mpis:
        native.cc_binary(
            name = name + ".so" if mpi == "smpi" else name + "_" + mpi,
            srcs = srcs,
            copts = _MPI[mpi].copts,
            linkshared = mpi == "smpi",
            deps = _variants(deps, mpi_deps, mpi),
            **kwargs
        )
