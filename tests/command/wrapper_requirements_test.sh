#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# ./strata with a fake Bazel: if something cannot be built, one line says so before Bazel is called.
. tests/command/wrapper_clone.sh

age
strata machines

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

finish
