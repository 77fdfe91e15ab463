"""`sosie.Index` for vectors, bit strings and strings: the same results as `sosie.query` after any
adds and removals."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sosie


def make_vectors(seed: int, count: int, dimension: int = 12) -> np.ndarray:
    """Returns vectors of whole numbers, so there are ties; every third is near the previous one."""
    draw = np.random.default_rng(seed)
    rows = draw.integers(1, 9, (count, dimension)).astype(np.float32)
    rows[2::3] = rows[1::3][: len(rows[2::3])]
    rows[2::3, 0] += 1
    return rows


def make_bits(seed: int, count: int) -> np.ndarray:
    rows = np.random.default_rng(seed).integers(0, 2, (count, 72)).astype(bool)
    rows[2::3] = rows[1::3][: len(rows[2::3])]
    rows[2::3, 5] ^= True
    return rows


def make_strings(seed: int, count: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    rows = ["".join(draw.choice(list("abcdéλ語🎈"), draw.integers(0, 9))) for _ in range(count)]
    rows[2::3] = [text[:2] + "x" + text[2:] for text in rows[1::3]][:len(rows[2::3])]
    return np.array(rows, object)


KINDS = {
    "cosine": (make_vectors, "vectors", {"threshold": 0.95}),
    "euclidean": (make_vectors, "vectors", {"measure": "euclidean", "within": 3}),
    "angle, brute": (make_vectors, "vectors", {"measure": "angle", "within": 9, "method": "brute"}),
    "hamming": (make_bits, "bits", {"within": 24}),
    "bits by jaccard": (make_bits, "bits", {"measure": "jaccard", "threshold": 0.5}),
    "levenshtein": (make_strings, "strings", {"within": 1}),
    "damerau, similarity": (make_strings, "strings", {"measure": "damerau", "threshold": 0.7}),
    "osa, brute": (make_strings, "strings", {"measure": "osa", "within": 2, "method": "brute"}),
}


def rows_of(table: object) -> list[tuple[int, int, float]]:
    return [tuple(row[:3]) for row in table]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("aanrqtps"), st.integers(0, 79), st.integers(1, 30)),
                max_size=14))
def test_it_finds_what_query_finds(name, steps):
    make, kind, options = KINDS[name]
    pool = make(1, 120)
    index = sosie.Index(kind, threads=2, **options)
    there: dict[int, int] = {}  # number: row of the pool
    following = 0

    def known() -> np.ndarray:
        return pool[list(there.values())]

    for step, at, count in steps:
        some = pool[at:at + count]
        numbers = np.array(list(there), np.int64)
        if step == "a":
            assert index.add(some).tolist() == list(range(following, following + len(some)))
            there.update((following + i, at + i) for i in range(len(some)))
            following += len(some)
        elif step == "n":
            added = index.add_new(some)
            kept = []  # hits among the rows that are present, then among these
            for i in range(len(some)):
                others = np.concatenate([known(), some[kept]]) if there or kept else None
                new = others is None or not len(sosie.query(others, some[i:i + 1], kind=kind, **options))
                assert added[i] == new
                if new:
                    kept.append(i)
            for i in kept:
                there[following] = at + i
                following += 1
        elif step == "r":
            gone = [number for number in range(at, at + 3 * count) if number in there]
            assert index.remove(range(at, at + 3 * count)) == len(gone)
            for number in gone:
                del there[number]
        elif step == "p":
            index = pickle.loads(pickle.dumps(index))
        elif there:
            more = {"top": count} if step == "t" else {}
            expected = sosie.query(known(), some, kind=kind, **options, **more)
            assert rows_of(index.query(some, **more)) == [
                (left, numbers[right], value) for left, right, value in expected]
        assert len(index) == len(there)


MAKERS = {"vectors": make_vectors, "bits": make_bits, "strings": make_strings}


@pytest.mark.parametrize("kind", MAKERS)
def test_without_a_bound_top_decides(kind):
    rows = MAKERS[kind](3, 200)
    index = sosie.Index(kind)
    index.add(rows[:50])
    index.add(rows[50:])
    index.remove(range(0, 200, 7))
    left = [i for i in range(200) if i % 7]
    expected = sosie.query(rows[left], rows, kind=kind, top=5)
    assert rows_of(index.query(rows, top=5)) == [(a, left[b], v) for a, b, v in expected]
    with pytest.raises(sosie.OptionError, match="top: must be given"):
        index.query(rows)
    with pytest.raises(sosie.OptionError, match="a bound is needed"):
        index.add_new(rows)


def test_strings_that_are_null_or_empty_and_their_form(tmp_path):
    index = sosie.Index("strings", within=1, clean="alnum")
    assert index.add(["Anna", "an-ne", None, "", "b"]).tolist() == [0, 1, 2, 3, 4]
    asked = ["ANNA ", "a", None, "", "語"]
    found = [(0, 0, 0.0), (0, 1, 1.0), (1, 4, 1.0), (4, 4, 1.0)]
    assert rows_of(index.query(asked)) == found
    index = pickle.loads(pickle.dumps(index))
    index.add(["bernd"])
    assert rows_of(index.query(asked)) == found
    assert rows_of(index.query(asked, top=1)) == [(0, 0, 0.0), (1, 4, 1.0), (4, 4, 1.0)]
    (tmp_path / "names.txt").write_text("anni\nberndt\n")
    index.add(str(tmp_path / "names.txt"))
    assert [right for _, right, _ in index.query(["bernt"])] == [5, 7]
    with pytest.raises((sosie.SosieError, TypeError)):
        index.add(np.eye(3))


def test_rows_without_a_vector_or_a_bit_have_numbers_and_are_found_by_nothing():
    for kind, rows, options in (("vectors", [[1, 2], None, [1, 2], [], [2, 1]], {"measure": "euclidean", "within": 5}),
                                ("bits", ["ff", None, "ff", "", "0f"], {"within": 8})):
        index = sosie.Index(kind, **options)
        assert index.add(rows).tolist() == [0, 1, 2, 3, 4]
        assert index.add(rows[2:]).tolist() == [5, 6, 7]
        found = rows_of(index.query(rows))
        assert {left for left, _, _ in found} == {0, 2, 4}
        assert {right for _, right, _ in found} == {0, 2, 4, 5, 7}
        fresh = sosie.Index(kind, **options)
        assert fresh.add_new(rows).tolist() == [True, True, False, True, False]
        assert [right for _, right, _ in rows_of(fresh.query(rows[:1]))] == [0]


def test_components_of_any_type_may_come():
    rows = make_vectors(5, 90)
    types = [np.uint8, np.float32, np.int8, np.float64, np.int64, np.float16]
    index = sosie.Index("vectors", threshold=0.97)
    for i, kind in enumerate(types):
        index.add(rows[15 * i:15 * (i + 1)].astype(kind))
    index.add(rows[:4].tolist())
    all_rows = np.concatenate([rows, rows[:4]])
    expected = sosie.query(all_rows, rows, threshold=0.97)
    for kind in types:
        assert rows_of(index.query(rows.astype(kind))) == rows_of(expected)


def test_bit_strings_as_texts_and_arrays():
    rows = make_bits(6, 60)
    digits = [row.tobytes().hex() for row in np.packbits(rows, axis=1)]
    index = sosie.Index("bits", within=10)
    index.add(digits[:30])
    index.add(["0x" + text for text in digits[30:]])
    expected = rows_of(sosie.query(rows, rows, within=10))
    assert rows_of(index.query(rows)) == rows_of(index.query(digits)) == expected
    assert index.query(rows).column_names[2] == "distance"


def test_ids_are_further_columns(tmp_path):
    index = sosie.Index("vectors", measure="euclidean", within=1)
    index.add(np.eye(3), ids=["x", "y", 7])
    index.add(np.eye(3)[:1] * 5)
    found = index.query(np.eye(3)[1:])
    assert found.column_names == ["left", "right", "distance", "right_id"]
    assert list(found) == [(0, 1, 0.0, "y"), (1, 2, 0.0, 7)]
    with pytest.raises(sosie.InputError, match="ids: 'y' already exists"):
        index.add(np.eye(3), ids=["a", "b", "y"])
    with pytest.raises(sosie.InputError, match="ids: 2 for 3 rows"):
        index.add(np.eye(3), ids=["a", "b"])
    assert len(index) == 4
    index = pickle.loads(pickle.dumps(index))
    assert index.remove(ids=["y", "nobody"]) == 1
    assert index.remove([0], ids=["x"]) == 1
    index.add(np.eye(3)[1:2], ids=["y"])
    assert list(index.query(np.eye(3)))[0][3] == "y"
    texts = sosie.Index(threshold=0.5, shingle="words:1", bands="64x1")
    texts.add(["a b c", "d e f"], ids=np.array([5, 6]))
    assert list(texts.query(["d e"], top=1)) == [(0, 1, pytest.approx(2 / 3), 6)]


def test_what_cannot_be_an_item_changes_nothing():
    index = sosie.Index("vectors", threshold=0.9)
    index.add(np.ones((2, 3)))
    for wrong, says in ((np.ones((1, 4)), "row 0: 4 components, items of the index have 3"),
                        (np.array([[1, 2, np.nan]]), "row 0: component 2 is not a number"),
                        (np.array([[1, 2, 3], [1, np.inf, 1]]), "row 1: component 1 is infinite"),
                        (np.zeros((1, 3)), "row 0: the vector is all zeros and has no cosine"),
                        ([[1, 2, 3], [1, 2]], "row 1: 2 components, the first row has 3")):
        for call in (index.add, index.add_new, index.query):
            with pytest.raises(sosie.InputError, match=says):
                call(wrong)
    assert len(index) == 2 and len(index.query(np.ones((1, 3)))) == 2
    with pytest.raises(sosie.OptionError, match="finds every pair, without hashing"):
        sosie.Index("vectors", threshold=0.9, method="lsh")


@pytest.mark.parametrize("on_disk", [False, True])
def test_lists_find_the_part_of_the_nearest_that_is_wanted(on_disk, tmp_path):
    rows = np.random.RandomState(5).standard_normal((6000, 16)).astype(np.float32)
    asked = np.random.RandomState(6).standard_normal((300, 16)).astype(np.float32)
    options = {"kind": "vectors", "method": "lsh", "recall": 0.9}
    index = (sosie.Index.create(tmp_path / "index", rows, **options) if on_disk
             else sosie.Index(**options))
    if not on_disk:
        index.add(rows)
    found = index.query(asked, top=10)
    nearest = sosie.query(rows, asked, top=10)
    right = set(map(tuple, nearest)) & {(left, int(item), value) for left, item, value in found}
    assert 0.87 * 3000 < len(right) < 3000  # of 3000, with the same cosines
    assert len(found["left"]) == 3000
    measured = index.list_recall(10)
    assert 0.9 <= measured < 1 and abs(measured - len(right) / 3000) < 0.05
    assert index.list_recall(101) is None  # all are looked at
    for top, said in ((0, "top: 0 is not 1 or more"), (1.5, "top: 1.5 is not a whole number"),
                      (True, "top: True is not 1 or more")):
        for ask in (index.list_recall, lambda top: index.query(asked, top=top)):
            with pytest.raises(sosie.OptionError, match=said):
                ask(top)
    assert len(index.query(asked[:2], top=np.int64(3))["left"]) == 6
    for wrong in ({"recall": 1}, {"measure": "canberra"}):
        with pytest.raises(sosie.OptionError):
            sosie.Index(**{**options, **wrong})


@pytest.mark.parametrize("kind", ["text", "sets", "vectors", "bits"])
def test_a_damaged_pickle_is_refused(kind):
    rows = {"text": [f"a b c d e f {i}" for i in range(9)], "sets": [{"a", str(i)} for i in range(9)],
            "vectors": make_vectors(1, 9), "bits": make_bits(1, 9)}[kind]
    bound = {"within": 3} if kind == "bits" else {"threshold": 0.6}
    index = sosie.Index(kind, **bound)
    index.add(rows)
    index.remove([3])
    function, (made, options, saved, ids) = index.__reduce__()
    again = function(made, options, saved, ids)
    assert list(again.query(rows)) == list(index.query(rows)) and len(again) == 8
    assert again.list_recall() is None
    assert again.add(rows[:1]).tolist() == [9]
    for damaged in (b"", saved[:-1], saved[:20], saved[:50] + bytes([saved[50] ^ 1]) + saved[51:],
                    saved + b"x", b"x" * len(saved)):
        with pytest.raises(sosie.InputError, match="saved index: is damaged"):
            function(made, options, damaged, ids)


def test_a_query_does_not_write_a_file(tmp_path):
    rows = np.random.default_rng(2).standard_normal((50_000, 128)).astype(np.float32)
    index = sosie.Index("vectors", threads=1, scratch=str(tmp_path))
    before = tmp_path.stat().st_mtime_ns  # adding or removing a name changes it
    index.add(rows)
    took = []
    for i in range(200):
        begin = time.perf_counter()
        found = index.query(rows[i:i + 1], top=10)
        took.append(time.perf_counter() - begin)
        assert found["right"][0] == i
    print(f"median {1e3 * np.median(took):.2f} ms")
    assert np.median(took) < 0.02  # a file would take longer
    assert tmp_path.stat().st_mtime_ns == before


def test_slices_of_results():
    found = sosie.pairs(make_vectors(4, 60), threshold=0.97)
    assert list(found[1:4]) == list(found)[1:4] and len(found[1:4]) == 3
    assert found[::-1].column_names == found.column_names
