# SPDX-License-Identifier: LGPL-2.1-only
"""The part of rules_cc that Bazel's own tools load, bound to Bazel 4's native rules (Debian's rules_cc needs Bazel 5)."""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
