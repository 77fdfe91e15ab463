"""Estimators for scikit-learn: near-duplicates as clusters, and a fuzzy join of records.

>>> from sosie.sklearn import NearDuplicates
>>> texts = ["one two three four", "One two three four!", "something else"]
>>> NearDuplicates(threshold=0.8).fit_predict(texts).tolist()
[0, 0, 1]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

try:
    from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
    from sklearn.utils.validation import validate_data
except ImportError as missing:
    raise ImportError(f"sosie.sklearn needs scikit-learn: pip install 'sosie[sklearn]' ({missing})"
                      ) from missing

from . import _verbs
from ._rows import is_lazy, is_sparse, library_of
from ._verbs import Clean, Clustering, Kind, Measure, Method, Tokens

Number = float | str | Fraction | None


class NearDuplicates(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Groups near-duplicates as `sosie.dedup` does. Parameters are keywords of `sosie.dedup`.

    Rows are texts (a list, a Series, a frame with `column`), numbers (vectors), or items of `kind`.

    Attributes:
        labels_ (numpy array of int64): the group of each row, numbered from 0 by first row; a row
            without near-duplicates forms its own group.
        kept_ (numpy array of bool): True for the kept row of each group.
    """

    def __init__(
        self,
        *,
        threshold: Number = None,
        within: Number = None,
        measure: Measure | None = None,
        kind: Kind | None = None,
        column: str | Sequence[str] | None = None,
        shingle: str | None = None,
        tokens: Tokens | None = None,
        clean: Clean | None = None,
        method: Method | None = None,
        recall: Number = None,
        keep: str | Sequence[str] | None = None,
        clustering: Clustering | None = None,
        seed: int | None = None,
        threads: int | None = None,
        memory: int | str | None = None,
    ):
        self.threshold = threshold
        self.within = within
        self.measure = measure
        self.kind = kind
        self.column = column
        self.shingle = shingle
        self.tokens = tokens
        self.clean = clean
        self.method = method
        self.recall = recall
        self.keep = keep
        self.clustering = clustering
        self.seed = seed
        self.threads = threads
        self.memory = memory

    def fit(self, X: Any, y: Any = None) -> NearDuplicates:
        """Finds the groups of the rows of `X`; ignores `y`."""
        options = self.get_params()
        if is_sparse(X) and self.kind is None:
            options["kind"] = "vectors"
        result = _verbs.dedup(self._rows_of(X), **options)
        clusters = result.clusters
        survivors = np.arange(len(result.mask))
        survivors[clusters["row"]] = clusters["cluster"]
        _, first, groups = np.unique(survivors, return_index=True, return_inverse=True)
        self.labels_: npt.NDArray[np.int64] = np.argsort(np.argsort(first))[groups].astype(np.int64)
        self.kept_: npt.NDArray[np.bool_] = result.mask
        return self

    def _rows_of(self, X: Any) -> Any:
        """Checks and names rows of numbers as scikit-learn does; returns texts, sets and tables
        unchanged."""
        if isinstance(X, np.ndarray):
            are_numbers = X.ndim != 1 or X.dtype.kind in "biufc"
        elif library_of(X) == "pandas":
            are_numbers = self.column is None and X.ndim == 2 and all(
                getattr(kind, "kind", "O") in "iuf" for kind in X.dtypes)
        else:
            are_numbers = is_sparse(X) or (self.kind in (None, "vectors", "bits")
                                           and isinstance(X, (list, tuple)) and len(X) > 0
                                           and isinstance(X[0], (list, tuple, int, float)))
        if not are_numbers:
            return X
        return validate_data(self, X, accept_sparse="csr", dtype="numeric")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


class FuzzyJoin(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Left join of records of the same entity, as linked by `sosie.link`.

    ``transform(X)`` returns the rows of the frame `X`, in order, with the columns of the linked row
    of `aux_table` and its `link_probability`, or nulls without a link. Frames may be polars or
    pandas.

    Args:
        aux_table: the frame to join, of the same library as `X`.
        rules: fields, candidates and decision, as for `sosie.link`. Default: chosen from the data.
        ignore: fields to ignore.
        assign: at most one partner on both sides (one-to-one), or for each row of `X` (best).
        cut: minimum probability of a link.
        suffix: suffix for columns of `aux_table` whose names occur in `X`.
    """

    def __init__(
        self,
        aux_table: Any,
        *,
        rules: str | None = None,
        ignore: str | Sequence[str] | None = None,
        assign: Literal["one-to-one", "best"] = "best",
        cut: Number = None,
        suffix: str = "_right",
        threads: int | None = None,
        memory: int | str | None = None,
    ):
        self.aux_table = aux_table
        self.rules = rules
        self.ignore = ignore
        self.assign = assign
        self.cut = cut
        self.suffix = suffix
        self.threads = threads
        self.memory = memory

    def fit(self, X: Any = None, y: Any = None) -> FuzzyJoin:
        """Checks the frames only; `transform` finds the links."""
        for name, frame in (("X", X), ("aux_table", self.aux_table)):
            if frame is not None and library_of(frame) not in ("pandas", "polars"):
                raise TypeError(f"{name}: a frame of polars or pandas, not {type(frame).__name__}")
        return self

    def transform(self, X: Any) -> Any:
        """Returns the rows of `X` with the columns of their linked rows."""
        self.fit(X)
        if is_lazy(X) or library_of(X) != library_of(self.aux_table) or not hasattr(X, "columns"):
            raise TypeError("X and aux_table: two frames of polars or two of pandas")
        if self.assign not in ("one-to-one", "best"):
            raise ValueError(f"assign: {self.assign!r} is not one of one-to-one, best")
        options = self.get_params()
        aux, suffix = options.pop("aux_table"), options.pop("suffix")
        links = _verbs.link(X, against=aux, **options)
        partner: list[int | None] = [None] * len(X)
        probability: list[float | None] = [None] * len(X)
        for left, right, likely in zip(links["left"].tolist(), links["right"].tolist(),
                                       links["probability"].tolist(), strict=True):
            partner[left], probability[left] = right, likely
        names = {name: f"{name}{suffix}" if name in X.columns else name for name in aux.columns}
        every = [*X.columns, *names.values(), "link_probability"]
        twice = sorted({str(name) for name in every if every.count(name) > 1})
        if twice:
            raise ValueError(f"columns {twice} would occur twice: rename them, or use another suffix")
        if library_of(X) == "polars":
            import polars

            places = polars.Series(partner, dtype=polars.Int64)
            linked = aux.select(polars.all().gather(places)).rename(names)
            column = polars.Series("link_probability", probability, dtype=polars.Float64)
            return X.hstack(linked).with_columns(column)
        import pandas

        rows = [-1 if row is None else row for row in partner]
        linked = aux.reset_index(drop=True).reindex(rows).set_axis(X.index).rename(columns=names)
        linked["link_probability"] = pandas.Series(probability, X.index, float)
        return pandas.concat([X, linked], axis=1)
