"""Distances and similarities of strings, by code points, without normalisation.

>>> from sosie import strings
>>> strings.levenshtein("kitten", "sitting"), strings.damerau("ca", "abc")
(3, 2)
>>> strings.distances("smith", ["smyth", "schmidt", "jones"], most=2).tolist()
[1, 3, 3]
>>> round(strings.jaro_winkler("MARTHA", "MARHTA"), 3)
0.961
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

from . import _sosie

Measure = Literal["levenshtein", "indel", "osa", "damerau"]
_MEASURES = ("levenshtein", "indel", "osa", "damerau")
_LARGEST = (1 << 32) - 3

__all__ = ["damerau", "distances", "indel", "jaro", "jaro_winkler", "levenshtein", "osa"]


def levenshtein(left: str, right: str, most: int | None = None) -> int:
    """Minimum number of insertions, deletions and replacements that turn one string into the other.

    Args:
        left (str): a string.
        right (str): another one.
        most (int): cap; larger distances return most + 1. Small caps are much faster.

    Source:
        MMDS chapter 3.5.5; Myers, J. ACM 46, 1999; Hyyrö 2003.
    """
    return _sosie.levenshtein(left, right, _checked(most))


def indel(left: str, right: str, most: int | None = None) -> int:
    """Like `levenshtein`, but without replacements."""
    return _sosie.indel(left, right, _checked(most))


def osa(left: str, right: str, most: int | None = None) -> int:
    """Like `levenshtein`, plus swaps of adjacent characters that are not edited again."""
    return _sosie.osa(left, right, _checked(most))


def damerau(left: str, right: str, most: int | None = None) -> int:
    """Like `osa`, but swapped characters may be edited again (Damerau-Levenshtein)."""
    return _sosie.damerau(left, right, _checked(most))


def distances(
    query: str, others: Iterable[str], measure: Measure = "levenshtein", most: int | None = None
) -> npt.NDArray[np.uint32]:
    """Distances between one string and many, several times as fast as separate calls.

    Args:
        query (str): a string.
        others (Iterable[str]): strings to compare with `query`.
        measure (Measure): levenshtein, indel, osa or damerau.
        most (int): cap; larger distances return most + 1.

    Returns:
        numpy uint32, one number for each of `others`.
    """
    if measure not in _MEASURES:
        raise ValueError(f"measure: '{measure}' is not one of {', '.join(_MEASURES)}")
    if isinstance(others, str):
        raise TypeError("others: expected several strings, not a single string")
    return _sosie.distances(_MEASURES.index(measure), query, list(others), _checked(most))


def jaro(left: str, right: str) -> float:
    """Jaro similarity of two strings, from 0 to 1.

    Source:
        Jaro, JASA 84, 1989.
    """
    return _sosie.jaro(left, right)


def jaro_winkler(left: str, right: str, prefix_weight: float = 0.1) -> float:
    """Jaro similarity, raised above 0.7 for each of up to four common leading code points.

    Args:
        left (str): a string.
        right (str): another one.
        prefix_weight (float): share of (1 - similarity) added per code point, 0 to 0.25.

    Source:
        Winkler, Proceedings of the Section on Survey Research Methods, 1990.
    """
    if not 0 <= prefix_weight <= 0.25:
        raise ValueError(f"prefix_weight: {prefix_weight} is not between 0 and 0.25")
    return _sosie.jaro_winkler(left, right, prefix_weight)


def _checked(most: int | None) -> int | None:
    if most is None or 0 <= most <= _LARGEST:
        return most
    raise ValueError(f"most: {most} is not between 0 and {_LARGEST}")
