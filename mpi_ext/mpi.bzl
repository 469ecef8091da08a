"""MPI code is built once for each MPI: SMPI, Open MPI and MPICH. Target NAME becomes NAME_smpi, NAME_openmpi, NAME_mpich."""

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

def mpi_copts(mpi):
    return _MPI[mpi].copts

def mpi_libraries(mpi):
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

def smpi_program(name, srcs, mpi_deps = [], deps = [], **kwargs):
    """An MPI program for smpirun: a shared object NAME.so, whose main smpirun calls for each rank."""
    native.cc_binary(
        name = name + ".so",
        srcs = srcs,
        copts = _MPI["smpi"].copts,
        linkshared = True,
        deps = _variants(deps, mpi_deps, "smpi"),
        **kwargs
    )

def real_mpi_program(name, srcs, mpi_deps = [], deps = [], **kwargs):
    """An MPI program for mpirun: NAME_openmpi and NAME_mpich."""
    for mpi in MPIS:
        if mpi != "smpi":
            native.cc_binary(
                name = name + "_" + mpi,
                srcs = srcs,
                copts = _MPI[mpi].copts,
                deps = _variants(deps, mpi_deps, mpi),
                **kwargs
            )

def mpi_program(name, **kwargs):
    """An MPI program for all: NAME.so, NAME_openmpi and NAME_mpich."""
    smpi_program(name = name, **kwargs)
    real_mpi_program(name = name, **kwargs)
