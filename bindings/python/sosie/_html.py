"""Results as HTML for notebooks: counts, the S-curve, and the similarities of removed rows."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 320, 190, 8, 20, 36
_BINS = 20


def of_result(
    stats: Mapping[str, Any], similarity: npt.NDArray[np.float64], nearest: str
) -> str:
    """`similarity`: similarities or distances of removed rows; `nearest`: the pairs nearest the threshold, as text."""
    is_distance = "within" in stats
    bound = f"≤ {stats['within']}" if is_distance else f"≥ {stats['threshold']}"
    near = "holding an item" if stats.get("removes_holders") else "near"
    rows = {
        "rows": f"{stats['rows']:,}",
        "kept": f"{stats['kept']:,}",
        "removed": f"{stats['removed']:,} ({stats['identical']:,} identical, {stats['near']:,} {near})",
        "groups": f"{stats['groups']:,}",
        "method": f"{stats['measure']} {bound}, {stats['method']}",
        "expected recall": f"{stats['expected_recall']:.4g}",
    }
    cells = "".join(
        f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>"
        f"{html.escape(value)}</td></tr>"
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
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _curve(stats: Mapping[str, Any], similarity: npt.NDArray[np.float64]) -> str:
    # A similarity of exactly 0.7 belongs to the bar that begins there, even if its double is below 0.7.
    places = np.minimum(np.floor(similarity * _BINS + 1e-9).astype(np.int64), _BINS - 1)
    counts = np.bincount(places, minlength=_BINS)
    most = max(int(counts.max()), 1)
    threshold = float(Fraction(stats["threshold"]))
    bars = "".join(_bar(i, count, most, threshold) for i, count in enumerate(counts.tolist()))
    ticks = "".join(
        f"<text x='{_x(t):.1f}' y='{_HEIGHT - 22}' text-anchor='middle'>{t:g}</text>"
        for t in (0, 0.5, 1, threshold)
        if t == threshold or abs(t - threshold) > 0.08
    )
    line = "; line: share of pairs found" if "bands" in stats else ""
    return (
        f"<svg role='img' aria-label='similarity of the removed rows to their survivors, and the "
        f"share of pairs found at each similarity' viewBox='0 0 {_WIDTH} {_HEIGHT}' "
        f"width='{_WIDTH}' height='{_HEIGHT}' font-size='11' fill='currentColor'>"
        f"<text x='{_LEFT}' y='12'>bars: rows removed (tallest: {most:,}){line}</text>"
        f"<g fill-opacity='0.35'>{bars}</g>"
        f"<line x1='{_x(threshold):.1f}' x2='{_x(threshold):.1f}' y1='{_y(1):.1f}' "
        f"y2='{_y(0):.1f}' stroke='currentColor' stroke-dasharray='3 3'>"
        f"<title>threshold {threshold:g}</title></line>"
        f"{_s_curve(stats)}{ticks}"
        f"<text x='{_WIDTH / 2:g}' y='{_HEIGHT - 5}' text-anchor='middle'>similarity to the kept "
        "row</text></svg>"
    )


def _bar(i: int, count: int, most: int, threshold: float) -> str:
    """Draws the rows with a similarity in [i / 20, (i + 1) / 20). A bar that the threshold cuts begins at
    the threshold, since no row is below it."""
    if count == 0:
        return ""
    left, right = max(i / _BINS, threshold), (i + 1) / _BINS
    return (
        f"<rect x='{_x(left):.1f}' y='{_y(count / most):.1f}' "
        f"width='{max(_x(right) - _x(left) - 1, 1):.1f}' "
        f"height='{_y(0) - _y(count / most):.1f}'>"
        f"<title>{left:g} to {right:g}: {count:,} rows</title></rect>"
    )


def _s_curve(stats: Mapping[str, Any]) -> str:
    """Draws 1 - (1 - s^rows)^bands (MMDS 3.4.2); empty for methods that find every pair."""
    if "bands" not in stats:
        return ""
    points = " ".join(
        f"{_x(i / 100):.1f},{_y(1 - (1 - (i / 100) ** stats['band_rows']) ** stats['bands']):.1f}"
        for i in range(101)
    )
    return (
        f"<polyline points='{points}' fill='none' stroke='currentColor' stroke-width='1.5'>"
        "<title>share of the pairs that are found</title></polyline>"
    )
