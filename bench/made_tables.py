"""Small synthetic tables of many kinds with known truth, for testing the estimates of `sosie link`.

    made_table("people", 7)      a MadeTable: a side or two of rows, their columns, and the true pairs

KINDS names the kinds. A seed determines the sizes, the shares of copies, and how often values are mistyped,
missing or changed, so that two tables of the same kind are difficult in different ways. `is_held_out`
identifies the third that nobody looks at while limits are chosen: one seed in three, and whole kinds.
Deterministic: uses Python's generator with a seed.
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass, field

import string_files

HELD_OUT_KINDS = ("patients", "books", "company-names", "offices", "drugs", "drug-names", "wines", "members")
GIVEN = ("james mary john patricia robert jennifer michael linda william elizabeth david barbara richard susan "
         "joseph jessica thomas sarah charles karen anna paul laura peter julia mark nina daniel lisa george "
         "eva simon clara martin helen frank diana oliver alice henry grace walter rose edgar ruth hugo emma "
         "felix ella oscar maria luis carmen pablo lucia ahmed fatima ivan olga").split()
SURNAMES = ("smith johnson williams brown jones garcia miller davis martinez lopez wilson anderson thomas taylor "
            "moore jackson martin lee perez thompson white harris clark lewis robinson walker young allen king "
            "wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell "
            "carter roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris "
            "morales murphy cook rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim "
            "cox ward richardson watson brooks chavez wood james bennett gray mendoza ruiz hughes price alvarez "
            "castillo sanders patel myers long ross foster jimenez").split()
WHAT = ("laptop monitor keyboard mouse printer scanner camera lens tripod router switch speaker headphones tablet "
        "phone charger cable battery case stand drill saw hammer lamp fan heater kettle toaster blender").split()
COLOURS = "black white silver red blue green grey gold".split()
LEGAL = ["inc", "ltd", "gmbh", "llc", "co", "corp", "ag", "plc"]
TRADES = ("software consulting plumbing logistics bakery pharmacy hotel garage solutions systems foods media "
          "construction insurance trading services electric textiles").split()


@dataclass
class MadeTable:
    columns: list[str]
    sides: list[list[list[str]]]
    entities: list[list[int]]                # by side and row
    name: str = field(default="", compare=False)

    def truth(self) -> set[tuple[str, str]]:
        """Pairs of row numbers as text, the lower one on the left within one collection."""
        left, right = self.entities[0], self.entities[-1]
        rows: dict[int, list[int]] = {}
        for row, entity in enumerate(right):
            rows.setdefault(entity, []).append(row)
        return {(str(a), str(b)) for a, entity in enumerate(left) for b in rows.get(entity, ())
                if len(self.sides) == 2 or a < b}


class Maker:
    """Random choices for one table; the frequencies of errors are chosen first."""

    def __init__(self, seed: int):
        rng = self.rng = random.Random(seed * 7919 + 13)
        self.typo, self.missing = rng.choice([.03, .08, .15]), rng.choice([0, .03, .08])
        self.moved, self.copied = rng.choice([0, .08, .2]), rng.choice([.03, .1, .25])
        self.rows = rng.choice([600, 1_000, 1_800])
        self.given = self.words(GIVEN, rng.choice([0, 300, 3_000]), (1, 2))
        self.surname = self.words(SURNAMES, rng.choice([0, 1_000, 20_000]), (1, 3))
        self.street = self.words([], rng.choice([300, 3_000]), (2, 4))
        self.city = self.words([], rng.choice([30, 300]), (2, 3))
        self.brand = self.words([], 40, (2, 3))
        self.word = self.words([], 3_000, (2, 4))

    def words(self, usual, count: int, syllables) -> string_files.Drawn:
        return string_files.Drawn(self.rng, [*usual, *string_files.made_words(self.rng, count, syllables)])

    def mistyped(self, value: str, digits: bool = False) -> str:
        rng = self.rng
        if rng.random() < self.missing:
            return ""
        if not value or rng.random() >= self.typo:
            return value
        if not digits:
            return string_files.with_typing_error(rng, value)
        at = rng.choice([i for i, letter in enumerate(value) if letter.isdigit()])
        return value[:at] + str(rng.randrange(10)) + value[at + 1:]

    def copy(self, row: list[str]) -> list[str]:
        return [self.mistyped(value, any(map(str.isdigit, value)) and " " not in value) for value in row]

    def day(self, first: int = 1935, last: int = 2005) -> str:
        return (datetime.date(first, 1, 1) + datetime.timedelta(self.rng.randrange(365 * (last - first)))).isoformat()

    def home(self) -> list[str]:
        city = self.city()
        code = 10_000 + (sum(city.encode()) * 7919 + len(city)) % 8_000 * 10
        return [f"{self.rng.randint(1, 150)} {self.street()} street", str(code + self.rng.randrange(10)), city]

    def phone(self) -> str:
        return f"0{self.rng.randrange(10 ** 8, 10 ** 9)}"

    def code(self) -> str:
        return f"{self.rng.choice('abcdefghkmnprstx')}{self.rng.choice('abcdefghkmnprstx')}{self.rng.randrange(100, 9999)}"

    def one(self, columns: list[str], rows: list[list[str]], copy) -> MadeTable:
        """One collection: rows, some of which are copied once and some twice."""
        rng = self.rng
        made = list(enumerate(rows))
        for _ in range(max(4, round(self.copied * len(rows)))):
            entity = rng.randrange(len(rows))
            made.append((entity, copy(rows[entity])))
        rng.shuffle(made)
        return MadeTable(columns, [[row for _, row in made]], [[entity for entity, _ in made]])

    def two(self, columns: list[str], rows: list[list[str]], copy, left: int = 1, right: int = 1) -> MadeTable:
        """Two collections that share some entities, with up to this many copies on each side."""
        rng = self.rng
        both = rng.choice([.2, .5, .8])
        sides: list[list] = [[], []]
        for entity, row in enumerate(rows):
            chance = rng.random()
            for side, copies in enumerate((left, right)):
                if chance >= both and (chance < both + (1 - both) / 2) != (side == 0):
                    continue
                sides[side] += [(entity, copy(row) if side or n else row) for n in range(rng.randint(1, copies))]
        for side in sides:
            rng.shuffle(side)
        return MadeTable(columns, [[row for _, row in side] for side in sides],
                         [[entity for entity, _ in side] for side in sides])

    # Persons.
    PERSON = ["given", "surname", "born", "street", "zip", "city"]

    def person(self) -> list[str]:
        return [self.given(), self.surname(), self.day(), *self.home()]

    def person_copy(self, row: list[str]) -> list[str]:
        moved = self.rng.random() < self.moved
        return self.copy([*row[:3], *self.home(), *row[6:]] if moved else row)

    def persons(self, count: int) -> list[list[str]]:
        return [self.person() for _ in range(count)]

    def families(self, part: float) -> list[list[str]]:
        """Persons, some of whom live with a family and share surname and address."""
        rng, rows = self.rng, []
        while len(rows) < self.rows:
            first = self.person()
            members = [first]
            if rng.random() < part:
                year = rng.randint(1940, 1975)
                first[2] = self.day(year, year + 5)
                for n in range(rng.randint(1, 5)):
                    born = self.day(year, year + 5) if n == 0 else self.day(year + 22, year + 40)
                    members.append([self.given(), first[1], born, *first[3:]])
            rows += members
        return rows

    # Products and companies.
    def product(self, brand: str, what: str) -> list[str]:
        series, size = self.word(), self.rng.choice(["11", "13", "15", "17", "xl", "s"])
        colour = self.rng.choice(COLOURS)
        price = f"{self.rng.randint(9, 900)}.{self.rng.choice(['00', '49', '90', '99'])}"
        return [f"{brand} {series} {what} {size} {colour}", brand, self.code(), price]

    def products(self, variants: int) -> list[list[str]]:
        rng, rows = self.rng, []
        while len(rows) < self.rows:
            first = self.product(self.brand(), rng.choice(WHAT))
            words = first[0].split()
            for n in range(rng.randint(1, variants)):
                size, colour = str(11 + 2 * n), rng.choice(COLOURS)
                price = f"{float(first[3]) + 20 * n:.2f}"
                code = f"{first[2]}{n}" if rng.random() < .5 else self.code()
                rows.append([" ".join([*words[:-2], size, colour]), first[1], code, price])
        return rows

    def offer(self, row: list[str]) -> list[str]:
        """Another shop's offer: with the words in another order, or fewer words, and another price."""
        rng = self.rng
        words = row[0].split()
        if rng.random() < .3:
            words = [*words[1:], words[0]]
        if rng.random() < .3 and len(words) > 4:
            del words[rng.randrange(1, len(words) - 1)]
        if rng.random() < .3:
            words.append(rng.choice(["new", "oem", "sale"]))
        price = f"{float(row[3]) * rng.uniform(.85, 1.15):.2f}"
        code = row[2] if rng.random() < .6 else ""
        return [self.mistyped(" ".join(words)), self.mistyped(row[1]), code, price]

    def company(self) -> list[str]:
        rng = self.rng
        name = f"{self.word()} {rng.choice(TRADES)} {rng.choice(LEGAL)}"
        if rng.random() < .3:
            name = f"{self.surname()} & {self.surname()} {rng.choice(LEGAL)}"
        return [name, *self.home(), self.phone()]

    def companies(self, branches: float) -> list[list[str]]:
        rows = []
        while len(rows) < self.rows:
            first = self.company()
            rows.append(first)
            if self.rng.random() < branches:
                rows += [[first[0], *self.home(), self.phone()] for _ in range(self.rng.randint(1, 4))]
        return rows

    def company_copy(self, row: list[str]) -> list[str]:
        rng = self.rng
        words = row[0].split()
        if rng.random() < .3:
            words = words[:-1] if rng.random() < .5 else [*words[:-1], rng.choice(LEGAL)]
        copied = self.copy([" ".join(words), *row[1:]])
        return [*copied[:4], self.phone() if rng.random() < .15 else copied[4]]


