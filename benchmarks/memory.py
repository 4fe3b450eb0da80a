"""Memory while runs are written: with the store's own flushes, and without.

    python -m benchmarks.memory                 # 20,000 runs each way
    python -m benchmarks.memory --runs 100000   # until the difference hurts

Each way runs in a process of its own, on a store in a temporary folder, one insert of 38 quads a
run. RSS is what the operating system counts, the engine's tables and caches included.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypedDict

from pyoxigraph import Literal, NamedNode, Quad

from trustgraph_prov.namespaces import GRAPH_RETRIEVAL, TG
from trustgraph_prov.stores.oxigraph import FLUSH_AFTER, OxigraphStore

QUADS = 38
"""Quads of one run: an agent's question, four steps and an answer."""

TEXT = "The archive of the harbour office lists the ship under its later name, with her tonnage. "


class Sample(TypedDict):
    """One line of a child's output."""

    runs: int
    seconds: float
    rss: float


def main() -> None:
    """Print both ways side by side."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20_000, help="runs to write (20,000)")
    parser.add_argument("--samples", type=int, default=8, help="lines of the table (8)")
    parser.add_argument(
        "--flush-after", type=int, default=FLUSH_AFTER, help="quads between flushes"
    )
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    step = max(1, arguments.runs // arguments.samples)
    if arguments.child:
        write(Path(arguments.child), arguments.runs, step, arguments.flush_after)
        return
    print(f"{arguments.runs:,} runs of {QUADS} quads; flush each {arguments.flush_after:,} quads")
    print(f"{'runs':>9} {'with':>10} {'without':>10} {'ratio':>7} {'with':>8} {'without':>8}")
    never = arguments.runs * QUADS + 1
    ways = (measure(arguments, step, after) for after in (arguments.flush_after, never))
    for flushed, grown in zip_longest(*[list(way) for way in ways]):
        print(
            f"{flushed['runs']:>9,} {flushed['rss']:>7.0f} MB {grown['rss']:>7.0f} MB "
            f"{grown['rss'] / flushed['rss']:>6.1f}x {flushed['seconds']:>6.1f} s "
            f"{grown['seconds']:>6.1f} s"
        )


def measure(arguments: argparse.Namespace, step: int, flush_after: int) -> Iterator[Sample]:
    """Write all runs in a child process.

    Args:
        arguments: of the command line.
        step: runs between samples.
        flush_after: quads after which the store flushes itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", __spec__.name, "--child", folder]
        options = {"runs": arguments.runs, "flush-after": flush_after}
        command += [f"--{name}={value}" for name, value in options.items()]
        command += [f"--samples={arguments.samples}"]
        child = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        for line in child.stdout.splitlines():
            yield json.loads(line)


def write(folder: Path, runs: int, step: int, flush_after: int) -> None:
    """Write the runs and print a sample each `step` runs."""
    start = time.perf_counter()
    with OxigraphStore(folder / "store", flush_after=flush_after) as store:
        for number in range(1, runs + 1):
            store.insert(run(number))
            if number % step == 0:
                sample: Sample = {
                    "runs": number,
                    "seconds": time.perf_counter() - start,
                    "rss": rss() / 1e6,
                }
                print(json.dumps(sample), flush=True)


def run(number: int) -> list[Quad]:
    """The quads of one run, about as long as an agent's."""
    graph = NamedNode(GRAPH_RETRIEVAL)
    return [
        Quad(
            NamedNode(f"urn:trustgraph:agent:{number}/i{n // 8}"),
            NamedNode(f"{TG}property{n % 8}"),
            Literal(f"{number} {n} {TEXT if n % 4 == 0 else ''}"),
            graph,
        )
        for n in range(QUADS)
    ]


def rss() -> int:
    """Bytes of this process in memory now; its peak where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
