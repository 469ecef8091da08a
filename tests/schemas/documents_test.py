#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Documents that the commands print with --json, and files that a run writes, are valid by schemas/."""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

from written_fields import WrittenFields

STRATA = "command/strata"
NODE = "tests/sim/data/24l3-3l8c.xml"
GUEST = "tests/command/guest.so"
WAITS = "tests/command/waits.so"
REAL = ("tests/native/native_mpi_program_openmpi", "tests/native/native_mpi_program_mpich")
PLANTED = "tests/planted/check_levels_off_by_one"  # `strata check` with a mistake in hsplit
PAGES = "tests/analysis/page/pages"
# Finds self.printed("splittree", "tune", ...) with the command and its subcommand.
TESTED = re.compile(r'printed\(\s*"([a-z]+)"(?:, "([a-z]+)")?|strata\("(exec)"[^\n]*"--json"')
SCHEMAS = {path.name.removesuffix(".schema.json"): path for path in pathlib.Path("schemas").glob("*.schema.json")}
WRITTEN = {name: WrittenFields(path) for name, path in SCHEMAS.items()}


def validator_of(name):
    path = SCHEMAS[name].absolute()
    schema = json.loads(path.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema, resolver=jsonschema.RefResolver(path.as_uri(), schema))


def name_of(document):
    return document["schema"].removeprefix("strata.").removesuffix("/1")


def faults(document):
    """Returns the errors of a document by the schema that it names."""
    name = name_of(document)
    errors = sorted(validator_of(name).iter_errors(document), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in errors]


def strata(*arguments, code=0):
    run = subprocess.run([STRATA, *map(str, arguments)], capture_output=True, text=True, check=False)
    if run.returncode != code:
        raise AssertionError(f"strata {' '.join(map(str, arguments))}: exit code {run.returncode}\n{run.stderr}")
    return run.stdout


def parsed(text):
    """Parses a document and checks the form of all documents: one line, no blanks outside texts, the schema first."""
    if text.count("\n") != 1 or not text.endswith("\n"):
        raise AssertionError(f"not one line: {text[:100]!r} ... {text[-100:]!r}")
    if re.search(r"\s", re.sub(r'"(\\.|[^"\\])*"', "", text[:-1])):
        raise AssertionError(f"has blanks between its parts: {text[:100]!r}")
    document = json.loads(text)
    first = next(iter(document))
    if first != "schema" or document[first].removeprefix("strata.").removesuffix("/1") not in SCHEMAS:
        raise AssertionError(f"does not begin with a schema of schemas/: {text[:100]!r}")
    return document


class FormTest(unittest.TestCase):
    """What `parsed` refuses."""

    def test_wrong_forms(self):
        right = '{"schema":"strata.matrix/1","format":"a \\" b"}\n'
        self.assertEqual(parsed(right)["format"], 'a " b')
        for wrong in (
            right[:-1],
            right + "\n",
            right.replace(",", ", "),
            right.replace("{", "{\n", 1),
            '{"format":"x","schema":"strata.matrix/1"}\n',
            right.replace("matrix", "nothing"),
        ):
            with self.assertRaises(AssertionError, msg=wrong):
                parsed(wrong)

    def test_every_command_with_json_has_a_test(self):
        def commands(node, words):
            if any("--json" in option["names"] for option in node["options"]):
                yield " ".join(words)
            for command in node["commands"]:
                yield from commands(command, [*words, command["name"]])

        with_json = set(commands(json.loads(strata("--help-json")), [])) | {"check"}
        source = pathlib.Path(__file__).read_text()
        tested = {" ".join(filter(None, words)) for words in TESTED.findall(source)}
        self.assertEqual(with_json - tested, set())


