#!/usr/bin/env python3
"""Compares record linkage with other tools: quality on labelled sets, and speed on synthetic persons.

    python3 bench/link.py quality [--only febrl3,fake-1000] [--tools sosie,splink]
    python3 bench/link.py speed   [--only persons:1000000] [--tools sosie,splink]

Sets: bench/record_sets.py; peers: bench/peers/splink_link.py and recordlinkage_link.py (install_peers.py). No
tool sees labels, or ids that identify entities. Quality is the pair F1 of each tool's final answer and, for
tools that give scores, the F1 that the best cut of these scores would reach. Sosie runs with the rules in
examples/link/SET.toml, if there are any, and once without rules; its estimate and confidence are shown as
well. Speed is measured from file to file, including training, with two threads, in interleaved rounds A B A
B, the first of which is discarded (only one round if a tool takes minutes; --rounds). persons:N has six
equality rules, persons-born:N has five, one of which is the birth date alone, and persons-near:N also has
names within two edits. Writes bench/results/link-SUITE.json and prints its table.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import measure
import record_sets
import tables
from measure import ROOT

PEERS_PYTHON = ROOT / "build/bench-venv/bin/python"
PACKAGES = ["splink", "duckdb", "recordlinkage", "pandas"]
PEERS = {"splink": "splink_link.py", "recordlinkage": "recordlinkage_link.py"}
TOOLS = {"quality": ["sosie", "sosie without rules", "splink", "recordlinkage"],
         "speed": ["sosie", "splink"]}
SPEED_SETS = ["persons:125000", "persons:250000", "persons:500000", "persons:1000000",
              "persons-born:500000", "persons-born:1000000", "persons-near:1000000"]
# Not run with peers: in SQL, a nested loop; stopped after 400 s and 13 GB.
ALONE = {"persons-near:1000000", "persons-born:1000000"}
# Peers with rules for sets where Sosie runs without.
RULES_OF_PEERS = {"historical50k": ["splink"], "splink-transactions": ["splink"]}
THREADS = 2
LIMIT_SECONDS = {"quality": 600, "speed": 900}
ROUNDS, PATIENCE_SECONDS = 5, 300


class Work:
    """One set, as files in a separate folder."""

    def __init__(self, name: str, options: argparse.Namespace, folder: Path):
        self.rules, _, rows = name.partition(":")
        self.name, self.options, self.folder = name, options, folder
        self.data = record_sets.record_set(
            f"persons:{rows}" if self.rules.startswith("persons") else name)
        self.files = self.data.given(folder)
        self.truth = self.data.truth()

    def command(self, tool: str, output: Path) -> list:
        if tool in PEERS:
            return [PEERS_PYTHON, ROOT / "bench/peers" / PEERS[tool], self.rules, output,
                    *self.files, "--threads", THREADS]
        against = ["--against", self.files[1]] if len(self.files) == 2 else []
        rules = [] if tool == "sosie without rules" else [
            "--rules", ROOT / "examples/link" / f"{self.rules}.toml"]
        return [self.options.sosie.resolve(), "link", self.files[0], *against, *rules, "-o", output,
                "--stats", self.stats(tool), "--threads", THREADS, "--quiet"]

    def run(self, tool: str) -> dict:
        output = self.output(tool)
        output.unlink(missing_ok=True)  # replacing it would take time
        return measure.run(self.command(tool, output), THREADS,
                           LIMIT_SECONDS[self.options.suite])

    def output(self, tool: str) -> Path:
        return self.folder / f"{tool.replace(' ', '-')}.csv"

    def stats(self, tool: str) -> Path:
        return self.output(tool).with_suffix(".json")

    def said(self, tool: str) -> dict:
        """The estimates that a run of Sosie makes of its own answer."""
        if tool in PEERS:
            return {}
        stats = json.loads(self.stats(tool).read_text(encoding="utf-8"))
        return {"says": stats.get("estimated_f1"), "confidence": stats.get("confidence"),
                "reasons": stats.get("confidence_reasons", [])}

    def quality(self, tool: str) -> dict:
        linked, scored = answer(self.output(tool), tool in PEERS)
        found = record_sets.quality(linked, self.truth)
        best = record_sets.best_f1(scored, self.truth) if tool in PEERS else None
        return {"pairs": found.pairs, "precision": found.precision, "recall": found.recall,
                "f1": found.f1, "best_f1": best} | self.said(tool)


def answer(path: Path, scores: bool) -> tuple[record_sets.Pairs, list]:
    """Linked pairs, and all scored pairs, in a file of links or of clusters."""
    linked, scored, members = set(), [], defaultdict(list)
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if "cluster_id" in row:
                members[row["cluster_id"]].append(int(row["id"]))
                continue
            pair = (row["left"], row["right"])
            if row.get("linked", "1") == "1":
                linked.add(pair)
            if scores and row["score"]:
                scored.append((float(row["score"]), pair))
    linked |= {(str(left), str(right)) for group in members.values()
               for left, right in combinations(sorted(group), 2)}
    return linked, scored


def measured(work: Work, options: argparse.Namespace) -> list[dict]:
    rows = int(work.name.partition(":")[2] or 0)
    has_rules = (ROOT / "examples/link" / f"{work.rules}.toml").exists()
    by_peers = PEERS if has_rules and rows <= options.peer_rows and work.name not in ALONE else (
        RULES_OF_PEERS.get(work.name, []))
    chosen = [tool for tool in options.tools
              if tool == "sosie without rules" or tool in by_peers or
              (tool == "sosie" and has_rules)]
    calls = {tool: lambda tool=tool: work.run(tool) for tool in chosen}
    if options.suite == "quality":
        runs = measure.interleave(calls, 0, 0)  # one run each
    else:
        runs = measure.interleave(calls, options.rounds, PATIENCE_SECONDS)
    measured_rows = []
    for tool, done in runs.items():
        row = {"set": work.name, "tool": tool}
        if isinstance(done, str):
            measured_rows.append(row | {"failed": done})
        else:
            measured_rows.append(row | measure.summary(done) | work.quality(tool))
    return measured_rows


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("suite", choices=sorted(TOOLS))
    parser.add_argument("--only", help="sets, separated by commas")
    parser.add_argument("--tools", help="tools, separated by commas")
    parser.add_argument("--rounds", type=int, default=ROUNDS,
                        help="rounds of speed behind the first, which does not count; 0: that one alone")
    parser.add_argument("--peer-rows", type=int, default=1_000_000,
                        help="speed: no peers on sets of more rows a side")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    options = parser.parse_args()
    every = record_sets.SETS if options.suite == "quality" else SPEED_SETS
    options.only = options.only.split(",") if options.only else every
    options.tools = options.tools.split(",") if options.tools else TOOLS[options.suite]
    return options


def main():
    options = parse_options()
    result = {"suite": f"link_{options.suite}",
              "surroundings": measure.surroundings(options.sosie.resolve(), PEERS_PYTHON, PACKAGES),
              "command": " ".join(["python3 bench/link.py", *sys.argv[1:]]), "rows": []}
    options.results.mkdir(parents=True, exist_ok=True)
    for name in options.only:
        with tempfile.TemporaryDirectory() as scratch:
            rows = measured(Work(name, options, Path(scratch)), options)
            for row in rows:
                print(name, *(row.get(key) for key in ("tool", "f1", "says", "confidence",
                                                       "cpu_seconds", "reasons", "failed")
                              if row.get(key) not in (None, [])), file=sys.stderr, flush=True)
            result["rows"] += rows
        (options.results / f"link-{options.suite}.json").write_text(
            json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print("\n".join(tables.TABLES[result["suite"]](result, False)))


if __name__ == "__main__":
    main()
