"""`sosie plan INPUT` predicts the cost of a run to within a factor of 1.5. (For time, which depends
on the machine, see bench/plan_accuracy.py.)"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import os
import random
import re
import shutil
import struct
import unittest
from pathlib import Path

import corpus
from support import SANITIZED, SosieTest

TREE = Path(__file__).resolve().parents[2]
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
MUCH = "9G"
TINY = "3M"
HASHED = ("--method", "lsh")


def amount(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS[unit]


def apart(one: float, other: float) -> float:
    return max(one, other) / max(1, min(one, other))


class Costs(SosieTest):
    def planned(self, verb: str, *args: str) -> dict:
        text = self.sosie("plan", "--verbose", *args).out.decode()
        rows = re.search(r"(?m)^rows +(about )?([0-9,]+)(?: rows like these, about| in) (.*)$", text)
        takes = re.search(rf"(?m)^{verb} takes +(less than )?[0-9.]+ s, (.*) of memory, "
                          r"(?:no|(.*) of) scratch$", text)
        self.assertTrue(rows and takes, text)
        return {"about": bool(rows[1]), "rows": int(rows[2].replace(",", "")),
                "bytes": amount(rows[3]), "peak_memory_bytes": amount(takes[2]),
                "scratch_bytes": amount(takes[3]) if takes[3] else 0}

    def near(self, *args: str, verbs: tuple = ("dedup", "pairs"), spills: bool = False) -> None:
        for verb in verbs:
            said = self.planned(verb, *args)
            out = "out" + Path(args[0]).suffixes[0] if verb == "dedup" else "out.tsv"
            self.sosie(verb, *args, "--threads", "1", "-o", out, "--stats", "s.json")
            took = json.loads(self.read("s.json"))
            for figure in ("rows", "bytes") if "against" in took else ():
                took[figure] += took["against"][figure]
            os.remove(self.dir / out)
            for figure in ("rows", "bytes", "scratch_bytes"):
                self.assertLessEqual(apart(said[figure], took[figure]), 1.5,
                                     (verb, args, figure, said, took))
            if not SANITIZED:  # they take much more
                self.assertLessEqual(apart(said["peak_memory_bytes"], took["peak_memory_bytes"]),
                                     1.5, (verb, args, said, took))
            if spills:
                self.assertGreater(took["scratch_bytes"], 100 * took["rows"])


class WithinAFactor(Costs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        chance = random.Random(87)
        texts = corpus.texts(88, 2000) + corpus.planted_pairs(89, 1500, 90)
        chance.shuffle(texts)
        cls.rows = [{"id": i, "text": text} for i, text in enumerate(texts)]

    def test_samples(self):
        for path in sorted((TREE / "samples").glob("*.jsonl")) + [
                TREE / "tests/data/ir-plag.jsonl"]:
            shutil.copy(path, self.dir / "in.jsonl")
            for shingle in ("words:5", "chars:9"):
                self.near("in.jsonl", "--shingle", shingle, "--memory", MUCH)

    def test_texts_that_fit_and_that_do_not(self):
        self.write("in.jsonl", self.rows)
        for shingle in ("words:5", "chars:9"):
            args = ("in.jsonl", "--shingle", shingle, *HASHED)
            self.near(*args, "--memory", MUCH)
            self.near(*args, "--memory", TINY, spills=True)

    def test_packed_inputs(self):
        self.write("in.jsonl", self.rows)
        (self.dir / "in.jsonl.gz").write_bytes(gzip.compress(self.read("in.jsonl")))
        self.near("in.jsonl.gz", *HASHED, "--memory", MUCH)
        self.near("in.jsonl.gz", *HASHED, "--memory", TINY, spills=True)

    def test_sets(self):
        chance = random.Random(90)
        self.write("in.sets", "".join(
            " ".join(str(chance.randrange(5000)) for _ in range(12)) + "\n"
            for _ in range(20_000)).encode())
        self.near("in.sets", "--memory", MUCH)
        self.near("in.sets", "--method", "exact", "--threshold", "0.5", "--memory", MUCH)

    def test_rows_without_a_partner_in_a_small_collection(self):
        self.write("rows.jsonl", self.rows * 8 if SANITIZED else self.many())
        self.write("items.jsonl", [row | {"id": f"i{row['id']}"} for row in self.rows[::150]])
        for args in (("--measure", "containment", "--threshold", "0.8"), ("--threshold", "0.5")):
            self.near("rows.jsonl", "--against", "items.jsonl", *args, verbs=("pairs",))
            self.near("items.jsonl", "--against", "rows.jsonl", *args, "--memory", "16M", verbs=("pairs",))

    def many(self) -> list[dict]:
        """Rows with different words, in addition to the existing ones."""
        chance = random.Random(92)
        more = [corpus.unrelated_words(chance, chance.randrange(30, 200)) for _ in range(30_000)]
        return self.rows + [{"id": f"m{i}", "text": text} for i, text in enumerate(more)]

    def test_copies_are_not_joined(self):
        """Nine tenths of the rows are copies, or half of them copies of a single one."""
        chance = random.Random(93)
        texts = [corpus.unrelated_words(chance, 12) for _ in range(15_000)]
        for rows in (texts[:3000] * 10, texts + texts[:1] * 15_000):
            chance.shuffle(rows)
            self.write("in.jsonl", [{"id": i, "text": text} for i, text in enumerate(rows)])
            for method in (HASHED, ("--method", "exact"), ()):
                self.near("in.jsonl", *method, "--memory", MUCH, verbs=("dedup",))

    def test_items_that_rows_contain(self):
        self.write("rows.jsonl", self.many())
        self.write("items.jsonl", [row | {"id": f"i{row['id']}"} for row in self.rows[::150]])
        args = ("rows.jsonl", "--against", "items.jsonl", "--contained", "0.8")
        self.near(*args, verbs=("dedup",))
        self.assertNotIn(b"pairs takes", self.sosie("plan", "--verbose", *args).out)

    def test_strings(self):
        chance = random.Random(91)
        def name(letters: str, least: int, most: int) -> str:
            return "".join(chance.choice(letters) for _ in range(chance.randint(least, most)))
        for letters, least, most, count in (("etaoinshr", 5, 20, 60_000), ("ACGT", 150, 150, 40_000),
                                            ("\u4e00\u4e8c\u4e09\u56db\u4e94", 3, 9, 20_000)):
            rows = [name(letters, least, most) for _ in range(count)]
            self.write("in.txt", ("\n".join(rows + rows[: count // 10]) + "\n").encode())
            for within in ("1", "2"):
                self.near("in.txt", "--kind", "strings", "--within", within, "--memory", MUCH)

    def test_methods_that_are_asked_for(self):
        self.write("in.jsonl", self.rows)
        for method in ("exact", "lsh", "brute"):
            self.near("in.jsonl", "--method", method, "--memory", MUCH)
        self.near("in.jsonl", "--bands", "20x5", "--memory", MUCH)


class Rows(Costs):
    """With more data than is examined."""

    def lines(self) -> list[str]:
        """Long texts after short ones."""
        chance = random.Random(91)
        long_text = corpus.unrelated_words(chance, 400)
        short = [f"{chance.randrange(10**6)} {long_text[:90]}" for _ in range(60_000)]
        return short + [f"{chance.randrange(10**6)} {long_text}" for _ in range(15_000)]

    def test_rows_are_estimated_all_over_the_input(self):
        self.write("in.jsonl", "".join(f'{{"text": "{line}"}}\n' for line in self.lines()).encode())
        self.assertGreater((self.dir / "in.jsonl").stat().st_size, 40 << 20)
        said = self.planned("dedup", "in.jsonl")
        self.assertTrue(said["about"])
        self.assertLess(apart(said["rows"], 75_000), 1.2)
        self.assertEqual(round(said["bytes"] / 1e5), round(len(self.read("in.jsonl")) / 1e5))

    def test_rows_of_several_files_with_quotes_are_estimated(self):
        lines = self.lines()
        for name, part in (("a.csv", lines[:60_000]), ("b.csv", lines[60_000:])):
            self.write(name, ("text\n" + "".join(f'"{line}\n"\n' for line in part)).encode())
        said = self.planned("dedup", "a.csv", "b.csv")
        self.assertLess(apart(said["rows"], 75_000), 1.2)

    def test_runs_on_more_rows_are_predicted_from_some(self):
        texts = corpus.texts(95, 8_000)
        self.write("some.jsonl", texts[:2_000])
        self.write("all.jsonl", texts)
        whole = self.planned("dedup", "all.jsonl", *HASHED)
        said = self.planned("dedup", "some.jsonl", "--rows", "8e3", *HASHED)
        self.assertEqual(said["rows"], 8_000)
        for options in ((), HASHED, ("--bands", "16x6")):
            as_it_is, as_many = (self.sosie("plan", "some.jsonl", *options, *more).out.decode().splitlines()
                                 for more in ((), ("--rows", "2000")))
            self.assertEqual(as_many[2:4], as_it_is[2:4], options)  # method, recall
        for figure in ("bytes", "peak_memory_bytes"):
            self.assertLessEqual(apart(said[figure], whole[figure]), 1.5, figure)
        text = self.sosie("plan", "some.jsonl", "--rows", "1e10", "--memory", "64G", *HASHED,
                          "--cores", "64").out.decode()
        self.assertRegex(text, r"h of CPU time for 10,000,000,000 rows like these, about [0-9.]+ TB; "
                               r"with 64 cores: ")
        self.assertNotIn("4,294,967,294", text)  # lsh takes any number
        for method, way in (("exact", "--method lsh supports any number"),):
            text = self.sosie("plan", "some.jsonl", "--rows", "1e10", "--method", method).out.decode()
            self.assertIn(f"this method supports up to 4,294,967,294 rows: {way}", text)

    def test_cores_are_told_for_every_kind_and_form(self):
        self.write("in.jsonl", corpus.texts(98, 60))
        self.write("v.fvecs", struct.pack("<i2fi2f", 2, 0, 1, 2, 1, 0))
        for args in (("in.jsonl",), ("in.jsonl", "--verbose"), ("in.jsonl", "--kind", "strings", "--within", "1"),
                     ("v.fvecs", "--threshold", ".9")):
            out = self.sosie("plan", *args, "--cores", "4").out.decode()
            self.assertRegex(out, r"(?m)^time .*; with 4 cores: ", args)

    def test_machines_share_sketching_and_matching(self):
        """More machines take less time, but never less than the run that combines the parts."""
        self.write("in.jsonl", corpus.texts(98, 60))
        seconds = []
        for machines in ("1", "4", "64"):
            said = self.sosie("plan", "in.jsonl", "--rows", "1e9", *HASHED, "--cores", "16",
                              "--machines", machines).out.decode()
            found = re.search(r"; with 16 cores: .*; dedup in parts on (\d+) machines? of 16 cores: "
                              r"([0-9.,]+) (s|h)\n", said)
            self.assertEqual(found[1], machines)
            seconds.append(float(found[2].replace(",", "")) * (3600 if found[3] == "h" else 1))
        self.assertGreater(seconds[0], 1.5 * seconds[1])
        self.assertGreater(seconds[1], seconds[2])
        self.fails(2, "plan", "in.jsonl", "--machines", "3", "--method", "exact",
                   says="only lsh runs can be matched in parts", hints="--method lsh")
        self.fails(2, "plan", "in.jsonl", "--machines", "0", says="from 1 to 100000")
        self.fails(2, "plan", "--machines", "4", says="without rows there is no time to predict")

    def test_rows_that_cannot_be_predicted(self):
        self.write("in.csv", b"text\na\n")
        self.write("v.csv", b"vector\n1 2\n")
        self.fails(2, "plan", "--rows", "9", says="needs input rows")
        self.fails(2, "plan", "in.csv", "--rows", "1.5", says="such as 250000 or 1e10")
        self.fails(2, "plan", "in.csv", "--rows", "0", says="such as 250000 or 1e10")
        self.fails(2, "plan", "in.csv", "--cores", "0", says="from 1 to 100000")
        self.fails(2, "plan", "--cores", "4", says="without rows there is no time to predict")
        self.fails(2, "plan", "in.csv", "--kind", "strings", "--within", "1", "--rows", "9",
                   says="does not apply to strings")
        self.fails(2, "plan", "in.csv", "--construct", "and:2,or:3,and:2", "--rows", "9",
                   says="cannot be combined with --construct")
        self.write("none.csv", b"text\n")
        self.fails(3, "plan", "none.csv", "--rows", "9", says="no rows to extrapolate from")

    def test_few_rows_are_counted(self):
        texts = corpus.texts(92, 700)
        self.write("in.jsonl", texts)
        self.assertEqual(self.planned("dedup", "in.jsonl")["rows"], 700)
        self.write("in.csv", ("text\n" + "".join(f'"a {i}\nb"\n' for i in range(300))).encode())
        said = self.planned("dedup", "in.csv")
        self.assertEqual((said["rows"], said["about"]), (300, False))

    def test_documents_are_counted(self):
        (self.dir / "docs").mkdir()
        for i, text in enumerate(corpus.texts(93, 60)):
            (self.dir / "docs" / f"{i}.md").write_text(text)
        self.assertEqual(self.planned("dedup", "docs", "--format", "files")["rows"], 60)

    def test_no_rows(self):
        self.write("in.jsonl", b"\n\n")
        self.assertEqual(self.planned("dedup", "in.jsonl")["rows"], 0)
        self.write("in.jsonl", b"")
        self.assertEqual(self.planned("pairs", "in.jsonl")["rows"], 0)

    def test_bad_rows_are_counted(self):
        self.write("in.jsonl", b'{"text": "a b c d e f"}\n{broken\n{"text": 7}\n')
        skip = ("--on-bad-row", "skip")
        self.assertEqual(self.planned("dedup", "in.jsonl", *skip)["rows"], 3)
        self.fails(3, "plan", "in.jsonl", says="in.jsonl:2: broken JSON")  # as the run

    def test_the_same_is_said_for_any_number_of_threads(self):
        self.write("in.jsonl", corpus.texts(94, 3000))
        said = {self.sosie("plan", "--verbose", "in.jsonl", "--memory", "1G", "--threads", threads).out
                for threads in ("1", "2", "7")}
        self.assertEqual(len(said), 1)

    def test_nothing_is_said_without_input(self):
        self.assertNotIn(b"takes", self.sosie("plan").out)


if __name__ == "__main__":
    unittest.main()
