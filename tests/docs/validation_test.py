#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""docs/validation.md and its plots agree with docs/validation/, and tools/validation reads the data sets correctly."""

import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import types
import unittest

import yaml

sys.dont_write_bytecode = True
sys.path.insert(0, "tools")

from held_out import alaska, archer2, blue_waters, classes, fugaku, here, leonardo, lumi, mare_nostrum, numbers, orfeo, page, pico, points, rules, runs, scores, smpi_calibrations  # pylint: disable=wrong-import-position

os.environ["STRATA"] = str(pathlib.Path("command/strata").absolute())
os.environ.setdefault("STRATA_CACHE", os.environ.get("TEST_TMPDIR", tempfile.gettempdir()))


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


class PageTest(Folder):
    def test_page_and_plots_are_up_to_date(self):
        out = self.folder / "validation.md"
        code = self.folder / "blind_errors.inc"
        subprocess.run(["tools/validation", "--out", out, "--code", code], check=True)
        again = "; run tools/validation"
        self.assertEqual(code.read_text(), pathlib.Path("analysis/blind_errors.inc").read_text(), "analysis/blind_errors.inc" + again)
        self.assertEqual(out.read_text(), pathlib.Path("docs/validation.md").read_text(), "docs/validation.md" + again)
        plots = sorted((self.folder / "images").iterdir())
        self.assertEqual(len(plots), 11)
        for plot in plots:
            self.assertEqual(plot.read_text(), (pathlib.Path("docs/images") / plot.name).read_text(), plot.name + again)

    def test_errors_are_factors(self):
        self.assertEqual(numbers.error_of(3, 2), 1.5)
        self.assertEqual(numbers.error_of(2, 3), 1.5)
        self.assertEqual(numbers.summary([(2, 1), (1, 1), (1, 4)]), ["3", "2.00", "4.00", "1"])
        chosen = [points.Point("bcast", "L3", 2, 8, 1.0, p) for p in (1.2, 0.5, 4)]
        self.assertEqual(page.cell(chosen), "2.00 (4.00)")
        self.assertEqual([page.within(chosen, 1.5), page.within(chosen, 2)], ["33 %", "67 %"])

    def test_errors_by_class(self):
        def results(*of):
            return points.Results([], [points.Point(operation, "L3", 2, 8, 1.0, predicted) for operation, predicted in of], [])

        algorithms = types.SimpleNamespace(CHOICES=("algorithm",))
        found = classes.classes_of([
            (types.SimpleNamespace(), results(("ring", 1.25), ("bcast, native", 4))),
            (algorithms, results(("bcast, chain", 0.5), ("bcast, native", 8), ("gather, linear", 1.5), ("gather, linear", 1))),
        ])
        self.assertEqual(
            [("messages", "messages", [1.25]), ("collectives", "known", [2, 1.5, 1]), ("collectives", "native", [4, 8]), ("bcast", "known", [2]),
             ("bcast", "native", [4, 8]), ("gather", "known", [1.5, 1])], [(c.operation, c.algorithm, c.errors) for c in found])
        self.assertEqual(["3", "1.50", "2.00"], found[1].cells())
        self.assertIn('{"collectives", Algorithm::kKnown, 3, 1.50, 2.00},\n', classes.code(found))
        self.assertIn("| collectives | known | 3 | 1.50 | 2.00 |", classes.page_table(found))

    def test_points_come_back(self):
        results = points.Results(["github.com/a/b, commit 1"], [points.Point("bcast, linear", "L3", 4, 8, 0.125, 0.25)],
                                 [points.Figure("L3", "latency", "0.1 us", "a.txt, 2 samples")])
        folder, points.FOLDER = points.FOLDER, self.folder
        self.addCleanup(setattr, points, "FOLDER", folder)
        points.write("some", results)
        self.assertEqual(points.read("some", self.folder), results)


def point(operation, level, size, measured, predicted, ranks=2):
    return points.Point(operation, level, ranks, size, measured, predicted)


