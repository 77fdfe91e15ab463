"""The scripts of docs/notebooks, cell by cell, as a notebook shows them."""

from __future__ import annotations

import ast
import html
import re
from pathlib import Path

import polars
import pytest

import sosie

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))


def shown(value: object) -> str:
    rich = getattr(value, "_repr_html_", None)
    return rich() if rich else f"<pre>{html.escape(repr(value))}</pre>"


def run_cell(code: str, names: dict[str, object]) -> str:
    """Runs a cell; what its last line is worth, as HTML."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102  (our own script)
    value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return "" if value is None else shown(value)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_cell_runs(script, tmp_path, monkeypatch, capsys):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    page = ["<!doctype html><meta charset=utf-8>"]
    for cell in re.split(r"^# %%", script.read_text(), flags=re.MULTILINE)[1:]:
        title, _, code = cell.partition("\n")
        page.append(f"<h3>{title.strip()}</h3>{run_cell(code, names)}")
        page.append(f"<pre>{html.escape(capsys.readouterr().out)}</pre>")
    Path("notebook.html").write_text("\n".join(page))
    result = page[2 * 4 - 1]
    assert "<svg" in result and "110 (6 identical, 104 near)" in result
    clean = polars.read_parquet("clean.parquet")
    assert clean.columns == ["id", "text"]
    assert len(clean) == int(sosie.dedup("samples/man-pages.jsonl", threshold=0.95,
                                         keep="longest").mask.sum())
    assert "<svg" in Path("report.html").read_text()
