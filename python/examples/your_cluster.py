#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Your cluster: which figures of a calibrated machine were measured, how exactly, and which are assumed.

    lstopo --of xml node.xml
    strata calibrate --node node.xml --probe samples.csv --out my-cluster
    python3 your_cluster.py my-cluster/calibration.json
"""

import sys

import strata

figures = strata.document(sys.argv[1], "figures")
figures["measured"] = figures.source.str.startswith("measured")
half = (figures["interval.high"] - figures["interval.low"]) / 2 / figures.si
figures["95 %"] = half.map("+- {:.1%}".format).where(half.notna(), "")
print(figures[["level", "figure", "value", "unit", "95 %", "measured"]].to_string(index=False))
