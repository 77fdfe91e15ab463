"""Code shared by tests of the Python package: texts with known near-duplicates, and every kind of
object that can hold rows."""

from __future__ import annotations

import random

import datasets
import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest


def make_texts(seed: int, count: int) -> list[str]:
    """Texts of 60 words, every third of which is a copy of an earlier one with one word changed."""
    draw = random.Random(seed)
    texts: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            words = draw.choice(texts).split()
            words[draw.randrange(len(words))] = f"changed{number}"
        else:
            words = [f"w{draw.randrange(400)}" for _ in range(60)]
        texts.append(" ".join(words))
    return texts


@pytest.fixture
def texts() -> list[str]:
    return make_texts(7, 300)


def chunked(texts: list[str | None]) -> pyarrow.Table:
    """Three chunks, one of them empty, and one a slice of a larger array."""
    half = len(texts) // 2
    longer = pyarrow.array(["not", "there", *texts[half:], "nor this"], pyarrow.string())
    chunks = [pyarrow.array(texts[:half], pyarrow.string()), pyarrow.array([], pyarrow.string()),
              longer.slice(2, len(texts) - half)]
    return pyarrow.table({"id": list(range(len(texts))), "text": pyarrow.chunked_array(chunks)})


def as_type(kind: pyarrow.DataType):
    def make(texts: list[str | None]) -> pyarrow.Table:
        return pyarrow.table({"text": pyarrow.array(texts, pyarrow.string()).cast(kind)})

    return make


def as_relation(texts: list[str | None]):
    table = pyarrow.table({"text": pyarrow.array(texts, pyarrow.string())})
    return duckdb.connect().from_arrow(table)


SOURCES = {
    "list": list,
    "tuple": tuple,
    "numpy": lambda texts: np.array(texts, dtype=object),
    "polars": lambda texts: polars.DataFrame({"text": texts}),
    "polars series": lambda texts: polars.Series("text", texts),
    "pandas": lambda texts: pandas.DataFrame({"text": texts}),
    "duckdb": as_relation,
    "datasets": lambda texts: datasets.Dataset.from_dict({"text": texts}),
    "datasets, rows of it": lambda texts: datasets.Dataset.from_dict(
        {"text": [*texts, "not there"]}).select(range(len(texts))),
    "pyarrow": chunked,
    "pyarrow array": lambda texts: pyarrow.array(texts, pyarrow.string()),
    "large_utf8": as_type(pyarrow.large_string()),
    "utf8_view": as_type(pyarrow.string_view()),
    "binary": as_type(pyarrow.binary()),
    "dictionary": as_type(pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
}
