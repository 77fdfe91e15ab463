"""Functions that executors run on Arrow batches (`mapInArrow`). Each is a pure function of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import _sosie
from .._batches import numbers, rows_of
from .._rows import Items, Rows
from .._source import native

Batches = Iterator[pa.RecordBatch]
Longs = npt.NDArray[np.int64]

BAND_SHIFT = 40  # band keys have 40 bits; the number of the band stands above them


@dataclass(frozen=True)
class Recipe:
    """How rows are seen and compared: the plan as JSON (empty for exact joins), and options."""

    plan: str
    options: Mapping[str, object] = field(default_factory=dict)

    def given(self, texts: pa.Array) -> tuple[Rows | Items | list[str], dict[str, object]]:
        """Rows as the library takes them, and options. One thread: a task has one core."""
        rows, given = rows_of(pa.table({"text": texts}), {**self.options, "column": "text"})
        return rows, {**given, "threads": 1}

    def shape(self) -> dict[str, int]:
        plan = json.loads(self.plan)
        return {name: plan[name] for name in ("bands", "components", "filter_agreements")}


def binary(rows: npt.NDArray[Any]) -> pa.Array:
    """The bytes of each row of an array."""
    count = len(rows)
    width = rows.nbytes // count if count else 0
    if count * width >= 2**31:
        raise OverflowError(f"{count} rows of {width} bytes in one batch")
    offsets = np.arange(count + 1, dtype=np.int32) * np.int32(width)
    data = pa.py_buffer(np.ascontiguousarray(rows))
    return pa.Array.from_buffers(pa.binary(), count, [None, pa.py_buffer(offsets), data])


def matrix(column: pa.Array, kind: type[Any]) -> npt.NDArray[Any]:
    """Rows of equal length that :func:`binary` made, none of them null."""
    count = len(column)
    if count == 0:
        return np.empty((0, 0), kind)
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + count + 1]
    data = np.frombuffer(column.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
    rows: npt.NDArray[Any] = data.view(kind).reshape(count, -1)
    return rows


def longs(column: pa.Array) -> Longs:
    values: Longs = column.to_numpy(zero_copy_only=False)
    return values


def sketch(batches: Batches, recipe: Recipe) -> Batches:
    """(rid, rank, text) to (rid, rank, h1, h2, keys, filter); null behind rank where a row has no
    shingle."""
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        made = _sosie.sketch_batch(native(rows), recipe.plan, given)
        count = batch.num_rows
        hashes = made["text_hashes"].view(np.int64).reshape(count, 2)
        here = pa.array(~made["is_empty"])
        columns = {
            "rid": batch["rid"],
            "rank": batch["rank"],
            "h1": pa.array(np.ascontiguousarray(hashes[:, 0]), mask=made["is_empty"]),
            "h2": pa.array(np.ascontiguousarray(hashes[:, 1]), mask=made["is_empty"]),
            "keys": binary(made["band_keys"].reshape(count, made["bands"])),
            "filter": binary(made["filters"].reshape(count, made["components"])),
        }
        for name in ("keys", "filter"):
            columns[name] = pa.compute.if_else(here, columns[name], None)
        yield pa.record_batch(columns)


def band_rows(batches: Batches) -> Batches:
    """(rid, keys) to (key, rid), a row for each band."""
    for batch in batches:
        keys = matrix(batch["keys"], np.int64)
        bands = keys.shape[1]
        keys = keys | (np.arange(bands, dtype=np.int64) << BAND_SHIFT)
        yield pa.record_batch({
            "key": pa.array(keys.ravel()),
            "rid": pa.array(np.repeat(longs(batch["rid"]), bands)),
        })


@dataclass(frozen=True)
class Scope:
    """Which pairs are asked for. With another collection, its rows have odd numbers."""

    has_other: bool = False
    only_across: bool = False

    def mask(self, left: Longs, right: Longs) -> npt.NDArray[np.bool_] | None:
        if not self.has_other:
            return None
        asked: npt.NDArray[np.bool_] = (left & right & 1) == 0
        if self.only_across:
            asked = ((left ^ right) & 1) == 1
        return asked


MEMBER, PAIR = 1, 0  # kinds of rows of bucket_pairs()


def bucket_pairs(batches: Batches, most: int, scope: Scope) -> Batches:
    """(key, rid), sorted, to (left, right, kind): of buckets of up to `most` rows all pairs; of
    larger ones the members, as (rid, key)."""
    rest: tuple[Longs, Longs] = (np.empty(0, np.int64), np.empty(0, np.int64))
    hot: int | None = None  # the bucket that the rest goes on with has had more than `most` rows
    for batch in batches:
        keys = np.concatenate([rest[0], longs(batch["key"])])
        rids = np.concatenate([rest[1], longs(batch["rid"])])
        if len(keys) == 0:
            continue
        last = int(np.searchsorted(keys, keys[-1]))  # where the bucket begins that may go on
        if hot is not None:
            end = int(np.searchsorted(keys, hot, "right"))
            yield from members(keys[:end], rids[:end])
            keys, rids, last = keys[end:], rids[end:], max(0, last - end)
            if len(keys) == 0:
                rest = (keys, rids)
                continue
            hot = None
        yield from pairs_of_buckets(keys[:last], rids[:last], most, scope)
        keys, rids = keys[last:], rids[last:]
        if len(keys) > most:
            hot = int(keys[0])
            yield from members(keys, rids)
            keys, rids = keys[:0], rids[:0]
        rest = (keys, rids)
    yield from pairs_of_buckets(*rest, most, scope)


def members(keys: Longs, rids: Longs) -> Batches:
    if len(keys):
        yield pa.record_batch({"left": rids, "right": keys,
                               "kind": np.full(len(keys), MEMBER, np.int32)})


def pairs_of_buckets(keys: Longs, rids: Longs, most: int, scope: Scope) -> Batches:
    """Whole buckets."""
    if len(keys) == 0:
        return
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    sizes = np.diff(np.r_[starts, len(keys)])
    large = np.repeat(sizes > most, sizes)
    if large.any():
        yield from members(keys[large], rids[large])
    small = np.repeat((sizes > 1) & (sizes <= most), sizes)
    keys, rids = keys[small], rids[small]
    at = np.arange(len(keys))
    step = 1
    while len(at):  # pairs of rows that lie `step` apart in one bucket
        at = at[at + step < len(keys)]
        at = at[keys[at] == keys[at + step]]
        left, right = rids[at], rids[at + step]
        asked = scope.mask(left, right)
        if asked is not None:
            left, right = left[asked], right[asked]
        if len(left):
            yield pa.record_batch({"left": left, "right": right,
                                   "kind": np.full(len(left), PAIR, np.int32)})
        step += 1


def prune(batches: Batches, agreements: int) -> Batches:
    """Pairs whose filters agree often enough; drops the columns f1 and f2."""
    for batch in batches:
        passes = np.empty(batch.num_rows, bool)
        one, other = matrix(batch["f1"], np.uint8), matrix(batch["f2"], np.uint8)
        for begin in range(0, len(passes), 1024):  # in the cache
            part = slice(begin, begin + 1024)
            passes[part] = np.count_nonzero(one[part] == other[part], axis=1) >= agreements
        yield batch.drop_columns(["f1", "f2"]).filter(pa.array(passes))


VERIFY_ROWS = 4096
VERIFY_BYTES = 64 << 20


def verify(batches: Batches, recipe: Recipe) -> Batches:
    """(leader, member, is_copy, text), sorted by leader, the leader's own row first, to (lo, hi,
    is_copy, similarity, reaches, identical): each leader with its members."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows == 0:
            continue
        held.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows < VERIFY_ROWS and size < VERIFY_BYTES:
            continue
        table = pa.Table.from_batches(held).combine_chunks()
        yield from verified(table, recipe)
        leaders = longs(table["leader"])
        first = int(np.searchsorted(leaders, leaders[-1]))  # its star may go on
        held = table.slice(first, 1).to_batches()
        rows, size = 1, 0
    if held:
        yield from verified(pa.Table.from_batches(held).combine_chunks(), recipe)


