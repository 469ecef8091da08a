#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The installed command: it runs without the build and the sources, which are hidden from it where the system allows
# that. Manuals and completion name every command and option. An upgrade that fails leaves the old version in place.
. tests/install/common.sh

install_command() { "$runfiles/tools/install" --archives "$runfiles" --only command "$@"; }
prefix="$work/a prefix"
quietly install_command --prefix "$prefix"

echo "-- nothing names the build or the prefix"
mkdir "$work/elsewhere" && cp -a "$prefix" "$work/elsewhere/moved"
for where in "$runfiles" "$work" /execroot/; do
  ! grep -rlF -- "$where" "$prefix" || fail "a file names $where"
done
[ -z "$(find "$prefix" -name '.strata*')" ] || fail "a staging folder is left"

# Runs shell commands with an almost empty environment and, where possible, without access to the build's folders.
readonly hidden=${runfiles%%/_bazel_*} commands=$work/commands
hide='true'
if [ "$hidden" != "$runfiles" ] && unshare --mount --map-root-user sh -c "mount -t tmpfs none '$hidden'" 2>/dev/null; then
  hide="mount -t tmpfs none '$hidden' && ! [ -e '$runfiles' ]"
else
  echo "(namespaces are not allowed here: the build is only not on the PATH)"
fi
mkdir "$work/home" "$work/there"
without_clone() {
  cat >"$commands"
  local enter=(sh -c)
  [ "$hide" = true ] || enter=(unshare --mount --map-root-user sh -c)
  env -i HOME="$work/home" PATH="$work/elsewhere/moved/bin:/usr/bin:/bin" TERM=dumb \
    "${enter[@]}" "$hide && cd '$work/there' && exec bash -eu '$commands'" >"$work/out" 2>"$work/err" ||
    { cat "$commands" "$work/out" "$work/err"; fail "without the clone, the exit code was not 0"; }
}

echo "-- the first study, its report, and what is proposed next"
without_clone <<'END'
strata quickstart --out first
strata report first
strata topo ntw10e5
strata run rr9077/fig5-bcast-ntw10e5 --set algorithm=binomial --set elements=1 --out fig5
END
grep -qF '  strata topo ntw10e5  ' "$work/out" || fail "what is proposed next is not the command that is installed"
[ -s "$work/there/first/report/enhancement.svg" ] || fail "quickstart drew no plot"
[ "$(wc -l <"$work/there/first/records.jsonl")" -eq 28 ] || fail "quickstart: other than 28 records"

echo "-- a program of the user's: compiled, run, recorded, replayed"
cp scenarios/examples/ring.c scenarios/examples/ring.yaml "$work/there/"
without_clone <<'END'
eval "$(strata mpi --machine ntw10e5)"
mpicc -o ring ring.c
mpirun -np 4 ./ring
strata exec --machine ntw10e5 -n 48 --map-by node --shim --record ring.mpitrace --report ring.html --json ring.json -- ./ring
strata replay ring.mpitrace --machine ntw10e5 --json
strata run ring.yaml --out rounds
END
grep -q '"schema": *"strata.replay/1"' "$work/out" || fail "replay printed no document"
[ -s "$work/there/rounds/records.jsonl" ] || fail "a scenario that builds its program left no records"

echo "-- the checker, and other algorithms"
without_clone <<'END'
strata check hsplit --bound ranks=2
strata hsplit --machine ntw10e5 --np 8 --json
strata nodecart --dims 8x6 --ppn 4 --json
strata machines --json
strata --version
END
grep -qx "strata [0-9.]*" "$work/out" || fail "no version"

