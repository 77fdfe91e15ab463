"""Sets and bags of elements: `.sets` files, JSON lists and objects, CSV fields."""

import random
import unittest
from fractions import Fraction

from support import SosieTest, jsonl, oracle



def baskets(seed: int, count: int) -> list[list[str]]:
    """Random sets of 0 to 12 elements, including near-copies of earlier ones, in random order."""
    draw = random.Random(seed)
    rows: list[list[str]] = []
    for _ in range(count):
        if rows and draw.random() < 0.5:
            row = [item for item in draw.choice(rows) if draw.random() < 0.9]
            row += [f"i{draw.randrange(60)}" for _ in range(draw.randrange(2))]
        else:
            row = [f"i{draw.randrange(60)}" for _ in range(draw.randrange(13))]
        draw.shuffle(row)
        rows.append(row)
    return rows


def lines(rows: list[list[str]]) -> bytes:
    return b"".join(" ".join(row).encode() + b"\n" for row in rows)


def numbered(row: list[str]) -> frozenset:
    """A bag as the set of its numbered occurrences."""
    return frozenset((item, row[:place].count(item)) for place, item in enumerate(row))


class Sets(SosieTest):
    def expected(self, rows: list[list[str]], threshold: str, of=frozenset) -> bytes:
        pairs = oracle.similar_pairs([of(row) for row in rows], Fraction(threshold))
        return b"left\tright\tsimilarity\n" + b"".join(
            f"{left}\t{right}\t{float(similarity):.6f}\n".encode()
            for left, right, similarity in pairs)

    def test_pairs_of_a_sets_file(self):
        rows = baskets(1, 150)
        self.write("in.sets", lines(rows))
        for threshold in ("0.5", "4/5", "1"):
            expected = self.expected(rows, threshold)
            self.assertGreater(expected.count(b"\n"), 10)
            for method in ("brute", "auto"):
                out = self.sosie("pairs", "in.sets", "--threshold", threshold, "--method",
                                 method).out
                self.assertEqual(out, expected)

    def test_every_form_of_the_same_sets_gives_the_same_pairs(self):
        rows = baskets(2, 80)
        expected = self.expected(rows, "0.6")
        self.write("in.sets", lines(rows))
        self.write("crlf.sets", lines(rows).replace(b"\n", b" \t\r\n"))
        self.write("in.txt", lines(rows))
        self.write("list.jsonl", jsonl([{"text": row} for row in rows]))
        self.write("string.jsonl", jsonl([{"text": " ".join(row)} for row in rows]))
        self.write("object.jsonl", jsonl([{"text": {item: 1 for item in row}} for row in rows]))
        self.write("in.csv", b"n,text\n" + b"".join(
            f"{place},{' '.join(row)}\n".encode() for place, row in enumerate(rows)))
        for name in ("in.sets", "crlf.sets", "in.txt", "list.jsonl", "string.jsonl",
                     "object.jsonl", "in.csv"):
            out = self.sosie("pairs", name, "--kind", "sets", "--threshold", "0.6").out
            self.assertEqual(out, expected, name)

    def test_bags_count_how_often(self):
        rows = [["a", "a", "a", "b"], ["b", "a", "a", "b", "c"], ["a", "b", "c"]] + baskets(3, 80)
        counted = [{item: row.count(item) for item in row} for row in rows]
        self.write("in.sets", lines(rows))
        self.write("list.jsonl", jsonl([{"text": row} for row in rows]))
        self.write("object.jsonl", jsonl([{"text": counts} for counts in counted]))
        expected = self.expected(rows, "0.5", numbered)
        self.assertIn(b"\n0\t1\t0.500000\n", expected)  # THEORY T-1.2
        self.assertNotEqual(expected, self.expected(rows, "0.5"))
        for name in ("in.sets", "list.jsonl", "object.jsonl"):
            out = self.sosie("pairs", name, "--kind", "bags", "--threshold", "0.5").out
            self.assertEqual(out, expected, name)

    def test_elements_hold_any_bytes(self):
        self.write("in.sets", b"caf\xc3\xa9 \xff\x00 a\\n\n\xff\x00 a\\n\nCAF\xc3\x89 \xff\x00 a\\n\n")
        self.assertEqual(self.sosie("pairs", "in.sets", "--threshold", "0.5").out,
                         b"left\tright\tsimilarity\n0\t1\t0.666667\n0\t2\t0.500000\n"
                         b"1\t2\t0.666667\n")
        self.write("in.jsonl", jsonl([{"text": ["a b", "c\nd", "e"]}, {"text": ["c\nd", "a b"]},
                                      {"text": ["a", "b", "c", "d", "e"]},
                                      {"text": ["c\\nd", "a b", "x"]}, {"text": ["5"]},
                                      {"text": [5, 5]}]))
        self.assertEqual(self.sosie("pairs", "in.jsonl", "--kind", "sets", "--threshold",
                                    "0.3").out,
                         b"left\tright\tsimilarity\n0\t1\t0.666667\n4\t5\t1.000000\n")

    def test_dedup_keeps_the_lines_as_they_came(self):
        self.write("in.sets", b"b a c\n\nc  b\ta a\nd e f g\n\na b c d\nd e f g h")
        result = self.sosie("dedup", "in.sets", "--threshold", "0.8", "--removed", "r.tsv")
        self.assertEqual(result.out, b"b a c\n\nd e f g\n\na b c d\n")
        rows = [(row["id"], row["kept_id"], row["similarity"], row["exact"])
                for row in self.table("r.tsv")]
        self.assertEqual(rows, [("2", "0", "1.000000", "true"), ("6", "3", "0.800000", "false")])
        self.assertIn("2 empty sets (kept)", result.err)

    def test_query_of_sets(self):
        data = baskets(4, 60)
        asked = baskets(5, 20) + [row[1:] for row in data[:30]]
        self.write("data.sets", lines(data))
        self.write("asked.sets", lines(asked))
        limit = Fraction(2, 5)
        expected = b"left\tright\tsimilarity\n"
        for left, row in enumerate(asked):
            hits = [(oracle.jaccard(frozenset(row), frozenset(other)), right)
                    for right, other in enumerate(data) if row and other]
            for similarity, right in sorted(hits, key=lambda hit: (-hit[0], hit[1])):
                if similarity >= limit:
                    expected += f"{left}\t{right}\t{float(similarity):.6f}\n".encode()
        self.assertGreater(expected.count(b"\n"), 5)
        self.assertEqual(self.sosie("query", "data.sets", "asked.sets", "--threshold",
                                    "2/5").out, expected)

    def test_a_sketch_finds_what_brute_force_finds(self):
        rows = baskets(6, 300)
        self.write("in.sets", lines(rows))
        found = self.sosie("pairs", "in.sets", "--method", "lsh", "--recall", "0.999").out
        expected = self.expected(rows, "0.8")
        self.assertLessEqual(set(found.splitlines()), set(expected.splitlines()))
        self.assertGreater(found.count(b"\n") / expected.count(b"\n"), 0.97)

    def test_the_summary_speaks_of_elements(self):
        self.write("in.sets", b"a b\nb a\n")
        err = self.sosie("pairs", "in.sets", "--stats", "s.json").err
        self.assertIn("4 elements", err)
        self.assertNotIn("words", err)
        self.assertEqual(self.stats("s.json").tree["kind"], "sets")


