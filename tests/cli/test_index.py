"""`sosie index`: query and pairs look rows up in an index folder, with the same output as a run
over its rows."""

import fcntl
import json
import os
import random
import shutil
import subprocess
import unittest

import corpus
from support import SANITIZED, SosieTest, documents, jsonl

INDEX = "words.index"


class IndexTest(SosieTest):
    options = ("--threshold", "0.5")

    def setUp(self):
        super().setUp()
        texts = corpus.texts(72, 400)
        self.rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
        self.write("data.jsonl", self.rows[:300])
        self.asked = self.rows[280:]
        self.write("asked.jsonl", self.asked)

    def build(self, *args: str, data: str = "data.jsonl", index: str = INDEX) -> None:
        shutil.rmtree(self.dir / index, ignore_errors=True)
        self.sosie("index", "build", index, data, *self.options, *args)
        self.sosie("index", "info", index, "--plan", "plan.json")

    def answers(self, asked: str = "asked.jsonl", data: str = INDEX, *args: str) -> list[bytes]:
        """The lines of query and pairs, including --top. For files, uses the plan of the index."""
        plan = () if data == INDEX else (*self.options, "--plan", "plan.json")
        return [self.sosie("query", data, asked, *plan, *args, code=None).out,
                self.sosie("query", data, asked, "--top", "2", *plan, *args, code=None).out,
                self.sosie("pairs", asked, "--against", data, *plan, *args).out,
                self.sosie("pairs", asked, "--against", data, "--top", "1", *plan, *args).out]

    def expect_rows(self, rows: list[dict]) -> None:
        """The index answers like a file with these rows."""
        self.write("now.jsonl", jsonl(rows) if rows else b"")
        self.assertEqual(self.answers(), self.answers(data="now.jsonl"))
        self.sosie("index", "check", INDEX)


