#!/usr/bin/env python3
"""Measures looking up the ten nearest vectors: sosie query compared with hnswlib and FAISS (Flat, IVF, LSH).

    python3 bench/vector_queries.py [--only sift,glove] [--sosie build/release/sosie]

1,000 vectors are left out of sift and of glove (bench/vector_files.py) and looked up by cosine, on one thread
per tool; times are CPU seconds. The libraries (install_peers.py) hold their index in memory: the time to
build it is shown separately, and queries are timed all at once and one by one. The same is done with sosie's
own Index, whose package `make test-python` installs. Each `sosie query` is a process that reads and prepares
the data from scratch; its time to build is a run with a single query, and the additional time for 1,000
queries counts as theirs. Recall is relative to the ten nearest by cosine in doubles. Writes
bench/results/vector-queries.json and prints its table.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
import tables
from measure import ROOT

PEERS_PYTHON = ROOT / "build/bench-venv/bin/python"
PACKAGES = ["faiss-cpu", "hnswlib", "numpy"]
SOSIE_PYTHON = ROOT / "build/python-venv/bin/python"  # make test-python
INDEXES = ["sosie Index 1", "sosie Index 0.99", "sosie Index 0.95", "sosie Index 0.9"]
TOOLS = ["faiss Flat", "faiss IVF", "faiss LSH", "hnswlib", *INDEXES]
TOP = 10
ROUNDS = 3
LIMIT_SECONDS = 900
METHODS = {"exact": ("--method", "exact"),
           "lsh, cosine ≥ .9, --recall .9": ("--method", "lsh", "--threshold", "0.9",
                                             "--recall", "0.9")}


def split_data(name: str, folder: Path):
    """Files of the data, of the queries and of a single query, with vectors of length 1 as floats."""
    code = ("import sys, numpy, vector_files as files\n"
            "rows = getattr(files, sys.argv[1])().astype(numpy.float32)\n"
            "rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)\n"
            "out = numpy.random.RandomState(files.SEED).permutation(len(rows))[:files.QUERIES]\n"
            "data = numpy.delete(rows, out, axis=0)\n"
            "numpy.save(sys.argv[2] + '/data.npy', data)\n"
            "numpy.save(sys.argv[2] + '/queries.npy', rows[out])\n"
            # A row of the data itself, so that there is a hit; otherwise, the exit code would be 1.
            "numpy.save(sys.argv[2] + '/one.npy', data[:1])\n")
    subprocess.run([PEERS_PYTHON, "-c", code, name, folder], check=True,
                   env=os.environ | {"PYTHONPATH": str(ROOT / "bench")})


TRUTH = """
import sys, numpy
folder, top, found_files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
data = numpy.load(folder + "/data.npy").astype(numpy.float64)
queries = numpy.load(folder + "/queries.npy").astype(numpy.float64)
least = numpy.concatenate([numpy.partition(queries[begin:begin + 50] @ data.T, -top)[:, -top]
                           for begin in range(0, len(queries), 50)])
for path in found_files:
    found = numpy.load(path)
    for name in found.files:
        ids = found[name].astype(numpy.int64)
        products = numpy.einsum("qd,qkd->qk", queries, data[ids])
        # A tie with the tenth, or what floats take for one, is as good.
        good = (ids >= 0) & (products >= least[:, None] - 1e-6)
        print(path, name, good[:, :top].sum() / (top * len(ids)))
"""


def recalls(folder: Path, files: list) -> dict:
    out = subprocess.check_output([PEERS_PYTHON, "-c", TRUTH, folder, str(TOP), *files], text=True)
    return {tuple(line.split()[:2]): float(line.split()[2]) for line in out.splitlines()}


def of_library(tool: str, folder: Path) -> list[dict]:
    found = folder / f"{tool.replace(' ', '-')}.npz"
    answer = folder / "answer.json"
    python = SOSIE_PYTHON if tool in INDEXES else PEERS_PYTHON
    command = [python, "-c", "import runpy, sys; sys.stdout = open(sys.argv.pop(1), 'w'); "
               "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')", answer,
               ROOT / "bench/peers/vector_query_peer.py", tool, folder / "data.npy",
               folder / "queries.npy", TOP, found]
    run = measure.run(command, 1, LIMIT_SECONDS)
    told = json.loads(answer.read_text())
    recall = recalls(folder, [found])
    return [{"tool": "sosie Index" if tool in INDEXES else tool, "setting": one["setting"], "build_seconds": told["build_seconds"],
             "batched_per_s": one["batched_per_s"], "single_per_s": one["single_per_s"],
             "peak_mb": run["peak_mb"], "recall": recall[str(found), f"found{i}"]}
            for i, one in enumerate(told["settings"])]


def of_sosie(sosie: Path, method: str, folder: Path) -> dict:
    found = folder / "found.tsv"

    def run(queries: str) -> dict:
        return measure.run([sosie, "query", folder / "data.npy", folder / queries, "--top", TOP,
                            *METHODS[method], "--threads", "1", "--quiet", "-o", found], 1,
                           LIMIT_SECONDS)
    singles, batches = [], []
    for _ in range(ROUNDS):
        singles.append(run("one.npy"))
        batches.append(run("queries.npy"))
    one = statistics.median(single["cpu_seconds"] for single in singles)
    all_at_once = statistics.median(batch["cpu_seconds"] for batch in batches)
    code = ("import sys, numpy\n"
            "ids = numpy.full((int(sys.argv[3]), int(sys.argv[4])), -1)\n"
            "seen = numpy.zeros(len(ids), int)\n"
            "for line in open(sys.argv[1]).read().splitlines()[1:]:\n"
            "    left, right = map(int, line.split('\\t')[:2])\n"
            "    ids[left, seen[left]] = right\n"
            "    seen[left] += 1\n"
            "numpy.savez(sys.argv[2], found0=ids)\n")
    ids = folder / "sosie.npz"
    subprocess.run([PEERS_PYTHON, "-c", code, found, ids, "1000", str(TOP)], check=True)
    return {"tool": "sosie query", "setting": method, "build_seconds": one,
            "batched_per_s": 999 / max(all_at_once - one, 1e-9), "single_per_s": 1 / one,
            "peak_mb": max(batch["peak_mb"] for batch in batches),
            "recall": recalls(folder, [ids])[str(ids), "found0"]}


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--only", default="sift,glove")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    return parser.parse_args()


def main():
    options = parse_options()
    result = {"suite": "vector_queries",
              "surroundings": measure.surroundings(options.sosie.resolve(), PEERS_PYTHON, PACKAGES),
              "command": f"python3 bench/vector_queries.py --only {options.only}", "rows": []}
    options.results.mkdir(parents=True, exist_ok=True)
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            split_data(name, folder)
            for tool in [*METHODS, *TOOLS]:
                print(f"{name}: {tool}", file=sys.stderr, flush=True)
                rows = ([of_sosie(options.sosie.resolve(), tool, folder)] if tool in METHODS
                        else of_library(tool, folder))
                result["rows"] += [{"data": name, **row} for row in rows]
                (options.results / "vector-queries.json").write_text(
                    json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print("\n".join(tables.TABLES["vector_queries"](result, False)))


if __name__ == "__main__":
    main()
