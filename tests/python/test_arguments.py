"""A call either uses its rows, options and texts or rejects them, in terms of Python."""

from __future__ import annotations

import re

import duckdb
import numpy as np
import polars
import pyarrow
import pytest
from conftest import make_texts

import sosie

TEXTS = ["one two three four five six"] * 3 + ["and something else altogether for once"]
KEPT = [TEXTS[0], TEXTS[3]]


@pytest.mark.parametrize("rows", [TEXTS, pyarrow.table({"text": TEXTS}),
                                  polars.DataFrame({"text": TEXTS}),
                                  [{"text": text} for text in TEXTS]])
def test_a_plan_is_for_the_rows_that_are_given(rows):
    text = sosie.plan(rows, verbose=True)
    assert re.search(r"^rows +4 in", text, re.MULTILINE)
    method = re.search(r"^method +(\w+)", text, re.MULTILINE)[1]
    assert sosie.dedup(rows).stats["method"] == method != "lsh"


def test_a_plan_of_a_large_table_is_that_of_its_file(tmp_path):
    texts = make_texts(5, 3000)
    (tmp_path / "t.txt").write_text("".join(text + "\n" for text in texts))
    for text in (sosie.plan(texts, verbose=True), sosie.plan(tmp_path / "t.txt", verbose=True)):
        assert re.search(r"^rows +3,000 in", text, re.MULTILINE)
    methods = {line for text in (sosie.plan(texts), sosie.plan(tmp_path / "t.txt"))
               for line in text.splitlines() if line.startswith("method")}
    assert len(methods) == 1


@pytest.mark.parametrize("keyword", ["top", "limit", "output", "stats", "audit", "keep"])
def test_an_index_refuses_what_it_has_no_use_for(keyword):
    with pytest.raises(TypeError, match=rf"^Index\(\) got an unexpected keyword argument '{keyword}'$"):
        sosie.Index(**{keyword: 3})


def test_what_only_a_command_needs_is_refused_with_a_hint():
    for keyword, hint in (("fail_if_duplicates", "is_duplicate"), ("dry_run", "without output"),
                          ("quiet", "summary"), ("files_from", "pathlib")):
        with pytest.raises(TypeError, match=rf"^dedup\(\) got an unexpected keyword argument '{keyword}': .*{hint}"):
            sosie.dedup(TEXTS, **{keyword: True})


def test_what_is_said_of_an_output_needs_one(tmp_path):
    for verb, given in ((sosie.dedup, {"annotate": "all"}), (sosie.dedup, {"overwrite": True}),
                        (sosie.pairs, {"show": "text"})):
        with pytest.raises(sosie.OptionError, match="has no effect without output"):
            verb(TEXTS, **given)
    sosie.pairs(pyarrow.table({"text": TEXTS}), show="text", output=tmp_path / "p.tsv")
    note, header, *_ = (tmp_path / "p.tsv").read_text().splitlines()
    assert note.startswith("#sosie ") and header.startswith("left\tright\tsimilarity\tleft_text\t")
    with pytest.raises(sosie.OptionError, match="^format: rows in memory have none"):
        sosie.dedup(TEXTS, format="csv")


def test_functions_that_are_no_verbs_know_their_keywords():
    with pytest.raises(TypeError, match=r"^similarity\(\) got an unexpected keyword argument 'treshold'"):
        sosie.similarity(["a"], ["b"], treshold=1)
    with pytest.raises(TypeError, match=r"^minhash\(\) got an unexpected keyword argument 'num_bands'"):
        sosie.minhash(["a"], num_bands=1)


@pytest.mark.parametrize("kind", [pyarrow.string_view(), pyarrow.large_string()])
def test_apply_keeps_the_type_of_columns(kind):
    column = pyarrow.array(TEXTS, pyarrow.string()).cast(kind)
    table = pyarrow.table({"text": column, "n": list(range(4))})
    kept = sosie.dedup(table).apply()
    assert kept.schema == table.schema
    assert kept["text"].to_pylist() == KEPT and kept["n"].to_pylist() == [0, 3]
    assert sosie.dedup(column).apply().type == kind
    assert sosie.dedup(column).apply().to_pylist() == KEPT


