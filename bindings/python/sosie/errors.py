"""Errors, by what a caller can do about them."""

from __future__ import annotations

from ._addresses import told


class SosieError(Exception):
    """Base class of all errors of this package. The first line of the message names the problem and
    its place; an optional second line gives a way out.

    Attributes:
        option: the invalid keyword ("shingle"), or None.
        place: the unreadable row or file ("people.jsonl:17", "row 3"), or None.
        hint: the second line, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        option: str | None = None,
        place: str | None = None,
        hint: str | None = None,
    ):
        super().__init__(told(message if hint is None else f"{message}\n{hint}"))
        self.option = option
        self.place = None if place is None else told(place)
        self.hint = hint


class OptionError(SosieError, ValueError):
    """An invalid option or value."""


class UnsupportedError(OptionError):
    """A valid request that is not available, such as a format or method."""


class InputError(SosieError, ValueError):
    """A broken row, a missing or wrong field or column, a duplicate id."""


class FileError(SosieError, OSError):
    """A file that is missing, unreadable or unwritable, or a full disk."""


class LimitError(SosieError):
    """A budget or ``limit`` would be exceeded."""
