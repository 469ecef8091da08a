# SPDX-License-Identifier: LGPL-2.1-only
"""Fuzz targets: a reader of outside input in one small file, under libFuzzer and as a test over the kept inputs."""

load("//third_party/precompiled:cc.bzl", "cc_binary", "cc_library", "cc_test")

def fuzz_target(name, deps, timeout = "short"):
    """NAME.cc reads one input (fuzz.h); corpus/NAME has inputs, those that were findings among them.

    NAME_replay_test reads them all, in each build. NAME_fuzz is what tools/fuzz runs: it links only with clang.

    Args:
      name: of the target.
      deps: what it reads with.
      timeout: of the test.
    """
    cc_library(
        name = name,
        testonly = True,
        srcs = [name + ".cc"],
        deps = deps + [":fuzz"],
        alwayslink = True,
    )
    native.filegroup(
        name = name + "_corpus",
        srcs = native.glob(["corpus/" + name + "/*"]),
        visibility = ["//tests:__subpackages__"],
    )
    cc_test(
        name = name + "_replay_test",
        timeout = timeout,
        srcs = ["replay_main.cc"],
        args = ["tests/fuzz/corpus/" + name],
        data = [":" + name + "_corpus"],
        deps = [":" + name],
    )
    cc_binary(
        name = name + "_fuzz",
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name],
    )