def people(m: Maker) -> MadeTable:
    return m.one(m.PERSON, m.persons(m.rows), m.person_copy)


def people_phone(m: Maker) -> MadeTable:
    rows = [[*m.person(), m.phone()] for _ in range(m.rows)]
    return m.one([*m.PERSON, "phone"], rows, m.person_copy)


def people_two(m: Maker) -> MadeTable:
    return m.two(m.PERSON, m.persons(m.rows), m.person_copy)


def people_short(m: Maker) -> MadeTable:
    """Only names and birth dates."""
    rows = [row[:3] for row in m.persons(m.rows)]
    return m.one(m.PERSON[:3], rows, m.copy)


def copies_two(m: Maker) -> MadeTable:
    """Both sides contain copies."""
    return m.two(m.PERSON, m.persons(m.rows // 2), m.person_copy, 3, 3)


def families(m: Maker) -> MadeTable:
    return m.one(m.PERSON, m.families(m.rng.choice([.3, .6, 1])), m.person_copy)


def few_families(m: Maker) -> MadeTable:
    return m.one(m.PERSON, m.families(.02), m.person_copy)


def families_two(m: Maker) -> MadeTable:
    return m.two(m.PERSON, m.families(m.rng.choice([.3, 1])), m.person_copy)


def full_name(row: list[str]) -> list[str]:
    return [f"{row[0]} {row[1]}", *row[2:]]


def whole_names(m: Maker) -> MadeTable:
    """Families, with names in a single column."""
    rows = [full_name(row) for row in m.families(m.rng.choice([.02, .3, 1]))]
    return m.one(["name", "born", "street", "zip", "city"], rows, m.copy)


def whole_names_two(m: Maker) -> MadeTable:
    rows = [full_name(row) for row in m.families(m.rng.choice([.02, .3, 1]))]
    return m.two(["name", "born", "street", "zip", "city"], rows, m.copy)


def shared_homes(m: Maker) -> MadeTable:
    """Families without birth dates: only names and addresses."""
    rows = [[*row[:2], *row[3:]] for row in m.families(m.rng.choice([.02, .3, 1]))]
    return m.one(["given", "surname", "street", "zip", "city"], rows, m.copy)


def big_families(m: Maker) -> MadeTable:
    """One family of many members among fifty persons; hardly any copies."""
    m.copied = m.rng.choice([.005, .02, .05])
    rows = m.persons(m.rows)
    for _ in range(m.rows // 50):
        first = m.person()
        rows += [[m.given(), first[1], m.day(), *first[3:]] for _ in range(m.rng.randint(3, 7))]
    return m.one(m.PERSON, rows, m.person_copy)


def names_and_town(m: Maker) -> MadeTable:
    """A name and little else."""
    rows = [[f"{m.given()} {m.surname()}", m.city()] for _ in range(m.rows)]
    return m.one(["name", "city"], rows, m.copy)


def names_and_sex(m: Maker) -> MadeTable:
    rows = [[f"{m.given()} {m.surname()}", m.rng.choice("mf")] for _ in range(m.rows)]
    return m.one(["name", "sex"], rows, m.copy)


def names_and_number(m: Maker) -> MadeTable:
    """A name and a number without meaning, different in each row."""
    rows = [[f"{m.given()} {m.surname()}", ""] for _ in range(m.rows)]
    return m.one(["name", "amount"], rows, lambda row: [*m.copy(row[:1]), str(m.rng.randrange(1, 900))])


def names(m: Maker) -> MadeTable:
    return m.one(["name"], [[f"{m.given()} {m.surname()}"] for _ in range(m.rows)], m.copy)


def names_two(m: Maker) -> MadeTable:
    return m.two(["name"], [[f"{m.given()} {m.surname()}"] for _ in range(m.rows)], m.copy)


def given_and_surname(m: Maker) -> MadeTable:
    """Given name and surname in separate columns."""
    return m.one(["given", "surname"], [[m.given(), m.surname()] for _ in range(m.rows)], m.copy)


def addresses(m: Maker) -> MadeTable:
    return m.one(["address"], [[" ".join(m.home())] for _ in range(m.rows)], m.copy)


def address_columns(m: Maker) -> MadeTable:
    return m.one(["street", "zip", "city"], [m.home() for _ in range(m.rows)], m.copy)


def products(m: Maker) -> MadeTable:
    return m.one(["title", "brand", "model", "price"], m.products(m.rng.choice([1, 4, 8])), m.offer)


def products_two(m: Maker) -> MadeTable:
    return m.two(["title", "brand", "model", "price"], m.products(m.rng.choice([1, 4, 8])), m.offer)


def titles_two(m: Maker) -> MadeTable:
    """Offers without a model number."""
    drop = lambda row: [row[0], row[1], row[3]]  # noqa: E731
    made = m.two([], m.products(m.rng.choice([2, 5])), m.offer)
    return MadeTable(["title", "brand", "price"], [[drop(row) for row in side] for side in made.sides], made.entities)


def companies(m: Maker) -> MadeTable:
    return m.one(["company", "street", "zip", "city", "phone"], m.companies(m.rng.choice([0, .2])), m.company_copy)


def companies_two(m: Maker) -> MadeTable:
    return m.two(["company", "street", "zip", "city", "phone"], m.companies(m.rng.choice([0, .2])), m.company_copy)


def patients(m: Maker) -> MadeTable:
    """Two hospitals; only some of the records have a number; visits are copies."""
    rows = [[str(m.rng.randrange(10 ** 9, 10 ** 10)) if m.rng.random() < .6 else "", *row[:3], row[4],
             m.rng.choice("mf")] for row in m.persons(m.rows)]
    return m.two(["number", "given", "surname", "born", "zip", "sex"], rows, m.copy, 1, 2)


def books(m: Maker) -> MadeTable:
    """Each edition of a book is a separate book."""
    rng, rows = m.rng, []
    while len(rows) < m.rows:
        title = " ".join(m.word() for _ in range(rng.randint(2, 5)))
        author, year = f"{m.given()} {m.surname()}", rng.randint(1960, 2015)
        for n in range(rng.choice([1, 1, 1, 2, 3])):
            rows.append([f"{title} {n + 1}th edition" if n else title, author, m.brand(), str(year + 4 * n)])
    return m.one(["title", "author", "publisher", "year"], rows, m.copy)


def company_names(m: Maker) -> MadeTable:
    return m.one(["company"], [[m.company()[0]] for _ in range(m.rows)],
                 lambda row: m.company_copy([*row, "", "", "", ""])[:1])


def offices(m: Maker) -> MadeTable:
    """Colleagues, who share employer, address and the first digits of the telephone number."""
    rng, rows = m.rng, []
    while len(rows) < m.rows:
        company = m.company()
        stem = m.phone()[:7]
        for _ in range(rng.choice([1, 1, 2, 5])):
            given, surname = m.given(), m.surname()
            rows.append([given, surname, company[0], company[3], f"{stem}{rng.randrange(100, 999)}",
                         f"{given}.{surname}@{company[0].split()[0]}.com"])
    return m.one(["given", "surname", "employer", "city", "phone", "email"], rows, m.copy)


def persons_list(m: Maker) -> MadeTable:
    """Two lists of persons with one column each: names reversed, with initials or titles."""
    def copy(row: list[str]) -> list[str]:
        given, surname = row[0].split(" ", 1)
        way = m.rng.random()
        name = row[0]
        if way < .15:
            name = f"{surname}, {given}"
        elif way < .25:
            name = f"{given[0]}. {surname}"
        elif way < .35:
            name = f"{m.rng.choice(['dr', 'prof.', 'mr', 'mrs'])} {name}"
        elif way < .45:
            name = f"{given} {m.rng.choice('abcdefghjklmnprstw')}. {surname}"
        return [m.mistyped(name)]
    return m.two(["name"], [[f"{m.given()} {m.surname()}"] for _ in range(m.rows)], copy)


def firms(m: Maker) -> MadeTable:
    """Two lists of firms with one column each."""
    def copy(row: list[str]) -> list[str]:
        words = row[0].split()
        if m.rng.random() < .4:
            words = words[:-1] if m.rng.random() < .6 else [*words[:-1], m.rng.choice(LEGAL)]
        if m.rng.random() < .15:
            words.append(m.city())
        if m.rng.random() < .1:
            words[-2:-1] = [words[-2][:4] + "."] if len(words) > 1 else []
        return [m.mistyped(" ".join(words))]
    return m.two(["firm"], [[m.company()[0]] for _ in range(m.rows)], copy)


def firm_list(m: Maker) -> MadeTable:
    """A single-column list of firms; copies have typos, and some lack their legal form."""
    def copy(row: list[str]) -> list[str]:
        words = row[0].split()
        if m.rng.random() < .3:
            words = words[:-1]
        return [m.mistyped(m.mistyped(" ".join(words)))]
    return m.one(["firm"], [[m.company()[0]] for _ in range(m.rows)], copy)


def part_lines(m: Maker) -> list[str]:
    """Screws and resistors: the kind of part, its sizes, a finish; a series has many sizes."""
    rng, rows = m.rng, []
    what = [f"{m.word()} {w}" for w in ("screw", "bolt", "resistor", "valve", "bearing", "hose", "seal", "fuse")]
    while len(rows) < m.rows:
        name, finish = rng.choice(what), rng.choice(["zinc", "steel", "brass", "nylon", "black"])
        for size in rng.sample(range(2, 40), rng.randint(1, 6)):
            rows.append(f"{name} m{size}x{rng.choice([10, 20, 25, 40])} {finish}")
    return rows


def part_names(m: Maker) -> MadeTable:
    """One column; each size of a kind of part is a separate part."""
    def copy(row: list[str]) -> list[str]:
        words = row[0].split()
        if m.rng.random() < .3:
            words = [words[1], words[0], *words[2:]]
        if m.rng.random() < .2:
            words.pop()
        return [m.mistyped(" ".join(words))]
    return m.one(["part"], [[line] for line in part_lines(m)], copy)


def parts_two(m: Maker) -> MadeTable:
    """Suppliers' parts: text, number, unit price."""
    rows = [[line, m.code() if m.rng.random() < .9 else "", f"{m.rng.uniform(.05, 40):.2f}"] for line in part_lines(m)]

    def copy(row: list[str]) -> list[str]:
        words = row[0].split()
        if m.rng.random() < .3:
            words = [words[1], words[0], *words[2:]]
        number = row[1] if m.rng.random() < .5 else ""
        return [m.mistyped(" ".join(words)), number, f"{float(row[2]) * m.rng.uniform(.9, 1.1):.2f}"]
    return m.two(["part", "number", "price"], rows, copy)


def album_rows(m: Maker) -> list[list[str]]:
    rng, rows = m.rng, []
    while len(rows) < m.rows:
        artist = rng.choice([f"{m.given()} {m.surname()}", f"the {m.word()}s", f"{m.word()} {m.word()}"])
        for _ in range(rng.choice([1, 1, 2, 4, 7])):
            title, year = " ".join(m.word() for _ in range(rng.randint(1, 4))), rng.randint(1965, 2020)
            rows.append([artist, title, str(year), m.brand(), str(rng.randint(6, 22))])
            if rng.random() < .12:
                rows.append([artist, f"{title} {rng.choice(['live', 'vol. 2', 'ii', 'remixes'])}",
                             str(year + rng.randint(1, 3)), rows[-1][3], str(rng.randint(6, 22))])
    return rows


def album_copy(m: Maker):
    def copy(row: list[str]) -> list[str]:
        artist, title, year, label, tracks = row
        if artist.startswith("the ") and m.rng.random() < .4:
            artist = artist[4:]
        if m.rng.random() < .15:
            title += m.rng.choice([" (remastered)", " [cd]", " deluxe edition"])
        if m.rng.random() < .2:
            year = str(int(year) + m.rng.randint(1, 9))
        if m.rng.random() < .3:
            label = m.brand()
        return [m.mistyped(artist), m.mistyped(title), m.mistyped(year, True), m.mistyped(label), m.mistyped(tracks, True)]
    return copy


def albums(m: Maker) -> MadeTable:
    """Each sequel or live record is a separate album."""
    return m.one(["artist", "title", "year", "label", "tracks"], album_rows(m), album_copy(m))


def albums_two(m: Maker) -> MadeTable:
    return m.two(["artist", "title", "year", "label", "tracks"], album_rows(m), album_copy(m))


def restaurant_rows(m: Maker) -> list[list[str]]:
    rng, rows = m.rng, []
    kinds = "italian french thai chinese mexican american indian seafood vegan steak".split()
    while len(rows) < m.rows:
        name = rng.choice([f"{m.word()} {rng.choice(['cafe', 'grill', 'bistro', 'kitchen', 'house'])}",
                           f"{m.given()}'s", f"{m.word()} & {m.word()}"])
        for _ in range(rng.choice([1, 1, 1, 1, 3]) if rng.random() < .3 else 1):  # chains
            street, _, city = m.home()
            rows.append([name, street, city, m.phone(), rng.choice(kinds)])
    return rows


def restaurant_copy(m: Maker):
    def copy(row: list[str]) -> list[str]:
        name, street, city, phone, kind = row
        if m.rng.random() < .2:
            name = f"{name} {m.rng.choice(['restaurant', 'bar', 'on ' + street.split()[1]])}"
        street = street.replace("street", "st.") if m.rng.random() < .5 else street
        kind = kind if m.rng.random() < .6 else m.rng.choice(["american", "asian", "european"])
        phone = phone if m.rng.random() < .9 else m.phone()
        return [m.mistyped(name), m.mistyped(street), m.mistyped(city), m.mistyped(phone, True), kind]
    return copy


def restaurants(m: Maker) -> MadeTable:
    return m.one(["name", "address", "city", "phone", "kind"], restaurant_rows(m), restaurant_copy(m))


def restaurants_two(m: Maker) -> MadeTable:
    rows = [[*row[:3], row[4]] for row in restaurant_rows(m)]
    copy = restaurant_copy(m)
    return m.two(["name", "address", "city", "kind"], rows, lambda row: [*(c := copy([*row[:3], m.phone(), row[3]]))[:3], c[4]])


def drug_lines(m: Maker) -> list[list[str]]:
    """Substance, strength, form, maker; each strength of a substance is a separate drug."""
    rng, rows = m.rng, []
    while len(rows) < m.rows:
        substance = m.word() + rng.choice(["in", "ol", "ide", "ate", "mab", "pril"])
        for strength in rng.sample([5, 10, 20, 25, 40, 50, 100, 200, 250, 500], rng.randint(1, 5)):
            rows.append([f"{substance} {strength} mg", rng.choice(["tablets", "capsules", "solution"]), m.brand(),
                         str(rng.choice([10, 20, 30, 50, 100]))])
    return rows


def drugs(m: Maker) -> MadeTable:
    return m.one(["name", "form", "maker", "pack"], drug_lines(m), m.copy)


def drug_names(m: Maker) -> MadeTable:
    """Two lists of one column each."""
    def copy(row: list[str]) -> list[str]:
        line = row[0].replace(" mg", "mg") if m.rng.random() < .4 else row[0]
        return [m.mistyped(line)]
    return m.two(["drug"], [[f"{row[0]} {row[1]}"] for row in drug_lines(m)], copy)


def wines(m: Maker) -> MadeTable:
    """Each vintage of a wine is a separate wine."""
    rng, rows = m.rng, []
    grapes = "riesling merlot syrah malbec pinot chardonnay".split()
    while len(rows) < m.rows:
        estate, grape, region = f"{m.surname()} {rng.choice(['estate', 'winery', 'hill'])}", rng.choice(grapes), m.city()
        for year in rng.sample(range(1998, 2018), rng.choice([1, 1, 2, 4])):
            rows.append([f"{estate} {grape} {year}", region, f"{rng.uniform(5, 90):.2f}"])

    def copy(row: list[str]) -> list[str]:
        words = row[0].split()
        if rng.random() < .3:
            words.remove(rng.choice(words[1:2]))
        return [m.mistyped(" ".join(words)), m.mistyped(row[1]), f"{float(row[2]) * rng.uniform(.9, 1.1):.2f}"]
    return m.two(["wine", "region", "price"], rows, copy)


def members(m: Maker) -> MadeTable:
    """A single-column list of members within one collection: names reversed, initials."""
    def copy(row: list[str]) -> list[str]:
        given, surname = row[0].split(" ", 1)
        name = f"{surname}, {given}" if m.rng.random() < .2 else row[0]
        return [m.mistyped(m.mistyped(name))]
    return m.one(["member"], [[f"{m.given()} {m.surname()}"] for _ in range(m.rows)], copy)


def spellings(m: Maker) -> MadeTable:
    """A list of applicants in which a few firms occur hundreds of times, in dozens of spellings."""
    rng, rows = m.rng, []
    steep, share = rng.choice([.7, 1, 1.4]), rng.choice([.05, .2, .4])
    for rank in range(1, m.rows):
        name = m.company()[0].split()
        places, alias = [m.city(), m.city()], f"{m.word()} {name[0]}"
        for _ in range(max(1, round(share * m.rows / rank ** steep))):
            words = name if rng.random() < .9 else alias.split()
            if rng.random() < .3:
                words = [*words[:-1], rng.choice(LEGAL)]
            if rng.random() < .1 and len(words) > 2:
                words = [words[0], words[-1]]
            if rng.random() < .15:
                words = [*words, rng.choice(places)]
            rows.append((rank, [m.mistyped(m.mistyped(" ".join(words)))]))
        if len(rows) >= 1.5 * m.rows:
            break
    rng.shuffle(rows)
    return MadeTable(["applicant"], [[row for _, row in rows]], [[entity for entity, _ in rows]])


KINDS = {make.__name__.replace("_", "-"): make for make in (
    people, people_phone, people_two, people_short, copies_two, families, few_families, families_two, names,
    names_two, whole_names, whole_names_two, shared_homes, big_families, names_and_town, names_and_sex,
    names_and_number, given_and_surname, addresses, address_columns, products, products_two, titles_two, companies,
    companies_two, persons_list, firms, firm_list, part_names, parts_two, albums, albums_two, restaurants, restaurants_two,
    patients, books, company_names, offices, drugs, drug_names, wines, members, spellings)}


def is_held_out(kind: str, seed: int) -> bool:
    return kind in HELD_OUT_KINDS or seed % 3 == 2


def made_table(kind: str, seed: int) -> MadeTable:
    made = KINDS[kind](Maker(seed * 101 + sum(kind.encode())))
    made.name = f"{kind}:{seed}"
    return made
