#!/usr/bin/env python3
"""Builds and runs bench/set_joins.cc: the exact join beside plain AllPairs and PPJoin.

    bench/set_joins.py [--rounds 5] [--sets NAME=FILE ...]

Prints a Markdown table: CPU seconds of one thread, medians of interleaved rounds, index building
included. FILE holds one set a line, elements between blanks.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ["bench/set_joins.cc", "src/candidates/prefix_index.cc", "src/candidates/token_order.cc",
           "src/candidates/parity_signatures.cc", "src/kernels/posting_scan.cc",
           "src/kernels/token_overlap.cc", "src/kernels/sorted_set.cc", "src/verify/measures.cc",
           "src/verify/jaccard.cc", "src/verify/dice.cc", "src/core/rational.cc",
           "src/core/thread_pool.cc"]
POINTS = [("quest", "0.6"), ("quest", "0.8"), ("uniform", "0.6"), ("uniform", "0.8"),
          ("zipf", "0.5"), ("zipf", "0.8")]
HEADER = """| sets | number | mean size | J | pairs | Sosie | AllPairs | PPJoin | ns a posting | best plain / Sosie |
|---|---|---|---|---|---|---|---|---|---|"""


def build(folder: Path) -> Path:
    program = folder / "set_joins"
    subprocess.run(["g++", "-std=c++20", "-O3", "-DHWY_WANT_AVX3_DL", f"-I{ROOT}/src",
                    f"-I{ROOT}/include", f"-I{ROOT}/bench", *[str(ROOT / name) for name in SOURCES],
                    "-lhwy", "-lpthread", "-o", str(program)], check=True)
    return program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sets", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--threshold", action="append", default=[], help="for --sets")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        print(HEADER, flush=True)
        points = [(name, threshold, "") for name, threshold in POINTS]
        for given in args.sets:
            name, path = given.split("=", 1)
            points += [(name, threshold, path) for threshold in args.threshold or ["0.8"]]
        return max(subprocess.run([program, str(args.rounds), name, threshold, path]).returncode
                   for name, threshold, path in points)


if __name__ == "__main__":
    sys.exit(main())
