"""Tests that the program's hints, notes and plans fit the request."""

import random
import unittest

from report_pages import Report
from support import SosieTest, jsonl, read_table

CONTAINED = " ".join(f"w{i}" for i in range(12))
LONG = " ".join(f"x{i}" for i in range(60)) + " " + CONTAINED + " " + " ".join(
    f"y{i}" for i in range(60))


class NotesTest(SosieTest):
    def note(self, *options: str) -> str:
        result = self.sosie("dedup", "in.txt", "--dry-run", *options)
        return "\n".join(line for line in result.err.splitlines() if line.startswith("note"))

    def test_shorter_shingles_are_advised_only_where_there_are_some(self):
        self.write("in.txt", "".join(f"a{i} b{i} c{i} d{i}\n" for i in range(40)))
        self.assertIn("Try a lower --threshold or shorter shingles (words:2, chars:5).",
                      self.note("--shingle", "words:5"))
        self.assertIn("Try a lower --threshold or shorter shingles (words:1).",
                      self.note("--shingle", "words:2"))
        for shingle in ("words:1", "chars:2", "chars:5"):
            self.assertTrue(self.note("--shingle", shingle).endswith("Try a lower --threshold."),
                            self.note("--shingle", shingle))

    def test_shingles_too_short_for_the_texts_are_called_so(self):
        rng = random.Random(3)
        self.write("in.txt", "".join(
            " ".join("".join(rng.choices("etaoinshrdlu", k=5)) for _ in range(80)) + "\n"
            for _ in range(30)))
        for shingle, said in (("chars:1", True), ("chars:2", True), ("chars:3", False),
                              ("chars:9", False), ("words:1", False)):
            self.assertEqual("unrelated rows may pass" in self.note("--shingle", shingle), said,
                             shingle)


class MeasuresTest(SosieTest):
    def test_a_measure_of_another_kind_is_named_with_the_kinds_that_have_it(self):
        self.write("in.txt", "a b\nc d\n")
        for bound in (("--within", "2"), ("--threshold", "0.5"), ()):
            self.fails(2, "pairs", "in.txt", "--measure", "hamming", *bound,
                       says="--measure hamming: does not support --kind text",
                       hints="--kind vectors or bits")

    def test_the_advice_on_within_works(self):
        self.write("in.txt", "a b\nc d\n")
        self.fails(2, "pairs", "in.txt", "--measure", "dice", "--within", "0.2",
                   hints="--threshold S")

    def test_explain_shows_the_fraction_of_the_measure(self):
        self.write("in.jsonl", jsonl([{"id": "item", "text": CONTAINED},
                                      {"id": "page", "text": LONG}]))
        for measure, fraction in (("containment", "1.000000 containment = 8/8: "),
                                  ("overlap", "1.000000 overlap = 8/8: "),
                                  ("dice", " dice = 16/136: "),
                                  ("cosine", " cosine = 8/sqrt 1024: ")):
            page = self.sosie("explain", "item", "page", "in.jsonl", "--measure", measure,
                              "--threshold", "0.1").out.decode()
            self.assertIn(fraction + "8 shingles in both, of 8 and 128", page, measure)
        page = self.sosie("explain", "item", "page", "in.jsonl", "--threshold", "0.1").out.decode()
        self.assertIn(" jaccard: 8 of 128 shingles in both", page)

    def test_the_report_shows_the_fraction_of_the_measure(self):
        self.write("in.jsonl", jsonl([{"id": "page", "text": LONG},
                                      {"id": "item", "text": CONTAINED}]))
        self.sosie("dedup", "in.jsonl", "--measure", "containment", "--report", "r.html",
                   "--dry-run")
        pair = Report(self.read("r.html")).closest[0]
        self.assertEqual((pair["shared"], pair["united"], pair["of_root"]), (8, 8, False))


class AgainstTest(SosieTest):
    def test_rows_that_contain_a_row_of_other_are_kept_and_counted(self):
        self.write("train.jsonl", jsonl([{"id": "page", "text": LONG}, {"id": "no", "text": "z"}]))
        self.write("test.jsonl", jsonl([{"id": "item", "text": CONTAINED}]))
        found = self.sosie("pairs", "test.jsonl", "--against", "train.jsonl", "--measure",
                           "containment", "--threshold", "0.9")
        self.assertEqual([row["right"] for row in read_table(found.out)], ["page"])
        result = self.sosie("dedup", "train.jsonl", "--against", "test.jsonl", "--measure",
                            "containment", "--threshold", "0.9", "--dry-run")
        self.assertIn("kept 1 row that contains a row of --against", result.err)
        self.assertIn("--contained 0.9", result.err)

    def test_the_report_counts_the_files_of_other(self):
        self.write("a.jsonl", jsonl([{"id": "1", "text": LONG}]))
        self.write("b.jsonl", jsonl([{"id": "2", "text": LONG}, {"id": "3", "text": CONTAINED}]))
        self.sosie("dedup", "a.jsonl", "--against", "b.jsonl", "--report", "r.html", "--dry-run")
        inputs = Report(self.read("r.html")).overview["flow"]["inputs"]
        self.assertEqual([each["name"] for each in inputs], ["a.jsonl", "b.jsonl (against)"])
        self.assertGreater(inputs[1]["bytes"], 0)

    def test_the_command_of_a_report_can_be_repeated(self):
        self.write("a.jsonl", jsonl([{"id": "1", "text": LONG}]))
        self.sosie("dedup", "a.jsonl", "-o", "out/", "--report", "r.html")
        page = self.read("r.html").decode()
        self.assertIn("sosie dedup --output out-2/ --report r.html a.jsonl", page)


class PlansTest(SosieTest):
    def test_a_method_that_finds_every_pair_has_one_recall(self):
        self.write("in.txt", "".join(f"a{i} b{i} c{i} d{i} e{i} f{i}\n" for i in range(40)))
        plan = self.sosie("plan", "--verbose", "in.txt").out.decode()
        self.assertIn("recall 1", plan)
        self.assertIn("expected recall   1; lsh would reach 0.99", plan)

    def test_datasketch_is_shown_with_the_bands_it_would_take(self):
        for threshold, bands in (("0.5", "25 x 5"), ("0.7", "14 x 9"), ("0.8", "9 x 13")):
            plan = self.sosie("plan", "--verbose", "--threshold", threshold).out.decode()
            line = next(line for line in plan.splitlines() if "datasketch" in line)
            self.assertIn(bands, line)


if __name__ == "__main__":
    unittest.main()
