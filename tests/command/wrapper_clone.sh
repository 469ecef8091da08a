# SPDX-License-Identifier: LGPL-2.1-only
# shellcheck shell=bash
# Shared by the tests of ./strata: a clone with a fake Bazel that records its calls. A test ends with `finish`.
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
mkdir -p "$clone/bazel-bin/command" "$clone/tools" "$tools" "$cache/ac/aa" "$cache/cas/aa" "$work/home"
cp "$wrapper" CONTRIBUTING.md "$clone/"
cp tools/rooms "$clone/tools/"
for folder in $("$clone/tools/rooms") third_party tools/build_rules; do
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

finish() { [ $failures -eq 0 ]; exit; }
