"""The outputs of `dedup`: kept rows, side files, and what does and does not go to stdout."""

import fcntl
import json
import os
import subprocess
import threading
import unittest
from pathlib import Path

import corpus
from support import (CLUSTERS_COLUMNS, PAIRS_COLUMNS, REMOVED_COLUMNS, SOSIE, SosieTest, jsonl,
                     oracle, read_table, without_note)

EXTENSIONS = ("tsv", "csv", "jsonl")


class KeptRows(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(20, 80))
        self.expected = oracle.answer(self.rows_of("in.jsonl")).kept_bytes()

    def test_stdout_and_output_file_hold_the_same_bytes(self):
        self.assertEqual(self.kept("in.jsonl"), self.expected)
        result = self.sosie("dedup", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(result.out, b"")
        self.assertEqual(self.read("out.jsonl"), self.expected)
        self.assertEqual(self.names(), {"in.jsonl", "out.jsonl"})

    def test_dedupe_is_the_same(self):
        self.assertEqual(self.sosie("dedupe", "in.jsonl").out, self.expected)

    def test_options_may_stand_anywhere_and_be_joined_with_an_equals_sign(self):
        for args in (("--threshold", "0.8", "in.jsonl"), ("--threshold=0.8", "in.jsonl"),
                     ("in.jsonl", "--threshold=4/5"), ("in.jsonl", "--threshold", ".8")):
            self.assertEqual(self.kept(*args), self.expected, args)

    def test_stated_defaults_change_nothing(self):
        self.assertEqual(self.kept(
            "in.jsonl", "--threshold", "0.8", "--shingle", "words:5", "--tokens", "unicode",
            "--method", "auto", "--recall", "0.99", "--seed", "1", "--keep", "first", "--column",
            "text", "--clustering", "star", "--measure", "jaccard", "--on-bad-row", "stop"),
            self.expected)

    def test_the_input_is_not_touched(self):
        before = self.read("in.jsonl"), os.stat(self.dir / "in.jsonl").st_mtime_ns
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(before, (self.read("in.jsonl"),
                                  os.stat(self.dir / "in.jsonl").st_mtime_ns))

    def test_deduplicating_again_removes_nothing(self):
        self.sosie("dedup", "in.jsonl", "-o", "once.jsonl", "--method", "brute")
        self.assertEqual(self.kept("once.jsonl", "--method", "brute"), self.read("once.jsonl"))

    def test_an_existing_file_is_replaced_by_a_new_one(self):
        self.write("out.jsonl", b"old\n")
        os.link(self.dir / "out.jsonl", self.dir / "second name")
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(self.read("out.jsonl"), self.expected)
        self.assertEqual(self.read("second name"), b"old\n", "replaced, not written over")

    def test_an_empty_result_file_appears_too(self):
        self.write("empty.jsonl", b"")
        self.sosie("dedup", "empty.jsonl", "-o", "out.jsonl")
        self.assertEqual(self.read("out.jsonl"), b"")

    def test_of_a_link_the_file_it_leads_to_is_replaced(self):
        self.write("shelf/old.jsonl", b"old")
        for link, target in (("out.jsonl", "shelf/old.jsonl"), ("more.jsonl", "out.jsonl"),
                             ("new.jsonl", "shelf/new.jsonl")):
            os.symlink(target, self.dir / link)
        for link, target in (("more.jsonl", "shelf/old.jsonl"), ("new.jsonl", "shelf/new.jsonl")):
            self.sosie("dedup", "in.jsonl", "-o", link)
            self.assertTrue((self.dir / link).is_symlink())
            self.assertEqual(self.read(target), self.expected)

    def test_names_of_descriptors_are_written_to_and_not_replaced(self):
        with (self.dir / "caught").open("wb") as caught:
            for name, descriptors in (("-", {"stdout": caught}),
                                      ("/dev/stdout", {"stdout": caught}),
                                      (f"/dev/fd/{caught.fileno()}",
                                       {"pass_fds": [caught.fileno()]})):
                caught.truncate(0)
                caught.seek(0)
                subprocess.run([SOSIE, "dedup", "in.jsonl", "-q", "-o", name], cwd=self.dir,
                               check=True, **descriptors)
                self.assertEqual(self.read("caught"), self.expected, name)
        self.assertTrue(Path("/dev/stdout").is_symlink())
        tables = {self.sosie("pairs", "in.jsonl", *to).out for to in ((), ("-o", "-"))}
        self.assertEqual(len(tables), 1)
        self.assertFalse((self.dir / "-").exists())

    def test_a_side_file_may_be_a_descriptor_that_is_a_pipe(self):
        run = subprocess.run([SOSIE, "dedup", "in.jsonl", "-q", "--stats", "/dev/fd/2"],
                             cwd=self.dir, check=True, capture_output=True)
        self.assertEqual(run.stdout, self.expected)
        self.assertIn("kept", json.loads(run.stderr))

    def test_a_named_pipe_is_written_to_and_not_replaced(self):
        os.mkfifo(self.dir / "out.jsonl")
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read("out.jsonl")), daemon=True)
        reader.start()
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", timeout=20)
        reader.join(5)
        self.assertEqual(got, [self.expected])

    def test_dry_run_writes_everything_but_kept_rows(self):
        args = ["--removed", "removed.tsv", "--clusters", "clusters.tsv", "--stats", "stats.json"]
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", *args)
        wet = self.read("removed.tsv"), self.read("clusters.tsv"), self.stats().kept
        for name in ("out.jsonl", "removed.tsv", "clusters.tsv", "stats.json"):
            os.unlink(self.dir / name)
        self.assertEqual(self.kept("in.jsonl", "--dry-run", "-o", "out.jsonl", *args), b"")
        self.assertEqual(wet, (self.read("removed.tsv"), self.read("clusters.tsv"),
                               self.stats().kept))
        self.assertNotIn("out.jsonl", self.names())
        self.assertEqual(self.kept("in.jsonl", "--dry-run"), b"")

    def test_fail_if_duplicates_says_so_after_the_work_is_done(self):
        result = self.sosie("dedup", "in.jsonl", "--fail-if-duplicates", "-o", "out.jsonl", code=1)
        self.assertEqual(self.read("out.jsonl"), self.expected)
        self.assertNotIn("sosie: ", result.err)
        self.sosie("dedup", "in.jsonl", "--fail-if-duplicates", "--dry-run", code=1)
        self.sosie("dedup", "out.jsonl", "--fail-if-duplicates", code=0)

    def test_stdout_holds_only_results(self):
        result = self.sosie("dedup", "in.jsonl", "--progress", "plain")
        self.assertEqual(result.out, self.expected)
        self.assertNotEqual(result.err, "")

    def test_quiet_says_nothing(self):
        for args in (("dedup", "in.jsonl"), ("pairs", "in.jsonl"),
                     ("dedup", "in.jsonl", "-o", "out.jsonl", "--stats", "stats.json")):
            self.assertEqual(self.sosie(*args, "--quiet").err, "")

    def test_quiet_still_reports_errors(self):
        self.fails(4, "dedup", "nosuch.jsonl", "--quiet", says="nosuch.jsonl")


