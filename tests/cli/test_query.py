"""`sosie query`: the rows of DATA that are similar to each row of INPUT."""

import unittest

import corpus
from support import SosieTest, oracle, read_table

HEADER = b"left\tright\tsimilarity\n"


class Query(SosieTest):
    def setUp(self):
        super().setUp()
        texts = corpus.texts(71, 90)
        self.write("data.jsonl", texts[:60])
        self.write("asked.jsonl", texts[60:] + texts[3:6])

    def expected(self, threshold: str = "4/5", top: int | None = None) -> list[tuple]:
        """Returns (row looked up, row of DATA, similarity) for each hit: best first, ties in the order of DATA."""
        hits = []
        data = self.rows_of("data.jsonl")
        sets = [oracle.shingles(row.text) for row in data]
        for asked in self.rows_of("asked.jsonl"):
            wanted = oracle.shingles(asked.text)
            found = [(asked, row, oracle.jaccard(wanted, other))
                     for row, other in zip(data, sets)
                     if wanted and other and oracle.similar(wanted, other,
                                                            oracle.Fraction(threshold))]
            hits += sorted(found, key=lambda hit: (-hit[2], hit[1].row))[:top]
        return hits

    def test_hits_of_a_row_stand_together_best_first(self):
        expected = self.expected("0.3")
        self.assertGreater(len(expected), 10)
        for method in ("brute", "auto"):
            out = self.sosie("query", "data.jsonl", "asked.jsonl", "--threshold", "0.3",
                             "--method", method).out
            self.assert_pairs(out, expected)

    def test_threads_change_nothing(self):
        args = ("query", "data.jsonl", "asked.jsonl", "--threshold", "0.3", "--method", "lsh")
        self.assertEqual(self.sosie(*args, "--threads", "1").out,
                         self.sosie(*args, "--threads", "5").out)

    def test_top_leaves_the_best_of_each_row(self):
        self.assertNotEqual(self.expected("0.2", 1), self.expected("0.2"))
        out = self.sosie("query", "data.jsonl", "asked.jsonl", "--threshold", "0.2", "--top",
                         "1").out
        self.assert_pairs(out, self.expected("0.2", 1))

    def test_rows_come_from_standard_input_when_no_input_is_named(self):
        out = self.sosie("query", "data.jsonl", "--threshold", "0.3",
                         stdin=self.read("asked.jsonl")).out
        self.assert_pairs(out, self.expected("0.3"))

    def test_no_hit_at_all_is_exit_code_1(self):
        self.write("new.jsonl", ["nothing in the data is like this row of words"])
        result = self.sosie("query", "data.jsonl", "new.jsonl", code=1)
        self.assertEqual(result.out, HEADER)
        self.assertIn("1 looked up, 0 with 0 hits", result.err)
        for empty in ("data.jsonl", "none.jsonl"):
            self.write(empty, b"")
            self.assertEqual(self.sosie("query", empty, "new.jsonl", code=1).out, HEADER)

    def test_no_row_to_look_up_is_no_answer_of_no(self):
        self.write("none.jsonl", b"")
        for kind in ((), ("--kind", "strings", "--within", "1")):
            result = self.sosie("query", "data.jsonl", "none.jsonl", *kind, code=0)
            self.assertEqual(len(result.out.splitlines()), 1)
            self.assertIn("0 looked up, 0 with 0 hits", result.err)

    def test_the_summary_counts_rows_with_hits(self):
        hits = self.expected("0.3")
        rows = len({asked.id for asked, _, _ in hits})
        err = self.sosie("query", "data.jsonl", "asked.jsonl", "--threshold", "0.3", "--stats",
                         "stats.json").err
        self.assertIn(f"33 looked up, {rows} with {len(hits)} hits", err)
        stats = self.stats().tree
        self.assertEqual((stats["pairs"], stats["rows_with_pairs"]), (len(hits), rows))

    def test_limit(self):
        count = len(self.expected("0.3"))
        args = ("query", "data.jsonl", "asked.jsonl", "--threshold", "0.3", "--limit")
        self.sosie(*args, str(count))
        self.fails(4, *args, str(count - 1), says=f"more than {count - 1} pairs reach jaccard 0.3")

    def test_fields_of_both_rows_can_be_shown(self):
        rows = read_table(self.sosie("query", "data.jsonl", "data.jsonl", "--show", "text").out)
        self.assertTrue(any(row["left"] == row["right"] for row in rows))
        for row in rows:
            if row["left"] == row["right"]:
                self.assertEqual(row["left_text"], row["right_text"])

    def test_what_cannot_be_meant(self):
        self.fails(2, "query", says="query: no input given", hints="DATA")
        self.fails(2, "query", "data.jsonl", "--against", "asked.jsonl", says="--against")
        self.fails(2, "query", "-", says="standard input can be read only once")
        self.fails(4, "query", "gone.jsonl", "asked.jsonl", says="gone.jsonl")
        self.fails(2, "query", "data.jsonl", "asked.jsonl", "-o", "data.jsonl", says="input")


if __name__ == "__main__":
    unittest.main()
