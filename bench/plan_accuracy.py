#!/usr/bin/env python3
"""Measures the accuracy of `sosie plan`: compares its prediction of a run with the run itself.

    plan_accuracy.py [--shingle words:5,chars:9] [--memory 4G,64M] FILE...

Runs `dedup` and `pairs` on each file with one worker and prints a Markdown table. Seconds are CPU
seconds; those of the run are multiplied by this processor's md5 speed relative to the one that
`plan` assumes, measured during each run. Files of .sets are not shingled. Exits with 1 if a figure
is off by more than a factor of 1.5; times of less than a tenth of a second, and rows and scratch
bytes that are zero in both cases, count as accurate.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import measure

HERE = Path(__file__).resolve().parent
MOST_APART = 1.5
LIMIT_SECONDS = 3600
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
LEAST_SECONDS = 0.1
MD5_BYTES = bytes(50_000_000)


@dataclass
class Figures:
    rows: float
    seconds: float
    memory: float
    scratch: float


def amount(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS[unit]


def planned(text: str, verb: str) -> tuple[Figures, float]:
    """The forecast of `plan` for a verb, and the md5 speed of its processor in MB/s."""
    rows = re.search(r"^rows +(?:about )?([0-9,]+) in", text, re.M)
    takes = re.search(rf"^{verb} takes +(less than )?([0-9.]+) s, (.*?) of memory, "
                      r"(?:no|(.*?) of) scratch$", text, re.M)
    md5 = re.search(r"computes md5 at ([0-9]+) MB/s", text)
    assert rows and takes and md5, text
    return Figures(float(rows[1].replace(",", "")), float(takes[2]), amount(takes[3]),
                   amount(takes[4]) if takes[4] else 0), float(md5[1])


def md5_rate() -> float:
    """MB/s."""
    began = time.process_time()
    hashlib.md5(MD5_BYTES, usedforsecurity=False).digest()
    return len(MD5_BYTES) / 1e6 / (time.process_time() - began)


def run(sosie: Path, verb: str, path: Path, options: list, folder: Path, rate: float) -> Figures:
    stats = folder / "stats.json"
    suffix = path.suffixes[0] if verb == "dedup" else ".tsv"
    before = md5_rate()
    done = measure.run([sosie, verb, path, "-o", folder / f"out{suffix}", "--stats", stats,
                        "--threads", 1, "--scratch", folder, "--quiet", *options], 1,
                       LIMIT_SECONDS)
    faster = (before + md5_rate()) / 2 / rate
    summary = json.loads(stats.read_text())
    return Figures(summary["rows"], done["cpu_seconds"] * faster, done["peak_mb"] * (1 << 20),
                   summary["scratch_bytes"])


def apart(one: float, other: float, least: float = 1) -> float:
    one, other = max(one, least), max(other, least)
    return max(one / other, other / one)


def compare(said: Figures, took: Figures) -> list[float]:
    return [apart(said.rows, took.rows), apart(said.seconds, took.seconds, LEAST_SECONDS),
            apart(said.memory, took.memory), apart(said.scratch, took.scratch)]


def line(name: str, what: str, said: Figures, took: Figures, worst: float) -> str:
    def both(unit: str, one: float, other: float) -> str:
        return f"{one:{unit}} / {other:{unit}}"
    return (f"| {name} | {what} | {both(',.0f', said.rows, took.rows)} "
            f"| {both('.2f', said.seconds, took.seconds)} "
            f"| {both('.0f', said.memory / 1e6, took.memory / 1e6)} "
            f"| {both('.0f', said.scratch / 1e6, took.scratch / 1e6)} | {worst:.2f} |")


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--sosie", type=Path, default=HERE.parent / "build/release/sosie")
    parser.add_argument("--shingle", default="words:5,chars:9")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    print("| rows of | run | rows: said / were | CPU s | memory MB | scratch MB | worst |",
          "|---|---|---|---|---|---|---|", sep="\n")
    far = 0
    for path in options.files:
        shingles = [""] if ".sets" in path.suffixes else options.shingle.split(",")
        for shingle in shingles:
            for memory in options.memory.split(","):
                args = (["--shingle", shingle] if shingle else []) + ["--memory", memory]
                text = subprocess.run([options.sosie, "plan", "--verbose", path, *args], check=True,
                                      capture_output=True, text=True).stdout
                for verb in ("dedup", "pairs"):
                    said, rate = planned(text, verb)
                    with tempfile.TemporaryDirectory() as folder:
                        took = run(options.sosie, verb, path, args, Path(folder), rate)
                    worst = max(compare(said, took))
                    far += worst > MOST_APART
                    what = " ".join([verb, shingle, memory] if shingle else [verb, memory])
                    print(line(path.name.split(".")[0], what, said, took, worst), flush=True)
    return 1 if far else 0


if __name__ == "__main__":
    sys.exit(main())
