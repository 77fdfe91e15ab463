"""Bad rows in the other collection: nothing is compared with them, and the run reports this."""

import json
import unittest

from refusals import RefusalTest


class BadRowsOfOthers(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["a b c d e f", "a b c d e g"])
        self.write("other.jsonl", b'{"text": "a b c d e f"}\nbroken\n{"text": [7.5]}\n')

    def test_bad_rows_of_against_are_counted(self):
        for what in ("skip", "keep"):
            done = self.sosie("dedup", "in.jsonl", "--against", "other.jsonl", "--on-bad-row", what,
                              "--dry-run", "--stats", "s.json")
            self.assertRegex(done.err, r"against     3 rows \(.*\), 2 bad rows left out, .*; 1 removed")
            self.assertEqual(json.loads(self.read("s.json"))["against"]["bad"], 2)

    def test_bad_rows_of_the_data_of_a_query_are_counted(self):
        done = self.sosie("query", "other.jsonl", "in.jsonl", "--on-bad-row", "skip")
        self.assertRegex(done.err, r"data        3 rows \(.*\), 2 bad rows left out")


if __name__ == "__main__":
    unittest.main()
