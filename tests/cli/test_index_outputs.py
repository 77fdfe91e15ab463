"""Runs over an index on disk write the same tables, fields and pages as runs over its rows."""

import json
import random
import re
import shutil
import unittest

import corpus
from report_pages import Report
from support import SosieTest
from test_save import AGAINST, Run

KINDS = {
    "text": ("--threshold", "0.4", "--shingle", "words:2"),
    "sets": ("--threshold", "0.4"),
    "bags": ("--threshold", "0.4"),
    "vectors": ("--threshold", "0.9"),
    "bits": ("--within", "2"),
    "strings": ("--within", "1"),
}
SETS = ("text", "sets", "bags")


def items_of(kind: str, rng: random.Random) -> list:
    if kind == "text":
        texts = corpus.texts(5, 60)
        return texts + [text + " and more" for text in texts]
    if kind in SETS:
        sets = [rng.sample([f"e{n}" for n in range(40)], 8) for _ in range(60)]
        return sets + [items[1:] + ["f"] for items in sets]
    if kind == "vectors":
        rows = [[rng.gauss(0, 1) for _ in range(4)] for _ in range(60)]
        return rows + [[each + rng.gauss(0, .05) for each in row] for row in rows]
    if kind == "bits":
        rows = [rng.getrandbits(32) for _ in range(60)]
        return [f"{row:08x}" for row in rows + [row ^ 1 << rng.randrange(32) for row in rows]]
    words = sorted({word for text in corpus.texts(5, 200) for word in text.split() if len(word) > 4})
    rng.shuffle(words)
    return words[:60] + [word[:-1] for word in words[:60]]


