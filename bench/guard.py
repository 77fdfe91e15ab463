#!/usr/bin/env python3
"""Guards speed, memory and output bytes: runs two builds of Sosie alternately on the same short jobs.

    python3 bench/guard.py f8edc6d                     # this checkout's build/release against a commit
    python3 bench/guard.py f8edc6d --jobs sets --rounds 31
    python3 bench/guard.py path/to/sosie --new other/sosie

A commit is built once, in build/guard, according to its own build files (preset release). Every job runs on
one thread; after a discarded round, the builds take turns in running first. `ratio` is the base's CPU time
divided by the new build's, round by round: 1.05 is 5 % faster. Its median is shown with the interval that
holds the true median with a probability of at least 95 % (order statistics; Conover, Practical Nonparametric
Statistics, 3.2). A job counts as slower if the whole interval is below .97, and as larger if its peak exceeds
the base's by more than a factor of 1.03 and more than 2 MiB.

Exits with 1 if a job is slower or larger, or writes different bytes (with --other-bytes, these are only
reported, for a commit that changes results on purpose).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
from array import array
from dataclasses import dataclass
from pathlib import Path

import corpora
import measure
from measure import ROOT

WORK = ROOT / "build" / "guard"
SLOWEST_RATIO = 0.97
CONFIDENCE = 0.95
LARGEST_RATIO, LARGEST_EXTRA_MB = 1.03, 2
PATIENCE = 300  # seconds for one run


# --- inputs, each generated once from a seed

def short_rows(out: Path, rows: int):
    """Rows of 5 to 60 words, a tenth of which are copies with one word changed."""
    rng = random.Random(3)
    vocabulary = ["".join(rng.choices("abcdefghijklmnoprstuvwz", k=rng.randint(2, 9)))
                  for _ in range(20_000)]
    weights = [1 / (n + 1) for n in range(len(vocabulary))]
    texts: list[list[str]] = []
    with open(out, "wb") as target:
        for number in range(rows):
            if texts and rng.random() < 0.1:
                words = list(rng.choice(texts))
                words[rng.randrange(len(words))] = rng.choice(vocabulary)
            else:
                words = rng.choices(vocabulary, weights, k=rng.randint(5, 60))
            texts.append(words)
            corpora.write(target, f"r{number}", " ".join(words))


def token_sets(out: Path, rows: int, repeats: bool):
    """Lines of 4 to 40 tokens by Zipf's law; a tenth are copies with one token changed."""
    rng = random.Random(4)
    weights = [1 / (n + 1) ** 0.8 for n in range(30_000)]
    lines: list[list[int]] = []
    with open(out, "w", encoding="ascii") as target:
        for _ in range(rows):
            if lines and rng.random() < 0.1:
                tokens = list(rng.choice(lines))
                tokens[rng.randrange(len(tokens))] = rng.randrange(30_000)
            else:
                tokens = rng.choices(range(30_000), weights, k=rng.randint(4, 40))
                tokens = tokens if repeats else list(dict.fromkeys(tokens))
            lines.append(tokens)
            target.write(" ".join(f"t{token}" for token in tokens) + "\n")


def vectors(out: Path, rows: int, dimensions: int):
    """Normal components; a tenth are copies with noise, at an angle of about 15 degrees."""
    rng = random.Random(5)
    values = array("f")
    for number in range(rows):
        if number > 10 and rng.random() < 0.1:
            source = rng.randrange(number) * dimensions
            values.extend(value + rng.gauss(0, 0.27) for value in values[source:source + dimensions])
        else:
            values.extend(rng.gauss(0, 1) for _ in range(dimensions))
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {dimensions}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    out.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                    + values.tobytes())


def bit_strings(out: Path, rows: int, bits: int):
    """Random codes; a tenth are copies with up to 12 bits changed."""
    rng = random.Random(6)
    codes: list[int] = []
    for _ in range(rows):
        code = rng.getrandbits(bits)
        if codes and rng.random() < 0.1:
            code = rng.choice(codes)
            for bit in rng.sample(range(bits), rng.randrange(13)):
                code ^= 1 << bit
        codes.append(code)
    out.write_text("".join(f"{code:0{bits // 4}x}\n" for code in codes))


