"""Strings: `sosie query` with edit distances, from files and row by row."""

import json
import random
import subprocess
import unittest

from string_runs import STRINGS, StringTest, expected_pairs, lines, random_strings
from support import jsonl

import edits  # stands in reference/


class StringQuery(StringTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(8)
        self.data = random_strings(rng, 120, "abcé", 8)
        self.asked = random_strings(rng, 25, "abcx東", 8) + self.data[:5]
        self.write("data.txt", lines(self.data))
        self.write("asked.txt", lines(self.asked))
        self.write("asked.jsonl", jsonl([{"id": f"q{i}", "text": text}
                                         for i, text in enumerate(self.asked)]))

    def expected(self, measure: str, most: int, within: int | None) -> list:
        hits = []
        for i, text in enumerate(self.asked):
            near = sorted((edits.distance(text, other, measure), j) for j, other in enumerate(self.data))
            near = [(d, j) for d, j in near if within is None or d <= within]
            hits += [(f"q{i}", str(j), str(d)) for d, j in near[:most or None]]
        return hits

    def test_hits_are_best_first(self):
        for measure in edits.MEASURES:
            for most, within in ((0, 2), (3, 2), (4, None), (500, None)):
                args = ("--measure", measure, *(("--within", str(within)) if within is not None else ()),
                        *(("--top", str(most)) if most else ()))
                expected = self.expected(measure, most, within)
                found = self.found("query", "data.txt", "asked.jsonl", *STRINGS, *args)
                self.assertEqual(found, expected, args)
                piped = self.found("query", "data.txt", *STRINGS, *args, stdin=self.read("asked.jsonl"))
                self.assertEqual(piped, expected, args)

    def test_brute_says_the_same_on_a_pipe(self):
        """Lengths and signatures rule out strings that are never measured."""
        asked = self.read("asked.jsonl")
        for measure in edits.MEASURES:
            for args in (("--within", "1"), ("--within", "2", "--top", "2"), ("--top", "3"), ("--threshold", "0.7"),
                         ("--threshold", "2/3", "--top", "1")):
                run = ("query", "data.txt", *STRINGS, "--measure", measure, *args)
                counts = []
                for method in ("auto", "exact", "brute"):
                    found = self.sosie(*run, "--method", method, "--stats", "s.json", stdin=asked)
                    counts.append((found.out, json.loads(self.read("s.json"))["candidates"]))
                self.assertEqual(counts[0], counts[1], (measure, args))
                self.assertEqual(counts[0][0], counts[2][0], (measure, args))
                self.assertEqual(counts[2][1], len(self.data) * len(self.asked))
                self.assertLess(counts[0][1], counts[2][1])

    def test_what_was_compared_is_shown_on_a_pipe(self):
        """Row by row: the answer to the first line arrives before the second is sent."""
        self.write("data.txt", "O'Neil,  Shaun\nM\u00fcller\n")
        run = ("query", "data.txt", *STRINGS, "--format", "txt", "--within", "1", "--clean", "alnum", "--show",
               "text", "-q")
        process = self.start(*run, "-", stdin=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.assertEqual(process.stdout.readline().decode().split(), [
            "left", "right", "distance", "left_text", "right_text", "left_compared", "right_compared"])
        answers = []
        for line in ("ONEIL shaun\n", "MULLER\n"):
            process.stdin.write(line.encode())
            process.stdin.flush()
            answers.append(process.stdout.readline())
        self.assertEqual(b"".join(answers).decode(),
                         "0\t0\t0\tONEIL shaun\tO'Neil,  Shaun\toneilshaun\toneilshaun\n"
                         "1\t1\t1\tMULLER\tM\u00fcller\tmuller\tm\u00fcller\n")
        self.write("asked.txt", "ONEIL shaun\nMULLER\n")
        self.assertEqual(self.sosie(*run, "asked.txt").out.split(b"\n")[1:], b"".join(answers).split(b"\n"))

    def test_by_similarity(self):
        found = self.found("query", "data.txt", "asked.jsonl", *STRINGS, "--threshold", "0.6")
        piped = self.found("query", "data.txt", *STRINGS, "--threshold", "0.6",
                           stdin=self.read("asked.jsonl"))
        self.assertEqual(piped, found)
        self.assertEqual(sorted((left[1:], right, value) for left, right, value in found),
                         sorted(expected_pairs(self.asked, self.data, "levenshtein", None, "0.6")))

    def test_no_hit_is_exit_1(self):
        self.write("none.txt", "qqqqqqqqqqqqqq\n")
        self.sosie("query", "data.txt", "none.txt", *STRINGS, "--within", "1", code=1)


if __name__ == "__main__":
    unittest.main()
