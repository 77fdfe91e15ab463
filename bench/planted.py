"""Documents with one edit each, which a near-duplicate finder has to find, generated from a fixed
seed.

Every original gets a single copy with a single edit, so no copy can be found by way of another;
originals must not be similar to each other. The similarity of a pair is computed from the texts
afterwards, since the size of an edit does not determine the similarity.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Callable

WORD = re.compile(rb"[0-9a-z_\x80-\xff]+")
WORD_IN_TEXT = re.compile(r"\w+")
LETTERS = re.compile(r"[^\W\d_]{3,12}")
PARAGRAPHS = re.compile(r"(\n[ \t]*\n+)")
SHINGLE_WORDS = 5


def shingles(text: str) -> set[tuple[bytes, ...]]:
    """The plain definition of exact_pairs.cc, with real shingles."""
    words = WORD.findall(text.encode("utf-8", "surrogatepass").lower())
    if len(words) < SHINGLE_WORDS:
        return {tuple(words)} if words else set()
    return set(zip(*(words[i:] for i in range(SHINGLE_WORDS))))


def jaccard(left: str, right: str) -> float:
    first, second = shingles(left), shingles(right)
    either = len(first | second)
    return len(first & second) / either if either else 0.0


class Editor:
    """Changes texts, using words of the collection itself."""

    def __init__(self, seed: int, vocabulary: list[str]):
        self.random = random.Random(seed)
        self.vocabulary = vocabulary

    def other_word(self, word: str) -> str:
        other = self.random.choice(self.vocabulary)
        return other if other.lower() != word.lower() else other + "s"

    def front(self, text: str) -> str:
        return self.random.choice(self.vocabulary) + " " + text

    def append(self, text: str) -> str:
        return text + " " + self.random.choice(self.vocabulary)

    def replace(self, text: str, words: int) -> str:
        places = [match.span() for match in WORD_IN_TEXT.finditer(text)]
        chosen = sorted(self.random.sample(places, min(words, len(places))), reverse=True)
        for begin, end in chosen:
            text = text[:begin] + self.other_word(text[begin:end]) + text[end:]
        return text

    def replace_share(self, text: str, share: float) -> str:
        return self.replace(text, max(1, round(share * len(WORD_IN_TEXT.findall(text)))))

    def swap_paragraphs(self, text: str) -> str:
        """Swaps two adjacent paragraphs; a text with a single paragraph is split in the middle, at
        a line break or space."""
        parts = PARAGRAPHS.split(text)  # paragraph, gap, paragraph, ...
        if len(parts) < 3:
            middle = text.find("\n", len(text) // 2)
            middle = middle if middle > 0 else text.find(" ", len(text) // 2)
            return text[middle:].lstrip() + "\n" + text[:middle] if middle > 0 else text
        first = 2 * self.random.randrange(len(parts) // 2)
        parts[first], parts[first + 2] = parts[first + 2], parts[first]
        return "".join(parts)

    def cut(self, text: str, share: float) -> str:
        """Removes a single piece of this share, anywhere in the text."""
        length = round(share * len(text))
        begin = self.random.randrange(len(text) - length + 1)
        return text[:begin] + text[begin + length:]


EDITS: dict[str, Callable[[Editor, str], str]] = {
    "1 word put in front": Editor.front,
    "1 word appended": Editor.append,
    "1 word replaced": lambda editor, text: editor.replace(text, 1),
    "1 % of the words replaced": lambda editor, text: editor.replace_share(text, 0.01),
    "5 % of the words replaced": lambda editor, text: editor.replace_share(text, 0.05),
    "2 paragraphs swapped": Editor.swap_paragraphs,
    "10 % cut out": lambda editor, text: editor.cut(text, 0.1),
}


@dataclass
class Planted:
    kind: str
    original: int  # rows of the resulting collection
    copy: int
    similarity: float


def plant(texts: list[str], seed: int) -> tuple[list[str], list[Planted]]:
    """The originals, followed by their copies in a separate order, and the edit made to each."""
    vocabulary = sorted({word for text in texts for word in LETTERS.findall(text)})
    editor = Editor(seed, vocabulary)
    kinds = list(EDITS)
    order = list(range(len(texts)))
    editor.random.shuffle(order)
    out = list(texts)
    planted = []
    for number, original in enumerate(order):
        kind = kinds[number % len(kinds)]
        copy = EDITS[kind](editor, texts[original])
        planted.append(Planted(kind, original, len(out), jaccard(texts[original], copy)))
        out.append(copy)
    return out, planted


def score_planted(kept: set[int], planted: list[Planted], threshold: float) -> list[dict]:
    """For each kind of edit, returns the number of pairs that reach the threshold, the numbers of
    these that were found (not both rows kept) and lost (neither row kept), and the same numbers for
    the pairs below the threshold."""
    out = []
    for kind in EDITS:
        pairs = [one for one in planted if one.kind == kind]
        reach = [one for one in pairs if one.similarity >= threshold]
        below = [one for one in pairs if one.similarity < threshold]
        found = [one for one in reach if not (one.original in kept and one.copy in kept)]
        out.append({
            "kind": kind, "pairs": len(pairs), "true": len(reach), "found": len(found),
            "lost": sum(one.original not in kept and one.copy not in kept for one in pairs),
            "below": len(below),
            "found_below": sum(not (one.original in kept and one.copy in kept) for one in below),
            "similarity": [extreme((one.similarity for one in pairs), default=0.0)
                           for extreme in (min, max)]})
    return out
