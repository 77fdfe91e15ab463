"""From what users hand over to what the library takes, and back."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import Clusters, Deduplicated, Pairs
from ._rows import Array, Items, Rows, are_records, kind_of_items, only_column
from .errors import OptionError, SosieError


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


Path = str | os.PathLike[str]
Item = str | AbstractSet[Any] | Mapping[Any, Any] | Sequence[Any] | npt.NDArray[Any] | None
Source = (
    ArrowStream
    | ArrowArray
    | Dataset
    | Sequence[Item]
    | npt.NDArray[Any]
    | Sequence[os.PathLike[str]]
    | Path
)
PairSource = ArrowStream | Sequence[tuple[object, object, float]] | Path
PAIR_COLUMNS = ("left", "right", "similarity")
FILES_WRITTEN = (
    "output", "removed", "removed_rows", "clusters", "stats", "report", "rejects", "overwrite"
)
Progress = bool | Callable[[str, int, int], object] | None
Options = Mapping[str, object]

P = ParamSpec("P")
R = TypeVar("R")


# What options of the command line are in Python.
ELSEWHERE = {
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
    told = translated(verb)
    name = verb.__qualname__.removesuffix(".__init__")

    @functools.wraps(verb)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for keyword in kwargs.keys() - known:
            hint = ELSEWHERE.get(keyword) or as_keywords(_sosie.option_hint(keyword, name))
            if hint == f"did you mean {keyword}?":  # an option of other verbs only
                hint = ""
            raise TypeError(f"{name}() takes no '{keyword}'" + (hint and f": {hint}"))
        return told(*args, **kwargs)

    return call


def translated(function: Callable[P, R]) -> Callable[P, R]:
    """Has its errors speak of keywords and rows."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except SosieError as error:
            raise in_python_words(error) from None

    return call


def in_python_words(error: SosieError) -> SosieError:
    """Keywords in place of options, and rows in place of lines of the file that they were put in."""
    text = re.sub(r"\S*/sosie-\w+/table\.jsonl:(\d+)",
                  lambda found: f"row {int(found[1]) - 1}", str(error))
    text = re.sub(r"\S*/sosie-\w+/table\.(jsonl|npy)", "the rows", text)
    return type(error)(as_keywords(text))


def as_keywords(text: str) -> str:
    """A message of the command line in the words of Python: --on-bad-row is on_bad_row, and what is
    said of --method brute is said of method='brute'. Commands between back ticks stay."""
    text = re.sub(r"^--([a-z][a-z-]*) (\S+):", _as_argument, text)
    parts = re.split(r"(`sosie [^`]*`)", text)
    return "".join(
        part if part.startswith("`sosie ") else re.sub(r"--([a-z][a-z-]*)", _as_keyword, part)
        for part in parts
    )


def _as_keyword(found: re.Match[str]) -> str:
    return found[1].replace("-", "_")


def _as_argument(found: re.Match[str]) -> str:
    value = found[2] if re.fullmatch(r"[\d./]+", found[2]) else repr(found[2])
    return f"{_as_keyword(found)}={value}:"


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
                          "pathlib.Path objects have the files read", stacklevel=7)


def scratch_of(options: Options) -> str | None:
    folder = options.get("scratch")
    return None if folder is None else str(folder)


def source_of(data: Any, options: Options) -> Rows | Items | list[str]:
    """Rows in memory, or paths. `options`: as completed() has them."""
    if is_path(data):
        return source_of_paths(data)
    warn_of_names(data)
    columns = columns_read(options)
    kind = str(options.get("kind", "text"))
    if kind == "text" and "group_by" not in options and not are_records(data):
        rows = Rows(data, columns)
        column = column_of(options)
        if rows.has_column(column) or not ("," in column or "." in column):
            return rows
        columns = list(dict.fromkeys(name.partition(".")[0] for name in columns))
    return Items(data, columns, kind, scratch_of(options))


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
            raise OptionError(f"{name}: means nothing without output\nsay output=, too")
    in_memory = [data for data in sources if data is not None and not is_path(data)]
    if in_memory and not any(map(is_path, sources)):
        for name, reason in OF_FILES.items():
            if name in done:
                raise OptionError(f"{name}: {reason}")
    if in_memory and "checkpoint" in done:
        raise OptionError("checkpoint: rows in memory are gone with the process\n"
                          "write them to a file first, and give its path")
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
    given = completed(options, data, against)
    other = None if against is None else source_of(against, given)
    source = source_of(data, given)
    if "output" in given and isinstance(source, Rows):
        raise OptionError("output: a table in memory is not written to a file\n"
                          "result.apply() makes an object of the kept rows")
    runs = DedupRuns(source, other, given, progress)
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
        return column_of(self.options)

    def again(self, **changed: object) -> DedupRuns:
        """The same with other options, which leaves alone the files that were written."""
        kept = {name: value for name, value in self.options.items() if name not in FILES_WRITTEN}
        options = {**kept, **changed}
        return DedupRuns(self.source, self.against, options, self.progress)

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
    if isinstance(pairs, Pairs) and "distance" in pairs.column_names:
        if "threshold" in given:
            raise OptionError("threshold: these pairs have distances; ask pairs() for nearer ones")
        pairs = [(left, right, 1.0) for left, right, _ in pairs]
    if is_path(pairs):
        source: Items | list[str] = source_of_paths(pairs)
    else:
        source = Items(pairs, pair_columns(pairs, given), "pairs", scratch_of(given))
    if "output" in given:
        _sosie.cluster(cast("Any", native(source)), given)
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


def pair_columns(pairs: object, given: Mapping[str, object]) -> tuple[str, str, str]:
    """Distances are called so in tables; the third of a tuple is what the bound is of."""
    names = getattr(pairs, "column_names", None)
    if names is None:
        names = getattr(pairs, "columns", None)
    named = names is not None and "distance" in list(names) and "similarity" not in list(names)
    value = "distance" if named or (names is None and "within" in given) else "similarity"
    return (*PAIR_COLUMNS[:2], value)


def numbers_items(pairs: Items) -> bool:
    """Whether what pairs call items are numbers, all of them."""
    with open(pairs.path, encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return all(isinstance(row[side], int) for row in rows for side in PAIR_COLUMNS[:2])


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
    given.pop("id", None)  # plan has no use for it
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
