#!/usr/bin/env python3
"""Compares records that arrive in batches and are added to groups with a single run of all: F1, ids that
stay, CPU time.

    python3 bench/link_batches.py [--only foreigners-pl,rldata10000] [--batches 10] [--first 5]

The first batch is linked with rules chosen from it; the others are added with its weights (`--assign
groups`), once with groups unchanged and once with `--join-groups`. --first: number of parts of the input in
the first batch. A batch's share of the CPU time of a single run is in proportion to its rows. Rows are in
random order. Prints a table that includes the F1 of a single run with the weights of the first batch: only
differences from this figure are caused by adding batches.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import measure
import record_sets
from measure import ROOT

SETS = ["fake-1000", "rldata10000", "historical50k", "foreigners-pl"]
THREADS = 2
LIMIT_SECONDS = 900
WAYS = {"apart": [], "joined": ["--join-groups"]}


class Batches:
    """One set in a separate folder."""

    def __init__(self, name: str, folder: Path, options: argparse.Namespace):
        self.folder, self.options = folder, options
        data = record_sets.record_set(name)
        self.whole = data.given(folder)[0]
        self.truth = data.truth()
        with open(self.whole, encoding="utf-8", newline="") as lines:
            self.header, *self.rows = csv.reader(lines)
        random.Random(1).shuffle(self.rows)
        size = -(-len(self.rows) // options.batches)
        first = size * options.first
        starts = [0, *range(first, len(self.rows), size)]
        self.parts = [self.rows[a:b] for a, b in zip(starts, [*starts[1:], len(self.rows)])]

    def write(self, name: str, rows: list) -> Path:
        path = self.folder / name
        with open(path, "w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows([self.header, *rows])
        return path

    def link(self, *args) -> float:
        """CPU seconds of a run."""
        command = [self.options.sosie.resolve(), "link", *args, "--threads", THREADS, "--quiet"]
        return measure.run(command, THREADS, LIMIT_SECONDS)["cpu_seconds"]

    def groups(self, path: Path) -> dict[str, str]:
        with open(path, encoding="utf-8", newline="") as lines:
            return {row["id"]: row["cluster_id"] for row in csv.DictReader(lines)}

    def f1(self, groups: dict[str, str]) -> float:
        members = defaultdict(list)
        for row, group in groups.items():
            members[group].append(int(row))
        pairs = {(str(a), str(b)) for group in members.values() for a, b in combinations(sorted(group), 2)}
        return record_sets.quality(pairs, self.truth).f1

    def in_one(self) -> tuple[float, float]:
        out = self.folder / "whole-groups.csv"
        seconds = self.link(self.write("whole.csv", self.rows), "--annotate", "all", "-o", out)
        return self.f1(self.groups(out)), seconds

    def by_first_weights(self) -> float:
        """F1 of a single run over all rows with the rules and weights of the first batch."""
        first, out = self.write("batch.csv", self.parts[0]), self.folder / "by-first.csv"
        rules, model = self.folder / "first.toml", self.folder / "first.json"
        self.link(first, "--init", "-o", rules)
        self.link(first, "-o", self.folder / "first.csv", "--model", model)
        with open(rules, "a", encoding="utf-8") as text:
            text.write(f'\n[score]\nmodel = "{model}"\n')
        self.link(self.write("whole.csv", self.rows), "--rules", rules, "--annotate", "all", "-o", out)
        return self.f1(self.groups(out))

    def in_batches(self, way: str) -> tuple[float, list[float], int]:
        """F1 of the final groups, seconds for each batch after the first, and the number of rows whose id changed."""
        out, model = self.folder / f"{way}-0.csv", self.folder / f"{way}.json"
        self.link(self.write("batch.csv", self.parts[0]), "--annotate", "all", "-o", out, "--model", model)
        seconds, changed = [], 0
        for number, rows in enumerate(self.parts[1:], 1):
            before, out = out, self.folder / f"{way}-{number}.csv"
            seconds.append(self.link(self.write("batch.csv", rows), "--against", before, "--assign", "groups", "--model",
                                     model, "-o", out, *WAYS[way]))
            after = self.groups(out)
            changed += sum(after[row] != group for row, group in self.groups(before).items())
        return self.f1(self.groups(out)), seconds, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SETS))
    parser.add_argument("--batches", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    options = parser.parse_args()
    print("| set | one run: F1, CPU s | way | F1 | one run by the first weights | ids changed | "
          "CPU of the last batch, of its share |\n|---|---|---|---|---|---|---|")
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            batches = Batches(name, Path(folder), options)
            whole, seconds = batches.in_one()
            by_first = batches.by_first_weights()
            for way in WAYS:
                f1, of_batches, changed = batches.in_batches(way)
                share = seconds * len(batches.parts[-1]) / len(batches.rows)
                print(f"| {name} | {whole:.4f}, {seconds:.1f} | {way} | {f1:.4f} | {by_first:.4f} | {changed} | {of_batches[-1]:.2f} s, "
                      f"{of_batches[-1] / share:.1f} × |", flush=True)


if __name__ == "__main__":
    main()