def head(source: Path, rows: int):
    def make(out: Path):
        with open(source, "rb") as lines, open(out, "wb") as target:
            target.writelines(line for _, line in zip(range(rows), lines))
    return make


def inputs() -> dict[str, Path]:
    made = corpora.made
    files = {
        "prose": corpora.corpus("synthetic:60").path,
        "short": made("guard-short.jsonl", lambda out: short_rows(out, 100_000)),
        "sets": made("guard-sets.sets", lambda out: token_sets(out, 80_000, False)),
        "bags": made("guard-bags.sets", lambda out: token_sets(out, 60_000, True)),
        "vectors": made("guard-vectors.npy", lambda out: vectors(out, 12_000, 96)),
        "few-vectors": made("guard-few-vectors.npy", lambda out: vectors(out, 1_000, 96)),
        "bits": made("guard-bits.txt", lambda out: bit_strings(out, 60_000, 256)),
    }
    files["few"] = made("guard-few.jsonl", head(files["short"], 2_000))
    files["few-sets"] = made("guard-few.sets", head(files["sets"], 4_000))
    return files


# --- jobs

@dataclass
class Job:
    name: str
    arguments: list[str]

    def output(self) -> str:
        """A name for its output; kept rows have the input's format."""
        verb, source, *_ = self.arguments
        return "out" + Path(source).suffix if verb == "dedup" else "out.tsv"


def jobs(files: dict[str, Path]) -> list[Job]:
    def job(name: str, line: str) -> Job:
        words = [str(files[word[1:]]) if word[:1] == "@" else word for word in line.split()]
        return Job(name, words)
    return [
        job("prose dedup lsh", "dedup @prose --method lsh"),
        job("prose dedup chars:9", "dedup @prose --shingle chars:9 --method lsh"),
        job("short dedup lsh", "dedup @short --method lsh"),
        job("short pairs exact", "pairs @short --method exact --shingle words:2 --threshold 0.7"),
        job("short query", "query @short @few --threshold 0.6 --top 3"),
        job("sets pairs exact", "pairs @sets --method exact --threshold 0.6"),
        job("sets dedup lsh", "dedup @sets --method lsh"),
        job("sets query", "query @sets @few-sets --threshold 0.5"),
        job("bags pairs exact", "pairs @bags --kind bags --measure bag-jaccard --method exact "
                                "--threshold 0.6"),
        job("vectors pairs exact", "pairs @vectors --measure cosine --threshold 0.9 --method exact"),
        job("vectors dedup lsh", "dedup @vectors --measure cosine --threshold 0.9 --method lsh"),
        job("vectors query", "query @vectors @few-vectors --measure cosine --top 10"),
        job("bits pairs exact", "pairs @bits --kind bits --within 12 --method exact"),
        job("bits dedup lsh", "dedup @bits --kind bits --within 12 --method lsh"),
    ]


def digest(path: Path) -> str:
    """Hash of an output, without a first line that records the settings of pairs."""
    data = path.read_bytes()
    if data.startswith(b"#sosie "):
        data = data.partition(b"\n")[2]
    return hashlib.sha256(data).hexdigest()


def call(program: Path, job: Job, folder: Path):
    def measured() -> dict:
        out = folder / job.output()
        out.unlink(missing_ok=True)
        return measure.run([program, *job.arguments, "--threads", "1", "--quiet", "-o", out], 1,
                           PATIENCE) | {"digest": digest(out)}
    return measured


# --- statistics

def order_interval(values: list[float]) -> tuple[float, float]:
    """Returns the narrowest pair of order statistics, equally far from both ends, that contains the
    median with a probability of at least CONFIDENCE; the whole range if there are too few
    values."""
    ordered, count = sorted(values), len(values)
    outside, below = 0.0, 0
    while below < count // 2:
        outside += 2 * math.comb(count, below) / 2 ** count
        if outside > 1 - CONFIDENCE:
            break
        below += 1
    rank = max(below - 1, 0)
    return ordered[rank], ordered[count - 1 - rank]


