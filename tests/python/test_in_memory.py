"""Tables of every kind are read in place: without a temporary file, and with the same results as a
file."""

from __future__ import annotations

import datetime
import decimal
import json
import pickle
import uuid

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

import sosie
from sosie import _rows, _sosie

DTYPES = ["float16", "float32", "float64", ">f4", ">f8", "int8", "uint8", "int16", "uint16",
          "int32", "uint32", "int64", "uint64"]


def numbers(count: int, dimension: int) -> np.ndarray:
    rows = np.random.default_rng(3).integers(1, 60, (count, dimension))
    rows[2::3] = rows[: len(rows[2::3])]
    rows[2::3, 0] += 1
    return rows


def layouts(rows: np.ndarray) -> dict[str, np.ndarray]:
    wide = np.zeros((rows.shape[0], 2 * rows.shape[1]), rows.dtype)
    wide[:, ::2] = rows
    read_only = rows.copy()
    read_only.flags.writeable = False
    return {"C": rows, "Fortran": np.asfortranarray(rows), "every second column": wide[:, ::2],
            "backwards": rows[::-1][::-1].copy()[:, :], "read-only": read_only,
            "transposed twice": np.ascontiguousarray(rows.T).T}


@pytest.fixture(autouse=True)
def _no_files(monkeypatch):
    """No temporary file or folder is requested."""
    import tempfile

    def refuse(*args, **kwargs):
        raise AssertionError("a temporary file")

    for name in ("mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile"):
        monkeypatch.setattr(tempfile, name, refuse)


@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors_of_every_type_are_those_of_their_file(dtype, tmp_path):
    rows = numbers(120, 9).astype(dtype)
    np.save(tmp_path / "v.npy", rows)
    expected = list(sosie.pairs(tmp_path / "v.npy", threshold=0.999))
    assert len(expected) > 20
    for layout, array in layouts(rows).items():
        assert list(sosie.pairs(array, threshold=0.999)) == expected, layout
    result = sosie.dedup(rows, threshold=0.999)
    assert result.stats["bytes"] == (tmp_path / "v.npy").stat().st_size
    assert sosie.query(rows, rows[:3], threshold=0.999)["left"].tolist()[0] == 0
    kept = tmp_path / "kept.npy"
    assert sosie.dedup(rows, threshold=0.999, output=kept).mask.tolist() == result.mask.tolist()
    assert np.array_equal(np.load(kept), rows[result.mask])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint8", "int32"])
def test_columns_of_vectors_are_arrays(dtype, tmp_path):
    rows = numbers(90, 6).astype(dtype)
    expected = list(sosie.pairs(rows, threshold=0.9999))
    flat = pyarrow.array(rows.ravel())
    fixed = pyarrow.FixedSizeListArray.from_arrays(flat, 6)
    offsets = pyarrow.array(np.arange(0, 541, 6, dtype=np.int32))
    tables = [pyarrow.table({"v": fixed}),
              pyarrow.table({"v": pyarrow.chunked_array([fixed[:17], fixed[17:]])}),
              pyarrow.table({"v": pyarrow.ListArray.from_arrays(offsets, flat)}),
              pyarrow.table({"v": pyarrow.concat_arrays([fixed, fixed])}).slice(90, 90),
              polars.DataFrame({"v": polars.Series(rows)}), polars.DataFrame({"v": rows.tolist()}),
              pandas.DataFrame({"v": list(rows)})]
    for table in tables:
        found = sosie.pairs(table, kind="vectors", threshold=0.9999)
        assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
        assert found["similarity"].tolist() == [pair[2] for pair in expected]
        read = _rows.readable(table, ["v"])
        assert (_rows.matrix_of(read, "v") is None) == isinstance(table, pandas.DataFrame)
    kept = sosie.dedup(tables[0], kind="vectors", threshold=0.9999, output=tmp_path / "k.jsonl")
    lines = (tmp_path / "k.jsonl").read_text().splitlines()
    assert len(lines) == kept.mask.sum() and lines[0].startswith('{"v": [')


