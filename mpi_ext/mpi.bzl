# SPDX-License-Identifier: LGPL-2.1-only
"""MPI code is built once for each MPI: SMPI, Open MPI and MPICH. Target NAME becomes NAME_smpi, NAME_openmpi, NAME_mpich."""

load("@system//:paths.bzl", "HEADERS")
load("//:version.bzl", "VERSION")
load("//third_party/precompiled:cc.bzl", "cc_binary", "cc_library")

_MPI = {
    "mpich": struct(
        copts = ["-isystem%s/mpich" % HEADERS],
        deps = ["//third_party:mpich"],
    ),
    "openmpi": struct(
        copts = ["-DOMPI_SKIP_MPICXX"],
        deps = ["@system//:openmpi"],
    ),
    "smpi": struct(
        # Without smpicc's -include smpi_helpers.h. It redefines malloc, exit and other functions for unmodified
        # programs; our code does not call any of them.
        copts = [
            "-isystem/usr/include/smpi",
            "-fPIC",
        ],
        deps = ["//third_party:simgrid"],
    ),
}

MPIS = sorted(_MPI.keys())

def soname(library):
    """The name under which programs look for a shared library: libNAME.so becomes libNAME.so.0.7."""
    return library + "." + VERSION.rpartition(".")[0]

def mpi_copts(mpi):
    """The compiler's options for an MPI of MPIS."""
    return _MPI[mpi].copts

def mpi_libraries(mpi):
    """The dependencies of code for an MPI of MPIS."""
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
        cc_library(
            name = name + "_" + mpi,
            copts = copts + _MPI[mpi].copts,
            deps = _variants(deps, mpi_deps, mpi),
            **kwargs
        )

def adapter(name, srcs = [], real_hdrs = [], mpi_deps = [], deps = [], real_linkopts = [], **kwargs):
    """A difference between SMPI and real MPIs: NAME.h, implemented by NAME_smpi.cc and by NAME_real.cc.

    Args:
      name: NAME_smpi, NAME_openmpi and NAME_mpich are made.
      srcs: sources for all MPIs.
      real_hdrs: headers only for real MPIs.
      mpi_deps: see mpi_cc_library.
      deps: libraries without MPI.
      real_linkopts: for real MPIs.
      **kwargs: of cc_library.
    """
    for mpi in MPIS:
        smpi = mpi == "smpi"
        cc_library(
            name = name + "_" + mpi,
            srcs = srcs + [name + ("_smpi.cc" if smpi else "_real.cc")],
            hdrs = [name + ".h"] + ([] if smpi else real_hdrs),
            copts = _MPI[mpi].copts,
            linkopts = [] if smpi else real_linkopts,
            deps = _variants(deps, mpi_deps, mpi),
            **kwargs
        )

def mpi_shared_library(
        name,
        visibility,
        srcs = [],
        mpi_srcs = {},
        mpi_deps = [],
        mpi_linkopts = {},
        over_topology = False):
    """A shared library for each MPI, with a version in its name and only the symbols of exported_symbols.map.

    Args:
      name: NAME_smpi.so, NAME_openmpi.so and NAME_mpich.so are made.
      visibility: as everywhere.
      srcs: sources for all MPIs.
      mpi_srcs: further sources by MPI.
      mpi_deps: mpi_cc_library targets, by their NAME.
      mpi_linkopts: further options of the linker by MPI.
      over_topology: whether it calls libmpix_topology, which is installed beside it.
    """
    for mpi in MPIS:
        library = "%s_%s.so" % (name, mpi)
        topology = ["//mpi_ext/library:libmpix_topology_%s.so" % mpi] if over_topology else []
        cc_binary(
            name = library,
            srcs = srcs + mpi_srcs.get(mpi, []),
            additional_linker_inputs = ["exported_symbols.map"] + topology,
            copts = _MPI[mpi].copts,
            # Needs ld.bfd: gold ignores the map for templates of libstdc++ to which libsimgrid refers.
            features = ["-supports_start_end_lib"],
            linkopts = ["$(location %s)" % t for t in topology] + [
                "-Wl,--version-script=$(location exported_symbols.map)",
                "-Wl,-soname," + soname(library),
                "-Wl,-z,defs",
                "-fuse-ld=bfd",
            ] + (["-Wl,-rpath,$$ORIGIN"] if over_topology else []) + mpi_linkopts.get(mpi, []),
            linkshared = True,
            visibility = visibility,
            deps = _variants([], mpi_deps, mpi),
        )

def mpi_program(name, srcs, mpi_deps = [], deps = [], mpis = ["smpi"], copts = [], **kwargs):
    """An MPI program. For SMPI a shared object NAME.so, whose main smpirun calls for each rank; else NAME_openmpi, NAME_mpich.

    Args:
      name: see above.
      srcs: sources.
      mpi_deps: mpi_cc_library targets, by their NAME.
      deps: libraries without MPI.
      mpis: which to build for.
      copts: further options of the compiler.
      **kwargs: of cc_binary.
    """
    for mpi in mpis:
        cc_binary(
            name = name + ".so" if mpi == "smpi" else name + "_" + mpi,
            srcs = srcs,
            copts = _MPI[mpi].copts + copts,
            linkshared = mpi == "smpi",
            deps = _variants(deps, mpi_deps, mpi),
            **kwargs
        )

def sources_for_planted_mistakes():
    """A folder's sources and headers by themselves, for tests/planted, which compiles one of them with a mistake in it."""
    native.exports_files(
        native.glob(["*.cc"]),
        visibility = ["//tests/planted:__pkg__"],
    )
    cc_library(
        name = "all_headers",
        textual_hdrs = native.glob([
            "*.h",
            "*.inc",
        ]),
        visibility = ["//mpi_ext/library:__pkg__"],
    )
