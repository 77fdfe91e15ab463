"""From what users hand over to what the library takes, and back."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import Clusters, Deduplicated, Pairs
from ._rows import Items, Rows, kind_of_items
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
Item = str | AbstractSet[object] | Mapping[str, object] | Sequence[object] | None
Source = (
    ArrowStream | ArrowArray | Sequence[Item] | npt.NDArray[Any] | Sequence[os.PathLike[str]] | Path
)
PairSource = ArrowStream | Sequence[tuple[object, object, float]] | Path
PAIR_COLUMNS = ("left", "right", "similarity")
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


def is_path(data: object) -> bool:
    return isinstance(data, (str, os.PathLike)) or (
        isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], os.PathLike)
    )


def source_of_paths(data: Any) -> list[str]:
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    return [os.fspath(path) for path in data]


def scratch_of(options: Options) -> str | None:
    folder = options.get("scratch")
    return None if folder is None else str(folder)


def source_of(data: Any, options: Options) -> Rows | Items | list[str]:
    """Rows in memory, or paths. `options`: as completed() has them."""
    if is_path(data):
        return source_of_paths(data)
    if options.get("kind", "text") == "text" and "group_by" not in options:
        return Rows(data)
    return Items(data, columns_read(options), scratch_of(options))


def columns_read(options: Options) -> list[str]:
    """The columns of items that a run with these options reads."""
    if "group_by" in options:
        return [str(options[name]) for name in ("group_by", "element", "weight") if name in options]
    column = options.get("column", _sosie.default_of("column"))
    names = column.split(",") if isinstance(column, str) else list(map(str, cast("Any", column)))
    rules = [rule.partition(":")[2] for rule in str(options.get("keep", "")).split(",")]
    return list(dict.fromkeys(name for name in (*names, *rules) if name))


def completed(options: Options, *sources: object) -> dict[str, object]:
    """The options that were given, and what the rows say of themselves."""
    done = {name: value for name, value in options.items() if value is not None}
    in_memory = [data for data in sources if data is not None and not is_path(data)]
    kinds = [kind for kind in map(kind_of_items, in_memory) if kind is not None]
    if kinds and "group_by" not in done:
        done.setdefault("kind", kinds[0])
    if in_memory and done.get("kind", "text") != "text":
        done.setdefault("id", "row")
    return done


def native(source: Rows | Items | list[str] | None) -> object:
    return source.native if isinstance(source, (Rows, Items)) else source


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
    given = completed(options, data, against)
    other = None if against is None else source_of(against, given)
    runs = DedupRuns(source_of(data, given), other, given, progress)
    return Deduplicated(runs.dedup(), runs)


class DedupRuns:
    """A call of dedup, to be made again with other options. Pickled without its progress."""

    def __init__(
        self,
        source: Rows | Items | list[str],
        against: Rows | Items | list[str] | None,
        options: Options,
        progress: Progress = None,
    ):
        self.source, self.against, self.options, self.progress = source, against, options, progress

    def __reduce__(self) -> tuple[Any, ...]:
        return DedupRuns, (self.source, self.against, self.options)

    @property
    def column(self) -> str:
        return str(self.options.get("column", _sosie.default_of("column")))

    def at(self, threshold: object) -> DedupRuns:
        options = {**self.options, "threshold": threshold}
        return DedupRuns(self.source, self.against, options, self.progress)

    def dedup(self, **more: object) -> dict[str, Any]:
        return self._call(_sosie.dedup, {**self.options, **more})

    def pairs(self) -> dict[str, Any]:
        return self._call(
            _sosie.pairs, {k: v for k, v in self.options.items() if k in pair_keywords()}
        )

    def _call(self, verb: Callable[..., dict[str, Any]], options: Options) -> dict[str, Any]:
        return call(verb, self.progress, native(self.source), native(self.against), options)


def pairs(data: Source, options: Options, against: Source | None, progress: Progress) -> Pairs:
    given = completed(options, data, against)
    source = source_of(data, given)
    other = None if against is None else source_of(against, given)
    return Pairs(call(_sosie.pairs, progress, native(source), native(other), given))


def query(data: Source, items: Source, options: Options, progress: Progress) -> Pairs:
    given = completed(options, data, items)
    known, asked = source_of(data, given), source_of(items, given)
    if isinstance(known, list) and len(known) != 1:
        raise OptionError("query: the rows that are looked up come from one table, list or path")
    return Pairs(call(_sosie.query, progress, native(known), native(asked), given))


def similarity(left: Source, right: Source, options: Options) -> npt.NDArray[np.float64]:
    given = completed(options, left, right)
    ours, theirs = source_of(left, given), source_of(right, given)
    return _sosie.similarity(native(ours), native(theirs), given)


def cluster(pairs: PairSource, options: Options) -> Clusters:
    given = {name: value for name, value in options.items() if value is not None}
    if is_path(pairs):
        source: Items | list[str] = source_of_paths(pairs)
    else:
        source = Items(pairs, PAIR_COLUMNS, scratch_of(given))
    if "output" in given:
        return Clusters({}, _sosie.cluster(cast("Any", native(source)), given))
    with tempfile.TemporaryDirectory(prefix="sosie-", dir=scratch_of(given)) as folder:
        output = os.path.join(folder, "clusters.jsonl")
        summary = _sosie.cluster(cast("Any", native(source)), {**given, "output": output})
        with open(output, encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
    whole = isinstance(source, Items) and numbers_items(source)
    return Clusters(
        {
            "id": as_column([row["id"] for row in rows], whole),
            "cluster_id": as_column([row["cluster_id"] for row in rows], whole),
            "kept": np.array([row["kept"] for row in rows], bool),
            "size": np.array([row["size"] for row in rows], np.int64),
        },
        summary,
    )


def numbers_items(pairs: Items) -> bool:
    """Whether what pairs call items are numbers."""
    with open(pairs.path, encoding="utf-8") as lines:
        first = lines.readline()
    return bool(first) and isinstance(json.loads(first)["left"], int)


def as_column(ids: list[str], whole: bool) -> npt.NDArray[Any]:
    return np.array(list(map(int, ids)) if whole else ids, np.int64 if whole else object)


def minhash(data: Source, num_perm: int, options: Options) -> npt.NDArray[np.uint32]:
    given = completed(options, data)
    source = source_of(data, given)
    given.pop("id", None)  # rows are numbered anyway
    return _sosie.minhash(native(source), num_perm, given)


def plan(data: Source | None, options: Options) -> str:
    given = completed(options, data)
    source = None if data is None else source_of(data, given)
    return _sosie.plan(native(source), given)


def explain(left: str | int, right: str | int, data: Source, options: Options) -> str:
    given = completed(options, data)
    source = source_of(data, given)
    return _sosie.explain(native(source), str(left), str(right), given)


@functools.cache
def pair_keywords() -> frozenset[str]:
    """Options of dedup that decide which pairs there are."""
    return frozenset(_sosie.keywords("dedup")) & frozenset(_sosie.keywords("pairs")) - {
        "output", "stats", "rejects",
    }
