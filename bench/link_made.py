#!/usr/bin/env python3
"""Tests whether `sosie link` knows when it is wrong, on small synthetic tables of many kinds
(made_tables.py).

    python3 bench/link_made.py [--seeds 0-5] [--kinds people,names] [--held-out no|only|too]

Each row shows the table, the true F1, the estimate, the confidence and the reasons. A *lie* has confidence
"ok" and is off by more than .1. Prints a line for each kind and a total. Exits with 1 if a run fails.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import link
import link_honesty
import made_tables
import record_sets
from measure import ROOT, argument_parser


def linked(made: made_tables.MadeTable, program: Path, *asked) -> dict:
    """The results and messages of a run of the program."""
    with tempfile.TemporaryDirectory() as scratch:
        files = []
        for number, side in enumerate(made.sides):
            files.append(Path(scratch) / f"{number}.csv")
            with open(files[-1], "w", encoding="utf-8", newline="") as out:
                rows = csv.writer(out, lineterminator="\n")
                rows.writerow(["id", *made.columns])
                rows.writerows([row, *values] for row, values in enumerate(side))
        output, stats = Path(scratch) / "out.csv", Path(scratch) / "stats.json"
        against = ["--against", files[1]] if len(files) == 2 else []
        done = subprocess.run([program, "link", files[0], *against, "-o", output, "--stats", stats, "-q",
                               "--threads", "1", *asked], capture_output=True, text=True)
        row = {"set": made.name, "columns": len(made.columns)}
        if done.returncode != 0:
            return row | {"failed": done.stderr.strip()}
        found, _ = link.answer(output, scores=False)
        said = json.loads(stats.read_text(encoding="utf-8"))
    quality = record_sets.quality(found, made.truth())
    return row | {"true_pairs": len(made.truth()), "pairs": quality.pairs, "precision": quality.precision,
                  "recall": quality.recall, "f1": quality.f1, "says": said.get("estimated_f1"),
                  "confidence": said.get("confidence"), "reasons": said.get("confidence_reasons", []),
                  "next": said.get("confidence_next_step")}


def shown(row: dict) -> str:
    if "failed" in row:
        return f"{row['set']:22} failed: {row['failed']}"
    says = "-" if row["says"] is None else f"{row['says']:.3f}"
    return (f"{row['set']:22} p {row['precision']:.3f} r {row['recall']:.3f} F1 {row['f1']:.3f} says {says} "
            f"{row['confidence']}{' LIE' if link_honesty.is_lie(row) else ''} {'; '.join(row['reasons'])}")


def tables(kinds: list[str], seeds: range, held_out: str):
    for kind in kinds:
        for seed in seeds:
            if held_out == "too" or made_tables.is_held_out(kind, seed) == (held_out == "only"):
                yield made_tables.made_table(kind, seed)


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--seeds", default="0-5")
    parser.add_argument("--kinds", default=",".join(made_tables.KINDS))
    parser.add_argument("--held-out", choices=["no", "only", "too"], default="no")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("-")
    rows = []
    for made in tables(options.kinds.split(","), range(int(first), int(last or first) + 1), options.held_out):
        rows.append(linked(made, options.sosie.resolve()))
        print(shown(rows[-1]), flush=True)
    by_kind = defaultdict(list)
    for row in rows:
        by_kind[row["set"].partition(":")[0]].append(row)
    for kind, of_kind in {**by_kind, "all": rows}.items():
        mean = sum(row.get("f1", 0) for row in of_kind) / max(1, len(of_kind))
        print(f"{kind:18} {len(of_kind)} runs, mean F1 {mean:.3f}, ok {sum(map(link_honesty.is_sure, of_kind))}, "
              f"lies {sum(map(link_honesty.is_lie, of_kind))}, failed {sum('failed' in row for row in of_kind)}")
    return 1 if any("failed" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
