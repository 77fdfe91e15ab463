"""If the sample contains something that a run would reject, `plan` rejects it with the same
words."""

import json
import unittest

import corpus
from support import SosieTest


class PlanOfBadRows(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = [{"id": f"d{number}", "text": text}
                     for number, text in enumerate(corpus.texts(31, 60))]
        self.write("good.jsonl", self.rows)

    def expect_refused_alike(self, *args: str) -> str:
        """Checks that `plan` and `pairs` fail with the same exit code and error line; returns that line."""
        plan = self.sosie("plan", *args, code=3)
        run = self.sosie("pairs", *args, code=3)
        self.assertEqual(plan.error_lines(), run.error_lines())
        self.assertEqual(plan.out, b"")
        return plan.error_lines()[0]

    def test_broken_rows_and_missing_fields(self):
        lines = [json.dumps(row) for row in self.rows]
        for name, broken, says in (("json.jsonl", "{broken", "broken JSON"),
                                   ("field.jsonl", '{"id": "x", "body": "a"}', "is missing")):
            with self.subTest(name=name):
                self.write(name, "\n".join([*lines[:40], broken, *lines[40:]]) + "\n")
                self.assertIn(says, self.expect_refused_alike(name))
                self.assertIn(f"{name}:41", self.expect_refused_alike(name))
                self.expect_refused_alike("good.jsonl", "--against", name)
                for method in ("lsh", "exact", "brute"):
                    self.expect_refused_alike(name, "--method", method)
        self.write("all.jsonl", '{"body": "a"}\n' * 30)
        self.expect_refused_alike("all.jsonl")

    def test_ids_that_stand_twice(self):
        self.write("twice.jsonl", [*self.rows, self.rows[7]])
        self.assertIn("id 'd7' is already used by twice.jsonl:8",
                      self.expect_refused_alike("twice.jsonl"))
        self.expect_refused_alike("good.jsonl", "--against", "twice.jsonl")
        self.sosie("plan", "twice.jsonl", "--id", "row")
        self.sosie("plan", "good.jsonl", "--against", "good.jsonl")

    def test_a_table_with_a_row_too_short(self):
        rows = "".join(f"{row['id']},text of row {row['id']}\n" for row in self.rows)
        self.write("t.csv", "id,text\n" + rows + "only one\n" + "z1,last\n")
        self.assertIn("t.csv:62", self.expect_refused_alike("t.csv"))

    def test_rows_that_are_passed_over_are_no_reason_to_refuse(self):
        self.write("some.jsonl", "{broken\n" + "".join(json.dumps(row) + "\n" for row in self.rows))
        for what in ("skip", "keep"):
            self.sosie("plan", "some.jsonl", "--on-bad-row", what)
        self.write("none.jsonl", "{broken\n" * 20)
        plan = self.sosie("plan", "none.jsonl", "--on-bad-row", "skip").out.decode()
        self.assertNotIn("sample of 0 rows", plan)
        self.assertIn("no row of the sample has anything to compare", plan)


if __name__ == "__main__":
    unittest.main()
