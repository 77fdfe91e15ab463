"""Runs the program as a user would, and provides assertions about its outputs.

The program under test is $SOSIE_BIN, or build/release/sosie of this checkout. Every test runs in
its own folder, with its own scratch folder, and uses relative paths, so that messages and side
files show names as typed.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reference"))
import oracle  # noqa: E402  (stands in reference/)

SOSIE = Path(os.environ.get("SOSIE_BIN") or ROOT / "build" / "release" / "sosie").resolve()
if not os.access(SOSIE, os.X_OK):
    sys.exit(f"No program to test at {SOSIE.name}: build it, or set SOSIE_BIN.")

SANITIZED = bool(os.environ.get("SOSIE_SANITIZE"))  # slower, and takes more memory
DEFAULT_TIMEOUT_S = 600 if SANITIZED else 60
# $SOSIE_TESTS: "whole" runs expensive tests at full size, "data" only the tests that need complete data sets.
TESTS = os.environ.get("SOSIE_TESTS", "")
DATA = Path(os.environ["SOSIE_DATA"]) if os.environ.get("SOSIE_DATA") else None
ZSTD = shutil.which("zstd")
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # flushing is quick there
REMOVED_COLUMNS = ["id", "kept_id", "similarity", "exact", "cluster_id", "file", "row", "kept_file",
                   "kept_row"]
CLUSTERS_COLUMNS = ["id", "cluster_id", "kept", "size"]
PAIRS_COLUMNS = ["left", "right", "similarity"]


@dataclass
class Result:
    code: int
    out: bytes
    err: str

    def error_lines(self) -> list[str]:
        return self.err.splitlines()


def needs_data(name: str):
    """Decorates a test that needs a complete data set, a folder in $SOSIE_DATA. The same is also
    tested on a smaller sample in the repository, because users have no other data."""
    def decorate(test):
        test.needs_data = True
        return unittest.skipUnless(DATA and (DATA / name).is_dir(), f"SOSIE_DATA has no {name}")(test)
    return decorate


def size_of(whole, part):
    """Returns the size of an expensive test, or its number of attempts: about a quarter, unless
    $SOSIE_TESTS requests everything."""
    return whole if TESTS else part


def unescape_tsv(cell: str) -> str:
    marks = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    if cell.startswith('"'):
        assert cell.endswith('"') and len(cell) > 1, cell
        cell = cell[1:-1].replace('""', '"')
    parts = cell.split("\\\\")
    for mark, meant in marks.items():
        if mark != "\\":
            parts = [part.replace("\\" + mark, meant) for part in parts]
    return "\\".join(parts)


def without_note(data: bytes) -> bytes:
    """A pairs file as it would be on stdout: without the line that records its settings."""
    return data.partition(b"\n")[2] if data.startswith(b"#sosie ") else data


def read_table(data: bytes, extension: str = "tsv") -> list[dict]:
    """Returns the rows of a side file of any format as dicts of strings."""
    text = without_note(data).decode()
    if extension == "jsonl":
        return [{name: as_cell(value) for name, value in json.loads(line).items()}
                for line in text.split("\n")[:-1]]
    if extension == "csv":
        return list(csv.DictReader(io.StringIO(text, newline="")))
    lines = text.split("\n")
    assert lines.pop() == "", "the last line of a TSV file has a newline"
    header, *body = [[unescape_tsv(cell) for cell in line.split("\t")] for line in lines]
    assert all(len(row) == len(header) for row in body), "as many cells as the header has"
    return [dict(zip(header, row)) for row in body]


def as_cell(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def jsonl(rows: list[dict], ascii_only: bool = False) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=ascii_only).encode() + b"\n" for row in rows)


def zstd(data: bytes) -> bytes:
    return subprocess.run([ZSTD, "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def unzstd(data: bytes) -> bytes:
    return subprocess.run([ZSTD, "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def unpack(name: str, data: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.decompress(data)
    return unzstd(data) if name.endswith(".zst") else data


def documents(texts: list[str]) -> bytes:
    """JSONL with ids d0, d1, ..."""
    return jsonl([{"id": f"d{number}", "text": text} for number, text in enumerate(texts)])


class Stats:
    """The counts in `--stats FILE`."""

    def __init__(self, data: bytes):
        self.tree = json.loads(data)
        self.read = self.tree["rows"]
        self.kept = self.tree["kept"]
        self.removed = self.tree["removed"]
        self.identical = self.tree["identical"]
        self.near = self.tree["near"]
        self.skipped = self.tree["skipped"]


def first_difference(first, second) -> str:
    """Describes the first difference between two large values of the same kind."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        key = next(key for key in first if first[key] != second[key])
        return f"at {key!r}: {first_difference(first[key], second[key])}"
    if isinstance(first, (bytes, list)) and isinstance(second, type(first)):
        at = next((place for place, (one, other) in enumerate(zip(first, second))
                   if one != other), min(len(first), len(second)))
        around = slice(max(0, at - 3), at + 3) if isinstance(first, list) else slice(
            max(0, at - 60), at + 60)
        return (f"lengths {len(first)} and {len(second)}, first difference at {at}: "
                f"{first[around]!r:.600} and {second[around]!r:.600}")
    return f"{first!r:.600} and {second!r:.600}"


def instead(run: tuple, *options: str) -> tuple:
    """The command with these options and values, which replace those it has."""
    words = list(run)
    for option, value in zip(options[::2], options[1::2]):
        if option in words:
            words[words.index(option) + 1] = value
        else:
            words += [option, value]
    return tuple(words)


