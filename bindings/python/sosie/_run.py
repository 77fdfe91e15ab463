"""From what users hand over to what the library takes, and back."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import Clusters, Deduplicated, Linked, Pairs, ResultTable
from ._rows import (
    Array,
    Items,
    Rows,
    are_records,
    held,
    is_sparse,
    kind_of_items,
    library_of,
    only_column,
    readable,
)
from .errors import FileError, InputError, OptionError


@runtime_checkable
class ArrowStream(Protocol):
    """What pyarrow, polars, pandas and DuckDB hold rows in."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...


class Dataset(Protocol):
    """A dataset of Hugging Face's library."""

    @property
    def column_names(self) -> Any: ...
    def with_format(self, *args: Any, **kwargs: Any) -> Any: ...


class SparseMatrix(Protocol):
    """A sparse matrix or array of scipy."""

    @property
    def shape(self) -> Any: ...
    def tocsr(self, copy: bool = False) -> Any: ...


Path = str | os.PathLike[str]
Item = str | AbstractSet[Any] | Mapping[Any, Any] | Sequence[Any] | npt.NDArray[Any] | None
Source = (
    ArrowStream
    | ArrowArray
    | Dataset
    | Sequence[Item]
    | npt.NDArray[Any]
    | Sequence[os.PathLike[str]]
    | Iterable[Item]
    | SparseMatrix
    | Path
)
Records = Source | Mapping[str, Sequence[Any] | npt.NDArray[Any]]
PairSource = ArrowStream | Sequence[tuple[object, object, float]] | Path
PAIR_COLUMNS = ("left", "right", "similarity")
FILES_WRITTEN = (
    "output", "removed", "removed_rows", "clusters", "stats", "report", "rejects", "overwrite"
)
Given = Rows | Items | list[str]
Progress = bool | Callable[[str, int, int], object] | None
Options = Mapping[str, object]

P = ParamSpec("P")
R = TypeVar("R")


# What options of the command line are in Python.
ELSEWHERE = {
    "init": "result.rules holds the rules, as a file",
    "dry_run": "no row is written without output",
    "fail_if_duplicates": "ask result.is_duplicate.any()",
    "files_from": "give a list of pathlib.Path objects",
    "pairs": "ask result.pairs, or call sosie.pairs()",
    "quiet": "nothing is printed; result.summary holds the summary",
}
# Options that say how the file of `output` is written.
OF_OUTPUT = ("overwrite", "annotate", "show")
# Options that say how files are read, and why rows in memory take none of them.
OF_FILES = {
    "format": "rows in memory have none; kind says what they are",
    "delimiter": "rows in memory have columns already",
    "no_header": "rows in memory have columns already",
    "encoding": "rows in memory are decoded already",
}


def checked(verb: Callable[P, R]) -> Callable[P, R]:
    """Refuses a keyword that there is not, and says which one is meant."""
    known = set(verb.__annotations__)
    name = verb.__qualname__.removesuffix(".__init__")

    @functools.wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for keyword in kwargs.keys() - known:
            hint = ELSEWHERE.get(keyword) or _sosie.option_hint(keyword, name)
            if hint == f"did you mean {keyword}?":  # an option of other verbs only
                hint = ""
            raise TypeError(f"{name}() takes no '{keyword}'" + (hint and f": {hint}"))
        return verb(*args, **kwargs)

    return call


def is_path(data: object) -> bool:
    return isinstance(data, (str, os.PathLike)) or (
        isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], os.PathLike)
    )


def source_of_paths(data: Any) -> list[str]:
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    return [os.fspath(path) for path in data]


def warn_of_names(data: Any) -> None:
    """A list of names of files is a list of texts, which few who give one mean."""
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], str):
        some = data[:3]
        if all(isinstance(name, str) and len(name) < 256 and os.path.isfile(name) for name in some):
            warnings.warn("these strings are names of files and are compared as texts; "
                          "pathlib.Path objects have the files read", stacklevel=6)


def source_of(data: Any, options: Options) -> Rows | Items | list[str]:
    """Rows in memory, or paths. `options`: as completed() has them."""
    if is_path(data):
        return source_of_paths(data)
    warn_of_names(data)
    columns = columns_read(options)
    kind = str(options.get("kind", "text"))
    is_text = kind in ("text", "strings") and "group_by" not in options
    if is_text and not are_records(data) and not is_sparse(data):
        rows = Rows(data, columns)
        column = column_of(options)
        if rows.has_column(column) or not ("," in column or "." in column):
            return rows
        columns = list(dict.fromkeys(name.partition(".")[0] for name in columns))
    return Items(data, columns, kind, len(columns) == 1 and "output" not in options)


