"""`sosie.dedup` and its result, compared with the command line and a plain Python oracle."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import datasets
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import SOURCES, as_relation, make_texts
from hypothesis import given, settings
from hypothesis import strategies as st

import sosie

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))
import oracle  # noqa: E402  (stands in reference/)

PROGRAM = Path(sys.executable).parent / "sosie"


def by_command_line(folder: Path, texts: list[str], *options: str) -> list[int]:
    """Returns the rows that the program keeps if they are given as JSON lines."""
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"row": i, "text": t}) + "\n" for i, t in enumerate(texts)))
    done = subprocess.run([PROGRAM, "dedup", path, "--quiet", *options], check=True,
                          stdout=subprocess.PIPE)
    return [json.loads(line)["row"] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("kind", SOURCES)
def test_rows_may_come_in_any_object(kind, texts):
    expected = sosie.dedup(texts).mask
    assert 0 < expected.sum() < len(texts)
    np.testing.assert_array_equal(sosie.dedup(SOURCES[kind](texts)).mask, expected)


@pytest.mark.parametrize("options", [{}, {"threshold": 0.6}, {"shingle": "chars:9"},
                                     {"keep": "longest"}, {"method": "lsh", "recall": 0.9}])
def test_the_same_rows_are_kept_as_by_the_command_line(tmp_path, texts, options):
    given_options = [f"--{name}={value}" for name, value in options.items()]
    kept = by_command_line(tmp_path, texts, *given_options)
    assert sosie.dedup(texts, **options).kept["row"].tolist() == kept


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="abAB é\u0301漢字 .-_9", max_size=40), max_size=12),
       st.sampled_from(["0.3", "0.5", "4/5", "1"]))
def test_small_texts_are_decided_as_the_definition_says(texts, threshold):
    result = sosie.dedup(texts, shingle="chars:3", threshold=threshold, tokens="ascii")
    rows = [oracle.Row("", 0, i, b"", text=text) for i, text in enumerate(texts)]
    kept = oracle.answer(rows, threshold, "chars:3", "ascii", with_pairs=False).kept
    assert result.kept["row"].tolist() == [row.row for row in kept]


def test_nulls_are_kept_and_match_nothing():
    for kind in ("list", "pyarrow", "polars", "utf8_view", "dictionary"):
        source = SOURCES[kind]([None, "one two three", None, "one two three", ""])
        assert sosie.dedup(source).mask.tolist() == [True, True, True, False, True], kind


def free_memory() -> int:
    """Bytes."""
    found = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    return 1024 * int(found[1]) if found else 0


@pytest.mark.skipif(free_memory() < 6 << 30, reason="takes 5 GB of memory")
def test_more_than_two_gigabytes_of_text():
    """Offsets beyond 2^31: the texts after them are compared with the texts before them."""
    size, rows = 1 << 20, 2200
    page = " ".join(f"w{n}" for n in range(160_000))[:size].encode()
    data = np.tile(np.frombuffer(page, np.uint8), rows)
    assert data.nbytes > 1 << 31
    words = " ".join(f"a{n}" for n in range(1000))
    for row, text in ((5, words), (2195, words + " more"), (2199, "of another kind")):
        data[row * size:(row + 1) * size] = np.frombuffer(text.encode().ljust(size), np.uint8)
    offsets = np.arange(rows + 1, dtype=np.int64) * size
    result = sosie.dedup(pyarrow.LargeStringArray.from_buffers(
        rows, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)))
    assert result.kept["row"].tolist() == [0, 5, 2199]
    assert (2195, 5, pytest.approx(996 / 997), False) in list(result.removed)


def test_no_rows():
    for kind in ("list", "pyarrow", "polars", "pandas"):
        result = sosie.dedup(SOURCES[kind]([]))
        assert len(result.mask) == len(result.removed) == len(result.clusters) == 0


def test_removed_names_the_row_that_each_was_verified_against(texts):
    result = sosie.dedup(texts)
    assert len(result.kept) + len(result.removed) == len(texts)
    for row, kept_row, similarity, exact in result.removed:
        assert result.mask[kept_row] and not result.mask[row]
        assert similarity >= 0.8
        assert exact == (texts[row].casefold() == texts[kept_row].casefold())


def test_clusters_hold_every_group_of_two_or_more(texts):
    result = sosie.dedup(texts)
    clusters = result.clusters
    assert set(clusters["row"].tolist()) >= set(result.removed["row"].tolist())
    assert len(set(clusters["cluster"].tolist())) == result.stats["groups"]
    for row, cluster, kept, size in clusters:
        assert kept == (row == cluster)
        assert size == (clusters["cluster"] == cluster).sum() >= 2


def test_pairs_are_those_of_the_verb(texts):
    result = sosie.dedup(texts, threshold=0.7)
    assert list(result.pairs) == list(sosie.pairs(texts, threshold=0.7))
    assert {(a, b) for b, a, *_ in result.removed} <= {(a, b) for a, b, _ in result.pairs}


def test_another_threshold_gives_what_a_fresh_run_gives(texts):
    result = sosie.dedup(texts, threshold=0.7)
    for threshold in (0.6, "4/5", 0.95):
        fresh = sosie.dedup(texts, threshold=threshold)
        np.testing.assert_array_equal(result.at(threshold).mask, fresh.mask)
        assert list(result.at(threshold).pairs) == list(fresh.pairs)
    sweep = result.sweep([0.6, 0.95])
    assert sweep["kept"].tolist() == [sosie.dedup(texts, threshold=t).mask.sum()
                                      for t in (0.6, 0.95)]


def test_apply_gives_the_same_kind_back(texts):
    result = sosie.dedup(texts)
    kept = [text for text, keep in zip(texts, result.mask, strict=True) if keep]
    assert result.apply() == kept
    assert result.apply(np.array(texts)).tolist() == kept
    assert result.apply(polars.DataFrame({"text": texts}))["text"].to_list() == kept
    assert result.apply(pandas.DataFrame({"text": texts}))["text"].tolist() == kept
    assert result.apply(pyarrow.table({"text": texts}))["text"].to_pylist() == kept
    relation = result.apply(as_relation(texts))
    assert [text for text, in relation.fetchall()] == kept
    dataset = datasets.Dataset.from_dict({"text": ["none of these", *texts]})
    assert result.apply(dataset.select(range(1, len(texts) + 1)))["text"][:] == kept
    with pytest.raises(TypeError, match="use the positions in .kept"):
        result.apply(object())


def test_results_are_arrow_tables(texts):
    removed = sosie.dedup(texts).removed
    rows = list(removed)
    assert removed.to_arrow().to_pylist() == [dict(zip(removed.column_names, row, strict=True))
                                              for row in rows]
    assert removed.to_polars().rows() == polars.from_arrow(pyarrow.table(removed)).rows() == rows
    assert list(removed.to_pandas().itertuples(index=False, name=None)) == rows


def test_rows_of_against_win(texts):
    old, new = texts[:150], texts[150:]
    result = sosie.dedup(new, against=polars.DataFrame({"text": old}))
    assert result.removed["kept_in_against"].any()
    for row, kept_row, similarity, _, kept_in_against in result.removed:
        partner = old[kept_row] if kept_in_against else new[kept_row]
        found = list(sosie.pairs([new[row], partner], threshold=0.8))
        assert found == [(0, 1, similarity)]


def test_ranks_come_from_columns():
    table = pyarrow.table({"text": ["one two three"] * 4, "stars": [3, 5, None, 4],
                           "name": ["c", "a", "b", "d"]})
    assert sosie.dedup(table, keep="max:stars").kept["row"].tolist() == [1]
    assert sosie.dedup(table, keep="min:stars").kept["row"].tolist() == [0]
    assert sosie.dedup(table, keep=["max:name", "first"]).kept["row"].tolist() == [3]
    assert sosie.dedup(table, keep="last").kept["row"].tolist() == [3]


def test_results_do_not_depend_on_threads(texts):
    masks = [sosie.dedup(texts, threads=n, method="lsh").mask for n in (1, 2, 7)]
    np.testing.assert_array_equal(masks[0], masks[1])
    np.testing.assert_array_equal(masks[0], masks[2])


def test_files_are_read_as_by_the_command_line(tmp_path, texts):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    result = sosie.dedup(path, output=tmp_path / "out.jsonl", removed=str(tmp_path / "r.tsv"))
    np.testing.assert_array_equal(result.mask, sosie.dedup(texts).mask)
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == result.mask.sum()
    assert (tmp_path / "r.tsv").exists()


def test_the_report_is_a_page(tmp_path, texts):
    sosie.dedup(texts).report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_it_says_what_it_did(texts):
    result = sosie.dedup(make_texts(1, 30))
    assert repr(result).startswith("rows        30 read")
    assert result.stats["rows"] == 30
    assert "kept row" in result.show(2)


def test_a_notebook_shows_counts_curve_and_the_nearest_pairs(texts):
    table = pyarrow.table({"body": texts})
    shown = sosie.dedup(table, column="body", method="lsh")._repr_html_()
    page = ElementTree.fromstring(f"<page>{shown}</page>")
    cells = {row[0].text: row[1].text for row in page.iter("tr")}
    assert cells["rows"] == str(len(texts))
    assert len(page.find(".//polyline").get("points").split()) == 101
    assert "kept row" in page.find("pre").text
    hostile = sosie.dedup(["<script>alert(1)</script> & one two", "<SCRIPT>alert(1)</script> & one two"])
    assert "<script>" not in hostile._repr_html_()


def test_rows_of_files_are_shown_by_their_ids(tmp_path):
    texts = make_texts(1, 30)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{i}", "text": text}) + "\n" for i, text in enumerate(texts)))
    removed = sosie.dedup(path, threshold=0.5)
    assert re.search(r"row (\d+), kept row (\d+): d\1, d\2$", removed.show(1))


def test_vectors_of_a_file_by_similarity_and_by_distance(tmp_path):
    draw = np.random.default_rng(1)
    vectors = draw.standard_normal((60, 8)).astype(np.float32)
    path = tmp_path / "v.npy"
    moved = vectors[:20] + 0.001 * np.arange(1, 21, dtype=np.float32)[:, None]
    np.save(path, np.vstack([vectors, moved]))
    for bound in ({"threshold": 0.99}, {"measure": "euclidean", "within": 0.1}):
        result = sosie.dedup(path, **bound)
        assert result.removed["row"].tolist() == list(range(60, 80))
        assert result.removed["kept_row"].tolist() == list(range(20))
        page = ElementTree.fromstring(f"<page>{result._repr_html_()}</page>")
        assert (page.find(".//svg") is None) == ("within" in bound)
        nearest = [float(line.split()[0]) for line in result.show(20).splitlines()]
        assert len(set(nearest)) > 10
        value = "distance" if "within" in bound else "similarity"
        assert result.removed.column_names[2] == value
        assert result.pairs.column_names == ["left", "right", value]
        assert nearest == sorted(nearest, reverse="within" in bound)


@pytest.mark.parametrize("kind", ["list", "polars", "pandas", "pyarrow", "sets"])
def test_results_are_pickled(kind, texts):
    data = [set(text.split()) for text in texts] if kind == "sets" else SOURCES[kind](texts)
    result = sosie.dedup(data, threshold=0.7, progress=lambda *_: None)
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.mask, result.mask)
    assert list(again.removed) == list(result.removed)
    assert repr(again) == repr(result) and again.show(2) == result.show(2)
    np.testing.assert_array_equal(again.at(0.9).mask, result.at(0.9).mask)
    assert list(pickle.loads(pickle.dumps(result.pairs))) == list(again.pairs)


def kept_of(texts: list[str]) -> list[bool]:
    return sosie.dedup(texts, threshold=0.7).mask.tolist()


def test_forked_processes_go_on(texts):
    expected = kept_of(texts)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(kept_of, [texts] * 4) == [expected] * 4


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    texts = make_texts(12, 1500)
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"text": texts}), path)
    plain = sosie.dedup(path, method="lsh")
    for _ in range(2):
        again = sosie.dedup(path, method="lsh", checkpoint=tmp_path / "kept")
        assert pyarrow.table(again.removed).equals(pyarrow.table(plain.removed))
    with pytest.raises(sosie.OptionError, match="was made with threshold 0.8, this run with 0.7"):
        sosie.dedup(path, method="lsh", threshold=0.7, checkpoint=tmp_path / "kept")
    with pytest.raises(sosie.OptionError, match="checkpoint: rows in memory are lost"):
        sosie.dedup(texts, checkpoint=tmp_path / "kept")
