#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Runs each example script with the commands at its beginning, on results that the command makes here."""

import ast
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path[:0] = ["python", "tests/python"]

import skipping

TOP = pathlib.Path.cwd()
EXAMPLES = sorted((TOP / "python/examples").glob("*.py"))
# What each script must print for these results.
PRINTED = {
    "cartesian_meshes": ["nodecart  0.0  2.0  1.000", "cart      2.0  3.0  2.125"],
    "ci_guard": ["base -> new: equal"],
    "progress_threads": ["best: 51 ranks of 64 cores, 0 steps"],
    "reordering": ["before ", "after ", "bytes between nodes"],
    "what_if": ["binomial", "hierarchical", "gain"],
    "your_cluster": ["latency", "+- "],
    "your_node": ["NUMANode", "1048576 B, us"],
    "your_program": ["app on ntw10e5, 48 ranks", "MPI_Recv", "share of bytes"],
}


class ExamplesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        tools = cls.folder / "tools"
        tools.mkdir()
        cls.script(tools / "strata", f'exec "{TOP}/command/strata" "$@"')
        cls.script(tools / "lstopo", f'cp "{TOP}/platforms/data/ntw10e5/node.xml" "$3"')  # --of xml FILE
        cls.environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(TOP / "python"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "STRATA_CACHE": str(cls.folder / "cache"),
        }
        cls.inputs = cls.folder / "inputs"
        cls.inputs.mkdir()
        shutil.copy(TOP / "scenarios/examples/ring.c", cls.folder)
        cls.run_commands('eval "$(strata mpi --machine ntw10e5)"; mpicc -o inputs/app ring.c', cls.folder)
        (cls.inputs / "samples.csv").write_text(
            "# strata probe 1\n# place 0 0 0\n# place 1 0 2\noperation,level,bytes,at_once,sample,value\n"
            + "".join(f"ping_pong,NUMANode,{n},1,{k},{1e-6 + k * 1e-9 + n * 1e-10}\n" for n in (0, 8, 1024, 65536) for k in (0, 1))
        )

    @staticmethod
    def script(path, line):
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    @classmethod
    def run_commands(cls, commands, folder):
        run = subprocess.run(
            ["bash", "-euc", commands], cwd=folder, env=cls.environment, capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            raise AssertionError(f"{commands}\nexit code {run.returncode}\n{run.stdout}{run.stderr}")
        return run.stdout

    def test_every_example_is_here(self):
        self.assertEqual(set(PRINTED), {path.stem for path in EXAMPLES})

    def commands_of(self, path):
        lines = ast.get_docstring(ast.parse(path.read_text()), clean=False).splitlines()
        commands = textwrap.dedent("\n".join(line for line in lines if line.startswith("    ")))
        self.assertIn(f"python3 {path.name} ", commands, f"the head of {path.name} does not show how to start it")
        return commands

    def test_examples(self):
        for path in EXAMPLES:
            with self.subTest(path.name):
                folder = shutil.copytree(self.inputs, self.folder / path.stem)
                commands = self.commands_of(path).replace(f"python3 {path.name}", f'python3 "{path}"')
                printed = self.run_commands(commands, folder)
                for words in PRINTED[path.stem]:
                    self.assertIn(words, printed)

    def test_the_guard_fails_where_something_is_slower(self):
        guard = TOP / "python/examples/ci_guard.py"
        self.run_commands(
            "strata run quickstart --set elements=1 --out fast\n"
            "strata run quickstart --set elements=1 --set 'what_if.System - Cluster.latency=4x' --out slow\n"
            "! strata compare fast slow --force --json >slower.json\n"
            f"code=0; python3 '{guard}' slower.json >guard.txt || code=$?; [ $code -eq 1 ]; grep worse guard.txt",
            self.folder,
        )


if __name__ == "__main__":
    sys.exit(skipping.main())
