"""Runs the verbs: converts arguments for the library, and its results for the caller."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._addresses import all_told
from ._batches import sketch_batch as sketch_batch
from ._batches import verify_batch as verify_batch
from ._link import explain_records, record_keywords
from ._link import link as link
from ._results import Clusters, Deduplicated, Pairs, ResultTable
from ._rows import Items, Rows, are_records, held, is_sparse, library_of, readable
from ._source import (
    FILES_WRITTEN,
    PAIR_COLUMNS,
    Given,
    Options,
    PairSource,
    Progress,
    Records,
    Source,
    call,
    column_of,
    completed,
    exact,
    is_path,
    native,
    of_other,
    source_of,
    source_of_paths,
)
from .errors import FileError, InputError, OptionError


def dedup(
    data: Source, options: Options, against: Source | None, progress: Progress
) -> Deduplicated:
    data, against = held(data), held(against)
    options, named_by, other_named_by = without_id(options, data, against)
    given = completed(options, data, against)
    other = None if against is None else source_of(against, of_other(given))
    source = source_of(data, given)
    if "output" in given and isinstance(source, Rows):
        raise OptionError("output: cannot write a table in memory to a file", option="output",
                          hint="result.apply() returns the kept rows")
    runs = DedupRuns(source, other, given, progress, named_by, other_named_by)
    return Deduplicated(runs.dedup(), runs)


# Options that select rows and set their ids.
NAMING = ("format", "delimiter", "quote", "escape", "skip_lines", "no_header", "follow", "hidden",
          "encoding", "column", "id", "ids", "kind", "ratings", "represent", "group_by", "element",
          "weight", "threads", "memory", "scratch", "scratch_limit")


class Names:
    """The ids of the rows of a source, read on first use. `ids`: the option that names a file of ids;
    `column`: the column of ids of rows in memory."""

    def __init__(self, source: Given, options: Options, ids: str = "ids", column: str | None = None):
        self._source, self._options, self._ids, self._column = source, options, ids, column
        if column is not None:
            _ = self._all  # reports a wrong column at once

    @functools.cached_property
    def are_there(self) -> bool:
        """Tells whether rows have ids, not just numbers."""
        if self._column is not None or not isinstance(self._source, list):
            return self._column is not None
        if "-" in self._source:
            return False
        return _sosie.row_names(self._source, True, self._naming()) is not None

    def of(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns the ids of some rows: int64 if the ids of all rows are integers, else str."""
        names = self._all
        if len(rows) and int(rows.max()) >= len(names):
            raise FileError("the input changed since it was read: it has fewer rows")
        some: npt.NDArray[Any] = names[rows]
        return some

    def _naming(self) -> dict[str, object]:
        given = {name: self._options[name] for name in NAMING if name in self._options}
        given.pop("ids", None)
        if self._ids in self._options:
            given["ids"] = self._options[self._ids]
        return given

    @functools.cached_property
    def _all(self) -> npt.NDArray[Any]:
        if self._column is not None:
            return column_of_names(self._source, self._column)
        found = _sosie.row_names(self._source, False, self._naming())
        names, whole = found if found is not None else ([], False)
        return as_column(all_told(names), whole)


def column_of_names(source: Given, column: str) -> npt.NDArray[Any]:
    """The column of ids of rows in memory."""
    if isinstance(source, list):
        raise TypeError("paths hold no rows in memory")
    rows = source.read
    if isinstance(rows, (list, tuple)) and are_records(rows):
        names = [row.get(column) for row in rows]
        if None in names:
            raise InputError(f"row {names.index(None)}: field '{column}' is missing",
                             place=f"row {names.index(None)}")
        whole = all(isinstance(name, (int, np.integer)) for name in names)
        return as_column(names if whole else [str(name) for name in names], whole)
    if isinstance(rows, (list, tuple, np.ndarray)) or is_sparse(rows):
        raise OptionError(f"id={column!r}: rows in memory without columns are identified by their numbers",
                          option="id", hint="look the ids up by the row numbers in the results")
    table = readable(source.data, [column]) if library_of(source.data) == "pandas" else rows
    found = _sosie.row_names(_sosie.arrow_rows(table, [column]), False,
                             {"id": column, "column": column})
    names, whole = found if found is not None else ([], False)
    return as_column(names, whole)


def without_id(options: Options, *sources: object) -> tuple[Options, str | None, str | None]:
    """The options, and the id columns of rows in memory: of the first source and of the other."""
    if any(map(is_path, sources)) or options.get("group_by") is not None:
        return options, None, None
    column = options.get("id")
    other = options.get("other_id")
    if other is None:
        other = column
    left = {name: value for name, value in options.items()
            if name not in ("id", "other_id") or value in (None, "row")}
    named_by, other_named_by = (None if name in (None, "row") else str(name)
                                for name in (column, other))
    return left, named_by, other_named_by


class DedupRuns:
    """A call of `dedup` that can be repeated with other options. Pickled without its progress."""

    def __init__(
        self,
        source: Given,
        against: Given | None,
        options: Options,
        progress: Progress = None,
        named_by: str | None = None,
        other_named_by: str | None = None,
    ):
        self.source, self.against, self.options, self.progress = source, against, options, progress
        self.named_by, self.other_named_by = named_by, other_named_by
        self.names = Names(source, options, column=named_by)
        self.other_names = None
        if against is not None:
            self.other_names = Names(against, of_other(options), "other_ids", other_named_by)

    def __reduce__(self) -> tuple[Any, ...]:
        return DedupRuns, (self.source, self.against, self.options, None, self.named_by,
                           self.other_named_by)

    @property
    def column(self) -> str:
        return column_of(self.options)

    def again(self, **changed: object) -> DedupRuns:
        """Returns the call with other options, which does not rewrite output files."""
        kept = {name: value for name, value in self.options.items() if name not in FILES_WRITTEN}
        options = {**kept, **changed}
        return DedupRuns(self.source, self.against, options, self.progress, self.named_by,
                         self.other_named_by)

    def at(self, threshold: object) -> DedupRuns:
        bound = "within" if "within" in self.options else "threshold"
        return self.again(**{bound: exact(threshold)})

    def dedup(self) -> dict[str, Any]:
        return self._call(_sosie.dedup, self.options)

    def pairs(self) -> dict[str, Any]:
        return self._call(
            _sosie.pairs, {k: v for k, v in self.options.items() if k in pair_keywords()}
        )

    def _call(self, verb: Callable[..., dict[str, Any]], options: Options) -> dict[str, Any]:
        return call(verb, self.progress, native(self.source), native(self.against), options)


