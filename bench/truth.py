"""The exact pairs of a corpus, and measures of how well a tool's answer agrees with them.

The exact pairs are those whose sets of five-word shingles have a Jaccard similarity of at least
the threshold, in the plain definition of `exact_pairs.cc` (`--shingle words:5 --tokens ascii`).
Rows are named by their position, from 0.

A tool that answers with PAIRS is scored by `score_pairs`: recall is the share of exact pairs that
it reports, precision the share of its pairs that are exact pairs.

A deduplicating tool answers with the rows that it KEEPS, not with pairs, whether it compares rows one
by one or forms groups and keeps one row from each (`score_kept`):
  left       exact pairs of which both rows were kept: near-duplicates that remain
  recall     1 - left / exact pairs
  lost       removed rows that are not similar to any kept row: texts missing from the result
  precision  1 - lost / removed rows
  false      lost rows that are not similar to any row: not even a chain explains them
A tool that removes every row leaves no pair, and one that removes no row loses none, so never report one of
these figures alone.
"""

from __future__ import annotations

import gzip
import struct
import subprocess
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Iterator

HERE = Path(__file__).resolve().parent
SLICE_WIDTH = 0.05  # recall is reported on [threshold, threshold + SLICE_WIDTH), too


@dataclass
class Truth:
    """The exact pairs, left < right, and their similarities."""

    rows: int
    threshold: float
    left: array = field(default_factory=lambda: array("I"))
    right: array = field(default_factory=lambda: array("I"))
    similarity: array = field(default_factory=lambda: array("d"))

    def add(self, left: int, right: int, similarity: float):
        self.left.append(min(left, right))
        self.right.append(max(left, right))
        self.similarity.append(similarity)

    def __len__(self) -> int:
        return len(self.left)

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        return zip(self.left, self.right, self.similarity)


# --- where the exact pairs come from

def read_pairs(path: Path, ids: list[str], threshold: float) -> Truth:
    """Reads `id TAB id TAB similarity` lines, compressed or not, and keeps those at or above the threshold.
    """
    position = {identifier: row for row, identifier in enumerate(ids)}
    truth = Truth(len(ids), threshold)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            left, right, similarity = line.rstrip("\n").split("\t")
            if float(similarity) >= threshold:
                truth.add(position[left], position[right], float(similarity))
    return truth


def build_program(build: Path) -> Path:
    program = build / "exact_pairs"
    source = HERE / "exact_pairs.cc"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        build.mkdir(parents=True, exist_ok=True)
        subprocess.run(["c++", "-O2", "-std=c++20", source, "-o", program], check=True)
    return program


def compute_pairs(program: Path, texts: Iterable[str], threshold: tuple[int, int],
                  out: Path) -> int:
    """Writes the exact pairs at threshold numerator/denominator; returns the number of rows."""
    unfinished = out.with_name(out.name + ".unfinished")
    rows = 0
    with open(unfinished, "wb") as pairs:
        process = subprocess.Popen([program, *map(str, threshold)], stdin=subprocess.PIPE,
                                   stdout=pairs)
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            process.stdin.write(struct.pack("<I", len(data)) + data)
            rows += 1
        process.stdin.close()
        if process.wait() != 0:
            raise RuntimeError(f"exact_pairs ended with {process.returncode}")
    unfinished.rename(out)
    return rows


def read_computed(path: Path, rows: int, threshold: float) -> Truth:
    truth = Truth(rows, threshold)
    with open(path, encoding="ascii") as lines:
        for line in lines:
            left, right, similarity = line.split("\t")
            if float(similarity) >= threshold:
                truth.add(int(left), int(right), float(similarity))
    return truth


# --- scores

def score_pairs(found: Iterable[tuple[int, int]], truth: Truth) -> dict:
    named = {(min(pair), max(pair)) for pair in found}
    hits = [similarity for left, right, similarity in truth if (left, right) in named]
    return {"pairs": len(named),
            "recall": ratio(len(hits), len(truth)),
            "recall_in_slice": ratio(sum(map(in_slice(truth), hits)),
                                     sum(map(in_slice(truth), truth.similarity))),
            "precision": ratio(len(hits), len(named))}


def score_kept(kept: Iterable[int], truth: Truth) -> dict:
    is_kept = bytearray(truth.rows)
    for row in kept:
        is_kept[row] = 1
    left_over = [similarity for left, right, similarity in truth
                 if is_kept[left] and is_kept[right]]
    similar_to_kept = bytearray(truth.rows)
    similar_to_any = bytearray(truth.rows)
    for left, right, _ in truth:
        similar_to_any[left] = similar_to_any[right] = 1
        similar_to_kept[left] |= is_kept[right]
        similar_to_kept[right] |= is_kept[left]
    removed = [row for row in range(truth.rows) if not is_kept[row]]
    lost = [row for row in removed if not similar_to_kept[row]]
    return {"rows": truth.rows, "removed": len(removed),
            "true_pairs": len(truth), "left": len(left_over),
            "recall": 1 - ratio(len(left_over), len(truth), of_none=0.0),
            "recall_in_slice": 1 - ratio(sum(map(in_slice(truth), left_over)),
                                         sum(map(in_slice(truth), truth.similarity)), of_none=0.0),
            "lost": len(lost), "false": sum(not similar_to_any[row] for row in lost),
            "precision": 1 - ratio(len(lost), len(removed), of_none=0.0)}


def in_slice(truth: Truth):
    return lambda similarity: similarity < truth.threshold + SLICE_WIDTH


def ratio(part: int, whole: int, of_none: float = 1.0) -> float:
    return part / whole if whole else of_none
