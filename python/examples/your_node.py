#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Your node: what a message costs at each level of the machine, by its size.

    lstopo --of xml node.xml
    strata topo node.xml --nodes 16 --json >topo.json
    python3 your_node.py topo.json
"""

import sys

import strata

levels = strata.document(sys.argv[1], "costs.levels").set_index("level")
for size in (8, 1024, 1024**2):
    levels[f"{size} B, us"] = 1e6 * (levels["latency.si"] + size / levels["bandwidth.si"])
print(levels.filter(like=" B, us").round(2).to_string())
