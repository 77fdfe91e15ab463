"""Strings: `sosie dedup` and `sosie cluster` with edit distances, compared with their definitions.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

from string_runs import NAMES, STRINGS, StringTest, lines, random_strings
from support import jsonl, read_table, without_note

import edits  # stands in reference/


def star(strings: list, measure: str, within: int) -> dict:
    """Returns the removed rows with their survivors and distances, by definition."""
    survivors: list = []
    removed = {}
    for i, string in enumerate(strings):
        near = [(s, edits.distance(string, strings[s], measure)) for s in survivors]
        first = next(((s, d) for s, d in near if d <= within), None)
        if first is None:
            survivors.append(i)
        else:
            removed[i] = first
    return removed


class StringDedup(StringTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(7)
        self.strings = random_strings(rng, 300, "abcd", 8)
        self.write("in.txt", lines(self.strings))

    def removed(self, *args: str) -> dict:
        self.sosie("dedup", "in.txt", *STRINGS, *args, "-o", "out.txt", "--removed", "r.tsv")
        return {int(row["id"]): (int(row["kept_id"]), int(row["distance"]))
                for row in read_table(self.read("r.tsv"))}

    def test_star_is_as_it_is_defined(self):
        for measure, within in (("levenshtein", 1), ("osa", 1), ("damerau", 2), ("indel", 2)):
            expected = star(self.strings, measure, within)
            self.assertEqual(self.removed("--measure", measure, "--within", str(within)), expected)
            kept = [text for i, text in enumerate(self.strings) if i not in expected]
            self.assertEqual(self.read("out.txt").decode(), lines(kept))

    def test_same_bytes_for_any_threads_and_memory(self):
        expected = self.removed("--within", "1")
        for more in (("--threads", "1"), ("--threads", "7"), ("--memory", "8M"), ("--method", "brute")):
            self.assertEqual(self.removed("--within", "1", *more), expected, more)

    def test_components_are_chains_of_pairs(self):
        self.strings = ["a", "ab", "abc", "abcd", "xyz"]
        self.write("in.txt", lines(self.strings))
        found = self.removed("--within", "1", "--clustering", "components")
        self.assertEqual(found, {1: (0, 1), 2: (0, 2), 3: (0, 3)})

    def test_the_longest_is_counted_in_code_points(self):
        self.write("in.txt", "kätzchen\nkatzchens\nkatzchen\n")  # 9, 9 and 8 bytes
        kept = self.sosie("dedup", "in.txt", *STRINGS, "--within", "2", "--keep", "longest").out.decode()
        self.assertEqual(kept, "katzchens\n")
        kept = self.sosie("dedup", "in.txt", *STRINGS, "--within", "2", "--keep", "shortest").out.decode()
        self.assertEqual(kept, "kätzchen\n")

    def test_rows_near_to_others_go_too(self):
        self.write("other.txt", "abca\n")
        removed = self.removed("--within", "1", "--against", "other.txt")
        near = {i for i, text in enumerate(self.strings) if edits.distance(text, "abca") <= 1}
        self.assertTrue(near)
        self.assertLessEqual(near, set(removed))
        self.assertNotIn("abca", self.read("out.txt").decode().split("\n"))

    def test_side_files(self):
        result = self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "-o", "out.txt", "--clusters",
                            "c.tsv", "--pairs", "p.tsv", "--removed", "r.jsonl", "--report", "r.html")
        self.assertRegex(result.err, r"groups +\d+; the largest has \d+ rows: \d+")
        pairs = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1").out
        self.assertEqual(without_note(self.read("p.tsv")), pairs)
        self.assertTrue(self.read("p.tsv").startswith(b"#sosie within=1 measure=levenshtein\n"))
        self.assertIsInstance(json.loads(self.read("r.jsonl").splitlines()[0])["distance"], int)
        self.assertIn(b"levenshtein", self.read("r.html"))
        clusters = self.sosie("cluster", "p.tsv", "--within", "1", code=None)
        self.assertIn(clusters.code, (0, 2))

    def test_reused_pairs_are_of_the_same_strings(self):
        self.write("in.txt", "Anna\nanna\nANNA B\n")
        pairs = ("pairs", "in.txt", *STRINGS, "--within", "0", "-o", "p.tsv")
        dedup = ("dedup", "in.txt", *STRINGS, "--within", "0", "--reuse", "p.tsv")
        self.sosie(*pairs, "--clean", "fold")
        self.assertTrue(self.read("p.tsv").startswith(b"#sosie within=0 measure=levenshtein clean=fold\n"))
        self.assertEqual(self.sosie(*dedup, "--clean", "fold").out, b"Anna\nANNA B\n")
        self.fails(2, *dedup, says="p.tsv: was made with --clean fold, this run has none")
        self.sosie(*pairs)
        self.assertEqual(self.sosie(*dedup).out, b"Anna\nanna\nANNA B\n")
        self.fails(2, *dedup, "--clean", "alnum", says="p.tsv: was made with --clean none, this run has alnum")

    def test_cluster_of_pairs_at_a_smaller_distance(self):
        self.sosie("pairs", "in.txt", *STRINGS, "--within", "2", "-o", "p.tsv")
        self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "--clustering", "components",
                   "--clusters", "c.tsv")
        expected = {(row["id"], row["cluster_id"]) for row in read_table(self.read("c.tsv"))}
        found = read_table(self.sosie("cluster", "p.tsv", "--within", "1", "--clustering",
                                      "components").out)
        self.assertEqual({(row["id"], row["cluster_id"]) for row in found}, expected)

    def test_annotated_rows(self):
        self.write("in.jsonl", jsonl([{"text": text} for text in NAMES]))
        out = self.sosie("dedup", "in.jsonl", *STRINGS, "--within", "1", "--annotate", "all").out
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([row["text"] for row in rows], NAMES)
        self.assertEqual(rows[1]["duplicate_of"], 0)


if __name__ == "__main__":
    unittest.main()
