"""Tables in popular libraries: data frame namespaces, lazy and streamed rows, scikit-learn
estimators. All doors, including files and pipelines, keep the same rows."""

from __future__ import annotations

import doctest
import gzip
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import datasets
import duckdb
import fsspec
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import make_texts
from datatrove.data import Document
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import sosie.pandas
import sosie.polars
from sosie._rows import filtered
from sosie.crawls import pages
from sosie.datasketch import MinHash, MinHashLSH
from sosie.datatrove import SosieDedupFilter
from sosie.sklearn import FuzzyJoin, NearDuplicates

PROGRAM_FOLDER = Path.cwd()  # SOSIE_BIN may be a relative path
TEXTS = make_texts(3, 120)
ROWS = [{"text": text, "n": number} for number, text in enumerate(TEXTS)]
COLUMNS = {"text": TEXTS, "n": list(range(len(TEXTS)))}
KEPT = sosie.dedup(TEXTS, threshold=0.7).kept["row"].tolist()


def rows_one_by_one():
    yield from ROWS


def arrow_numbers(rows):
    return pyarrow.table(rows)["n"].to_pylist()


DOORS = {
    "polars namespace": lambda: polars.DataFrame(COLUMNS).sosie.dedup(
        threshold=0.7, column="text")["n"].to_list(),
    "LazyFrame namespace": lambda: polars.LazyFrame(COLUMNS).sosie.dedup(
        threshold=0.7, column="text").collect()["n"].to_list(),
    "LazyFrame": lambda: sosie.dedup(
        polars.LazyFrame(COLUMNS), threshold=0.7).apply().collect()["n"].to_list(),
    "LazyFrame, written by a sink": lambda: numbers_sunk(),
    "list of records": lambda: [row["n"] for row in sosie.dedup(ROWS, threshold=0.7, column="text").apply()],
    "generator of records": lambda: [row["n"] for row in sosie.dedup(
        rows_one_by_one(), threshold=0.7, column="text").apply()],
    "pandas namespace": lambda: pandas.DataFrame(COLUMNS).sosie.dedup(threshold=0.7)["n"].tolist(),
    "Dataset": lambda: sosie.dedup(
        datasets.Dataset.from_list(ROWS), threshold=0.7).apply()["n"][:],
    "IterableDataset": lambda: sosie.dedup(
        datasets.IterableDataset.from_generator(rows_one_by_one), threshold=0.7).apply()["n"][:],
    "DuckDB": lambda: [n for _, n in sosie.dedup(
        duckdb.connect().from_arrow(pyarrow.table(COLUMNS)), threshold=0.7).apply().fetchall()],
    "DuckDB connection": lambda: [n for _, n in sosie.dedup(
        duckdb.connect().execute("SELECT * FROM read_json('in.jsonl')"), threshold=0.7).apply().fetchall()],
    "Arrow reader": lambda: arrow_numbers(
        sosie.dedup(pyarrow.table(COLUMNS).to_reader(7), threshold=0.7).apply()),
    "pyarrow": lambda: arrow_numbers(
        sosie.dedup(pyarrow.table(COLUMNS), threshold=0.7).apply()),
    "scikit-learn": lambda: np.flatnonzero(NearDuplicates(threshold=0.7).fit(TEXTS).kept_).tolist(),
    "scikit-learn, a frame": lambda: np.flatnonzero(NearDuplicates(threshold=0.7, column="text").fit(
        pandas.DataFrame(COLUMNS)).kept_).tolist(),
    "index in memory": lambda: np.flatnonzero(
        sosie.Index("text", threshold=0.7).add_new(TEXTS)).tolist(),
    "JSON lines": lambda: numbers_written("in.jsonl"),
    "Parquet": lambda: numbers_written("in.parquet"),
    "address of an object": lambda: numbers_written("memory://shelf/in.jsonl"),
    "command": lambda: numbers_by_command("in.jsonl"),
    "program": lambda: numbers_by_program("in.jsonl"),
    "WET": lambda: sosie.dedup("in.wet", threshold=0.7).kept["row"].tolist(),
    "WARC": lambda: [int(row["url"]) for row in sosie.dedup(
        list(pages("in.warc.gz")), threshold=0.7).apply()],
    "datatrove": lambda: numbers_by_datatrove(),
    "datasketch, verified": lambda: numbers_by_datasketch(),
}


