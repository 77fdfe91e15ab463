#!/usr/bin/env python3
"""Measures indexes that stay open, from Python: arrays of vectors in an index on disk, and look-ups
of strings.

usage: PYTHON bench/open_index.py [--vectors N] [--strings N]   (PYTHON has the package sosie)

Times are wall-clock seconds, as medians if a step is repeated. Vectors have 128 normal components
around 2,000 centers, as float32. Strings consist of two words of 4 to 9 random letters each, out of
20,000 words; the strings looked up lack their last letter.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import string
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sosie

ASKED = 100


def seconds(step: Callable[[], object]) -> float:
    began = time.perf_counter()
    step()
    return time.perf_counter() - began


def vectors(count: int, folder: Path) -> dict[str, float]:
    draw = np.random.default_rng(1)
    centers = draw.normal(size=(2000, 128)).astype(np.float32)
    rows = centers[draw.integers(0, 2000, count)]
    rows += np.float32(0.3) * draw.normal(size=rows.shape).astype(np.float32)
    made: list[sosie.StoredIndex] = []
    create = seconds(lambda: made.append(
        sosie.Index.create(folder / "vectors", rows, kind="vectors", threshold=0.9)))
    with made[0] as index:
        return {"create": create, "first_query": seconds(lambda: index.query(rows[:20], top=3)),
                "query": seconds(lambda: index.query(rows[:20], top=3)),
                "add_a_tenth": seconds(lambda: index.add(rows[:count // 10] + np.float32(1)))}


def strings(count: int, folder: Path) -> dict[str, float]:
    draw = random.Random(1)
    words = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(4, 9))) for _ in range(20_000)]
    names = [f"{draw.choice(words)} {draw.choice(words)}" for _ in range(count)]
    asked = [name[:-1] for name in names[:ASKED]]
    with sosie.Index.create(folder / "strings", names, kind="strings", within=2) as index:
        first = seconds(lambda: index.query(asked[:1]))
        each = [seconds(lambda name=name: index.query([name])) for name in asked]  # type: ignore[misc]
        index.add(["a new name"])
        return {"first_query": first, "query": statistics.median(each),
                "query_behind_an_add": seconds(lambda: index.query(asked[:1]))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=int, default=200_000)
    parser.add_argument("--strings", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"vectors": vectors(asked.vectors, Path(folder)),
                          "strings": strings(asked.strings, Path(folder))}, indent=1))


if __name__ == "__main__":
    main()
