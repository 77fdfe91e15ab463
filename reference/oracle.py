"""The answers that `sosie` must give, computed as plainly as Python allows.

Slow and short on purpose: the tests in tests/cli compare the real program with this file, so it
must be possible to check it by reading. Shingles are the shingles themselves (no hashes),
similarities are `fractions.Fraction` (no floating point), and every pair of documents is a
candidate, which is what `--method brute` promises.

Unicode data come from Python's unicodedata (Unicode 14 in Python 3.11): texts with younger
characters cannot be judged here.

Source: MMDS 3.1 and 3.2 (Jaccard similarity, shingles).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

# --- text -> tokens ------------------------------------------------------------------------------

# Characters of the scripts that are written without blanks between words (Scripts.txt, letters,
# marks and numbers only; planes 0 to 3).
UNSPACED = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0E5B),  # Thai
    (0x0E81, 0x0EDF),  # Lao
    (0x1000, 0x109F), (0xA9E0, 0xA9FE), (0xAA60, 0xAA7F),  # Myanmar
    (0x1780, 0x17F9), (0x19E0, 0x19FF),  # Khmer
    (0x1950, 0x1974), (0x1980, 0x19DF), (0x1A20, 0x1AAD), (0xAA80, 0xAADF),  # Tai scripts
    (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B),  # Han signs
    (0x3041, 0x3096), (0x309D, 0x309F),  # Hiragana
    (0x30A1, 0x30FA), (0x30FD, 0x30FF), (0x31F0, 0x31FF),  # Katakana
    (0xFF66, 0xFF6F), (0xFF71, 0xFF9D),  # Katakana, half width
    (0x1B000, 0x1B167),  # Kana supplements
    (0x3105, 0x312F), (0x31A0, 0x31BF),  # Bopomofo
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAD9), (0x20000, 0x3134A),  # Han
)
WHITE_SPACE = frozenset(  # property White_Space; NUL counts as a blank too
    "\0\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
        chr(point) for point in range(0x2000, 0x200B)}


def well_formed(text: str) -> str:
    """Lone surrogates, which JSON can write, are compared as U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def lower_ascii(text: str) -> str:
    return re.sub("[A-Z]+", lambda run: run.group().lower(), text)


def fold_unicode(text: str) -> str:
    folded = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", folded)


