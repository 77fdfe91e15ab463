#!/usr/bin/env python3
"""Measures the cost of pages with the same template: N, 2N, 4N and 8N of them, and 8N without a
template.

    templates.py --text TEXT --pages 200000 --percent 60 --folder DIR

Makes DIR/pages-PERCENT-N-SEED.jsonl (make_templated.cc; they stay there) from the words of TEXT,
runs `dedup` with a removed file on each, alternately, and prints a table of the medians. Exits with
1 if one of these promises is broken: .99 of the planted copies are found, and pages with a template
take at most 3 x the CPU seconds of pages without.
"""

from __future__ import annotations

import csv
import statistics
import subprocess
import sys
from pathlib import Path

import measure
from memory import HERE, build_maker

LEAST_RECALL = .99
MOST_SLOWDOWN = 3
LIMIT_SECONDS = 3600
ONE_IN = 200  # pages is a copy


def make_pages(folder: Path, text: Path, pages: int, percent: int, seed: int) -> Path:
    path = folder / f"pages-{percent}-{pages}-{seed}.jsonl"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        with open(unfinished, "wb") as out:
            command = [build_maker(folder, "make_templated"), text, pages, percent, seed]
            subprocess.run([str(part) for part in command], stdout=out, check=True)
        unfinished.rename(path)
    return path


def cpu_seconds(sosie: Path, corpus: Path, removed: Path, threads: int) -> float:
    command = [sosie, "dedup", corpus, "-o", "/dev/null", "--removed", removed,
               "--threads", threads, "--quiet"]
    return measure.run(command, threads, LIMIT_SECONDS)["cpu_seconds"]


def recall(removed: Path, pages: int) -> float:
    """If there are two copies of a page, the second may have been removed because of the first."""
    with open(removed, newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    found = sum(row["id"] == row["kept_id"].removesuffix("-copy") + "-copy" for row in rows)
    return found / (pages // ONE_IN)


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--text", type=Path, required=True, help="any file with prose in it")
    parser.add_argument("--pages", type=int, default=200_000, help="8N (default: 200000)")
    parser.add_argument("--percent", type=int, default=60, help="boilerplate (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, required=True, help="for corpora and outputs")
    parser.add_argument("--sosie", type=Path, default=HERE.parent / "build/release/sosie")
    options = parser.parse_args()
    shapes = [(options.pages // part, options.percent) for part in (8, 4, 2, 1)]
    shapes.append((options.pages, 0))
    corpora = {shape: make_pages(options.folder, options.text, *shape, options.seed)
               for shape in shapes}
    seconds: dict[tuple[int, int], list[float]] = {shape: [] for shape in shapes}
    for _ in range(options.repeat):
        for shape, corpus in corpora.items():
            removed = corpus.with_suffix(".removed.tsv")
            seconds[shape].append(cpu_seconds(options.sosie, corpus, removed, options.threads))
    print("| pages | boilerplate | CPU s | of the copies found |\n|---|---|---|---|")
    recalls = {}
    for shape, corpus in corpora.items():
        recalls[shape] = recall(corpus.with_suffix(".removed.tsv"), shape[0])
        print(f"| {shape[0]:,} | {shape[1]} % | {statistics.median(seconds[shape]):.2f} "
              f"| {recalls[shape]:.4f} |")
    slowdown = statistics.median(seconds[shapes[3]]) / statistics.median(seconds[shapes[4]])
    print(f"with the template: {slowdown:.2f} x the CPU seconds of pages without")
    broken = [f"{shape[0]} pages: recall {found:.4f}" for shape, found in recalls.items()
              if found < LEAST_RECALL]
    if slowdown > MOST_SLOWDOWN:
        broken.append(f"more than {MOST_SLOWDOWN} x the CPU seconds")
    for promise in broken:
        print(f"broken: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
