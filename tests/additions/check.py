"""Checks that the additions in tests/additions/*.patch work in a program built with them
(SOSIE_BIN).

tools/test_additions.py builds it and runs this: measures against plain Python, a family by its
recall, a format by a round trip, an option by its help and its refusals.
"""
import fractions
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

SOSIE = os.environ["SOSIE_BIN"]


class Addition(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def sosie(self, *arguments, status=0):
        done = subprocess.run([SOSIE, *map(str, arguments)], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def pairs(self, *arguments):
        """Runs `sosie pairs` on numbered rows; returns {(left, right): value as printed}."""
        table = self.sosie("pairs", *arguments, "--quiet").splitlines()
        rows = [line.split("\t") for line in table if not line.startswith("#")]
        return {(int(left), int(right)): value for left, right, value in rows[1:]}

    def write_vectors(self, rows):
        path = self.folder / "rows.fvecs"
        path.write_bytes(b"".join(struct.pack(f"<i{len(row)}f", len(row), *row) for row in rows))
        return path


class MeasureWithParameter(Addition):
    def test_exact_and_brute_find_what_the_definition_says(self):
        draw = random.Random(1)
        sets = [{f"e{int(draw.random() ** 2 * 30)}" for _ in range(draw.randint(1, 25))}
                for _ in range(250)]
        path = self.folder / "rows.sets"
        path.write_text("".join(" ".join(sorted(row)) + "\n" for row in sets), encoding="utf-8")
        for w, threshold in (("0", "0.5"), ("0.3", "0.6"), ("0.7", "0.8"), ("0.7", "1")):
            weight, least = fractions.Fraction(w), fractions.Fraction(threshold)
            truth = {}
            for j, right in enumerate(sets):
                for i, left in enumerate(sets[:j]):
                    sizes = sorted((len(left), len(right)))
                    mean = weight * sizes[0] + (1 - weight) * sizes[1]
                    similarity = len(left & right) / mean
                    if similarity >= least:
                        truth[i, j] = f"{float(similarity):.6f}"
            self.assertGreater(len(truth), 0 if threshold == "1" else 20)
            for method in ("exact", "brute"):
                found = self.pairs(path, "--measure", f"size-mean:{w}", "--threshold", threshold,
                                   "--method", method)
                self.assertEqual(found, truth, f"{method}, W = {w}, threshold {threshold}")

    def test_parameters_of_another_measure_are_that_one_and_others_are_refused(self):
        path = self.folder / "rows.sets"
        path.write_text("a b c\na b\n", encoding="utf-8")
        run = ("pairs", path, "--threshold", "0.1", "--quiet", "--measure")
        self.assertEqual(self.sosie(*run, "size-mean:0.5"), self.sosie(*run, "dice"))
        self.assertIn("size-mean:2", self.sosie(*run, "size-mean:2", status=2))


class VectorDistance(Addition):
    def test_exact_and_brute_find_what_the_definition_says(self):
        draw = random.Random(2)
        centres = [[draw.randint(-40, 40) for _ in range(12)] for _ in range(40)]
        rows = [[x + draw.randint(-4, 4) for x in centres[i % 40]] for i in range(400)]
        path = self.write_vectors(rows)
        truth = {}
        for j, right in enumerate(rows):
            for i, left in enumerate(rows[:j]):
                distance = math.sqrt(sum((x - y) ** 2 for x, y in zip(left, right)) / 12)
                if distance <= 3.5:
                    truth[i, j] = f"{distance:.6f}"
        self.assertGreater(len(truth), 100)
        for method in ("exact", "brute"):
            found = self.pairs(path, "--measure", "root-mean-square", "--within", "3.5", "--method",
                               method)
            self.assertEqual(found, truth, method)


class Format(Addition):
    TEXTS = ["one two\tthree four five six", "one two\tthree four five six seven",
             "a line\nbreak and a back\\slash in it", "something else: with colons", "one two"]

    def rows(self):
        marks = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"})
        return [f"id:r{i}\tyear:{1990 + i}\ttext:{text.translate(marks)}"
                for i, text in enumerate(self.TEXTS)]

    def test_rows_are_read_as_other_formats_have_them_and_kept_byte_for_byte(self):
        ltsv, jsonl = self.folder / "rows.ltsv", self.folder / "rows.jsonl"
        ltsv.write_text("\n".join(self.rows()) + "\n", encoding="utf-8")
        jsonl.write_text("".join(json.dumps({"id": f"r{i}", "year": 1990 + i, "text": text}) + "\n"
                                 for i, text in enumerate(self.TEXTS)), encoding="utf-8")
        removed = []
        for path in (ltsv, jsonl):
            table = path.with_suffix(".tsv")
            self.sosie("dedup", path, "-o", f"{path}.out{path.suffix}", "--shingle", "words:1",
                       "--keep", "max:year", "--removed", table, "--quiet")
            rows = table.read_text(encoding="utf-8").splitlines()
            removed.append([row.split("\t")[:5] for row in rows])
        self.assertEqual(*removed)
        self.assertEqual(len(removed[0]), 2)
        kept = (self.folder / "rows.ltsv.out.ltsv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(kept, [row for i, row in enumerate(self.rows()) if i != 0])

    def test_tables_and_added_fields_are_written(self):
        ltsv = self.folder / "rows.ltsv"
        ltsv.write_text("\n".join(self.rows()) + "\n", encoding="utf-8")
        pairs, out = self.folder / "pairs.ltsv", self.folder / "all.ltsv"
        self.sosie("pairs", ltsv, "--shingle", "words:1", "-o", pairs, "--quiet")
        self.assertRegex(pairs.read_text(encoding="utf-8"),
                         r"^left:r0\tright:r1\tsimilarity:0\.\d+\n$")
        self.sosie("dedup", ltsv, "--shingle", "words:1", "--annotate", "all", "-o", out, "--quiet")
        self.assertIn("\tduplicate_of:r0\tcluster_size:2\n", out.read_text(encoding="utf-8"))

    def test_a_row_that_is_none_is_refused_with_its_line(self):
        path = self.folder / "rows.ltsv"
        path.write_text("text:a\nno label here\n", encoding="utf-8")
        self.assertIn("rows.ltsv:2: expected label:value", self.sosie("dedup", path, status=3))


class HashFamily(Addition):
    def test_its_recall_is_what_was_asked_for_and_no_pair_is_false(self):
        draw = random.Random(3)
        rows = []
        for _ in range(600):
            one = [draw.gauss(0, 1) for _ in range(24)]
            noise = draw.uniform(0.3, 0.75)
            rows += [one, [x + noise * draw.gauss(0, 1) for x in one]]
        run = (self.write_vectors(rows), "--measure", "cosine", "--threshold", "0.8")
        truth = self.pairs(*run, "--method", "brute")
        found = self.pairs(*run, "--method", "lsh", "--family", "binomial-hyperplane", "--recall",
                           "0.9")
        self.assertGreater(len(truth), 300)
        self.assertLessEqual(found.items(), truth.items())
        least = 0.9 * len(truth) - 3 * math.sqrt(0.09 * len(truth))
        self.assertGreaterEqual(len(found), least)
        self.assertLess(len(found), len(truth))  # it hashes; comparing every pair is another method
        self.assertIn("binomial-hyperplane", self.sosie("pairs", "--help"))


class Option(Addition):
    def test_help_shows_it_and_explain_follows_it(self):
        self.assertRegex(self.sosie("explain", "--help"), r"--examples N\s+elements shown")
        path = self.folder / "rows.sets"
        path.write_text("a b c d e f\na b c d e g\n", encoding="utf-8")
        few = self.sosie("explain", "0", "1", path, "--id", "row", "--examples", "2", "--quiet")
        all_of_them = self.sosie("explain", "0", "1", path, "--id", "row", "--quiet")
        self.assertLess(len(few), len(all_of_them))

    def test_kinds_that_have_no_elements_refuse_it(self):
        path = self.write_vectors([[1, 2], [2, 1]])
        said = self.sosie("explain", "0", "1", path, "--threshold", "0.5", "--examples", "2",
                          status=2)
        self.assertIn("--examples: does not apply to vectors: only sets and bags", said)
        self.assertIn("--examples", self.sosie("pairs", path, "--examples", "2", status=2))


if __name__ == "__main__":
    unittest.main()
