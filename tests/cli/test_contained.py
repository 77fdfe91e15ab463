"""`dedup --against OTHER --contained S`: rows that contain an item in OTHER are removed, and no
other rows."""

import json
import random
import unittest
from fractions import Fraction

from report_pages import Report
from support import SosieTest, jsonl

WORDS = [f"w{number}" for number in range(3000)]


def shingles(text: str, size: int = 5) -> set[tuple]:
    words = text.split()
    return {tuple(words[i:i + size]) for i in range(max(1, len(words) - size + 1))}


def held(item: str, row: str) -> Fraction:
    return Fraction(len(shingles(item) & shingles(row)), len(shingles(item)))


def made(rng: random.Random) -> tuple[list[dict], list[dict]]:
    """Rows, a third of which contain an item or most of one, and the items."""
    items = [" ".join(rng.choices(WORDS, k=rng.randrange(8, 30))) for _ in range(25)]
    rows = []
    for _ in range(150):
        words = rng.choices(WORDS, k=rng.randrange(20, 120))
        if rng.random() < .35:
            piece = rng.choice(items).split()
            for _ in range(rng.randrange(3)):
                piece[rng.randrange(len(piece))] = "other"
            at = rng.randrange(len(words))
            words[at:at] = piece
        rows.append(" ".join(words))
    rows += [items[3], rows[0], rows[1]]  # an item itself, and copies within the rows
    named = lambda prefix, texts: [{"id": f"{prefix}{i}", "text": text} for i, text in enumerate(texts)]
    return named("r", rows), named("e", items)


