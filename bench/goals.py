#!/usr/bin/env python3
"""Measures the goals in goals.toml, and compares each result with the goal and with the gate.

    cmake --preset release -D SOSIE_BENCH=ON
    cmake --build build/release --target sosie_cli set_joins
    python3 bench/install_peers.py
    SOSIE_DATA=FOLDER python3 bench/run.py goals [--only ROW,ROW] [--again] [--minutes 90]

A row already measured for the same program on the same CPU is not measured again, so a stopped run
resumes where it was (build/bench/goals); --again measures it anew. A row whose peer or data are
missing, or for which there are not enough minutes left, shows "not measured" and counts as missed.
Writes bench/results/goals.json and prints its table; exits with 1 if a gate is missed, unless
--small is given.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import corpora
import goal_rows
import goal_suites
import measure
import tables
from measure import ROOT

TABLE = Path(__file__).with_name("goals.toml")
MEASURES: dict[str, Callable] = goal_rows.ROWS | goal_suites.ROWS


@dataclass(frozen=True)
class Bound:
    gate: float
    goal: float
    less: bool  # is better

    def met(self, value: float, bound: float) -> bool:
        return value <= bound if self.less else value >= bound

    def grade(self, value: float) -> str:
        if self.met(value, self.goal):
            return "goal"
        return "gate" if self.met(value, self.gate) else "missed"


def bound_of(row: dict, case: str) -> Bound:
    gate, goal = row["cases"][case] if "cases" in row else (row["gate"], row["goal"])
    return Bound(gate, goal, row.get("better") == "less")


def read_table(path: Path = TABLE) -> dict[str, dict]:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, row in table.items():
        if row["measure"] not in MEASURES:
            raise SystemExit(f"{path.name}: {name} is measured by {row['measure']}, which is not "
                             "there")
    return table


def measured(row: dict, bench: goal_rows.Bench) -> dict:
    """The cases of a row, each with its grade, or the reason why there are none."""
    began = time.monotonic()
    try:
        cases = MEASURES[row["measure"]](bench)
    except (measure.Failed, goal_rows.NotMeasured) as reason:
        return {"not_measured": str(reason), "took_seconds": time.monotonic() - began}
    for case in cases:
        bound = bound_of(row, case["case"])
        case |= {"gate": bound.gate, "goal": bound.goal, "grade": bound.grade(case["value"])}
    return {"cases": cases, "took_seconds": time.monotonic() - began}


def is_met(row: dict) -> bool:
    return bool(row.get("cases")) and all(case["grade"] != "missed" for case in row["cases"])


class Store:
    """Rows that have already been measured, each with its program and CPU."""

    def __init__(self, folder: Path, here: dict):
        self.folder = folder
        self.key = {"sosie": here["sosie_sha256"], "cpu": here["cpu"]["model"]}
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str) -> dict | None:
        path = self.folder / f"{name}.json"
        kept = json.loads(path.read_text()) if path.exists() else {}
        return kept["row"] if kept.get("key") == self.key else None

    def put(self, name: str, row: dict):
        path = self.folder / f"{name}.json"
        path.with_suffix(".new").write_text(json.dumps({"key": self.key, "row": row}, indent=1))
        path.with_suffix(".new").rename(path)


def parse_options(arguments: list[str]) -> argparse.Namespace:
    parser = measure.argument_parser(__doc__, prog="run.py goals")
    parser.add_argument("--only", default="", help="rows of goals.toml, with commas")
    parser.add_argument("--again", action="store_true", help="measure what is measured already")
    parser.add_argument("--minutes", type=float, default=90, help="for all of it (default: 90)")
    parser.add_argument("--rounds", type=int, default=5, help="after the first (default: 5)")
    parser.add_argument("--small", action="store_true",
                        help="on the sample, to see that everything runs; no figure counts")
    parser.add_argument("--sosie", type=Path, help="the program (default: build/release/sosie)",
                        default=os.environ.get("SOSIE_BIN") or ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = parse_options(arguments)
    table = read_table()
    only = [name for name in options.only.split(",") if name] or list(table)
    unknown = [name for name in only if name not in table]
    if unknown:
        raise SystemExit(f"{', '.join(unknown)}: none of {', '.join(table)}")
    options.sosie = options.sosie.resolve()
    here = measure.surroundings(options.sosie, goal_rows.PEERS_PYTHON, goal_suites.PACKAGES)
    store = Store(corpora.WORK / ("goals-small" if options.small else "goals"), here)
    ends = time.monotonic() + 60 * options.minutes
    rows = []
    for name in only:
        row = None if options.again else store.get(name)
        if row is None and time.monotonic() > ends:
            row = {"not_measured": f"more than {options.minutes:g} minutes"}
        elif row is None:
            print(name, file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory(dir=corpora.WORK) as scratch:
                row = measured(table[name], goal_rows.Bench(options, Path(scratch)))
            store.put(name, row)
        rows.append({"row": name, **{key: table[name][key] for key in ("work", "unit")}, **row})
    result = {"suite": "goals", "command": " ".join(["python3 bench/run.py goals", *arguments]),
              "surroundings": here, "rows": rows}
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "goals.json").write_text(
        json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join(tables.TABLES["goals"](result, False)))
    missed = [row["row"] for row in rows if not is_met(row)]
    print(f"\n{len(rows) - len(missed)} of {len(rows)} gates met"
          + (f"; not: {', '.join(missed)}" if missed else ""))
    return 1 if missed and not options.small else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
