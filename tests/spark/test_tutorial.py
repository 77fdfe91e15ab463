"""docs/recipes/spark.md works as described."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_runs_and_prints_what_it_shows(spark: SparkSession, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch,
                                                capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs/recipes/spark.md"
    found = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page.read_text(), flags=re.DOTALL)
    assert len(found) == page.read_text().count("```python") > 3
    names: dict[str, Any] = {}  # The page creates `spark`; here, it is the existing session.
    for block, shown in found:
        block = block.replace("samples/", f"{ROOT}/samples/")  # Java stays where it was started
        exec(compile(block, page, "exec"), names)  # noqa: S102  (our own page)
        assert capsys.readouterr().out == shown