def warc_record(kind: str, url: int, body: str) -> bytes:
    return (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n").encode()


def write_files() -> None:
    """Writes the rows to files in several formats, and to an object in a store."""
    frame = polars.DataFrame(COLUMNS)
    frame.write_ndjson("in.jsonl")
    frame.write_parquet("in.parquet")
    fsspec.filesystem("memory").pipe("/shelf/in.jsonl", Path("in.jsonl").read_bytes())
    Path("in.wet").write_bytes(b"".join(warc_record("conversion", n, text) for n, text in enumerate(TEXTS)))
    http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"
    Path("in.warc.gz").write_bytes(gzip.compress(b"".join(
        warc_record("response", n, http + text) for n, text in enumerate(TEXTS))))


def numbers_written(path: str) -> list[int]:
    output = "memory://shelf/out.jsonl" if path.startswith("memory") else f"out{Path(path).suffix}"
    sosie.dedup(path, threshold=0.7, output=output)
    with fsspec.open(output) as file:
        rows = polars.read_parquet(file) if output.endswith("parquet") else polars.read_ndjson(file.read())
    return rows["n"].to_list()


def numbers_by_command(path: str) -> list[int]:
    code = "from sosie._command import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "dedup", path, "--threshold", "0.7", "-q"],
                          capture_output=True, check=True)
    return polars.read_ndjson(done.stdout)["n"].to_list()


def numbers_by_program(path: str) -> list[int]:
    program = os.environ.get("SOSIE_BIN")
    if program is None:
        pytest.skip("needs the program: SOSIE_BIN")
    done = subprocess.run([PROGRAM_FOLDER / program, "dedup", path, "--threshold", "0.7", "-q"],
                          capture_output=True, check=True)
    return polars.read_ndjson(done.stdout)["n"].to_list()


def numbers_sunk() -> list[int]:
    polars.scan_ndjson("in.jsonl").sosie.dedup(threshold=0.7, column="text").sink_parquet("sunk.parquet")
    return polars.read_parquet("sunk.parquet")["n"].to_list()


def numbers_by_datatrove() -> list[int]:
    sosie.dedup("in.jsonl", threshold=0.7, id="n", removed="removed.tsv")
    documents = (Document(text, str(n)) for n, text in enumerate(TEXTS))
    return [int(document.id) for document in SosieDedupFilter("removed.tsv").run(documents)]


def numbers_by_datasketch() -> list[int]:
    """The loop that people use, with exact similarities of the candidates."""
    shingles = [sorted({" ".join(words[i:i + 5]) for i in range(len(words) - 4)})
                for words in (text.split() for text in TEXTS)]
    index = MinHashLSH(threshold=0.5)
    for n, sketch in enumerate(MinHash.generator([[one.encode() for one in row] for row in shingles])):
        near = index.query(sketch)
        if not near or max(sosie.similarity([TEXTS[n]] * len(near), [TEXTS[m] for m in near])) < 0.7:
            index.insert(n, sketch)
    return sorted(index.keys)


