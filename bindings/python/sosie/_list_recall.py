"""Recall of indexes that search vectors by lists, in memory or on disk."""

from __future__ import annotations

from typing import Protocol

from ._source import checked_top


class _Lists(Protocol):
    def list_recall(self, top: int) -> float | None: ...


class WithLists:
    """An index of the library or of a service that knows the recall of its lists."""

    _index: _Lists

    def list_recall(self, top: int = 10) -> float | None:
        """Returns the recall of nearest-vector searches by lists, measured when the lists were made.

        The figure is the mean over a thousand vectors held back for the test, less 1.645 standard
        errors.

        Args:
            top (int): number of nearest vectors to find, 1 or more. Default: 10.

        Returns:
            A number up to 1. None if lists skip no item: for other kinds of index, below a few
            thousand vectors, or above 100 nearest.

        Raises:
            OptionError: `top` is below 1.

        Source:
            docs/recipes/vectors.md.

        Example:
            >>> import sosie
            >>> print(sosie.Index("vectors").list_recall())
            None
        """
        return self._index.list_recall(checked_top(top))
