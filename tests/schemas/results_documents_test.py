#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Records and manifests of small runs are valid by schemas/, and so is `strata check` of them."""

import copy
import json
import os
import sys
import unittest

from documents import NODE, DocumentTest, strata


class ResultsTest(DocumentTest):
    """Records and manifests of small runs, and `strata check` of them."""

    SCENARIO = """schema: strata.scenario/1
name: small
title: a broadcast on two nodes
machine: {xml: NODE, nodes: 2}
program: collective
ranks: 30
sweep:
  algorithm: [linear, chain]
  variant: [native, hierarchical]
  elements: [0, 1000]
metric: {name: time, unit: s}
derived:
  - {name: gain, title: "native / hierarchical", axis: variant, over: native, under: hierarchical}
models: {hockney: 0.02, loggp: 0.02}
plots:
  - {name: time, title: time, x: elements, y: time, series: [algorithm, variant], log_y: false}
  - {name: map, title: gain, x: elements, y: algorithm, heat: gain}
claims:
  - {id: high, paper: none, text: it gains, quantity: gain, over: max, where: {elements: [0, 1000]}, value: 1e9, factor: 2,
     missing: paper}
  - {id: low, paper: none, text: it is fast, quantity: time, over: min, value: 1, relation: at_most, note: a note}
traffic: messages
traces: true
"""

    def run_scenario(self, text):
        scenario = self.write("scenario.yaml", text.replace("NODE", os.path.abspath(NODE)))
        out = self.folder / "out"
        strata("run", scenario, "--out", out)
        manifest = self.valid(json.loads((out / "manifest.json").read_text()))
        records = [self.valid(json.loads(line)) for line in (out / "records.jsonl").read_text().splitlines()]
        return out, manifest, records

    def test_run_and_check(self):
        out, manifest, records = self.run_scenario(self.SCENARIO)
        self.assertEqual(8, len(records))
        self.refused(
            records[0],
            "record",
            lambda r: r.pop("unit"),
            lambda r: r.update(value=None),
            lambda r: r.update(point=-1),
            lambda r: r.update(parameters=[]),
            lambda r: r.update(time="now"),
        )
        self.refused(
            manifest,
            "manifest",
            lambda m: m.update(end="later"),
            lambda m: m["versions"].pop("simgrid"),
            lambda m: m["study"]["claims"][0].update(over="median"),
            lambda m: m["study"]["claims"][0].update(missing="time"),
            lambda m: m["study"]["sweep"][0].pop("values"),
            lambda m: m["study"].update(shim=False),
            lambda m: m["study"].update(colour="red"),
        )
        manifest["end"] = ""  # a run that has not ended
        self.valid(manifest)

        document = self.printed("check", out, code=1)
        self.assertEqual(["model", "model", "claim", "claim"], [c["kind"] for c in document["scenarios"][0]["checks"]])
        expected = copy.deepcopy(document)
        expected["scenarios"][0]["checks"][0]["name"] = "another"
        missing = self.printed("check", out, "--expect", self.write("expected.json", json.dumps(expected)), code=1)
        self.assertIn("missing", [c["verdict"] for c in missing["scenarios"][0]["checks"]])
        uncovered = copy.deepcopy(document)
        uncovered["scenarios"][0]["checks"][0]["verdict"] = "not covered"
        uncovered["verdict"] = uncovered["scenarios"][0]["verdict"] = "not covered"
        self.valid(uncovered)
        self.refused(
            missing,
            "check",
            lambda d: d["scenarios"][0].update(verdict="unknown"),
            lambda d: d["scenarios"][0].update(checks=[]),
            lambda d: d["scenarios"][0]["checks"][0].update(kind="plot"),
        )

    def test_cases_and_a_reference(self):
        _, manifest, _ = self.run_scenario("""schema: strata.scenario/1
name: overlap
title: a reduction beside a computation
machine: {xml: NODE, nodes: 1}
program: nbc
ranks: 22
arguments: [--collective, ireduce, --bytes, 4000]
sweep:
  steps: [0, 1]
  where: {near: {progress: numa}, bound: {progress: bind}}
metric: {name: time, unit: s}
also: [{name: blocking, unit: s}]
reference: {ranks: all, metric: work, option: work}
""")
        self.assertIn("reference", manifest)
        self.assertIn("cases", manifest["study"]["sweep"][1])

    def test_patterns_a_build_and_a_folder(self):
        os.environ["STRATA_CACHE"] = str(self.folder / "cache")  # used by the compilers
        _, manifest, records = self.run_scenario("""schema: strata.scenario/1
name: patterns
title: a number read twice
machine: {xml: NODE, nodes: 1}
program: collective
build: "true"
folder: .
ranks: 2
arguments: [--variant, "{how}"]
sweep: {algorithm: [linear], how: [native], elements: [1]}
metric: {name: again, pattern: '"time","value":([^,]+)', unit: s}
also: [{name: time, unit: s}, {name: simulated_time, unit: s}, {name: more, pattern: '"value":(.*?),', unit: s}]
""")
        self.assertEqual(["time", "again", "simulated_time", "more"], [r["metric"] for r in records])
        self.assertEqual(records[0]["value"], records[1]["value"])
        self.refused(
            manifest,
            "manifest",
            lambda m: m["study"].update(pattern=1),
            lambda m: m["study"].update(build=["true"]),
            lambda m: m["study"].update(folder=None),
            lambda m: m["study"]["also"][2].update(pattern=[]),
        )

    def test_what_a_program_varies(self):
        _, manifest, records = self.run_scenario("""schema: strata.scenario/1
name: counters
title: what a counter sees
machine: {xml: NODE, nodes: 2}
program: counters
arguments: [--seconds, 1, --period, 0.01]
ranks: 2
mapping: {map_by: node}
varies: [source, time]
metric: {name: amount, unit: kB}
""")
        self.assertEqual(["source", "time"], manifest["study"]["varies"])
        self.assertIn("time", records[0]["parameters"])


if __name__ == "__main__":
    sys.exit(unittest.main())
