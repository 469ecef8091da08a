# SPDX-License-Identifier: LGPL-2.1-only
"""Programs with a mistake in one source file of mpi_ext, for the tests of what `strata check` finds.

NAME.patch says in its first line what is wrong, in the lines after it what is checked and what must be found, and then,
as a unified diff, how the file is changed. The changed file is linked before the archives that hold the original: the
linker takes a member of an archive only for symbols that are still undefined, so the changed one stands in for it. Were
a symbol missing in it, the original would be taken too, and the link would fail for all that are there twice.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//mpi_ext:mpi.bzl", "mpi_copts", "mpi_libraries")
load("//third_party/precompiled:cc.bzl", "cc_binary")

def _changed_source(name, source):
    folder, _, file = source.rpartition("/")
    changed = name + "/" + file
    original = "//mpi_ext/%s:%s" % (folder, file)
    native.genrule(
        name = name + "_source",
        srcs = [
            name + ".patch",
            original,
        ],
        outs = [changed],
        # Without fuzz: if the surroundings of a patch have changed, look at it again.
        cmd = "cat $(location %s) > $@ && " % original +
              "patch --batch --forward --fuzz=0 --silent --no-backup-if-mismatch --reject-file=- $@ $(location %s.patch)" % name,
    )
    return changed

def planted_in_core(name, source):
    """`check_NAME`: the command `strata check` alone, with NAME.patch applied to a source file of the pure cores."""
    cc_binary(
        name = "check_" + name,
        testonly = True,
        visibility = ["//tests:__subpackages__"],
        srcs = [_changed_source(name, source)],
        linkstatic = True,
        deps = [
            ":checker",
            "//mpi_ext/library:all_headers",
        ],
    )

def planted_in_protocol(name, source, protocol):
    """`NAME.so`: a program of check/protocols with NAME.patch applied to a source file of the MPI code."""
    cc_binary(
        name = name + ".so",
        testonly = True,
        srcs = [_changed_source(name, source)],
        copts = mpi_copts("smpi"),
        linkopts = ["-Wl,-z,defs"],
        linkshared = True,
        linkstatic = True,
        deps = [
            ":" + protocol + "_members",
            "//mpi_ext/library:all_headers",
        ] + mpi_libraries("smpi"),
    )

def _renamed(ctx, archive, extension):
    # Bazel uses NAME.lo for libraries that are linked completely.
    if not archive:
        return None
    renamed = ctx.actions.declare_file(ctx.label.name + "/" + archive.basename.partition(".")[0] + extension)
    ctx.actions.symlink(output = renamed, target_file = archive)
    return renamed

def _members_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    wanted = [library.label for library in ctx.attr.of]
    inputs = []
    for given in ctx.attr.library[CcInfo].linking_context.linker_inputs.to_list():
        if given.owner not in wanted:
            inputs.append(given)
            continue
        inputs.append(cc_common.create_linker_input(
            owner = given.owner,
            libraries = depset([
                cc_common.create_library_to_link(
                    actions = ctx.actions,
                    feature_configuration = features,
                    cc_toolchain = toolchain,
                    static_library = _renamed(ctx, library.static_library, ".a"),
                    pic_static_library = _renamed(ctx, library.pic_static_library, ".pic.a"),
                )
                for library in given.libraries
            ]),
            user_link_flags = depset(given.user_link_flags),
            additional_inputs = depset(given.additional_inputs),
        ))
    return [CcInfo(
        compilation_context = ctx.attr.library[CcInfo].compilation_context,
        linking_context = cc_common.create_linking_context(linker_inputs = depset(inputs, order = "topological")),
    )]

members = rule(
    implementation = _members_impl,
    doc = "A library, with those of `of` among what it depends on linked as archives, not whole.",
    attrs = {
        "library": attr.label(mandatory = True, providers = [CcInfo]),
        "of": attr.label_list(mandatory = True, providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    fragments = ["cpp"],
)
