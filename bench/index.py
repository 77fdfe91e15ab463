#!/usr/bin/env python3
"""Measures an index on disk as it grows: build, size, warm and cold look-ups, adds, removals,
compaction.

usage: bench/index.py [--items N,...] [-o FILE]

Items are short texts made from real ones: six to fourteen words of one package description and as
many of another; a fifth of them are copies of an earlier item with one word replaced. Everything
runs on one thread; the effect of compaction on look-ups can be seen only with two free cores.
Look-ups are for items that are not in the index, half of which are copies of an item in it. For
cold look-ups, over HTTP with the index open, the kernel's cache is emptied before each one (if that
is not permitted, the files are dropped with fadvise, and the output says so).
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import corpora
import measure
from measure import ROOT

sys.path.insert(0, str(ROOT / "tests" / "server"))
from service import SOSIE, Service  # noqa: E402  (stands in tests/server)

PLAN = ("--shingle", "words:2", "--threshold", "0.8")
QUIET = ("--threads", "1", "--quiet")
ASKED = 5000
COLD = 200
ADDED, BATCH, SINGLE = 30_000, 1000, 300
REPEATS = 5
PATIENCE = 3600
CACHES = Path("/proc/sys/vm/drop_caches")


class Texts:
    corpus = "debian-descriptions"

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.sources = [words for row in corpora.corpus(self.corpus).rows()
                        if len(words := row["text"].split()) >= 20]
        self.recent: list[list[str]] = []

    def piece(self) -> list[str]:
        words = self.rng.choice(self.sources)
        size = self.rng.randint(6, 14)
        begin = self.rng.randrange(len(words) - size + 1)
        return words[begin:begin + size]

    def copy(self) -> list[str]:
        words = list(self.rng.choice(self.recent))
        words[self.rng.randrange(len(words))] = self.rng.choice(self.rng.choice(self.sources))
        return words

    def next(self, copies: float = 0.2) -> str:
        words = (self.copy() if self.recent and self.rng.random() < copies
                 else self.piece() + self.piece())
        if len(self.recent) < 100_000:
            self.recent.append(words)
        else:
            self.recent[self.rng.randrange(100_000)] = words
        return " ".join(words)


def write_rows(out: Any, texts: Iterator[str], prefix: str) -> None:
    for number, text in enumerate(texts):
        out.write(json.dumps({"id": f"{prefix}{number}", "text": text}) + "\n")


def rows_of(items: int) -> Path:
    def make(path: Path) -> None:
        texts = Texts(items)
        with open(path, "w", encoding="utf-8") as out:
            write_rows(out, (texts.next() for _ in range(items)), "t")
    return corpora.made(f"index-texts-{items}.jsonl", make)


def ran(*command: Any) -> dict:
    return measure.run([SOSIE, *command, *QUIET], 1, PATIENCE)


def folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def empty_caches(folder: Path, rows: Path) -> str:
    """Makes the next look-up read from the disk. Returns a description of the method."""
    for path in (*folder.iterdir(), rows):
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)
    try:
        CACHES.write_text("1")
        return "cache emptied"
    except OSError:
        return "fadvise"


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


class IndexFigures:
    def __init__(self, folder: Path, items: int):
        self.folder, self.items = folder, items
        self.rows = rows_of(items)
        self.index = folder / "texts.index"
        asked = Texts(3)
        with open(self.rows, encoding="utf-8") as known:  # the texts that copies are made from
            asked.recent = [json.loads(line)["text"].split()
                            for line, _ in zip(known, range(min(items, 100_000)))]
        self.asked = [asked.next(0.5) for _ in range(ASKED)]
        self.fresh = asked

    def build(self) -> dict:
        built = ran("index", "build", self.index, self.rows, *PLAN)
        plan = self.folder / "plan.json"
        subprocess.run([SOSIE, "index", "info", self.index, "--plan", plan, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        sketched = ran("sketch", self.rows, *PLAN, "--plan", plan, "-o",
                       self.folder / "sketches")
        (self.folder / "sketches").unlink()
        bare = self.folder / "bare.index"
        ran("index", "build", bare, self.rows, *PLAN, "--keep-items", "no")
        bare_bytes = folder_bytes(bare)
        shutil.rmtree(bare)
        return {"build_seconds": built["seconds"], "build_cpu": built["cpu_seconds"],
                "sketch_cpu": sketched["cpu_seconds"], "build_peak_mb": built["peak_mb"],
                "bytes_an_item": folder_bytes(self.index) / self.items,
                "bytes_without_sets": bare_bytes / self.items}

    def look_up(self) -> dict:
        """Measures look-ups on the command line: the CPU time of a look-up without the start, and
        of the start."""
        write_to(self.folder / "one.jsonl", self.asked[:1])
        write_to(self.folder / "asked.jsonl", self.asked)
        out = self.folder / "hits.tsv"
        starts = [ran("query", self.index, self.folder / "one.jsonl", "-o", out)
                  for _ in range(REPEATS)]
        whole = [ran("query", self.index, self.folder / "asked.jsonl", "-o", out)
                 for _ in range(REPEATS)]
        start = statistics.median(one["cpu_seconds"] for one in starts)
        return {"start_ms": 1e3 * statistics.median(one["seconds"] for one in starts),
                "look_up_us": max(0.0, 1e6 * (statistics.median(
                    one["cpu_seconds"] for one in whole) - start) / (ASKED - 1)),
                "hits": out.read_bytes().count(b"\n") - 1,
                "query_peak_mb": max(one["peak_mb"] for one in whole)}

    def serve(self) -> dict:
        service = Service(str(self.index), self.folder, *QUIET)
        try:
            cold = []
            how = ""
            for text in self.asked[:COLD]:
                how = empty_caches(self.index, self.rows)
                began = time.perf_counter()
                service.post("/v1/query", {"items": [text]})
                cold.append(1e3 * (time.perf_counter() - began))
            figures = {"cold": how, "cold_p50_ms": percentile(cold, 0.5),
                       "cold_p99_ms": percentile(cold, 0.99)}
            batches = [self.items_of(f"new{at}-", BATCH) for at in range(ADDED // BATCH)]
            single = [self.items_of(f"one{at}-", 1) for at in range(SINGLE)]
            some = batches[:len(batches) // 2]
            figures["added_a_second"] = ADDED / seconds_of_all(
                lambda items: service.post("/v1/add", {"items": items}), batches)
            figures["single_adds_a_second"] = SINGLE / seconds_of_all(
                lambda items: service.post("/v1/add", {"items": items}), single)
            figures["removed_a_second"] = len(some) * BATCH / seconds_of_all(
                lambda items: service.post("/v1/remove", {"ids": ids_of(items)}), some)
            figures["single_removals_a_second"] = SINGLE / seconds_of_all(
                lambda items: service.post("/v1/remove", {"ids": ids_of(items)}), single)
            return figures
        finally:
            assert service.stop(60) == 0

    def items_of(self, prefix: str, count: int) -> list[dict]:
        return [{"id": f"{prefix}{i}", "text": self.fresh.next()} for i in range(count)]

    def compact(self) -> dict:
        """Seconds for the same look-ups alone, and while the index is compacted on another core."""
        query = [SOSIE, "query", self.index, self.folder / "asked.jsonl", "-o",
                 self.folder / "hits.tsv", *QUIET]
        alone = statistics.median(seconds_of(query) for _ in range(REPEATS))
        began = time.perf_counter()
        compacting = subprocess.Popen([SOSIE, "index", "compact", self.index, *QUIET])
        beside = [seconds_of(query)]
        while compacting.poll() is None:
            beside.append(seconds_of(query))
        seconds = time.perf_counter() - began
        assert compacting.returncode == 0
        return {"compact_seconds": seconds,
                "speed_beside_compaction": alone / statistics.median(beside)}

    def figures(self) -> dict:
        out = {"items": self.items, **self.build(), **self.look_up(), **self.serve()}
        grown = self.look_up()
        out |= {"grown_look_up_us": grown["look_up_us"], "grown_start_ms": grown["start_ms"]}
        return out | self.compact()


def write_to(path: Path, texts: list[str]) -> None:
    with open(path, "w", encoding="utf-8") as out:
        write_rows(out, iter(texts), "q")


def ids_of(items: list[dict]) -> list[str]:
    return [item["id"] for item in items]


def seconds_of_all(call: Callable[[list[dict]], Any], batches: list[list[dict]]) -> float:
    began = time.perf_counter()
    for items in batches:
        call(items)
    return time.perf_counter() - began


def seconds_of(command: list) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - began


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--items", default="100000,1000000")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "bench/results/index.json")
    options = parser.parse_args()
    rows = []
    for items in (int(number) for number in options.items.split(",")):
        with tempfile.TemporaryDirectory(prefix="bench-index-", dir=corpora.WORK) as folder:
            rows.append(IndexFigures(Path(folder), items).figures())
        for name, value in rows[-1].items():
            print(f"{name:<26}" + (f"{value:,.3g}" if isinstance(value, float) else str(value)),
                  flush=True)
    options.output.write_text(json.dumps(
        {"suite": "index", "command": f"python3 bench/index.py --items {options.items}",
         "surroundings": measure.surroundings(SOSIE, Path(sys.executable), []), "rows": rows},
        indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
