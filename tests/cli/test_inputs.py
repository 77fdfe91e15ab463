"""Where rows come from: files, folders, patterns, standard input; and which fields hold text and
id."""

import json
import os
import unittest

import corpus
from support import SosieTest, jsonl, oracle


class ManyFiles(SosieTest):
    def shards(self, seed: int, count: int, folder: str = "") -> list[str]:
        """Writes the same rows to one file (one.jsonl) and to `count` uneven files."""
        lines = self.read(self.write("one.jsonl", corpus.texts(seed, 120))).splitlines(
            keepends=True)
        names = []
        for shard in range(count):
            first, last = (len(lines) * at * at // count**2 for at in (shard, shard + 1))
            names.append(self.write(f"{folder}part-{shard:03}.jsonl",
                                    b"".join(lines[first:last])))
        return names

    def test_ten_files_give_what_one_file_gives(self):
        names = self.shards(40, 10)
        for method in ("brute", "lsh"):
            args = ("--method", method, "--threshold", "0.5", "--removed", "r.tsv", "--clusters",
                    "c.tsv", "--pairs", "p.tsv")
            one = (self.kept("one.jsonl", *args), self.read("c.tsv"), self.read("p.tsv"))
            removed = [(row["id"], row["kept_id"]) for row in self.table("r.tsv")]
            ten = (self.kept(*names, *args), self.read("c.tsv"), self.read("p.tsv"))
            self.assertEqual(one, ten)
            self.assertEqual(removed, [(row["id"], row["kept_id"]) for row in self.table("r.tsv")])

    def test_files_are_named_and_rows_counted_in_them(self):
        names = self.shards(41, 5)
        expected = oracle.answer(self.rows_of(*names), "0.5")
        self.assertTrue(any(gone.file != kept.file for gone, kept, _ in expected.removed))
        self.kept(*names, "--method", "brute", "--threshold", "0.5", "--removed", "r.tsv")
        self.assert_removed(self.read("r.tsv"), expected.removed)

    def test_files_are_read_in_the_order_given(self):
        self.write("b.txt", "one\n")
        self.write("a.txt", "two\n")
        self.assertEqual(self.kept("b.txt", "a.txt"), b"one\ntwo\n")

    def test_a_folder_stands_for_its_record_files_by_the_bytes_of_the_path(self):
        names = ["d/B.jsonl", "d/a-b/x.jsonl", "d/a.jsonl", "d/a/x.jsonl", "d/a/y/z.jsonl",
                 "d/a0.jsonl", "d/b.jsonl", "d/part10.jsonl", "d/part9.jsonl", "d/é.jsonl"]
        self.assertEqual(names, sorted(names, key=os.fsencode))
        for number, name in enumerate(reversed(names)):
            self.write(name, jsonl([{"id": number, "text": f"unlike others: {number}"}]))
        expected = b"".join(self.read(name) for name in names)
        for folder in ("d", "d/", "./d"):
            self.assertEqual(self.kept(folder, "--threshold", "1"), expected)

    def test_a_folder_of_shards_gives_what_its_files_give(self):
        names = self.shards(42, 4, "shards/")
        self.assertEqual(self.kept("shards"), self.kept(*names))
        self.assertEqual(self.kept("shards"), self.kept("one.jsonl"))

    def test_other_files_of_a_folder_are_named_and_not_read(self):
        self.shards(43, 3, "shards/")
        self.write("shards/README.md", "not a shard\n")
        self.write("shards/notes.pdf", b"\x00\xff")
        result = self.sosie("dedup", "shards")
        self.assertEqual(result.out, self.kept("one.jsonl"))
        self.assertIn("README.md", result.err)
        self.assertIn("notes.pdf", result.err)

    def test_a_glob_is_sorted_by_the_bytes_of_the_path(self):
        for number in range(11):
            self.write(f"s/part{number}.txt", f"unlike{number}\n")
        self.write("s/other.log", "not to be read\n")
        order = sorted(range(11), key=str)
        self.assertEqual(self.kept("s/part*.txt"),
                         "".join(f"unlike{number}\n" for number in order).encode())
        self.assertEqual(self.kept("s/part?.txt"),
                         "".join(f"unlike{number}\n" for number in range(10)).encode())

    def test_a_file_named_like_a_glob_is_that_file(self):
        self.write("a[1].txt", "one\n")
        self.write("a1.txt", "two\n")
        self.assertEqual(self.kept("a[1].txt"), b"one\n")

    def test_names_with_blanks_and_other_signs(self):
        name = self.write("a b/c 'd'\u00e9.jsonl", ["one two", "one two"])
        self.kept(name, "--removed", "r.tsv")
        self.assertEqual(self.table("r.tsv")[0]["file"], name)

    def test_a_name_that_begins_with_a_dash(self):
        self.write("-o.txt", "one\n")
        self.assertEqual(self.kept("--", "-o.txt"), b"one\n")
        self.assertEqual(self.kept("./-o.txt"), b"one\n")

    def test_the_same_file_twice(self):
        self.write("in.txt", "one\ntwo\n")
        self.assertEqual(self.kept("in.txt", "in.txt"), b"one\ntwo\n")
        self.write("in.jsonl", ["one", "two"])
        self.fails(3, "dedup", "in.jsonl", "in.jsonl", says="d0")
        self.assertEqual(self.kept("in.jsonl", "in.jsonl", "--id", "row"), self.read("in.jsonl"))

    def test_the_summary_has_a_row_for_each_input(self):
        names = self.shards(44, 3)
        err = self.sosie("dedup", *names).err
        for name in names:
            self.assertIn(name, err)

    def test_empty_files_among_others(self):
        self.write("empty.txt", b"")
        self.write("in.txt", "one\n")
        self.assertEqual(self.kept("empty.txt", "in.txt", "empty.txt"), b"one\n")


class StandardInput(SosieTest):
    def test_a_dash_reads_jsonl(self):
        self.write("in.jsonl", corpus.texts(45, 80))
        data = self.read("in.jsonl")
        self.assertEqual(self.kept("-", stdin=data), self.kept("in.jsonl"))
        self.assertEqual(self.sosie("pairs", "-", stdin=data).out,
                         self.sosie("pairs", "in.jsonl").out)

    def test_a_dash_among_files(self):
        self.write("a.jsonl", jsonl([{"id": "a", "text": "one two"}]))
        row = jsonl([{"id": "b", "text": "one two"}, {"id": "c", "text": "three"}])
        self.assertEqual(self.kept("a.jsonl", "-", stdin=row),
                         self.read("a.jsonl") + row.splitlines(keepends=True)[1])

    def test_a_dash_with_a_format(self):
        self.assertEqual(self.kept("-", "--format", "txt", stdin=b"one\none\n"), b"one\n")

    def test_empty_stdin(self):
        self.assertEqual(self.kept("-", stdin=b""), b"")

    def test_input_larger_than_a_pipe(self):
        self.write("in.jsonl", corpus.planted_pairs(46, 2000))
        self.assertEqual(self.kept("-", stdin=self.read("in.jsonl")), self.kept("in.jsonl"))

    def test_errors_tell_the_line(self):
        self.fails(3, "dedup", "-", stdin=b'{"text":"a"}\n\n{"text":\n', says=":3: ")


class Formats(SosieTest):
    def test_ndjson_is_jsonl(self):
        self.write("in.ndjson", ["one two", "One two"])
        self.assertEqual(self.kept("in.ndjson"), self.read("in.ndjson").splitlines(True)[0])

    def test_format_overrules_the_extension(self):
        self.write("in.log", ["one two", "One two"])
        self.assertEqual(self.kept("in.log", "--format", "jsonl"),
                         self.read("in.log").splitlines(keepends=True)[0])
        self.write("in.dat", "one two\nOne two\n")
        self.assertEqual(self.kept("in.dat", "--format", "txt"), b"one two\n")

    def test_an_unknown_extension_is_an_error_that_names_the_way_out(self):
        self.write("in.log", ["one two"])
        self.fails(2, "dedup", "in.log", says="in.log", hints="--format")


class Fields(SosieTest):
    ROWS = [{"title": "one two", "body": "a b c", "n": 1},
            {"title": "One two", "body": "d", "n": 5},
            {"title": "three", "body": "A, b, c", "n": 3}]

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", jsonl(self.ROWS))
        self.lines = self.read("in.jsonl").splitlines(keepends=True)

    def test_column_says_where_the_text_is(self):
        for option in ("--column", "--text"):
            self.assertEqual(self.kept("in.jsonl", option, "title"),
                             self.lines[0] + self.lines[2])
            self.assertEqual(self.kept("in.jsonl", option, "body"), self.lines[0] + self.lines[1])

    def test_ids_are_row_numbers_when_the_first_row_has_no_id(self):
        out = self.sosie("pairs", "in.jsonl", "--column", "body").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_id_says_where_ids_are(self):
        for field, pair in (("n", b"1\t3"), ("title", b"one two\tthree"), ("row", b"0\t2")):
            out = self.sosie("pairs", "in.jsonl", "--column", "body", "--id", field).out
            self.assertEqual(out.splitlines()[1], pair + b"\t1.000000")

    def test_ids_are_taken_from_id_when_the_first_row_has_one(self):
        self.write("in.jsonl", jsonl([{"id": "x", "text": "a"}, {"text": "a", "id": 7}]))
        self.assertEqual(self.sosie("pairs", "in.jsonl").out.splitlines()[1], b"x\t7\t1.000000")

    def test_ids_are_row_numbers_even_if_later_rows_have_an_id(self):
        self.write("in.jsonl", jsonl([{"text": "a"}, {"text": "a", "id": 7}]))
        self.assertEqual(self.sosie("pairs", "in.jsonl").out.splitlines()[1], b"0\t1\t1.000000")

    def test_a_first_row_without_id_in_a_later_file_is_an_error(self):
        self.write("a.jsonl", jsonl([{"id": "x", "text": "a"}]))
        self.write("b.jsonl", jsonl([{"text": "a"}]))
        self.fails(3, "dedup", "a.jsonl", "b.jsonl", says=r"b\.jsonl:1: .*id")

    def test_large_and_negative_integers_are_ids(self):
        ids = [-1, 0, 2**53 + 1, 2**63 - 1, -2**63]
        self.write("in.jsonl", jsonl([{"id": number, "text": "x"} for number in ids]))
        self.kept("in.jsonl", "--removed", "r.jsonl")
        self.assertEqual([json.loads(line)["id"] for line in self.read("r.jsonl").splitlines()],
                         ids[1:])


if __name__ == "__main__":
    unittest.main()
