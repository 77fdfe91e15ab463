"""What can go wrong, by what a caller can do about it."""

from __future__ import annotations

from ._addresses import told


class SosieError(Exception):
    """The base of all errors of this package; one line names the thing and the place, a second one,
    if there is one, says what to do.

    Attributes:
        option: the keyword that cannot be meant ("shingle"), or None.
        place: the row or file that cannot be read ("people.jsonl:17", "row 3"), or None.
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
    """An option or value that cannot be meant."""


class UnsupportedError(OptionError):
    """Meant, but not to be had: a format, a method."""


class InputError(SosieError, ValueError):
    """A broken row, a missing or wrong field or column, a duplicate id."""


class FileError(SosieError, OSError):
    """Missing, unreadable, unwritable, or the disk is full."""


class LimitError(SosieError):
    """A budget or ``limit`` would be broken."""
