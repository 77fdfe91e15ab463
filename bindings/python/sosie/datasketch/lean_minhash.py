"""LeanMinHash: the hash values of a MinHash without what updates need."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from ._schemes import Scheme, SchemeName, scheme_named, scheme_of_code, whole_numbers
from .minhash import MinHash, _least_values

__all__ = ["LeanMinHash"]


class LeanMinHash(MinHash):
    """A small, frozen MinHash that can be compared, merged, hashed and serialised.

    Args:
        minhash (MinHash): source of seed, values and scheme, instead of the arguments below.
        seed (int): the seed of `hashvalues`.
        hashvalues (ArrayLike): the state of a MinHash.
        scheme (str): the scheme of `hashvalues`; with `minhash`, it must be the same scheme.

    Raises:
        ValueError: neither a MinHash nor seed, values and scheme.
    """

    __slots__ = ("hashvalues", "scheme", "seed")

    def __init__(
        self,
        minhash: MinHash | None = None,
        seed: int | None = None,
        hashvalues: Any = None,
        scheme: SchemeName | None = None,
    ) -> None:
        if minhash is not None:
            if scheme is not None and scheme != minhash.scheme:
                raise ValueError(f"scheme: {scheme!r} is not that of the MinHash, {minhash.scheme!r}")
            self._take(minhash.seed, minhash.hashvalues, minhash.scheme)
        elif hashvalues is None or seed is None:
            raise ValueError("a LeanMinHash needs minhash, or both seed and hashvalues")
        elif scheme is None:
            raise ValueError(
                "hashvalues need their scheme; those of datasketch before 2.0 have scheme='legacy'"
            )
        else:
            self._take(seed, hashvalues, scheme)

    def _take(self, seed: Any, hashvalues: Any, scheme: str) -> None:
        kind = scheme_named(scheme)
        self.seed = seed
        self.scheme = kind.name
        self.hashvalues = whole_numbers(hashvalues, kind, "hashvalues")
        if not kind.is_legacy and len(self.hashvalues) == 0:
            raise ValueError("hashvalues: none")  # bytes would be read as if they had the legacy scheme

    @classmethod
    def _of(cls, seed: Any, hashvalues: Any, scheme: str) -> LeanMinHash:
        made = LeanMinHash.__new__(LeanMinHash)
        made._take(seed, hashvalues, scheme)
        return made

    def update(self, b: Any) -> None:
        """Raises TypeError: a LeanMinHash is frozen."""
        raise TypeError("a LeanMinHash cannot be updated")

    def copy(self) -> LeanMinHash:
        """A sketch with the same state."""
        return LeanMinHash._of(self.seed, self.hashvalues, self.scheme)

    def bytesize(self, byteorder: str = "@") -> int:
        """Returns the number of bytes that `serialize` writes.

        Args:
            byteorder (str): @, =, <, > or !, as in the module struct.
        """
        return struct.calcsize(self._layout(byteorder))

    def serialize(self, buf: Any, byteorder: str = "@") -> None:
        """Writes the sketch into a buffer, as datasketch does.

        The bytes: seed (8), number of values (4, negative where a scheme follows), scheme (1, not
        with "legacy"), values (4 each, 8 with "affine64").
        """
        if len(buf) < self.bytesize(byteorder):
            raise ValueError(f"the buffer has {len(buf)} bytes, {self.bytesize(byteorder)} are needed")
        struct.pack_into(self._layout(byteorder), buf, 0, *self._fields())

    @classmethod
    def deserialize(cls, buf: Any, byteorder: str = "@") -> LeanMinHash:
        """The sketch that `serialize` wrote, of this package or of any version of datasketch."""
        return LeanMinHash._of(*_read(buf, byteorder))

    def _layout(self, byteorder: str) -> str:
        scheme = scheme_named(self.scheme)
        return f"{byteorder}{'qi' if scheme.is_legacy else 'qiB'}{len(self)}{scheme.letter}"

    def _fields(self) -> list[Any]:
        code = scheme_named(self.scheme).code
        head = [self.seed, len(self)] if code is None else [self.seed, -len(self), code]
        return [*head, *self.hashvalues.tolist()]

    def __getstate__(self) -> bytearray:
        buf = bytearray(self.bytesize())
        self.serialize(buf)
        return buf

    def __setstate__(self, buf: Any) -> None:
        self._take(*_read(buf, "@"))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.scheme, self.seed, self.hashvalues.tobytes()))

    @classmethod
    def union(cls, *lmhs: MinHash) -> LeanMinHash:
        """The sketch of the union of two or more sets."""
        values = _least_values(lmhs)
        return LeanMinHash._of(lmhs[0].seed, values, lmhs[0].scheme)


def _read(buf: Any, byteorder: str) -> tuple[int, Any, str]:
    """Seed, values and scheme."""
    seed, count = struct.unpack_from(f"{byteorder}qi", buf, 0)
    offset = struct.calcsize(f"{byteorder}qi")
    scheme: Scheme = scheme_named("legacy")
    if count < 0:
        scheme = scheme_of_code(struct.unpack_from(f"{byteorder}B", buf, offset)[0])
        offset = struct.calcsize(f"{byteorder}qiB0{scheme.letter}")  # native order aligns the values
    width = struct.calcsize(byteorder + scheme.letter)
    if abs(count) * width > memoryview(buf).nbytes - offset:
        raise struct.error(f"the buffer is too short for {abs(count)} hash values")
    order = ">" if byteorder in (">", "!") else "<" if byteorder == "<" else "="
    read = np.frombuffer(buf, dtype=f"{order}u{width}", count=abs(count), offset=offset)
    return seed, read.astype(read.dtype.newbyteorder("=")), scheme.name
