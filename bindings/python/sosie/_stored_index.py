"""The index on disk: its methods and its input rows."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._list_recall import WithLists
from ._remote_index import RemoteIndex
from ._results import ResultTable
from ._rows import (
    Items,
    are_records,
    held,
    library_of,
    matrix_of,
    may_be_bits,
    of_array,
    packed_bits,
    readable,
)
from ._source import Source, checked_top, completed, is_path
from .errors import OptionError

Id = str | int


class StoredIndex(WithLists):
    """An open index on disk, returned by :meth:`sosie.Index.create` and :meth:`sosie.Index.open`.

    Look-ups never wait for other calls and may come from many threads. A call that changes the
    index returns once the change survives a power loss. One process writes; others open the folder,
    or several folders as one, with ``read_only=True``. A pickle holds the paths only and is
    opened for reading.
    """

    _index: _sosie.StoredIndex | RemoteIndex

    def __init__(
        self, folder: str | list[str], read_only: bool, index: _sosie.StoredIndex | RemoteIndex
    ):
        self.folder = folder
        self.read_only = read_only
        self._index = index
        facts = index.info()
        self._column, self._kind, self._id = facts["column"], facts["kind"], facts["id"]
        self._fields = _field_names(facts["options"].get("fields"))

    def __reduce__(self) -> tuple[Any, ...]:
        return opened, (self.folder, True)

    def __enter__(self) -> StoredIndex:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """Returns the number of items."""
        return int(self._index.info()["items"])

    def __repr__(self) -> str:
        return f"StoredIndex({self.folder!r})"

    def info(self) -> dict[str, Any]:
        """Returns counts and the options of the index, as `sosie index info` prints them."""
        return self._index.info()

    def query(
        self,
        data: Source | None = None,
        *,
        ids: Iterable[Id] = (),
        top: int | None = None,
        threshold: float | str | None = None,
        exclude_self: bool = False,
        where: str | None = None,
    ) -> ResultTable:
        """Finds the items similar to each row, or to stored items.

        Args:
            data (Source): rows of the index's kind.
            ids (Iterable[str | int]): ids of stored items, instead of rows. Default: none.
            top (int): maximum number of items per row, best first; 1 or more. Default: all.
            threshold (float | str): at least the index's threshold. Default: the index's.
            exclude_self (bool): leaves out the item with the row's id. Default: False.
            where (str): "field=value"; restricts the search to items with this value in a stored
                field (`create(fields=...)`). Default: all items.

        Returns:
            An Arrow object with left: int64 (the row), right (id of an item) and similarity: double
            (for a distance measure: distance). Items are grouped by row, best first.

        Raises:
            InputError: a broken row, or an unknown id.
            OptionError: `top` is below 1, or the threshold is below the index's.

        Source:
            MMDS chapter 3.4.
        """
        most = None if top is None else checked_top(top)
        options: dict[str, object] = {"top": most, "threshold": threshold, "where": where}
        if exclude_self:
            options["exclude_self"] = True
        if data is None:
            found = self._index.query_ids([str(name) for name in ids], options)
        else:
            rows = self._rows_of(data, ())
            found = self._index.query(rows.native, rows.ids, options)
        right = np.array(found["right"], object)
        return ResultTable({"left": found["left"].astype(np.int64), "right": right,
                            found["value_name"]: found["value"]})

    def add(
        self,
        data: Source,
        ids: Sequence[Id] | None = None,
        *,
        replace: bool = False,
        skip_existing: bool = False,
    ) -> dict[str, int]:
        """Adds all rows in one transaction.

        Args:
            data (Source): rows; records include the index's id field and stored fields.
            ids (Sequence[str | int]): ids, for rows without an id field. Default: none.
            replace (bool): replaces items that have the same id. Default: False.
            skip_existing (bool): skips rows with an existing id. Default: False.

        Returns:
            The counts `added`, `skipped` and `replaced`.

        Raises:
            InputError: a broken row, a row without id, or an existing id; nothing is added.

        Source:
            docs/formats/index.md.
        """
        rows = self._rows_of(data, self._fields)
        return self._index.add(rows.native, self._names_of(rows, ids), replace, skip_existing)

    def add_new(self, data: Source, ids: Sequence[Id] | None = None) -> npt.NDArray[np.bool_]:
        """Adds rows one by one in one transaction, skipping rows similar to an item in the index.

        Args:
            data (Source): rows, as for :meth:`add`.
            ids (Sequence[str | int]): as for :meth:`add`. Default: none.

        Returns:
            numpy bool by row, True for added rows.

        Raises:
            InputError: as for :meth:`add`.

        Source:
            docs/formats/index.md.
        """
        rows = self._rows_of(data, self._fields)
        return self._index.add_new(rows.native, self._names_of(rows, ids))

    def _names_of(self, rows: RowsToStore, ids: Sequence[Id] | None) -> list[Id] | None:
        if ids is not None and self._id == "row":
            raise OptionError("ids: the items are identified by their numbers", option="ids")
        return rows.named(ids)

    def _rows_of(self, data: Source, fields: Sequence[str]) -> RowsToStore:
        as_lines = isinstance(self._index, RemoteIndex)
        return rows_of(data, self._column, self._kind, self._id, fields, as_lines)

    def remove(self, ids: Iterable[Id]) -> int:
        """Removes items and returns the number removed.

        Args:
            ids (Iterable[str | int]): ids of items to remove; unknown ids are ignored.
        """
        return self._index.remove([str(name) for name in ids])

    def compact(self) -> None:
        """Merges all runs into one and drops removed items. Look-ups continue meanwhile."""
        self._index.compact()

    def close(self) -> None:
        """Closes the folder. Later calls raise FileError."""
        self._index.close()


def _plain(ids: Any) -> list[Id]:
    read = getattr(ids, "tolist", None) or getattr(ids, "to_pylist", None)
    listed = list(ids) if read is None else read()
    plain: list[Id] = [name.item() if isinstance(name, np.integer) else name for name in listed]
    for name in plain:
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise TypeError(f"ids are str or int, not {type(name).__name__}")
    return plain


def _field_names(fields: object) -> list[str]:
    """Splits "lang,year" into ["lang", "year"]; "a\\,b" is the column "a,b". Lists stay, None gives []."""
    if isinstance(fields, (list, tuple)):
        return [str(name) for name in fields]
    names = [] if fields is None else _sosie.joined_names(str(fields))
    return [re.sub(r"\\([,|\\])", r"\1", name) for name in names]


class RowsToStore:
    """Rows in the form the library accepts. `ids`: ids passed separately; `has_ids`: the rows hold
    ids."""

    def __init__(self, native: _sosie.MemoryRows, ids: list[Id] | None = None, has_ids: bool = False):
        self.native = native
        self.ids = ids
        self._has_ids = has_ids or ids is not None

    def named(self, ids: Sequence[Id] | None) -> list[Id] | None:
        """Returns `ids` or, without them, those passed with the rows; rows that have ids accept no others."""
        if ids is None:
            return self.ids
        if self._has_ids:
            raise OptionError("ids: the rows already have ids", option="ids",
                              hint="omit ids, or remove that column")
        return _plain(ids)


def rows_of(
    data: Any,
    column: str,
    kind: str,
    id_field: str,
    fields: Sequence[str] = (),
    as_lines: bool = False,
) -> RowsToStore:
    """Arrays without a copy unless `as_lines`; other rows as lines of JSON, with their ids and
    `fields` if present."""
    data = _read(data)
    if is_path(data):
        raise TypeError("an index accepts rows in memory; for files use `sosie index add INDEX FILE`")
    if kind == "bits" and may_be_bits(data):
        if not as_lines:
            return RowsToStore(_sosie.bit_rows(packed_bits(data)))
        data = [row.tobytes().hex() for row in packed_bits(data)]
    elif kind == "vectors" and isinstance(data, np.ndarray) and data.ndim == 2:
        data = _unmasked(data)
        if not as_lines and data.dtype.kind in "fiub":
            return RowsToStore(of_array(data))
        data = data.tolist()
    there = () if isinstance(data, (list, tuple)) else _columns(data)
    wanted = [*([] if id_field == "row" else [id_field]), *fields]  # "row": row numbers are the ids
    others = [name for name in dict.fromkeys(wanted) if name in there and name != column]
    if kind == "vectors" and not as_lines and set(others) <= {id_field}:
        vectors = _vectors_of(data, column, id_field if others else None)
        if vectors is not None:
            return vectors
    native: Any = Items(data, [column, *others], kind).native
    has_ids = id_field in others or (are_records(data) and _some_have(data, id_field))
    return RowsToStore(cast("_sosie.MemoryRows", native), has_ids=has_ids)


def _read(data: Any) -> Any:
    """Reads rows that can be iterated only once into a list, or into a table if columns have names."""
    if hasattr(data, "read_all"):
        return readable(data, [])
    return _table_of(data) if _hides_columns(data) else held(data)


def _hides_columns(data: Any) -> bool:
    """True for an object that Arrow can read but that does not show whether it is a table or an array."""
    names_columns = hasattr(data, "column_names") or hasattr(data, "columns")
    return (hasattr(data, "__arrow_c_stream__") and not names_columns
            and library_of(data) not in ("pandas", "polars", "pyarrow")
            and importlib.util.find_spec("pyarrow") is not None)


def _table_of(data: Any) -> Any:
    import pyarrow

    try:
        return pyarrow.table(data)
    except (pyarrow.ArrowException, TypeError):
        return pyarrow.chunked_array(data)


def _unmasked(data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts a matrix or masked array to a plain array."""
    if np.ma.is_masked(data):
        raise TypeError("a masked array has missing values: pass its .filled(number)")
    return np.asarray(data)