class ScoresTest(unittest.TestCase):
    """Three algorithms on two levels, so that each score can be worked out by hand."""

    POINTS = [
        point("bcast, linear", "L3", 8, 20, 10), point("bcast, chain", "L3", 8, 25, 8), point("bcast, binary", "L3", 8, 21, 30),
        point("bcast, linear", "node", 8, 40, 50), point("bcast, chain", "node", 8, 60, 50), point("bcast, binary", "node", 8, 90, 60),
        point("bcast, native", "L3", 8, 1, 1)
    ]

    def test_percentile_is_the_nearest_rank(self):
        self.assertEqual(scores.percentile(list(range(20, 0, -1)), 95), 19)  # 95 % of 20 is 19
        self.assertEqual(scores.percentile([3, 1, 2], 95), 3)
        self.assertEqual(scores.percentile([3, 1, 2], 50), 2)

    def test_rank_correlation(self):
        self.assertEqual(scores.ranks_of([5, 1, 5, 9]), [2.5, 1, 2.5, 4])
        self.assertAlmostEqual(scores.rank_correlation([(1, 10), (2, 20), (3, 40)]), 1)
        self.assertAlmostEqual(scores.rank_correlation([(3, 10), (2, 20), (1, 40)]), -1)
        # Ranks 1 2 3 4 and 2 1 4 3: 1 - 6 (1 + 1 + 1 + 1) / (4 (16 - 1)) = 0.6.
        self.assertAlmostEqual(scores.rank_correlation([(1, 20), (2, 10), (3, 40), (4, 30)]), 0.6)
        self.assertIsNone(scores.rank_correlation([(1, 20), (1, 10)]))
        # 8 B agree, 16 B are reversed, 32 B are too few: the median of 1 and -1.
        chosen = [point("bcast", "L3", size, measured, predicted, ranks) for size, pairs in ((8, [(1, 1), (2, 2), (3, 3)]), (16, [(1, 3), (2, 2), (3, 1)]),
                  (32, [(1, 1), (2, 2)])) for ranks, (measured, predicted) in enumerate(pairs, 2)]
        self.assertAlmostEqual(scores.order_of(chosen), 0)
        self.assertIsNone(scores.order_of(chosen[-2:]))

    def test_questions(self):
        self.assertEqual(scores.parts_of("bcast, chain"), ("bcast", "chain"))
        self.assertEqual(scores.parts_of("bcast"), ("bcast", ""))
        algorithms = scores.questions(self.POINTS, "algorithm")
        self.assertEqual(algorithms, [self.POINTS[:3], self.POINTS[3:6]])  # the native one is no choice
        mappings = scores.questions(self.POINTS, "mapping")
        self.assertEqual(mappings, [[self.POINTS[n], self.POINTS[n + 3]] for n in range(3)])

    def test_regret(self):
        inside, across = scores.questions(self.POINTS, "algorithm")
        self.assertAlmostEqual(scores.regret(inside), 25 / 20 - 1)  # the chain is recommended, linear is best
        self.assertAlmostEqual(scores.regret(across), (0 + 60 / 40 - 1) / 2)  # linear and chain share the shortest prediction
        self.assertAlmostEqual(scores.regret_of_chance(inside), (0 + 5 / 20 + 1 / 20) / 3)
        # L3: 20 and 25 are named wrongly, 25 and 21 too; 20 and 21 count as equal. Node: 40 and 60 have equal predictions,
        # the other two pairs are right.
        self.assertEqual(scores.pairs_named([inside, across]), scores.Pairs(2, 5))
        pairs = [p.predicted_us / q.predicted_us for of_one in (inside, across) for i, p in enumerate(of_one) for q in of_one[i + 1:]
                 if scores.ratio(p.measured_us, q.measured_us) > scores.DIFFERENT]
        for bar in (1.2, 1.5, 2, 100):
            self.assertEqual(scores.pairs_named([inside, across], bar).all, sum(max(r, 1 / r) > bar for r in pairs), bar)

    def test_tables(self):
        one = types.SimpleNamespace(NAME="some", LABEL="Some", TITLE="Some: points", CHOICES=["algorithm"])
        sets = [(one, points.Results([], self.POINTS, []))]
        # Errors of the known ones: 2, 3.125, 1.43, 1.25, 1.2, 1.5; four of six are too fast. Each algorithm has two points, too few for a correlation.
        self.assertIn("| [Some](#some-points) | bcast | known | 6 | 1.46 | 3.12 | - | 67 % |", page.scoreboard(sets))
        self.assertIn("| [Some](#some-points) | bcast | native | 1 | 1.00 | 1.00 | - | 0 % |", page.scoreboard(sets))
        # Regrets 25 % and 25 %; by chance 10 % and (0 + 50 % + 125 %) / 3 = 58 %.
        self.assertIn("| [Some](#some-points) | algorithm of bcast | 2 | 0 % | 25 % | 25 % | 25 % | 34 % | 40 % of 5 |", page.choices(sets))
        self.assertEqual(page.link_to(blue_waters), "[Blue Waters](#blue-waters-several-pairs-at-once)")
        self.assertEqual(classes.algorithm_of(types.SimpleNamespace(NATIVE=["allreduce"]), "allreduce"), "native")
        self.assertEqual(classes.algorithm_of(types.SimpleNamespace(), "ping-pong, sizes between"), "messages")


