"""Rows give the same answer through every door: the command line with files of each
format, Python with a path and with any object that holds rows, HTTP; for every kind, verb and
column type.

Each question is asked through all doors that accept its rows; their answers or errors must be
equal. SOSIE_DOORS_ROWS (40) and SOSIE_DOORS_SEEDS (1) increase the numbers of rows and seeds.
"""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json
import os
import random
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import sosie

PROGRAM = Path(os.environ.get("SOSIE_BIN", "sosie")).resolve()
HAS_PROGRAM = PROGRAM.exists()
HAS_SERVER = (PROGRAM.parent / "libexec" / "sosie" / "sosie-server").exists()
HAS_PLUGIN = any(PROGRAM.parent.glob("**/libsosie_arrow.so"))
ROWS = int(os.environ.get("SOSIE_DOORS_ROWS", "40"))
SEEDS = range(int(os.environ.get("SOSIE_DOORS_SEEDS", "1")))
WORDS = "ferry harbour seven guest coat finds leaves small back last".split()

pytestmark = pytest.mark.skipif(not HAS_PROGRAM, reason="needs the program: SOSIE_BIN")


def run(*args: str) -> str:
    """Standard output; for an error, its reason."""
    done = subprocess.run([PROGRAM, *args, "-q"], capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode in (0, 1) else "refused: " + reason_in(done.stderr)


def reason_in(message: str) -> str:
    """The row's place and field, without the name of the file, which only some doors have."""
    line = message.splitlines()[0]
    found = re.search(r"field '.*", line)
    return found.group() if found else line


class Question:
    """Rows of one kind, in `items`, and the question about them."""

    def __init__(self, kind: str, options: dict[str, object], items: list[Any], keep: str = "first",
                 column: pa.Array | None = None):
        self.kind, self.options, self.items, self.keep, self.column = kind, options, items, keep, column

    def __str__(self) -> str:
        column = "" if self.column is None else f", column of {self.column.type}"
        empty = ", some empty" if any(item in (None, "", []) for item in self.items) else ""
        return f"{self.kind} {self.options}, keep {self.keep}{empty}{column}"

    @property
    def table(self) -> pa.Table:
        columns = {"id": [f"r{i}" for i in range(len(self.items))], "text": self.items}
        if self.column is not None:
            columns["c"] = self.column
        return pa.table(columns)

    @property
    def words(self) -> list[str]:
        """The options in command-line form."""
        words = ["--kind", self.kind]
        for name, value in self.options.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        return words


def cell(value: object) -> object:
    """A value as the text of a cell."""
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def write_files(table: pa.Table) -> dict[str, str]:
    """Files of the table, by format. Types without a text form occur only in Parquet and Arrow."""
    names = {}
    is_plain = all(name in ("id", "text", "n") for name in table.column_names)
    if is_plain:
        rows = table.to_pylist()
        for name, mark in (("t.csv", ","), ("t.tsv", "\t")):
            with open(name, "w", newline="") as file:
                writer = csv.writer(file, delimiter=mark, lineterminator="\n")
                writer.writerow(table.column_names)
                writer.writerows([cell(value) for value in row.values()] for row in rows)
            names[name] = name
        Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        names["t.jsonl"] = "t.jsonl"
    if HAS_PLUGIN:
        try:
            pyarrow.parquet.write_table(table, "t.parquet")
            names["t.parquet"] = "t.parquet"
        except pa.ArrowNotImplementedError:  # Parquet has no such type
            pass
        pyarrow.feather.write_feather(table, "t.arrow", compression="uncompressed")
        names["t.arrow"] = "t.arrow"
    return names


def sources(question: Question) -> dict[str, object]:
    """Objects in memory that hold the rows."""
    table = question.table
    found: dict[str, object] = {"pyarrow": table, "pyarrow batches": table.to_reader(7),
                                "records": table.to_pylist()}
    if question.column is None:
        found["list"] = list(question.items)
        if question.kind in ("text", "strings"):
            found["numpy"] = np.array(question.items, object)
        elif question.kind == "vectors" and all(question.items):
            found["numpy"] = np.array(question.items, np.float64)
        elif question.kind == "bits" and all(question.items):
            found["numpy"] = np.array([list(bytes.fromhex(item)) for item in question.items], np.uint8)
    conversions: dict[str, Callable[[], object]] = {
        "polars": lambda: polars.from_arrow(table),
        "pandas": lambda: table.to_pandas(types_mapper=pandas.ArrowDtype),
        "duckdb": lambda: duckdb.connect().from_arrow(table),
    }
    for name, convert in conversions.items():
        try:
            found[name] = convert()
        except Exception:  # a type that the library does not have
            continue
    return found


def number(name: object) -> int:
    return int(str(name).removeprefix("r"))


def pairs_of(text: str) -> object:
    if text.startswith("refused"):
        return text
    lines = [line.split("\t") for line in text.splitlines()]
    return lines[0][2], sorted((number(a), number(b), round(float(v), 6)) for a, b, v in lines[1:])


def kept_of(name: str, text: str) -> object:
    if text.startswith("refused"):
        return text
    if name.endswith(".jsonl"):
        return [number(json.loads(line)["id"]) for line in text.splitlines()]
    return [number(row["id"]) for row in csv.DictReader(io.StringIO(text), delimiter="\t" if name == "t.tsv" else ",")]


def by_command(question: Question) -> Iterator[tuple[str, str, object]]:
    """Each door with the verb and the answer."""
    for name in write_files(question.table):
        door = f"sosie {name}"
        keep = ["--keep", question.keep]
        if name in ("t.parquet", "t.arrow"):
            done = run("dedup", name, *question.words, *keep, "--dry-run", "--removed", "r.jsonl")
            gone = [] if done.startswith("refused") else [
                number(json.loads(line)["id"]) for line in Path("r.jsonl").read_text().splitlines()]
            yield door, "dedup", done if done.startswith("refused") else [
                i for i in range(len(question.items)) if i not in set(gone)]
        else:
            yield door, "dedup", kept_of(name, run("dedup", name, *question.words, *keep))
        if question.column is None:
            yield door, "pairs", pairs_of(run("pairs", name, *question.words))
            yield door, "query", pairs_of(run("query", name, name, *question.words))


def by_python(question: Question) -> Iterator[tuple[str, str, object]]:
    found = {f"path {name}": Path(path) for name, path in write_files(question.table).items()}
    options: dict[str, Any] = {"kind": question.kind, **question.options}
    for name, source in {**found, **sources(question)}.items():
        door = f"python {name}"
        named = {} if name in ("list", "numpy") else {"column": "text"}
        try:
            yield door, "dedup", np.flatnonzero(
                sosie.dedup(source, keep=question.keep, **named, **options).mask).tolist()
        except sosie.SosieError as error:
            yield door, "dedup", "refused: " + reason_in(str(error))
        if question.column is not None or name == "pyarrow batches":  # it can be read only once
            continue
        for verb, ask in (("pairs", lambda: sosie.pairs(source, **named, **options)),
                          ("query", lambda: sosie.query(source, source, **named, **options))):
            table = pa.table(ask())
            yield door, verb, (table.column_names[2], sorted(
                (int(a), int(b), round(float(v), 6))
                for a, b, v in zip(*(table[i].to_pylist() for i in range(3)), strict=True)))


@contextmanager
def service(question: Question) -> Iterator[Callable[[str, dict[str, Any]], Any]]:
    """Queries a service over an index of other rows."""
    Path("one.jsonl").write_text(json.dumps({"id": "x", "text": None}) + "\n")
    subprocess.run(["rm", "-rf", "ix"], check=True)
    built = run("index", "build", "ix", "one.jsonl", *question.words)
    assert not built.startswith("refused"), built
    process = subprocess.Popen([PROGRAM, "serve", "ix", "--listen", "127.0.0.1:0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()

    def post(path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(address + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return {"refused": json.load(error)["error"]}

    try:
        yield post
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def by_http(question: Question) -> Iterator[tuple[str, str, object]]:
    if not HAS_SERVER or question.column is not None:
        return
    items = [{"id": f"r{i}", "text": item} for i, item in enumerate(question.items)]
    with service(question) as post:
        named = [name for name in question.options if name in ("within", "threshold")]
        answer = post("v1/dedup", {"items": items, "keep": question.keep,
                                   **{n: question.options[n] for n in named}})
        yield "http", "dedup", answer.get("kept", answer)
        name = "distance" if "within" in named else "similarity"
        found = post("v1/pairs", {"items": items, **{n: question.options[n] for n in named}})["pairs"]
        yield "http", "pairs", (name, sorted((p["left"], p["right"], round(float(p[name]), 6)) for p in found))
        post("v1/add", {"items": items})
        bound = {n: question.options[n] for n in named}
        hits = post("v1/query", {"items": items, **bound})["results"]
        yield "http", "query", (name, sorted(
            (row, number(hit["id"]), round(float(hit[name]), 6)) for row, all_of in enumerate(hits) for hit in all_of))


def differences(question: Question) -> list[str]:
    """Lists, for each verb on which the doors disagree, every answer and the doors that gave it."""
    answers: dict[str, dict[str, list[str]]] = {}
    for doors in (by_command, by_python, by_http):
        for door, verb, answer in doors(question):
            answers.setdefault(verb, {}).setdefault(json.dumps(answer), []).append(door)
    return [f"{verb} {question}: " + " | ".join(f"{', '.join(doors)}: {answer[:200]}" for answer, doors in by.items())
            for verb, by in answers.items() if len(by) > 1]


def sentence(draw: random.Random) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(6))


def typo(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text))
    return text[:at] + draw.choice("xyz") + text[at + 1:]


def tokens(draw: random.Random) -> list[str]:
    return draw.sample(WORDS, 5)


def code(draw: random.Random) -> str:
    return f"{draw.getrandbits(32) | 1:08x}"


def near_code(draw: random.Random, item: str) -> str:
    return f"{int(item, 16) ^ 1 << draw.randrange(1, 32):08x}"


def vector(draw: random.Random) -> list[int]:
    return [draw.randint(1, 9) for _ in range(6)]


def changed(draw: random.Random, item: list[Any]) -> list[Any]:
    other = list(item)
    other[draw.randrange(len(other))] = draw.choice(WORDS) if isinstance(item[0], str) else draw.randint(1, 9)
    return other


# Kind, options, an item, an item near another one, an empty item.
KINDS: list[tuple[str, list[dict[str, object]], Any, Any, Any]] = [
    ("text", [{"shingle": "words:2", "threshold": 0.6}, {"shingle": "chars:4", "threshold": 0.7},
              {"shingle": "words:1", "within": 0.4}], sentence, typo, ""),
    ("strings", [{"within": 1}, {"threshold": 0.9}, {"within": 1, "clean": "alnum"}], sentence, typo, "  "),
    ("sets", [{"threshold": 0.5}], tokens, changed, []),
    ("bags", [{"measure": "bag-jaccard", "threshold": 0.5}], tokens, changed, []),
    ("vectors", [{"threshold": 0.97}, {"measure": "euclidean", "within": 2}], vector, changed, []),
    ("bits", [{"within": 2}, {"measure": "jaccard", "threshold": 0.8}], code, near_code, ""),
]


def items_of(draw: random.Random, make: Any, near: Any, empty: Any, with_empty: bool) -> list[Any]:
    """Rows, some of which repeat others or are near them."""
    half = [make(draw) for _ in range(ROWS // 2)]
    items = half + [draw.choice(half) if draw.random() < 0.5 else near(draw, draw.choice(half)) for _ in half]
    draw.shuffle(items)
    if with_empty:
        for i in range(3, len(items), 7):
            items[i] = empty if i % 2 else None
    return items


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", [row[0] for row in KINDS])
def test_kinds_and_verbs(kind: str, folder: Path) -> None:
    _, all_options, make, near, empty = next(row for row in KINDS if row[0] == kind)
    found = []
    for seed in SEEDS:
        for options in all_options:
            for with_empty in (False, True):
                items = items_of(random.Random(seed), make, near, empty, with_empty)
                keeps = ["first", "last"] if kind not in ("text", "strings") else ["first", "longest"]
                for keep in keeps[:1 if with_empty else 2]:
                    found += differences(Question(kind, options, items, keep))
    assert not found, "\n".join(found)


D = decimal.Decimal
DAYS = [datetime.date(2024, 1, day) for day in (5, 2, 9, 2)]
TIMES = [datetime.datetime(2024, 1, day, 12, 30) for day in (5, 2, 9, 2)]
HOURS = [datetime.time(hour, 30) for hour in (5, 2, 9, 2)]
TEXTS = ["m", "b", "z", "b"]
NUMBERS = [5, 2, 9, 2]
# Values in a known order, of each type in a table of people; the third is the highest.
COLUMNS: dict[str, Callable[[], pa.Array]] = {
    **{str(kind): (lambda kind=kind: pa.array(NUMBERS, kind)) for kind in (
        pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64(),
        pa.float32(), pa.float64())},
    "large unsigned": lambda: pa.array([2**64 - 2, 7, 2**64 - 1, 7], pa.uint64()),
    "half": lambda: pa.array(np.array(NUMBERS, np.float16)),
    "not numbers": lambda: pa.array([5.0, float("nan"), 9.0, None]),
    "infinities": lambda: pa.array([5.0, -float("inf"), float("inf"), 2.0]),
    "bool": lambda: pa.array([False, False, True, False]),
    **{str(kind): (lambda kind=kind: pa.array([D("9.25"), D("-1.50"), D("10.25"), None], kind)) for kind in (
        pa.decimal128(10, 2), pa.decimal128(20, 10))},
    "long decimals": lambda: pa.array([D("0.3" + "0" * 30 + digit) for digit in "1291"], pa.decimal128(38, 32)),
    "date32": lambda: pa.array(DAYS, pa.date32()),
    "date64": lambda: pa.array(DAYS, pa.date64()),
    "time32": lambda: pa.array(HOURS, pa.time32("s")),
    "time64": lambda: pa.array(HOURS, pa.time64("us")),
    "timestamp": lambda: pa.array(TIMES, pa.timestamp("us")),
    "timestamp with a zone": lambda: pa.array(TIMES, pa.timestamp("ms", "Europe/Paris")),
    **{str(kind): (lambda kind=kind: pa.array(TEXTS, pa.string()).cast(kind)) for kind in (
        pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary())},
    "fixed binary": lambda: pa.array([b"mm", b"bb", b"zz", b"bb"], pa.binary(2)),
    "dictionary": lambda: pa.array(TEXTS).dictionary_encode(),
    "dictionary of numbers": lambda: pa.array(NUMBERS).dictionary_encode(),
    "dictionary of decimals": lambda: pa.DictionaryArray.from_arrays(
        pa.array([1, 0, 2, 0]), pa.array([D("1.5"), D("2.5"), D("10.5")], pa.decimal128(5, 1))),
    "null": lambda: pa.nulls(4),
    "some nulls": lambda: pa.array([None, 2, 9, None], pa.int64()),
    "list": lambda: pa.array([[1], [2, 3], [], [4]], pa.list_(pa.int32())),
    "large list": lambda: pa.array([[1], [2, 3], [], [4]], pa.large_list(pa.int32())),
    "fixed list": lambda: pa.array([[1, 2], [2, 3], [3, 1], [4, 1]], pa.list_(pa.int32(), 2)),
    "struct": lambda: pa.array([{"a": 1}, {"a": 2}, {"a": None}, {"a": 3}]),
    "lists with nulls": lambda: pa.array([[None], [2, None], None, [4]], pa.list_(pa.int32())),
}
GREATEST = {"null": 0, "list": None, "large list": None, "fixed list": None, "struct": None, "lists with nulls": None}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_to_keep_by(name: str, folder: Path) -> None:
    found = []
    for keep in ("max:c", "min:c"):
        question = Question("text", {"shingle": "words:1"}, ["one two three"] * 4, keep, COLUMNS[name]())
        found += differences(question)
        if keep == "max:c":
            [[_, _, kept]] = [one for one in by_python(question) if one[0] == "python pyarrow"]
            greatest = GREATEST.get(name, 2)
            if greatest is None:
                assert str(kept).startswith("refused: field 'c' is a"), kept
            else:
                assert kept == [greatest]
    for kind in ("strings", "sets"):
        items: list[Any] = ["one"] * 4 if kind == "strings" else [["one"]] * 4
        options: dict[str, object] = {"within": 0} if kind == "strings" else {"threshold": 1}
        found += differences(Question(kind, options, items, "max:c", COLUMNS[name]()))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_as_the_text(name: str, folder: Path) -> None:
    """A column of another type is not a text: it is rejected with row and field, or its texts are compared."""
    column = COLUMNS[name]()
    table = pa.table({"id": [f"r{i}" for i in range(4)], "c": column})
    answers: dict[str, list[str]] = {}
    question = Question("strings", {"within": 0}, [""] * 4, column=column)
    doors: dict[str, Any] = {f"path {file}": Path(file) for file in write_files(table) if HAS_PLUGIN}
    doors |= {name: source for name, source in sources(question).items() if name != "pyarrow batches"}
    for door, source in doors.items():
        try:
            answer = str(sosie.dedup(source, column="c", kind="strings", within=0).mask.tolist())
        except sosie.SosieError as error:
            answer = "refused: " + reason_in(str(error))
        answers.setdefault(answer, []).append(door)
    assert len(answers) == 1, answers


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_joined_to_the_text(name: str, folder: Path) -> None:
    """A joined number counts as written: rows that differ only in its digits are different."""
    question = Question("strings", {"within": 0}, ["same"] * 4, column=COLUMNS[name]())
    answers: dict[str, list[str]] = {}
    doors: dict[str, Any] = {f"path {file}": Path(file) for file in write_files(question.table)}
    doors |= {name: source for name, source in sources(question).items() if name != "pyarrow batches"}
    for door, source in doors.items():
        try:
            answer = str(sosie.dedup(source, column="text,c", kind="strings", within=0).mask.tolist())
        except sosie.SosieError as error:
            answer = "refused: " + reason_in(str(error))
        answers.setdefault(answer, []).append(door)
    assert len(answers) == 1, answers


def test_maps_of_counts_are_bags(folder: Path) -> None:
    """A column of maps is what JSON has as an object."""
    counts: list[Any] = [{"a": 2, "b": 1}, {"a": 2}, {"a": 2, "b": 1}, {}, None, {"c": 5, "b": 0}]
    table = pa.table({"id": [f"r{i}" for i in range(6)],
                      "text": pa.array([None if row is None else list(row.items()) for row in counts],
                                       pa.map_(pa.string(), pa.int32()))})
    Path("t.jsonl").write_text("".join(json.dumps({"id": f"r{i}", "text": row}) + "\n" for i, row in enumerate(counts)))
    pyarrow.parquet.write_table(table, "t.parquet")
    pyarrow.feather.write_feather(table, "t.arrow", compression="uncompressed")
    doors: dict[str, Any] = {"jsonl": Path("t.jsonl"), "parquet": Path("t.parquet"), "arrow": Path("t.arrow"),
                             "pyarrow": table, "sliced": pa.concat_tables([table, table]).slice(6),
                             "duckdb": duckdb.connect().from_arrow(table), "list": counts}
    for kind, measure in (("bags", "bag-jaccard"), ("sets", "jaccard")):
        answers = {door: str([row[:3] for row in sosie.pairs(source, kind=kind, column="text", measure=measure,
                                                             threshold=0.5)])
                   for door, source in doors.items() if not (door == "list" and kind == "sets")}
        assert set(answers.values()) == {answers["jsonl"]}, answers
        assert "(0, 2, 1.0)" in answers["jsonl"]
    numbered = pa.table({"text": pa.array([[(7, 2), (8, 1)], [(8, 1), (7, 2)]], pa.map_(pa.int64(), pa.int64()))})
    assert list(sosie.pairs(numbered, kind="bags", column="text", threshold=1)) == [(0, 1, 1.0)]
    path = pa.table({"text": pa.array([[("en", "one")], [("en", "one")]], pa.map_(pa.string(), pa.string()))})
    assert len(sosie.pairs(path, kind="strings", column="text.en", within=0)) == 1
