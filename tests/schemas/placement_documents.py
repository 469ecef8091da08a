# SPDX-License-Identifier: LGPL-2.1-only
"""Documents about places of ranks: strata hsplit, nodecart, map."""

from documents import GUEST, NODE, DocumentTest, strata


class PlacementTest(DocumentTest):
    def test_hsplit(self):
        document = self.printed("hsplit", "--machine", "ntw10e5", "--np", 48, "--map-by", "numa", "--engine", "pure")
        self.assertIsNone(document["ranks"][1]["levels"][0]["roots"])
        self.printed("hsplit", "--xml", NODE, "--np", 6, "--engine", "smpi")
        one = self.printed("hsplit", "--xml", NODE, "--np", 1, "--engine", "pure")
        self.assertEqual([], one["ranks"][0]["levels"])
        self.printed("hsplit", "--xml", NODE, "--nodes", 2, "--np", 30, "--bind-to", "none", "--engine", "pure")
        self.refused(
            document,
            "hsplit",
            lambda d: d.pop("np"),
            lambda d: d.update(more=1),
            lambda d: d["ranks"][0].update(rank="0"),
            lambda d: d["ranks"][0].update(cpuset="0;1"),
            lambda d: d["ranks"][0]["levels"][0].update(roots=[]),
            lambda d: d["ranks"][0]["levels"][0].update(members=[0, 0]),
            lambda d: d["ranks"][0]["levels"][0].pop("type"),
        )

    def test_nodecart(self):
        pure = ("--engine", "pure")
        document = self.printed("nodecart", "--dims", "8x6", "--ppn", 4, *pure)
        self.printed("nodecart", "--dims", "4x4", "--ppn", 4, "--periods", "1x0")
        self.printed("nodecart", "--dims", "1", "--ppn", 1, *pure)
        self.printed("nodecart", "--dims", "4x2", "--ppn", 4, "--method", "cart", *pure)
        uneven = self.printed("nodecart", "--dims", "13x3", "--node-sizes", "16,16,7", "--method", "kdtree", *pure)
        self.assertIsNone(uneven["intradims"])
        beyond = self.printed("nodecart", "--dims", "3x3", "--node-sizes", "6,6", "--method", "auto", *pure)
        self.assertIsNone(beyond["new_rank"][-1])
        placed = self.printed("nodecart", "--dims", "24x10", "--machine", "ntw10e5", "--method", "multilevel", *pure)
        self.assertGreater(len(placed["levels"]), 2)
        for method in ("blocks", "hyperplane", "strips", "auto", "nodecart", "kdtree"):
            self.printed("nodecart", "--dims", "24x10", "--machine", "ntw10e5", "--method", method, *pure)
        self.refused(
            document,
            "nodecart",
            lambda d: d.update(np=48),
            lambda d: d.update(ppn=None),
            lambda d: d.update(blocks=d["nodecart"]),
            lambda d: d.update(auto=d.pop("nodecart")),
            lambda d: d.update(chosen="cart"),
            lambda d: d["cart"].pop("off_node"),
            lambda d: d["new_rank"].__setitem__(0, -1),
            lambda d: d.update(fastest=d.pop("nodecart")),
        )
        self.refused(
            placed, "nodecart", lambda d: d["levels"][0].update(cart=d["cart"]), lambda d: d.pop("node_sizes")
        )

    def test_nodecart_survey(self):
        document = self.printed("nodecart", "survey", "--inputs", 30)
        one = self.printed("nodecart", "survey", "--inputs", 1, "--max-processes", 2)
        self.assertIn(0, [nodes["inputs"] for nodes in one["nodes"]])
        self.refused(
            document,
            "nodecart-survey",
            lambda d: d["nodes"].pop(),
            lambda d: d["nodes"][0]["methods"][0].update(method="best"),
            lambda d: d["nodes"][0]["methods"][0].update(over_best=None),
        )

    def test_map(self):
        matrix = self.write("ring.mat", "0 9 0 0\n0 0 9 0\n0 0 0 9\n9 0 0 0\n")
        for algorithm in ("treematch", "scotch", "roundrobin", "random", "identity"):
            document = self.printed("map", "--matrix", matrix, "--xml", NODE, "--algorithm", algorithm)
        one = self.write("one.mat", "0\n")
        self.printed("map", "--matrix", one, "--xml", NODE)
        profile = self.write("all.prof", "E 0 1 8 bytes 3 msgs sent\n")
        self.printed("map", "--matrix", profile, "--np", 3, "--messages", "--xml", NODE)
        self.refused(
            document,
            "map",
            lambda d: d.update(algorithm="best"),
            lambda d: d.update(new_rank=[0, 0, 1, 2]),
            lambda d: d["cost"].pop("identity"),
            lambda d: d["cost"]["mapped"].update(hop_bytes=-1),
            lambda d: d.update(seconds=None),
        )

    def test_map_by_time(self):
        trace = self.write("app.mpitrace", "")
        strata("exec", "--no-summary", "--machine", "ntw10e5", "-n", 8, "--record", trace, "--", GUEST, "pairs", 1000)
        document = self.printed("map", "--objective", "time", "--trace", trace, "--budget", 5)
        self.refused(
            document,
            "map",
            lambda d: d["simulated_time"].pop("scotch"),
            lambda d: d["simulated_time"].update(unit="ms"),
            lambda d: d.update(start="random"),
            lambda d: d.update(evaluations=2),
        )
