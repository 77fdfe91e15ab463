"""Items with nothing to compare are kept, counted, and in no pair, for every kind, verb and
format."""

import json
import unittest
from pathlib import Path

from support import SosieTest, jsonl

TEXTS = ["one two three four five six", "one two three four five six"]
STRINGS = ["anna@mail.example", "anna@mail.example", "anne@mail.example"]
SETS = [["a", "b"], ["b", "a"]]
VECTORS = [[1, 2, 3], [1, 2, 3], [1, 2, 4]]
BITS = ["ff00", "ff00", "ff01"]
BLANK = ["", " \t", "\u00a0\u3000"]

# Kind, options, items of which the first two are equal, and values with nothing to compare.
KINDS = (
    ("text", (), TEXTS, [*BLANK, "...", None]),
    ("text", ("--shingle", "chars:4"), TEXTS, [*BLANK, None]),
    ("sets", (), SETS, [[], "", None]),
    ("bags", ("--measure", "bag-jaccard"), SETS, [[], {"a": 0}, None]),
    ("strings", ("--within", "1"), STRINGS, [*BLANK, None]),
    ("strings", ("--within", "30"), STRINGS, [*BLANK, None]),
    ("strings", ("--threshold", "0.9"), STRINGS, [*BLANK, None]),
    ("strings", ("--within", "1", "--clean", "alnum"), STRINGS, [*BLANK, "?!", "_", None]),
    ("strings", ("--within", "1", "--clean", "fold", "--method", "brute"), STRINGS, [*BLANK, None]),
    ("vectors", ("--threshold", "0.99"), VECTORS, [[], "", " ", None]),
    ("vectors", ("--measure", "euclidean", "--within", "100"), VECTORS, [[], "", None]),
    ("bits", ("--within", "1"), BITS, ["", "0x", " ", None]),
    ("bits", ("--within", "16"), BITS, ["", None]),
    ("bits", ("--measure", "jaccard", "--threshold", "0.9"), BITS, ["", "0000", None]),
)


def mixed(items: list, empties: list) -> list:
    """Two empty ones come first, the others between and after the items; each occurs at least twice."""
    return [*empties[:2], *items, *empties, *empties]


