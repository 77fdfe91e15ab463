#!/usr/bin/env python3
"""Joins of vectors by cosine: sosie exact, sosie lsh, and the products alone by sgemm of numpy.

One thread each, CPU seconds (user + system) of every run, in turns. What sosie does includes
reading and writing; sgemm multiplies the upper half of all blocks and keeps nothing but a count.

    OPENBLAS_NUM_THREADS=1 OPENBLAS_VERBOSE=2 bench/vector_joins.py FILE.npy --threshold 0.95
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent
BLOCK = 4096


def by_sosie(path: Path, threshold: str, method: str, out: Path) -> tuple:
    """CPU seconds and the lines of found pairs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.environ.get("SOSIE_BIN") or ROOT / "build" / "release" / "sosie", "pairs",
                    path, "--threshold", threshold, "--method", method, "--threads", "1",
                    "--quiet", "-o", out], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, set(out.read_bytes().splitlines()[1:])


def by_sgemm(vectors: numpy.ndarray, threshold: float) -> tuple:
    """CPU seconds and the number of products at or above the threshold, in float32."""
    start = time.process_time()
    unit = vectors.astype(numpy.float32)
    unit /= numpy.linalg.norm(unit, axis=1, keepdims=True)
    found = 0
    for begin in range(0, len(unit), BLOCK):
        for other in range(begin, len(unit), BLOCK):
            near = unit[begin:begin + BLOCK] @ unit[other:other + BLOCK].T >= threshold
            found += int((numpy.triu(near, 1) if begin == other else near).sum())
    return time.process_time() - start, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--threshold", default="0.95")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without-sgemm", action="store_true", help="it takes long")
    options = parser.parse_args()
    vectors = numpy.load(options.vectors)
    seconds = {"exact": [], "lsh": []}
    count = "not run"
    if not options.without_sgemm:
        seconds["sgemm"] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            if not options.without_sgemm:
                spent, count = by_sgemm(vectors, float(options.threshold))
                seconds["sgemm"].append(spent)
            pairs = {}
            for method in ("exact", "lsh"):
                spent, pairs[method] = by_sosie(options.vectors, options.threshold, method,
                                                Path(folder) / "pairs.tsv")
                seconds[method].append(spent)
    recall = len(pairs["lsh"] & pairs["exact"]) / max(1, len(pairs["exact"]))
    for name, spent in seconds.items():
        print(f"{name:6} {statistics.median(spent):8.2f} CPU s ({min(spent):.2f} to {max(spent):.2f})")
    print(f"{len(pairs['exact'])} pairs (sgemm: {count}), lsh found {recall:.4f} of them and "
          f"{len(pairs['lsh'] - pairs['exact'])} others")


if __name__ == "__main__":
    main()
