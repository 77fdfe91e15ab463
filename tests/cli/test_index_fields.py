"""`sosie index build --fields` and `query --where`: the output of a look-up, limited to items with
a given value."""

import csv
import gzip
import random
import unittest

import corpus
from support import SosieTest, read_table

KINDS = {
    "text": ("--threshold", "0.4", "--shingle", "words:2"),
    "sets": ("--threshold", "0.4"),
    "vectors": ("--threshold", "0.9"),
    "bits": ("--within", "2"),
    "strings": ("--within", "1"),
}


def items_of(kind: str, rng: random.Random) -> list:
    if kind == "text":
        texts = corpus.texts(5, 60)
        return texts + [text + " and more" for text in texts]
    if kind == "sets":
        return [[f"e{rng.randrange(12)}" for _ in range(6)] for _ in range(120)]
    if kind == "vectors":
        return [[rng.gauss(0, 1) for _ in range(3)] for _ in range(120)]
    if kind == "bits":
        return [f"{rng.randrange(256):02x}" for _ in range(120)]
    return [rng.choice(("anna", "anne", "hanna", "bob", "rob")) for _ in range(120)]


class Fields(SosieTest):
    def rows(self, kind: str) -> list[dict]:
        rng = random.Random(3)
        rows = [{"id": f"i{n}", "text": item, "lang": rng.choice(["en", "de", "a=b", 'ü"\t']), "year": 1990 + n % 3}
                for n, item in enumerate(items_of(kind, rng))]
        del rows[7]["lang"]
        return rows

    def lines(self, *args: str) -> list[tuple]:
        return [tuple(line.values()) for line in read_table(self.sosie("query", *args, code=None).out)]

    def assert_filtered(self, index: str, rows: list[dict], *options: str) -> None:
        everything = self.lines(index, "asked.jsonl", *options)
        for field, values in (("lang", ("en", "a=b", 'ü"\t', "", "none")), ("year", ("1990", "1992", "199"))):
            value_of = {row["id"]: str(row.get(field, "")) for row in rows}
            for value in values:
                self.assertEqual(self.lines(index, "asked.jsonl", "--where", f"{field}={value}", *options),
                                 [line for line in everything if value_of[line[1]] == value], (index, field, value))

    def test_a_filter_leaves_the_lines_of_its_items_for_every_kind(self):
        for kind, options in KINDS.items():
            with self.subTest(kind=kind):
                rows = self.rows(kind)
                self.write("a.jsonl", rows[:70])
                self.write("b.jsonl", rows[70:])
                self.write("asked.jsonl", rows[40:])
                index = f"{kind}.index"
                self.sosie("index", "build", index, "a.jsonl", "--kind", kind, *options, "--fields", "lang,year")
                self.assert_filtered(index, rows)
                self.sosie("index", "add", index, "b.jsonl")
                self.assert_filtered(index, rows)
                if kind in ("text", "sets"):
                    self.assert_filtered(index, rows, "--method", "exact")
                self.sosie("index", "merge", f"{kind}.merged", index)
                self.sosie("index", "compact", f"{kind}.merged")
                self.assert_filtered(f"{kind}.merged", rows)
                self.assertIn("lang,year", self.sosie("index", "info", index).out.decode())

    def test_the_best_are_those_among_the_items_that_are_left(self):
        for kind in ("sets", "strings"):
            with self.subTest(kind=kind):
                rows = self.rows(kind)
                self.write("all.jsonl", rows)
                self.write("asked.jsonl", rows)
                self.write("en.jsonl", [row for row in rows if row.get("lang") == "en"])
                for name, data in (("all", "all.jsonl"), ("en", "en.jsonl")):
                    self.sosie("index", "build", f"{kind}-{name}", data, "--kind", kind, *KINDS[kind],
                               "--fields", "lang", *(("--bands", "60x1") if kind == "sets" else ()))
                self.assertEqual(self.lines(f"{kind}-all", "asked.jsonl", "--top", "2", "--where", "lang=en"),
                                 self.lines(f"{kind}-en", "asked.jsonl", "--top", "2"))

    def test_rows_that_are_added_may_lack_a_field(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                rows = self.rows(kind)
                self.write("first.jsonl", rows[:80])
                bare = [{name: value for name, value in row.items() if name != "lang"} for row in rows[80:]]
                self.write("bare.jsonl", bare)
                self.write("asked.jsonl", rows)
                index = f"{kind}.index"
                self.sosie("index", "build", index, "first.jsonl", "--kind", kind, *KINDS[kind],
                           "--fields", "lang,year")
                self.sosie("index", "add", index, "bare.jsonl")
                self.assert_filtered(index, rows[:80] + bare)

    def test_rows_that_dedup_adds_bring_their_fields(self):
        for kind in ("text", "strings"):
            with self.subTest(kind=kind):
                rows = self.rows(kind)
                self.write("a.jsonl", rows[:1])
                self.write("asked.jsonl", rows)
                index = f"{kind}.index"
                self.sosie("index", "build", index, "a.jsonl", "--kind", kind, *KINDS[kind], "--fields", "lang,year")
                self.write("rest.jsonl", rows[1:])
                self.sosie("dedup", "rest.jsonl", "--against", index, "--add", "-o", f"kept-{kind}.jsonl")
                self.assertTrue((self.dir / f"kept-{kind}.jsonl").read_bytes())
                self.assert_filtered(index, rows)

    def test_packed_columns_are_read(self):
        rows = self.rows("text")
        with gzip.open(self.dir / "a.csv.gz", "wt", newline="") as out:
            csv.writer(out).writerows([("id", "text", "lang"), *(
                (row["id"], row["text"], "x" if n % 2 else "y") for n, row in enumerate(rows))])
        self.write("asked.jsonl", rows)
        self.sosie("index", "build", "i", "a.csv.gz", *KINDS["text"], "--fields", "lang", "--keep-items", "no")
        found = self.lines("i", "asked.jsonl", "--where", "lang=x")
        self.assertTrue(found)
        self.assertTrue(all(int(line[1][1:]) % 2 for line in found))

    def test_what_cannot_be_meant_is_refused(self):
        self.write("a.jsonl", self.rows("text"))
        build = ("index", "build", "i", "a.jsonl", *KINDS["text"])
        for fields, reason in (("lang,nix", "no row has the field 'nix'"), ("lang,lang", "twice"), ("lang,", "empty")):
            run = self.sosie(*build, "--fields", fields, code=None)
            self.assertIn(run.code, (2, 3))
            self.assertIn("--fields", run.err)
            self.assertIn(reason, run.err)
        for kind in KINDS:
            self.write("rows.jsonl", self.rows(kind))
            run = self.sosie("index", "build", "h", "rows.jsonl", "--kind", kind, *KINDS[kind], "--fields", "nix", code=3)
            self.assertIn("no row has the field 'nix'", run.err)
        self.sosie(*build, "--fields", "lang")
        for where, reason in (("lnag=en", "did you mean 'lang'?"), ("lang", "FIELD=VALUE"), ("=en", "FIELD=VALUE")):
            self.assertIn(reason, self.sosie("query", "i", "a.jsonl", "--where", where, code=2).err)
        self.assertIn("with an index", self.sosie("query", "a.jsonl", "a.jsonl", "--where", "lang=en", code=2).err)
        self.assertIn("was built with lang", self.sosie("index", "add", "i", "a.jsonl", "--fields", "year", code=2).err)
        self.sosie("index", "build", "j", "a.jsonl", *KINDS["text"])
        self.assertIn("does not store the field", self.sosie("query", "j", "a.jsonl", "--where", "lang=en", code=2).err)
        self.assertIn("--fields", self.sosie("index", "merge", "k", "i", "j", code=2).err)


if __name__ == "__main__":
    unittest.main()
