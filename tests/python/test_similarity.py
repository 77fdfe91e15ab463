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
    assert sosie.similarity(["", "a b"], ["", "a b"]).tolist() == [0, 1]
    assert sosie.similarity([], []).shape == (0,)


def test_what_cannot_be_meant_is_said():
    with pytest.raises(sosie.OptionError, match="2 rows cannot be compared with 1"):
        sosie.similarity(["a", "b"], ["a"])
    with pytest.raises(sosie.UnsupportedError, match="vectors"):
        sosie.similarity(np.eye(2), np.eye(2))
    with pytest.raises(TypeError):
        sosie.similarity(["a"], ["a"], threshold=0.5)
