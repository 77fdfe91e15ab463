"""MinHash: a sketch of a set that estimates Jaccard similarities."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import numpy as np

from .. import _sosie
from ._pickles import unsealed
from ._schemes import (
    Scheme,
    SchemeName,
    Values,
    checked_permutations,
    factors_and_summands,
    permutations_from,
    scheme_named,
    whole_numbers,
)
from .hashfunc import sha1_hash32

__all__ = ["MinHash"]

_MOST_PERMUTATIONS = 1 << 32
GpuMode = Literal["disable", "detect", "always"]


class MinHash:
    """A sketch of a set, with the parameters, values and errors of datasketch 2.0.

    Args:
        num_perm (int): number of permutations; with `hashvalues`, their number.
        seed (int): selects the permutations; only sketches with the same seed can be compared.
        gpu_mode (str): "disable" and "detect" compute on the CPU; "always" makes `update_batch`
            raise RuntimeError.
        hashfunc (Callable): maps an argument of `update` to a 32-bit number (64-bit with
            "affine64"). Default: SHA-1, several times as fast as a Python function.
        hashobj (object): ignored, with a DeprecationWarning.
        hashvalues (ArrayLike): the state of another sketch; needs `scheme`.
        permutations (ArrayLike): factors and summands of another sketch; needs `scheme`.
        scheme (str): "affine32" (default), "affine64" (for sets of more than about 100 million
            elements) or "legacy" (the values of datasketch before 2.0).

    Raises:
        ValueError: an invalid number or name; sketches that cannot be compared.

    Source:
        MMDS chapter 3.3.5; Broder 1997.
    """

    scheme: str
    seed: Any
    hashvalues: Values
    num_perm: int
    hashfunc: Callable[[Any], int]
    permutations: Values
    _gpu_mode: GpuMode
    _a_gpu = _b_gpu = None  # datasketch has them

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: GpuMode = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: object | None = None,
        hashvalues: Any = None,
        permutations: Any = None,
        scheme: SchemeName | None = None,
    ) -> None:
        if scheme is None and (hashvalues is not None or permutations is not None):
            raise ValueError(
                "hashvalues and permutations need their scheme; those of datasketch before 2.0 have "
                "scheme='legacy'"
            )
        kind = scheme_named("affine32" if scheme is None else scheme)
        if hashvalues is not None:
            num_perm = len(hashvalues)
        if num_perm < 1:
            raise ValueError(f"num_perm: {num_perm} is less than 1")
        if num_perm > _MOST_PERMUTATIONS:
            raise ValueError(f"num_perm: {num_perm} is more than {_MOST_PERMUTATIONS}")
        if hashfunc is not None and not callable(hashfunc):
            raise ValueError("hashfunc: not callable")
        if hashobj is not None:
            warnings.warn("hashobj is ignored; use hashfunc", DeprecationWarning, stacklevel=2)
        self.scheme = kind.name
        self.seed = seed
        self.num_perm = num_perm
        self.hashfunc = kind.hashfunc if hashfunc is None else hashfunc
        self.hashvalues = _empty(num_perm, kind) if hashvalues is None else self._parsed(hashvalues)
        self.permutations = (
            permutations_from(seed, num_perm, kind)
            if permutations is None
            else checked_permutations(permutations, kind)
        )
        if self.permutations.shape[1] != num_perm:
            raise ValueError(f"{self.permutations.shape[1]} permutations for {num_perm} hash values")
        self._gpu_mode = gpu_mode

    def update(self, b: Any) -> None:
        """Adds one element: bytes, or an argument of `hashfunc`."""
        self._lower((b,))

    def update_batch(self, b: Iterable[Any]) -> None:
        """Adds elements, with the same result as `update` for each."""
        items = tuple(b)
        if items:
            self._lower(items, is_batch=True)

    def _lower(self, items: tuple[Any, ...], is_batch: bool = False) -> None:
        scheme = scheme_named(self.scheme)
        minima = np.array(self.hashvalues, dtype=scheme.dtype)  # other holders of the old ones keep them
        if self.hashfunc is scheme.hashfunc:
            _sosie.lower_minima_of_items(items, self.permutations, minima, scheme.is_legacy)
        else:
            hashes = _hashes([self.hashfunc(item) for item in items], scheme)
            _sosie.lower_minima(hashes, self.permutations, minima, scheme.is_legacy)
        if is_batch and self._gpu_mode == "always":
            raise RuntimeError("gpu_mode 'always': these sketches are computed on the CPU")
        self.hashvalues = minima

    def jaccard(self, other: MinHash) -> float:
        """Estimates the Jaccard similarity of two sets as the share of equal values."""
        self._check_comparable(other, "compute Jaccard of")
        return np.count_nonzero(self.hashvalues == other.hashvalues) / len(self.hashvalues)

    def count(self) -> float:
        """Estimates the number of distinct elements.

        Source:
            Cohen, FOCS 1994.
        """
        parts = self.hashvalues / float(scheme_named(self.scheme).most)
        estimate: float = len(parts) / parts.sum() - 1.0
        return estimate

    def merge(self, other: MinHash) -> None:
        """Turns this sketch into the sketch of the union of both sets."""
        self._check_comparable(other, "merge")
        self.hashvalues = np.minimum(other.hashvalues, self.hashvalues)

    def digest(self) -> Values:
        """Returns a copy of the hash values."""
        return self.hashvalues.copy()

    def is_empty(self) -> bool:
        """Returns True if no element was added."""
        return bool(np.all(self.hashvalues == scheme_named(self.scheme).most))

    def clear(self) -> None:
        """Turns this sketch into the sketch of the empty set."""
        self.hashvalues = _empty(len(self), scheme_named(self.scheme))

    def copy(self) -> MinHash:
        """Returns a sketch with the same state, which shares the permutations."""
        return self._with_values(self.hashvalues.copy())

    def _with_values(self, values: Values) -> MinHash:
        made = MinHash.__new__(MinHash)
        made.scheme = self.scheme
        made.seed = self.seed
        made.num_perm = len(values)
        made.hashfunc = self.hashfunc
        made.hashvalues = values
        made.permutations = self.permutations
        made._gpu_mode = self._gpu_mode
        return made

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MinHash)
            and type(self) is type(other)
            and self.scheme == other.scheme
            and self.seed == other.seed
            and np.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None  # type: ignore[assignment]  # it changes

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """Returns the sketch of the union of two or more sets."""
        values = _least_values(mhs)
        first = mhs[0]
        return cls(
            seed=first.seed,
            hashfunc=first.hashfunc,
            hashvalues=values,
            permutations=first.permutations,
            gpu_mode=first._gpu_mode,
            scheme=scheme_named(first.scheme).name,  # type: ignore[arg-type]
        )

    @classmethod
    def bulk(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> list[MinHash]:
        """Returns a sketch for each of several sets; keywords are as for MinHash."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> Iterator[MinHash]:
        """Like `bulk`, but yields one sketch after another."""
        empty = cls(**minhash_kwargs)
        for items in b:
            made = empty._with_values(empty.hashvalues)
            made.update_batch(items)
            if made.hashvalues is empty.hashvalues:
                made.clear()
            yield made

    def _parsed(self, values: Any) -> Values:
        return whole_numbers(values, scheme_named(self.scheme), "hashvalues")

    def _check_comparable(self, other: MinHash, verb: str) -> None:
        if getattr(other, "scheme", None) != self.scheme:
            raise ValueError(f"cannot {verb} MinHash of different permutation schemes")
        if other.seed != self.seed:
            raise ValueError(f"cannot {verb} MinHash of different seeds")
        if len(self.hashvalues) != len(other.hashvalues):
            raise ValueError(f"cannot {verb} MinHash of different numbers of permutations")

    def __getstate__(self) -> Any:
        """Stores values as bytes and omits permutations given by the seed: two thirds of a sketch."""
        state = self.__dict__.copy()
        state["hashvalues"] = self.hashvalues.astype(scheme_named(self.scheme).stored).tobytes()
        if self.permutations is permutations_from(self.seed, len(self), scheme_named(self.scheme)):
            state["permutations"] = None
        return state

    def __setstate__(self, state: Any) -> None:
        """Reads pickles of any version of datasketch; before 2.0 there was no scheme."""
        self.__dict__.update(_BEFORE_2)
        self.__dict__.update(state)
        self.hashfunc = unsealed(self.hashfunc)
        scheme = scheme_named(self.scheme)
        values: Any = self.hashvalues
        if type(values) is bytes:
            values = np.frombuffer(values, dtype=scheme.stored)
        for given in (values, self.permutations):
            if given is not None and not isinstance(given, np.ndarray):
                raise ValueError("a state without arrays")  # nested lists grow
        self.hashvalues = self._parsed(values)
        self.num_perm = len(self.hashvalues)
        if self.permutations is None:
            self.permutations = permutations_from(self.seed, self.num_perm, scheme)
        else:
            self.permutations = factors_and_summands(self.permutations, scheme)


_BEFORE_2 = {"scheme": "legacy", "hashfunc": sha1_hash32, "_gpu_mode": "disable", "permutations": None}


def _empty(count: int, scheme: Scheme) -> Values:
    return np.full(count, scheme.most, dtype=scheme.dtype)


def _hashes(values: list[Any], scheme: Scheme) -> Values:
    try:
        return np.array(values, dtype=scheme.dtype)
    except OverflowError as error:
        if scheme.is_legacy:
            raise
        raise ValueError(
            f"hashfunc: a value is out of range for scheme {scheme.name!r}: {error}; "
            "scheme='affine64' takes 64 bits"
        ) from error


def _least_values(sketches: tuple[MinHash, ...]) -> Values:
    if len(sketches) < 2:
        raise ValueError("union: two MinHash or more are required")
    first = sketches[0]
    for other in sketches[1:]:
        first._check_comparable(other, "union")
    least: Values = np.minimum.reduce([sketch.hashvalues for sketch in sketches])
    return least
