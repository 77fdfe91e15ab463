"""Strings in memory: joins by edits, compared with RapidFuzz."""

from __future__ import annotations

import random

import pandas
import polars
import pyarrow
import pytest
from rapidfuzz.distance import OSA, DamerauLevenshtein, Indel, Levenshtein

import sosie

ORACLES = {"levenshtein": Levenshtein, "indel": Indel, "osa": OSA, "damerau": DamerauLevenshtein}
ALPHABETS = ("ab", "abcdefghijklmnopqrstuvwxyz", "aé東🙂ßи ")


def make_strings(seed: int, count: int, alphabet: str) -> list[str]:
    draw = random.Random(seed)
    strings: list[str] = []
    for _ in range(count):
        letters = list(draw.choice(strings)) if strings and draw.random() < 0.6 else [
            draw.choice(alphabet) for _ in range(draw.randint(0, 14))]
        for _ in range(draw.randint(0, 2)):
            at = draw.randint(0, len(letters))
            letters[at:at + draw.randint(0, 1)] = [draw.choice(alphabet)]
        strings.append("".join(letters) if "".join(letters).strip() else alphabet[0])
    return strings


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("measure", ORACLES)
def test_pairs_are_those_of_rapidfuzz(measure, alphabet):
    strings = make_strings(3, 150, alphabet)
    distance = ORACLES[measure].distance
    for within in (0, 1, 3):
        expected = [(i, j, distance(a, b)) for i, a in enumerate(strings)
                    for j, b in enumerate(strings) if i < j and distance(a, b) <= within]
        assert list(sosie.pairs(strings, kind="strings", measure=measure, within=within)) == expected
    likeness = ORACLES[measure].normalized_similarity
    found = sosie.pairs(strings, kind="strings", measure=measure, threshold=0.75)
    assert {(i, j): s for i, j, s in found} == pytest.approx(
        {(i, j): likeness(a, b) for i, a in enumerate(strings) for j, b in enumerate(strings)
         if i < j and likeness(a, b) >= 0.75})


SOURCES = {
    "list": list,
    "tuple": tuple,
    "pyarrow": lambda texts: pyarrow.table({"name": texts, "n": range(len(texts))}),
    "large": lambda texts: pyarrow.table({"name": pyarrow.array(texts, pyarrow.large_string())}),
    "polars": lambda texts: polars.DataFrame({"name": texts}),
    "pandas": lambda texts: pandas.DataFrame({"name": texts}),
}


@pytest.mark.parametrize("source", SOURCES)
def test_strings_in_any_object(source):
    strings = make_strings(4, 80, "abc")
    expected = list(sosie.pairs(strings, kind="strings", within=1))
    assert len(expected) > 20
    data = SOURCES[source](strings)
    named = {} if source in ("list", "tuple") else {"column": "name"}
    assert list(sosie.pairs(data, kind="strings", within=1, **named)) == expected
    result = sosie.dedup(data, kind="strings", within=1, **named)
    assert len(result.apply()) == int(result.mask.sum()) < len(strings)


def test_dedup_keeps_no_two_that_are_near():
    strings = make_strings(5, 200, "abcd")
    result = sosie.dedup(strings, kind="strings", measure="osa", within=1)
    kept = result.apply()
    assert all(OSA.distance(a, b) > 1 for i, a in enumerate(kept) for b in kept[:i])
    for row, survivor in zip(result.removed["row"].tolist(), result.removed["kept_row"].tolist(),
                             strict=True):
        assert OSA.distance(strings[row], strings[survivor]) <= 1


def test_query_gives_the_nearest():
    data = make_strings(6, 100, "abc")
    asked = make_strings(7, 20, "abcx")
    expected = [(i, j, d) for i, text in enumerate(asked)
                for d, j in sorted((Levenshtein.distance(text, other), j)
                                   for j, other in enumerate(data))[:3]]
    assert list(sosie.query(data, asked, kind="strings", top=3)) == expected


def test_similarity_gives_distances():
    left, right = make_strings(8, 50, "abé"), make_strings(9, 50, "abé")
    found = sosie.similarity(left, right, kind="strings", measure="damerau")
    assert found.tolist() == [DamerauLevenshtein.distance(a, b)
                              for a, b in zip(left, right, strict=True)]


def test_what_is_compared():
    assert list(sosie.pairs(["O'Neil", "ONEIL"], kind="strings", within=0, clean="alnum")) == [(0, 1, 0)]
    assert len(sosie.pairs(["Zoe\u0308", "Zo\u00eb"], kind="strings", within=0)) == 1


def test_a_null_and_a_blank_string_match_nothing():
    strings = ["a", None, "", None, "", " "]
    assert list(sosie.pairs(strings, kind="strings", within=1)) == []
    assert sosie.dedup(strings, kind="strings", within=1).apply() == strings
