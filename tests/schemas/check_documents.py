# SPDX-License-Identifier: LGPL-2.1-only
"""Documents of `strata check` of areas and programs, and of its shards."""

import json
import subprocess

from documents import DocumentTest

PLANTED = "tests/planted/check_levels_off_by_one"  # `strata check` with a mistake in hsplit


class CheckTest(DocumentTest):
    def test_areas(self):
        document = self.printed("check", "trees", "sessions", "--quick", "--random", 10)
        self.assertEqual("holds", document["verdict"])
        replayed = self.printed("check", "--replay", "hsplit/slow-reading:s2m2ccm2cc:c0,c1,c2,m1")
        self.refused(replayed, "check", lambda d: d.update(verdict="deadlock"), lambda d: d.pop("drawing"))

        # An area with a mistake.
        for bounds in (["--quick"], ["--bound", "vertices=2", "--random", "200"]):  # the second finds a larger case first
            found = subprocess.run([PLANTED, "hsplit", *bounds, "--json"], capture_output=True, text=True, check=False)
            area = json.loads(found.stdout)
            document.update(areas=[area], verdict="violated")
            self.valid(document)
        violated = [p["counter_example"] is not None for p in area["properties"]]
        self.assertIn(True, violated)
        area["properties"].insert(0, area["properties"].pop(violated.index(True)))
        self.refused(
            document,
            "check",
            lambda d: d.pop("programs"),
            lambda d: d["areas"][0].pop("bounds"),
            lambda d: d["areas"][0]["properties"][0].update(kind="never"),
            lambda d: d["areas"][0]["properties"][0]["counter_example"].pop("key"),
            lambda d: d["areas"][0]["properties"][0].update(verdict="unknown"),
        )

    def test_programs(self):
        """Documents as command/check/programs.cc writes them. Running programs would need SimGrid's model checker."""
        step = {"rank": 1, "what": "MPI_Recv from any"}
        program = {
            "name": "orders.so",
            "ranks": 3,
            "progress_threads": 0,
            "arguments": ["--size", "8"],
            "buffering": "all",
            "verdict": "deadlock",
            "states": 12,
            "transitions": 10,
            "executions": 2,
            "seconds": 0.5,
            "limit": None,
            "counter_example": {"key": "k", "again": "strata check --replay k", "message": "m", "steps": [step]},
        }
        check = {"schema": "strata.check/1", "verdict": "violated"}
        document = {**check, "areas": [], "programs": [program], "scenarios": []}
        self.refused(
            document,
            "check",
            lambda d: d["programs"][0].update(verdict="missing"),
            lambda d: d["programs"][0].update(buffering="some"),
            lambda d: d["programs"][0]["counter_example"]["steps"][0].pop("rank"),
        )
        call = {"ranks": [1], "function": "MPI_Bcast", "location": "bcast.c:12", "text": "its root is 1"}
        other = {**call, "ranks": [0, 2], "location": None}
        finding = {"class": "matching", "check": "root", **call, "others": [other], "rule": "r", "source": "MPI 4.1"}
        run = {**program, "verdict": "violated", "counter_example": None, "findings": [finding]}
        self.refused(
            {**document, "programs": [run]},
            "check",
            lambda d: d["programs"][0]["findings"][0].update({"class": "unknown"}),
            lambda d: d["programs"][0]["findings"][0].update(ranks=[]),
            lambda d: d["programs"][0]["findings"][0]["others"][0].pop("text"),
        )
        replayed = {**check, "verdict": "deadlock", "key": "k", "message": "m", "steps": [step]}
        replayed.update({"stdout": "", "stderr": ""})
        self.refused(replayed, "check", lambda d: d.pop("stderr"), lambda d: d.update(property="p"))

    def test_merge(self):
        shards = []
        for i in (1, 2):
            document = self.printed("check", "nodecart", "--quick", "--shard", f"{i}/2")
            shards.append(self.write(f"{i}.json", json.dumps(document)))
        self.assertEqual("holds", self.printed("submit", "merge", *shards)["verdict"])
