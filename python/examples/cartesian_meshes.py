#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Cartesian meshes: partners on other nodes, by the way to place the mesh.

    for method in nodecart blocks kdtree; do
      strata nodecart --dims 16x16 --ppn 16 --engine pure --method $method --json >$method.json
    done
    python3 cartesian_meshes.py nodecart.json blocks.json kdtree.json
"""

import sys

import pandas

import strata

rows = pandas.concat([strata.document(file) for file in sys.argv[1:]])
partners = rows.filter(like=".off_node.").max()
partners.index = pandas.MultiIndex.from_tuples([tuple(name.split(".off_node.")) for name in partners.index])
print(partners.unstack()[["min", "max", "avg"]].sort_values("avg").to_string())
