"""Values that JSON lacks, in the form that Arrow columns of the same type have as JSON."""

from __future__ import annotations

import datetime
import decimal
import json
import uuid
from typing import Any

import numpy as np

MOST_ZEROS = 400  # of a decimal such as 1E+9999, beyond which it keeps its exponent


def json_of(value: Any) -> str | None:
    """The JSON of a date, time, duration, decimal or UUID, or of a missing value of pandas; None for
    other objects."""
    if isinstance(value, np.ndarray):
        return f"[{', '.join(json_of(one) or 'null' for one in value)}]"
    if type(value).__name__ in ("NAType", "NaTType") or _is_nat(value):
        return "null"
    if isinstance(value, decimal.Decimal):
        return _digits(value)
    if isinstance(value, (datetime.timedelta, np.timedelta64)):
        return str(value // datetime.timedelta(microseconds=1)) if isinstance(
            value, datetime.timedelta) else str(value.astype(np.int64))
    text = _text(value)
    return None if text is None else json.dumps(text)


def _is_nat(value: object) -> bool:
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def _digits(value: decimal.Decimal) -> str:
    if not value.is_finite():
        return "null" if value.is_nan() else '"Infinity"' if value > 0 else '"-Infinity"'
    return format(value, "f") if abs(value.adjusted()) < MOST_ZEROS else str(value)


def _text(value: Any) -> str | None:
    if isinstance(value, np.datetime64):
        return _short(str(value).replace("T", " "))
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return _short(value.isoformat(" "))
        return _short(value.astimezone(datetime.timezone.utc).replace(tzinfo=None).isoformat(" ")) + "+00:00"
    if isinstance(value, datetime.time):
        return _short(value.isoformat())
    return str(value) if isinstance(value, (datetime.date, uuid.UUID)) else None


def _short(time: str) -> str:
    """A time without zeros at the end of its fraction."""
    return time.rstrip("0").rstrip(".") if "." in time else time
