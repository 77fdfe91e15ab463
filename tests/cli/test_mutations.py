"""Randomly damaged files in every format that is read.

Whatever a file contains, there must be no crash, no hang and no silent loss. If rows can be counted
without the program, this file counts them, and the rows that the program reads, keeps, removes and
rejects must add up to that number. If the program rejects a file, it says so in one line and leaves
nothing under a final name.

Damage is generated from a seed: `damaged(name, number)` regenerates the file of a failure.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import functools
import gzip
import json
import random
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

import saved_files
from support import IN_MEMORY, SANITIZED, SOSIE, ZSTD, SosieTest, jsonl, size_of, unpack, zstd

COPIES = 40 if SANITIZED else size_of(200, 50)  # of each format
WORKERS = 2
TIMEOUT_S = 60 if SANITIZED else 20
WORDS = [f"w{number}" for number in range(40)]


def table(separator: str, rows: list[list[str]]) -> bytes:
    def cell(text: str) -> str:
        quoted = text.replace('"', '""')
        return f'"{quoted}"' if any(sign in text for sign in separator + '"\n') else text

    return "".join(separator.join(map(cell, row)) + "\n" for row in rows).encode()


@functools.cache
def whole(name: str) -> bytes:
    """A small valid file in the format indicated by the name, containing duplicates."""
    chance = random.Random(1)
    texts = [" ".join(chance.choices(WORDS, k=12)) for _ in range(9)]
    texts += [texts[0], texts[3], texts[3] + " more", 'say "hi"', "two\nlines", "a\tb, c", "é", ""]
    chance.shuffle(texts)
    if name.endswith(".txt"):
        return "".join(text.replace("\n", " ") + "\n" for text in texts).encode()
    if name.endswith(".jsonl"):
        return jsonl([{"id": f"d{number}", "text": text, "n": [number, {"x": None}]}
                      for number, text in enumerate(texts)])
    return table("\t" if name.endswith(".tsv") else ",",
                 [["id", "text"]] + [[f"d{number}", text] for number, text in enumerate(texts)])


def packed(name: str, content: bytes) -> bytes:
    """In two members, since a file may have many."""
    pack = zstd if name.endswith(".zst") else functools.partial(gzip.compress, mtime=0)
    return pack(content[:300]) + pack(content[300:])


def damaged(name: str, number: int, content: bytes | None = None) -> bytes:
    """The content of a file with one to four damages; half of the compressed files are damaged inside and
    decompress without errors."""
    if name.endswith((".gz", ".zst")) and content is None:
        plain = name.rsplit(".", 1)[0]
        if number % 2 == 0:
            return packed(name, damaged(plain, number))
        content = packed(name, whole(plain))
    chance = random.Random(f"{name} {number}")
    data = bytearray(whole(name) if content is None else content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.randint(1, 60))
        kind = chance.randrange(7)
        if kind <= 1 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:end]
        elif kind == 4:
            data[at:at] = data[at:end]
        else:
            data[at:at] = chance.choice([b"\0", b'"', b"\n", b"\r\n", b"\xff", b"\\", b"{", b",",
                                         b"\xef\xbb\xbf", b"\n" * 3, b'"' * 3])
    return bytes(data)


def damaged_numbers(name: str, number: int, content: bytes) -> bytes:
    """In every second copy, no other bytes are removed or inserted: one number becomes a large one."""
    if number % 2 == 0 or len(content) < 16:
        return damaged(name, number, content)
    chance = random.Random(f"{name} {number}")
    data = bytearray(content)
    for _ in range(chance.randint(1, 2)):
        size = chance.choice([1, 4, 8])
        at = chance.randrange(len(data) - size)
        data[at:at + size] = chance.choice([b"\xff" * size, b"\0" * size, chance.randbytes(size)])
    return bytes(data)


def lines_of(data: bytes) -> list[bytes]:
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def quoted_rows_of(data: bytes, separator: bytes) -> list[bytes]:
    """Line breaks between quotes do not end a row; quotes have a meaning only at the start of a field."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    rows, row, state = [], b"", "start of a field"
    for byte in (data[at:at + 1] for at in range(len(data))):
        row += byte
        if state == "in quotes":
            state = "behind a quote" if byte == b'"' else "in quotes"
        elif byte == b"\n":
            rows.append(row)
            row, state = b"", "start of a field"
        elif byte == separator:
            state = "start of a field"
        elif byte == b'"' and state in ("start of a field", "behind a quote"):
            state = "in quotes"
        elif byte != b"\r" or state != "behind a quote":
            state = "in a field"
    return [row for row in rows + [row] if row not in (b"", b"\n", b"\r\n", b"\r")]


def count_rows(name: str, data: bytes) -> int:
    """Number of rows in a file, good or bad."""
    if ".txt" in name:
        return len(lines_of(data))
    if ".jsonl" in name:
        return sum(1 for line in lines_of(data) if line.strip(b" \t\r"))
    rows = quoted_rows_of(data, b"\t" if ".tsv" in name else b",")
    return max(0, len(rows) - 1)  # the first is the header


