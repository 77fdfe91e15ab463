#!/usr/bin/env python3
"""Checks the program against the exact pairs of real collections (`make check-data`).

    check_data.py --data DIR [--sosie BIN] [--only ir-plag,...] [--steps brute,exact,lsh,dedup]
                  [--quick]

Four steps, all with `--tokens ascii`, under the definition of DIR/FORMAT.md:
  brute  `pairs --method brute` reproduces the truth files: the same ids in the same order, every
         similarity correct to six decimals, at thresholds 0.5 and 0.8.
  exact  the same for `--method exact`, on all collections; licence-texts at 0.5 by the number of pairs.
  lsh    `pairs --method lsh --recall 0.99 --threshold 0.8`, over ten seeds: mean recall at least
         .99, on the slice [.8, .85) too; precision exactly 1; similarities correct to six decimals.
  dedup  licence-texts with `dedup --threshold 0.8 --threads 2`: time and peak memory; every removal
         is a true pair; kept + removed = read; no two survivors are a found pair.
Prints a table, writes every number as JSON (`--results FILE`), exits with 1 if anything failed.
Truth files are streamed and never held in memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

# What is in each collection: the lowest threshold of its truth files, and whether all pairs are
# compared (brute) unless asked for by name.
SETS = {"ir-plag": "050", "man-pages-versions": "050", "debian-copyright": "050",
        "debian-descriptions": "050", "licence-texts": "080"}
BRUTE_BY_DEFAULT = ("ir-plag", "man-pages-versions", "debian-copyright", "debian-descriptions")
SHINGLES = {"words:5": "word5", "chars:9": "char9"}
# Number of pairs of licence-texts at 0.5, for which there is no file.
LICENCE_PAIRS = {"words:5": 1_301_036, "chars:9": 2_289_159}
DEDUP_LIMITS = {"words:5": {"seconds": 6.0, "mb": 300}, "chars:9": {"seconds": 20.0, "mb": 300}}
RECALL_ASKED = 0.99
SLICE_END = 0.85
HALF_A_MILLIONTH = 0.5e-6 + 1e-9  # truth files have nine decimals

Pair = tuple[str, str, float]


@dataclass
class Run:
    seconds: float
    cpu_seconds: float
    peak_mb: float


class Check:
    """A line of the table."""

    def __init__(self, collection: str, shingle: str, step: str):
        self.fields = {"set": collection, "shingle": shingle, "step": step}
        self.failures: list[str] = []

    def require(self, good: bool, complaint: str):
        if not good:
            self.failures.append(complaint)


class Checker:
    def __init__(self, options: argparse.Namespace, scratch: Path):
        self.options = options
        self.scratch = scratch
        self.checks: list[Check] = []

    # --- running the program

    def run(self, *args: str, out: str) -> tuple[Run, Path]:
        """Runs the program, waits, and measures only this process."""
        path = self.scratch / out
        began = time.monotonic()
        process = subprocess.Popen(
            [self.options.sosie, *args, "-o", path, "--threads", str(self.options.threads),
             "--tokens", "ascii"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        err = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode != 0:
            sys.exit(f"sosie {' '.join(args)}: exit code {process.returncode}\n"
                     f"{err.decode('utf-8', 'replace')[-2000:]}")
        return Run(time.monotonic() - began, usage.ru_utime + usage.ru_stime,
                   usage.ru_maxrss / 1024), path

    def unpack(self, collection: str) -> Path:
        target = self.scratch / f"{collection}.jsonl"
        if not target.exists():
            source = self.options.data / collection / f"{collection}.jsonl.gz"
            with gzip.open(source) as packed, open(target, "wb") as plain:
                shutil.copyfileobj(packed, plain, 1 << 20)
        return target

    def truth(self, collection: str, shingle: str, threshold: float) -> Iterator[Pair]:
        path = (self.options.data / collection /
                f"pairs.{SHINGLES[shingle]}.ge{SETS[collection]}.tsv.gz")
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for left, right, similarity in (line.rstrip("\n").split("\t") for line in lines):
                if float(similarity) >= threshold:
                    yield left, right, float(similarity)

    # --- steps

    def all_pairs(self, collection: str, shingle: str, threshold: str, method: str):
        return self.run("pairs", str(self.unpack(collection)), "--method", method, "--shingle",
                        shingle, "--threshold", threshold, out="pairs.tsv")

    def check_every_pair(self, collection: str, shingle: str, threshold: str, method: str):
        check = self.begin(collection, shingle, f"{method} {threshold}")
        run, path = self.all_pairs(collection, shingle, threshold, method)
        count = off = 0
        same = True
        truth = self.truth(collection, shingle, float(threshold))
        for found in found_pairs(path):
            expected = next(truth, None)
            count += 1
            same = expected is not None and found[:2] == expected[:2]
            if not same:
                check.require(False, f"pair {count} is {found}, not {expected}")
                break
            off += abs(found[2] - expected[2]) > HALF_A_MILLIONTH
        missing = sum(1 for _ in truth) if same else 0
        check.require(missing == 0, f"{missing} pairs are missing at the end")
        check.require(off == 0, f"{off} similarities are off")
        self.finish(check, run, pairs=count)

    def check_count(self, shingle: str):
        check = self.begin("licence-texts", shingle, "exact 0.5")
        run, path = self.all_pairs("licence-texts", shingle, "0.5", "exact")
        count = sum(1 for _ in found_pairs(path))
        check.require(count == LICENCE_PAIRS[shingle], f"not {LICENCE_PAIRS[shingle]} pairs")
        self.finish(check, run, pairs=count)

    def check_lsh(self, collection: str, shingle: str):
        check = self.begin(collection, shingle, "lsh 0.8")
        recalls, slices, runs = [], [], []
        false = off = 0
        for seed in range(1, self.options.seeds + 1):
            run, path = self.run("pairs", str(self.unpack(collection)), "--method", "lsh",
                                 "--recall", str(RECALL_ASKED), "--shingle", shingle,
                                 "--threshold", "0.8", "--seed", str(seed), out="lsh.tsv")
            tally = self.compare(found_pairs(path), self.truth(collection, shingle, 0.8))
            recalls.append(ratio(tally["found"], tally["true"]))
            slices.append(ratio(tally["found_in_slice"], tally["true_in_slice"]))
            false += tally["false"]
            off += tally["off"]
            runs.append(run)
        recall, in_slice = mean(recalls), mean(slices)
        check.require(recall >= RECALL_ASKED, f"mean recall {recall:.5f}")
        check.require(in_slice >= RECALL_ASKED, f"mean recall {in_slice:.5f} on [.8, .85)")
        check.require(false == 0, f"{false} reported pairs are not in the truth, or out of order")
        check.require(off == 0, f"{off} similarities are off")
        slowest = max(runs, key=lambda run: run.seconds)
        self.finish(check, slowest, pairs=tally["true"], recall=recall, recall_in_slice=in_slice,
                    lowest_recall=min(recalls), recalls=recalls, recalls_in_slice=slices,
                    precision=1.0 if false == 0 else None, seeds=len(recalls))

    def compare(self, found: Iterator[Pair], truth: Iterator[Pair]) -> dict[str, int]:
        """Walks through both, which are in the same order, in parallel."""
        tally = dict.fromkeys(("true", "found", "true_in_slice", "found_in_slice", "false", "off"),
                              0)
        candidate = next(found, None)
        for left, right, similarity in truth:
            in_slice = similarity < SLICE_END
            tally["true"] += 1
            tally["true_in_slice"] += in_slice
            if candidate is not None and candidate[:2] == (left, right):
                tally["found"] += 1
                tally["found_in_slice"] += in_slice
                tally["off"] += abs(candidate[2] - similarity) > HALF_A_MILLIONTH
                candidate = next(found, None)
        while candidate is not None:  # pairs that no truth line accounts for, and everything after them
            tally["false"] += 1
            candidate = next(found, None)
        return tally

    def check_dedup(self, collection: str, shingle: str):
        check = self.begin(collection, shingle, "dedup 0.8")
        source = self.unpack(collection)
        args = ("dedup", str(source), "--threshold", "0.8", "--shingle", shingle)
        rounds = [self.run(*args, "--removed", str(self.scratch / "removed.tsv"),
                           out="kept.jsonl")[0] for _ in range(1 if self.options.quick else 3)]
        removed_alone = (self.scratch / "removed.tsv").read_bytes()
        kept_alone = (self.scratch / "kept.jsonl").read_bytes()
        pairs = self.scratch / "pairs.tsv"
        self.run(*args, "--removed", str(self.scratch / "removed.tsv"), "--pairs", str(pairs),
                 out="kept.jsonl")
        check.require(kept_alone == (self.scratch / "kept.jsonl").read_bytes()
                      and removed_alone == (self.scratch / "removed.tsv").read_bytes(),
                      "--pairs changes the result")

        limits = DEDUP_LIMITS[shingle]
        best = min(rounds, key=lambda run: run.seconds)
        peak = max(run.peak_mb for run in rounds)
        check.require(best.seconds <= limits["seconds"],
                      f"{best.seconds:.2f} s, allowed are {limits['seconds']:.0f}")
        check.require(peak <= limits["mb"], f"{peak:.0f} MB, allowed are {limits['mb']}")

        read = ids_of(source)
        kept = ids_of(self.scratch / "kept.jsonl")
        removed = removed_pairs(self.scratch / "removed.tsv")
        check.require(len(kept) + len(removed) == len(read), "kept + removed is not read")
        gone = {pair[0] for pair in removed}
        check.require(gone.isdisjoint(kept) and gone.union(kept) == read.keys(),
                      "a row is lost or doubled")
        check.require(all(pair[1] in kept for pair in removed), "a kept_id was removed itself")
        check.require(all(pair[2] >= 0.8 for pair in removed), "a removal below the threshold")

        position = {identifier: number for number, identifier in enumerate(read)}
        wanted = {tuple(sorted(pair[:2], key=position.__getitem__)): pair[2] for pair in removed}
        missed = 0
        for left, right, similarity in self.truth(collection, shingle, 0.8):
            claimed = wanted.pop((left, right), None)
            check.require(claimed is None or abs(claimed - similarity) <= HALF_A_MILLIONTH,
                          f"{left} and {right}: {claimed}, not {similarity}")
            missed += left in kept and right in kept
        check.require(not wanted, f"{len(wanted)} removals are no true pairs")
        together = sum(left in kept and right in kept for left, right, _ in found_pairs(pairs))
        check.require(together == 0, f"{together} found pairs among the survivors")
        self.finish(check, Run(best.seconds, best.cpu_seconds, peak), kept=len(kept),
                    removed=len(removed), true_pairs_among_survivors=missed)

    # --- the table

    def begin(self, collection: str, shingle: str, step: str) -> Check:
        print(f"{collection:20} {shingle:8} {step:10}", end=" ", flush=True)
        return Check(collection, shingle, step)

    def finish(self, check: Check, run: Run, **numbers):
        check.fields |= {"seconds": round(run.seconds, 3), "cpu_seconds": round(run.cpu_seconds, 3),
                         "peak_mb": round(run.peak_mb, 1), **numbers, "failures": check.failures}
        self.checks.append(check)
        shown = "  ".join(f"{name.replace('_', ' ')} {number:.5f}" if isinstance(number, float)
                          else f"{name.replace('_', ' ')} {number}"
                          for name, number in numbers.items() if not isinstance(number, list))
        verdict = "FAILED: " + "; ".join(check.failures[:3]) if check.failures else "ok"
        print(f"{run.seconds:7.2f} s {run.peak_mb:6.0f} MB  {shown}  {verdict}", flush=True)


# --- files

def found_pairs(path: Path) -> Iterator[Pair]:
    with open(path, encoding="utf-8", newline="\n") as lines:
        first = next(lines)
        header = (next(lines) if first.startswith("#sosie ") else first).rstrip("\n").split("\t")
        if header != ["left", "right", "similarity"]:
            sys.exit(f"the header of pairs is {header}")
        for line in lines:
            left, right, similarity = line.rstrip("\n").split("\t")
            yield left, right, float(similarity)


def removed_pairs(path: Path) -> list[Pair]:
    with open(path, encoding="utf-8", newline="\n") as lines:
        names = next(lines).rstrip("\n").split("\t")
        columns = [names.index(name) for name in ("id", "kept_id", "similarity")]
        rows = [[line.rstrip("\n").split("\t")[column] for column in columns] for line in lines]
    return [(identifier, kept, float(similarity)) for identifier, kept, similarity in rows]


def ids_of(path: Path) -> dict[str, None]:
    """Ids in file order (a dict preserves it)."""
    with open(path, "rb") as lines:
        return dict.fromkeys(json.loads(line)["id"] for line in lines)


def ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


# --- where it ran

def first_line(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def cpu_model() -> str | None:
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
        return found.group(1) if found else None
    except OSError:
        return None


def compiler_of(program: Path) -> str | None:
    """First line of `--version` of the compiler for which the program's build tree was configured."""
    for folder in program.resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.exists():
            found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", cache.read_text(), re.MULTILINE)
            return first_line(found.group(1), "--version") if found else None
    return None


