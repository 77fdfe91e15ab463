"""Results of runs."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from . import _html, _sosie
from ._addresses import all_told, folders, told
from ._rows import Rows, filtered, imported

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._link import LinkRuns
    from ._run import DedupRuns, Names

T = TypeVar("T")
Numbers = npt.NDArray[Any]
Column = Numbers | Callable[[], Numbers]

_AGAINST = np.uint64(1 << 63)
_LEFT_OUT = np.uint64((1 << 64) - 2)  # a bad row that was skipped


def name_objects(path: str | os.PathLike[str]) -> None:
    """Replaces local paths by addresses of objects in an output file."""
    if folders:
        from ._object_verbs import rename_inputs

        rename_inputs(os.fspath(path))


class ResultTable:
    """A table of columns. An Arrow object: pyarrow, polars and DuckDB read it directly.

    >>> import sosie
    >>> pairs = sosie.pairs([{"a", "b"}, {"b", "a"}, {"a", "b"}], threshold=1)
    >>> pairs.column_names, len(pairs)
    (['left', 'right', 'similarity'], 3)
    >>> pairs["right"].tolist(), list(pairs[:1])
    ([1, 2, 2], [(0, 1, 1.0)])
    """

    def __init__(self, columns: Mapping[str, Column]):
        self._given = dict(columns)

    @property
    def _columns(self) -> dict[str, Numbers]:
        return {name: self._column(name) for name in self._given}

    def _column(self, name: str) -> Numbers:
        column = self._given[name]
        if callable(column):  # ids, read on first use
            column = self._given[name] = column()
        return column

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_given": self._columns}

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self._given)

    def __len__(self) -> int:
        return len(self._column(next(iter(self._given))))

    @overload
    def __getitem__(self, name: str) -> Numbers: ...
    @overload
    def __getitem__(self, name: slice) -> ResultTable: ...
    def __getitem__(self, name: str | slice) -> Numbers | ResultTable:
        """Returns a column as a numpy array, or the rows of a slice as a table."""
        if isinstance(name, slice):
            return ResultTable({key: column[name] for key, column in self._columns.items()})
        return self._column(name)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Iterates over the rows as tuples."""
        return zip(*(column.tolist() for column in self._columns.values()), strict=True)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _sosie.arrow_stream(
            {
                name: c.tolist() if c.dtype == object else np.ascontiguousarray(c)
                for name, c in self._columns.items()
            }
        )

    def to_arrow(self) -> pyarrow.Table:
        """Returns a pyarrow table."""
        return cast("pyarrow.Table", imported("pyarrow", "parquet").table(self))

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars DataFrame."""
        return cast("polars.DataFrame", imported("polars", "polars").DataFrame(self))

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas DataFrame."""
        return cast("pandas.DataFrame", imported("pandas", "pandas").DataFrame(self._columns))

    def _repr_html_(self) -> str:
        return _html.of_table(self.column_names, [row for row, _ in zip(self, range(10))], len(self))

    def __repr__(self) -> str:
        shown = "\n".join(
            "  ".join(f"{cell:.6f}" if isinstance(cell, float) else str(cell) for cell in row)
            for row, _ in zip(self, range(10), strict=False)
        )
        more = "" if len(self) <= 10 else f"\n... {len(self) - 10} more"
        return f"{'  '.join(self._given)}\n{shown}{more}"


class Pairs(ResultTable):
    """Pairs of similar rows, sorted by (left, right).

    Columns: left and right (int64, row numbers), and similarity (double; for a distance measure:
    distance). If rows have ids, also left_id and right_id (int64 or string).
    """

    def __init__(self, found: Mapping[str, Any], left: Names, right: Names):
        lefts: Numbers = found["left"].astype(np.int64)
        rights: Numbers = found["right"].astype(np.int64)
        columns: dict[str, Column] = {
            "left": lefts, "right": rights, found["value_name"]: found["value"],
        }
        if left.are_there:
            columns["left_id"] = functools.partial(left.of, lefts)
        if right.are_there:
            columns["right_id"] = functools.partial(right.of, rights)
        super().__init__(columns)
        self.summary = told(found["summary"])
        self.stats: dict[str, Any] = json.loads(told(found["stats"]))