class Lookups(IndexTest):
    def test_the_lines_are_those_of_the_files(self):
        for options in ((), ("--bands", "50x2"), ("--shingle", "chars:4"), ("--measure", "bag-jaccard"),
                        ("--recall", "0.9", "--seed", "7"), ("--keep-items", "no")):
            with self.subTest(options=options):
                self.build(*options)
                made = () if "--keep-items" in options or "--bands" in options else options
                lines = self.answers()
                self.assertGreater(lines[0].count(b"\n"), 30)
                plan = (*self.options, "--plan", "plan.json", *made)
                self.assertEqual(
                    lines[0], self.sosie("query", "data.jsonl", "asked.jsonl", *plan).out)
                self.assertEqual(lines[2], self.sosie("pairs", "asked.jsonl", "--against",
                                                      "data.jsonl", *plan).out)
                for args in (("--threads", "1"), ("--threads", "3", "--memory", "1M")):
                    self.assertEqual(self.answers("asked.jsonl", INDEX, *args), lines)

    def test_sets_bags_and_numbered_rows(self):
        rng = random.Random(3)
        lines = [" ".join(rng.choices("abcdefghijklmnop", k=8)) for _ in range(120)] + ["", "a b"]
        self.write("data.sets", "\n".join(lines[:90]) + "\n")
        self.write("asked.sets", "\n".join(lines[80:]) + "\n")
        for kind in ("sets", "bags"):
            self.build("--kind", kind, data="data.sets")
            plan = ("--plan", "plan.json", "--kind", kind, *self.options)
            direct = self.sosie("query", "data.sets", "asked.sets", *plan).out
            self.assertGreater(direct.count(b"\n"), 20)
            self.assertEqual(self.sosie("query", INDEX, "asked.sets").out, direct)
            self.assertEqual(self.sosie("query", INDEX, "asked.sets", "--exclude-self", code=None).out,
                             self.sosie("query", "data.sets", "asked.sets", *plan, "--exclude-self",
                                        code=None).out)

    def test_exact_look_ups_find_every_pair(self):
        for options in ((), ("--keep-items", "no")):
            with self.subTest(options=options):
                self.build("--bands", "2x6", *options)
                self.write("more.jsonl", self.rows[300:340])
                self.sosie("index", "add", INDEX, "more.jsonl")
                self.write("all.jsonl", self.rows[:340])
                for args in ((), ("--top", "2"), ("--threshold", "0.7"), ("--exclude-self",)):
                    bound = () if "--threshold" in args else self.options
                    exact = self.sosie("query", INDEX, "asked.jsonl", "--method", "exact", *args).out
                    self.assertEqual(exact, self.sosie("query", "all.jsonl", "asked.jsonl", *bound,
                                                       "--method", "exact", *args).out)
                self.assertGreater(len(self.sosie("query", INDEX, "asked.jsonl", "--method", "exact").out),
                                   len(self.sosie("query", INDEX, "asked.jsonl").out))
                self.assertEqual(self.sosie("pairs", "asked.jsonl", "--against", INDEX, "--method",
                                            "exact").out,
                                 self.sosie("pairs", "asked.jsonl", "--against", "all.jsonl",
                                            *self.options, "--method", "exact").out)
        self.fails(2, "index", "add", INDEX, "more.jsonl", "--method", "exact", says="query, pairs")
        self.fails(4, "query", INDEX, "asked.jsonl", "--method", "exact", "--memory", "1M",
                   says="do not fit")

    def test_exact_dedup_finds_every_pair(self):
        asked = [{"id": f"a{n}", "text": row["text"]} for n, row in enumerate(self.rows[200:])]
        self.write("asked.jsonl", asked)
        removed = {}
        for method in ("exact", "lsh"):
            self.build("--bands", "2x6")
            self.sosie("dedup", "asked.jsonl", "--against", INDEX, "--method", method, "-o", "new.jsonl",
                       "--removed", "removed.tsv", "--add")
            removed[method] = self.read("removed.tsv")
            kept = self.read("new.jsonl")
            if method == "lsh":
                continue
            files = (*self.options, "--method", "exact", "--keep", "first")
            self.sosie("dedup", "asked.jsonl", "--against", "data.jsonl", *files, "-o", "of-files.jsonl",
                       "--removed", "of-files.tsv")
            self.assertEqual(kept, self.read("of-files.jsonl"))
            self.assertEqual({row.split(b"\t")[0] for row in removed[method].splitlines()},
                             {row.split(b"\t")[0] for row in self.read("of-files.tsv").splitlines()})
            self.write("all.jsonl", self.read("data.jsonl") + kept)
            self.assertEqual(self.sosie("query", INDEX, "asked.jsonl", "--method", "exact").out,
                             self.sosie("query", "all.jsonl", "asked.jsonl", *files[:-2]).out)
        self.assertGreater(removed["exact"].count(b"\n"), removed["lsh"].count(b"\n"))
        self.fails(4, "dedup", "asked.jsonl", "--against", INDEX, "--method", "exact", "--memory", "1M",
                   says="do not fit")

    def test_dedup_adds_no_rows_without_ids_beside_named_ones(self):
        self.write("one.jsonl", [{"id": n, "text": f"row {n} has words a{n} b{n} c{n} d{n}"} for n in (1, 2)])
        self.write("new.txt", "wholly different words stand in this row here\n")
        self.build(data="one.jsonl")
        for method in ("lsh", "exact"):
            new = ("dedup", "new.txt", "--against", INDEX, "--method", method, "-o", "out.txt")
            self.fails(2, *new, "--add", says="are identified by id")
            stats = self.sosie(*new, "--stats", "-", "--overwrite").out
            self.assertEqual(json.loads(stats)["method"], method)
        for verb in (("query", INDEX, "one.jsonl"), ("pairs", "one.jsonl", "--against", INDEX)):
            stats = self.sosie(*verb, "--method", "exact", "-o", "out.tsv", "--stats", "-").out
            self.assertEqual(json.loads(stats)["method"], "exact")
        self.write("other.jsonl", [{"id": 1, "text": "wholly different words stand in this row"}])
        self.fails(3, "dedup", "other.jsonl", "--against", INDEX, "--add", says="id '1' is already in",
                   hints="other ids")

    def test_an_action_that_is_nearly_one(self):
        self.fails(2, "index", "biuld", INDEX, "data.jsonl", says="unknown action")

    def test_giant_rows_and_ids_between_small_ones(self):
        rows = [{"id": f"r{i}", "text": f"one two three four five {i % 7}"} for i in range(40)]
        rows[11]["text"] = "six seven eight nine ten " * 300_000  # more than is read at once
        rows[23]["id"] = "é" * 70_000
        self.write("giant.jsonl", rows)
        self.build("--shingle", "words:2", data="giant.jsonl")
        lines = self.answers("giant.jsonl")
        self.assertIn(rows[23]["id"].encode(), lines[0])
        self.assertEqual(lines, self.answers("giant.jsonl", "giant.jsonl", "--shingle", "words:2"))

    def test_limits_and_standard_input(self):
        self.build()
        lines = self.answers()[0]
        self.assertEqual(self.sosie("query", INDEX, stdin=self.read("asked.jsonl")).out, lines)
        self.assertEqual(self.sosie("query", INDEX, "asked.jsonl", "-o", "o.tsv").out, b"")
        self.assertEqual(self.read("o.tsv"), lines)
        self.fails(4, "pairs", "asked.jsonl", "--against", INDEX, "--limit", "5", "-o", "p.tsv",
                   says="more than 5 pairs")
        self.assertNotIn("p.tsv", self.names())

    def test_an_empty_index(self):
        self.write("none.jsonl", b"")
        self.build(data="none.jsonl")
        self.sosie("query", INDEX, "asked.jsonl", code=1)
        self.sosie("index", "check", INDEX)
        self.assertIn(b"items         0\n", self.sosie("index", "info", INDEX).out)

    def test_rows_that_have_changed(self):
        self.build("--keep-items", "no")
        self.write("data.jsonl", documents(["another text"] * 300)[:len(self.read("data.jsonl"))])
        self.fails(3, "query", INDEX, "asked.jsonl", says="data.jsonl: a row has changed")
        (self.dir / "data.jsonl").unlink()
        self.fails(4, "query", INDEX, "asked.jsonl", says="data.jsonl: is missing")


