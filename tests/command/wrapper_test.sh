#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# ./strata with a fake Bazel that records its calls: what is built when, and what stays in the disk cache.
set -u
readonly wrapper=$PWD/strata
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/strata-wrapper.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
expect() {  # what, found, wanted
  [ "$2" = "$3" ] && return
  echo "$1: '$2', not '$3'"
  failures=$((failures + 1))
}

# A clone with one source file per folder, and programs that do nothing.
readonly clone=$work/clone tools=$work/tools calls=$work/calls cache=$work/caches/strata/bazel
mkdir -p "$clone/bazel-bin/command" "$tools" "$cache/ac/aa" "$cache/cas/aa" "$work/home"
cp "$wrapper" "$clone/strata"
for folder in console platforms records mpi_ext scenarios flow sim replay calibration models check toolchain campaign analysis command third_party tools/build_rules; do
  mkdir -p "$clone/$folder" && : >"$clone/$folder/BUILD"
done
for file in version.bzl WORKSPACE BUILD .bazelrc; do : >"$clone/$file"; done
for program in strata strata_check; do
  printf '#!/bin/sh\n' >"$clone/bazel-bin/command/$program"
  chmod +x "$clone/bazel-bin/command/$program"
  mkdir "$clone/bazel-bin/command/$program.runfiles"
done
for tool in smpirun gnuplot; do printf '#!/bin/sh\n' >"$tools/$tool"; done
printf '#!/bin/sh\ncase $2 in *Status*) echo installed ;; *) cat "%s" ;; esac\n' "$work/versions" >"$tools/dpkg-query"
echo 'libfmt 9.1' >"$work/versions"
printf '#!/bin/sh\necho "$*" >>"%s"\n' "$calls" >"$tools/bazel"
chmod +x "$tools"/*

strata() {
  : >"$calls"
  env -u STRATA_CACHE PATH="$tools:$PATH" HOME="$work/home" XDG_CACHE_HOME="$work/caches" "$clone/strata" "$@" 2>"$work/err" ||
    { cat "$work/err"; failures=$((failures + 1)); }
}
built() { grep -o '//command:.*' "$calls" | tr '\n' ' '; }
# Makes all files older than any build, as after an old checkout.
age() { find "$clone" -newermt '2001-01-01' ! -path '*/.strata/*' -exec touch -h -d '2000-01-01' {} +; }

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
for file in version.bzl .bazelrc platforms/BUILD check/BUILD command/new.cc; do
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

# The disk cache: a file not used for a long time, one that was read lately, and one that was written lately.
readonly old=$cache/cas/aa/old read=$cache/cas/aa/read new=$cache/ac/aa/new
: >"$old"; : >"$read"; : >"$new"
touch -d '40 days ago' "$old" "$read"
touch -a -d 'now' "$read"
mkdir "$clone/bazel-bin/command/strata_check.runfiles"
touch -d '+1 hour' "$clone/version.bzl"
strata machines
expect "pruned within a day" "$(ls "$old")" "$old"  # the first build has already pruned
touch -d '2 days ago' "$cache/pruned"
strata machines
expect "unused" "$(ls "$old" 2>/dev/null)" ""
expect "read" "$(ls "$read")" "$read"
expect "made" "$(ls "$new")" "$new"

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

# If something cannot be built, one line says so before Bazel is called.
refused() {  # what, wanted words, then the command
  local what=$1 wanted=$2 code
  shift 2
  : >"$calls"
  "$@" >"$work/out" 2>"$work/err"
  code=$?
  expect "$what: exit code" $code 2
  expect "$what: lines" "$(wc -l <"$work/err")" 1
  grep -qF -- "$wanted" "$work/err" || { echo "$what: no '$wanted' in: $(cat "$work/err")"; failures=$((failures + 1)); }
  expect "$what: Bazel" "$(cat "$calls")" ""
}
simgrid() {  # version of the headers, version of the library
  printf '#!/bin/sh\ncase $1 in -E) echo "%s" ;; *) echo "%s/libsimgrid.so.%s" ;; esac\n' "$1" "$work" "$2" >"$tools/g++"
  chmod +x "$tools/g++"
}
readonly with_tools=(env PATH="$tools:$PATH" HOME="$work/home" XDG_CACHE_HOME="$work/caches")
touch -d '+1 hour' "$clone/version.bzl"
simgrid '3 . 35' 3.35
refused "another SimGrid" "SimGrid 3.35 is neither 3.32 nor 4.0: compare sim/simgrid" "${with_tools[@]}" "$clone/strata" machines
refused "tests with another SimGrid" "SimGrid 3.35 is neither" "${with_tools[@]}" "$clone/strata" test
simgrid '4 . 0' 3.32
refused "headers of another version" "SimGrid's headers are 4.0, but the linker finds $work/libsimgrid.so.3.32" \
  "${with_tools[@]}" "$clone/strata" machines
for version in 3.32 4.0; do
  simgrid "$version" "$version"
  touch -d '+1 hour' "$clone/version.bzl"
  strata machines
  expect "SimGrid $version" "$(built)" "//command:strata "
done
rm "$tools/g++"

# A system without dpkg: continues if everything is present, otherwise names what is missing.
readonly elsewhere=$work/elsewhere
mkdir "$elsewhere"
find /usr/bin/ -mindepth 1 -maxdepth 1 ! -name dpkg-query ! -name jq ! -name pj_dump -exec ln -s -t "$elsewhere" {} +
ln -sf "$tools/bazel" "$tools/smpirun" "$tools/gnuplot" "$elsewhere/"
touch -d '+1 hour' "$clone/version.bzl"
: >"$calls"
env PATH="$elsewhere" HOME="$work/home" "$clone/strata" machines 2>"$work/err" || { cat "$work/err"; failures=$((failures + 1)); }
expect "everything is there" "$(built)" "//command:strata "
refused "something is missing" "PajeNG: pj_dump reads the traces (Debian: pajeng); jq: tests" \
  env PATH="$elsewhere" HOME="$work/home" "$clone/strata" test

# Tests: the default ones, all, or some.
strata_tests() {
  : >"$calls"
  env PATH="$tools:$PATH" HOME="$work/home" "$clone/strata" test "$@" >/dev/null 2>&1
  grep -o -- '--test_tag_filters=.*' "$calls" | head -n 1
}
expect "tests" "$(strata_tests)" "--test_tag_filters=-nightly //..."
expect "all tests" "$(strata_tests --all)" "--test_tag_filters= //..."
expect "some tests" "$(strata_tests //a //b)" "--test_tag_filters=-nightly //a //b"

[ $failures -eq 0 ]
