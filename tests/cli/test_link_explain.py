"""`sosie explain` for records: the decision of `sosie link` about a pair, and the step that lost
the pair."""

import json
import re
import unittest

from support import SosieTest
from test_link import as_csv, copies, people

FIELDS = ("given = {}\nsurname = {}\nborn = { compare = \"damerau\", levels = [1] }\ncity = {}\n"
          "phone = { compare = \"levenshtein\", levels = [1] }\n")


class ExplainTest(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = people(1, 200)
        self.copies = copies(2, self.rows[:100], "c")
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies))
        self.write("all.csv", as_csv(self.rows + self.copies))

    def rules(self, candidates: str, decide: str = "", fields: str = FIELDS) -> None:
        self.write("rules.toml", f"version = 1\n[fields]\n{fields}[candidates]\n"
                                 f"rules = [{candidates}]\n[decide]\n{decide}\n")

    def explain(self, left: str, right: str, *options: str) -> str:
        return self.sosie("explain", left, right, *options).out.decode()

    def across(self, left: str, right: str, *options: str) -> str:
        return self.explain(f"a:{left}", f"b:{right}", "a.csv", "--against", "b.csv", "--kind", "records",
                            *options)

    def links(self, *options: str) -> dict:
        self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv", *options)
        return {(row["left"], row["right"]): row for row in self.table("l.csv")}

    def line(self, text: str, label: str) -> str:
        found = re.search(rf"^{label}  +(.*)$", text, re.MULTILINE)
        self.assertIsNotNone(found, f"{label} in {text}")
        return found[1]


class OfLinks(ExplainTest):
    def check_link(self, row: dict, text: str) -> None:
        """All figures in a line of links."""
        self.assertTrue(text.startswith(f"Linked: {row['score']} bits, probability "
                                        f"{row['probability']}."), text)
        self.assertIn(f"found by {row['rules'].replace('+', ' + ')}\n", text)
        for name in ("given", "surname", "born", "city", "phone"):
            field = self.line(text, name)
            self.assertTrue(field.endswith(f"{float(row['bits_' + name]):+.6f}"), text)
            self.assertIn(f"  {row['level_' + name]}  ", field)
        self.assertIn(f"{float(row['score']):+.6f}", self.line(text, "sum"))

    def test_a_link_is_explained_by_the_figures_of_link(self):
        for (left, right), row in list(self.links().items())[::12]:
            self.check_link(row, self.across(left, right))

    def test_so_it_is_with_rules_of_all_kinds(self):
        self.rules('{ equal = ["born"] }, { near = ["phone"], measure = "levenshtein", within = 1 }, '
                   '{ sorted = ["surname", "given"], window = 3 }')
        for (left, right), row in list(self.links("--rules", "rules.toml").items())[::12]:
            text = self.across(left, right, "--rules", "rules.toml")
            self.check_link(row, text)

    def test_values_and_places_are_shown(self):
        (left, right), _ = next(iter(self.links().items()))
        text = self.across(left, right)
        ours = next(row for row in self.rows if row["id"] == left)
        theirs = next(row for row in self.copies if row["id"] == right)
        for name in ("given", "phone"):
            shown = self.line(text, name)
            self.assertTrue(shown.startswith(ours[name]))
            self.assertIn(f"  {theirs[name] or '-'}  ", shown)
        self.assertIn(f"a.csv:{self.rows.index(ours) + 2}", self.line(text, "left"))
        self.assertIn(f"b.csv:{self.copies.index(theirs) + 2}", self.line(text, "right"))

    def test_the_order_of_the_ids_does_not_matter(self):
        (left, right), _ = next(iter(self.links().items()))
        self.assertEqual(self.explain(f"b:{right}", f"a:{left}", "a.csv", "--against", "b.csv", "--kind",
                                      "records"),
                         self.across(left, right))

    def test_bytes_do_not_depend_on_threads(self):
        for pair in (("p1", "cp1"), ("p1", "cp7")):
            self.assertEqual(self.across(*pair, "--threads", "1"), self.across(*pair, "--threads", "7"))

    def test_a_lost_pair_names_the_step_that_link_counts(self):
        self.rules('{ equal = ["phone"] }, { equal = ["city"] }')
        twin = dict(self.rows[3], id="twin", phone="")
        self.write("b.csv", as_csv([twin, dict(self.rows[3], id="best"), *self.copies]))
        stranger = next(row["id"] for row in self.copies[1:] if row["city"] == self.rows[0]["city"])
        self.write("truth.csv", f"left,right\np3,twin\np0,{stranger}\n" + "".join(
            f"p{i},cp{i}\n" for i in range(100)) + "p120,cp1\np121,cp2\np122,cp7\n")
        options = ("--rules", "rules.toml", "--cut", "0.99")
        self.links(*options, "--truth", "truth.csv", "--stats", "s.json")
        truth = json.loads(self.read("s.json"))["truth"]
        steps = {"candidates": "Not linked: no candidate rule found the pair.",
                 "score": "Not linked: the score is below the cut.",
                 "decision": " as a partner."}
        for step, words in steps.items():
            lost = truth["lost_by_" + step]["examples"]
            self.assertGreater(len(lost), 0, step)
            for pair in lost[:4]:
                self.assertIn(words, self.across(*pair, *options).partition("\n")[0])

    def test_truth_and_estimates_take_the_options_of_link(self):
        self.write("truth.csv", "left,right\np1,cp1\n")
        text = self.across("p1", "cp1", "--truth", "truth.csv", "--check-by", "city")
        self.assertEqual(self.line(text, "truth"), "one entity")
        self.assertIn("not compared", self.line(text, "city"))


