# SPDX-License-Identifier: LGPL-2.1-only
"""Documents about models and what they are fitted to: strata model, splittree; and of matrices, strata matrix."""

from documents import NODE, DocumentTest


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

    def test_fit(self):
        document = self.printed("model", "--machine", "smp20e7", "--fit")
        self.refused(
            document,
            "fit",
            lambda d: d.update(agree="yes"),
            lambda d: d["levels"][0].pop("hops"),
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
