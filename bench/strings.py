#!/usr/bin/env python3
"""Measures joins of strings by edit distance: their time compared with other tools, as they grow,
and with little memory.

    cmake --preset release -D SOSIE_BENCH=ON
    cmake --build build/release --target sosie_cli edit_kernels
    python3 bench/install_peers.py
    python3 bench/strings.py joins|peers|kernels|scale|all [--rounds 3] [--only NAME,NAME:WITHIN]

  joins      words, names and addresses at small distances, compared with the goals
  peers      the first 100,000 of each, compared with RapidFuzz, SymSpell and DuckDB
  kernels    one pair of strings, and one string with many, compared with rapidfuzz-cpp
  scale      more and more names, a memory cap, ten million names, and two threads
  all        all parts, one after another, followed by the tables in docs/benchmarks.md

Times are CPU seconds, user and system, on one thread except in the last part; sosie's times include
starting, reading and writing. Runs are interleaved. RapidFuzz's cdist and DuckDB compare the first
1,000 rows with all (DuckDB: with 10,000), and their time is scaled to a join of all pairs. SymSpell
looks up each word in a dictionary of all words. All tools must find the same pairs. Each part
writes bench/results/string-PART.json and prints its table.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

import measure
import tables
from measure import ROOT
from string_files import string_file

PEERS_PYTHON = ROOT / "build/bench-venv/bin/python"
PACKAGES = ["RapidFuzz", "symspellpy", "duckdb", "numpy"]
PATIENCE = 1200  # seconds for one run, and for all rounds of a tool
# CPU seconds set as goals, for all words and for a million of the others.
GOALS = {("words", "1"): .49, ("words", "2"): 3.9, ("names", "1"): 1.2, ("names", "2"): 8.0,
         ("addresses", "1"): 1.5, ("addresses", "2"): 4.6, ("addresses", "3"): 12.8}
# The factor by which cdist should be slower than sosie.
RATIOS = {("words", "1"): 500, ("words", "2"): 100, ("names", "1"): 500, ("names", "2"): 200,
          ("addresses", "1"): 500, ("addresses", "2"): 1000}
LINES = 1_000_000
PEER_STRINGS = 100_000
FIRST_ROWS = 1_000  # of these, the number that cdist and DuckDB compare with the others
GROWTH = (125_000, 250_000, 500_000, 1_000_000)
CAP = "256M"
MANY = 10_000_000


def join(program: Path, strings: Path, within: str, *options: str, threads: int = 1) -> dict:
    """Returns the result of measure.run(), the number of pairs, a digest of the output, and the
    pairs of the first rows."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pairs.tsv"
        run = measure.run([program, "pairs", strings, "--kind", "strings", "--within", within,
                           "--threads", str(threads), "--quiet", *options, "-o", out],
                          threads, PATIENCE)
        digest = hashlib.sha256()
        pairs, of_first = -1, 0
        with open(out, "rb") as lines:
            for line in lines:
                if line.startswith(b"#sosie "):
                    continue
                digest.update(line)
                pairs += 1
                if pairs > 0:
                    of_first += sum(int(row) < FIRST_ROWS
                                    for row in line.split(b"\t")[:2])
        return run | {"pairs": pairs, "digest": digest.hexdigest(), "of_first": of_first}


