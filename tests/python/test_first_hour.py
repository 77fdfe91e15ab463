"""Things that people try in their first hour, beyond the examples in the documentation."""

from __future__ import annotations

import os
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import datasets
import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import make_texts

import sosie

TEXTS = ["the quick brown fox jumps over the lazy dog",
         "an entirely different sentence here my friend",
         "The quick brown fox jumps over the lazy dog!"]
KEPT = [True, True, False]


def test_explain_rows_in_memory():
    for rows in (TEXTS, polars.DataFrame({"text": TEXTS})):
        page = sosie.explain(0, 1, rows)
        assert "table, row 0  9 words" in page and "table, row 1  7 words" in page
        assert "The same text, once normalised" in sosie.explain(0, 2, rows)


@pytest.mark.parametrize("memory", [1, 10, 100])
def test_memory_too_small_for_a_row_in_memory(memory):
    with pytest.raises(sosie.LimitError, match="row 0: row of 43 bytes is too large for memory 10*\n"):
        sosie.dedup(TEXTS, memory=memory, threads=1)
    with pytest.raises(sosie.LimitError):
        sosie.similarity(TEXTS, TEXTS, memory=memory)


def test_duckdb_rows_are_those_that_were_read():
    connection = duckdb.connect()
    connection.sql("create table t as select 'doc '||(i//2)||' a b c d e '||(i//2)||"
                   "repeat('!', i%2) as x from range(100000) r(i)")
    result = sosie.dedup(connection.sql("select distinct x as text from t"), threshold=1)
    kept = result.apply().pl()
    assert kept.height == kept["text"].str.strip_chars("!").n_unique() == 50000


def test_another_threshold_leaves_the_files_alone(tmp_path):
    data = tmp_path / "in.txt"
    data.write_text("\n".join(make_texts(5, 60)) + "\n")
    out, removed = tmp_path / "kept.txt", tmp_path / "removed.tsv"
    result = sosie.dedup(data, output=out, removed=removed)
    before = out.read_bytes(), removed.read_bytes()
    assert result.sweep([0.5, 1])["kept"].tolist() == [40, 60]
    assert result.at(1).mask.all()
    assert (out.read_bytes(), removed.read_bytes()) == before
    out.unlink()
    result.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").exists()
    assert not out.exists()


def test_items_are_removed_by_numbers_only():
    index = sosie.Index(threshold=0.8)
    index.add(TEXTS)
    for wrong in (np.array([False, True]), [1.7], ["1"]):
        with pytest.raises(TypeError, match="by their numbers"):
            index.remove(wrong)
    assert len(index) == 3
    assert index.remove([]) == 0
    assert index.remove([2]) == 1


def test_threads_get_the_numbers_of_their_rows():
    index = sosie.Index(threshold=0.8)
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda i: index.add([f"text {i} a b c d e"] * 2), range(200)))
    assert all(len(numbers) == 2 for numbers in added)
    assert sorted(np.concatenate(added).tolist()) == list(range(400))


def test_numbers_are_no_bit_strings():
    for rows in ([15, 16], np.array([15, 16]), polars.DataFrame({"text": [15, 16]})):
        with pytest.raises(TypeError, match="hexadecimal digits"):
            sosie.pairs(rows, kind="bits", within=3)


def test_rows_of_another_length_are_refused():
    result = sosie.dedup(TEXTS)
    for other in (TEXTS[:2], polars.DataFrame({"a": [1]}), pandas.DataFrame({"a": [1]}),
                  pyarrow.table({"a": [1]}), np.arange(2), duckdb.sql("select * from range(10)"),
                  datasets.Dataset.from_dict({"a": [1]})):
        with pytest.raises(ValueError, match="3 rows were compared, but here are"):
            result.apply(other)


def test_skipped_rows_are_not_kept(tmp_path):
    data = tmp_path / "in.jsonl"
    data.write_text('{"text": "a b c"}\nbroken\n{"text": "a b c"}\n{"text": "d e f"}\n')
    result = sosie.dedup(data, on_bad_row="skip", output=tmp_path / "out.jsonl")
    assert result.mask.tolist() == [True, False, False, True]
    assert result.is_duplicate.tolist() == [False, False, True, False]
    assert result.kept["row"].tolist() == [0, 3]
    assert result.removed["row"].tolist() == [2]
    passed = sosie.dedup(data, on_bad_row="keep", output=tmp_path / "all.jsonl")
    assert passed.mask.tolist() == [True, True, False, True]


