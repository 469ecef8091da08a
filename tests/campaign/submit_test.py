#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""strata submit with a real Slurm and a real GNU parallel on this computer. Nodes are drained, shards killed and
requeued, and still the results equal those of the unsharded run byte for byte. No process remains.

Slurm runs in a scratch folder, on free ports of localhost: munged, slurmctld, and two slurmd with one processor each.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import xml.sax.saxutils

import jsonschema

STRATA = os.path.abspath("command/strata")
STUDY = os.path.abspath("tests/campaign/study.yaml")
SCHEMAS = os.path.abspath("schemas")
LIMIT_S = 240  # the longest wait for anything, on a busy computer
# Daemons may not be on the user's PATH.
PATH = os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin"


def missing(*programs):
    """Returns the programs that are not installed."""
    return [p for p in programs if shutil.which(p, path=PATH) is None]


def wait_for(what, condition):
    """Waits until `condition` returns a true value, and returns it."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {LIMIT_S} s for {what}")


def read(path):
    try:
        return pathlib.Path(path).read_text()
    except FileNotFoundError:
        return ""


def processes():
    """Yields the number, command line and environment of all processes."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield int(folder.name), (folder / "cmdline").read_bytes().split(b"\0"), (folder / "environ").read_bytes()


def parent(pid):
    """Returns the number of a process's parent; 0 if the process has ended."""
    with contextlib.suppress(OSError):
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


