#!/usr/bin/env python3
"""Measures joins of vectors by cosine: sosie exact, sosie lsh, and only the products with numpy's
sgemm.

    cmake --preset release && cmake --build build/release --target sosie_cli
    python3 bench/install_peers.py
    python3 bench/vector_joins.py [--seeds 10] [--only NAME,NAME:THRESHOLD]

Times are single-threaded CPU seconds, user and system. Sosie's times include reading and writing;
sgemm multiplies half of the matrix in blocks and keeps only a count. Every --part-th of its blocks
is multiplied, and the time is scaled accordingly. Every seed is a round, in which the lsh joins
and, in the first --rounds, the exact join and sgemm are interleaved. Writes
bench/results/vector-joins.json, point by point, and prints its table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure
import tables
import vector_files
from measure import ROOT
from vector_files import PEERS_PYTHON

POINTS = [("sift", "0.95"), ("sift", "0.9"), ("glove", "0.95"), ("glove", "0.9"),
          ("mnist", "0.95"), ("mnist", "0.9")]
RECALLS = ("0.95", "0.99")
PATIENCE = 600    # seconds for one run
BLOCK = 4096


def by_sosie(program: Path, vectors: Path, threshold: str, how: list[str]) -> dict:
    """The result of measure.run(), and the lines of found pairs."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pairs.tsv"
        found = measure.run([program, "pairs", vectors, "--threshold", threshold, *how,
                             "--threads", "1", "--quiet", "-o", out], 1, PATIENCE)
        lines = out.read_bytes().splitlines()
        header = 1 if lines[0].startswith(b"#sosie ") else 0
        return found | {"found": set(lines[header + 1:])}


def by_sgemm(vectors: Path, threshold: str, part: int) -> dict:
    """Runs in a separate process, with the kernel that OpenBLAS selects for this CPU."""
    environment = os.environ | dict.fromkeys(measure.THREAD_VARIABLES, "1")
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        environment.pop(name, None)
    done = subprocess.run([PEERS_PYTHON, __file__, "--sgemm", vectors, threshold, str(part)],
                          env=environment | {"OPENBLAS_VERBOSE": "2"}, check=True, text=True,
                          capture_output=True)
    kernel = re.search(r"Core: (\w+)", done.stderr + done.stdout)
    return json.loads(done.stdout.splitlines()[-1]) | {"kernel": kernel and kernel[1]}


def sgemm(vectors: Path, threshold: str, part: int) -> dict:
    import numpy
    unit = numpy.load(vectors).astype(numpy.float32)
    unit /= numpy.linalg.norm(unit, axis=1, keepdims=True)
    blocks = [(x, y) for x in range(0, len(unit), BLOCK) for y in range(x, len(unit), BLOCK)]
    start = time.process_time()
    found = 0
    for x, y in blocks[::part]:
        near = unit[x:x + BLOCK] @ unit[y:y + BLOCK].T >= float(threshold)
        found += int((numpy.triu(near, 1) if x == y else near).sum())
    seconds = time.process_time() - start
    return {"cpu_seconds": seconds * len(blocks) / len(blocks[::part]), "pairs": found}


def point_row(program: Path, name: str, threshold: str, options: argparse.Namespace) -> dict:
    print(f"{name} {threshold}", file=sys.stderr, flush=True)
    vectors = vector_files.item_file(name)
    runs: dict[str, list[dict]] = {name: [] for name in ("exact", "sgemm", *RECALLS)}
    kernel, exact = None, set()
    for seed in range(1, options.seeds + 1):
        if seed <= options.rounds:
            run = by_sosie(program, vectors, threshold, ["--method", "exact"])
            exact = run.pop("found")
            runs["exact"].append(run)
            run = by_sgemm(vectors, threshold, options.part)
            kernel = run.pop("kernel")
            runs["sgemm"].append(run)
        for recall in RECALLS:
            run = by_sosie(program, vectors, threshold,
                           ["--method", "lsh", "--recall", recall, "--seed", str(seed)])
            found = run.pop("found")
            if found - exact:
                raise SystemExit(f"{name} {threshold}: lsh found what is no pair")
            runs[recall].append(run | {"recall": len(found) / max(1, len(exact))})
    return {"vectors": name, "threshold": threshold, "pairs": len(exact), "kernel": kernel,
            "part": options.part,
            "joins": {name: summary(some) for name, some in runs.items()}}


def summary(runs: list[dict]) -> dict:
    out = measure.summary(runs)
    if "recall" in runs[0]:
        recalls = [run["recall"] for run in runs]
        out |= {"recall": sum(recalls) / len(recalls), "recall_range": [min(recalls), max(recalls)]}
    return out


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="default: 10")
    parser.add_argument("--rounds", type=int, default=3, help="of exact and sgemm (default: 3)")
    parser.add_argument("--part", type=int, default=1, help="of sgemm's blocks (default: all)")
    parser.add_argument("--only", default="", help="vectors, or vectors:threshold, with commas")
    parser.add_argument("--add", action="store_true",
                        help="keep the other points of the result file")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    return parser.parse_args()


def point_of(row: dict) -> tuple[str, str]:
    return row["vectors"], row["threshold"]


def command(options: argparse.Namespace, done: list) -> str:
    """The command that reproduces these rows."""
    out = (f"python3 bench/vector_joins.py --seeds {options.seeds} --rounds {options.rounds} "
           f"--part {options.part}")
    return out if done == POINTS else f"{out} --only {','.join(map(':'.join, done))}"


def main():
    options = parse_options()
    only = [name for name in options.only.split(",") if name]
    points = [(name, threshold) for name, threshold in POINTS
              if not only or name in only or f"{name}:{threshold}" in only]
    program = options.sosie.resolve()
    path = options.results / "vector-joins.json"
    options.results.mkdir(parents=True, exist_ok=True)
    same = {"seeds": options.seeds, "rounds": options.rounds, "part": options.part}
    result = {"suite": "vector_joins", **same,
              "surroundings": measure.surroundings(program, PEERS_PYTHON, ["numpy"]),
              "rows": measure.kept_rows(path, same, points) if options.add else []}
    for name, threshold in points:
        result["rows"].append(point_row(program, name, threshold, options))
        result["rows"].sort(key=lambda row: POINTS.index(point_of(row)))
        result["command"] = command(options, [point_of(row) for row in result["rows"]])
        path.write_text(json.dumps(result, indent=1) + "\n")
    print("\n".join(tables.TABLES["vector_joins"](result, False)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sgemm"]:
        print(json.dumps(sgemm(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))))
    else:
        main()
