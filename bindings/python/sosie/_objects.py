"""Objects in stores (s3://, gs://, hf://, https://, abfs://, memory://) as inputs and outputs, by fsspec.

A run reads its inputs several times, so they are copied into scratch first, range by range, and
outputs are written there: an object gets its name when it is complete."""

from __future__ import annotations

import contextlib
import errno
import glob
import gzip
import inspect
import io
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar, cast

from . import _sosie
from ._addresses import address_of, folders, is_web, shown, told
from .errors import FileError, OptionError, SosieError, UnsupportedError

T = TypeVar("T")

RANGE_BYTES = 8 << 20
READERS = 8  # ranges that are read at once
TRIES = 4
INSTALL = "pip install 'sosie[remote]'"

# Options that name a file that is read, a file that is written, and what stays on a disk.
READ = ("ids", "other_ids", "stopwords", "rules", "plan", "truth", "reuse", "against")
WRITTEN = ("removed", "removed_rows", "clusters", "pairs", "stats", "report", "model", "rejects", "svg",
           "output")
ON_DISK = ("save", "checkpoint", "scratch")
# Written files that say what the inputs are called.
NAMING_INPUTS = ("stats", "report", "rejects", "removed")


class Object(NamedTuple):
    """An object to be read: its path in its store, where it lies, and how it was when it was found."""

    path: str
    local: str
    size: int | None
    stamp: Mapping[str, Any]


def stamp_of(info: Mapping[str, Any]) -> dict[str, Any]:
    """What differs once somebody writes to an object."""
    told_by = ("size", "ETag", "etag", "md5Hash", "generation", "VersionId", "LastModified",
               "last_modified", "updated", "created", "blob_id", "content_md5")
    return {name: info[name] for name in told_by if name in info}


def reason_of(error: BaseException) -> str:
    """Why a store refused, in words that cannot hold a credential: its code, a status, a class."""
    cause: BaseException | None = error
    while cause is not None:
        response = getattr(cause, "response", None)
        if isinstance(response, Mapping) and "Error" in response:
            return str(response["Error"].get("Code", "refused"))
        status = getattr(cause, "status", None)
        if isinstance(status, int):
            return f"HTTP {status}"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, CutShort):
        return "cut short"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return type(error).__name__


@contextlib.contextmanager
def named_errors(address: str, done: str) -> Iterator[None]:
    """Errors of a store name the object, and nothing that was sent to it."""
    name = shown(address)
    try:
        yield
    except SosieError:
        raise
    except ImportError:
        raise UnsupportedError(f"{name}: the library of this store is missing",
                               hint=INSTALL) from None
    except FileNotFoundError:
        raise FileError(f"{name}: there is no such object", place=name) from None
    except PermissionError as error:
        raise FileError(f"{name}: access is denied ({reason_of(error)})", place=name,
                        hint="the store takes its credentials from the environment") from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename:
            raise FileError(f"{error.filename}: {os.strerror(errno.ENOSPC)}",
                            hint="objects are copied to scratch, which names the folder") from None
        raise FileError(f"{name}: cannot be {done} ({reason_of(error)})", place=name) from None


def opened(address: str) -> tuple[Any, str]:
    """The file system of a store, and the path of an object in it."""
    with named_errors(address, "read"):
        import fsspec.core

        return cast("tuple[Any, str]", fsspec.core.url_to_fs(address))


class CutShort(OSError):
    """Fewer bytes came than there are."""


def again(act: Callable[[], T], any_error: bool) -> T:
    """What an act gives, which is tried again where bytes are missing; after any error of a store
    that does not try again itself."""
    for _ in range(TRIES - 1):
        try:
            return act()
        except CutShort:
            continue
        except (FileNotFoundError, PermissionError):
            raise
        except Exception:
            if not any_error:
                raise
    return act()


