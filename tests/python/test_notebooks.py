"""The notebooks in docs/notebooks reproduce their outputs and leave nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
RUN = ROOT / "tools" / "run_notebook.py"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_gives_its_outputs(notebook, tmp_path):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    subprocess.run([sys.executable, RUN, notebook, "--check"], check=True, cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["samples"]


def test_other_outputs_are_found(tmp_path):
    printed = {"name": "stdout", "output_type": "stream", "text": ["2\n"]}
    result = {"data": {"text/plain": ["2"]}, "metadata": {}, "output_type": "execute_result"}
    notebook = tmp_path / "n.ipynb"
    for source, output in (("print(1)", printed), ("1", result)):
        cell = {"cell_type": "code", "source": [source], "execution_count": 1, "metadata": {},
                "outputs": [output]}
        notebook.write_text(json.dumps({"cells": [cell]}))
        assert subprocess.run([sys.executable, RUN, notebook, "--check"], stderr=subprocess.DEVNULL,
                              check=False).returncode == 1
    subprocess.run([sys.executable, RUN, notebook], check=True)
    subprocess.run([sys.executable, RUN, notebook, "--check"], check=True)


def test_a_report_and_a_view_stand_in_the_notebook():
    text = (ROOT / "docs" / "notebooks" / "man_pages.ipynb").read_text()
    assert "<svg" in text
    assert "110 removed (6 identical, 104 near)" in text
    assert len(text) < 100_000
