"""--tokens raw: texts are split by the Unicode rules, but nothing is folded or composed."""

import unittest

from support import SosieTest, jsonl


class RawTokens(SosieTest):
    def similarity(self, left: str, right: str, *args: str) -> bytes:
        self.write("two.jsonl", jsonl([{"text": left}, {"text": right}]))
        out = self.sosie("pairs", "two.jsonl", "--threshold", "1/100", *args).out
        return out.splitlines()[1].split(b"\t")[2] if out.count(b"\n") > 1 else b"0"

    def test_words_are_cut_by_unicode_and_kept_as_they_are(self):
        for left, right, folded, raw in (
                ("One two", "one two", b"1.000000", b"0.333333"),
                ("caf\u00e9 two", "cafe\u0301 two", b"1.000000", b"0.333333"),
                ("stra\u00dfe, two!", "stra\u00dfe two", b"1.000000", b"1.000000"),
                ("\u6771\u4eac One", "\u6771 \u4eac One", b"1.000000", b"1.000000")):
            words = ("--shingle", "words:1")
            self.assertEqual(self.similarity(left, right, *words), folded)
            self.assertEqual(self.similarity(left, right, *words, "--tokens", "raw"), raw)

    def test_characters_and_stop_words_stay_as_they_are(self):
        chars = ("--shingle", "chars:1", "--tokens", "raw")
        self.assertEqual(self.similarity("ab  c", "aB\u00a0c", *chars), b"0.600000")
        stop = ("--shingle", "stopwords:1", "--tokens")
        self.assertEqual(self.similarity("The cat", "the cat", *stop, "unicode"), b"1.000000")
        self.assertEqual(self.similarity("the Cat", "the cat of x", *stop, "raw"), b"0")
        self.assertEqual(self.similarity("the cat", "the cat of x", *stop, "raw"), b"0.500000")

    def test_ill_formed_bytes_differ(self):
        self.write("in.txt", b"a \xff b\na \xfe b\na \xff b\n")
        out = self.sosie("pairs", "in.txt", "--shingle", "words:1", "--tokens", "raw",
                         "--threshold", "0.9").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_sketches_of_other_tokens_are_refused(self):
        self.write("in.txt", "One two three four five six\nseven\n")
        for made, asked in (("raw", "unicode"), ("unicode", "raw"), ("ascii", "raw")):
            self.sosie("plan", "--tokens", made, "-o", "p.json")
            self.sosie("sketch", "in.txt", "--tokens", made, "--plan", "p.json", "-o", "s.sketch")
            self.fails(2, "dedup", "--reuse", "s.sketch", "--tokens", asked,
                       says="was made with")
            self.fails(2, "sketch", "in.txt", "--tokens", asked, "--plan", "p.json", "-o", "t.sketch",
                       says="tokens")


if __name__ == "__main__":
    unittest.main()
