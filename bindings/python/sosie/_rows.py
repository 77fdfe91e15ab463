"""Rows in memory, whatever holds them, and what can be done with them without importing it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from .errors import InputError

T = TypeVar("T")


class Rows:
    """The rows of an Arrow object or of a list of texts, which are compared where they lie."""

    def __init__(self, data: object, columns: Sequence[str]):
        self.data = data
        self._columns = columns
        self.read: Any = readable(data, columns)
        self.table: Any = _sosie.table(self.read)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (self.data, self._columns)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def native(self) -> object:
        """What the library takes."""
        return self.table

    def has_column(self, column: str) -> bool:
        return self.table.column_names == [""] or column in self.table.column_names

    def texts(self, column: str, rows: Sequence[int]) -> list[str | None]:
        """What stands in the column that was compared."""
        names = self.table.column_names
        position = 0 if names == [""] else names.index(column)
        return cast("list[str | None]", self.table.values(position, list(rows)))


class Items:
    """Items in memory that the library reads from a file: sets, bags, vectors, bit strings, records.
    They are written for the run, and the file goes with this object."""

    def __init__(self, data: object, columns: Sequence[str], kind: str, folder: str | None):
        self.data = data
        self._made_of = (data, columns, kind, folder)
        # A matrix is written as it is; a list of its numbers would take many times its memory.
        self.read: Any = data if isinstance(data, np.ndarray) else readable(data, columns)
        place = tempfile.mkdtemp(prefix="sosie-", dir=folder)
        weakref.finalize(self, _remove_own, place, os.getpid())
        if kind == "bits" and may_be_bits(data):
            self.path = os.path.join(place, "table.txt")
            with open(self.path, "w", encoding="ascii") as out:
                out.writelines(row.tobytes().hex() + "\n" for row in packed_bits(data))
            return
        if kind == "bits":
            _refuse_numbers(self.read, columns[0])
        if isinstance(data, np.ndarray):
            self.path = os.path.join(place, "table.npy")
            np.save(self.path, np.ascontiguousarray(data), allow_pickle=False)
            return
        self.path = os.path.join(place, "table.jsonl")
        if isinstance(self.read, (list, tuple)):
            as_they_are = are_records(self.read)
            with open(self.path, "wb") as out:
                for number, row in enumerate(self.read):
                    fields = row if as_they_are else fields_of(row, columns)
                    out.write(_json_line(fields, number))
        else:
            _sosie.write_json_lines(self.read, columns, self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Items, self._made_of

    @property
    def native(self) -> object:
        """What the library takes."""
        return [self.path]


def _json_line(fields: Any, number: int) -> bytes:
    line = json.dumps(fields, default=plain, ensure_ascii=False) + "\n"
    try:
        return line.encode()
    except UnicodeEncodeError:
        raise InputError(f"row {number}: a text holds a lone surrogate, which is no character\n"
                         "text.encode(errors='replace').decode() replaces them") from None


def may_be_bits(data: object) -> TypeGuard[npt.NDArray[Any]]:
    """Whether it is an array that packed_bits() takes or refuses, and no column of numbers."""
    if not isinstance(data, np.ndarray):
        return False
    return data.dtype.kind == "b" or (data.dtype.kind in "iuf" and data.ndim != 1)


def packed_bits(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Rows of bits as bytes, the first bit the highest of the first byte."""
    if rows.ndim == 2 and rows.dtype == np.bool_:
        return np.packbits(rows, axis=1)
    if rows.ndim == 2 and rows.dtype == np.uint8:
        return np.ascontiguousarray(rows)
    raise TypeError("arrays of bits are (rows, bits) of bool, or (rows, bytes) of uint8 as "
                    f"numpy.packbits makes them, not {rows.dtype} of shape {rows.shape}")


class Array:
    """Vectors or bit strings of one length, as the library takes them from memory."""

    def __init__(self, items: npt.NDArray[Any], kind: str):
        self.items, self.kind = items, kind

    @property
    def native(self) -> object:
        """What the library takes."""
        return (self.items, self.kind)


