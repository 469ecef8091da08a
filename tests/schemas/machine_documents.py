# SPDX-License-Identifier: LGPL-2.1-only
"""Documents about machines: strata topo, machines, calibrate."""

import json
import pathlib
import re
import shutil

from documents import NODE, DocumentTest, parsed, strata


class MachinesTest(DocumentTest):
    def test_topo(self):
        document = self.printed("topo", "ntw10e5")
        self.printed("topo", NODE)
        copied = pathlib.Path(shutil.copytree("platforms/data/ntw10e5", self.folder / "ntw10e5"))
        text = (copied / "machine.yaml").read_text()
        (copied / "machine.yaml").unlink()
        of_cache = "    shared_cache_bandwidth: {value: 160, unit: GB/s, source: measured}\n    cached: buffers\n"
        (copied / "machine.yaml").write_text(text.replace("  memory:\n", "  memory:\n" + of_cache))
        self.assertNotIn("cached", document["costs"]["memory"])
        memory = self.printed("topo", copied)["costs"]["memory"]
        self.assertIn("shared_cache_bandwidth", memory)
        self.assertEqual(memory["cached"], "buffers")
        self.printed("topo", "--ibnetdiscover", "tests/platforms/data/infiniband/ibsim.ib")
        ntw10e5 = pathlib.Path(shutil.copytree("platforms/data/ntw10e5", self.folder / "ports"))
        text = (ntw10e5 / "machine.yaml").read_text()
        (ntw10e5 / "machine.yaml").unlink()
        figure = "{value: 5, unit: GB/s, source: measured}"
        others = "far_latency: {value: 1, unit: us, source: measured}, stripe_from: {value: 8, unit: KiB, source: measured}"
        for rule, more in (("nearest", ""), ("turns", f", {others}")):
            (ntw10e5 / "machine.yaml").write_text(
                re.sub(r"(?m)^network: \{(.*)\}$", rf"network: {{\1, ports: {{at: [Package 0, Package 1], rule: {rule}}}}}", text)
                .replace("\n  levels:\n", f"\n  ports: {{bandwidth: {figure}{more}}}\n  levels:\n")
            )
            self.topo_without_branches(ntw10e5)
        fat_tree = pathlib.Path("tests/benchmarks/fat-tree.yaml").read_text()
        strata("topo", "--ibnetdiscover", "tests/platforms/data/infiniband/ibsim.ib", "--out", self.folder / "switches")
        for machine, key in (
            (self.write("fat-tree/machine.yaml", fat_tree).parent, "levels: [Switch]"),
            (self.folder / "switches", 'file: "fabric.txt"'),
            (pathlib.Path("platforms/data/theta"), "router: Aries"),
            (pathlib.Path("platforms/data/blue-waters"), "router: Gemini"),
        ):
            text = (machine / "machine.yaml").read_text()
            for indent, overhead in ((6, "overhead:\n        value: 0.57"), (10, "overhead: {value: 0.57")):  # blue-waters
                of_receiver = "receive_overhead: {value: 0.1, unit: us, plus_minus: 0.01, source: measured}"
                text = text.replace(f"\n{' ' * indent}{overhead}", f"\n{' ' * indent}{of_receiver}\n{' ' * indent}{overhead}")
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
