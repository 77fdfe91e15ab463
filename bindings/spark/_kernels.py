"""Functions that executors run on Arrow batches (`mapInArrow`), each of them a pure function of its
rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import _sosie
from .._batches import numbers, rows_of
from .._rows import Items, Rows
from .._source import native
from ..errors import InputError
from ._arrays import Batches, Filter, Longs, Scope, binary, longs, matrix, places, whole_groups


@dataclass(frozen=True)
class Recipe:
    """How rows are represented and compared: the plan as JSON (empty for exact joins), and options."""

    plan: str
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return str(self.options.get("kind", "text"))

    @property
    def has_elements(self) -> bool:
        """True if rows are compared as sets of elements."""
        return self.kind in ("text", "sets")

    @property
    def is_similarity(self) -> bool:
        """True if pairs have similarities, false if they have distances."""
        return "within" not in self.options

    def given(self, texts: pa.Array) -> tuple[Rows | Items | list[str], dict[str, object]]:
        """Rows in the form the library accepts, and options. One thread, since a task has one core."""
        rows, given = rows_of(pa.table({"text": texts}), {**self.options, "column": "text"})
        return rows, {**given, "threads": 1}

    @property
    def filter(self) -> Filter:
        plan = json.loads(self.plan)
        if "filter_agreements" in plan:
            return Filter(False, plan["filter_agreements"])
        if plan["kind"] == "bits":
            return Filter(True, int(Fraction(plan["within"])))
        return Filter(True, plan["most_different"])


def sketch(batches: Batches, recipe: Recipe) -> Batches:
    """Converts (rid, rank, text) to (rid, rank, h1, h2, keys, filter, bytes); h1 to filter are null
    for rows that match nothing."""
    for batch in batches:
        made = sketched(batch, recipe)
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
        columns["bytes"] = sizes_of(batch["text"])
        yield pa.record_batch(columns)


def sizes_of(texts: pa.Array) -> pa.Array:
    """The approximate size of each text in bytes."""
    if pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type):
        sizes = pa.compute.binary_length(texts)
    else:
        sizes = pa.compute.multiply(pa.compute.list_value_length(texts), 8)
    return pa.compute.fill_null(sizes.cast(pa.int64()), 0)


def sketched(batch: pa.RecordBatch, recipe: Recipe) -> dict[str, Any]:
    """Sketches the rows of a batch. An error names the id of the row that cannot be sketched. Null
    rows match nothing, regardless of their kind."""
    texts = batch["text"]
    here = texts.is_valid().to_numpy(zero_copy_only=False)
    if recipe.has_elements or here.all():
        return sketches_of(texts, batch["rank"], recipe)
    made = sketches_of(texts.drop_null(), batch["rank"].filter(pa.array(here)), recipe)
    whole: dict[str, Any] = {"bands": made["bands"], "components": made["components"],
                             "is_empty": ~here}
    for name, width in (("band_keys", made["bands"]), ("filters", made["components"]),
                        ("text_hashes", 2)):
        whole[name] = np.zeros((len(here), width), made[name].dtype)
        if width:  # the width is unknown if there is no bit string
            whole[name][here] = made[name].reshape(-1, width)
    return whole


def sketches_of(texts: pa.Array, ranks: pa.Array, recipe: Recipe) -> dict[str, Any]:
    def made_of(some: pa.Array) -> dict[str, Any]:
        rows, given = recipe.given(some)
        return _sosie.sketch_batch(native(rows), recipe.plan, given)

    with told_by_id(texts, lambda row: ranks[row]["id"], made_of):
        return made_of(texts)


@contextmanager
def told_by_id(texts: pa.Array, id_of: Callable[[int], object],
               attempt: Callable[[pa.Array], object]) -> Iterator[None]:
    """Adds the id of the invalid row to an error; finds it by running `attempt` on individual rows."""
    try:
        yield
    except InputError as error:
        for row in range(len(texts)):
            try:
                attempt(texts.slice(row, 1))
            except InputError as alone:
                line = str(alone).partition("\n")[0]
                reason = line.rpartition("row 0: ")[2].replace("the rows: vector 0", "the vector")
                raise InputError(f"id '{id_of(row)}': {reason}") from error
        raise


def verify(batches: Batches, recipe: Recipe) -> Batches:
    """Converts (group, is_pair, left, right, is_copy, text), sorted by group, is_pair and left
    (first the texts of rows, then the pairs), to (left, right, is_copy, similarity, reaches,
    identical)."""
    for table in whole_groups(batches, ("group",)):
        is_pair = table["is_pair"].to_numpy(zero_copy_only=False)
        if not is_pair.any():
            continue
        texts, pairs = table.filter(pa.array(~is_pair)), table.filter(pa.array(is_pair))
        groups = np.unique(longs(table["group"]), return_inverse=True)[1]
        members, of_row = np.unique(np.concatenate([longs(table["left"]), longs(table["right"])]),
                                    return_inverse=True)
        left, right = (groups * len(members) + of  # a group and a row
                       for of in (of_row[: len(table)], of_row[len(table) :]))
        known = left[~is_pair]  # ascending
        rows, given = recipe.given(texts["text"])
        found = _sosie.verify_batch(
            native(rows), recipe.plan, numbers(places(known, left[is_pair])),
            numbers(places(known, right[is_pair])), given)
        yield pa.record_batch({
            **{name: pairs[name] for name in ("left", "right", "is_copy")},
            "similarity": found["similarity"],
            "reaches": found["reaches"],
            "identical": found["is_identical"],
        })


def star(batches: Batches) -> Batches:
    """Selects the removals from (lo, hi, similarity, identical), sorted by the ranks of hi and then
    lo: hi is removed by the first lo that has not itself been removed."""
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
    """Converts (text) to (slot, count): counters of elements by hash."""
    counts = np.zeros(1 << bits, np.int64)
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        counts += _sosie.count_elements(native(rows), bits, given)
    slots = np.flatnonzero(counts)
    yield pa.record_batch({"slot": slots.astype(np.int32), "count": counts[slots]})


def prefix_rows(batches: Batches, recipe: Recipe, counts: npt.NDArray[np.uint32]) -> Batches:
    """Converts (rid, text) to (key, size, position, met, rid): the rarest elements of each row."""
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
        """True if rows whose first common element has these positions can reach the threshold."""
        needed = -(-self.num * (size + other_size) // (self.num + self.den))
        return np.minimum(size - at, other_size - other_at) >= needed


def prefix_pairs(batches: Batches, bound: Jaccard, scope: Scope) -> Batches:
    """Converts (key, size, position, met, rid), sorted by key, size and rid, to (left, right): pairs
    that share a rare element and can reach the threshold."""
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
    """Pairs from complete lists: each row that larger rows can meet in its list, with each of them."""
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
        left, right = scope.of(left, right)
        if len(left):
            yield pa.record_batch({"left": left, "right": right})
        step += 1


def share_bucket(batches: Batches) -> Batches:
    """Pairs that share a band key; drops the columns k1 and k2."""
    for batch in batches:
        shared = (matrix(batch["k1"], np.int64) == matrix(batch["k2"], np.int64)).any(axis=1)
        yield batch.drop_columns(["k1", "k2"]).filter(pa.array(shared))


def minhash(batches: Batches, components: int, recipe: Recipe) -> Batches:
    """Adds a column of signatures after the others; drops the column of texts."""
    for batch in batches:
        rows, given = recipe.given(batch["text"])
        given.pop("id", None)
        made = _sosie.minhash(native(rows), components, given)
        flat = pa.array(made.astype(np.int64).ravel())
        offsets = pa.array(np.arange(len(made) + 1, dtype=np.int32) * np.int32(components))
        yield batch.drop_columns(["text"]).append_column(
            "minhash", pa.ListArray.from_arrays(offsets, flat))


def template(texts: pa.ChunkedArray, recipe: Recipe) -> dict[str, Any]:
    """The template that texts share: common, passage."""
    rows, given = recipe.given(texts)
    told: dict[str, Any] = _sosie.template_of_batch(native(rows), given)
    return told
