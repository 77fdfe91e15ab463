"""String distances in Python."""

import random

import numpy as np
import pytest
from sosie import strings


def plain_levenshtein(left, right):
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def some_strings(count, seed=1):
    rng = random.Random(seed)
    return ["".join(rng.choices("abcäπ😀", k=rng.randrange(12))) for _ in range(count)]


def test_pairs_and_many_equal_the_plain_recursion():
    names = some_strings(60)
    for name in names[:20]:
        expected = [plain_levenshtein(name, other) for other in names]
        assert [strings.levenshtein(name, other) for other in names] == expected
        assert strings.distances(name, names).tolist() == expected
        assert strings.distances(name, names, most=2).tolist() == [min(d, 3) for d in expected]
        assert [strings.levenshtein(name, other, 2) for other in names] == [
            min(d, 3) for d in expected]


def test_every_measure_is_the_same_for_one_and_many():
    names = some_strings(30, seed=2)
    for measure in ("levenshtein", "indel", "osa", "damerau"):
        one = getattr(strings, measure)
        for name in names[:10]:
            found = strings.distances(name, iter(names), measure)
            assert found.dtype == np.uint32
            assert found.tolist() == [one(name, other) for other in names]
    assert strings.osa("ca", "abc") == 3
    assert strings.damerau("ca", "abc") == 2
    assert strings.indel("abc", "axc") == 2


def test_jaro_and_winkler():
    assert strings.jaro("MARTHA", "MARHTA") == pytest.approx(0.944444, abs=1e-6)
    assert strings.jaro_winkler("MARTHA", "MARHTA") == pytest.approx(0.961111, abs=1e-6)
    assert strings.jaro_winkler("MARTHA", "MARHTA", 0) == strings.jaro("MARTHA", "MARHTA")
    assert strings.jaro("", "") == 1


@pytest.mark.parametrize("call, kind, text", [
    (lambda: strings.levenshtein("a", "b", -1), ValueError, "most"),
    (lambda: strings.levenshtein("a", "b", 1 << 33), ValueError, "most"),
    (lambda: strings.distances("a", "bc"), TypeError, "not a single string"),
    (lambda: strings.distances("a", ["b"], "jaccard"), ValueError, "not one of levenshtein"),
    (lambda: strings.jaro_winkler("a", "b", 0.5), ValueError, "prefix_weight"),
    (lambda: strings.levenshtein("a", None), TypeError, "levenshtein"),
])
def test_what_cannot_be_meant_is_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_nothing_to_compare_with_gives_nothing():
    assert strings.distances("a", []).tolist() == []
