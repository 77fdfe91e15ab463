"""The contents of the summary on stderr."""

import random
import unittest

import corpus
from support import SosieTest, jsonl


def note(words) -> str:
    return rf"\b(under|fewer than) {words} words\b"


NOTE = note(49)  # CLI.md: words:5 at 0.8 cannot see one replaced word in texts under 49 words


class ShortTexts(SosieTest):
    def summary(self, lengths: list[int], *args: str) -> str:
        chance = random.Random(90)
        self.write("in.jsonl", [corpus.unrelated_words(chance, length) for length in lengths])
        return self.sosie("dedup", "in.jsonl", *args).err

    def test_the_note_appears_when_a_tenth_of_the_rows_are_short(self):
        self.assertRegex(self.summary([100] * 90 + [20] * 10), NOTE)
        self.assertRegex(self.summary([20] * 30), NOTE)

    def test_it_appears_over_an_index_too(self):
        self.write("none.jsonl", "")
        self.sosie("index", "build", "x.index", "none.jsonl")
        for lengths, expect in (([20] * 30, self.assertRegex), ([100] * 91 + [20] * 9, self.assertNotRegex)):
            expect(self.summary(lengths, "--against", "x.index"), NOTE)
            expect(self.sosie("pairs", "in.jsonl", "--against", "x.index").err, NOTE)
            expect(self.sosie("query", "x.index", "in.jsonl", code=None).err, NOTE)

    def test_it_does_not_appear_when_fewer_are(self):
        self.assertNotRegex(self.summary([100] * 91 + [20] * 9), NOTE)
        self.assertNotRegex(self.summary([100] * 30), NOTE)

    def test_the_limit_is_49_words(self):
        self.assertRegex(self.summary([48] * 20), NOTE)
        self.assertNotRegex(self.summary([49] * 20), NOTE)

    def test_the_limit_depends_on_threshold_and_shingle(self):
        self.assertNotRegex(self.summary([20] * 30, "--threshold", "0.5"), note(r"\d+"))
        self.assertRegex(self.summary([18] * 30, "--threshold", "0.5"), note(19))
        self.assertRegex(self.summary([60] * 30, "--threshold", "0.9"), note(99))
        self.assertRegex(self.summary([8] * 30, "--shingle", "words:1"), note(9))
        self.assertNotRegex(self.summary([9] * 30, "--shingle", "words:1"), note(r"\d+"))

    def test_one_replaced_word_is_indeed_seen_from_49_words_on(self):
        for length, pairs in ((48, 0), (49, 1)):
            words = corpus.unrelated_words(random.Random(length), length).split()
            other = words[:24] + ["replaced"] + words[25:]
            self.write("in.jsonl", [" ".join(words), " ".join(other)])
            out = self.sosie("pairs", "in.jsonl", "--method", "brute").out
            self.assertEqual(len(out.splitlines()), 1 + pairs, length)


class Counts(SosieTest):
    def test_identical_and_near_are_told_apart(self):
        words = [f"w{number}" for number in range(80)]
        texts = [" ".join(words)] * 4 + [" ".join(words[:-1]), " ".join(words[:-2])] + [
            f"alone {number}" for number in range(11)]
        self.write("in.jsonl", texts)
        err = self.sosie("dedup", "in.jsonl", "--stats", "stats.json").err
        for count in (17, 12, 5, 3, 2):  # read, kept, removed, identical, near
            self.assertRegex(err, rf"\b{count}\b")
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed, stats.identical, stats.near),
                         (17, 12, 5, 3, 2))

    def test_a_line_about_rows_says_the_word_once(self):
        self.write("in.jsonl", ["one two three four five six"] * 2)
        for verb in (("dedup", "--dry-run"), ("pairs",), ("query", "in.jsonl"),
                     ("pairs", "--kind", "strings", "--within", "1")):
            told = self.sosie(*verb, "in.jsonl").err
            self.assertRegex(told, r"(?m)^rows +2 (read|looked up), ", verb)
            self.assertNotRegex(told, r"(?m)^(\w+) +[\d,]+ \1\b", verb)

    def test_blank_lines_are_counted(self):
        self.write("in.jsonl", b"\n" * 37 + jsonl([{"text": "one"}]))
        self.assertRegex(self.sosie("dedup", "in.jsonl").err, r"\b37\b")

    def test_texts_without_tokens_are_counted(self):
        self.write("in.jsonl", ["one two"] + ["?!"] * 41)
        self.assertRegex(self.sosie("dedup", "in.jsonl").err, r"\b41\b")

    def test_the_largest_group_is_shown_with_a_line_of_its_text(self):
        self.write("in.jsonl", ["a lonely line"] * 2 + ["the popular line"] * 23)
        err = self.sosie("dedup", "in.jsonl").err
        self.assertRegex(err, r"\b23\b")
        self.assertIn("the popular line", err)

    def test_method_and_parameters_are_told(self):
        self.write("in.jsonl", corpus.texts(91, 50))
        self.assertRegex(self.sosie("dedup", "in.jsonl", "--method", "lsh", "--bands", "14x8").err,
                         r"14\s?[x×]\s?8|14 bands of 8 rows")
        self.assertIn("brute", self.sosie("dedup", "in.jsonl", "--method", "brute").err)


class Progress(SosieTest):
    def test_nothing_blinks_when_stderr_is_no_terminal(self):
        self.write("in.jsonl", corpus.planted_pairs(92, 1500))
        err = self.sosie("dedup", "in.jsonl").err
        self.assertNotIn("\r", err)
        self.assertNotIn("\x1b", err)


if __name__ == "__main__":
    unittest.main()
