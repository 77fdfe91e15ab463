"""WeightedMinHash: sketches of bags, which estimate weighted Jaccard similarities."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from ._schemes import Values, array_of_state

__all__ = ["WeightedMinHash", "WeightedMinHashGenerator"]


class WeightedMinHash:
    """A sketch made by WeightedMinHashGenerator.

    Args:
        seed (int): the generator's seed.
        hashvalues (numpy.ndarray): the state of a sketch, two numbers per sample.
    """

    def __init__(self, seed: int, hashvalues: Values) -> None:
        self.seed = seed
        self.hashvalues = hashvalues

    def jaccard(self, other: WeightedMinHash) -> float:
        """Estimates the weighted Jaccard similarity of two bags."""
        if other.seed != self.seed:
            raise ValueError("cannot compute Jaccard of WeightedMinHash of different seeds")
        if len(self) != len(other):
            raise ValueError("cannot compute Jaccard of WeightedMinHash of different lengths")
        equal = np.all(self.hashvalues == other.hashvalues, axis=1)
        return int(np.count_nonzero(equal)) / len(self)

    def digest(self) -> Values:
        """A copy of the hash values."""
        return self.hashvalues.copy()

    def copy(self) -> WeightedMinHash:
        """A sketch with the same state."""
        return WeightedMinHash(self.seed, self.digest())

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, WeightedMinHash)
            and type(self) is type(other)
            and self.seed == other.seed
            and np.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None  # type: ignore[assignment]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "hashvalues": array_of_state(state["hashvalues"])})


class WeightedMinHashGenerator:
    """Makes sketches of bags, with the values of datasketch 2.0.

    Args:
        dim (int): number of distinct elements.
        sample_size (int): number of samples per sketch.
        seed (int): selects the samples; only sketches with the same seed can be compared.

    Source:
        Ioffe, Improved Consistent Sampling, ICDM 2010.
    """

    def __init__(self, dim: int, sample_size: int = 128, seed: int = 1) -> None:
        self.dim = dim
        self.sample_size = sample_size
        self.seed = seed
        draw = np.random.RandomState(seed=seed)
        shape = (sample_size, dim)
        self.rs = draw.gamma(2, 1, shape).astype(np.float32)
        self.ln_cs = np.log(draw.gamma(2, 1, shape)).astype(np.float32)
        self.betas = draw.uniform(0, 1, shape).astype(np.float32)

    def minhash(self, v: Any) -> WeightedMinHash:
        """The sketch of a bag.

        Args:
            v (ArrayLike): count of each of the `dim` elements in the bag.
        """
        if not isinstance(v, Sized):
            raise TypeError("the bag has no length")
        if len(v) != self.dim:
            raise ValueError(f"a bag of {len(v)} dimensions, not of {self.dim}")
        counts = np.array(v, dtype=np.float32)
        zeros = counts == 0
        if zeros.all():
            raise ValueError("the bag is empty")
        counts[zeros] = np.nan
        steps = np.floor(np.log(counts) / self.rs + self.betas)
        ln_y = (steps - self.betas) * self.rs
        return self._sampled(steps, np.nanargmin(self.ln_cs - ln_y - self.rs, axis=1))

    def minhash_many(self, X: Any) -> list[WeightedMinHash | None]:
        """Returns sketches of the rows of a matrix, None for an empty row. Values differ from `minhash`.

        Args:
            X (numpy.ndarray | scipy.sparse.spmatrix): count of each element in each bag.
        """
        if not isinstance(X, np.ndarray) and not hasattr(X, "tocsr"):
            raise TypeError("X: neither a numpy array nor a sparse matrix")
        if X.ndim != 2:
            raise ValueError(f"X: {X.ndim} dimensions, not 2")
        if X.shape[1] != self.dim:
            raise ValueError(f"X: bags of {X.shape[1]} dimensions, not of {self.dim}")
        if isinstance(X, np.ndarray):
            return [self._of_row(row) for row in X]
        rows = X.tocsr()
        return [self._of_row(rows[[i]].toarray()[0]) for i in range(X.shape[0])]

    def _of_row(self, row: Values) -> WeightedMinHash | None:
        counts = np.array(row, dtype=np.float32)
        (columns,) = np.nonzero(counts)
        if columns.size == 0:
            return None
        rs, betas = self.rs[:, columns], self.betas[:, columns]
        steps = np.floor(np.log(counts[columns]) / rs + betas)
        ln_y = (steps - betas + 1) * rs
        return self._sampled(steps, np.argmin(self.ln_cs[:, columns] - ln_y, axis=1), columns)

    def _sampled(self, steps: Values, least: Values, columns: Values | None = None) -> WeightedMinHash:
        values = np.zeros((self.sample_size, 2), dtype=int)
        values[:, 0] = least if columns is None else columns[least]
        values[:, 1] = steps[np.arange(self.sample_size), least]
        return WeightedMinHash(self.seed, values)

    def __setstate__(self, state: dict[str, Any]) -> None:
        plain = {name: array_of_state(state[name]) for name in ("rs", "ln_cs", "betas")}
        self.__dict__.update({**state, **plain})
