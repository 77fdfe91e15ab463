#!/usr/bin/env python3
"""Draws the pictures in docs/recipes from the output of the program and of the recipes' scripts.

    draw_recipe_pictures.py            # build/release/sosie and samples/, into docs/recipes/pictures
    draw_recipe_pictures.py --check    # exits 1 where a picture is not what would be drawn
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs/recipes/pictures"
STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.faint { fill: #57606a; } .line { stroke: #d0d7de; fill: none; }
.left { fill: #0969da; stroke: #0969da; } .right { fill: #bc4c00; stroke: #bc4c00; }
.hollow { fill: none; stroke-width: 1.6; } .both { fill: #2da44e; fill-opacity: .22; }
.bar { fill: #eaeef2; } .ribbon { fill: #2da44e; fill-opacity: .35; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .faint { fill: #8d96a0; } .line { stroke: #30363d; }
  .left { fill: #58a6ff; stroke: #58a6ff; } .right { fill: #f0883e; stroke: #f0883e; }
  .hollow { fill: none; } .bar { fill: #21262d; } .both, .ribbon { fill: #3fb950; }
}
</style>"""


def svg(width: int, height: int, title: str, parts: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img">\n<title>{title}</title>\n{STYLE}\n'
            + "\n".join(parts) + "\n</svg>\n")


# --- fingerprints

CELL, BORDER, SHOWN, ZOOM = 25, 3, 200, 2


def squares(points: list) -> set[tuple[int, int]]:
    """By the definition of --represent grid:25,border:3."""
    def lanes(at: float) -> set[int]:
        own = math.floor(at / CELL)
        near = {own}
        if at - own * CELL <= BORDER:
            near.add(own - 1)
        if (own + 1) * CELL - at <= BORDER:
            near.add(own + 1)
        return near
    return {(column, row) for x, y, _ in points for column in lanes(x) for row in lanes(y)}


def grid_picture() -> str:
    out = subprocess.run([sys.executable, ROOT / "examples/recipes/prints.py", "1"],
                         capture_output=True, text=True, check=True).stdout
    left, right = (json.loads(line)["points"] for line in out.splitlines())
    side = SHOWN * ZOOM
    parts = [f'<rect class="both" x="{column * CELL * ZOOM + 1}" y="{row * CELL * ZOOM + 1}" '
             f'width="{CELL * ZOOM - 2}" height="{CELL * ZOOM - 2}"/>'
             for column, row in sorted(squares(left) & squares(right))
             if 0 <= column < SHOWN // CELL and 0 <= row < SHOWN // CELL]
    for at in range(0, side + 1, CELL * ZOOM):
        parts.append(f'<path class="line" d="M{at} 0V{side}M0 {at}H{side}"/>')
    for x, y, _ in left:
        if x < SHOWN - 2 and y < SHOWN - 2:
            parts.append(f'<circle class="left hollow" cx="{x * ZOOM:.1f}" cy="{y * ZOOM:.1f}" r="5"/>')
    for x, y, _ in right:
        if x < SHOWN - 2 and y < SHOWN - 2:
            parts.append(f'<path class="right hollow" d="M{x * ZOOM - 4:.1f} {y * ZOOM - 4:.1f}l8 8m-8 0l8 -8"/>')
    legend = side + 22
    parts += [f'<circle class="left hollow" cx="8" cy="{legend - 4}" r="5"/>',
              f'<text x="20" y="{legend}">one print</text>',
              f'<path class="right hollow" d="M104 {legend - 8}l8 8m-8 0l8 -8"/>',
              f'<text x="118" y="{legend}">another of the finger</text>',
              f'<rect class="both" x="262" y="{legend - 12}" width="16" height="16"/>',
              f'<text x="284" y="{legend}">squares of both</text>']
    return svg(side + 1, side + 34, "Minutiae of two prints of a finger, and the squares that both have",
               parts)


# --- plagiarism

PASSAGE = re.compile(r"^  left (\d+)-(\d+), right (\d+)-(\d+)  ", re.M)
PAIR = ("5.13/man2/getpeername.2", "5.13/man2/getsockname.2")


def passages_picture(program: Path) -> str:
    rows = [line for line in (ROOT / "samples/man-pages.jsonl").read_text().splitlines()
            if '"id": "5.13' in line]
    texts = {row["id"]: row["text"] for row in map(json.loads, rows)}
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages.jsonl"
        pages.write_text("\n".join(rows) + "\n")
        page = subprocess.run([program, "explain", *PAIR, pages, "--shingle", "chars:25",
                               "--ignore-common", "0.05", "--passages", "--color", "never"],
                              capture_output=True, text=True, check=True).stdout
    found = [tuple(map(int, each)) for each in PASSAGE.findall(page)]
    width, top, gap, high = 640, 28, 90, 18
    scale = (width - 2) / max(len(texts[name]) for name in PAIR)
    parts = []
    for name, y in zip(PAIR, (top, top + high + gap)):
        label = y - 8 if y == top else y + high + 18
        parts.append(f'<text x="1" y="{label}">{name.rpartition("/")[2]}'
                     f' <tspan class="faint">{len(texts[name]):,} characters</tspan></text>')
        parts.append(f'<rect class="bar" x="1" y="{y}" width="{len(texts[name]) * scale:.1f}" height="{high}" rx="2"/>')
    for a, b, c, d in found:
        a, b, c, d = (1 + at * scale for at in (a, b, c, d))
        upper, lower, bend = top + high, top + high + gap, gap / 2
        parts.append(f'<path class="ribbon" d="M{a:.1f} {top}V{upper}C{a:.1f} {upper + bend} {c:.1f} '
                     f'{lower - bend} {c:.1f} {lower}V{lower + high}H{d:.1f}V{lower}C{d:.1f} '
                     f'{lower - bend} {b:.1f} {upper + bend} {b:.1f} {upper}V{top}Z"/>')
    return svg(width, top + 2 * high + gap + 26, "Passages of one manual page in another", parts)


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__.partition("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    other = []
    for name, picture in (("grid.svg", grid_picture()),
                          ("passages.svg", passages_picture(options.program.resolve()))):
        path = PICTURES / name
        if options.check:
            if not path.exists() or path.read_text() != picture:
                other.append(name)
        else:
            path.write_text(picture)
    if other:
        print(f"not what would be drawn: {', '.join(other)}", file=sys.stderr)
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
