"""`sosie link`: reading and writing weights, and estimating and measuring the quality of links."""

import csv
import json
import random
import re
import unittest
from pathlib import Path

from support import DATA, SosieTest, needs_data
from test_link import as_csv, copies, pairs_of, people

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
FIELDS = ("given", "surname", "born", "city", "phone")


class Collections(SosieTest):
    """300 persons; corrupted copies of the first 150 of them among 250 others."""

    def setUp(self):
        super().setUp()
        self.rows = people(1, 300)
        others = [dict(row, id="o" + row["id"]) for row in people(11, 100)]
        self.copies = copies(2, self.rows[:150], "c") + others
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies))
        self.truth = {(row["id"], "c" + row["id"]) for row in self.rows[:150]}

    def stats(self, *options: str) -> dict:
        self.summary = self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv", "--stats",
                                  "s.json", *options).err
        return json.loads(self.read("s.json"))


class Model(Collections):
    RULES = """version = 1
[fields]
given = {{ compare = "jaro-winkler", levels = [0.9, 0.8], {frequency} }}
surname = {{ compare = "levenshtein", levels = [1], {frequency} }}
born = {{ compare = "damerau", levels = [1, 2] }}
city = {{ compare = "equal" }}
phone = {{ compare = "levenshtein", levels = [1, 2] }}
[candidates]
rules = [{{ near = ["given", "surname", "born", "phone"], top = 5 }}, {{ equal = ["born"] }}]
[score]
{score}
"""

    def rules(self, name: str, frequency: str = "", score: str = ""):
        text = self.RULES.format(frequency=frequency, score=score).replace(",  }", " }")
        self.write(name, text)

    def test_a_model_that_was_written_gives_the_same_bytes(self):
        together = 'together = [["city", "phone"]]'
        for frequency, score in (("", ""), ("frequency = true", ""), ("", together),
                                 ("frequency = true", together)):
            with self.subTest(frequency=frequency, score=score):
                self.rules("learn.toml", frequency, score)
                self.rules("given.toml", frequency, score + '\nmodel = "m.json"')
                self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "learn.toml", "-o",
                           "x.csv", "--model", "m.json")
                self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "given.toml", "-o",
                           "y.csv", "--model", "again.json", "--threads", "7")
                self.assertGreater(len(self.table("x.csv")), 100)
                self.assertEqual(self.read("x.csv"), self.read("y.csv"))
                self.assertEqual(self.read("m.json"), self.read("again.json"))

    def test_so_does_a_model_of_groups_that_looked_for_more_neighbours(self):
        draw = random.Random(3)
        rows = []
        for person in people(4, 8):
            for i in range(30):
                copy = dict(person, id=f"{person['id']}-{i}")
                copy["phone"] = copy["phone"][:-1] + str(draw.randrange(10))
                rows.append(copy)
        self.write("g.csv", as_csv(rows + [dict(row, id="o" + row["id"]) for row in people(5, 200)]))
        self.rules("learn.toml")
        self.rules("given.toml", score='model = "m.json"')
        learnt = self.sosie("link", "g.csv", "--rules", "learn.toml", "-o", "x.csv", "--pairs",
                            "p.csv", "--model", "m.json").err
        self.assertIn("search widened for", learnt)
        self.sosie("link", "g.csv", "--rules", "given.toml", "-o", "y.csv", "--pairs", "q.csv")
        self.assertEqual(self.read("x.csv"), self.read("y.csv"))
        self.assertEqual(self.read("p.csv"), self.read("q.csv"))

    def test_bits_of_fields_sum_to_the_score(self):
        self.rules("r.toml", "frequency = true", 'together = [["city", "phone"]]')
        self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "r.toml", "-o", "l.csv")
        rows = self.table("l.csv")
        for row in rows:
            self.assertAlmostEqual(sum(float(row[f"bits_{field}"]) for field in FIELDS),
                                   float(row["score"]), places=4)
        self.assertGreater(len({row["bits_given"] for row in rows if row["level_given"] == "equal"}),
                           5)

    def test_hand_made_weights_of_two_fields(self):
        """Bits and probabilities by hand: m, u, prior → log2(m / u), odds · prior."""
        self.write("x.csv", "id,name,city\n1,anna,bonn\n2,bert,kiel\n")
        self.write("y.csv", "id,name,city\n1,anna,bonn\n2,bert,jena\n3,anna,\n")
        self.write("m.json", json.dumps({
            "sosie_model": 2, "together": [],
            "classes": [{"match": True, "share": 0.1}, {"match": False, "share": 0.9}], "fields": [
                {"name": "name", "levels": [{"level": "different", "shares": [0.1, 0.95]},
                                            {"level": "equal", "shares": [0.9, 0.05]}]},
                {"name": "city", "levels": [{"level": "different", "shares": [0.2, 0.9]},
                                            {"level": "equal", "shares": [0.8, 0.1]}]}]}))
        self.write("r.toml", "version = 1\n[fields]\nname = { compare = \"equal\" }\n"
                             "city = { compare = \"equal\" }\n[candidates]\n"
                             "rules = [{ equal = [\"name\"] }]\n[score]\nmodel = \"m.json\"\n")
        self.sosie("link", "x.csv", "--against", "y.csv", "--rules", "r.toml", "--assign", "all",
                   "--cut", "0.01", "-o", "l.csv")
        rows = {(row["left"], row["right"]): row for row in self.table("l.csv")}
        for pair, bits, odds in ((("1", "1"), 7.169925, 144 / 9), (("2", "2"), 2.0, 4 / 9),
                                 (("1", "3"), 4.169925, 18 / 9)):
            self.assertAlmostEqual(float(rows[pair]["score"]), bits, delta=1e-6)
            self.assertAlmostEqual(float(rows[pair]["probability"]), odds / (1 + odds), delta=1e-6)
        self.assertEqual(len(rows), 3)

    def test_a_cut_holds_for_the_probability_that_is_shown(self):
        # Two competing pairs with odds of 16 each: 16/33 is below a cut that 16/17 reaches.
        self.write("x.csv", "id,name,city\n1,anna,bonn\n2,carl,kiel\n")
        self.write("y.csv", "id,name,city\n1,anna,bonn\n2,anna,bonn\n3,carl,kiel\n")
        self.write("m.json", json.dumps({
            "sosie_model": 2, "together": [],
            "classes": [{"match": True, "share": 0.1}, {"match": False, "share": 0.9}], "fields": [
                {"name": name, "levels": [{"level": "different", "shares": [0.1, 11 / 12]},
                                          {"level": "equal", "shares": [0.9, 1 / 12]}]}
                for name in ("name", "city")]}))
        self.write("r.toml", "version = 1\n[fields]\nname = { compare = \"equal\" }\n"
                             "city = { compare = \"equal\" }\n[candidates]\n"
                             "rules = [{ equal = [\"name\"] }]\n[score]\nmodel = \"m.json\"\n")
        run = ("x.csv", "--against", "y.csv", "--rules", "r.toml", "--cut", "0.9")
        for assign, pairs in (("one-to-one", [("2", "3")]), ("best", [("2", "3")]),
                              ("all", [("1", "1"), ("1", "2"), ("2", "3")])):
            self.sosie("link", *run, "--assign", assign, "-o", "l.csv")
            rows = self.table("l.csv")
            self.assertEqual(sorted((row["left"], row["right"]) for row in rows), pairs)
            self.assertTrue(all(float(row["probability"]) >= .9 for row in rows))
        told = self.sosie("explain", "a:1", "b:1", *run, "--assign", "one-to-one").out.decode()
        self.assertIn("Not linked: competing pairs of the same records", told)

    def test_an_answer_without_links_is_not_praised(self):
        near = copies(5, self.rows[:150], "n")
        for row in near:
            row["born"] = row["phone"] = ""
        self.write("b.csv", as_csv(near))
        self.write("truth.csv", "left,right\np1,np1\n")
        options = ("--cut", "1", "--truth", "truth.csv", "--report", "r.html")
        stats = self.stats(*options)
        self.assertEqual(stats["links"], 0)
        self.assertIn("by model: no pair is linked, although it expects ", self.summary)
        self.assertIn("truth       none of 1 true pair is linked\n", self.summary)
        likeliest = re.search(r"next: a lower --cut: the likeliest pair has probability (\S+)",
                              self.summary)[1]
        for praise in ("precision 1", "F1 1"):
            self.assertNotIn(praise, self.summary + self.read("r.html").decode())
        self.assertIsNone(stats["truth"]["precision"])
        self.assertTrue(all("precision" not in estimate for estimate in stats["estimates"]))
        self.assertGreater(self.stats("--cut", likeliest)["links"], 0)

    def test_a_cut_keeps_links_that_are_written_with_its_probability(self):
        self.stats("--cut", "0.5")
        written = sorted({row["probability"] for row in self.table("l.csv")} - {"1.000000"})
        for probability in written[:3]:
            self.stats("--cut", probability)
            self.assertIn(probability, {row["probability"] for row in self.table("l.csv")})

    def test_a_cut_of_1_is_for_what_is_written_as_1(self):
        stats = self.stats("--cut", "1")
        self.assertGreater(stats["links"], 50)
        self.assertEqual({row["probability"] for row in self.table("l.csv")}, {"1.000000"})

    def test_a_cut_below_a_hundredth_is_kept_to(self):
        # One candidate; its odds, computed by hand, are 1/9 · 2/9 · 1/9.
        share = 1 / 9
        self.write("x.csv", "id,name,city\n1,anna,bonn\n")
        self.write("y.csv", "id,name,city\n1,bert,bonn\n")
        self.write("both.csv", "id,name,city\n1,anna,bonn\n2,bert,bonn\n")
        self.write("m.json", json.dumps({
            "sosie_model": 2, "together": [],
            "classes": [{"match": True, "share": 0.1}, {"match": False, "share": 0.9}], "fields": [
                {"name": "name", "levels": [{"level": "different", "shares": [0.1, 0.9]},
                                            {"level": "equal", "shares": [0.9, 0.1]}]},
                {"name": "city", "levels": [{"level": "different", "shares": [0.8, 0.1]},
                                            {"level": "equal", "shares": [0.2, 0.9]}]}]}))
        self.write("r.toml", "version = 1\n[fields]\nname = { compare = \"equal\" }\n"
                             "city = { compare = \"equal\" }\n[candidates]\n"
                             "rules = [{ equal = [\"city\"] }]\n[score]\nmodel = \"m.json\"\n")
        odds = share * (0.2 / 0.9) * share
        p = odds / (1 + odds)
        for assign in ("all", "best", "one-to-one"):
            for cut, links in ((p / 2, 1), (p * 2, 0)):
                with self.subTest(assign=assign, cut=cut):
                    self.sosie("link", "x.csv", "--against", "y.csv", "--rules", "r.toml", "--assign",
                               assign, "--cut", f"{cut:.6f}", "-o", "l.csv")
                    self.assertEqual(len(self.table("l.csv")), links)
        for cut, groups in ((p / 2, 1), (p * 2, 2)):
            self.sosie("link", "both.csv", "--rules", "r.toml", "--cut", f"{cut:.6f}", "-o", "c.csv")
            self.assertEqual(len({row["cluster_id"] for row in self.table("c.csv")}), groups)

    def test_a_hostile_model_is_refused_with_its_place(self):
        self.rules("learn.toml")
        self.rules("given.toml", score='model = "m.json"')
        self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "learn.toml", "--model", "m.json")
        good = json.loads(self.read("m.json"))

        def refused(change, *parts):
            model = json.loads(json.dumps(good))
            change(model)
            self.write("m.json", json.dumps(model))
            err = self.fails(3, "link", "a.csv", "--against", "b.csv", "--rules", "given.toml").err
            for part in ("m.json: ", *parts):
                self.assertIn(part, err)

        def set_share(value):
            return lambda model: model["fields"][1]["levels"][0]["shares"].__setitem__(1, value)

        refused(set_share(-0.1), "fields[1].levels[0].shares[1]", "above 0")
        refused(set_share(0), "fields[1].levels[0].shares[1]")
        refused(set_share(2), "fields[1].levels[0].shares[1]")
        refused(set_share("0.5"), "is not a number")
        refused(lambda model: model["classes"][0].update(match="yes"), "classes[0].match")
        refused(lambda model: model["classes"][0].update(match=False), "both matches and non-matches")
        refused(lambda model: model.update(classes=[]), "a list of 2 to 8")
        refused(lambda model: model["fields"][2].update(name="birth"), "fields[2].name", "'born'")
        refused(lambda model: model["fields"].pop(), "4 members, but the rules have 5")
        refused(lambda model: model["fields"][0]["levels"][1].update(level="jaro-winkler 0.7"),
                "fields[0].levels[1].level")
        refused(lambda model: model["classes"][1].update(share=0), "classes[1].share")
        refused(lambda model: model.pop("together"), "'together' is missing")
        refused(lambda model: model.update(more=1), "unknown member 'more'")
        refused(lambda model: model["fields"][0].update(
            frequency={"chance": 0.1, "records": 2, "counts": {"anna": 1}}), "do not ask for them")
        for text in ("", "[1", "[]", "null", "{\"sosie_model\": NaN}", "\x00", "[" * 100000,
                     "{\"a\":" * 50000, json.dumps({**good, "rules": ""}).replace("0.", "1e999", 1)):
            self.write("m.json", text)
            err = self.fails(3, "link", "a.csv", "--against", "b.csv", "--rules", "given.toml").err
            self.assertIn("m.json", err)
        good["sosie_model"] = 1
        self.write("m.json", json.dumps(good))
        self.fails(2, "link", "a.csv", "--against", "b.csv", "--rules", "given.toml")
        self.rules("given.toml", score='model = "none.json"')
        self.fails(4, "link", "a.csv", "--against", "b.csv", "--rules", "given.toml")

    def test_score_keys_name_file_and_line(self):
        for score, message in (('method = "fellegi"', "did you mean fellegi-sunter?"),
                               ('methd = "book"', "did you mean method?"),
                               ('together = [["city"]]', "exactly two fields"),
                               ('together = [["city", "city"]]', "'city' is scored together"),
                               ('together = [["city", "town"]]', "'town' is not a field"),
                               ('together = "city"', "together is not a list"),
                               ('method = "book"\nmodel = "m.json"', "does not weight levels")):
            self.rules("r.toml", score=score)
            err = self.fails(3, "link", "a.csv", "--rules", "r.toml").err
            self.assertIn("r.toml:1", err)
            self.assertIn(message, err)
        self.rules("r.toml", frequency="frequency = 1")
        self.assertIn("not true or false", self.fails(3, "link", "a.csv", "--rules", "r.toml").err)


