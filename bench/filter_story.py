#!/usr/bin/env python3
"""Measures the effect of each filter of the exact join: pairs compared and CPU seconds, adding one
filter per line.

    bench/filter_story.py SOSIE [--threshold 0.5] [--rounds 3] [FILE.sets...]

SOSIE: the program. Without files, uses three collections in $SOSIE_DATA/sets-dev. Times are for the
whole run on one thread, as medians over interleaved rounds. Prints a Markdown table for
docs/theory/exact-joins.md.
"""

import argparse
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("SOSIE_DATA", ""))
GIVEN = ("retail-ge5", "kosarak-36k-ge5", "msweb-ge4")
FILTERS = ("length", "prefix", "position", "suffix", "signature")
HEADER = "| sets | `--filters` | postings kept | pairs compared | pairs | CPU s |\n" + "|---" * 6 + "|"


def run(program: Path, path: Path, threshold: str, filters: str, stats: Path) -> tuple[float, dict]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "pairs", path, "--method", "exact", "--threshold", threshold,
                    "--filters", filters, "--threads", "1", "--quiet", "--stats", stats,
                    "-o", stats.with_suffix(".tsv")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, json.loads(stats.read_text())["filters"]


def story(program: Path, path: Path, threshold: str, rounds: int, folder: Path) -> list[str]:
    lists = [",".join(FILTERS[:count]) for count in range(1, len(FILTERS) + 1)]
    seconds: dict[str, list[float]] = {filters: [] for filters in lists}
    counts = {}
    for _ in range(rounds):
        for filters in lists:
            spent, counts[filters] = run(program, path, threshold, filters, folder / "stats.json")
            seconds[filters].append(spent)
    if len({counts[filters]["pairs"] for filters in lists}) != 1:
        sys.exit(f"{path}: a filter changed the pairs")
    return [f"| {path.stem} | {filters} | {counts[filters]['signature']:,} | "
            f"{counts[filters]['verified']:,} | {counts[filters]['pairs']:,} | "
            f"{statistics.median(seconds[filters]):.2f} |" for filters in lists]


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--threshold", default="0.5")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = options.files
        for given in GIVEN if not paths else ():
            path = folder / f"{given}.sets"
            path.write_bytes(gzip.decompress((DATA / f"sets-dev/{given}.txt.gz").read_bytes()))
            paths.append(path)
        print(HEADER, flush=True)
        for path in paths:
            print("\n".join(story(options.program.resolve(), path, options.threshold,
                                  options.rounds, folder)), flush=True)


if __name__ == "__main__":
    main()
