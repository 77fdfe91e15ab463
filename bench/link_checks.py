#!/usr/bin/env python3
"""Compares the quality that `sosie link` estimates with the true quality, on the labelled sets of records.

    python3 bench/link_checks.py [--only febrl3,fake-1000] [--sosie build/release/sosie]

Each set is linked without rules, with `--check-by auto`, and without ids and truth columns (record_sets.py).
Each row of the table shows the F1 of the links, the F1 that the best cut would reach, and the F1 estimated by
each method, or `refused`. The best cut is searched for among the scores of links with a probability of at
least .01 (two collections), or among runs with cuts from .05 to .95 (one collection). Needs SOSIE_DATA.
Writes bench/results/link-checks.json and prints its table.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import record_sets
from measure import ROOT, argument_parser

METHODS = ["model", "check-by auto", "runner-up"]
CUTS = [".05", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".95"]


def linked(sosie: Path, files: list[Path], folder: Path, *options) -> dict:
    against = ["--against", files[1]] if len(files) == 2 else []
    subprocess.run([str(word) for word in (sosie, "link", files[0], *against, "-o", folder / "o.csv",
                                           "--stats", folder / "s.json", "--truth",
                                           folder / "truth.csv", "-q", *options)],
                   check=True, capture_output=True)
    return json.loads((folder / "s.json").read_text())


def best_f1(sosie: Path, files: list[Path], folder: Path, truth: record_sets.Pairs) -> float:
    if len(files) == 1:
        return max(linked(sosie, files, folder, "--cut", cut)["truth"]["f1"] for cut in CUTS)
    linked(sosie, files, folder, "--cut", "0.01")
    with open(folder / "o.csv", encoding="utf-8", newline="") as rows:
        scored = [(float(row["score"]), (row["left"], row["right"])) for row in csv.DictReader(rows)]
    return record_sets.best_f1(scored, truth)


def checked(name: str, sosie: Path) -> dict:
    data = record_sets.record_set(name)
    truth = data.truth()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = data.given(folder)
        (folder / "truth.csv").write_text(
            "left,right\n" + "".join(f"{a},{b}\n" for a, b in sorted(truth)))
        stats = linked(sosie, files, folder, "--check-by", "auto")
        row = {"set": name, "true_pairs": len(truth), "f1": stats["truth"]["f1"],
               "estimated_f1": stats.get("estimated_f1"), "methods": {}}
        row["best_f1"] = max(row["f1"], best_f1(sosie, files, folder, truth))
    for estimate in stats["estimates"]:
        if estimate["method"] in METHODS:
            row["methods"][estimate["method"]] = {
                key: estimate[key] for key in ("refusal", "f1", "matches") if key in estimate}
    return row


def cell(methods: dict, method: str) -> str:
    if method not in methods:
        return "–"
    return f"{methods[method]['f1']:.3f}" if "f1" in methods[method] else "refused"


def table(rows: list[dict]) -> list[str]:
    lines = ["| set | true pairs | F1 | best cut | by the model | by check-by auto | by runners-up | says |",
             "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        says = "–" if row["estimated_f1"] is None else f"{row['estimated_f1']:.3f}"
        lines.append(f"| {row['set']} | {row['true_pairs']:,} | {row['f1']:.3f} | {row['best_f1']:.3f} | "
                     + " | ".join(cell(row["methods"], method) for method in METHODS)
                     + f" | {says} |")
    return lines


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--only", help="sets, separated by commas")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else record_sets.PINNED
    rows = []
    for name in names:
        print(name, file=sys.stderr, flush=True)
        rows.append(checked(name, options.sosie.resolve()))
    (options.results / "link-checks.json").write_text(
        json.dumps({"command": "python3 bench/link_checks.py", "rows": rows}, indent=1) + "\n")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
