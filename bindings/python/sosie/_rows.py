"""Rows in memory, in any container; handles other libraries without importing them."""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, TypeGuard, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _sosie
from .errors import InputError

T = TypeVar("T")


def imported(library: str, extra: str) -> Any:
    """A library that the package does without until it is needed."""
    try:
        return importlib.import_module(library)
    except ImportError as missing:
        raise ImportError(f"this needs {missing.name}: pip install 'sosie[{extra}]'") from missing


class Rows:
    """The rows of an Arrow object or a list of texts, compared without a copy."""

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
        """Returns the rows in the form that the library accepts."""
        return self.table

    def has_column(self, column: str) -> bool:
        return self.table.column_names == [""] or column in self.table.column_names

    def are_plain(self, column: str) -> bool:
        """Tells whether the column holds texts, and all columns read hold texts, numbers or booleans."""
        names = self.table.column_names
        if names == [""]:
            return bool(self.table.holds_text(0))
        return bool(self.table.holds_text(names.index(column))) and all(
            self.table.holds_values(names.index(name)) for name in self._columns if name in names)

    def texts(self, column: str, rows: Sequence[int]) -> list[str | None]:
        """The values of the compared column."""
        names = self.table.column_names
        position = 0 if names == [""] else names.index(column)
        return cast("list[str | None]", self.table.values(position, list(rows)))


