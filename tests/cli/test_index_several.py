"""Several indexes as one: `query A,B`, `--against A,B` and `serve A B` answer like a single index
of both."""

# slow: three indexes of each kind for every test.

import json
import random
import shutil
import unittest

import corpus
from report_pages import Report
from support import SosieTest, jsonl

BOTH = "one.index,two.index"
ALL = "all.index"


class SeveralTest(SosieTest):
    build_options: tuple = ("--threshold", "0.5")
    compared = (("--top", "2"), ("--exclude-self",), ("--threads", "3"))

    def rows_of(self, rng: random.Random) -> list[dict]:
        texts = corpus.texts(72, 400)
        return [{"id": f"d{number}", "text": text, "kind": f"k{number % 3}"}
                for number, text in enumerate(texts)]

    def setUp(self):
        super().setUp()
        self.rows = self.rows_of(random.Random(19))
        asked = [{**row, "id": f"a{n}"} for n, row in enumerate(self.rows[100:140])]
        self.write("asked.jsonl", self.rows[120:200] + asked)
        self.build_both(self.rows)

    def build(self, index: str, rows: list[dict], *options: str) -> None:
        shutil.rmtree(self.dir / index, ignore_errors=True)
        self.write("rows.jsonl", jsonl(rows))
        self.sosie("index", "build", index, "rows.jsonl", *self.build_options, *options)

    def build_both(self, rows: list[dict], *options: str) -> None:
        """The first index gets some rows later; the index of all rows gets the same rows, in a single order."""
        self.build("one.index", rows[:90], *options)
        self.write("more.jsonl", jsonl(rows[90:110]))
        self.sosie("index", "add", "one.index", "more.jsonl")
        self.build("two.index", rows[110:220], *options)
        self.build(ALL, rows[:220], *options)

    def sure(self, *args: str) -> bytes:
        done = self.sosie(*args, code=None)
        self.assertIn(done.code, (0, 1), done.err)
        return done.out

    def expect_same(self, *options: str) -> bytes:
        """The lines of query and pairs are equal, and so are the outputs of dedup, except for the index's path."""
        query = self.sure("query", ALL, "asked.jsonl", *options)
        self.assertEqual(self.sure("query", BOTH, "asked.jsonl", *options), query)
        if {"--exclude-self", "--where"} & {*options}:  # options of query alone
            return query
        pairs = self.sure("pairs", "asked.jsonl", "--against", ALL, *options)
        self.assertEqual(self.sure("pairs", "asked.jsonl", "--against", BOTH, *options), pairs)
        self.assertEqual(self.sure("pairs", "asked.jsonl", "--against", "one.index", "--against",
                                   "two.index", *options), pairs)
        self.assertGreater(pairs.count(b"\n"), 1)
        return query

    def dedup(self, index: str, *options: str) -> list[bytes]:
        self.sosie("dedup", "asked.jsonl", "--against", index, "-o", "kept.jsonl", "--removed",
                   "removed.tsv", "--clusters", "clusters.tsv", "--overwrite", *options)
        return [self.read("kept.jsonl"), self.read("removed.tsv").replace(index.encode(), b"INDEX"),
                self.read("clusters.tsv").replace(index.encode(), b"INDEX")]


class Cases:  # base classes that unittest must not run
    class EachKind(SeveralTest):
        def test_answers_are_those_of_one_index_of_all(self):
            self.assertGreater(self.expect_same().count(b"\n"), 100)
            for options in self.compared:
                with self.subTest(options=options):
                    self.assertGreater(self.expect_same(*options).count(b"\n"), 30)
            self.write("asked.jsonl", jsonl(self.rows[150:153]))
            self.expect_same()

        def test_dedup_removes_the_same_rows(self):
            one = self.dedup(ALL)
            self.assertEqual(self.dedup(BOTH), one)
            self.assertGreater(one[1].count(b"\n"), 60)

        def test_items_that_are_named_by_numbers(self):
            rows = [{"text": row["text"]} for row in self.rows]
            self.write("asked.jsonl", jsonl(rows[120:200]))
            self.build_both(rows)
            self.assertGreater(self.expect_same().count(b"\n"), 50)
            self.expect_same("--exclude-self")
            self.assertEqual(self.dedup(BOTH), self.dedup(ALL))

        def test_an_id_that_two_indexes_have_is_told_once(self):
            row = self.rows[130]
            self.build("one.index", [*self.rows[:90], row, self.rows[131]])
            self.write("asked.jsonl", jsonl([row, self.rows[131], row | {"id": "again"}]))
            found = self.sosie("query", BOTH, "asked.jsonl", "-q")
            lines = [line.split("\t")[:2] for line in found.out.decode().splitlines()]
            self.assertEqual(lines.count([row["id"], row["id"]]), 2)
            told = self.sosie("query", BOTH, "asked.jsonl").err
            first = f"id '{row['id']}' is in one.index and in two.index (1 more id likewise): look-ups"
            self.assertEqual(told.count(first), 1)
            alone = self.sosie("query", BOTH, "asked.jsonl", "--exclude-self", code=None).out.decode()
            self.assertNotIn(f"{row['id']}\t{row['id']}\t", alone)


