"""`sosie.cluster`: groups of pairs."""

from __future__ import annotations

import numpy as np
import polars
import pytest

import sosie


def test_groups_are_those_of_dedup(texts):
    for options in ({}, {"clustering": "components"}):
        result = sosie.dedup(texts, threshold=0.7, **options)
        groups = sosie.cluster(sosie.pairs(texts, threshold=0.7), **options)
        told = [(row, cluster, kept, size) for row, cluster, kept, size in result.clusters]
        assert sorted(groups) == sorted(told) and len(told) > 20


def test_pairs_may_come_in_any_object(texts, tmp_path):
    pairs = sosie.pairs(texts, threshold=0.7)
    expected = list(sosie.cluster(pairs, threshold=0.9))
    path = tmp_path / "pairs.tsv"
    path.write_text("left\tright\tsimilarity\n"
                    + "".join(f"{a}\t{b}\t{s:.6f}\n" for a, b, s in pairs))
    assert 0 < len(expected) < len(sosie.cluster(pairs))
    for source in (list(pairs), polars.DataFrame(pairs), pairs.to_pandas()):
        assert list(sosie.cluster(source, threshold=0.9)) == expected
    told = [tuple(map(str, row)) for row in sosie.cluster(path, threshold=0.9)]
    assert told == [tuple(map(str, row)) for row in expected]


def test_distances_make_groups():
    vectors = np.array([[0, 0], [0, 1], [0, 3], [9, 9]], np.float32)
    pairs = sosie.pairs(vectors, measure="euclidean", within=3)
    assert [row[:2] for row in pairs] == [(0, 1), (0, 2), (1, 2)]
    for source in (pairs, list(pairs), polars.DataFrame(pairs), pairs.to_pandas()):
        groups = sosie.cluster(source, within=1)
        assert list(groups) == [(0, 0, True, 2), (1, 0, False, 2)]
        assert len(sosie.cluster(source, within=3)) == 3
    with pytest.raises(sosie.OptionError, match="contains distances"):
        sosie.cluster(pairs, threshold=0.5)


def test_ids_of_any_kind():
    groups = sosie.cluster([("b", "a", 0.9), ("b", "c", 0.8), ("x", "y", 0.5)])
    assert list(groups) == [("b", "b", True, 3), ("a", "b", False, 3), ("c", "b", False, 3),
                            ("x", "x", True, 2), ("y", "x", False, 2)]
    assert polars.DataFrame(groups)["cluster_id"].to_list() == ["b", "b", "b", "x", "x"]
    assert len(sosie.cluster([])) == 0


def test_it_does_not_chain():
    chain = [(i, i + 1, 0.9) for i in range(10)]
    assert {size for *_, size in sosie.cluster(chain)} == {2}
    assert {size for *_, size in sosie.cluster(chain, clustering="components")} == {11}


def test_what_cannot_be_meant_is_said():
    with pytest.raises(sosie.InputError, match="column 'right' is missing"):
        sosie.cluster(polars.DataFrame({"left": [1], "rigth": [2], "similarity": [0.9]}))
    with pytest.raises(TypeError):
        sosie.cluster([(1, 2, 0.9)], shingle="words:5")
