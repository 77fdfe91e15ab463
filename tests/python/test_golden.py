"""The program's pinned values also hold for the package: the bytes of the demo (tests/golden)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import polars
import pytest

import sosie

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples" / "man-pages.jsonl"
PINNED = dict(reversed(line.split()) for line in
              (ROOT / "tests/golden/demo_outputs.sha256").read_text().splitlines())


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("threads", [1, 3])
def test_files_that_the_demo_writes(tmp_path, monkeypatch, threads):
    assert len(PINNED) == 2
    monkeypatch.chdir(ROOT)  # the tables contain the file names
    sosie.dedup(SAMPLE.relative_to(ROOT), output=tmp_path / "kept.jsonl", removed=tmp_path / "removed.tsv",
                threads=threads)
    assert {name: checksum((tmp_path / name).read_bytes()) for name in PINNED} == PINNED


def test_rows_in_memory_are_decided_alike():
    lines = SAMPLE.read_text().splitlines(keepends=True)
    result = sosie.dedup(polars.DataFrame([json.loads(line) for line in lines]))
    kept = "".join(lines[row] for row in result.kept["row"].tolist())
    assert checksum(kept.encode()) == PINNED["kept.jsonl"]