class Texts(Cases.EachKind):
    compared = (*Cases.EachKind.compared, ("--show", "kind"), ("--where", "kind=k1"),
                ("--method", "exact"), ("--threshold", "0.7"), ("--memory", "1M"))

    def build(self, index: str, rows: list[dict], *options: str) -> None:
        fields = ("--fields", "kind") if "kind" in rows[0] else ()
        super().build(index, rows, *fields, *options)

    def test_items_that_are_not_kept_are_read_again(self):
        self.write("a.jsonl", jsonl(self.rows[:110]))
        self.write("b.jsonl", jsonl(self.rows[110:220]))
        for name, inputs in (("one", ["a.jsonl"]), ("two", ["b.jsonl"]), ("all", ["a.jsonl", "b.jsonl"])):
            shutil.rmtree(self.dir / f"{name}.index", ignore_errors=True)
            self.sosie("index", "build", f"{name}.index", *inputs, *self.build_options, "--keep-items", "no")
        self.assertGreater(self.expect_same().count(b"\n"), 100)
        self.expect_same("--method", "exact")
        self.assertEqual(self.dedup(BOTH), self.dedup(ALL))

    def test_reports_and_audits_are_of_all_items(self):
        pages = {}
        for index in (ALL, BOTH):
            self.sosie("dedup", "asked.jsonl", "--against", index, "-o", "kept.jsonl", "--report",
                       "page.html", "--stats", "stats.json", "--audit=50", "--overwrite")
            page = Report(self.read("page.html").replace(index.encode(), b"INDEX"))
            pages[index] = str(page.closest) + str([group["members"][0] for group in page.data["groups"]])
            stats = json.loads(self.read("stats.json"))
            pages[index, "audit"] = {**stats["audit"], "seconds": 0}
            self.assertEqual(stats["against"]["rows"], 220)
        self.assertEqual(pages[ALL, "audit"], pages[BOTH, "audit"])
        self.assertGreater(pages[ALL].count("d1"), 10)
        self.assertEqual(pages[ALL].count("d1"), pages[BOTH].count("d1"))

    def test_indexes_of_other_plans_and_kinds_are_refused(self):
        self.build("plan.index", self.rows[:50], "--bands", "40x2")
        self.fails(2, "query", "one.index,plan.index", "asked.jsonl", says=r"plan\.index.*one\.index")
        self.build("shingles.index", self.rows[:50], "--shingle", "words:2")
        self.fails(2, "pairs", "asked.jsonl", "--against", "one.index,shingles.index",
                   says=r"shingles\.index.*one\.index")
        self.write("names.txt", "anna\nbert\n")
        self.sosie("index", "build", "names.index", "names.txt", "--kind", "strings", "--within", "1")
        self.fails(2, "dedup", "asked.jsonl", "--against", "one.index,names.index", "-o", "kept.jsonl",
                   says=r"names\.index: holds other items, one\.index holds sets")

    def test_one_index_is_not_named_twice(self):
        self.fails(2, "query", "one.index,one.index", "asked.jsonl", says="one.index: this index is given twice")
        (self.dir / "link.index").symlink_to("one.index")
        self.fails(2, "pairs", "asked.jsonl", "--against", "link.index", "--against", "one.index",
                   says="one.index and link.index are the same index|link.index and one.index are the same index")

    def test_rows_are_added_to_one_index(self):
        self.fails(2, "dedup", "asked.jsonl", "--against", BOTH, "--add", "-o", "kept.jsonl",
                   says="--add.* adds rows to a single index, but 2 are given",
                   hints=r"-o NEW, then: sosie index add two\.index NEW")

    def test_paths_that_are_not_indexes(self):
        self.fails(4, "query", "one.index,nothing", "asked.jsonl", says="nothing: No such file")
        self.fails(2, "pairs", "asked.jsonl", "--against", "one.index", "--against", "rows.jsonl",
                   says="rows.jsonl.*is not an index")
        for names in ("one.index,", ",one.index", "one.index,,two.index"):
            self.fails(2, "query", names, "asked.jsonl", says=f"{names}: an index has no name", hints="A,B")
        shutil.copytree(self.dir / ALL, self.dir / "one.index,all")
        self.assertEqual(self.sure("query", "one.index,all", "asked.jsonl"),
                         self.sure("query", ALL, "asked.jsonl"))

    def test_many_rows_are_looked_up_as_few_are(self):
        """Rows are looked up together if a block has 64 or more."""
        self.write("asked.jsonl", jsonl(self.rows))
        for index in (ALL, BOTH):
            lines = self.sure("query", index, "asked.jsonl").splitlines()[1:]
            alone = []
            for begin in range(0, 400, 50):
                self.write("few.jsonl", jsonl(self.rows[begin:begin + 50]))
                alone += self.sure("query", index, "few.jsonl").splitlines()[1:]
            self.assertEqual(lines, alone)


class Sets(Cases.EachKind):
    build_options = ("--kind", "sets", "--threshold", "0.4")

    def rows_of(self, rng):
        return [{"id": f"s{n}", "text": rng.sample("abcdefghijkl", 6)} for n in range(220)]


class Bags(Sets):
    build_options = ("--kind", "bags", "--threshold", "0.4")


class Vectors(Cases.EachKind):
    build_options = ("--kind", "vectors", "--threshold", "0.8")

    def rows_of(self, rng):
        centres = [[rng.gauss(0, 1) for _ in range(8)] for _ in range(12)]
        return [{"id": f"v{n}", "text": [round(x + rng.gauss(0, .4), 3) for x in rng.choice(centres)]}
                for n in range(220)]


class HashedVectors(Vectors):
    build_options = ("--kind", "vectors", "--threshold", "0.8", "--bands", "20x4", "--family", "hyperplane")


class Bits(Cases.EachKind):
    build_options = ("--kind", "bits", "--within", "3")

    def rows_of(self, rng):
        centres = [rng.getrandbits(64) for _ in range(30)]
        return [{"id": f"b{n}", "text": f"{rng.choice(centres) ^ (1 << rng.randrange(64)):016x}"}
                for n in range(220)]


class Strings(Cases.EachKind):
    build_options = ("--kind", "strings", "--within", "2")

    def rows_of(self, rng):
        return [{"id": f"n{n}", "text": "".join(rng.choices("abc", k=6))} for n in range(220)]


if __name__ == "__main__":
    unittest.main()
