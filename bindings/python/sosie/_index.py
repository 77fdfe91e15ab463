"""An index in memory, for rows that come little by little."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._results import ResultTable
from ._rows import Items, Rows
from ._run import Source, completed, native, source_of, translated


class Index:
    """Texts, sets or bags that others are looked up in, while they come and go.

    Items are numbered from 0 in the order in which they are added; a number is not used again. What is
    found is verified; a pair at the threshold is found with probability ``recall``. Results do not
    depend on threads. Source: MMDS chapter 3.4.

    >>> index = Index(threshold=0.5, shingle="words:2")
    >>> index.add(["one two three four", "and now something else"]).tolist()
    [0, 1]
    >>> list(index.query(["one two three"]))
    [(0, 0, 0.6666666666666666)]
    >>> index.add_new(["one two three four five", "quite new", "quite new"]).tolist()
    [False, True, False]

    Keywords are those of :func:`pairs`: ``kind``, ``column``, ``shingle``, ``tokens``, ``stopwords``,
    ``measure``, ``threshold``, ``recall``, ``bands``, ``seed``, ``threads``, ``memory`` and others that
    decide how rows are read and compared.
    """

    @translated
    def __init__(
        self,
        kind: str | None = None,
        *,
        threshold: float | str | Fraction | None = None,
        column: str | None = None,
        **options: object,
    ):
        given = {"kind": kind, "threshold": threshold, "column": column, **options}
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
        """Adds all rows. Returns their numbers."""
        rows = self._read(data)
        return np.arange(*self._index.add(native(rows)), dtype=np.int64)

    @translated
    def add_new(self, data: Source) -> npt.NDArray[np.bool_]:
        """Adds, row after row, what is similar to nothing that is there by then. Returns a mask by
        row, True for those that were added; they are numbered on in their order."""
        rows = self._read(data)
        return self._index.add_new(native(rows))

    @translated
    def query(self, data: Source) -> ResultTable:
        """The items similar to each row: left (the row), right (an item's number) and similarity;
        those of a row together, best first."""
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
        """Takes items out; numbers of what is not there are passed over. Returns how many were."""
        asked = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers))
        if len(asked) > 0 and asked.dtype.kind not in "iu":
            raise TypeError(f"items are removed by their numbers, not by {asked.dtype} values")
        there = cast("npt.NDArray[np.int64]", asked[asked >= 0])
        return self._index.remove(np.ascontiguousarray(there, np.uint64))

    def __repr__(self) -> str:
        return f"Index of {len(self):,} items"
