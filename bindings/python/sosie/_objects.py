"""Objects in stores (s3://, gs://, hf://, https://, abfs://, memory://) as inputs and outputs, through fsspec.

A run reads its inputs several times, so it first copies them into scratch, range by range. It also writes
outputs to scratch; an object gets its name once it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar, cast

from ._addresses import folders, is_web, shown, told
from .errors import FileError, OptionError, SosieError, UnsupportedError

T = TypeVar("T")

RANGE_BYTES = 8 << 20
READERS = 8  # ranges read in parallel
TRIES = 4
INSTALL = "pip install 'sosie[remote]'"

# Options that name an input file, an output file, and a local folder or file.
READ = ("ids", "other_ids", "stopwords", "rules", "plan", "truth", "labels", "reuse",
        "against")
WRITTEN = ("removed", "removed_rows", "clusters", "pairs", "stats", "report", "model", "rejects", "svg",
           "output")
ON_DISK = ("save", "parts", "checkpoint", "scratch")


def is_read(name: str, assign: object) -> bool:
    """Tells whether a run reads the file an option names; with assign groups, link reads the weights."""
    return name in READ or (name == "model" and assign == "groups")


class Object(NamedTuple):
    """An object to read: its path in the store, its local path, and its stamp when listed."""

    path: str
    local: str
    size: int | None
    stamp: Mapping[str, Any]


def stamp_of(info: Mapping[str, Any]) -> dict[str, Any]:
    """A stamp that changes when the object is written."""
    told_by = ("size", "ETag", "etag", "md5Hash", "generation", "VersionId", "LastModified",
               "Last-Modified", "last_modified", "updated", "created", "blob_id", "content_md5",
               "Content-MD5", "Digest")
    return {name: info[name] for name in told_by if name in info}


def reason_of(error: BaseException) -> str:
    """The reason for an error as a code, status or class name, which cannot hold a credential."""
    cause: BaseException | None = error
    while cause is not None:
        response = getattr(cause, "response", None)
        if isinstance(response, Mapping) and "Error" in response:
            return str(response["Error"].get("Code", "refused"))
        status = getattr(cause, "status", None) or getattr(response, "status_code", None)
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
    """Rethrows errors of a store; messages name the object and omit what was sent."""
    name = shown(address)
    try:
        yield
    except SosieError:
        raise
    except ImportError:
        raise UnsupportedError(f"{name}: the library of this store is missing",
                               hint=INSTALL) from None
    except FileNotFoundError as error:
        reason = "there is no such object" if done == "read" else f"cannot be {done} ({reason_of(error)})"
        raise FileError(f"{name}: {reason}", place=name) from None
    except PermissionError as error:
        raise FileError(f"{name}: access is denied ({reason_of(error)})", place=name,
                        hint="the store takes its credentials from the environment") from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC and error.filename:
            raise FileError(f"{error.filename}: {os.strerror(errno.ENOSPC)}",
                            hint="objects are copied to the scratch folder; set scratch to another folder") from None
        raise FileError(f"{name}: cannot be {done} ({reason_of(error)})", place=name) from None


def opened(address: str) -> tuple[Any, str]:
    """The file system of a store and the path of an object in it."""
    with named_errors(address, "read"):
        import fsspec.core

        return cast("tuple[Any, str]", fsspec.core.url_to_fs(address))


class CutShort(OSError):
    """The store sent too few bytes."""


def again(act: Callable[[], T], any_error: bool) -> T:
    """Calls `act` again if bytes are missing, or after any error of a store that does not retry by
    itself."""
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
    """A folder in scratch that holds objects under their addresses during a run; removed with its last
    user."""

    def __init__(self, scratch: object = None):
        try:
            self._folder = tempfile.TemporaryDirectory(
                prefix="sosie-objects-", dir=cast("str | None", scratch), ignore_cleanup_errors=True)
        except OSError as error:
            raise FileError(f"{scratch}: {error.strerror}", place=str(scratch)) from None
        self.path = os.path.realpath(self._folder.name)
        self._read: dict[str, str] = {}
        self._outputs: dict[str, tuple[str, set[str]]] = {}  # local path: address, objects below it
        self.main: str | None = None
        folders.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()  # a pickled result does not keep its inputs

    def remove(self) -> None:
        self._folder.cleanup()

    @property
    def has_read(self) -> bool:
        return bool(self._read)

    def place_of(self, address: str) -> str:
        """The local path of an object."""
        return self._place(shown(address))

    def _place(self, name: str) -> str:
        if ".." in name.split("/"):
            raise FileError(f"{name}: '..' cannot be part of a name here", place=name)
        return os.path.join(self.path, name)

    def fetch(self, address: str) -> list[str]:
        """Copies an object, a folder or the matches of a pattern; returns the local paths."""
        address, mark, column = address.partition("::")
        if self._read.setdefault(self.place_of(address), address) != address:
            raise FileError(f"{shown(address)}: two addresses differ only after the ?")
        store, path = opened(address)
        with named_errors(address, "read"):
            store.invalidate_cache()  # a listing contains less than a request for the object
            found = self._objects(store, path, address)
            changed: list[Object] = []
            try:
                self._copy(store, found, address)
            except Exception:  # a changed object may give any error
                with contextlib.suppress(Exception):
                    changed = self._changed(store, path, address, found)
                if not changed:
                    raise
            else:
                changed = self._changed(store, path, address, found)
        if changed:
            name = told(changed[0].local)
            raise FileError(f"{name}: changed while it was read", place=name,
                            hint="run again when nothing else writes to it")
        is_pattern = "*" in path and not is_web(address)
        places = [one.local for one in found] if is_pattern else [self.place_of(address)]
        return [place + mark + column for place in places]

    def _changed(self, store: Any, path: str, address: str, found: list[Object]) -> list[Object]:
        """The objects that were written or removed since they were listed."""
        store.invalidate_cache()
        now = {one.path: one.stamp for one in self._objects(store, path, address)}
        return [one for one in found if now.get(one.path) != one.stamp]

    def _objects(self, store: Any, path: str, address: str) -> list[Object]:
        """The objects at an address, sorted by name."""
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
            raise FileError(f"{shown(address)}: has names that differ only by '//' or '/./'")
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
            list(pool.map(lambda asked: copy_again(store, is_web(address), *asked), ranges))
        except BaseException as error:
            pool.shutdown(isinstance(error, Exception), cancel_futures=True)  # Ctrl-C does not wait
            raise
        pool.shutdown()

    def output(self, address: str, overwrite: object = None) -> str:
        """The local path that a run writes, later an object or a folder of objects."""
        name = shown(address)
        if is_web(address):
            raise UnsupportedError(f"{name}: cannot write over HTTP")
        store, path = opened(address)
        there: set[str] = set()
        if address.endswith("/"):
            with named_errors(address, "written"), contextlib.suppress(FileNotFoundError):
                there = set(store.find(path))
            if there and not overwrite:
                raise OptionError(f"{name}: the folder is not empty", option="output",
                                  hint="name a new one, or use overwrite")
        local = self.place_of(address)
        os.makedirs(os.path.dirname(local.rstrip("/")), exist_ok=True)
        self._outputs[local] = (address, there)
        return local

    def publish(self) -> None:
        """Uploads all outputs, the main one last. Outputs that cannot be written stay in a folder
        named by the error."""
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
                              hint=f"the complete output is in {kept}") from None
        self._outputs.clear()

    def _publish_folder(self, local: str, address: str, there: set[str]) -> None:
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(local)
                       for name in names if not name.startswith(".sosie"))
        objects = {file: f"{address.rstrip('/')}/{os.path.relpath(file, local)}" for file in files}
        store, path = opened(address)
        with named_errors(address, "written"), contextlib.suppress(FileNotFoundError):
            there = there | set(store.find(path))  # an address without a final / is now a folder
        written = {opened(one)[1] for one in objects.values()}
        others = sorted(there - written)
        if others:
            raise FileError(f"{shown(address)}: contains objects that this run does not write, such as {others[0]}", place=shown(address))
        try:
            for file, one in objects.items():
                put(file, one)
        except SosieError:
            for one in objects.values():  # an incomplete folder would look complete
                store, path = opened(one)
                if path not in there:
                    with contextlib.suppress(Exception):
                        store.rm_file(path)
            raise


def copy_again(store: Any, any_error: bool, one: Object, begin: int | None) -> None:
    """Copies a range, again where it is cut short; an error names the object."""
    with named_errors(told(one.local), "read"):
        again(lambda: copy_range(store, one, begin), any_error)


def copy_range(store: Any, one: Object, begin: int | None) -> None:
    """Copies a range of an object, or the whole object if the store does not support ranges."""
    if begin is None:
        # Without a block size, fsspec reads from a web server in one piece, even if it supports ranges.
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
    """Writes an object, which gets its name once it is complete; tries a second time, because an
    upload whose last request fails has to begin again."""
    store, path = opened(address)
    with named_errors(address, "written"):
        try:
            put_once(store, local, path)
        except PermissionError:
            raise
        except Exception:
            put_once(store, local, path)


def put_once(store: Any, local: str, path: str) -> None:
    store.put_file(local, path)
    store.invalidate_cache()
    if store.info(path)["size"] != os.path.getsize(local):
        raise CutShort