class Stage:
    """A folder in scratch in which objects lie under their addresses while a run goes on; it is removed
    with the last that uses it."""

    def __init__(self, scratch: object = None):
        try:
            self._folder = tempfile.TemporaryDirectory(
                prefix="sosie-objects-", dir=cast("str | None", scratch), ignore_cleanup_errors=True)
        except OSError as error:
            raise FileError(f"{scratch}: {error.strerror}", place=str(scratch)) from None
        self.path = os.path.realpath(self._folder.name)
        self._read: dict[str, str] = {}
        self._outputs: dict[str, tuple[str, set[str]]] = {}  # local: address, objects below it
        self.main: str | None = None
        folders.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()  # a result that is pickled leaves what it was made of behind

    def remove(self) -> None:
        self._folder.cleanup()

    @property
    def has_read(self) -> bool:
        return bool(self._read)

    def place_of(self, address: str) -> str:
        """Where an object lies."""
        return self._place(shown(address))

    def _place(self, name: str) -> str:
        if ".." in name.split("/"):
            raise FileError(f"{name}: '..' is no part of a name here", place=name)
        return os.path.join(self.path, name)

    def fetch(self, address: str) -> list[str]:
        """Copies an object, all below a folder, or all that match a pattern; gives what to read."""
        address, mark, column = address.partition("::")
        if self._read.setdefault(self.place_of(address), address) != address:
            raise FileError(f"{shown(address)}: two addresses differ behind the ? alone")
        store, path = opened(address)
        with named_errors(address, "read"):
            store.invalidate_cache()  # what a listing tells of an object is less than it does itself
            found = self._objects(store, path, address)
            self._copy(store, found, address)
            store.invalidate_cache()
            now = {one.path: one.stamp for one in self._objects(store, path, address)}
        for one in found:
            if now.get(one.path) != one.stamp:
                name = told(one.local)
                raise FileError(f"{name}: changed while it was read", place=name,
                                hint="run again when nobody writes to it")
        is_pattern = "*" in path and not is_web(address)
        places = [one.local for one in found] if is_pattern else [self.place_of(address)]
        return [place + mark + column for place in places]

    def _objects(self, store: Any, path: str, address: str) -> list[Object]:
        """The objects that an address names, by name."""
        top = self.place_of(address)
        if "*" in path and not is_web(address):
            infos = store.glob(path, detail=True)
            scheme = shown(address).partition("://")[0]
        else:
            info = store.info(path)
            if info["type"] != "directory" or is_web(address):
                return [Object(path, top, info.get("size"), stamp_of(info))]
            infos = store.find(path, detail=True)
            scheme = ""
        found = []
        for name, info in sorted(infos.items()):
            if info["type"] == "directory" or name.endswith("/"):
                continue
            if scheme:
                local = self._place(f"{scheme}://{name.lstrip('/')}")
            else:
                local = self._place(f"{shown(address).rstrip('/')}/{os.path.relpath(name, path)}")
            found.append(Object(name, local, info.get("size"), stamp_of(info)))
        if not found:
            raise FileNotFoundError
        if len({one.local for one in found}) != len(found):
            raise FileError(f"{shown(address)}: names that differ by '//' or '/./' alone")
        return found

    def _copy(self, store: Any, found: Iterable[Object], address: str) -> None:
        ranges: list[tuple[Object, int | None]] = []
        for one in found:
            os.makedirs(os.path.dirname(one.local), exist_ok=True)
            with open(one.local, "wb"):
                pass
            is_ranged = one.size is not None and not is_web(address)
            ranges += ((one, begin) for begin in range(0, one.size or 0, RANGE_BYTES)
                       ) if is_ranged else ((one, None),)
        pool = ThreadPoolExecutor(READERS)
        try:
            list(pool.map(lambda asked: again(lambda: copy_range(store, *asked), is_web(address)),
                          ranges))
        except BaseException as error:
            pool.shutdown(isinstance(error, Exception), cancel_futures=True)  # Ctrl-C waits for nothing
            raise
        pool.shutdown()

    def output(self, address: str, overwrite: object = None) -> str:
        """Where a run writes what becomes an object, or a folder of them."""
        name = shown(address)
        if is_web(address):
            raise UnsupportedError(f"{name}: outputs are not written over HTTP")
        store, path = opened(address)
        there: set[str] = set()
        if address.endswith("/"):
            with named_errors(address, "written"), contextlib.suppress(FileNotFoundError):
                there = set(store.find(path))
            if there and not overwrite:
                raise OptionError(f"{name}: the folder is not empty", option="output",
                                  hint="name a new one, or say overwrite")
        local = self.place_of(address)
        os.makedirs(os.path.dirname(local.rstrip("/")), exist_ok=True)
        self._outputs[local] = (address, there)
        return local

    def publish(self) -> None:
        """Gives all outputs their names, the main one last. What cannot be written stays in a folder
        that the error names."""
        done = 0
        pending = [(local, *rest) for local, rest in self._outputs.items() if os.path.exists(local)]
        pending.sort(key=lambda one: one[0] == self.main)
        try:
            for local, address, there in pending:
                if os.path.isdir(local):
                    self._publish_folder(local, address, there)
                else:
                    put(local, address)
                done += 1
        except SosieError as error:
            kept = tempfile.mkdtemp(prefix="sosie-kept-", dir=os.path.dirname(self.path))
            for local, address, _ in pending[done:]:
                name = os.path.basename(local.rstrip("/"))
                taken = os.path.lexists(os.path.join(kept, name))
                shutil.move(local, os.path.join(tempfile.mkdtemp(dir=kept) if taken else kept, name))
            raise type(error)(f"{error.args[0].splitlines()[0]}", place=error.place,
                              hint=f"what was to be written is complete in {kept}") from None
        self._outputs.clear()

    def _publish_folder(self, local: str, address: str, there: set[str]) -> None:
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(local)
                       for name in names if not name.startswith(".sosie"))
        objects = {file: f"{address.rstrip('/')}/{os.path.relpath(file, local)}" for file in files}
        store, path = opened(address)
        with named_errors(address, "written"), contextlib.suppress(FileNotFoundError):
            there = there | set(store.find(path))  # an address without a / at its end is a folder now
        written = {opened(one)[1] for one in objects.values()}
        others = sorted(there - written)
        if others:
            raise FileError(f"{shown(address)}: holds objects that this run does not write, such as "
                            f"{others[0]}", place=shown(address))
        try:
            for file, one in objects.items():
                put(file, one)
        except SosieError:
            for one in objects.values():  # a part of the folder would look like all of it
                store, path = opened(one)
                if path not in there:
                    with contextlib.suppress(Exception):
                        store.rm_file(path)
            raise