class SosieTest(unittest.TestCase):
    maxDiff = 4000
    place = None  # relative to the test's folder; None: the folder of temporary files

    def setUp(self):
        if TESTS == "data" and not hasattr(type(self), "needs_data") and not hasattr(
                getattr(self, self._testMethodName), "needs_data"):
            self.skipTest("needs no data set")
        self.dir = Path(tempfile.mkdtemp(prefix="cli-test-", dir=self.place))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="cli-scratch-"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    # --- files

    def write(self, name: str, content: bytes | str | list) -> str:
        """Writes a file (a list is a list of texts, or of rows) and returns its name."""
        if isinstance(content, list):
            content = jsonl(content) if content and isinstance(content[0], dict) \
                else documents(content)
        elif isinstance(content, str):
            content = content.encode()
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def read(self, name: str) -> bytes:
        return (self.dir / name).read_bytes()

    def table(self, name: str) -> list[dict]:
        return read_table(self.read(name), name.rsplit(".", 1)[1])

    def stats(self, name: str = "stats.json") -> Stats:
        return Stats(self.read(name))

    def names(self) -> set[str]:
        """Returns every existing file, so that a test can see what a run has left behind, except
        the list that a run keeps in an output folder."""
        return {str(path.relative_to(self.dir)) for path in self.dir.rglob("*")
                if not path.is_dir() and path.name != ".sosie-outputs"}

    def outputs(self, folder: str) -> list[str]:
        """The names in an output folder, without the list that a run keeps there."""
        return sorted(set(os.listdir(self.dir / folder)) - {".sosie-outputs"})

    def rows_of(self, *names: str, column: str = "text",
                id_field: str | None = None) -> list[oracle.Row]:
        return oracle.read_rows([(name, self.read(name)) for name in names], column, id_field)

    # --- runs

    def environment(self) -> dict:
        return dict(os.environ, TMPDIR=str(self.scratch), LC_ALL="C.UTF-8")

    def start(self, *args: str, **options) -> subprocess.Popen:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **options}
        return subprocess.Popen([SOSIE, *args], cwd=self.dir, env=self.environment(), **options)

    @staticmethod
    def wait_until_it_catches(process: subprocess.Popen, sign: int) -> None:
        """Before that, the signal terminates it like any other program."""
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read_text(), re.M)
            if int(caught[1], 16) >> (sign - 1) & 1:
                return
            time.sleep(0.01)

    def sosie(self, *args: str, code: int | None = 0, stdin: bytes = b"",
              timeout: float = DEFAULT_TIMEOUT_S, **options) -> Result:
        """Runs the program; `code` is the exit code it must have (None: any)."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        try:
            done = subprocess.run([SOSIE, *args], cwd=self.dir, env=self.environment(),
                                  input=stdin, timeout=timeout, **options)
        except subprocess.TimeoutExpired:
            self.fail(f"not done after {timeout} s: sosie {' '.join(args)}")
        result = Result(done.returncode, done.stdout or b"",
                        (done.stderr or b"").decode("utf-8", "replace"))
        if code is not None and result.code != code:
            self.fail(f"exit code {result.code}, not {code}: sosie {' '.join(args)}\n"
                      f"{result.err[-1500:]}")
        return result

    def kept(self, *args: str, **options) -> bytes:
        """The stdout of `dedup`."""
        return self.sosie("dedup", *args, **options).out

    def fails(self, code: int, *args: str, says: str = "", hints: str = "", **options) -> Result:
        """The run fails with `code` and one line `sosie: ...`, possibly with one line of advice."""
        result = self.sosie(*args, code=code, **options)
        lines = result.error_lines()
        self.assertTrue(lines, "an error says something")
        self.assertLessEqual(len(lines), 2, result.err)
        self.assertRegex(lines[0], r"^sosie: \S")
        if says:
            self.assertRegex(lines[0], says)
        if hints:
            self.assertRegex(result.err, hints)
        return result

    # --- comparisons

    def assertEqual(self, first, second, msg=None):
        """As usual, but for large values shows only the first difference, because a full diff takes
        minutes."""
        if first != second and len(repr(first)) + len(repr(second)) > 20_000:
            self.fail(f"{msg or 'large values differ'}: {first_difference(first, second)}")
        super().assertEqual(first, second, msg)

    def assert_similarities(self, printed: list[tuple], expected: list[tuple]):
        """Both are tuples that end with a similarity: one as printed text, one as the exact fraction."""
        self.assertEqual([row[:-1] for row in printed], [row[:-1] for row in expected])
        for row, right in zip(printed, expected):
            self.assertTrue(oracle.right_to_six_decimals(row[-1], right[-1]), (row, right))

    def assert_pairs(self, data: bytes, expected: list[tuple], extension: str = "tsv"):
        """`data` is a pairs file that contains exactly these (Row, Row, Fraction), in this order."""
        self.assert_similarities(
            [tuple(row[name] for name in PAIRS_COLUMNS) for row in read_table(data, extension)],
            [(left.id, right.id, similarity) for left, right, similarity in expected])

    def assert_removed(self, data: bytes, expected: list[tuple], extension: str = "tsv"):
        """`data` is a removed file that contains exactly these (Row, survivor, Fraction)."""
        rows = read_table(data, extension)
        self.assert_similarities(
            [(row["id"], row["kept_id"], row["cluster_id"], row["file"], row["row"],
              row["kept_file"], row["kept_row"], row["similarity"]) for row in rows],
            [(gone.id, kept.id, kept.id, gone.file, str(gone.row_of_file), kept.file,
              str(kept.row_of_file), similarity) for gone, kept, similarity in expected])
        for row, (gone, kept, similarity) in zip(rows, expected):
            if gone.text == kept.text:
                self.assertEqual(row["exact"], "true", row)
            elif similarity < 1:
                self.assertEqual(row["exact"], "false", row)