class SideFiles(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(21, 80))
        self.expected = oracle.answer(self.rows_of("in.jsonl"))

    def dedup(self, *args: str):
        return self.sosie("dedup", "in.jsonl", "--method", "brute", *args, "-o", "out.jsonl")

    def test_columns_are_in_the_order_of_the_contract(self):
        self.dedup("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv")
        for name, columns in (("r.tsv", REMOVED_COLUMNS), ("c.tsv", CLUSTERS_COLUMNS),
                              ("p.tsv", PAIRS_COLUMNS)):
            self.assertEqual(without_note(self.read(name)).split(b"\n")[0].decode().split("\t"),
                             columns)
        self.dedup("--removed", "r.csv")
        self.assertEqual(self.read("r.csv").splitlines()[0].decode(), ",".join(REMOVED_COLUMNS))
        self.dedup("--removed", "r.jsonl", "--clusters", "c.jsonl", "--pairs", "p.jsonl")
        for name, columns in (("r.jsonl", REMOVED_COLUMNS), ("c.jsonl", CLUSTERS_COLUMNS),
                              ("p.jsonl", PAIRS_COLUMNS)):
            self.assertEqual(list(json.loads(self.read(name).splitlines()[0])), columns)

    def test_removed_names_every_removed_row_and_its_survivor(self):
        for extension in EXTENSIONS:
            self.dedup("--removed", f"removed.{extension}")
            self.assert_removed(self.read(f"removed.{extension}"), self.expected.removed,
                                extension)

    def test_clusters_hold_survivors_and_removed_of_groups_of_two_or_more(self):
        members: dict[str, set] = {}
        for gone, survivor, _ in self.expected.removed:
            members.setdefault(survivor.id, {(survivor.id, "true")}).add((gone.id, "false"))
        expected = {(identifier, cluster, kept, str(len(group)))
                    for cluster, group in members.items() for identifier, kept in group}
        for extension in EXTENSIONS:
            self.dedup("--clusters", f"clusters.{extension}")
            rows = self.table(f"clusters.{extension}")
            self.assertEqual({tuple(row[name] for name in CLUSTERS_COLUMNS) for row in rows},
                             expected, extension)
            self.assertEqual(len(rows), len(expected))

    def test_pairs_are_the_bytes_that_the_verb_pairs_writes(self):
        for method in ("brute", "lsh"):
            for extension in EXTENSIONS:
                self.sosie("dedup", "in.jsonl", "--method", method, "--pairs",
                           f"1.{extension}", "-o", "out.jsonl")
                self.sosie("pairs", "in.jsonl", "--method", method, "-o", f"2.{extension}")
                self.assertEqual(self.read(f"1.{extension}"), self.read(f"2.{extension}"))
        self.assert_pairs(self.read("1.csv"), self.expected.pairs, "csv")

    def test_writing_pairs_does_not_change_what_is_kept(self):
        self.dedup("--pairs", "pairs.tsv")
        self.assertEqual(self.read("out.jsonl"), self.expected.kept_bytes())

    def test_stats_count_rows(self):
        self.dedup("--stats", "stats.json")
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed),
                         (80, len(self.expected.kept), len(self.expected.removed)))

    def test_the_summary_counts_rows(self):
        err = self.dedup().err
        for count in (80, len(self.expected.kept), len(self.expected.removed)):
            self.assertRegex(err, rf"\b{count}\b")

    def test_types_in_json_are_those_of_the_input(self):
        self.write("in.jsonl", jsonl([{"id": 7, "text": "one two"}, {"id": 5, "text": "One two"}]))
        self.dedup("--removed", "r.jsonl", "--clusters", "c.jsonl", "--pairs", "p.jsonl")
        gone = json.loads(self.read("r.jsonl"))
        self.assertEqual((gone["id"], gone["kept_id"], gone["cluster_id"], gone["row"],
                          gone["kept_row"], gone["file"]), (5, 7, 7, 1, 0, "in.jsonl"))
        self.assertIs(type(gone["similarity"]), float)
        self.assertIs(type(gone["exact"]), bool)
        self.assertEqual(json.loads(self.read("p.jsonl")), {"left": 7, "right": 5,
                                                            "similarity": 1.0})
        self.assertEqual([json.loads(line)["kept"] for line in self.read("c.jsonl").splitlines()],
                         [True, False])

    def test_ids_with_special_characters_survive_every_format(self):
        ids = ["tab\there", "new\nline", "carriage\rreturn", "back\\slash", "\\t", 'quote"d',
               "comma,", " blank ", "é\U0001f600", "'", "=1+1", "\u2028"]
        rows = [{"id": identifier, "text": "one and the same"} for identifier in ids]
        self.write("in.jsonl", jsonl(rows, ascii_only=True))
        for extension in EXTENSIONS:
            self.dedup("--removed", f"r.{extension}", "--clusters", f"c.{extension}", "--pairs",
                       f"p.{extension}")
            gone = self.table(f"r.{extension}")
            self.assertEqual([row["id"] for row in gone], ids[1:], extension)
            self.assertEqual({row["kept_id"] for row in gone}, {ids[0]}, extension)
            self.assertEqual({row["id"] for row in self.table(f"c.{extension}")}, set(ids))
            self.assertEqual([row["right"] for row in self.table(f"p.{extension}")
                              if row["left"] == ids[0]], ids[1:], extension)

    def test_tsv_escapes_are_the_four_of_the_contract(self):
        self.write("in.jsonl", jsonl([{"id": "a\tb\nc\rd\\e", "text": "x"},
                                      {"id": "2", "text": "x"}]))
        out = self.sosie("pairs", "in.jsonl").out
        self.assertEqual(out.split(b"\n")[1], b"a\\tb\\nc\\rd\\\\e\t2\t1.000000")

    def test_ids_with_escapes_are_shown_decoded(self):
        self.write("in.jsonl", b'{"id":"caf\\u00e9 \\ud83d\\ude00","text":"x"}\n'
                               b'{"id":"b\\/c","text":"x"}\n')
        out = self.sosie("pairs", "in.jsonl").out
        self.assertEqual(read_table(out)[0]["left"], "café \U0001f600")
        self.assertEqual(read_table(out)[0]["right"], "b/c")

    def test_exact_tells_copies_from_near_duplicates(self):
        words = [f"w{number}" for number in range(60)]
        self.write("in.jsonl", [" ".join(words), " ".join(words), " ".join(words[:-1])])
        self.dedup("--removed", "r.tsv")
        self.assertEqual([(row["id"], row["exact"], row["similarity"])
                          for row in self.table("r.tsv")],
                         [("d1", "true", "1.000000"), ("d2", "false", "0.982143")])

    def test_equal_sets_of_unequal_texts_are_not_exact(self):
        self.write("in.jsonl", ["one two three", "three one two"])
        self.dedup("--removed", "r.tsv", "--shingle", "words:1")
        self.assertEqual([(row["exact"], row["similarity"]) for row in self.table("r.tsv")],
                         [("false", "1.000000")])

    def test_side_files_without_anything_to_tell_have_a_header(self):
        self.write("in.jsonl", ["one", "two"])
        self.dedup("--removed", "r.tsv", "--clusters", "c.csv", "--pairs", "p.tsv")
        self.assertEqual(self.read("r.tsv").decode(), "\t".join(REMOVED_COLUMNS) + "\n")
        self.assertEqual(self.read("c.csv").decode().strip(), ",".join(CLUSTERS_COLUMNS))

    def test_an_unknown_extension_of_a_side_file_is_an_error(self):
        self.fails(2, "dedup", "in.jsonl", "--removed", "removed.xyz", says="removed.xyz")
        self.assertEqual(self.names(), {"in.jsonl"})


