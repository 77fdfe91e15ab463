"""Numbers of bands and rows that datasketch would choose for a threshold."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

_NODES = 32  # Gauss-Legendre points in each panel


@functools.lru_cache(maxsize=256)
def best_bands(
    threshold: float, num_perm: int, false_positive_weight: float, false_negative_weight: float
) -> tuple[int, int]:
    """Bands and rows with the lowest weighted sum of the areas of false positives and false negatives.

    With b bands of r rows, a pair of similarity s becomes a candidate with probability
    p = 1 - (1 - s^r)^b. The areas are the integral of p below the threshold and of 1 - p above. Among
    equal choices, the first by b, then by r, wins.
    """
    panels = max(8, math.ceil(num_perm / 32))
    below, below_weights = _nodes(0.0, threshold, panels)
    above, above_weights = _nodes(threshold, 1.0, panels)
    nodes = np.concatenate([below, above])
    weights = np.concatenate([false_positive_weight * below_weights, false_negative_weight * above_weights])
    powers = np.cumprod(np.broadcast_to(nodes, (num_perm, len(nodes))), axis=0)  # powers[r - 1] = s^r
    least, best = math.inf, (0, 0)
    for bands in range(1, num_perm + 1):
        missed = (1.0 - powers[: num_perm // bands]) ** bands
        missed[:, : len(below)] = 1.0 - missed[:, : len(below)]  # a false positive is not missed
        errors = missed @ weights
        rows = int(errors.argmin())
        if errors[rows] < least:
            least, best = errors[rows], (bands, rows + 1)
    return best


def _nodes(begin: float, end: float, panels: int) -> tuple[npt.NDArray[np.float64], ...]:
    """Nodes and weights of the integral from begin to end."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = (end - begin) / panels / 2
    middles = begin + half * (2 * np.arange(panels) + 1)
    return (middles[:, None] + half * nodes).ravel(), np.tile(half * weights, panels)
