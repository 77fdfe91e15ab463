"""MinHashLSH: sets whose sketches agree in all values of a band."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Protocol

from ._bands import best_bands
from ._pickles import plain_from_pickle, unsealed
from ._schemes import Values, same_scheme
from .storage import DictSetStorage, InMemory, Storage, open_storage

if TYPE_CHECKING:
    from typing_extensions import Self  # in typing since Python 3.11

__all__ = ["MinHashLSH", "MinHashLSHDeletionSession", "MinHashLSHInsertionSession"]


class Sketch(Protocol):
    """A MinHash, LeanMinHash or WeightedMinHash."""

    @property
    def hashvalues(self) -> Values: ...
    def __len__(self) -> int: ...


def band_bytes(minhash: Sketch, bands: int, rows: int) -> list[bytes]:
    """Big-endian hash values of each band (on a little-endian CPU), the keys of the tables."""
    swapped = minhash.hashvalues[: bands * rows].byteswap().tobytes()
    size = len(swapped) // bands
    return [swapped[start : start + size] for start in range(0, size * bands, size)]


class MinHashLSH:
    """An index of candidates above a similarity, with the results of datasketch 2.0.

    Args:
        threshold (float): similarity, 0 to 1, for which bands are chosen.
        num_perm (int): number of permutations of the sketches.
        weights (tuple[float, float]): weights of false positives and false negatives, with sum 1.
        params (tuple[int, int]): number of bands, and rows per band; `threshold` and `weights` are
            then ignored.
        storage_config (dict): {"type": "dict"}, in memory, or {"type": "sqlite", "path": "x.db"}, one
            index in a file, whose keys are str, int and bytes.
        prepickle (bool): stores keys as pickles; keys are str, bytes, numbers, None or tuples of these.
        hashfunc (Callable[[bytes], bytes]): shortens the keys of the tables.

    Raises:
        ValueError: an invalid number; an unknown storage type; sketches of another length or scheme;
            a duplicate or missing key.
        TypeError: a key that the storage cannot hold.

    Source:
        MMDS chapter 3.4.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict[str, Any] | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold: {threshold} is not between 0 and 1")
        if num_perm < 2:
            raise ValueError(f"num_perm: {num_perm} is less than 2")
        if any(weight < 0.0 or weight > 1.0 for weight in weights):
            raise ValueError(f"weights: {weights} are not from 0 to 1")
        if sum(weights) != 1.0:
            raise ValueError(f"weights: the sum of {weights} is not 1")
        self.h = num_perm
        self.b, self.r = best_bands(threshold, num_perm, *weights) if params is None else params
        if self.b * self.r > num_perm:
            raise ValueError(f"params: {self.b} times {self.r} is more than num_perm, {num_perm}")
        if self.r < 1:
            raise ValueError(f"params: {self.r} rows of a band: at least 1 is required")
        if self.b < 2:
            raise ValueError(f"{self.b} bands: at least 2 are required")
        self.prepickle = bool(prepickle)
        self.hashfunc = hashfunc
        self.hashranges = [(i * self.r, (i + 1) * self.r) for i in range(self.b)]
        self._buffer_size = 50000
        self._buffered: list[list[bytes]] = []  # queries
        parameters = {"num_perm": self.h, "b": self.b, "r": self.r, "prepickle": int(self.prepickle)}
        self._storage: Storage = open_storage(storage_config or {"type": "dict"}, parameters)
        self._minhash_scheme = self._storage.scheme

    @property
    def keys(self) -> Any:
        """The keys, each with the table keys of its bands."""
        return self._storage.keys

    @property
    def hashtables(self) -> list[Any]:
        """A table for each band: keys of the index by table key."""
        return self._storage.tables

    @property
    def buffer_size(self) -> int:
        return self._buffer_size

    @buffer_size.setter
    def buffer_size(self, value: int) -> None:
        self._buffer_size = value

    def insert(self, key: Hashable, minhash: Sketch, check_duplication: bool = True) -> None:
        """Adds a set by its sketch.

        Args:
            key (Hashable): names the set.
            minhash (MinHash): its sketch.
            check_duplication (bool): raises an error for an existing key; otherwise the key is replaced.
        """
        scheme = self._checked(minhash)
        stored = self._stored(key)
        hashes = self._hashes(minhash)
        with self._storage.transaction():
            if stored in self.keys:
                if check_duplication:
                    raise ValueError(f"the key {key!r} already exists")
                self._storage.remove(stored)
            self._storage.insert(stored, hashes)
            self._remember(scheme)

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds the sets of another index with the same bands.

        Args:
            other (MinHashLSH): another index.
            check_overlap (bool): raises an error for keys that both have.
        """
        if type(self) is not type(other):
            raise ValueError(f"merge: {type(other).__name__} is not a {type(self).__name__}")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("merge: the other index has different bands")
        known, added = self._minhash_scheme, other._minhash_scheme
        if known is not None and added is not None and known != added:
            raise ValueError(f"merge: the other index has scheme {added!r}, this one {known!r}")
        if check_overlap and any(key in self.keys for key in other.keys):
            raise ValueError("merge: both have a key")
        with self._storage.transaction():
            self._remember(known or added)
            for key in list(other.keys):
                stored, hashes = self._storage.checked_key(key), list(other.keys.get(key))
                if stored in self.keys:
                    self._storage.remove(stored)
                self._storage.insert(stored, hashes)

    def insertion_session(self, buffer_size: int = 50000) -> MinHashLSHInsertionSession:
        """A context manager with `insert`; a file is written once, at its end."""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size: int = 50000) -> MinHashLSHDeletionSession:
        """A context manager with `remove`; a file is written once, at its end."""
        return MinHashLSHDeletionSession(self, buffer_size)

    def query(self, minhash: Sketch) -> list[Any]:
        """Returns the keys of sets that share a band with a sketch: candidates, unordered."""
        return list(self._query(minhash, self.b))

    def _query_b(self, minhash: Sketch, b: int) -> set[Any]:
        """Like `query`, with the first b bands only."""
        if b > self.b:
            raise ValueError(f"b: {b} is more than {self.b} bands")
        return self._query(minhash, b)

    def _query(self, minhash: Sketch, bands: int) -> set[Any]:
        self._checked(minhash)
        found: set[Any] = set()
        for prefix, table in zip(self._hashes(minhash)[:bands], self.hashtables):
            found.update(table.get(prefix))
        return self._loaded(found)

    def add_to_query_buffer(self, minhash: Sketch) -> None:
        """Remembers a sketch for `collect_query_buffer`."""
        self._checked(minhash)
        self._buffered.append(self._hashes(minhash))

    def collect_query_buffer(self) -> list[Any]:
        """Returns the keys found by every sketch buffered since the last call."""
        queries, self._buffered = self._buffered, []
        if not queries:
            return []
        found = [
            set().union(*(table.get(prefix) for prefix, table in zip(hashes, self.hashtables)))
            for hashes in queries
        ]
        return list(self._loaded(set.intersection(*found)))

    def __contains__(self, key: Hashable) -> bool:
        return self._stored(key) in self.keys

    def remove(self, key: Hashable) -> None:
        """Removes a key."""
        stored = self._stored(key)
        with self._storage.transaction():
            if stored not in self.keys:
                raise ValueError(f"the key {key!r} does not exist")
            self._storage.remove(stored)

    def close(self) -> None:
        """Closes the file of the index, if any; changes of open sessions are lost."""
        self._storage.close()

    def is_empty(self) -> bool:
        """Returns True if the index has no key."""
        return any(table.size() == 0 for table in self.hashtables)

    def get_counts(self) -> list[dict[bytes, int]]:
        """Returns, for each band, the number of keys under each table key."""
        return [table.itemcounts() for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[bytes, int]]:
        """Like `get_counts`, for the given keys only."""
        tables = [DictSetStorage() for _ in range(self.b)]
        for stored in [self._stored(key) for key in set(keys)]:
            for prefix, table in zip(self.keys.get(stored), tables):
                table.insert(prefix, stored)
        return [table.itemcounts() for table in tables]

    def _checked(self, minhash: Sketch) -> str | None:
        if len(minhash) != self.h:
            raise ValueError(f"a MinHash of {len(minhash)} values: this index takes {self.h}")
        return same_scheme(self._minhash_scheme, minhash)

    def _remember(self, scheme: str | None) -> None:
        if scheme != self._minhash_scheme:
            self._minhash_scheme = self._storage.scheme = scheme

    def _hashes(self, minhash: Sketch) -> list[bytes]:
        hashes = band_bytes(minhash, self.b, self.r)
        return hashes if self.hashfunc is None else [self.hashfunc(band) for band in hashes]

    def _stored(self, key: Hashable) -> Any:
        if not self.prepickle:
            return self._storage.checked_key(key)
        stored = pickle.dumps(key, protocol=4)  # in a file: the same in every Python version
        try:
            plain_from_pickle(stored)  # fails now rather than when it is found
        except pickle.UnpicklingError as error:
            raise TypeError(f"a key of type {type(key).__name__}: {error}") from error
        return stored

    def _loaded(self, keys: set[Any]) -> set[Any]:
        return {plain_from_pickle(key) for key in keys} if self.prepickle else keys

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Also accepts the state of datasketch, which has tables instead of `_storage`."""
        before: dict[str, Any] = {"_minhash_scheme": None, "hashfunc": None, "prepickle": False}
        self.__dict__.update({**before, "_buffered": [], **state})
        self.hashfunc = unsealed(self.hashfunc)
        if "_storage" not in state:
            self._storage = InMemory(self.__dict__.pop("hashtables"), self.__dict__.pop("keys"))
            self._storage.scheme = self._minhash_scheme
            self.__dict__.pop("_H", None)


class _Session:
    """Collects changes of an index and writes them at once on leaving."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int) -> None:
        self.lsh = lsh
        self.lsh.buffer_size = buffer_size
        self.lsh._storage.begin_session()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session; its changes are in the index."""
        self.lsh._storage.end_session()


class MinHashLSHInsertionSession(_Session):
    """Session that `MinHashLSH.insertion_session` begins."""

    def insert(self, key: Hashable, minhash: Sketch, check_duplication: bool = True) -> None:
        """Adds a set by its sketch, as `MinHashLSH.insert` does."""
        self.lsh.insert(key, minhash, check_duplication)


class MinHashLSHDeletionSession(_Session):
    """Session that `MinHashLSH.deletion_session` begins."""

    def remove(self, key: Hashable) -> None:
        """Removes a key, as `MinHashLSH.remove` does."""
        self.lsh.remove(key)
