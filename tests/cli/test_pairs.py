"""`sosie pairs`: every pair of similar items."""

import unittest

import corpus
from support import SosieTest, jsonl, oracle, read_table, without_note

HEADER = b"left\tright\tsimilarity\n"


def steps(count: int) -> list[str]:
    """Texts that consist of the words 0 … 9 + number, so that J(i, j) = (10 + i) / (10 + j) for i <= j."""
    return [" ".join(f"w{word}" for word in range(10 + number)) for number in range(count)]


class Pairs(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(70, 80))

    def expected(self, *args, **options):
        return oracle.answer(self.rows_of("in.jsonl"), *args, **options).pairs

    def test_stdout_and_every_format_hold_the_same_pairs(self):
        out = self.sosie("pairs", "in.jsonl", "--method", "brute").out
        self.assertTrue(out.startswith(HEADER))
        self.assert_pairs(out, self.expected())
        for extension in ("tsv", "csv", "jsonl"):
            result = self.sosie("pairs", "in.jsonl", "--method", "brute", "-o",
                                f"p.{extension}")
            self.assertEqual(result.out, b"")
            self.assert_pairs(self.read(f"p.{extension}"), self.expected(), extension)
        self.assertEqual(without_note(self.read("p.tsv")), out)

    def test_each_unordered_pair_comes_once_in_input_order(self):
        rows = self.rows_of("in.jsonl")
        position = {row.id: row.row for row in rows}
        out = read_table(self.sosie("pairs", "in.jsonl", "--threshold", "0.3").out)
        found = [(position[row["left"]], position[row["right"]]) for row in out]
        self.assertEqual(found, sorted(set(found)))
        self.assertTrue(all(left < right for left, right in found))
        self.assertGreater(len(found), 20)

    def test_groups_of_equal_texts_are_expanded(self):
        self.write("in.txt", "one two\nother\none two\nOne two\nthree\none, two\nother\n")
        for method in ("brute", "lsh", "auto"):
            out = self.sosie("pairs", "in.txt", "--method", method).out
            pairs = [(0, 2), (0, 3), (0, 5), (1, 6), (2, 3), (2, 5), (3, 5)]
            self.assertEqual(out, HEADER + b"".join(
                f"{left}\t{right}\t1.000000\n".encode() for left, right in pairs))

    def test_pairs_with_members_of_equal_groups_are_expanded(self):
        words = [f"w{number}" for number in range(100)]
        texts = [" ".join(words), " ".join(words[:-1]), " ".join(words), " ".join(words[:-1])]
        self.write("in.jsonl", texts)
        for method in ("brute", "lsh"):
            self.assert_pairs(self.sosie("pairs", "in.jsonl", "--method", method).out,
                              self.expected())

    def test_all_thresholds(self):
        for threshold in ("0.01", "1/3", "0.999999999", "1"):
            self.assert_pairs(self.sosie("pairs", "in.jsonl", "--method", "brute", "--threshold",
                                         threshold).out, self.expected(threshold))

    def test_no_pairs_is_a_header_and_no_failure(self):
        self.write("in.jsonl", ["one", "two"])
        self.assertEqual(self.sosie("pairs", "in.jsonl").out, HEADER)


class Limits(SosieTest):
    def setUp(self):
        super().setUp()
        self.args = ("pairs", self.write("in.jsonl", steps(8)), "--shingle", "words:1",
                     "--threshold", "0.6", "--method", "brute")
        self.all = oracle.answer(self.rows_of("in.jsonl"), "0.6", "words:1").pairs

    def test_limit_is_an_error_when_there_are_more(self):
        count = len(self.all)
        self.assert_pairs(self.sosie(*self.args, "--limit", str(count)).out, self.all)
        self.fails(4, *self.args, "--limit", str(count - 1), "-o", "p.tsv", says="limit")
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_top_pairs_are_the_best_ones(self):
        best = sorted(self.all, key=lambda pair: -pair[2])
        for count in (1, 3, len(self.all), len(self.all) + 5):
            found = read_table(self.sosie(*self.args, "--top-pairs", str(count)).out)
            self.assertEqual({(row["left"], row["right"]) for row in found},
                             {(left.id, right.id) for left, right, _ in best[:count]})

    def test_top_of_one_input_says_that_only_later_rows_count(self):
        self.write("in.txt", "a b c\na b c\na b c\n")
        note = "sosie query X X --top 1 --exclude-self"
        self.assertEqual(self.sosie("pairs", "in.txt", "--top", "1").err.count(note), 1)
        for args in (("in.txt",), ("in.txt", "--against", "in.txt", "--top", "1"), ("in.txt", "--top", "1", "-q")):
            self.assertNotIn("later rows", self.sosie("pairs", *args).err)

    def test_top_keeps_the_best_of_each_left_item(self):
        for count in (1, 2, 10):
            expected = set()
            for item in {left.id for left, _, _ in self.all}:
                own = sorted((pair for pair in self.all if pair[0].id == item),
                             key=lambda pair: -pair[2])
                expected |= {(left.id, right.id) for left, right, _ in own[:count]}
            found = read_table(self.sosie(*self.args, "--top", str(count)).out)
            self.assertEqual({(row["left"], row["right"]) for row in found}, expected)

    def test_ties_at_the_cut_are_decided_by_input_order(self):
        self.write("in.txt", "one two\n" * 5)
        found = self.sosie("pairs", "in.txt", "--top-pairs", "3").out
        self.assertEqual(found, HEADER + b"0\t1\t1.000000\n0\t2\t1.000000\n0\t3\t1.000000\n")
        found = self.sosie("pairs", "in.txt", "--top", "1").out
        self.assertEqual(found, HEADER + b"0\t1\t1.000000\n1\t2\t1.000000\n2\t3\t1.000000\n"
                         b"3\t4\t1.000000\n")


class Show(SosieTest):
    ROWS = [{"id": 1, "text": "one two", "title": "A\tB", "n": 5, "u": "x, \"y\""},
            {"id": 2, "text": "one two", "title": "C", "n": 6.5, "u": "z"},
            {"id": 3, "text": "three", "title": "D", "n": 7, "u": "z"}]

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", jsonl(self.ROWS))

    def test_fields_of_both_sides_are_added(self):
        for extension in ("tsv", "csv", "jsonl"):
            self.sosie("pairs", "in.jsonl", "--show", "title,u", "-o", f"p.{extension}")
            rows = self.table(f"p.{extension}")
            self.assertEqual(rows, [{"left": "1", "right": "2", "similarity": "1.000000",
                                     "left_title": "A\tB", "right_title": "C",
                                     "left_u": "x, \"y\"", "right_u": "z"}])
            self.assertEqual(list(rows[0])[:3], ["left", "right", "similarity"])

    def test_numbers_are_shown_as_they_came(self):
        row, = read_table(self.sosie("pairs", "in.jsonl", "--show", "n").out)
        self.assertEqual((row["left_n"], row["right_n"]), ("5", "6.5"))

    def test_the_text_itself(self):
        row, = read_table(self.sosie("pairs", "in.jsonl", "--show", "text").out)
        self.assertEqual((row["left_text"], row["right_text"]), ("one two", "one two"))

    def test_lines_of_text_can_be_shown(self):
        self.write("in.txt", "one two\nOne two\n")
        row, = read_table(self.sosie("pairs", "in.txt", "--show", "text").out)
        self.assertEqual((row["left_text"], row["right_text"]), ("one two", "One two"))


if __name__ == "__main__":
    unittest.main()