class LostByCandidates(ExplainTest):
    def setUp(self):
        super().setUp()
        self.pair = self.rows[1], dict(self.rows[1], id="x", born="19000101", phone="", given="zzz")
        self.write("b.csv", as_csv([*self.copies, self.pair[1]]))

    def lost(self, rule: str, fields: str = FIELDS) -> str:
        self.rules(rule, fields=fields)
        text = self.across("p1", "x", "--rules", "rules.toml")
        self.assertTrue(text.startswith("Not linked: no candidate rule found the pair.\n"), text)
        return text

    def test_equal_names_the_fields(self):
        text = self.lost('{ equal = ["born", "surname"] }, { equal = ["phone"] }')
        self.assertIn("born&surname: different born\n", text)
        self.assertIn("phone: no phone on the right\n", text)

    def test_strings_say_how_many_edits(self):
        text = self.lost('{ near = ["born"], measure = "levenshtein", within = 1 }')
        edits = re.search(r"(\d+) edits apart, more than 1", text)
        self.assertIsNotNone(edits, text)
        self.assertGreater(int(edits[1]), 1)

    def test_sets_say_how_similar_they_are(self):
        text = self.lost('{ near = ["given"], measure = "jaccard", threshold = 0.5 }')
        self.assertIn("a jaccard of 0.000000, below 0.5\n", text)

    def test_neighbours_say_their_rank(self):
        text = self.lost('{ near = ["born"], top = 1 }')
        self.assertRegex(text, "not among the 1 nearest: right is (number [0-9]+|not found) for left")

    def test_sorted_says_how_far(self):
        text = self.lost('{ sorted = ["born"], window = 2 }')
        self.assertGreater(int(re.search(r"(\d+) places apart in the order, more than 2", text)[1]), 2)

    def test_a_block_that_is_too_large_is_named(self):
        rows = [dict(row, city="berlin") for row in self.rows]
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv([dict(row, city="berlin") for row in self.copies]))
        self.write("rules.toml", f"version = 1\n[fields]\n{FIELDS}[candidates]\n"
                                 "rules = [{ equal = [\"city\"] }]\nmax_block = 50\n")
        text = self.across("p1", "cp90", "--rules", "rules.toml")
        self.assertIn("city: in a block of 300 records, more than 50", text)


class LostByDecision(ExplainTest):
    def test_a_taken_partner_is_named_with_its_weight(self):
        twin = dict(self.rows[3], id="twin", phone="")
        self.write("b.csv", as_csv([twin, dict(self.rows[3], id="best"), *self.copies[:3], *self.copies[4:]]))
        links = self.links()
        self.assertIn(("p3", "best"), links)
        text = self.across("p3", "twin")
        self.assertTrue(text.startswith("Not linked: left has best as a partner.\n"), text)
        self.assertIn(f"best: {links['p3', 'best']['score']} bits", self.line(text, "left has"))

    def test_never_and_always_are_named(self):
        self.rules('{ equal = ["born"] }', 'always = [{ equal = ["phone"] }]\nnever = [{ differ = ["city"] }]')
        options = ("--rules", "rules.toml")
        links = self.links(*options)
        same = next(row for row in self.copies
                    if all(row[name] == self.rows[int(row["id"][2:])][name] for name in ("phone", "city")))
        self.assertIn((same["id"][1:], same["id"]), links)
        self.assertTrue(self.across(same["id"][1:], same["id"], *options)
                        .startswith("Linked, by the always rule phone.\n"))
        other = next(row for row in self.copies if row["city"] and
                     row["city"] != self.rows[int(row["id"][2:])]["city"])
        self.assertTrue(self.across(other["id"][1:], other["id"], *options)
                        .startswith("Not linked: the never rule city keeps them apart.\n"))

    def test_nothing_in_common(self):
        self.write("a.csv", "id,x\n1,a\n2,b\n")
        self.write("b.csv", "id,x\n1,c\n2,d\n")
        text = self.across("1", "2")
        self.assertTrue(text.startswith("Not linked: "), text)


