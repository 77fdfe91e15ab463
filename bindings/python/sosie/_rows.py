"""Rows in memory, whatever holds them, and what can be done with them without importing it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _sosie

T = TypeVar("T")


class Rows:
    """The rows of an Arrow object or of a list of texts, which are compared where they lie."""

    def __init__(self, data: object):
        if isinstance(data, np.ndarray):
            data = data.tolist()
        self.data = data
        self.table: Any = _sosie.table(arrow_of(data))

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (self.data,)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def native(self) -> object:
        """What the library takes."""
        return self.table

    def texts(self, column: str, rows: Sequence[int]) -> list[str | None]:
        """What stands in the column that was compared."""
        names = self.table.column_names
        position = 0 if names == [""] else names.index(column)
        return cast("list[str | None]", self.table.values(position, list(rows)))


class Items:
    """Sets, bags, vectors or bit strings in memory: an Arrow object, a numpy array of rows of numbers,
    or a list. They are written to a file for the run, which goes with this object."""

    def __init__(self, data: object, columns: Sequence[str], folder: str | None):
        self.data = data
        self._made_of = (data, columns, folder)
        self._folder = tempfile.TemporaryDirectory(prefix="sosie-", dir=folder)
        if isinstance(data, np.ndarray):
            self.path = os.path.join(self._folder.name, "table.npy")
            np.save(self.path, np.ascontiguousarray(data), allow_pickle=False)
            return
        self.path = os.path.join(self._folder.name, "table.jsonl")
        if isinstance(data, (list, tuple)):
            with open(self.path, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(fields_of(row, columns)) + "\n" for row in data)
        else:
            _sosie.write_json_lines(arrow_of(data), columns, self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Items, self._made_of

    @property
    def native(self) -> object:
        """What the library takes."""
        return [self.path]


def library_of(data: object) -> str:
    """"pandas", of a data frame of pandas."""
    return type(data).__module__.partition(".")[0]


def arrow_of(data: Any) -> object:
    """What holds the rows of a Hugging Face dataset: an Arrow table. All else as it is."""
    return data.with_format("arrow")[:] if library_of(data) == "datasets" else data


def fields_of(row: Any, columns: Sequence[str]) -> dict[str, object]:
    """A row of a list with the columns' names: its parts, or it is the only one."""
    if len(columns) == 1:
        return {columns[0]: plain(row)}
    return dict(zip(columns, map(plain, row), strict=True))


def plain(row: object) -> object:
    """A row of a list, as JSON has it."""
    if isinstance(row, (set, frozenset)):
        return sorted(row, key=str)
    if isinstance(row, (np.ndarray, np.generic)):
        return row.tolist()
    return row


def kind_of_items(data: object) -> str | None:
    """The kind of the items that an object holds, where the object tells: None for texts."""
    if isinstance(data, np.ndarray):
        return "vectors" if data.ndim == 2 and data.dtype.kind in "fiub" else None
    if isinstance(data, (list, tuple)):
        first = next((row for row in data if row is not None), None)
        if isinstance(first, (set, frozenset)):
            return "sets"
        if isinstance(first, Mapping):
            return "bags"
        if isinstance(first, np.ndarray):
            return "vectors"
    return None


def filtered(data: T, mask: npt.NDArray[np.bool_]) -> T:
    """The rows of `data` for which the mask is true, as the same kind of object."""
    if isinstance(data, (list, tuple)):
        return cast("T", type(data)(row for row, keep in zip(data, mask, strict=True) if keep))
    if isinstance(data, np.ndarray):
        return cast("T", data[mask])
    library = library_of(data)
    frame: Any = data
    if library == "polars":
        import polars

        return cast("T", frame.filter(polars.Series(mask)))
    if library == "pyarrow":
        import pyarrow

        return cast("T", frame.filter(pyarrow.array(mask)))
    if library == "pandas":
        return cast("T", frame[mask])
    if library == "datasets":
        return cast("T", frame.select(np.flatnonzero(mask)))
    if "duckdb" in library:
        return cast("T", _rows_of_relation(frame, np.flatnonzero(mask)))
    raise TypeError(
        f"cannot take rows out of {library}.{type(data).__name__}: use the positions in .kept"
    )


def _rows_of_relation(relation: Any, rows: npt.NDArray[np.int64]) -> object:
    """These rows of a DuckDB relation, in its order, as a relation of the same connection."""
    sosie_kept = {"row": rows}  # noqa: F841  (DuckDB finds it by its name, and holds it)
    return cast("object", relation.query(
        "given",
        "SELECT * EXCLUDE (sosie_row) FROM "
        "(SELECT *, row_number() OVER () - 1 AS sosie_row FROM given) "
        "WHERE sosie_row IN (SELECT row FROM sosie_kept) ORDER BY sosie_row",
    ))
