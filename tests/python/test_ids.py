"""Results name rows not only by number but also by id."""

from __future__ import annotations

import datetime
import decimal
import json
import pickle
import uuid

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.parquet
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


DAY = datetime.datetime(2024, 1, 5, 12, 30)
NAMED = {
    "date": ([DAY.date(), datetime.date(1969, 12, 31), datetime.date(2024, 1, 6)], pyarrow.date32(),
             ["2024-01-05", "1969-12-31", "2024-01-06"]),
    "time": ([datetime.time(9, 5), datetime.time(23, 59, 59), datetime.time(9, 5, 1)], pyarrow.time64("us"),
             ["09:05:00", "23:59:59", "09:05:01"]),
    "timestamp": ([DAY, DAY.replace(microsecond=250_000), DAY.replace(year=1900)], pyarrow.timestamp("us"),
                  ["2024-01-05 12:30:00", "2024-01-05 12:30:00.25", "1900-01-05 12:30:00"]),
    "timestamp with a zone": ([DAY, DAY.replace(hour=13), DAY.replace(year=1900)],
                              pyarrow.timestamp("us", "UTC"),
                              ["2024-01-05 12:30:00+00:00", "2024-01-05 13:30:00+00:00", "1900-01-05 12:30:00+00:00"]),
    "uuid": ([uuid.UUID(int=7).bytes, uuid.UUID(int=1 << 127).bytes, bytes(range(240, 256))], pyarrow.binary(16),
             [str(uuid.UUID(int=7)), str(uuid.UUID(int=1 << 127)), str(uuid.UUID(bytes=bytes(range(240, 256))))]),
    "decimal": ([decimal.Decimal(n) for n in (7, 9, 8)], pyarrow.decimal128(20, 0), [7, 9, 8]),
}


@pytest.mark.parametrize("name", NAMED)
def test_dates_and_uuids_are_ids_as_in_csv(name, tmp_path, monkeypatch):
    """Every door names the rows as the CSV file of the same table does."""
    monkeypatch.chdir(tmp_path)
    values, kind, expected = NAMED[name]
    table = pyarrow.table({"key": pyarrow.array(values, kind), "text": ["same text"] * 3})
    pyarrow.parquet.write_table(table, "in.parquet")
    pyarrow.feather.write_feather(table, "in.arrow", compression="uncompressed")
    with open("in.csv", "w") as file:
        file.write("key,text\n" + "".join(f"{value},same text\n" for value in expected))
    doors = {"parquet": tmp_path / "in.parquet", "arrow": tmp_path / "in.arrow", "csv": tmp_path / "in.csv",
             "pyarrow": table, "sliced": pyarrow.concat_tables([table] * 2).slice(3)}
    if name != "uuid":  # of which these libraries make other columns
        doors |= {"polars": polars.from_arrow(table), "duckdb": duckdb.connect().from_arrow(table),
                  "pandas": table.to_pandas(types_mapper=pandas.ArrowDtype)}
    for door, source in doors.items():
        found = sosie.pairs(source, id="key", kind="strings", column="text", within=0)
        ids = [found["left_id"].tolist()[0], *found["right_id"].tolist()[:2]]
        assert list(map(str, ids)) == list(map(str, expected)), door


def test_ids_of_any_bytes_stay_apart(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(b"".join(b'{"id": "a%s", "text": "x y"}\n' % end for end in (b"\xff", b"\xfe")))
    result = sosie.dedup(tmp_path / "in.jsonl")
    assert list(result.kept) == [(0, "a\udcff")]
    assert list(result.removed) == [(1, 0, 1.0, True, "a\udcfe", "a\udcff")]
    with pytest.raises(sosie.InputError, match="id 'a.udcfe' is not UTF-8, so Arrow cannot hold it"):
        pyarrow.table(result.removed)
    with pytest.raises(sosie.InputError, match="is not UTF-8"):
        sosie.Index.create(tmp_path / "index", pyarrow.table({"id": [b"a\xff"], "text": ["x y"]}))