def is_word_character(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LMN" or category == "Pc"


def stands_alone(char: str) -> bool:
    point = ord(char)
    return (any(first <= point <= last for first, last in UNSPACED)
            and unicodedata.category(char)[0] in "LMN")


def words(text: str, tokens: str) -> list[str]:
    """Returns the words of `text`; `tokens` is "unicode" or "ascii" as in `--tokens`."""
    text = well_formed(text)
    if tokens == "ascii":
        return re.findall("[0-9a-z_\x80-\U0010ffff]+", lower_ascii(text))
    found: list[str] = []
    run = ""
    for char in fold_unicode(text) + " ":
        if is_word_character(char) and not stands_alone(char):
            run += char
            continue
        if run:
            found.append(run)
            run = ""
        if stands_alone(char):
            found.append(char)
    return found


def folded_text(text: str, tokens: str) -> str:
    """The text that character shingles are cut from: one blank for each run of white space."""
    text = well_formed(text)
    if tokens == "ascii":
        text = lower_ascii(text).replace("\0", " ")
        return re.sub("[ \t\n\v\f\r]+", " ", text).strip(" ")
    blanked = "".join(" " if char in WHITE_SPACE else char for char in fold_unicode(text))
    return re.sub(" +", " ", blanked).strip(" ")


def tokens_of(text: str, shingle: str, tokens: str):
    kind = shingle.split(":")[0]
    return folded_text(text, tokens) if kind == "chars" else words(text, tokens)


def shingle_list(text: str, shingle: str, tokens: str, stop_words: set[str]) -> list[tuple]:
    """n tokens in a row; all of them when there are fewer; none of none. stopwords:m: each stop
    word with the m words behind it, if there are so many."""
    kind, size = shingle.split(":")[0], int(shingle.split(":")[1])
    units = tuple(tokens_of(text, shingle, tokens))
    if kind == "stopwords":
        starts = [at for at, unit in enumerate(units)
                  if unit in stop_words and at + size < len(units)]
        return [units[at:at + size + 1] for at in starts]
    if not units:
        return []
    last = max(len(units) - size, 0)
    return [units[start:start + size] for start in range(last + 1)]


def shingles(text: str, shingle: str = "words:5", tokens: str = "unicode",
             stop_words: set[str] = frozenset(), bag: bool = False) -> frozenset:
    """The set of shingles; of a bag: the k-th occurrence of a shingle is an element (shingle, k)."""
    found = shingle_list(text, shingle, tokens, stop_words)
    if not bag:
        return frozenset(found)
    seen = Counter()
    elements = []
    for one in found:
        elements.append((one, seen[one]))
        seen[one] += 1
    return frozenset(elements)


def same_text(left: str, right: str, shingle: str, tokens: str) -> bool:
    """True if two texts have the same tokens in the same order."""
    return tokens_of(left, shingle, tokens) == tokens_of(right, shingle, tokens)


# --- similarity and pairs ------------------------------------------------------------------------

def jaccard(left: frozenset, right: frozenset) -> Fraction:
    united = len(left | right)
    return Fraction(len(left & right), united) if united else Fraction(1)


def similar(left: frozenset, right: frozenset, threshold: Fraction) -> bool:
    """An empty set is similar to nothing, not even to another empty set."""
    return bool(left) and bool(right) and jaccard(left, right) >= threshold


def similar_pairs(sets: list[frozenset], threshold: Fraction) -> list[tuple[int, int, Fraction]]:
    """Every pair (left < right) at or above the threshold, by (left, right): the definition."""
    return [(left, right, jaccard(sets[left], sets[right]))
            for left in range(len(sets)) for right in range(left + 1, len(sets))
            if similar(sets[left], sets[right], threshold)]


def similar_pairs_counted(sets: list[frozenset],
                          threshold: Fraction) -> list[tuple[int, int, Fraction]]:
    """Like similar_pairs(), but counts shared shingles in an index: for many sets."""
    holders = defaultdict(list)
    pairs = []
    for right, of_right in enumerate(sets):
        shared = Counter()
        for shingle in of_right:
            shared.update(holders[shingle])
            holders[shingle].append(right)
        for left, common in shared.items():
            similarity = Fraction(common, len(sets[left]) + len(of_right) - common)
            if similarity >= threshold:
                pairs.append((left, right, similarity))
    return sorted(pairs)


# --- ranking and star ----------------------------------------------------------------------------

def ranked(rows: list["Row"], keep: str = "first") -> list["Row"]:
    """Best row first. Missing values lose, ties are in input order."""
    order = list(rows)
    for policy in reversed(keep.split(",")):  # sorts are stable: the last key first
        name, _, where = policy.partition(":")
        if name == "last":
            order.sort(key=lambda row: -row.row)
        elif name == "first":
            order.sort(key=lambda row: row.row)
        elif name in ("longest", "shortest"):
            sign = -1 if name == "longest" else 1
            order.sort(key=lambda row: sign * len(well_formed(row.text).encode()))
        else:
            sign = -1 if name == "max" else 1
            order.sort(key=lambda row: ((0, sign * row.fields[where])
                                        if row.fields.get(where) is not None else (1, 0)))
    return order


def star(order: list[int], sets: dict[int, frozenset], threshold: Fraction,
         fixed: tuple = ()) -> dict[int, tuple[int, Fraction]]:
    """Removed document -> (its survivor, their similarity).

    In rank order each document is compared with the survivors so far, best rank first; the first at
    or above the threshold removes it, otherwise it survives. Documents in `fixed` always survive.
    """
    survivors: list[int] = list(fixed)
    removed = {}
    for document in order:
        for survivor in survivors:
            if similar(sets[document], sets[survivor], threshold):
                removed[document] = (survivor, jaccard(sets[document], sets[survivor]))
                break
        else:
            survivors.append(document)
    return removed


def components(order: list[int], sets: dict[int, frozenset],
               threshold: Fraction) -> dict[int, tuple[int, Fraction]]:
    """Like star(), but removes every document connected with a better-ranked one through similar
    pairs; its similarity to the survivor may be below the threshold."""
    removed = {}
    reached: set[int] = set()
    for survivor in order:
        if survivor in reached:
            continue
        wave = {survivor}
        while wave:
            reached |= wave
            wave = {other for other in order if other not in reached
                    and any(similar(sets[other], sets[one], threshold) for one in wave)}
            removed.update((other, (survivor, jaccard(sets[other], sets[survivor])))
                           for other in wave)
    return removed


# --- rows ----------------------------------------------------------------------------------------

@dataclass
class Row:
    file: str
    line: int  # physical, from 1
    row: int  # from 0 over all inputs; blank lines of JSONL are no rows
    raw: bytes  # with its line end, as it came
    id: str = ""
    text: str = ""
    fields: dict = field(default_factory=dict)
    row_of_file: int = 0  # from 0 in its file


def lines_of(data: bytes) -> list[bytes]:
    """Lines with their ends; a byte order mark at the start belongs to none."""
    return re.findall(b"[^\n]*\n|[^\n]+", data.removeprefix(b"\xef\xbb\xbf"))


def read_rows(inputs: list[tuple[str, bytes]], column: str = "text",
              id_field: str | None = None) -> list[Row]:
    """Rows of (file name, content) pairs: .txt is one item a line, all else JSONL."""
    rows: list[Row] = []
    for file, data in inputs:
        first = len(rows)
        for number, raw in enumerate(lines_of(data), start=1):
            content = raw.rstrip(b"\n")
            if file.endswith(".txt"):
                text = content.removesuffix(b"\r").decode("utf-8", "replace")
                rows.append(Row(file, number, len(rows), raw, text=text))
            elif content.strip(b" \t\r"):
                fields = json.loads(content.decode("utf-8", "replace"))
                rows.append(Row(file, number, len(rows), raw, text=fields[column], fields=fields))
        for row in rows[first:]:
            row.row_of_file = row.row - first
    if id_field is None:
        id_field = "id" if rows and "id" in rows[0].fields else "row"
    for row in rows:
        row.id = str(row.row if id_field == "row" else row.fields[id_field])
    return rows


def joined(raw_rows: list[bytes]) -> bytes:
    """Rows as they are written: a last row without newline gets one only if another follows."""
    ended = [raw if raw.endswith(b"\n") else raw + b"\n" for raw in raw_rows[:-1]]
    return b"".join(ended + raw_rows[-1:])


# --- the verbs -----------------------------------------------------------------------------------

@dataclass
class Answer:
    rows: list[Row]
    kept: list[Row]  # in input order
    removed: list[tuple[Row, Row, Fraction]]  # (row, its survivor, similarity) in input order
    pairs: list[tuple[Row, Row, Fraction]]  # by (left, right) in input order

    def kept_bytes(self) -> bytes:
        return joined([row.raw for row in self.kept])


def answer(rows: list[Row], threshold: str = "4/5", shingle: str = "words:5",
           tokens: str = "unicode", keep: str = "first", with_pairs: bool = True,
           stop_words: set[str] = frozenset(), bag: bool = False) -> Answer:
    """Returns what dedup and pairs must find with `--method brute`."""
    limit = Fraction(threshold)
    sets = [shingles(row.text, shingle, tokens, stop_words, bag) for row in rows]
    gone = star([row.row for row in ranked(rows, keep)], dict(enumerate(sets)), limit)
    pairs = similar_pairs(sets, limit) if with_pairs else []
    return Answer(
        rows=rows,
        kept=[row for row in rows if row.row not in gone],
        removed=[(rows[row], rows[gone[row][0]], gone[row][1]) for row in sorted(gone)],
        pairs=[(rows[left], rows[right], similarity) for left, right, similarity in pairs])


def right_to_six_decimals(printed: str, similarity: Fraction) -> bool:
    """True if `printed` has six decimals and is off by at most half of the last one."""
    return (re.fullmatch("[01]\\.[0-9]{6}", printed) is not None
            and abs(Fraction(printed) - similarity) <= Fraction(1, 2 * 10**6))