class Checks(Collections):
    def by(self, stats: dict, method: str) -> dict:
        return next(row for row in stats["estimates"] if row["method"] == method)

    def test_a_field_that_is_checked_by_is_not_scored_and_finds_nothing(self):
        stats = self.stats("--check-by", "city")
        self.assertNotIn("level_city", self.table("l.csv")[0])
        self.assertEqual(stats["rules"][0]["rule"], "near given&surname&born&phone")
        row = self.by(stats, "check-by city")
        self.assertNotIn("refusal", row)
        self.assertAlmostEqual(row["matches"], 150, delta=15)
        self.assertLess(row["h0"], 0.5 * row["h1"])
        low, high = row["matches_interval"]
        self.assertLessEqual(low, row["matches"])
        self.assertGreaterEqual(high, row["matches"])
        self.assertTrue(all(0 <= band["true_part"] <= 1 for band in row["bands"]))
        parts = [band["true_part"] for band in row["bands"]]
        self.assertEqual(parts, sorted(parts, reverse=True))
        self.assertIn("by check-by city", self.summary)
        # The links are the same as in a run that does not know the field.
        links = self.read("l.csv")
        self.stats("--ignore", "city")
        self.assertEqual(links, self.read("l.csv"))

    def test_a_scored_field_of_rules_is_left_out_and_said(self):
        self.write("r.toml", self.sosie("link", "a.csv", "--against", "b.csv", "--init").out.decode())
        self.stats("--rules", "r.toml", "--check-by", "city")
        self.assertIn("'city' is not scored and finds no candidates", self.summary)
        links = self.read("l.csv")
        self.stats("--check-by", "city")
        self.assertEqual(links, self.read("l.csv"))

    def test_auto_holds_out_each_field_and_changes_no_link(self):
        self.stats()
        links = self.read("l.csv")
        stats = self.stats("--check-by", "auto")
        self.assertEqual(links, self.read("l.csv"))
        methods = [row["method"] for row in stats["estimates"]]
        self.assertEqual(methods, ["model", *(f"check-by {field}" for field in FIELDS),
                                   "runner-up", "check-by auto"])
        row = self.by(stats, "check-by auto")
        self.assertAlmostEqual(row["matches"], 150, delta=15)
        self.assertGreater(row["f1"], 0.93)

    def test_all_estimates_are_near_the_truth(self):
        self.write("t.csv", "left,right\n" + "".join(f"{a},{b}\n" for a, b in sorted(self.truth)))
        stats = self.stats("--truth", "t.csv", "--check-by", "auto")
        for row in stats["estimates"]:
            if "refusal" not in row:
                self.assertAlmostEqual(row["f1"], stats["truth"]["f1"], delta=0.06, msg=row["method"])
        self.assertNotIn("refusal", self.by(stats, "check-by auto"))

    def test_refusals_have_reasons(self):
        few = {"a.csv": self.rows[:60], "b.csv": self.copies[:50]}
        for name, rows in few.items():
            self.write(name, as_csv(rows))
        stats = self.stats("--check-by", "city")
        self.assertIn("high-confidence pairs have the field; at least 100 are needed",
                      self.by(stats, "check-by city")["refusal"])
        self.assertIn("at least 100 are needed", self.by(stats, "runner-up")["refusal"])
        self.assertIn("none by check-by city", self.summary)
        draw = random.Random(5)
        for name, rows in (("a.csv", self.rows), ("b.csv", self.copies)):
            self.write(name, as_csv([dict(row, coin=draw.choice(["heads", "tails"]))
                                     for row in rows]))
        stats = self.stats("--check-by", "coin")
        self.assertIn("does not tell matches from others",
                      self.by(stats, "check-by coin")["refusal"])

    def test_fields_that_cannot_be_checked_by(self):
        def refused(name, message, *options):
            err = self.fails(2, "link", "a.csv", "--against", "b.csv", "--check-by", name,
                             *options).err
            self.assertIn(message, err)

        refused("citi", "did you mean city?")
        refused("id", "no record has this field")
        refused("city", "holds the truth", "--truth", "column:city")
        self.write("r.toml", "version = 1\n[fields]\nname = { columns = [\"given\", \"surname\"] }\n"
                             "born = {}\n[candidates]\nrules = [{ equal = [\"born\"] }]\n")
        refused("given", "is scored as part of 'name'", "--rules", "r.toml")
        refused("born", "every candidate rule uses this field alone", "--rules", "r.toml")

    def test_estimates_do_not_depend_on_threads(self):
        seen = set()
        for threads in ("1", "7"):
            stats = self.stats("--check-by", "auto", "--threads", threads)
            seen.add(json.dumps(stats["estimates"]))
        self.assertEqual(len(seen), 1)


