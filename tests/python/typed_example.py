"""A typed user program: mypy and pyright check it in strict mode, and it runs as a test."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars

import sosie
from sosie.datasketch import LeanMinHash, MinHash, MinHashLSH
from sosie.errors import InputError


def rows() -> Iterator[str]:
    yield "one two three four five"
    yield "One two three four five!"


def kept_of_frames() -> polars.DataFrame:
    frame = polars.DataFrame({"text": list(rows())})
    result = sosie.dedup(frame, threshold=Fraction(4, 5), keep="longest")
    mask: npt.NDArray[np.bool_] = result.mask
    assert mask.sum() == 1
    kept: polars.DataFrame = result.apply(frame)
    return kept


def numbers_of_results() -> list[int]:
    found: sosie.Pairs = sosie.pairs(rows(), measure="jaccard", threshold=0.5)
    removed: sosie.ResultTable = sosie.dedup(list(rows())).removed[:1]
    clusters: sosie.Clusters = sosie.cluster(found, clustering="components")
    return [len(found), len(removed), len(clusters)]


def bags_and_vectors() -> float:
    bags: list[dict[int, int]] = [{1: 2}, {1: 2}]
    sosie.dedup(bags, threshold="4/5", measure="bag-jaccard")
    vectors: npt.NDArray[np.float32] = np.eye(3, dtype=np.float32)
    nearest = sosie.query(vectors, vectors, top=1)
    signatures: npt.NDArray[np.uint32] = sosie.minhash(list(rows()), 64)
    values: npt.NDArray[np.float64] = sosie.similarity(vectors, vectors)
    assert len(nearest) == 3 and signatures.shape == (2, 64)
    return float(values.min())


def records() -> float:
    people: dict[str, list[str]] = {"name": ["anna smith", "bert jones"], "born": ["1970", "1981"]}
    linked: sosie.Linked = sosie.link(people, against=people, cut=0.5)
    rules: str = linked.rules
    again = sosie.link(people, against=people, rules=rules).pairs.to_pandas()
    edits: int = sosie.strings.levenshtein("anna", "hanna", most=2)
    return edits + float(linked["probability"].sum()) + len(again)


def index_of_sets() -> int:
    index = sosie.Index("sets", threshold=0.5, measure="jaccard")
    added: npt.NDArray[np.int64] = index.add([{"a", "b"}, {"c"}], ids=["x", "y"])
    fresh: npt.NDArray[np.bool_] = index.add_new([{"a", "b"}, {"d"}])
    hits: sosie.ResultTable = index.query([{"a"}], top=1)
    removed: int = index.remove(ids=["y"])
    return len(added) + int(fresh.sum()) + len(hits) + removed


def sketches_of_words() -> list[str]:
    sketches: list[MinHash] = MinHash.bulk(([b"a", b"b"], [b"c"]), num_perm=64, scheme="affine64")
    index = MinHashLSH(threshold=0.5, num_perm=64, weights=(0.4, 0.6))
    for key, sketch in zip("xy", sketches):
        index.insert(key, LeanMinHash(sketch))
    found: list[str] = index.query(sketches[0])
    return found


def what_went_wrong(path: Path) -> tuple[str | None, str | None]:
    try:
        sosie.dedup(path)
    except InputError as error:
        return error.place, error.hint
    except sosie.SosieError as error:
        return error.option, error.hint
    return None, None
