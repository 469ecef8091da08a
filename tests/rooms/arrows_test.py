#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The arrows between rooms, packages, folders and headers: compares CONTRIBUTING.md's table with Bazel's graph and the #include
lines, and finds circles.

A room is a row of the table, such as `sim/`. A package or a file belongs to the room with the longest matching folder,
so `sim/simgrid/` is a separate room. An arrow leads from a room to a room on which it depends. Folders have no table:
that `mpi_ext/coll/` is above `mpi_ext/context/` follows from the includes, which must not lead back.
"""

import collections
import os
import re
import sys
import unittest
import xml.etree.ElementTree

GRAPH = "tests/rooms/graph"
TABLE = "CONTRIBUTING.md"
EVERYTHING = "tests"  # depends on all rooms; no room depends on it
LIBRARIES = "third_party"  # every room may use these
BASE = "base"  # and this room, which uses no other
NO_ROOMS = {"", "docs", "schemas", "tools"}  # may contain packages, on which no room depends
PACKED = {"//:install_mc"}  # a tool that is installed with the command, which does not depend on it
SOURCES = (".c", ".cc", ".h", ".inc")


class Rooms:
    """The table: for each room, in the table's order, the rooms on which it may depend."""

    def __init__(self, text):
        self.depends_on = {}
        for owner, arrows in re.findall(r"^\| `([^`|]+)/` \|[^|]*\|([^|]*)\|$", text, re.MULTILINE):
            if owner != EVERYTHING:
                self.depends_on[owner] = re.findall(r"`([^`]+)`", arrows)

    def room_of(self, folder):
        """Returns the room of a folder; for a folder outside the rooms, the first part of its path."""
        rooms = [room for room in self.depends_on if folder == room or folder.startswith(room + "/")]
        return max(rooms, key=len) if rooms else folder.split("/")[0]

    def allows(self, source, target):
        return target in (source, BASE) or target in self.depends_on.get(source, []) or source == EVERYTHING


def folder_of(label):
    """Returns the folder of a label's package: models for //models:collectives."""
    return label[2:].split(":")[0]


class Graph:
    """Bazel's graph, from the XML of `bazel query`: `inputs` and `visible_to` by label."""

    def __init__(self, text):
        self.inputs = {}
        self.visible_to = {}
        # Bazel writes XML 1.1, which Python's parser refuses, but uses only features of 1.0.
        for node in xml.etree.ElementTree.fromstring(text.replace('version="1.1"', 'version="1.0"', 1)):
            label = node.get("name")
            if node.tag == "rule":
                self.inputs[label] = [i.get("name") for i in node.findall("rule-input") if i.get("name")[:2] == "//"]
                self.visible_to[label] = [i.get("value") for i in node.findall("list[@name='visibility']/label")]
            elif node.tag == "source-file":
                self.visible_to[label] = [i.get("name") for i in node.findall("visibility-label")]

    def folders(self):
        return {folder_of(label) for label in self.visible_to}


def arrows_of(rooms, graph):
    """Returns each arrow with one of its edges in the graph: {(source, target): "//a:b -> //c:d"}."""
    arrows = {}
    for label, inputs in graph.inputs.items():
        source = rooms.room_of(folder_of(label))
        if source not in rooms.depends_on:
            continue
        for needed in inputs:
            target = rooms.room_of(folder_of(needed))
            if target not in (source, LIBRARIES, BASE) and needed not in PACKED:
                arrows.setdefault((source, target), f"{label} -> {needed}")
    return arrows


def arrows_between_packages(rooms, graph):
    """Returns each arrow between Bazel packages of the rooms with one of its edges in the graph, as arrows_of does."""
    arrows = {}
    for label, inputs in graph.inputs.items():
        source = folder_of(label)
        for target in map(folder_of, inputs):
            if source != target and {rooms.room_of(source), rooms.room_of(target)} <= set(rooms.depends_on):
                arrows.setdefault((source, target), f"{label} -> {next(i for i in inputs if folder_of(i) == target)}")
    return arrows


def arrows_outside_the_table(rooms, arrows):
    return [
        f"{where}: {source}/ does not depend on {target}/ in {TABLE}"
        for (source, target), where in sorted(arrows.items())
        if not rooms.allows(source, target)
    ]


def arrows_without_code(rooms, arrows):
    return [
        f"{TABLE}: {source}/ depends on {target}/, but no target of {source}/ does"
        for source, targets in rooms.depends_on.items()
        for target in targets
        if (source, target) not in arrows
    ]


