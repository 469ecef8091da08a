#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# ./strata with a fake Bazel: what stays in the disk cache.
. tests/command/wrapper_clone.sh

age
strata machines  # the first build prunes

# The disk cache: a file not used for a long time, one that was read lately, and one that was written lately.
readonly old=$cache/cas/aa/old read=$cache/cas/aa/read new=$cache/ac/aa/new
: >"$old"; : >"$read"; : >"$new"
touch -d '40 days ago' "$old" "$read"
touch -a -d 'now' "$read"
touch -d '+1 hour' "$clone/version.bzl"
strata machines
expect "pruned within a day" "$(ls "$old")" "$old"  # the first build has already pruned
touch -d '2 days ago' "$cache/pruned"
strata machines
expect "unused" "$(ls "$old" 2>/dev/null)" ""
expect "read" "$(ls "$read")" "$read"
expect "made" "$(ls "$new")" "$new"

finish