class OfGroups(ExplainTest):
    def test_pairs_of_a_group_are_explained_by_the_figures_of_link(self):
        self.sosie("link", "all.csv", "-o", "c.csv", "--pairs", "p.csv")
        pairs = self.table("p.csv")
        self.assertGreater(len(pairs), 50)
        for row in pairs[::12]:
            text = self.explain(row["left"], row["right"], "all.csv", "--kind", "records")
            self.assertTrue(text.startswith(f"In one group: {row['score']} bits, probability "
                                            f"{row['probability']}."), text)
            self.assertTrue(self.line(text, "group").startswith(row["left"] + ", "))

    def test_groups_that_were_not_joined_say_how_likely_their_pairs_are(self):
        self.sosie("link", "all.csv", "-o", "c.csv")
        cluster = {row["id"]: row["cluster_id"] for row in self.table("c.csv")}
        self.assertNotEqual(cluster["p1"], cluster["p2"])
        text = self.explain("p1", "p2", "all.csv", "--kind", "records")
        self.assertTrue(text.startswith("In different groups: "), text)
        self.assertIn(cluster["p2"], self.line(text, "right group"))
        self.assertRegex(self.line(text, "between"), "average probability 0.[0-9]{6} of [0-9]+ pairs?")

    def test_a_never_rule_between_groups_is_named(self):
        self.rules('{ equal = ["born"] }', 'never = [{ differ = ["city"] }]')
        one = self.rows[0]
        near = [dict(one, id="m1"), dict(one, id="m2", city="paris")]
        self.write("all.csv", as_csv([*self.rows, *self.copies[1:], *near]))
        text = self.explain("m1", "m2", "all.csv", "--rules", "rules.toml")
        self.assertTrue(text.startswith("In different groups: the never rule city keeps them apart."), text)


class Refusals(ExplainTest):
    def refused(self, *arguments: str, code: int = 2) -> str:
        return self.sosie("explain", *arguments, code=code).err

    def test_an_id_that_is_not_there_gets_the_nearest(self):
        said = self.refused("a:p1", "b:cp1x", "a.csv", "--against", "b.csv", "--kind", "records",
                            code=3)
        self.assertIn("no row has the id 'cp1x'", said)
        self.assertIn("did you mean 'cp1'?", said)

    def test_ids_of_two_collections_have_prefixes(self):
        for ids in (("p1", "cp1"), ("a:p1", "a:p2"), ("a:p1", "cp1")):
            self.assertIn("a:ID b:ID", self.refused(*ids, "a.csv", "--against", "b.csv", "--kind", "records"))

    def test_the_kind_follows_the_options(self):
        self.rules('{ equal = ["born"] }')
        self.assertIn("group", self.explain("p1", "p2", "all.csv", "--rules", "rules.toml"))
        self.assertIn("--rules: does not apply to strings", self.refused(
            "p1", "p2", "all.csv", "--rules", "rules.toml", "--kind", "strings", "--column", "given",
            "--within", "1"))
        self.assertIn("--threshold: does not apply to records", self.refused(
            "p1", "p2", "all.csv", "--rules", "rules.toml", "--threshold", "0.5"))
        self.assertIn("pairs: does not apply to records", self.sosie(
            "pairs", "all.csv", "--kind", "records", code=2).err)

    def test_a_row_and_itself(self):
        self.assertTrue(self.explain("p1", "p1", "all.csv", "--kind", "records")
                        .startswith("Left and right are the same row.\n"))

    def test_values_cannot_move_the_terminal(self):
        row = dict(self.rows[0], id="evil", given="\x1b[2J\u202eabc", surname="x" * 5000)
        self.write("all.csv", as_csv([*self.rows, *self.copies, row]))
        text = self.explain("p0", "evil", "all.csv", "--kind", "records")
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\u202e", text)
        self.assertLess(max(map(len, text.splitlines())), 200)

    def test_the_page_goes_into_a_file_but_not_over_an_input(self):
        self.explain("p1", "p2", "all.csv", "--kind", "records", "-o", "why.txt")
        self.assertIn(b"In different groups", self.read("why.txt"))
        before = self.read("all.csv")
        self.refused("p1", "p2", "all.csv", "--kind", "records", "-o", "all.csv")
        self.assertEqual(self.read("all.csv"), before)


if __name__ == "__main__":
    unittest.main()
