"""Sets, bags, vectors and bit strings in memory."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import sosie


def make_sets(count: int) -> list[set[str]]:
    draw = random.Random(5)
    sets: list[set[str]] = []
    for number in range(count):
        if number % 3 == 2:
            copy = set(draw.choice(sets))
            copy.discard(sorted(copy)[0])
            sets.append(copy)
        else:
            sets.append({f"e{draw.randrange(50)}" for _ in range(12)})
    return sets


def jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b)


SET_SOURCES = {
    "sets": lambda sets: (sets, {}),
    "frozensets": lambda sets: ([frozenset(s) for s in sets], {}),
    "lists": lambda sets: ([sorted(s) for s in sets], {"kind": "sets"}),
    "polars": lambda sets: (polars.DataFrame({"b": [sorted(s) for s in sets]}),
                            {"kind": "sets", "column": "b"}),
    "pyarrow": lambda sets: (pyarrow.table({"b": [sorted(s) for s in sets], "n": [1] * len(sets)}),
                             {"kind": "sets", "column": "b"}),
    "pandas": lambda sets: (pandas.DataFrame({"b": [sorted(s) for s in sets]}),
                            {"kind": "sets", "column": "b"}),
}


@pytest.mark.parametrize("source", SET_SOURCES)
def test_sets_in_any_object(source):
    sets = make_sets(120)
    expected = [(i, j, jaccard(a, b)) for i, a in enumerate(sets)
                for j, b in enumerate(sets) if i < j and jaccard(a, b) >= 0.8]
    assert len(expected) > 20
    data, options = SET_SOURCES[source](sets)
    found = sosie.pairs(data, threshold=0.8, **options)
    assert list(found) == [(i, j, pytest.approx(s)) for i, j, s in expected]
    result = sosie.dedup(data, threshold=0.8, **options)
    assert len(result.apply()) == int(result.mask.sum()) < 120
    assert not (set(result.removed["row"].tolist()) & set(result.kept["row"].tolist()))


def test_bags_and_pairs_of_rows():
    bags = [{"a": 3, "b": 1}, {"a": 3, "b": 1, "c": 1}, {"a": 1, "d": 7}]
    found = sosie.pairs(bags, threshold=0.7, measure="bag-jaccard")
    assert list(found) == [(0, 1, 0.8)]
    rows = polars.DataFrame({"customer": [7, 7, 9, 9, 8], "film": ["x", "y", "y", "x", "z"]})
    found = sosie.pairs(rows, group_by="customer", element="film", threshold=1)
    assert list(found) == [(0, 1, 1.0)]


def unit_rows(count: int, dimension: int) -> np.ndarray:
    rows = np.random.default_rng(3).normal(size=(count, dimension)).astype(np.float32)
    rows[2::3] = rows[: len(rows[2::3])] * 2 + np.float32(0.05)
    return rows


@pytest.mark.parametrize("source", ["numpy", "list", "polars", "arrow fixed", "float64"])
def test_vectors_in_any_object(source):
    rows = unit_rows(90, 16)
    options = {"kind": "vectors", "column": "v"}
    data = {
        "numpy": lambda: (rows, {}),
        "list": lambda: (list(rows), {}),
        "float64": lambda: (np.asfortranarray(rows.astype(np.float64)), {}),
        "polars": lambda: (polars.DataFrame({"v": polars.Series(rows)}), options),
        "arrow fixed": lambda: (pyarrow.table({"v": pyarrow.FixedSizeListArray.from_arrays(
            pyarrow.array(rows.ravel()), 16)}), options),
    }[source]
    given, more = data()
    wide = rows.astype(np.float64)
    norms = np.sqrt((wide**2).sum(1))
    cosine = wide @ wide.T / np.outer(norms, norms)
    expected = [(i, j) for i, j in np.argwhere(cosine >= 0.95).tolist() if i < j]
    assert len(expected) > 10
    found = sosie.pairs(given, threshold=0.95, **more)
    assert [(left, right) for left, right, _ in found] == expected
    nearest = sosie.query(given, rows[:5], top=1, **({"kind": "vectors"} | more))
    assert nearest["right"].tolist() == [0, 1, 2, 3, 4]
    result = sosie.dedup(given, threshold=0.95, **more)
    assert len(result.apply()) == int(result.mask.sum()) < 90


def test_rows_are_kept_by_a_column():
    table = polars.DataFrame({"v": [[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], "score": [1, 5, 2]})
    result = sosie.dedup(table, kind="vectors", column="v", threshold=0.9, keep="max:score")
    assert result.mask.tolist() == [False, True, True]
    assert result.apply().equals(table[1:])


def test_bits():
    codes = ["ff00ff00", "ff00ff01", "00000000"]
    table = polars.DataFrame({"hash": codes})
    found = sosie.pairs(table, kind="bits", column="hash", within=3)
    assert list(found)[0][:2] == (0, 1) and len(found) == 1


def test_bits_of_numpy_arrays():
    draw = np.random.default_rng(3)
    rows = draw.integers(0, 2, (40, 61)).astype(bool)
    rows[7] = rows[3]
    rows[7, :2] ^= True
    packed = np.packbits(rows, axis=1)
    expected = [(i, j, np.count_nonzero(rows[i] != rows[j])) for i in range(40)
                for j in range(i + 1, 40) if np.count_nonzero(rows[i] != rows[j]) <= 20]
    assert (3, 7, 2) in expected
    assert list(sosie.pairs(rows, within=20)) == expected
    assert list(sosie.pairs(rows[:, ::-1], within=20)) == expected
    assert list(sosie.pairs(packed, kind="bits", within=20)) == expected
    assert list(sosie.pairs(rows.astype(np.uint8), kind="bits", within=20)) == expected
    kept = sosie.dedup(rows, within=2)
    assert not kept.mask[7] and len(kept.apply(rows)) == kept.mask.sum()
    jaccard = np.sum(rows[3] & rows[7]) / np.sum(rows[3] | rows[7])
    assert sosie.similarity(rows[3:4], rows[7:8], measure="jaccard")[0] == pytest.approx(jaccard)
    for wrong in (rows.astype(np.int64), rows[0], rows.astype(float)):
        with pytest.raises(TypeError, match=r"\(rows, bits\) of bool, or \(rows, bytes\) of uint8"):
            sosie.pairs(wrong, kind="bits", within=3)


def test_what_cannot_be_read_is_said():
    with pytest.raises(TypeError, match=r"\(rows, dimension\), not \(3,\)"):
        sosie.pairs(np.array([1.0, 2, 3]), threshold=0.9)
    with pytest.raises(TypeError, match="not list; for other rows set kind="):
        sosie.pairs([[1, 2], [2, 4]], threshold=0.9)
    with pytest.raises(sosie.InputError, match="did you mean 'basket'"):
        sosie.pairs(polars.DataFrame({"basket": [["a"]]}), kind="sets", column="baskt")
    with pytest.raises(sosie.InputError, match="row 1"):
        sosie.pairs(polars.DataFrame({"v": [[1.0, 2.0], [1.0]]}), kind="vectors", column="v",
                    threshold=0.9)
    with pytest.raises(TypeError, match="pass an Arrow table"):
        sosie.pairs(object(), kind="sets")
    with pytest.raises(sosie.InputError, match="the rows: row 0"):
        sosie.pairs(np.array([[1.0, np.nan]]), threshold=0.9)


def test_a_matrix_is_not_made_a_list():
    rows = np.random.default_rng(4).standard_normal((20_000, 64)).astype(np.float32)
    sosie.dedup(rows[:2], threshold=0.99)  # what is imported once
    tracemalloc.start()
    sosie.similarity(rows, rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * rows.nbytes  # Python objects would take 8 times as much


def test_nothing_stays_behind(tmp_path):
    result = sosie.dedup([{"a", "b"}, {"b", "a"}], scratch=str(tmp_path))
    assert result.mask.tolist() == [True, False]
    assert list(result.at(0.5).mask) == [True, False]
    assert list(tmp_path.iterdir()) == []


def test_points_are_sets_of_squares():
    prints = [[[1.0, 2.0], [12.5, 3.0]], [[2.0, 1.0], [13.0, 4.0]], [[50.0, 50.0], [13.0, 4.0]]]
    found = sosie.pairs(prints, represent="grid:10", threshold=0.3)
    assert [tuple(pair) for pair in found] == [(0, 1, 1.0), (0, 2, 1 / 3), (1, 2, 1 / 3)]
    words = [["1,2", "12.5,3"], ["2,1", "13,4"], ["50,50", "13,4"]]
    assert list(sosie.pairs(words, represent="grid:10", threshold=0.3)) == list(found)
    with pytest.raises(sosie.InputError, match="is not a point"):
        sosie.pairs([[[1.0]], [[2.0, 3.0]]], represent="grid:10")


def test_common_elements_of_rows_in_memory_are_left_out():
    rows = [["head", "a", "b"], ["head", "a", "b"], ["head", "c"], ["head", "d", "e"]]
    texts = [" ".join(row) for row in rows]
    for items, options in ((rows, {"kind": "sets"}), (texts, {"shingle": "words:1"})):
        all_of = sosie.pairs(items, threshold=0.2, **options)
        assert len(all_of) > 1
        left = sosie.pairs(items, threshold=0.2, ignore_common="0.5", **options)
        assert [tuple(pair) for pair in left] == [(0, 1, 1.0)]


def test_passages_are_explained():
    text = "one two three four five six seven"
    page = sosie.explain(0, 1, [f"own words {text}", f"{text} and other words"], passages=True)
    assert "passages of at least 5 words: 1; 7 of 9 words of left, 7 of 10 of right" in page


@pytest.mark.parametrize("method", ["brute", "exact"])
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_bounds_of_many_digits_decide_by_the_double_that_they_are(scale, method):
    rows = np.random.default_rng(3).random((60, 4)) * scale
    known = {(i, j): float(np.abs(rows[i] - rows[j]).max())
             for i in range(60) for j in range(i + 1, 60)}
    for bound in sorted(known.values())[5:1700:340]:
        found = sosie.pairs(rows, measure="chebyshev", within=bound, method=method)
        assert {(left, right) for left, right, _ in found} == {
            pair for pair, distance in known.items() if distance <= bound}
