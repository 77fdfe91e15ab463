"""A datatrove block that drops the documents removed by `sosie dedup`::

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from sosie.datatrove import SosieDedupFilter

    LocalPipelineExecutor(
        [JsonlReader("corpus/"), SosieDedupFilter("removed.tsv"), JsonlWriter("clean/")], tasks=8
    ).run()

It replaces the filter after datatrove's own stages of deduplication.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import fsspec
    from datatrove.data import Document, DocumentsPipeline
    from datatrove.pipeline.filters.base_filter import BaseFilter
    from datatrove.pipeline.writers.disk_base import DiskWriter
    from loguru import logger
except ImportError as missing:
    raise ImportError(f"sosie.datatrove needs {missing.name}: pip install 'sosie[datatrove]'"
                      ) from missing

from .errors import InputError

KEY_BYTES = 16


class SosieDedupFilter(BaseFilter):  # type: ignore[misc]
    """Drops the documents that a run removed. Each task reads the table of removed rows and needs
    up to 40 bytes of memory per row.

    Args:
        removed: file written by `sosie dedup --removed` (.tsv, .csv, .jsonl, compressed or not,
            .parquet, .arrow; any address that fsspec opens), or ids. Documents match by id if the
            `id_key` of the reader is the `id` of the run. Documents numbered by the reader match by
            file and number.
        exclusion_writer: writer for the dropped documents.
    """

    name = "🎯 Sosie"

    def __init__(self, removed: str | os.PathLike[str] | Iterable[object],
                 exclusion_writer: DiskWriter | None = None):
        super().__init__(exclusion_writer)
        if isinstance(removed, (str, os.PathLike)):
            self.removed: str | frozenset[str] = whole_path(os.fspath(removed))
        else:
            self.removed = frozenset(map(str, removed))
        self._keys: Keys | None = None
        self._dropped = 0

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_keys": None}  # each task reads it

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Returns False for a removed document, with the reason for statistics."""
        if self._keys is None:
            self._keys = Keys(keys_of_removed(self.removed))
        if any(map(self._keys.hold, keys_of(doc))):
            self._dropped += 1
            return False, "near_duplicate"
        return True

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Yields the kept documents."""
        self._dropped = 0
        yield from super().run(data, rank, world_size)
        if self._keys is not None and self._keys.count > 0 and self._dropped == 0:
            logger.warning(f"{rank=}: no document is among the removed rows; are these their ids?")


class Keys:
    """Sorted keys. Most documents are kept, so a bitmap is asked first."""

    def __init__(self, keys: npt.NDArray[np.bytes_]):
        self._keys = keys
        self.count = len(keys)
        bits = 1 << max(3, (16 * self.count - 1).bit_length())
        self._mask = bits - 1
        is_used = np.zeros(bits, bool)
        firsts = np.frombuffer(keys.tobytes(), np.dtype("<u8"))[::2]
        is_used[(firsts & np.uint64(self._mask)).astype(np.int64)] = True
        self._is_used = np.packbits(is_used, bitorder="little").tobytes()

    def hold(self, key: bytes) -> bool:
        bit = int.from_bytes(key[:8], "little") & self._mask
        if not self._is_used[bit >> 3] >> (bit & 7) & 1:
            return False
        at = np.searchsorted(self._keys, key)
        return bool(at < self.count and self._keys[at] == key.rstrip(b"\0"))  # as numpy has them


def keys_of(doc: Document) -> list[bytes]:
    """Keys of a document: its id or, if the reader named it by file and row, the file and row."""
    name, _, row = str(doc.id).rpartition("/")
    if name == "" or not row.isdecimal():
        return [key_of(str(doc.id))]
    path = str(doc.metadata.get("file_path", ""))
    if not path.endswith(name):
        return [key_of(str(doc.id))]
    path, number = whole_path(path), int(row)
    if re.search(r"\.jsonl(\.(gz|zst))?$", path):  # the reader counts blank lines, a run does not
        number -= int(np.searchsorted(blank_lines(path), number))
    return [key_of(str(doc.id)), key_of(path, number)]


@functools.lru_cache(maxsize=4)
def blank_lines(path: str) -> npt.NDArray[np.int64]:
    with fsspec.open(path, "rb", compression="infer") as file:
        return np.array([at for at, line in enumerate(file) if not line.strip()], np.int64)


def key_of(name: str, row: int | None = None) -> bytes:
    """A 128-bit hash of an id, or of a file and row."""
    text = name if row is None else f"\0{name}\0{row}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def whole_path(path: str) -> str:
    return path if "://" in path else os.path.abspath(path)


def keys_of_removed(removed: str | frozenset[str]) -> npt.NDArray[np.bytes_]:
    """Sorted keys of removed rows: by id and, where known, by file and row."""
    keys = bytearray()
    if not isinstance(removed, str):
        keys += b"".join(map(key_of, removed))
    else:
        paths: dict[str, str] = {}
        for row in rows_of(removed):
            if "id" not in row:
                raise InputError(f"{removed}: has no column id: it is not what --removed wrote",
                                 place=removed)
            keys += key_of(str(row["id"]))
            file = row.get("file")
            if file is not None and row.get("row") is not None:
                if file not in paths:
                    paths[file] = whole_path(file)
                keys += key_of(paths[file], int(row["row"]))
    found: npt.NDArray[np.bytes_] = np.frombuffer(keys, f"S{KEY_BYTES}")
    found.sort()
    return found


def rows_of(path: str) -> Iterator[dict[str, Any]]:
    """Rows of a table written by a run; the extension gives the format."""
    name = re.sub(r"\.(gz|zst)$", "", path)
    if name.endswith((".parquet", ".arrow")):
        with fsspec.open(path, "rb") as file:
            yield from table_of(file, name).to_pylist()
        return
    with fsspec.open(path, "rt", compression="infer", encoding="utf-8", newline="") as file:
        if name.endswith(".jsonl"):
            yield from map(json.loads, file)
        elif name.endswith(".csv"):
            yield from csv.DictReader(file)
        else:
            lines = (line.rstrip("\n").split("\t") for line in file)
            header = next(lines, ["id"])
            read = [(name, at) for at, name in enumerate(header) if name in ("id", "file", "row")]
            for fields in lines:
                if len(fields) != len(header):
                    raise InputError(f"{path}: a line has {len(fields)} fields, not {len(header)}", place=path)
                yield {name: unescaped(fields[at]) for name, at in read}


def table_of(file: Any, name: str) -> Any:
    if name.endswith(".parquet"):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(file)
    import pyarrow.ipc

    return pyarrow.ipc.open_file(file).read_all()


def unescaped(field: str) -> str:
    """Decodes a TSV field: unescapes tabs, line ends and backslashes, and unquotes a field that begins
    with a quote."""
    if field.startswith('"'):
        field = field[1:-1].replace('""', '"')
    if "\\" not in field:
        return field
    letters = {"t": "\t", "n": "\n", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: letters.get(found[1], found[1]), field)
