#!/usr/bin/env python3
"""Compares the cost of the Python package with the program: the same rows, measured alternately.

    build/python-venv/bin/python bench/python_package.py FILE.jsonl [--repeats 5]

Runs sosie.dedup() on an Arrow table of FILE's texts, and the program on FILE itself, on one thread,
and prints medians: CPU seconds, memory in addition to the table (for the program: all of its
memory), rows kept. Exits with 1 if the two keep different numbers of rows, or if the package takes
more than .8 of the program's CPU seconds, or more memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_OF_PROGRAM = 0.8
PROGRAM = Path(__file__).resolve().parents[1] / "build" / "release" / "sosie"

# Runs in a separate process, because the peak of a process cannot be reset.
IN_PYTHON = """
import json, resource, sys
import pyarrow.json
import sosie

def status(key):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime

options = pyarrow.json.ReadOptions(block_size=64 << 20)
table = pyarrow.json.read_json(sys.argv[1], read_options=options).select(["text"])
open("/proc/self/clear_refs", "w").write("5")  # forgets the peak so far
memory, before = status("VmRSS"), cpu()
result = sosie.dedup(table, threads=1)
print(json.dumps({"cpu": cpu() - before, "memory": status("VmHWM") - memory,
                  "kept": int(result.mask.sum())}))
"""


def by_package(path: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", IN_PYTHON, path], check=True, capture_output=True)
    return json.loads(done.stdout)


def by_program(path: str) -> dict[str, float]:
    with tempfile.NamedTemporaryFile() as file:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([PROGRAM, "dedup", path, "--threads", "1", "--quiet", "--stats", file.name],
                       check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        stats = json.loads(Path(file.name).read_text())
    return {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "memory": stats["peak_memory_bytes"], "kept": stats["kept"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    runs: dict[str, list[dict[str, float]]] = {"package": [], "program": []}
    for _ in range(args.repeats):
        runs["package"].append(by_package(args.file))
        runs["program"].append(by_program(args.file))
    median = {who: {key: statistics.median(run[key] for run in each) for key in each[0]}
              for who, each in runs.items()}
    print("| | CPU s | MiB | rows kept |\n|---|---|---|---|")
    for who, row in median.items():
        print(f"| {who} | {row['cpu']:.2f} | {row['memory'] / 2**20:.0f} | {row['kept']:.0f} |")
    package, program = median["package"], median["program"]
    print(f"\nCPU ratio {package['cpu'] / program['cpu']:.2f}")
    return int(package["kept"] != program["kept"] or package["memory"] > program["memory"]
               or package["cpu"] > MOST_OF_PROGRAM * program["cpu"])


if __name__ == "__main__":
    sys.exit(main())
