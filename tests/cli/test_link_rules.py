"""Rules of `sosie link`: rules that decide regardless of the score, and ways in which fields
agree."""

import unittest

from record_rules import RulesTest
from test_link import as_csv, copies, pairs_of, people


class AlwaysAndNever(RulesTest):
    def setUp(self):
        super().setUp()
        self.rows = people(31, 200)
        self.copies = copies(32, self.rows[:100], "c")
        for i, row in enumerate(self.rows):
            row["key"], row["sex"] = f"k{i}", "f" if i % 2 else "m"
        for i, row in enumerate(self.copies):
            row["key"], row["sex"] = f"x{i}", self.rows[i]["sex"]

    FIELDS = RulesTest.FIELDS + 'key = { compare = "none" }\nsex = { compare = "none" }\n'
    NEAR = 'rules = [{ near = ["given", "surname", "born", "phone"], top = 10 }]'

    def write_inputs(self) -> None:
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies))
        self.write("all.csv", as_csv(self.rows + self.copies))

    def links(self, assign: str, decide: str) -> set:
        self.rules(self.NEAR, self.FIELDS, f'assign = "{assign}"\n{decide}')
        self.summary = self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml",
                                  "-o", "l.csv").err
        return {(row["left"], row["right"]) for row in self.table("l.csv")}

    def groups(self, decide: str) -> set:
        self.rules(self.NEAR, self.FIELDS, decide)
        self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv")
        return pairs_of(self.table("g.csv"))

    def test_never_pairs_share_no_link_and_no_group(self):
        for row in self.copies[:10]:
            row["sex"] = {"m": "f", "f": "m"}[row["sex"]]
        self.copies[10]["sex"] = "N/A"  # missing, so it does not differ
        self.write_inputs()
        differing = {(self.rows[i]["id"], self.copies[i]["id"]) for i in range(10)}
        missing = (self.rows[10]["id"], self.copies[10]["id"])
        never = 'never = [{ differ = ["sex"] }]'
        sex = {row["id"]: row["sex"] for row in self.rows + self.copies}
        for assign in ("one-to-one", "best", "all"):
            self.assertGreaterEqual(len(differing & self.links(assign, "")), 9)
            found = self.links(assign, never)
            self.assertIn(missing, found)
            self.assertGreaterEqual(len(found), 80)
            self.assertFalse([pair for pair in found if {sex[pair[0]], sex[pair[1]]} == {"m", "f"}])
        self.assertGreaterEqual(len(differing & self.groups("")), 9)
        found = self.groups(never)
        self.assertIn(missing, found)
        self.assertFalse([pair for pair in found if {sex[pair[0]], sex[pair[1]]} == {"m", "f"}])

    def test_all_fields_of_a_never_rule_differ(self):
        self.copies[0]["sex"] = {"m": "f", "f": "m"}[self.copies[0]["sex"]]
        self.write_inputs()
        pair = (self.rows[0]["id"], self.copies[0]["id"])
        self.assertIn(pair, self.links("all", 'never = [{ differ = ["sex", "born"] }]'))
        self.assertNotIn(pair, self.links("all", 'never = [{ differ = ["sex", "key"] }]'))
        self.assertNotIn(pair, self.links("all", 'never = [{ differ = "born" }, { differ = "sex" }]'))

    def test_always_pairs_are_links_whatever_their_score(self):
        self.rows[150]["key"] = self.copies[5]["key"] = "same"  # two strangers
        self.rows[151]["key"] = self.copies[6]["key"] = ""      # missing: not equal
        self.write_inputs()
        stranger = (self.rows[150]["id"], self.copies[5]["id"])
        always = 'always = [{ equal = ["key"] }]'
        for assign in ("one-to-one", "best", "all"):
            self.assertNotIn(stranger, self.links(assign, ""))
            found = self.links(assign, always)
            self.assertIn(stranger, found)
            self.assertNotIn((self.rows[151]["id"], self.copies[6]["id"]), found)
            self.assertIn("always      1 link regardless of score", self.summary)
            if assign == "one-to-one":
                self.assertNotIn((self.rows[5]["id"], self.copies[5]["id"]), found)
        self.assertNotIn(stranger, self.groups(""))
        self.assertIn(stranger, self.groups(always))

    def test_one_record_has_one_partner_though_two_are_certain(self):
        self.rows[150]["key"] = self.copies[5]["key"] = self.copies[6]["key"] = "same"
        self.write_inputs()
        always = 'always = [{ equal = ["key"] }]'
        certain = {(self.rows[150]["id"], self.copies[i]["id"]) for i in (5, 6)}
        for assign in ("one-to-one", "best"):
            self.assertEqual(len(certain & self.links(assign, always)), 1)
            self.assertIn("1 more have other partners", self.summary)
        self.assertEqual(len(certain & self.links("all", always)), 2)

    def test_never_wins_over_always(self):
        self.rows[150]["key"] = self.copies[5]["key"] = "same"
        self.rows[150]["sex"], self.copies[5]["sex"] = "m", "f"
        self.write_inputs()
        both = 'always = [{ equal = ["key"] }]\nnever = [{ differ = ["sex"] }]'
        pair = (self.rows[150]["id"], self.copies[5]["id"])
        for assign in ("one-to-one", "best", "all"):
            self.assertNotIn(pair, self.links(assign, both))
        self.assertNotIn(pair, self.groups(both))

    def test_chains_end_where_never_says_so(self):
        """a - b - c are always linked by key, but a and c never."""
        rows = self.rows[:120]
        for row, sex in zip(rows[:3], ("m", "", "f")):
            row["key"], row["sex"] = "chain", sex
        for row in rows[3:9]:
            row["key"], row["sex"] = "long", ""
        self.write("all.csv", as_csv(rows))
        self.rules(self.NEAR, self.FIELDS,
                   'always = [{ equal = ["key"] }]\nnever = [{ differ = ["sex"] }]')
        self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv")
        group = {row["id"]: row["cluster_id"] for row in self.table("g.csv")}
        a, b, c = (row["id"] for row in rows[:3])
        self.assertNotEqual(group[a], group[c])
        self.assertIn(group[b], (group[a], group[c]))
        self.assertEqual(len({group[row["id"]] for row in rows[3:9]}), 1)

    def test_hold_where_all_records_are_alike(self):
        rows = [{"id": f"r{i}", "name": "same", "key": f"k{i // 2}"} for i in range(8)]
        self.write("all.csv", as_csv(rows))
        self.write("b.csv", as_csv([dict(row, id="b" + row["id"]) for row in rows]))
        self.rules('rules = [{ equal = ["name"] }]', 'name = {}\nkey = { compare = "none" }\n',
                   'always = [{ equal = ["key"] }]\nassign = "all"')
        self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv")
        self.assertEqual([row["size"] for row in self.table("g.csv")], ["8"] * 8)
        result = self.sosie("link", "all.csv", "--against", "b.csv", "--rules", "rules.toml", "-o",
                            "l.csv")
        self.assertEqual(len(self.table("l.csv")), 64)
        self.assertIn("confidence  low: ", result.err)