def test_plans_for_all_kinds():
    assert "recall" in sosie.plan([{"a"}, {"b", "c"}])
    assert "vectors of 3 components" in sosie.plan(np.eye(3), threshold=0.9, verbose=True)
    bits = np.eye(64, dtype=bool)
    assert "bit strings of 64 bits" in sosie.plan(bits, kind="bits", within=3, verbose=True)


def test_a_plan_of_an_array_is_taken(tmp_path):
    data = np.random.default_rng(5).normal(size=(400, 32))
    data[200:] = data[:200] + 1e-3
    sosie.plan(data, threshold=0.9, method="lsh", output=tmp_path / "p.json")
    taken = sosie.pairs(data, threshold=0.9, plan=tmp_path / "p.json")
    assert list(taken) == list(sosie.pairs(data, threshold=0.9, method="lsh"))
    with pytest.raises(sosie.OptionError, match="was made for threshold 9/10"):
        sosie.pairs(data, threshold=0.8, plan=tmp_path / "p.json")


def test_computed_thresholds():
    thresholds = np.arange(0.5, 1, 0.1)
    assert "0.7999999999999999" in map(str, thresholds.tolist())
    swept = sosie.dedup(TEXTS).sweep(thresholds)
    assert swept["kept"].tolist() == [2] * 5
    assert sosie.dedup(TEXTS, threshold=2 / 3).stats["threshold"] == "2/3"
    assert sosie.dedup(TEXTS, threshold=np.float32(0.8)).stats["threshold"] == "0.8"


@pytest.mark.parametrize("column", ["a,b", ["a", "b"]])
def test_columns_in_memory_are_joined(column):
    frame = polars.DataFrame({"a": ["one two three", "one two three", "four"],
                              "b": ["five six seven", "eight nine ten", "x"]})
    assert sosie.dedup(frame, column=column, shingle="words:1").mask.all()
    alone = sosie.dedup(frame, column=["a"], shingle="words:1")
    assert alone.mask.tolist() == [True, False, True]
    assert "one two three" in alone.show(1)


def test_fields_of_structs_in_memory():
    frame = polars.DataFrame({"s": [{"body": text} for text in TEXTS]})
    assert sosie.dedup(frame, column="s.body").mask.tolist() == KEPT


def test_a_column_alone_is_the_column():
    vectors = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.001]]
    for rows in (polars.Series("content", TEXTS), pandas.Series(TEXTS, name="content"),
                 polars.DataFrame({"content": TEXTS}), pandas.DataFrame({"content": TEXTS}),
                 pyarrow.array(TEXTS)):
        assert sosie.dedup(rows).mask.tolist() == KEPT
    for rows in (polars.Series("emb", vectors), polars.DataFrame({"emb": vectors}),
                 pandas.Series(vectors), pyarrow.array(vectors)):
        assert sosie.dedup(rows, kind="vectors", threshold=0.9).mask.tolist() == KEPT
    assert not sosie.dedup(polars.Series(["ff", "fe"]), kind="bits", within=1).mask.all()


def test_hugging_face_objects():
    dataset = datasets.Dataset.from_dict({"text": TEXTS})
    assert sosie.dedup(dataset["text"]).mask.tolist() == KEPT
    with pytest.raises(TypeError, match="DatasetDict: pass one of its datasets: train"):
        sosie.dedup(datasets.DatasetDict(train=dataset))
    streamed = dataset.to_iterable_dataset()
    assert sosie.dedup(streamed).apply(streamed)[:] == sosie.dedup(dataset).apply()[:]