class RulesTest(unittest.TestCase):
    """The example of rules.py, and a gain that is too small for a rule."""

    def call(self, predicted):
        measured = {"native": 15, "linear": 18, "binary": 10}
        return [points.Point(f"bcast, {name}", "L3", 4, 8, measured[name], us) for name, us in predicted.items()]

    def test_example(self):
        row = rules.tabulate(self.call({"native": 20, "linear": 12, "binary": 14})).splitlines()[-1]
        self.assertEqual("| bcast | 1 | 50 % (50 %, 50 %) | 80 % (80 %, 80 %) | 0 | 1 |", row)

    def test_small_gains_keep_the_choice_of_the_library(self):
        [call] = rules.calls(self.call({"native": 20, "linear": 19.5, "binary": 25})).values()
        self.assertEqual("bcast, native", rules.chosen_by_rules(call).operation)


class ReadingTest(unittest.TestCase):
    def test_orfeo_levels(self):
        output = "x\nTesting Same CCX\n\n# OSU\n1 0.1\nTesting Same NUMA\n# OSU\n1 0.3\nTesting Different NODE\n# OSU\n1 1.7\nAll tests completed.\n"
        self.assertEqual(orfeo.by_level(output), {"L3": "\n# OSU\n1 0.1\n", "NUMANode": "# OSU\n1 0.3\n", "System - Cluster": "# OSU\n1 1.7\n"})
        output = "# x\nTesting with cores: 0 and 32\n# OSU\n2 0.4\nTesting with cores: 0 and 64\n# OSU\n2 0.7\nTesting with cores: 0 and 127\n# OSU\n2 0.8\n"
        self.assertEqual(orfeo.across_sockets(output), "# OSU\n2 0.7\n# OSU\n2 0.8\n")
        self.assertEqual([orfeo.level_of(n) for n in (2, 4, 8, 128, 256)], ["L3", "L3", "NUMANode", "Machine", "System - Cluster"])

    def test_archer2_times(self):
        text = "# Benchmarking Sendrecv\n #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n" \
               "            0         1000         0.58         0.60         0.59         0.00\n         1024 1000  1.69 1.72 1.70 1189.41\n"
        self.assertEqual(archer2.times_of(text), {0: 0.59, 1024: 1.70})

    def test_alaska_times(self):
        self.assertEqual(alaska.osu_times("# OSU\n# Size       Avg Latency(us)\n4                       5.47\n1024 15.07\n"), {4: 5.47, 1024: 15.07})
        self.assertEqual(alaska.imb_times("       #bytes #repetitions\n            4         1000         1.03         3.87\n"), {4: 1.03})
        chosen = [alaska.older(points.Case(operation, "native", 64, size)) for operation, size in (("allgather", 256), ("allgather", 1024), ("alltoall", 64),
                  ("alltoall", 256), ("alltoall", 4096), ("allreduce", 4))]
        self.assertEqual([one and one.algorithm for one in chosen], ["recursive-doubling", "neighbor", None, "linear", "pairwise", None])

    def test_leonardo_messages(self):
        # 64 elements of 4 B in all: messages of 64 and 128 B, the mean of which is 96 B. A part has one iteration of four.
        self.assertEqual([text.splitlines()[2:] for text in pico.messages({64: [4, 6, 8, 10]}, 4)], [["96 2.0000"], ["96 3.0000"], ["96 4.0000"], ["96 5.0000"]])
        # On 32 nodes five steps of 8, 16, 32, 64 and 128 B: a mean of 49.6 B.
        self.assertEqual(pico.messages({64: [20] * 4}, 32)[0].splitlines()[2:], ["49 4.0000"])
        self.assertIsNone(leonardo.allgather("ring", 8))  # less than an element for each node
        self.assertEqual(leonardo.allgather("ring", 64), points.Case("allgather", "ring", 32, 8))
        self.assertEqual(leonardo.broadcast("binary", 64), points.Case("bcast", "binary", 256, 256))
        self.assertEqual(mare_nostrum.case_of("bcast", 32)("binary", 64), points.Case("bcast", "binary", 32, 256))
        self.assertEqual(mare_nostrum.case_of("gather", 60)("linear", 512), points.Case("gather", "linear", 60, 32))  # 8 elements
        self.assertIsNone(mare_nostrum.case_of("gather", 60)("linear", 59))
        self.assertEqual(lumi.case_of("allreduce", 32)("ring", 64), points.Case("allreduce", "ring", 32, 256))  # the vector
        self.assertEqual(lumi.case_of("reduce-scatter", 100)("ring", 512), points.Case("reduce-scatter", "ring", 100, 20))
        self.assertEqual(fugaku.case_of("bcast", 512)("linear", 8), points.Case("bcast", "linear", 512, 32))

    def test_pico_adding(self):
        levels = "costs: {levels: [{latency: {value: 2, unit: us}, bandwidth: {value: 1, unit: GB/s}, segments: [" \
                 "{from: {value: 1000, unit: B}, latency: {value: 4, unit: us}, bandwidth: {value: 4, unit: GB/s}}]}]}\n"
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder)
            (machine / "machine.yaml").write_text(levels, encoding="utf-8")
            self.assertAlmostEqual(pico.message_us(machine, 500), 2.5)
            self.assertAlmostEqual(pico.message_us(machine, 1000), 4.25)
            # On 8 nodes three steps of a message and its addition: 1000 B in 4.25 + 0.5 us, 2000 B in 4.5 + 2 us, 4000 B in
            # 5 + 2 us. That is 0.5, 1 and 0.5 ns for each byte.
            self.assertAlmostEqual(pico.adding_ns(machine, {250: [3 * 4.75], 500: [3 * 6.5], 1000: [3 * 7]}, 8), 0.5)
            self.assertEqual(pico.adding_ns(machine, {250: [3]}, 8), 0)

    def test_fugaku_torus(self):
        costs = "network: {nodes: 64}\ncosts: {levels: [{level: System - Cluster, link_bandwidth: 1}, {level: NUMANode, link_bandwidth: 2}]}\n"
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            (work / "machine.yaml").write_text(costs, encoding="utf-8")
            (work / "node.xml").write_text("", encoding="utf-8")
            document = yaml.safe_load((fugaku.torus(work, work, 4) / "machine.yaml").read_text(encoding="utf-8"))
        self.assertEqual(document["network"]["torus"]["dims"], [4, 4, 4])
        self.assertEqual([link["value"] for link in document["costs"]["torus"]["links"]], [6.8] * 3)
        self.assertEqual(document["costs"]["levels"], [{"level": "System - Cluster"}, {"level": "NUMANode", "link_bandwidth": 2}])

    def test_pico_iterations(self):
        job = "2025_01_01___00_00_00"
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder, "results/leonardo")
            results.mkdir(parents=True)
            with tarfile.open(results / f"{job}.tar.gz", "w:gz") as archive:
                for name, text in ((f"{job}/0/64_ring_ompi_int32.csv", "highest\n1500\n2500\n"), (f"{job}/1/64_ring_ompi_int32.csv", "highest\n9\nAverage runtime: 0.000000\n"),
                                   (f"{job}/alloc.csv", "MPI_Rank,allocation\n0,a\n")):
                    member = tarfile.TarInfo(name)
                    member.size = len(text)
                    archive.addfile(member, io.BytesIO(text.encode()))
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "data"]):
                subprocess.run(git + words, check=True)
            self.assertEqual(pico.iterations(folder, "leonardo", job), {(64, "ring_ompi"): [1.5, 2.5]})
            self.assertEqual(pico.iterations(folder, "leonardo", job, 1), {(64, "ring_ompi"): [0.009]})

    def test_blue_waters_blocks(self):
        row = "\t".join
        text = "\n".join(["Pingpong for", "master:  0, 1", "partner: 32, 33", row(["1", "4.0e-06", "5.0e-06", "6.0e-06"]),
                          row(["65536", "1.0e-4", "2.0e-4", "2.0e-4"]), "", "Pingpong for", "partner: 16, 17", row(["1", "1e-6", "1e-6", "1e-6"]), ""])
        [block] = blue_waters.blocks(text, 32)
        self.assertEqual(block, {4: [4e-6, 5e-6, 6e-6], 262144: [1e-4, 2e-4, 2e-4]})
        self.assertEqual(blue_waters.latencies([block]), "# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n4 2.0000\n262144 50.0000\n")
        self.assertIn("# [ pairs: 3 ] [ window size: 1 ]\n# Size          MB/s\n262144 7864.32\n", blue_waters.rates([block]))
        self.assertEqual({k: round(v, 6) for k, v in blue_waters.held_out([block]).items()}, {(2, 4): 2.5, (2, 262144): 100})
        self.assertAlmostEqual(blue_waters.gap_of([block]), 0.5e-6)

    def test_smpi_calibrations(self):
        text = "MPI_Send,8,1.0,2.0e-06\nMPI_Recv,8,1.0,4.0e-06\nMPI_Send,16,2.0,1.0e-06\nMPI_Recv,16,2.0,1.0e-06\nMPI_Send,8,3.0,4.0e-06\nMPI_Recv,8,3.0,6.0e-06\n"
        times = smpi_calibrations.ping_pongs(text)
        self.assertEqual({size: round(time, 6) for size, time in times.items()}, {8: 4.0, 16: 1.0})
        self.assertEqual(smpi_calibrations.sizes_of(text), [8, 16])
        self.assertEqual(smpi_calibrations.of_sizes(text, {16}), "MPI_Send,16,2.0,1.0e-06\nMPI_Recv,16,2.0,1.0e-06\n")

    def test_here_says_which_mpi(self):
        self.assertEqual(here.mpi_of("# strata probe 1\n# mpi: MPICH 4, a\noperation\n"), "MPICH 4, a")


