# SPDX-License-Identifier: LGPL-2.1-only
"""Rules for C++ that parse the headers of libraries once for all files instead of once for each file.

BUILD files use cc_library, cc_binary and cc_test as always: tools/build_rules/prelude_bazel replaces Bazel's own by the
rules below. These pass `-include headers_first.h` to the compiler, which then reads GCC's precompiled form of this header,
headers_first.h.gch. This saves a fifth of the compiler's time. Files still include what they use, because they must compile
without it too: `bazel build --define=precompiled=no ...`, which clang needs.

The rules also choose the level of optimisation. It belongs here because GCC 14 ignores a precompiled header that was
compiled with another level.
"""

_PACKAGE = "third_party/precompiled"

# Folders compiled with -O1, which is a quarter faster: tests, and code that parses, prints and starts processes. None of it
# runs for long. The code under test keeps -O2.
_O1 = [
    "analysis/page",
    "calibration/readers",
    "campaign",
    "command",
    "console",
    "scenarios",
    "sim/launcher",
    "tests",
    "toolchain",
]

# What is timed or calculates, in folders of these.
_O2 = [
    "scenarios/examples",
    "scenarios/programs",
    "tests/benchmarks",
]

def _within(package, folders):
    return any([package == folder or package.startswith(folder + "/") for folder in folders])

def _header(package):
    """The precompiled header for files of PACKAGE, and the options of the compiler that belong to it."""
    if not _within(package, _O1) or _within(package, _O2):
        return "headers", []
    return "tests" if _within(package, ["tests"]) else "headers_o1", ["-O1"]

def precompiled_header(name, header, copts = [], deps = []):
    """The library NAME: NAME_first.h, a copy of HEADER, and its precompiled form NAME_first.h.gch.

    The compiler looks for the precompiled form beside the header. Bazel writes it to its folder of outputs, so the header
    must be there too, and not in the folder of sources under the same name, which is searched before.

    Args:
      name: see above.
      header: see above.
      copts: options of the compiler; files that use it must be compiled with the same.
      deps: libraries whose headers it includes.
    """
    first = name + "_first"
    native.genrule(
        name = first,
        srcs = [header],
        outs = [
            first + ".h",
            first + ".cc",
        ],
        cmd = "for copy in $(OUTS); do cp $< $$copy; done",
    )

    # Compiled by Bazel's own rule, so with the options of each configuration. The "object file" is the precompiled header.
    native.cc_library(
        name = first + "_compiled",
        srcs = [first + ".cc"],
        copts = copts + [
            "-x",
            "c++-header",
        ],
        linkstatic = True,
        tags = ["manual"],  # it cannot be linked
        deps = deps,
    )
    native.filegroup(
        name = first + "_object",
        srcs = [first + "_compiled"],
        output_group = "compilation_outputs",
    )
    native.genrule(
        name = first + "_gch",
        srcs = [first + "_object"],
        outs = [first + ".h.gch"],
        cmd = "cp $< $@",
    )
    native.cc_library(
        name = name,
        textual_hdrs = [
            first + ".h",
            first + ".h.gch",
        ],
        visibility = ["//visibility:public"],
        deps = deps,
    )

def _with(rule, name, srcs, deps, copts, **kwargs):
    if srcs:
        header, options = _header(native.package_name())
        off = "//%s:off" % _PACKAGE
        deps = deps + select({
            off: [],
            "//conditions:default": ["//%s:%s" % (_PACKAGE, header)],
        })
        copts = options + select({
            off: [],
            "//conditions:default": ["-include", "%s/%s_first.h" % (_PACKAGE, header)],
        }) + copts
    rule(name = name, srcs = srcs, deps = deps, copts = copts, **kwargs)

def cc_library(name, srcs = [], deps = [], copts = [], **kwargs):
    """Bazel's cc_library, with the precompiled header."""
    _with(native.cc_library, name, srcs, deps, copts, **kwargs)

def cc_binary(name, srcs = [], deps = [], copts = [], **kwargs):
    """Bazel's cc_binary, with the precompiled header."""
    _with(native.cc_binary, name, srcs, deps, copts, **kwargs)

def cc_test(name, srcs = [], deps = [], copts = [], **kwargs):
    """Bazel's cc_test, with the precompiled header."""
    _with(native.cc_test, name, srcs, deps, copts, **kwargs)