class Scratch:
    """A test's folder. Its path marks the processes that the test starts."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="strata-submit."))  # a short path, because it contains sockets
        (self.path / "tmp").mkdir()

    def environment(self, **more):
        return {**os.environ, "PATH": PATH, "TMPDIR": str(self.path / "tmp"), "STRATA_SCRATCH": str(self.path), "LC_ALL": "C", **more}

    def own(self):
        """Returns the number and command line of our remaining processes."""
        mark = str(self.path).encode()
        return [(pid, b" ".join(words)) for pid, words, environment in processes()
                if (mark in environment or mark in b" ".join(words)) and pid != os.getpid()]

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Slurm:
    """A cluster with nodes n1 and n2 on this computer."""

    def __init__(self, scratch):
        self.folder = scratch.path / "slurm"
        (self.folder / "state").mkdir(parents=True)
        ports = [socket.socket() for _ in range(3)]
        for port in ports:
            port.bind(("127.0.0.1", 0))
        controller, first, second = (port.getsockname()[1] for port in ports)
        for port in ports:
            port.close()
        host, user, d = socket.gethostname(), subprocess.check_output(["id", "-un"], text=True).strip(), self.folder
        (d / "slurm.conf").write_text(f"""ClusterName=strata
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={d}/munge.sock
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool-%n
SlurmctldLogFile={d}/slurmctld.log
SlurmdLogFile={d}/slurmd-%n.log
SlurmctldPidFile={d}/slurmctld.pid
SlurmdPidFile={d}/slurmd-%n.pid
SlurmctldPort={controller}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 RealMemory=100
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 RealMemory=100
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=60 State=UP
""")
        key = d / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.environment = scratch.environment(SLURM_CONF=str(d / "slurm.conf"))
        self.run("munged", f"--key-file={key}", f"--socket={d}/munge.sock", f"--pid-file={d}/munged.pid",
                 f"--log-file={d}/munged.log", f"--seed-file={d}/seed", "--force")
        self.run("slurmctld", "-c")
        self.run("slurmd", "-N", "n1")
        self.run("slurmd", "-N", "n2")
        try:
            wait_for("two idle nodes", lambda: self.run("sinfo", "-h", "-o%D %t", check=False).split() == ["2", "idle"])
        except BaseException:
            self.stop()
            raise

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        if check and done.returncode != 0:
            raise OSError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def queue(self):
        """Returns the shards in the queue, such as {3: "RUNNING"}."""
        lines = self.run("squeue", "-h", "-r", "-o%K %T").splitlines()
        return {int(number): state for number, state in (line.split() for line in lines)}

    def stop(self):
        self.run("scancel", "--full", "--user", str(os.getuid()), check=False)
        self.run("scontrol", "shutdown", check=False)
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(read(self.folder / "munged.pid")), signal.SIGTERM)


class Submitted:
    """A running strata submit, whose output goes to files."""

    def __init__(self, out, environment, *arguments):
        self.err = tempfile.NamedTemporaryFile("w+", delete=False, dir=environment["TMPDIR"])
        self.out = tempfile.NamedTemporaryFile("w+", delete=False, dir=environment["TMPDIR"])
        self.process = subprocess.Popen([STRATA, "submit", STUDY, "--poll", "1", "--out", str(out), *arguments],
                                        stdout=self.out, stderr=self.err, env=environment)

    def said(self):
        return read(self.err.name)

    def __del__(self):
        if self.process.poll() is None:
            self.process.kill()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.end(130)

    def end(self, code=0):
        found = self.process.wait(timeout=LIMIT_S)
        if found != code:
            raise AssertionError(f"exit code {found}, not {code}: {self.said()}")
        return self.said()


class CampaignTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Scratch()
        cls.addClassCleanup(cls.scratch.remove)
        cls.reference = cls.scratch.path / "reference"
        subprocess.run([STRATA, "run", STUDY, "--out", str(cls.reference)], env=cls.scratch.environment(), check=True,
                       capture_output=True, timeout=LIMIT_S)

    def strata(self, *arguments, code=0, environment=None):
        done = subprocess.run([STRATA, *map(str, arguments)], env=environment or self.environment, capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
        self.assertEqual(code, done.returncode, done.stderr)
        return done

    def status(self, out):
        document = json.loads(self.strata("submit", "status", out, "--json").stdout)
        jsonschema.validate(document, json.loads(read(f"{SCHEMAS}/status.schema.json")))
        jsonschema.validate(json.loads(read(out / "submission.json")), json.loads(read(f"{SCHEMAS}/submission.schema.json")))
        return document

    def stopped(self, out, but=()):
        """Stops the strata process of a shard that has records but is not done. Returns the shard and the process."""
        shards = {pid: words for pid, words, _ in processes() if b"--shard" in words and str(out).encode() in b" ".join(words)}
        for pid, words in shards.items():
            # A process that strata has forked, but that has not yet become the simulator, has the same command line.
            if parent(pid) in shards:
                continue
            shard = int(words[words.index(b"--shard") + 1].split(b"/")[0])
            if shard in but or "\n" not in read(out / f"shards/{shard}/records.jsonl"):
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                if not json.loads(read(out / f"shards/{shard}/manifest.json"))["end"]:
                    return shard, pid
                os.kill(pid, signal.SIGCONT)
        return None

    def assert_as_unsharded(self, out):
        """The merged results equal those of the unsharded run, except for the times of day."""
        def content(folder):
            files = {}
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                name = str(path.relative_to(folder))
                if name.startswith("report/") or name == "seconds.csv":
                    continue
                files[name] = path.read_bytes()
            manifest = json.loads(files["manifest.json"])
            for key in ("start", "end", "command_line"):
                manifest.pop(key)
            files["manifest.json"] = manifest
            return files

        wanted, found = content(self.reference), content(out / "results")
        self.assertGreater(len(wanted), 50)
        self.assertEqual(sorted(wanted), sorted(found))
        for name, text in wanted.items():
            self.assertEqual(text, found[name], name)

    def assert_nothing_is_left(self):
        wait_for("the processes to end", lambda: not self.scratch.own())


class WithoutAClusterTest(CampaignTest):
    """What works without Slurm and GNU parallel."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = Scratch()
        cls.addClassCleanup(cls.scratch.remove)
        (cls.scratch.path / "empty").mkdir()
        # No external commands at all, and so none of Slurm's.
        cls.environment = cls.scratch.environment(PATH=str(cls.scratch.path / "empty"))

    def test_no_sbatch(self):
        out = self.scratch.path / "none"
        done = self.strata("submit", STUDY, "--shards", 2, "--out", out, code=2)
        self.assertRegex(done.stderr, r"\Astrata: sbatch and squeue: are not on the PATH.*--with parallel --hosts FILE.*--dry-run\n\Z")
        self.assertFalse(out.exists())

    def test_no_parallel(self):
        out, hosts = self.scratch.path / "no-parallel", self.scratch.path / "hosts"
        hosts.write_text(":\n")
        done = self.strata("submit", STUDY, "--with", "parallel", "--hosts", hosts, "--out", out, code=2)
        self.assertIn("parallel: is not on the PATH; install GNU parallel", done.stderr)

    def test_dry_run(self):
        site = self.scratch.path / "site.yaml"
        site.write_text("schema: strata.site/1\npartition: compute\nstaged: true\nprologue: [module load gcc]\n")
        out = self.scratch.path / "dry"
        done = self.strata("submit", STUDY, "--nodes", 5, "--site", site, "--time", "02:00:00", "--sbatch-args=--mem=4G",
                           "--out", out, "--dry-run")
        for line in ("#SBATCH --array=1-5", "#SBATCH --partition=compute", "#SBATCH --time=02:00:00", "#SBATCH --mem=4G",
                     "#SBATCH --exclusive", "module load gcc"):
            self.assertIn(line + "\n", done.stdout)
        subprocess.run(["/bin/bash", "-n"], input=done.stdout, text=True, check=True)
        self.assertFalse(out.exists())

    def refused(self, words, *arguments):
        done = self.strata("submit", *arguments, code=2)
        self.assertIn(words, done.stderr)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)

    def test_refusals(self):
        site = self.scratch.path / "wrong.yaml"
        site.write_text("schema: strata.site/1\ncpus: many\n")
        results = self.scratch.path / "results"
        results.mkdir()
        (results / "manifest.json").write_text("{}")
        self.refused("does not say into how many shards; give --shards N, for N jobs, or --nodes N", STUDY)
        self.refused("wrong.yaml:2: cpus: 'many' is not a whole number", STUDY, "--shards", 2, "--site", site)
        self.refused("--time: 'soon' is not a time limit of Slurm", STUDY, "--shards", 2, "--time", "soon")
        self.refused("--with: 'pbs' is not known; give slurm or parallel", STUDY, "--shards", 2, "--with", "pbs")
        self.refused("--with parallel: needs the computers to use; give --hosts FILE", STUDY, "--with", "parallel")
        self.refused("no-hosts: cannot be read", STUDY, "--with", "parallel", "--hosts", "no-hosts")
        self.refused("holds the results of strata run; choose another --out", STUDY, "--shards", 2, "--out", results)
        self.refused("program 'none': does not exist", STUDY, "--set", "program=none", "--shards", 2)
        done = self.strata("submit", "status", results, code=2)
        self.assertIn("is not a folder of strata submit; name one that has a submission.json", done.stderr)