class SaturationTest(Folder):
    # Four nodes: a step with ranks 0 and 2, then one with all ranks; two runs each.
    def test_steps(self):
        rows = [(0, 1), (0, 3), (0, 10), (0, 12), (2, 2), (2, 2), (2, 11), (2, 11), (1, 13), (1, 14), (3, 15), (3, 16)]
        self.write("load_send.csv", "".join(f"{rank},MPI_Send,4000000,1.0,{time}\n" for rank, time in rows))
        self.assertEqual(smpi_calibrations.by_step(self.folder, "send", lambda rank: rank % 2, 2), [2000, 12500])


class SchedulesTest(Folder):
    """Named algorithms on one node of four cores, whose messages take 1 us + bytes / (1 GB/s)."""

    MACHINE = """schema: strata.machine/1
name: four
description: a node of four cores
source: "assumed: for this test"
node: {xml: node.xml}
network: {nodes: 1}
costs:
  core:
    speed: {value: 10, unit: Gflop/s, source: "assumed: test"}
    copy_bandwidth: {value: 100, unit: GB/s, source: "assumed: test"}
  eager_limit: {value: 4, unit: KiB, source: "assumed: test"}
  levels:
    - level: NUMANode
      latency: {value: 1, unit: us, source: "assumed: test"}
      overhead: {value: 0, unit: us, source: "assumed: test"}
      bandwidth: {value: 1, unit: GB/s, source: "assumed: test"}
      link_bandwidth: {value: 100, unit: GB/s, source: "assumed: test"}
"""

    def test_times(self):
        node = self.folder / "node.xml"
        subprocess.run(["lstopo-no-graphics", "-i", "core:4 pu:1", "--of", "xml", "--force", node], check=True, stderr=subprocess.DEVNULL)
        self.write("machine.yaml", self.MACHINE)
        size = 2000  # B: 2 us
        step = 0.016  # us: for each message SMPI's time is 16 ns longer, as if it had 16 B more
        add = 0.25  # ns for each byte: 0.5 us
        expected = {  # in us, of four ranks
            ("allgather", "ring"): 3 * (1 + 2 + step),
            ("allgather", "recursive-doubling"): (1 + 2) + (1 + 4) + 2 * step,
            ("allgather", "neighbor"): (1 + 2) + (1 + 4) + 2 * step,
            ("allgather", "bruck"): (1 + 2) + (1 + 4) + 2 * step,
            ("alltoall", "pairwise"): 3 * (1 + 2 + step),
            ("alltoall", "bruck"): 2 * (1 + 4 + step),
            ("allreduce", "ring"): 6 * (1 + 0.5 + step) + 3 * 0.125,
            ("allreduce", "recursive-doubling"): 2 * (1 + 2 + step + 0.5),
            ("allreduce", "rabenseifner"): 2 * (1 + 1 + step) + 2 * (1 + 0.5 + step) + 0.25 + 0.125,
            ("reduce-scatter", "ring"): 3 * (1 + 2 + step + 0.5),
            ("reduce-scatter", "pairwise"): 3 * (1 + 2 + step + 0.5),
        }
        cases = {points.Case(operation, algorithm, 4, size): time for (operation, algorithm), time in expected.items()}
        mean, slowest = (runs.predict_schedules(self.folder, list(cases), self.folder / figure, figure=figure, adding_ns=add) for figure in ("mean", "slowest"))
        for case, time in cases.items():
            self.assertAlmostEqual(mean[case], time, delta=0.001, msg=str(case))
            # A rank that left the barrier first waits for the last one: at most the two messages of a barrier of four ranks.
            self.assertTrue(mean[case] - 0.001 <= slowest[case] <= mean[case] + 2 * (1 + step), case)
        # Rank 2 receives two blocks and sends one to rank 3. The barrier is as above.
        scatter = points.Case("scatter", "binomial", 4, size)
        time = runs.predict_schedules(self.folder, [scatter], self.folder / "scatter", figure="slowest")[scatter]
        self.assertAlmostEqual(time, (1 + 4) + (1 + 2) + 2 * step, delta=2 * (1 + step))


