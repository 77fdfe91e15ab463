"""Rows in memory, whatever holds them, and what can be done with them without importing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _sosie

T = TypeVar("T")


class Rows:
    """The rows of an Arrow object or of a list of texts."""

    def __init__(self, data: object):
        if isinstance(data, np.ndarray):
            data = data.tolist()
        self.data = data
        self.table: Any = _sosie.table(data)

    def __len__(self) -> int:
        return len(self.table)

    def texts(self, column: str, rows: Sequence[int]) -> list[str | None]:
        """What stands in the column that was compared."""
        names = self.table.column_names
        position = 0 if names == [""] else names.index(column)
        return cast("list[str | None]", self.table.values(position, list(rows)))


def filtered(data: T, mask: npt.NDArray[np.bool_]) -> T:
    """The rows of `data` for which the mask is true, as the same kind of object."""
    if isinstance(data, (list, tuple)):
        return cast("T", type(data)(row for row, keep in zip(data, mask, strict=True) if keep))
    if isinstance(data, np.ndarray):
        return cast("T", data[mask])
    library = type(data).__module__.partition(".")[0]
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
    raise TypeError(
        f"cannot take rows out of {library}.{type(data).__name__}: use the positions in .kept"
    )