def test_uneven_vectors_are_bad_rows_and_missing_ones_match_nothing():
    for lists in ([[1.0, 2.0], [1.0]], [[1.0, 2.0], [1.0, None]]):
        for table in (pyarrow.table({"v": pyarrow.array(lists, pyarrow.list_(pyarrow.float64()))}),
                      polars.DataFrame({"v": lists}, schema={"v": polars.List(polars.Float64)})):
            assert _rows.matrix_of(table, "v") is None
            with pytest.raises(sosie.InputError, match="^row [01]: "):
                sosie.pairs(table, kind="vectors", threshold=0.9)
    table = polars.DataFrame({"v": [[1.0, 2.0], None, [], [1.0, 2.0]]},
                             schema={"v": polars.List(polars.Float64)})
    assert list(sosie.pairs(table, kind="vectors", threshold=0.9)) == [(0, 3, 1.0)]


def test_bits_of_every_layout_are_those_of_their_file(tmp_path):
    rows = np.random.default_rng(5).random((90, 72)) < 0.5
    rows[1::3] = rows[::3]
    rows[1::3, :2] ^= True
    digits = [row.tobytes().hex() for row in np.packbits(rows, axis=1)]
    (tmp_path / "b.txt").write_text("".join(text + "\n" for text in digits))
    expected = list(sosie.pairs(tmp_path / "b.txt", kind="bits", within=4))
    assert len(expected) == 30
    for layout, array in layouts(rows).items():
        assert list(sosie.pairs(array, within=4)) == expected, layout
        assert list(sosie.pairs(np.packbits(array, axis=1), kind="bits", within=4)) == expected
    assert list(sosie.pairs(digits, kind="bits", within=4)) == expected
    assert list(sosie.pairs(polars.DataFrame({"d": digits}), kind="bits", within=4)) == expected


SETS = [{"a", "b", "c"}, {"c", "b", "a"}, {"x", "y"}, set("abcdefgh"), set("abcdefg")]
EXPECTED = [(0, 1, 1.0), (3, 4, 0.875)]
SET_TABLES = {
    "sets": lambda: (SETS, {}),
    "generator": lambda: ((one for one in SETS), {}),
    "dict views": lambda: ({i: one for i, one in enumerate(SETS)}.values(), {}),
    "lists of numpy": lambda: ([np.array(sorted(one)) for one in SETS], {"kind": "sets"}),
    "records": lambda: ([{"tags": sorted(one)} for one in SETS], {"kind": "sets", "column": "tags"}),
    "pyarrow list": lambda: (pyarrow.table({"t": [sorted(s) for s in SETS]}), {"kind": "sets"}),
    "pyarrow large list": lambda: (pyarrow.table({"t": pyarrow.array(
        [sorted(s) for s in SETS], pyarrow.large_list(pyarrow.string()))}), {"kind": "sets"}),
    "pyarrow views": lambda: (pyarrow.table({"t": pyarrow.array(
        [sorted(s) for s in SETS], pyarrow.list_(pyarrow.string_view()))}), {"kind": "sets"}),
    "chunks": lambda: (pyarrow.table({"t": pyarrow.chunked_array(
        [[sorted(s)] for s in SETS])}), {"kind": "sets"}),
    "slice": lambda: (pyarrow.table({"t": [["no"], *map(sorted, SETS), ["no"]]}).slice(1, 5),
                      {"kind": "sets"}),
    "polars": lambda: (polars.DataFrame({"t": [sorted(s) for s in SETS]}), {"kind": "sets"}),
    "pandas": lambda: (pandas.DataFrame({"t": [sorted(s) for s in SETS]}), {"kind": "sets"}),
}


@pytest.mark.parametrize("source", SET_TABLES)
def test_sets_of_every_object(source):
    rows, options = SET_TABLES[source]()
    assert list(sosie.pairs(rows, threshold=0.8, **options)) == EXPECTED
    rows, options = SET_TABLES[source]()
    result = sosie.dedup(rows, threshold=0.8, **options)
    assert result.mask.tolist() == [True, False, True, True, False]
    assert len(result.apply()) == 3


