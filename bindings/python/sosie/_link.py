"""Runs `link`, and `explain` for records."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import Linked, ResultTable
from ._rows import Items, held_table, library_of, readable
from ._source import (
    FILES_WRITTEN,
    OF_FILES,
    Given,
    Options,
    Progress,
    Records,
    call,
    exact,
    is_path,
    native,
    require_output,
    source_of_paths,
)
from .errors import OptionError


class LinkRuns:
    """A call of `link` that can be repeated for the pairs of its groups. Pickled without its progress."""

    def __init__(self, source: object, against: object | None, options: Options,
                 progress: Progress = None):
        self.source, self.against, self.options, self.progress = source, against, options, progress

    def __reduce__(self) -> tuple[Any, ...]:
        return LinkRuns, (self.source, self.against, self.options, None)

    def link(self) -> dict[str, Any]:
        result = self._link(self.options, pairs=False)
        if "would_join" in json.loads(result["stats"]):  # records were added to groups
            self.options = {**self.options, "assign": "groups"}
        return result

    def again(self, pairs: bool = False, **more: object) -> dict[str, Any]:
        """Repeats the run; writes only the requested files."""
        left_out = {*FILES_WRITTEN, "suggest"}
        if self.options.get("assign") != "groups":  # which reads the weights
            left_out.add("model")
        kept = {name: v for name, v in self.options.items() if name not in left_out}
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
    """Links records; rows in memory with a column `id` are identified by it."""
    sources = [held_table(data), None if against is None else held_table(against)]
    runs = LinkRuns(sources[0], sources[1], given_of_records(sources, options), progress)
    return Linked(runs.link(), runs)


def given_of_records(sources: Sequence[Any], options: Options) -> dict[str, object]:
    """The given options, and which ids to use."""
    given = {name: exact(value) for name, value in options.items() if value is not None}
    require_output(given)
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
    """Returns the column names of records in memory."""
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
    elif isinstance(data, (list, tuple)):  # gives each row all fields, as the first may lack some
        data = [None if row is None else {name: row.get(name) for name in names} for row in data]
    return Items(data, names, "records")


def as_objects(column: Any) -> npt.NDArray[Any]:
    """Converts a column of a dict to an array: numbers unchanged, other values as objects."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column
    values = np.empty(len(column), object)
    values[:] = [None if value is None else str(value) for value in column]
    return values


@contextlib.contextmanager
def rules_file(options: Options) -> Iterator[Options]:
    """The options; rules given as text are written to a file."""
    rules = options.get("rules")
    if not isinstance(rules, str) or "\n" not in rules:
        yield options
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rules.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(rules)
        yield {**options, "rules": path}


@functools.cache
def record_keywords() -> frozenset[str]:
    """Options of `explain` that apply to records only."""
    return (frozenset(_sosie.keywords("explain")) & frozenset(_sosie.keywords("link"))
            - frozenset(_sosie.keywords("dedup")))


def explain_records(left: str, right: str, collections: tuple[Records, Records | None],
                    options: Options) -> str:
    sources = [None if source is None else held_table(source) for source in collections]
    given = given_of_records(sources, options)
    data, against = (native(_records_of(source, given)) for source in sources)
    with rules_file(given) as options:
        return _sosie.explain(data, against, left, right, options)
