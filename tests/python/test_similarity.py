"""`sosie.similarity`: row by row."""

from __future__ import annotations

import math
import random

import numpy as np
import polars
import pytest

import sosie

OF_SETS = {
    "jaccard": lambda a, b: len(a & b) / len(a | b),
    "dice": lambda a, b: 2 * len(a & b) / (len(a) + len(b)),
    "overlap": lambda a, b: len(a & b) / min(len(a), len(b)),
    "containment": lambda a, b: len(a & b) / len(a),
    "cosine": lambda a, b: len(a & b) / math.sqrt(len(a) * len(b)),
}


@pytest.mark.parametrize("measure", OF_SETS)
def test_measures_of_sets(measure):
    draw = random.Random(11)
    left, right = ([{draw.randrange(30) for _ in range(draw.randint(1, 25))} for _ in range(200)]
                   for _ in range(2))
    right[:20] = left[:20]
    values = sosie.similarity(left, right, measure=measure)
    assert values.dtype == np.float64
    expected = [OF_SETS[measure](a, b) for a, b in zip(left, right, strict=True)]
    assert values.tolist() == pytest.approx(expected, abs=1e-15)


def test_it_is_what_pairs_say(texts):
    half = len(texts) // 2
    left, right = texts[:half], texts[half : 2 * half]
    right[:40] = [text + " and more" for text in left[:40]]
    values = sosie.similarity(left, polars.DataFrame({"text": right}), shingle="words:2")
    found = {(a, b): s for a, b, s in sosie.pairs(left, against=right, shingle="words:2",
                                                  threshold=0.05, method="brute")}
    for row, value in enumerate(values):
        assert value == found.get((row, row), 0) or value < 0.05
    assert (values > 0.8).sum() >= 40


def test_bags_and_empty_rows():
    assert sosie.similarity([{"a": 3}, {"a": 1}], [{"a": 2}, {"b": 1}]).tolist() == [2 / 3, 0]
    assert sosie.similarity(["", "a b"], ["", "a b"]).tolist() == [1, 1]
    assert sosie.similarity(["", "a b"], ["a b", ""]).tolist() == [0, 0]
    assert sosie.similarity([], []).shape == (0,)


OF_VECTORS = {
    "cosine": lambda a, b: (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1)),
    "angle": lambda a, b: np.degrees(np.arccos(OF_VECTORS["cosine"](a, b))),
    "euclidean": lambda a, b: np.sqrt(((a - b) ** 2).sum(1)),
    "manhattan": lambda a, b: np.abs(a - b).sum(1),
    "chebyshev": lambda a, b: np.abs(a - b).max(1),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("measure", OF_VECTORS)
def test_measures_of_vectors(measure, dtype):
    draw = np.random.default_rng(3)
    left, right = ((100 * draw.random((300, 17)) + 1).astype(dtype) for _ in range(2))
    values = sosie.similarity(left, right, measure=measure)
    expected = OF_VECTORS[measure](left.astype(np.float64), right.astype(np.float64))
    assert values == pytest.approx(expected, rel=1e-12)


def test_vectors_are_measured_by_their_cosine_unless_said_otherwise():
    table = polars.DataFrame({"v": [[1.0, 0.0], [3.0, 4.0]]})
    values = sosie.similarity(table, polars.DataFrame({"v": [[0.0, 1.0], [4.0, 3.0]]}),
                              kind="vectors", column="v")
    assert values.tolist() == pytest.approx([0, 24 / 25])
    with pytest.raises(sosie.InputError, match="0"):
        sosie.similarity(np.zeros((1, 2)), np.ones((1, 2)))
    with pytest.raises(sosie.InputError, match="3"):
        sosie.similarity(np.ones((1, 2)), np.ones((1, 3)))


def test_bits():
    left, right = ["ff00", "0001", "0000"], ["f000", "8000", "0000"]
    assert sosie.similarity(left, right, kind="bits").tolist() == [4, 2, 0]
    values = sosie.similarity(left, right, kind="bits", measure="jaccard")
    assert values.tolist()[:2] == [0.5, 0]
    with pytest.raises(sosie.InputError, match="has strings of 16 bits, .* of 8"):
        sosie.similarity(["ff00"], ["ff"], kind="bits")


def test_what_cannot_be_meant_is_said():
    with pytest.raises(sosie.OptionError, match="2 rows cannot be compared with 1"):
        sosie.similarity(["a", "b"], ["a"])
    for kind, rows in (("vectors", [[1.0], [2.0]]), ("bits", ["0", "1"])):
        with pytest.raises(sosie.OptionError, match="2 rows cannot be compared with 1"):
            sosie.similarity(rows, rows[:1], kind=kind)
        with pytest.raises(sosie.OptionError, match=f"measure='dice': does not support"):
            sosie.similarity(rows, rows, kind=kind, measure="dice")
    with pytest.raises(TypeError):
        sosie.similarity(["a"], ["a"], threshold=0.5)
