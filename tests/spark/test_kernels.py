"""What executors do with batches, wherever these are cut."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

import sosie
from sosie.spark import _kernels as kernels


def cut(columns: dict[str, list[int]], draw: random.Random) -> list[pa.RecordBatch]:
    """One sorted stream in batches of any size, empty ones among them."""
    whole = pa.record_batch({name: pa.array(values, pa.int64()) for name, values in columns.items()})
    batches, at = [], 0
    while at < whole.num_rows:
        size = draw.randrange(0, 9)
        batches.append(whole.slice(at, size))
        at += size
    return batches


@pytest.mark.parametrize("seed", range(20))
def test_buckets_give_all_pairs_or_all_members(seed: int):
    draw = random.Random(seed)
    rows = sorted({(draw.randrange(8), rid) for rid in range(60) for _ in range(2)})
    buckets = defaultdict(list)
    for key, rid in rows:
        buckets[key].append(rid)
    most = draw.choice([2, 10, 15, 100])
    scope = kernels.Scope(draw.random() < 0.5, draw.random() < 0.5)
    columns = {"key": [key for key, _ in rows], "rid": [rid for _, rid in rows]}
    found = [tuple(row.values()) for batch in kernels.bucket_pairs(
        iter(cut(columns, draw)), most, scope) for row in batch.to_pylist()]
    expected = []
    for key, rids in buckets.items():
        if len(rids) > most:
            expected += [(rid, key, kernels.MEMBER) for rid in rids]
            continue
        for left, right in itertools.combinations(rids, 2):
            others = left % 2 + right % 2
            if not scope.has_other or (others == 1 if scope.only_across else others < 2):
                expected.append((left, right, kernels.PAIR))
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("seed", range(5))
def test_prefixes_meet_wherever_pairs_are_similar(seed: int):
    draw = random.Random(seed)
    template = [f"t{n}" for n in range(30)]
    texts = []
    for _ in range(80):
        words = (template[: draw.randrange(10, 31)] + [f"w{draw.randrange(99)}" for _ in range(12)]
                 if draw.random() < 0.5 or not texts else list(draw.choice(texts)))
        words[draw.randrange(len(words))] = f"c{draw.randrange(9)}"
        texts.append(words)
    recipe = kernels.Recipe("", {"shingle": "words:2", "threshold": "7/10"})
    batch = pa.record_batch({"rid": pa.array(range(len(texts)), pa.int64()),
                             "text": [" ".join(words) for words in texts]})
    counts = np.zeros(1 << 12, np.uint32)
    for counted in kernels.count_elements(iter([batch]), recipe, 12):
        counts[counted["slot"].to_numpy()] = counted["count"].to_numpy()
    rows = pa.Table.from_batches(kernels.prefix_rows(iter([batch]), recipe, counts)).sort_by(
        [("key", "ascending"), ("size", "ascending"), ("rid", "ascending")])
    columns = {name: rows[name].to_pylist() for name in rows.column_names}
    found = {tuple(row.values()) for pairs in kernels.prefix_pairs(
        iter(cut(columns, draw)), kernels.Jaccard(7, 10), kernels.Scope())
        for row in pairs.to_pylist()}
    similar = sosie.pairs(batch["text"].to_pylist(), shingle="words:2", threshold=0.7,
                          method="brute")
    assert {(left, right) for left, right, _ in similar} <= found and len(similar) > 0


def test_a_star_removes_for_the_first_row_that_stays():
    edges = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 5)]  # by hi, then lo
    for size in (1, 2, 6):
        batches = [pa.record_batch({
            "lo": [lo for lo, _ in part], "hi": [hi for _, hi in part],
            "similarity": [0.9] * len(part), "identical": [False] * len(part),
        }) for part in (edges[i : i + size] for i in range(0, 6, size))]
        taken = [(row["lo"], row["hi"]) for batch in kernels.star(iter(batches))
                 for row in batch.to_pylist()]
        assert taken == [(1, 2), (1, 3), (4, 5)]
