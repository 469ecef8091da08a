#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# ./strata with a fake Bazel: what is built when, and which tests run.
. tests/command/wrapper_clone.sh

age
strata machines
expect "the first command builds" "$(built)" "//command:strata "
expect "the user's cache folder" "$(grep -o -- '--disk_cache=[^ ]*' "$calls")" "--disk_cache=$cache"
strata machines
expect "the second does not" "$(built)" ""
strata check hsplit
expect "check builds its program" "$(built)" "//command:strata_check "
strata check hsplit
expect "once" "$(built)" ""
for file in version.bzl .bazelrc base/BUILD platforms/BUILD check/BUILD command/new.cc; do
  touch -d '+1 hour' "$clone/$file"  # so that the clock's resolution does not matter
  strata machines
  expect "a change of $file alone" "$(built)" "//command:strata "
  age
  rm -f "$clone/command/new.cc"
  age
  strata check machines  # makes both programs fresh again
done
rm -r "$clone/bazel-bin/command/strata_check.runfiles"
age
strata machines
expect "what check needs is not missed elsewhere" "$(built)" ""
strata check
expect "and built where it is missing" "$(built)" "//command:strata_check "

# If the system's libraries are replaced, the built programs may not even start.
age
strata machines
expect "nothing was replaced" "$(built)" ""
echo 'libfmt 10.1' >"$work/versions"
touch -d '2000-01-01' "$clone/.strata/built-strata"  # as after dpkg, whose own list is newer
if [ -e /var/lib/dpkg/status ]; then
  strata machines
  expect "the system's libraries were replaced" "$(built)" "//command:strata "
  strata machines
  expect "and are those it was built with" "$(built)" ""
fi

# Tests: the default ones, all, or some.
strata_tests() {
  : >"$calls"
  env PATH="$tools:$PATH" HOME="$work/home" "$clone/strata" test "$@" >/dev/null 2>&1
  grep -o -- '--test_tag_filters=.*' "$calls" | head -n 1
}
expect "tests" "$(strata_tests)" "--test_tag_filters=-nightly //..."
expect "all tests" "$(strata_tests --all)" "--test_tag_filters= //..."
expect "some tests" "$(strata_tests //a //b)" "--test_tag_filters=-nightly //a //b"

finish
