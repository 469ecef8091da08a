# SPDX-License-Identifier: LGPL-2.1-only
"""Reads the results of PICO (HLC-Lab/pico): times of collectives of named algorithms, one rank on each node.

A calibration needs messages, and the results have none. On n = 2^k nodes, an allgather by recursive doubling of S bytes in
all sends messages of S / n, 2 S / n, ..., S / 2, one after the other. As far as a message's time is linear in its size, the
k-th part of the allgather's time is that of a message of their mean size: of 3 S / 8 on four nodes.

An allreduce by recursive doubling sends S and adds S in each of its k steps. What the k-th part of its time is longer than a
message of S is the time to add S bytes.
"""
import io
import statistics
import subprocess
import tarfile

import yaml

ELEMENT = 4  # B: all tests are of int32, and the sizes in names of files are numbers of elements
PARTS = 4  # of the iterations, so that the spread of their medians shows


def iterations(folder, system, job, test=0):
    """Returns {(elements, algorithm): [us of the slowest rank]} of a test of a job."""
    blob = subprocess.run(["git", "-C", folder, "show", f"HEAD:results/{system}/{job}.tar.gz"], check=True, stdout=subprocess.PIPE).stdout
    found = {}
    with tarfile.open(fileobj=io.BytesIO(blob)) as archive:
        for member in archive:
            _, _, name = member.name.partition(f"{job}/{test}/")
            if name.endswith("_int32.csv"):
                count, _, algorithm = name.removesuffix("_int32.csv").partition("_")
                lines = archive.extractfile(member).read().decode().splitlines()[1:]  # the first line is a title
                found[int(count), algorithm] = [float(line) / 1000 for line in lines if not line.startswith("Average")]  # ns
    return found


def messages(of_count, nodes):
    """Returns osu_latency's outputs for {elements: us of allgathers by recursive doubling}, one for each part of the
    iterations."""
    steps = nodes.bit_length() - 1
    texts = []
    for part in range(PARTS):
        rows = []
        for count, times in sorted(of_count.items()):
            chosen = times[part * len(times) // PARTS:(part + 1) * len(times) // PARTS]
            rows.append(f"{(nodes - 1) * ELEMENT * count // (nodes * steps)} {statistics.median(chosen) / steps:.4f}\n")
        texts.append("# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n" + "".join(rows))
    return texts


def message_us(machine, size):
    """Returns the time of a message on the outermost level of a calibrated machine."""
    level = yaml.safe_load((machine / "machine.yaml").read_text(encoding="utf-8"))["costs"]["levels"][0]
    for segment in level.get("segments", []):
        if size >= segment["from"]["value"]:
            level = segment
    assert (level["latency"]["unit"], level["bandwidth"]["unit"]) == ("us", "GB/s")
    return level["latency"]["value"] + size / level["bandwidth"]["value"] / 1000


def adding_ns(machine, of_count, nodes):
    """Returns the time to add a byte, from {elements: us of allreduces by recursive doubling}: the median over the sizes."""
    steps = nodes.bit_length() - 1
    sizes = {ELEMENT * count: statistics.median(times) / steps for count, times in of_count.items()}
    return statistics.median(1000 * max(0, time - message_us(machine, size)) / size for size, time in sizes.items())


def measured(times, implementation, names, case, counts):
    """Returns [(implementation, case, median us)] for {their name of an algorithm: ours}; case(algorithm, elements) returns
    None for sizes that are left out."""
    found = []
    for name, algorithm in names.items():
        for count in counts:
            if (count, name) in times and case(algorithm, count):
                found.append((implementation, case(algorithm, count), statistics.median(times[count, name])))
    return found
