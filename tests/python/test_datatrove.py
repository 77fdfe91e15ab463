"""In pipelines of the real library, the datatrove block drops the rows that a run of `sosie dedup`
removed, regardless of the format of the table of removed rows."""

from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
from pathlib import Path

import polars
import pytest
from conftest import make_texts
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import sosie
from sosie.datatrove import SosieDedupFilter, key_of

TEXTS = make_texts(3, 120)
KEPT = [TEXTS[row] for row in sosie.dedup(TEXTS, threshold=0.7).kept["row"]]


def write_corpus(folder: Path, with_ids: bool) -> None:
    (folder / "in/sub").mkdir(parents=True)
    rows = [{"text": text, "n": n} | ({"id": f'"doc\t{n}\\'} if with_ids else {})
            for n, text in enumerate(TEXTS)]
    for name, some in (("a.jsonl", rows[:70]), ("sub/b.jsonl", rows[70:])):
        (folder / "in" / name).write_text("".join(json.dumps(row) + "\n" for row in some))


def kept_by_pipeline(block: SosieDedupFilter, tasks: int = 2) -> list[str]:
    here = Path.cwd()  # datatrove's processes may be in another folder
    LocalPipelineExecutor(
        [JsonlReader(f"{here}/in"), block,
         JsonlWriter(f"{here}/out", "${rank}.jsonl", compression=None)],
        tasks=tasks, logging_dir=f"{here}/logs").run()
    rows = [json.loads(line) for file in Path("out").iterdir() for line in file.open()]
    return [row["text"] for row in sorted(rows, key=lambda row: row["metadata"]["n"])]


@pytest.mark.parametrize("table", ["removed.tsv", "removed.tsv.gz", "removed.csv", "removed.jsonl",
                                   "removed.parquet", "removed.arrow"])
@pytest.mark.parametrize("with_ids", [True, False])
def test_it_keeps_the_rows_of_the_run(table, with_ids, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_corpus(tmp_path, with_ids)
    sosie.dedup("in/", threshold=0.7, removed=table)
    assert kept_by_pipeline(SosieDedupFilter(table)) == KEPT


def test_it_takes_ids_and_writes_what_it_drops(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_corpus(tmp_path, with_ids=True)
    result = sosie.dedup("in/", threshold=0.7)
    writer = JsonlWriter(f"{tmp_path}/dropped", "${rank}.jsonl", compression=None)
    assert kept_by_pipeline(SosieDedupFilter(result.removed["id"], exclusion_writer=writer)) == KEPT
    dropped = [json.loads(line) for file in Path("dropped").iterdir() for line in file.open()]
    assert {row["id"] for row in dropped} == set(result.removed["id"])
    stats = json.loads(Path("logs/stats.json").read_text())[1]["stats"]
    assert stats["dropped_near_duplicate"] == len(TEXTS) - len(KEPT)


def test_a_block_is_small_when_it_is_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    polars.DataFrame({"id": [f"a document with a long name, {n}" for n in range(1000)]}).write_csv("r.csv")
    block = SosieDedupFilter("r.csv")
    assert block.filter(Document("", "a document with a long name, 3")) == (False, "near_duplicate")
    assert len(pickle.dumps(block)) < 2000


def test_tables_that_are_none_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kept.jsonl").write_text('{"text": "a"}\n')
    with pytest.raises(sosie.InputError, match="kept.jsonl: has no column id"):
        SosieDedupFilter("kept.jsonl").filter(Document("a", "b"))
    assert SosieDedupFilter([]).filter(Document("a", "b")) is True


def test_a_missing_library_is_told_with_what_to_type():
    code = "import sys; sys.modules['datatrove'] = None\nimport sosie.datatrove"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'sosie[datatrove]'" in done.stderr.splitlines()[-1]


def test_keys_are_found_whatever_their_bytes():
    """With this many, some end with the byte that numpy considers the end."""
    ids = [str(number) for number in range(3000)]
    block = SosieDedupFilter(ids[:2000])
    assert sum(block.filter(Document("", id)) is True for id in ids) == 1000
    assert any(key.endswith(b"\0") for key in map(key_of, ids[:2000]))


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_blank_lines_are_no_rows(packed, tmp_path, monkeypatch):
    """The reader counts them, but a run does not."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    lines = [("\n" if n % 7 == 0 else " \t\r\n" if n % 5 == 0 else "") + json.dumps({"text": text, "n": n})
             for n, text in enumerate(TEXTS)]
    with (gzip.open if packed else open)(f"in/a.jsonl{packed}", "wt", newline="") as file:
        file.write("\n".join(lines) + "\n")
    sosie.dedup("in/", threshold=0.7, removed="removed.tsv")
    assert kept_by_pipeline(SosieDedupFilter("removed.tsv"), tasks=1) == KEPT
