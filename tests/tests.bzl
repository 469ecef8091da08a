# SPDX-License-Identifier: LGPL-2.1-only
"""Tests in C++ by GoogleTest: NAME.cc is the test NAME."""

load("//third_party/precompiled:cc.bzl", "cc_test")

def unit_test(name, deps = [], **kwargs):
    """A test of libraries.

    Args:
      name: see above.
      deps: beside GoogleTest.
      **kwargs: of cc_test.
    """
    cc_test(
        name = name,
        srcs = [name + ".cc"],
        deps = deps + ["//third_party:gtest_main"],
        **kwargs
    )

def command_test(name, size = "medium", data = [], deps = [], tags = ["cpu:2"], **kwargs):
    """A test of the command as a user meets it: processes (tests/command/strata_process.h), their output and exit codes.

    Args:
      name: see above.
      size: of cc_test.
      data: beside the command and all that it brings along: catalogs, programs, the platform plugin.
      deps: beside GoogleTest, JSON and strata_process.
      tags: of cc_test; cpu:2 keeps Bazel from starting many simulations at once.
      **kwargs: of cc_test.
    """
    unit_test(
        name = name,
        size = size,
        data = data + ["//command:strata"],
        tags = tags + ["no-sanitizer"],
        deps = deps + [
            "//tests/command:strata_process",
            "//third_party:json",
        ],
        **kwargs
    )
