# SPDX-License-Identifier: LGPL-2.1-only
"""Documents about runs of a program: strata exec, its timeline and profile, replay, compare."""

import json
import pathlib
import shutil

from documents import GUEST, WAITS, DocumentTest, parsed, strata

PLANTED = "tests/mpi_ext/checks/planted.so"
REAL = ("tests/native/native_mpi_program_openmpi", "tests/native/native_mpi_program_mpich")


def measured_machine(folder):
    """ntw10e5 with the interval of a latency, and the error of a prediction."""
    source = pathlib.Path("platforms/data/ntw10e5")
    folder.mkdir(exist_ok=True)
    shutil.copy(source / "node.xml", folder)
    latency = "value: 1.62\n"
    text = (source / "machine.yaml").read_text()
    indented = text[text.rindex("\n", 0, text.index(latency)) : text.index(latency)]
    text = text.replace(latency, f"{latency.strip()}{indented}plus_minus: 0.08\n", 1)
    prediction = "{operation: bcast, ranks: 4, from_bytes: 8, to_bytes: 64, samples: 3, median_error: 1.1, worst_error: 1.5"
    (folder / "machine.yaml").write_text(f"{text}validation:\n  - {prediction}, source: measured}}\n")
    return folder


class RunsTest(DocumentTest):
    def test_exec(self):
        """The document is written to a file, because stdout belongs to the program."""
        kept = self.write("exec.json", "")
        for more in (
            [],
            ["--reorder", "treematch"],
            ["--repeat", 2],
            ["--mpi", "openmpi-4.1"],
            ["--mpi", "openmpi-4.1", "--rules", self.write("rules.conf", "1\n7\n1\n4\n1\n0 6 0 0\n")],
            ["--compute", "measured", "--host-speed", "1 Gflop/s"],
        ):
            strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", kept, *more, "--", GUEST, "pairs", 1000)
            self.valid(parsed(pathlib.Path(kept).read_text()))
        for program in REAL:  # with a real MPI library
            strata("exec", "--machine", "ntw10e5", "-n", 3, "--json", kept, "--", program, "where")
            self.valid(parsed(pathlib.Path(kept).read_text()))
        for program in ([GUEST, "pairs", 1000], [WAITS, "late_receiver"], [WAITS, "mix"]):
            strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", kept, "--critical-path", "--", *program)
            document = self.valid(parsed(pathlib.Path(kept).read_text()))
        place = ("--machine", measured_machine(self.folder), "-n", 4)
        strata("exec", *place, "--error-bars", "--json", kept, "--", GUEST, "pairs", 10)
        self.assertIn("error_bar", self.valid(parsed(pathlib.Path(kept).read_text())))
        strata("exec", "--machine", "ntw10e5", "-n", 2, "--json", kept, "--", GUEST, "deadlock", code=3)
        failed = self.valid(parsed(pathlib.Path(kept).read_text()))
        self.assertIn("rank 0 waits in MPI_Recv", failed["failure"])
        strata("exec", "--machine", "ntw10e5", "-n", 3, "--json", kept, "--check", "--", PLANTED, "root", "wrong", code=1)
        self.assertEqual("root", self.valid(parsed(pathlib.Path(kept).read_text()))["findings"][0]["check"])
        self.refused(
            document,
            "exec",
            lambda d: d.update(compute="guessed"),
            lambda d: d["simulated_time"].update(unit="ms"),
            lambda d: d["levels"][0].update(messages=-1),
            lambda d: d["time"].pop("waiting"),
            lambda d: d.update(exit_code=256),
            lambda d: d["critical_path"].pop("last_rank"),
            lambda d: d["critical_path"]["pieces"][0].update(kind="idle"),
            lambda d: d["late"]["seconds"].pop("unknown"),
            lambda d: d["phases"].clear(),
        )

    def test_timeline(self):
        kept = self.folder / "run.json"
        program = ("--machine", "ntw10e5", "-n", 12, "--no-summary", "--timeline", kept)
        strata("exec", *program, "--", GUEST, "pairs", 1000)
        self.valid(json.loads(kept.read_text()))
        strata("exec", *program, "--timeline-messages", "--timeline-ranks", "0-3,6-9", "--", GUEST, "pairs", 1000)
        document = self.valid(json.loads(kept.read_text()))
        kinds = {event["ph"] for event in document["traceEvents"]}
        self.assertEqual(set("MBEsfC"), kinds)

        def first(kind):
            return next(i for i, event in enumerate(document["traceEvents"]) if event["ph"] == kind)

        begin, arrow, counter = first("B"), first("f"), first("C")
        self.refused(
            document,
            "timeline",
            lambda d: d.pop("displayTimeUnit"),
            lambda d: d["traceEvents"][begin].update(ts="0"),
            lambda d: d["traceEvents"][begin].update(cat="io"),
            lambda d: d["traceEvents"][begin].update(tid=0),
            lambda d: d["traceEvents"][begin].update(ph="X"),
            lambda d: d["traceEvents"][arrow].pop("id"),
            lambda d: d["traceEvents"][counter]["args"].clear(),
        )

    def test_replay(self):
        trace = self.folder / "pairs.mpitrace"
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "pairs", 1000)
        document = self.printed("replay", trace, "--per-rank")
        self.assertEqual(12, len(document["ended"]))
        self.printed("replay", trace, "--machine", "theta", "--map-by", "node")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", WAITS, "phases")
        self.printed("replay", trace, "--critical-path")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "synchronous", 3)
        self.printed("replay", trace, "--critical-path")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "collectives", 100)
        analysed = self.printed("replay", trace, "--critical-path", "--sensitivity")
        self.refused(
            analysed,
            "replay",
            lambda d: d["critical_path"].pop("by_level"),
            lambda d: d["critical_path"]["by_kind"].update(idling=1),
            lambda d: d["critical_path"]["pieces"][0].update(kind="idling"),
            lambda d: d["slack"].pop("unawaited"),
            lambda d: d["slack"]["histogram"][0].update(messages=-1),
            lambda d: d["sensitivity"][0].update(kink="no"),
            lambda d: d["sensitivity"][0].pop("figure"),
        )
        mapping = ("map", "--objective", "time", "--trace", trace, "--budget", 3, "--error-bars")
        self.printed(*mapping)  # no figure has an interval
        mapped = self.printed(*mapping, "--machine", measured_machine(self.folder))
        self.refused(
            mapped,
            "map",
            lambda d: d["longer_than_mapped"].pop("scotch"),
            lambda d: d["longer_than_mapped"]["identity"].pop("low"),
        )
        self.printed("replay", trace, "--error-bars")
        barred = self.printed("replay", trace, "--machine", measured_machine(self.folder), "--error-bars")
        self.refused(
            barred,
            "replay",
            lambda d: d["error_bar"].pop("without_interval"),
            lambda d: d["error_bar"].update(low=-1),
            lambda d: d["error_bar"]["figures"][0].update(plus_minus=0),
            lambda d: d["error_bar"]["predictions"].update(worst_error=0.5),
            lambda d: d["error_bar"]["blind_errors"][0].update(algorithm="guessed"),
        )
        self.refused(
            document,
            "replay",
            lambda d: d.pop("machine"),
            lambda d: d.update(ranks=0),
            lambda d: d["simulated_time"].update(unit="us"),
            lambda d: d.update(order_may_differ="MPI_Wtime"),
            lambda d: d.update(seconds=1),
        )

    def test_compare(self):
        kept = [self.write("base.json", ""), self.write("new.json", "")]
        measured = ["--compute", "measured", "--host-speed", "1 Gflop/s", "--repeat", 5]
        for more in ([], measured):
            for file, length in zip(kept, (1000, 2000)):
                strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", file, *more, "--", GUEST, "pairs", length)
            document = self.printed("compare", *kept, "--force", code=1)
        tested = [d for d in document["differences"] if "test" in d]
        self.assertIn("simulated_time", [d["metric"] for d in tested])
        self.assertEqual("arguments", document["forced"][0]["fact"])
        self.assertEqual("equal", self.printed("compare", kept[0], kept[0])["verdict"])
        trace = self.folder / "pairs.mpitrace"
        place = ("--machine", measured_machine(self.folder), "-n", 4)
        strata("exec", *place, "--no-summary", "--record", trace, "--", GUEST, "pairs", 10)
        for file, mapping in zip(kept, ("core", "node")):
            replayed = strata("replay", trace, "--map-by", mapping, "--error-bars", "--json")
            pathlib.Path(file).write_text(replayed)
        document = self.printed("compare", *kept, code=1)
        barred = [d["metric"] for d in document["differences"] if "error_bar" in d]
        self.assertEqual(["simulated_time"], barred)
        self.refused(document, "compare", lambda d: d["differences"][0]["error_bar"].pop("distinguishable"))
        dense = self.write("dense.mat", "0 1\n0 0\n")
        self.printed("compare", dense, self.write("more.mat", "0 2\n3 0\n"), code=1)
        self.refused(
            document,
            "compare",
            lambda d: d.update(kind="fit"),
            lambda d: d.update(verdict="worse"),
            lambda d: d["counts"].pop("new"),
            lambda d: d["differences"][0].update(base=[1]),
            lambda d: d["differences"][0].update(better="most"),
            lambda d: d["differences"][0].pop("relative"),
            lambda d: d.update(level=0),
        )

    def test_profile(self):
        self.refused(
            self.valid(json.loads(pathlib.Path("tests/records/golden/profile.json").read_text())),
            "profile",
            lambda d: d["simulated_time"].update(unit="ms"),
            lambda d: d["waiting"].__setitem__(0, -1),
            lambda d: d["waiting"].__setitem__(0, None),
            lambda d: d["calls"][0].pop("waiting"),
            lambda d: d["calls"][0].update(call="PMPI_Send"),
            lambda d: d["endings"][0].update(how="crash"),
        )
