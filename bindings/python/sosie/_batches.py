"""Batches of rows for programs that bring them together on their own: sketches, verified pairs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._rows import Items, Rows, held
from ._source import Path, Source, completed, native, source_of
from .errors import FileError, OptionError


class SketchedBatch(NamedTuple):
    """What :func:`sosie.sketch_batch` returns."""

    band_keys: npt.NDArray[np.uint64]
    filters: npt.NDArray[np.uint8]
    text_hashes: npt.NDArray[np.uint64]
    is_empty: npt.NDArray[np.bool_]


class VerifiedBatch(NamedTuple):
    """What :func:`sosie.verify_batch` returns."""

    similarity: npt.NDArray[np.float64]
    reaches: npt.NDArray[np.bool_]
    is_identical: npt.NDArray[np.bool_]


def plan_text(plan: Path | None) -> str:
    """The JSON of a plan, which is given itself or as a path; empty without one."""
    if plan is None:
        return ""
    named = os.fspath(plan)
    if named.lstrip().startswith("{"):
        return named
    try:
        return FilePath(named).read_text("utf-8")
    except OSError as error:
        raise FileError(f"{named}: {error.strerror}", place=named) from None


def rows_of(
    data: Source, options: Mapping[str, object]
) -> tuple[Rows | Items | list[str], dict[str, object]]:
    """What the library takes for rows in memory, and their options."""
    data = held(data)
    given = completed(options, data)
    return source_of(data, given), given


def sketch_batch(data: Source, plan: Path, options: Mapping[str, object]) -> SketchedBatch:
    rows, given = rows_of(data, options)
    made = _sosie.sketch_batch(native(rows), plan_text(plan), given)
    count = len(made["is_empty"])
    return SketchedBatch(
        made["band_keys"].reshape(count, made["bands"]),
        made["filters"].reshape(count, made["components"]),
        made["text_hashes"].reshape(count, 2),
        made["is_empty"],
    )


def verify_batch(
    data: Source,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    plan: Path | None,
    options: Mapping[str, object],
) -> VerifiedBatch:
    rows, given = rows_of(data, options)
    found = _sosie.verify_batch(
        native(rows), plan_text(plan), numbers(left), numbers(right), given)
    return VerifiedBatch(found["similarity"], found["reaches"], found["is_identical"])


def numbers(rows: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Numbers of rows as the library takes them."""
    asked = np.asarray(rows)
    if asked.size and (asked.dtype.kind not in "iu" or asked.min() < 0):
        raise OptionError("numbers of rows are integers from 0", option="left")
    return np.ascontiguousarray(asked, np.uint64)