def verified(table: pa.Table, recipe: Recipe) -> Batches:
    leaders, row_members = longs(table["leader"]), longs(table["member"])
    own = np.flatnonzero(leaders == row_members)
    star = np.searchsorted(leaders[own], leaders)
    others = np.flatnonzero(leaders != row_members)
    if len(others) == 0:
        return
    left = own[star[others]]
    texts = table["text"].combine_chunks()
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.chunk(0)
    rows, given = recipe.given(texts)
    found = _sosie.verify_batch(native(rows), recipe.plan, numbers(left), numbers(others), given)
    yield pa.record_batch({
        "lo": leaders[others],
        "hi": row_members[others],
        "is_copy": table["is_copy"].combine_chunks().take(pa.array(others)),
        "similarity": found["similarity"],
        "reaches": found["reaches"],
        "identical": found["is_identical"],
    })


def star(batches: Batches) -> Batches:
    """(lo, hi, similarity, identical), by the ranks of hi and then lo, to what is removed: hi goes
    for the first lo that was not removed itself."""
    removed: set[int] = set()
    for batch in batches:
        taken = []
        lows, highs = longs(batch["lo"]).tolist(), longs(batch["hi"]).tolist()
        for number, (low, high) in enumerate(zip(lows, highs, strict=True)):
            if high not in removed and low not in removed:
                removed.add(high)
                taken.append(number)
        yield batch.select(["lo", "hi", "similarity", "identical"]).take(pa.array(taken, pa.int64()))


