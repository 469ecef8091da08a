# SPDX-License-Identifier: LGPL-2.1-only
"""Where this system keeps what the compilers do not find by themselves.

Debian has headers and libraries in folders named after the architecture, such as /usr/lib/aarch64-linux-gnu/openmpi. The
repository @system knows this machine's: folders in @system//:paths.bzl, Open MPI's headers as @system//:openmpi, and those of
PMIx as @system//:pmix.
"""

_PATHS = """\
# The folders of this system's libraries and headers.
LIBRARIES = "{libraries}"
HEADERS = "{headers}"

# Fortran modules; they have a format that changes with gfortran's version.
FORTRAN_MODULES = "{fortran_modules}"

# SimGrid's version, such as "3.32"; sim/simgrid/version.h knows which there may be.
SIMGRID = "{simgrid}"
"""

_BUILD = """\
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "openmpi",
    hdrs = glob([
        "openmpi/*.h",
        "openmpi/openmpi/**/*.h",
    ]),
    includes = ["openmpi"],
    linkopts = [
        "-L{libraries}/openmpi/lib",
        "-lmpi",
    ],
)

cc_library(
    name = "pmix_headers",
    hdrs = glob(["pmix/*.h"]),
    includes = ["pmix"],
)

cc_library(
    name = "pmix",
    hdrs = glob(["pmix/*.h"]),
    includes = ["pmix"],
    linkopts = ["-lpmix"],
)
"""

def _system(context):
    architecture = context.execute(["g++", "-print-multiarch"]).stdout.strip()
    libraries = "/usr/lib/" + architecture if architecture else "/usr/lib"
    headers = "/usr/include/" + architecture if architecture else "/usr/include"
    fortran = context.path(libraries + "/fortran")
    modules = [str(f) for f in fortran.readdir() if f.basename.startswith("gfortran-mod-")] if fortran.exists else []
    simgrid = context.execute(["sed", "-nE", "s/^#define SIMGRID_VERSION_M(AJOR|INOR) //p", "/usr/include/simgrid/version.h"])
    context.file("paths.bzl", _PATHS.format(
        fortran_modules = (sorted(modules) + [libraries])[0],
        headers = headers,
        libraries = libraries,
        simgrid = simgrid.stdout.strip().replace("\n", "."),
    ))
    context.file("BUILD", _BUILD.format(libraries = libraries))
    openmpi = context.path(libraries + "/openmpi/include")
    if openmpi.exists:
        context.symlink(openmpi, "openmpi")
    pmix = context.path(libraries + "/pmix2/include")
    if pmix.exists:
        context.symlink(pmix, "pmix")

system = repository_rule(
    implementation = _system,
    doc = "This system's folders; looked up again when ./strata names another state of the system.",
    environ = ["STRATA_SYSTEM"],
    local = True,
)
