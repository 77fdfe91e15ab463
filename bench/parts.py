#!/usr/bin/env python3
"""Compares the CPU time of a matching in parts with that of a single run.

    python3 bench/parts.py [--parts 8] [--long] [--rows N] [--sosie BIN]

Rows of 20 to 70 words (--long: 400 to 1200), a fifth of which (half of which) are copies of others with some
words replaced, are sketched in four shards. A single run over the sketches and a run in eight parts
alternate, five times; their bytes must be equal. Prints medians of user and system time in seconds: for the
single run, for a part, for the run with --parts, and the sum of all parts and that run divided by the single
run."""
import argparse
import itertools
import json
import pathlib
import random
import statistics
import tempfile

from measure import ROOT, run

SHARDS = 4
LIMIT = 3600  # maximum seconds for a program


def rows(count: int, is_long: bool):
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(50_000)]
    weights = list(itertools.accumulate(1 / (rank + 5) for rank in range(len(words))))
    length, replaced, share = ((400, 1200), (5, 60), 0.5) if is_long else ((20, 70), (0, 2), 0.2)
    originals = []
    for number in range(count):
        if originals and chance.random() < share:
            text = list(chance.choice(originals))
            for _ in range(chance.randint(*replaced)):
                text[chance.randrange(len(text))] = chance.choices(words, cum_weights=weights)[0]
        else:
            text = chance.choices(words, cum_weights=weights, k=chance.randint(*length))
            originals.append(text)
            originals = originals[-10_000:]
        yield json.dumps({"id": f"r{number}", "text": " ".join(text)}) + "\n"


def cpu_of(*command: str) -> float:
    return run([*command], 1, LIMIT)["cpu_seconds"]


def measure(sosie: str, folder: pathlib.Path, parts: int) -> dict:
    reuse = ("dedup", "--reuse", str(folder / "sketches"), "-q", "--threads", "1")
    one = cpu_of(sosie, *reuse, "-o", str(folder / "one.jsonl"))
    each = [cpu_of(sosie, *reuse, "--part", f"{part + 1}/{parts}", "-o", str(folder / "parts"))
            for part in range(parts)]
    joined = cpu_of(sosie, *reuse, "--parts", str(folder / "parts"), "-o", str(folder / "all.jsonl"))
    if (folder / "one.jsonl").read_bytes() != (folder / "all.jsonl").read_bytes():
        raise SystemExit("parts gave other bytes than one run")
    return {"one run": one, "a part": statistics.mean(each), "the run with --parts": joined,
            "all in parts": sum(each) + joined}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sosie", default=str(ROOT / "build/release/sosie"))
    options.add_argument("--long", action="store_true")
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--parts", type=int, default=8)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sketches").mkdir()
        shards = [folder / f"{shard}.jsonl" for shard in range(SHARDS)]
        lines = list(rows(asked.rows, asked.long))
        for shard, path in enumerate(shards):
            path.write_text("".join(lines[shard * len(lines) // SHARDS:(shard + 1) * len(lines) // SHARDS]))
        plan = str(folder / "plan.json")
        cpu_of(asked.sosie, "plan", *map(str, shards), "--method", "lsh", "-o", plan)
        for path in shards:
            cpu_of(asked.sosie, "sketch", str(path), "--plan", plan, "-q",
                   "-o", str(folder / "sketches" / f"{path.stem}.sketches"))
        runs = [measure(asked.sosie, folder, asked.parts) for _ in range(5)]
        medians = {figure: statistics.median(times[figure] for times in runs) for figure in runs[0]}
        medians["all in parts / one run"] = medians["all in parts"] / medians["one run"]
        for figure, value in medians.items():
            print(f"{figure:24} {value:.2f}")


if __name__ == "__main__":
    main()
