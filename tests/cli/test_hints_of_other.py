"""Hints name the options for the collection at fault, and only options that the verb has."""

import re
import unittest

from support import SosieTest

ONE = "one two three four five six seven eight"


class HintsOfOther(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("own.jsonl", [{"id": "a", "text": ONE}])
        self.write("own.csv", f"id,text\na,{ONE}\n")
        self.write("fields.jsonl", [{"key": "q1", "question": ONE}])
        self.write("fields.csv", f"key;question\nq1;{ONE}\nq2;{ONE}\n")
        self.write("no_column.csv", f"id,question\nq1,{ONE}\n")
        rows = "".join(f"{i},größer {i}\n" for i in range(40))
        self.write("latin.csv", f"id,text\n{rows}".encode("latin-1"))
        self.write("wide.csv", f"id,text\n1,{ONE}\n".encode("utf-16-le"))
        for name in ("x", "y"):
            self.write(f"twice/{name}.jsonl", [{"id": "same", "text": ONE}])
        self.options = {}
        for verb in ("dedup", "pairs", "query", "explain", "plan", "link", "sketch", "index"):
            text = self.sosie(verb, "--help").out.decode()
            self.options[verb] = set(re.findall(r"--[a-z][a-z-]*", text))

    def hint(self, verb: str, *args: str) -> str:
        """Returns the hint that a failed run prints."""
        run = self.sosie(verb, *args, code=None)
        self.assertIn(run.code, (2, 3), (args, run.err))
        lines = run.error_lines()
        self.assertEqual(len(lines), 2, (verb, args, run.err))
        named = set(re.findall(r"--[a-z][a-z-]*", lines[1]))
        self.assertLessEqual(named, self.options[verb], (verb, args, lines))
        return lines[1]

    FAULTS = (("fields.jsonl", (), "column"), ("no_column.csv", (), "column"),
              ("latin.csv", (), "encoding"), ("wide.csv", (), "encoding"),
              ("twice", (), "id"), ("fields.csv", ("--delimiter", ","), "delimiter"))

    NOT_PLANNED = ("fields.jsonl", "twice")  # a plan skips rows that stop a run

    def test_a_fault_of_the_other_collection_names_its_options(self):
        for name, more, option in self.FAULTS:
            for args in (("dedup", "own.jsonl", "--against", name),
                         ("pairs", "own.jsonl", "--against", name),
                         ("query", "own.jsonl", name),
                         ("plan", "own.jsonl", "--against", name),
                         ("explain", "a", "q1", "own.jsonl", "--against", name),
                         ("pairs", "own.jsonl", "--against", name, "--kind", "strings", "--within", "0"),
                         ("query", "own.jsonl", name, "--kind", "sets")):
                if args[0] == "plan" and name in self.NOT_PLANNED:
                    continue
                hint = self.hint(*args, *more)
                self.assertIn(f"--other-{option}", hint, args)
                self.assertNotRegex(hint, rf"--{option}\b", args)

    def test_a_fault_of_the_own_collection_names_its_options(self):
        for name, more, option in self.FAULTS:
            for args in (("dedup", name, "--against", "own.jsonl"), ("pairs", name),
                         ("query", name, "own.jsonl"), ("plan", name),
                         ("index", "build", "x.index", name),
                         ("pairs", name, "--kind", "strings", "--within", "0"),
                         ("query", name, "own.jsonl", "--kind", "sets")):
                if args[0] == "plan" and name in self.NOT_PLANNED:
                    continue
                hint = self.hint(*args, *more)
                self.assertRegex(hint, rf"--{option}\b", args)
                self.assertNotIn("--other-", hint, args)

    def test_a_stream_of_a_query_is_the_other_collection(self):
        for data, kind in (("own.jsonl", ()), ("own.jsonl", ("--kind", "strings", "--within", "0"))):
            run = self.sosie("query", data, *kind, stdin=self.read("fields.jsonl"), code=3)
            self.assertIn("--other-column FIELD names the text, --other-id FIELD the id", run.err)

    def test_a_hint_names_the_format_of_the_other_input_alone(self):
        self.write("data.jsonl", [{"id": 1, "text": "a b c d e f"}])
        rows = b"id,text\n1,a b c d e f\n"
        self.write("rows.jsonl", rows)
        for args in (("query", "data.jsonl", "rows.jsonl"), ("pairs", "data.jsonl", "--against", "rows.jsonl")):
            self.fails(3, *args, says="rows.jsonl: appears to contain CSV",
                       hints="--other-format csv reads it")
        self.assertIn("unless --other-format is given", self.sosie("query", "data.jsonl", "-", stdin=rows, code=3).err)
        self.fails(3, "dedup", "rows.jsonl", says="appears to contain CSV", hints="--format csv reads it")
        self.write("rows.csv", rows)
        self.assertEqual(self.sosie("query", "data.jsonl", "rows.csv").out.splitlines()[1][:3], b"1\t1")

    def test_an_index_is_asked_by_rows_with_options_of_their_own(self):
        self.sosie("index", "build", "q.index", "fields.jsonl", "--column", "question", "--id", "key")
        self.assertIn("--other-column", self.hint("query", "q.index", "own.jsonl"))
        self.assertEqual(
            self.sosie("query", "q.index", "own.jsonl", "--other-column", "text", "--other-id",
                       "id").out, b"left\tright\tsimilarity\na\tq1\t1.000000\n")

    def test_link_has_no_column(self):
        people = "".join(f"{i},Name{i},{1900 + i}\n" for i in range(60))
        self.write("a.csv", "id,name,year\n" + people)
        self.write("b.csv", "key,name,year\n" + people)
        own = self.hint("link", "b.csv", "--id", "nr")
        self.assertIn("available fields: key, name, year; --id FIELD names the id", own)
        other = self.hint("link", "a.csv", "--against", "b.csv", "--id", "id")
        self.assertIn("available fields: key, name, year; --other-id FIELD names the id", other)
        self.assertIn("--other-encoding", self.hint("link", "a.csv", "--against", "latin.csv"))
        self.hint("link", "a.csv", "--ignore", "nam")

    def test_sets_put_together_of_rows_have_fields_of_their_own(self):
        self.assertIn("--group-by, --element and --weight name the fields",
                      self.hint("pairs", "own.csv", "--group-by", "who", "--element", "text"))


if __name__ == "__main__":
    unittest.main()
