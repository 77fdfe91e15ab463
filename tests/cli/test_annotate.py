"""`dedup --annotate kept|all`: the decision about each row, in two additional fields."""

import csv
import io
import json
import unittest

import corpus
from support import SosieTest, jsonl, oracle


class Annotate(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(31, 80))
        self.rows = self.rows_of("in.jsonl")
        self.expected = oracle.answer(self.rows)
        self.survivor = {row.id: kept.id for row, kept, _ in self.expected.removed}
        self.size: dict = {}
        for row in self.rows:
            kept = self.survivor.get(row.id, row.id)
            self.size[kept] = self.size.get(kept, 0) + 1

    def annotated(self, row: oracle.Row) -> bytes:
        kept = self.survivor.get(row.id)
        more = {"duplicate_of": kept, "cluster_size": self.size[kept or row.id]}
        body = row.raw.rstrip(b"\n")
        self.assertTrue(body.endswith(b"}"))
        return body[:-1] + b", " + json.dumps(more).encode()[1:-1] + b"}\n"

    def test_kept_rows_get_two_fields_and_stay_as_they_were_besides(self):
        self.assertEqual(self.kept("in.jsonl", "--annotate", "kept"),
                         b"".join(self.annotated(row) for row in self.expected.kept))

    def test_an_added_field_is_read_back_in_the_dialect_of_its_rows(self):
        text = "one two three four five six"
        ids = ["C:\\new\\table", 'say "x"', "a,b", "end\\", "semi;colon", "two\nlines", "\\"]
        for how in ({"escapechar": "\\", "doublequote": False}, {"escapechar": "\\", "delimiter": ";"},
                    {"quotechar": "'", "escapechar": "\\", "doublequote": False}, {}):
            made = io.StringIO()
            rows = csv.writer(made, quoting=csv.QUOTE_ALL, lineterminator="\n", **how)
            rows.writerow(["id", "text"])
            for number, name in enumerate(ids):
                rows.writerows([[name, f"{text} {number}"], [f"copy {number}", f"{text} {number}"]])
            self.write("in.csv", made.getvalue())
            options = [word for key, option in (("escapechar", "--escape"), ("quotechar", "--quote"),
                                                ("delimiter", "--delimiter"))
                       if key in how for word in (option, how[key])]
            out = self.kept("in.csv", "--annotate", "all", *options).decode()
            read = list(csv.DictReader(io.StringIO(out), **how))
            self.assertEqual([row["duplicate_of"] for row in read[1::2]], ids, how)
            self.assertEqual([row["id"] for row in read[::2]], ids, how)
            self.write("again.csv", out)
            shown = self.sosie("pairs", "again.csv", *options, "--show", "duplicate_of", "-o", "p.jsonl")
            self.assertEqual([row["right_duplicate_of"] for row in self.table("p.jsonl")], ids, shown.err)

    def test_all_rows_are_there(self):
        for threads in ("1", "3"):
            self.assertEqual(self.kept("in.jsonl", "--annotate", "all", "--threads", threads),
                             b"".join(self.annotated(row) for row in self.rows))

    def test_counts_do_not_change(self):
        self.kept("in.jsonl", "--annotate", "all", "--stats", "stats.json")
        self.assertEqual((self.stats().kept, self.stats().removed),
                         (len(self.expected.kept), len(self.expected.removed)))


