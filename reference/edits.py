"""Edit distances as plainly as they can be said, and what runs on strings find: the oracle of tests."""

from __future__ import annotations

import functools
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import oracle  # noqa: E402

MEASURES = ("levenshtein", "indel", "osa", "damerau")


@functools.lru_cache(maxsize=None)
def distance(left: str, right: str, measure: str = "levenshtein") -> int:
    """By dynamic programming over all prefixes (Lowrance, Wagner 1975 for damerau)."""
    rows, columns = len(left), len(right)
    d = {(i, 0): i for i in range(rows + 1)} | {(0, j): j for j in range(columns + 1)}
    last_row: dict[str, int] = {}
    for i in range(1, rows + 1):
        last_column = 0
        for j in range(1, columns + 1):
            same = left[i - 1] == right[j - 1]
            ways = [d[i - 1, j] + 1, d[i, j - 1] + 1]
            if same or measure != "indel":
                ways.append(d[i - 1, j - 1] + (not same))
            neighbours = i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]
            if measure == "osa" and neighbours:
                ways.append(d[i - 2, j - 2] + 1)
            row = last_row.get(right[j - 1], 0)
            if measure == "damerau" and row and last_column:
                ways.append(d[row - 1, last_column - 1] + (i - row) + (j - last_column) - 1)
            if same:
                last_column = j
            d[i, j] = min(ways)
        last_row[left[i - 1]] = i
    return d[rows, columns]


def similarity(left: str, right: str, measure: str = "levenshtein") -> Fraction:
    whole = len(left) + len(right) if measure == "indel" else max(len(left), len(right))
    return Fraction(1) if whole == 0 else 1 - Fraction(distance(left, right, measure), whole)


def is_letter(char: str) -> bool:
    """Ill-formed bytes are letters of their own."""
    return unicodedata.category(char)[0] in "LMN" or 0xDC80 <= ord(char) <= 0xDCFF


def compared(text: str | bytes, clean: str = "none") -> str:
    """Returns the characters that are compared; each byte that is not UTF-8 becomes a lone surrogate."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    if clean == "none":
        return unicodedata.normalize("NFC", text)
    # The oracle of texts takes lone surrogates for JSON's: bytes go by another name meanwhile.
    aside = {0xDC00 + byte: 0x10F000 + byte for byte in range(0x80, 0x100)}
    back = {other: byte for byte, other in aside.items()}
    folded = oracle.folded_text(text.translate(aside), "unicode").translate(back)
    if clean == "fold":
        return folded
    return unicodedata.normalize("NFC", "".join(filter(is_letter, folded)))