def peer(strings: Path, within: str, tool: str) -> dict:
    done = subprocess.run([PEERS_PYTHON, ROOT / "bench/peers/string_peers.py", tool, strings, within,
                           str(FIRST_ROWS)], check=True, text=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def summaries(calls: dict, rounds: int) -> dict:
    """The summary of each tool, provided that all its runs give the same answer."""
    out = {}
    for name, runs in measure.interleave(calls, rounds, PATIENCE).items():
        if isinstance(runs, str):
            raise SystemExit(f"{name}: {runs}")
        same = {key: runs[0][key] for key in ("digest", "pairs", "of_first") if key in runs[0]}
        if any(run[key] != value for run in runs for key, value in same.items()):
            raise SystemExit(f"{name}: its runs differ")
        numbers = [{key: value for key, value in run.items() if key not in same} for run in runs]
        out[name] = measure.summary(numbers) | same
    return out


# --- the parts: each returns rows

def joins(program: Path, options: argparse.Namespace) -> list[dict]:
    points = chosen(GOALS, options)
    files = {name: string_file(f"{name}:{options.lines}") for name, _ in points}
    calls = {f"{name}:{within}": lambda name=name, within=within:
             join(program, files[name], within) for name, within in points}
    found = summaries(calls, options.rounds)
    return [{"strings": name, "within": within, "lines": lines_of(files[name]),
             "goal": GOALS[name, within], "sosie": found[f"{name}:{within}"]}
            for name, within in points]


def peers(program: Path, options: argparse.Namespace) -> list[dict]:
    rows = []
    for name, within in chosen(RATIOS, options):
        strings = string_file(f"{name}:{options.strings}")
        tools = ["cdist", "duckdb"] + (["symspell"] if name == "words" else [])
        calls = {"sosie": lambda: join(program, strings, within)}
        calls |= {tool: lambda tool=tool: peer(strings, within, tool) for tool in tools}
        found = summaries(calls, options.rounds)
        check_peers(f"{name} within {within}", found)
        rows.append({"strings": name, "within": within, "lines": lines_of(strings),
                     "goal": RATIOS[name, within], "tools": found})
    return rows


def check_peers(what: str, found: dict):
    sosie = found["sosie"]
    if found["cdist"]["of_first"] != sosie["of_first"]:
        raise SystemExit(f"{what}: cdist finds {found['cdist']['of_first']} pairs of the first "
                         f"rows, sosie {sosie['of_first']}")
    if "symspell" in found and found["symspell"]["pairs"] != sosie["pairs"]:
        raise SystemExit(f"{what}: SymSpell finds {found['symspell']['pairs']} pairs")


def kernels(program: Path, options: argparse.Namespace) -> list[dict]:
    done = subprocess.run([program.parent / "edit_kernels", str(options.rounds)], check=True,
                          text=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def scale(program: Path, options: argparse.Namespace) -> list[dict]:
    rows = []
    for within in ("1", "2"):
        calls = {str(lines): lambda lines=lines: join(program, string_file(f"names:{lines}"), within)
                 for lines in options.growth}
        rows += [{"what": "growth", "strings": "names", "lines": int(lines), "within": within,
                  "sosie": found} for lines, found in summaries(calls, options.rounds).items()]
    names = string_file(f"names:{options.growth[-1]}")
    calls = {"no cap": lambda: join(program, names, "2"),
             CAP: lambda: join(program, names, "2", "--memory", CAP)}
    rows += compared("memory", options.growth[-1], calls, options)
    calls = {f"{threads} threads": lambda threads=threads:
             join(program, names, "2", threads=threads) for threads in (1, 2)}
    rows += compared("threads", options.growth[-1], calls, options)
    if options.many:
        found = join(program, string_file(f"names:{options.many}"), "1")
        rows.append({"what": "many", "strings": "names", "lines": options.many, "within": "1",
                     "sosie": measure.summary([found | {"digest": 0}])})
    return rows


def compared(what: str, lines: int, calls: dict, options: argparse.Namespace) -> list[dict]:
    found = summaries(calls, options.rounds)
    if len({one["digest"] for one in found.values()}) != 1:
        raise SystemExit(f"{what}: not the same bytes")
    return [{"what": what, "strings": "names", "lines": lines, "within": "2", "how": how,
             "sosie": one} for how, one in found.items()]


PARTS = {"joins": joins, "peers": peers, "kernels": kernels, "scale": scale}


def chosen(points: dict, options: argparse.Namespace) -> list[tuple[str, str]]:
    only = [name for name in options.only.split(",") if name]
    return [point for point in points
            if not only or point[0] in only or ":".join(point) in only]


def lines_of(path: Path) -> int:
    with open(path, "rb") as lines:
        return sum(1 for _ in lines)


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("part", choices=[*PARTS, "all"])
    parser.add_argument("--rounds", type=int, default=3, help="after the first (default: 3)")
    parser.add_argument("--only", default="",
                        help="of joins and peers: strings, or strings:within, with commas")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie",
                        help="the program that edit_kernels lies beside (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    parser.add_argument("--many", type=int, default=MANY, metavar="NAMES",
                        help="of scale: names in the largest file; 0: none (default: %(default)s)")
    parser.set_defaults(lines=LINES, strings=PEER_STRINGS, growth=GROWTH)
    return parser.parse_args()


def measure_part(part: str, options: argparse.Namespace):
    """Writes the results of a part, and prints its table."""
    program = options.sosie.resolve()
    result = {"suite": f"string_{part}", "rounds": options.rounds,
              "surroundings": measure.surroundings(program, PEERS_PYTHON, PACKAGES),
              "command": f"python3 bench/strings.py {part} --rounds {options.rounds}"
                         + (f" --only {options.only}" if options.only else "")
                         + (f" --many {options.many}" if options.many != MANY else ""),
              "rows": PARTS[part](program, options)}
    options.results.mkdir(parents=True, exist_ok=True)
    path = options.results / f"string-{part}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print("\n".join(tables.TABLES[result["suite"]](result, False)), flush=True)


def main():
    options = parse_options()
    for part in PARTS if options.part == "all" else [options.part]:
        measure_part(part, options)
    if options.part == "all":
        page = ROOT / "docs/benchmarks.md"
        page.write_text(tables.fill(page.read_text(), options.results))


if __name__ == "__main__":
    main()