class Linked(ResultTable):
    """Result of `link`: links between two collections, or groups of one.

    Attributes:
        estimated_f1: F1 estimated without labels; None if unknown.
        confidence: "ok", or "low" if the estimate is doubtful; confidence_reasons lists the reasons.
        confidence_next_step: the cheapest remedy for low confidence: a rule, an option with a
            column, or labels; None for "ok".
        stats: the counts and weights of the run, as `sosie link --stats` writes them.
        summary: the summary that the command line prints.
        rules: the rules of the run, as a file for `rules`.
    """

    def __init__(self, found: Mapping[str, Any], runs: LinkRuns):
        self._runs = runs
        self.summary = told(found["summary"])
        self.stats: dict[str, Any] = json.loads(told(found["stats"]))
        self.estimated_f1: float | None = self.stats.get("estimated_f1")
        self.confidence: str = self.stats.get("confidence", "low")
        self.confidence_reasons: list[str] = self.stats.get("confidence_reasons", [])
        self.confidence_next_step: str | None = self.stats.get("confidence_next_step")
        self.rules: str = found["rules_text"]
        super().__init__(links_of(found) if runs.against is not None else groups_of(found))

    @functools.cached_property
    def pairs(self) -> ResultTable:
        """The links; for one collection, all pairs of records in a group, computed on first use."""
        if self._runs.against is not None:
            return self
        return ResultTable(links_of(self._runs.again(pairs=True)))

    def report(self, path: str | os.PathLike[str]) -> None:
        """Repeats the run to write its HTML report (`sosie link --report`)."""
        self._runs.again(report=os.fspath(path))
        name_objects(path)


def links_of(found: Mapping[str, Any]) -> dict[str, Column]:
    """Columns of links, with left_id and right_id if rows have ids."""
    rows: dict[str, Numbers] = {side: found[side].astype(np.int64) for side in ("left", "right")}
    columns: dict[str, Column] = {
        **rows,
        "score": found["score"],
        "probability": found["probability"],
        "rules": _rules_of(found),
    }
    levels = found["levels"].reshape(len(found["left"]), len(found["fields"]))
    bits = found["bits"].reshape(levels.shape)
    for f, field in enumerate(found["fields"]):
        columns[f"level_{field}"] = np.array(found["level_names"][f], object)[levels[:, f]]
        columns[f"bits_{field}"] = bits[:, f]
    sides = ("left", "right") if found["right_ids"] is not None else ("left", "left")
    for side, ids in zip(("left", "right"), sides, strict=True):
        if found[f"{ids}_ids"] is not None:
            columns[f"{side}_id"] = ids_column(*found[f"{ids}_ids"])[rows[side]]
    return columns


def _rules_of(found: Mapping[str, Any]) -> Numbers:
    """Names of the rules that found each pair, joined by +."""
    names = found["rule_names"]
    different, places = np.unique(found["rules"], return_inverse=True)
    texts = ["+".join(name for i, name in enumerate(names) if bits >> i & 1)
             for bits in different.tolist()]
    return np.array(texts, object)[places] if texts else np.array([], object)


def groups_of(found: Mapping[str, Any]) -> dict[str, Column]:
    """Columns of groups, with id and cluster_id if rows have ids."""
    rows = found["record"].astype(np.int64)
    clusters = found["cluster"].astype(np.int64)
    columns: dict[str, Column] = {
        "row": rows, "cluster": clusters,
        "size": found["size"].astype(np.int64), "weakest": found["weakest"],
    }
    if found["left_ids"] is not None:
        ids = ids_column(*found["left_ids"])
        columns |= {"id": ids[rows], "cluster_id": ids[clusters]}
    return columns


