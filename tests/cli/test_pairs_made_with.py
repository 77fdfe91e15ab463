"""Pairs files record their settings, and are not accepted for looser ones."""

import unittest

import corpus
from measured_rows import npy
from support import SosieTest, without_note


class MadeWith(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(61, 90))

    def pairs(self, name: str, *args: str) -> str:
        self.sosie("pairs", "in.jsonl", "-o", name, *args)
        return name

    def note(self, name: str) -> str:
        return self.read(name).decode().split("\n")[0]

    def test_the_first_line_of_tsv_and_csv(self):
        for name in ("p.tsv", "p.csv"):
            self.pairs(name, "--threshold", "0.9")
            self.assertEqual(self.note(name), "#sosie threshold=0.9 measure=jaccard")
            self.sosie("dedup", "in.jsonl", "--dry-run", "--threshold", "0.9", "--pairs", name)
            self.assertEqual(self.note(name), "#sosie threshold=0.9 measure=jaccard")
        self.pairs("p.tsv", "--measure", "dice", "--threshold", "4/5", "--top", "2")
        self.assertEqual(self.note("p.tsv"), "#sosie threshold=4/5 measure=dice top=2")
        self.pairs("p.tsv", "--top-pairs", "3")
        self.assertEqual(self.note("p.tsv"), "#sosie threshold=0.8 measure=jaccard top-pairs=3")
        self.pairs("p.tsv", "--top-pairs", "3", "--method", "exact")
        self.assertEqual(self.note("p.tsv"), "#sosie measure=jaccard top-pairs=3")

    def test_pairs_of_two_collections_are_not_those_of_one(self):
        self.write("a.sets", "a b c d\ne f g h\ni j k l\n")
        self.write("b.sets", "z z1 z2 z3\na b c d\nz9 z8\n")
        self.sosie("pairs", "a.sets", "--against", "b.sets", "-o", "ag.tsv")
        self.assertEqual(self.note("ag.tsv"), "#sosie threshold=0.8 measure=jaccard against=yes")
        self.fails(2, "dedup", "a.sets", "--reuse", "ag.tsv", says="ag.tsv: was made with --against")
        self.assertIn("ag.tsv: was made with --against", self.sosie("cluster", "ag.tsv").err)

    def test_pairs_of_other_shingles_are_not_taken(self):
        self.pairs("p.tsv", "--shingle", "chars:1", "--tokens", "ascii")
        self.assertEqual(self.note("p.tsv"),
                         "#sosie threshold=0.8 measure=jaccard shingle=chars:1 tokens=ascii")
        self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv",
                   says="p.tsv: was made with --shingle chars:1, this run has words:5")

    def test_vectors_say_their_distance(self):
        self.write("in.npy", npy([[1, 2], [1, 3], [9, 9]], "|u1"))
        for verb, option in (("pairs", "-o"), ("dedup", "--pairs")):
            self.sosie(verb, "in.npy", "--measure", "euclidean", "--within", "2", option, "p.tsv",
                       *(["--dry-run"] if verb == "dedup" else []))
            self.assertEqual(self.note("p.tsv"), "#sosie within=2 measure=euclidean")

    def test_nothing_of_it_on_stdout_or_in_what_query_writes(self):
        self.pairs("p.tsv")
        self.assertEqual(self.sosie("pairs", "in.jsonl").out, without_note(self.read("p.tsv")))
        self.sosie("query", "in.jsonl", "in.jsonl", "-o", "q.tsv")
        self.assertTrue(self.read("q.tsv").startswith(b"left\t"))

    def test_a_lower_threshold_is_refused(self):
        for name in ("p.tsv", "p.csv", "p.tsv.gz"):
            self.pairs(name, "--threshold", "0.9")
            for args in (("cluster", name), ("dedup", "in.jsonl", "--reuse", name)):
                self.fails(2, *args, "--threshold", "0.3", hints="recreate the pairs",
                           says=f"^sosie: {name}: was made with --threshold 0.9 and lacks pairs for")
                self.fails(2, *args, "--threshold", "899/1000", says="0.9 and lacks")
                for threshold in ("0.9", "9/10", "0.95"):
                    self.assertNotIn("does not record", self.sosie(*args, "--threshold", threshold).err)
        self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv", says="lacks pairs for --threshold 0.8")

    def test_another_measure_is_refused(self):
        self.pairs("p.tsv", "--measure", "dice")
        self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv",
                   says="p.tsv: was made with --measure dice, this run has jaccard")
        self.sosie("cluster", "p.tsv")

    def test_what_is_not_known_is_said(self):
        for name in ("p.tsv", "p.csv", "p.jsonl"):
            self.write(name, without_note(self.read(self.pairs(name))))
            for args in (("cluster", name), ("cluster", name, "--threshold", "0.9"),
                         ("dedup", "in.jsonl", "--reuse", name)):
                self.assertRegex(self.sosie(*args).err, f"(?m)^sosie: {name}: does not record the "
                                                        "--threshold it was made")
                self.assertNotIn("does not record", self.sosie(*args, "--quiet").err)
        self.pairs("p.tsv", "--threshold", "0.8", "--top", "1")
        self.assertRegex(self.sosie("cluster", "p.tsv").err, "p.tsv: was made with --top 1; it lacks")

    def test_a_note_is_no_row(self):
        plain = self.sosie("cluster", self.pairs("p.tsv")).out
        self.write("q.tsv", without_note(self.read("p.tsv")))
        self.assertEqual(self.sosie("cluster", "q.tsv").out, plain)
        shown = self.sosie("pairs", "in.jsonl", "--show", "text", "-o", "s.csv")
        self.assertEqual(shown.out, b"")
        self.sosie("dedup", "s.csv", "--column", "left_text", "--stats", "s.json", "-o", "k.csv")
        self.assertEqual(self.stats("s.json").read, self.read("p.tsv").count(b"\n") - 2)

    def test_notes_that_mean_nothing(self):
        body = without_note(self.read(self.pairs("p.tsv")))
        for note in (b"", b"threshold", b"=", b"threshold= measure", b"threshold=x", b"measure=",
                     b"threshold=1e9", b"threshold=0.5 threshold=0.9", b"\xff" * 99, b"top=-1"):
            self.write("q.tsv", b"#sosie " + note + b"\n" + body)
            self.assertIn(self.sosie("cluster", "q.tsv", code=None).code, (0, 3), note)
        self.write("q.tsv", b"#sosie threshold=x\n" + body)
        self.fails(3, "cluster", "q.tsv", says="q.tsv: was made with the threshold 'x', which is not")
        self.write("q.tsv", b"#sosie threshold=0.9\n")
        self.fails(3, "cluster", "q.tsv", says="q.tsv: has no header after its note")

    def test_a_first_object_without_fields(self):
        self.write("p.jsonl", '{}\n{"left": "a", "right": "b", "similarity": 0.9}\n')
        for args in (("cluster", "p.jsonl"), ("dedup", "in.jsonl", "--reuse", "p.jsonl")):
            self.fails(3, *args, says="p.jsonl:1: an object without fields")

    def test_two_similarities_of_one_pair(self):
        head = "left\tright\tsimilarity\n"
        for second in ("d0\td1\t0.850000\n", "d1\td0\t0.850000\n"):
            self.write("p.tsv", head + "d0\td1\t0.900000\nd2\td3\t1.000000\n" + second)
            self.fails(3, "dedup", "in.jsonl", "--reuse", "p.tsv",
                       says="p.tsv: gives two similarities for the same pair, 0.900000 and 0.850000")
            self.write("p.tsv", head + second * 3)
            self.sosie("dedup", "in.jsonl", "--reuse", "p.tsv")


class Plans(SosieTest):
    def test_a_field_that_is_there_twice(self):
        self.write("in.jsonl", ["a b c d e f"])
        self.sosie("plan", "in.jsonl", "-o", "p.json")
        plan = self.read("p.json")
        self.write("p.json", plan.replace(b'"bands"', b'"rows": 5,\n  "bands"'))
        self.fails(3, "dedup", "in.jsonl", "--plan", "p.json", "--method", "lsh",
                   says="p.json: field 'rows': occurs twice")


if __name__ == "__main__":
    unittest.main()
