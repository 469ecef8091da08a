#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only
# For `git bisect run`: is the program of this commit slower than a measured one? bisect.sh BASE.json
here=$(dirname "$0")
new=$(mktemp) && trap 'rm -f "$new"' EXIT
"$here/measure.sh" "$new" || exit 125 # this commit does not build or run: skip it
strata compare "$1" "$new" --tolerance 1%
case $? in
  0) exit 0 ;;   # good
  1) exit 1 ;;   # bad
  *) exit 125 ;; # not comparable, or undecided: skip
esac
