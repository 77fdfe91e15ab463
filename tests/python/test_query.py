"""`sosie.query` and `sosie.minhash`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars
import pytest
from conftest import SOURCES

import sosie


def test_hits_of_an_item_stand_together_best_first(texts):
    known, items = texts[:200], texts[200:]
    found = sosie.query(known, polars.DataFrame({"text": items}), threshold=0.7)
    both = sosie.pairs(items, against=known, threshold=0.7)
    assert len(found) > 10
    assert sorted(found) == sorted(both)
    order = [(left, -similarity) for left, _, similarity in found]
    assert order == sorted(order)
    best = sosie.query(known, items, threshold=0.7, top=1)
    assert len(set(best["left"].tolist())) == len(best)


def test_files_are_queried_as_tables_are(tmp_path, texts):
    path = tmp_path / "known.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts[:200]))
    in_memory = sosie.query(texts[:200], texts[200:])
    assert list(sosie.query(path, texts[200:])) == list(in_memory)
    with pytest.raises(sosie.OptionError):
        sosie.query([path, path], texts)


def test_components_agree_as_often_as_sets_are_similar(texts):
    signatures = sosie.minhash(texts, num_perm=1024)
    assert signatures.shape == (len(texts), 1024)
    assert signatures.dtype == np.uint32
    for left, right, similarity in list(sosie.pairs(texts, threshold=0.3))[:50]:
        estimate = (signatures[left] == signatures[right]).mean()
        assert abs(estimate - similarity) < 5 * np.sqrt(similarity * (1 - similarity) / 1024) + 1e-9


def test_components_of_bags_agree_as_often_as_bags_are_similar():
    """Weighted MinHash: the sum of the lower counts divided by the sum of the higher ones."""
    draw = np.random.default_rng(9)
    bags = []
    for _ in range(40):
        counts = draw.integers(0, 20, 30)
        bags += [counts, np.maximum(0, counts + draw.integers(-4, 5, 30))]
    signatures = sosie.minhash([{f"e{i}": int(n) for i, n in enumerate(bag) if n} for bag in bags],
                               num_perm=1024)
    estimates = (signatures[::2] == signatures[1::2]).mean(axis=1)
    exact = np.array([np.minimum(a, b).sum() / np.maximum(a, b).sum()
                      for a, b in zip(bags[::2], bags[1::2], strict=True)])
    assert 0.4 < exact.min() and exact.max() < 0.95
    assert (abs(estimates - exact) < 5 * np.sqrt(exact * (1 - exact) / 1024)).all()
    assert abs((estimates - exact).mean()) < 4 * 0.5 / np.sqrt(1024 * 40)


def test_signatures_depend_on_the_rows_alone(texts):
    expected = sosie.minhash(texts)
    for kind in ("pyarrow", "polars", "list"):
        np.testing.assert_array_equal(sosie.minhash(SOURCES[kind](texts), threads=3), expected)
    assert (sosie.minhash(texts, seed=2) != expected).any()
    assert (sosie.minhash(["", "one two"])[0] == 2**32 - 1).all()
    assert sosie.minhash([]).shape == (0, 128)


def test_signatures_of_any_size_are_the_first_values_of_the_next_power_of_two():
    texts = ["a b c d e f", "", "b c d e f g"]
    for size, whole in ((1, 16), (15, 16), (16, 16), (100, 128), (4095, 4096)):
        for sketch in ("permfill", "classic"):
            given = sosie.minhash(texts, num_perm=size, sketch=sketch)
            assert given.shape == (3, size)
            of_whole = sosie.minhash(texts, num_perm=whole, sketch=sketch)
            np.testing.assert_array_equal(given, of_whole[:, :size])
    for size in (0, 4097, -16):
        with pytest.raises(sosie.OptionError, match="1 to 4096 components"):
            sosie.minhash(["a b"], num_perm=size)
    with pytest.raises(TypeError):
        sosie.minhash(["a b"], threshold=0.5)


def test_a_broken_row_of_a_file_is_named(tmp_path: Path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "a b c"}\n{"text": \n')
    with pytest.raises(sosie.InputError, match="in.jsonl:2"):
        sosie.minhash(path)


def test_a_jaccard_distance_is_told_as_a_distance():
    texts = ["a b c d e f", "a b c d e g", "x y z"]
    near = sosie.pairs(texts, shingle="words:1", within="1/3")
    assert near.column_names == ["left", "right", "distance"]
    assert near["distance"].tolist() == [pytest.approx(2 / 7)]
    kept = sosie.dedup(texts, shingle="words:1", within="1/3")
    assert kept.mask.tolist() == [True, False, True]
    assert kept.removed["distance"].tolist() == [pytest.approx(2 / 7)]
    assert kept.at(0.1).mask.all()
    assert "4/5" not in kept._repr_html_() and "≤ 1/3" in kept._repr_html_()


def test_the_most_similar_of_all_hits() -> None:
    data, asked = ["anna", "anne", "hans"], ["ann", "hanna", "anna"]
    found = sosie.query(data, asked, kind="strings", top_pairs=3).to_pandas()
    assert found.values.tolist() == [[0, 0, 1], [0, 1, 1], [2, 0, 0]]
    with pytest.raises(sosie.OptionError, match="exclude_self"):
        sosie.query(data, asked, kind="strings", top_pairs=3, exclude_self=True)
