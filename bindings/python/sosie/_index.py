"""Methods of the index in memory, for rows that arrive over time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._list_recall import WithLists
from ._results import ResultTable
from ._rows import Array, Items, Rows, as_array, held
from ._source import Source, checked_top, completed, is_path, native, source_of
from ._stored_index import StoredIndex, created, opened
from .errors import InputError

Id = str | int


class IndexBase(WithLists):
    """Methods of :class:`sosie.Index`; its constructor is generated from the option table."""

    _index: _sosie.Index
    _of_arrays: dict[str, object] | None = None  # the options for arrays

    def __init__(self, kind: str | None, options: Mapping[str, object]):
        given = completed({"kind": kind, **options})
        self._options = given
        self._index = _sosie.Index(given)
        self._id_of: dict[int, Id] = {}
        self._number_of: dict[Id, int] = {}

    @staticmethod
    def create(
        folder: str | os.PathLike[str],
        data: Source | None = None,
        ids: Sequence[Id] | None = None,
        *,
        kind: str | None = None,
        **options: object,
    ) -> StoredIndex:
        """Creates an index on disk and opens it.

        Args:
            folder (str | PathLike): a new or empty folder.
            data (Source): first rows, of any kind of item. Default: none.
            ids (Sequence[str | int]): ids of these rows. Default: the field `id` of records; other
                rows use their numbers.
            kind (str): kind of the items, as for :func:`sosie.pairs`. Default: detected from the
                rows, else "text".
            **options: options of :func:`sosie.pairs`, which the index keeps. `on_bad_row` applies
                to `data` only; `add` raises an error for unreadable rows. Also fields
                (str | Sequence[str]): fields of rows to store, for queries such as
                `query(where="lang=en")`.

        Returns:
            The index, open for writing: a StoredIndex.

        Raises:
            OptionError: the folder holds other files, or an option does not apply to an index.

        Source:
            docs/formats/index.md.

        Example:
            >>> import sosie, tempfile
            >>> with sosie.Index.create(tempfile.mkdtemp(), kind="sets", threshold=0.5) as index:
            ...     _ = index.add([{"a", "b"}, {"c"}], ids=["x", "y"])
            ...     list(index.query([{"b", "a"}]))
            [(0, 'x', 1.0)]
        """
        return created(folder, data, ids, kind, options)

    @staticmethod
    def open(
        folder: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        read_only: bool = False,
        token: str | None = None,
    ) -> StoredIndex:
        """Opens an index made by `create` or `sosie index build`, or an index served by `sosie serve`.

        Args:
            folder (str | PathLike): folder of the index, or the address of a service,
                "http://...". Several folders of indexes with the same options are read as one
                index, with the items in the order of the folders.
            read_only (bool): lets other processes write the index. Default: False.
            token (str): token that the service requires. Default: none.

        Returns:
            The index: a StoredIndex.

        Raises:
            InputError: the folder is not an index, or is damaged.
            OptionError: indexes have different options, or a folder is given twice.
            FileError: another process writes the index, or no service answers.

        Source:
            docs/formats/index.md, docs/serve.md.

        Example:
            >>> import sosie, tempfile
            >>> folder = tempfile.mkdtemp()
            >>> sosie.Index.create(folder, ["one two three four five six"]).close()
            >>> len(sosie.Index.open(folder, read_only=True))
            1
        """
        return opened(folder, read_only, token)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._options, self._index.save(), self._id_of)

    def _options_for(self, data: Source) -> dict[str, object]:
        if not isinstance(data, np.ndarray) or "kind" not in self._options:
            return completed(self._options, data)
        if self._of_arrays is None:  # computed once: makes look-ups of single rows faster
            self._of_arrays = completed(self._options, data)
        return self._of_arrays

    def _read(self, data: Source) -> Array | Rows | Items | list[str]:
        """Reads rows, kept alive by the returned object; the first rows may set the kind."""
        data = held(data)
        given = self._options_for(data)
        if self._index.next_number == 0:  # the first rows set options that the user left open
            told: dict[str, object] = {name: given[name] for name in ("kind", "column") if name in given}
            if told.keys() - self._options.keys():
                self._options = {**told, **self._options}
                self._index = _sosie.Index(self._options)
        rows = None
        if not is_path(data):
            rows = as_array(data, str(given.get("kind", "text")))
        return source_of(data, given) if rows is None else rows

    def __len__(self) -> int:
        """Returns the number of items."""
        return len(self._index)

    def add(self, data: Source, ids: Sequence[Id] | None = None) -> npt.NDArray[np.int64]:
        """Adds all rows.

        Args:
            data (Source): rows of the index's kind.
            ids (Sequence[str | int]): a new id for each row, str or int. Default: items have
                numbers only.

        Returns:
            The numbers of the new items: numpy int64, in the order of the rows.

        Raises:
            InputError: a broken row, a missing column, or a duplicate id; nothing is added.

        Source:
            MMDS chapter 3.4.

        Example:
            >>> import sosie
            >>> sosie.Index("sets", threshold=0.5).add([{"a", "b"}, {"c"}], ids=["x", "y"]).tolist()
            [0, 1]
        """
        rows = self._read(data)
        if ids is None:
            return np.arange(*self._index.add(native(rows)), dtype=np.int64)
        named = self._checked(ids)
        first, end = self._index.add(native(rows))
        if end - first != len(named):
            self._index.remove(np.arange(first, end, dtype=np.uint64))
            raise InputError(f"ids: {len(named):,} for {end - first:,} rows")
        for number, name in enumerate(named, first):
            self._id_of[number], self._number_of[name] = name, number
        return np.arange(first, end, dtype=np.int64)

    def _checked(self, ids: Sequence[Id]) -> list[Id]:
        plain: list[Any] = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        seen: set[Id] = set()
        for name in plain:
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                raise TypeError(f"ids are str or int, not {type(name).__name__}")
            if name in seen or name in self._number_of:
                raise InputError(f"ids: {name!r} already exists")
            seen.add(name)
        return plain

    def add_new(self, data: Source) -> npt.NDArray[np.bool_]:
        """Adds rows one by one, skipping each row that is similar to an item in the index.

        Args:
            data (Source): rows of the index's kind.

        Returns:
            numpy bool by row, True for added rows. Added rows get consecutive numbers.

        Raises:
            InputError: a broken row, or a missing column; nothing is added.
            OptionError: the index has no threshold or bound.

        Source:
            MMDS chapter 3.4.

        Example:
            >>> import sosie
            >>> sosie.Index("sets", threshold=0.5).add_new([{"a", "b"}, {"b", "a"}]).tolist()
            [True, False]
        """
        rows = self._read(data)
        return self._index.add_new(native(rows))

    def query(self, data: Source, top: int | None = None) -> ResultTable:
        """Finds the items similar to each row.

        Args:
            data (Source): rows of the index's kind.
            top (int): maximum number of items per row, best first; 1 or more. Required for vectors
                or bits without a threshold or bound. Default: all that reach the threshold or
                bound.

        Returns:
            An Arrow object with left: int64 (the row), right: int64 (number of an item),
            similarity: double (for a distance measure: distance) and, if items have ids, right_id.
            Items are grouped by row, best first.

        Raises:
            InputError: a broken row, or a missing column.
            OptionError: `top` is missing, or below 1.

        Source:
            MMDS chapter 3.4.

        Example:
            >>> import sosie
            >>> index = sosie.Index("vectors")
            >>> index.add([[1, 0], [0, 1]], ids=["east", "north"]).tolist()
            [0, 1]
            >>> list(index.query([[2, 0]], top=1))
            [(0, 0, 1.0, 'east')]
        """
        most = 0 if top is None else checked_top(top)
        rows = self._read(data)
        found = self._index.query(native(rows), most)
        right = found["right"].view(np.int64)
        columns: dict[str, npt.NDArray[Any]] = {
            "left": found["left"].view(np.int64), "right": right,
            found["value_name"]: found["value"],
        }
        if self._id_of:
            names = [self._id_of.get(number) for number in right.tolist()]
            columns["right_id"] = np.array(names, object)
        return ResultTable(columns)

    def remove(
        self,
        numbers: Iterable[int] | npt.NDArray[np.int64] = (),
        *,
        ids: Iterable[Id] = (),
    ) -> int:
        """Removes items.

        Args:
            numbers (Iterable[int] | NDArray[int64]): numbers of items to remove; unknown numbers
                are ignored. Default: none.
            ids (Iterable[str | int]): ids of further items to remove; unknown ids are ignored.
                Default: none.

        Returns:
            The number of removed items.

        Raises:
            TypeError: `numbers` holds other values than integers.

        Source:
            Numbers of removed items are not reused: docs/python.md.

        Example:
            >>> import sosie
            >>> index = sosie.Index("sets", threshold=0.5)
            >>> index.add([{"a"}, {"b"}]).tolist()
            [0, 1]
            >>> index.remove([0, 7]), len(index)
            (1, 1)
        """
        asked = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers))
        if len(asked) > 0 and asked.dtype.kind not in "iu":
            raise TypeError(f"items are removed by their numbers, not by {asked.dtype} values\n"
                            "use ids= to remove them by id")
        named = [self._number_of[name] for name in ids if name in self._number_of]
        there = cast("npt.NDArray[np.int64]", asked[asked >= 0])
        gone = np.concatenate([there.astype(np.uint64), np.array(named, np.uint64)])
        for number in gone.tolist():
            name = self._id_of.pop(number, None)
            if name is not None:
                del self._number_of[name]
        return self._index.remove(gone)

    def __repr__(self) -> str:
        return f"Index of {len(self):,} items"


def _restored(
    made: type[IndexBase], options: dict[str, object], saved: bytes, id_of: dict[int, Id]
) -> IndexBase:
    """Restores a pickled index."""
    index = made.__new__(made)
    index._options = options
    index._index = _sosie.Index.load(saved)
    index._id_of = id_of
    index._number_of = {name: number for number, name in id_of.items()}
    return index