def test_many_rows_are_found_again_wherever_they_lie():
    """Rows in groups, batches and pieces of every size."""
    draw = np.random.default_rng(7)
    lists = [[f"e{n}" for n in draw.integers(0, 40, draw.integers(1, 300))] for _ in range(700)]
    lists[699], lists[350] = lists[0], lists[17]
    table = pyarrow.concat_tables([pyarrow.table({"t": lists[i:i + 137]})
                                   for i in range(0, 700, 137)])
    found = {(left, right) for left, right, s in
             sosie.pairs(table, kind="sets", threshold=1, threads=3) if s == 1}
    expected = {(i, j) for i in range(700) for j in range(i + 1, 700)
                if set(lists[i]) == set(lists[j])}
    assert {(0, 699), (17, 350)} <= found == expected
    assert list(sosie.pairs(lists, kind="sets", threshold=1)) == [
        (i, j, 1.0) for i, j in sorted(expected)]


def test_bags_records_groups_and_joined_columns():
    bags = [{"a": 3, "b": 1}, {"a": 3, "b": 1, "c": 1}, {"a": 1, "d": 7}]
    assert list(sosie.pairs(iter(bags), threshold=0.7, measure="bag-jaccard")) == [(0, 1, 0.8)]
    people = [{"n": {"first": "Ann"}, "town": "x y z"}, {"n": {"first": "Ann"}, "town": "x y z"}]
    found = sosie.pairs(people, column="n.first,town", shingle="words:1")
    assert list(found) == [(0, 1, 1.0)]
    rows = polars.DataFrame({"user": [1, 1, 2, 2], "item": ["x", "y", "y", "x"]})
    assert len(sosie.pairs(rows, group_by="user", element="item", threshold=1)) == 1


def test_scipy_matrices_are_sets_or_bags_of_columns():
    dense = np.array([[0, 2, 0, 1], [0, 2, 0, 1], [0, 1, 0, 1], [3, 0, 0, 0]])
    for make in (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_matrix):
        matrix = make(dense)
        found = sosie.pairs(matrix, kind="sets", threshold=0.9)
        assert list(found) == [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]
        found = sosie.pairs(matrix, kind="bags", measure="bag-jaccard", threshold=0.6)
        assert list(found) == [(0, 1, 1.0), (0, 2, pytest.approx(2 / 3)),
                               (1, 2, pytest.approx(2 / 3))]
        kept = sosie.dedup(matrix, kind="sets", threshold=0.9).apply()
        assert (kept.toarray() == dense[[0, 3]]).all()
        assert list(sosie.pairs(matrix.astype(float), kind="vectors", threshold=0.999)) == [
            (0, 1, pytest.approx(1))]
    with pytest.raises(TypeError, match="kind='sets' uses the nonzero columns"):
        sosie.pairs(matrix)
    with pytest.raises(sosie.InputError, match="not a whole number above 0\nkind='sets'"):
        sosie.pairs(matrix * 0.5, kind="bags")


def test_a_large_sparse_matrix_is_no_vectors(monkeypatch):
    monkeypatch.setattr(_rows, "MOST_DENSE_BYTES", 100)
    with pytest.raises(TypeError, match=r"pass its \.toarray\(\) if that fits, or kind='sets'"):
        sosie.pairs(scipy.sparse.eye(10).tocsr(), kind="vectors", threshold=0.9)


def test_bad_rows_are_named_by_their_numbers():
    with pytest.raises(sosie.InputError, match="^row 1: 1 components, the first row"):
        sosie.pairs([[1.0, 2.0], [1.0]], kind="vectors", threshold=0.9)
    with pytest.raises(sosie.InputError, match="the rows: row 1, component 0: is not a number"):
        sosie.pairs(np.array([[1.0, 2], [np.nan, 1]]), threshold=0.9)
    with pytest.raises(sosie.InputError, match="beyond 2\\^53"):
        sosie.pairs(np.array([[2**53 + 1]]), threshold=0.9)
    with pytest.raises(sosie.InputError, match="^row 2: field 'text' holds 1.5;") as bad:
        sosie.pairs([["a"], ["b"], [1.5]], kind="sets")
    assert bad.value.place == "row 2"
    with pytest.raises(sosie.InputError, match="two-dimensional"):
        sosie.dedup(np.zeros((2, 2, 2)), kind="vectors", threshold=0.5)
    with pytest.raises(TypeError, match="^row 1: items must be str, numbers or dates, not object"):
        sosie.pairs([{"a"}, {object()}], threshold=0.5)
    with pytest.raises(TypeError, match="^cannot read rows from NoneType: pass "):
        sosie.dedup(None, threshold=0.5)


