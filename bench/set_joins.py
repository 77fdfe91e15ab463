#!/usr/bin/env python3
"""Compares the exact join of sets with plain AllPairs and PPJoin and with SetSimilaritySearch.

    cmake --preset release -D SOSIE_BENCH=ON
    cmake --build build/release --target sosie_cli set_joins
    python3 bench/set_joins.py [--rounds 5] [--limit 5] [--only NAME,NAME:THRESHOLD]

Times are single-threaded CPU seconds in interleaved rounds, the first of which is discarded; they
include building the index, but not reading. All tools must find the same pairs. SetSimilaritySearch
(install_peers.py) is stopped after --limit CPU seconds. Writes bench/results/set-joins.json, point
by point, and prints its table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import measure
import set_files
import tables
from measure import ROOT

POINTS = [("quest", "0.8"), ("uniform", "0.8"), ("zipf", "0.8"), ("word-3-grams", "0.8"),
          ("lines", "0.8"), ("descriptions", "0.8"), ("source-files", "0.7"),
          ("source-files", "0.9"), ("descriptions", "0.5"), ("lines", "0.6"), ("quest", "0.6"),
          ("zipf", "0.5"), ("word-3-grams", "0.9")]
OURS = ("sosie", "allpairs", "ppjoin")
PEER = "SetSimilaritySearch"
PEERS_PYTHON = ROOT / "build/bench-venv/bin/python"
SECONDS_OF_ALL_ROUNDS = 300  # for one join: a slower one has fewer rounds


class Process:
    """A program that holds the sets in memory, and runs a join for each line that it receives."""

    def __init__(self, command: list):
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, join: str) -> dict:
        self.process.stdin.write(f"{join}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"failed": "it ended"}
        if "failed" in answer:
            raise measure.Failed(answer["failed"])
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def measured(program: Path, path: Path, threshold: str, rounds: int, limit: float) -> dict:
    """The time that each tool took on one file of sets, provided that all agree on its pairs."""
    ours = Process([program, path, threshold])
    calls = {join: lambda join=join: ours.ask(join) for join in OURS}
    processes = [ours]
    if has_peer():
        processes.append(Process([PEERS_PYTHON, ROOT / "bench/peers/set_search_peer.py", path,
                                  threshold, limit]))
        calls[PEER] = lambda: processes[1].ask(PEER)
    results = measure.interleave(calls, rounds, SECONDS_OF_ALL_ROUNDS)
    for process in processes:
        process.end()
    failed = {name: runs for name, runs in results.items() if isinstance(runs, str)}
    if any(name in failed for name in OURS):
        sys.exit(f"{path.name} {threshold}: {failed}")
    answers = {(run["pairs"], run["checksum"]) for name, runs in results.items()
               if name not in failed for run in runs}
    if len(answers) != 1:
        sys.exit(f"{path.name} {threshold}: not the same pairs: {sorted(answers)}")
    return {name: {"failed": runs} if name in failed else measure.summary(runs)
            for name, runs in results.items()}


def has_peer() -> bool:
    return PEER in measure.packages(PEERS_PYTHON, [PEER])


def point_row(program: Path, name: str, threshold: str, options: argparse.Namespace) -> dict:
    print(f"{name} {threshold}", file=sys.stderr, flush=True)
    found = measured(program, set_files.set_file(name), threshold, options.rounds, options.limit)
    return {"sets": name, "threshold": threshold, "joins": found}


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="after the first (default: 5)")
    parser.add_argument("--limit", type=float, default=5,
                        help=f"CPU seconds for {PEER} (default: 5)")
    parser.add_argument("--only", default="", help="sets, or sets:threshold, with commas")
    parser.add_argument("--add", action="store_true",
                        help="keep the other points of the result file (same rounds and limit)")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie",
                        help="the program that set_joins lies beside (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    return parser.parse_args()


def main():
    options = parse_options()
    only = [name for name in options.only.split(",") if name]
    points = [(name, threshold) for name, threshold in POINTS
              if not only or name in only or f"{name}:{threshold}" in only]
    here = measure.surroundings(options.sosie.resolve(), PEERS_PYTHON, [PEER])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    program = options.sosie.resolve().parent / "set_joins"
    path = options.results / "set-joins.json"
    options.results.mkdir(parents=True, exist_ok=True)
    same = {"rounds": options.rounds, "limit": options.limit}
    result = {"suite": "set_joins", **same, "surroundings": here,
              "rows": measure.kept_rows(path, same, points) if options.add else []}
    for name, threshold in points:
        result["rows"].append(point_row(program, name, threshold, options))
        result["rows"].sort(key=lambda row: POINTS.index((row["sets"], row["threshold"])))
        result["command"] = command(options, result["rows"])
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print("\n".join(tables.TABLES["set_joins"](result, False)))


def command(options: argparse.Namespace, rows: list[dict]) -> str:
    """The command that reproduces these rows."""
    done = [f"{row['sets']}:{row['threshold']}" for row in rows]
    out = f"python3 bench/set_joins.py --rounds {options.rounds} --limit {options.limit:g}"
    return out if len(done) == len(POINTS) else f"{out} --only {','.join(done)}"


if __name__ == "__main__":
    main()