class Damage(SosieTest):
    place = IN_MEMORY  # thousands of small outputs, each flushed to disk

    def for_each_copy(self, check, copies: int = COPIES) -> None:
        """Calls check(number) for each copy, two at a time; the first failure fails the test."""
        def failure_of(number: int) -> Exception | None:
            try:
                check(number)
                return None
            except Exception as failure:  # any error: it is raised where the test runs
                return failure

        with ThreadPoolExecutor(WORKERS) as pool:
            for number, failure in enumerate(pool.map(failure_of, range(copies))):
                if failure is not None:
                    raise AssertionError(f"copy {number}: {failure}") from failure

    def run_on(self, verb: str, *args: str) -> tuple[int, str]:
        """Exit code and stderr of a run that neither crashed nor hung."""
        try:
            done = subprocess.run([SOSIE, verb, *args], cwd=self.dir, env=self.environment(),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not done after {TIMEOUT_S} s: sosie {verb} {args}") from None
        err = done.stderr.decode("utf-8", "replace")
        self.assertIn(done.returncode, (0, 2, 3), err)  # never a signal or an internal error
        return done.returncode, err

    def check_refused(self, name: str, folder: str, err: str) -> None:
        """A single line that names the file, and nothing written."""
        lines = err.splitlines()
        self.assertRegex(lines[0], rf"^sosie: {name}[:/]")
        self.assertLessEqual(len(lines), 2, err)
        left = [path.name for path in (self.dir / folder).iterdir()]
        self.assertEqual(left, [], "nothing may appear when a run fails")

    def dedup(self, name: str, folder: str, *args: str) -> dict | None:
        """The counts in --stats if they add up; None if the file was rejected, as it should be."""
        (self.dir / folder).mkdir()
        code, err = self.run_on(
            "dedup", name, *args, "--removed", f"{folder}/removed.jsonl", "--rejects",
            f"{folder}/rejects.jsonl", "--stats", f"{folder}/stats.json")
        if code != 0:
            self.check_refused(name, folder, err)
            return None
        stats = json.loads(self.read(f"{folder}/stats.json"))
        self.assertEqual(stats["kept"] + stats["removed"] + stats["skipped"], stats["rows"])
        self.assertEqual(len(self.table(f"{folder}/removed.jsonl")), stats["removed"])
        # Rows that are not UTF-8 take part unless bad rows are left out; they are listed in any case.
        passed = 0 if "skip" in args else stats["ill_formed"]
        self.assertEqual(len(self.table(f"{folder}/rejects.jsonl")),
                         stats["skipped"] + passed + len(stats["damaged"]))
        return stats


class Rows(Damage):
    def check_format(self, extension: str, refusals: bool) -> None:
        """`refusals`: true if a damaged file in this format may be rejected, or read up to the damage."""
        refused = []

        def check(number: int) -> None:
            data = damaged(f"x.{extension}", number)
            name = self.write(f"{number}.{extension}", data)
            folder = f"{extension}-{number}"
            output = f"{folder}/out.{extension}".removesuffix(".gz").removesuffix(".zst")
            stats = self.dedup(name, folder, "-o", output, "--id", "row", "--on-bad-row", "skip",
                               "--threads", str(number % 2 + 1))
            if stats is None:
                refused.append(number)
                return
            self.assertEqual(stats["kept"], count_rows(output, self.read(output)))
            if stats["damaged"]:
                refused.append(number)
                return  # otherwise it can also be decompressed here
            self.assertEqual(stats["rows"], count_rows(name, unpack(name, data)))

        self.for_each_copy(check)
        self.assertLess(len(refused), COPIES * (1 if SANITIZED else 2 / 3), "rows to count")
        if COPIES >= 200:  # if there are few copies, all may be read
            self.assertEqual(bool(refused), refusals)

    def test_jsonl(self):
        self.check_format("jsonl", refusals=False)

    def test_txt(self):
        self.check_format("txt", refusals=False)

    def test_csv(self):
        self.check_format("csv", refusals=True)

    def test_tsv(self):
        self.check_format("tsv", refusals=True)

    def test_gzip(self):
        for extension in ("jsonl.gz", "txt.gz", "csv.gz", "tsv.gz"):
            with self.subTest(extension):
                self.check_format(extension, refusals=True)

    @unittest.skipUnless(ZSTD, "no zstd here")
    def test_zstd(self):
        for extension in ("jsonl.zst", "txt.zst", "csv.zst", "tsv.zst"):
            with self.subTest(extension):
                self.check_format(extension, refusals=True)

    def test_folders_of_documents(self):
        """Any bytes are a document. Each folder contains many damaged ones."""
        def check(number: int) -> None:
            names = []
            for at, text in enumerate(lines_of(whole("x.txt")) + [b""]):
                data = damaged("x.md", number * 20 + at, text * 3)
                names.append(self.write(f"docs{number}/{at}.md", data))
            stats = self.dedup(f"docs{number}", str(number), "--format", "files", "-o",
                               f"{number}/out/")
            self.assertEqual(stats["rows"], len(names))
            kept = list((self.dir / f"{number}/out").glob("[!.]*"))
            self.assertEqual(len(kept), stats["kept"])
            for path in kept:
                self.assertEqual(path.read_bytes(), self.read(f"docs{number}/{path.name}"))

        self.for_each_copy(check, COPIES // 16)


class FilesOfEarlierRuns(Damage):
    """The files that --reuse, --plan and `cluster` read."""

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", whole("x.jsonl"))
        self.rows = count_rows("in.jsonl", whole("x.jsonl"))

    def check_reading(self, made: str, *option: str, verb: str = "dedup") -> None:
        content = self.read(made)
        codes = set()
        suffix = {"dedup": ".jsonl", "cluster": ".tsv"}

        def check(number: int) -> None:
            name = self.write(f"{number}-{made}", damaged(made, number, content))
            (self.dir / str(number)).mkdir()
            args = ["cluster", name] if verb == "cluster" else [
                "dedup", "in.jsonl", *option, name, "--stats", f"{number}/stats.json"]
            code, err = self.run_on(*args, "-o", f"{number}/out" + suffix[verb])
            codes.add(code)
            if code != 0:
                self.check_refused(name, str(number), err)
            elif verb == "dedup":
                stats = json.loads(self.read(f"{number}/stats.json"))
                self.assertEqual(stats["rows"], self.rows)
                self.assertEqual(stats["kept"] + stats["removed"], self.rows)
                self.assertEqual(len(lines_of(self.read(f"{number}/out.jsonl"))), stats["kept"])

        self.for_each_copy(check)
        if COPIES >= 200:  # if there are few copies, all or none may be read
            self.assertIn(3, codes)
            self.assertIn(0, codes)

    def test_pairs(self):
        self.sosie("pairs", "in.jsonl", "--threshold", "0.1", "-o", "p.tsv")
        self.assertGreater(len(self.table("p.tsv")), 2)
        self.check_reading("p.tsv", "--threshold", "0.1", "--reuse")

    def test_pairs_for_cluster(self):
        for name in ("p.tsv", "p.csv", "p.jsonl"):
            self.sosie("pairs", "in.jsonl", "--threshold", "0.1", "-o", name)
        self.check_reading("p.csv", verb="cluster")

    def test_clusters(self):
        self.sosie("dedup", "in.jsonl", "--threshold", "0.5", "--dry-run", "--clusters", "c.tsv")
        self.assertGreater(len(self.table("c.tsv")), 3)
        self.check_reading("c.tsv", "--reuse")

    def test_plans(self):
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        self.check_reading("plan.json", "--plan")

    def check_adds_up(self, *args: str) -> int:
        """The exit code of a run whose rows, if it reports any, are all rows of the input."""
        folder = args[-1]
        (self.dir / folder).mkdir()
        code, err = self.run_on("dedup", *args[:-1], "-o", f"{folder}/out.jsonl", "--stats",
                                f"{folder}/stats.json")
        if code == 0:
            stats = json.loads(self.read(f"{folder}/stats.json"))
            self.assertEqual(stats["kept"] + stats["removed"], stats["rows"])
            self.assertLessEqual(stats["rows"], self.rows)
        else:
            self.assertEqual(list((self.dir / folder).iterdir()), [], err)
        return code

    @unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
    def test_sketches_with_right_checksums(self):
        self.sosie("plan", "in.jsonl", "--bands", "4x3", "-o", "plan.json")
        self.sosie("sketch", "in.jsonl", "--plan", "plan.json", "-o", "s.sketches")
        content = self.read("s.sketches")
        codes = set()

        def check(number: int) -> None:
            data = saved_files.repaired_sketches(damaged_numbers("s.sketches", number, content))
            name = self.write(f"{number}.sketches", data)
            codes.add(self.check_adds_up("--reuse", name, str(number)))

        self.for_each_copy(check)
        self.assertLessEqual({0, 3}, codes)

    @unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
    def test_checkpoints_with_right_checksums(self):
        run = ("in.jsonl", "--method", "lsh", "--threshold", "0.3", "--checkpoint")
        plain = self.kept(*run, "kept")
        parts = {name: saved_files.records(self.read(f"kept/{name}"))
                 for name in ("rows", "compared")}
        codes = set()

        def check(number: int) -> None:
            name = ("rows", "compared")[number % 2]
            folder = f"kept-{number}"
            for other in parts:
                self.write(f"{folder}/{other}", self.read(f"kept/{other}"))
            changed = list(parts[name])
            at = number // 2 % len(changed)
            changed[at] = damaged_numbers(name, number, changed[at])
            self.write(f"{folder}/{name}", saved_files.journal_of(changed))
            code = self.check_adds_up(*run, folder, str(number))
            codes.add(code)
            if code == 0 and name == "rows" and at > 0:
                self.assertEqual(len(lines_of(self.read(f"{number}/out.jsonl"))),
                                 len(lines_of(plain)))

        self.for_each_copy(check)
        self.assertIn(0, codes)


if __name__ == "__main__":
    unittest.main()
