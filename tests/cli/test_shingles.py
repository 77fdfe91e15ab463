"""Shingles that begin with stop words, bags of shingles, and signatures as in the book."""

import random
import unittest

import corpus
from support import SosieTest, documents, oracle, read_table

ENGLISH = {"of", "the", "in", "it", "is", "a", "to", "and", "that", "by", "i", "my", "me", "what"}


def file_of(words: set[str]) -> str:
    return "".join(f"{word}\n" for word in sorted(words))


def with_repeats(seed: int, count: int) -> list[str]:
    """Texts in which stretches of words occur several times."""
    chance = random.Random(seed)
    texts = []
    for text in corpus.texts(seed, count, "english", longest=2):
        words = text.split()
        at = chance.randrange(max(1, len(words)))
        texts.append(" ".join(words[:at] + words[at:at + 6] * chance.randint(1, 5) + words[at:]))
    return texts


class Shingles(SosieTest):
    def check(self, expected, *options: str):
        kept = self.kept("in.jsonl", "--method", "brute", "--removed", "removed.tsv", "--pairs",
                         "pairs.tsv", "--quiet", *options)
        self.assertTrue(expected.pairs, "a corpus that shows something")
        self.assert_pairs(self.read("pairs.tsv"), expected.pairs)
        self.assert_removed(self.read("removed.tsv"), expected.removed)
        self.assertEqual(kept, expected.kept_bytes())

    def test_stopwords_of_a_file(self):
        self.write("my.stop", "# mine\n" + file_of(ENGLISH).upper())
        for seed, after in ((1, 1), (2, 2), (3, 3)):
            rows = self.rows_of(self.write("in.jsonl", corpus.texts(seed, 60, "english")))
            for tokens in ("unicode", "ascii"):
                shingle = f"stopwords:{after}"
                expected = oracle.answer(rows, "0.5", shingle, tokens, stop_words=ENGLISH)
                self.check(expected, "--shingle", shingle, "--stopwords", "my.stop", "--threshold",
                           "0.5", "--tokens", tokens)

    def test_stopwords_of_a_language(self):
        text = "Der Hund und die Katze sind in dem Haus, und das Haus ist an der Straße. "
        self.write("in.jsonl", [text + "Und nun?", text, "Hund Katze Haus", "Hund Katze Haus"])
        for name in ("german", "de"):
            run = self.sosie("pairs", "in.jsonl", "--shingle", "stopwords:2", "--stopwords", name)
            self.assertEqual([(row["left"], row["right"]) for row in read_table(run.out)],
                             [("d0", "d1")])  # no stop word: no shingle, even in equal texts
        self.assertIn("2 rows without a shingle (kept)", run.err)
        self.assertIn(" 40 words", run.err)  # theirs are counted, too
        default = self.sosie("pairs", "in.jsonl", "--shingle", "stopwords:2")
        english = self.sosie("pairs", "in.jsonl", "--shingle", "stopwords:2", "--stopwords", "en")
        self.assertEqual(default.out, english.out)

    def test_stopwords_that_cannot_be_had(self):
        self.write("in.jsonl", ["a text"])
        self.write("bad.stop", "of\nof the\n")
        words = ("pairs", "in.jsonl", "--shingle", "stopwords:2", "--stopwords")
        self.fails(2, *words, "klingon", says="'klingon' is neither a known language nor a file",
                   hints="english")
        self.fails(4, *words, "none.stop", says="^sosie: none.stop: ")
        self.fails(3, *words, "bad.stop", says="^sosie: bad.stop:2: expected one word, found 2")
        self.fails(2, "pairs", "in.jsonl", "--stopwords", "english",
                   says="--stopwords: does not apply to --shingle words:5",
                   hints="--shingle stopwords:2")
        self.fails(2, "pairs", "in.jsonl", "--shingle", "stopwords:64", says="--shingle")

    def test_bags(self):
        for seed in (1, 2, 3):
            rows = self.rows_of(self.write("in.jsonl", with_repeats(seed, 60)))
            for shingle in ("words:1", "chars:4"):
                expected = oracle.answer(rows, "0.6", shingle, bag=True)
                self.check(expected, "--measure", "bag-jaccard", "--shingle", shingle,
                           "--threshold", "0.6")
                sets = oracle.answer(rows, "0.6", shingle)
                self.assertNotEqual([pair[2] for pair in sets.pairs],
                                    [pair[2] for pair in expected.pairs])

    def test_t1_2_of_a_bag(self):
        self.write("in.jsonl", documents(["a a a b", "a a b b c"]))
        run = self.sosie("pairs", "in.jsonl", "--measure", "bag-jaccard", "--shingle", "words:1",
                         "--threshold", "1/2")
        self.assertEqual(read_table(run.out)[0]["similarity"], "0.500000")

    def test_sketches_find_the_pairs_of_all_of_these(self):
        rows = self.rows_of(self.write("in.jsonl", with_repeats(4, 400)))
        self.write("my.stop", file_of(ENGLISH))
        for shingle, more, bag in (("stopwords:2", ["--stopwords", "my.stop"], False),
                                   ("words:2", ["--measure", "bag-jaccard"], True),
                                   ("words:5", ["--sketch", "classic"], False)):
            with self.subTest(shingle=shingle):
                expected = oracle.answer(rows, "0.8", shingle, stop_words=ENGLISH, bag=bag)
                run = self.sosie("pairs", "in.jsonl", "--method", "lsh", "--recall", "0.9999",
                                 "--shingle", shingle, *more)
                self.assertGreater(len(expected.pairs), 12)
                self.assert_pairs(run.out, expected.pairs)

    def test_explain_shows_stop_word_shingles(self):
        self.write("my.stop", "of\nthe\n")
        self.write("in.jsonl", ["the way of the whale is long", "the way of the world is long"])
        run = self.sosie("explain", "d0", "d1", "in.jsonl", "--shingle", "stopwords:2",
                         "--stopwords", "my.stop", "--threshold", "0.2")
        for shown in ("the way of", "of the whale", "of the world"):
            self.assertIn(shown, run.out.decode())

    def test_a_plan_holds_the_list_and_the_sketch(self):
        self.write("in.jsonl", ["the way of the whale", "the way of the world"])
        self.write("my.stop", "of\nthe\n")
        words = ("--shingle", "stopwords:2", "--stopwords")
        self.sosie("plan", *words, "my.stop", "--sketch", "classic", "-o", "p.json")
        self.sosie("pairs", "in.jsonl", *words, "my.stop", "--sketch", "classic", "--plan",
                   "p.json")
        self.fails(2, "pairs", "in.jsonl", *words, "english", "--sketch", "classic", "--plan",
                   "p.json", says="p.json: was made for shingle stopwords:2@")
        self.fails(2, "pairs", "in.jsonl", *words, "my.stop", "--plan", "p.json",
                   says="p.json: was made for sketch classic, this run has permfill")


if __name__ == "__main__":
    unittest.main()