class Ratings(SosieTest):
    """The three ways to turn ratings into sets in MMDS 3.1.3."""

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", jsonl([{"text": {"x": 5, "y": 1, "z": 3}},
                                      {"text": {"x": 4, "y": 4, "z": 2.5}},
                                      {"text": {"x": 2, "y": 1}}]))

    def pairs(self, rule: str, *args: str) -> bytes:
        return self.sosie("pairs", "in.jsonl", "--kind", "sets", "--ratings", rule, "--threshold",
                          "0.01", *args).out.split(b"\n", 1)[1]

    def test_low_ratings_are_dropped(self):
        self.assertEqual(self.pairs("drop:3"), b"0\t1\t0.333333\n")
        self.assertEqual(self.pairs("drop:2.5"), b"0\t1\t0.666667\n")

    def test_liked_and_hated_are_different_elements(self):
        self.assertEqual(self.pairs("liked-hated:3"), b"0\t1\t0.200000\n0\t2\t0.250000\n")

    def test_a_bag_repeats_by_the_rating(self):
        self.write("in.jsonl", jsonl([{"text": {"x": 5, "y": 1}}, {"text": {"x": 3, "y": 2}}]))
        out = self.sosie("pairs", "in.jsonl", "--kind", "bags", "--ratings", "bag", "--threshold",
                         "0.5").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t1\t0.571429\n")
        self.fails(2, "pairs", "in.jsonl", "--kind", "sets", "--ratings", "bag",
                   says="sets do not count how often an element occurs")


class BadSets(SosieTest):
    def test_rows_that_hold_no_set(self):
        for value, reason in (("7", "a number"), ("true", "a boolean"),
                              ('["a", 1.5]', "holds 1.5"), ('["a", ["b"]]', "holds"),
                              ('["a", null]', "holds null"), ('{"a": "b"}', "'a' has no number"),
                              ('{"a": -1}', "-1 for 'a' is not a whole number"),
                              ('{"a": 0.5}', "0.5 for 'a' is not a whole number"),
                              ('{"a": 1e300}', "for 'a' is not a whole number"),
                              ('{"a": NaN}', "broken JSON")):
            self.write("in.jsonl", b'{"text": ["a"]}\n{"text": ' + value.encode() + b"}\n")
            self.fails(3, "pairs", "in.jsonl", "--kind", "sets", says=f"in.jsonl:2: .*{reason}")
        self.fails(3, "pairs", self.write("n.jsonl", b'{"text": {"a": -2}}\n'), "--kind", "sets",
                   "--ratings", "drop:3", says="-2 for 'a' is not a rating")
        self.fails(3, "pairs", self.write("l.jsonl", b'{"text": ["a"]}\n'), "--kind", "sets",
                   "--ratings", "drop:3", says="--ratings needs an object")

    def test_bad_rows_can_be_left_out(self):
        self.write("in.jsonl", b'{"text": ["a"]}\n{"text": 7}\n{"text": ["a"]}\n')
        out = self.sosie("pairs", "in.jsonl", "--kind", "sets", "--on-bad-row", "skip").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_options_of_texts_are_refused(self):
        self.write("in.sets", b"a\n")
        for option, value in (("--shingle", "words:2"), ("--tokens", "ascii")):
            self.fails(2, "pairs", "in.sets", option, value,
                       says=f"{option}: does not apply to sets: they have no text")
        self.fails(2, "pairs", self.write("in.txt", b"a\n"), "--ratings", "bag",
                   says="--ratings: does not apply to texts: only sets and bags")
        self.fails(2, "pairs", "in.sets", "--ratings", "best", says="'best' is not drop:R")


if __name__ == "__main__":
    unittest.main()
