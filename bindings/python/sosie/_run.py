"""From what users hand over to what the library takes, and back."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import Deduplicated, Pairs
from ._rows import Rows
from .errors import OptionError


@runtime_checkable
class ArrowStream(Protocol):
    """What pyarrow, polars, pandas and DuckDB hold rows in."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...


Path = str | os.PathLike[str]
Source = ArrowStream | ArrowArray | Sequence[str | None] | Sequence[os.PathLike[str]] | Path
Progress = bool | Callable[[str, int, int], object] | None
Options = Mapping[str, object]

P = ParamSpec("P")
R = TypeVar("R")


def checked(verb: Callable[P, R]) -> Callable[P, R]:
    """Says of a keyword that there is not which one is meant."""
    known = set(verb.__annotations__)

    @functools.wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for keyword in kwargs.keys() - known:
            hint = as_keywords(_sosie.option_hint(keyword, verb.__name__))
            raise TypeError(f"{verb.__name__}() takes no '{keyword}'" + (hint and f": {hint}"))
        return verb(*args, **kwargs)

    return call


def as_keywords(hint: str) -> str:
    """A hint of the command line, in the words of Python: --on-bad-row is on_bad_row."""
    return re.sub(r"--([a-z][a-z-]*)", lambda found: found[1].replace("-", "_"), hint)


def source_of(data: object) -> Rows | list[str]:
    """Rows in memory, or paths."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], os.PathLike):
        return [os.fspath(path) for path in data]
    return Rows(data)


def native(source: Rows | list[str] | None) -> object:
    return source.table if isinstance(source, Rows) else source


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


def given(options: Options) -> dict[str, object]:
    return {name: value for name, value in options.items() if value is not None}


def dedup(
    data: Source, options: Options, against: Source | None, progress: Progress
) -> Deduplicated:
    source = source_of(data)
    other = None if against is None else source_of(against)

    def run(more: Options) -> dict[str, Any]:
        return call(_sosie.dedup, progress, native(source), native(other), {**given(options), **more})

    def find_pairs(more: Options) -> dict[str, Any]:
        ours = {k: v for k, v in given(options).items() if k in pair_keywords()}
        return call(_sosie.pairs, progress, native(source), native(other), {**ours, **more})

    column = str(given(options).get("column", _sosie.default_of("column")))
    return Deduplicated(run({}), run, find_pairs, source, other, column)


def pairs(data: Source, options: Options, against: Source | None, progress: Progress) -> Pairs:
    source = source_of(data)
    other = None if against is None else source_of(against)
    found = call(_sosie.pairs, progress, native(source), native(other), given(options))
    return Pairs(found)


def query(data: Source, items: Source, options: Options, progress: Progress) -> Pairs:
    known, asked = source_of(data), source_of(items)
    if isinstance(known, list) and len(known) != 1:
        raise OptionError("query: the rows that are looked up come from one table, list or path")
    return Pairs(call(_sosie.query, progress, native(known), native(asked), given(options)))


def minhash(data: Source, num_perm: int, options: Options) -> npt.NDArray[np.uint32]:
    return _sosie.minhash(native(source_of(data)), num_perm, given(options))


def plan(data: Source | None, options: Options) -> str:
    return _sosie.plan(native(None if data is None else source_of(data)), given(options))


def explain(left: str | int, right: str | int, data: Source, options: Options) -> str:
    return _sosie.explain(native(source_of(data)), str(left), str(right), given(options))


@functools.cache
def pair_keywords() -> frozenset[str]:
    """Options of dedup that decide which pairs there are."""
    return frozenset(_sosie.keywords("dedup")) & frozenset(_sosie.keywords("pairs")) - {
        "output", "stats", "rejects",
    }
