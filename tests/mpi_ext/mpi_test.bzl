# SPDX-License-Identifier: LGPL-2.1-only
"""Tests of mpi_ext: of pure cores, and of MPI code, in a program that runs under SMPI, Open MPI and MPICH."""

load("//mpi_ext:mpi.bzl", "MPIS", "mpi_program")
load("//third_party/precompiled:cc.bzl", "cc_test")

REAL_MPIS = [mpi for mpi in MPIS if mpi != "smpi"]

def core_test(name, deps, size = "small", **kwargs):
    """`NAME_test` of a pure core, from NAME_test.cc.

    Args:
      name: see above.
      deps: the tested code, and libraries other than GoogleTest.
      size: of the test.
      **kwargs: of cc_test.
    """
    cc_test(
        name = name + "_test",
        size = size,
        srcs = [name + "_test.cc"],
        deps = deps + ["//third_party:gtest_main"],
        **kwargs
    )

def test_program(name, main = None, srcs = [], mpi_deps = ["//mpi_ext/library:mpix"], deps = [], linkopts = [], mpis = MPIS):
    """The MPI program `NAME_mpi_program` that an mpi_test runs, for each MPI. Its tests may be in files of a folder NAME.

    Args:
      name: see above.
      main: its source with main, if not NAME_mpi_program.cc.
      srcs: further sources.
      mpi_deps: mpi_cc_library targets, by their NAME.
      deps: libraries without MPI.
      linkopts: of the linker.
      mpis: which to build for.
    """
    mpi_program(
        name = name + "_mpi_program",
        testonly = True,
        srcs = [
            main or name + "_mpi_program.cc",
            "yield_when_idle.cc",
            ":communicators",
        ] + native.glob(
            [
                name + "/*.cc",
                name + "/*.h",
            ],
            allow_empty = True,
        ) + srcs,
        linkopts = linkopts,
        mpi_deps = mpi_deps,
        mpis = mpis,
        deps = [":checks"] + deps,
    )

def mpi_test(
        name,
        programs = None,
        real_programs = [],
        preload = [],
        mpis = MPIS,
        smpi_size = "large",
        smpi_timeout = None,
        smpi_cpus = 1,
        smpi_deps = [],
        deps = []):
    """`NAME_smpi_test` from NAME_smpi_test.cc, and from NAME_real_test.cc `NAME_mpich_test` and `NAME_openmpi_test`.

    Args:
      name: see above.
      programs: the programs that they run, by their NAME of mpi_program; default: NAME_mpi_program.
      real_programs: programs that run only under a real MPI.
      preload: the MPIs under which the shim and the tap are preloaded.
      mpis: SMPI, and the real MPIs under which the test runs.
      smpi_size: of the test under SMPI.
      smpi_timeout: of the test under SMPI, if not that of its size.
      smpi_cpus: number of cores that the test under SMPI uses.
      smpi_deps: additional dependencies of the test under SMPI.
      deps: additional dependencies of all tests.
    """
    programs = programs or [":%s_mpi_program" % name]
    common_deps = deps + [
        ":mpi_run",
        ":shim",
        "//platforms:machine",
        "//sim/launcher",
        "//third_party:gtest_main",
    ]
    preloaded = {mpi: ["//mpi_ext/preload:preload_" + mpi] if mpi in preload else [] for mpi in MPIS}
    cc_test(
        name = name + "_smpi_test",
        size = smpi_size,
        timeout = smpi_timeout,
        srcs = [name + "_smpi_test.cc"],
        data = [program + ".so" for program in programs] + preloaded["smpi"] + [
            "//platforms:catalog",
            "//sim/plugin:libstrata_platform.so",
        ],
        tags = [
            "cpu:%d" % smpi_cpus,
            "no-sanitizer",
        ],
        deps = common_deps + smpi_deps,
    )
    for mpi in [mpi for mpi in REAL_MPIS if mpi in mpis]:
        cc_test(
            name = "%s_%s_test" % (name, mpi),
            size = "large",
            srcs = [name + "_real_test.cc"],
            data = ["%s_%s" % (program, mpi) for program in programs + real_programs] + preloaded[mpi],
            local_defines = ['STRATA_TEST_MPI=\\"%s\\"' % mpi],
            tags = [
                "cpu:2",
                "no-asan",
            ],
            deps = common_deps,
        )
