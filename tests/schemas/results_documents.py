# SPDX-License-Identifier: LGPL-2.1-only
"""Records and manifests of small runs of a scenario, and `strata check` of them."""

import copy
import json
import os
import shutil
import unittest

from documents import NODE, DocumentTest, faults, strata
from exec_documents import measured_machine


class ResultsTest(DocumentTest):
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

    def run_scenario(self, text, *options):
        scenario = self.write("scenario.yaml", text.replace("NODE", os.path.abspath(NODE)))
        out = self.folder / "out"
        strata("run", scenario, "--out", out, *options)
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
        self.assertEqual([], faults(manifest))

        document = self.printed("check", out, code=1)
        self.assertEqual(["model", "model", "claim", "claim"], [c["kind"] for c in document["scenarios"][0]["checks"]])
        expected = copy.deepcopy(document)
        expected["scenarios"][0]["checks"][0]["name"] = "another"
        missing = self.printed("check", out, "--expect", self.write("expected.json", json.dumps(expected)), code=1)
        self.assertIn("missing", [c["verdict"] for c in missing["scenarios"][0]["checks"]])
        uncovered = copy.deepcopy(document)
        uncovered["scenarios"][0]["checks"][0]["verdict"] = "not covered"
        uncovered["verdict"] = uncovered["scenarios"][0]["verdict"] = "not covered"
        self.assertEqual([], faults(uncovered))
        self.refused(
            missing,
            "check",
            lambda d: d["scenarios"][0].update(verdict="unknown"),
            lambda d: d["scenarios"][0].update(checks=[]),
            lambda d: d["scenarios"][0]["checks"][0].update(kind="plot"),
        )

    def test_error_bars(self):
        machine = measured_machine(self.folder / "measured")
        out, manifest, records = self.run_scenario(f"""schema: strata.scenario/1
name: barred
title: a broadcast between nodes
machine: {machine / "machine.yaml"}
program: collective
ranks: 16
mapping: {{map_by: node}}
arguments: [--variant, native]
sweep: {{algorithm: [linear, chain], elements: [1, 1000]}}
metric: {{name: time, unit: s}}
plots: [{{name: time, title: time, x: elements, y: time, series: [algorithm]}}]
""", "--error-bars")
        self.assertTrue(manifest["study"]["error_bars"])
        self.refused(
            next(r for r in records if "error_bar" in r and r["error_bar"]["figures"]),
            "record",
            lambda r: r["error_bar"].pop("low"),
            lambda r: r["error_bar"].update(high=None),
            lambda r: r["error_bar"]["figures"][0].update(plus_minus=0),
            lambda r: r["error_bar"]["figures"][0].pop("larger"),
        )
        strata("report", out, "--report", self.folder / "page.html")
        self.page(self.folder / "page.html")
        self.printed("compare", out, out)

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
derived: [{name: gain, metric: blocking, axis: steps, over: 0, under: 1}]
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

    def test_shards_of_replays(self):
        self.write("rules.conf", "1\n7\n1\n4\n1\n0 6 0 0\n")
        out, manifest, _ = self.run_scenario("""schema: strata.scenario/1
name: replays
title: a broadcast on two of four nodes
machine: {xml: NODE, nodes: 4}
allocation: random:1
mpi: openmpi-4.1
mpi_rules: rules.conf
program: collective
ranks: 40
engine: replay
what_if: [{figure: core.copy_bandwidth, times: "{copies}", source: "assumed: another memory"}]
sweep:
  algorithm: [linear, chain]
  elements: [1, 10]
  copies: [0.5, 1]
metric: {name: simulated_time, unit: s}
plots: [{name: time, title: time, x: elements, y: simulated_time, series: [algorithm], band: copies}]
claims: [{id: best, paper: none, text: "it is best there", quantity: simulated_time, over: argmin, axis: elements, value: 1, factor: 2}]
""", "--shard", "1/1")
        self.assertEqual(1, manifest["shard"]["of"])
        strata("report", out, "--report", self.folder / "page.html")
        self.page(self.folder / "page.html")

    def test_rates_of_links(self):
        out, _, _ = self.run_scenario(self.SCENARIO.replace("traffic: messages", "traffic: 1 us"))
        strata("report", out, "--report", self.folder / "page.html")
        self.page(self.folder / "page.html")
        (out / "traffic/point-0/links.csv").unlink()
        strata("report", out, "--report", self.folder / "page.html", "--point", 0)
        self.page(self.folder / "page.html")
        strata("replay", "timeline", out, "--point", 7, "--out", self.folder / "timeline.json")
        self.valid(json.loads((self.folder / "timeline.json").read_text()))

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_submission(self):
        scenario = self.write("scenario.yaml", self.SCENARIO.replace("NODE", os.path.abspath(NODE)))
        out, hosts = self.folder / "shards", self.write("hosts", ":\n")
        strata("submit", scenario, "--with", "parallel", "--hosts", hosts, "--shards", 2, "--out", out)
        self.valid(json.loads((out / "submission.json").read_text()))
        self.printed("submit", "status", out)

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