def test_clusters_of_any_pairs(tmp_path):
    clusters = sosie.cluster([("a", "b", 0.9)], output=tmp_path / "c.tsv")
    assert (tmp_path / "c.tsv").read_text().startswith("id\t")
    assert list(clusters) == [("a", "a", True, 2), ("b", "a", False, 2)]
    assert clusters.to_polars()["id"].dtype == polars.String
    near = sosie.pairs(np.array([[1.0, 2], [1, 2.1]]), within=1, measure="euclidean")
    assert sosie.cluster(near)["cluster_id"].tolist() == [0, 0]
    with pytest.raises(sosie.OptionError, match="distances"):
        sosie.cluster(near, threshold=0.5)
    assert sosie.cluster([(1, "x", 0.9)])["id"].tolist() == ["1", "x"]


def test_distances_at_another_bound():
    rows = np.array([[0.0], [1.0], [3.0]])
    result = sosie.dedup(rows, measure="euclidean", within=1)
    assert result.mask.sum() == 2
    assert result.at(3).mask.sum() == 1
    assert result.sweep([0.5, 1, 3])["kept"].tolist() == [3, 2, 1]


def test_numpy_numbers_in_sets_and_bags():
    for rows in ([{np.int64(1), np.int64(2)}] * 2, [{"a": np.int64(2)}] * 2, [{b"a"}] * 2,
                 [{np.str_("a"): np.float64(2)}] * 2, [[np.int64(1)]] * 2):
        options = {"kind": "sets"} if isinstance(rows[0], list) else {}
        assert sosie.dedup(rows, **options).mask.tolist() == [True, False]
    with pytest.raises(TypeError, match="row 0: items must be str, numbers or dates, not range"):
        sosie.dedup([{range(3)}] * 2)


def test_places_are_rows():
    frame = polars.DataFrame({"v": [[1.0, 2.0], [3.0, 4.0], [5.0]]})
    with pytest.raises(sosie.InputError, match="^row 2: "):
        sosie.dedup(frame, kind="vectors", column="v", threshold=0.9)
    with pytest.raises(sosie.OptionError, match="^threshold: must be given"):
        sosie.dedup(np.eye(2))


def test_records_are_rows():
    assert sosie.dedup([{"text": text, "n": 1} for text in TEXTS]).mask.tolist() == KEPT
    assert sosie.dedup([{"t": text} for text in TEXTS], column="t").apply() == [
        {"t": text} for text in TEXTS[:2]]


def test_names_of_files_are_texts_with_a_warning(tmp_path):
    (tmp_path / "a.jsonl").write_text("")
    with pytest.warns(UserWarning, match="pathlib.Path") as warned:
        assert len(sosie.dedup([str(tmp_path / "a.jsonl")]).mask) == 1
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sosie.dedup(TEXTS)


def test_other_columns_are_not_looked_at():
    frame = pandas.DataFrame({"text": TEXTS, "o": [1, "a", {}]})
    assert sosie.dedup(frame).mask.tolist() == KEPT


def test_what_an_index_is_not_for():
    with pytest.raises(sosie.OptionError, match="^recall=1: an index cannot guarantee every pair"):
        sosie.Index(recall=1)
    with pytest.raises(sosie.OptionError, match="^method='brute': not supported by an index"):
        sosie.Index(method="brute")


def test_kinds_come_back():
    kept = sosie.dedup(np.array(TEXTS)).apply()
    assert isinstance(kept, np.ndarray) and kept.tolist() == TEXTS[:2]
    reader = pyarrow.table({"text": TEXTS}).to_reader()
    assert sosie.dedup(reader).apply()["text"].to_pylist() == TEXTS[:2]


def test_a_child_leaves_the_files_of_its_parent():
    result = sosie.dedup(np.eye(4), threshold=0.9)
    child = os.fork()
    if child == 0:
        sys.stdout.flush()
        os._exit(0 if result is not None and _leaves() else 1)
    os.waitpid(child, 0)
    assert result.at(0.5).mask.all()


def _leaves() -> bool:
    """The cleanup that an interpreter does at exit, without exiting."""
    import weakref
    weakref.finalize._exitfunc()
    return True


def test_results_are_shown():
    page = sosie.dedup(TEXTS).removed._repr_html_()
    assert "<th>kept_row</th>" in page and "<td>2</td>" in page