NO_SLURM = missing("sbatch", "squeue", "slurmctld", "slurmd", "munged")


@unittest.skipIf(NO_SLURM, f"not here: {', '.join(NO_SLURM)}; install Debian's slurm-wlm and munge")
class SlurmTest(CampaignTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            cls.slurm = Slurm(cls.scratch)
        except (OSError, AssertionError, subprocess.SubprocessError) as error:
            raise unittest.SkipTest(f"Slurm does not start here: {error}") from error
        cls.addClassCleanup(cls.end_slurm)
        cls.environment = cls.slurm.environment

    def tearDown(self):
        """Empties the queue for the next test."""
        self.slurm.run("scancel", "--user", str(os.getuid()), check=False)
        self.slurm.run("scontrol", "update", "NodeName=n[1-2]", "State=resume", check=False)
        wait_for("an empty queue", lambda: not self.slurm.queue())

    @classmethod
    def end_slurm(cls):
        cls.slurm.stop()
        wait_for("Slurm to end", lambda: not cls.scratch.own())

    def test_drained_killed_and_requeued(self):
        out = self.scratch.path / "campaign"
        first = Submitted(out, self.environment, "--shards", "6")
        _, pid = wait_for("a shard with records", lambda: self.stopped(out))
        said = first.interrupt()
        os.kill(pid, signal.SIGCONT)
        self.assertRegex(said, r"interrupted; the jobs go on: `strata submit status \S+` shows them; `strata submit .*` continues\n\Z")
        self.assertEqual(6, len(self.slurm.queue()), "the jobs go on without strata submit")

        self.slurm.run("scontrol", "update", "NodeName=n1", "State=drain", "Reason=test")
        second = Submitted(out, self.environment)
        killed, pid = wait_for("a shard to kill", lambda: self.stopped(out))
        # Stop strata submit: when it submits the shard again, it would remove the state that the job has written.
        os.kill(second.process.pid, signal.SIGSTOP)
        os.kill(pid, signal.SIGKILL)
        wait_for("its job's word", lambda: "ended" in read(out / f"states/{killed}"))
        self.assertRegex(read(out / f"states/{killed}"), r"ended \d+ 137\n", read(out / f"logs/{killed}.log"))

        document = self.status(out)
        self.assertEqual((32, 6), (document["points"], len(document["shards"])))
        self.assertGreater(document["points_done"], 0)
        os.kill(second.process.pid, signal.SIGCONT)

        # Kill its script too, so that its end is not reported.
        vanished, pid = wait_for("another shard", lambda: self.stopped(out, but=(killed,)))
        for script, words, environment in processes():
            if any(word.endswith(b"slurm_script") for word in words) and f"SLURM_ARRAY_TASK_ID={vanished}\0".encode() in environment:
                os.kill(script, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

        self.slurm.run("scontrol", "update", "NodeName=n1", "State=resume")
        requeued, pid = wait_for("a third shard", lambda: self.stopped(out, but=(killed, vanished)))
        job = next(s["job"] for s in self.status(out)["shards"] if s["shard"] == requeued)
        before = read(out / f"states/{requeued}").splitlines()[0]
        self.slurm.run("scontrol", "requeue", job)
        os.kill(pid, signal.SIGCONT)

        def started_again():
            """Without the update, Slurm would wait two minutes before it starts a requeued job."""
            self.slurm.run("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)
            return read(out / f"states/{requeued}").splitlines()[:1] != [before]

        wait_for("it to start again", started_again)

        said = second.end()
        arrays = re.findall(r"strata: job \d+: shards (\S+)", first.said() + said)
        self.assertEqual("1-6", arrays[0])
        again = sorted(n for array in arrays[1:] for first, _, last in (part.partition("-") for part in array.split(","))
                       for n in range(int(first), int(last or first) + 1))
        self.assertEqual(sorted((killed, vanished)), again, "only the missing ones were submitted again")
        self.assert_as_unsharded(out)
        self.assertTrue((out / "results/report/report.md").exists())
        self.assertEqual({"missing": 0, "waiting": 0, "running": 0, "done": 6, "failed": 0}, self.status(out)["counts"])

        # Again with the same study: nothing is submitted. Another study is refused.
        self.assertNotIn("strata: job", Submitted(out, self.environment, "--shards", "6").end())
        done = self.strata("submit", STUDY, "--set", "elements=1", "--shards", 6, "--out", out, code=2)
        self.assertIn(f"holds another study, `{STUDY}`", done.stderr)
        done = self.strata("submit", STUDY, "--shards", 4, "--out", out, code=2)
        self.assertIn("holds 6 shards; give --shards 6, or choose another --out", done.stderr)

    def test_staged_and_cancelled(self):
        out = self.scratch.path / "staged folder"
        submitted = Submitted(out, self.environment, "--shards", "2", "--staged")
        wait_for("both to run", lambda: list(self.slurm.queue().values()) == ["RUNNING", "RUNNING"])
        tmp = self.scratch.path / "tmp"
        wait_for("points on the node", lambda: len([f for f in tmp.glob("strata-shard.*/results/records.jsonl") if read(f).count("\n") > 1]) == 2)
        self.assertFalse((out / "shards/1").exists(), "not in the shared folder")
        self.slurm.run("scancel", "--signal=TERM", "--batch", next(s["job"] for s in self.status(out)["shards"]))
        wait_for("the job's word", lambda: "ended" in read(out / "states/1"))
        self.assertRegex(read(out / "states/1"), r"ended \d+ 143\n")
        self.assertGreater(read(out / "shards/1/records.jsonl").count("\n"), 0, "its points were copied back")
        self.assertRegex(submitted.end(), r"strata: job \d+: shards 1\n")
        self.assert_as_unsharded(out)
        self.assertEqual([], list(tmp.glob("strata-shard.*")))

    def test_a_shard_that_fails_for_good(self):
        out, program = self.scratch.path / "fails", self.scratch.path / "program.so"
        program.write_text("not a program\n")
        submitted = Submitted(out, self.environment, "--set", f"program={program}", "--set", "elements=1", "--shards", "2")
        said = submitted.end(3)
        self.assertEqual(1, len(re.findall("strata: job", said)), "such a failure comes again")
        self.assertIn("shards 1, 2 of 2 are not done; shard 1: exit code 3: strata: ", said)
        self.assertIn(f"its log is {out}/logs/1.log", said)
        self.assertIn("failed", self.strata("submit", "status", out).stdout)

    def test_sbatch_refuses(self):
        done = self.strata("submit", STUDY, "--shards", 2, "--partition", "none", "--out", self.scratch.path / "refused", code=2)
        self.assertRegex(done.stderr, r"strata: sbatch: .*partition.*; correct --partition, --time, --sbatch-args or the site file\n\Z")


NO_PARALLEL = missing("parallel")


@unittest.skipIf(NO_PARALLEL, "not here: parallel; install Debian's parallel")
class ParallelTest(CampaignTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A replacement for ssh: runs the command here, in a session of its own and with SHELL set, as sshd does.
        ssh = cls.scratch.path / "ssh"
        ssh.write_text('#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done\nshift\nSHELL=/bin/bash setsid --wait bash -c "$*"\n')
        ssh.chmod(0o755)
        cls.hosts = cls.scratch.path / "hosts"
        cls.hosts.write_text("# two computers\n:\nnode7\n")
        cls.environment = cls.scratch.environment(PARALLEL_SSH=str(ssh), PARALLEL_HOME=str(cls.scratch.path / "parallel"),
                                                  HOME=str(cls.scratch.path))

    def test_interrupted_and_killed(self):
        out = self.scratch.path / "campaign of two"
        arguments = ("--with", "parallel", "--hosts", str(self.hosts), "--shards", "4", "--retries", "4")
        first = Submitted(out, self.environment, *arguments)
        killed, pid = wait_for("a shard with records", lambda: self.stopped(out))
        os.kill(pid, signal.SIGKILL)
        wait_for("its word", lambda: "ended" in read(out / f"states/{killed}"))
        _, pid = wait_for("another shard", lambda: self.stopped(out, but=(killed,)))
        os.kill(pid, signal.SIGCONT)
        self.assertGreater(self.status(out)["counts"]["running"], 0)
        self.assertRegex(first.interrupt(), "interrupted; finished points are kept; `strata submit .* --retries 4` continues")
        self.assert_nothing_is_left()
        counts = self.status(out)["counts"]
        self.assertEqual(0, counts["running"])
        self.assertLess(counts["done"], 4)
        Submitted(out, self.environment, *arguments).end()
        self.assert_as_unsharded(out)
        self.assertEqual(4, self.status(out)["counts"]["done"])
        self.assert_nothing_is_left()

    def test_a_host_that_does_not_answer(self):
        out, hosts, ssh = self.scratch.path / "away", self.scratch.path / "away.txt", self.scratch.path / "no-ssh"
        hosts.write_text("node8\n")
        ssh.write_text("#!/bin/sh\necho 'ssh: connect to host node8 port 22: No route to host' >&2\nexit 255\n")
        ssh.chmod(0o755)
        environment = {**self.environment, "PARALLEL_SSH": str(ssh)}
        said = Submitted(out, environment, "--set", "elements=1", "--with", "parallel", "--hosts", str(hosts), "--shards", "1",
                         "--retries", "1").end(3)
        self.assertEqual(2, said.count("shard 1 did not start"), said)
        self.assertIn("No route to host", said)
        self.assertIn("shards 1 of 1 are not done; shard 1: its job never started", said)


class Result(unittest.TextTestResult):
    """Also writes the XML that tools/test_summary counts, with the reasons for skipped tests."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.passed = []

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed.append(test)

    def write(self, path):
        quoted = xml.sax.saxutils.quoteattr
        cases = [f"<testcase name={quoted(test.id())}/>" for test in self.passed]
        cases += [f"<testcase name={quoted(test.id())} result=\"skipped\"><skipped message={quoted(why)}/></testcase>"
                  for test, why in self.skipped]
        cases += [f"<testcase name={quoted(test.id())}><failure message=\"failed\"/></testcase>"
                  for test, _ in self.failures + self.errors]
        pathlib.Path(path).write_text("<testsuites>\n" + "\n".join(cases) + "\n</testsuites>\n")


def main():
    loader = unittest.defaultTestLoader
    module = sys.modules[__name__]
    suite = loader.loadTestsFromNames(sys.argv[1:], module) if sys.argv[1:] else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(resultclass=Result, verbosity=2).run(suite)
    if "XML_OUTPUT_FILE" in os.environ:
        result.write(os.environ["XML_OUTPUT_FILE"])
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
