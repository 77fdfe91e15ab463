"""Runs write identical bytes every time and for any number of threads; also what a seed may
change."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import unittest

import corpus
from support import SosieTest, oracle

SIDE_FILES = ("r.tsv", "r.csv", "r.jsonl", "c.tsv", "c.csv", "c.jsonl", "p.tsv", "p.csv", "p.jsonl")


class SameBytes(SosieTest):
    def setUp(self):
        super().setUp()
        texts = corpus.texts(50, 900, "mixed") + corpus.planted_pairs(51, 600)
        self.write("in.jsonl", texts)

    def everything(self, *args: str) -> dict[str, bytes]:
        """Returns the kept rows and all side files, by name."""
        found = {}
        for extension in ("tsv", "csv", "jsonl"):
            found["stdout"] = self.kept("in.jsonl", *args, "--removed", f"r.{extension}",
                                        "--clusters", f"c.{extension}", "--pairs",
                                        f"p.{extension}", "--quiet")
        found["plain"] = self.kept("in.jsonl", *args)
        return found | {name: self.read(name) for name in SIDE_FILES}

    def test_any_number_of_threads(self):
        for method, shingle in (("auto", "words:5"), ("lsh", "words:5"), ("lsh", "chars:9"),
                                ("brute", "words:5")):
            args = ("--method", method, "--shingle", shingle, "--threshold", "0.7")
            one = self.everything(*args, "--threads", "1")
            self.assertEqual(one["stdout"], one["plain"])
            for threads in ("2", "7"):
                self.assertEqual(one, self.everything(*args, "--threads", threads),
                                 (method, shingle, threads))

    def test_a_second_run(self):
        self.assertEqual(self.everything(), self.everything())

    def test_any_memory_budget(self):
        self.assertEqual(self.kept("in.jsonl"), self.kept("in.jsonl", "--memory", "512M"))

    def test_pairs_for_any_number_of_threads(self):
        one = self.sosie("pairs", "in.jsonl", "--threads", "1").out
        for threads in ("2", "7"):
            self.assertEqual(one, self.sosie("pairs", "in.jsonl", "--threads", threads).out)


class Lsh(SosieTest):
    """Compared with the exact pairs of a collection with many similarities around the threshold."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.texts = corpus.planted_pairs(52, 800) + corpus.texts(53, 600, "mixed")
        cls.sets = [oracle.shingles(text) for text in cls.texts]
        cls.exact = {(f"d{left}", f"d{right}"): similarity for left, right, similarity
                     in oracle.similar_pairs_counted(cls.sets, oracle.Fraction(4, 5))}

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", self.texts)

    def found(self, *args: str) -> dict:
        self.sosie("pairs", "in.jsonl", "--method", "lsh", *args, "-o", "p.tsv")
        return {(row["left"], row["right"]): row["similarity"] for row in self.table("p.tsv")}

    def test_every_pair_is_a_true_one_with_its_true_similarity(self):
        for pair, similarity in self.found().items():
            self.assertIn(pair, self.exact)
            self.assertTrue(oracle.right_to_six_decimals(similarity, self.exact[pair]), pair)

    def test_the_promised_recall_is_kept_over_seeds(self):
        seeds = range(1, 7)
        found = sum(len(self.found("--seed", str(seed), "--recall", "0.99")) for seed in seeds)
        self.assertGreaterEqual(found / (len(seeds) * len(self.exact)), 0.985)

    def test_seeds_differ_only_in_what_they_miss(self):
        by_seed = [self.found("--seed", str(seed), "--recall", "0.8") for seed in range(1, 6)]
        for found in by_seed:
            self.assertLessEqual(found.keys(), self.exact.keys())
        self.assertGreater(len({frozenset(found) for found in by_seed}), 1, "a seed has an effect")

    def test_brute_does_not_depend_on_the_seed(self):
        self.assertEqual(self.kept("in.jsonl", "--method", "brute", "--seed", "1"),
                         self.kept("in.jsonl", "--method", "brute", "--seed", "2"))

    def test_bands_overrule_the_planner(self):
        """8 bands of 16 rows find about a fifth of the pairs at 0.8, and only few just above."""
        found = self.found("--bands", "8x16")
        self.assertLess(len(found), 0.9 * len(self.exact))
        self.assertGreater(len(self.found("--bands", "64x2")), 0.99 * len(self.exact))

    def test_removals_are_verified_and_no_found_pair_survives(self):
        for seed in ("1", "2", "3"):
            kept = self.kept("in.jsonl", "--method", "lsh", "--seed", seed, "--removed", "r.tsv",
                             "--pairs", "p.tsv", "--recall", "0.9")
            removed = self.table("r.tsv")
            gone = {row["id"] for row in removed}
            self.assertEqual(len(kept.splitlines()) + len(gone), len(self.texts))
            for row in removed:
                self.assertNotIn(row["kept_id"], gone)
                similarity = self.exact.get(
                    tuple(sorted((row["id"], row["kept_id"]), key=lambda name: int(name[1:]))))
                self.assertIsNotNone(similarity, row)
                self.assertTrue(oracle.right_to_six_decimals(row["similarity"], similarity), row)
            for row in self.table("p.tsv"):
                self.assertTrue(row["left"] in gone or row["right"] in gone, row)


if __name__ == "__main__":
    unittest.main()