# Values that JSON lacks, each with what a field of JSON lines holds in their place.
SCALARS = [
    (datetime.date(2024, 1, 5), "2024-01-05"),
    (datetime.datetime(2024, 1, 5, 12, 30, 0, 500_000), "2024-01-05 12:30:00.5"),
    (datetime.datetime(2024, 1, 5, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2))), "2024-01-05 10:00:00+00:00"),
    (datetime.time(5, 30), "05:30:00"),
    (datetime.timedelta(seconds=1), 1_000_000),
    (decimal.Decimal("1.50"), 1.5),
    (decimal.Decimal("1E+3"), 1000),
    (decimal.Decimal("NaN"), None),
    (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (b"ab", "ab"),
    (float("nan"), None),
    (np.float32("nan"), None),
    (float("-inf"), "-Infinity"),
    (pandas.NA, None),
    (pandas.NaT, None),
    (pandas.Timestamp("2024-01-05 12:30:00.000000005"), "2024-01-05 12:30:00.000000005"),
    (pandas.Timedelta("1s"), 1_000_000),
    (np.datetime64("2024-01-05T12:30:00.25", "ns"), "2024-01-05 12:30:00.25"),
    (np.datetime64("NaT"), None),
    (np.timedelta64(5, "s"), 5),
    (np.array(["2024-01-05"], "M8[ns]"), ["2024-01-05 00:00:00"]),
]


def test_values_that_json_lacks_are_those_of_a_column():
    rows = [{"text": "the same words in each row", "x": value} for value, _ in SCALARS]
    assert len(sosie.dedup(rows, column="text", threshold=0.8).apply()) == 1
    lines = _sosie.list_rows(rows, []).content().splitlines()
    got = [json.loads(line)["x"] for line in lines]
    assert got == [told for _, told in SCALARS]


def test_bad_rows_are_skipped_in_memory_too():
    rows = [[1.0, 2.0], [1.0], [1.0, 2.0]]
    result = sosie.dedup(rows, kind="vectors", threshold=0.9, on_bad_row="skip")
    assert result.mask.tolist() == [True, False, False]
    assert result.is_duplicate.tolist() == [False, False, True]


def test_runs_of_items_can_be_pickled_and_repeated():
    result = sosie.dedup(SETS, threshold=0.8)
    again = pickle.loads(pickle.dumps(result))
    assert again.at(1).mask.tolist() == [True, False, True, True, True]
    matrix = sosie.dedup(numbers(30, 4), threshold=0.999)
    assert pickle.loads(pickle.dumps(matrix)).at(1).mask.tolist() == matrix.at(1).mask.tolist()


def test_groups_of_pairs_in_memory():
    found = sosie.pairs(SETS, threshold=0.8)
    assert list(sosie.cluster(found)) == [(0, 0, True, 2), (1, 0, False, 2),
                                          (3, 3, True, 2), (4, 3, False, 2)]
    assert list(sosie.cluster([("a", "b", 1.0)])) == [("a", "a", True, 2), ("b", "a", False, 2)]
    assert list(sosie.cluster(pyarrow.table({"left": ["7"], "right": ["9"], "similarity": [0.5]}))
                ) == [("7", "7", True, 2), ("9", "7", False, 2)]
    with pytest.raises(sosie.InputError, match="^row 1: '7' is no similarity"):
        sosie.cluster([(0, 1, 0.5), (1, 2, 7)])


def test_an_index_takes_what_the_functions_take():
    index = sosie.Index("sets", threshold=0.8)
    assert index.add(one for one in SETS).tolist() == [0, 1, 2, 3, 4]
    assert list(index.query([{"a", "b", "c"}])) == [(0, 0, 1.0), (0, 1, 1.0)]
    vectors = sosie.Index("vectors")
    vectors.add(polars.DataFrame({"v": [[1.0, 0.0], [0.0, 1.0]]}))
    vectors.add(numbers(5, 2).astype(">f4")[:, ::-1])
    assert vectors.query([[2.0, 0.0]], top=1)["right"].tolist() == [0]