class Formats(SosieTest):
    def test_json_as_people_write_it(self):
        self.write("in.jsonl", b'{"id": 7, "text": "one}", "o": {"x": "}"}}  \r\n\n'
                   b' { "text": "One" , "id": 5 } \n{"text":"two","id":6}')
        self.assertEqual(
            self.kept("in.jsonl", "--annotate", "all"),
            b'{"id": 7, "text": "one}", "o": {"x": "}"}, "duplicate_of": null, '
            b'"cluster_size": 2}  \r\n'
            b' { "text": "One" , "id": 5 , "duplicate_of": 7, "cluster_size": 2} \n'
            b'{"text":"two","id":6, "duplicate_of": null, "cluster_size": 1}')

    def test_ids_keep_their_type_and_are_escaped(self):
        self.write("in.jsonl", jsonl([{"id": 'a"\\\n', "text": "x"}, {"id": "b", "text": "x"}]))
        out = self.kept("in.jsonl", "--annotate", "all").splitlines()
        self.assertEqual(json.loads(out[1])["duplicate_of"], 'a"\\\n')
        out = self.kept("in.jsonl", "--annotate", "all", "--id", "row").splitlines()
        self.assertEqual(json.loads(out[1])["duplicate_of"], 0)

    def test_csv_gets_two_columns(self):
        self.write("in.csv", 'id,text\r\n"a,""1",one\r\nb,One\r\nc,"two\r\nlines"')
        out = self.kept("in.csv", "--annotate", "all")
        self.assertEqual(out, b'id,text,duplicate_of,cluster_size\r\n"a,""1",one,,2\r\n'
                         b'b,One,"a,""1",2\r\nc,"two\r\nlines",,1')
        rows = list(csv.DictReader(io.StringIO(out.decode(), newline="")))
        self.assertEqual([row["duplicate_of"] for row in rows], ["", 'a,"1', ""])
        self.assertEqual(self.kept("in.csv", "--annotate", "kept"),
                         b'id,text,duplicate_of,cluster_size\r\n"a,""1",one,,2\r\n'
                         b'c,"two\r\nlines",,1')

    def test_tsv_gets_two_columns(self):
        self.write("in.tsv", "id\ttext\na\tone\nb\tone\n")
        self.assertEqual(self.kept("in.tsv", "--annotate", "all"),
                         b"id\ttext\tduplicate_of\tcluster_size\na\tone\t\t2\nb\tone\ta\t2\n")

    def test_partners_in_other_are_named(self):
        self.write("old.txt", "one\n")
        self.write("in.jsonl", [{"id": "x", "text": "one"}, {"id": "y", "text": "two"}])
        out = self.kept("in.jsonl", "--against", "old.txt", "--annotate", "all").splitlines()
        self.assertEqual([(row["duplicate_of"], row["cluster_size"])
                          for row in map(json.loads, out)], [(0, 2), (None, 1)])

    def test_mirrored_trees_are_annotated_too(self):
        self.write("d/a.jsonl", [{"id": "a", "text": "one"}])
        self.write("d/b/c.jsonl", [{"id": "b", "text": "one"}])
        self.kept("d", "--annotate", "all", "-o", "out/")
        self.assertEqual(json.loads(self.read("out/b/c.jsonl"))["duplicate_of"], "a")

    def test_bad_rows_that_are_passed_through_stay_as_they_are(self):
        self.write("in.jsonl", b'{"id": 1, "text": "x"}\n{"id": 2}\nnothing}\n')
        self.assertEqual(
            self.kept("in.jsonl", "--annotate", "kept", "--on-bad-row", "keep"),
            b'{"id": 1, "text": "x", "duplicate_of": null, "cluster_size": 1}\n'
            b'{"id": 2}\nnothing}\n')


class Mistakes(SosieTest):
    def test_fields_of_these_names_are_not_overwritten(self):
        for name in ("duplicate_of", "cluster_size"):
            self.write("in.jsonl", jsonl([{"id": 1, "text": "x"},
                                          {"id": 2, "text": "y", name: None}]))
            self.fails(2, "dedup", "in.jsonl", "--annotate", "all", "-o", "out.jsonl",
                       says=rf"in\.jsonl:2: .*'{name}'")
            self.write("in.csv", f"id,text,{name}\n1,x,\n")
            self.fails(2, "dedup", "in.csv", "--annotate", "kept", "-o", "out.csv",
                       says=rf"in\.csv:1: .*'{name}'")
            self.assertEqual(self.names(), {"in.jsonl", "in.csv"})

    def test_plain_text_has_no_fields(self):
        self.write("in.txt", "one\n")
        self.fails(2, "dedup", "in.txt", "--annotate", "all", says="in.txt: .*no fields")

    def test_rows_are_kept_or_all(self):
        self.write("in.jsonl", ["one"])
        self.fails(2, "dedup", "in.jsonl", "--annotate", "some", says="kept, all")


if __name__ == "__main__":
    unittest.main()
