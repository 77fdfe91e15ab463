"""Vectors in files and rows of every format, and inputs that are rejected."""

import gzip
import random
import struct
import unittest

from measured_rows import as_numbers, grouped, npy, vecs
from support import SosieTest, jsonl, read_table


class VectorFiles(SosieTest):
    def pairs(self, *args: str, **options) -> list:
        return as_numbers(self.sosie("pairs", *args, **options).out)

    def setUp(self):
        super().setUp()
        self.rows = grouped(240, 24, 1)
        self.write("in.npy", npy(self.rows, "|u1"))
        self.all = [(i, j) for i in range(len(self.rows)) for j in range(i + 1, len(self.rows))]

    # --- sources of vectors

    def test_every_format_holds_the_same_vectors(self):
        expected = self.pairs("in.npy", "--threshold", "0.9")
        fields = [f"c{number}" for number in range(24)]
        files = {
            "a.npy": npy(self.rows, "<f4"), "b.npy": npy(self.rows, "<f8"),
            "h.npy": npy(self.rows, "<f2"), "a.fvecs": vecs(self.rows),
            "a.bvecs": vecs(self.rows, "B"), "a.ivecs": vecs(self.rows, "i"),
            "a.npy.gz": gzip.compress(npy(self.rows, "|u1")),
            "a.txt": "".join(" ".join(map(str, row)) + "\n" for row in self.rows).encode(),
            "a.jsonl": jsonl([{"text": row} for row in self.rows]),
            "a.csv": "\n".join(["text", *(f'"{row}"' for row in self.rows)]).encode(),
            "c.csv": "\n".join([",".join(fields),
                                *(",".join(map(str, row)) for row in self.rows)]).encode(),
        }
        for name, content in files.items():
            self.write(name, content)
            more = ("--column", ",".join(fields)) if name == "c.csv" else ()
            found = self.pairs(name, "--kind", "vectors", "--threshold", "0.9", *more)
            self.assertEqual(found, expected, name)

    def test_npy_of_every_width_byte_order_and_order_of_rows(self):
        expected = self.pairs("in.npy", "--threshold", "0.9")
        for kind in ("f2", "f4", "f8", "i2", "u2", "i4", "u4", "i8", "u8"):
            for order in "<>":
                for fortran in (False, True):
                    self.write("a.npy", npy(self.rows, order + kind, fortran=fortran))
                    self.assertEqual(self.pairs("a.npy", "--threshold", "0.9"), expected,
                                     (order, kind, fortran))

    def test_several_files_are_one_collection(self):
        self.write("1.npy", npy(self.rows[:100], "|u1"))
        self.write("2.fvecs", vecs(self.rows[100:]))
        self.assertEqual(self.pairs("1.npy", "2.fvecs", "--threshold", "0.9"),
                         self.pairs("in.npy", "--threshold", "0.9"))

    def test_rows_have_ids(self):
        self.write("a.jsonl", jsonl([{"id": "x", "e": {"v": [1, 0]}}, {"id": 7, "e": {"v": [0, 1]}},
                                     {"id": "y", "e": {"v": [2, 0]}}]))
        args = ("pairs", "a.jsonl", "--kind", "vectors", "--column", "e.v", "--threshold", "1")
        self.assertEqual(self.sosie(*args).out, b"left\tright\tsimilarity\nx\ty\t1.000000\n")
        self.assertEqual(self.sosie(*args, "--id", "row").out,
                         b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_nothing_to_compare(self):
        for name, content in (("e.npy", npy([], "<f4")), ("e.fvecs", b""), ("e.jsonl", b""),
                              ("one.npy", npy([[1, 2]], "<f4"))):
            self.write(name, content)
            args = ("--kind", "vectors", "--threshold", "0.5")
            self.assertEqual(self.pairs(name, *args), [], name)
            self.assertEqual(self.pairs("in.npy", "--against", name, *args)
                             if name.startswith("e.") else [], [], name)

    def test_one_component_and_many(self):
        self.write("1.npy", npy([[3], [-2], [5]], "<f4"))
        self.assertEqual(self.pairs("1.npy", "--threshold", "1"), [(0, 2)])
        rng = random.Random(3)
        row = [rng.randint(-127, 127) for _ in range(100_000)]
        self.write("m.npy", npy([row, [-c for c in row], row], "|i1"))
        self.assertEqual(self.pairs("m.npy", "--threshold", "1"), [(0, 2)])
        self.assertEqual(self.pairs("m.npy", "--measure", "manhattan", "--within", "0"), [(0, 2)])

    def test_extremes_of_bytes(self):
        self.write("i.npy", npy([[-128] * 5, [127] * 5, [-128] * 5], "|i1"))
        out = self.sosie("pairs", "i.npy", "--measure", "chebyshev", "--within", "255").out
        self.assertEqual([row["distance"] for row in read_table(out)],
                         ["255.000000", "0.000000", "255.000000"])

    # --- options that cannot be intended

    def test_bad_files(self):
        nan, inf = float("nan"), float("inf")
        good = npy([[1, 2], [3, 4]])
        for name, content, says in (
                ("nan.npy", npy([[1, 2], [3, nan]]), "row 1, component 1: is not a number"),
                ("inf.fvecs", vecs([[1, 2], [inf, 0]]), "row 1, component 0: is infinite"),
                ("zero.npy", npy([[1, 2], [0, 0]]), "vector 1 is all zeros and has no cosine"),
                ("wide.npy", npy([[1, 2**53], [3, -2**53 - 1]], "<i8"),
                 "row 1, component 1: -9007199254740993 is not a double: beyond 2.53"),
                ("flag.npy", npy([[1, 0]], "|u1").replace(b"|u1", b"|b1").replace(b"\1\0", b"\1\2"),
                 "row 0, component 1: is not a truth value"),
                ("complex.npy", npy([[1, 2]], "<f8").replace(b"<f8", b"<c8"), "of type <c8"),
                ("cut.npy", good[:-3], "announces 2 rows of 2 components, 16 bytes, but 13 follow"),
                ("more.npy", npy([[1, 2]], shape="(9, 2)"), "announces 9 rows"),
                ("head.npy", good[:30], "ends within its .npy header"),
                ("junk.npy", random.Random(4).randbytes(4096), "is not a .npy file"),
                ("flat.npy", npy([[1, 2]], shape="(2,)"), "not a two-dimensional array"),
                ("cut.fvecs", vecs([[1, 2], [3, 4]])[:-1], "ends within row 1"),
                ("mixed.fvecs", vecs([[1, 2]]) + struct.pack("<i2f", 3, 1, 1),
                 "row 1 has 3 components, row 0 has 2"),
                ("a.jsonl", jsonl([{"text": [1, 2]}, {"text": [1]}]),
                 r"a.jsonl:2: 1 components, the first row has 2"),
                ("b.jsonl", jsonl([{"text": [1, "x"]}]), "b.jsonl:1: field 'text' is not a list"),
                ("d.jsonl", jsonl([{"no": [1]}]), "d.jsonl:1: field 'text' is missing"),
                ("e.jsonl", jsonl([{"id": 1, "text": [1]}, {"id": 1, "text": [2]}]),
                 "e.jsonl:2: id '1' is already used by e.jsonl:1"),
                ("g.txt", b"1 2\n1 nan\n", "g.txt:2: the line is not a list of finite numbers")):
            self.write(name, content)
            self.fails(3, "pairs", name, "--kind", "vectors", "--threshold", "0.9", says=says)

    def test_numbers_that_cannot_be_are_called_so(self):
        self.write("a.jsonl", b'{"text": [1, 2]}\n{"text": [1, NaN]}\n')
        self.fails(3, "pairs", "a.jsonl", "--kind", "vectors", "--threshold", "0.9",
                   says="a.jsonl:2: broken JSON: field 'text' is NaN, which is not a JSON number")
        self.write("b.jsonl", b'{"text": [1, 2]}\n{"text": [1, 2e400]}\n')
        self.fails(3, "pairs", "b.jsonl", "--kind", "vectors", "--threshold", "0.9",
                   says="b.jsonl:2: field 'text' is not a list of finite numbers")
        self.fails(2, "pairs", "b.jsonl", "--kind", "vectors", "--measure", "euclidean", "--within",
                   "-1", says="is not a number from 0 to 2147483647")

    def test_a_missing_field_brings_those_there_are(self):
        self.write("d.jsonl", jsonl([{"id": 1, "vector": [1, 2]}]))
        self.fails(3, "pairs", "d.jsonl", "--kind", "vectors", "--column", "vectr", "--threshold",
                   "0.9", says="^sosie: d.jsonl:1: field 'vectr' is missing$",
                   hints="did you mean 'vector'")
        self.write("e.csv", b"id,x,y\na,1,\n")
        self.fails(3, "pairs", "e.csv", "--kind", "vectors", "--column", "x,z", "--threshold",
                   "0.9", says="^sosie: e.csv:2: field 'z' is missing$",
                   hints="available fields: id, x, y")
        result = self.fails(3, "pairs", "e.csv", "--kind", "vectors", "--column", "x,y",
                            "--threshold", "0.9", says="^sosie: e.csv:2: field 'y' is missing$",
                            hints="--on-bad-row skip leaves such rows out")
        self.assertNotIn("available fields", result.err)

    def test_trouble_in_a_row_of_many_lines_is_named_with_its_line(self):
        self.write("d.csv", b'text,note\n"1 2","a\nb"x\n')
        self.fails(3, "pairs", "d.csv", "--kind", "vectors", "--threshold", "0.9",
                   says=r"^sosie: d\.csv:2: ")

    def test_vectors_of_different_dimensions(self):
        self.write("2.npy", npy([[1, 2]]))
        self.write("3.npy", npy([[1, 2, 3]]))
        for args in (("2.npy", "3.npy"), ("2.npy", "--against", "3.npy")):
            self.fails(3, "pairs", *args, "--threshold", "0.9", says="2 of|3 of|of 2|of 3")

    def test_bad_options(self):
        for args, says in (
                ((), "--threshold: must be given for cosine"),
                (("--measure", "euclidean"), "--within: must be given for euclidean"),
                (("--within", "3"), "--within: cosine is a similarity"),
                (("--measure", "angle", "--threshold", "0.5"), "angle is a distance"),
                (("--measure", "euclidean", "--within", "3m"), "'3m' is not a number"),
                (("--measure", "euclidean", "--within", "-1"), "'-1' is not a number"),
                (("--measure", "jaccard", "--threshold", "0.5"), "does not support --kind vectors"),
                (("--threshold", "0.5", "--shingle", "chars:9"), "--shingle: does not apply to vectors: they have no text"),
                (("--threshold", "0.5", "--id", "name"), "--id name: an input without fields has no ids"),
                (("--threshold", "0.5", "-o", "in.npy.tsv", "--stats", "in.npy.tsv"),
                 "named for two outputs")):
            self.fails(2, "pairs", "in.npy", *args, says=says)
        self.fails(2, "pairs", "in.npy", "--kind", "text", says="holds vectors, not rows")
        self.write("t.jsonl", ["a text"])
        self.fails(2, "pairs", "t.jsonl", "--within", "3", says="every pair is within it")
        self.fails(2, "pairs", "t.jsonl", "--within", "3", "--measure", "dice",
                   says="dice is a similarity")
        self.fails(2, "pairs", "t.jsonl", "--measure", "euclidean", says="kind text")


if __name__ == "__main__":
    unittest.main()
