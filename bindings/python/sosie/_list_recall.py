"""The recall of indexes that look vectors up in lists, in memory and of a folder."""

from __future__ import annotations

from typing import Protocol

from ._source import checked_top


class _Lists(Protocol):
    def list_recall(self, top: int) -> float | None: ...


class WithLists:
    """An index of the library, or of a service, that knows the recall of its lists."""

    _index: _Lists

    def list_recall(self, top: int = 10) -> float | None:
        """The recall of looking up nearest vectors in lists, as it turned out when these were made.

        A thousand of the vectors were held back and looked up; it is their mean, less 1.645 times
        its error.

        Args:
            top (int): how many nearest ones are wanted, 1 or more. Default: 10.

        Returns:
            A number up to 1; None where no item is left out by lists: another kind of index, fewer
            than some thousand vectors, more than 100 nearest.

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
