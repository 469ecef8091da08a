#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# tools/on-debian when no release is available: one line that gives the reason, exit code 2, and no half-made release.
# The programs that would make and enter a chroot are replaced by scripts that report their calls.
set -u
readonly tool=$PWD/tools/on-debian
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/strata-on-debian.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
failed() {
  echo "$*"
  failures=$((failures + 1))
}

# A checkout without git, and a fake system.
readonly checkout=$work/checkout tools=$work/tools cache=$work/cache
mkdir -p "$checkout/tools" "$tools"
cp "$tool" "$checkout/tools/on-debian"
play() { printf '#!/bin/bash\n%s\n' "$2" >"$tools/$1" && chmod +x "$tools/$1"; }
play id 'echo 0'
play df 'printf "%s\n" head "disk 1 1 99999999 1% /"'
play apt-get 'exit 100'
# Makes the files by which a release is recognised.
play debootstrap 'mkdir -p "$3"/{bin,usr/bin,usr/sbin,root,proc,sys,dev,etc/{apt/apt.conf.d,dpkg/dpkg.cfg.d}} &&
  touch "$3"/bin/bash "$3"/usr/bin/apt-get && chmod +x "$3"/bin/bash "$3"/usr/bin/apt-get && echo 13.1 >"$3/etc/debian_version"
  [ ! -e '"$work"'/no-mirror ] || { echo "E: Failed getting release file"; exit 1; }'
play unshare 'case " $* " in *" true ") [ ! -e '"$work"'/no-namespaces ] ;; *) echo "entered: ${*:12}" ;; esac'
play rsync 'for word; do case $word in --files-from=*) list=${word#*=} ;; esac; done
  cd "${@: -2:1}" && target=${*: -1}
  while IFS= read -r -d "" file; do
    mkdir -p "$target$(dirname "$file")" && cp "$file" "$target$file" || { echo "no $file"; exit 24; }
  done <"$list"'
run() { env -u XDG_CACHE_HOME PATH="$tools:$PATH" STRATA_CACHE="$cache" "$checkout/tools/on-debian" "$@" >"$work/out" 2>"$work/err" </dev/null; }
refused() {  # wanted words, then the arguments
  local words=$1
  shift
  run "$@"
  local code=$?
  [ $code -eq 2 ] || failed "$*: exit code $code"
  [ "$(grep -vcE '^on-debian: (making|installing)' "$work/err")" -eq 1 ] || failed "$*: not one line: $(cat "$work/err")"
  grep -qF -- "$words" "$work/err" || failed "$*: no '$words' in: $(cat "$work/err")"
}

refused 'which release?'
refused "'11' is not a release that it knows: 12 or 13" 11 ls
play id 'echo 1000'
refused 'only root may make and enter a chroot; run: sudo tools/on-debian 13 ./strata test' 13 ./strata test
play id 'echo 0'
[ ! -e "$cache" ] || failed "a refused command makes the cache"
touch "$work/no-namespaces"
refused 'does not allow namespaces' 13 ls
rm "$work/no-namespaces"
play df 'printf "%s\n" head "disk 1 1 2048 1% /"'
refused "$cache has 2 MiB free, Debian 13 takes" 13 ls
play df 'printf "%s\n" head "disk 1 1 99999999 1% /"'
touch "$work/no-mirror"
refused 'debootstrap failed: E: Failed getting release file' 13 ls
[ ! -e "$cache/debian-13" ] || failed "a half-made release has the name of a whole one"
rm "$work/no-mirror"
mv "$tools/debootstrap" "$work"
command -v debootstrap >/dev/null || refused 'install debootstrap and rsync by hand' 13 ls
mv "$work/debootstrap" "$tools"

# Made once and entered each time. The copy follows changes of the checkout.
echo first >"$checkout/file"
echo gone >"$checkout/old"
mkdir -p "$checkout/old folder/within" "$checkout/kept"
touch "$checkout/old folder/within/file" "$checkout/kept/file" "$checkout/kept/old"
run 13 ls -l || failed "not made: $(cat "$work/err")"
grep -qx 'entered: .* ls -l' "$work/out" || failed "not entered: $(cat "$work/out")"
copy=$(STRATA_CACHE=$cache "$checkout/tools/on-debian" --where 13)
[ "$(cat "$copy/file" "$copy/old")" = $'first\ngone' ] || failed "no copy in $copy"
play debootstrap 'echo "made again" >&2; exit 1'
echo second >"$checkout/file"
rm -r "$checkout/old" "$checkout/old folder" "$checkout/kept/old"
echo theirs >"$copy/made-there"
run 13 ls -l || failed "made again: $(cat "$work/err")"
[ "$(cat "$copy/file")" = second ] || failed "the copy is old"
[ ! -e "$copy/old" ] || failed "the copy has a file that is gone"
[ ! -e "$copy/old folder" ] || failed "the copy has a folder that is gone"
[ -e "$copy/kept/file" ] && [ ! -e "$copy/kept/old" ] || failed "the wrong file of a folder is gone: $(ls "$copy/kept")"
[ -e "$copy/made-there" ] || failed "what was made there is lost"
(cd "$checkout/tools" && run 13 pwd)
grep -q "entered: $checkout/tools .* pwd" "$work/out" || failed "not in the same folder: $(cat "$work/out")"

# A signal to the script also ends the command.
play unshare 'case " $* " in *" true ") ;; *) trap "" INT TERM; echo $$ >'"$work"'/entered; while :; do sleep 0.1; done ;; esac'
env PATH="$tools:$PATH" STRATA_CACHE="$cache" "$checkout/tools/on-debian" 13 sleep 100 >"$work/out" 2>&1 </dev/null &
ended=$!
until [ -s "$work/entered" ]; do sleep 0.05; done
timeout 1 env -u XDG_CACHE_HOME PATH="$tools:$PATH" STRATA_CACHE="$cache" "$checkout/tools/on-debian" 13 ls >"$work/out" 2>"$work/err" </dev/null
grep -q 'another command runs there on this checkout; waiting' "$work/err" || failed "two commands at once: $(cat "$work/err")"
kill -TERM $ended
wait $ended
[ $? -eq 143 ] || failed "not ended by a signal"
! kill -0 "$(cat "$work/entered")" 2>/dev/null || { failed "the command goes on"; kill -KILL "$(cat "$work/entered")"; }

rm "$cache/debian-13/usr/bin/apt-get"
refused "$cache/debian-13 is not a whole Debian 13; remove it with: tools/on-debian --remove 13" 13 ls
for _ in {1..50}; do  # the killed processes may take a moment to end
  run --remove 13 && break
  sleep 0.1
done
[ ! -e "$cache/debian-13" ] || failed "not removed"
[ "$(cat "$checkout/file")" = second ] || failed "the checkout has changed"

[ $failures -eq 0 ]
