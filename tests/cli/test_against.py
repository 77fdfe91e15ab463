"""`--against OTHER`: rows similar to a row in OTHER are removed, and rows of OTHER are never
written."""

import unittest
from fractions import Fraction

import corpus
from support import SosieTest, jsonl, oracle, read_table

LIMIT = Fraction(4, 5)


def rows_called(prefix: str, texts: list[str]) -> list[dict]:
    return [{"id": f"{prefix}{number}", "text": text} for number, text in enumerate(texts)]


class Collections(SosieTest):
    """Two collections that share near-duplicates, because both come from the same set of texts."""

    def write_collections(self, seed: int, count: int = 60):
        texts = corpus.texts(seed, count)
        self.write("old.jsonl", rows_called("o", texts[::2]))
        self.write("new.jsonl", rows_called("n", texts[1::2] + texts[:6:2]))
        self.old = self.rows_of("old.jsonl")
        self.new = self.rows_of("new.jsonl")
        self.sets = {("old", row.row): oracle.shingles(row.text) for row in self.old}
        self.sets |= {("new", row.row): oracle.shingles(row.text) for row in self.new}

    def row(self, key):
        return (self.old if key[0] == "old" else self.new)[key[1]]

    def expected_removed(self, keep: str = "first") -> list[tuple]:
        order = [("new", row.row) for row in oracle.ranked(self.new, keep)]
        fixed = [("old", row.row) for row in self.old]
        gone = oracle.star(order, self.sets, LIMIT, fixed)
        return [(self.row(key), self.row(gone[key][0]), gone[key][1]) for key in sorted(gone)]

    def expected_pairs(self) -> list[tuple]:
        return [(new, old, oracle.jaccard(self.sets["new", new.row], self.sets["old", old.row]))
                for new in self.new for old in self.old
                if oracle.similar(self.sets["new", new.row], self.sets["old", old.row], LIMIT)]


