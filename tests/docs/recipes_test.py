#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""The recipes of docs/compare.md on a small repository: scripts for CI systems, run as there, and `git bisect`.

The program sends messages around a ring. One commit makes them 2 % longer.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

RECIPES = pathlib.Path("docs/recipes").absolute()
STRATA = pathlib.Path("command/strata").absolute()
XSD = pathlib.Path("schemas/junit.xsd").absolute()
PROGRAM = """#include <mpi.h>
#define BYTES %d
static char out[BYTES], in[BYTES];
int main(int argc, char** argv) {
  int rank, size, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < 5; ++i)
    MPI_Sendrecv(out, BYTES, MPI_CHAR, (rank + 1) %% size, 0, in, BYTES, MPI_CHAR, (rank + size - 1) %% size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0; /* %s */
}
"""
BASE, SLOW = 1_000_000, 1_020_000  # bytes per message, long enough that the latency does not matter


class RecipesTest(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        self.addCleanup(shutil.rmtree, self.top)
        tools = self.top / "opt"
        tools.mkdir()
        (tools / "strata").write_text(f'#!/bin/sh\nexec "{STRATA}" "$@"\n')
        (tools / "strata").chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "HOME": str(self.top),
            "STRATA_CACHE": str(self.top / "cache"),
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.origin = self.top / "origin"
        self.origin.mkdir()
        self.git("init", "-q", "-b", "main")
        for name in ("measure.sh", "bisect.sh"):
            shutil.copy(RECIPES / name, self.origin)

    def git(self, *words):
        run = subprocess.run(["git", *words], cwd=self.origin, env=self.environment, capture_output=True, text=True)
        self.assertEqual(0, run.returncode, f"git {words}: {run.stderr}")
        return run.stdout

    def commit(self, length, note):
        (self.origin / "app.c").write_text(PROGRAM % (length, note))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", note)
        return self.git("rev-parse", "HEAD").strip()

    def clone(self, name):
        """Checks out a branch that is to be merged into main, as CI does."""
        folder = self.top / name
        self.git("clone", "-q", str(self.origin), str(folder))
        subprocess.run(["git", "checkout", "-q", "change"], cwd=folder, env=self.environment, check=True)
        return folder

    def shell(self, script, folder, **more):
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(words, cwd=folder, env={**self.environment, **more}, capture_output=True, text=True)

    def failures_in(self, file):
        subprocess.run(["xmllint", "--noout", "--schema", XSD, file], check=True, capture_output=True)
        cases = xml.etree.ElementTree.parse(file).getroot().iter("testcase")
        return sorted(case.get("name") for case in cases if case.find("failure") is not None)

    def branch(self, length):
        self.commit(BASE, "base")
        self.git("checkout", "-q", "-b", "change")
        self.commit(length, "change")

    def test_github_actions(self):
        workflow = yaml.safe_load((RECIPES / "github-actions.yml").read_text())
        steps = workflow["jobs"]["compare"]["steps"]
        self.assertEqual({"fetch-depth": 0}, steps[0]["with"])
        scripts = [step["run"] for step in steps if "run" in step]
        self.assertEqual(2, len(scripts))
        self.branch(SLOW)
        for length, code in ((SLOW, 1), (BASE, 0)):
            self.commit(length, f"length {length}")
            folder = self.clone(f"github-{length}")
            summary = folder / "summary.md"
            variables = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary)}
            measured = self.shell(scripts[0], folder, **variables)
            self.assertEqual(0, measured.returncode, measured.stderr)
            compared = self.shell(scripts[1], folder, **variables)
            self.assertEqual(code, compared.returncode, compared.stderr)
            self.assertIn("FAILED: " if code else "passed: ", summary.read_text())
            slower = ["bytes", "bytes at System - Cluster", "simulated_time"]
            self.assertEqual(slower if code else [], self.failures_in(folder / "compare.xml"))

    def test_gitlab(self):
        job = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text())["performance"]
        self.assertEqual("compare.xml", job["artifacts"]["reports"]["junit"])
        self.branch(SLOW)
        folder = self.clone("gitlab")
        run = self.shell("\n".join(job["script"]), folder, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main")
        self.assertEqual(1, run.returncode, run.stderr)
        self.assertIn("worse  simulated_time", run.stdout)
        self.assertIn("simulated_time", self.failures_in(folder / "compare.xml"))

    def test_bisect(self):
        good = self.commit(BASE, "first")
        (self.origin / "app.c").write_text("this does not compile\n")
        self.git("commit", "-qam", "broken")
        broken = self.git("rev-parse", "HEAD").strip()
        for i in range(3):
            self.commit(BASE, f"before {i}")
        planted = self.commit(SLOW, "planted")
        for i in range(3):
            self.commit(SLOW, f"after {i}")
        scripts = self.top / "scripts"
        scripts.mkdir()
        for name in ("measure.sh", "bisect.sh"):
            shutil.copy(RECIPES / name, scripts)
        base = self.top / "base.json"
        self.git("checkout", "-q", good)
        measured = self.shell(f"{scripts}/measure.sh {base}", self.origin)
        self.assertEqual(0, measured.returncode, measured.stderr)
        self.assertGreater(json.loads(base.read_text())["simulated_time"]["value"], 1e-3)
        self.git("checkout", "-q", "-f", broken)
        self.assertEqual(125, self.shell(f"{scripts}/bisect.sh {base}", self.origin).returncode)
        self.git("checkout", "-q", "-f", "main")
        self.git("bisect", "start", "main", good)
        found = self.git("bisect", "run", f"{scripts}/bisect.sh", str(base))
        self.assertIn(f"{planted} is the first bad commit", found)


if __name__ == "__main__":
    sys.exit(unittest.main())
