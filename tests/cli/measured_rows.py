"""Vectors and bit strings for tests: synthetic rows, files of them, and measures in whole numbers.
"""

import random
import struct
from fractions import Fraction

from support import read_table


def npy(rows: list, kind: str = "<f4", shape: str = "", fortran: bool = False) -> bytes:
    """A .npy file of version 1."""
    letter = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
              "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?"}[kind[1:]]
    shape = shape or f"({len(rows)}, {len(rows[0]) if rows else 4})"
    header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    order = ">" if kind[0] == ">" else "<"
    lines = zip(*rows) if fortran else rows  # columns of an array in Fortran order
    data = b"".join(struct.pack(f"{order}{len(line)}{letter}", *line) for line in lines)
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def vecs(rows: list, letter: str = "f") -> bytes:
    return b"".join(struct.pack(f"<i{len(row)}{letter}", len(row), *row) for row in rows)


def grouped(count: int, dimension: int, seed: int, least: int = 0, most: int = 255) -> list:
    """Whole-numbered vectors in groups of three similar ones, shuffled."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count // 3):
        middle = [rng.randint(least, most) for _ in range(dimension)]
        for spread in (0, 3, 40):
            rows.append([min(most, max(least, c + rng.randint(-spread, spread))) for c in middle])
    rng.shuffle(rows)
    return rows


def dot(x: list, y: list) -> int:
    return sum(a * b for a, b in zip(x, y))


def cosine_reaches(x: list, y: list, threshold: Fraction) -> bool:
    """In whole numbers, to follow the threshold exactly as written."""
    product = dot(x, y)
    return product > 0 and Fraction(product * product, dot(x, x) * dot(y, y)) >= threshold ** 2


def within(x: list, y: list, measure: str, distance: Fraction) -> bool:
    differences = [abs(a - b) for a, b in zip(x, y)]
    if measure == "euclidean":
        return sum(d * d for d in differences) <= distance ** 2
    return (sum(differences) if measure == "manhattan" else max(differences)) <= distance


def as_numbers(out: bytes) -> list:
    return [(int(row["left"]), int(row["right"])) for row in read_table(out)]


def lines(out: bytes) -> set:
    return set(out.splitlines()[1:])


def as_text(rows: list) -> bytes:
    return "".join(row + "\n" for row in rows).encode()


def spread(count: int, dimension: int, seed: int) -> list:
    """Whole-numbered vectors in similar pairs, at many distances."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count // 2):
        middle = [rng.randint(40, 215) for _ in range(dimension)]
        most = rng.randint(0, 40)
        rows += [middle, [c + rng.randint(-most, most) for c in middle]]
    rng.shuffle(rows)
    return rows


def bit_strings(count: int, bits: int, seed: int) -> list:
    """Hexadecimal strings in groups of three that differ by some bits."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count // 3):
        middle = rng.getrandbits(bits)
        for flips in (0, bits // 16, bits // 6):
            flipped = middle
            for _ in range(rng.randint(0, flips)):
                flipped ^= 1 << rng.randrange(bits)
            rows.append(f"{flipped:0{bits // 4}x}")
    rng.shuffle(rows)
    return rows
