"""What can go wrong, by what a caller can do about it."""


class SosieError(Exception):
    """The base of all errors of this package; one line names the thing and the place, a second one,
    if there is one, says what to do."""


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
