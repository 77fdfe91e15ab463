"""Sketches and verified pairs of batches, for programs that group rows themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _sosie
from ._rows import Items, Rows, held
from ._source import Path, Source, completed, native, source_of
from .errors import FileError, InputError, OptionError


class SketchedBatch(NamedTuple):
    """Result of :func:`sosie.sketch_batch`."""

    band_keys: npt.NDArray[np.uint64]
    filters: npt.NDArray[np.uint8]
    text_hashes: npt.NDArray[np.uint64]
    is_empty: npt.NDArray[np.bool_]


class VerifiedBatch(NamedTuple):
    """Result of :func:`sosie.verify_batch`."""

    similarity: npt.NDArray[np.float64]
    reaches: npt.NDArray[np.bool_]
    is_identical: npt.NDArray[np.bool_]


def plan_text(plan: Path | None) -> str:
    """The JSON of a plan, given as JSON or as a path; empty without a plan."""
    if plan is None:
        return ""
    named = os.fspath(plan)
    if named.lstrip().startswith("{"):
        return named
    try:
        return FilePath(named).read_text("utf-8")
    except OSError as error:
        raise FileError(f"{named}: {error.strerror}", place=named) from None
    except UnicodeDecodeError:
        raise InputError("is not a plan in JSON", place=named) from None


def rows_of(
    data: Source, options: Mapping[str, object], plan: str = ""
) -> tuple[Rows | Items | list[str], dict[str, object]]:
    """Rows in the form the library accepts, and their options; the plan may set their kind."""
    data = held(data)
    given = completed({**options, "kind": options.get("kind") or kind_of_plan(plan)}, data)
    return source_of(data, given), given


def kind_of_plan(plan: str) -> str | None:
    """The kind of items of a plan if it is vectors or bits; texts and sets show theirs by their form."""
    try:
        kind = json.loads(plan).get("kind") if plan else None
    except (AttributeError, ValueError):  # the library reports the error
        return None
    return kind if kind in ("vectors", "bits") else None


def sketch_batch(data: Source, plan: Path, options: Mapping[str, object]) -> SketchedBatch:
    text = plan_text(plan)
    rows, given = rows_of(data, options, text)
    made = _sosie.sketch_batch(native(rows), text, given)
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
    text = plan_text(plan)
    rows, given = rows_of(data, options, text)
    found = _sosie.verify_batch(native(rows), text, numbers(left), numbers(right), given)
    return VerifiedBatch(found["similarity"], found["reaches"], found["is_identical"])


def numbers(rows: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Row numbers in the form the library accepts."""
    asked = np.asarray(rows)
    if asked.size and (asked.dtype.kind not in "iu" or asked.min() < 0):
        raise OptionError("row numbers must be integers, 0 or above", option="left")
    return np.ascontiguousarray(asked, np.uint64)
