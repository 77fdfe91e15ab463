"""An index in memory, for rows that come little by little: its methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import ResultTable
from ._rows import Items, Rows
from ._run import Source, completed, native, source_of, translated


class IndexBase:
    """What :class:`sosie.Index` does; its constructor is made from the table of options."""

    @translated
    def __init__(self, kind: str | None, options: Mapping[str, object]):
        given = {"kind": kind, **options}
        self._options = {name: value for name, value in given.items() if value is not None}
        self._index = _sosie.Index(self._options)

    def _read(self, data: Source) -> Rows | Items | list[str]:
        """The rows; the first ones may tell the kind."""
        given = completed(self._options, data)
        if "kind" in given and "kind" not in self._options and self._index.next_number == 0:
            self._options["kind"] = given["kind"]
            self._index = _sosie.Index(self._options)
        return source_of(data, given)

    def __len__(self) -> int:
        """How many items are there."""
        return len(self._index)

    @translated
    def add(self, data: Source) -> npt.NDArray[np.int64]:
        """Adds all rows.

        Args:
            data: rows, as the constructor's kind says.

        Returns:
            The numbers of the new items: numpy int64, in the order of the rows.

        Raises:
            InputError: a broken row, or a missing column; nothing is added.
        """
        rows = self._read(data)
        return np.arange(*self._index.add(native(rows)), dtype=np.int64)

    @translated
    def add_new(self, data: Source) -> npt.NDArray[np.bool_]:
        """Adds, row after row, what is similar to nothing that is there by then.

        Args:
            data: rows, as the constructor's kind says.

        Returns:
            numpy bool by row, True for rows that were added; they are numbered on in their order.

        Raises:
            InputError: a broken row, or a missing column; nothing is added.
        """
        rows = self._read(data)
        return self._index.add_new(native(rows))

    @translated
    def query(self, data: Source) -> ResultTable:
        """The items similar to each row.

        Args:
            data: rows, as the constructor's kind says.

        Returns:
            An Arrow object: left: int64 (the row), right: int64 (an item's number), similarity:
            double; the items of a row stand together, best first.

        Raises:
            InputError: a broken row, or a missing column.
        """
        rows = self._read(data)
        found = self._index.query(native(rows))
        return ResultTable(
            {
                "left": found["left"].astype(np.int64),
                "right": found["right"].astype(np.int64),
                "similarity": found["similarity"],
            }
        )

    def remove(self, numbers: Iterable[int] | npt.NDArray[np.int64]) -> int:
        """Takes items out.

        Args:
            numbers: of items; numbers of what is not there are passed over.

        Returns:
            How many items were taken out.

        Raises:
            TypeError: `numbers` holds something else.
        """
        asked = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers))
        if len(asked) > 0 and asked.dtype.kind not in "iu":
            raise TypeError(f"items are removed by their numbers, not by {asked.dtype} values")
        there = cast("npt.NDArray[np.int64]", asked[asked >= 0])
        return self._index.remove(np.ascontiguousarray(there, np.uint64))

    def __repr__(self) -> str:
        return f"Index of {len(self):,} items"
