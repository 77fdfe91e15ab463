"""`sosie link --annotate` and `--keep`: the input rows, with the results for each row."""

import csv
import json
import unittest

from support import SosieTest
from test_link import as_csv, copies, people


class LinkedRows(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = people(1, 120)
        self.copies = copies(2, self.rows[:60], "c")
        self.all = self.rows + self.copies
        self.write("all.csv", as_csv(self.all))
        self.sosie("link", "all.csv", "-o", "groups.csv", "-q")
        self.groups = {row["id"]: row for row in self.table("groups.csv")}

    def test_every_row_gets_the_group_that_the_table_tells(self):
        self.sosie("link", "all.csv", "--annotate", "all", "-o", "out.csv", "--clusters", "c.csv")
        lines = self.read("out.csv").decode().splitlines()
        self.assertEqual(lines[0], "id,given,surname,born,city,phone,cluster_id,cluster_size,probability")
        for line, row in zip(lines[1:], self.all, strict=True):
            group = self.groups[row["id"]]
            self.assertEqual(line, ",".join([*row.values(), group["cluster_id"], group["size"],
                                             group["weakest"]]))
        self.assertEqual(self.read("c.csv"), self.read("groups.csv"))

    def test_rows_stay_in_their_dialect_and_encoding(self):
        rows = [dict(row, city=row["city"] + " München; West") for row in self.all]
        with open(self.dir / "all.csv", "w", encoding="cp1252", newline="") as file:
            out = csv.DictWriter(file, list(rows[0]), delimiter=";", lineterminator="\r\n")
            out.writeheader()
            out.writerows(rows)
        came = self.read("all.csv").split(b"\r\n")
        self.sosie("link", "all.csv", "--encoding", "cp1252", "--annotate", "all", "-o", "out.csv")
        got = self.read("out.csv").split(b"\r\n")
        self.assertEqual(len(got), len(came))
        for line, before in zip(got[:-1], came[:-1], strict=True):
            self.assertTrue(line.startswith(before + b";"), line)
            self.assertEqual(line.count(b";"), before.count(b";") + 3)

    def test_json_rows_get_numbers_and_nulls(self):
        self.write("all.jsonl", "".join(json.dumps(dict(row, id=number)) + "\n"
                                        for number, row in enumerate(self.all)))
        self.sosie("link", "all.jsonl", "--annotate", "all", "-o", "out.jsonl")
        rows = [json.loads(line) for line in self.read("out.jsonl").splitlines()]
        self.assertEqual([row["id"] for row in rows], list(range(len(self.all))))
        for row in rows:
            self.assertIsInstance(row["cluster_id"], int)
            self.assertEqual(row["cluster_size"] == 1, row["probability"] is None)
        self.assertTrue(any(row["cluster_size"] == 2 for row in rows))

    def test_values_that_keep_compares_as_text_are_told(self):
        rows = [dict(row, seen=f"{number % 28 + 1:02}.01.2024") for number, row in enumerate(self.all)]
        self.write("dated.csv", as_csv(rows))
        err = self.sosie("link", "dated.csv", "--ignore", "seen", "--keep", "max:seen", "-o", "kept.csv").err
        self.assertIn("note        --keep compares '01.01.2024' as text, from its first digit", err)
        self.assertNotIn("--keep", self.sosie("link", "dated.csv", "--ignore", "seen", "-o", "g.csv").err)

    def test_keep_leaves_one_row_of_each_group_as_it_came(self):
        came = self.read("all.csv").splitlines(True)
        size = {line.split(b",")[0].decode(): len(line) for line in came}
        members: dict = {}
        for id_, row in self.groups.items():
            members.setdefault(row["cluster_id"], []).append(id_)
        for rule, best in (("first", lambda ids: ids[0]), ("last", lambda ids: ids[-1]),
                           ("max:id", max),
                           ("longest", lambda ids: max(ids, key=lambda id_: size[id_] - len(id_)))):
            with self.subTest(rule=rule):
                self.sosie("link", "all.csv", "--keep", rule, "-o", "kept.csv")
                kept = {best(ids) for ids in members.values()}
                expected = [line for line in came[1:] if line.split(b",")[0].decode() in kept]
                self.assertEqual(self.read("kept.csv").splitlines(True), came[:1] + expected)

    def test_groups_are_named_by_their_kept_row(self):
        self.sosie("link", "all.csv", "--keep", "last", "--annotate", "kept", "-o", "kept.csv")
        kept = self.table("kept.csv")
        self.assertTrue(all(row["id"] == row["cluster_id"] for row in kept))
        self.assertEqual(sum(int(row["cluster_size"]) for row in kept), len(self.all))

    def test_of_two_collections_each_row_gets_its_best_partner(self):
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies + [dict(row, id="d" + row["id"]) for row in self.rows[:60]]))
        for assign in ("one-to-one", "all"):
            run = ("link", "a.csv", "--against", "b.csv", "--assign", assign)
            self.sosie(*run, "-o", "links.csv")
            links = self.table("links.csv")
            best: dict = {}
            for link in links:
                best.setdefault(link["left"], (link["right"], link["probability"]))
            self.assertEqual(len(links) > len(best), assign == "all")
            self.sosie(*run, "--annotate", "all", "-o", "out.csv", "--pairs", "links2.csv")
            rows = self.table("out.csv")
            self.assertEqual([row["id"] for row in rows], [row["id"] for row in self.rows])
            self.assertEqual({row["id"]: (row["linked_id"], row["probability"]) for row in rows
                              if row["linked_id"]}, best)
            self.assertEqual(self.read("links2.csv"), self.read("links.csv"))

    def test_bad_rows_are_passed_through_or_left_out(self):
        self.write("bad.jsonl", "".join(json.dumps(row) + "\n" for row in self.all) + "{broken\n")
        self.sosie("link", "bad.jsonl", "--on-bad-row", "keep", "--annotate", "all", "-o", "out.jsonl")
        self.assertEqual(self.read("out.jsonl").splitlines()[-1], b"{broken")
        self.sosie("link", "bad.jsonl", "--on-bad-row", "skip", "--annotate", "all", "-o", "out.jsonl")
        self.assertEqual(len(self.read("out.jsonl").splitlines()), len(self.all))

    def test_dedup_takes_groups_of_link(self):
        for more, rule in (([], "first"), (["--keep", "last"], "last"),
                           (["--keep", "max:phone"], "max:phone")):
            self.sosie("dedup", "all.csv", "--column", "given,surname", "--reuse", "groups.csv", *more,
                       "-o", "kept.csv")
            self.sosie("link", "all.csv", "--keep", rule, "-o", "linked.csv")
            self.assertEqual(self.read("kept.csv"), self.read("linked.csv"))

    def test_dedup_keeps_the_longest_of_a_group(self):
        self.write("in.jsonl", [{"id": "a", "text": "one two"}, {"id": "b", "text": "one two three"},
                                {"id": "c", "text": "four"}])
        self.write("groups.csv", "id,cluster_id\na,a\nb,a\n")
        kept = self.sosie("dedup", "in.jsonl", "--reuse", "groups.csv", "--keep", "longest").out
        self.assertEqual([json.loads(line)["id"] for line in kept.splitlines()], ["b", "c"])

    def test_groups_of_ids_that_no_row_has_are_refused(self):
        self.write("unknown.csv", "id,cluster_id\nnobody,nobody\nnoone,nobody\n")
        self.fails(3, "dedup", "all.csv", "--column", "given", "--reuse", "unknown.csv", "-o", "k.csv",
                   says="unknown.csv:2: no input row has the id 'nobody'", hints="made from the same inputs")
        self.fails(3, "link", "all.csv", "--reuse", "unknown.csv", "-o", "k.csv",
                   says="unknown.csv:2: no record has the id 'nobody'")

    def test_reused_groups_are_not_called_too_short(self):
        err = self.sosie("dedup", "all.csv", "--column", "given", "--reuse", "groups.csv", "-o", "kept.csv").err
        self.assertNotIn("one replaced word", err)

    def test_dedup_passes_over_bad_rows_among_groups(self):
        self.write("bad.csv", as_csv(self.all) + "short\n")
        for id_ in ("id", "row"):
            self.sosie("link", "bad.csv", "--id", id_, "--on-bad-row", "keep", "-o", "groups.csv")
            self.assertEqual(len(self.table("groups.csv")), len(self.all) + 1)
            self.sosie("dedup", "bad.csv", "--id", id_, "--column", "city", "--on-bad-row", "keep",
                       "--reuse", "groups.csv", "-o", "kept.csv")
            self.assertEqual(self.read("kept.csv").splitlines()[-1], b"short")

    def test_what_cannot_be_meant_is_refused(self):
        self.write("named.csv", as_csv([dict(row, cluster_id="1") for row in self.all]))
        for words, told in (
                (("named.csv", "--annotate", "all"), "field 'cluster_id' exists already"),
                (("all.csv", "--clusters", "c.csv"), "--clusters: needs a run that writes rows"),
                (("all.csv", "--annotate", "out.csv"), "--annotate all -o out.csv writes the rows"),
                (("all.csv", "--against", "all.csv", "--keep", "last"), "removes no rows"),
                (("all.csv", "--against", "all.csv", "--annotate", "kept"), "use --annotate all"),
                (("all.csv", "--keep", "max:nosuch"), "no row has the field 'nosuch'"),
                (("all.csv", "--annotate", "all", "-o", "all.csv"), "is an input")):
            with self.subTest(words=words):
                result = self.sosie("link", *words, code=None)
                self.assertIn(result.code, (2, 3))
                self.assertIn(told, result.err)


if __name__ == "__main__":
    unittest.main()
