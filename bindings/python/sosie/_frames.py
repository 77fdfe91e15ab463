"""The namespace `sosie` of frames: the verbs, with the frame as their data and frames as results."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from . import _verbs
from ._results import ResultTable

Frame = TypeVar("Frame")


class FrameVerbs(Generic[Frame]):
    """``frame.sosie``. Options are those of the functions: ``help(sosie.dedup)`` explains them."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Any = frame

    def _table(self, result: ResultTable) -> Frame:
        """A result as a frame of the same library."""
        raise NotImplementedError

    def dedup(self, *, against: Any = None, **options: Any) -> Frame:
        """The rows that `sosie.dedup` keeps, which has the groups, the pairs and a report, too."""
        kept: Frame = _verbs.dedup(self._frame, against=against, **options).apply()
        return kept

    def pairs(self, *, against: Any = None, **options: Any) -> Frame:
        """`sosie.pairs`: left, right, similarity (of a distance: distance)."""
        return self._table(_verbs.pairs(self._frame, against=against, **options))

    def query(self, items: Any, **options: Any) -> Frame:
        """`sosie.query`: rows of this frame (right) that are similar to each row of `items` (left)."""
        return self._table(_verbs.query(self._frame, items, **options))

    def link(self, *, against: Any = None, **options: Any) -> Frame:
        """`sosie.link`: links to `against`, or the groups of this frame."""
        return self._table(_verbs.link(self._frame, against=against, **options))