def pairs(data: Source, options: Options, against: Source | None, progress: Progress) -> Pairs:
    data, against = held(data), held(against)
    options, named_by, other_named_by = without_id(options, data, against)
    given = completed(options, data, against)
    source = source_of(data, given)
    other = None if against is None else source_of(against, of_other(given))
    left = right = Names(source, given, column=named_by)
    if other is not None:
        right = Names(other, of_other(given), "other_ids", other_named_by)
    return Pairs(call(_sosie.pairs, progress, native(source), native(other), given), left, right)


def query(data: Source, items: Source, options: Options, progress: Progress) -> Pairs:
    data, items = held(data), held(items)
    options, named_by, other_named_by = without_id(options, data, items)
    given = completed(options, data, items)
    known, asked = source_of(data, given), source_of(items, of_other(given))
    if isinstance(known, list) and len(known) != 1:
        raise OptionError("query: rows to look up must come from a single table, list or path")
    left = Names(asked, of_other(given), "other_ids", other_named_by)
    right = Names(known, given, column=named_by)
    return Pairs(call(_sosie.query, progress, native(known), native(asked), given), left, right)


def similarity(left: Source, right: Source, options: Options) -> npt.NDArray[np.float64]:
    left, right = held(left), held(right)
    given = completed(options, left, right)
    ours, theirs = source_of(left, given), source_of(right, given)
    return _sosie.similarity(native(ours), native(theirs), given)

def cluster(pairs: PairSource, options: Options) -> Clusters:
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(pairs, Pairs):
        pairs = ResultTable({name: pairs[name] for name in pairs.column_names[:3]})  # no ids
    if is_path(pairs):
        source: Given = source_of_paths(pairs)
    else:
        source = Items(pairs, pair_columns(pairs, given), "pairs")
    found = _sosie.cluster(native(source), given)
    ids, survivors = found["id"], found["cluster_id"]
    whole = isinstance(source, Items) and numbers_items(source.read, ids)
    return Clusters(
        {
            "id": as_column(ids, whole),
            "cluster_id": as_column(survivors, whole),
            "kept": np.array([a == b for a, b in zip(ids, survivors, strict=True)], bool),
            "size": found["size"].astype(np.int64),
        },
        found["summary"],
    )


def pair_columns(pairs: object, given: Mapping[str, object]) -> tuple[str, str, str]:
    """Names the third column distance for a distance measure, else similarity."""
    names = getattr(pairs, "column_names", None)
    if names is None:
        names = getattr(pairs, "columns", None)
    named = names is not None and "distance" in list(names) and "similarity" not in list(names)
    value = "distance" if named or (names is None and "within" in given) else "similarity"
    return (*PAIR_COLUMNS[:2], value)


def numbers_items(pairs: Any, ids: Sequence[str]) -> bool:
    """Tells whether pairs name all items by integers."""
    if isinstance(pairs, (list, tuple)):
        named = are_records(pairs)
        sides = [pair[side] for pair in pairs for side in (PAIR_COLUMNS[:2] if named else (0, 1))]
        return all(isinstance(item, (int, np.integer)) for item in sides)
    table = _sosie.table(pairs)
    columns = [table.column_names.index(side) for side in PAIR_COLUMNS[:2]]
    return not any(map(table.holds_text, columns)) and all(
        name.removeprefix("-").isdecimal() for name in ids)


def as_column(ids: Sequence[str], whole: bool) -> npt.NDArray[Any]:
    return np.array(list(map(int, ids)) if whole else ids, np.int64 if whole else object)


def minhash(data: Source, num_perm: int, options: Options) -> npt.NDArray[np.uint32]:
    data = held(data)
    given = completed(options, data)
    source = source_of(data, given)
    given.pop("id", None)  # rows are numbered anyway
    return _sosie.minhash(native(source), num_perm, given)


def plan(data: Source | None, options: Options, against: Source | None = None) -> str:
    data = held(data)
    against = held(against)
    given = completed(options, data, against)
    source = None if data is None else source_of(data, given)
    other = None if against is None else source_of(against, of_other(given))
    return _sosie.plan(native(source), native(other), given)

def explain(left: str | int, right: str | int, data: Records, options: Options,
            against: Records | None = None) -> str:
    named = {name for name, value in options.items() if value is not None}
    if options.get("kind") == "records" or ("kind" not in named and named & record_keywords()):
        return explain_records(str(left), str(right), (data, against), options)
    data = held(data)
    against = None if against is None else held(against)
    given = completed(options, data, against)
    source = source_of(data, given)
    other = None if against is None else source_of(against, of_other(given))
    return _sosie.explain(native(source), native(other), str(left), str(right), given)

@functools.cache
def pair_keywords() -> frozenset[str]:
    """Options of `dedup` that affect which pairs exist."""
    return frozenset(_sosie.keywords("dedup")) & frozenset(_sosie.keywords("pairs")) - {
        "output", "stats", "rejects",
    }
