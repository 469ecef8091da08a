#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Progress threads: how many cores to leave to communication, and what that gains over a blocking collective.

    strata splittree tune --cores 64 --json >tune.json
    python3 progress_threads.py tune.json
"""

import sys

import strata

tune = strata.document(sys.argv[1]).iloc[0]
table = strata.document(sys.argv[1], "table")
table["for communication"] = tune.cores - table.ranks
table["gain"] = table.blocking / table.time
print(f"best: {tune['best.ranks']} ranks of {tune.cores} cores, {tune['best.steps']} steps")
print(table.nsmallest(5, "time")[["for communication", "ranks", "steps", "time", "gain"]].round(3).to_string(index=False))
