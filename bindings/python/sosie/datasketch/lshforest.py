"""MinHashLSHForest: the nearest sets by the longest common prefixes of hash values."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ._schemes import Values, same_scheme
from .lsh import Sketch, band_bytes

__all__ = ["MinHashLSHForest"]


class MinHashLSHForest:
    """An index of approximately the k nearest sets, with the results of datasketch 2.0.

    Args:
        num_perm (int): number of permutations of the sketches.
        l (int): number of sorted tables; each has num_perm // l values of a sketch.

    Raises:
        ValueError: an invalid number, a duplicate key, or sketches of different schemes.

    Source:
        Bawa, Condie, Ganesan, LSH Forest, WWW 2005.
    """

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:  # noqa: E741  (datasketch's name)
        if l <= 0 or num_perm <= 0:
            raise ValueError("num_perm and l are 1 or more")
        if l > num_perm:
            raise ValueError(f"l: {l} is more than num_perm, {num_perm}")
        self.l = l
        self.k = num_perm // l
        self.hashtables: list[defaultdict[bytes, list[Hashable]]] = [defaultdict(list) for _ in range(l)]
        self.hashranges = [(i * self.k, (i + 1) * self.k) for i in range(l)]
        self.keys: dict[Hashable, list[bytes]] = {}
        self.sorted_hashtables: list[list[bytes]] = [[] for _ in range(l)]
        self._minhash_scheme: str | None = None

    def add(self, key: Hashable, minhash: Sketch) -> None:
        """Adds a set by its sketch; `query` finds it after the next `index()`."""
        scheme = self._checked(minhash)
        if key in self.keys:
            raise ValueError(f"the key {key!r} has already been added")
        self._minhash_scheme = scheme
        self.keys[key] = band_bytes(minhash, self.l, self.k)
        for prefix, table in zip(self.keys[key], self.hashtables):
            table[prefix].append(key)

    def index(self) -> None:
        """Makes all keys added so far searchable."""
        self.sorted_hashtables = [sorted(table) for table in self.hashtables]

    def query(self, minhash: Sketch, k: int) -> list[Hashable]:
        """Returns at most k keys, by longest common prefix."""
        if k <= 0:
            raise ValueError(f"k: {k} is less than 1")
        self._checked(minhash)
        found: set[Hashable] = set()
        for key in self._by_length(band_bytes(minhash, self.l, self.k)):
            found.add(key)
            if len(found) >= k:
                break
        return list(found)

    def _by_length(self, hashes: list[bytes]) -> Iterator[Hashable]:
        """Yields keys by descending length of the common prefix, with only new entries at each length."""
        width = len(hashes[0]) // self.k
        ranges: list[tuple[int, int] | None] = [None] * self.l
        for length in range(self.k, 0, -1):
            for tree, (full, table, entries) in enumerate(
                zip(hashes, self.sorted_hashtables, self.hashtables)
            ):
                prefix = full[: length * width]
                first, last = seen = ranges[tree] or (bisect_left(table, prefix),) * 2
                while first > 0 and table[first - 1].startswith(prefix):
                    first -= 1
                while last < len(table) and table[last].startswith(prefix):
                    last += 1
                ranges[tree] = first, last
                for place in (*range(first, seen[0]), *range(seen[1], last)):
                    yield from entries[table[place]]

    def get_minhash_hashvalues(self, key: Hashable) -> Values:
        """Returns the hash values of a key's sketch that the tables hold.

        Raises:
            KeyError: the key was not added.
        """
        segments = self.keys.get(key)
        if segments is None:
            raise KeyError(f"the key {key!r} is not in the forest")
        width, rest = divmod(len(segments[0]), self.k)
        if rest != 0 or width not in (4, 8) or len({len(segment) for segment in segments}) != 1:
            raise ValueError(f"the tables hold no {self.k} hash values of 4 or 8 bytes for {key!r}")
        swapped = np.frombuffer(b"".join(segments), dtype=f"u{width}")
        return swapped.byteswap()

    def is_empty(self) -> bool:
        """Returns True while no key is searchable."""
        return any(len(table) == 0 for table in self.sorted_hashtables)

    def __contains__(self, key: Hashable) -> bool:
        return key in self.keys

    def _checked(self, minhash: Sketch) -> str | None:
        if len(minhash) < self.k * self.l:
            raise ValueError(f"a MinHash of {len(minhash)} values: {self.k * self.l} are needed")
        return same_scheme(self._minhash_scheme, minhash)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({"_minhash_scheme": None, **state})
