"""What the documentation says in Python, it does."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SOURCES

import sosie

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/python.md", "docs/coming-from.md"]


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page, tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert found
    for block in found:
        exec(compile(block, page, "exec"), {})  # noqa: S102  (our own page)


@pytest.mark.parametrize("kind", ["list", "polars", "pandas", "pyarrow", "duckdb", "datasets"])
def test_the_example_of_the_readme_takes_every_kind(kind, capsys):
    (example,) = blocks("README.md")
    lines = example.splitlines()
    (given,) = (number for number, line in enumerate(lines) if line.startswith("texts = "))
    lines.insert(given + 1, "texts = convert(texts)")
    exec("\n".join(lines), {"convert": SOURCES[kind]})  # noqa: S102  (our own page)
    printed = capsys.readouterr().out
    assert printed.startswith("[ True False]")
    assert "The quick" not in printed


def test_doctests_run():
    for module in (sosie, sys.modules["sosie._index"]):
        done = doctest.testmod(module)
        assert done.failed == 0
        assert done.attempted > 0


def test_types_are_complete(tmp_path):
    """mypy --strict has nothing to say of the package and of a user of it."""
    (tmp_path / "user.py").write_text(
        "import polars\nimport sosie\n"
        "r = sosie.dedup(polars.DataFrame({'text': ['a']}), threshold=0.9, keep='longest')\n"
        "kept: polars.DataFrame = r.apply(polars.DataFrame({'text': ['a']}))\n"
        "n: int = len(sosie.pairs(['a b', 'a b']))\n")
    settings = ["--config-file", ROOT / "pyproject.toml"]
    for command in (["-p", "sosie"], ["user.py"]):
        done = subprocess.run([sys.executable, "-m", "mypy", *settings, *command], cwd=tmp_path,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_misspelt_keywords_and_values_are_type_errors(tmp_path):
    (tmp_path / "user.py").write_text(
        "import sosie\n"
        "sosie.dedup(['a'], treshold=0.9)\n"
        "sosie.dedup(['a'], method='fast')\n"
        "sosie.pairs(['a'], measure='jacard', within='1')\n"
        "sosie.query('a.npy', 'b.npy', measure='euclidean', within=0.5, column=['a', 'b'])\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "user.py"], cwd=tmp_path,
                          capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [int(line.split(":")[1]) for line in errors] == [2, 3, 4], done.stdout
    assert "treshold" in errors[0] and "'fast'" in errors[1] and "'jacard'" in errors[2]
