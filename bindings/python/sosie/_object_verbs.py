"""Calls verbs with arguments that are addresses of objects."""

from __future__ import annotations

import contextlib
import gzip
import inspect
import io
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from ._addresses import address_of, told
from ._objects import ON_DISK, WRITTEN, Stage, is_read
from .errors import FileError, OptionError, UnsupportedError

T = TypeVar("T")

# Output files that name the inputs.
NAMING_INPUTS = ("stats", "report", "rejects", "removed")


def named_addresses(value: object) -> list[str]:
    """The addresses in a value or in a list of paths; a list of plain texts holds texts."""
    if isinstance(value, (list, tuple)):
        if not value or not isinstance(value[0], os.PathLike):
            return []
        return [address for address in map(address_of, value) if address is not None]
    address = address_of(value)
    return [] if address is None else [address]


def call(verb: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Calls a verb with arguments that are addresses."""
    given = dict(inspect.signature(verb).bind(*args, **kwargs).arguments)
    stage = Stage(given.get("scratch"))
    try:
        return run_in(stage, verb, given)
    except BaseException:
        stage.remove()  # a traceback would hold it
        raise


def run_in(stage: Stage, verb: Callable[..., T], given: dict[str, Any]) -> T:
    sources = {"data", "items", "pairs", "against"} | (
        {"left", "right"} if verb.__name__ == "similarity" else set())
    assign = given.get("assign")
    for name, value in given.items():
        if name in ON_DISK and named_addresses(value):
            raise OptionError(f"{name}: must be on a local disk, not in a store", option=name)
        if (name in sources or is_read(name, assign)) and named_addresses(value):
            given[name] = fetched(stage, value, name)
    naming: tuple[str, ...] = NAMING_INPUTS
    if "file:row" in (given.get("id"), given.get("other_id")):
        naming += ("clusters", "pairs") if verb.__name__ == "dedup" else ("clusters", "pairs", "output")
    moved: dict[str, str] = {}
    for name in WRITTEN:
        value = given.get(name)
        if value is None or name in sources or is_read(name, assign):
            continue
        if name in naming and stage.has_read and os.fspath(value).endswith(".zst"):
            require_zstd(name)
        address = address_of(value)
        if address is not None:
            given[name] = stage.output(address, given.get("overwrite"))
        elif name in naming and stage.has_read and not is_among(value, map(given.get, sources)):
            moved[name] = os.path.abspath(os.fspath(value))
            os.mkdir(os.path.join(stage.path, name))  # two outputs may have the same name in different folders
            given[name] = os.path.join(stage.path, name, os.path.basename(moved[name]))
    result = verb(**given)
    for name in naming:
        if str(given.get(name, "")).startswith(stage.path):
            rename_inputs(given[name])
    for name, path in moved.items():
        replace_file(given[name], path)
    stage.publish()
    return cast("T", told(result)) if isinstance(result, str) else result


class StagedPath(str):
    """The path of a copied object; the copy lives as long as a reference to the path."""

    stage: Stage | None = None


class StagedFile(os.PathLike[str]):
    """One of several staged paths; plain texts in a list would be compared."""

    def __init__(self, path: str):
        self.path = path

    def __fspath__(self) -> str:
        return self.path


def fetched(stage: Stage, value: Any, name: str) -> Any:
    """The value, with paths in place of addresses."""
    paths: list[str] = []
    for one in value if isinstance(value, (list, tuple)) else [value]:
        address = address_of(one)
        paths += [os.fspath(one)] if address is None else map(StagedPath, stage.fetch(address))
    for path in paths:
        if isinstance(path, StagedPath):
            path.stage = stage
    if len(paths) == 1:
        return paths[0]
    if name not in ("data", "items", "against"):
        raise OptionError(f"{name}: must be a single file", option=name)
    return list(map(StagedFile, paths))


def is_among(path: Any, sources: Iterable[Any]) -> bool:
    """Tells whether a file is one of the inputs; the verb refuses to overwrite it."""
    for source in sources:
        for one in source if isinstance(source, (list, tuple)) else [source]:
            if isinstance(one, (str, os.PathLike)) and os.path.realpath(one) == os.path.realpath(path):
                return True
    return False


def require_zstd(name: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UnsupportedError(f"{name}: writing .zst objects needs pyarrow", option=name,
                               hint="pip install pyarrow, or write .gz") from None


def rename_inputs(path: str) -> None:
    """Replaces local paths by addresses in an output file that names the inputs."""
    if not os.path.isfile(path):
        return
    fresh = f"{path}.{os.getpid()}"
    try:
        if path.endswith((".parquet", ".arrow")):
            rename_in_columns(path, fresh)
        else:
            with bytes_of(path) as file, bytes_to(fresh, path) as out:
                for line in file:
                    text = told(line.decode("utf-8", "surrogateescape"))
                    out.write(text.encode("utf-8", "surrogateescape"))
        os.replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise


def bytes_of(path: str) -> Any:
    """Opens a file for reading, decompressed."""
    if path.endswith(".zst"):
        import pyarrow

        return io.BufferedReader(pyarrow.input_stream(path, compression="zstd"))
    return gzip.open(path) if path.endswith(".gz") else open(path, "rb")


@contextlib.contextmanager
def bytes_to(path: str, name: str) -> Iterator[Any]:
    """Opens a file for writing, compressed by the extension of `name`; every run gives the same bytes."""
    if name.endswith(".zst"):
        import pyarrow

        with pyarrow.output_stream(path, compression="zstd") as out:
            yield out
        return
    with open(path, "wb") as plain:
        if not name.endswith(".gz"):
            yield plain
            return
        with gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as out:
            yield out


def rename_in_columns(path: str, fresh: str) -> None:
    import pyarrow.parquet

    if path.endswith(".arrow"):
        with pyarrow.ipc.open_file(path) as file, pyarrow.ipc.new_file(fresh, file.schema) as out:
            for at in range(file.num_record_batches):
                out.write_batch(with_addresses(file.get_batch(at)))
        return
    with pyarrow.parquet.ParquetFile(path) as file, pyarrow.parquet.ParquetWriter(
            fresh, file.schema_arrow) as out:
        for batch in file.iter_batches():
            out.write_batch(with_addresses(batch))


def with_addresses(batch: Any) -> Any:
    import pyarrow

    columns = [
        pyarrow.array([value and told(value) for value in column.to_pylist()], column.type)
        if column.type in (pyarrow.string(), pyarrow.large_string()) else column for column in batch.columns]
    return pyarrow.record_batch(columns, schema=batch.schema)


def replace_file(path: str, name: str) -> None:
    """Moves a complete file to its final name."""
    beside = f"{name}.{os.getpid()}"
    try:
        shutil.copyfile(path, beside)
        os.replace(beside, name)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise FileError(f"{name}: {error.strerror}", place=name) from None