class Truth(Collections):
    def test_a_file_of_pairs_gives_quality_and_where_pairs_were_lost(self):
        self.write("t.csv", "x,y\n" + "".join(f"{a},{b}\n" for a, b in sorted(self.truth)))
        stats = self.stats("--truth", "t.csv")
        found = {(row["left"], row["right"]) for row in self.table("l.csv")}
        truth = stats["truth"]
        self.assertEqual(truth["true_pairs"], 150)
        self.assertEqual(truth["found"], len(found & self.truth))
        self.assertAlmostEqual(truth["precision"], len(found & self.truth) / len(found))
        self.assertAlmostEqual(truth["recall"], len(found & self.truth) / 150)
        lost = [truth[f"lost_by_{step}"] for step in ("candidates", "score", "decision")]
        self.assertEqual(sum(step["pairs"] for step in lost), 150 - truth["found"])
        for step in lost:
            self.assertEqual(len(step["examples"]), min(10, step["pairs"]))
            for pair in step["examples"]:
                self.assertIn(tuple(pair), self.truth - found)
        self.assertIn("truth       precision", self.summary)

    def test_each_step_loses_what_it_should(self):
        """No pair with different birth dates is a candidate; a high cut loses pairs by score, and a second
        true partner is lost by the decision."""
        self.write("r.toml", "version = 1\n[fields]\ngiven = {}\nsurname = {}\nborn = {}\nphone = {}\n"
                             "[candidates]\nrules = [{ equal = [\"born\"] }]\n")
        twin = dict(self.copies[0], id="twin")
        moved = dict(self.copies[1], id="moved", born="20200101")
        self.write("b.csv", as_csv(self.copies + [twin, moved]))
        pairs = sorted(self.truth) + [("p0", "twin"), ("p1", "moved")]
        self.write("t.tsv", "left\tright\n" + "".join(f"{a}\t{b}\n" for a, b in pairs))
        stats = self.stats("--rules", "r.toml", "--truth", "t.tsv")
        self.assertEqual(stats["truth"]["lost_by_candidates"],
                         {"pairs": 1, "examples": [["p1", "moved"]]})
        self.assertEqual(stats["truth"]["lost_by_decision"]["pairs"], 1)
        by_score = stats["truth"]["lost_by_score"]["pairs"]
        stats = self.stats("--rules", "r.toml", "--truth", "t.tsv", "--cut", "0.9999999")
        self.assertGreater(stats["truth"]["lost_by_score"]["pairs"], by_score)
        self.assertRegex(self.summary, r"lost by candidates +1   p1 moved")

    def test_a_column_is_the_truth_and_nothing_else(self):
        both = [(self.rows, ""), (self.copies, "c")]
        for (rows, _), name in zip(both, ("a.csv", "b.csv")):
            self.write(name, as_csv([dict(row, entity=row["id"].removeprefix("c")) for row in rows]))
        stats = self.stats("--truth", "column:entity")
        links = self.read("l.csv")
        self.assertEqual(stats["truth"]["true_pairs"], 150)
        self.stats("--ignore", "entity")
        self.assertEqual(links, self.read("l.csv"))
        rules = self.sosie("link", "a.csv", "--against", "b.csv", "--ignore", "entity", "--init").out
        self.write("r.toml", rules.decode())
        stats = self.stats("--truth", "column:entity", "--rules", "r.toml")
        self.assertEqual(links, self.read("l.csv"))
        self.assertEqual(stats["truth"]["true_pairs"], 150)
        self.write("r.toml", rules.decode().replace("[fields]", "[fields]\nentity = {}"))
        err = self.fails(2, "link", "a.csv", "--against", "b.csv", "--truth", "column:entity",
                         "--rules", "r.toml").err
        self.assertIn("field 'entity' of the rules is built from it", err)

    def test_groups_are_measured_by_all_of_their_pairs(self):
        rows = [dict(row, entity=row["id"].removeprefix("c")) for row in self.rows + self.copies]
        self.write("all.csv", as_csv(rows))
        self.sosie("link", "all.csv", "--truth", "column:entity", "-o", "c.csv", "--stats", "s.json")
        found = pairs_of(self.table("c.csv"))
        truth = json.loads(self.read("s.json"))["truth"]
        self.assertEqual(truth["found"], len(found & self.truth))
        self.assertEqual(truth["true_pairs"], 150)
        swapped = "".join(f"{b},{a}\n" for a, b in sorted(self.truth))
        self.write("t.csv", "left,right\n" + swapped)
        self.sosie("link", "all.csv", "--ignore", "entity", "--truth", "t.csv", "-o", "d.csv",
                   "--stats", "s.json")
        self.assertEqual(json.loads(self.read("s.json"))["truth"], truth)
        self.assertEqual(self.read("c.csv"), self.read("d.csv"))

    def test_truth_that_cannot_be_meant(self):
        self.write("t.csv", "left,right\nnone,nobody\n")
        err = self.fails(3, "link", "a.csv", "--against", "b.csv", "--truth", "t.csv").err
        self.assertIn("contains the id of no record that was read", err)
        self.write("t.csv", "left\n1\n")
        self.assertIn("two columns",
                      self.fails(3, "link", "a.csv", "--against", "b.csv", "--truth", "t.csv").err)
        self.write("t.csv", "left,right\np1,p1\n")
        self.assertIn("t.csv:2", self.fails(3, "link", "a.csv", "--truth", "t.csv").err)
        self.assertIn("no record has this field", self.fails(
            2, "link", "a.csv", "--truth", "column:entity").err)
        self.fails(2, "link", "a.csv", "--truth", "column:")
        self.fails(4, "link", "a.csv", "--truth", "none.csv")
        self.write("t.csv", "left,right\np1,cp1\np2,nobody\n")
        stats = self.stats("--truth", "t.csv")
        self.assertEqual((stats["truth"]["true_pairs"], stats["truth"]["unknown"]), (1, 1))
        self.assertIn("1 pair with ids that no record has, not counted", self.summary)
        self.fails(2, "link", "a.csv", "--against", "b.csv", "--truth", "t.csv", "-o", "t.csv")


