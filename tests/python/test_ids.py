"""Results also name rows by their ids, in addition to their numbers."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import sosie

TEXTS = ["one two three four five six", "something else altogether for once only",
         "One two three four five six!"]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_files_with_ids(tmp_path):
    rows = [{"id": f"r{i}", "text": text} for i, text in enumerate(TEXTS)]
    data = write(tmp_path / "in.jsonl", rows)
    result = sosie.dedup(data)
    assert list(result.removed) == [(2, 0, 1.0, True, "r2", "r0")]
    assert result.removed.column_names == ["row", "kept_row", "similarity", "exact", "id", "kept_id"]
    assert list(result.clusters) == [(0, 0, True, 2, "r0", "r0"), (2, 0, False, 2, "r2", "r0")]
    assert list(result.kept) == [(0, "r0"), (1, "r1")]
    assert list(result.pairs) == list(sosie.pairs(data)) == [(0, 2, 1.0, "r0", "r2")]
    assert list(sosie.query(data, data))[0] == (0, 0, 1.0, "r0", "r0")
    table = pyarrow.table(result.removed)
    assert table.schema.field("id").type == pyarrow.large_string()
    assert list(pickle.loads(pickle.dumps(result)).removed) == list(result.removed)
    assert list(result.pairs[:1]) == [(0, 2, 1.0, "r0", "r2")]


def test_whole_numbers_stay_numbers_and_row_means_none(tmp_path):
    data = write(tmp_path / "in.jsonl", [{"n": 7 * i, "text": t} for i, t in enumerate(TEXTS)])
    assert sosie.dedup(data).removed.column_names == ["row", "kept_row", "similarity", "exact"]
    removed = sosie.dedup(data, id="n").removed
    assert removed["id"].dtype == np.int64 and removed["id"].tolist() == [14]
    assert list(sosie.pairs(data, id="row")) == [(0, 2, 1.0)]


def test_documents_are_called_by_their_paths(tmp_path):
    for name, text in zip("abc", TEXTS, strict=True):
        (tmp_path / name).write_text(text)
    assert list(sosie.dedup(tmp_path, format="files").removed) == [(2, 0, 1.0, True, "c", "a")]


def test_rows_are_called_by_their_file_and_number(tmp_path):
    for name, texts in (("a", TEXTS[:1]), ("b", TEXTS[1:])):
        write(tmp_path / f"{name}.jsonl", [{"id": i, "text": t} for i, t in enumerate(texts)])
    with pytest.raises(sosie.InputError, match="already used by"):
        sosie.dedup(tmp_path)
    names = (f"{tmp_path}/b.jsonl:1", f"{tmp_path}/a.jsonl:0")
    assert list(sosie.dedup(tmp_path, id="file:row").removed) == [(2, 0, 1.0, True, *names)]


def test_files_of_ids(tmp_path):
    np.save(tmp_path / "v.npy", np.array([[1.0, 0], [0, 1], [2, 0]]))
    (tmp_path / "v.ids").write_text("x\ny\nz\n")
    found = sosie.pairs(tmp_path / "v.npy", ids=tmp_path / "v.ids", threshold=0.9)
    assert list(found) == [(0, 2, 1.0, "x", "z")]
    found = sosie.query(tmp_path / "v.npy", [[5.0, 0]], kind="vectors", ids=tmp_path / "v.ids", top=1)
    assert list(found) == [(0, 0, 1.0, "x")]
    assert found.column_names[3] == "right_id"


@pytest.mark.parametrize("make", [
    lambda rows: rows, polars.DataFrame, pandas.DataFrame, pyarrow.Table.from_pylist,
])
def test_a_column_names_rows_in_memory(make):
    rows = make([{"key": f"k{i}", "text": text} for i, text in enumerate(TEXTS)])
    assert list(sosie.dedup(rows).removed) == [(2, 0, 1.0, True)]  # nobody asked for ids
    result = sosie.dedup(rows, id="key")
    assert list(result.removed) == [(2, 0, 1.0, True, "k2", "k0")]
    assert list(result.at(0.5).kept) == [(0, "k0"), (1, "k1")]
    assert list(sosie.pairs(rows, id="key")) == [(0, 2, 1.0, "k0", "k2")]
    with pytest.raises(sosie.InputError, match="'kay' is missing"):
        sosie.dedup(rows, id="kay")


def test_ids_of_sets_and_of_both_sides(tmp_path):
    ours = polars.DataFrame({"n": [1, 2], "tags": [["a", "b"], ["c"]]})
    theirs = polars.DataFrame({"n": [8, 9], "tags": [["c"], ["x"]]})
    result = sosie.dedup(ours, against=theirs, kind="sets", column="tags", id="n")
    assert list(result.removed) == [(1, 0, 1.0, True, True, 2, 8)]
    assert result.removed["kept_id"].dtype == np.int64
    found = sosie.pairs(ours, against=theirs, kind="sets", column="tags", id="n")
    assert list(found) == [(1, 0, 1.0, 2, 8)]


def test_ids_are_read_when_they_are_asked_for(tmp_path):
    data = write(tmp_path / "in.jsonl", [{"id": i, "text": t} for i, t in enumerate(TEXTS)])
    removed = sosie.dedup(data).removed
    data.write_text("")
    assert removed["row"].tolist() == [2]
    with pytest.raises(sosie.FileError, match="changed since it was read"):
        _ = removed["id"]


def test_rows_without_columns_have_no_ids():
    with pytest.raises(sosie.OptionError, match="^id='id': rows in memory without columns") as bad:
        sosie.dedup(TEXTS, id="id")
    assert bad.value.option == "id"
