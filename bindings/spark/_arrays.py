"""Code shared by the kernels in this folder: columns of Arrow batches as numpy arrays, groups of
rows, the requested pairs, and filters for dissimilar pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..errors import InputError

Batches = Iterator[pa.RecordBatch]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


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
    """Rows of equal length made by :func:`binary`, without nulls."""
    count = len(column)
    if count == 0:
        return np.empty((0, 0), kind)
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + count + 1]
    data = np.frombuffer(column.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
    rows: npt.NDArray[Any] = data.view(kind)
    return rows.reshape(count, len(rows) // count)


def longs(column: pa.Array) -> Longs:
    values: Longs = column.to_numpy(zero_copy_only=False)
    return values


WHOLE_ROWS = 4096
WHOLE_BYTES = 64 << 20


def whole_groups(batches: Batches, keys: tuple[str, ...]) -> Batches:
    """Turns rows sorted by keys into batches of whole groups, each of a few thousand rows or more."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        if batch.num_rows == 0:
            continue
        held.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows < WHOLE_ROWS and size < WHOLE_BYTES or is_one_group(held, keys):
            continue
        table = flat(held)
        last = np.ones(len(table), bool)
        for key in keys:
            values = longs(table[key])
            last &= values == values[-1]
        first = len(table) - int(np.count_nonzero(last))  # the group that may continue
        if first:
            yield table.slice(0, first)
        held = [table.slice(first)]
        rows, size = 0, 0
    if held:
        yield flat(held)


def is_one_group(held: list[pa.RecordBatch], keys: tuple[str, ...]) -> bool:
    """True if the first and the last of the sorted rows have the same keys."""
    return all(held[0][key][0] == held[-1][key][-1] for key in keys)


def flat(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """All rows as one batch. Columns of 2 GiB do not fit into a batch."""
    made = pa.Table.from_batches(batches).combine_chunks().to_batches()
    if len(made) != 1:
        raise InputError("texts that are compared with each other hold 2 GiB or more")
    return made[0]


def places(known: Longs, asked: Longs) -> Longs:
    """Positions of numbers among the known numbers, which ascend."""
    at = np.searchsorted(known, asked)
    if len(asked) and (len(known) == 0 or (known[np.minimum(at, len(known) - 1)] != asked).any()):
        raise InputError("rows are missing that were there when the job began",
                         hint="the data must not change while a job runs")
    return at


@dataclass(frozen=True)
class Scope:
    """The requested pairs. With another collection, its rows have odd numbers."""

    has_other: bool = False
    only_across: bool = False

    def mask(self, left: Longs, right: Longs) -> npt.NDArray[np.bool_] | None:
        if not self.has_other:
            return None
        asked: npt.NDArray[np.bool_] = (left & right & 1) == 0
        if self.only_across:
            asked = ((left ^ right) & 1) == 1
        return asked

    def of(self, left: Longs, right: Longs) -> tuple[Longs, Longs]:
        """The requested pairs."""
        asked = self.mask(left, right)
        return (left, right) if asked is None else (left[asked], right[asked])


BITS_SET = np.array([number.bit_count() for number in range(256)], np.uint8)
FILTERS_AT_ONCE = 1024  # pairs of filters whose comparison fits in the cache


@dataclass(frozen=True)
class Filter:
    """Rejects most dissimilar pairs by their filter bytes: a minimum number of bytes must agree, or
    a maximum number of bits may differ."""

    of_bits: bool
    limit: int

    def passes(self, one: Bytes, other: Bytes) -> npt.NDArray[np.bool_]:
        passes = np.empty(len(one), bool)
        for begin in range(0, len(passes), FILTERS_AT_ONCE):
            part = slice(begin, begin + FILTERS_AT_ONCE)
            if self.of_bits:
                differ = BITS_SET[one[part] ^ other[part]].sum(axis=1, dtype=np.int64)
                passes[part] = differ <= self.limit
            else:
                agree = np.count_nonzero(one[part] == other[part], axis=1)
                passes[part] = agree >= self.limit
        return passes
