"""`sosie.Index`: rows that are added and removed, compared with all pairs."""

from __future__ import annotations

import random
import threading

import numpy as np
import polars
import pytest
from conftest import make_texts
from hypothesis import given, settings
from hypothesis import strategies as st

import sosie

SURE = {"threshold": 0.7, "bands": "256x1"}  # nearly every pair above .7 shares a band


def test_what_it_finds_is_what_query_finds(texts):
    known, asked = texts[:200], texts[200:]
    index = sosie.Index(**SURE)
    assert index.add(known[:120]).tolist() == list(range(120))
    assert index.add(polars.DataFrame({"text": known[120:]})).tolist() == list(range(120, 200))
    assert len(index) == 200
    found = list(index.query(asked))
    assert found == list(sosie.query(known, asked, threshold=0.7, method="brute")) and len(found) > 20


def test_add_new_is_dedup_that_keeps_the_first(texts):
    for threads in (1, 3):
        index = sosie.Index(threads=threads, **SURE)
        added = np.concatenate([index.add_new(texts[:90]), index.add_new(texts[90:])])
        expected = sosie.dedup(texts, threshold=0.7, method="brute").mask
        assert added.tolist() == expected.tolist()
        assert len(index) == expected.sum()
        assert index.add_new(texts).sum() == 0


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("aqrn"), st.integers(0, 59)), max_size=40))
def test_it_is_a_list_of_rows_that_come_and_go(steps):
    texts = make_texts(2, 60)
    similar = {(a, b): s for a, b, s in sosie.pairs(texts, threshold=0.7, method="brute")}

    def value(a: int, b: int) -> float:
        return 1.0 if a == b else similar.get((min(a, b), max(a, b)), 0.0)

    index = sosie.Index(**SURE)
    there: dict[int, int] = {}  # number: text
    following = 0
    for step, text in steps:
        hits = sorted((-value(text, other), number) for number, other in there.items()
                      if value(text, other))
        if step == "q":
            told = [(-s, number) for _, number, s in index.query([texts[text]])]
            assert told == hits
        elif step == "r":
            number = text % max(1, following)
            gone = there.pop(number, None) is not None
            assert index.remove([number, number, -3]) == (1 if gone else 0)
        else:
            added = step == "a" or not hits
            if step == "a":
                assert index.add([texts[text]]).tolist() == [following]
            else:
                assert index.add_new([texts[text]]).tolist() == [added]
            if added:
                there[following] = text
                following += 1
        assert len(index) == len(there)


def test_recall_is_as_asked():
    draw = random.Random(9)
    left = [" ".join(f"w{draw.randrange(10**6)}" for _ in range(100)) for _ in range(400)]
    right = [" ".join((text.split() + [f"x{i} y{i}"])[6:]) for i, text in enumerate(left)]
    values = sosie.similarity(left, right, shingle="words:1")
    assert (np.abs(values - 0.92) < 0.02).all()
    found = 0
    for seed in range(10):
        index = sosie.Index(shingle="words:1", threshold=0.9, recall=0.9, seed=seed)
        index.add(left)
        found += len(index.query(right))
    assert found / 4000 >= 0.9


def test_sets_bags_and_columns():
    index = sosie.Index("sets", threshold=0.6, bands="64x1")
    index.add([{"a", "b", "c"}, {"x", "y"}])
    assert list(index.query([{"a", "b", "c", "d"}])) == [(0, 0, 0.75)]
    index = sosie.Index(threshold=0.6, bands="64x1", column="b", kind="sets")
    assert index.add(polars.DataFrame({"b": [["p", "q"], []]})).tolist() == [0, 1]
    assert list(index.query([{"q", "p"}, set()])) == [(0, 0, 1.0)]
    index = sosie.Index(threshold=0.5, bands="64x1")
    index.add([{"a": 3, "b": 1}])  # bags, as the rows indicate
    assert list(index.query([{"a": 3}])) == [(0, 0, 0.75)]


def test_a_few_removals_are_gaps():
    texts = [f"{i} alone {i} here {i} and there {i}" for i in range(100)]
    index = sosie.Index(**SURE)
    index.add(texts)
    assert index.remove([5, 7]) == 2
    assert [number for _, number, _ in index.query(texts)] == [i for i in range(100) if i not in (5, 7)]
    assert np.flatnonzero(index.add_new(texts)).tolist() == [5, 7]
    assert list(index.query([texts[5], texts[7]])) == [(0, 100, 1.0), (1, 101, 1.0)]


def test_many_removals_leave_the_rest():
    index = sosie.Index(**SURE)
    texts = make_texts(4, 300)
    index.add(texts)
    assert index.remove(range(0, 300, 2)) == 150
    assert index.remove(np.arange(0, 300, 2)) == 0
    assert {number % 2 for _, number, _ in index.query(texts)} == {1}
    assert index.add(["one more of them"]).tolist() == [300]
    assert len(index) == 151


def test_threads_may_share_it():
    index = sosie.Index(**SURE)
    texts = make_texts(6, 240)
    parts = [texts[i::4] for i in range(4)]
    threads = [threading.Thread(target=index.add, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(index) == 240
    assert {left for left, _, _ in index.query(texts)} == set(range(240))


def test_nothing_and_what_cannot_be_meant():
    index = sosie.Index()
    assert len(index) == 0 and index.remove([0]) == 0
    assert index.add([]).tolist() == [] and list(index.query(["a b"])) == []
    assert repr(index) == "Index of 0 items"
    with pytest.raises(sosie.OptionError):
        sosie.Index("sets", measure="containment")
    with pytest.raises(sosie.OptionError, match="holds vectors, not rows"):
        sosie.Index("sets").add(np.ones((2, 2)))
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'treshold'"):
        sosie.Index(treshold=0.8)
    texts = sosie.Index()
    texts.add(["a b"])
    with pytest.raises(sosie.SosieError):
        texts.query([{"a", "b"}])  # sets