def copy_range(store: Any, one: Object, begin: int | None) -> None:
    """Copies a range of an object, or all of one whose store has no ranges."""
    if begin is None:
        # Without blocks a web server is read in one piece, whether it knows ranges or not.
        with store.open(one.path, "rb", block_size=0) as source, open(one.local, "wb") as out:
            shutil.copyfileobj(source, out, RANGE_BYTES)
            copied = out.tell()
        if one.size is not None and copied != one.size:
            raise CutShort
        return
    size = min(RANGE_BYTES, cast("int", one.size) - begin)
    part = store.cat_file(one.path, start=begin, end=begin + size)
    if len(part) != size:
        raise CutShort
    with open(one.local, "r+b") as out:
        out.seek(begin)
        out.write(part)


def put(local: str, address: str) -> None:
    """Writes an object, which gets its name when all of it is there."""
    store, path = opened(address)
    with named_errors(address, "written"):
        store.put_file(local, path)
        store.invalidate_cache()
        if store.info(path)["size"] != os.path.getsize(local):
            raise CutShort


# --- The verbs of Python ---------------------------------------------------------------------------


def named_addresses(value: object) -> list[str]:
    """The addresses that a value is or lists; a list of texts is one of texts."""
    if isinstance(value, (list, tuple)):
        if not value or not isinstance(value[0], os.PathLike):
            return []
        return [address for address in map(address_of, value) if address is not None]
    address = address_of(value)
    return [] if address is None else [address]


