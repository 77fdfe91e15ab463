"""The namespace `sosie` of frames: verbs that read the frame and return frames."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from . import _verbs
from ._results import ResultTable

Frame = TypeVar("Frame")


class FrameVerbs(Generic[Frame]):
    """``frame.sosie``. Options are the keywords of the functions; see ``help(sosie.dedup)``."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Any = frame

    def _table(self, result: ResultTable) -> Frame:
        """A result as a frame of the same library."""
        raise NotImplementedError

    def dedup(self, *, against: Any = None, **options: Any) -> Frame:
        """Returns the rows that `sosie.dedup` keeps; call that function for groups, pairs and a report."""
        kept: Frame = _verbs.dedup(self._frame, against=against, **options).apply()
        return kept

    def pairs(self, *, against: Any = None, **options: Any) -> Frame:
        """Calls `sosie.pairs`: left, right, similarity (for a distance measure: distance)."""
        return self._table(_verbs.pairs(self._frame, against=against, **options))

    def query(self, items: Any, **options: Any) -> Frame:
        """Calls `sosie.query`: rows of this frame (right) similar to each row of `items` (left)."""
        return self._table(_verbs.query(self._frame, items, **options))

    def link(self, *, against: Any = None, **options: Any) -> Frame:
        """Calls `sosie.link`: links to `against`, or the groups of this frame."""
        return self._table(_verbs.link(self._frame, against=against, **options))
