#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Reordering: how many bytes a program sends between nodes, before and after strata map.

    strata exec --machine ntw10e5 -n 48 --traffic messages -- ./app
    strata map --matrix messages/size.mtx --machine ntw10e5 --algorithm treematch --json >map.json
    python3 reordering.py messages/size.mtx map.json 24           # 24 cores a node, filled in order
"""

import sys

import strata

bytes_sent = strata.pairs(sys.argv[1])
new_rank = strata.document(sys.argv[2], "new_rank").value
cores = int(sys.argv[3])
process_of = new_rank.index.to_series(index=new_rank.astype(int))  # new_rank is by process; here by rank


def between_nodes(process):
    away = bytes_sent.sender.map(process) // cores != bytes_sent.receiver.map(process) // cores
    return bytes_sent.value[away].sum()


total = bytes_sent.value.sum()
for name, process in (("before", lambda rank: rank), ("after", process_of)):
    print(f"{name:6} {between_nodes(process):12,} of {total:,} bytes between nodes")
