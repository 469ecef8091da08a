# SPDX-License-Identifier: LGPL-2.1-only
"""Reads the results of PICO (HLC-Lab/pico): times of collectives of named algorithms, one rank on each node.

A calibration needs messages, and the results have none. On n = 2^k nodes, an allgather by recursive doubling of S bytes in
all sends messages of S / n, 2 S / n, ..., S / 2, one after the other. As far as a message's time is linear in its size, the
k-th part of the allgather's time is that of a message of their mean size: of 3 S / 8 on four nodes.
"""
import io
import statistics
import subprocess
import tarfile

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
                lines = archive.extractfile(member).read().decode().split()
                found[int(count), algorithm] = [float(line) / 1000 for line in lines[1:]]  # ns; the first line is a title
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


def measured(times, implementation, names, case, counts):
    """Returns [(implementation, case, median us)] for {their name of an algorithm: ours}; case(algorithm, elements) returns
    None for sizes that are left out."""
    found = []
    for name, algorithm in names.items():
        for count in counts:
            if (count, name) in times and case(algorithm, count):
                found.append((implementation, case(algorithm, count), statistics.median(times[count, name])))
    return found