def as_array(data: object, kind: str) -> Array | None:
    """The items of an array or a list, if all have one length and the library takes them from memory."""
    if kind == "bits":
        if may_be_bits(data):
            return Array(packed_bits(data), kind)
        return _array_of_digits(data) if isinstance(data, (list, tuple)) else None
    if kind != "vectors":
        return None
    if isinstance(data, (list, tuple)):
        try:
            data = np.asarray(data)
        except ValueError:  # rows of different lengths
            return None
    if not isinstance(data, np.ndarray) or data.ndim != 2 or data.dtype.kind not in "fiu":
        return None
    kept = {"f2": np.float32, "f4": np.float32, "i1": np.int8, "u1": np.uint8}
    name = data.dtype.kind + str(data.dtype.itemsize)
    return Array(np.ascontiguousarray(data, kept.get(name, np.float64)), kind)


def _array_of_digits(rows: Sequence[Any]) -> Array | None:
    if not rows or not all(isinstance(row, str) and len(row) == len(rows[0]) for row in rows):
        return None
    try:
        packed = bytes.fromhex("".join(rows))
    except ValueError:
        return None
    if 2 * len(packed) != len(rows) * len(rows[0]) or len(rows[0]) % 2 != 0:  # blanks, half a byte
        return None
    return Array(np.frombuffer(packed, np.uint8).reshape(len(rows), -1), kind="bits")


def _remove_own(folder: str, process: int) -> None:
    if os.getpid() == process:  # a forked child leaves it to its parent
        shutil.rmtree(folder, ignore_errors=True)


def _refuse_numbers(rows: Any, column: str) -> None:
    """Numbers would be taken for hexadecimal digits as they are written."""
    if isinstance(rows, (list, tuple, np.ndarray)):
        first = next((row for row in rows if row is not None), None)
    else:
        table = _sosie.table(rows)
        names = table.column_names
        known = column in names and len(table) > 0
        first = table.values(names.index(column), [0])[0] if known else None
    if first is not None and not isinstance(first, str):
        raise TypeError("bit strings are texts of hexadecimal digits, such as f'{number:016x}'")


def library_of(data: object) -> str:
    """"pandas", of a data frame of pandas."""
    return type(data).__module__.partition(".")[0]


def readable(data: Any, columns: Sequence[str]) -> Any:
    """What holds the rows of an object: an Arrow object or a list. Only these columns are needed; a
    column alone is called like the first of them. What can be read once is read here."""
    library = library_of(data)
    if isinstance(data, np.ndarray):
        return data.tolist()
    if hasattr(data, "collect") and library == "polars":
        raise TypeError("a LazyFrame holds no rows: give what .collect() makes of it")
    if library == "datasets":
        if isinstance(data, Mapping):
            raise TypeError(f"{type(data).__name__}: give one of its datasets: {', '.join(data)}")
        return data.with_format("arrow")[:] if hasattr(data, "with_format") else list(data)
    if "duckdb" in library and importlib.util.find_spec("pyarrow") is not None:
        return _read_once(getattr(data, "to_arrow_table", None) or data.fetch_arrow_table)
    if library == "pyarrow" and hasattr(data, "read_all"):
        return _read_once(data.read_all)
    if library == "pyarrow" and not hasattr(data, "schema") and hasattr(data, "type"):
        import pyarrow

        return pyarrow.table({columns[0]: data})
    if hasattr(data, "to_frame"):
        return data.to_frame(columns[0])
    if library == "pandas" and all(name in data.columns for name in columns):
        return data[list(columns)]
    return data


def _read_once(read: Callable[[], T]) -> T:
    try:
        return read()
    except Exception as error:
        raise InputError(f"the rows cannot be read: {error}") from error


def only_column(data: Any) -> str | None:
    """The name of the column of a table with one alone."""
    if hasattr(data, "collect"):  # a LazyFrame, which would have to look
        return None
    names = getattr(data, "column_names", None)
    if names is None:
        names = getattr(data, "columns", None)
    if names is None or isinstance(data, Mapping) or len(names) != 1:
        return None
    return str(names[0]) or None


