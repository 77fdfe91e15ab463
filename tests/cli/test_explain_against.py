"""`sosie explain` for a row in INPUT and an item in `--against OTHER`."""

import random
import unittest

from measured_rows import npy
from support import jsonl
from test_explain import Pages

WORDS = [f"w{number}" for number in range(2000)]


class OfTexts(Pages):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        self.texts = [" ".join(draw.choices(WORDS, k=40)) for _ in range(60)]
        items = [text if number % 2 else " ".join(text.split()[5:25])
                 for number, text in enumerate(self.texts[:20])]
        self.write("in.jsonl", [{"id": f"r{number}", "text": text}
                                for number, text in enumerate(self.texts)])
        self.write("eval.jsonl", [{"qid": f"q{number}", "question": text}
                                  for number, text in enumerate(items)])

    OTHER = ("--against", "eval.jsonl", "--other-column", "question", "--other-id", "qid")

    def explained(self, left: str, right: str, *options: str) -> str:
        return self.page(left, right, "in.jsonl", *self.OTHER, *options)

    def test_every_line_of_removed_can_be_asked_about(self):
        for options in ((), ("--contained", "0.8"), ("--threshold", "0.3"),
                        ("--clustering", "components"), ("--method", "lsh")):
            self.sosie("dedup", "in.jsonl", *self.OTHER, *options, "--removed", "removed.tsv", "-o",
                       "kept.jsonl")
            rows = self.table("removed.tsv")
            self.assertLessEqual(10, len(rows), options)
            for row in rows[:12]:
                page = self.explained(row["id"], row["kept_id"], *options)
                self.assertIn("Left is removed because of right, an item of --against.",
                              page.splitlines()[0])
                self.assertIn(f"similarity   {row['similarity']}", page)
                self.assertIn(f"eval.jsonl:{int(row['kept_row']) + 1}", self.fact(page, "right"))
                self.assertIn("an item of --against; 1 row is removed for it",
                              self.fact(page, "right", nth=1))

    def test_contained_says_how_much_of_the_item_the_row_holds(self):
        page = self.explained("r2", "q2", "--contained", "0.9")
        self.assertTrue(page.startswith("Left holds right: 1.000000 of its shingles, --contained 0.9."))
        self.assertIn("removed: holds 1.000000 of the shingles of right", page)
        self.assertTrue(self.explained("q2", "r2", "--contained", "0.9")
                        .startswith("Right holds left: "))
        self.assertTrue(self.explained("r3", "q2", "--contained", "0.9")
                        .startswith("Left does not hold right: 0.000000 of its shingles"))
        self.assertIn("compares rows only with items of --against",
                      self.explained("r2", "r3", "--contained", "0.9"))
        # A row is not removed because an item contains it.
        self.write("short.jsonl", [{"id": "s", "text": " ".join(self.texts[1].split()[:10])}])
        page = self.page("s", "q1", "short.jsonl", *self.OTHER, "--contained", "0.9")
        self.assertIn("Left does not hold right", page)
        self.assertIn("Left is kept.", page)
        self.assertIn("needs --against", self.fails("r1", "r2", "in.jsonl", "--contained", ".9", code=2))

    def fails(self, *args: str, code: int) -> str:
        return self.sosie("explain", *args, code=code).err

    def test_ids_are_looked_for_on_their_side_first_and_marks_say_which(self):
        page = self.page("3", "3", "in.jsonl", "--against", "eval.jsonl", "--other-column", "question",
                         "--id", "row")
        self.assertIn("in.jsonl:4", self.fact(page, "left"))
        self.assertIn("eval.jsonl:4", self.fact(page, "right"))
        self.assertEqual(self.explained("a:r3", "b:q3"), self.explained("r3", "q3"))
        self.assertEqual(self.explained("b:q3", "a:r3"), self.explained("q3", "r3"))
        self.assertIn("in.jsonl:5", self.fact(self.explained("r3", "r4"), "right"))
        self.assertIn("not compared with each other", self.explained("q3", "q4"))

    def test_an_id_that_is_not_there_gets_the_nearest_of_its_side(self):
        said = self.fails("r3", "q33", "in.jsonl", *self.OTHER, code=3)
        self.assertIn("no row of --against has the id 'q33'", said)
        self.assertIn("did you mean 'q3'?", said)
        said = self.fails("a:q3", "q3", "in.jsonl", *self.OTHER, code=3)
        self.assertIn("no row has the id 'q3'", said)
        said = self.fails("r3", "x", "in.jsonl", "--against", "eval.jsonl", "--other-column", "question",
                          code=3)
        self.assertIn("rows are identified by their numbers here, 0 to 19; --other-id FIELD", said)

    def test_rows_of_two_collections_are_texts_unless_an_option_says_records(self):
        self.write("a.csv", "id,name\n1,x\n3,y\n")
        self.write("b.csv", "id,name\n2,x\n4,z\n")
        said = self.fails("a:1", "b:2", "a.csv", "--against", "b.csv", code=3)
        self.assertIn("field 'text' is missing", said)
        self.assertIn("--kind records explains records", said)
        self.page("a:1", "b:2", "a.csv", "--against", "b.csv", "--kind", "records")

    def test_indexes_and_sketches_have_no_rows_to_show(self):
        self.sosie("index", "build", "eval.index", "eval.jsonl", "--column", "question")
        self.assertIn("is an index", self.fails("r1", "1", "in.jsonl", "--against", "eval.index", code=2))


class OfOtherKinds(Pages):
    def explained(self, *args: str) -> str:
        page = self.page(*args)
        self.assertIn("Left is removed because of right, an item of --against.", page.splitlines()[0])
        return page

    def test_sets(self):
        self.write("in.sets", "a b c d\nx y z\n")
        self.write("other.sets", "q r s\na b c d e\n")
        self.assertIn("0.800000", self.explained("0", "1", "in.sets", "--against", "other.sets"))
        self.explained("0", "1", "in.sets", "--against", "other.sets", "--contained", "0.8")

    def test_bags(self):
        self.write("in.sets", "a a b c\nx y z\n")
        self.write("other.sets", "q r s\na a b c d\n")
        self.explained("0", "1", "in.sets", "--against", "other.sets", "--kind", "bags")

    def test_strings(self):
        self.write("in.txt", "Anna\nBertha\n")
        self.write("other.txt", "Zoe\nAnn\n")
        page = self.explained("0", "1", "in.txt", "--against", "other.txt", "--kind", "strings",
                              "--within", "1")
        self.assertIn("other.txt:2", self.fact(page, "right"))

    def test_vectors(self):
        self.write("in.npy", npy([[1.0, 0.0], [0.0, 1.0]]))
        self.write("other.npy", npy([[-1.0, -1.0], [1.0, 0.01]]))
        self.explained("0", "1", "in.npy", "--against", "other.npy", "--threshold", "0.99")

    def test_bits(self):
        self.write("in.jsonl", jsonl([{"id": "a", "text": "00ff00ff"}, {"id": "b", "text": "ffffffff"}]))
        self.write("other.jsonl", jsonl([{"id": "c", "text": "0f0f0f0f"}, {"id": "d", "text": "00ff00fe"}]))
        self.explained("a", "d", "in.jsonl", "--against", "other.jsonl", "--kind", "bits", "--within", "2")


if __name__ == "__main__":
    unittest.main()
