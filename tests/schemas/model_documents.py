# SPDX-License-Identifier: LGPL-2.1-only
"""Documents about models and what they are fitted to: strata model, splittree; and of matrices, strata matrix."""

import json
import pathlib

from documents import CALLED, NODE, WRITTEN, DocumentTest, strata, validator_of

# Two cores whose messages keep them busy for no time.
IDLE = """schema: strata.machine/1
name: idle
description: two cores
source: none
node: {synthetic: "core:2 pu:1"}
network: {nodes: 1}
costs:
  core: {speed: {value: 1, unit: Gflop/s, source: measured}, copy_bandwidth: {value: 1, unit: GB/s, source: measured}}
  eager_limit: {value: 1, unit: KiB, source: measured}
  levels:
    - level: NUMANode
      latency: {value: 1, unit: us, source: measured}
      overhead: {value: 0, unit: us, source: measured}
      bandwidth: {value: 1, unit: GB/s, source: measured}
      link_bandwidth: {value: 1, unit: GB/s, source: measured}
"""


class ModelsTest(DocumentTest):
    def test_matrix(self):
        dense = self.write("dense.mat", "0 1 2\n0 0 4.5\n1e3 0 0\n")
        profile = self.write("all.prof", "E 0 1 8 bytes 3 msgs sent\nI 2 2 1 bytes 1 msgs sent\n")
        nothing = self.write("nothing.mat", "0 0\n0 0\n")
        self.assertIsNone(self.printed("matrix", dense)["messages"])
        self.assertIsNone(self.printed("matrix", nothing)["symmetric_share"])
        self.printed("matrix", profile)
        self.printed("matrix", profile, "--messages")
        document = self.printed("matrix", dense, "--xml", NODE, "--by", "core")
        self.refused(
            document,
            "matrix",
            lambda d: d.update(format="csv"),
            lambda d: d.pop("messages"),
            lambda d: d.update(symmetric_share=1.5),
            lambda d: d["partners"].update(max=0.5),
            lambda d: d["by"]["flows"][0].append(0),
            lambda d: d["by"]["flows"][0].pop(),
            lambda d: d["by"].pop("inside"),
        )

    def test_model(self):
        self.printed("model", "--machine", "ntw10e5", "--np", 48, "--elements", "0,1,100000")
        self.printed("model", "--xml", NODE, "--np", 1)
        self.printed("model", "--xml", NODE, "--np", 8, "--collective", "barrier", "--algorithm", "recursive-doubling")
        document = self.printed("model", "--xml", NODE, "--np", 12, "--collective", "reduce", "--groups", "3,4")
        self.refused(
            document,
            "model",
            lambda d: d.update(predictions=[]),
            lambda d: d["predictions"][0].update(model="guess"),
            lambda d: d["predictions"][0].update(outside=False),
            lambda d: d["predictions"][0]["busiest_link"].pop("link"),
            lambda d: d["predictions"][0]["critical_path"]["levels"][0].update(share=1),
        )

    def test_collectives(self):
        on = ["--machine", "ntw10e5"]
        self.printed("collectives", "explain", *on, "-n", 5, "--op", "barrier")
        document = self.printed("collectives", "explain", *on, "-n", 30, "--op", "bcast", "--bytes", "64K", "--root", 3, "--error-bars")
        self.refused(
            document,
            "collectives",
            lambda d: d.update(number=-1),
            lambda d: d["time"].update(unit="us"),
            lambda d: d["algorithms"][0].pop("time"),
            lambda d: d["levels"][0].update(messages=-1),
        )

    def test_tuned_collectives(self):
        grid = ["--machine", "ntw10e5", "-n", "8,16", "--op", "bcast,alltoall", "--bytes", "8,64K", "--steps", "0.001"]
        rules = self.write("rules.conf", "")
        document = self.printed("collectives", "tune", *grid, "--out", rules)
        self.refused(
            document,
            "collectives.tune",
            lambda d: d.update(format="han"),
            lambda d: d["cells"][0].update(gain=2),
            lambda d: d["cells"][0]["rule"].pop("segment"),
        )
        for line in pathlib.Path(f"{rules}.cells.jsonl").read_text(encoding="utf-8").splitlines():
            self.assertTrue(validator_of("collectives.cells").is_valid(json.loads(line)), line)
            WRITTEN["collectives.cells"].add(json.loads(line))
        mpich = self.write("mpich.json", "")
        document = self.printed("collectives", "tune", "--machine", "ntw10e5", "-n", 48, "--op", "allgather,barrier", "--mpi", "mpich-4.0", "--out", mpich)
        self.refused(document, "collectives.tune", lambda d: d["variables"].append("PATH=0"), lambda d: d["cells"][0].pop("rule_s"))
        for line in pathlib.Path(f"{mpich}.cells.jsonl").read_text(encoding="utf-8").splitlines():
            self.assertTrue(validator_of("collectives.cells").is_valid(json.loads(line)), line)
            WRITTEN["collectives.cells"].add(json.loads(line))
        document = self.printed("collectives", "evaluate", *grid, "--rules", rules)
        self.refused(
            document,
            "collectives.evaluate",
            lambda d: d.update(chosen_by=[]),
            lambda d: d["cells"][0].pop("ratios"),
            lambda d: d["cells"][0].update(best_s=-1),
            lambda d: d["cells"][0]["own"].pop(),
            lambda d: d["cells"][0]["own"][0].pop("gain"),
            lambda d: d["cells"][0]["own"][0].update(gain=1.5),
            lambda d: d["cells"][0]["own"][1].update(name="other"),
        )

    def test_collectives_of_a_program(self):
        trace, rules = str(self.folder / "app.mpitrace"), str(self.folder / "program.conf")
        strata("exec", "--machine", "ntw10e5", "-n", 6, "--no-summary", "--record", trace, "--", CALLED)
        document = self.printed("collectives", "tune", "--trace", trace, "--out", rules)
        self.refused(
            document,
            "collectives.tune",
            lambda d: d["program"].pop("name"),
            lambda d: d["program"]["times"].pop(),
            lambda d: d["program"]["others"][0].update(calls=0),
            lambda d: d["cells"][0].update(calls=0),
        )
        document = self.printed("collectives", "evaluate", "--trace", trace, "--rules", rules)
        self.refused(document, "collectives.evaluate", lambda d: d["program"]["times"][0].pop("calls"))

    def test_fit(self):
        self.assertNotIn("overheads", self.printed("model", "--machine", self.write("idle.yaml", IDLE), "--fit"))
        document = self.printed("model", "--machine", "smp20e7", "--fit")
        self.refused(
            document,
            "fit",
            lambda d: d.update(agree="yes"),
            lambda d: d["levels"][0].pop("hops"),
            lambda d: d["overheads"][0].pop("receive_s"),
            lambda d: d["overheads"][0].update(machine_send_s=-1),
            lambda d: d.update(overheads=[]),
            lambda d: d.pop("levels"),
        )

    def test_memory(self):
        document = self.printed("model", "--machine", "ntw10e5", "--fit")
        self.assertEqual({"copy", "combine", "triad"}, {m["work"] for m in document["memory"]})
        self.refused(document, "fit", lambda d: d["memory"][0].update(work="swim"), lambda d: d.update(memory=[]))
        document = self.printed("model", "--machine", "ntw10e5", "--memory")
        self.assertEqual(6, len(document["curve"]))
        self.refused(
            document,
            "memory",
            lambda d: d.update(curve=[]),
            lambda d: d["curve"][0].pop("triad_bytes_per_s"),
            lambda d: d["curve"][0].update(cores=0),
        )

    def test_splittree(self):
        document = self.printed("splittree", "--cores", 8, "-n", 1)
        self.assertIsNotNone(document["difference"])
        for collective in ("ireduce", "ibcast", "igather", "iscan", "ibarrier"):
            for ranks in (6, 8):
                self.printed("splittree", "--cores", 8, "-n", ranks, "--collective", collective)
        self.printed("splittree", "--machine", "skl-8168", "-n", 20, "--bytes", 4000)
        self.refused(
            document,
            "splittree",
            lambda d: d.update(unit="us"),
            lambda d: d["model"].pop("overlapped"),
            lambda d: d.update(simulated=None),
            lambda d: d["best"].update(steps=-1),
            lambda d: d["difference"].pop("why"),
        )

    def test_splittree_tune(self):
        document = self.printed("splittree", "tune", "--cores", 16)
        self.assertNotEqual([], document["switches"])
        self.printed("splittree", "tune", "--cores", 8, "--nodes", 4, "--network", 3, "--scalability", "amdahl:0.001")
        self.printed("splittree", "tune", "--machine", "smp20e7", "--collective", "igather")
        self.printed("splittree", "tune", "--cores", 8, "-n", 8)
        self.refused(
            document,
            "splittree.tune",
            lambda d: d.update(arity=1),
            lambda d: d.update(collective="iscan"),
            lambda d: d["best"].pop("time"),
            lambda d: d["switches"][0].update(ranks=6.5),
        )
