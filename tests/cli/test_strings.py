"""Strings: pairs by edit distance compared with dynamic programming in Python, explanations, plans.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import random
import unittest

from string_runs import ALPHABETS, NAMES, STRINGS, StringTest, expected_pairs, lines, random_strings
from support import jsonl

import edits  # stands in reference/


class StringPairs(StringTest):
    def test_the_example_of_the_issue(self):
        self.write("names.txt", lines(NAMES))
        out = self.sosie("pairs", "names.txt", *STRINGS, "--within", "2", "--show", "text").out
        self.assertEqual(out.decode(), (
            "left\tright\tdistance\tleft_text\tright_text\n"
            "0\t1\t1\tKatharina\tKatarina\n"
            "0\t2\t2\tKatharina\tCatharine\n"
            "0\t3\t2\tKatharina\tKathrin\n"
            "1\t3\t2\tKatarina\tKathrin\n"))

    def test_pairs_are_those_of_dynamic_programming(self):
        rng = random.Random(1)
        for alphabet in ALPHABETS:
            strings = random_strings(rng, 40, alphabet, 12)
            others = random_strings(rng, 15, alphabet, 12) + strings[:5]
            self.write("in.txt", lines(strings))
            self.write("other.txt", lines(others))
            for measure in edits.MEASURES:
                for within in (0, 1, 2, 5):
                    args = (*STRINGS, "--measure", measure, "--within", str(within))
                    self.assertEqual(self.found("pairs", "in.txt", *args),
                                     expected_pairs(strings, None, measure, within),
                                     (alphabet, measure, within))
                    self.assertEqual(self.found("pairs", "in.txt", "--against", "other.txt", *args),
                                     expected_pairs(strings, others, measure, within),
                                     (alphabet, measure, within))

    def test_thresholds_are_decided_as_they_are_written(self):
        rng = random.Random(2)
        strings = random_strings(rng, 60, "abc", 12)
        self.write("in.txt", lines(strings))
        for measure in edits.MEASURES:
            for threshold in ("1", "1/2", "2/3", "0.75", "5/6", "0.1"):
                found = self.found("pairs", "in.txt", *STRINGS, "--measure", measure, "--threshold",
                                   threshold)
                self.assertEqual(found, expected_pairs(strings, None, measure, None, threshold),
                                 (measure, threshold))
        # 17/20 with 20 letters allows 3 edits, in integers; in doubles, 1 - 0.85 = 0.15000000000000002.
        self.write("t.txt", lines(["a" * 20, "a" * 17 + "bbb", "a" * 16 + "bbbb"]))
        self.assertEqual(self.found("pairs", "t.txt", *STRINGS, "--threshold", "0.85"),
                         [("0", "1", "0.850000"), ("1", "2", "0.950000")])

    def test_lengths_around_a_word_and_far_above(self):
        rng = random.Random(3)
        for most in (66, 300):
            base = ["".join(rng.choices("abcdefgh", k=most)) for _ in range(3 if most < 100 else 1)]
            strings = [text[:rng.randint(most - 6, most)] for text in base for _ in range(2)]
            strings += [text.replace("ab", "ba", 1) for text in base]
            self.write("in.txt", lines(strings))
            for measure in edits.MEASURES:
                self.assertEqual(
                    self.found("pairs", "in.txt", *STRINGS, "--measure", measure, "--within", "4"),
                    expected_pairs(strings, None, measure, 4), (measure, most))

    def test_same_bytes_for_any_threads_and_memory(self):
        rng = random.Random(4)
        strings = random_strings(rng, 3000, "abcdef", 10)
        self.write("in.txt", lines(strings))
        for args in (("--within", "1"), ("--within", "2", "--measure", "damerau"), ("--threshold", "0.8"),
                     ("--within", "1", "--method", "brute"), ("--top", "2")):
            expected = self.sosie("pairs", "in.txt", *STRINGS, *args).out
            self.assertGreater(expected.count(b"\n"), 100)
            for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "7"), ("--memory", "8M"),
                         ("--memory", "64M", "--threads", "3")):
                self.assertEqual(self.sosie("pairs", "in.txt", *STRINGS, *args, *more).out, expected,
                                 (args, more))
        exact = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1", "--method", "exact").out
        self.assertEqual(exact, self.sosie("pairs", "in.txt", *STRINGS, "--within", "1").out)

    def test_top_of_each_row_and_of_all_pairs(self):
        rng = random.Random(5)
        strings = random_strings(rng, 50, "abc", 9)
        self.write("in.txt", lines(strings))
        distance = {(i, j): edits.distance(left, right) for i, left in enumerate(strings)
                    for j, right in enumerate(strings)}
        expected = [(str(i), str(j), str(distance[i, j])) for i in range(len(strings))
                    for j in sorted(sorted(range(i + 1, len(strings)),
                                           key=lambda j, i=i: (distance[i, j], j))[:2])]
        self.assertEqual(self.found("pairs", "in.txt", *STRINGS, "--top", "2"), expected)
        best = sorted((distance[i, j], i, j) for i in range(len(strings))
                      for j in range(i + 1, len(strings)) if distance[i, j] <= 3)[:7]
        self.assertEqual(self.found("pairs", "in.txt", *STRINGS, "--within", "3", "--top-pairs", "7"),
                         [(str(i), str(j), str(d)) for d, i, j in sorted(best, key=lambda b: b[1:])])
        self.fails(4, "pairs", "in.txt", *STRINGS, "--within", "9", "--limit", "10", says="--limit")

    def test_formats_and_joined_columns(self):
        strings = NAMES + ["Zoe\u0308", "Zo\u00eb", "a\tb", "quo\"te"]
        rows = [{"id": f"r{i}", "name": text, "other": "x"} for i, text in enumerate(strings)]
        self.write("in.jsonl", jsonl(rows))
        self.write("in.csv", "id,name,other\n" + "".join(
            '{},"{}",x\n'.format(f"r{i}", text.replace('"', '""')) for i, text in enumerate(strings)))
        composed = [edits.compared(text) for text in strings]
        expected = [(f"r{i}", f"r{j}", d) for i, j, d in expected_pairs(composed, None, "levenshtein", 2)]
        for name in ("in.jsonl", "in.csv"):
            found = self.found("pairs", name, *STRINGS, "--column", "name", "--within", "2")
            self.assertEqual(found, expected, name)
            joined = self.found("pairs", name, *STRINGS, "--column", "name,other", "--within", "2")
            self.assertEqual(joined, expected, name)
        self.write("in.jsonl.gz", gzip.compress(jsonl(rows)))
        self.assertEqual(self.found("pairs", "in.jsonl.gz", *STRINGS, "--column", "name", "--within", "2"),
                         expected)

    def test_numbers_are_numbers_in_json(self):
        self.write("names.txt", lines(NAMES))
        self.sosie("pairs", "names.txt", *STRINGS, "--within", "2", "-o", "p.jsonl")
        first = json.loads(self.read("p.jsonl").splitlines()[0])
        self.assertEqual(first, {"left": 0, "right": 1, "distance": 1})

    def test_what_was_compared_stands_beside_the_original(self):
        self.write("in.txt", "O'Neil,  Shaun\nONEIL shaun\n\u0130zmir\n")
        out = self.found("pairs", "in.txt", *STRINGS, "--within", "0", "--clean", "alnum", "--show", "text")
        self.assertEqual(out, [("0", "1", "0", "O'Neil,  Shaun", "ONEIL shaun", "oneilshaun",
                                "oneilshaun")])
        header = self.sosie("pairs", "in.txt", *STRINGS, "--within", "0", "--clean", "fold", "--show",
                            "text").out.split(b"\n")[0]
        self.assertEqual(header, b"left\tright\tdistance\tleft_text\tright_text\tleft_compared"
                                 b"\tright_compared")

    def test_cleaned_strings_are_compared(self):
        texts = [b"Jos\xc3\xa9  M\xc3\x9cLLER ", b"jos\xc3\xa9 m\xc3\xbcller", b"Jose\xcc\x81 Muller",
                 b"\xc4\xb0stanbul", b"istanbul", b"a\0b", b"a b", b"A-B",
                 b"e-\xcc\x81", b"\xc3\xa9", "👩‍💻 ok".encode(), b"ok", b"\xff", b"\xfe", b"",
                 "Straße".encode(), b"STRASSE", "東京".encode(), "東 京".encode()]
        self.write("in.txt", b"".join(text + b"\n" for text in texts))
        for clean in ("none", "fold", "alnum"):
            compared = [edits.compared(text, clean) for text in texts]
            self.assertEqual(
                self.found("pairs", "in.txt", *STRINGS, "--clean", clean, "--within", "1"),
                expected_pairs(compared, None, "levenshtein", 1), clean)

    def test_audit_finds_nothing_missed(self):
        rng = random.Random(6)
        self.write("in.txt", lines(random_strings(rng, 800, "abcdef", 9)))
        for args in (("--within", "1"), ("--threshold", "0.8", "--measure", "indel")):
            result = self.sosie("pairs", "in.txt", *STRINGS, *args, "--audit=200", "--stats", "s.json")
            audit = json.loads(self.read("s.json"))["audit"]
            self.assertEqual(audit["recall"], 1)
            self.assertIn("strings", result.err)


class StringExplain(StringTest):
    def explain(self, left: str, right: str, *args: str) -> str:
        self.write("two.txt", lines([left, right]))
        return self.sosie("explain", "0", "1", "two.txt", *STRINGS, *args).out.decode()

    def test_each_edit_is_told(self):
        page = self.explain("Katharina", "Catharine", "--within", "2")
        self.assertIn("distance     2 levenshtein\n", page)
        self.assertIn("[-K-]{+C+}atharin[-a-]{+e+}\n", page)
        self.assertIn('character 1: "K" is replaced with "C"\n', page)
        self.assertIn('character 9: "a" is replaced with "e"\n', page)
        page = self.explain("recieve", "receives", "--within", "2", "--measure", "osa")
        self.assertIn('characters 4 and 5: "ie" becomes "ei", swapped\n', page)
        self.assertIn('after character 7: "s" is inserted\n', page)
        page = self.explain("xab", "ab", "--within", "1", "--measure", "indel")
        self.assertIn('character 1: "x" is deleted\n', page)
        self.assertIn("Right is removed, left is kept.", page)

    def test_what_is_compared_stands_beside_the_original(self):
        page = self.explain("O'Neil", "ONEIL", "--within", "0", "--clean", "alnum")
        self.assertIn("left text    O'Neil\n  compared   oneil\nright text   ONEIL\n  compared   oneil\n",
                      page)
        self.assertIn("The same string.", page)

    def test_far_strings_are_explained_too(self):
        page = self.explain("abc", "x" * 30, "--within", "2")
        self.assertIn("Not near-duplicates: distance 30, within 2.", page)
        self.assertIn("and 10 more\n", page)


class StringPlan(StringTest):
    def test_a_plan_says_how_and_why(self):
        self.write("names.txt", lines(NAMES))
        text = self.sosie("plan", "--verbose", "names.txt", *STRINGS, "--within", "2").out.decode()
        self.assertRegex(text, r"(?m)^method +\S")
        self.assertRegex(text, r"(?m)^because +\S")
        self.assertIn("4 strings of 8.2 characters on average, at most 9; 9 different ones", text)
        self.fails(2, "plan", "names.txt", *STRINGS, "--within", "2", "-o", "p.json",
                   says="-o p.json: the plan does not use lsh")
        self.fails(2, "plan", *STRINGS, "--within", "2", says="planned by their lengths")

    def test_a_plan_of_two_collections_joins_them(self):
        self.write("names.txt", lines(NAMES))
        self.write("other.txt", lines(NAMES[:3]))
        args = (*STRINGS, "--within", "2", "--against")
        text = self.sosie("plan", "--verbose", "names.txt", *args, "other.txt", "--method", "brute").out.decode()
        self.assertRegex(text, r"(?m)^pairs looked at +12$")
        self.assertIn("for pairs of 4 strings with 3", self.sosie("plan", "names.txt", *args, "other.txt").out.decode())
        self.write("empty.txt", "")
        self.assertIn("for pairs of 4 strings with 0", self.sosie("plan", "names.txt", *args, "empty.txt").out.decode())

    def test_a_plan_of_nothing(self):
        self.write("empty.txt", "")
        text = self.sosie("plan", "--verbose", "empty.txt", *STRINGS, "--within", "2").out.decode()
        self.assertRegex(text, r"(?m)^because +there are no pairs$")
        self.assertRegex(text, r"(?m)^join takes +0 CPU seconds")


if __name__ == "__main__":
    unittest.main()
