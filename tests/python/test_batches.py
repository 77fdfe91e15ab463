"""Kernels on batches: the same recipe as `sosie sketch`, and exact similarities."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from conftest import make_texts

import sosie

TEXTS = [*make_texts(3, 90), "", "?!", "two words", "Two -- WORDS!", None]


def run(*arguments: object) -> None:
    program = os.environ.get("SOSIE_BIN") or str(Path(sys.executable).parent / "sosie")
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    sosie.plan(method="lsh", bands="14x8", output=path)
    return path


def blocks_of(path: Path, bands: int, components: int) -> list[dict[str, np.ndarray]]:
    """The blocks of a sketch file without ids (docs/formats/sketches.md)."""
    held = path.read_bytes()
    count = struct.unpack_from("<Q", held, len(held) - 24)[0]
    table = len(held) - 32 - 40 * count
    blocks, at = [], 8
    for number in range(count):
        size = struct.unpack_from("<Q", held, table + 40 * number + 16)[0]
        rows = struct.unpack_from("<Q", held, at)[0]
        skip = at + 40 + rows * (8 + 4)
        states = np.frombuffer(held, np.uint8, rows, skip)
        skip += rows
        hashes = np.frombuffer(held, np.uint64, 2 * rows, skip).reshape(rows, 2)
        skip += 16 * rows
        keys = np.frombuffer(held, np.uint64, bands * rows, skip).reshape(bands, rows).T
        skip += 8 * bands * rows
        filters = np.frombuffer(held, np.uint8, components * rows, skip).reshape(rows, components)
        blocks.append({"states": states, "hashes": hashes, "keys": keys, "filters": filters})
        at += size
    return blocks


def test_a_sketch_file_of_the_program_holds_the_same_values(tmp_path: Path, plan: Path):
    rows = [text for text in TEXTS if text is not None]
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps({"text": text}) + "\n" for text in rows))
    run("sketch", data, "--plan", plan, "-o", tmp_path / "rows.sketch")
    made = sosie.sketch_batch(pyarrow.table({"text": rows}), plan)
    saved = json.loads(plan.read_text())
    blocks = blocks_of(tmp_path / "rows.sketch", saved["bands"], saved["components"])
    for values, name in ((made.band_keys, "keys"), (made.filters, "filters"),
                         (made.text_hashes, "hashes")):
        assert np.array_equal(values, np.concatenate([block[name] for block in blocks])), name
    states = np.concatenate([block["states"] for block in blocks])
    assert np.array_equal(made.is_empty, states == 1) and made.is_empty.sum() == 2


def test_a_row_has_the_same_values_in_every_batch(plan: Path):
    whole = sosie.sketch_batch(TEXTS, plan)
    for begin in range(0, len(TEXTS), 7):
        part = sosie.sketch_batch(TEXTS[begin : begin + 7], plan.read_text(), threads=1)
        for values, of_whole in zip(part, whole, strict=True):
            assert np.array_equal(values, of_whole[begin : begin + 7])


def test_what_a_plan_says_holds(plan: Path):
    saved = json.loads(plan.read_text())
    assert sosie.sketch_batch(["a b"], plan, threshold=0.8).filters.shape == (1, saved["components"])
    for option, other in (("threshold", 0.7), ("shingle", "chars:9"), ("seed", 2)):
        with pytest.raises(sosie.OptionError, match=f"plan: was made for {option}"):
            sosie.sketch_batch(["a b"], plan, **{option: other})


def test_sets_are_sketched_and_verified(tmp_path: Path):
    sets = [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["a", "b", "c"], []]
    plan = tmp_path / "plan.json"
    sosie.plan(kind="sets", method="lsh", threshold=0.75, output=plan)
    made = sosie.sketch_batch(sets, plan, kind="sets")
    assert np.array_equal(made.band_keys[0], made.band_keys[1])
    assert made.is_empty.tolist() == [False, False, False, True]
    found = sosie.verify_batch(sets, [0, 0, 3], [1, 2, 3], kind="sets", threshold=0.75)
    assert found.similarity.tolist()[:2] == [1.0, 0.75]
    assert found.reaches.tolist() == [True, True, False]
    assert found.is_identical.tolist() == [True, False, False]


def near_vectors() -> np.ndarray:
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(120, 32)).astype(np.float32)
    near = rows[::3] + draw.normal(scale=0.05, size=(40, 32)).astype(np.float32)
    return np.concatenate([rows, near, rows[:20]])


@pytest.mark.parametrize("options", [
    {"threshold": 0.95}, {"measure": "angle", "within": 15}, {"measure": "euclidean", "within": 2}])
def test_vectors_are_sketched_and_verified(tmp_path: Path, options: dict[str, object]):
    rows, plan = near_vectors(), tmp_path / "plan.json"
    sosie.plan(rows, method="lsh", probes=1, bands="6x4", output=plan, **options)
    whole = sosie.sketch_batch(rows, plan)
    table = pyarrow.table({"v": pyarrow.array(rows[50:90].tolist(), pyarrow.list_(pyarrow.float32()))})
    part = sosie.sketch_batch(table, plan.read_text(), column="v")
    for values, of_whole in zip(part, whole, strict=True):
        assert np.array_equal(values, of_whole[50:90])
    pairs = [*sosie.pairs(rows, method="lsh", plan=plan, **options)]
    shared = (whole.band_keys[:, None] == whole.band_keys[None]).any(axis=2)
    differ = np.unpackbits(whole.filters[:, None] ^ whole.filters[None], axis=2).sum(axis=2)
    near = shared & (differ <= json.loads(plan.read_text())["most_different"])
    left, right = np.nonzero(np.triu(near, 1))
    found = sosie.verify_batch(rows, left, right, plan)
    kept = found.reaches
    assert [*zip(left[kept], right[kept], found.similarity[kept], strict=True)] == [
        tuple(pair) for pair in pairs]
    assert len(pairs) >= 60 and found.is_identical.sum() == 20
    assert np.array_equal(whole.text_hashes[:20], whole.text_hashes[-20:])


def test_bit_strings_are_sketched_and_verified(tmp_path: Path):
    bits, plan = near_vectors() > 0, tmp_path / "plan.json"
    rows = [np.packbits(row).tobytes().hex() for row in bits]
    sosie.plan(rows, kind="bits", within=4, method="lsh", bands="9x3", output=plan)
    made = sosie.sketch_batch(rows, plan)
    left, right = np.triu_indices(len(rows), 1)
    found = sosie.verify_batch(rows, left, right, plan)
    expected = np.count_nonzero(bits[left] != bits[right], axis=1)
    assert np.array_equal(found.similarity, expected)
    assert np.array_equal(found.reaches, expected <= 4)
    assert np.array_equal(found.is_identical, expected == 0)
    differ = np.unpackbits(made.filters[left] ^ made.filters[right], axis=1).sum(axis=1)
    assert np.array_equal(differ, expected)
    shared = (made.band_keys[left] == made.band_keys[right]).any(axis=1)
    pairs = [*sosie.pairs(rows, kind="bits", within=4, method="lsh", plan=plan)]
    assert [*zip(left[shared & found.reaches], right[shared & found.reaches], strict=True)] == [
        pair[:2] for pair in pairs]


def test_strings_are_verified():
    found = sosie.verify_batch(["maria", "marie", "josef"], [0, 0], [1, 2], kind="strings", within=1)
    assert found.similarity.tolist() == [1, 5] and found.reaches.tolist() == [True, False]
    with pytest.raises(sosie.OptionError, match="row 3: the batch has 3"):
        sosie.verify_batch(["a", "b", "c"], [0], [3], kind="strings", within=1)


def test_plans_that_batches_cannot_follow_are_refused(tmp_path: Path):
    rows, plan = near_vectors(), tmp_path / "plan.json"
    sosie.plan(rows, threshold=0.6, method="lsh", family="cross-polytope", probes=2, bands="20x2",
               output=plan)
    with pytest.raises(sosie.UnsupportedError, match="plan with probes 1"):
        sosie.sketch_batch(rows, plan)
    sosie.plan(rows, threshold=0.9, method="lsh", probes=1, output=plan)
    with pytest.raises(sosie.OptionError, match="threshold"):
        sosie.sketch_batch(rows, plan, threshold=0.8)
    with pytest.raises(sosie.InputError, match="vector 0 is all zeros"):
        sosie.sketch_batch(np.zeros((1, 32), np.float32), plan)


def test_similarities_are_those_of_similarity():
    draw = np.random.default_rng(1)
    left, right = draw.integers(0, len(TEXTS), (2, 500))
    found = sosie.verify_batch(TEXTS, left, right)
    for i in range(0, 500, 25):
        one, other = TEXTS[left[i]], TEXTS[right[i]]
        expected = sosie.similarity([one], [other])[0]
        if one == other and not (one and sosie.similarity([one], [one])[0] == 0):
            continue  # two rows without a shingle, which similarity() considers equal sets
        assert found.similarity[i] == expected
    assert np.array_equal(found.reaches, (found.similarity >= 0.8) & (found.similarity > 0))


def test_numbers_of_rows_are_checked(plan: Path):
    with pytest.raises(sosie.OptionError, match="row 2: the batch has 2"):
        sosie.verify_batch(["a", "b"], [0], [2])
    with pytest.raises(sosie.OptionError, match="1 left rows, but 2 right rows"):
        sosie.verify_batch(["a", "b"], [0], [0, 1])
    with pytest.raises(sosie.OptionError, match="integers, 0 or above"):
        sosie.verify_batch(["a", "b"], [-1], [0])
    with pytest.raises(sosie.FileError, match="nowhere.json"):
        sosie.sketch_batch(["a"], "nowhere.json")
    with pytest.raises(sosie.InputError, match="plan"):
        sosie.sketch_batch(["a"], '{"bands": 3}')
    with pytest.raises(sosie.UnsupportedError, match="ordered"):
        sosie.verify_batch(["a"], [0], [0], measure="containment")


def test_similar_rows_share_an_element_of_their_prefixes():
    options = {"column": "text", "threads": 1}
    table = sosie._sosie.table(pyarrow.table({"text": TEXTS}))
    counts = sosie._sosie.count_elements(table, 16, options)
    made = sosie._sosie.prefixes_of_batch(table, counts, options)
    elements: dict[int, set[int]] = {}
    for row, element in zip(made["row"].tolist(), made["element"].tolist(), strict=True):
        elements.setdefault(row, set()).add(element)
    for left, right, _ in sosie.pairs(TEXTS, method="brute"):
        assert elements[left] & elements[right]
    assert (made["position"] < made["size"]).all()
