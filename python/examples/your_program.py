#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Your program: which MPI functions take its time, and which levels of the machine its messages cross.

    strata exec --machine ntw10e5 -n 48 --json run.json -- ./app
    python3 your_program.py run.json
"""

import sys

import strata

run = strata.document(sys.argv[1]).iloc[0]
calls = strata.document(sys.argv[1], "calls")
levels = strata.document(sys.argv[1], "levels")
print(f"{run.program} on {run.machine}, {run.ranks} ranks: {1e3 * run['simulated_time.value']:.3f} ms")
calls["share of time"] = (calls.seconds / (run.ranks * run["simulated_time.value"])).map("{:.1%}".format)
print(calls.sort_values("seconds", ascending=False).head().to_string(index=False))
levels["share of bytes"] = (levels.bytes / levels.bytes.sum()).map("{:.1%}".format)
print(levels.to_string(index=False))
