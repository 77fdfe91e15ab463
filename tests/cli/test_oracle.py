"""The oracle itself: examples from the book, and its two ways to find pairs compared with each
other."""

import unittest
from fractions import Fraction

import corpus
from support import oracle


def characters(text: str, size: int) -> frozenset:
    """Shingles of the unchanged text, including case, because the book does not fold."""
    return frozenset(tuple(text[at:at + size]) for at in range(len(text) - size + 1))


class Oracle(unittest.TestCase):
    def test_T2_1_shingles_of_abcdabd(self):
        found = {"".join(shingle) for shingle in oracle.shingles("abcdabd", "chars:2", "ascii")}
        self.assertEqual(found, {"ab", "bc", "cd", "da", "bd"})

    def test_T2_2_blanks_are_kept(self):
        left = "The plane was ready for touch down"
        right = "The quarterback scored a touchdown"
        kept = [oracle.shingles(text, "chars:9", "ascii") for text in (left, right)]
        self.assertEqual(oracle.jaccard(*kept), 0)
        deleted = [oracle.shingles(text.replace(" ", ""), "chars:9", "ascii")
                   for text in (left, right)]
        self.assertEqual(oracle.jaccard(*deleted), Fraction(1, 41))

    def test_T2_3_a_changed_word_costs_few_shingles(self):
        left = characters("The dog which chased the cat", 3)
        right = characters("The dog that chased the cat", 3)
        self.assertEqual({"".join(shingle) for shingle in left - right},
                         {"g w", " wh", "whi", "hic", "ich", "ch ", "h c"})
        self.assertEqual(oracle.jaccard(left, right), Fraction(3, 5))

    def test_T2_6_order_of_words(self):
        texts = ["the dog bit the man", "the man bit the dog"]
        for shingle, similarity in (("words:1", 1), ("words:2", Fraction(3, 5))):
            self.assertEqual(
                oracle.jaccard(*[oracle.shingles(text, shingle) for text in texts]), similarity)

    def test_short_texts_are_one_shingle_and_empty_ones_none(self):
        self.assertEqual(oracle.shingles("Two words", "words:5"), {("two", "words")})
        self.assertEqual(oracle.shingles(" , ", "words:5"), set())
        self.assertEqual(oracle.shingles(" \n", "chars:9"), set())

    def test_words_of_scripts_without_blanks(self):
        self.assertEqual(oracle.words("人は、x2 東京", "unicode"), ["人", "は", "x2", "東", "京"])
        self.assertEqual(oracle.words("Straße ΣΑΣ e\u0301t\u00e9", "unicode"),
                         ["strasse", "σασ", "\u00e9t\u00e9"])

    def test_ascii_words_are_runs_of_bytes(self):
        self.assertEqual(oracle.words("A_b-É1 ×", "ascii"), ["a_b", "É1", "×"])

    def test_counting_equals_comparing_all(self):
        for seed in range(5):
            sets = [oracle.shingles(text, "words:2") for text in corpus.texts(seed, 50)]
            for threshold in (Fraction(1, 5), Fraction(4, 5), Fraction(1)):
                self.assertEqual(oracle.similar_pairs_counted(sets, threshold),
                                 oracle.similar_pairs(sets, threshold))

    def test_star_does_not_chain(self):
        sets = {0: frozenset("abcd"), 1: frozenset("bcde"), 2: frozenset("cdef")}
        self.assertEqual(oracle.star([0, 1, 2], sets, Fraction(3, 5)), {1: (0, Fraction(3, 5))})
        self.assertEqual(oracle.star([1, 0, 2], sets, Fraction(3, 5)),
                         {0: (1, Fraction(3, 5)), 2: (1, Fraction(3, 5))})


if __name__ == "__main__":
    unittest.main()