def column_of(options: Options) -> str:
    column = options.get("column", _sosie.default_of("column"))
    return column if isinstance(column, str) else ",".join(map(str, cast("Any", column)))


def columns_read(options: Options) -> list[str]:
    """The columns of items that a run with these options reads."""
    if "group_by" in options:
        return [str(options[name]) for name in ("group_by", "element", "weight") if name in options]
    names = column_of(options).split(",")
    rules = [rule.partition(":")[2] for rule in str(options.get("keep", "")).split(",")]
    return list(dict.fromkeys(name for name in (*names, *rules) if name))


def completed(options: Options, *sources: object) -> dict[str, object]:
    """The options that were given, and what the rows say of themselves."""
    done = {name: exact(value) for name, value in options.items() if value is not None}
    for name in OF_OUTPUT:
        if done.get(name) and "output" not in done:
            raise OptionError(f"{name}: means nothing without output",
                              option=name, hint="say output=, too")
    in_memory = [data for data in sources if data is not None and not is_path(data)]
    if in_memory and not any(map(is_path, sources)):
        for name, reason in OF_FILES.items():
            if name in done:
                raise OptionError(f"{name}: {reason}", option=name)
    if in_memory and "checkpoint" in done:
        raise OptionError("checkpoint: rows in memory are gone with the process",
                          option="checkpoint", hint="write them to a file first, and give its path")
    if "kind" not in done and "group_by" not in done:
        kinds = [kind for kind in map(kind_of_items, in_memory) if kind is not None]
        if kinds:
            done["kind"] = kinds[0]
    if in_memory and "group_by" not in done:
        done.setdefault("id", "row")
    alone = only_column(in_memory[0]) if in_memory and "group_by" not in done else None
    if alone is not None:
        done.setdefault("column", alone)
    return done


def exact(value: object) -> object:
    """A computed number with more digits than anyone would write (0.7999999999999999, 2/3) as the
    fraction that it is meant to be: the nearest one with a denominator of up to 10^9."""
    written = len("0.") + 9  # nine digits behind the point are read as they are
    if not isinstance(value, (float, np.floating)) or len(str(value)) <= written:
        return value
    return Fraction(str(value)).limit_denominator(10**9)


def native(source: Array | Rows | Items | list[str] | None) -> object:
    return source.native if isinstance(source, (Array, Rows, Items)) else source


def callback(progress: Progress) -> Callable[[str, int, int], object] | None:
    if progress is True:
        return show_progress
    return None if progress is False else progress


def show_progress(stage: str, done: int, total: int) -> None:
    share = 100 * done // total if total else 100
    print(f"\r{stage} {share} %\033[K", end="", file=sys.stderr, flush=True)


def call(verb: Callable[..., dict[str, Any]], progress: Progress, *args: object) -> dict[str, Any]:
    try:
        return verb(*args, callback(progress))
    finally:
        if progress is True:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def dedup(
    data: Source, options: Options, against: Source | None, progress: Progress
) -> Deduplicated:
    data, against = held(data), held(against)
    options, named_by = without_id(options, data, against)
    given = completed(options, data, against)
    other = None if against is None else source_of(against, given)
    source = source_of(data, given)
    if "output" in given and isinstance(source, Rows):
        raise OptionError("output: a table in memory is not written to a file", option="output",
                          hint="result.apply() makes an object of the kept rows")
    runs = DedupRuns(source, other, given, progress, named_by)
    return Deduplicated(runs.dedup(), runs)


# Options that say which rows there are and what they are called.
NAMING = ("format", "delimiter", "no_header", "follow", "encoding", "column", "id", "ids", "kind",
          "ratings", "group_by", "element", "weight", "threads", "memory", "scratch", "scratch_limit")


