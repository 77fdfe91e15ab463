#!/usr/bin/env python3
"""Looks for performance cliffs: compares the CPU time for compressed input with that for plain rows
plus one decompression.

    python3 bench/cliffs.py                          # half an hour on two cores
    python3 bench/cliffs.py --megabytes 8 --most 4   # minutes: exits 1 above 4
    python3 bench/cliffs.py --verb dedup --rate .3
    python3 bench/cliffs.py --length news --rate .2 --rate .5 --results bench/results

Rows are short messages, news or 60 kB documents; some of them repeat an earlier row with one word
in sixty changed. Within each verb, all cells are compared with the plain cell (default memory, one
thread): `ratio` is their time divided by the sum of the plain time and the time of `zstd -dc` or
`gzip -dc`. Ratios above --most (2.5) are printed last, worst first. --results writes packed.json
there, for docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import math
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import measure
from measure import ROOT

LENGTHS = {"short": 30, "news": 250, "60 kB": 9_000}  # words a row
RATES = (0.0, 0.3, 0.9)
MEMORY = {"default": [], "256M": ["--memory", "256M"]}
PATIENCE = 600  # seconds for one run

VERBS = {
    "dedup": ["dedup", "{}", "-o", "kept.jsonl"],
    "dedup --checkpoint": ["dedup", "{}", "-o", "kept.jsonl", "--checkpoint", "done"],
    "dedup --save": ["dedup", "{}", "-o", "kept.jsonl", "--save", "run"],
    "dedup --reuse pairs": ["dedup", "{}", "-o", "kept.jsonl", "--reuse", "pairs.tsv"],
    "dedup --reuse clusters": ["dedup", "{}", "-o", "kept.jsonl", "--reuse", "clusters.csv"],
    "pairs": ["pairs", "{}", "-o", "found.tsv"],
    "pairs .6": ["pairs", "{}", "--threshold", ".6", "-o", "found.tsv"],
    "pairs --against": ["pairs", "{}", "--against", "{}", "--limit", "100000000", "-o", "found.tsv"],
    "query": ["query", "{}", "asked.jsonl", "-o", "found.tsv"],
    "sketch": ["sketch", "{}", "--plan", "plan.json", "-o", "found.sketches"],
    "index build": ["index", "build", "found.index", "{}"],
}


def gzip_members(data: bytes) -> bytes:
    return b"".join(gzip.compress(data[at:at + (4 << 20)], 6) for at in range(0, len(data), 4 << 20))


def zstd(data: bytes) -> bytes:
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def zstd_frames(data: bytes) -> bytes:
    return b"".join(zstd(data[at:at + (4 << 20)]) for at in range(0, len(data), 4 << 20))


CONTAINERS = {
    "plain": ("", lambda data: data, None),
    "zst of one frame": (".zst", zstd, ["zstd", "-dcq"]),
    "zst of frames": (".zst", zstd_frames, ["zstd", "-dcq"]),
    "gz of one member": (".gz", lambda data: gzip.compress(data, 6), ["gzip", "-dc"]),
    "gz of members": (".gz", gzip_members, ["gzip", "-dc"]),
}


def rows(words: int, rate: float, megabytes: float) -> list[bytes]:
    chance = random.Random(f"{words} {rate}")
    common = [bytes(chance.choices(b"abcdefghijklmnoprstuvw", k=chance.randint(2, 10)))
              for _ in range(20_000)]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(common))))
    texts: list[list[bytes]] = []
    out, done = [], 0
    while done < megabytes * 1e6:
        if texts and chance.random() < rate:
            text = list(chance.choice(texts))
            for _ in range(max(1, len(text) // 60) if chance.random() < 0.7 else 0):
                text[chance.randrange(len(text))] = chance.choice(common)
        else:
            text = chance.choices(common, cum_weights=weights, k=words)
            texts.append(text)
        out.append(b'{"id": "r%d", "text": "%s"}\n' % (len(out), b" ".join(text)))
        done += len(out[-1])
    return out


def cpu_of(command: list[str], folder: Path, limit: float = PATIENCE) -> tuple[float, float] | None:
    """CPU and wall seconds of a command; None if it did not finish in time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        _, said = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {said.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            time.monotonic() - start)