class Outputs(SosieTest):
    def cases(self, *build: str) -> list[tuple]:
        """Kinds, each with the target of --against: an index of some rows, or a file with these rows."""
        cases = []
        for kind, options in KINDS.items():
            rows = [{"id": f"i{n}", "text": item, "lang": ("en", "d\te\n")[n % 7 % 2]}
                    for n, item in enumerate(items_of(kind, random.Random(3)))]
            random.Random(4).shuffle(rows)
            data, asked, index = f"{kind}-data.jsonl", f"{kind}-asked.jsonl", f"{kind}.index"
            self.write(data, rows[:70])
            self.write(asked, [row | {"id": "n" + row["id"]} for row in rows[40:]])
            shutil.rmtree(self.dir / index, ignore_errors=True)
            self.sosie("index", "build", index, data, "--kind", kind, *options,
                       *(build if kind in SETS or "--keep-items" not in build else ()))
            files = (data, "--kind", kind, *options)
            if kind in SETS:
                self.sosie("index", "info", index, "--plan", f"{kind}.plan")
                files = (*files, "--plan", f"{kind}.plan")
            cases.append((kind, asked, (index,), files))
        return cases

    def dedup(self, asked: str, against: tuple, *args: str) -> list[bytes]:
        """The kept rows, and the files named in options."""
        self.sosie("dedup", asked, "--against", *against, "-o", "kept.jsonl", *args, "--overwrite")
        return [self.read(name) for name in ("kept.jsonl", *(arg for arg in args if "." in arg))]

    def lines(self, verb: str, asked: str, against: tuple, *args: str) -> bytes:
        if verb == "query":
            return self.sosie("query", against[0], asked, *against[1:], *args).out
        return self.sosie("pairs", asked, "--against", *against, *args).out

    def test_tables_of_dedup(self):
        tables = ("--clusters", "clusters.tsv", "--pairs", "pairs.tsv")
        for kind, asked, index, files in self.cases():
            with self.subTest(kind=kind):
                there = self.dedup(asked, index, *tables)
                self.assertEqual(there, self.dedup(asked, files, *tables))
                self.assertGreater(min(table.count(b"\n") for table in there[1:]), 30)
                self.assertEqual(there, self.dedup(asked, index, *tables, "--threads", "1"))
                self.assertEqual(there[:1], self.dedup(asked, index))

    def test_annotated_rows(self):
        for kind, asked, index, files in self.cases():
            with self.subTest(kind=kind):
                for rows in ("kept", "all"):
                    there = self.dedup(asked, index, "--annotate", rows)
                    self.assertEqual(there, self.dedup(asked, files, "--annotate", rows))
                self.assertRegex(there[0], rb'"duplicate_of": ?"i')

    def test_the_page_tells_of_items_and_rows(self):
        for build in ((), ("--keep-items", "no")):
            for kind, asked, index, _ in self.cases(*build):
                with self.subTest(kind=kind, build=build):
                    page = Report(self.dedup(asked, index, "--report", "page.html", "--removed", "gone.tsv")[1])
                    of_items = [row for row in self.table("gone.tsv") if row["kept_file"] == index[0]]
                    self.assertGreater(len(of_items), 20)
                    rows = [each["kept"] for each in page.closest]
                    shown = {str(row["row"]) for row in rows if row["file"] == index[0]}
                    self.assertGreater(len(shown), 2)
                    self.assertLessEqual(shown, {row["kept_row"] for row in of_items})
                    counts = {each["name"]: each["rows"] for each in page.overview["flow"]["inputs"]}
                    self.assertEqual(counts[index[0] + " (against)"], 70)
                    self.assertEqual(any("shared" in each and "parts" not in each["kept"] for each in page.closest),
                                     kind in SETS and not build)

    def test_the_best_pairs_of_all(self):
        for kind, asked, index, files in self.cases():
            with self.subTest(kind=kind):
                for args in (("--top-pairs", "7"), ("--top-pairs", "9", "--top", "1")):
                    there = self.lines("pairs", asked, index, *args)
                    self.assertEqual(there, self.lines("pairs", asked, files, *args))
                    self.assertEqual(len([line for line in there.splitlines() if line[:1] != b"#"]),
                                     1 + int(args[1]))

    def test_fields_that_the_index_keeps_are_shown(self):
        for kind, asked, index, files in self.cases("--fields", "lang"):
            with self.subTest(kind=kind):
                for verb in ("query", "pairs"):
                    for args in ((), ("--top", "1"), ("--exclude-self",) if verb == "query" else ()):
                        there = self.lines(verb, asked, index, "--show", "lang", *args)
                        self.assertEqual(there, self.lines(verb, asked, files, "--show", "lang", *args))
                    self.assertRegex(there, rb"\ten\td[ \\]")
                    self.assertIn("does not store the field 'title'",
                                  self.sosie("pairs", asked, "--against", *index, "--show", "title", code=2).err)
                if kind not in SETS:
                    self.assertEqual(self.lines("query", asked, index, "--show", "text,lang").count(b"\n"),
                                     self.lines("query", asked, files, "--show", "text,lang").count(b"\n"))

    def test_fields_that_only_the_index_has_are_shown(self):
        for kind, asked, index, files in self.cases("--fields", "lang"):
            rows = [json.loads(line) for line in self.read(asked).splitlines()]
            self.write("bare.jsonl", [{"id": row["id"], "text": row["text"]} for row in rows])
            for verb in ("query", "pairs"):
                with self.subTest(kind=kind, verb=verb):
                    self.assertEqual(self.lines(verb, "bare.jsonl", index, "--show", "lang"),
                                     self.lines(verb, "bare.jsonl", files, "--show", "lang"))

    def test_a_report_shows_items_without_what_lies_around_them(self):
        for kind, value, near in (("strings", "hello", "hellos"), ("bits", "20db00ff", "20db00fe")):
            self.write("a.jsonl", [{"id": 1, "text": value}, {"id": 2, "text": near[::-1]}])
            self.write("b.jsonl", [{"id": "x", "text": near}])
            self.sosie("index", "build", f"{kind}.x", "a.jsonl", "--kind", kind, "--within", "1")
            self.sosie("dedup", "b.jsonl", "--against", f"{kind}.x", "-o", "k.jsonl", "--report", "r.html", "--overwrite")
            page = Report(self.read("r.html"))
            self.assertEqual([each["value"].strip() for each in page.closest[0]["kept"]["fields"]], [value])
            self.assertNotIn(f"i1\t{value}", str(page.data))

    def test_a_saved_run_has_its_groups(self):
        for kind, asked, index, _ in self.cases():
            with self.subTest(kind=kind):
                self.dedup(asked, index, "--save", f"{kind}-run/", "--clusters", "clusters.tsv", "--removed", "gone.tsv")
                run = Run(self.dir / f"{kind}-run")
                self.assertEqual(run.facts["files"][0]["format"], "index")
                self.assertEqual(run.path(run.groups[0]["rows"][0]), str(self.dir / index[0]))
                heads = [group["rows"][0] for group in run.groups if group["rows"][0].flags & AGAINST]
                self.assertEqual({(head.id, str(head.row)) for head in heads},
                                 {(row["kept_id"], row["kept_row"]) for row in self.table("gone.tsv")
                                  if row["kept_file"] == index[0]})
                own = {(row.id, group["rows"][0].id) for group in run.groups for row in group["rows"]
                       if not row.flags & AGAINST}
                self.assertEqual(own, {(row["id"], row["cluster_id"]) for row in self.table("clusters.tsv")})

    def test_an_earlier_run_is_refused(self):
        for kind, asked, index, _ in self.cases():
            for name in ("clusters", "pairs"):
                self.fails(2, "dedup", asked, "--against", *index, "--reuse", f"{name}.tsv",
                           says="--reuse: cannot be combined with an index, because an earlier run knows the ids of only one")

    def test_a_run_goes_on_from_a_checkpoint(self):
        for kind, asked, index, _ in self.cases():
            run = ("dedup", asked, "--against", *index, "--checkpoint", f"{kind}.saved", "-o", f"{kind}.jsonl")
            with self.subTest(kind=kind):
                if kind in SETS:
                    self.fails(2, *run, says="--checkpoint: cannot be combined with an index, where each row is read once")
                    continue
                self.sosie(*run)
                first = self.read(f"{kind}.jsonl")
                self.assertIn(f"resuming from {kind}.saved", self.sosie(*run).err)
                self.assertEqual(self.read(f"{kind}.jsonl"), first)
                self.assertEqual(first, self.dedup(asked, index)[0])
                self.write("more.jsonl", [{"id": "more", "text": json.loads(line)["text"]}
                                          for line in self.read(asked).splitlines()[-1:]])
                self.sosie("index", "add", *index, "more.jsonl")
                self.assertNotIn("going on", self.sosie(*run, code=None).err)

    def test_an_audit_looks_at_all_items(self):
        for kind, asked, index, files in self.cases():
            with self.subTest(kind=kind):
                verbs = (("query", *index, asked), ("query", files[0], asked, *files[1:]),
                         ("pairs", asked, "--against", *index), ("pairs", asked, "--against", *files),
                         ("dedup", asked, "--against", *index), ("dedup", asked, "--against", *files))
                told = [self.audited(*verb) for verb in verbs]
                for there, direct in zip(told[::2], told[1::2]):
                    self.assertEqual(there, direct)
                    self.assertGreater(there["true_pairs"], 20)
                self.assertGreater(told[4]["true_pairs"], told[2]["true_pairs"])

    def audited(self, *verb: str) -> dict:
        self.sosie(*verb, "--audit=200", "-o", f"out.{'jsonl' if verb[0] == 'dedup' else 'tsv'}",
                   "--stats", "stats.json", code=None)
        audit = json.loads(self.read("stats.json"))["audit"]
        audit.pop("seconds", None)
        return audit

    def test_an_audit_tells_what_the_index_misses(self):
        rows = [{"id": f"i{n}", "text": text} for n, text in enumerate(items_of("text", random.Random(3)))]
        self.write("data.jsonl", rows)
        self.write("asked.jsonl", rows)
        self.sosie("index", "build", "few.index", "data.jsonl", "--threshold", "0.4", "--bands", "1x8")
        self.sosie("index", "build", "all.index", "data.jsonl", "--threshold", "0.4")
        few, many = (self.audited("pairs", "asked.jsonl", "--against", name) for name in ("few.index", "all.index"))
        self.assertEqual(few["true_pairs"], many["true_pairs"])
        self.assertLess(few["recall"], many["recall"])
        exact = self.audited("pairs", "asked.jsonl", "--against", "few.index", "--method", "exact")
        self.assertEqual(exact["recall"], 1)


if __name__ == "__main__":
    unittest.main()