class RunTest(Folder):
    """A data set of a few lines, from its files to predictions."""

    def checkout(self, name, files):
        for file, text in files.items():
            self.write(f"{name}/{file}", text)
        git = ["git", "-C", self.folder / name, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "data"]):
            subprocess.run(git + words, check=True)
        return self.folder / name

    def test_orfeo(self):
        latencies = {"Same CCX": 0.2, "Same NUMA": 0.4, "Same SOCKET": 0.5, "Different NODE": 2}
        output = "".join(f"Testing {name}\n# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n" +
                         "".join(f"{size} {latency + size / 10000:.4f}\n" for size in (1, 64, 1024, 16384, 262144)) for name, latency in latencies.items())
        table = "Processes,Size,Latency\n2,4,0.2\n2,262144,26\n"
        files = {f"ex1/scripts/output/{name}": output + "All tests completed.\n" for name in orfeo.OUTPUTS}
        for operation, number in orfeo.ALGORITHMS:
            files[f"ex1/results/{operation}/var_size/{operation}{number}_core_mapping_epyc.csv"] = table
        across = "Testing with cores: 0 and 64\n# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n2 0.8\n"
        folders = {"orfeo": self.checkout("a", files), "orfeo_sockets": self.checkout("b", {f"EX1/results/{orfeo.SOCKETS}": across})}
        results = orfeo.results(folders, self.folder / "work")
        fitted = page.of_variant(results.points)
        self.assertEqual(len(fitted), 2 * len(orfeo.ALGORITHMS))
        latency = {f.level: float(f.value.split()[0]) for f in results.figures if f.name == "latency"}
        times = {(p.operation, p.bytes): p.predicted_us for p in fitted}
        for point in fitted:  # one message: the mean of a rank that waits for it and one that may continue
            if not point.operation.startswith("scatter"):
                self.assertTrue(0.4 < point.ratio < 1.1, point)
        # In MPI_Scatter the root copies its own block before it sends the other, at the assumed copy_bandwidth of 10 GB/s;
        # a few bytes cost nothing.
        for scatter in ("scatter, native", "scatter, linear"):
            self.assertAlmostEqual(times[scatter, 4], times["bcast, linear", 4], delta=1e-6)
            self.assertAlmostEqual(times[scatter, 262144], 262144 / 10000 + times["bcast, linear", 262144], delta=1e-6)
        self.assertAlmostEqual(latency["L3"], 0.2, delta=0.005)
        self.assertAlmostEqual(latency["System - Cluster"], 2, delta=0.005)
        self.assertAlmostEqual(latency["Machine"], 0.8, delta=0.005)
        self.assertEqual({p.variant for p in results.points}, {points.FITTED, *orfeo.CHECKS})
        self.assertTrue(all(line.startswith("github.com/") for line in results.notes))


if __name__ == "__main__":
    unittest.main()
