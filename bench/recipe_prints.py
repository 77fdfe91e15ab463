"""Synthetic fingerprints: grids by which prints distinguish fingers, and methods that find the
pairs."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

from recipe_program import EXAMPLES, Program, share

PRINTS = 500
SIDE = "size:400x400"


def prints_of(program: Program) -> Path:
    """Two prints for each of PRINTS fingers."""
    path = program.folder / "prints.jsonl"
    with open(path, "wb") as out:
        subprocess.run([sys.executable, EXAMPLES / "prints.py", str(PRINTS)], stdout=out, check=True)
    return path


def is_one_finger(left: str, right: str) -> bool:
    return left[:-1] == right[:-1]


def prints(program: Program) -> dict:
    path = prints_of(program)
    rows = []
    for grid in ("grid:50,border:3", "grid:25", "grid:25,border:3", "grid:25,border:6",
                 "grid:25,border:3,directions:4", "grid:12.5,border:3"):
        found = program.run("pairs", path, "--column", "points", "--represent", f"{grid},{SIDE}",
                            "--method", "exact", "--threshold", "0.02")["rows"]
        same = sorted(value for left, right, value in found if is_one_finger(left, right))
        others = max(value for left, right, value in found if not is_one_finger(left, right))
        rows.append([f"`{grid}`", share(statistics.median(same)),
                     share(same[0] if len(same) == PRINTS else 0), share(others)])
    return {"columns": ["`--represent`", "same finger, median", "lowest", "other fingers, highest"],
            "rows": rows}


def finders(program: Program) -> dict:
    path = prints_of(program)
    one = program.folder / "one.jsonl"
    one.write_text(path.read_text().splitlines()[35] + "\n")
    rows = []
    for name, options in (("`--method exact`", ("--method", "exact")),
                          ("`--method lsh` (minhash)", ("--method", "lsh")),
                          *((f"grid triples, `{construct}`",
                             ("--family", "grid-triples", "--construct", construct))
                            for construct in ("or:1024", "or:1024,and:2", "or:2048"))):
        args = ("--column", "points", "--represent", f"grid:25,border:3,{SIDE}", "--threshold",
                "0.3", *options)
        found = program.run("pairs", path, *args)
        asked = program.run("query", path, one, *args)
        hits = sum(is_one_finger(left, right) for left, right, _ in found["rows"])
        rows.append([name, f"{hits} of {PRINTS}", f"{found['stats']['candidates']:,}",
                     f"{found['stats']['verified']:,}", f"{asked['stats']['candidates']:,}",
                     f"{found['cpu_seconds']:.2f} s"])
    return {"columns": ["found by", "fingers found", "candidates", "verified",
                        "candidates per print", "CPU time, all pairs"], "rows": rows}
