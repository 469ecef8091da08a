#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Compares the options of all commands with the table in CONTRIBUTING.md: one word for one thing."""
import collections
import json
import pathlib
import re
import subprocess
import unittest

NAME = re.compile(r"--[a-z][a-z-]*")


def section():
    return pathlib.Path("CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## Options\n")[1].split("\n## ")[0]


def rows():
    """Pairs of a row's options and their former names."""
    for line in section().split("\n"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and NAME.search(cells[0]):
            yield NAME.findall(cells[0]), NAME.findall(cells[2])


def walk(command, path=()):
    yield " ".join(path), command
    for sub in command["commands"]:
        yield from walk(sub, (*path, sub["name"]))


def options():
    """{name of an option: [(command, option)]} of both programs."""
    found = collections.defaultdict(list)
    for program in (["command/strata"], ["command/strata", "check"]):
        document = json.loads(subprocess.run([*program, "--help-json"], capture_output=True, text=True, check=True).stdout)
        for path, command in walk(document):
            for option in command["options"]:
                name = option["names"][-1]
                if name.startswith("--") and (path, name) not in [(p, o["names"][-1]) for p, o in found[name]]:
                    found[name].append((path, option))
    return found


class VocabularyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.options = options()
        cls.table = list(rows())

    def test_options_of_several_commands_are_in_the_table(self):
        listed = {name for names, _ in self.table for name in names}
        self.assertGreater(len(listed), 40)
        shared = {name for name, uses in self.options.items() if len(uses) > 1} - {"--help"}
        self.assertEqual(shared - listed, set(), "add them to the table, or give them the table's word")
        self.assertEqual(listed - set(self.options), set(), "no command has them")

    def test_former_names_are_gone(self):
        former = {name for _, names in self.table for name in names}
        # A word may have another meaning: which recording, which ranks of a timeline.
        others = {"--trace": {"map", "collectives tune", "collectives evaluate"}, "--ranks": {"replay timeline"}}
        for name in sorted(former):
            self.assertEqual({path for path, _ in self.options.get(name, [])} - others.get(name, set()), set(), name)

    def test_short_names_mean_one_thing(self):
        long_names = collections.defaultdict(set)
        for name, uses in self.options.items():
            for _, option in uses:
                for short in option["names"]:
                    if not short.startswith("--"):
                        long_names[short].add(name)
        for short, names in long_names.items():
            self.assertEqual(len(names), 1, f"{short}: {names}")

    def test_former_names_work_and_say_the_new_one(self):
        ways = {
            ("splittree", "--cores", "8", "--ranks", "6"): "--ranks is now called --np",
            ("hsplit", "--machine", "ntw10e5", "--np", "4", "--time-limit", "60"): "--time-limit is now called --limit",
            ("merge", "/nowhere", "--out", "x"): "`strata merge` is now called `strata submit merge`",
            ("status", "/nowhere"): "`strata status` is now called `strata submit status`",
            ("timeline", "/nowhere"): "`strata timeline` is now called `strata replay timeline`",
            ("trace", "/nowhere", "--to", "ti", "--out", "x"): "`strata trace` is now called `strata replay convert`",
        }
        for words, line in ways.items():
            with self.subTest(" ".join(words)):
                run = subprocess.run(["command/strata", *words], capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 2 if "/nowhere" in words else 0, run.stderr)
                self.assertEqual(run.stderr.split("\n")[0], f"strata: note: {line}")
        both = ["command/strata", "hsplit", "--machine", "ntw10e5", "--limit", "60", "--time-limit", "60"]
        run = subprocess.run(both, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--time-limit and --limit cannot be given together", run.stderr)


if __name__ == "__main__":
    unittest.main()