def call(verb: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Calls a verb some of whose arguments are addresses."""
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
    for name, value in given.items():
        if name in ON_DISK and named_addresses(value):
            raise OptionError(f"{name}: lies on a disk, not in a store", option=name)
        if (name in sources or name in READ) and named_addresses(value):
            given[name] = fetched(stage, value, name)
    naming: tuple[str, ...] = NAMING_INPUTS
    if "file:row" in (given.get("id"), given.get("other_id")):
        naming += ("clusters", "pairs") if verb.__name__ == "dedup" else ("clusters", "pairs", "output")
    moved: dict[str, str] = {}
    for name in WRITTEN:
        value = given.get(name)
        if value is None or name in sources:
            continue
        if name in naming and stage.has_read and os.fspath(value).endswith(".zst"):
            require_zstd(name)
        address = address_of(value)
        if address is not None:
            given[name] = stage.output(address, given.get("overwrite"))
        elif name in naming and stage.has_read and not is_among(value, map(given.get, sources)):
            moved[name] = os.path.abspath(os.fspath(value))
            os.mkdir(os.path.join(stage.path, name))  # two may have one name in two folders
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
    """The path of an object that was copied, which stays there as long as somebody knows the path."""

    stage: Stage | None = None


class StagedFile(os.PathLike[str]):
    """One of several such paths: texts in a list would be compared."""

    def __init__(self, path: str):
        self.path = path

    def __fspath__(self) -> str:
        return self.path


def fetched(stage: Stage, value: Any, name: str) -> Any:
    """The value with paths in place of addresses."""
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
        raise OptionError(f"{name}: is one file", option=name)
    return list(map(StagedFile, paths))


def is_among(path: Any, sources: Iterable[Any]) -> bool:
    """Whether a file is one of the inputs; the verb refuses to write it."""
    for source in sources:
        for one in source if isinstance(source, (list, tuple)) else [source]:
            if isinstance(one, (str, os.PathLike)) and os.path.realpath(one) == os.path.realpath(path):
                return True
    return False


def require_zstd(name: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UnsupportedError(f"{name}: .zst of objects needs pyarrow", option=name,
                               hint="pip install pyarrow, or write .gz") from None


def rename_inputs(path: str) -> None:
    """Gives inputs their addresses in a file that says what they are called."""
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
    """A file that is read, unpacked."""
    if path.endswith(".zst"):
        import pyarrow

        return io.BufferedReader(pyarrow.input_stream(path, compression="zstd"))
    return gzip.open(path) if path.endswith(".gz") else open(path, "rb")


@contextlib.contextmanager
def bytes_to(path: str, name: str) -> Iterator[Any]:
    """A file that is written, packed as its name will say; the same bytes from every run."""
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
    """Moves a file that is complete to its name."""
    beside = f"{name}.{os.getpid()}"
    try:
        shutil.copyfile(path, beside)
        os.replace(beside, name)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise FileError(f"{name}: {error.strerror}", place=name) from None


# --- The command -----------------------------------------------------------------------------------


def command(arguments: list[str], run: Callable[[list[str]], int]) -> int:
    """Runs a command line some of whose words are addresses: in the folder where the objects lie, so
    that messages and files call them as they were named."""
    folder = os.getcwd()
    stage = None
    try:
        end_on_signals()
        stage = Stage(scratch_of(arguments))
        line = CommandLine(stage, folder, arguments[0])
        given = line.read(arguments[1:])
        os.chdir(stage.path)
        try:
            code = run([arguments[0], *given])
            end_on_signals()  # the run had them end itself
            if code in (0, 1):
                stage.publish()
            return code
        finally:
            os.chdir(folder)
    except SosieError as error:
        lines = str(error).splitlines()
        print("\n  ".join([f"sosie: {lines[0]}", *lines[1:]]), file=sys.stderr)
        return 2 if isinstance(error, OptionError) else 4
    except (KeyboardInterrupt, Terminated) as signaled:
        if stage is not None:
            stage.remove()
        os._exit(143 if isinstance(signaled, Terminated) else 130)  # not when the store has answered


class Terminated(BaseException):
    """SIGTERM came."""


def end_on_signals() -> None:
    def terminate(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, terminate)


def refuse_relative(path: str) -> None:
    """A list of files is read from the folder of the objects."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        for line in file:
            name = os.fsdecode(line.rstrip(b"\r\n"))
            if name and not os.path.isabs(name):
                raise OptionError(f"--files-from: '{name}' in {path} is no absolute path",
                                  option="files-from",
                                  hint="beside objects it lists absolute paths; name objects on the line")


def scratch_of(arguments: list[str]) -> str | None:
    """The folder of --scratch, or where TMPDIR says."""
    for argument, behind in zip(arguments, [*arguments[1:], ""], strict=True):
        if argument == "--scratch":
            return behind
        if argument.startswith("--scratch="):
            return argument.partition("=")[2]
    return None


class CommandLine:
    """Words of a command line with objects in their places, and with paths that hold from any folder."""

    def __init__(self, stage: Stage, folder: str, verb: str):
        self.stage, self.folder, self.verb = stage, folder, verb
        self._positions = 0
        self._overwrite = False

    def read(self, arguments: list[str]) -> list[str]:
        self._overwrite = any(word.partition("=")[0] == "--overwrite" for word in arguments)
        words: list[str] = []
        name = ""  # of the option whose value comes
        only_inputs = False
        for word in arguments:
            if name:
                words.append(self._value(name, word))
                name = ""
            elif only_inputs or word == "-" or not word.startswith("-"):
                words += self._input(word)
            elif word == "--":
                only_inputs = True
                words.append(word)
            elif word.startswith("--"):
                option, mark, value = word[2:].partition("=")
                words.append(f"--{option}={self._value(option, value)}" if mark else word)
                name = "" if mark or not _sosie.takes_value(option) else option
            else:
                taking = next((i for i, letter in enumerate(word) if _sosie.takes_value(letter)), 0)
                option = "output" if taking and word[taking] == "o" else word[taking]
                value = word[taking + 1:]
                words.append(word[:taking + 1] + self._value(option, value) if taking and value
                             else word)
                name = option if taking and not value else ""
        return words

    def _value(self, option: str, value: str) -> str:
        option = option.replace("-", "_")
        address = address_of(value)
        if address is None:
            if option == "files_from" and value != "-":
                refuse_relative(value)
            is_path = option in (*WRITTEN, *ON_DISK, "files_from") or (
                option in READ and os.path.exists(value))
            return os.path.join(self.folder, value) if is_path and value != "-" else value
        if option in ON_DISK:
            raise OptionError(f"--{option}: lies on a disk, not in a store", option=option)
        if option in WRITTEN:
            local = self.stage.output(address, self._overwrite)
            if option == "output":
                self.stage.main = local
            return self._inside(local)
        if option not in READ:
            return value
        found = self.stage.fetch(address)
        if len(found) > 1:
            raise OptionError(f"--{option}: {shown(address)} is several objects", option=option)
        return self._inside(found[0])

    def _input(self, word: str) -> list[str]:
        self._positions += 1
        is_word = (self.verb == "index" and self._positions == 1) or (
            self.verb == "explain" and self._positions <= 2) or word == "-"
        if is_word:
            return [word]
        address = address_of(word)
        if address is not None:
            return list(map(self._inside, self.stage.fetch(address)))
        path = word.partition("::")[0]
        is_path = self.verb == "index" or os.path.exists(path) or glob.has_magic(path)
        return [os.path.join(self.folder, word) if is_path else word]

    def _inside(self, path: str) -> str:
        return path[len(self.stage.path) + 1:]