@pytest.mark.parametrize("door", DOORS)
def test_every_door_keeps_the_same_rows(door, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()
    assert 0 < len(KEPT) < len(TEXTS)
    assert DOORS[door]() == KEPT


def test_rows_of_a_stream_are_not_hashed(monkeypatch):
    """The library would hash them for the name of a cache: more CPU time than the run."""
    def refuse(dataset):
        raise AssertionError("hashes all rows")

    rows = datasets.IterableDataset.from_generator(rows_one_by_one)
    result = sosie.dedup(rows, threshold=0.7)
    monkeypatch.setattr(datasets.arrow_dataset, "generate_fingerprint", refuse)
    first, second = result.apply(), result.apply()
    assert first["n"][:] == KEPT
    assert first._fingerprint != second._fingerprint


def test_namespaces_give_frames_of_their_own_library():
    found = list(sosie.pairs(TEXTS, threshold=0.7))
    some = TEXTS[:10]
    looked_up = list(sosie.query(TEXTS, some, threshold=0.7))
    for make in (polars.DataFrame, pandas.DataFrame, polars.LazyFrame):
        frame = make({"text": TEXTS})
        pairs = frame.sosie.pairs(threshold=0.7)
        near = frame.sosie.query(some, threshold=0.7)
        against = frame.sosie.dedup(against=make({"text": TEXTS}), threshold=0.7)
        assert {type(pairs), type(near), type(against)} == {make}
        for table, rows in ((pairs, found), (near, looked_up), (against, [])):
            shown = table.collect() if make is polars.LazyFrame else table
            assert list(map(tuple, shown.to_numpy())) == rows
    people = {"id": list(range(60)), "name": [f"Person {i}" for i in range(60)],
              "town": [f"town {i % 7}" for i in range(60)]}
    links = [list(table["right"]) for table in (
        polars.DataFrame(people).sosie.link(against=polars.LazyFrame(people)),
        pandas.DataFrame(people).sosie.link(against=pandas.DataFrame(people)))]
    assert links == [list(sosie.link(people, against=people)["right"])] * 2


def test_doctests_of_the_doors_run():
    for module in (sosie.polars, sosie.pandas, sys.modules["sosie.sklearn"]):
        done = doctest.testmod(module)
        assert done.attempted > 0 and done.failed == 0, module


def test_pandas_keeps_its_index():
    frame = pandas.DataFrame({"text": TEXTS}, index=[f"r{i}" for i in range(len(TEXTS))])
    assert frame.sosie.dedup(threshold=0.7).index.tolist() == [f"r{i}" for i in KEPT]


def test_a_lazy_frame_is_collected_once():
    """Its rows may come in another order the next time, so the rows that were compared are kept."""
    calls = []

    def once(frame):
        calls.append(1)
        return frame if len(calls) == 1 else frame.reverse()

    lazy = polars.LazyFrame(COLUMNS).map_batches(once)
    assert sosie.dedup(lazy, threshold=0.7).apply().collect()["n"].to_list() == KEPT
    calls.clear()
    linked = sosie.link(polars.LazyFrame({"a": TEXTS}).map_batches(once))
    assert len(calls) == 1 and len(linked) == len(TEXTS)


def test_streams_of_rows_keep_their_types():
    def rows():
        for n in range(2500):  # more than a batch, and a field that occurs late
            yield {"text": f"row {n}", "late": None if n < 1100 else "there"}

    kept = sosie.dedup(datasets.IterableDataset.from_generator(rows), threshold=0.9).apply()
    assert isinstance(kept, datasets.Dataset)
    assert len(kept) == 2500 and kept[2000] == {"text": "row 2000", "late": "there"}
    features = datasets.Features({"text": datasets.Value("string"),
                                  "label": datasets.ClassLabel(names=["no", "yes"])})
    known = datasets.Dataset.from_dict({"text": ["a b", "A, b"], "label": [0, 1]}, features)
    kept = sosie.dedup(known.to_iterable_dataset(), column="text").apply()
    assert kept.features == features and kept[:] == {"text": ["a b"], "label": [0]}
    empty = sosie.dedup(datasets.IterableDataset.from_generator(lambda: iter(())))
    assert len(empty.mask) == 0 and len(empty.apply()) == 0


@pytest.mark.parametrize("name", ["polars", "pandas", "sklearn"])
def test_a_missing_library_is_told_with_what_to_type(name):
    code = f"import sys; sys.modules['{name}'] = None\nimport sosie.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'sosie[{name}]'" in done.stderr.splitlines()[-1]


def test_importing_sosie_loads_no_library_of_tables():
    code = ("import sosie, sys; print([n for n in ('polars', 'pandas', 'sklearn', 'pyarrow', 'fsspec') "
            "if n in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_takes_near_duplicates_for_an_estimator():
    results = check_estimator(NearDuplicates(measure="euclidean", within=0.5), on_fail=None)
    assert len(results) > 40
    assert [r for r in results if r["status"] not in ("passed", "skipped")] == []


def test_parameters_of_near_duplicates_are_keywords_of_dedup():
    import inspect

    assert NearDuplicates().get_params().keys() <= inspect.signature(sosie.dedup).parameters.keys()


def test_near_duplicates_label_groups_in_their_order():
    model = NearDuplicates(threshold=0.7, column="text")
    for rows in (TEXTS, polars.DataFrame({"text": TEXTS}), pandas.DataFrame(COLUMNS),
                 np.array(TEXTS, object)):
        labels = model.fit_predict(rows)
        assert labels[KEPT].tolist() == list(range(len(KEPT)))
    survivor = dict(zip(*[sosie.dedup(TEXTS, threshold=0.7).removed[c] for c in ("row", "kept_row")],
                        strict=True))
    assert all(labels[row] == labels[kept] for row, kept in survivor.items())
    numbers = pandas.DataFrame({"a": [1.0, 1.0, 0.0], "b": [0.0, 0.01, 1.0]})
    assert NearDuplicates(threshold=0.9).fit(numbers).labels_.tolist() == [0, 0, 1]
    again = pickle.loads(pickle.dumps(clone(model).set_params(threshold=0.9, keep="longest")))
    assert again.get_params()["threshold"] == 0.9 and again.get_params()["keep"] == "longest"


@pytest.mark.parametrize("make", [polars.DataFrame, pandas.DataFrame])
def test_fuzzy_join_gives_each_row_its_partner(make):
    names = [f"{a} {b}" for a in ("anna", "boris", "clara", "dmitri", "elena", "farid")
             for b in ("smith", "petrov", "garcia", "novak", "okafor", "tanaka", "weber")]
    born = [f"19{40 + i % 50}-0{1 + i % 9}-1{i % 10}" for i in range(len(names))]
    left = make({"name": [*reversed(names), "zoe unknown"], "born": [*reversed(born), "1890-01-01"]})
    right = make({"name": names, "born": born, "n": list(range(len(names)))})
    join = make_pipeline(FunctionTransformer(), FuzzyJoin(right))
    joined = join.fit_transform(left)
    assert type(joined) is make and len(joined) == len(left)
    assert list(joined.columns) == ["name", "born", "name_right", "born_right", "n",
                                    "link_probability"]
    assert list(joined["name_right"])[:-1] == list(reversed(names))
    assert list(joined["n"])[:-1] == list(reversed(range(len(names))))
    assert pandas.isna(list(joined["n"])[-1]) and pandas.isna(list(joined["link_probability"])[-1])
    other = clone(FuzzyJoin(right)).set_params(suffix="_2", cut=0.5)
    assert "name_2" in other.transform(left).columns
    with pytest.raises(TypeError, match="X: a frame of polars or pandas, not list"):
        other.fit([1])
    with pytest.raises(TypeError, match="two frames of polars or two of pandas"):
        FuzzyJoin({polars.DataFrame: pandas, pandas.DataFrame: polars}[make].DataFrame({"name": names})
                  ).transform(left)
    with pytest.raises(TypeError, match="two frames"):
        FuzzyJoin(polars.DataFrame({"name": names})).transform(polars.LazyFrame({"name": names}))
    with pytest.raises(ValueError, match="assign: 'all' is not one of one-to-one, best"):
        FuzzyJoin(right, assign="all").transform(left)
    with pytest.raises(ValueError, match=r"columns \['link_probability'\] would occur twice"):
        FuzzyJoin(right, suffix="_3").transform(joined)


def test_near_duplicates_take_sets():
    sets = [["a", "b", "c"], ["a", "b", "c"], ["x", "y"]]
    assert NearDuplicates(kind="sets").fit(sets).labels_.tolist() == [0, 0, 1]


@pytest.mark.parametrize("measure", ["containment", "jaccard"])
def test_a_small_table_is_looked_up_from_either_side(measure):
    rows = [f"text {i} of {i * 7} and {i * 11} with {i % 13} words or more" for i in range(3000)]
    items = rows[::300]
    options = {"measure": measure, "threshold": 0.9, "shingle": "words:2"}
    for left, right in ((rows, items), (items, rows)):
        exact, brute = (list(sosie.pairs(left, against=right, method=method, **options)) for method in ("exact", "brute"))
        assert exact == brute
        assert len(exact) == len(items)


def test_frames_of_pandas_are_those_that_a_mask_selects():
    """Whatever their columns hold; a change of the kept rows changes no others."""
    table = pandas.DataFrame({"text": ["x", "y", None, "z"], "n": [1, 2, 3, 4], "m": [1.5, None, 2, 3],
                              "kind": pandas.Categorical(list("uvuv")), "any": [{"a": 1}, [1], None, "s"],
                              "is": [True, False, True, True],
                              "time": pandas.to_datetime(["2024-01-01"] * 4).tz_localize("Europe/Paris"),
                              "whole": pandas.array([1, None, 3, 4], dtype="Int64"),
                              "arrow": pandas.array(["p", "q", None, "r"], dtype=pandas.ArrowDtype(pyarrow.string()))})
    table.attrs["note"] = "kept"
    named_twice = table.rename(columns={"n": "text"})
    levels = table.set_axis(pandas.MultiIndex.from_product([["k"], list("abcdefghi")]), axis=1)
    for frame in (table, table.set_index("n"), table.set_index([["i", "j", "k", "k"]]), named_twice, levels,
                  table[["text"]], table[["n"]], table.iloc[:0]):
        before = frame.copy(deep=True)
        for mask in (np.array([True, False, True, True]), np.ones(4, bool), np.zeros(4, bool)):
            mask = mask[:len(frame)]
            kept = filtered(frame, mask)
            pandas.testing.assert_frame_equal(kept, frame[mask])
            assert kept.attrs == frame[mask].attrs and type(kept) is type(frame)
            if len(kept):
                kept.iloc[0, 0] = kept.iloc[1, 0]
            pandas.testing.assert_frame_equal(frame, before)


def test_masks_do_not_import_pandas():
    """It takes longer than the mask."""
    code = ("import sys, numpy, pyarrow, pyarrow.compute\nfrom sosie._rows import arrow_rows\n"
            "table = pyarrow.Table.from_arrays([pyarrow.nulls(1000)], ['a'])\n"
            "for mask in (numpy.arange(1000) % 3 == 0, numpy.zeros(1000, bool)):\n"
            "    assert len(arrow_rows(table, mask)) == mask.sum()\n"
            "assert arrow_rows(table, mask)['a'].type == pyarrow.null() and 'pandas' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("measure", ["containment", "jaccard"])
def test_rows_of_tables_without_a_partner_are_left_out_while_they_are_read(measure):
    """Only what is kept of the large side is put into scratch."""
    draw = random.Random(5)
    rows = [" ".join(f"{'abc'[(i >= 20) + (i >= 4000)]}{n}" for n in draw.sample(range(9000), 30))
            for i in range(20_000)]
    for left, right, taken in ((rows, rows[:20], 0), (rows[:20], rows, 0), (rows, rows[:4000], 10_000_000)):
        found = sosie.pairs(left, against=right, method="exact", measure=measure, threshold=0.9,
                            shingle="words:1", memory="3M")
        assert len(found) == min(len(left), len(right))
        assert found.stats["scratch_bytes"] >= taken
        assert taken > 0 or found.stats["scratch_bytes"] == 0
