#!/usr/bin/env python3
"""Checks that --memory holds: runs the same rows with and without a cap, alternately.

    memory.py --text TEXT --bytes 8600000000 --memory 256M --folder DIR

Makes DIR/spread-BYTES-SEED.jsonl (make_spread.cc; it stays there) from the words of TEXT, runs
`dedup` with a removed file on it, first without a cap and then with it, and prints a table. Exits
with 1 if one of these promises is broken: the same bytes; a peak of at most the cap + 64 MiB; at
most twice the CPU seconds; at most 640 bytes of scratch per document.
"""

from __future__ import annotations

import filecmp
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import measure

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
SLACK_BYTES = 64 * MIB
MOST_SLOWDOWN = 2
MOST_SCRATCH_BYTES = 640  # a document
LIMIT_SECONDS = 4 * 3600
OUTPUTS = ("kept.jsonl", "removed.tsv")


def build_maker(folder: Path, name: str) -> Path:
    program, source = folder / name, HERE / f"{name}.cc"
    newest = max(path.stat().st_mtime for path in (source, HERE / "shuffled_words.h"))
    if not program.exists() or program.stat().st_mtime < newest:
        subprocess.run(["c++", "-O2", "-std=c++20", source, "-o", program], check=True)
    return program


def make_corpus(folder: Path, text: Path, size: int, seed: int) -> Path:
    path = folder / f"spread-{size}-{seed}.jsonl"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        with open(unfinished, "wb") as out:
            command = [build_maker(folder, "make_spread"), text, str(size), str(seed)]
            subprocess.run(command, stdout=out, check=True)
        unfinished.rename(path)
    return path


@dataclass
class Measured:
    memory: str
    rows: int
    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int
    scratch_bytes: int


def run(sosie: Path, corpus: Path, folder: Path, memory: str, threads: int) -> Measured:
    """Leaves its outputs in folder/MEMORY/."""
    out = folder / memory
    out.mkdir(exist_ok=True)
    stats = out / "stats.json"
    measured = measure.run(
        [sosie, "dedup", corpus, "-o", out / OUTPUTS[0], "--removed", out / OUTPUTS[1], "--stats",
         stats, "--memory", memory, "--threads", threads, "--scratch", folder, "--quiet"],
        threads, LIMIT_SECONDS)
    summary = json.loads(stats.read_text())
    return Measured(memory, summary["rows"], measured["cpu_seconds"], measured["seconds"],
                    int(measured["peak_mb"] * MIB), summary["scratch_bytes"])


def broken_promises(free: Measured, capped: Measured, cap_bytes: int, folder: Path) -> list[str]:
    broken = [f"{name} differs" for name in OUTPUTS
              if not filecmp.cmp(folder / free.memory / name, folder / capped.memory / name, False)]
    if capped.scratch_bytes == 0:
        broken.append("nothing went to scratch: more bytes, or a smaller cap")
    if capped.peak_bytes > cap_bytes + SLACK_BYTES:
        broken.append("peak memory is above the cap + 64 MiB")
    if capped.cpu_seconds > MOST_SLOWDOWN * free.cpu_seconds:
        broken.append(f"more than {MOST_SLOWDOWN} x the CPU seconds")
    if capped.scratch_bytes > MOST_SCRATCH_BYTES * capped.rows:
        broken.append(f"more than {MOST_SCRATCH_BYTES} bytes of scratch a document")
    return broken


def table(runs: list[Measured]) -> str:
    lines = ["| --memory | rows | CPU s | wall s | peak MiB | scratch bytes a row |",
             "|---|---|---|---|---|---|"]
    lines += [f"| {r.memory} | {r.rows:,} | {r.cpu_seconds:.1f} | {r.wall_seconds:.1f} "
              f"| {r.peak_bytes / MIB:.0f} | {r.scratch_bytes / max(1, r.rows):.0f} |"
              for r in runs]
    return "\n".join(lines)


def cap_in_bytes(text: str) -> int:
    return int(text[:-1]) * {"M": MIB, "G": 1 << 30}[text[-1]]


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--text", type=Path, required=True, help="any file with prose in it")
    parser.add_argument("--bytes", type=int, default=1_000_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", default="256M", help="the cap (default: 256M)")
    parser.add_argument("--free", default="64G", help="what is no cap (default: 64G)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, required=True, help="for corpus, outputs, scratch")
    parser.add_argument("--sosie", type=Path, default=HERE.parent / "build/release/sosie")
    options = parser.parse_args()
    corpus = make_corpus(options.folder, options.text, options.bytes, options.seed)
    free, capped = (run(options.sosie, corpus, options.folder, memory, options.threads)
                    for memory in (options.free, options.memory))
    print(table([free, capped]))
    broken = broken_promises(free, capped, cap_in_bytes(options.memory), options.folder)
    for promise in broken:
        print(f"broken: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