def count_elements(batches: Batches, recipe: Recipe, bits: int) -> Batches:
    """(text) to (slot, count): counters of elements by hash."""
    counts = np.zeros(1 << bits, np.int64)
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        counts += _sosie.count_elements(native(rows), bits, given)
    slots = np.flatnonzero(counts)
    yield pa.record_batch({"slot": slots.astype(np.int32), "count": counts[slots]})


def prefix_rows(batches: Batches, recipe: Recipe, counts: npt.NDArray[np.uint32]) -> Batches:
    """(rid, text) to (key, size, position, met, rid): the rarest elements of each row."""
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        made = _sosie.prefixes_of_batch(native(rows), counts, given)
        yield pa.record_batch({
            "key": made["element"].view(np.int64),
            "size": made["size"].view(np.int32),
            "position": made["position"].view(np.int32),
            "met": made["met_by_larger"].view(np.int32),
            "rid": longs(batch["rid"])[made["row"]],
        })


@dataclass(frozen=True)
class Jaccard:
    """The threshold num / den of a join."""

    num: int
    den: int

    def can_reach(self, size: Longs, at: Longs, other_size: Longs, other_at: Longs) -> Any:
        """Whether rows whose first common element has these positions can reach the threshold."""
        needed = -(-self.num * (size + other_size) // (self.num + self.den))
        return np.minimum(size - at, other_size - other_at) >= needed


def prefix_pairs(batches: Batches, bound: Jaccard, scope: Scope) -> Batches:
    """(key, size, position, met, rid), sorted by key, size and rid, to (left, right): pairs that
    share a rare element and can reach the threshold."""
    names = ("key", "size", "position", "met", "rid")
    rest = {name: np.empty(0, np.int64) for name in names}
    for batch in batches:
        rows = {name: np.concatenate([rest[name], longs(batch[name]).astype(np.int64)])
                for name in names}
        if len(rows["key"]) == 0:
            continue
        last = int(np.searchsorted(rows["key"], rows["key"][-1]))
        yield from pairs_of_elements({n: c[:last] for n, c in rows.items()}, bound, scope)
        rest = {name: column[last:] for name, column in rows.items()}
    yield from pairs_of_elements(rest, bound, scope)


def pairs_of_elements(rows: dict[str, Longs], bound: Jaccard, scope: Scope) -> Batches:
    """Pairs of whole lists: a row that larger ones can meet here, and each of these."""
    key, size, position, rid = rows["key"], rows["size"], rows["position"], rows["rid"]
    at = np.flatnonzero(position < rows["met"])
    step = 1
    while len(at):
        at = at[at + step < len(key)]
        other = at + step
        goes_on = (key[at] == key[other]) & (bound.num * size[other] <= bound.den * size[at])
        at, other = at[goes_on], other[goes_on]
        meets = bound.can_reach(size[at], position[at], size[other], position[other])
        left, right = rid[at][meets], rid[other][meets]
        left, right = np.minimum(left, right), np.maximum(left, right)
        asked = scope.mask(left, right)
        if asked is not None:
            left, right = left[asked], right[asked]
        if len(left):
            yield pa.record_batch({"left": left, "right": right})
        step += 1


def share_bucket(batches: Batches) -> Batches:
    """Pairs that share a band key; drops the columns k1 and k2."""
    for batch in batches:
        shared = (matrix(batch["k1"], np.int64) == matrix(batch["k2"], np.int64)).any(axis=1)
        yield batch.drop_columns(["k1", "k2"]).filter(pa.array(shared))


def minhash(batches: Batches, components: int, recipe: Recipe) -> Batches:
    """Adds a column of signatures behind the others; drops the column of texts."""
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        given.pop("id", None)
        made = _sosie.minhash(native(rows), components, given)
        flat = pa.array(made.astype(np.int64).ravel())
        offsets = pa.array(np.arange(len(made) + 1, dtype=np.int32) * np.int32(components))
        yield batch.drop_columns(["text"]).append_column(
            "minhash", pa.ListArray.from_arrays(offsets, flat))