@needs_data("records")
class Splink(SosieTest):
    """Probabilities with given weights, as computed by Splink 5 (tests/golden/splink_scores.py)."""

    RULES = """version = 1
[fields]
first_name = {{ clean = "none", compare = "jaro-winkler", levels = [0.92, 0.8]{frequency} }}
surname = {{ clean = "none", compare = "levenshtein", levels = [1, 2]{frequency} }}
dob = {{ clean = "none", compare = "levenshtein", levels = [1, 2] }}
city = {{ clean = "none", compare = "equal"{frequency} }}
email = {{ clean = "none", compare = "jaro-winkler", levels = [0.9] }}
[candidates]
rules = [{{ equal = ["first_name"] }}, {{ equal = ["surname"] }}, {{ equal = ["dob"] }},
         {{ equal = ["city"] }}]
[score]
model = "m.json"
"""

    def probabilities(self, frequency: bool) -> dict:
        model = json.loads((GOLDEN / "splink_model.json").read_text())
        for field in model["fields"]:
            if not frequency:
                field.pop("frequency", None)
        self.write("m.json", json.dumps(model))
        self.write("r.toml", self.RULES.format(frequency=", frequency = true" if frequency else ""))
        self.sosie("link", "a.csv", "--against", "b.csv", "--id", "unique_id", "--ignore", "cluster",
                   "--rules", "r.toml", "--assign", "all", "--cut", "0.0001", "-o", "l.jsonl")
        rows = [json.loads(line) for line in self.read("l.jsonl").splitlines()]
        return {(str(row["left"]), str(row["right"])): float(row["probability"]) for row in rows}

    def test_probabilities_are_those_of_splink(self):
        records = DATA / "records" / "splink-fake1000" / "records.csv"
        lines = records.read_text().splitlines()
        self.write("a.csv", "\n".join([lines[0], *lines[1::2]]) + "\n")
        self.write("b.csv", "\n".join([lines[0], *lines[2::2]]) + "\n")
        plain, weighed = self.probabilities(False), self.probabilities(True)
        with open(GOLDEN / "splink_scores.csv", encoding="utf-8") as rows:
            golden = list(csv.DictReader(rows))
        self.assertGreater(len(golden), 1500)
        compared = 0
        for row in golden:
            pair = (row["left"], row["right"])
            for ours, theirs in ((plain, row["probability"]), (weighed, row["with_frequency"])):
                if float(theirs) >= 0.011:
                    self.assertAlmostEqual(ours[pair], float(theirs), delta=1e-6, msg=pair)
                    compared += 1
        self.assertGreater(compared, 3000)
        for ours, name in ((plain, "probability"), (weighed, "with_frequency")):
            known = {(row["left"], row["right"]) for row in golden}
            self.assertEqual([pair for pair in ours if ours[pair] > 0.012 and pair not in known], [],
                             msg=name)


if __name__ == "__main__":
    unittest.main()