def compared(base: list[dict], new: list[dict]) -> dict:
    ratios = [one["cpu_seconds"] / max(other["cpu_seconds"], 1e-6)
              for one, other in zip(base, new)]
    low, high = order_interval(ratios)
    base_mb = statistics.median(one["peak_mb"] for one in base)
    new_mb = statistics.median(one["peak_mb"] for one in new)
    return {
        "base_seconds": statistics.median(one["cpu_seconds"] for one in base),
        "new_seconds": statistics.median(one["cpu_seconds"] for one in new),
        "ratio": statistics.median(ratios), "low": low, "high": high,
        "base_mb": base_mb, "new_mb": new_mb,
        "slower": high < SLOWEST_RATIO,
        "larger": new_mb > base_mb * LARGEST_RATIO + LARGEST_EXTRA_MB,
        "digest": new[0]["digest"],
        "same_bytes": len({one["digest"] for one in base + new}) == 1,
    }


def guard(base: Path, new: Path, chosen: list[Job], rounds: int) -> dict[str, dict]:
    results = {}
    with tempfile.TemporaryDirectory(prefix="sosie-guard-") as name:
        for job in chosen:
            one, other = call(base, job, Path(name)), call(new, job, Path(name))
            one(), other()
            runs: tuple[list[dict], list[dict]] = ([], [])
            for number in range(rounds):
                for side in ((0, 1) if number % 2 == 0 else (1, 0)):
                    runs[side].append((one, other)[side]())
            results[job.name] = compared(*runs)
            print(line_of(job.name, results[job.name]), flush=True)
    return results


def line_of(name: str, result: dict) -> str:
    verdict = ", ".join(word for word, failed in
                        (("slower", result["slower"]), ("larger", result["larger"]),
                         ("other bytes", not result["same_bytes"])) if failed) or "ok"
    return (f"{name:22} {result['base_seconds']:7.3f} {result['new_seconds']:7.3f} s   "
            f"ratio {result['ratio']:.3f} [{result['low']:.3f}, {result['high']:.3f}]   "
            f"{result['base_mb']:5.0f} {result['new_mb']:5.0f} MiB   {verdict}")


# --- builds

def program_of(name: str) -> Path:
    path = Path(name)
    if path.is_file():
        return path.resolve()
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--verify", "--quiet",
                             f"{name}^{{commit}}"], capture_output=True, text=True).stdout.strip()
    if not commit:
        sys.exit(f"guard: {name} is neither a program nor a commit")
    program = WORK / f"sosie-{commit[:12]}"
    if not program.exists():
        build(commit, program)
    return program


def build(commit: str, program: Path):
    print(f"building {commit[:12]}", file=sys.stderr, flush=True)
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        tree = Path(folder) / "tree"
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE,
                                 check=True).stdout
        tree.mkdir()
        subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
        subprocess.run(["cmake", "--preset", "release", "-D", "SOSIE_TESTS=OFF", "-D",
                        "SOSIE_BENCH=OFF"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "--preset", "release", "--target", "sosie_cli"],
                       cwd=tree, check=True, stdout=subprocess.DEVNULL)
        shutil.copy(tree / "build/release/sosie", program)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("base", help="commit or program to compare with")
    parser.add_argument("--new", default=str(ROOT / "build/release/sosie"),
                        help="commit or program under test (default: build/release/sosie)")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--jobs", default="", help="regular expression: only jobs it matches")
    parser.add_argument("--other-bytes", action="store_true",
                        help="outputs may differ, which is then only said")
    parser.add_argument("--json", type=Path, help="write the results there as well")
    options = parser.parse_args()

    base, new = program_of(options.base), program_of(options.new)
    chosen = [job for job in jobs(inputs()) if re.search(options.jobs, job.name)]
    results = guard(base, new, chosen, options.rounds)
    if options.json:
        options.json.write_text(json.dumps(
            {"base": options.base, "rounds": options.rounds, "cpu": measure.cpu(),
             "commit": measure.commit(), "jobs": results}, indent=1) + "\n")
    failed = [name for name, one in results.items() if one["slower"] or one["larger"]
              or not (one["same_bytes"] or options.other_bytes)]
    print(f"{len(results) - len(failed)} of {len(results)} jobs ok"
          + (f"; not: {', '.join(failed)}" if failed else ""))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
