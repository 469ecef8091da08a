#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The package `strata`: what it reads from files written here, and its one-line error for a damaged file."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = ["python", "tests/python"]

import skipping


def record(point, value, /, **parameters):
    return {
        "schema": "strata.record/1",
        "scenario": "study",
        "point": point,
        "parameters": parameters,
        "metric": "time",
        "value": value,
        "unit": "s",
        "seed": 1,
    }


class PackageTest(unittest.TestCase):
    def setUp(self):
        import strata

        self.strata = strata
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def refused(self, function, *words):
        """Checks that the function raises an InputError of one line with these words."""
        with self.assertRaises(self.strata.InputError) as raised:
            function()
        text = str(raised.exception)
        self.assertNotIn("\n", text)
        for word in words:
            self.assertIn(word, text)


class ResultsTest(PackageTest):
    def study(self, name, *lines):
        self.write(f"{name}/manifest.json", json.dumps({"schema": "strata.manifest/1", "machine": name}))
        self.write(f"{name}/records.jsonl", "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return self.folder / name

    def test_a_row_for_each_record_and_a_column_for_each_parameter(self):
        folder = self.study("a", record(0, 0.1 + 0.2, elements=1, variant="native"), record(1, 4e-6, elements=10))
        frame = self.strata.results(folder)
        self.assertEqual(["point", "elements", "variant", "metric", "value", "unit", "scenario", "seed"], list(frame.columns))
        self.assertEqual([0.1 + 0.2, 4e-6], list(frame.value))
        self.assertEqual([1, 10], list(frame.elements))
        self.assertEqual("native", frame.variant[0])
        self.assertTrue(frame.variant.isna()[1])
        self.assertEqual("a", frame.attrs["manifest"]["machine"])
        self.assertEqual("a", self.strata.manifest(folder)["machine"])

    def test_several_folders(self):
        a, b = self.study("a", record(0, 1.0)), self.study("b", record(0, 2.0), record(1, 3.0))
        frame = self.strata.results(a, b)
        self.assertEqual([str(a), str(b), str(b)], list(frame.folder))
        self.assertEqual([1, 2, 3], list(frame.value))

    def test_parameters_with_the_names_of_columns(self):
        frame = self.strata.results(self.study("a", record(0, 1.0, metric="euclidean", point=7)))
        self.assertEqual(("euclidean", 7), (frame["parameter.metric"][0], frame["parameter.point"][0]))
        self.assertEqual(("time", 0), (frame.metric[0], frame.point[0]))

    def test_an_empty_run(self):
        self.assertEqual(0, len(self.strata.results(self.study("a"))))

    def test_faults(self):
        self.refused(self.strata.results, "no folder is given")
        self.refused(lambda: self.strata.results(self.folder / "none"), "none/manifest.json", "no such file", "strata run")
        self.refused(lambda: self.strata.results(self.study("a", record(0, 1.0), '{"schema": "str')), "records.jsonl:2", "is not JSON", "--resume")
        self.refused(lambda: self.strata.results(self.study("b", "[1]\n")), "records.jsonl:1", "is not a JSON object")
        self.refused(lambda: self.strata.results(self.study("c", '{"schema": "other"}\n')), "records.jsonl:1", "its schema is other")
        self.refused(lambda: self.strata.results(self.study("d", '{"schema": "strata.record/1"}\n')), "records.jsonl:1", "has no point")
        self.study("e")
        (self.folder / "e/records.jsonl").write_bytes(b"\xff\xfe")
        self.refused(lambda: self.strata.results(self.folder / "e"), "is not text")


class MatrixTest(PackageTest):
    def matrix(self, *lines):
        return self.write("m.mtx", "\n".join(lines) + "\n")

    def test_entries_of_one_place_are_added(self):
        path = self.matrix("%%MatrixMarket matrix coordinate integer general", "% bytes", "3 3 3", "1 2 100", "1 2 8", "3 1 64")
        frame = self.strata.matrix(path)
        self.assertEqual([[0, 108, 0], [0, 0, 0], [64, 0, 0]], frame.values.tolist())
        self.assertEqual(("sender", "receiver"), (frame.index.name, frame.columns.name))
        pairs = self.strata.pairs(path)
        self.assertEqual([[0, 1, 108], [2, 0, 64]], pairs.values.tolist())
        self.assertEqual(3, pairs.attrs["order"])

    def test_other_forms(self):
        symmetric = self.matrix("%%MatrixMarket matrix coordinate real symmetric", "2 2 2", "1 1 0.5", "2 1 2.25")
        self.assertEqual([[0.5, 2.25], [2.25, 0]], self.strata.matrix(symmetric).values.tolist())
        pattern = self.matrix("%%MatrixMarket matrix coordinate pattern general", "2 2 1", "2 1")
        self.assertEqual([[0, 0], [1, 0]], self.strata.matrix(pattern).values.tolist())
        array = self.matrix("%%MatrixMarket matrix array integer general", "2 2", "1", "2", "3", "4")
        self.assertEqual([[1, 3], [2, 4]], self.strata.matrix(array).values.tolist())
        half = self.matrix("%%MatrixMarket matrix array integer symmetric", "2 2", "1", "2", "4")
        self.assertEqual([[1, 2], [2, 4]], self.strata.matrix(half).values.tolist())
        large = self.matrix("%%MatrixMarket matrix coordinate integer general", "1 1 1", f"1 1 {2**53 + 1}")
        self.assertEqual(2**53 + 1, self.strata.matrix(large)[0][0])

    def test_faults(self):
        head = "%%MatrixMarket matrix coordinate integer general"
        for words, *lines in (
            (("does not begin with %%MatrixMarket",), "1 2 3"),
            (("does not begin",), ""),
            (("m.mtx:1", "'complex' is not supported", "real, integer or pattern"), "%%MatrixMarket matrix coordinate complex general"),
            (("no line with its size",), head),
            (("m.mtx:2", "'2 2' is not 3 numbers"), head, "2 2"),
            (("m.mtx:2", "2 rows and 3 columns"), head, "2 3 0"),
            (("m.mtx:3", "'1 x 1' is not an entry", "ROW COLUMN VALUE"), head, "2 2 1", "1 x 1"),
            (("m.mtx:3", "row 3, column 1", "from 1 to 2"), head, "2 2 1", "3 1 1"),
            (("has 1 entries, and its size says 2",), head, "2 2 2", "1 1 1"),
        ):
            with self.subTest(words):
                self.refused(lambda path=self.matrix(*lines): self.strata.matrix(path), *words)


class DocumentTest(PackageTest):
    DOCUMENT = {
        "schema": "strata.exec/1",
        "machine": "m",
        "arguments": ["a", "b"],
        "simulated_time": {"value": 0.25, "unit": "s"},
        "levels": [{"name": "Node", "bytes": {"sent": 3}}, {"name": "System", "bytes": {"sent": 4}}],
        "time_by_rank": {"computing": [1.0, 2.0], "waiting": [0.0, 0.5]},
        "path": {"steps": [{"rank": 1}]},
        "new_rank": [2, None, 1],
    }

    def test_single_values(self):
        frame = self.strata.document(self.write("d.json", json.dumps(self.DOCUMENT)))
        self.assertEqual(1, len(frame))
        self.assertEqual(["schema", "machine", "arguments", "simulated_time.value", "simulated_time.unit", "new_rank"], list(frame.columns))
        self.assertEqual((0.25, ["a", "b"]), (frame["simulated_time.value"][0], frame.arguments[0]))
        self.assertEqual(["arguments", "levels", "time_by_rank", "path.steps", "new_rank"], frame.attrs["tables"])

    def test_tables(self):
        path = self.write("d.json", json.dumps(self.DOCUMENT))
        levels = self.strata.document(path, "levels")
        self.assertEqual([["Node", 3], ["System", 4]], levels[["name", "bytes.sent"]].values.tolist())
        self.assertEqual([[1.0, 0.0], [2.0, 0.5]], self.strata.document(path, "time_by_rank").values.tolist())
        self.assertEqual([1], list(self.strata.document(path, "path.steps")["rank"]))
        self.assertTrue(self.strata.document(path, "new_rank").value.isna()[1])

    def test_faults(self):
        self.refused(lambda: self.strata.document(self.folder / "none.json"), "none.json", "no such file", "--json")
        self.refused(lambda: self.strata.document(self.write("a.json", "{")), "a.json", "is not JSON")
        self.refused(lambda: self.strata.document(self.write("b.json", '{"a": 1}')), "b.json", "names no schema of Strata")
        path = self.write("c.json", json.dumps(self.DOCUMENT))
        self.refused(lambda: self.strata.document(path, "level"), "c.json", "has no table 'level'", "levels, time_by_rank")


if __name__ == "__main__":
    sys.exit(skipping.main())
