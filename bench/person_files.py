"""Synthetic persons with known truth, as CSV files, made in build/bench on first use.

    persons:N          a.csv, b.csv and truth.csv (left,right) in build/bench/persons-N
    households:SEED    build/bench/households-SEED.csv; `entity` numbers the persons

Files of persons have N rows each. Both have `id` and seven fields: first_name, surname, date_of_birth,
address, postcode, city, phone. Half of B are corrupted copies of rows in A, and the others are different
persons; both halves are mixed. Names follow Zipf's law with exponent .7, so namesakes are common; birth dates
are uniform over 70 years. A copy has moved house with a probability of .08 (new address, postcode and city),
has another phone with .12, lacks each field with .04, has a typing error in each with .12, a date with day
and month or two digits swapped among them, and swapped names with .01.

A file of households has 60 to 400 families of two to five, each with one address and one surname, and 500 to
2,000 other persons. Some are twins; some children have their father's given name. 0, 5, 15 or 30 % of the
rows are copies, according to SEED % 4, with errors and gaps as above; .08 of them have moved, and .02 have
another surname. Deterministic: uses Python's generator with a fixed seed.
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
IN_HOUSEHOLDS = ["given", "surname", "street", "zip", "city", "born"]
COPIED, NAMES_OF_HOUSEHOLDS = (0, .05, .15, .30), (300, 4_000, 3_000, 300)
OTHER_SURNAME, TWIN, NAMED_AFTER_FATHER = .02, .06, .06
MISSING, TYPING_ERROR, MOVED, OTHER_PHONE, SWAPPED = .04, .12, .08, .12, .01


def person_files(rows: int) -> Path:
    """The folder of a.csv, b.csv and truth.csv."""
    def make(out: Path):
        out.mkdir()
        write(out, rows)
    return corpora.made(f"persons-{rows}", make)


def household_file(seed: int) -> Path:
    def make(out: Path):
        rows = Households(seed).rows(COPIED[seed % len(COPIED)])
        with table(out, ["id", "entity", *IN_HOUSEHOLDS]) as target:
            target.rows.writerows([number, *row] for number, row in enumerate(rows))
    return corpora.made(f"households-{seed}.csv", make)


class Persons:
    def __init__(self, seed: int, names=(FIRST_NAMES, SURNAMES, STREETS, CITIES)):
        self.rng = random.Random(seed)
        first, surnames, streets, cities = names
        drawn = lambda count, syllables: string_files.Drawn(  # noqa: E731
            self.rng, string_files.made_words(self.rng, count, syllables))
        self.first, self.surname = drawn(first, (1, 2)), drawn(surnames, (1, 3))
        self.street, self.city = drawn(streets, (2, 4)), drawn(cities, (2, 3))
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


class Households(Persons):
    """Rows of `entity` and IN_HOUSEHOLDS."""

    def __init__(self, seed: int):
        super().__init__(seed, NAMES_OF_HOUSEHOLDS)

    def rows(self, copied: float) -> list[list]:
        rng = self.rng
        homes = [self.household() for _ in range(rng.randint(60, 400))]
        homes += [[self.member(self.surname(), self.home(), self.day(1930, 2005))]
                  for _ in range(rng.randint(500, 2_000))]
        persons = [person for home in homes for person in home]
        rows = list(enumerate(persons))
        for _ in range(round(copied / (1 - copied) * len(persons))):
            entity = rng.randrange(len(persons))
            rows.append((entity, self.copy(persons[entity])))
        rng.shuffle(rows)
        return [[entity, *row] for entity, row in rows]

    def household(self) -> list[list[str]]:
        rng, surname, home = self.rng, self.surname(), self.home()
        year = rng.randint(1935, 1980)
        members = [self.member(surname, home, self.day(year, year + 6)) for _ in range(2)]
        for _ in range(rng.randint(0, 3)):
            child = self.member(surname, home, self.day(year + 20, year + 40))
            if len(members) > 2 and rng.random() < TWIN:
                child[5] = members[-1][5]
            elif rng.random() < NAMED_AFTER_FATHER:
                child[0] = members[0][0]
            members.append(child)
        return members

    def member(self, surname: str, home: list[str], born: str) -> list[str]:
        return [self.first(), surname, *home, born]

    def day(self, begin: int, end: int) -> str:
        day = datetime.date(begin, 1, 1) + datetime.timedelta(self.rng.randrange(365 * (end - begin)))
        return day.isoformat()

    def copy(self, person: list[str]) -> list[str]:
        rng, copy = self.rng, list(person)
        if rng.random() < MOVED:
            copy[2:5] = self.home()
        if rng.random() < OTHER_SURNAME:
            copy[1] = self.surname()
        return [self.written(place, value) for place, value in enumerate(copy)]

    def written(self, place: int, value: str) -> str:
        chance = self.rng.random()
        if chance < MISSING:
            return ""
        if chance >= MISSING + TYPING_ERROR:
            return value
        # Dates and postcodes are in other columns than in files of persons.
        return self.mistyped({5: 2, 3: 4}.get(place, 0), value)


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
