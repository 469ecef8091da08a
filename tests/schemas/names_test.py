#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Every schema name in the sources, such as "strata.hsplit/1", has a file in schemas/, and vice versa."""

import os
import re
import subprocess
import sys
import unittest

CONTRIBUTING = "CONTRIBUTING.md"  # the rooms are beside it
SOURCES = (".cc", ".h")
# Written by people and checked by the loaders; no command prints them.
INPUTS = {"machine", "scenario", "site"}
# Schemas of text files, not JSON: a machine's fabric.txt (platforms/switch_graph.h).
TEXTS = {"fabric"}


def names_in(text):
    return set(re.findall(r'"strata\.([a-z][a-z_.-]*)/[0-9]+"', text))


def names_in_sources(top):
    names = {}
    for room in subprocess.run(["tools/rooms"], check=True, capture_output=True, text=True).stdout.split():
        for folder, _, files in os.walk(os.path.join(top, room)):
            for path in (os.path.join(folder, name) for name in files if name.endswith(SOURCES)):
                with open(path, encoding="utf-8") as file:
                    for name in names_in(file.read()):
                        names[name] = os.path.relpath(path, top)
    return names


class NamesTest(unittest.TestCase):
    def test_the_search(self):
        text = 'a = {{"schema", "strata.hsplit/1"}}; // strata.map/1\nb = "strata.splittree.tune/1"; c = "strata.a-b/2";'
        self.assertEqual({"hsplit", "splittree.tune", "a-b"}, names_in(text))

    def test_names_and_files(self):
        sources = names_in_sources(os.path.dirname(os.path.realpath(CONTRIBUTING)))
        self.assertIn("record", sources)
        end = ".schema.json"
        files = {name.removesuffix(end) for name in os.listdir("schemas") if name.endswith(end)}
        without_file = {name: where for name, where in sources.items() if name not in files | INPUTS | TEXTS}
        self.assertEqual({}, without_file, "these need a file schemas/NAME.schema.json")
        self.assertEqual(set(), files - set(sources) - INPUTS, "no source names these schemas")


if __name__ == "__main__":
    sys.exit(unittest.main())
