"""Reads and writes Parquet and Arrow IPC with pyarrow, for include/sosie/table_files.h."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from . import _sosie
from ._rows import arrow_rows

# Older versions run code embedded in a file (CVE-2023-47248).
OLDEST = (14, 0, 1)
if tuple(map(int, re.findall(r"\d+", pa.__version__)[:3])) < OLDEST:
    raise ImportError(f"pyarrow {pa.__version__} is not safe with untrusted files; use 14.0.1 or newer")

Sink = Callable[[bytes], None]
Choose = Callable[[int], tuple[bytes, object | None]]


class Capsule:
    """Wraps Arrow data of the library for pyarrow."""

    def __init__(self, schema: object, array: object = None) -> None:
        self.schema, self.array = schema, array

    def __arrow_c_schema__(self) -> object:
        return self.schema

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.schema, self.array


class Output:
    """The library's output file as a file object for pyarrow."""

    closed = False

    def __init__(self, sink: Sink) -> None:
        self.sink: Sink | None = sink
        self.position = 0

    def write(self, data: Any) -> int:
        if self.sink is not None:
            self.sink(bytes(data))
        self.position += len(data)
        return len(data)

    def tell(self) -> int:
        return self.position

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def writable(self) -> bool:
        return True


class Manner(NamedTuple):
    """Properties of a file that a copy keeps."""

    schema: pa.Schema
    row_group_rows: int
    compression: Any  # Parquet: codec by column; Arrow: codec or None


def plain(path: str) -> str:
    """Makes a local path absolute if it looks like an address."""
    return os.path.abspath(path) if "://" in path else path


def parquet_batches(path: str, columns: list[str] | None) -> pa.RecordBatchReader:
    path = plain(path)
    file = pyarrow.parquet.ParquetFile(path, buffer_size=1 << 14, pre_buffer=False)
    groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
    sizes = sum(max(0, group.total_byte_size) for group in groups)  # regardless of the file
    rows = _sosie.table_batch_rows(min(sizes, 1 << 40), file.metadata.num_rows)
    schema = file.schema_arrow
    if columns is not None:
        schema = pa.schema([field for field in schema if field.name in columns], schema.metadata)
    batches = file.iter_batches(rows, columns=columns, use_threads=False)
    return pa.RecordBatchReader.from_batches(schema, batches)


def manner_of_parquet(path: str) -> Manner:
    path = plain(path)
    metadata = pyarrow.parquet.read_metadata(path)
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    compression = {}
    if groups:
        columns = [groups[0].column(i) for i in range(groups[0].num_columns)]
        codecs = {"UNCOMPRESSED": "NONE"}
        compression = {
            column.path_in_schema: codecs.get(column.compression, column.compression)
            for column in columns
        }
    rows = max([1, *(group.num_rows for group in groups)])
    return Manner(pyarrow.parquet.read_schema(path), rows, compression)


class ParquetSink:
    def __init__(self, manner: Manner, output: Output) -> None:
        added = dict.fromkeys(manner.schema.names, "snappy")  # columns missing in the model
        self.writer = pyarrow.parquet.ParquetWriter(
            output, manner.schema, compression={**added, **manner.compression}, write_page_index=True
        )

    def write(self, part: pa.Table) -> None:
        self.writer.write_table(part, max(1, part.num_rows))

    def close(self) -> None:
        self.writer.close()


def open_ipc(path: str, options: Any = None) -> Any:
    source = pa.OSFile(path)
    is_file = source.read(6) == b"ARROW1"
    source.seek(0)
    opened = pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream
    return opened(source, options=options)


def as_bytes(column: Any) -> Any:
    """Converts texts to bytes, so that invalid UTF-8 can be read."""
    if pa.types.is_dictionary(column.type):
        values = as_bytes(column.dictionary)
        return pa.DictionaryArray.from_arrays(column.indices, values, safe=False)
    kinds = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    return column.view(kinds[column.type]) if column.type in kinds else column


def checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Checks that the offsets of a batch lie within its buffers; Arrow reads them from the file unchecked."""
    for column in batch.columns:
        if len(column) != batch.num_rows:
            raise pa.ArrowInvalid("columns of different lengths")
        column.validate()
        as_bytes(column).validate(full=True)
    return batch


def arrow_batches(path: str, columns: list[str] | None) -> pa.RecordBatchReader:
    reader = open_ipc(path)
    if columns is not None:
        numbers = [i for i, name in enumerate(reader.schema.names) if name in columns]
        reader = open_ipc(path, pyarrow.ipc.IpcReadOptions(included_fields=numbers))

    def batches() -> Iterator[pa.RecordBatch]:
        if isinstance(reader, pa.RecordBatchReader):
            yield from map(checked, reader)
            return
        for i in range(reader.num_record_batches):
            yield checked(reader.get_batch(i))

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


def manner_of_arrow(path: str) -> Manner:
    return Manner(open_ipc(path).schema, _sosie.ARROW_BATCH_ROWS, _sosie.arrow_ipc_codec(path) or None)


class ArrowSink:
    def __init__(self, manner: Manner, output: Output) -> None:
        options = pyarrow.ipc.IpcWriteOptions(compression=manner.compression, use_threads=False)
        self.writer = pyarrow.ipc.new_file(
            output, manner.schema, options=options, metadata=manner.schema.metadata
        )

    def write(self, part: pa.Table) -> None:
        self.writer.write_table(part)

    def close(self) -> None:
        self.writer.close()


BATCHES = {"parquet": parquet_batches, "arrow": arrow_batches}
MANNERS = {"parquet": manner_of_parquet, "arrow": manner_of_arrow}
SINKS: dict[str, Callable[[Manner, Output], ParquetSink | ArrowSink]] = {
    "parquet": ParquetSink,
    "arrow": ArrowSink,
}


class Writer:
    def __init__(self, format: str, model: Manner, added: pa.Schema, sink: Sink) -> None:
        self.format, self.model = format, model
        self.added = added
        self.schema = pa.schema([*model.schema, *added], model.schema.metadata)
        self.output = Output(sink)
        self.sink = SINKS[format](model._replace(schema=self.schema), self.output)
        self.gathered: list[pa.RecordBatch] = []
        self.rows = self.bytes = 0

    def __del__(self) -> None:
        # pyarrow's writers write a footer on destruction; after a failed run it goes nowhere.
        self.output.sink = None

    def copy(self, path: str, choose: Choose) -> None:
        batches = BATCHES[self.format](path, None)
        if not batches.schema.equals(self.model.schema):
            raise ValueError("its columns are not those of the first file")
        for batch in batches:
            keep, added = choose(batch.num_rows)
            kept = batch if all(keep) else arrow_rows(batch, np.frombuffer(keep, bool))
            if added is not None:
                more = self.batch_of(self.added, added)
                kept = pa.RecordBatch.from_arrays([*kept.columns, *more.columns], schema=self.schema)
            self.gather(kept)

    def append(self, batch: object) -> None:
        self.gather(self.batch_of(self.schema, batch))

    def finish(self) -> None:
        self.flush()
        self.sink.close()

    def batch_of(self, schema: pa.Schema, array: object) -> pa.RecordBatch:
        return pa.record_batch(Capsule(schema.__arrow_c_schema__(), array))

    def gather(self, batch: pa.RecordBatch) -> None:
        while batch.num_rows:
            part = batch.slice(0, self.model.row_group_rows - self.rows)
            batch = batch.slice(part.num_rows)
            self.gathered.append(part)
            self.rows += part.num_rows
            self.bytes += part.nbytes
            if self.rows == self.model.row_group_rows or self.bytes >= _sosie.ROW_GROUP_BYTES:
                self.flush()

    def flush(self) -> None:
        if self.rows:
            self.sink.write(pa.Table.from_batches(self.gathered, self.schema))
        self.gathered, self.rows, self.bytes = [], 0, 0


def column_names(format: str, path: str) -> list[str]:
    return list(MANNERS[format](path).schema.names)


def read(format: str, path: str, columns: list[str]) -> pa.RecordBatchReader:
    return BATCHES[format](path, columns)


def write_like(format: str, model: str, added: object | None, sink: Sink) -> Writer:
    more = pa.schema([]) if added is None else pa.schema(Capsule(added))
    return Writer(format, MANNERS[format](model), more, sink)


def write(format: str, columns: object, sink: Sink) -> Writer:
    schema = pa.schema(Capsule(columns))
    return Writer(format, Manner(schema, _sosie.ROW_GROUP_ROWS, {} if format == "parquet" else None),
                  pa.schema([]), sink)
