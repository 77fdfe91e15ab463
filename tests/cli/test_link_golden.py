"""`sosie link --golden`: one row for each group, with the best value of each field."""

import csv
import json
import unittest

from support import SosieTest

RULES = 'version = 1\n[fields]\nkey = {}\nname = {}\n[candidates]\nrules = [{ equal = ["key"] }]\n' \
        '[decide]\nalways = [{ equal = ["key"] }]\ncut = "0.999"\n'


class GoldenRows(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("rules.toml", RULES)
        self.rows = [
            {"id": "a", "key": "one", "name": "Ann", "city": "", "seen": "2024-03-01", "score": "9", "from": "web"},
            {"id": "b", "key": "two", "name": "Bob", "city": "NA", "seen": "2024-01-01", "score": "", "from": "crm"},
            {"id": "c", "key": "one", "name": "Anna Lee", "city": "Bonn", "seen": "2023-12-31", "score": "10",
             "from": "crm"},
            {"id": "d", "key": "one", "name": "Änn", "city": "Köln", "seen": "2024-02-02", "score": "10",
             "from": "erp"},
        ]

    def write_rows(self, name: str, rows: list[dict], **how) -> None:
        with open(self.dir / name, "w", newline="", encoding=how.pop("encoding", "utf-8")) as file:
            out = csv.DictWriter(file, list(rows[0]), lineterminator="\n", **how)
            out.writeheader()
            out.writerows(rows)

    def golden(self, *rules: str, keep: str = "first") -> dict:
        self.write_rows("in.csv", self.rows)
        words = [word for rule in rules for word in ("--golden", rule)]
        self.sosie("link", "in.csv", "--rules", "rules.toml", *words, "--keep", keep, "-o", "out.csv")
        with open(self.dir / "out.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        self.assertEqual([row["cluster_size"] for row in rows if row["key"] == "one"], ["3"])
        return next(row for row in rows if row["key"] == "one")

    def test_each_rule_chooses_its_value(self):
        for rule, field, value in (
                ("name=first", "name", "Ann"), ("name=longest", "name", "Anna Lee"),
                ("name=shortest", "name", "Ann"), ("score=newest", "score", "10"),
                ("score=oldest", "score", "9"), ("seen=newest", "seen", "2024-03-01"),
                ("seen=oldest", "seen", "2023-12-31"), ("city=newest:seen", "city", "Köln"),
                ("name=oldest:seen", "name", "Anna Lee"), ("score=most-frequent", "score", "10"),
                ("name=most-frequent", "name", "Ann"), ("name=source:in.csv", "name", "Ann"),
                ("name=source:from=erp|crm", "name", "Änn"), ("city=source:from=web|crm", "city", "Bonn"),
                ("name=source:from=nobody", "name", "Ann")):
            with self.subTest(rule=rule):
                self.assertEqual(self.golden(rule)[field], value)

    def test_a_group_that_outgrows_the_memory_is_refused(self):
        rows = [{"id": n, "key": "one" if n < 100 else n, "name": "Ann", "note": "x" * 100_000} for n in range(300)]
        self.write_rows("in.csv", rows)
        run = ("link", "in.csv", "--rules", "rules.toml", "--golden", "name=first", "-o", "out.csv")
        result = self.fails(4, *run, "--memory", "64M")
        self.assertIn("--golden: in.csv:2: the rows of its group need more than an eighth of --memory 64M",
                      result.err)
        self.assertIn("raise --memory, or use --keep RULE", result.err)
        self.assertFalse((self.dir / "out.csv").exists())
        self.sosie(*run, "--memory", "128M")
        self.assertEqual(self.read("out.csv").count(b"\n"), 202)

    def test_fields_without_a_rule_take_the_first_value_there_is(self):
        row = self.golden("name=longest")
        self.assertEqual((row["id"], row["cluster_id"], row["city"], row["score"]), ("a", "a", "Bonn", "9"))

    def test_the_kept_row_comes_first_and_names_the_group(self):
        row = self.golden("name=longest", keep="last")
        self.assertEqual((row["id"], row["cluster_id"], row["city"], row["name"]), ("d", "d", "Köln", "Anna Lee"))

    def test_single_records_are_rows_as_they_came(self):
        self.golden("name=longest")
        self.assertIn("b,two,Bob,NA,2024-01-01,,crm,b,1", self.read("out.csv").decode().splitlines())

    def test_rows_have_the_dialect_and_encoding_of_their_file(self):
        for row in self.rows:
            row["name"] += "; x"
        self.write_rows("in.csv", self.rows, delimiter=";", encoding="cp1252")
        self.sosie("link", "in.csv", "--rules", "rules.toml", "--encoding", "cp1252", "--golden",
                   "city=source:from=erp", "-o", "out.csv")
        lines = self.read("out.csv").decode("cp1252").splitlines()
        self.assertEqual(lines[0], "id;key;name;city;seen;score;from;cluster_id;cluster_size")
        self.assertEqual(lines[1], 'a;one;"Ann; x";Köln;2024-03-01;9;web;a;3')

    def test_tabs_and_backslashes_stay_what_they_are(self):
        for row in self.rows:
            row["name"] = "C:\\new"
        self.write("in.tsv", "\n".join("\t".join(row) for row in [
            list(self.rows[0]), *[[*row.values()] for row in self.rows]]) + "\n")
        self.sosie("link", "in.tsv", "--rules", "rules.toml", "--golden", "name=longest", "-o", "out.tsv")
        again = self.sosie("link", "out.tsv", "--rules", "rules.toml", "--ignore", "cluster_id,cluster_size",
                           "--keep", "first").out
        self.assertEqual(again, self.read("out.tsv"))
        self.assertIn(b"\tC:\\new\t", again)

    def test_json_keeps_types_and_lists(self):
        rows = [{"id": 1, "key": "one", "tags": ["x", {"y": 1}], "name": "A", "score": 1.50},
                {"score": None, "id": 2, "key": "one", "name": "Anna", "more": {"z": "q\"q"}},
                {"id": 3, "key": "two", "name": "B"}]
        self.write("in.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        self.sosie("link", "in.jsonl", "--rules", "rules.toml", "--golden", "name=longest", "-o", "out.jsonl")
        self.assertEqual([json.loads(line) for line in self.read("out.jsonl").splitlines()], [
            {"id": 1, "key": "one", "tags": ["x", {"y": 1}], "name": "Anna", "score": 1.5, "more": {"z": "q\"q"},
             "cluster_id": 1, "cluster_size": 2},
            {"id": 3, "key": "two", "name": "B", "cluster_id": 3, "cluster_size": 1}])

    def test_files_of_a_tree_keep_their_columns(self):
        self.write("in/a.csv", "id,key,name\na,one,Ann\n")
        self.write("in/b.csv", "name,mail,key,id\nAnna,x@y,one,b\nBob,,two,c\n")
        self.sosie("link", "in", "--rules", "rules.toml", "--golden", "name=source:b.csv|a.csv", "-o", "out/")
        self.assertEqual(self.read("out/a.csv").decode(), "id,key,name,cluster_id,cluster_size\na,one,Anna,a,2\n")
        self.assertEqual(self.read("out/b.csv").decode(),
                         "name,mail,key,id,cluster_id,cluster_size\nBob,,two,c,c,1\n")

    def test_bad_rows_are_passed_through(self):
        self.write("in.jsonl", '{"id": 1, "key": "one", "name": "A"}\n{broken\n')
        self.sosie("link", "in.jsonl", "--rules", "rules.toml", "--on-bad-row", "keep", "--golden", "name=first",
                   "-o", "out.jsonl")
        self.assertEqual(self.read("out.jsonl").splitlines()[1], b"{broken")

    def test_dates_that_do_not_rank_as_such_are_told(self):
        self.rows[0]["seen"] = "31.12.2024"
        self.write_rows("in.csv", self.rows)
        err = self.sosie("link", "in.csv", "--rules", "rules.toml", "--golden", "seen=newest", "-o", "out.csv").err
        self.assertIn("--golden compares '31.12.2024' as text", err)

    def test_what_cannot_be_meant_is_refused(self):
        self.write_rows("in.csv", self.rows)
        self.write_rows("named.csv", [dict(row, cluster_id="1") for row in self.rows])
        for words, told in (
                (("in.csv", "--golden", "nam=first"), "did you mean name?"),
                (("in.csv", "--golden", "name=newest:sen"), "did you mean seen?"),
                (("in.csv", "--golden", "name=best"), "with a rule of first, longest"),
                (("in.csv", "--golden", "name"), "is not FIELD=RULE"),
                (("in.csv", "--golden", "name=first", "--golden", "name=longest"), "field 'name' has two rules"),
                (("in.csv", "--golden", "name=first", "--golden", "name=longest"), "keep one of them"),
                (("in.csv", "--golden", "name=source:crm.csv"), "no input is named 'crm.csv'"),
                (("in.csv", "--golden", "name=first", "--annotate", "all"), "use one of them"),
                (("in.csv", "--against", "in.csv", "--golden", "name=first"), "works only within one collection"),
                (("named.csv", "--golden", "name=first"), "field 'cluster_id' already exists")):
            with self.subTest(words=words):
                result = self.sosie("link", *words, "--rules", "rules.toml", "-o", "o.csv", code=2)
                self.assertIn(told, result.err)
                self.assertFalse((self.dir / "o.csv").exists())

    def test_lists_do_not_rank(self):
        rows = [{"id": id_, "key": "one", "name": "A", "seen": [1]} for id_ in "ab"]
        self.write("in.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        result = self.sosie("link", "in.jsonl", "--rules", "rules.toml", "--golden", "seen=newest", "-o", "o.jsonl",
                            code=3)
        self.assertIn("in.jsonl:1: field 'seen' is a list", result.err)


if __name__ == "__main__":
    unittest.main()