class Dedup(Collections):
    def test_rows_that_repeat_either_collection_go(self):
        kept_in = set()
        for seed in range(6):
            self.write_collections(seed)
            for keep in ("first", "last", "longest"):
                expected = self.expected_removed(keep)
                for method in ("brute", "lsh"):
                    out = self.kept("new.jsonl", "--against", "old.jsonl", "--keep", keep,
                                    "--method", method, "--removed", "r.tsv")
                    self.assert_removed(self.read("r.tsv"), expected)
                    gone = {row.id for row, _, _ in expected}
                    self.assertEqual(out, oracle.joined(
                        [row.raw for row in self.new if row.id not in gone]))
                kept_in |= {kept.file for _, kept, _ in expected}
        self.assertEqual(kept_in, {"old.jsonl", "new.jsonl"})

    def test_threads_do_not_matter(self):
        self.write_collections(9, 300)
        outputs = set()
        for threads in ("1", "2", "5"):
            for method in ("brute", "lsh"):
                out = self.kept("new.jsonl", "--against", "old.jsonl", "--threads", threads,
                                "--method", method, "--removed", "r.tsv", "--clusters", "c.tsv")
                outputs.add((out, self.read("r.tsv"), self.read("c.tsv")))
        self.assertEqual(len(outputs), 1)

    def test_a_similar_row_of_other_wins_over_a_later_identical_one(self):
        words = [f"w{number}" for number in range(60)]
        self.write("old.jsonl", rows_called("o", [" ".join(words[:-1]), " ".join(words)]))
        self.write("new.jsonl", rows_called("n", [" ".join(words), " ".join(words)]))
        self.kept("new.jsonl", "--against", "old.jsonl", "--removed", "r.tsv")
        self.assertEqual([(row["id"], row["kept_id"], row["exact"]) for row in self.table("r.tsv")],
                         [("n0", "o0", "false"), ("n1", "o0", "false")])

    def test_duplicates_within_other_do_not_matter(self):
        words = [f"w{number}" for number in range(60)]
        chain = [" ".join(words[start:start + 40]) for start in (0, 3, 6)]
        self.write("old.jsonl", rows_called("o", chain[:2]))
        self.write("new.jsonl", rows_called("n", chain[2:]))
        self.kept("new.jsonl", "--against", "old.jsonl", "--removed", "r.tsv")
        self.assertEqual([row["kept_id"] for row in self.table("r.tsv")], ["o1"])

    def test_each_collection_numbers_its_own_rows(self):
        self.write("old.txt", "a b\nx y\n")
        self.write("new.txt", "z\nx y\nz\n")
        out = self.kept("new.txt", "--against", "old.txt", "--removed", "r.tsv")
        self.assertEqual(out, b"z\n")
        self.assertEqual([list(row.values()) for row in self.table("r.tsv")],
                         [["1", "1", "1.000000", "true", "1", "new.txt", "1", "old.txt", "1"],
                          ["2", "0", "1.000000", "true", "0", "new.txt", "2", "new.txt", "0"]])

    def test_ids_may_repeat_between_collections_but_not_within_one(self):
        self.write("a.jsonl", jsonl([{"id": 1, "text": "one two"}]))
        self.write("b.jsonl", jsonl([{"id": 1, "text": "three"}, {"id": 2, "text": "four"}]))
        self.kept("a.jsonl", "--against", "b.jsonl")
        self.write("b.jsonl", jsonl([{"id": 1, "text": "three"}, {"id": 1, "text": "four"}]))
        self.fails(3, "dedup", "a.jsonl", "--against", "b.jsonl", says="b.jsonl:2: id '1'")

    def test_formats_of_the_two_may_differ(self):
        self.write("old.txt", "one two three\n")
        self.write("new.jsonl", [{"id": "n0", "text": "One, two three"},
                                 {"id": "n1", "text": "four"}])
        self.assertEqual(self.kept("new.jsonl", "--against", "old.txt", "--removed", "r.tsv"),
                         jsonl([{"id": "n1", "text": "four"}]))
        self.assertEqual([(row["kept_id"], row["kept_file"]) for row in self.table("r.tsv")],
                         [("0", "old.txt")])

    def test_against_may_be_given_several_times_and_be_a_folder(self):
        self.write("old/b.txt", "one\n")
        self.write("old/a.txt", "two\n")
        self.write("more.txt", "three\n")
        self.write("new.txt", "one\ntwo\nthree\nfour\n")
        out = self.kept("--against", "old", "new.txt", "--against", "more.txt", "--removed",
                        "r.tsv")
        self.assertEqual(out, b"four\n")
        self.assertEqual([(row["kept_file"], row["kept_row"]) for row in self.table("r.tsv")],
                         [("old/b.txt", "0"), ("old/a.txt", "0"), ("more.txt", "0")])

    def test_clusters_list_own_rows_and_count_the_survivor_of_other(self):
        self.write("old.txt", "one\n")
        self.write("new.txt", "one\ntwo\none\ntwo\n")
        self.kept("new.txt", "--against", "old.txt", "--clusters", "c.tsv")
        self.assertEqual([tuple(row.values()) for row in self.table("c.tsv")],
                         [("0", "0", "false", "3"), ("2", "0", "false", "3"),
                          ("1", "1", "true", "2"), ("3", "1", "false", "2")])

    def test_the_summary_counts_own_rows_and_tells_of_other(self):
        self.write_collections(3)
        expected = self.expected_removed()
        err = self.sosie("dedup", "new.jsonl", "--against", "old.jsonl", "--stats",
                         "stats.json").err
        stats = self.stats()
        self.assertEqual((stats.read, stats.removed, stats.kept),
                         (len(self.new), len(expected), len(self.new) - len(expected)))
        by_other = sum(kept.file == "old.jsonl" for _, kept, _ in expected)
        self.assertEqual(stats.tree["against"]["rows"], len(self.old))
        self.assertEqual(stats.tree["against"]["removed"], by_other)
        self.assertEqual([counts["name"] for counts in stats.tree["inputs"]], ["new.jsonl"])
        self.assertRegex(err, rf"against +{len(self.old)} rows")

    def test_other_may_be_empty_or_hold_nothing_similar(self):
        self.write("new.txt", "one\ntwo\none\n")
        for other in ("", "three\n"):
            self.write("old.txt", other)
            self.assertEqual(self.kept("new.txt", "--against", "old.txt"), b"one\ntwo\n")
        self.write("new.txt", "")
        self.assertEqual(self.kept("new.txt", "--against", "old.txt"), b"")

    def test_components_end_at_other(self):
        words = [f"w{number}" for number in range(60)]
        chain = [" ".join(words[start:start + 40]) for start in (0, 3, 6, 9)]
        self.write("old.jsonl", rows_called("o", chain[:1]))
        self.write("new.jsonl", rows_called("n", chain[1:] + ["apart"]))
        self.assertEqual(
            self.kept("new.jsonl", "--against", "old.jsonl", "--clustering", "components",
                      "--removed", "r.tsv"), jsonl([{"id": "n3", "text": "apart"}]))
        self.assertEqual({row["kept_id"] for row in self.table("r.tsv")}, {"o0"})