class Names:
    """What the rows of a source are called, read when it is first asked for. `ids`: the option that
    names a file of ids; `column`: that of rows in memory."""

    def __init__(self, source: Given, options: Options, ids: str = "ids", column: str | None = None):
        self._source, self._options, self._ids, self._column = source, options, ids, column
        if column is not None:
            _ = self._all  # a wrong column is told at once

    @functools.cached_property
    def are_there(self) -> bool:
        """Whether rows have names, and not numbers only."""
        if self._column is not None or not isinstance(self._source, list):
            return self._column is not None
        if "-" in self._source:
            return False
        return _sosie.row_names(self._source, True, self._naming()) is not None

    def of(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The names of some rows: int64 if the ids of all rows are whole numbers, else str."""
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
        return as_column(names, whole)


def column_of_names(source: Given, column: str) -> npt.NDArray[Any]:
    """The column of rows in memory that names them."""
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
        raise OptionError(f"id={column!r}: rows in memory without columns are called by their numbers",
                          option="id", hint="look the ids up by the numbers of the results")
    table = readable(source.data, [column]) if library_of(source.data) == "pandas" else rows
    found = _sosie.row_names(_sosie.arrow_rows(table, [column]), False,
                             {"id": column, "column": column})
    names, whole = found if found is not None else ([], False)
    return as_column(names, whole)


def without_id(options: Options, *sources: object) -> tuple[Options, str | None]:
    """The options, and the column that names rows in memory."""
    column = options.get("id")
    in_memory = not any(map(is_path, sources))
    if column in (None, "row") or not in_memory or options.get("group_by") is not None:
        return options, None
    return {name: value for name, value in options.items() if name != "id"}, str(column)


class DedupRuns:
    """A call of dedup, to be made again with other options. Pickled without its progress."""

    def __init__(
        self,
        source: Given,
        against: Given | None,
        options: Options,
        progress: Progress = None,
        named_by: str | None = None,
    ):
        self.source, self.against, self.options, self.progress = source, against, options, progress
        self.named_by = named_by
        self.names = Names(source, options, column=named_by)
        self.other_names = None
        if against is not None:
            self.other_names = Names(against, options, "other_ids", named_by)

    def __reduce__(self) -> tuple[Any, ...]:
        return DedupRuns, (self.source, self.against, self.options, None, self.named_by)

    @property
    def column(self) -> str:
        return column_of(self.options)

    def again(self, **changed: object) -> DedupRuns:
        """The same with other options, which leaves alone the files that were written."""
        kept = {name: value for name, value in self.options.items() if name not in FILES_WRITTEN}
        options = {**kept, **changed}
        return DedupRuns(self.source, self.against, options, self.progress, self.named_by)

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
    options, named_by = without_id(options, data, against)
    given = completed(options, data, against)
    source = source_of(data, given)
    other = None if against is None else source_of(against, given)
    left = right = Names(source, given, column=named_by)
    if other is not None:
        right = Names(other, given, "other_ids", named_by)
    return Pairs(call(_sosie.pairs, progress, native(source), native(other), given), left, right)


def query(data: Source, items: Source, options: Options, progress: Progress) -> Pairs:
    data, items = held(data), held(items)
    options, named_by = without_id(options, data, items)
    given = completed(options, data, items)
    known, asked = source_of(data, given), source_of(items, given)
    if isinstance(known, list) and len(known) != 1:
        raise OptionError("query: the rows that are looked up come from one table, list or path")
    left = Names(asked, given, "other_ids", named_by)
    right = Names(known, given, column=named_by)
    return Pairs(call(_sosie.query, progress, native(known), native(asked), given), left, right)


def similarity(left: Source, right: Source, options: Options) -> npt.NDArray[np.float64]:
    left, right = held(left), held(right)
    given = completed(options, left, right)
    ours, theirs = source_of(left, given), source_of(right, given)
    return _sosie.similarity(native(ours), native(theirs), given)


class LinkRuns:
    """A call of link, to be made again for the pairs of its groups. Pickled without its progress."""

    def __init__(self, source: object, against: object | None, options: Options,
                 progress: Progress = None):
        self.source, self.against, self.options, self.progress = source, against, options, progress

    def __reduce__(self) -> tuple[Any, ...]:
        return LinkRuns, (self.source, self.against, self.options, None)

    def link(self) -> dict[str, Any]:
        return self._link(self.options, pairs=False)

    def again(self, pairs: bool = False, **more: object) -> dict[str, Any]:
        """The same run once more, which writes no files but those that are asked for."""
        kept = {name: v for name, v in self.options.items() if name not in FILES_WRITTEN}
        return self._link({**kept, **more}, pairs)

    def _link(self, options: Options, pairs: bool) -> dict[str, Any]:
        sources = (_records_of(self.source, options), _records_of(self.against, options))
        with rules_file(options) as given:
            verb: Callable[..., dict[str, Any]] = functools.partial(_link, pairs=pairs)
            return call(verb, self.progress, *map(native, sources), given)


def _link(data: object, against: object, options: Options, progress: object, *,
          pairs: bool) -> dict[str, Any]:
    return _sosie.link(data, against, options, pairs, cast("Any", progress))


def link(data: Records, options: Options, against: Records | None, progress: Progress) -> Linked:
    """Of rows in memory that have a column id, that is what they are called by."""
    sources = [held(data), None if against is None else held(against)]
    runs = LinkRuns(sources[0], sources[1], given_of_records(sources, options), progress)
    return Linked(runs.link(), runs)


def given_of_records(sources: Sequence[Any], options: Options) -> dict[str, object]:
    """The options that are given, and what ids there are to be."""
    given = {name: exact(value) for name, value in options.items() if value is not None}
    in_memory = [source for source in sources if source is not None and not is_path(source)]
    if in_memory and not any(map(is_path, sources)):
        for name, reason in OF_FILES.items():
            if name in given:
                raise OptionError(f"{name}: {reason}", option=name)
        if "id" not in given:
            named = all("id" in names_of_columns(source) for source in in_memory)
            given["id"] = "id" if named else "row"
    return given


def names_of_columns(data: Any) -> list[str]:
    """Names of the columns of records in memory."""
    if isinstance(data, Mapping):
        return [str(name) for name in data]
    if isinstance(data, (list, tuple)):
        first = next((row for row in data if row is not None), None)
        if not isinstance(first, Mapping):
            raise TypeError("records have named fields: give a list of dicts, a dict of columns or "
                            "a table")
        return list(dict.fromkeys(str(name) for row in data if row is not None for name in row))
    if library_of(data) == "pandas":
        return [str(name) for name in data.columns]
    return [str(name) for name in _sosie.table(readable(data, [])).column_names]


def _records_of(data: Any, options: Options) -> Given | None:
    if data is None:
        return None
    if is_path(data):
        return source_of_paths(data)
    names = names_of_columns(data)
    if isinstance(data, Mapping):
        lengths = {len(column) for column in data.values()}
        if len(lengths) > 1:
            raise TypeError("the columns have different lengths")
        data = ResultTable({name: as_objects(column) for name, column in data.items()})
    elif isinstance(data, (list, tuple)):  # each row with all fields: what the first lacks, others have
        data = [None if row is None else {name: row.get(name) for name in names} for row in data]
    return Items(data, names, "records")


def as_objects(column: Any) -> npt.NDArray[Any]:
    """A column of a dict as an array: numbers as they are, the rest as objects."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column
    values = np.empty(len(column), object)
    values[:] = [None if value is None else str(value) for value in column]
    return values


@contextlib.contextmanager
def rules_file(options: Options) -> Iterator[Options]:
    """The options, with rules that were given as a text in a file."""
    rules = options.get("rules")
    if not isinstance(rules, str) or "\n" not in rules:
        yield options
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(rules)
        yield {**options, "rules": path}


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
    """Distances are called so in tables; the third of a tuple is what the bound is of."""
    names = getattr(pairs, "column_names", None)
    if names is None:
        names = getattr(pairs, "columns", None)
    named = names is not None and "distance" in list(names) and "similarity" not in list(names)
    value = "distance" if named or (names is None and "within" in given) else "similarity"
    return (*PAIR_COLUMNS[:2], value)


def numbers_items(pairs: Any, ids: Sequence[str]) -> bool:
    """Whether what pairs call items are whole numbers, all of them."""
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


def plan(data: Source | None, options: Options) -> str:
    data = held(data)
    given = completed(options, data)
    source = None if data is None else source_of(data, given)
    given.pop("id", None)  # plan has no use for it
    return _sosie.plan(native(source), given)


@functools.cache
def record_keywords() -> frozenset[str]:
    """Options of explain that only records have."""
    return (frozenset(_sosie.keywords("explain")) & frozenset(_sosie.keywords("link"))
            - frozenset(_sosie.keywords("dedup")))


def explain(left: str | int, right: str | int, data: Records, options: Options,
            against: Records | None = None) -> str:
    named = {name for name, value in options.items() if value is not None}
    if against is not None or options.get("kind") == "records" or (
            "kind" not in named and named & record_keywords()):
        return explain_records(str(left), str(right), (data, against), options)
    data = held(data)
    given = completed(options, data)
    source = source_of(data, given)
    return _sosie.explain(native(source), None, str(left), str(right), given)


def explain_records(left: str, right: str, collections: tuple[Records, Records | None],
                    options: Options) -> str:
    sources = [None if source is None else held(source) for source in collections]
    given = given_of_records(sources, options)
    data, against = (native(_records_of(source, given)) for source in sources)
    with rules_file(given) as options:
        return _sosie.explain(data, against, left, right, options)


@functools.cache
def pair_keywords() -> frozenset[str]:
    """Options of dedup that decide which pairs there are."""
    return frozenset(_sosie.keywords("dedup")) & frozenset(_sosie.keywords("pairs")) - {
        "output", "stats", "rejects",
    }
