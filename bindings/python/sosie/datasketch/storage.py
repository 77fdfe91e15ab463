"""Storage for the tables of a MinHashLSH: in memory, or in an SQLite file."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any, Protocol

from ..errors import UnsupportedError

__all__ = ["DictListStorage", "DictSetStorage", "open_storage"]


class Storage(Protocol):
    """The tables of an index."""

    scheme: str | None  # the scheme of its sketches

    @property
    def keys(self) -> Any: ...
    @property
    def tables(self) -> list[Any]: ...
    def checked_key(self, key: Hashable) -> Hashable: ...
    def insert(self, key: Any, hashes: list[bytes]) -> None: ...
    def remove(self, key: Any) -> None: ...
    def transaction(self) -> contextlib.AbstractContextManager[object]: ...
    def begin_session(self) -> None: ...
    def end_session(self) -> None: ...
    def close(self) -> None: ...


def open_storage(config: dict[str, Any], parameters: dict[str, int]) -> Storage:
    """Opens the storage named by `storage_config`. A file records the `parameters` of its index."""
    kind = config["type"]
    if kind == "dict":
        return InMemory([DictSetStorage() for _ in range(parameters["b"])], DictListStorage())
    if kind == "sqlite":
        from ._sqlite import SqliteStorage

        return SqliteStorage(config, parameters)
    raise UnsupportedError(
        f"storage_config: type {kind!r} is none of dict, sqlite",
        option="storage_config",
        hint='{"type": "sqlite", "path": "index.db"} keeps an index in a file; `sosie serve` answers '
        "several machines; what a server stores already, datasketch itself reads",
    )


class DictListStorage:
    """Lists of values by key."""

    def __init__(self) -> None:
        self._dict: dict[Any, Any] = defaultdict(list)

    def keys(self) -> Any:
        return self._dict.keys()

    def get(self, key: Any) -> Any:
        return self._dict.get(key, [])

    def getmany(self, *keys: Any) -> list[Any]:
        return [self.get(key) for key in keys]

    def insert(self, key: Any, *values: Any) -> None:
        self._dict[key].extend(values)

    def remove(self, *keys: Any) -> None:
        for key in keys:
            del self._dict[key]

    def remove_val(self, key: Any, value: Any) -> None:
        self._dict[key].remove(value)

    def size(self) -> int:
        return len(self._dict)

    def itemcounts(self) -> dict[Any, int]:
        return {key: len(values) for key, values in self._dict.items()}

    def has_key(self, key: Any) -> bool:
        return key in self._dict

    def status(self) -> dict[str, int]:
        return {"keyspace_size": self.size()}

    __contains__ = has_key
    __len__ = size

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)

    def __delitem__(self, key: Any) -> None:
        self.remove(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict)


class DictSetStorage(DictListStorage):
    """Sets of values by key."""

    def __init__(self) -> None:
        self._dict = defaultdict(set)

    def get(self, key: Any) -> Any:
        return self._dict.get(key, set())

    def insert(self, key: Any, *values: Any) -> None:
        self._dict[key].update(values)


class InMemory:
    """Tables in dictionaries."""

    def __init__(self, tables: list[Any], keys: Any) -> None:
        self.scheme: str | None = None
        self.tables = tables
        self.keys = keys

    def checked_key(self, key: Hashable) -> Hashable:
        return key

    def insert(self, key: Any, hashes: list[bytes]) -> None:
        self.keys.insert(key, *hashes)
        for prefix, table in zip(hashes, self.tables):
            table._dict[prefix].add(key)

    def remove(self, key: Any) -> None:
        for prefix, table in zip(self.keys.get(key), self.tables):
            table.remove_val(prefix, key)
            if not table.get(prefix):
                table.remove(prefix)
        self.keys.remove(key)

    def transaction(self) -> contextlib.AbstractContextManager[object]:
        return _NOTHING

    def begin_session(self) -> None:
        pass

    def end_session(self) -> None:
        pass

    def close(self) -> None:
        pass


_NOTHING = contextlib.nullcontext()