@pytest.mark.filterwarnings("ignore:Arrow output on a DB-API result")
def test_apply_takes_what_duckdb_executed():
    connection = duckdb.connect()
    connection.register("given", pyarrow.table({"text": TEXTS}))
    query = "SELECT text FROM given"
    for asked in (connection.execute(query), connection.sql(query)):
        assert sosie.dedup(asked).apply().fetchall() == [(text,) for text in KEPT]


def test_similarity_of_bags_by_the_sum_of_both():
    left, right = [{"a": 1, "b": 2}], [{"a": 1}]
    assert sosie.similarity(left, right, measure="bag-jaccard", union="sum").tolist() == [0.25]
    assert sosie.similarity(left, left, measure="bag-jaccard", union="sum").tolist() == [0.5]


@pytest.mark.parametrize("make", [
    list, tuple, lambda texts: np.array(texts, dtype=object),
    lambda texts: [{"text": text} for text in texts],
    lambda texts: [{t} for t in texts], lambda texts: [{t: 1} for t in texts],
])
def test_a_lone_surrogate_is_an_error_that_names_the_row(make):
    with pytest.raises(ValueError, match="^row 1: .* lone surrogate") as raised:
        sosie.dedup(make(["fine \N{GRINNING FACE}", "broken \ud83d"]), threshold=0.5)
    assert isinstance(raised.value, sosie.InputError)


def test_messages_are_in_the_words_of_python():
    table = pyarrow.table({"id": ["a", "b"], "text": ["a", "b"]})
    said = []
    for call in (lambda: sosie.dedup(["a"], id="id"), lambda: sosie.dedup(table, output="k.jsonl"),
                 lambda: sosie.dedup(table, recall=1, method="lsh"),
                 lambda: sosie.dedup(table, group_by="id", element="text"),
                 lambda: sosie.explain(0, 9, table), lambda: sosie.dedup(table, column="\udc80")):
        with pytest.raises(sosie.SosieError) as raised:
            call()
        said.append(str(raised.value))
    assert said[0] == ("id='id': rows in memory without columns are identified by their numbers\n"
                       "look the ids up by the row numbers in the results")
    assert said[1].startswith("output: cannot write a table in memory to a file\n")
    assert said[2].startswith("recall=1: method lsh cannot guarantee every pair")
    assert said[3].endswith("\nuse the command `sosie dedup FILE --group-by`, which writes the rows of kept sets")
    assert said[4].endswith("rows are identified by their numbers here, 0 to 1")
    assert said[5] == "column: the value contains a lone surrogate"


def test_a_bar_begins_where_its_similarities_do():
    """A pair at the threshold is never drawn on the wrong side of its line."""
    from sosie import _html

    for twentieth in range(1, 20):
        threshold = f"{5 * twentieth}/100"
        stats = {"threshold": threshold, "rows": 2, "kept": 1, "removed": 1, "identical": 0,
                 "near": 1, "groups": 1, "measure": "jaccard", "method": "exact",
                 "expected_recall": 1}
        page = _html.of_result(stats, np.array([twentieth * 5 / 100]), "")
        (bar,) = re.findall(r"<rect x='([\d.]+)'", page)
        (line,) = re.findall(r"<line x1='([\d.]+)'", page)
        assert float(bar) >= float(line), threshold


def test_counts_in_a_notebook_have_separators():
    from sosie import _html

    stats = {"threshold": "0.8", "rows": 1234567, "kept": 1230000, "removed": 4567, "identical": 1000,
             "near": 3567, "groups": 2345, "measure": "jaccard", "method": "exact", "expected_recall": 1}
    page = _html.of_result(stats, np.array([0.9]), "")
    for count in ("1,234,567", "1,230,000", "4,567 (1,000 identical, 3,567 near)", "2,345"):
        assert f">{count}<" in page


def test_a_chart_says_what_its_bars_and_its_line_are():
    page = sosie.dedup(make_texts(3, 300), threshold=0.72, method="lsh")._repr_html_()
    assert "bars: rows removed (tallest: " in page and "line: share of pairs found" in page
    assert re.search(r"<title>[\d.]+ to [\d.]+: \d+ rows</title>", page)
    bars = [float(x) for x in re.findall(r"<rect x='([\d.]+)'", page)]
    (line,) = re.findall(r"<line x1='([\d.]+)'", page)
    assert bars and min(bars) >= float(line)