class Pairs(Collections):
    def test_left_is_from_input_and_right_from_other(self):
        for seed in range(4):
            self.write_collections(seed)
            for method in ("brute", "lsh"):
                out = self.sosie("pairs", "new.jsonl", "--against", "old.jsonl", "--method",
                                 method).out
                self.assert_pairs(out, self.expected_pairs())

    def test_equal_texts_are_expanded_across_collections_only(self):
        self.write("old.txt", "a b\nc\nA b\n")
        self.write("new.txt", "c\na, b\nc\n")
        out = read_table(self.sosie("pairs", "new.txt", "--against", "old.txt").out)
        self.assertEqual([(row["left"], row["right"]) for row in out],
                         [("0", "1"), ("1", "0"), ("1", "2"), ("2", "1")])

    def test_dedup_writes_the_same_pairs(self):
        self.write_collections(5)
        self.kept("new.jsonl", "--against", "old.jsonl", "--pairs", "p.tsv")
        self.assert_pairs(self.read("p.tsv"), self.expected_pairs())


class Mistakes(SosieTest):
    def test_other_is_read_as_carefully_as_the_input(self):
        self.write("new.jsonl", ["one"])
        self.fails(4, "dedup", "new.jsonl", "--against", "gone.jsonl", says="gone.jsonl: No such")
        self.write("old.jsonl", b'{"id": 1, "text": "a"}\n{"id": 2, "tex": "a"}\n')
        self.fails(3, "dedup", "new.jsonl", "--against", "old.jsonl", says="old.jsonl:2: field")

    def test_other_is_never_overwritten(self):
        self.write("new.jsonl", ["one"])
        self.write("old.jsonl", ["two"])
        before = self.read("old.jsonl")
        self.fails(2, "dedup", "new.jsonl", "--against", "old.jsonl", "-o", "old.jsonl",
                   says="is an input")
        self.assertEqual(self.read("old.jsonl"), before)

    def test_standard_input_can_be_one_of_them(self):
        self.write("a.jsonl", ["one two"])
        rows = jsonl([{"id": "x", "text": "One two"}, {"id": "y", "text": "three"}])
        self.assertEqual(self.kept("-", "--against", "a.jsonl", stdin=rows),
                         jsonl([{"id": "y", "text": "three"}]))
        self.assertEqual(self.kept("a.jsonl", "--against", "-", stdin=rows), b"")
        self.fails(2, "dedup", "-", "--against", "-", says="only once")


if __name__ == "__main__":
    unittest.main()