echo "-- where a part is missing, one line says so"
mv "$work/elsewhere/moved/lib/strata/strata_check" "$work/checker"
env -i PATH=/usr/bin:/bin "$work/elsewhere/moved/bin/strata" check hsplit 2>"$work/err"
[ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || { cat "$work/err"; fail "a checker that is missing"; }

echo "-- a man page for each command, without a warning, and completion that knows its options"
"$prefix/bin/strata" --help-json >"$work/help.json" || fail "--help-json"
names=$(jq -r '.commands[].name' "$work/help.json")
[ "$(wc -w <<<"$names")" -ge 15 ] || fail "too few commands: $names"
for command in $names; do
  page=$prefix/share/man/man1/strata-$command.1
  [ -s "$page" ] || fail "strata $command has no man page"
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$page" 2>"$work/warnings"
    [ ! -s "$work/warnings" ] || { cat "$work/warnings"; fail "$page"; }
  fi
  [ "$command" != check ] || continue  # a separate program
  plain=$(sed 's/\\-/-/g' "$page")
  for option in $(jq -r --arg c "$command" '.commands[] | select(.name == $c).options[].names[] | select(startswith("--"))' "$work/help.json"); do
    [[ $plain == *"$option"* ]] || fail "$page does not have $option"
  done
done
sed 's/\\-/-/g' "$prefix/share/man/man1/strata-check.1" | grep -qF -- --install-mc || fail "strata check: its man page is short"

readonly completion=$prefix/share/bash-completion/completions/strata
completed() {  # WORDS...: bash's proposals for the last word
  bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _strata; printf "%s\n" "${COMPREPLY[@]}"' "$completion" "$@"
}
expect_completed() {  # EXPECTED WORDS...
  local expected=$1 found
  shift
  found=$(completed "$@" | sort | paste -sd ' ')
  [ "$found" = "$expected" ] || fail "$*: '$found' is proposed, not '$expected'"
}
expect_completed "replay report" strata rep
expect_completed "--machine --map-by" strata exec --ma
expect_completed "ntw10e5 ntw10e5-cod-off" strata exec --machine ntw10
expect_completed "measured none" strata exec --compute ""
expect_completed "measured" strata exec --compute = me
expect_completed "measured none" strata exec --compute =
expect_completed "" strata exec --record x
expect_completed "" strata exec -- ./app --ma
expect_completed "quickstart" strata run quick
expect_completed "figures" strata splittree fig
expect_completed "--buffering" strata check --buf
expect_completed "hsplit" strata check hsp
expect_completed "package" strata exec --map-by pack
expect_completed "convert" strata replay con
if command -v zsh >/dev/null; then
  zsh -n "$prefix/share/zsh/site-functions/_strata" || fail "zsh cannot read its completion"
else
  echo "(zsh is not installed: its completion is not read)"
fi

echo "-- an upgrade removes what the old version had alone; one that fails changes nothing"
touch "$prefix/lib/strata/programs/old.so" "$prefix/bin/other"
mkdir "$prefix/share/strata/machines/gone" && touch "$prefix/share/strata/machines/gone/machine.yaml"
listing() { (cd "$1" && find . -type f -exec md5sum {} + | sort; find . ! -type f | sort); }
listing "$prefix" >"$work/before"
(ulimit -f 8 && trap '' XFSZ && install_command --prefix "$prefix") >/dev/null 2>"$work/err" && fail "a full disk was not noticed"
[ "$(wc -l <"$work/err")" -eq 1 ] || { cat "$work/err"; fail "a full disk is not one line"; }
listing "$prefix" | diff "$work/before" - || fail "files were lost or left"
quietly install_command --prefix "$prefix"
[ ! -e "$prefix/lib/strata/programs/old.so" ] && [ ! -e "$prefix/share/strata/machines/gone" ] || fail "old files are left"
[ -e "$prefix/bin/other" ] || fail "a file of others was removed"

echo "-- with the library under one prefix; parts that are not known"
quietly "$runfiles/tools/install" --archives "$runfiles" --prefix "$work/both" --mpi smpi
[ -x "$work/both/bin/strata" ] && [ -e "$work/both/include/mpix.h" ] || fail "both are installed without --only"
"$runfiles/tools/install" --check --prefix "$work/both" --only library --mpi smpi | diff <(echo smpi) - || fail "--only library"
for wrong in "--only programs" "--only command --mpi smpi"; do
  # shellcheck disable=SC2086  # words
  "$runfiles/tools/install" --prefix "$work/no" $wrong >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/no" ] || { cat "$work/err"; fail "$wrong"; }
done