class FieldsTest(unittest.TestCase):
    """What `WrittenFields` finds."""

    def test_differences(self):
        schema = {
            "required": ["a"],
            "properties": {
                "a": {"$ref": "#/definitions/inner"},
                "b": {"oneOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/definitions/inner"}}]},
                "dead": {"type": "integer"},
            },
            "additionalProperties": False,
            "definitions": {"inner": {"properties": {"x": {}, "y": {}}, "required": [], "additionalProperties": False}},
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "s.json")
            path.write_text(json.dumps(schema))
            fields = WrittenFields(path)
        fields.add({"a": {"x": 1}, "b": None})
        x, y = (f"s.json#/definitions/inner/properties/{key}" for key in "xy")
        b, dead = (f"s.json#/properties/{key}: " for key in ("b", "dead"))
        always = "all documents have it, but it is not required"
        self.assertEqual(
            [f"{x}: {always}", f"{y}: no document has it", b + always, dead + "no document has it"], fields.differences()
        )
        fields.add({"a": {"x": 1}})
        fields.add({"a": {"x": 1}, "b": [{"y": 1}], "dead": 1})
        self.assertEqual([], fields.differences())


class SchemasTest(unittest.TestCase):
    def test_every_schema_is_one_and_says_what_it_is(self):
        self.assertGreater(len(SCHEMAS), 10)
        for name in SCHEMAS:
            with self.subTest(name):
                schema = validator_of(name).schema
                self.assertIn(f"strata.{name}/1", schema["title"])
                self.assertTrue(schema["description"])

    def test_objects_are_closed(self):
        """An object whose keys are listed allows no other keys."""

        def open_objects(node, path):
            if isinstance(node, dict):
                if node.get("type") == "object" and "properties" in node and "additionalProperties" not in node:
                    yield path
                for key, value in node.items():
                    yield from open_objects(value, f"{path}/{key}")
            elif isinstance(node, list):
                for i, value in enumerate(node):
                    yield from open_objects(value, f"{path}/{i}")

        for name, path in SCHEMAS.items():
            self.assertEqual([], list(open_objects(json.loads(path.read_text()), name)))


