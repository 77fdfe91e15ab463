"""Groups of pairs whose texts are brought together once: components of pairs, and parts of large
components."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ._arrays import Batches, Longs, flat, longs


ROWS_AT_ONCE = 1 << 16
LARGEST_PART_ROWS = 2048
LARGEST_PART_BYTES = 16 << 20


def group_pairs(batches: Batches) -> Batches:
    """Converts (left, right, is_copy, left_bytes, right_bytes), all in one task, to (group, is_pair,
    left, right, is_copy), and adds the rows of each group as (group, False, row, row, False).
    Rows connected by pairs form a group, so that their texts come together once. Groups that are
    too large are divided into parts, and any two parts that share pairs form a group."""
    held = [batch for batch in batches if batch.num_rows]
    if not held:
        return
    table = flat(held)
    members, places = np.unique(np.concatenate([longs(table["left"]), longs(table["right"])]),
                                return_inverse=True)
    left, right = places[: len(table)], places[len(table) :]
    sizes = np.zeros(len(members), np.int64)
    sizes[left], sizes[right] = longs(table["left_bytes"]), longs(table["right_bytes"])
    part = parts_of(components_of(left, right, len(members)), left, right, sizes)
    one, other = np.minimum(part[left], part[right]), np.maximum(part[left], part[right])
    group = one * (int(part.max()) + 1) + other
    for begin in range(0, len(table), ROWS_AT_ONCE):
        some = table.slice(begin, ROWS_AT_ONCE)
        yield pa.record_batch({
            "group": group[begin : begin + ROWS_AT_ONCE], "is_pair": np.ones(len(some), bool),
            **{name: some[name] for name in ("left", "right", "is_copy")}})
    of_groups = np.unique(np.stack([np.r_[group, group], np.r_[left, right]]), axis=1)
    for begin in range(0, of_groups.shape[1], ROWS_AT_ONCE):
        groups, rows = of_groups[:, begin : begin + ROWS_AT_ONCE]
        none = np.zeros(len(rows), bool)
        yield pa.record_batch({"group": groups, "is_pair": none, "left": members[rows],
                               "right": members[rows], "is_copy": none})


def components_of(left: Longs, right: Longs, count: int) -> Longs:
    """The lowest member of the component of each of `count` members."""
    root = np.arange(count)
    while len(left):
        # Each root points to the lowest root that a pair connects it with; chains are then shortened.
        np.minimum.at(root, np.maximum(left, right), np.minimum(left, right))
        while True:
            above = root[root]
            if np.array_equal(above, root):
                break
            root = above
        left, right = root[left], root[right]
        differ = left != right
        left, right = left[differ], right[differ]
    return root


def parts_of(component: Longs, left: Longs, right: Longs, sizes: Longs) -> Longs:
    """Returns, for each member, the number of its part: a component, or a piece of a large
    component. Members with the same lowest partner are placed next to each other."""
    count = len(component)
    nearest = np.arange(count)
    np.minimum.at(nearest, right, left)
    np.minimum.at(nearest, left, right)
    order = np.lexsort((np.arange(count), nearest, component))
    starts = np.flatnonzero(np.r_[True, np.diff(component[order]) != 0])
    number = np.arange(count)
    begins = np.repeat(starts, np.diff(np.r_[starts, count]))
    before = np.cumsum(sizes[order]) - sizes[order]
    piece = np.maximum((number - begins) // LARGEST_PART_ROWS,
                       (before - before[begins]) // LARGEST_PART_BYTES)
    changes = np.r_[False, (np.diff(begins) != 0) | (np.diff(piece) != 0)]
    parts = np.empty(count, np.int64)
    parts[order] = np.cumsum(changes)
    return parts