class Corpus:
    def __init__(self, folder: Path, lines: list[bytes], files: int, program: Path):
        self.folder, self.program = folder, program
        folder.mkdir()
        (folder / "asked.jsonl").write_bytes(b"".join(lines[::50][:200]))
        share = -(-len(lines) // files)
        for name, (extension, pack, _) in CONTAINERS.items():
            (folder / name).mkdir()
            for number in range(files):
                data = pack(b"".join(lines[number * share:(number + 1) * share]))
                (folder / name / f"part-{number}.jsonl{extension}").write_bytes(data)
        self.run(["dedup", "plain", "-o", "kept.jsonl", "--pairs", "pairs.tsv", "--clusters",
                  "clusters.csv"])
        self.run(["plan", "plain", "-o", "plan.json"])

    def run(self, words: list[str], limit: float = PATIENCE):
        for left in ("out", "done", "run", "found.index"):
            shutil.rmtree(self.folder / left, ignore_errors=True)
        return cpu_of([str(self.program), *words, "-q"], self.folder, limit)

    def seconds(self, verb: str, container: str, options: list[str], rounds: int, limit: float):
        found = []
        for _ in range(rounds):
            words = [word.format(container) for word in VERBS[verb]]
            took = self.run(words + options, limit)
            if took is None:
                return None
            found.append(took)
        return tuple(statistics.median(values) for values in zip(*found))

    def unpacking(self, container: str) -> float:
        command = CONTAINERS[container][2]
        if command is None:
            return 0.0
        packed = sorted(str(path) for path in (self.folder / container).iterdir())
        return min(cpu_of([*command, *packed], self.folder)[0] for _ in range(3))


def cells(corpus: Corpus, options: argparse.Namespace) -> Iterator[dict]:
    containers = [name for name in CONTAINERS
                  if name == "plain" or name in (options.container or CONTAINERS)]
    unpacking = {name: corpus.unpacking(name) for name in containers}
    for verb in options.verb or VERBS:
        plain, _ = corpus.seconds(verb, "plain", ["--threads", "1"], options.rounds, PATIENCE)
        for container, memory, threads in itertools.product(
                containers, options.memory or MEMORY, options.threads or ("1", "2")):
            allowed = plain + unpacking[container]
            took = corpus.seconds(verb, container, [*MEMORY[memory], "--threads", threads],
                                  options.rounds, max(20.0, 20 * allowed))
            yield {"verb": verb, "container": container, "memory": memory, "threads": threads,
                   "plain": plain, "allowed": allowed, "cpu_seconds": took and took[0],
                   "seconds": took and took[1], "ratio": took and took[0] / allowed}


def line_of(cell: dict) -> str:
    times = (f"{cell['cpu_seconds']:8.2f} CPU s {cell['seconds']:8.2f} s "
             f"{cell['allowed']:8.2f} allowed {cell['ratio']:6.2f}" if cell["ratio"] else " not done")
    return (f"{cell['length']:6} {cell['rate']:3} {cell['verb']:23} {cell['container']:17} "
            f"{cell['memory']:8} {cell['threads']} {times}")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--megabytes", type=float, default=60)
    parser.add_argument("--files", type=int, default=3, help="files that the rows are spread over")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--most", type=float, default=2.5)
    parser.add_argument("--verb", action="append", choices=VERBS)
    parser.add_argument("--rate", action="append", type=float)
    parser.add_argument("--length", action="append", choices=LENGTHS)
    parser.add_argument("--container", action="append", choices=CONTAINERS)
    parser.add_argument("--memory", action="append", choices=MEMORY)
    parser.add_argument("--threads", action="append")
    return parser.parse_args()


def main() -> int:
    options = parse_options()
    program = options.sosie.resolve()
    surroundings = measure.surroundings(program, Path(sys.executable), [])
    found = []
    with tempfile.TemporaryDirectory(prefix="cliffs-") as work:
        for length, rate in itertools.product(options.length or LENGTHS, options.rate or RATES):
            corpus = Corpus(Path(work) / f"{length} {rate}",
                            rows(LENGTHS[length], rate, options.megabytes), options.files, program)
            for cell in cells(corpus, options):
                found.append({"length": length, "rate": rate, **cell})
                print(line_of(found[-1]), flush=True)
            shutil.rmtree(corpus.folder)
    if options.results:
        (options.results / "packed.json").write_text(json.dumps(
            {"suite": "packed", "rows": found, "megabytes": options.megabytes,
             "surroundings": surroundings,
             "command": " ".join(["python3 bench/cliffs.py", *sys.argv[1:]])}, indent=1) + "\n")
    cliffs = [cell for cell in found if not cell["ratio"] or cell["ratio"] > options.most]
    print(f"\nabove {options.most}: {len(cliffs)}")
    for cell in sorted(cliffs, key=lambda cell: -(cell["ratio"] or math.inf)):
        print(line_of(cell))
    return 1 if cliffs else 0


if __name__ == "__main__":
    sys.exit(main())