def fields_of(row: Any, columns: Sequence[str]) -> dict[str, object]:
    """A row of a list with the columns' names: its parts, or it is the only one."""
    if len(columns) == 1:
        return {columns[0]: plain(row)}
    return dict(zip(columns, map(plain, row), strict=True))


def plain(value: Any) -> object:
    """What a list holds, as JSON has it."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {plain(name): number for name, number in value.items()}
    if isinstance(value, bytes):
        raise TypeError("items hold str and numbers, not bytes")
    return value


def are_records(data: object) -> bool:
    """Whether a list holds rows with named fields, and not bags of counted elements."""
    if not isinstance(data, (list, tuple)):
        return False
    first = next((row for row in data if row is not None), None)
    return isinstance(first, Mapping) and not all(
        isinstance(value, (int, float, np.number)) for value in first.values()
    )


def kind_of_items(data: object) -> str | None:
    """The kind of the items that an object holds, where the object tells: None for texts."""
    if isinstance(data, np.ndarray):
        if data.dtype.kind not in "fiub":
            return None
        if data.dtype.kind == "b":
            return "bits"
        if data.ndim != 2:
            raise TypeError(f"numbers are rows of vectors, (rows, dimension), and not {data.shape}")
        return "vectors"
    if isinstance(data, (list, tuple)):
        first = next((row for row in data if row is not None), None)
        if isinstance(first, (set, frozenset)):
            return "sets"
        if isinstance(first, Mapping):
            return None if are_records(data) else "bags"
        if isinstance(first, np.ndarray):
            return "vectors"
    return None


def filtered(data: T, mask: npt.NDArray[np.bool_], read: Any = None) -> T:
    """The rows of `data` for which the mask is true, as the same kind of object. `read`: what was
    made of it, if it can be read once only."""
    library = library_of(data)
    frame: Any = data
    once = "duckdb" in library or hasattr(data, "read_all")
    held: Any = data
    if once:
        held = readable(data, []) if read is None else read
    if hasattr(held, "__len__") and len(held) != len(mask):
        raise ValueError(f"{len(mask):,} rows were compared, these are {len(held):,}")
    if isinstance(data, (list, tuple)):
        return cast("T", type(data)(row for row, keep in zip(data, mask, strict=True) if keep))
    if isinstance(data, np.ndarray):
        return cast("T", data[mask])
    if library == "polars":
        import polars

        return cast("T", frame.filter(polars.Series(mask)))
    if library == "pyarrow":
        return cast("T", arrow_rows(held, mask))
    if library == "pandas":
        return cast("T", frame[mask])
    if library == "datasets" and hasattr(data, "select"):
        return cast("T", frame.select(np.flatnonzero(mask)))
    if library == "datasets":
        return cast("T", [row for row, keep in zip(frame, mask, strict=True) if keep])
    if once and held is not data:
        return cast("T", _relation_of(frame, held, mask))
    raise TypeError(
        f"cannot take rows out of {library}.{type(data).__name__}: use the positions in .kept"
    )


def arrow_rows(held: Any, mask: npt.NDArray[np.bool_]) -> Any:
    """The rows of an object of pyarrow, which cannot take them out of columns of views itself."""
    import pyarrow

    try:
        return held.filter(pyarrow.array(mask))
    except pyarrow.ArrowNotImplementedError:
        if hasattr(held, "columns"):
            columns = [arrow_rows(column, mask) for column in held.columns]
            return type(held).from_arrays(columns, schema=held.schema)
        offsets = {"string_view": "large_string", "binary_view": "large_binary"}
        if str(held.type) not in offsets:
            raise
        rows = held.cast(offsets[str(held.type)]).filter(pyarrow.array(mask))
        return rows.cast(held.type)


def _relation_of(asked: Any, table: Any, mask: npt.NDArray[np.bool_]) -> object:
    """Rows that were read of what DuckDB found, as a relation of the same connection. Asked again, it
    might give them in another order."""
    sosie_kept = arrow_rows(table, mask)
    if not hasattr(asked, "alias"):  # a connection, of con.execute(...)
        return cast("object", asked.from_arrow(sosie_kept))
    return cast("object", asked.query("given", "SELECT * FROM sosie_kept"))