class DocumentTest(unittest.TestCase):
    """A folder for inputs, and the checks that tests apply to a document."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def valid(self, document):
        """Checks a document that the code has written."""
        self.assertEqual([], faults(document))
        WRITTEN[name_of(document)].add(document)
        return document

    def page(self, file):
        """The data of a page."""
        self.valid(json.loads(re.search(r' id="data">(.*?)</script>', file.read_text(), re.DOTALL)[1]))

    def printed(self, *arguments, code=0):
        """Returns the document that a command prints. It must be valid, and the only output on stdout."""
        return self.valid(parsed(strata(*arguments, "--json", code=code)))

    def refused(self, document, name, *changes):
        """Each change, a function on a copy of a valid document, must make it invalid."""
        self.assertEqual(f"strata.{name}/1", document["schema"])
        self.assertEqual([], faults(document))
        for i, change in enumerate(changes):
            changed = copy.deepcopy(document)
            change(changed)
            self.assertNotEqual(document, changed, f"change {i} changes nothing")
            self.assertNotEqual([], faults(changed), f"change {i} is not refused")


class CommandsTest(DocumentTest):
    """Commands with a single input."""

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

    def test_topo(self):
        document = self.printed("topo", "ntw10e5")
        self.printed("topo", NODE)
        self.printed("topo", "--ibnetdiscover", "tests/platforms/data/infiniband/ibsim.ib")
        fat_tree = pathlib.Path("tests/benchmarks/fat-tree.yaml").read_text()
        strata("topo", "--ibnetdiscover", "tests/platforms/data/infiniband/ibsim.ib", "--out", self.folder / "switches")
        for machine, key in (
            (self.write("fat-tree/machine.yaml", fat_tree).parent, "levels: [Switch]"),
            (self.folder / "switches", 'file: "fabric.txt"'),
            (pathlib.Path("platforms/data/theta"), "router: Aries"),
            (pathlib.Path("platforms/data/blue-waters"), "router: Gemini"),
        ):
            text = (machine / "machine.yaml").read_text()
            before, after = re.search(rf"(\n *|, |\{{){re.escape(key)}(\n|, |\}})", text).groups()
            separator = before if "\n" in before else ", "
            for routing in ("minimal", "spread"):
                copied = pathlib.Path(shutil.copytree(machine, self.folder / routing / machine.name))
                (copied / "machine.yaml").unlink()
                new = f"{before}{key}{separator}routing: {routing}{after}"
                (copied / "machine.yaml").write_text(text.replace(f"{before}{key}{after}", new))
                self.topo_without_branches(copied)
        self.refused(
            document,
            "topo",
            lambda d: d["tree"].update(type="Rack"),
            lambda d: d["tree"]["children"][0].pop("cpuset"),
            lambda d: d["tree"]["children"][0]["children"][0].update(core=False),
            lambda d: d["costs"]["core"]["speed"].pop("source"),
            lambda d: d["costs"].update(mesh={}),
            lambda d: d.update(network={}),
        )

    def topo_without_branches(self, name):
        """Keeps only the first branch: a large machine's tree repeats the same parts."""
        machine = parsed(strata("topo", name, "--json"))
        node = machine["tree"]
        while node["children"]:
            node["children"] = node["children"][:1]
            node = node["children"][0]
        self.valid(machine)

    def test_merge(self):
        shards = []
        for i in (1, 2):
            document = self.printed("check", "nodecart", "--quick", "--shard", f"{i}/2")
            shards.append(self.write(f"{i}.json", json.dumps(document)))
        self.assertEqual("holds", self.printed("submit", "merge", *shards)["verdict"])

    def test_machines(self):
        document = self.printed("machines")
        networks = {kind for machine in document["machines"] for kind in machine.get("network", {})}
        self.assertEqual({"dragonfly", "torus"}, networks)
        self.refused(
            document,
            "machines",
            lambda d: d.update(machines=[]),
            lambda d: d["machines"][0].update(hash="0"),
            lambda d: d["machines"][0]["costs"]["eager_limit"].update(value="8192"),
        )

    def test_calibrate(self):
        samples = self.write(
            "samples.csv",
            "# strata probe 1\n# place 0 0 0\n# place 1 0 2\noperation,level,bytes,at_once,sample,value\n"
            + "".join(f"ping_pong,L3,{n},1,{k},{1e-6 + k * 1e-9 + n * 1e-10}\n" for n in (0, 8, 1024, 65536) for k in (0, 1))
            + "".join(f"ring,,{n},2,0,{2e-6 + n * 1e-10}\n" for n in (8, 1024)),
        )
        out = self.folder / "machine"
        options = ("--node", NODE, "--probe", samples, "--out", out)
        document = self.printed("calibrate", *options)
        self.assertEqual(document, json.loads((out / "calibration.json").read_text()))
        self.assertEqual(["sendrecv"], [p["operation"] for p in document["predicted"]])
        self.assertIn(("L3", "latency"), [(f["level"], f["figure"]) for f in document["loop"]])
        alone = self.printed("calibrate", *options, "--no-simulation")
        self.assertEqual(([], []), (alone["loop"], alone["predicted"]))
        self.refused(
            document,
            "calibrate",
            lambda d: d.pop("loop"),
            lambda d: d["figures"][0].update(source="guessed"),
            lambda d: d["loop"][0].update(within="yes"),
            lambda d: d["predicted"][0].update(median_error=0.5),
            lambda d: d["predicted"][0]["sizes"][0].pop("predicted"),
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
        trace = self.write("app.strace", "")
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

    def test_replay(self):
        trace = self.folder / "pairs.strace"
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "pairs", 1000)
        document = self.printed("replay", trace, "--per-rank")
        self.assertEqual(12, len(document["ended"]))
        self.printed("replay", trace, "--machine", "theta", "--map-by", "node")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", WAITS, "phases")
        self.printed("replay", trace, "--critical-path")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "synchronous", 3)
        self.printed("replay", trace, "--critical-path")
        strata("exec", "--machine", "ntw10e5", "-n", 12, "--no-summary", "--record", trace, "--", GUEST, "collectives", 100)
        analysed = self.printed("replay", trace, "--critical-path", "--sensitivity")
        self.refused(
            analysed,
            "replay",
            lambda d: d["critical_path"].pop("by_level"),
            lambda d: d["critical_path"]["by_kind"].update(idling=1),
            lambda d: d["critical_path"]["pieces"][0].update(kind="idling"),
            lambda d: d["slack"].pop("unawaited"),
            lambda d: d["slack"]["histogram"][0].update(messages=-1),
            lambda d: d["sensitivity"][0].update(kink="no"),
            lambda d: d["sensitivity"][0].pop("figure"),
        )
        self.refused(
            document,
            "replay",
            lambda d: d.pop("machine"),
            lambda d: d.update(ranks=0),
            lambda d: d["simulated_time"].update(unit="us"),
            lambda d: d.update(order_may_differ="MPI_Wtime"),
            lambda d: d.update(seconds=1),
        )

    def test_timeline(self):
        kept = self.folder / "run.json"
        program = ("--machine", "ntw10e5", "-n", 12, "--no-summary", "--timeline", kept)
        strata("exec", *program, "--", GUEST, "pairs", 1000)
        self.valid(json.loads(kept.read_text()))
        strata("exec", *program, "--timeline-messages", "--timeline-ranks", "0-3,6-9", "--", GUEST, "pairs", 1000)
        document = self.valid(json.loads(kept.read_text()))
        kinds = {event["ph"] for event in document["traceEvents"]}
        self.assertEqual(set("MBEsfC"), kinds)

        def first(kind):
            return next(i for i, event in enumerate(document["traceEvents"]) if event["ph"] == kind)

        begin, arrow, counter = first("B"), first("f"), first("C")
        self.refused(
            document,
            "timeline",
            lambda d: d.pop("displayTimeUnit"),
            lambda d: d["traceEvents"][begin].update(ts="0"),
            lambda d: d["traceEvents"][begin].update(cat="io"),
            lambda d: d["traceEvents"][begin].update(tid=0),
            lambda d: d["traceEvents"][begin].update(ph="X"),
            lambda d: d["traceEvents"][arrow].pop("id"),
            lambda d: d["traceEvents"][counter]["args"].clear(),
        )

    def test_exec(self):
        """The document is written to a file, because stdout belongs to the program."""
        kept = self.write("exec.json", "")
        for more in (
            [],
            ["--reorder", "treematch"],
            ["--repeat", 2],
            ["--compute", "measured", "--host-speed", "1 Gflop/s"],
        ):
            strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", kept, *more, "--", GUEST, "pairs", 1000)
            self.valid(parsed(pathlib.Path(kept).read_text()))
        for program in REAL:  # with a real MPI library
            strata("exec", "--machine", "ntw10e5", "-n", 3, "--json", kept, "--", program, "where")
            self.valid(parsed(pathlib.Path(kept).read_text()))
        for program in ([GUEST, "pairs", 1000], [WAITS, "late_receiver"], [WAITS, "mix"]):
            strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", kept, "--critical-path", "--", *program)
            document = self.valid(parsed(pathlib.Path(kept).read_text()))
        strata("exec", "--machine", "ntw10e5", "-n", 2, "--json", kept, "--", GUEST, "deadlock", code=3)
        failed = self.valid(parsed(pathlib.Path(kept).read_text()))
        self.assertIn("rank 0 waits in MPI_Recv", failed["failure"])
        self.refused(
            document,
            "exec",
            lambda d: d.update(compute="guessed"),
            lambda d: d["simulated_time"].update(unit="ms"),
            lambda d: d["levels"][0].update(messages=-1),
            lambda d: d["time"].pop("waiting"),
            lambda d: d.update(exit_code=256),
            lambda d: d["critical_path"].pop("last_rank"),
            lambda d: d["critical_path"]["pieces"][0].update(kind="idle"),
            lambda d: d["late"]["seconds"].pop("unknown"),
            lambda d: d["phases"].clear(),
        )

    def test_compare(self):
        kept = [self.write("base.json", ""), self.write("new.json", "")]
        measured = ["--compute", "measured", "--host-speed", "1 Gflop/s", "--repeat", 5]
        for more in ([], measured):
            for file, length in zip(kept, (1000, 2000)):
                strata("exec", "--machine", "ntw10e5", "-n", 12, "--json", file, *more, "--", GUEST, "pairs", length)
            document = self.printed("compare", *kept, "--force", code=1)
        tested = [d for d in document["differences"] if "test" in d]
        self.assertIn("simulated_time", [d["metric"] for d in tested])
        self.assertEqual("arguments", document["forced"][0]["fact"])
        self.assertEqual("equal", self.printed("compare", kept[0], kept[0])["verdict"])
        dense = self.write("dense.mat", "0 1\n0 0\n")
        self.printed("compare", dense, self.write("more.mat", "0 2\n3 0\n"), code=1)
        self.refused(
            document,
            "compare",
            lambda d: d.update(kind="fit"),
            lambda d: d.update(verdict="worse"),
            lambda d: d["counts"].pop("new"),
            lambda d: d["differences"][0].update(base=[1]),
            lambda d: d["differences"][0].update(better="most"),
            lambda d: d["differences"][0].pop("relative"),
            lambda d: d.update(level=0),
        )

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


