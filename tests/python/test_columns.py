"""Columns as they occur in practice, in memory and in files: the first column that a row has,
members of lists, names in the other collection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import sosie

ONE = "one two three four five six seven eight"
CHATS: list[dict[str, Any]] = [
    {"text": None, "messages": [{"role": "user", "content": ONE[:13]},
                                {"role": "bot", "content": ONE[14:]}]},
    {"text": ONE, "messages": []},
    {"text": "nine ten", "messages": None},
    {"text": "eleven", "messages": [{"role": "user", "content": ONE}, {"role": "bot",
                                                                       "content": None}]},
]


@pytest.fixture(params=["dicts", "pyarrow", "pandas", "polars", "jsonl", "parquet", "arrow"])
def chats(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    table = pa.Table.from_pylist(CHATS)
    path = tmp_path / f"chats.{request.param}"
    if request.param == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in CHATS))
    elif request.param == "parquet":
        pa.parquet.write_table(table, path)
    elif request.param == "arrow":
        pa.feather.write_feather(table, path)
    return {"dicts": CHATS, "pyarrow": table, "pandas": table.to_pandas(),
            "polars": polars.from_arrow(table)}.get(request.param, path)


def found(pairs: sosie.Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs["left"].tolist(), pairs["right"].tolist(), strict=True))


def test_members_of_lists_are_one_text_by_every_door(chats: Any) -> None:
    assert found(sosie.pairs(chats, column="messages[].content")) == [(0, 3)]
    assert found(sosie.pairs(chats, column="messages[0].content", threshold=0.9)) == []
    assert found(sosie.pairs(chats, column="messages[].content|text")) == [(0, 1), (0, 3), (1, 3)]
    assert found(sosie.pairs(chats, column="text|messages[].content")) == [(0, 1)]
    assert found(sosie.pairs(chats, column="messages[].role", kind="strings", within=0)) == [(0, 3)]
    assert found(sosie.pairs(chats, column="messages[].role", kind="sets")) == [(0, 3)]


def test_a_list_says_how_it_is_reached(chats: Any) -> None:
    with pytest.raises(sosie.InputError, match="is a list, not a string") as error:
        sosie.pairs(chats, column="messages")
    assert "messages[].content" in str(error.value.hint)


def test_the_first_column_that_a_row_has(tmp_path: Path) -> None:
    table = {"text": [ONE, None, "nine"], "content": ["other", ONE, None]}
    for rows in (pa.table(table), pandas.DataFrame(table), polars.DataFrame(table)):
        assert found(sosie.pairs(rows, column="text|content")) == [(0, 1)]
        assert found(sosie.pairs(rows, column="none|text|content")) == [(0, 1)]
        with pytest.raises(sosie.InputError, match="missing") as error:
            sosie.pairs(rows, column="body|title")
        assert "text, content" in str(error.value.hint)
    named = pa.table({"a,b": [ONE, ONE], "a|b": ["x", "y"], "a": ["p", "q"], "b": ["r", "s"]})
    assert found(sosie.pairs(named, column="a,b")) == [(0, 1)]
    assert found(sosie.pairs(named, column="a\\,b|a")) == [(0, 1)]
    assert found(sosie.pairs(named, column="a|b")) == []
    assert found(sosie.pairs(named, column=["a|b", "b"])) == []


def test_names_of_a_list_are_whole() -> None:
    named = pa.table({"a,b": [ONE, ONE], "c": ["x", "x"], "a": ["p", "q"], "b": ["r", "s"]})
    for rows in (named, named.to_pylist(), named.to_pandas()):
        assert found(sosie.pairs(rows, column=["a,b", "c"])) == [(0, 1)]
        assert found(sosie.pairs(rows, column=["a\\,b", "c"])) == [(0, 1)]
        kept = sosie.dedup(rows, column="c", shingle="words:1", keep=["max:a,b", "last"])
        assert kept.removed["row"].tolist() == [0]


def test_one_of_several_that_no_row_has_is_told(tmp_path: Path) -> None:
    rows = [{"text": ONE, "title": "a"}, {"text": ONE}]
    pa_rows = pa.table({"text": [ONE, ONE], "title": ["a", None]})
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for source in (rows, pa_rows, pa_rows.to_pandas(), tmp_path / "rows.jsonl"):
        for kind in ({}, {"kind": "strings", "within": 1}):
            with pytest.raises(sosie.InputError, match="titel") as error:
                sosie.pairs(source, column="text,titel", **kind)
            assert "title" in str(error.value.hint)
            assert len(sosie.pairs(source, column="text,title", **kind).to_pandas()) < 2


def test_what_holds_nothing_is_passed_over() -> None:
    rows = [{"m": [], "text": ONE}, {"m": [ONE]}, {"m": [""], "text": ONE}, {"m": None, "text": ONE}]
    assert len(found(sosie.pairs(rows, column="m[]|text"))) == 6
    columns = pa.table({"a": pa.array(["", None, ONE]), "b": [ONE, ONE, "other"]})
    for table in (columns, columns.to_pandas(), columns.to_pylist()):
        assert len(found(sosie.pairs(table, column="a|b"))) == 3


def test_the_other_collection_has_names_of_its_own(tmp_path: Path) -> None:
    own = pa.table({"id": ["a", "b"], "text": [ONE, "nine ten"]})
    other = pa.table({"key": ["q"], "question": [ONE]})
    pyarrow.parquet.write_table(own, tmp_path / "own.parquet")
    pyarrow.parquet.write_table(other, tmp_path / "other.parquet")
    for left, right in ((own, other), (tmp_path / "own.parquet", tmp_path / "other.parquet"),
                        (own.to_pylist(), other.to_pylist())):
        pairs = sosie.pairs(left, against=right, id="id", other_column="question", other_id="key")
        assert found(pairs) == [(0, 0)]
        assert pairs["left_id"].tolist() == ["a"]
        assert pairs["right_id"].tolist() == ["q"]
        kept = sosie.dedup(left, against=right, id="id", other_column="question", other_id="key")
        assert kept.removed["id"].tolist() == ["a"]
        hits = sosie.query(left, right, id="id", other_column="question", other_id="key")
        assert found(hits) == [(0, 0)]
