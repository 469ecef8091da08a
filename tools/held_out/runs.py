# SPDX-License-Identifier: LGPL-2.1-only
"""Runs the strata command: calibrations, and simulations of the held-out measurements."""
import json
import os
import re
import subprocess

import yaml

from held_out.points import ROOT, Case, Figure

MICROSECOND = 1e6  # per second
REPETITIONS = 10  # with a barrier between them, which ranks leave at different times: enough for a steady mean


def strata(*words):
    """Returns the output of a strata command: this checkout's strata, or the one named by the environment variable
    STRATA."""
    return subprocess.run([os.environ.get("STRATA", ROOT / "strata"), *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


def commit_of(folder):
    return subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def calibrate(out, node, nodes, files, simulate=False):
    """Calibrates a machine in folder `out` from [(option, level or "", name, text)], and keeps the files beside it.

    simulate: also run the probe and the held-out part of the files on that machine; results are in calibration.json.
    """
    data = out / "files"
    data.mkdir(parents=True, exist_ok=True)
    words = []
    for option, level, name, text in files:
        (data / name).write_text(text, encoding="utf-8")
        words += [f"--{option}", (f"{level}=" if level else "") + str(data / name)]
    strata("calibrate", "--node", node, "--nodes", nodes, "--name", out.name, *words, *([] if simulate else ["--no-simulation"]), "--out", out)
    return out


def predictions_of(machine):
    """Returns [(operation, level, ranks, bytes, measured us, predicted us)] of a calibration with simulations."""
    document = json.loads((machine / "calibration.json").read_text(encoding="utf-8"))
    return [(one["operation"], one["level"], one["ranks"], int(size["bytes"]), size["measured"] * MICROSECOND, size["predicted"] * MICROSECOND)
            for one in document["predicted"] for size in one["sizes"]]


def loop_of(machine):
    """On the simulated machine, how many figures the probe finds within their intervals, and the number of figures."""
    loop = json.loads((machine / "calibration.json").read_text(encoding="utf-8"))["loop"]
    known = [figure["within"] for figure in loop if figure["within"] is not None]
    return sum(known), len(known)


def figures_of(machine):
    """Returns the measured figures of a machine, those of segments after their level's own."""
    costs = yaml.safe_load((machine / "machine.yaml").read_text(encoding="utf-8"))["costs"]
    found = []

    def add(level, figures, suffix=""):
        for name, figure in figures.items():
            if isinstance(figure, dict) and str(figure.get("source", "")).startswith("measured"):
                source = figure["source"][len("measured: "):]
                if "plus_minus" in figure:
                    source += f", +- {figure['plus_minus']} {figure['unit']}"
                found.append(Figure(level, name + suffix, f"{figure['value']} {figure['unit']}", source))

    for level in ("core", "memory"):
        add(level, costs.get(level, {}))
    for level in costs["levels"]:
        add(level["level"], level)
        for segment in level.get("segments", []):
            add(level["level"], {k: v for k, v in segment.items() if k != "from"}, f" from {segment['from']['value']} B")
    return found


def changed(machine, out, change, network=None):
    """Writes the machine with changed figures, to test a cause. change(costs) edits the costs of its machine.yaml. network:
    replaces its network."""
    document = yaml.safe_load((machine / "machine.yaml").read_text(encoding="utf-8"))
    change(document["costs"])
    document["network"] = network or document["network"]
    out.mkdir(parents=True, exist_ok=True)
    (out / "machine.yaml").write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    (out / "node.xml").write_bytes((machine / "node.xml").read_bytes())
    return out


def node_of(description, file):
    """Writes the hwloc XML of a node that lstopo's synthetic description names, such as "pack:2 core:8 pu:1"."""
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["lstopo-no-graphics", "-i", description, "--of", "xml", "--force", file], check=True, stderr=subprocess.DEVNULL)
    return file


def simulate(folder, name, machine, lines):
    """Runs a scenario of these lines on `machine` in folder/name. Yields (parameters, value) of each point's time."""
    folder.mkdir(parents=True, exist_ok=True)
    scenario, out = folder / f"{name}.yaml", folder / name
    head = ["schema: strata.scenario/1", f"name: {name}", f"title: {name}", f"machine: {machine / 'machine.yaml'}"]
    scenario.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    strata("run", scenario, "--out", out, "--resume")
    for line in (out / "records.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["metric"] == "time":
            yield record["parameters"], record["value"]


def predict(machine, cases, folder, mapping="core", repetitions=1, options=()):
    """Returns {case: us} on `machine`, simulated by program `repeated` as in strata calibrate. options: added to its
    arguments."""
    groups = {}  # cases with equal operation and algorithm, and numbers of ranks that have the same sizes
    for operation, algorithm in sorted({(c.operation, c.algorithm) for c in cases}):
        sizes = {}
        for case in cases:
            if (case.operation, case.algorithm) == (operation, algorithm):
                sizes.setdefault(case.ranks, set()).add(case.bytes)
        for ranks, of_ranks in sizes.items():
            groups.setdefault((operation, algorithm, tuple(sorted(of_ranks))), []).append(ranks)
    times = {}
    for number, ((operation, algorithm, sizes), ranks) in enumerate(sorted(groups.items())):
        name = re.sub("[^a-z0-9]+", "-", f"{folder.name}-{operation}-{algorithm}-{number}".lower())
        arguments = ["--operation", operation, "--algorithm", algorithm, "--repetitions", str(repetitions), "--warm-up", "1", *options]
        for given, seconds in simulate(folder, name, machine, [
                "program: repeated", f"arguments: [{', '.join(arguments)}]", f"mapping: {{map_by: {mapping}, bind_to: core}}", "sweep:",
                f"  ranks: {sorted(ranks)}", f"  bytes: {list(sizes)}", "metric: {name: time, unit: s}"
        ]):
            times[operation, algorithm, given["ranks"], given["bytes"]] = seconds * MICROSECOND
    return {c: times[c.operation, c.algorithm, c.ranks, c.bytes] for c in cases}


def predict_with_openmpi(machine, cases, folder, numbers, mapping="core", options=()):
    """Returns {case: us} on `machine`, of repeated.c with the Open MPI that is installed here, which runs in virtual time.

    numbers: {(operation, algorithm): value of coll_tuned_OPERATION_algorithm}; 0: Open MPI chooses. options: added to
    the program's arguments. Finished runs in `folder` are reused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "repeated"
    subprocess.run(["mpicc.openmpi", "-O2", "-o", program, ROOT / "tools/held_out/repeated.c"], check=True)
    times = {}
    for operation, algorithm, ranks in sorted({(c.operation, c.algorithm, c.ranks) for c in cases}):
        sizes = sorted(c.bytes for c in cases if (c.operation, c.algorithm, c.ranks) == (operation, algorithm, ranks))
        output = folder / f"{operation}-{algorithm}-{ranks}.txt"
        if not output.exists():
            number = numbers[operation, algorithm]
            forced = ["coll_tuned_use_dynamic_rules=1", f"coll_tuned_{operation}_algorithm={number}"] if number else []
            text = strata("exec", "--machine", machine / "machine.yaml", "-n", ranks, "--map-by", mapping, "--no-summary",
                          *[word for parameter in forced for word in ("-x", f"OMPI_MCA_{parameter}")],
                          "--", program, operation, REPETITIONS, ",".join(map(str, sizes)), *options)
            output.write_text(text, encoding="utf-8")
        for line in output.read_text(encoding="utf-8").splitlines():
            size, microseconds = line.split()
            times[Case(operation, algorithm, ranks, int(size))] = float(microseconds)
    return {c: times[c] for c in cases}


def predict_schedules(machine, cases, folder, mapping="core", figure="mean", adding_ns=0):
    """Returns the same as predict for the algorithms in schedules.c. figure: mean or slowest, over ranks. adding_ns: the
    time to add a byte, in reductions."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schedules.c").write_bytes((ROOT / "tools/held_out/schedules.c").read_bytes())
    adding = f', "{adding_ns:.4g}"' if adding_ns else ""
    times = {}
    for operation, algorithm, ranks in sorted({(c.operation, c.algorithm, c.ranks) for c in cases}):
        sizes = sorted(c.bytes for c in cases if (c.operation, c.algorithm, c.ranks) == (operation, algorithm, ranks))
        name = f"{folder.name}-{operation}-{algorithm}-{ranks}"
        for given, microseconds in simulate(folder, name, machine, [
                "build: mpicc -O2 -o schedules schedules.c", "program: ./schedules",
                f'arguments: [{operation}, {algorithm}, "{{bytes}}"{adding}]', f"ranks: {ranks}",
                f"mapping: {{map_by: {mapping}, bind_to: core}}", f"sweep: {{bytes: {sizes}}}",
                f"metric: {{name: time, pattern: '{figure} (\\S+) us', unit: us}}"
        ]):
            times[Case(operation, algorithm, ranks, given["bytes"])] = microseconds
    return {c: times[c] for c in cases}
