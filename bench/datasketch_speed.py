#!/usr/bin/env python3
"""Compares the speed of sosie.datasketch and datasketch: the same calls, made alternately, on one
thread.

    build/python-venv/bin/python bench/datasketch_speed.py [--turns 7]

Prints medians of CPU microseconds per call as a Markdown table. Exits with 1 if a call with many
elements is not ten times as fast as in datasketch, or a call without many is slower.
"""

from __future__ import annotations

import argparse
import pickle
import statistics
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import datasketch

import sosie.datasketch

LEAST_MANY = 10.0
LEAST_SINGLE = 0.95  # a tie within the noise of a busy machine
SECONDS_A_TURN = 0.05

TOKENS = [b"token %d" % number for number in range(1000)]
SETS = [[b"word %d" % (number * 7 + place) for place in range(100)] for number in range(200)]
SMALL = [one[:10] for one in SETS]


def calls_of(library: ModuleType) -> dict[str, tuple[bool, int, Callable[[], Any]]]:
    """By name: whether the call has many elements, the number of calls that it represents, and the call."""
    made = {scheme: library.MinHash(scheme=scheme) for scheme in ("affine32", "affine64", "legacy")}
    sketches = library.MinHash.bulk(SETS, num_perm=128)
    lean = [library.LeanMinHash(sketch) for sketch in sketches]
    index, forest = library.MinHashLSH(0.8, 128), library.MinHashLSHForest(128)
    for key, sketch in enumerate(sketches):
        index.insert(key, sketch)
        forest.add(key, sketch)
    forest.index()
    buffer = bytearray(lean[0].bytesize())
    lean[0].serialize(buffer)
    pickled = pickle.dumps(sketches[0])

    def insert_and_remove() -> None:
        index.insert("new", sketches[0])
        index.remove("new")

    def add_all() -> None:
        grown = library.MinHashLSHForest(128)
        for key, sketch in enumerate(sketches):
            grown.add(key, sketch)
        grown.index()

    many = {f"`update_batch` of 1,000, {scheme}": lambda sketch=sketch: sketch.update_batch(TOKENS)
            for scheme, sketch in made.items()}
    many["`bulk`, a set of 100"] = lambda: library.MinHash.bulk(SETS)
    many["`bulk`, a set of 10"] = lambda: library.MinHash.bulk(SMALL)
    single = {
        **{f"`update`, {scheme}": lambda sketch=sketch: sketch.update(b"token")
           for scheme, sketch in made.items()},
        "`MinHash()`": library.MinHash,
        "`MinHash(scheme='legacy')`": lambda: library.MinHash(scheme="legacy"),
        "`copy`": sketches[0].copy,
        "`jaccard`": lambda: sketches[0].jaccard(sketches[1]),
        "`merge`": lambda: made["affine32"].merge(sketches[1]),
        "`union` of two": lambda: library.MinHash.union(sketches[0], sketches[1]),
        "`count`": sketches[0].count,
        "`LeanMinHash(m)`": lambda: library.LeanMinHash(sketches[0]),
        "`serialize`": lambda: lean[0].serialize(buffer),
        "`deserialize`": lambda: library.LeanMinHash.deserialize(buffer),
        "`pickle.dumps`": lambda: pickle.dumps(sketches[0]),
        "`pickle.loads`": lambda: pickle.loads(pickled),
        "`MinHashLSH(0.8)`": lambda: library.MinHashLSH(0.8),
        "`insert` and `remove`": insert_and_remove,
        "`query`": lambda: index.query(sketches[3]),
        "`MinHashLSHForest.add`, `index`": add_all,
        "`MinHashLSHForest.query`, 10": lambda: forest.query(sketches[3], 10),
    }
    stands_for = {"`bulk`, a set of 100": 200, "`bulk`, a set of 10": 200,
                  "`MinHashLSHForest.add`, `index`": 200}
    return {name: (kind is many, stands_for.get(name, 1), call)
            for kind in (many, single) for name, call in kind.items()}


def seconds(call: Callable[[], Any], times: int) -> float:
    begin = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - begin) / times


def shown(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=7)
    turns = parser.parse_args().turns
    theirs, ours = calls_of(datasketch), calls_of(sosie.datasketch)
    slow = []
    print("| call | datasketch, µs | sosie.datasketch, µs | times as fast |\n|---|---|---|---|")
    for name, (is_many, stands_for, call) in theirs.items():
        both = (call, ours[name][2])
        times = [max(1, int(SECONDS_A_TURN / max(seconds(one, 3), 1e-7))) for one in both]
        spent = [[seconds(one, count) for one, count in zip(both, times)] for _ in range(turns)]
        their_time, our_time = (statistics.median(column) / stands_for * 1e6 for column in zip(*spent))
        ratio = their_time / our_time
        print(f"| {name} | {shown(their_time)} | {shown(our_time)} | {shown(ratio)} |")
        if ratio < (LEAST_MANY if is_many else LEAST_SINGLE):
            slow.append(name)
    print(*(f"too slow: {name}" for name in slow), sep="\n", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
