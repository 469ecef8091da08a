# SPDX-License-Identifier: LGPL-2.1-only
"""Changes to a machine that test suspected causes of errors: each function edits the costs of its machine.yaml."""

IN_NODE = ["NUMANode", "Package", "Machine"]


def busy_senders(costs):
    """A message keeps its sender busy for all of its latency, so none is left for the receiver. The assumed overhead is
    only a part of it."""
    for level in costs["levels"]:
        for figures in [level] + level.get("segments", []):
            figures["overhead"] = {**figures["latency"], "source": "assumed: all of the latency, to check a cause"}
            figures.pop("receive_overhead", None)


def busy_receivers(costs):
    """Taking a message keeps its receiver busy for as much of the latency as the overhead leaves: nothing is on the wire.
    Without evidence, the receive overhead is assumed to be as long as the overhead."""
    for level in costs["levels"]:
        for figures in [level] + level.get("segments", []):
            latency, overhead = figures["latency"], figures["overhead"]
            assert latency["unit"] == overhead["unit"]
            rest = max(0, latency["value"] - overhead["value"]) * (1 - 1e-6)
            figures["receive_overhead"] = {**latency, "value": rest, "source": "assumed: the rest of the latency, to check a cause"}


def short_overheads(costs):
    """A quarter of the overheads of both sides, which are assumed as a part of the latency."""
    for level in costs["levels"]:
        for figures in [level] + level.get("segments", []):
            for name in ("overhead", "receive_overhead"):
                if name in figures:
                    figures[name] = {**figures[name], "value": figures[name]["value"] / 4, "source": "assumed: a quarter, to check a cause"}


def free_receives(costs):
    """Taking a message costs nothing. No file measured it, so it is assumed to cost as much as sending."""
    for level in costs["levels"]:
        for figures in [level] + level.get("segments", []):
            figures.pop("receive_overhead", None)


def longer_eager_messages(costs):
    """Messages wait for their receiver from where the last protocol in the ping-pongs of the outermost level begins. No file
    measured the eager limit, so it is assumed."""
    last = next(level for level in costs["levels"] if level.get("segments"))["segments"][-1]["from"]
    costs["eager_limit"] = {**last, "source": "assumed: the last segment, to check a cause"}


def narrow_links(costs):
    """A quarter of the bandwidth between the parts of a node. The assumed bandwidth is a multiple of what one message
    gets."""
    for level in costs["levels"]:
        if level["level"] in IN_NODE:
            link = level["link_bandwidth"]
            level["link_bandwidth"] = {**link, "value": link["value"] / 4, "source": "assumed: a quarter, to check a cause"}


def caches_by_messages(costs):
    """The size of each message decides whether its data are in a cache, not what was touched since."""
    costs["memory"].pop("cached")


def shared_copies(costs):
    """Messages and copies at a quarter of their rate: the four cores of an L3 copy at once, and share what one of them
    gets alone. A core does not copy slower than a message flows, so both change."""
    for level in costs["levels"]:
        for figures in [level] + level.get("segments", []):
            if level["level"] not in ["L3", *IN_NODE]:
                continue
            for name in ("bandwidth", "send_copy", "receive_copy"):
                if name in figures:
                    figures[name] = {**figures[name], "value": figures[name]["value"] / 4, "source": "assumed: a quarter, to check a cause"}