class ProfileTest(DocumentTest):
    """The profile that the simulator writes for `strata exec`; //tests/records writes the same text."""

    def test_profile(self):
        self.refused(
            self.valid(json.loads(pathlib.Path("tests/records/golden/profile.json").read_text())),
            "profile",
            lambda d: d["simulated_time"].update(unit="ms"),
            lambda d: d["waiting"].__setitem__(0, -1),
            lambda d: d["waiting"].__setitem__(0, None),
            lambda d: d["calls"][0].pop("waiting"),
            lambda d: d["calls"][0].update(call="PMPI_Send"),
            lambda d: d["endings"][0].update(how="crash"),
        )


class PageTest(DocumentTest):
    """The data of reports; //tests/analysis/page shows them in a browser."""

    def test_pages(self):
        subprocess.run([PAGES, self.folder], check=True, stdout=subprocess.DEVNULL)
        for name in ("study", "beside", "bare", "program", "full", "large"):
            with self.subTest(name):
                self.page(self.folder / f"{name}.html")

    def test_pages_of_runs(self):
        page = self.folder / "page.html"
        torus = ("--machine", "blue-waters", "--map-by", "node")
        for machine, program in ((("--machine", "ntw10e5"), [WAITS, "mix"]), (torus, [GUEST, "pairs", 1000])):
            strata("exec", *machine, "-n", 12, "--no-summary", "--report", page, "--", *program)
            self.page(page)


