#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# tools/install-mc on a system without some of the packages that the build needs: it names them in one line, and begins
# nothing. An installed `strata check --install-mc` starts this script, so nothing has installed packages before.
set -u
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/install-mc.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}

# The script's list is the one from which ./strata installs.
listed=$(sed -nE "/^readonly packages='/,/'$/p" tools/install-mc | tr -d "'" | sed 's/^readonly packages=//' | tr -s ' \n' '\n' |
  grep . | sort)
needed=$(sed -n "/^readonly needed='/,/^'/p" strata | awk 'index("," $1 ",", ",checker,") {print $2}' | sort)
[ -n "$listed" ] && [ "$listed" = "$needed" ] || fail "tools/install-mc lists" $listed "and ./strata" $needed

if grep -qs '^#define SIMGRID_VERSION_MAJOR 4' /usr/include/simgrid/version.h; then
  echo "with SimGrid 4.0 nothing is built"
  exit $failures
fi

# dpkg-query without cmake and libdw-dev.
mkdir "$work/tools"
cat >"$work/tools/dpkg-query" <<'END'
#!/bin/sh
for package; do :; done
case "$package $*" in
  "cmake "* | "libdw-dev "*) exit 1 ;;
  *Status*) echo installed ;;
  *) echo 3.32-2 ;;
esac
END
for tool in apt-get cmake make; do printf '#!/bin/sh\necho called >>"%s"\n' "$work/called" >"$work/tools/$tool"; done
chmod +x "$work/tools"/*
env PATH="$work/tools:/usr/bin:/bin" STRATA_CACHE="$work/cache" tools/install-mc >"$work/out" 2>"$work/err"
code=$?
wanted="strata check --install-mc: Debian packages are missing: cmake libdw-dev; run as root: apt-get install --no-install-recommends cmake libdw-dev"
[ $code -eq 2 ] || fail "exit code $code"
[ "$(cat "$work/err")" = "$wanted" ] || fail "it says '$(cat "$work/err")', not '$wanted'"
[ ! -e "$work/called" ] || fail "it began a build"
[ ! -e "$work/cache" ] || fail "it wrote to the cache: $(ls "$work/cache")"
exit $failures
