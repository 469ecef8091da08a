#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Documents of `strata check` and of the help are valid by schemas/."""

import sys
import unittest

from documents import DocumentTest, parsed, strata


class CheckTest(DocumentTest):
    """`strata check` of areas and programs."""

    def test_areas(self):
        document = self.printed("check", "trees", "sessions", "--quick", "--random", 10)
        self.assertEqual("holds", document["verdict"])
        replayed = self.printed("check", "--replay", "hsplit/slow-reading:s2m2ccm2cc:c0,c1,c2,m1")
        self.refused(replayed, "check", lambda d: d.update(verdict="deadlock"), lambda d: d.pop("drawing"))

        # Like the report of an area with a mistake.
        area = document["areas"][0]
        area["verdict"] = area["properties"][0]["verdict"] = document["verdict"] = "violated"
        area["properties"][0]["counter_example"] = {"key": "a/b:c", "message": "m", "drawing": "", "met_as": "a/b:cc"}
        area["properties"][1]["verdict"] = "not reached"
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
            lambda d: d["programs"][0].update(verdict="violated"),
            lambda d: d["programs"][0].update(buffering="some"),
            lambda d: d["programs"][0]["counter_example"]["steps"][0].pop("rank"),
        )
        replayed = {**check, "verdict": "deadlock", "key": "k", "message": "m", "steps": [step]}
        replayed.update({"stdout": "", "stderr": ""})
        self.refused(replayed, "check", lambda d: d.pop("stderr"), lambda d: d.update(property="p"))

    def test_merge(self):
        shards = [
            self.write(f"{i}.json", strata("check", "nodecart", "--quick", "--shard", f"{i}/2", "--json")) for i in (1, 2)
        ]
        self.assertEqual("holds", self.printed("submit", "merge", *shards)["verdict"])


class HelpTest(DocumentTest):
    def test_help(self):
        document = self.valid(parsed(strata("--help-json")))
        self.assertIn("check", [command["name"] for command in document["commands"]])
        commands = self.valid(parsed(strata("check", "--help-json")))["commands"]  # strata_check has submit merge too
        (check,) = (command for command in commands if command["name"] == "check")
        self.assertIn(["-n", "--np"], [option["names"] for option in check["options"]])
        self.refused(
            document,
            "help",
            lambda d: d.update(name="mpirun"),
            lambda d: d.update(commands=[]),
            lambda d: d["options"][0].update(names=[]),
            lambda d: d["commands"][0].pop("about"),
            lambda d: d["commands"][0]["options"][0].update(value=1),
        )


if __name__ == "__main__":
    sys.exit(unittest.main())
