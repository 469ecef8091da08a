#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""A what-if study: how much faster each point of a study is with a changed figure of the machine.

    strata run quickstart --set elements=1,10000 --out base
    strata run quickstart --set elements=1,10000 --set "what_if.System - Cluster.latency=0.25x" --out changed
    python3 what_if.py base changed
"""

import sys

import strata

base, changed = (strata.results(folder) for folder in sys.argv[1:])
parameters = [name for name in base.columns[: base.columns.get_loc("metric")] if name != "point"]
both = base.merge(changed, on=["metric", *parameters], suffixes=(" before", " after"))
both["gain"] = both["value before"] / both["value after"]
print(both.sort_values("gain", ascending=False)[[*parameters, "value before", "value after", "gain"]].to_string(index=False))