def unknown_rooms(rooms):
    return [
        f"{TABLE}: {source}/ depends on {target}/, which is not a row of the table"
        for source, targets in rooms.depends_on.items()
        for target in targets
        if target not in rooms.depends_on
    ]


def shortest_circle(follows, start):
    """Returns the shortest way from `start` back to it, as a list that begins and ends with it; None if there is none."""
    before = {}
    queue = collections.deque([start])
    while queue:
        here = queue.popleft()
        for there in follows.get(here, []):
            if there not in before:
                before[there] = here
                queue.append(there)
            if there == start:
                way = [start, here]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
    return None


def circles(arrows):
    """Describes circles, each in a line; no two of them share a member. `arrows`: as from arrows_of.

    For example "a -> b -> a is a circle: a/x.cc includes b/b.h; b/b.h includes a/a.h".
    """
    follows = {}
    for source, target in sorted(arrows):
        follows.setdefault(source, []).append(target)
    faults, members = [], set()
    for start in follows:
        way = None if start in members else shortest_circle(follows, start)
        if way is None or not members.isdisjoint(way):
            continue
        members.update(way)
        edges = "; ".join(arrows[edge] for edge in zip(way, way[1:]))
        faults.append(f"{' -> '.join(way)} is a circle: {edges}")
    return faults


def rows_out_of_order(rooms):
    order = list(rooms.depends_on)
    return [
        f"{TABLE}: {source}/ depends on {target}/, which stands below it"
        for source, targets in rooms.depends_on.items()
        for target in targets
        if target in order and order.index(target) > order.index(source)
    ]


def packages_outside_the_graph(rooms, graph, packages):
    """Reports packages of a room that the query did not find, and packages in no room."""
    faults = []
    for package in packages:
        room = rooms.room_of(package)
        if room in NO_ROOMS | {EVERYTHING, LIBRARIES}:
            continue
        if room not in rooms.depends_on:
            faults.append(f"{package}/BUILD: {package}/ is in no room; add a row to {TABLE}")
        elif package not in graph.folders():
            faults.append(f"{package}/BUILD: not in the graph; add a target of it to ROOTS in tests/rooms/BUILD")
    return faults


def rooms_that_see(rooms, visibility):
    """Returns the rooms that a label in a `visibility` list names; __subpackages__ includes folders below."""
    folder, kind = visibility[2:].split(":")
    seeing = {rooms.room_of(folder)}
    if kind == "__subpackages__":
        seeing |= {room for room in rooms.depends_on if room.startswith(folder + "/") or folder == ""}
    return seeing


def visibility_wider_than_the_table(rooms, graph):
    faults = []
    for label, visible_to in sorted(graph.visible_to.items()):
        room = rooms.room_of(folder_of(label))
        if room not in rooms.depends_on:
            continue
        for visibility in visible_to:
            if visibility == "//visibility:private" or (visibility == "//visibility:public" and room == BASE):
                continue
            if visibility == "//visibility:public":
                faults.append(f"{label}: is public; name the rooms that use it")
                continue
            faults += [
                f"{label}: visible to {visibility}, but {seeing}/ does not depend on {room}/ in {TABLE}"
                for seeing in sorted(rooms_that_see(rooms, visibility))
                if not rooms.allows(seeing, room)
            ]
    return faults


def includes_of(text):
    """Returns the files that a source includes, as paths from the top folder."""
    return re.findall(r'^\s*#include "([^"]*/[^"]*)"', text, re.MULTILINE)


def arrows_between_files(files):
    """Returns {(path, included): "PATH includes INCLUDED"}; not of files that are generated. `files`: as below."""
    paths = {path for path, _ in files}
    return {
        (path, included): f"{path} includes {included}"
        for path, text in files
        for included in includes_of(text)
        if included in paths
    }


def arrows_between_folders(files):
    """Returns each arrow with one of its includes: {(folder, folder): "PATH includes INCLUDED"}."""
    arrows = {}
    for (path, included), where in arrows_between_files(files).items():
        source, target = os.path.dirname(path), os.path.dirname(included)
        if source != target:
            arrows.setdefault((source, target), where)
    return arrows


