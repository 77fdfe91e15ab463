"""From band keys to candidates, many rows at a time: a row of these DataFrames is a *piece*, which
holds thousands of band rows, pairs or items as arrays, so that the JVM moves and sorts few rows.

A piece is (part, kind, a, b, c, d): the part by which pieces are sorted, the kind of its contents,
and columns. Whole numbers are written byte by byte: the first bytes of all numbers, then the second
bytes and so on, which compresses well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ._arrays import Batches, Bytes, Filter, Longs, Scope, longs, matrix, places, whole_groups

BAND_SHIFT = 40  # band keys have 40 bits; the number of the band is stored above them
ITEM, PAIR, MEMBER = 0, 1, 2  # kinds of pieces; MEMBER: rows of a bucket that is too large for pairs
ROWS_OF_PIECE = 1 << 18
ROWS_AT_ONCE = 1 << 20  # band rows or pairs that are distributed over parts together
COLUMNS = ("a", "b", "c", "d")

Column = Longs | Bytes


def part_of(numbers: Longs, parts: int) -> Longs:
    """The part of each number; numbers are spread evenly, whichever bits differ."""
    mixed = numbers.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return ((mixed >> np.uint64(33)) % np.uint64(parts)).astype(np.int64)


def packed(column: Column) -> bytes:
    if column.ndim == 1:
        column = np.ascontiguousarray(column).view(np.uint8).reshape(-1, 8).T
    return column.tobytes()


def unpacked(data: bytes) -> Longs:
    numbers = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(8, -1).T)
    whole: Longs = numbers.view(np.int64).ravel()
    return whole


def scattered(part: Longs, kind: int, columns: tuple[Column, ...]) -> Batches:
    """Turns rows into pieces; rows of the same part are adjacent and keep their order."""
    if len(part) == 0:
        return
    order = np.argsort(part, kind="stable")
    part = part[order]
    columns = tuple(column[order] for column in columns)
    starts = np.flatnonzero(np.r_[True, part[1:] != part[:-1]])
    pieces = [(begin, min(end, begin + ROWS_OF_PIECE))
              for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(part)], strict=True)
              for begin in range(start, end, ROWS_OF_PIECE)]
    held: dict[str, pa.Array] = {
        "part": pa.array(part[[begin for begin, _ in pieces]]),
        "kind": pa.array(np.full(len(pieces), kind, np.int64)),
    }
    for number, name in enumerate(COLUMNS):
        data = ([packed(columns[number][begin:end]) for begin, end in pieces]
                if number < len(columns) else [b""] * len(pieces))
        held[name] = pa.array(data, pa.binary())
    yield pa.record_batch(held)


@dataclass(frozen=True)
class Part:
    """All pieces of one part, by kind."""

    pieces: pa.RecordBatch

    def numbers(self, kind: int, name: str) -> Longs:
        found = [unpacked(data) for data in self._of(kind, name)]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def rows(self, kind: int, name: str, count: int) -> Bytes:
        data = b"".join(self._of(kind, name))
        return np.frombuffer(data, np.uint8).reshape(count, len(data) // max(count, 1))

    def _of(self, kind: int, name: str) -> list[bytes]:
        here = np.flatnonzero(longs(self.pieces["kind"]) == kind)
        return [self.pieces[name][int(row)].as_py() for row in here]


def parts_in(batches: Batches) -> Iterator[Part]:
    for table in whole_groups(batches, ("part",)):
        part = longs(table["part"])
        starts = np.flatnonzero(np.r_[True, part[1:] != part[:-1]])
        for begin, end in zip(starts, [*starts[1:], len(part)], strict=True):
            yield Part(table.slice(int(begin), int(end - begin)))


def band_pieces(batches: Batches, parts: int) -> Batches:
    """Converts (rid, keys) to pieces of MEMBERs by their keys: a=key, b=rid, a row for each band."""
    def flushed() -> Batches:
        keys, rids = (np.concatenate(column) for column in (held_keys, held_rids))
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        yield from scattered(part_of(keys, parts), MEMBER, (keys, rids[order]))

    held_keys: list[Longs] = []
    held_rids: list[Longs] = []
    rows = 0
    for batch in batches:
        keys = matrix(batch["keys"], np.int64)
        bands = keys.shape[1]
        keys = keys | (np.arange(bands, dtype=np.int64) << BAND_SHIFT)
        held_keys.append(keys.ravel())
        held_rids.append(np.repeat(longs(batch["rid"]), bands))
        rows += keys.size
        if rows >= ROWS_AT_ONCE:
            yield from flushed()
            held_keys, held_rids, rows = [], [], 0
    if rows:
        yield from flushed()


def bucket_pieces(batches: Batches, most: int, scope: Scope) -> Batches:
    """Converts pieces from band_pieces(), sorted by part, to pieces without a part. A bucket of up
    to `most` rows becomes PAIRs (a=left, b=right) for all of its pairs; a larger bucket keeps its
    MEMBERs."""
    for part in parts_in(batches):
        keys, rids = part.numbers(MEMBER, "a"), part.numbers(MEMBER, "b")
        order = np.lexsort((rids, keys))
        keys, rids = keys[order], rids[order]
        sizes = np.diff(np.flatnonzero(np.r_[True, keys[1:] != keys[:-1], True]))
        size = np.repeat(sizes, sizes)
        large = size > most
        yield from scattered(np.zeros(np.count_nonzero(large), np.int64), MEMBER,
                             (keys[large], rids[large]))
        small = (size > 1) & ~large
        for left, right in gathered(pairs_of_buckets(keys[small], rids[small], scope)):
            yield from scattered(np.zeros(len(left), np.int64), PAIR, (left, right))


def pairs_of_buckets(keys: Longs, rids: Longs, scope: Scope) -> Iterator[tuple[Longs, Longs]]:
    """All pairs of rows with the same key; rows are sorted by key."""
    at = np.arange(len(keys))
    step = 1
    while len(at):  # pairs of rows that are `step` apart in the same bucket
        at = at[at + step < len(keys)]
        at = at[keys[at] == keys[at + step]]
        yield scope.of(rids[at], rids[at + step])
        step += 1


def gathered(pairs: Iterator[tuple[Longs, Longs]]) -> Iterator[tuple[Longs, Longs]]:
    """Yields the distinct pairs among about a million at a time."""
    held: list[tuple[Longs, Longs]] = []
    rows = 0
    for left, right in pairs:
        held.append((left, right))
        rows += len(left)
        if rows >= ROWS_AT_ONCE:
            yield different(held)
            held, rows = [], 0
    if rows:
        yield different(held)


def different(pairs: list[tuple[Longs, Longs]]) -> tuple[Longs, Longs]:
    left, right = (np.concatenate(column) for column in zip(*pairs, strict=True))
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    first = np.ones(len(left), bool)
    first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return left[first], right[first]


def member_rows(batches: Batches) -> Batches:
    """Converts pieces of MEMBERs to rows (rid, key)."""
    for batch in batches:
        for row in range(batch.num_rows):
            yield pa.record_batch({"rid": unpacked(batch["b"][row].as_py()),
                                   "key": unpacked(batch["a"][row].as_py())})


def pair_pieces(batches: Batches) -> Batches:
    """Converts rows (left, right) to pieces of PAIRs without a part."""
    for batch in batches:
        yield from scattered(np.zeros(batch.num_rows, np.int64), PAIR,
                             (longs(batch["left"]), longs(batch["right"])))


def by_left(batches: Batches, parts: int) -> Batches:
    """Distributes pieces of PAIRs to the parts of their left rows."""
    for batch in batches:
        for row in range(batch.num_rows):
            left, right = (unpacked(batch[name][row].as_py()) for name in ("a", "b"))
            yield from scattered(part_of(left, parts), PAIR, (left, right))


def item_pieces(batches: Batches, parts: int) -> Batches:
    """Converts (rid, filter, bytes) to pieces of ITEMs: a=rid, b=bytes, c=filter."""
    for batch in batches:
        rids = longs(batch["rid"])
        yield from scattered(part_of(rids, parts), ITEM,
                             (rids, longs(batch["bytes"]), matrix(batch["filter"], np.uint8)))


@dataclass(frozen=True)
class Known:
    """The items of a part, by row."""

    rids: Longs
    sizes: Longs
    filters: Bytes

    @classmethod
    def of(cls, part: Part) -> Known:
        rids = part.numbers(ITEM, "a")
        order = np.argsort(rids)
        return cls(rids[order], part.numbers(ITEM, "b")[order],
                   part.rows(ITEM, "c", len(rids))[order])


def with_left(batches: Batches, parts: int) -> Batches:
    """Converts pieces of ITEMs, and of PAIRs by their left rows, to pieces of distinct PAIRs by
    their right rows, with the filter and size of the left row: a=right, b=left, c=filter,
    d=bytes."""
    for part in parts_in(batches):
        left, right = different([(part.numbers(PAIR, "a"), part.numbers(PAIR, "b"))])
        known = Known.of(part)
        for begin in range(0, len(left), ROWS_OF_PIECE):
            some = slice(begin, begin + ROWS_OF_PIECE)
            at = places(known.rids, left[some])
            yield from scattered(part_of(right[some], parts), PAIR,
                                 (right[some], left[some], known.filters[at], known.sizes[at]))


def prune(batches: Batches, rule: Filter) -> Batches:
    """Converts pieces of ITEMs and from with_left() to rows (left, right, left_bytes, right_bytes):
    the pairs that the filters do not rule out."""
    for part in parts_in(batches):
        right, left = part.numbers(PAIR, "a"), part.numbers(PAIR, "b")
        if len(right) == 0:
            continue
        known = Known.of(part)
        at = places(known.rids, right)
        passes = passing(rule, part.rows(PAIR, "c", len(right)), known.filters, at)
        yield pa.record_batch({
            "left": left[passes], "right": right[passes],
            "left_bytes": part.numbers(PAIR, "d")[passes],
            "right_bytes": known.sizes[at][passes]})


def passing(rule: Filter, filters: Bytes, known: Bytes, at: Longs) -> npt.NDArray[np.bool_]:
    passes = np.empty(len(at), bool)
    for begin in range(0, len(at), ROWS_OF_PIECE):
        some = slice(begin, begin + ROWS_OF_PIECE)
        passes[some] = rule.passes(filters[some], known[at[some]])
    return passes


def tile_pairs(batches: Batches, rule: Filter, scope: Scope) -> Batches:
    """Converts (tile, other, own, rid, filter), sorted by tile, other and own, to (left, right): pairs
    of rows from two parts of a large bucket that the filters do not rule out. `own` is 0 for rows
    of the first part and 1 for the second; a part with itself has no 1."""
    for table in whole_groups(batches, ("tile", "other")):
        tiles, others = longs(table["tile"]), longs(table["other"])
        starts = np.flatnonzero(np.r_[True, (np.diff(tiles) != 0) | (np.diff(others) != 0)])
        for begin, end in zip(starts, [*starts[1:], len(tiles)], strict=True):
            rows = table.slice(int(begin), int(end - begin))
            found = pairs_of_tile(longs(rows["own"]), longs(rows["rid"]),
                                  matrix(rows["filter"], np.uint8), rule, scope)
            for left, right in gathered(found):
                yield pa.record_batch({"left": left, "right": right})


def pairs_of_tile(own: Longs, rids: Longs, filters: Bytes, rule: Filter,
                  scope: Scope) -> Iterator[tuple[Longs, Longs]]:
    split = int(np.searchsorted(own, 1))
    is_one_part = split == len(own)
    for row in range(split):
        partners = slice(row + 1 if is_one_part else split, None)
        near = rule.passes(np.broadcast_to(filters[row], filters[partners].shape), filters[partners])
        right = rids[partners][near]
        left = np.full(len(right), rids[row])
        yield scope.of(np.minimum(left, right), np.maximum(left, right))
