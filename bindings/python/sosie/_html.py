"""A result as a notebook shows it: counts, the S-curve, and how similar the removed rows are."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 320, 150, 8, 20
_BINS = 20


def of_result(
    stats: Mapping[str, Any], similarity: npt.NDArray[np.float64], nearest: str
) -> str:
    """`similarity`: of the removed rows, or their distances; `nearest`: text of the pairs nearest the threshold."""
    is_distance = "within" in stats
    bound = f"≤ {stats['within']}" if is_distance else f"≥ {stats['threshold']}"
    rows = {
        "rows": stats["rows"],
        "kept": stats["kept"],
        "removed": f"{stats['removed']} ({stats['identical']} identical, {stats['near']} near)",
        "groups": stats["groups"],
        "method": f"{stats['measure']} {bound}, {stats['method']}",
        "expected recall": f"{stats['expected_recall']:.4g}",
    }
    cells = "".join(
        f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>"
        f"{html.escape(str(value))}</td></tr>"
        for name, value in rows.items()
    )
    chart = "" if is_distance else _curve(stats, similarity)
    shown = f"<pre>{html.escape(nearest)}</pre>" if nearest else ""
    return (
        "<div style='display:flex;gap:2em;align-items:flex-start;flex-wrap:wrap'>"
        f"<table>{cells}</table>{chart}</div>{shown}"
    )


def of_table(names: Sequence[str], rows: Sequence[Sequence[object]], count: int) -> str:
    """The first rows of a table of `count` rows."""
    def line(cells: Sequence[object], tag: str) -> str:
        texts = (f"{cell:.6f}" if isinstance(cell, float) else str(cell) for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    more = f"<p>{count - len(rows):,} more rows</p>" if count > len(rows) else ""
    return f"<table><thead>{line(names, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def _x(similarity: float) -> float:
    return _LEFT + similarity * (_WIDTH - 2 * _LEFT)


def _y(share: float) -> float:
    return (_HEIGHT - _BOTTOM) * (1 - share) + 2


def _curve(stats: Mapping[str, Any], similarity: npt.NDArray[np.float64]) -> str:
    counts, _ = np.histogram(similarity, bins=_BINS, range=(0, 1))
    most = max(int(counts.max()), 1)
    bars = "".join(
        f"<rect x='{_x(i / _BINS):.1f}' y='{_y(count / most):.1f}' "
        f"width='{_x(1 / _BINS) - _x(0) - 1:.1f}' height='{_y(0) - _y(count / most):.1f}'/>"
        for i, count in enumerate(counts.tolist())
    )
    threshold = float(Fraction(stats["threshold"]))
    ticks = "".join(
        f"<text x='{_x(t):.1f}' y='{_HEIGHT - 4}' text-anchor='middle'>{t:g}</text>"
        for t in (0, 0.5, 1, threshold)
        if t == threshold or abs(t - threshold) > 0.08
    )
    return (
        f"<svg role='img' aria-label='similarity of the removed rows to their survivors, and the "
        f"share of pairs found at each similarity' width='{_WIDTH}' height='{_HEIGHT}' "
        "font-size='11' fill='currentColor'>"
        f"<g fill-opacity='0.35'>{bars}</g>"
        f"<line x1='{_x(threshold):.1f}' x2='{_x(threshold):.1f}' y1='{_y(1):.1f}' "
        f"y2='{_y(0):.1f}' stroke='currentColor' stroke-dasharray='3 3'/>"
        f"{_s_curve(stats)}{ticks}</svg>"
    )


def _s_curve(stats: Mapping[str, Any]) -> str:
    """1 - (1 - s^rows)^bands (MMDS 3.4.2); nothing of methods that find every pair."""
    if "bands" not in stats:
        return ""
    points = " ".join(
        f"{_x(i / 100):.1f},{_y(1 - (1 - (i / 100) ** stats['band_rows']) ** stats['bands']):.1f}"
        for i in range(101)
    )
    return f"<polyline points='{points}' fill='none' stroke='currentColor' stroke-width='1.5'/>"
