"""The kernels that executors run on batches, regardless of where the batches are cut."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

import sosie
from sosie.spark import _groups as groups
from sosie.spark import _kernels as kernels
from sosie.spark import _pieces as pieces
from sosie.spark._arrays import Filter, Scope, binary, places
from sosie.spark._source import Columns


def cut(columns: dict[str, list[int]], draw: random.Random) -> list[pa.RecordBatch]:
    """A sorted stream in batches of any size, some of them empty."""
    whole = pa.record_batch({name: pa.array(values, pa.int64()) for name, values in columns.items()})
    batches, at = [], 0
    while at < whole.num_rows:
        size = draw.randrange(0, 9)
        batches.append(whole.slice(at, size))
        at += size
    return batches


def by_part(batches: list[pa.RecordBatch], draw: random.Random) -> list[pa.RecordBatch]:
    """Pieces as a stage receives them: sorted by part and kind regardless of their original order."""
    rows = [batch.slice(row, 1) for batch in batches for row in range(batch.num_rows)]
    draw.shuffle(rows)
    rows.sort(key=lambda row: (row["part"][0].as_py(), row["kind"][0].as_py()))
    if not rows:
        return []
    whole = pa.Table.from_batches(rows).combine_chunks().to_batches()[0]
    cuts = sorted({0, len(rows), *(draw.randrange(len(rows)) for _ in range(3))})
    return [whole.slice(begin, end - begin) for begin, end in itertools.pairwise(cuts)]


def is_asked(scope: Scope, left: int, right: int) -> bool:
    others = left % 2 + right % 2
    return not scope.has_other or (others == 1 if scope.only_across else others < 2)


@pytest.mark.parametrize("seed", range(20))
def test_candidates_share_a_key_and_have_near_filters(seed: int, monkeypatch: pytest.MonkeyPatch):
    draw = random.Random(seed)
    for name, least in (("ROWS_OF_PIECE", 1), ("ROWS_AT_ONCE", 3)):
        monkeypatch.setattr(pieces, name, draw.choice([least, 40, 1 << 20]))
    most, parts = draw.choice([2, 10, 15, 100]), draw.choice([1, 3, 40])
    scope = Scope(draw.random() < 0.5, draw.random() < 0.5)
    rule = Filter(draw.random() < 0.5, draw.randrange(1, 3))
    rids = [draw.randrange(-(2**63), 2**63) for _ in range(60)]
    keys = np.array([[draw.randrange(9), draw.randrange(30) << 34] for _ in rids])
    filters = np.array([[draw.randrange(4) for _ in range(3)] for _ in rids], np.uint8)
    sizes = [draw.randrange(1 << 40) for _ in rids]
    items = pa.record_batch({
        "rid": pa.array(rids, pa.int64()), "keys": binary(keys.astype(np.int64)),
        "filter": binary(filters), "bytes": pa.array(sizes, pa.int64())})
    batches = [items.slice(begin, 7) for begin in range(0, 60, 7)]
    found = [*pieces.bucket_pieces(iter(by_part([*pieces.band_pieces(iter(batches), parts)], draw)),
                                   most, scope)]
    members, pairs = (
        [piece.filter(pa.compute.equal(piece["kind"], kind)) for piece in found]
        for kind in (pieces.MEMBER, pieces.PAIR))
    known = [*pieces.item_pieces(iter(batches), parts)]
    by_left = [*pieces.by_left(iter(pairs), parts)]
    half = [*pieces.with_left(iter(by_part(known + by_left, draw)), parts)]
    pruned = pieces.prune(iter(by_part(known + half, draw)), rule)

    buckets = defaultdict(list)
    for row, rid in enumerate(rids):
        for band in range(2):
            buckets[int(keys[row, band]) | band << 40].append(rid)
    expected = set()
    for bucket in buckets.values():
        for one, other in itertools.combinations(bucket if len(bucket) <= most else [], 2):
            left, right = min(one, other), max(one, other)
            at, to = rids.index(left), rids.index(right)
            if is_asked(scope, left, right) and rule.passes(filters[[at]], filters[[to]])[0]:
                expected.add((left, right, sizes[at], sizes[to]))
    rows = [tuple(row.values()) for batch in pruned for row in batch.to_pylist()]
    assert len(rows) == len(set(rows)) and set(rows) == expected
    large = {(rid, key) for key, bucket in buckets.items() if len(bucket) > most for rid in bucket}
    listed = [tuple(row.values()) for batch in pieces.member_rows(iter(members))
              for row in batch.to_pylist()]
    assert len(listed) == len(large) and set(listed) == large


def test_rows_that_are_gone_are_told():
    assert places(np.array([2, 5, 9]), np.array([9, 2])).tolist() == [2, 0]
    for known, asked in (([2, 5, 9], [4]), ([2, 5, 9], [10]), ([], [1])):
        with pytest.raises(sosie.InputError, match="rows are missing"):
            places(np.array(known, np.int64), np.array(asked, np.int64))


def test_filters_tell_bytes_that_agree_or_bits_that_differ():
    one, other = np.array([[1, 2, 3], [7, 7, 7]], np.uint8), np.array([[1, 2, 0], [7, 6, 4]], np.uint8)
    assert Filter(False, 2).passes(one, other).tolist() == [True, False]
    assert Filter(True, 2).passes(one, other).tolist() == [True, False]
    assert Filter(True, 3).passes(one, other).tolist() == [True, True]


@pytest.mark.parametrize("seed", range(10))
def test_parts_of_a_large_bucket_give_all_of_its_pairs(seed: int):
    draw = random.Random(seed)
    rids = draw.sample(range(1000), 30)
    filters = {rid: draw.randrange(256) for rid in rids}
    part = {rid: draw.randrange(4) for rid in rids}
    rule, scope = Filter(True, 3), Scope(draw.random() < 0.5)
    rows = sorted((min(part[rid], other) * 10 + max(part[rid], other), 5, int(part[rid] > other), rid)
                  for rid in rids for other in range(4))
    batch = pa.record_batch({
        **{name: pa.array([row[at] for row in rows], pa.int64())
           for at, name in enumerate(("tile", "other", "own", "rid"))},
        "filter": binary(np.array([[filters[row[3]]] for row in rows], np.uint8))})
    batches = [batch.slice(begin, 11) for begin in range(0, len(rows), 11)]
    found = [tuple(row.values()) for pairs in pieces.tile_pairs(iter(batches), rule, scope)
             for row in pairs.to_pylist()]
    expected = [(left, right) for left, right in itertools.combinations(sorted(rids), 2)
                if is_asked(scope, left, right) and (filters[left] ^ filters[right]).bit_count() <= 3]
    assert sorted(found) == expected


@pytest.mark.parametrize("seed", range(20))
def test_texts_of_a_component_come_together_once(seed: int, monkeypatch: pytest.MonkeyPatch):
    draw = random.Random(seed)
    most_rows = draw.choice([2, 5, 1000])
    monkeypatch.setattr(groups, "LARGEST_PART_ROWS", most_rows)
    monkeypatch.setattr(groups, "LARGEST_PART_BYTES", draw.choice([150, 1 << 20]))
    pairs = sorted({tuple(sorted(draw.sample(range(-50, 50), 2))) for _ in range(60)})
    batch = pa.record_batch({
        "left": [left for left, _ in pairs], "right": [right for _, right in pairs],
        "is_copy": [draw.random() < 0.2 for _ in pairs],
        "left_bytes": [abs(left) for left, _ in pairs],
        "right_bytes": [abs(right) for _, right in pairs]})
    batches = [batch.slice(begin, 9) for begin in range(0, len(pairs), 9)]
    rows = [row for found in groups.group_pairs(iter(batches)) for row in found.to_pylist()]
    grouped = [row for row in rows if row["is_pair"]]
    assert sorted((row["left"], row["right"]) for row in grouped) == pairs
    of_group = defaultdict(set)
    for row in rows:
        if not row["is_pair"]:
            assert row["left"] == row["right"] and row["left"] not in of_group[row["group"]]
            of_group[row["group"]].add(row["left"])
    wanted = defaultdict(set)
    for row in grouped:
        wanted[row["group"]] |= {row["left"], row["right"]}
    assert of_group == wanted
    assert all(len(members) <= 2 * most_rows for members in of_group.values())
    if most_rows == 1000 and groups.LARGEST_PART_BYTES > 150:  # whole components
        listed = [member for members in of_group.values() for member in members]
        assert len(listed) == len(set(listed))


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
        iter(cut(columns, draw)), kernels.Jaccard(7, 10), Scope())
        for row in pairs.to_pylist()}
    similar = sosie.pairs(batch["text"].to_pylist(), shingle="words:2", threshold=0.7,
                          method="brute")
    assert {(left, right) for left, right, _ in similar} <= found and len(similar) > 0


@pytest.mark.parametrize("kind", ["vectors", "bits"])
def test_rows_that_hold_nothing_match_nothing(kind: str, tmp_path):
    path = tmp_path / "plan.json"
    bound = {"threshold": 0.9, "probes": 1} if kind == "vectors" else {"within": 1}
    rows = [[1.0, 2.0], [2.0, 1.0]] if kind == "vectors" else ["0f", "f0"]
    held = pa.list_(pa.float32()) if kind == "vectors" else pa.string()
    sosie.plan(np.array(rows) if kind == "vectors" else rows, kind=kind, method="lsh", bands="3x2",
               output=path, **bound)
    recipe = kernels.Recipe(path.read_text(), {"kind": kind})
    for items in ([None, None], [None, *rows, None], rows):
        ranks = pa.array([{"id": f"r{n}"} for n in range(len(items))])
        batch = pa.record_batch({"rid": pa.array(range(len(items)), pa.int64()), "rank": ranks,
                                 "text": pa.array(items, held)})
        [made] = kernels.sketch(iter([batch]), recipe)
        assert made["keys"].is_valid().to_pylist() == [item is not None for item in items]
    bad = pa.record_batch({"rid": pa.array([0, 1], pa.int64()), "rank": ranks,
                           "text": pa.array([rows[0], "zz" if kind == "bits" else [0.0, 0.0]], held)})
    with pytest.raises(sosie.InputError, match="^id 'r1': [^\n]*$"):
        [*kernels.sketch(iter([bad]), recipe)]


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


def test_rules_of_keep_are_those_of_the_program():
    def rules(keep: str | list[str]) -> list[tuple[str, str]]:
        return Columns("text", "id", None, keep).rules()

    assert rules("max:score,longest,last") == [("max", "score"), ("longest", ""), ("last", "")]
    assert rules("max:a\\,b,last") == rules(["max:a,b", "last"]) == [("max", "a,b"), ("last", "")]
    for keep in ("first,longest", "last,max:n", "best", "max:", "", "first,", "max:a||b", "FIRST"):
        with pytest.raises(sosie.OptionError) as error:
            rules(keep)
        with pytest.raises(sosie.OptionError) as here:
            sosie.dedup(["one two"], keep=keep)
        assert str(error.value) == str(here.value)
