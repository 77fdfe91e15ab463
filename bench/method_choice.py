#!/usr/bin/env python3
"""Measures how well `--method auto` chooses: CPU seconds of each method and of auto on the same
rows.

    bench/method_choice.py SOSIE [--rounds 3] [--seconds 20] [--only NAME] [--vectors]

SOSIE: the program. Sets are generated (bench/make_sets.cc) or come from $SOSIE_DATA, as texts do;
--vectors uses the sets in bench/vector_files.py instead, compared by cosine. Everything runs on one
thread, in interleaved rounds; figures are medians. A dash means longer than --seconds, or brute on
more than 20,000 rows. Prints a Markdown table; its last column is auto divided by the best of the
three.
"""

import argparse
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import set_files
import vector_files

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("SOSIE_DATA", ""))
METHODS = ("exact", "lsh", "brute", "auto")
MADE = {"quest": ("0.4", "0.8"), "uniform": ("0.4", "0.8"), "zipf": ("0.8",)}
GIVEN = {"sets-dev/retail-ge5.txt": ("0.5", "0.9"), "sets-dev/kosarak-36k-ge5.txt": ("0.3", "0.5"),
         "sets-dev/msweb-ge4.txt": ("0.5", "0.8"), "sets-dev/groceries-ge4.txt": ("0.3", "0.6")}
TEXTS = {"debian-descriptions": ("0.5", "0.9"), "licence-texts": ("0.8",),
         "man-pages-versions": ("0.5", "0.8")}
VECTORS = {"sift": ("0.95", "0.9", "0.8"), "glove": ("0.95", "0.9", "0.8")}
MOST_BRUTE_ROWS = 20_000  # above this, brute is hopeless and not run
HEADER = """| rows | verb | threshold | exact | lsh | brute | auto | took | auto / best |
|---|---|---|---|---|---|---|---|---|"""


def points(folder: Path):
    """Yields (name, file, verb, threshold); makes each file just before it is needed."""
    maker = set_files.build_maker(folder)
    for name, thresholds in MADE.items():
        path = folder / f"{name}.sets"
        with open(path, "wb") as out:
            subprocess.run([maker, name], stdout=out, check=True)
        yield from ((name, path, "pairs", t) for t in thresholds)
    for source, thresholds in GIVEN.items():
        path = folder / (Path(source).stem + ".sets")
        path.write_bytes(gzip.decompress((DATA / f"{source}.gz").read_bytes()))
        yield from ((path.stem, path, verb, t) for t in thresholds for verb in ("pairs", "dedup"))
    for name, thresholds in TEXTS.items():
        path = folder / f"{name}.jsonl"
        path.write_bytes(gzip.decompress((DATA / name / f"{name}.jsonl.gz").read_bytes()))
        yield from ((name, path, "dedup", t) for t in thresholds)


def vector_points():
    for name, thresholds in VECTORS.items():
        yield from ((name, vector_files.item_file(name), "pairs", t) for t in thresholds)


def cpu_seconds(command: list, most: float) -> float | None:
    """None if it takes longer."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(most) + 1, int(most) + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode < 0:
        return None
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program: Path, point, rounds: int, most: float) -> dict:
    _, path, verb, threshold = point
    times = {method: [] for method in METHODS}
    if path.suffix == ".npy" or path.read_bytes().count(b"\n") > MOST_BRUTE_ROWS:
        times["brute"].append(None)
    for _ in range(rounds):
        for method in METHODS:
            if None in times[method]:
                continue
            command = [program, verb, path, "--threshold", threshold, "--method", method,
                       "--threads", "1", "--quiet"]
            command += ["--dry-run"] if verb == "dedup" else []
            times[method].append(cpu_seconds(command, most))
    return {method: None if None in of else statistics.median(of) for method, of in times.items()}


def taken(program: Path, point) -> str:
    _, path, verb, threshold = point
    if path.suffix == ".npy":
        with tempfile.NamedTemporaryFile() as stats:
            subprocess.run([program, verb, path, "--threshold", threshold, "--quiet", "--stats",
                            stats.name], check=True, stdout=subprocess.DEVNULL)
            return json.loads(Path(stats.name).read_bytes())["method"]
    plan = subprocess.run([program, "plan", "--verbose", path, "--threshold", threshold], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    lines = {line[:18].strip(): line[18:].split(":")[0] for line in plan.split("\n")}
    return lines.get("method") or lines["dedup method" if verb == "dedup" else "pairs, query"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--vectors", action="store_true")
    args = parser.parse_args()
    program = args.program.resolve()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        print(HEADER, flush=True)
        for point in vector_points() if args.vectors else points(Path(folder)):
            name, _, verb, threshold = point
            if args.only not in name:
                continue
            found = measure(program, point, args.rounds, args.seconds)
            best = min(value for method, value in found.items() if value and method != "auto")
            ratio = found["auto"] / best if found["auto"] else float("inf")
            worst = max(worst, ratio)
            shown = ["–" if found[method] is None else f"{found[method]:.2f}"
                     for method in METHODS]
            print("|", " | ".join([name, verb, threshold, *shown, taken(program, point),
                                   f"{ratio:.2f}"]), "|", flush=True)
    print(f"\nworst: {worst:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