def commit() -> str | None:
    here = str(Path(__file__).resolve().parent)
    git = ("git", "--no-optional-locks", "-C", here)
    head = first_line(*git, "rev-parse", "--short=12", "HEAD")
    changed = first_line(*git, "status", "--porcelain", "--untracked-files=no")
    return head and head + (" and uncommitted changes" if changed else "")


def surroundings(options: argparse.Namespace) -> dict:
    return {
        "version": first_line(str(options.sosie), "--version"), "commit": commit(),
        "compiler": compiler_of(options.sosie), "cpu": cpu_model(), "cores": os.cpu_count(),
        "threads": options.threads, "system": platform.system(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def parse_options() -> argparse.Namespace:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("SOSIE_DATA"),
                        help="folder with FORMAT.md and the collections (default: $SOSIE_DATA)")
    parser.add_argument("--sosie", type=Path,
                        default=os.environ.get("SOSIE_BIN") or root / "build/release/sosie",
                        help="the program (default: $SOSIE_BIN, or build/release/sosie)")
    parser.add_argument("--only", default=",".join(SETS), help="collections (default: all)")
    parser.add_argument("--shingle", default=",".join(SHINGLES), help="default: both")
    parser.add_argument("--steps", default="brute,exact,lsh,dedup", help="default: all")
    parser.add_argument("--seeds", type=int, default=10, help="how many for lsh (default: 10)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--brute-licences", action="store_true",
                        help="compare all pairs of licence-texts too")
    parser.add_argument("--quick", action="store_true",
                        help="brute at 0.8 only, three seeds, one round of dedup")
    parser.add_argument("--results", type=Path, help="write all numbers to this JSON file")
    options = parser.parse_args()
    options.only, options.shingle, options.steps = (
        value.split(",") for value in (options.only, options.shingle, options.steps))
    for given, known in ((options.only, SETS), (options.shingle, SHINGLES),
                         (options.steps, ("brute", "exact", "lsh", "dedup"))):
        for name in given:
            if name not in known:
                parser.error(f"{name} is none of {', '.join(known)}")
    if options.data is None or not (Path(options.data) / "FORMAT.md").is_file():
        parser.error("say where the data are: --data DIR, or SOSIE_DATA")
    if not os.access(options.sosie, os.X_OK):
        parser.error("there is no program: build it, or say where it is with --sosie")
    if options.quick:
        options.seeds = min(options.seeds, 3)
    return options


def main() -> int:
    options = parse_options()
    with tempfile.TemporaryDirectory(prefix="check-data-") as scratch:
        checker = Checker(options, Path(scratch))
        for collection in options.only:
            brute = collection in BRUTE_BY_DEFAULT or options.brute_licences
            lowest = "0.8" if options.quick or SETS[collection] == "080" else "0.5"
            for shingle in options.shingle:
                for threshold in sorted({lowest, "0.8"}):
                    if "brute" in options.steps and brute:
                        checker.check_every_pair(collection, shingle, threshold, "brute")
                    if "exact" in options.steps:
                        checker.check_every_pair(collection, shingle, threshold, "exact")
                if "exact" in options.steps and collection == "licence-texts" and not options.quick:
                    checker.check_count(shingle)
                if "lsh" in options.steps:
                    checker.check_lsh(collection, shingle)
                if "dedup" in options.steps and collection == "licence-texts":
                    checker.check_dedup(collection, shingle)
            (Path(scratch) / f"{collection}.jsonl").unlink(missing_ok=True)
    failed = [check for check in checker.checks if check.failures]
    if options.results:
        options.results.write_text(json.dumps({
            "passed": not failed, "surroundings": surroundings(options),
            "checks": [check.fields for check in checker.checks]}, indent=1) + "\n")
    for check in failed:
        print("FAILED", *list(check.fields.values())[:3], *check.failures, sep="\n  ")
    print(f"{len(checker.checks) - len(failed)} of {len(checker.checks)} checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
