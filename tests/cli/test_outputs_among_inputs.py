"""Outputs that the next run would read as inputs."""

import unittest

from support import SosieTest

ROWS = [{"id": "a", "text": "one two three four five six"},
        {"id": "b", "text": "seven eight nine ten eleven"}]


class AmongInputs(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("data/a.jsonl", ROWS)
        self.write("in.jsonl", ROWS)

    def refused(self, *args: str, says: str = "data, an input folder: the next run would read it"):
        before = self.names()
        run = self.sosie(*args, code=2)
        self.assertIn(says, run.err)
        self.assertEqual(len(run.error_lines()), 2, run.err)
        self.assertEqual(self.names(), before)

    def test_rows_and_tables_are_not_written_into_an_input_folder(self):
        for args in (("dedup", "data", "-o", "data/kept.jsonl"),
                     ("dedup", "data", "-o", "data/deep/kept.jsonl.gz"),
                     ("dedup", "data", "-o", "data/kept/"),
                     ("dedup", "data", "-o", "k.jsonl", "--removed", "data/removed.tsv"),
                     ("dedup", "data", "-o", "k.jsonl", "--removed-rows", "data/gone.jsonl"),
                     ("dedup", "data", "-o", "k.jsonl", "--clusters", "data/c.csv"),
                     ("dedup", "data", "-o", "k.jsonl", "--save", "data/run"),
                     ("dedup", "in.jsonl", "-o", "data/kept.jsonl", "--against", "data"),
                     ("pairs", "data", "-o", "data/pairs.tsv"),
                     ("query", "in.jsonl", "data", "-o", "data/hits.tsv"),
                     ("query", "data", "in.jsonl", "-o", "data/hits.tsv"),
                     ("explain", "a", "b", "data", "-o", "data/why.txt"),
                     ("link", "data", "-o", "data/links.csv")):
            with self.subTest(args):
                self.refused(*args)

    def test_the_same_command_can_be_given_twice(self):
        for _ in range(2):
            self.sosie("dedup", "data", "-o", "kept.jsonl", "--removed", "removed.tsv")

    def test_a_link_to_the_folder_is_the_folder(self):
        (self.dir / "link").symlink_to("data")
        self.refused("dedup", "data", "-o", "link/kept.jsonl")
        self.refused("dedup", "link", "-o", "data/kept.jsonl",
                     says="link, an input folder: the next run would read it")

    def test_what_a_pattern_matches_is_not_written(self):
        for pattern in ("data/*.jsonl", "data/**/*.jsonl", "**/*.jsonl"):
            self.refused("dedup", pattern, "--id", "row", "-o", "data/kept.jsonl",
                         says=f"data/kept.jsonl: matches {pattern}, an input")
        self.sosie("dedup", "data/a*.jsonl", "-o", "data/kept.jsonl")

    def test_patterns_match_part_by_part(self):
        self.write("data/deep/in/part.jsonl", ROWS)
        self.write("data/.deep/notes.txt", "not read")
        for pattern, output in (("data/**/part.jsonl", "data/new/part.jsonl"),
                                ("data/**", "data/deep/kept.jsonl"),
                                ("dat*", "data/kept.jsonl")):
            self.refused("dedup", pattern, "-o", output, says=f"matches {pattern}, an input")
        for pattern, output in (("data/**/part.jsonl", "data/kept-part.jsonl"),
                                ("data/**/in/*.jsonl", "data/main.jsonl"),
                                ("data/**/*.jsonl", "data/.kept.jsonl"),
                                ("data/**/*.jsonl", "data/.deep/kept.jsonl")):
            self.sosie("dedup", pattern, "--id", "row", "-o", output)
        self.sosie("dedup", "dat*", "--id", "row", "-o", "k.jsonl", "--report", "data/report.html")

    def test_an_object_beside_json_rows_would_stop_the_next_run(self):
        self.write("rows/a.json", ROWS)
        self.refused("dedup", "rows", "-o", "k.jsonl", "--stats", "rows/s.json",
                     says="rows, an input folder")

    def test_rows_under_a_json_name_would_be_read(self):
        self.refused("dedup", "data", "-o", "data/kept.json", says="data, an input folder")

    def test_what_is_not_read_may_be_written_there(self):
        self.sosie("dedup", "data", "-o", "data/.kept.jsonl", "--stats", "data/stats.json", "--report",
                   "data/report.html")
        self.sosie("sketch", "data", "--plan", self.plan(), "-o", "data/all.sketch")
        run = self.sosie("dedup", "data", "-o", "kept.jsonl")
        self.assertIn("rows        2 read", run.err)

    def plan(self) -> str:
        self.sosie("plan", "data", "-o", "data/plan.json")
        return "data/plan.json"

    def test_every_file_in_a_folder_of_documents_is_read(self):
        self.write("docs/a.md", "one two three")
        self.refused("dedup", "docs", "--format", "files", "-o", "kept/", "--stats", "docs/stats.json",
                     says="docs, an input folder")
        self.refused("dedup", "data", "--hidden", "-o", "data/.kept.jsonl")

    def test_an_output_that_is_an_input_is_told_before_its_rows_are_read(self):
        self.write("data/kept.jsonl", ROWS)
        self.refused("dedup", "data", "-o", "data/kept.jsonl", says="data/kept.jsonl: is an input of this run")


if __name__ == "__main__":
    unittest.main()
