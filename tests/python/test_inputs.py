"""Options that determine how files are read, and rows in memory, which need none of these
options."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sosie

TEXTS = ["one two three four five six", "one two three four five six", "seven eight nine ten"]
NAMES = [f"{first} {last} {i}" for i in range(20) for first in ("André", "Zoë", "Hélène")
         for last in ("Müller", "Möller")]
OF_NAMES = {"column": "name", "shingle": "words:1", "threshold": 1}


def write_names(path: Path, encoding: str) -> Path:
    path.write_bytes(("name\n" + "".join(f"{name}\n" for name in NAMES)).encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [";", "|", "tab"])
def test_a_delimiter_of_fields(tmp_path, delimiter):
    c = "\t" if delimiter == "tab" else delimiter
    (tmp_path / "in.csv").write_text(f"id{c}text\n" + "".join(
        f"{i}{c}{text}\n" for i, text in enumerate(TEXTS)))
    out = tmp_path / "out.csv"
    found = sosie.dedup(tmp_path / "in.csv", delimiter=delimiter, output=str(out))
    assert found.mask.tolist() == [True, False, True]
    assert out.read_text() == f"id{c}text\n0{c}{TEXTS[0]}\n2{c}{TEXTS[2]}\n"


def test_tables_without_a_header(tmp_path):
    (tmp_path / "in.tsv").write_text("".join(f"n{i}\t{text}\n" for i, text in enumerate(TEXTS)))
    found = sosie.dedup(tmp_path / "in.tsv", no_header=True, column="2", id="1")
    assert found.mask.tolist() == [True, False, True]
    with pytest.raises(sosie.InputError, match="field 'text' is missing"):
        sosie.dedup(tmp_path / "in.tsv", no_header=True)


def test_titles_above_the_header_of_the_other_file(tmp_path):
    rows = "id,text\n" + "".join(f"{i},{text}\n" for i, text in enumerate(TEXTS))
    own, titled = tmp_path / "own.csv", tmp_path / "titled.csv"
    own.write_text(rows)
    titled.write_text("Exported on Monday\n" + rows)
    found = sosie.pairs(own, against=titled, other_skip_lines=1)
    assert len(found) == 5
    assert len(sosie.query(own, titled, other_skip_lines=1)) == 5
    with pytest.raises(sosie.OptionError, match="other_skip_lines: rows in memory have columns"):
        sosie.pairs(TEXTS, against=TEXTS, other_skip_lines=1)


@pytest.mark.parametrize("name", ["latin-1", "windows-1252", "utf-16", "auto"])
def test_encodings_of_files(tmp_path, name):
    file = write_names(tmp_path / "in.csv", "latin-1" if name == "auto" else name)
    found = sosie.dedup(file, encoding=name, **OF_NAMES)
    same = sosie.dedup(write_names(tmp_path / "utf8.csv", "utf-8"), **OF_NAMES)
    assert found.mask.tolist() == same.mask.tolist() == [True] * len(NAMES)
    if name == "auto":
        assert found.stats["encodings"] == [{"name": str(file), "encoding": "latin-1"}]


def test_other_bytes_than_utf8_are_told_with_the_way_out(tmp_path):
    file = write_names(tmp_path / "in.csv", "latin-1")
    with pytest.raises(sosie.InputError, match="not UTF-8: byte 0xE9; 120 of 120 rows are not"):
        sosie.dedup(file, **OF_NAMES)
    assert sosie.dedup(file, on_bad_row="keep", **OF_NAMES).stats["kept"] == len(NAMES)
    with pytest.raises(sosie.OptionError, match="^encoding: 'klingon' is not one of utf-8"):
        sosie.dedup(file, encoding="klingon", **OF_NAMES)


@pytest.mark.parametrize("rows", [TEXTS, pa.table({"text": TEXTS}), pandas.Series(TEXTS),
                                  [{"text": text} for text in TEXTS]])
@pytest.mark.parametrize("option", [{"delimiter": ";"}, {"no_header": True},
                                    {"encoding": "latin-1"}])
def test_rows_in_memory_have_columns_and_texts_already(rows, option):
    with pytest.raises(sosie.OptionError, match=f"^{next(iter(option))}: rows in memory"):
        sosie.dedup(rows, **option)


def test_joined_columns_are_the_same_in_files_and_in_memory(tmp_path):
    rows = [{"a": "one two three four", "b": "six seven", "n": 1.5},
            {"a": "one two three four", "b": None, "n": 2.0},
            {"a": "one two three four", "b": "six seven", "n": 1.5},
            {"a": None, "b": None, "n": None}, {"a": "x y z", "b": "p q", "n": 3.0}]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, tmp_path / "in.parquet")
    table.to_pandas().to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sources = [tmp_path / "in.parquet", tmp_path / "in.csv", tmp_path / "in.jsonl", rows, table,
               table.to_pandas(), polars.from_arrow(table)]
    for column in ("a,b", "a,n", "n,a", ["a", "b", "n"]):
        for source in sources:
            found = sosie.dedup(source, column=column, shingle="words:1", threshold=0.99)
            assert found.mask.tolist() == [True, True, False, True, True], (column, source)


def test_hidden_files_and_descriptions_of_a_folder(tmp_path):
    rows = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS)
    for name in ("part.json", ".part.json", "part.json~"):
        (tmp_path / name).write_text(rows)
    found = sosie.dedup(tmp_path)
    assert (found.stats["rows"], len(found.stats["hidden_not_read"])) == (3, 2)
    assert sosie.dedup(tmp_path, hidden=True).stats["rows"] == 6
    (tmp_path / "part.json").write_text(json.dumps([{"text": text} for text in TEXTS]))
    with pytest.raises(sosie.UnsupportedError, match="contains a JSON array"):
        sosie.dedup(tmp_path)


def test_a_folder_without_known_extensions_needs_a_format(tmp_path):
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.md").write_text(text)
    with pytest.raises(sosie.UnsupportedError, match="no file in it has a known extension"):
        sosie.pairs(tmp_path)
    assert sosie.dedup(tmp_path, format="files").mask.tolist() == [True, False, True]
