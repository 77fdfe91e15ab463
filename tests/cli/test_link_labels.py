"""`sosie link --labels`, `--suggest` and `--reuse`: a person's judgements of pairs, and their effects."""

import csv
import json
import random
import unittest

from made_people import misspelt, word
from support import SosieTest


class LinkLabels(SosieTest):
    HEAD = ["given", "surname", "city"]

    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        given, cities = [word(draw, 2) for _ in range(40)], [word(draw) for _ in range(15)]
        people = [[draw.choice(given), word(draw), draw.choice(cities)] for _ in range(400)]
        copies = [[misspelt(draw, value) if draw.random() < .35 else value for value in row]
                  for row in people[:300]]
        for row in copies[::3]:
            row[2] = draw.choice(cities)
        self.rows("a.csv", people)
        self.rows("b.csv", copies + [[draw.choice(given), misspelt(draw, row[1]), draw.choice(cities)]
                                     for row in people[300:]])
        self.rows("one.csv", people + copies)

    def rows(self, name: str, rows: list[list[str]]) -> None:
        lines = [["id", *self.HEAD], *([f"{name[0]}{i}", *row] for i, row in enumerate(rows))]
        self.write(name, "".join(",".join(line) + "\n" for line in lines))

    def linked(self, *args: str, output: str = "out.csv") -> dict:
        self.err = self.sosie("link", *args, "-o", output, "--stats", "stats.json").err
        return json.loads((self.dir / "stats.json").read_text())

    def pairs(self, name: str = "out.csv") -> set:
        return {(row["left"], row["right"]) for row in self.table(name)}

    def answered(self, asked: str, name: str = "labels.csv") -> list[dict]:
        """The questions of --suggest, labelled with the truth."""
        rows = self.table(asked)
        for row in rows:
            left, right = int(row["left"][1:]), int(row["right"][1:])
            row["label"] = str(int(abs(left - right) in (0, 400) and min(left, right) < 300))
        with open(self.dir / name, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return rows

    def test_labels_are_what_one_column_is_checked_by(self):
        stats = self.linked(*self.ACROSS, "--ignore", "given,city")
        self.assertIn("with a single column", stats["confidence_reasons"][0])
        self.linked(*self.ACROSS, "--ignore", "given,city", "--suggest", "100", output="ask.csv")
        self.answered("ask.csv")
        for cut in ("auto", ".95", ".9999"):
            stats = self.linked(*self.ACROSS, "--ignore", "given,city", "--labels", "labels.csv", "--cut", cut)
            self.assertEqual([reason for reason in stats["confidence_reasons"] if "one column" in reason], [])

    ACROSS = ("a.csv", "--against", "b.csv")

    def test_suggested_pairs_come_back_as_labels(self):
        stats = self.linked(*self.ACROSS, "--suggest", "40", output="ask.csv")
        self.assertEqual(stats["suggested"], 40)
        self.assertIn("to label    40 pairs", self.err)
        asked = self.table("ask.csv")
        self.assertEqual(list(asked[0]), ["left", "right", "label", "score", "probability",
                                          "left_given", "right_given", "left_surname",
                                          "right_surname", "left_city", "right_city"])
        self.assertEqual({row["label"] for row in asked}, {""})
        people = {row["id"]: row for row in self.table("a.csv")}
        self.assertEqual(asked[0]["left_surname"], people[asked[0]["left"]]["surname"])
        self.assertEqual(len(self.pairs("ask.csv")), 40)
        rows = self.answered("ask.csv")
        stats = self.linked(*self.ACROSS, "--labels", "labels.csv")
        matches = sum(row["label"] == "1" for row in rows)
        self.assertEqual(stats["labels"], {"matches": matches, "others": 40 - matches, "open": 0,
                                           "learnt": True})
        self.assertEqual(stats["estimates"][-1]["method"], "labels")
        for row in rows:
            self.assertEqual((row["left"], row["right"]) in self.pairs(), row["label"] == "1")

    def test_labels_make_low_confidence_ok_and_the_figure_holds(self):
        self.assertEqual(self.linked(*self.ACROSS)["confidence"], "low")
        self.linked(*self.ACROSS, "--suggest", "150", output="ask.csv")
        self.answered("ask.csv")
        stats = self.linked(*self.ACROSS, "--labels", "labels.csv")
        self.assertEqual(stats["confidence"], "ok", self.err)
        truth = {(f"a{i}", f"b{i}") for i in range(300)}
        found = self.pairs()
        f1 = 2 * len(found & truth) / (len(found) + len(truth))
        self.assertAlmostEqual(stats["estimated_f1"], f1, delta=.1)

    def test_labels_that_contradict_the_model_make_confidence_low(self):
        self.linked(*self.ACROSS, "--suggest", "60", output="ask.csv")
        rows = self.answered("ask.csv")
        for row in rows:
            row["label"] = str(1 - int(row["label"]))
        self.write("wrong.csv", "left,right,label\n" +
                   "".join(f"{row['left']},{row['right']},{row['label']}\n" for row in rows))
        stats = self.linked(*self.ACROSS, "--labels", "wrong.csv")
        self.assertEqual(stats["confidence"], "low")
        self.assertTrue(any("do not score higher" in reason or "F1 is" in reason
                            for reason in stats["confidence_reasons"]), stats["confidence_reasons"])

    def test_one_collection_takes_labels_in_either_order(self):
        self.linked("one.csv")
        groups = {row["id"]: row["cluster_id"] for row in self.table("out.csv")}
        together = next(i for i in range(300) if groups[f"o{i}"] == groups[f"o{i + 400}"])
        apart = next(i for i in range(1, 300) if groups[f"o{i}"] != groups["o0"])
        self.write("l.jsonl", "".join(json.dumps(row) + "\n" for row in [
            {"left": f"o{together + 400}", "right": f"o{together}", "label": 0},
            {"left": f"o{apart}", "right": "o0", "label": 1},
            {"left": "o5", "right": "o6", "label": None}]))
        stats = self.linked("one.csv", "--labels", "l.jsonl")
        self.assertEqual(stats["labels"]["open"], 1)
        self.assertIn("1 row without a label", self.err)
        groups = {row["id"]: row["cluster_id"] for row in self.table("out.csv")}
        self.assertNotEqual(groups[f"o{together}"], groups[f"o{together + 400}"])
        self.assertEqual(groups["o0"], groups[f"o{apart}"])

    def test_threads_change_no_byte(self):
        outputs = []
        for threads in ("1", "5"):
            self.linked("one.csv", "--suggest", "60", "--threads", threads, output="ask.csv")
            self.answered("ask.csv")
            self.linked("one.csv", "--labels", "labels.csv", "--threads", threads, "--model", "m.json")
            outputs.append([self.read(name) for name in ("ask.csv", "out.csv", "m.json")])
        self.assertEqual(*outputs)

    def test_a_saved_model_keeps_what_labels_taught(self):
        self.linked(*self.ACROSS, "--suggest", "60", output="ask.csv")
        self.answered("ask.csv")
        self.sosie("link", *self.ACROSS, "--init", "-o", "rules.toml")
        self.linked(*self.ACROSS, "--labels", "labels.csv", "--model", "m.json")
        first = self.table("out.csv")
        self.assertIn("odds", json.loads(self.read("m.json")))
        rules = self.read("rules.toml").decode()
        self.write("rules.toml", rules + '\n[score]\nmodel = "m.json"\n')
        self.linked(*self.ACROSS, "--rules", "rules.toml", "--cut", "0.01", "--assign", "all")
        again = {(row["left"], row["right"]): row["score"] for row in self.table("out.csv")}
        shared = [row for row in first if (row["left"], row["right"]) in again]
        self.assertGreater(len(shared), .9 * len(first))
        for row in shared:
            self.assertEqual(row["score"], again[row["left"], row["right"]])

    def test_labels_that_tell_little_are_told(self):
        self.write("ones.csv", "left,right,label\na0,b0,1\na1,b1,1\n")
        stats = self.linked(*self.ACROSS, "--labels", "ones.csv")
        self.assertFalse(stats["labels"]["learnt"])
        self.assertIn("all labels are 1", self.err)
        self.write("zeros.csv", "left,right,label\na0,b0,0\na1,b1,0\n")
        self.linked(*self.ACROSS, "--labels", "zeros.csv")
        self.assertIn("all labels are 0", self.err)
        self.write("none.csv", "left,right,label\na0,b0,\n")
        self.linked(*self.ACROSS, "--labels", "none.csv")
        self.assertIn("no row has a label", self.err)
        self.write("chain.csv", "left,right,label\no0,o400,1\no400,o1,1\no0,o1,0\n")
        self.linked("one.csv", "--labels", "chain.csv")
        self.assertIn("1 pair is labelled 0, but pairs labelled 1", self.err)
        self.write("two.csv", "left,right,label\na0,b0,1\na0,b1,1\na3,b4,0\n")
        stats = self.linked(*self.ACROSS, "--labels", "two.csv", "--assign", "one-to-one")
        self.assertEqual(stats["judged_left_out"], 1)
        self.assertIn("1 pair is judged a match but not linked", self.err)

    def test_labels_that_cannot_be_meant_are_refused(self):
        head = "left,right,label\n"
        for text, says in ((head + "a0,b0,1\na1,zz,0\n", r"bad\.csv:3.*'zz'"),
                           (head + "a0,b0,1\na0,b0,0\n", r"bad\.csv:3.*bad\.csv:2"),
                           (head + "a0,b0,maybe\n", r"bad\.csv:2.*'maybe'"),
                           ("left,right\na0,b0\n", "has no column 'label'"), ("", "is empty")):
            self.write("bad.csv", text)
            self.fails(3, "link", *self.ACROSS, "--labels", "bad.csv", "-o", "x.csv", says=says)
        self.fails(2, "link", *self.ACROSS, "--labels", "-", "-o", "x.csv", says="--labels -: needs a file of its own")
        self.fails(2, "link", *self.ACROSS, "--suggest", "0", says="--suggest: '0' is not")
        self.fails(2, "link", "one.csv", "--suggest", "9", "--golden", "name=longest", says="--golden: cannot be combined with")
        self.fails(2, "link", "one.csv", "--suggest", "9", "--keep", "first", says="--keep",
                   hints="omit one of them; writing rows needs a separate run")
        self.fails(2, "link", "one.csv", "--reuse", "a.csv", "--reuse", "b.csv", says="accepts only one file of decisions",
                   hints="put all their lines into one file")
        self.write("l.csv", head)
        self.fails(2, "link", *self.ACROSS, "--labels", "l.csv", "-o", "l.csv", says="l.csv: is an input of this run")

    def test_decisions_on_pairs_are_applied(self):
        self.linked(*self.ACROSS)
        first = sorted(self.pairs())
        rejected, free = first[0], next(f"a{i}" for i in range(400)
                                        if f"a{i}" not in {left for left, _ in first})
        self.write("decisions.tsv", "left\tright\tdecision\n" +
                   f"{rejected[0]}\t{rejected[1]}\trejected\n{free}\t{rejected[1]}\taccepted\n")
        stats = self.linked(*self.ACROSS, "--reuse", "decisions.tsv")
        self.assertEqual(stats["decisions"], {"accepted": 1, "rejected": 1, "open": 0})
        self.assertIn("reused      1 accepted, 1 rejected", self.err)
        self.assertNotIn(rejected, self.pairs())
        self.assertIn((free, rejected[1]), self.pairs())
        self.write("l.csv", f"left,right,label\n{rejected[0]},{rejected[1]},1\na1,b2,0\n")
        self.linked(*self.ACROSS, "--reuse", "decisions.tsv", "--labels", "l.csv")
        self.assertIn("1 label contradicts --reuse, which wins", self.err)
        self.assertNotIn(rejected, self.pairs())

    def test_decisions_on_records_that_are_gone_are_refused(self):
        for text in ("left\tright\tdecision\no0\to1\trejected\no0\tgone\trejected\n",
                     "id\tcluster_id\tkept\tsize\no0\to0\ttrue\t2\ngone\to0\tfalse\t2\n"):
            self.write("decisions.tsv", text)
            self.fails(3, "link", "one.csv", "--reuse", "decisions.tsv", "-o", "x.csv",
                       says=r"decisions\.tsv:3: no record has the id 'gone'")

    def test_decisions_on_groups_are_applied(self):
        self.write("decisions.tsv", "id\tcluster_id\tkept\tsize\no0\to0\ttrue\t2\no7\to0\tfalse\t2\n"
                   "o400\to400\ttrue\t1\n")
        stats = self.linked("one.csv", "--reuse", "decisions.tsv")
        groups = {row["id"]: row["cluster_id"] for row in self.table("out.csv")}
        self.assertEqual(groups["o0"], groups["o7"])
        self.assertNotEqual(groups["o0"], groups["o400"])
        self.assertEqual(stats["decisions"], {"accepted": 2, "rejected": 1, "open": 0})
        first = self.table("out.csv")
        self.sosie("link", "one.csv", "-o", "groups.csv", "-q")
        self.linked("one.csv", "--reuse", "groups.csv")
        self.assertEqual({(row["id"], row["cluster_id"]) for row in self.table("out.csv")},
                         {(row["id"], row["cluster_id"]) for row in self.table("groups.csv")})
        self.assertEqual(len(first), 700)
        self.fails(3, "link", *self.ACROSS, "--reuse", "groups.csv", "-o", "x.csv", says="contains groups")


if __name__ == "__main__":
    unittest.main()
