"""Made persons with known truth: two CSV files of N rows each, made into build/bench when first asked for.

    persons:N     a.csv, b.csv and truth.csv (left,right) in build/bench/persons-N

Both have `id` and seven fields: first_name, surname, date_of_birth, address, postcode, city, phone.
Half of B are corrupted copies of rows of A, the others are persons of their own; both halves are mixed.
Names follow Zipf's law with exponent .7, so that namesakes are common; birth dates are even over 70
years. A copy has moved house with a probability of .08 (address, postcode and city anew), has another
phone with .12, lacks each field with .04, has a typing error in each with .12, a date with day and
month or two digits exchanged among them, and swapped names with .01. Deterministic: Python's generator
with a fixed seed.
"""

from __future__ import annotations

import csv
import datetime
import random
from pathlib import Path

import corpora
import string_files

FIELDS = ["first_name", "surname", "date_of_birth", "address", "postcode", "city", "phone"]
FIRST_NAMES, SURNAMES, STREETS, CITIES = 4_000, 60_000, 30_000, 3_000
DAYS = 70 * 365
MISSING, TYPING_ERROR, MOVED, OTHER_PHONE, SWAPPED = .04, .12, .08, .12, .01


def person_files(rows: int) -> Path:
    """The folder of a.csv, b.csv and truth.csv."""
    def make(out: Path):
        out.mkdir()
        write(out, rows)
    return corpora.made(f"persons-{rows}", make)


class Persons:
    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        drawn = lambda count, syllables: string_files.Drawn(  # noqa: E731
            self.rng, string_files.made_words(self.rng, count, syllables))
        self.first, self.surname = drawn(FIRST_NAMES, (1, 2)), drawn(SURNAMES, (1, 3))
        self.street, self.city = drawn(STREETS, (2, 4)), drawn(CITIES, (2, 3))
        self.born = datetime.date(1930, 1, 1)

    def person(self) -> list[str]:
        born = self.born + datetime.timedelta(self.rng.randrange(DAYS))
        return [self.first(), self.surname(), born.isoformat(), *self.home(), self.phone()]

    def home(self) -> list[str]:
        city = self.city()
        # Ten postcodes a city.
        code = 10_000 + (sum(city.encode()) * 7919 + len(city)) % 8_000 * 10
        return [f"{self.rng.randint(1, 250)} {self.street()} street",
                str(code + self.rng.randrange(10)), city]

    def phone(self) -> str:
        return f"0{self.rng.randrange(10 ** 9):09d}"

    def copy(self, person: list[str]) -> list[str]:
        rng, copy = self.rng, list(person)
        if rng.random() < MOVED:
            copy[3:6] = self.home()
        if rng.random() < OTHER_PHONE:
            copy[6] = self.phone()
        for place, value in enumerate(copy):
            chance = rng.random()
            if chance < MISSING:
                copy[place] = ""
            elif chance < MISSING + TYPING_ERROR:
                copy[place] = self.mistyped(place, value)
        if rng.random() < SWAPPED:
            copy[0], copy[1] = copy[1], copy[0]
        return copy

    def mistyped(self, place: int, value: str) -> str:
        if place not in (2, 4, 6):
            return string_files.with_typing_error(self.rng, value)
        if place == 2 and self.rng.random() < .3:
            year, month, day = value.split("-")
            return f"{year}-{day}-{month}" if int(day) <= 12 else f"{year}-{month}-01"
        digits = [at for at, letter in enumerate(value) if letter.isdigit()]
        at = self.rng.choice(digits)
        return value[:at] + str(self.rng.randrange(10)) + value[at + 1:]


def write(folder: Path, rows: int):
    made = Persons(seed=rows)
    left = [made.person() for _ in range(rows)]
    copied = made.rng.sample(range(rows), rows // 2)
    right = [(made.copy(left[row]), row) for row in copied]
    right += [(made.person(), None) for _ in range(rows - len(right))]
    made.rng.shuffle(right)
    with table(folder / "a.csv", ["id", *FIELDS]) as out:
        out.rows.writerows([f"a{row}", *person] for row, person in enumerate(left))
    with table(folder / "b.csv", ["id", *FIELDS]) as out:
        out.rows.writerows([f"b{row}", *person] for row, (person, _) in enumerate(right))
    with table(folder / "truth.csv", ["left", "right"]) as out:
        out.rows.writerows([f"a{source}", f"b{row}"]
                           for row, (_, source) in enumerate(right) if source is not None)


class table:
    """A CSV file with a header."""

    def __init__(self, path: Path, header: list[str]):
        self.file = open(path, "w", encoding="ascii", newline="")
        self.rows = csv.writer(self.file, lineterminator="\n")
        self.rows.writerow(header)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