class Empties(SosieTest):
    def rows(self, items: list, empties: list) -> tuple[int, set[str]]:
        """Writes in.jsonl; returns the number of rows with nothing to compare, and the names of the others."""
        all_items = mixed(items, empties)
        self.write("in.jsonl", jsonl([{"id": f"r{i}", "text": item} for i, item in enumerate(all_items)]))
        first = len(empties[:2])
        return len(all_items) - len(items), {f"r{first + i}" for i in range(len(items))}

    def each(self):
        for kind, options, items, empties in KINDS:
            count, others = self.rows(items, empties)
            yield ("--kind", kind, *options), count, others

    def named(self, out: bytes) -> set[str]:
        """Returns the ids in both columns of a table of pairs."""
        return {name for line in out.decode().splitlines()[1:] for name in line.split("\t")[:2]}

    def test_dedup_keeps_and_counts_them(self):
        for args, count, others in self.each():
            done = self.sosie("dedup", "in.jsonl", *args, "--removed", "r.jsonl", "--clusters", "c.tsv",
                              "--pairs", "p.tsv", "--stats", "s.json")
            removed = [json.loads(line) for line in self.read("r.jsonl").splitlines()]
            self.assertTrue({row["id"] for row in removed} <= others and removed, removed)
            self.assertEqual(json.loads(self.read("s.json"))["empty"], count)
            self.assertRegex(done.err, f"{count} (rows without a|empty sets)")
            self.assertTrue(self.named(self.read("p.tsv").split(b"\n", 1)[1]) <= others)
            self.assertTrue({line.split(b"\t")[0].decode() for line in self.read("c.tsv").splitlines()[1:]} <= others)

    def test_components_and_reuse_and_annotate_keep_them(self):
        for args, count, others in self.each():
            star = self.sosie("dedup", "in.jsonl", *args, "-q", "--pairs", "p.tsv", "--clusters", "c.tsv").out
            for more in (("--clustering", "components"), ("--reuse", "p.tsv"), ("--reuse", "c.tsv"),
                         ("--threads", "7"), ("--memory", "256M")):
                kept = self.sosie("dedup", "in.jsonl", *args, "-q", *more).out
                self.assertTrue(kept.count(b"\n") >= count + 1, more)
                if more[0] != "--clustering":
                    self.assertEqual(kept, star, more)
            rows = self.sosie("dedup", "in.jsonl", *args, "-q", "--annotate", "all").out.splitlines()
            for row in map(json.loads, rows):
                self.assertTrue(row["id"] in others or row["duplicate_of"] is None, row)

    def test_they_are_in_no_pair(self):
        for args, _, others in self.each():
            for verb in (("pairs", "in.jsonl"), ("pairs", "in.jsonl", "--against", "in.jsonl"),
                         ("query", "in.jsonl", "in.jsonl")):
                named = self.named(self.sosie(*verb, *args, "-q").out)
                self.assertTrue(len(named) >= 2 and named <= others, (verb, named))

    def test_they_are_nearest_to_nothing(self):
        for args, _, others in self.each():
            if "--within" in args or "--threshold" in args:
                at = args.index("--within" if "--within" in args else "--threshold")
                args = args[:at] + args[at + 2:]
            for verb in (("pairs", "in.jsonl", "--top", "9"), ("query", "in.jsonl", "in.jsonl", "--top", "9")):
                named = self.named(self.sosie(*verb, *args, "-q").out)
                self.assertTrue(len(named) >= 2 and named <= others, (verb, named))

    def test_a_stream_answers_nothing_for_them(self):
        for args, count, others in self.each():
            piped = self.sosie("query", "in.jsonl", "-", *args, "--stats", "s.json", stdin=self.read("in.jsonl"))
            # A stream has no ids until a row has one; these rows have ids.
            self.assertEqual(piped.out, self.sosie("query", "in.jsonl", "in.jsonl", *args, "-q").out)
            self.assertEqual(json.loads(self.read("s.json"))["empty"], count)

    def test_all_of_them_alone(self):
        for kind, options, _, empties in KINDS:
            with self.subTest(kind=kind, options=options):
                self.rows([], empties)
                args = ("--kind", kind, *options)
                self.assertEqual(self.sosie("dedup", "in.jsonl", *args, "-q").out, self.read("in.jsonl"))
                self.assertEqual(self.sosie("pairs", "in.jsonl", *args, "-q").out.count(b"\n"), 1)

    def test_an_index_holds_them_and_finds_none(self):
        for number, (args, count, others) in enumerate(self.each()):
            index = f"{number}.index"
            self.sosie("index", "build", index, "in.jsonl", *args, "-q")
            named = self.named(self.sosie("query", index, "in.jsonl", "-q").out)
            self.assertTrue(len(named) >= 2 and named <= others, named)
            new = self.sosie("dedup", "in.jsonl", "--against", index, "-q").out
            self.assertEqual(new.count(b"\n"), count)

    def test_explain_says_so(self):
        for args, _, others in self.each():
            said = self.sosie("explain", "r0", min(others), "in.jsonl", *args).out
            self.assertRegex(said, b"kept: a[n]? .* is not compared")
            self.assertRegex(said, b"no: a[n]? .* is compared with nothing")

    def test_a_cell_of_csv_and_tsv(self):
        for kind, options, items in (("strings", ("--within", "1"), STRINGS), ("bits", ("--within", "1"), BITS),
                                     ("vectors", ("--threshold", "0.9"), ["1 2 3", "1 2 3"]),
                                     ("text", (), TEXTS), ("sets", (), ["a b", "b a"])):
            for name, mark in (("in.csv", ","), ("in.tsv", "\t")):
                cells = ["", "  ", *items, "", "  "]
                rows = [f"{i}{mark}{cell}" for i, cell in enumerate(cells)]
                self.write(name, "\n".join([f"id{mark}text", *rows]) + "\n")
                kept = self.sosie("dedup", name, "--kind", kind, *options, "-q").out.decode().splitlines()
                self.assertTrue({rows[0], rows[1], rows[-2], rows[-1]} <= set(kept), (kind, kept))
                self.assertLess(len(kept), 1 + len(rows))

    def test_another_collection_without_rows_is_told(self):
        self.write("in.jsonl", ["one two", "three four"])
        self.write("in.csv", "id,name\n1,Ann\n2,Bert\n")
        for name, content in (("none.jsonl", b""), ("none.csv", b"id,text,name\n")):
            self.write(name, content)
            self.assertIn("note: --against has no rows, so no row is removed for it\n",
                          self.sosie("dedup", "in.jsonl", "--against", name).err)
            self.assertIn("note: --against has no rows, so there are no pairs\n",
                          self.sosie("pairs", "in.jsonl", "--against", name).err)
            self.assertIn("note: DATA has no rows, so nothing is found there\n",
                          self.sosie("query", name, "in.jsonl", code=1).err)
            self.assertEqual(self.sosie("dedup", "in.jsonl", "--against", name, "-q").err, "")
        self.assertIn("--against has no rows, so there are no links",
                      self.sosie("link", "in.csv", "--against", "none.csv").err)
        self.assertNotIn("has no rows", self.sosie("dedup", "in.jsonl", "--against", "in.jsonl").err)

    def test_joined_columns_that_are_all_empty(self):
        self.write("in.csv", "a,b\n,\n,\nx,\n,x\nx,\n")
        kept = self.sosie("dedup", "in.csv", "--column", "a,b", "--kind", "strings", "--within", "0", "-q").out
        self.assertEqual(kept, b"a,b\n,\n,\nx,\n,x\n")

    def test_empty_lines_of_text(self):
        self.write("in.txt", b"ab\n\nab\n\n \n")
        done = self.sosie("dedup", "in.txt", "--kind", "strings", "--within", "2")
        self.assertEqual(done.out, b"ab\n\n\n \n")
        self.assertIn("3 rows without a string (kept)", done.err)


if __name__ == "__main__":
    unittest.main()