class Items:
    """Items in memory other than texts: sets, bags, vectors, bit strings, records. Arrays are read
    without a copy, other items as lines of JSON, as files of tables are. `alone`: no other column is
    needed, and rows are not written. `read`: rows already read from the data."""

    def __init__(self, data: object, columns: Sequence[str], kind: str, alone: bool = False,
                 read: Any = None):
        self.data = data
        self._made_of = (data, columns, kind, alone)
        self.read: Any = data
        if kind == "bits" and may_be_bits(data):
            self.native: object = _sosie.bit_rows(packed_bits(data))
        elif is_sparse(data):
            self.native = _of_sparse(data, columns[0], kind)
        elif isinstance(data, np.ndarray) and data.dtype.kind in "fiubc" and kind != "pairs":
            if kind == "bits":
                _refuse_numbers(data, columns[0])
            self.native = of_array(data)
        else:
            self.read = readable(data, columns) if read is None else read
            if kind == "bits":
                _refuse_numbers(self.read, columns[0])
            matrix = matrix_of(self.read, columns[0]) if kind == "vectors" and alone else None
            if matrix is not None:
                self.native = of_array(matrix)
            elif isinstance(self.read, (list, tuple)):
                named = are_records(self.read)
                self.native = _sosie.list_rows(self.read, [] if named else columns)
            else:
                self.native = _sosie.arrow_rows(self.read, columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return Items, self._made_of


def of_array(rows: npt.NDArray[Any]) -> _sosie.MemoryRows:
    """An array in the format of numpy.save(), without a copy of its numbers."""
    if not rows.flags.f_contiguous:
        rows = np.ascontiguousarray(rows)
    header = io.BytesIO()
    described = np.lib.format.header_data_from_array_1_0(rows)
    np.lib.format.write_array_header_1_0(header, described)
    order: Literal["C", "F"] = "F" if described["fortran_order"] else "C"
    return _sosie.array_rows(header.getvalue(), rows.ravel(order).view(np.uint8),
                             len(rows))


def matrix_of(rows: Any, column: str) -> npt.NDArray[Any] | None:
    """The column of vectors of a polars frame or pyarrow table as an array, without a copy if it is one
    chunk; None if vectors are missing or have different lengths."""
    library = library_of(rows)
    if library == "polars" and column in getattr(rows, "columns", ()):
        lists = rows[column]
        if getattr(lists.dtype, "inner", None) is None or lists.null_count() > 0 or len(lists) == 0:
            return None
        lengths = (lists.arr if hasattr(lists.dtype, "size") else lists.list).len()
        is_even = lengths.min() == lengths.max() and lengths.min() > 0
        numbers = lists.explode()
        return _reshaped(numbers, numbers.null_count(), len(lists)) if is_even else None
    if library == "pyarrow" and column in getattr(rows, "column_names", ()):
        import pyarrow

        lists = rows[column]
        chunks = lists.chunks if hasattr(lists, "chunks") else [lists]
        if lists.null_count > 0 or len(lists) == 0 or not _are_lists(lists.type):
            return None
        lengths = {length for chunk in chunks for length in _lengths(chunk)}
        if len(lengths) != 1 or lengths == {0}:
            return None
        numbers = pyarrow.concat_arrays([chunk.flatten() for chunk in chunks])
        return _reshaped(numbers, numbers.null_count, len(lists))
    return None


def _are_lists(kind: Any) -> bool:
    from pyarrow import types

    return any(is_one(kind) for is_one in (types.is_list, types.is_large_list,
                                           types.is_fixed_size_list))


def _lengths(chunk: Any) -> set[int]:
    """The distinct lengths of the lists in a pyarrow array."""
    from pyarrow import types

    if types.is_fixed_size_list(chunk.type):
        return {chunk.type.list_size}
    return set(np.unique(np.diff(chunk.offsets.to_numpy())).tolist())


def _reshaped(numbers: Any, nulls: int, rows: int) -> npt.NDArray[Any] | None:
    if nulls > 0:
        return None
    flat: npt.NDArray[Any] = np.asarray(numbers)
    return flat.reshape(rows, -1) if flat.dtype.kind in "fiu" else None


def is_sparse(data: object) -> bool:
    """Tells whether the object is a sparse scipy matrix or array."""
    return library_of(data) == "scipy" and hasattr(data, "tocsr")


def _of_sparse(data: Any, column: str, kind: str) -> _sosie.MemoryRows:
    if kind == "vectors":
        return of_array(_dense(data))
    if kind not in ("sets", "bags"):
        raise TypeError(f"a sparse matrix cannot be read as {kind}: kind='sets' uses the nonzero columns, kind='bags' their whole counts, kind='vectors' all numbers")
    rows = data.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    counts = rows.data if kind == "bags" else None
    if counts is not None and not (np.isreal(counts) & (counts > 0) & (counts % 1 == 0)).all():
        raise InputError("the rows: a count is not a whole number above 0",
                         place="the rows", hint="kind='sets' uses the nonzero columns")
    return _sosie.sparse_rows(rows.indptr.astype(np.int64), rows.indices.astype(np.int64),
                              None if counts is None else counts.astype(np.int64),
                              json.dumps(column, ensure_ascii=False))


MOST_DENSE_BYTES = 1 << 28


def _dense(data: Any) -> npt.NDArray[Any]:
    size = data.shape[0] * data.shape[1] * data.dtype.itemsize
    if size > MOST_DENSE_BYTES:
        raise TypeError(f"a sparse matrix of {data.shape} needs {size >> 20:,} MiB as vectors: pass its .toarray() if that fits, or kind='sets' or 'bags'")
    return cast("npt.NDArray[Any]", data.toarray())


def held(data: Any) -> Any:
    """Rows that can be iterated only once, such as a generator, as a list."""
    known = isinstance(data, (str, bytes, os.PathLike, list, tuple, np.ndarray, Mapping, AbstractSet))
    if known or not isinstance(data, Iterable) or hasattr(data, "__arrow_c_stream__"):
        return data
    if hasattr(data, "readline"):
        raise TypeError(f"{type(data).__name__} is an open file: pass its path, or a table "
                        "(pandas.read_csv(file), pyarrow.json.read_json(file)), or "
                        "file.read().splitlines() for lines that are texts")
    library = library_of(data)
    if library == "datasets":
        return data if hasattr(data, "__len__") or is_read_once(data) else list(data)
    if library in ("pandas", "polars", "pyarrow", "scipy") or "duckdb" in library:
        return data
    return list(data)


def may_be_bits(data: object) -> TypeGuard[npt.NDArray[Any]]:
    """True if the object is an array for packed_bits() to accept or reject, not a column of numbers."""
    if not isinstance(data, np.ndarray):
        return False
    return data.dtype.kind == "b" or (data.dtype.kind in "iuf" and data.ndim != 1)


def packed_bits(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Packs rows of bits into bytes; the first bit is the highest of the first byte."""
    if rows.ndim == 2 and rows.dtype == np.bool_:
        return np.packbits(rows, axis=1)
    if rows.ndim == 2 and rows.dtype == np.uint8:
        return np.ascontiguousarray(rows)
    raise TypeError("arrays of bits are (rows, bits) of bool, or (rows, bytes) of uint8 as "
                    f"numpy.packbits makes them, not {rows.dtype} of shape {rows.shape}")


class Array:
    """Vectors or bit strings of one length, in the form the library reads from memory."""

    def __init__(self, items: npt.NDArray[Any], kind: str):
        self.items, self.kind = items, kind

    @property
    def native(self) -> object:
        """Returns the rows in the form that the library accepts."""
        return (self.items, self.kind)


def as_array(data: object, kind: str) -> Array | None:
    """The items of an array or list, if all have one length and the library can read them from memory."""
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


def _refuse_numbers(rows: Any, column: str) -> None:
    """Refuses numbers, whose digits would be read as hexadecimal."""
    if isinstance(rows, (list, tuple, np.ndarray)):
        first = next((row for row in rows if row is not None), None)
        if are_records(rows):
            first = cast("Mapping[str, Any]", first).get(column)
    else:
        table = _sosie.table(rows)
        names = table.column_names
        known = column in names and len(table) > 0
        first = table.values(names.index(column), [0])[0] if known else None
    if first is not None and not isinstance(first, str):
        raise TypeError("bit strings are texts of hexadecimal digits, such as f'{number:016x}'")


def library_of(data: object) -> str:
    """The name of the library an object belongs to, such as "pandas" for a DataFrame."""
    return type(data).__module__.partition(".")[0]


def is_read_once(data: Any) -> bool:
    """Tells whether rows are produced on reading, so that a second read fails or changes the order:
    a DuckDB relation, an Arrow reader, a LazyFrame, an IterableDataset."""
    library = library_of(data)
    if library == "datasets":
        return hasattr(data, "with_format") and not hasattr(data, "__len__")
    return "duckdb" in library or hasattr(data, "read_all") or is_lazy(data)


def is_lazy(data: Any) -> bool:
    return library_of(data) == "polars" and hasattr(data, "collect")


def held_table(data: Any) -> Any:
    """Returns the rows of `data` in memory; reads them once for all later uses."""
    return readable(data, []) if is_read_once(data) else held(data)


def _streamed_table(dataset: Any, columns: Sequence[str]) -> Any:
    """Reads an IterableDataset in batches into a pyarrow table. `columns`: the table's columns if the
    dataset has no rows and names no columns."""
    import pyarrow

    if dataset.features is None:  # each batch infers its own types
        batches = [pyarrow.table(columns) for columns in dataset.iter(batch_size=1000)]
    else:
        batches = list(dataset.with_format("arrow").iter(batch_size=1000))
        batches.append(dataset.features.arrow_schema.empty_table())
    if not batches:
        return pyarrow.table({name: pyarrow.array([], pyarrow.string()) for name in columns})
    return pyarrow.concat_tables(batches, promote_options="permissive")


def readable(data: Any, columns: Sequence[str]) -> Any:
    """Returns the rows of an object, as an Arrow object or a list. Only `columns` are needed; a single column
    gets the name of the first. Rows that can be read only once are read here."""
    library = library_of(data)
    if isinstance(data, np.ndarray):
        return data.tolist()
    if is_lazy(data):
        return _read_once(data.collect)
    if library == "datasets":
        if isinstance(data, Mapping):
            raise TypeError(f"{type(data).__name__}: pass one of its datasets: {', '.join(data)}")
        if is_read_once(data):
            return _read_once(lambda: _streamed_table(data, columns))
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
    """The name of the only column of a table."""
    names = getattr(data, "column_names", None)
    if names is None:
        names = data.collect_schema().names() if is_lazy(data) else getattr(data, "columns", None)
    if names is None or isinstance(data, Mapping) or len(names) != 1:
        return None
    return str(names[0]) or None


def are_records(data: object) -> bool:
    """Tells whether a list holds rows with named fields, not bags of counted elements."""
    if not isinstance(data, (list, tuple)):
        return False
    first = next((row for row in data if row is not None), None)
    return isinstance(first, Mapping) and not all(
        isinstance(value, (int, float, np.number)) for value in first.values()
    )


def kind_of_items(data: object) -> str | None:
    """The kind of items in an object, if its type shows it; None for texts."""
    if isinstance(data, np.ndarray):
        if data.dtype.kind not in "fiub":
            return None
        if data.dtype.kind == "b":
            return "bits"
        if data.ndim != 2:
            raise TypeError(f"an array of vectors must have shape (rows, dimension), not {data.shape}")
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
    """Returns the rows of `data` whose mask is true, as an object of the same type. `read`: the rows in
    memory, if `data` can be read only once."""
    library = library_of(data)
    frame: Any = data
    once = is_read_once(data)
    rows: Any = data
    if once:
        rows = readable(data, []) if read is None else read
    count = rows.shape[0] if is_sparse(rows) else len(rows) if hasattr(rows, "__len__") else None
    if count is not None and count != len(mask):
        raise ValueError(f"{len(mask):,} rows were compared, but here are {count:,}")
    if isinstance(data, (list, tuple)):
        return cast("T", type(data)(row for row, keep in zip(data, mask, strict=True) if keep))
    if isinstance(data, np.ndarray):
        return cast("T", data[mask])
    if is_sparse(data):
        return cast("T", frame.tocsr()[np.flatnonzero(mask)])
    if library == "polars":
        import polars

        kept = rows.filter(polars.Series(mask))
        return cast("T", kept.lazy() if once else kept)
    if library == "pyarrow":
        return cast("T", arrow_rows(rows, mask))
    if library == "pandas":
        return cast("T", pandas_rows(frame, mask))
    if library == "datasets" and hasattr(data, "select"):
        return cast("T", frame.select(np.flatnonzero(mask)))
    if library == "datasets" and once:
        return cast("T", _dataset_of(frame, arrow_rows(rows, mask)))
    if library == "datasets":
        return cast("T", [row for row, keep in zip(frame, mask, strict=True) if keep])
    if once and rows is not data:
        return cast("T", _relation_of(frame, rows, mask))
    raise TypeError(
        f"cannot select rows from {library}.{type(data).__name__}: use the positions in .kept"
    )


def _dataset_of(streamed: Any, table: Any) -> object:
    """Rows read from an IterableDataset as a Dataset with the same features. Its fingerprint is random;
    otherwise the library would hash all rows."""
    import datasets

    features = datasets.DatasetInfo(features=streamed.features)
    return cast("object", datasets.Dataset(table, features, fingerprint=os.urandom(8).hex()))


def pandas_rows(frame: Any, mask: npt.NDArray[np.bool_]) -> Any:
    """frame[mask]; columns of Arrow filter themselves, where a frame would join and take their chunks."""
    import pandas

    if type(frame) is not pandas.DataFrame or not any(
            isinstance(kind, (pandas.ArrowDtype, pandas.StringDtype)) for kind in frame.dtypes):
        return frame[mask]
    columns = {at: frame.iloc[:, at].array[mask] for at in range(frame.shape[1])}
    kept = pandas.DataFrame(columns, index=frame.index[mask], copy=False)
    kept.columns = frame.columns
    return kept.__finalize__(frame)


def arrow_mask(mask: npt.NDArray[np.bool_]) -> Any:
    """A mask as a pyarrow array, without pyarrow.array(), which imports pandas: 0.4 s."""
    import pyarrow

    bits = pyarrow.py_buffer(np.packbits(mask, bitorder="little"))
    return pyarrow.BooleanArray.from_buffers(pyarrow.bool_(), len(mask), [None, bits])


def arrow_rows(held: Any, mask: npt.NDArray[np.bool_]) -> Any:
    """Takes rows of a pyarrow object; pyarrow itself cannot take rows from columns of views."""
    import pyarrow

    taken = arrow_mask(mask)
    try:
        return held.filter(taken)
    except pyarrow.ArrowNotImplementedError:
        if hasattr(held, "columns"):
            columns = [arrow_rows(column, mask) for column in held.columns]
            return type(held).from_arrays(columns, schema=held.schema)
        offsets = {"string_view": "large_string", "binary_view": "large_binary"}
        if str(held.type) not in offsets:
            return _slices(held, mask)
        rows = held.cast(offsets[str(held.type)]).filter(taken)
        return rows.cast(held.type)


def _slices(held: Any, mask: npt.NDArray[np.bool_]) -> Any:
    """Concatenates runs of taken rows, for types such as lists of views."""
    import pyarrow

    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    runs = [held.slice(begin, end - begin) for begin, end in edges.reshape(-1, 2).tolist()]
    if hasattr(held, "chunks"):
        return pyarrow.chunked_array([part for run in runs for part in run.chunks], held.type)
    return pyarrow.concat_arrays(runs) if runs else held.slice(0, 0)


def _relation_of(asked: Any, table: Any, mask: npt.NDArray[np.bool_]) -> object:
    """Rows read from a DuckDB relation, as a relation of the same connection. The query itself might
    give another order when repeated."""
    sosie_kept = arrow_rows(table, mask)
    if not hasattr(asked, "alias"):  # a connection, of con.execute(...)
        return cast("object", asked.from_arrow(sosie_kept))
    return cast("object", asked.query("given", "SELECT * FROM sosie_kept"))
