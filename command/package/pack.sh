#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# Lays out the installed command below a prefix, and archives it.
#
#   pack.sh VERSION ARCHIVE PAGES.py FILE...
#
#   bin/strata                      lib/strata/strata_check, install-mc
#   lib/strata/programs, protocols  the catalog's programs, and those that the model checker explores
#   lib/strata/preload, explorer, toolchain, libstrata_*.so      parts of simulations and of strata mpi
#   share/strata/machines, scenarios, python                     the catalogs; the Python package
#   share/man, share/bash-completion, share/zsh                  made by PAGES.py
#
# No file contains the prefix: sim/launcher/installation.cc finds the parts relative to the program. Unknown files are
# an error, so that none is forgotten.
set -eu
readonly version=$1 archive=$2 pages=$3
shift 3
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
readonly parts=$tree/lib/strata data=$tree/share/strata

for file in "$@"; do
  name=${file#bazel-out/*/bin/}
  case $name in
    command/strata) to=$tree/bin/strata ;;
    command/strata_check) to=$parts/strata_check ;;
    platforms/data/*) to=$data/machines/${name#platforms/data/} ;;
    scenarios/catalog/*) to=$data/scenarios/${name#scenarios/catalog/} ;;
    scenarios/programs/*.so) to=$parts/programs/${name##*/} ;;
    check/protocols/*.so) to=$parts/protocols/${name##*/} ;;
    check/messages/explorer/*) to=$parts/explorer/${name##*/} ;;
    native/rank/libucp.so.0) to=$parts/native/${name##*/} ;;
    sim/*/libstrata_*.so) to=$parts/${name##*/} ;;
    mpi_ext/preload/*) to=$parts/preload/${name##*/} ;;
    toolchain/*.so | toolchain/*.a | toolchain/*.h | toolchain/compile | toolchain/mpirun) to=$parts/toolchain/${name##*/} ;;
    tools/install-mc) to=$parts/install-mc ;;
    tools/simgrid-mc/*) to=$parts/simgrid-mc/${name##*/} ;;
    python/strata/*.py) to=$data/python/strata/${name##*/} ;;
    *) echo "pack.sh: $name: has no place below a prefix; give it one here" >&2; exit 1 ;;
  esac
  mkdir -p "$(dirname "$to")"
  cp -L "$file" "$to"
done
chmod -R u+w "$tree"

"$tree/bin/strata" --help-json >"$tree/strata.json"
"$parts/strata_check" check --help-json >"$tree/check.json"
python3 "$pages" --version "$version" --out "$tree/share" "$tree/strata.json" "$tree/check.json"
rm "$tree/strata.json" "$tree/check.json"

find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f -exec chmod 644 {} +
chmod 755 "$tree/bin/strata" "$parts/strata_check" "$parts/install-mc" "$parts/toolchain/compile" "$parts/toolchain/mpirun"
[ ! -e "$parts/explorer/strata_explorer" ] || chmod 755 "$parts/explorer/strata_explorer"
tar -cf "$archive" -C "$tree" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner bin lib share