def includes_outside_the_table(rooms, files):
    """Reports #include lines that the table does not allow. `files`: paths from the top folder, with their text."""
    faults = []
    for path, text in files:
        source = rooms.room_of(os.path.dirname(path))
        for included in includes_of(text):
            target = rooms.room_of(os.path.dirname(included))
            if target in [*rooms.depends_on, EVERYTHING] and not rooms.allows(source, target):
                faults.append(f"{path}: includes {included}, but {source}/ does not depend on {target}/ in {TABLE}")
    return faults


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def walk(top):
    """Yields the folders below the top folder with their file names, except Bazel's links and hidden folders."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "bazel-")))
        yield os.path.relpath(folder, top).removeprefix("."), files


def sources_of(top, wanted):
    """Returns the paths of sources from the top folder, with their text, in the folders for which `wanted` is true."""
    return [
        (path, read(os.path.join(top, path)))
        for folder, names in walk(top)
        if wanted(folder)
        for path in (os.path.join(folder, name) for name in sorted(names) if name.endswith(SOURCES))
    ]


class ArrowsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = os.path.dirname(os.path.realpath(TABLE))
        cls.rooms = Rooms(read(TABLE))
        cls.graph = Graph(read(GRAPH))
        cls.arrows = arrows_of(cls.rooms, cls.graph)
        cls.files = sources_of(cls.top, lambda folder: cls.rooms.room_of(folder) in cls.rooms.depends_on)

    def none(self, faults):
        self.assertEqual([], faults, "\n" + "\n".join(faults))

    def test_the_table_and_the_graph_were_read(self):
        self.assertIn("sim/simgrid", self.rooms.depends_on)
        self.assertIn(("command", "analysis"), self.arrows)

    def test_every_arrow_is_in_the_table(self):
        self.none(arrows_outside_the_table(self.rooms, self.arrows))

    def test_every_arrow_of_the_table_is_used(self):
        self.none(unknown_rooms(self.rooms) + arrows_without_code(self.rooms, self.arrows))

    def test_no_arrow_runs_back(self):
        self.none(circles(self.arrows) + rows_out_of_order(self.rooms))

    def test_every_package_is_in_the_graph(self):
        packages = [folder for folder, files in walk(self.top) if "BUILD" in files]
        self.assertIn("sim/simgrid", packages)
        self.none(packages_outside_the_graph(self.rooms, self.graph, packages))

    def test_visibility_is_as_narrow_as_the_table(self):
        self.none(visibility_wider_than_the_table(self.rooms, self.graph))

    def test_includes_follow_the_table(self):
        self.assertGreater(len(self.files), 100)
        self.none(includes_outside_the_table(self.rooms, self.files))

    def test_no_folders_include_each_other(self):
        arrows = arrows_between_folders(self.files)
        self.assertIn(("mpi_ext/coll", "mpi_ext/context"), arrows)
        self.none(circles(arrows))

    def test_no_packages_depend_on_each_other(self):
        arrows = arrows_between_packages(self.rooms, self.graph)
        self.assertIn(("mpi_ext/coll", "mpi_ext"), arrows)
        self.none(circles(arrows))

    def test_no_headers_include_each_other(self):
        arrows = arrows_between_files(self.files)
        self.assertIn(("mpi_ext/context/gather_up.h", "mpi_ext/context/message.h"), arrows)
        self.none(circles(arrows))


class PlantedFaultsTest(unittest.TestCase):
    """Three rooms, c -> b -> a and c -> a. Each test plants one fault, which must be found."""

    TABLE = (
        "| room | owns | depends on |\n| --- | --- | --- |\n"
        "| `a/` | x | |\n| `b/` | x | `a` |\n| `c/` | x | `a`, `b` |\n"
    )

    def rooms(self, old="", new=""):
        self.assertIn(old, self.TABLE)
        return Rooms(self.TABLE.replace(old, new))

    @staticmethod
    def graph(targets):
        """Makes a graph; `targets`: (label, inputs, visibility)."""
        rules = "".join(
            f'<rule name="{label}"><list name="visibility">'
            + "".join(f'<label value="{v}"/>' for v in visibility)
            + "</list>"
            + "".join(f'<rule-input name="{i}"/>' for i in inputs)
            + "</rule>"
            for label, inputs, visibility in targets
        )
        return Graph(f'<?xml version="1.1"?><query>{rules}</query>')

    def right(self):
        return [
            ("//a:a", ["//third_party:fmt", "@bazel_tools//:x"], ["//b:__subpackages__", "//c:__pkg__"]),
            ("//b/inner:b", ["//a:a"], ["//c:__pkg__", "//tests:__subpackages__"]),
            ("//c:c", ["//a:a", "//b/inner:b"], ["//visibility:private"]),
        ]

    def faults(self, rooms, targets, packages=("a", "b/inner", "c")):
        graph = self.graph(targets)
        arrows = arrows_of(rooms, graph)
        return (
            arrows_outside_the_table(rooms, arrows)
            + unknown_rooms(rooms)
            + arrows_without_code(rooms, arrows)
            + circles(arrows)
            + rows_out_of_order(rooms)
            + packages_outside_the_graph(rooms, graph, packages)
            + visibility_wider_than_the_table(rooms, graph)
        )

    def assert_found(self, faults, *words):
        for word in words:
            self.assertTrue(any(word in fault for fault in faults), f"{word!r} not in {faults}")

    def test_nothing_is_found_where_all_is_right(self):
        self.assertEqual([], self.faults(self.rooms(), self.right()))

    def test_an_arrow_that_the_table_does_not_have(self):
        faults = self.faults(self.rooms("`a`, `b`", "`b`"), self.right())
        self.assert_found(faults, "//c:c -> //a:a: c/ does not depend on a/", "//a:a: visible to //c:__pkg__")
        self.assertEqual(2, len(faults))

    def test_an_arrow_back_and_a_circle(self):
        targets = self.right() + [("//a:back", ["//b/inner:b"], [])]
        self.assert_found(
            self.faults(self.rooms(), targets),
            "//a:back -> //b/inner:b: a/",
            "a -> b -> a is a circle: //a:back -> //b/inner:b; //b/inner:b -> //a:a",
        )

    def test_a_circle_of_packages_in_one_room(self):
        targets = self.right() + [("//b:all", ["//b/inner:b"], [])]
        self.assertEqual([], circles(arrows_between_packages(self.rooms(), self.graph(targets))))
        targets.append(("//b/inner:c", ["//a:a", "//b:part"], []))
        self.assertEqual(
            ["b -> b/inner -> b is a circle: //b:all -> //b/inner:b; //b/inner:c -> //b:part"],
            circles(arrows_between_packages(self.rooms(), self.graph(targets))),
        )
        self.assertEqual([], circles(arrows_of(self.rooms(), self.graph(targets))), "the rooms have none")

    def test_the_room_that_all_may_use(self):
        rooms = self.rooms("| `a/` | x | |\n", "| `base/` | x | |\n| `a/` | x | |\n")
        base = [("//base:base", [], ["//visibility:public"])]
        targets = base + [("//a:e", ["//base:base"], [])] + self.right()
        self.assertEqual([], self.faults(rooms, targets, ["a", "b/inner", "base", "c"]))
        back = base + [("//base:back", ["//a:a"], [])] + self.right()
        self.assert_found(self.faults(rooms, back), "base/ does not depend on a/")

    def test_an_arrow_to_tests(self):
        targets = self.right() + [("//a:t", ["//tests/a:t"], [])]
        self.assert_found(self.faults(self.rooms(), targets), "a/ does not depend on tests/")

    def test_an_arrow_that_no_code_uses(self):
        targets = self.right()[:2] + [("//c:c", ["//a:a"], [])]
        self.assertEqual(
            ["CONTRIBUTING.md: c/ depends on b/, but no target of c/ does"], self.faults(self.rooms(), targets)
        )

    def test_a_row_that_is_missing(self):
        faults = self.faults(self.rooms("| `b/` | x | `a` |\n"), self.right())
        self.assert_found(faults, "which is not a row of the table", "b/inner/ is in no room", "visible to //b:")

    def test_rows_in_the_wrong_order(self):
        rooms = self.rooms("| `a/` | x | |\n| `b/` | x | `a` |\n", "| `b/` | x | `a` |\n| `a/` | x | |\n")
        self.assertEqual(
            ["CONTRIBUTING.md: b/ depends on a/, which stands below it"], self.faults(rooms, self.right())
        )

    def test_a_package_that_the_query_does_not_reach(self):
        faults = self.faults(self.rooms(), self.right(), ["a", "a/more", "b/inner", "c", "d"])
        self.assert_found(faults, "a/more/BUILD: not in the graph", "d/BUILD: d/ is in no room")

    def test_a_target_that_is_public(self):
        targets = self.right() + [("//a:p", [], ["//visibility:public"])]
        self.assertEqual(["//a:p: is public; name the rooms that use it"], self.faults(self.rooms(), targets))

    def test_a_room_inside_another_is_its_own(self):
        rooms = self.rooms("| `b/` | x | `a` |\n", "| `b/leaf/` | x | |\n| `b/` | x | `a` |\n")
        faults = self.faults(rooms, self.right())
        self.assertEqual(
            ["//a:a: visible to //b:__subpackages__, but b/leaf/ does not depend on a/ in CONTRIBUTING.md"], faults
        )
        leaf = self.right() + [("//b/leaf:l", ["//a:a"], [])]
        self.assert_found(self.faults(rooms, leaf), "//b/leaf:l -> //a:a: b/leaf/ does not depend on a/")

    def test_an_include_that_the_table_does_not_have(self):
        included = ['"a/a.h"', '"c/c.h"', "<c/c.h>", '"x.h"', '"scotch/s.h"']
        text = "".join(f"#include {header}\n" for header in included)
        self.assertEqual(
            ["b/x.cc: includes c/c.h, but b/ does not depend on c/ in CONTRIBUTING.md"],
            includes_outside_the_table(self.rooms(), [("b/x.cc", text)]),
        )


class PlantedCirclesTest(unittest.TestCase):
    """A room with folders, room/high -> room/middle -> room/low and room/high -> room/low. Each test plants a circle."""

    TREE = {
        "room/high/high.cc": ["room/high/high.h", "room/low/low.h"],
        "room/high/high.h": ["room/middle/middle.h"],
        "room/low/low.cc": ["room/low/low.h"],
        "room/low/low.h": ["room/low/generated.inc"],
        "room/low/part.h": ["room/low/low.h"],
        "room/middle/middle.h": ["room/low/part.h"],
    }

    def files(self, path=None, included=None):
        """Returns the tree's files with their text, and one more include."""
        tree = {**self.TREE, **({path: self.TREE.get(path, []) + [included]} if path else {})}
        return [(p, "".join(f'#include "{i}"\n' for i in included)) for p, included in tree.items()]

    def test_nothing_is_found_where_all_is_right(self):
        self.assertEqual([], circles(arrows_between_folders(self.files())))
        self.assertEqual([], circles(arrows_between_files(self.files())))

    def test_a_circle_of_two_folders(self):
        files = self.files("room/low/low.cc", "room/middle/middle.h")
        self.assertEqual(
            [
                "room/low -> room/middle -> room/low is a circle: "
                "room/low/low.cc includes room/middle/middle.h; room/middle/middle.h includes room/low/part.h"
            ],
            circles(arrows_between_folders(files)),
        )
        self.assertEqual([], circles(arrows_between_files(files)))

    def test_a_circle_of_three_folders(self):
        files = [f for f in self.files("room/low/low.cc", "room/high/high.h") if f[0] != "room/high/high.cc"]
        self.assertEqual(
            [
                "room/high -> room/middle -> room/low -> room/high is a circle: "
                "room/high/high.h includes room/middle/middle.h; room/middle/middle.h includes room/low/part.h; "
                "room/low/low.cc includes room/high/high.h"
            ],
            circles(arrows_between_folders(files)),
        )

    def test_circles_of_headers_in_one_folder(self):
        files = self.files("room/low/low.h", "room/low/part.h")
        self.assertEqual([], circles(arrows_between_folders(files)))
        self.assertEqual(
            [
                "room/low/low.h -> room/low/part.h -> room/low/low.h is a circle: "
                "room/low/low.h includes room/low/part.h; room/low/part.h includes room/low/low.h"
            ],
            circles(arrows_between_files(files)),
        )

    def test_a_header_that_includes_itself(self):
        self.assertEqual(
            ["room/low/low.h -> room/low/low.h is a circle: room/low/low.h includes room/low/low.h"],
            circles(arrows_between_files(self.files("room/low/low.h", "room/low/low.h"))),
        )

    def test_a_folder_below_another_is_its_own(self):
        files = self.files("room/low/inner/inner.h", "room/low/low.h")
        self.assertEqual([], circles(arrows_between_folders(files)))
        files = [*files, ("room/low/more.cc", '#include "room/low/inner/inner.h"\n')]
        self.assertEqual(1, len(circles(arrows_between_folders(files))))


if __name__ == "__main__":
    sys.exit(unittest.main())
