#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""A guard in CI: what became slower since the base, the worst first. The exit code is 1 if anything did.

    strata run quickstart --set elements=1 --out base      # once, before the change
    strata run quickstart --set elements=1 --out new
    strata compare base new --json >compare.json
    python3 ci_guard.py compare.json
"""

import sys

import strata

verdict = strata.document(sys.argv[1]).iloc[0]
differences = strata.document(sys.argv[1], "differences")
print(f"{verdict.base} -> {verdict.new}: {verdict.verdict}")
if len(differences):
    print(differences[["metric", "at", "base", "new", "unit", "verdict"]].head(10).to_string(index=False))
sys.exit(verdict.verdict == "failed")