class Leftovers(SosieTest):
    def test_of_a_killed_run_are_removed_by_the_next_at_once(self):
        self.write("in.jsonl", ["one", "one"])
        self.write(".out.tsv.sosie-AbC123", b"half")
        self.sosie("pairs", "in.jsonl", "-o", "out.tsv")
        self.assertEqual(self.names(), {"in.jsonl", "out.tsv"})

    def test_of_a_run_at_work_stay(self):
        self.write("in.jsonl", ["one", "one"])
        mine = self.dir / ".out.tsv.sosie-AbC123"
        mine.write_bytes(b"half")
        with mine.open("rb") as claim:
            fcntl.flock(claim, fcntl.LOCK_SH)
            self.sosie("pairs", "in.jsonl", "-o", "out.tsv")
            self.assertTrue(mine.exists())


class Counting(SosieTest):
    def test_kept_and_removed_are_what_was_read(self):
        for seed in range(5):
            self.write("in.jsonl", corpus.texts(30 + seed, 100))
            for threshold in ("0.3", "0.8"):
                kept = self.kept("in.jsonl", "--threshold", threshold, "--removed", "r.tsv",
                                 "--stats", "stats.json", "--method", "lsh")
                removed = self.table("r.tsv")
                stats = self.stats()
                self.assertEqual(len(kept.splitlines()) + len(removed), 100)
                self.assertEqual((stats.read, stats.kept, stats.removed),
                                 (100, len(kept.splitlines()), len(removed)))


if __name__ == "__main__":
    unittest.main()