def _some_have(records: Sequence[Any], field: str) -> bool:
    return any(row is not None and field in row for row in records)


def _vectors_of(data: Any, column: str, id_column: str | None) -> RowsToStore | None:
    """A table's column of vectors as an array, with its column of ids; None if it has no such column."""
    library = library_of(data)
    if library not in ("polars", "pyarrow") or hasattr(data, "collect"):
        return None
    columns = [column] if id_column is None else [column, id_column]
    table = readable(data, columns)
    matrix = matrix_of(table, column)
    if matrix is None:
        return None
    if id_column is None:
        return RowsToStore(of_array(matrix))
    ids = table[id_column].to_list() if library == "polars" else table[id_column].to_pylist()
    if not all(isinstance(name, str) or type(name) is int for name in ids):
        return None
    return RowsToStore(of_array(matrix), ids)


def _columns(data: Any) -> list[str]:
    names = getattr(data, "column_names", None)
    return list(getattr(data, "columns", ()) if names is None else names)


def _have_ids(data: Any) -> bool:
    if are_records(data):
        return all(row is None or "id" in row for row in data)
    return not isinstance(data, (list, tuple)) and "id" in _columns(data)


def created(
    folder: str | os.PathLike[str],
    data: Source | None,
    ids: Sequence[Id] | None,
    kind: str | None,
    options: Mapping[str, object],
) -> StoredIndex:
    """Creates the folder with the given rows."""
    data = None if data is None else _read(data)
    given = completed({"kind": kind, **options}, *([] if data is None else [data]))
    if options.get("id") is None:
        given.pop("id", None)  # decided by the field of the first row
        if data is not None and ids is None and not _have_ids(data):
            given["id"] = "row"
    rows = None
    if data is not None:
        rows = rows_of(data, str(given.get("column", "text")), str(given.get("kind", "text")),
                       str(given.get("id", "id")), _field_names(given.get("fields")))
    path = os.fspath(folder)
    native, names = (None, None) if rows is None else (rows.native, rows.named(ids))
    return StoredIndex(path, False, _sosie.StoredIndex.create(path, given, native, names))


def opened(
    folder: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    read_only: bool = False,
    token: str | None = None,
) -> StoredIndex:
    """Opens the folder or folders, or connects to the service at an address."""
    is_one = isinstance(folder, (str, os.PathLike))
    folders = [folder] if isinstance(folder, (str, os.PathLike)) else folder  # repeated for mypy
    paths = [os.fspath(path) for path in folders]
    are_addresses = any(path.startswith(("http://", "https://")) for path in paths)
    if is_one and are_addresses:
        return StoredIndex(paths[0], read_only, RemoteIndex(paths[0], token))
    if are_addresses:
        raise OptionError("folder: several indexes must be folders, not addresses")
    if token is not None:
        raise OptionError("token: works only with the address of a service", option="token")
    index = _sosie.StoredIndex.open(paths, read_only, {})
    return StoredIndex(paths[0] if is_one else paths, index.read_only, index)