def ids_column(names: list[str], whole: bool) -> Numbers:
    """Ids as int64 if all are integers that fit, else as str."""
    if whole and all(len(name) < 19 for name in names):
        return np.array([int(name) for name in names], np.int64)
    return np.array(all_told(names), object)


class Clusters(ResultTable):
    """Groups of two or more items, in the order of their survivors.

    Columns: id (int64 or string), cluster_id (id of the survivor), kept (bool) and size (int64).
    """

    def __init__(self, columns: Mapping[str, Numbers], summary: str):
        super().__init__(columns)
        self.summary = summary


class Deduplicated:
    """Result of `dedup`.

    Attributes:
        mask: numpy bool by row, True for rows that are kept.
        stats: the counts and parameters of the run, as `sosie dedup --stats` writes them.
        summary: the summary that the command line prints.
    """

    def __init__(self, result: dict[str, Any], runs: DedupRuns):
        self._runs = runs
        self._survivor: npt.NDArray[np.uint64] = result["survivor"]
        self._value_name: str = result["value_name"]
        self._value: npt.NDArray[np.float64] = result["value"]
        self._identical: npt.NDArray[np.bool_] = result["identical"]
        self._pairs: Pairs | None = None
        self.summary = told(result["summary"])
        self.stats: dict[str, Any] = json.loads(told(result["stats"]))
        rows = np.arange(len(self._survivor), dtype=np.uint64)
        self.mask: npt.NDArray[np.bool_] = self._survivor == rows

    @property
    def is_duplicate(self) -> npt.NDArray[np.bool_]:
        """By row, True for rows removed as duplicates."""
        removed: npt.NDArray[np.bool_] = ~self.mask & (self._survivor != _LEFT_OUT)
        return removed

    @property
    def kept(self) -> ResultTable:
        """The kept rows. Columns: row (int64) and, if rows have ids, id (int64 or string)."""
        rows = np.flatnonzero(self.mask)
        return ResultTable({"row": rows, **self._named({"id": rows})})

    def _named(self, rows: Mapping[str, Numbers]) -> dict[str, Column]:
        """Columns of the ids of these rows, if any."""
        names = self._runs.names
        return {c: functools.partial(names.of, own) for c, own in rows.items() if names.are_there}

    @property
    def removed(self) -> ResultTable:
        """The removed rows.

        Columns: row (int64), kept_row (int64, the survivor that the row was verified against),
        similarity (double; for a distance measure: distance) and exact (bool, the same normalised
        text). With `against`, also kept_in_against (bool, kept_row is a row of `against`). If rows
        have ids, also id and kept_id (int64 or string).
        """
        rows = np.flatnonzero(self.is_duplicate)
        survivors = self._survivor[rows]
        columns: dict[str, Column] = {
            "row": rows,
            "kept_row": (survivors & ~_AGAINST).astype(np.int64),
            self._value_name: self._value[rows],
            "exact": self._identical[rows],
        }
        if self._runs.against is not None:
            columns["kept_in_against"] = (survivors & _AGAINST) != 0
        if self._runs.names.are_there:
            columns |= self._named({"id": rows})
            columns["kept_id"] = functools.partial(self._kept_ids, survivors)
        return ResultTable(columns)

    def _kept_ids(self, survivors: npt.NDArray[np.uint64]) -> Numbers:
        others = (survivors & _AGAINST) != 0
        rows = (survivors & ~_AGAINST).astype(np.int64)
        if self._runs.other_names is None:
            return self._runs.names.of(rows)
        ids = np.empty(len(rows), object)
        ids[~others] = self._runs.names.of(rows[~others])
        named = self._runs.other_names
        ids[others] = named.of(rows[others]) if named.are_there else None
        if all(isinstance(name, int) for name in ids):
            return ids.astype(np.int64)
        return np.array([name if name is None else str(name) for name in ids], object)

    @property
    def clusters(self) -> ResultTable:
        """Rows of groups of two or more.

        Columns: row (int64), cluster (int64, row of the survivor), kept (bool) and size (int64). If
        rows have ids, also id and cluster_id (id of the survivor; int64 or string).
        """
        own = np.flatnonzero((self._survivor & _AGAINST) == 0)
        cluster = self._survivor[own].astype(np.int64)
        size = np.bincount(cluster, minlength=len(self.mask))[cluster]
        several = size > 1
        return ResultTable(
            {
                "row": own[several],
                "cluster": cluster[several],
                "kept": self.mask[own][several],
                "size": size[several].astype(np.int64),
                **self._named({"id": own[several], "cluster_id": cluster[several]}),
            }
        )

    @property
    def pairs(self) -> Pairs:
        """All pairs of similar rows, as from `sosie.pairs`; computed on first use."""
        if self._pairs is None:
            others = self._runs.other_names
            names = self._runs.names
            self._pairs = Pairs(self._runs.pairs(), names, others or names)
        return self._pairs

    def at(self, threshold: float | str | Fraction) -> Deduplicated:
        """Returns the result of a fresh run at another threshold (for a distance: bound). Does not
        change files that the call wrote."""
        runs = self._runs.at(threshold)
        return Deduplicated(runs.dedup(), runs)

    def sweep(self, thresholds: Iterable[float | str | Fraction]) -> ResultTable:
        """Returns counts at other thresholds.

        Columns: threshold (double), kept, removed and clusters (int64; clusters counts groups).
        """
        thresholds = list(thresholds)
        results = [self.at(threshold) for threshold in thresholds]
        return ResultTable(
            {
                "threshold": np.array([float(Fraction(str(t))) for t in thresholds]),
                "kept": np.array([int(r.mask.sum()) for r in results], dtype=np.int64),
                "removed": np.array([int(r.is_duplicate.sum()) for r in results], dtype=np.int64),
                "clusters": np.array([r.stats["groups"] for r in results], dtype=np.int64),
            }
        )

    @overload
    def apply(self) -> Any: ...

    @overload
    def apply(self, data: T) -> T: ...

    def apply(self, data: Any = None) -> Any:
        """Returns the kept rows as an object of the type of `data` (default: the input of the call)."""
        source = self._runs.source
        if data is None:
            if isinstance(source, list):
                raise TypeError("rows were read from files: set output=..., or give the rows")
            data = source.data
        read = source.read if not isinstance(source, list) and data is source.data else None
        return filtered(data, self.mask, read)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the HTML report of the run (`sosie dedup --report`)."""
        self._runs.again(report=path).dedup()
        name_objects(path)

    def show(self, n: int = 5) -> str:
        """Returns the n removed rows closest to the threshold as text, each with its survivor.

        Rows in memory are shown with their texts; rows with ids are named by them, for `sosie.explain`.
        """
        removed = self.removed
        values = removed[self._value_name]
        sign = 1 if self._value_name == "similarity" else -1  # for distances: the greatest
        order = np.argsort(sign * values, kind="stable")[:n]
        source = self._runs.source
        lines = []
        for i in order.tolist():
            left, right = int(removed["row"][i]), int(removed["kept_row"][i])
            line = f"{values[i]:.6f}  row {left}, kept row {right}"
            if "id" in removed.column_names:
                line += f": {removed['id'][i]}, {removed['kept_id'][i]}"
            lines.append(line)
            if isinstance(source, Rows) and self._runs.against is None:
                for text in source.texts(self._runs.column, [left, right]):
                    lines.append(f"    {_short(text)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.summary.rstrip("\n")

    def _repr_html_(self) -> str:
        values = self.removed[self._value_name]
        if self._value_name == "distance" and "within" not in self.stats:
            values = 1 - values  # for a similarity, whose curve is shown
        return _html.of_result(self.stats, values, self.show(3))


def _short(text: str | None, width: int = 90) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= width else line[: width - 3] + "..."