class ResultsTest(DocumentTest):
    """Records and manifests of small runs, and `strata check` of them."""

    SCENARIO = """schema: strata.scenario/1
name: small
title: a broadcast on two nodes
machine: {xml: NODE, nodes: 2}
program: collective
ranks: 30
sweep:
  algorithm: [linear, chain]
  variant: [native, hierarchical]
  elements: [0, 1000]
metric: {name: time, unit: s}
derived:
  - {name: gain, title: "native / hierarchical", axis: variant, over: native, under: hierarchical}
models: {hockney: 0.02, loggp: 0.02}
plots:
  - {name: time, title: time, x: elements, y: time, series: [algorithm, variant], log_y: false}
  - {name: map, title: gain, x: elements, y: algorithm, heat: gain}
claims:
  - {id: high, paper: none, text: it gains, quantity: gain, over: max, where: {elements: [0, 1000]}, value: 1e9, factor: 2,
     missing: paper}
  - {id: low, paper: none, text: it is fast, quantity: time, over: min, value: 1, relation: at_most, note: a note}
traffic: messages
traces: true
"""

    def run_scenario(self, text, *options):
        scenario = self.write("scenario.yaml", text.replace("NODE", os.path.abspath(NODE)))
        out = self.folder / "out"
        strata("run", scenario, "--out", out, *options)
        manifest = self.valid(json.loads((out / "manifest.json").read_text()))
        records = [self.valid(json.loads(line)) for line in (out / "records.jsonl").read_text().splitlines()]
        return out, manifest, records

    def test_run_and_check(self):
        out, manifest, records = self.run_scenario(self.SCENARIO)
        self.assertEqual(8, len(records))
        self.refused(
            records[0],
            "record",
            lambda r: r.pop("unit"),
            lambda r: r.update(value=None),
            lambda r: r.update(point=-1),
            lambda r: r.update(parameters=[]),
            lambda r: r.update(time="now"),
        )
        self.refused(
            manifest,
            "manifest",
            lambda m: m.update(end="later"),
            lambda m: m["versions"].pop("simgrid"),
            lambda m: m["study"]["claims"][0].update(over="median"),
            lambda m: m["study"]["claims"][0].update(missing="time"),
            lambda m: m["study"]["sweep"][0].pop("values"),
            lambda m: m["study"].update(shim=False),
            lambda m: m["study"].update(colour="red"),
        )
        manifest["end"] = ""  # a run that has not ended
        self.assertEqual([], faults(manifest))

        document = self.printed("check", out, code=1)
        self.assertEqual(["model", "model", "claim", "claim"], [c["kind"] for c in document["scenarios"][0]["checks"]])
        expected = copy.deepcopy(document)
        expected["scenarios"][0]["checks"][0]["name"] = "another"
        missing = self.printed("check", out, "--expect", self.write("expected.json", json.dumps(expected)), code=1)
        self.assertIn("missing", [c["verdict"] for c in missing["scenarios"][0]["checks"]])
        uncovered = copy.deepcopy(document)
        uncovered["scenarios"][0]["checks"][0]["verdict"] = "not covered"
        uncovered["verdict"] = uncovered["scenarios"][0]["verdict"] = "not covered"
        self.assertEqual([], faults(uncovered))
        self.refused(
            missing,
            "check",
            lambda d: d["scenarios"][0].update(verdict="unknown"),
            lambda d: d["scenarios"][0].update(checks=[]),
            lambda d: d["scenarios"][0]["checks"][0].update(kind="plot"),
        )

    def test_cases_and_a_reference(self):
        _, manifest, _ = self.run_scenario("""schema: strata.scenario/1
name: overlap
title: a reduction beside a computation
machine: {xml: NODE, nodes: 1}
program: nbc
ranks: 22
arguments: [--collective, ireduce, --bytes, 4000]
sweep:
  steps: [0, 1]
  where: {near: {progress: numa}, bound: {progress: bind}}
metric: {name: time, unit: s}
also: [{name: blocking, unit: s}]
derived: [{name: gain, metric: blocking, axis: steps, over: 0, under: 1}]
reference: {ranks: all, metric: work, option: work}
""")
        self.assertIn("reference", manifest)
        self.assertIn("cases", manifest["study"]["sweep"][1])

    def test_patterns_a_build_and_a_folder(self):
        os.environ["STRATA_CACHE"] = str(self.folder / "cache")  # used by the compilers
        _, manifest, records = self.run_scenario("""schema: strata.scenario/1
name: patterns
title: a number read twice
machine: {xml: NODE, nodes: 1}
program: collective
build: "true"
folder: .
ranks: 2
arguments: [--variant, "{how}"]
sweep: {algorithm: [linear], how: [native], elements: [1]}
metric: {name: again, pattern: '"time","value":([^,]+)', unit: s}
also: [{name: time, unit: s}, {name: simulated_time, unit: s}, {name: more, pattern: '"value":(.*?),', unit: s}]
""")
        self.assertEqual(["time", "again", "simulated_time", "more"], [r["metric"] for r in records])
        self.assertEqual(records[0]["value"], records[1]["value"])
        self.refused(
            manifest,
            "manifest",
            lambda m: m["study"].update(pattern=1),
            lambda m: m["study"].update(build=["true"]),
            lambda m: m["study"].update(folder=None),
            lambda m: m["study"]["also"][2].update(pattern=[]),
        )

    def test_shards_of_replays(self):
        out, manifest, _ = self.run_scenario("""schema: strata.scenario/1
name: replays
title: a broadcast on two of four nodes
machine: {xml: NODE, nodes: 4}
allocation: random:1
program: collective
ranks: 40
engine: replay
what_if: [{figure: core.copy_bandwidth, times: "{copies}", source: "assumed: another memory"}]
sweep:
  algorithm: [linear, chain]
  elements: [1, 10]
  copies: [0.5, 1]
metric: {name: simulated_time, unit: s}
plots: [{name: time, title: time, x: elements, y: simulated_time, series: [algorithm], band: copies}]
claims: [{id: best, paper: none, text: "it is best there", quantity: simulated_time, over: argmin, axis: elements, value: 1, factor: 2}]
""", "--shard", "1/1")
        self.assertEqual(1, manifest["shard"]["of"])
        strata("report", out, "--report", self.folder / "page.html")
        self.page(self.folder / "page.html")

    def test_rates_of_links(self):
        out, _, _ = self.run_scenario(self.SCENARIO.replace("traffic: messages", "traffic: 1 us"))
        strata("report", out, "--report", self.folder / "page.html")
        self.page(self.folder / "page.html")
        (out / "traffic/point-0/links.csv").unlink()
        strata("report", out, "--report", self.folder / "page.html", "--point", 0)
        self.page(self.folder / "page.html")
        strata("replay", "timeline", out, "--point", 7, "--out", self.folder / "timeline.json")
        self.valid(json.loads((self.folder / "timeline.json").read_text()))

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_submission(self):
        scenario = self.write("scenario.yaml", self.SCENARIO.replace("NODE", os.path.abspath(NODE)))
        out, hosts = self.folder / "shards", self.write("hosts", ":\n")
        strata("submit", scenario, "--with", "parallel", "--hosts", hosts, "--shards", 2, "--out", out)
        self.valid(json.loads((out / "submission.json").read_text()))
        self.printed("submit", "status", out)

    def test_what_a_program_varies(self):
        _, manifest, records = self.run_scenario("""schema: strata.scenario/1
name: counters
title: what a counter sees
machine: {xml: NODE, nodes: 2}
program: counters
arguments: [--seconds, 1, --period, 0.01]
ranks: 2
mapping: {map_by: node}
varies: [source, time]
metric: {name: amount, unit: kB}
""")
        self.assertEqual(["source", "time"], manifest["study"]["varies"])
        self.assertIn("time", records[0]["parameters"])


