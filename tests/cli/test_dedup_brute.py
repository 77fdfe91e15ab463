"""`dedup --method brute` and `pairs --method brute` give the same results as the oracle."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

import corpus
from support import SosieTest, jsonl, oracle

SHINGLES = ("words:1", "words:2", "words:5", "chars:3", "chars:9")
THRESHOLDS = ("0.5", "4/5", "1")
TOKENS = ("unicode", "ascii")
KEEPS = ("first", "last", "longest", "shortest", "max:stars", "min:stars", "max:stars,longest",
         "min:stars,max:size,last", "longest,last")


def rows_with_fields(texts: list[str], seed: int) -> list[dict]:
    """Rows in which `stars` has many ties and is sometimes missing or null."""
    chance = random.Random(seed)
    rows = []
    for number, text in enumerate(texts):
        row = {"id": f"d{number}", "text": text, "size": chance.randint(-3, 3)}
        kind = chance.random()
        if kind < 0.7:
            row["stars"] = chance.choice([-1, 0, 2, 2.5, 10, 1e3])
        elif kind < 0.85:
            row["stars"] = None
        rows.append(row)
    return rows


class BruteEqualsTheOracle(SosieTest):
    def check(self, name: str, threshold: str, shingle: str, tokens: str, keep: str = "first"):
        with self.subTest(file=name, threshold=threshold, shingle=shingle, tokens=tokens,
                          keep=keep):
            expected = oracle.answer(self.rows_of(name), threshold, shingle, tokens, keep)
            kept = self.kept(name, "--method", "brute", "--threshold", threshold, "--shingle",
                             shingle, "--tokens", tokens, "--keep", keep, "--removed",
                             "removed.tsv", "--pairs", "pairs.tsv", "--quiet")
            self.assert_removed(self.read("removed.tsv"), expected.removed)
            self.assertEqual(kept, expected.kept_bytes())
            self.assert_pairs(self.read("pairs.tsv"), expected.pairs)

    def check_all(self, name: str):
        for shingle in SHINGLES:
            for threshold in THRESHOLDS:
                for tokens in TOKENS:
                    self.check(name, threshold, shingle, tokens)

    def test_on_english_texts(self):
        self.check_all(self.write("in.jsonl", corpus.texts(1, 50, "english")))

    def test_on_texts_of_many_scripts(self):
        for seed in (2, 3):
            self.check_all(self.write("in.jsonl", corpus.texts(seed, 45, "mixed", longest=3)))

    def test_on_texts_written_with_json_escapes(self):
        rows = [{"text": text, "id": number}
                for number, text in enumerate(corpus.texts(4, 45, "mixed"))]
        self.check_all(self.write("in.jsonl", jsonl(rows, ascii_only=True)))

    def test_on_lines_of_text(self):
        lines = [" ".join(text.split()) for text in corpus.texts(5, 60, "mixed")]
        self.check_all(self.write("in.txt", "\n".join(lines)))

    def test_on_long_texts(self):
        texts = corpus.texts(6, 24, "mixed", longest=28)
        name = self.write("in.jsonl", texts)
        for shingle in ("words:5", "chars:9"):
            self.check(name, "0.8", shingle, "unicode")

    def test_at_thresholds_near_a_similarity(self):
        """A pair exactly at the threshold is included; one just below is not."""
        words = [f"w{number}" for number in range(10)]
        name = self.write("in.jsonl", [" ".join(words), " ".join(words[:9]), " ".join(words[:8]),
                                       " ".join(words[:7] + ["x", "y", "z"])])
        for threshold in ("0.9", "9/10", "0.900000001", "0.899999999", "8/9", "0.888888888",
                          "0.888888889", "0.8", "7/13", "0.538461538", "0.538461539"):
            self.check(name, threshold, "words:1", "ascii")

    def test_for_every_keep_policy(self):
        for seed in (7, 8):
            rows = rows_with_fields(corpus.texts(seed, 60, "mixed"), seed)
            name = self.write("in.jsonl", jsonl(rows))
            for keep in KEEPS:
                self.check(name, "0.5", "words:2", "unicode", keep)

    def test_after_rows_came_in_another_order(self):
        lines = self.read(self.write("in.jsonl", corpus.texts(9, 50))).splitlines(keepends=True)
        for seed in range(4):
            random.Random(seed).shuffle(lines)
            self.check(self.write("in.jsonl", b"".join(lines)), "0.5", "words:2", "unicode")


class Keep(SosieTest):
    """Small cases with obvious answers."""

    def survivors(self, rows: list[dict], keep: str) -> list:
        name = self.write("in.jsonl", jsonl(rows))
        kept = self.kept(name, "--keep", keep, "--shingle", "words:1", "--threshold", "0.5")
        return [json.loads(line)["id"] for line in kept.splitlines()]

    def rows(self, *stars) -> list[dict]:
        return [{"id": number, "text": "the same text", **({} if value is None else {"n": value})}
                for number, value in enumerate(stars)]

    def test_first_is_the_default(self):
        name = self.write("in.jsonl", jsonl(self.rows(1, 2, 3)))
        self.assertEqual(self.kept(name), self.kept(name, "--keep", "first"))
        self.assertEqual(self.survivors(self.rows(1, 2, 3), "first"), [0])

    def test_last(self):
        self.assertEqual(self.survivors(self.rows(1, 2, 3), "last"), [2])

    def test_numbers_are_compared_as_numbers(self):
        self.assertEqual(self.survivors(self.rows(9, 10, 1e1, -11), "max:n"), [1])
        self.assertEqual(self.survivors(self.rows(9, 10, -2, -11, -11.0), "min:n"), [3])

    def test_texts_that_look_like_numbers_are_told(self):
        told = "note: --keep compares '{}' as text and ranks it after all numbers; a number may contain a decimal point"
        for values, said in ((("2,5", "12,5", "9,75"), "2,5"), (("900", "1,500"), "1,500"),
                             (("7", " 5"), " 5"), (("1", "1.234.567,8"), "1.234.567,8"),
                             (("1", "1,234,567.8"), "1,234,567.8")):
            self.write("in.csv", "id;text;n\n" + "".join(f"{i};one two;{value}\n"
                                                       for i, value in enumerate(values)))
            done = self.sosie("dedup", "in.csv", "--keep", "max:n")
            self.assertIn(told.format(said), done.err)
            self.assertNotIn("note: --keep", self.sosie("dedup", "in.csv").err)
        for values in (("1.5", "-2e3", "7"), ("low", "high"), ("2026-11-28", "2026-01-02T10:00", "2026-1", "1,a", ",")):
            self.write("in.csv", "id;text;n\n" + "".join(f"{i};one two;{value}\n"
                                                       for i, value in enumerate(values)))
            self.assertNotIn("note: --keep", self.sosie("dedup", "in.csv", "--keep", "max:n").err)
        for date in ("28.11.2026", "1/2/2026", "01-12-2026 10:30", "2026-9-3", "2026/11/3", "2026-1-02T10:00",
                     "2026-11-28 9:05"):
            self.write("in.csv", f"id;text;n\n1;one two;2026-01-01\n2;one two;{date}\n")
            self.assertIn(f"note: --keep compares '{date}' as text, from its first digit: dates are ordered "
                          "correctly only if the year comes first",
                          self.sosie("dedup", "in.csv", "--keep", "max:n").err)
        self.write("in.jsonl", jsonl([{"text": "one", "n": "9"}, {"text": "one", "n": "10"}]))
        for method in ("brute", "lsh"):
            done = self.sosie("dedup", "in.jsonl", "--keep", "max:n", "--method", method)
            self.assertIn(told.format("9"), done.err)
        done = self.sosie("dedup", "in.jsonl", "--keep", "max:n", "--kind", "strings", "--within", "1")
        self.assertIn(told.format("9"), done.err)

    def test_missing_values_lose_at_either_end(self):
        for keep in ("max:n", "min:n"):
            self.assertEqual(self.survivors(self.rows(None, None, 5, None), keep), [2])

    def test_null_is_a_missing_value(self):
        rows = self.rows(None, 5)
        rows[0]["n"] = None
        self.assertEqual(self.survivors(rows, "max:n"), [1])
        self.assertEqual(self.survivors(rows, "min:n"), [1])

    def test_ties_are_in_input_order(self):
        self.assertEqual(self.survivors(self.rows(3, 7, 7, 3), "max:n"), [1])
        rows = [*self.rows(None, None), {"id": 2, "text": "another one", "n": 1}]
        self.assertEqual(self.survivors(rows, "max:n"), [0, 2])

    def test_a_later_policy_breaks_ties(self):
        self.assertEqual(self.survivors(self.rows(3, 7, 7, 3), "max:n,last"), [2])

    def test_longest_and_shortest(self):
        rows = [{"id": "a", "text": "one two three four"}, {"id": "b", "text": "one two three"},
                {"id": "c", "text": "one two three four five"}]
        self.assertEqual(self.survivors(rows, "longest"), ["c"])
        self.assertEqual(self.survivors(rows, "shortest"), ["b"])

    def test_a_field_nobody_has_is_an_error_or_all_tie(self):
        name = self.write("in.jsonl", jsonl(self.rows(1, 2)))
        result = self.sosie("dedup", name, "--keep", "max:nosuch", code=None)
        self.assertIn(result.code, (0, 2, 3))
        if result.code == 0:
            self.assertEqual(result.out, self.kept(name, "--keep", "first"))


if __name__ == "__main__":
    unittest.main()