class Fields(RulesTest):
    def level(self, fields: str, left: dict, right: dict) -> str:
        """The level of the first field of two records that are linked by their key."""
        rows = [dict(row, id=f"f{i}", key=f"{i}") for i, row in enumerate([left] * 4)]
        self.write("a.csv", as_csv(rows[:1] + [dict(row, key="") for row in rows[1:]]))
        self.write("b.csv", as_csv([dict(right, id="b", key="0")]))
        self.rules('rules = [{ equal = ["key"] }]', fields + '\nkey = { compare = "equal" }\n',
                   'always = [{ equal = ["key"] }]')
        self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "-o", "l.csv")
        (link,) = self.table("l.csv")
        return next(value for name, value in link.items() if name.startswith("level_"))

    NAME = 'name = { columns = ["given", "surname"], compare = "levenshtein", levels = [1, 2]%s }'

    def test_swapped_columns_are_the_better_level(self):
        left = {"given": "anna", "surname": "schmidt"}
        right = {"given": "schmidt", "surname": "anna"}
        self.assertEqual(self.level(self.NAME % "", left, right), "different")
        self.assertEqual(self.level(self.NAME % ", swapped = true", left, right), "equal")
        right["surname"] = "ana"
        self.assertEqual(self.level(self.NAME % ", swapped = true", left, right), "levenshtein 1")
        self.assertEqual(self.level(self.NAME % ", swapped = true", left, left), "equal")
        right["surname"] = ""
        self.assertEqual(self.level(self.NAME % ", swapped = true", left, right), "different")

    def test_a_nickname_is_one_edit(self):
        self.write("nick.csv", "William,Bill,Will\n\"Robert\",Bob\r\nAlexander,Alex\nAlexandra,Alex\n")
        fields = self.NAME % ', nicknames = "nick.csv"'
        name = {"given": "William", "surname": "Smith"}
        for given, surname, level in (("Bill", "Smith", "levenshtein 1"),
                                      ("will", "smith", "levenshtein 1"),
                                      ("bill", "smyth", "levenshtein 2"),
                                      ("bill", "jones", "different"),
                                      ("bob", "smith", "different"),
                                      ("William", "Smith", "equal")):
            right = {"given": given, "surname": surname}
            self.assertEqual(self.level(fields, name, right), level, right)
        names = {"given": "Alexander", "surname": "X"}, {"given": "Alexandra", "surname": "X"}
        self.assertEqual(self.level(fields.replace("[1, 2]", "[1]"), *names), "different")
        given = 'given = { %s, nicknames = "nick.csv" }'
        for comparison, level in (('compare = "jaro-winkler", levels = [0.92, 0.7]', "jaro-winkler 0.92"),
                                  ('compare = "cosine", levels = [0.6]', "cosine 0.6")):
            self.assertEqual(self.level(given % comparison, name, {"given": "bill", "surname": ""}),
                             level)

    def test_nicknames_of_a_bad_file_are_refused(self):
        self.write("a.csv", "id,given\n1,a\n2,b\n")
        (self.dir / "rules").mkdir()
        self.write("rules/r.toml", 'version = 1\n[fields]\ngiven = { nicknames = "n.csv" }\n'
                                   '[candidates]\nrules = [{ near = ["given"] }]\n')
        result = self.fails(4, "link", "a.csv", "--rules", "rules/r.toml")
        self.assertIn("rules/n.csv", result.err)
        for content, message in ((b"", "no row has two names"), (b"william\nbill\n", "no row has two"),
                                 (b"a,b\n\xff\xfe,c\n", "n.csv:2: not UTF-8"),
                                 (b"a,b\nc,\"d\n", "n.csv:2: a quote is not closed"),
                                 (b"a,b\0\n", "n.csv:1: not UTF-8"),
                                 (b"a" + b",b" * 300, "n.csv:1: more than 256 names")):
            self.write("rules/n.csv", content)
            self.assertIn(message, self.fails(3, "link", "a.csv", "--rules", "rules/r.toml").err)
        self.write("rules/n.csv", "a,b\n")
        self.assertIn("n.csv", self.fails(2, "link", "a.csv", "--rules", "rules/r.toml", "-o",
                                          "rules/n.csv").err)
        self.sosie("link", "a.csv", "--rules", "rules/r.toml", "-o", "g.csv")

    def test_lists_agree_by_their_best_members(self):
        field = 'mail = { compare = "levenshtein", levels = [1, 2], separator = ";" }'
        for left, right, level in (("a@x.de; b@y.de", "c@z.de;b@y.de", "equal"),
                                   ("a@x.de;b@y.de", "b@y.de ; a@x.de", "equal"),
                                   ("aaaa@x.de;b@y.de", "aaa@x.de;kkkkkk", "levenshtein 1"),
                                   ("a@x.de", "b@y.com", "different"),
                                   (";;", "b@y.de", "missing"), ("NA; -", "b@y.de", "missing")):
            self.assertEqual(self.level(field, {"mail": left}, {"mail": right}), level, (left, right))
        two = field.replace("{ ", '{ columns = ["m1", "m2"], ')
        self.assertEqual(self.level(two, {"m1": "a;b", "m2": "hello@x.de"},
                                    {"m1": "hello@x.de", "m2": ""}), "equal")

    def test_long_lists_are_cut_and_counted(self):
        self.write("a.csv", as_csv([{"id": str(i), "tags": ";".join(f"{i}-{j}" for j in range(300)),
                                     "name": f"n{i // 2}"} for i in range(20)]))
        self.rules('rules = [{ near = ["name"] }]', 'name = {}\ntags = { separator = ";" }\n')
        result = self.sosie("link", "a.csv", "--rules", "rules.toml", "-o", "g.csv")
        self.assertIn("field 'tags': in 20 lists, only the first 100 members are compared", result.err)

    def test_values_that_do_not_parse_are_missing_counted_and_shown(self):
        rows = people(41, 40)
        for i, row in enumerate(rows):
            row["price"] = ["12.5", "NaN", "-3", "1e400", "", "abc"][i % 6]
        for row, born in zip(rows, ("soon", "19991332", "soon", "1999-02-29", "32.1.99", "unknown")):
            row["born"] = born
        self.write("a.csv", as_csv(rows))
        self.rules('rules = [{ near = ["given", "surname", "phone"] }]',
                   'given = {}\nsurname = {}\nphone = {}\n'
                   'born = { type = "date", compare = "days", levels = [1] }\n'
                   'price = { type = "number", compare = "ratio" }\n')
        result = self.sosie("link", "a.csv", "--rules", "rules.toml", "-o", "g.csv", "--pairs", "p.csv")
        self.assertIn("field 'born': 5 records have no value of its type, such as "
                      "'soon', '19991332', '1999-02-29'; these count as missing", result.err)
        self.assertIn("field 'price': 20 records have no value of its type, such "
                      "as 'NaN', '1e400', 'abc'; these count as missing", result.err)

    def test_numbers_are_equal_however_they_are_written(self):
        field = 'price = { type = "number", compare = "number", levels = [1] }'
        for left, right, level in (("1.50", "1.5", "equal"), ("1e2", "100", "equal"),
                                   ("-0", "0.0", "equal"), ("+7", "7.5", "number 1"),
                                   ("1e300", "-1e300", "different")):
            self.assertEqual(self.level(field, {"price": left}, {"price": right}), level)


if __name__ == "__main__":
    unittest.main()
