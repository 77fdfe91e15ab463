#!/usr/bin/env python3
"""Tests whether `sosie link` knows when it is wrong, on labelled sets that were changed so that nobody has
tuned on them.

    python3 bench/link_honesty.py [--runs 100] [--only cddb,fake-1000] [--most-rows 12000]

The number of a run determines its set and its change: a third of the rows are left out, columns are
reordered, or one column is left out. A *confident lie* is a run with confidence "ok" whose estimate differs
from the F1 by more than .1. Exits with 1 if there is a confident lie, if a run fails, or if a run is
confident but gives no link although there are true pairs. Writes link-honesty.json to the folder --results.
"""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import link
import measure
import record_sets
from measure import ROOT

CHANGES = ("rows", "order", "column")
MOST_OFF = .1


def changed(data: record_sets.RecordSet, change: str, chance: random.Random, folder: Path):
    """Writes the changed files; returns them and the remaining true pairs."""
    columns = [data.columns(side) for side in range(len(data.files))]
    if change == "order":
        for of_side in columns:
            chance.shuffle(of_side)
    elif change == "column":
        common = [column for column in columns[0] if column in columns[-1]]
        left_out = chance.choice(common) if len(common) > 1 else None
        columns = [[column for column in of_side if column != left_out] for of_side in columns]
    files, kept = [], []
    for side, of_side in enumerate(columns):
        rows = data.rows(side)
        here = [number for number in range(len(rows)) if change != "rows" or chance.random() < 2 / 3]
        kept.append({str(number) for number in here})
        path = folder / f"{side}.csv"
        with open(path, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["id", *of_side])
            writer.writerows([number, *(rows[number][column].strip() for column in of_side)]
                             for number in here)
        files.append(path)
    return files, {(left, right) for left, right in data.truth()
                   if left in kept[0] and right in kept[-1]}


def row_count(name: str) -> int:
    data = record_sets.record_set(name)
    return sum(len(data.rows(side)) for side in range(len(data.files)))


def one_run(number: int, names: list[str], program: Path) -> dict:
    chance = random.Random(number)
    name, change = chance.choice(names), CHANGES[number % len(CHANGES)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files, truth = changed(record_sets.record_set(name), change, chance, folder)
        against = ["--against", files[1]] if len(files) == 2 else []
        done = subprocess.run([program, "link", files[0], *against, "-o", folder / "out.csv", "--stats",
                               folder / "stats.json", "-q", "--threads", "1"], capture_output=True, text=True)
        if done.returncode != 0:
            return {"run": number, "set": name, "change": change, "failed": done.stderr.strip()}
        said = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
        linked, _ = link.answer(folder / "out.csv", scores=False)
    return {"run": number, "set": name, "change": change, "true_pairs": len(truth), "pairs": len(linked),
            "f1": record_sets.quality(linked, truth).f1, "says": said["estimated_f1"],
            "confidence": said["confidence"], "reasons": said["confidence_reasons"]}


def is_lie(row: dict) -> bool:
    return is_sure(row) and (row["says"] is None or abs(row["f1"] - row["says"]) > MOST_OFF)


def is_sure(row: dict) -> bool:
    return row.get("confidence") == "ok"


def is_empty(row: dict) -> bool:
    """An answer without links although there are true pairs."""
    return "failed" not in row and row["pairs"] == 0 and row["true_pairs"] > 0


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first run")
    parser.add_argument("--only", help="sets, separated by commas")
    parser.add_argument("--most-rows", type=int, default=12_000, help="no sets of more rows")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    names = options.only.split(",") if options.only else [
        name for name in record_sets.SETS if row_count(name) <= options.most_rows]
    surroundings = measure.surroundings(options.sosie.resolve(), Path(sys.executable), [])
    result = {"suite": "link_honesty", "surroundings": surroundings, "rows": [], "command":
              " ".join(["python3 bench/link_honesty.py", "--runs", str(options.runs),
                        *(["--only", options.only] if options.only else [])])}
    rows = result["rows"]
    for number in range(options.first, options.first + options.runs):
        rows.append(one_run(number, names, options.sosie.resolve()))
        print(*(rows[-1].get(key) for key in ("run", "set", "change", "f1", "says", "confidence",
                                              "reasons", "failed") if key in rows[-1]), flush=True)
        if options.results:
            (options.results / "link-honesty.json").write_text(json.dumps(result, indent=1) + "\n")
    lies, empty = [row for row in rows if is_lie(row)], [row for row in rows if is_empty(row)]
    failed = sum("failed" in row for row in rows)
    print(f"{len(rows)} runs, {failed} failed, {sum(map(is_sure, rows))} sure of themselves, "
          f"{len(lies)} confident lies, {len(empty)} without a link, "
          f"{sum(map(is_sure, empty))} of them sure of themselves")
    return 1 if lies or failed or any(map(is_sure, empty)) else 0


if __name__ == "__main__":
    sys.exit(main())
