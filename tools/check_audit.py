#!/usr/bin/env python3
"""Compares the figures of `--audit` with the exact pairs of real collections.

    check_audit.py --data DIR [--sosie BIN] [--seeds 20]        (DIR: or $SOSIE_DATA)

For each collection and seed, runs `sosie pairs --audit` at threshold 0.8 under the definition in
DIR/FORMAT.md, and computes the true recall of that run from its output and the truth file:
  planned  the interval covers the true recall in at least 18 of 20 seeds, precision is 1, exit 0;
  8x16     (`--bands 8x16 --method lsh`) the same, and the run exits with 1; in the slice [.8, .85),
           it finds about the share predicted by the S-curve, 20 % at its lower end.
Exits with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COLLECTIONS = ("man-pages-versions", "debian-descriptions")
WAYS = {"planned": ((), 0), "8x16": (("--method", "lsh", "--bands", "8x16"), 1)}
THRESHOLD = 0.8
SLICE_END = 0.85
COVERED = 0.9  # share of the seeds; the interval is a 95 % interval


def true_pairs(path: Path) -> dict[tuple[str, str], float]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {(left, right): float(similarity) for left, right, similarity in rows
                if float(similarity) >= THRESHOLD}


def audited_run(sosie: str, source: Path, scratch: Path, seed: int,
                options: tuple[str, ...]) -> tuple[int, set[tuple[str, str]], dict]:
    out, stats = scratch / "pairs.tsv", scratch / "stats.json"
    done = subprocess.run(
        [sosie, "pairs", source, "--tokens", "ascii", "--threshold", str(THRESHOLD), "--audit",
         "--seed", str(seed), "--stats", stats, "-o", out, "--progress", "none", *options],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}\n{done.stderr.decode('utf-8', 'replace')[-2000:]}")
    with open(out, encoding="utf-8", newline="\n") as lines:
        next(lines)
        found = {tuple(line.rstrip("\n").split("\t")[:2]) for line in lines}
    return done.returncode, found, json.loads(stats.read_text())["audit"]


def covers(estimate: dict, found: int, true: int) -> bool:
    return estimate["recall_low"] <= found / true <= estimate["recall_high"]


def check(sosie: str, data: Path, scratch: Path, collection: str, way: str, seeds: int) -> bool:
    source = scratch / f"{collection}.jsonl"
    if not source.exists():
        with gzip.open(data / collection / f"{collection}.jsonl.gz") as packed, \
                open(source, "wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    truth = true_pairs(data / collection / "pairs.word5.ge050.tsv.gz")
    in_slice = {pair for pair, similarity in truth.items() if similarity < SLICE_END}
    options, code = WAYS[way]
    covered = slice_covered = 0
    recalls, slices, audited, failures = [], [], [], []
    for seed in range(1, seeds + 1):
        exit_code, found, audit = audited_run(sosie, source, scratch, seed, options)
        found &= truth.keys()
        recalls.append(len(found) / len(truth))
        slices.append(len(found & in_slice) / len(in_slice))
        audited.append(audit["slice"]["recall"])
        covered += covers(audit, len(found), len(truth))
        slice_covered += covers(audit["slice"], len(found & in_slice), len(in_slice))
        if exit_code != code:
            failures.append(f"seed {seed}: exit code {exit_code}, not {code}")
        if audit["precision"] != 1:
            failures.append(f"seed {seed}: precision {audit['precision']}")
    least = int(COVERED * seeds)
    if covered < least:
        failures.append(f"covered in {covered} of {seeds} seeds, {least} are needed")
    if slice_covered < least:
        failures.append(f"slice covered in {slice_covered} of {seeds} seeds, {least} are needed")
    print(f"{collection:<20} {way:<8} true recall {mean(recalls):.4f}, in the slice "
          f"{mean(slices):.4f} (audits say {mean(audited):.4f}); the interval covers it in "
          f"{covered} and {slice_covered} of {seeds} seeds", flush=True)
    for failure in failures:
        print(f"  FAILED: {failure}")
    return not failures


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("SOSIE_DATA"))
    parser.add_argument("--sosie", default=os.environ.get("SOSIE_BIN", "build/release/sosie"))
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    if options.data is None:
        parser.error("say --data DIR, or set SOSIE_DATA")
    with tempfile.TemporaryDirectory(prefix="check-audit-") as scratch:
        good = [check(options.sosie, options.data, Path(scratch), collection, way, options.seeds)
                for collection in COLLECTIONS for way in WAYS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
