"""Arguments of verbs: types, sources, options, progress."""

from __future__ import annotations

import functools
import math
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._addresses import address_of
from ._rows import Array, Items, Rows, are_records, is_sparse, kind_of_items, only_column
from .errors import OptionError


@runtime_checkable
class ArrowStream(Protocol):
    """Rows of pyarrow, polars, pandas and DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...


class Dataset(Protocol):
    """A Dataset of the Hugging Face library."""

    @property
    def column_names(self) -> Any: ...
    def with_format(self, *args: Any, **kwargs: Any) -> Any: ...


class LazyRows(Protocol):
    """A polars LazyFrame, which is collected."""

    def collect_schema(self) -> Any: ...
    def collect(self, *args: Any, **kwargs: Any) -> Any: ...


class SparseMatrix(Protocol):
    """A sparse scipy matrix or array."""

    @property
    def shape(self) -> Any: ...
    def tocsr(self, copy: bool = False) -> Any: ...


Path = str | os.PathLike[str]
Item = str | AbstractSet[Any] | Mapping[Any, Any] | Sequence[Any] | npt.NDArray[Any] | None
Source = (
    ArrowStream
    | ArrowArray
    | Dataset
    | LazyRows
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
    "output", "removed", "removed_rows", "clusters", "stats", "report", "save", "rejects",
    "overwrite",
)
Given = Rows | Items | list[str]
Progress = bool | Callable[[str, int, int], object] | None
Options = Mapping[str, object]

P = ParamSpec("P")
R = TypeVar("R")


# Python equivalents of command-line options.
ELSEWHERE = {
    "init": "result.rules holds the rules, as a file",
    "dry_run": "without output no row is written",
    "fail_if_duplicates": "ask result.is_duplicate.any()",
    "files_from": "give a list of pathlib.Path objects",
    "pairs": "use result.pairs, or call sosie.pairs()",
    "quiet": "nothing is printed; result.summary holds the summary",
}
# Options for output files, and the options that name such files.
OF_OUTPUT = {
    "overwrite": ("output", "save", "removed_rows"),
    "annotate": ("output",),
    "golden": ("output",),
    "show": ("output",),
    "suggest": ("output",),
}
# Options for input files, and the reason why rows in memory refuse each.
OF_FILES = {
    "format": "rows in memory have none; kind says what they are",
    "delimiter": "rows in memory have columns already",
    "quote": "rows in memory have columns already",
    "escape": "rows in memory have columns already",
    "skip_lines": "rows in memory have columns already",
    "no_header": "rows in memory have columns already",
    "encoding": "rows in memory are decoded already",
    "other_format": "rows in memory have none; kind says what they are",
    "other_delimiter": "rows in memory have columns already",
    "other_encoding": "rows in memory are decoded already",
    "other_skip_lines": "rows in memory have columns already",
}


def checked(verb: Callable[P, R]) -> Callable[P, R]:
    """Refuses an unknown keyword and suggests the intended one."""
    known = set(verb.__annotations__)
    name = verb.__qualname__.removesuffix(".__init__")

    @functools.wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for keyword in kwargs.keys() - known:
            hint = ELSEWHERE.get(keyword) or _sosie.option_hint(keyword, name)
            if hint == f"did you mean {keyword}?":  # an option of other verbs only
                hint = ""
            raise TypeError(f"{name}() got an unexpected keyword argument '{keyword}'" + (hint and f": {hint}"))
        if are_objects((*args, *kwargs.values())):
            from . import _object_verbs

            return _object_verbs.call(verb, *args, **kwargs)
        return verb(*args, **kwargs)

    return call


def are_objects(values: Iterable[object]) -> bool:
    """Tells whether a value is the address of an object in a store, or a list of paths that holds one."""
    for value in values:
        several = value if isinstance(value, (list, tuple)) and value and isinstance(
            value[0], os.PathLike) else (value,)
        if any(address_of(one) is not None for one in several):
            return True
    return False


def checked_top(top: int) -> int:
    """Returns the number of requested items as an int; raises OptionError for other values."""
    try:
        number = operator.index(top)
    except TypeError:
        raise OptionError(f"top: {top!r} is not a whole number", option="top") from None
    if isinstance(top, bool) or number < 1:
        raise OptionError(f"top: {top} is not 1 or more", option="top")
    return number


def is_path(data: object) -> bool:
    return isinstance(data, (str, os.PathLike)) or (
        isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], os.PathLike)
    )


def source_of_paths(data: Any) -> list[str]:
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    return [os.fspath(path) for path in data]


def warn_of_names(data: Any) -> None:
    """Warns if a list of texts looks like a list of file names."""
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], str):
        some = data[:3]
        if all(isinstance(name, str) and len(name) < 256 and os.path.isfile(name) for name in some):
            warnings.warn("these strings are file names but are compared as texts; "
                          "use pathlib.Path objects to read the files", stacklevel=6)


def source_of(data: Any, options: Options) -> Rows | Items | list[str]:
    """Rows in memory, or paths. `options`: as returned by completed()."""
    if is_path(data):
        return source_of_paths(data)
    warn_of_names(data)
    columns = columns_read(options)
    kind = str(options.get("kind", "text"))
    is_text = kind in ("text", "strings") and "group_by" not in options
    if is_text and not are_records(data) and not is_sparse(data):
        rows = Rows(data, columns)
        column = column_of(options)
        is_there = rows.has_column(column)
        if rows.are_plain(column) if is_there else set(column).isdisjoint(",|.[\\"):
            return rows
        return Items(data, columns, kind, read=rows.read)
    return Items(data, columns, kind, len(columns) == 1 and "output" not in options)


def column_of(options: Options) -> str:
    column = options.get("column", _sosie.default_of("column"))
    return _sosie.text_of_option("column", column)


def columns_read(options: Options) -> list[str]:
    """The columns that a run with these options reads."""
    if "group_by" in options:
        return [str(options[name]) for name in ("group_by", "element", "weight") if name in options]
    names = _sosie.joined_names(column_of(options))
    rules = [rule.partition(":")[2] for rule in _sosie.joined_names(options.get("keep", ""))]
    return list(dict.fromkeys(name for name in (*names, *rules) if name))


# Options for the rows of the other collection only: `against`, or the items of a query.
OF_OTHER = {"other_format": "format", "other_column": "column", "other_id": "id", "other_delimiter": "delimiter",
            "other_encoding": "encoding", "other_skip_lines": "skip_lines"}


def of_other(options: Options) -> Options:
    """The options for reading the rows of the other collection."""
    told = {own: options[other] for other, own in OF_OTHER.items() if other in options}
    return {**options, **told}


def require_output(options: Options) -> None:
    """Refuses options for output files if no output is named."""
    for name, files in OF_OUTPUT.items():
        if options.get(name) and options.keys().isdisjoint(files):
            raise OptionError(f"{name}: has no effect without output",
                              option=name, hint="set output=, too")


def completed(options: Options, *sources: object) -> dict[str, object]:
    """The given options, completed from the rows."""
    done = {name: exact(value) for name, value in options.items() if value is not None}
    require_output(done)
    in_memory = [data for data in sources if data is not None and not is_path(data)]
    if in_memory and not any(map(is_path, sources)):
        for name, reason in OF_FILES.items():
            if name in done:
                raise OptionError(f"{name}: {reason}", option=name)
    if in_memory and "checkpoint" in done:
        raise OptionError("checkpoint: rows in memory are lost when the process ends",
                          option="checkpoint", hint="write them to a file first, and give its path")
    if "represent" in done:
        done.setdefault("kind", "sets")
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
    """Turns a computed number with many digits (0.7999999999999999, 2/3) into the intended fraction:
    the nearest one with a denominator of up to 10^9, if rounding errors explain the difference. A
    number without such a fraction, such as 1.33288355572e-13, stays unchanged."""
    written = len("0.") + 9  # up to nine decimals are read as written
    if not isinstance(value, (float, np.floating)) or len(str(value)) <= written:
        return value
    number = float(value)
    meant = Fraction(str(value)).limit_denominator(10**9)
    return meant if abs(float(meant) - number) <= 4 * math.ulp(number) else value


def native(source: Array | Rows | Items | list[str] | None) -> object:
    return source.native if isinstance(source, (Array, Rows, Items)) else source


def callback(progress: Progress) -> Callable[[str, int, int], object] | None:
    if progress is True:
        return show_progress
    return None if progress is False else progress


def show_progress(stage: str, done: int, total: int) -> None:
    share = f"{100 * done // total} %" if total else "..."
    print(f"\r{stage} {share}\033[K", end="", file=sys.stderr, flush=True)


def call(verb: Callable[..., dict[str, Any]], progress: Progress, *args: object) -> dict[str, Any]:
    try:
        return verb(*args, callback(progress))
    finally:
        if progress is True:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
