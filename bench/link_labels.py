#!/usr/bin/env python3
"""Measures the F1 of `sosie link` with 0, 10, 30, 100 and 300 labels, either suggested or chosen at random.

    python3 bench/link_labels.py [--only cddb,walmart-amazon] [--counts 10,30,100,300]

Suggested pairs come from `--suggest N`; random pairs are chosen from the pairs that a run with `--cut 0.05`
(and `--assign all`) lists. The truth of the set supplies the labels. Prints the F1, the F1 that the run
estimates, and its confidence. A *confident lie* is a run with confidence "ok" whose estimate is off by more
than .1; exits with 1 if there is one. Writes link-labels.json to the folder --results.
"""

from __future__ import annotations

import csv
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import link
import record_sets
from link_honesty import is_lie, is_sure
from measure import ROOT, argument_parser

# Sets with low confidence without labels that have a model; every third one was held out from tuning.
TUNED_ON = ["walmart-amazon", "cddb", "sigmod22-storage", "abt-buy", "fodors-zagats", "wdc-computers"]
JUDGED_ON = ["dblp-scholar-6k", "pseudopeople-census-w2", "census-secondstring"]


class Labelling:
    """Runs on one set in a folder."""

    def __init__(self, name: str, program: Path, folder: Path):
        data = record_sets.record_set(name)
        self.program, self.folder, self.truth = program, folder, data.truth()
        files = data.given(folder)
        self.across = len(files) == 2
        self.inputs = [files[0], *(["--against", files[1]] if self.across else [])]

    def run(self, output: str, *options: object) -> None:
        subprocess.run([self.program, "link", *self.inputs, "-o", self.folder / output, "-q",
                        "--threads", "2", *map(str, options)], check=True, cwd=self.folder,
                       capture_output=True)

    def judged(self, *options: object) -> dict:
        self.run("out.csv", "--stats", "stats.json", *options)
        said = json.loads((self.folder / "stats.json").read_text(encoding="utf-8"))
        linked, _ = link.answer(self.folder / "out.csv", scores=False)
        return {"f1": record_sets.quality(linked, self.truth).f1, "says": said["estimated_f1"],
                "confidence": said["confidence"], "reasons": said["confidence_reasons"]}

    def is_match(self, left: str, right: str) -> bool:
        return (left, right) in self.truth or not self.across and (right, left) in self.truth

    def answer(self, pairs: list[tuple[str, str]]) -> Path:
        path = self.folder / "labels.csv"
        with open(path, "w", encoding="utf-8", newline="") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["left", "right", "label"])
            rows.writerows([left, right, int(self.is_match(left, right))] for left, right in pairs)
        return path

    def suggested(self, count: int) -> list[tuple[str, str]]:
        self.run("ask.csv", "--suggest", count)
        return self.pairs("ask.csv")

    def drawn(self, count: int) -> list[tuple[str, str]]:
        low = ["--cut", "0.05", *(["--assign", "all"] if self.across else ["--pairs", "low.csv"])]
        self.run("low.csv" if self.across else "groups.csv", *low)
        pairs = self.pairs("low.csv")
        return random.Random(count).sample(pairs, min(count, len(pairs)))

    def pairs(self, name: str) -> list[tuple[str, str]]:
        with open(self.folder / name, encoding="utf-8", newline="") as lines:
            return [(row["left"], row["right"]) for row in csv.DictReader(lines)]


def rows_of(name: str, counts: list[int], program: Path) -> list[dict]:
    with tempfile.TemporaryDirectory() as scratch:
        labelling = Labelling(name, program, Path(scratch))
        rows = [{"set": name, "how": "none", "asked": 0, "labels": 0, **labelling.judged()}]
        for how in (labelling.suggested, labelling.drawn):
            for count in counts:
                pairs = how(count)
                rows.append({"set": name, "how": how.__name__, "asked": count, "labels": len(pairs),
                             **labelling.judged("--labels", labelling.answer(pairs))})
        return rows


def print_means(rows: list[dict]) -> None:
    """Means over the sets by number of labels, and sets in which few suggested labels do as well as more drawn ones."""
    names = {row["set"] for row in rows}
    f1 = {(row["set"], row["how"], row["asked"]): row["f1"] for row in rows}
    counts = sorted({row["asked"] for row in rows})
    print(f"| labels | suggested: mean F1 of {len(names)} sets | drawn |\n|---|---|---|")
    for count in counts:
        means = [statistics.mean(f1[name, how if count else "none", count] for name in names) for how in ("suggested", "drawn")]
        print(f"| {count} | {means[0]:.3f} | {means[1]:.3f} |")
    for few, more in zip(counts[1:], counts[2:]):
        good = sum(f1[name, "suggested", few] >= f1[name, "drawn", more] for name in names)
        print(f"{few} suggested labels do at least as well as {more} drawn ones in {good} of {len(names)} sets")


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--only", help="sets, separated by commas")
    parser.add_argument("--counts", default="10,30,100,300")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    names = options.only.split(",") if options.only else TUNED_ON + JUDGED_ON
    counts = [int(count) for count in options.counts.split(",")]
    rows: list[dict] = []
    if options.results:
        options.results.mkdir(parents=True, exist_ok=True)
    for name in names:
        for row in rows_of(name, counts, options.sosie.resolve()):
            rows.append(row)
            says = "-" if row["says"] is None else f"{row['says']:.3f}"
            print(f"{row['set']:<24}{row['how']:<10}{row['labels']:>4}  F1 {row['f1']:.3f}  says {says}  "
                  f"{row['confidence']}  {'; '.join(row['reasons'])}", flush=True)
        if options.results:
            (options.results / "link-labels.json").write_text(json.dumps(rows, indent=1) + "\n")
    print_means(rows)
    lies = sum(map(is_lie, rows))
    print(f"{len(rows)} runs, {sum(row['confidence'] == 'ok' for row in rows)} sure of themselves, "
          f"{lies} confident lies")
    return 1 if lies else 0


if __name__ == "__main__":
    sys.exit(main())