class Contained(SosieTest):
    def test_what_is_removed_is_what_holds_an_item(self):
        for seed, bound in ((1, "0.8"), (2, "1/2"), (3, "1")):
            rows, items = made(random.Random(seed))
            self.write("rows.jsonl", rows)
            self.write("items.jsonl", items)
            expected = {}
            for row in rows:
                best = max(items, key=lambda item: held(item["text"], row["text"]))
                if held(best["text"], row["text"]) >= Fraction(bound):
                    expected[row["id"]] = (held(best["text"], row["text"]), row["text"])
            self.assertGreater(len(expected), 10)
            outputs = set()
            for threads, memory in (("1", "1G"), ("7", "20M")):
                kept = self.kept("rows.jsonl", "--against", "items.jsonl", "--contained", bound,
                                 "--threads", threads, "--memory", memory, "--removed", "r.tsv")
                self.assertEqual(kept, jsonl([row for row in rows if row["id"] not in expected]))
                outputs.add(self.read("r.tsv"))
            self.assertEqual(len(outputs), 1)
            by_id = {item["id"]: item["text"] for item in items}
            removed = self.table("r.tsv")
            self.assertEqual({line["id"] for line in removed}, set(expected))
            for line in removed:
                share, text = expected[line["id"]]
                self.assertEqual(line["similarity"], f"{float(share):.6f}")
                self.assertEqual(held(by_id[line["kept_id"]], text), share)
                self.assertIn(line["passage"], text)
                self.assertIn(line["passage"], by_id[line["kept_id"]])
                self.assertGreaterEqual(len(line["passage"].split()), 5)

    def test_rows_are_no_duplicates_of_each_other(self):
        text = " ".join(WORDS[:40])
        self.write("rows.jsonl", [text, text, text + " more"])
        self.write("items.jsonl", [" ".join(WORDS[100:120])])
        result = self.sosie("dedup", "rows.jsonl", "--against", "items.jsonl", "--contained", ".8",
                            "-o", "out.jsonl")
        self.assertRegex(result.err, r"(?m)^rows +3 read, 3 kept, 0 removed")

    def test_a_row_that_an_item_holds_stays(self):
        item = WORDS[:30]
        self.write("rows.jsonl", [" ".join(item[5:20])])
        self.write("items.jsonl", [" ".join(item)])
        kept = self.kept("rows.jsonl", "--against", "items.jsonl", "--contained", "0.8")
        self.assertEqual(kept, self.read("rows.jsonl"))

    def test_items_shorter_than_a_shingle_are_told(self):
        self.write("rows.txt", "one two three four five six seven\n")
        self.write("items.txt", "three four\nthree four five six seven\n")
        args = ("dedup", "rows.txt", "--against", "items.txt", "--contained", "1")
        result = self.sosie(*args)
        self.assertIn("1 row of --against is shorter than a shingle (words:5)", result.err)
        self.assertEqual(result.out, b"")
        self.assertNotIn("is shorter", self.sosie(*args, "--shingle", "words:2").err)

    def test_copies_of_an_item_are_identical_to_it(self):
        self.write("rows.txt", "Alpha  beta\nalpha beta gamma delta epsilon zeta\none two three four five\n")
        self.write("items.txt", "alpha beta\nalpha beta gamma delta epsilon zeta\n")
        result = self.sosie("dedup", "rows.txt", "--against", "items.txt", "--contained", "0.8",
                            "--removed", "r.tsv")
        self.assertEqual(result.out, b"one two three four five\n")
        self.assertIn("2 removed (2 identical, 0 holding an item)", result.err)
        self.assertEqual([(line["exact"], line["passage"]) for line in self.table("r.tsv")],
                         [("true", "Alpha  beta"), ("true", "alpha beta gamma delta epsilon zeta")])

    def test_sets_that_hold_a_set_are_removed(self):
        self.write("rows.sets", "a b c d\na x y z\n")
        self.write("items.sets", "b c\n")
        result = self.sosie("dedup", "rows.sets", "--against", "items.sets", "--contained", "1",
                            "--removed", "r.csv")
        self.assertEqual(result.out, b"a x y z\n")
        self.assertNotIn("passage", self.table("r.csv")[0])

    def test_reports_and_saved_runs_show_it(self):
        rows, items = made(random.Random(4))
        self.write("rows.jsonl", rows)
        self.write("items.jsonl", items)
        self.sosie("dedup", "rows.jsonl", "--against", "items.jsonl", "--contained", "0.8", "-o",
                   "out.jsonl", "--report", "r.html", "--save", "run/", "--stats", "s.json",
                   "--clusters", "c.tsv", "--annotate", "kept")
        stats = json.loads(self.read("s.json"))
        self.assertEqual(stats["measure"], "containment")
        self.assertIn(b"--contained 0.8", self.read("r.html"))

    def test_holders_are_not_called_near_duplicates(self):
        item = " ".join(WORDS[:20])
        self.write("a.jsonl", [f"{WORDS[50]} {item} {WORDS[60]}", item, " ".join(WORDS[100:120])])
        self.write("b.jsonl", [" ".join(WORDS[200:220])])
        self.write("items.jsonl", [item])
        run = self.sosie("dedup", "a.jsonl", "b.jsonl", "--id", "row", "--against", "items.jsonl",
                         "--contained", "0.8", "--dry-run", "--report", "r.html", "--stats", "s.json")
        self.assertIn("2 removed (1 identical, 1 holding an item)", run.err)
        self.assertRegex(run.err, r"kept +identical +holding\n")
        self.assertNotRegex(run.err, r"\bnear\b")
        page = Report(self.read("r.html"))
        self.assertIn("removed: holding an item 1 ", page.words)
        self.assertNotIn("near-duplicate", page.words + page.overview["claim"])
        self.assertTrue(page.overview["summary"]["removes_holders"])
        self.assertTrue(json.loads(self.read("s.json"))["removes_holders"])

    def test_what_it_cannot_mean_is_refused(self):
        self.write("rows.jsonl", ["one two three four five six"])
        self.write("items.jsonl", ["one two three four five"])
        against = ("dedup", "rows.jsonl", "--against", "items.jsonl", "--contained")
        self.fails(2, "dedup", "rows.jsonl", "--contained", "0.8", says="--contained: needs --against")
        self.fails(2, *against, "1.5", says="--contained 1.5: is not a number above 0 and at most 1")
        self.fails(2, *against, "0", says="--contained 0: is not a number")
        for option in (("--threshold", "0.9"), ("--measure", "jaccard"), ("--method", "lsh"),
                       ("--keep", "last"), ("--audit", "10"), ("--pairs", "p.tsv")):
            self.fails(2, *against, "0.8", *option, says=f"--contained: cannot be combined with {option[0]}")
        self.sosie("index", "build", "i.index", "items.jsonl")
        self.fails(2, "dedup", "rows.jsonl", "--against", "i.index", "--contained", "0.8",
                   says="--contained: cannot be combined with an index")


if __name__ == "__main__":
    unittest.main()
