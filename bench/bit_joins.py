#!/usr/bin/env python3
"""Finds pairs of 64-bit codes within a Hamming distance among a million: sosie's exact method
(multi-index hashing) compared with a flat scan of all pairs.

    cmake --preset release && cmake --build build/release --target sosie_cli
    python3 bench/bit_joins.py [--rounds 5]

Times are single-threaded CPU seconds, including reading and writing. The scan is `--method brute`,
which compares each pair once, with popcounts of eight codes at a time under AVX-512; it runs once.
Both must find the same pairs. Writes bench/results/bit-joins.json and prints its table.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import measure
import tables
import vector_files
from measure import ROOT

PATIENCE = 1200  # seconds for one run


def join(program: Path, codes: Path, radius: str, method: str) -> tuple[dict, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pairs.tsv"
        run = measure.run([program, "pairs", codes, "--kind", "bits", "--within", radius, "--method",
                           method, "--threads", "1", "--quiet", "-o", out], 1, PATIENCE)
        return run, out.read_bytes()


def main():
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--radii", default="3", help="with commas (default: %(default)s)")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    options = parser.parse_args()
    program = options.sosie.resolve()
    codes = vector_files.item_file("codes")
    result = {"suite": "bit_joins", "rows": [], "codes": vector_files.CODES,
              "surroundings": measure.surroundings(program, vector_files.PEERS_PYTHON, []),
              "command": f"python3 bench/bit_joins.py --rounds {options.rounds} "
                         f"--radii {options.radii}"}
    for radius in options.radii.split(","):
        scan, expected = join(program, codes, radius, "brute")
        runs = []
        for _ in range(options.rounds):
            run, found = join(program, codes, radius, "exact")
            if found != expected:
                raise SystemExit(f"radius {radius}: the two found different pairs")
            runs.append(run)
        result["rows"].append({"radius": radius, "pairs": expected.count(b"\n") - 1,
                               "exact": measure.summary(runs), "scan": measure.summary([scan])})
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "bit-joins.json").write_text(json.dumps(result, indent=1) + "\n")
    print("\n".join(tables.TABLES["bit_joins"](result, False)))


if __name__ == "__main__":
    main()
