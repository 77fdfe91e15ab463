"""Joins of real strings compared with RapidFuzz: 20,000 words, names and titles from $SOSIE_DATA,
and the words and lines of the sample that is part of every installation."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from pathlib import Path

import numpy
import pytest
from rapidfuzz.distance import OSA, DamerauLevenshtein, Indel, Levenshtein
from rapidfuzz.process import cdist

import sosie

ORACLES = {"levenshtein": Levenshtein, "indel": Indel, "osa": OSA, "damerau": DamerauLevenshtein}
SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "man-pages.jsonl"
DATA = Path(os.environ.get("SOSIE_DATA", "no-such-folder"))
COUNT = 20_000
BLOCK = 500  # rows that cdist compares at a time


def near_pairs(strings: list[str], scorer, within: int) -> list[tuple[int, int, int]]:
    """Every pair within a distance, by cdist; strings whose lengths differ by more are skipped."""
    order = sorted(range(len(strings)), key=lambda row: len(strings[row]))
    ranked = [strings[row] for row in order]
    lengths = numpy.array([len(text) for text in ranked])
    pairs = []
    for begin in range(0, len(ranked), BLOCK):
        rows = ranked[begin:begin + BLOCK]
        end = int(numpy.searchsorted(lengths, len(rows[-1]) + within, side="right"))
        distances = cdist(rows, ranked[begin:end], scorer=scorer, score_cutoff=within, dtype=numpy.int32,
                          workers=-1)
        for i, j in zip(*(side.tolist() for side in numpy.nonzero(distances <= within)), strict=True):
            if i < j:
                left, right = sorted((order[begin + i], order[begin + j]))
                pairs.append((left, right, int(distances[i, j])))
    return sorted(pairs)


def sample_texts() -> list[str]:
    return [json.loads(line)["text"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def distinct(strings, count: int = COUNT) -> list[str]:
    return list(dict.fromkeys(strings))[:count]


def words_of(texts: list[str]):
    return (word for text in texts for word in re.findall(r"[^\W\d_]{3,}", text))


def records(name: str) -> list[dict]:
    with open(DATA / "records" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, skipinitialspace=True))


def packages() -> list[dict]:
    with gzip.open(DATA / "debian-descriptions" / "debian-descriptions.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def people() -> list[dict]:
    return [row for name in ("febrl4/dataset4a.csv", "febrl4/dataset4b.csv", "febrl3/dataset3.csv")
            for row in records(name)]


def papers() -> list[dict]:
    return records("dblp-acm/acm.csv") + records("dblp-acm/dblp.csv")


def real_words() -> list[str]:
    return distinct(words_of(row["text"] for row in packages()))


def real_names() -> list[str]:
    return distinct([author for row in papers() for author in row["authors"].split(", ")] +
                    [f"{row['given_name']} {row['surname']}".strip() for row in people()] +
                    [row["id"] for row in packages()])


def real_addresses_and_titles() -> list[str]:
    return distinct([f"{row['street_number']} {row['address_1']} {row['suburb']}" for row in people()] +
                    [row["title"] for row in papers()] +
                    [row["text"].partition("\n")[0] for row in packages()])


@pytest.mark.skipif(not (DATA / "records").is_dir(), reason="SOSIE_DATA has no records")
@pytest.mark.parametrize("measure", ORACLES)
@pytest.mark.parametrize(("strings", "within"), [(real_words, 1), (real_names, 2), (real_addresses_and_titles, 3)])
def test_20000_real_strings_have_the_pairs_of_rapidfuzz(strings, within, measure):
    texts = strings()
    assert len(texts) == COUNT
    expected = [pair for pair in near_pairs(texts, ORACLES[measure].distance, within)
                if texts[pair[0]] and texts[pair[1]]]  # an empty name is not compared
    assert len(expected) > 1000
    assert list(sosie.pairs(texts, kind="strings", measure=measure, within=within)) == expected


@pytest.mark.parametrize("measure", ORACLES)
def test_words_and_lines_of_the_sample_have_the_pairs_of_rapidfuzz(measure):
    texts = sample_texts()
    words = distinct(words_of(texts), 3000)
    lines = distinct((line.strip() for text in texts for line in text.split("\n") if 20 < len(line) < 70), 1500)
    for strings, within in ((words, 2), (lines, 4)):
        expected = near_pairs(strings, ORACLES[measure].distance, within)
        assert len(expected) > 50
        assert list(sosie.pairs(strings, kind="strings", measure=measure, within=within)) == expected