class Refusals(IndexTest):
    def test_other_options(self):
        self.build()
        for args, says in (
                (("--threshold", "0.4"), "--threshold 0.4: words.index was built with 0.5"),
                (("--shingle", "words:3"), "--shingle words:3: words.index was built with words:5"),
                (("--kind", "sets"), "--kind sets: words.index was built with text"),
                (("--within", "0.7"), "--within 0.7: words.index was built with --threshold 0.5"),
                (("--method", "brute"), "--method brute: words.index was built with lsh"),
                (("--construct", "and:3,or:9"), "--construct: cannot be combined with an index, which is searched with")):
            self.fails(2, "query", INDEX, "asked.jsonl", *args, says=says)
        self.fails(2, "query", INDEX, "asked.jsonl", "--bands", "3x3",
                   says=r"--bands 3x3: words.index was built with \d+x\d+")
        same = self.sosie("query", INDEX, "asked.jsonl", "--threshold", "1/2", "--shingle", "words:05", "--recall", ".990",
                          "--encoding", "utf-8")
        self.assertEqual(same.out, self.answers()[0])
        higher = self.sosie("query", INDEX, "asked.jsonl", "--threshold", "0.8").out
        self.assertEqual(higher.splitlines()[1:], [line for line in same.out.splitlines()[1:]
                                                   if float(line.split()[-1]) >= 0.8])
        self.fails(2, "index", "add", INDEX, "asked.jsonl", "--threshold", "0.8",
                   says="--threshold 0.8: words.index was built with 0.5")
        near = self.sosie("query", INDEX, "asked.jsonl", "--within", "0.5").out
        self.assertEqual(near, self.sosie("query", "data.jsonl", "asked.jsonl", "--within", "0.5",
                                          "--plan", "plan.json").out)

    def test_what_is_no_index(self):
        self.fails(4, "index", "info", "data.jsonl.index",
                   says=r"^sosie: data\.jsonl\.index: No such file or directory$")
        self.fails(3, "index", "info", "data.jsonl", says="is a file, not an index")
        self.fails(2, "index", "info", says="^sosie: index info: no index given$")
        self.fails(2, "index", "tidy", INDEX, says="^sosie: index tidy: unknown action$",
                   hints="the actions are build, add, remove, merge, compact, info, check")
        self.fails(2, "index", "build", INDEX, says="no input given")
        self.fails(2, "index", "build", INDEX, "data.jsonl", "--kind", "records", says="index")
        self.fails(2, "index", "build", INDEX, "data.jsonl", "--recall", "1", says="selects an exact method")
        self.assertFalse((self.dir / INDEX).exists())

    def test_a_failed_merge_leaves_no_folder(self):
        self.write("one.jsonl", [{"id": "b", "text": "one two three four five six"}])
        for name in ("a.index", "b.index"):
            self.sosie("index", "build", name, "one.jsonl")
        self.fails(3, "index", "merge", "new.index", "a.index", "b.index", says="'b'")
        self.assertFalse((self.dir / "new.index").exists())
        (self.dir / "new.index").mkdir()  # somebody's own stays
        self.fails(3, "index", "merge", "new.index", "a.index", "b.index")
        self.assertTrue((self.dir / "new.index").exists())

    def test_add_needs_an_index(self):
        for args in ((), ("--against", "data.jsonl")):
            self.fails(2, "dedup", "asked.jsonl", *args, "--add", hints="--against INDEX",
                       says="^sosie: --add: adds the kept rows to an index$")

    def test_folders_of_others(self):
        self.write(f"{INDEX}/notes.txt", "mine")
        self.fails(2, "index", "build", INDEX, "data.jsonl", says="holds other files, such as notes.txt")
        self.write(f"{INDEX}/run-00000007", "mine, too, whatever it is called")
        (self.dir / INDEX / "notes.txt").unlink()
        self.fails(2, "index", "build", INDEX, "data.jsonl", says="holds other files, such as run-00000007")
        self.build()
        self.fails(2, "index", "build", INDEX, "data.jsonl", says="holds an index already")

    def test_one_that_has_lost_its_manifest(self):
        self.build()
        (self.dir / INDEX / "MANIFEST").unlink()
        for args in (("query", INDEX, "asked.jsonl"), ("dedup", "asked.jsonl", "--against", INDEX),
                     ("pairs", "asked.jsonl", "--against", INDEX), ("index", "add", INDEX, "asked.jsonl"),
                     ("index", "info", INDEX)):
            self.fails(3, *args, says=f"^sosie: {INDEX}: the index has lost its MANIFEST",
                       hints=f"sosie index build {INDEX} INPUT")
        self.fails(2, "dedup", INDEX, says="is an index, not rows")
        self.build()
        self.assertTrue(self.answers()[0])
        # A folder of somebody else's files with such names.
        for name in ("log-20261130", "run-1", "a.txt"):
            self.write(f"logs/{name}", "one two three four five six")
        (self.dir / "logs/log-7").symlink_to("a.txt")
        (self.dir / "logs/MANIFEST").mkdir()
        self.sosie("dedup", "logs", "--dry-run")

    def test_a_second_writer(self):
        self.build()
        descriptor = os.open(self.dir / INDEX, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.fails(4, "index", "add", INDEX, "asked.jsonl", says="in use by another process")
        self.assertTrue(self.answers()[0])

    def test_links_are_not_followed(self):
        self.build()
        for name in os.listdir(self.dir / INDEX):
            shutil.copytree(self.dir / INDEX, self.dir / "other")
            (self.dir / INDEX / name).unlink()
            (self.dir / INDEX / name).symlink_to(self.dir / "other" / name)
            self.fails(2, "query", INDEX, "asked.jsonl", says=f"{name}: is a symbolic link")
            self.fails(2, "index", "add", INDEX, "asked.jsonl", says=f"{name}: is a symbolic link")
            shutil.rmtree(self.dir / INDEX)
            (self.dir / "other").rename(self.dir / INDEX)

    def test_another_version(self):
        self.build()
        path = self.dir / INDEX / "MANIFEST"
        data = path.read_bytes()
        path.write_bytes(data.replace(b"sosie-idx-1\n", b"sosie-idx-3\n", 1))
        self.fails(2, "query", INDEX, "asked.jsonl",
                   says="MANIFEST: was written in version 3 of the format, this program reads 1 and 2")

    def test_damage_is_an_error_or_changes_nothing(self):
        self.rows = self.rows[:12]
        self.write("data.jsonl", self.rows)
        self.write("asked.jsonl", self.rows)
        self.build()
        plain = self.answers()[0]
        rng = random.Random(5)
        for name in sorted(os.listdir(self.dir / INDEX)):
            path = self.dir / INDEX / name
            data = path.read_bytes()
            for at in sorted(rng.sample(range(len(data)), min(len(data), 60))):
                path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:])
                result = self.sosie("query", INDEX, "asked.jsonl", code=None)
                self.assertIn(result.code, (0, 2, 3), (name, at))
                if result.code == 0:
                    self.assertEqual(result.out, plain, (name, at))
                self.assertIn(self.sosie("index", "check", INDEX, code=None).code, (2, 3), (name, at))
            path.write_bytes(data[:-1])
            self.fails(3, "index", "check", INDEX, says=rf"{name}: damaged at byte \d+")
            path.write_bytes(data)
        self.assertEqual(self.answers()[0], plain)

    def test_index_is_no_input_and_other_folders_are_no_index(self):
        self.build()
        for verb in ("pairs", "dedup"):
            done = self.sosie(verb, INDEX, code=None)
            self.assertEqual(done.code, 2, verb)
        self.fails(2, "pairs", INDEX, says=f"{INDEX}: is an index, not rows")
        for name in ("MANIFEST", "a.txt", "b.txt"):
            self.write(f"docs/{name}", "one two three four five six")
        found = self.sosie("query", "docs", "docs/a.txt", "--format", "files", "-q").out
        self.assertEqual(found.count(b"1.000000"), 3)


class Memory(SosieTest):
    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_a_build_holds_keys_and_a_window_of_rows(self):
        # 300,000 rows with 17 keys of 16 bytes take 82 MB; all rows with their signatures would take more.
        draw = random.Random(6)
        with open(self.dir / "rows.jsonl", "w", encoding="ascii") as out:
            for number in range(300_000):
                words = " ".join(f"w{draw.getrandbits(12):x}" for _ in range(20))
                out.write(f'{{"id": "t{number}", "text": "{words}"}}\n')
        build = self.start("index", "build", INDEX, "rows.jsonl", "--shingle", "words:2",
                           "--threads", "1", "--memory", "4G", "--quiet",
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(build.pid, 0)
        build.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(build.returncode, 0)
        self.assertLess(used.ru_maxrss, 165 << 10)


if __name__ == "__main__":
    unittest.main()
