#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The README.md of each room: it begins with an example that is in the file that it names, and all files exist."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True

from arrows_test import TABLE, Rooms, arrows_between_folders, read, sources_of

FILE = re.compile(r"`([\w./-]+(?:\.(?:h|cc|c|py|sh|txt|bzl)|/))`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
BLOCK = re.compile(r"^```\w+\n(.*?)^```\n(.*?)(?=^```|\Z)", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"From \[`[^`]+`\]\(([^)]+)\)")
FOLDER_ROW = re.compile(r"^\| `([\w/]+)/`", re.MULTILINE)


def missing_files(text, exists):
    """Reports files that a README names and that do not exist. `exists`: whether a path from its folder does."""
    links = [f"links to {path}" for path in LINK.findall(text) if not exists(path)]
    names = [f"names {path}" for path in FILE.findall(text) if not exists(path) and not exists("../" + path)]
    return [fault + ", which does not exist" for fault in links + names]


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def faults_of_examples(text, source_of):
    """Reports examples without a source, and the first line of each that the rest of its source does not have.

    `source_of`: returns the text of a path from the README's folder.
    """
    if not re.match(r"# .+\n\n```", text):
        return ["does not begin with a heading and an example"]
    faults = []
    for example, after in BLOCK.findall(text):
        named = SOURCE.search(after)
        if named is None:
            faults.append(f"does not say where {lines_of(example)[0]!r} is from; write: From [`FILE`](FILE)")
            continue
        rest = iter(lines_of(source_of(named[1])))
        wrong = next((line for line in lines_of(example) if line not in rest), None)
        if wrong is not None:
            faults.append(f"{named[1]} does not have {wrong!r} here")
    return faults


def rows_out_of_order(room, text, arrows):
    """Reports folders of a room that include a folder in a later row of its README's table."""
    rows = [f"{room}/{folder}" for folder in FOLDER_ROW.findall(text)]
    return [
        f"{source}/ stands above {target}/: {where}"
        for (source, target), where in sorted(arrows.items())
        if source in rows and target in rows and rows.index(source) < rows.index(target)
    ]


class ReadmesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = os.path.dirname(os.path.realpath(TABLE))
        # Not of sim/simgrid: it declares layouts of SimGrid's classes, which have nothing to call.
        cls.rooms = [room for room in Rooms(read(TABLE)).depends_on if "/" not in room]

    def none(self, faults_of):
        """Calls `faults_of` with the folder of each room and the text of its README, and expects no fault."""
        faults = []
        for room in self.rooms:
            folder = os.path.join(self.top, room)
            readme = os.path.join(folder, "README.md")
            found = faults_of(folder, read(readme)) if os.path.exists(readme) else ["does not exist"]
            faults += [f"{room}/README.md {fault}" for fault in found]
        self.assertEqual([], faults, "\n" + "\n".join(faults))

    def test_the_files_that_they_name_exist(self):
        self.none(lambda folder, text: missing_files(text, lambda path: os.path.exists(os.path.join(folder, path))))

    def test_they_begin_with_an_example_that_is_in_its_source(self):
        self.none(lambda folder, text: faults_of_examples(text, lambda path: read(os.path.join(folder, path))))

    def test_the_folders_of_mpi_ext_are_in_order(self):
        text = read(os.path.join(self.top, "mpi_ext/README.md"))
        arrows = arrows_between_folders(sources_of(self.top, lambda folder: folder.startswith("mpi_ext")))
        folders = {source for source, _ in arrows if source != "mpi_ext"}
        self.assertEqual(set(), folders - {f"mpi_ext/{row}" for row in FOLDER_ROW.findall(text)}, "have no row")
        self.assertEqual([], rows_out_of_order("mpi_ext", text, arrows))


class PlantedFaultsTest(unittest.TestCase):
    """A README of a room with the files a.h and b/, beside the room c. Each test plants one fault, which must be found."""

    README = (
        "# A room\n\n```cpp\n  f(1);\n  g();\n```\n\nFrom [`c/c.cc`](../c/c.cc): it calls f.\n\n"
        "| header | for |\n| --- | --- |\n| `b/` | x |\n| `b/inner/` | a word.h, `make`, `c/c.cc`, `a.h` |\n"
    )
    FILES = ("a.h", "b/", "b/inner/", "../c/c.cc")

    def readme(self, old="", new=""):
        self.assertIn(old, self.README)
        return self.README.replace(old, new)

    def missing(self, text):
        return missing_files(text, lambda path: path in self.FILES)

    @staticmethod
    def of_examples(text):
        return faults_of_examples(text, lambda path: "int main() {\n  f(1);\n  // more\n  g();\n}\n")

    def test_nothing_is_found_where_all_is_right(self):
        self.assertEqual([], self.missing(self.readme()))
        self.assertEqual([], self.of_examples(self.readme()))
        self.assertEqual([], rows_out_of_order("a", self.readme(), {("a/b/inner", "a/b"): "x", ("a/b", "a"): "y"}))

    def test_files_that_do_not_exist(self):
        self.assertEqual(["names old.h, which does not exist"], self.missing(self.readme("`a.h`", "`old.h`")))
        self.assertEqual(["names d/, which does not exist"], self.missing(self.readme("`b/`", "`d/`")))
        self.assertEqual(["links to d.cc, which does not exist"], self.missing(self.readme("../c/c.cc", "d.cc")))

    def test_examples_that_are_not_in_their_source(self):
        self.assertEqual(["../c/c.cc does not have 'f(2);' here"], self.of_examples(self.readme("f(1)", "f(2)")))
        swapped = self.readme("  f(1);\n  g();", "  g();\n  f(1);")
        self.assertEqual(["../c/c.cc does not have 'f(1);' here"], self.of_examples(swapped))
        self.assertEqual(
            ["does not say where 'f(1);' is from; write: From [`FILE`](FILE)"],
            self.of_examples(self.readme("From [`c/c.cc`](../c/c.cc)", "Somewhere")),
        )
        self.assertEqual(
            ["does not begin with a heading and an example"], self.of_examples(self.readme("# A room", "# A room\n\nIt"))
        )

    def test_folders_in_the_wrong_order(self):
        arrows = {("a/b", "a/b/inner"): "b/x.cc includes b/inner/y.h"}
        self.assertEqual(
            ["a/b/ stands above a/b/inner/: b/x.cc includes b/inner/y.h"], rows_out_of_order("a", self.readme(), arrows)
        )


if __name__ == "__main__":
    sys.exit(unittest.main())
