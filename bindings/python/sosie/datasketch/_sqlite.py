"""Tables of a MinHashLSH in an SQLite file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Hashable, Iterator
from typing import Any

from ..errors import FileError

_FORMAT = "sosie.datasketch 1"
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value);
CREATE TABLE keys (key PRIMARY KEY, band_hashes BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE bands (band INTEGER, hash BLOB, key, PRIMARY KEY (band, hash, key)) WITHOUT ROWID;
"""


class SqliteStorage:
    """An index in a file: durable when `insert` returns, or at the end of a session."""

    def __init__(self, config: dict[str, Any], parameters: dict[str, int]) -> None:
        unknown = set(config) - {"type", "path"}
        if unknown:
            raise ValueError(f"storage_config: {sorted(unknown)} do not apply to sqlite")
        if "path" not in config:
            raise ValueError('storage_config: sqlite needs a path: {"path": "index.db", "type": "sqlite"}')
        self.path = os.path.abspath(config["path"])
        self.parameters = parameters
        self._open()

    def _open(self) -> None:
        import sqlite3

        self._in_session = False
        self.keys = _Keys(self)
        self.tables: list[Any] = [_Band(self, band) for band in range(self.parameters["b"])]
        with self._errors():
            self.file = sqlite3.connect(self.path, isolation_level=None)
        if not self._has_tables():  # it is read without a lock
            with self.transaction():
                if not self._has_tables():
                    self._create()
        self._check()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        import sqlite3

        try:
            yield
        except sqlite3.Error as error:
            raise FileError(f"{self.path}: {error}", place=self.path) from error

    def _has_tables(self) -> bool:
        return bool(self.rows("SELECT name FROM sqlite_master"))

    def _create(self) -> None:
        for statement in _TABLES.split(";"):
            self._execute(statement)
        self._set_about("format", _FORMAT)
        for name, value in self.parameters.items():
            self._set_about(name, value)

    def _check(self) -> None:
        if not self.rows("SELECT name FROM sqlite_master WHERE name = 'about'"):
            raise FileError(f"{self.path}: a database of another program", place=self.path)
        about = dict(self.rows("SELECT name, value FROM about"))
        if about.get("format") != _FORMAT:
            raise FileError(f"{self.path}: not an index of this version", place=self.path)
        for name, value in self.parameters.items():
            if about.get(name) != value:
                params = f"num_perm={about.get('num_perm')}, params=({about.get('b')}, {about.get('r')})"
                raise ValueError(
                    f"{self.path}: an index with {params}, prepickle={bool(about.get('prepickle'))}"
                )

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._errors():
            return self.file.execute(statement, values).fetchall()

    def _execute(self, statement: str, *values: Any) -> None:
        with self._errors():
            self.file.execute(statement, values)

    def _execute_many(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        with self._errors():
            self.file.executemany(statement, rows)

    def _set_about(self, name: str, value: Any) -> None:
        self._execute("INSERT OR REPLACE INTO about VALUES (?, ?)", name, value)

    @property
    def scheme(self) -> str | None:
        found = self.rows("SELECT value FROM about WHERE name = 'scheme'")
        return str(found[0][0]) if found else None

    @scheme.setter
    def scheme(self, scheme: str | None) -> None:
        self._set_about("scheme", scheme)

    def checked_key(self, key: Hashable) -> Hashable:
        if type(key) not in (str, int, bytes):
            raise TypeError(
                f"a key of type {type(key).__name__}: a file holds str, int and bytes; with "
                "prepickle=True also floats, None and tuples"
            )
        return key

    def insert(self, key: Any, hashes: list[bytes]) -> None:
        joined = b"".join(len(part).to_bytes(4, "little") + part for part in hashes)
        self._execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", key, joined)
        rows = [(band, prefix, key) for band, prefix in enumerate(hashes)]
        self._execute_many("INSERT OR IGNORE INTO bands VALUES (?, ?, ?)", rows)

    def remove(self, key: Any) -> None:
        rows = [(band, prefix, key) for band, prefix in enumerate(self.keys.get(key))]
        self._execute_many("DELETE FROM bands WHERE band = ? AND hash = ? AND key = ?", rows)
        self._execute("DELETE FROM keys WHERE key = ?", key)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes changes atomic, even within a session."""
        begin, commit, undo = (
            ("SAVEPOINT change", "RELEASE change", "ROLLBACK TO change")
            if self._in_session
            else ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        )
        self._execute(begin)
        try:
            yield
            self._execute(commit)
        except BaseException:
            if self.file.in_transaction:
                self._execute(undo)
            raise

    def begin_session(self) -> None:
        if not self._in_session:
            self._execute("BEGIN IMMEDIATE")
            self._in_session = True

    def end_session(self) -> None:
        if self._in_session:
            try:
                self._execute("COMMIT")
            finally:  # if it failed because of a reader, it may be tried again
                self._in_session = self.file.in_transaction

    def close(self) -> None:
        self.file.close()
        self._in_session = False

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the path, not the rows."""
        return {"path": self.path, "parameters": self.parameters}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if not os.path.exists(self.path):
            raise FileError(f"{self.path}: no such file", place=self.path)
        self._open()


class _Rows:
    """A table with the interface of tables in memory."""

    def __init__(self, storage: SqliteStorage) -> None:
        self._storage = storage

    def keys(self) -> list[Any]:
        raise NotImplementedError

    def get(self, key: Any) -> Any:
        raise NotImplementedError

    def getmany(self, *keys: Any) -> list[Any]:
        return [self.get(key) for key in keys]

    def has_key(self, key: Any) -> bool:
        return bool(self.get(key))

    def size(self) -> int:
        raise NotImplementedError

    def itemcounts(self) -> dict[Any, int]:
        return {key: len(self.get(key)) for key in self.keys()}

    def status(self) -> dict[str, int]:
        return {"keyspace_size": self.size()}

    def __contains__(self, key: Any) -> bool:
        return self.has_key(key)

    def __len__(self) -> int:
        return self.size()

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())


class _Keys(_Rows):
    """Table keys of all bands by key of the index."""

    def keys(self) -> list[Any]:
        return [key for (key,) in self._storage.rows("SELECT key FROM keys")]

    def size(self) -> int:
        return int(self._storage.rows("SELECT count(*) FROM keys")[0][0])

    def get(self, key: Any) -> list[bytes]:
        found = self._storage.rows("SELECT band_hashes FROM keys WHERE key = ?", key)
        hashes = []
        joined, place = (found[0][0], 0) if found else (b"", 0)
        while place < len(joined):
            size = int.from_bytes(joined[place : place + 4], "little")
            hashes.append(joined[place + 4 : place + 4 + size])
            place += 4 + size
        return hashes


class _Band(_Rows):
    """Keys of the index by table key, in one band."""

    def __init__(self, storage: SqliteStorage, band: int) -> None:
        super().__init__(storage)
        self._band = band

    def keys(self) -> list[bytes]:
        statement = "SELECT DISTINCT hash FROM bands WHERE band = ?"
        return [prefix for (prefix,) in self._storage.rows(statement, self._band)]

    def size(self) -> int:
        statement = "SELECT count(DISTINCT hash) FROM bands WHERE band = ?"
        return int(self._storage.rows(statement, self._band)[0][0])

    def get(self, key: bytes) -> set[Any]:
        statement = "SELECT key FROM bands WHERE band = ? AND hash = ?"
        return {found for (found,) in self._storage.rows(statement, self._band, key)}
