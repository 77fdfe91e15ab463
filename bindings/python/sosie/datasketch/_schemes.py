"""Permutation schemes of MinHash: widths, hash functions, parameters drawn from a seed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .hashfunc import sha1_hash32, sha1_hash64

SchemeName = Literal["affine32", "affine64", "legacy"]
Values = npt.NDArray[Any]  # uint32 or uint64, by scheme

_MERSENNE_61 = (1 << 61) - 1


@dataclass(frozen=True, eq=False)
class Scheme:
    """One way to permute hashes. `code` and `letter` belong to the bytes of a LeanMinHash."""

    name: str
    bits: int  # bits of a hash and of a permuted value
    dtype: type[np.unsignedinteger[Any]]
    stored: str  # type of values in pickles
    code: int | None
    letter: str

    @property
    def most(self) -> int:
        """The maximum value, used where nothing was hashed yet."""
        return (1 << self.bits) - 1

    @property
    def is_legacy(self) -> bool:
        return self.code is None

    @property
    def hashfunc(self) -> Callable[[Any], int]:
        return sha1_hash64 if self.bits == 64 else sha1_hash32


_LEGACY = Scheme("legacy", 32, np.uint64, "<u8", None, "I")
_SCHEMES = {
    "affine32": Scheme("affine32", 32, np.uint32, "<u4", 1, "I"),
    "affine64": Scheme("affine64", 64, np.uint64, "<u8", 2, "Q"),
    "legacy": _LEGACY,
}


def scheme_named(name: object) -> Scheme:
    found = _SCHEMES.get(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"scheme: {name!r} is none of {', '.join(_SCHEMES)}")
    return found


def scheme_of_code(code: int) -> Scheme:
    """The scheme for a code in the bytes of a LeanMinHash."""
    for scheme in _SCHEMES.values():
        if scheme.code == code:
            return scheme
    raise ValueError(f"the bytes name an unknown permutation scheme, {code}")


def same_scheme(known: str | None, minhash: object) -> str | None:
    """The scheme of an index after adding or querying `minhash`; a sketch without a scheme fits any."""
    scheme: str | None = getattr(minhash, "scheme", None)
    if scheme is None or known is None:
        return scheme or known
    if scheme != known:
        raise ValueError(f"a MinHash of scheme {scheme!r}: this index holds scheme {known!r}")
    return known


def permutations_from(seed: Any, count: int, scheme: Scheme) -> Values:
    """Draws `count` permutations as datasketch does: row 0 holds the factors, row 1 the summands."""
    return (_drawn_once if type(seed) is int else _drawn)(seed, count, scheme)


@functools.lru_cache(maxsize=64)
def _drawn_once(seed: int, count: int, scheme: Scheme) -> Values:
    drawn = _drawn(seed, count, scheme)
    drawn.flags.writeable = False  # many sketches share it
    return drawn


def _drawn(seed: Any, count: int, scheme: Scheme) -> Values:
    draw = np.random.RandomState(seed)
    if scheme.is_legacy:
        pairs = [
            (draw.randint(1, _MERSENNE_61, dtype=np.uint64), draw.randint(0, _MERSENNE_61, dtype=np.uint64))
            for _ in range(count)
        ]
        return np.ascontiguousarray(np.array(pairs, dtype=np.uint64).T)
    halves = draw.randint(0, 1 << (scheme.bits - 1), count, dtype=scheme.dtype)
    summands = draw.randint(0, 1 << scheme.bits, count, dtype=scheme.dtype)
    return np.array([halves * scheme.dtype(2) + scheme.dtype(1), summands])


def whole_numbers(values: Any, scheme: Scheme, name: str) -> Values:
    """Converts numbers to a new array of the scheme's type; raises if a number does not fit."""
    if type(values) is np.ndarray and values.dtype == scheme.dtype:
        return values.copy()
    if not isinstance(values, np.ndarray):
        try:
            return np.array(values, dtype=scheme.dtype)
        except OverflowError as error:
            raise ValueError(f"{name} out of range for scheme {scheme.name!r}: {error}") from error
    if not scheme.is_legacy and values.dtype.kind in "iu" and values.size:
        if int(values.max()) > scheme.most or int(values.min()) < 0:
            raise ValueError(f"{name} out of range for scheme {scheme.name!r}")
    return np.array(values, dtype=scheme.dtype)


def factors_and_summands(given: Any, scheme: Scheme) -> Values:
    """Permutations as two rows; shares an array already in this form."""
    if (
        type(given) is np.ndarray
        and given.dtype == scheme.dtype
        and given.ndim == 2
        and given.shape[0] == 2
        and given.flags.c_contiguous
    ):
        return given
    rows = [whole_numbers(given[row], scheme, "permutations") for row in (0, 1)]
    return np.array(rows, dtype=scheme.dtype)


def checked_permutations(given: Any, scheme: Scheme) -> Values:
    """Permutations as two rows; checks that factors are odd, as an even factor would merge hashes."""
    rows = factors_and_summands(given, scheme)
    if not scheme.is_legacy and not np.all(rows[0] & scheme.dtype(1)):
        raise ValueError(f"permutations: scheme {scheme.name!r} needs odd factors")
    return rows


def array_of_state(value: Any) -> Values:
    """A copy of an array; lists of lists may be far longer than their pickle."""
    if not isinstance(value, np.ndarray):
        raise ValueError("a state without arrays")
    return np.array(value)