class CheckTest(DocumentTest):
    """`strata check` of areas and programs."""

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
            lambda d: d["programs"][0].update(verdict="violated"),
            lambda d: d["programs"][0].update(buffering="some"),
            lambda d: d["programs"][0]["counter_example"]["steps"][0].pop("rank"),
        )
        replayed = {**check, "verdict": "deadlock", "key": "k", "message": "m", "steps": [step]}
        replayed.update({"stdout": "", "stderr": ""})
        self.refused(replayed, "check", lambda d: d.pop("stderr"), lambda d: d.update(property="p"))


class WrittenFieldsTest(unittest.TestCase):
    """What the tests above have written, against the schemas, field by field. unittest runs classes in the order of their names."""

    # Checked against the tables that they are made from, in tests/platforms, tests/scenarios and tests/campaign.
    GENERATED = {"machine", "scenario", "site"}
    OTHERS = {
        "check.schema.json#/definitions/program": "written with SimGrid's model checker, which may not be installed",
        "exec.schema.json#/definitions/by_kind/properties/waiting": "no program here waits without a known cause",
        "replay.schema.json#/definitions/by_kind/properties/waiting": "no program here waits without a known cause",
        "exec.schema.json#/properties/repeats/properties/times": "documents of earlier versions do not have it",
    }

    def test_every_field_is_written_and_required_if_always_written(self):
        unwritten = {"status", "submission"} if shutil.which("parallel") is None else set()
        self.assertLess(self.GENERATED | unwritten, set(WRITTEN))
        found = [d for name in set(WRITTEN) - self.GENERATED - unwritten for d in WRITTEN[name].differences()]
        known = {other: [d for d in found if d.startswith(other)] for other in self.OTHERS}
        self.assertEqual([], [other for other, differences in known.items() if not differences], "no longer differ")
        unknown = sorted(set(found).difference(*known.values()))
        self.assertEqual([], unknown, "\n".join(unknown))


if __name__ == "__main__":
    sys.exit(unittest.main())
