"""Code shared by all adapters.

    ADAPTER.py MODE INPUT OUTPUT [--threads N] [--recall-bands] [--verify]

  dedup   INPUT is JSONL with `id` and `text`; OUTPUT gets the ids of the kept rows, one per line
  sketch  only sketching is timed, with input prepared in memory; OUTPUT gets the seconds as JSON
  table   the rows are already in an Arrow table; only its deduplication is timed; OUTPUT gets the
          ids of the kept rows, the seconds and the memory beyond the table as JSON
  pairs   OUTPUT gets the pairs that the tool reports, as `left TAB right` row numbers; not timed

`--recall-bands` and `--verify` apply to the adapters that support them.

Words and shingles are defined as in exact_pairs.cc. They are made here, in Python, because these
libraries leave this to their users; the fast way is `hashed`, with one numpy call per document.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from pathlib import Path
from typing import Callable, Iterable

WORD = re.compile(rb"[0-9a-z_\x80-\xff]+")
SHINGLE_WORDS = 5
THRESHOLD = 0.8


def words(text: str) -> list[bytes]:
    return WORD.findall(text.encode("utf-8", "surrogatepass").lower())


def plain(text: str) -> str:
    """Only the words, separated by spaces: for tools that split a text at spaces."""
    return b" ".join(words(text)).decode("utf-8", "replace")


def shingles(text: str) -> list[bytes]:
    found = words(text)
    if len(found) < SHINGLE_WORDS:
        return [b" ".join(found)] if found else []
    return list(map(b" ".join, zip(*(found[i:] for i in range(SHINGLE_WORDS)))))


class HashedShingles:
    """Shingles as 64-bit hashes, for libraries that accept hashes: each distinct word is hashed
    once, and numpy combines the five hashes of a shingle."""

    def __init__(self):
        import numpy
        self.numpy = numpy
        self.known: dict[bytes, int] = {}

    def __call__(self, text: str):
        numpy = self.numpy
        found = words(text)
        known = self.known
        for word in set(found).difference(known):
            known[word] = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
        hashes = numpy.fromiter(map(known.__getitem__, found), numpy.uint64, len(found))
        width = min(SHINGLE_WORDS, len(found))
        out = numpy.full(max(0, len(found) - width + 1) if width else 0, width, numpy.uint64)
        for i in range(width):
            out *= numpy.uint64(0x9E3779B97F4A7C15)
            out += hashes[i:i + len(out)]
            out ^= out >> numpy.uint64(29)
        out *= numpy.uint64(0xBF58476D1CE4E5B9)
        return out ^ (out >> numpy.uint64(32))


def hashed_batches(texts: list[str], size: int = 2000):
    """Yields the hashed shingles of `size` texts at a time, one text after another, and the
    positions at which texts begin (followed by the end): (uint64 array, uint64 array of size +
    1)."""
    import numpy
    shingles = HashedShingles()
    for first in range(0, len(texts), size):
        sets = [shingles(text) for text in texts[first:first + size]]
        yield numpy.concatenate(sets), numpy.cumsum([0, *map(len, sets)], dtype=numpy.uint64)


def dedup_by(candidates, options: argparse.Namespace) -> list[str]:
    """Returns the kept ids if the pairs of row numbers from candidates(texts, options) are
    duplicates; with --verify, only similar candidates count."""
    ids, texts = read(options.input)
    found = candidates(texts, options)
    if options.verify:
        shingles = HashedShingles()
        found = verified(found, lambda row: shingles(texts[row]))
    return [ids[row] for row in keep_first(len(ids), found)]


def read(source) -> tuple[list[str], list[str]]:
    """Ids and texts from a JSON lines file or an Arrow table."""
    if not isinstance(source, Path):
        return source["id"].to_pylist(), source["text"].to_pylist()
    ids, texts = [], []
    with open(source, "rb") as lines:
        for line in lines:
            row = json.loads(line)
            ids.append(row["id"])
            texts.append(row["text"])
    return ids, texts


def keep_first(rows: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Rows in order; a row is dropped if it forms a pair with an earlier kept row."""
    earlier: dict[int, list[int]] = {}
    for left, right in pairs:
        if left != right:
            earlier.setdefault(max(left, right), []).append(min(left, right))
    kept = bytearray(b"\1" * rows)
    for row in range(rows):
        if row in earlier and any(kept[other] for other in earlier[row]):
            kept[row] = 0
    return [row for row in range(rows) if kept[row]]


def verified(pairs: Iterable[tuple[int, int]], sets: Callable[[int], object]):
    """Yields the pairs whose sets of hashed shingles (`sets(row)`) have a Jaccard similarity of at
    least 0.8: a check that careful users add to a library that returns only candidates."""
    import numpy
    known: dict[int, object] = {}
    for pair in sorted(pairs):
        for row in pair:
            if row not in known:
                known[row] = numpy.unique(sets(row))
        left, right = (known[row] for row in pair)
        both = len(numpy.intersect1d(left, right, assume_unique=True))
        if 5 * both >= 4 * (len(left) + len(right) - both):
            yield pair


def write_ids(path: Path, ids: Iterable[str]):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{identifier}\n" for identifier in ids)


def read_table(path: Path):
    import pyarrow.json
    options = pyarrow.json.ReadOptions(block_size=64 << 20)
    return pyarrow.json.read_json(path, read_options=options).select(["id", "text"])


def memory(key: str) -> int:
    """Memory of this process in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def timed(work: Callable[[], object]) -> dict:
    """The result of the call, the time it took, and the increase in memory."""
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before, began, cpu_began = memory("VmRSS"), time.perf_counter(), time.process_time()
    result = work()
    return {"result": result, "seconds": time.perf_counter() - began,
            "cpu_seconds": time.process_time() - cpu_began,
            "peak_mb": (memory("VmHWM") - before) / 1e6}


def main(dedup: Callable[[argparse.Namespace], Iterable[str]],
         sketch: Callable[[argparse.Namespace], Callable[[], object]] | None = None,
         pairs: Callable[[argparse.Namespace], Iterable[tuple[int, int]]] | None = None):
    """Runs an adapter. `dedup` returns the kept ids, `sketch` a function that only sketches,
    `pairs` the pairs."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("mode", choices=["dedup", "table"] + ["sketch"] * bool(sketch) +
                        ["pairs"] * bool(pairs))
    parser.add_argument("input", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--recall-bands", action="store_true",
                        help="bands that find 99 %% of the pairs at the threshold, by theory")
    parser.add_argument("--verify", action="store_true",
                        help="check candidates by exact similarity, where the adapter can")
    options = parser.parse_args()
    if options.mode == "dedup":
        write_ids(options.output, dedup(options))
    elif options.mode == "table":
        options.input = read_table(options.input)
        options.output.write_text(json.dumps(timed(lambda: list(dedup(options)))))
    elif options.mode == "pairs":
        with open(options.output, "w", encoding="ascii") as out:
            out.writelines(f"{left}\t{right}\n" for left, right in pairs(options))
    else:
        work = sketch(options)
        measured = timed(work)
        del measured["result"]  # the sketches
        options.output.write_text(json.dumps(measured))
