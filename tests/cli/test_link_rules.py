"""Rules of `sosie link`: what finds candidates, what decides whatever the score, how fields agree."""

import itertools
import json
import re
import tomllib
import unittest

from support import DATA, ROOT, SosieTest, needs_data
from test_link import as_csv, copies, pairs_of, people


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        last, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            last, row[j + 1] = row[j + 1], min(row[j + 1] + 1, row[j] + 1, last + (x != y))
    return row[-1]


def trigrams(text: str) -> set:
    return {text[i:i + 3] for i in range(max(1, len(text) - 2))}


class RulesTest(SosieTest):
    FIELDS = "given = {}\nsurname = {}\nborn = { compare = \"damerau\" }\n" \
             "phone = { clean = \"digits\", compare = \"levenshtein\" }\n"

    def rules(self, candidates: str, fields: str = FIELDS, decide: str = "") -> None:
        self.write("rules.toml", f"version = 1\n[fields]\n{fields}\n[candidates]\n{candidates}\n"
                                 f"[decide]\n{decide}\n")

    def foretold(self, *inputs: str) -> dict:
        """The rules as --dry-run reports them, by place."""
        self.sosie("link", *inputs, "--rules", "rules.toml", "--dry-run", "--stats", "s.json")
        return json.loads(self.read("s.json"))


class Near(RulesTest):
    def setUp(self):
        super().setUp()
        self.rows = people(11, 150)
        self.copies = copies(12, self.rows[:80], "c")
        self.rows[3]["phone"] = ""
        self.copies[3]["phone"] = "NULL"
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies))
        self.write("all.csv", as_csv(self.rows + self.copies))

    def expected(self, is_pair) -> tuple[int, int]:
        """Pairs between the collections, and within both as one."""
        together = self.rows + self.copies
        return (sum(is_pair(a, b) for a in self.rows for b in self.copies),
                sum(is_pair(a, b) for a, b in itertools.combinations(together, 2)))

    def check(self, rule: str, is_pair) -> None:
        self.rules(f"rules = [{rule}]")
        across, within = self.expected(is_pair)
        for threads in ("1", "7"):
            self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "--dry-run",
                       "--stats", "s.json", "--threads", threads)
            self.assertEqual(json.loads(self.read("s.json"))["rules"][0]["pairs"], across)
        self.assertEqual(self.foretold("all.csv")["rules"][0]["pairs"], within)
        self.assertGreater(within, across)

    def test_strings_within_edits_are_all_found(self):
        def is_pair(a, b):
            x, y = a["phone"], b["phone"]
            return x.isdigit() and y.isdigit() and levenshtein(x, y) <= 6
        # A copy may have a letter in it, which clean = digits leaves out.
        for row in self.copies:
            row["phone"] = "".join(c for c in row["phone"] if c.isdigit())
        self.write("b.csv", as_csv(self.copies))
        self.write("all.csv", as_csv(self.rows + self.copies))
        self.check('{ near = ["phone"], measure = "levenshtein", within = 6 }', is_pair)

    def test_strings_of_a_similarity_are_all_found(self):
        def name(row):
            return " ".join(part for part in (row["given"], row["surname"]) if part)

        def is_pair(a, b):
            x, y = name(a), name(b)
            return 20 * (max(len(x), len(y)) - levenshtein(x, y)) >= 13 * max(len(x), len(y))
        self.check('{ near = ["given", "surname"], measure = "levenshtein", threshold = 0.65 }', is_pair)

    def test_sets_of_a_similarity_are_all_found(self):
        def is_pair(a, b):
            x, y = (trigrams(" ".join(filter(None, (r["given"], r["surname"])))) for r in (a, b))
            return 2 * len(x & y) >= len(x | y)
        self.check('{ near = ["given", "surname"], measure = "jaccard", threshold = 0.5 }', is_pair)

    def test_words_are_sets_too(self):
        def words(row):
            return set(filter(None, (row["given"], row["surname"], row["city"])))

        def is_pair(a, b):
            x, y = words(a), words(b)
            return 4 * len(x & y) ** 2 >= len(x) * len(y)  # cosine of a half
        self.rules('rules = [{ near = ["given", "surname", "city"], measure = "cosine", '
                   'shingle = "words:1", threshold = 0.5 }]', self.FIELDS + "city = {}\n")
        self.assertEqual(self.foretold("all.csv")["rules"][0]["pairs"], self.expected(is_pair)[1])

    def test_lsh_finds_nearly_all(self):
        rule = '{ near = ["given", "surname", "born"], measure = "jaccard", threshold = 0.4%s }'
        self.rules("rules = [%s, %s]" % (rule % "", rule % ', method = "lsh", recall = 0.9'))
        exact, lsh = (rule["pairs"] for rule in self.foretold("all.csv")["rules"])
        self.assertLessEqual(lsh, exact)
        self.assertGreaterEqual(lsh, 0.9 * exact)
        self.assertGreater(exact, 80)

    def test_top_keeps_the_nearest(self):
        counts = []
        for more in ("top = 1", "top = 3", "top = 3, threshold = 0.3", "threshold = 0.3"):
            for measure in ("cosine", "dice"):
                self.rules('rules = [{ near = ["given", "surname"], measure = "%s", %s }]'
                           % (measure, more))
                counts.append(self.foretold("all.csv")["rules"][0]["pairs"])
        self.assertLess(counts[0], counts[2])
        self.assertLess(counts[1], counts[3])
        self.assertLessEqual(counts[5], counts[7])
        # One of the two has chosen the other: at most 230 x 1, at least half of it.
        for count in counts[:2]:
            self.assertGreaterEqual(count, 115)
            self.assertLessEqual(count, 230)

    def test_a_run_with_all_rules_gives_the_same_bytes_for_any_threads(self):
        self.rules('rules = [{ near = ["phone"], measure = "osa", within = 2 }, '
                   '{ near = ["given", "surname"], measure = "indel", threshold = 0.8 }, '
                   '{ near = ["given", "surname", "born"], measure = "dice", top = 4 }, '
                   '{ near = ["given", "born"], measure = "jaccard", threshold = 0.6 }]')
        outs = []
        for threads in ("1", "5"):
            self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv", "--threads", threads)
            self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "-o", "l.csv",
                       "--threads", threads)
            outs.append((self.read("g.csv"), self.read("l.csv")))
        self.assertEqual(outs[0], outs[1])
        truth = {(row["id"], "c" + row["id"]) for row in self.rows[:80]}
        found = {(row["left"], row["right"]) for row in self.table("l.csv")}
        self.assertGreaterEqual(len(found & truth), 77)

    def test_large_groups_of_equal_values_do_not_blow_up(self):
        rows = people(13, 3000)
        for i, row in enumerate(rows):
            row["surname"] = "smith" if i % 3 else "smyth"
        self.write("many.csv", as_csv(rows + copies(14, rows[:200], "c")))
        self.rules('rules = [{ near = ["surname"], measure = "levenshtein", within = 1 }]\n'
                   "max_block = 500")
        result = self.sosie("link", "many.csv", "--rules", "rules.toml", "-o", "g.csv", "--stats",
                            "s.json")
        stats = json.loads(self.read("s.json"))
        self.assertLess(stats["candidates"], 40000)
        large = stats["large_blocks"][0]
        self.assertGreater(large["pairs"], 4_000_000)
        self.assertEqual(large["listed"][0]["value"], "smith")
        self.assertGreaterEqual(large["lost"], 0)
        self.assertIn("matches are lost, by 4,096 of the pairs left out", result.err)
        truth = {(row["id"], "c" + row["id"]) for row in rows[:200]}
        self.assertGreater(len(pairs_of(self.table("g.csv")) & truth), 175)


class DryRun(RulesTest):
    def setUp(self):
        super().setUp()
        self.rows = people(21, 300)
        self.write("all.csv", as_csv(self.rows + copies(22, self.rows[:150], "c")))
        self.rules('rules = [{ equal = ["born"] }, { sorted = ["surname"], window = 3 }, '
                   '{ near = ["phone"], measure = "levenshtein", within = 1 }]')

    def test_writes_nothing_and_says_what_rules_cost(self):
        result = self.sosie("link", "all.csv", "--rules", "rules.toml", "--dry-run", "-o", "g.csv",
                            "--pairs", "p.csv")
        self.assertEqual(result.out, b"")
        self.assertEqual(self.names() & {"g.csv", "p.csv"}, set())
        for text in ("nothing is scored or written", "largest block", "to compare", "sorted surname"):
            self.assertIn(text, result.err)

    def test_counts_are_those_of_the_run(self):
        foretold = self.foretold("all.csv")
        self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv", "--stats", "r.json")
        stats = json.loads(self.read("r.json"))
        self.assertEqual([rule["pairs"] for rule in foretold["rules"]],
                         [rule["pairs"] for rule in stats["rules"]])
        self.assertNotIn("links", foretold)
        born: dict = {}
        for row in self.rows:
            born[row["born"]] = born.get(row["born"], 0) + 1
        self.assertGreaterEqual(foretold["rules"][0]["largest_block"], max(born.values()))
        found = sum(rule["only"] for rule in stats["rules"])
        self.assertLess(found, stats["candidates"])
        for rule in stats["rules"]:
            self.assertLessEqual(rule["only_links"], min(rule["only"], stats["links"]))

    def test_large_blocks_are_listed(self):
        self.rules('rules = [{ equal = ["born"], prefix = 2 }]\nmax_block = 10')
        large = self.foretold("all.csv")["large_blocks"][0]
        self.assertEqual([block["value"][:2] for block in large["listed"]], ["19", "20"])
        self.assertNotIn("lost", large)

    def test_goes_not_with_init(self):
        self.assertIn("--init", self.fails(2, "link", "all.csv", "--init", "--dry-run").err)


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
        self.copies[10]["sex"] = "N/A"  # missing: it does not differ
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
            self.assertIn("always      1 of them", self.summary)
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
        """a - b - c are always one by key, but a and c never."""
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

    def test_hold_where_there_are_no_two_classes(self):
        rows = [{"id": f"r{i}", "name": "same", "key": f"k{i // 2}"} for i in range(8)]
        self.write("all.csv", as_csv(rows))
        self.write("b.csv", as_csv([dict(row, id="b" + row["id"]) for row in rows]))
        self.rules('rules = [{ equal = ["name"] }]', 'name = {}\nkey = { compare = "none" }\n',
                   'always = [{ equal = ["key"] }]\nassign = "all"')
        self.sosie("link", "all.csv", "--rules", "rules.toml", "-o", "g.csv")
        self.assertEqual([row["size"] for row in self.table("g.csv")], ["2"] * 8)
        result = self.sosie("link", "all.csv", "--against", "b.csv", "--rules", "rules.toml", "-o",
                            "l.csv")
        self.assertEqual(len(self.table("l.csv")), 16)
        self.assertIn("no two classes", result.err)


class Fields(RulesTest):
    def level(self, fields: str, left: dict, right: dict) -> str:
        """Level of the first field of two records that are linked by their key."""
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
                                 (b"a,b\nc,\"d\n", "n.csv:2: a quote does not end"),
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
        self.assertIn("field 'tags': of 20 lists the first 100 members are compared", result.err)

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
        self.assertIn("field 'born': 5 records have no value of its type and count as missing, such as "
                      "'soon', '19991332', '1999-02-29'", result.err)
        self.assertIn("field 'price': 20 records have no value of its type and count as missing, such "
                      "as 'NaN', '1e400', 'abc'", result.err)

    def test_numbers_are_equal_however_they_are_written(self):
        field = 'price = { type = "number", compare = "number", levels = [1] }'
        for left, right, level in (("1.50", "1.5", "equal"), ("1e2", "100", "equal"),
                                   ("-0", "0.0", "equal"), ("+7", "7.5", "number 1"),
                                   ("1e300", "-1e300", "different")):
            self.assertEqual(self.level(field, {"price": left}, {"price": right}), level)


class ChosenRules(RulesTest):
    def test_a_column_that_repeats_others_counts_once(self):
        rows = people(51, 60) + copies(52, people(51, 60)[:30], "c")
        for row in rows:
            row["name"] = f"{row['surname'].title()}, {row['given']}".strip(", ")
            row["town"] = row["city"]
        self.write("a.csv", as_csv([{key: f'"{row[key]}"' if key == "name" else row[key]
                                     for key in row} for row in rows]))
        result = self.sosie("link", "a.csv", "-o", "g.csv")
        self.assertIn("field 'name' is left out: it repeats given, surname", result.err)
        self.assertIn("field 'town' is left out: it repeats city", result.err)
        rules = self.sosie("link", "a.csv", "--init").out.decode()
        self.assertIn("# field 'name' is left out", rules)
        self.assertNotIn("name = ", rules.replace("surname = ", ""))

    def test_constant_and_empty_columns_are_left_out(self):
        rows = [dict(row, country="de", note="NA") for row in people(53, 60)]
        self.write("a.csv", as_csv(rows))
        result = self.sosie("link", "a.csv", "-o", "g.csv")
        self.assertIn("field 'country' is left out: it is constant", result.err)
        self.assertIn("field 'note' is left out: it is empty", result.err)

    def test_columns_that_one_side_lacks_are_named(self):
        rows = people(54, 60)
        self.write("a.csv", as_csv([dict(row, here="1" + row["city"]) for row in rows]))
        self.write("b.csv", as_csv([dict(row, there="2" + row["city"]) for row in rows]))
        result = self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv")
        self.assertIn("field 'here' is left out: the other collection does not have it", result.err)
        self.assertIn("field 'there' is left out: the left collection does not have it", result.err)
        self.write("c.csv", "key,town\n1,x\n")
        result = self.fails(3, "link", "a.csv", "--against", "c.csv")
        self.assertIn("no field in common", result.err)
        for name in ("given", "here", "town"):
            self.assertIn(name, result.error_lines()[1])

    def test_columns_without_a_name_of_their_own_are_numbered(self):
        rows = people(55, 60)
        lines = ["id,,given,given,,given 2"] + [
            ",".join((r["id"], r["surname"], r["given"], r["city"], r["phone"], r["born"])) for r in rows]
        self.write("a.csv", "\n".join(lines) + "\n")
        result = self.sosie("link", "a.csv", "-o", "g.csv", "--pairs", "p.csv")
        for column, name in ((2, "column 2"), (4, "given 3"), (5, "column 5")):
            self.assertIn(f"column {column} has no name of its own and is called '{name}'", result.err)
        columns = self.read("p.csv").decode().splitlines()[0]
        for name in ("column 2", "given", "given 3", "column 5", "given 2"):
            self.assertIn(f"level_{name},", columns)


class BadInput(RulesTest):
    def setUp(self):
        super().setUp()
        self.rows = people(61, 60)
        self.write("a.csv", as_csv(self.rows))

    def test_no_candidates_at_all(self):
        self.rules('rules = [{ near = ["phone"], measure = "levenshtein", within = 0 }]')
        result = self.sosie("link", "a.csv", "--rules", "rules.toml", "-o", "g.csv")
        self.assertIn("candidates  0 pairs", result.err)
        self.assertIn("no two classes to tell apart", result.err)
        self.assertEqual({row["size"] for row in self.table("g.csv")}, {"1"})

    def test_the_same_file_on_both_sides(self):
        self.rules('rules = [{ near = ["given", "surname", "born"], measure = "osa", within = 3 }]')
        self.sosie("link", "a.csv", "--against", "a.csv", "--rules", "rules.toml", "-o", "l.csv")
        links = self.table("l.csv")
        self.assertGreaterEqual(sum(row["left"] == row["right"] for row in links), 58)

    def test_encodings_other_than_utf8(self):
        text = as_csv([dict(row, surname=row["surname"].replace("ue", "\u00fc")) for row in self.rows])
        self.write("l1.csv", text.encode("latin-1"))
        self.rules('rules = [{ near = ["surname"], measure = "levenshtein", within = 1 }]')
        self.sosie("link", "l1.csv", "--rules", "rules.toml", "--encoding", "latin-1", "-o", "g.csv",
                   "--dry-run", "--stats", "x.json")
        self.write("u8.csv", text)
        self.assertEqual(json.loads(self.read("x.json"))["rules"][0]["pairs"],
                         self.foretold("u8.csv")["rules"][0]["pairs"])

    def test_values_that_are_hostile(self):
        """Very long values, odd letters, control characters: near by every join."""
        odd = ["x" * 100000, "x" * 99999 + "y", "\u0000"[:0], "\U0001f600" * 50, "e\u0301" * 20, "\x07bell",
               "a" * 300, "a" * 301]
        self.write("a.csv", "id,v\n" + "".join(f"{i},{v}\n" for i, v in enumerate(odd)))
        self.rules('rules = [{ near = ["v"], measure = "levenshtein", within = 2 }, '
                   '{ near = ["v"], measure = "damerau", threshold = 0.99 }, '
                   '{ near = ["v"], measure = "jaccard", threshold = 0.9 }, '
                   '{ near = ["v"], measure = "jaccard", threshold = 0.9, method = "lsh" }, '
                   '{ near = ["v"], measure = "dice", top = 2 }]', "v = {}\n")
        pairs = [rule["pairs"] for rule in self.foretold("a.csv")["rules"]]
        self.assertEqual(pairs[:2], [2, 2])

    def test_too_little_memory_is_an_error_that_says_so(self):
        rows = people(62, 3000)
        for row in rows:
            row["surname"] = "s" * 40 + row["surname"]
        self.write("a.csv", as_csv(rows))
        self.rules('rules = [{ near = ["surname", "given"], measure = "levenshtein", within = 40 }]')
        result = self.fails(4, "link", "a.csv", "--rules", "rules.toml", "--memory", "16M", "-o", "g.csv")
        self.assertIn("--memory", result.err)

    def test_rules_name_what_they_do_not_know(self):
        for candidates, message in (
                ('rules = [{ near = ["surnam"] }]', "did you mean surname?"),
                ('rules = [{ near = ["surname"], measure = "levenstein", within = 1 }]',
                 "did you mean levenshtein?"),
                ('rules = [{ near = ["surname"], mesure = "osa" }]', "did you mean measure?"),
                ('rules = [{ near = ["surname"], measure = "cosine", within = 1 }]',
                 "within cannot go with 'cosine', which is of sets")):
            self.rules(candidates)
            result = self.fails(3, "link", "a.csv", "--rules", "rules.toml")
            self.assertIn("rules.toml:9", result.err)
            self.assertIn(message, result.err)


class Schema(RulesTest):
    """The schema is made from the table that the parser reads: both say the same of a file."""

    schema = json.loads((ROOT / "docs" / "formats" / "link-rules.schema.json").read_text())

    def fits(self, text: str) -> bool:
        return fits(self.schema, tomllib.loads(text))

    def test_takes_what_init_writes(self):
        rows = people(71, 100)
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(copies(72, rows[:50], "c")))
        for name in ("people.csv", "customers.csv"):
            self.write(name, (ROOT / "samples" / name).read_bytes())
        for inputs in (["a.csv"], ["a.csv", "--against", "b.csv"], ["people.csv"],
                       ["people.csv", "--against", "customers.csv"]):
            self.assertTrue(self.fits(self.sosie("link", *inputs, "--init").out.decode()))

    GOOD = """version = 1
[fields]
a = { columns = ["x", "y"], swapped = true, nicknames = "n.csv" }
b = { type = "date", format = "%Y", compare = "days", levels = [1] }
[candidates]
rules = [{ equal = "a" }, { near = ["a"], measure = "tversky:1,0.5", threshold = 0.5 }]
[decide]
cut = 0.5
always = [{ equal = ["a"] }]
"""

    def test_refuses_what_the_parser_refuses(self):
        self.write("a.csv", "id,x,y,b\n1,a,b,1999\n2,a,b,1999\n")
        self.write("n.csv", "a,b\n")
        self.write("r.toml", self.GOOD)
        self.assertTrue(self.fits(self.GOOD))
        self.sosie("link", "a.csv", "--rules", "r.toml", "-o", "g.csv")
        for old, new in (("version = 1", "version = 2"), ("swapped = true", "swapped = 1"),
                         ("swapped", "swaped"), ('"date"', '"day"'), ("[1]", "[-1]"), ("[1]", "1"),
                         ("[1]", "[6,5,4,3,2,1]"), ('equal = "a" }', 'equal = "a", near = "b" }'),
                         ('equal = "a" }', 'prefix = 3 }'), ('equal = "a" }', 'equal = "a", top = 3 }'),
                         ('equal = "a" }', 'equal = [] }'), ("0.5 }]", "1.5 }]"), ("0.5 }]", "0 }]"),
                         ("tversky:1,0.5", "tversk"), ("cut = 0.5", "cut = 2"),
                         ("cut = 0.5", "cut = [1]"), ("cut = 0.5", 'cut = "recall:1"'),
                         ('[{ equal = ["a"] }]', '[{ differ = ["a"] }]'), ('[{ equal = ["a"] }]', '[{}]'),
                         ('"n.csv"', '""'), ("[candidates]", "[candidate]"), ("rules = [", "rule = [")):
            text = self.GOOD.replace(old, new, 1)
            self.assertNotEqual(text, self.GOOD)
            self.assertFalse(self.fits(text), text)
            self.write("r.toml", text)
            self.fails(3, "link", "a.csv", "--rules", "r.toml")


def fits(schema: dict, value) -> bool:
    """True if a value has the form of a schema: as much of JSON Schema as rules need."""
    known = {"$schema", "title", "description", "type", "const", "enum", "anyOf", "oneOf", "pattern",
             "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "items", "minItems", "maxItems",
             "properties", "additionalProperties", "required", "dependentRequired", "minProperties"}
    assert schema.keys() <= known, schema.keys() - known
    types = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list,
             "object": dict}
    if "type" in schema and (not isinstance(value, types[schema["type"]]) or
                             (isinstance(value, bool) and schema["type"] != "boolean")):
        return False
    checks = {"const": lambda x: value == x, "enum": lambda x: value in x,
              "anyOf": lambda x: any(fits(one, value) for one in x),
              "oneOf": lambda x: sum(fits(one, value) for one in x) == 1,
              "pattern": lambda x: re.search(x, value) is not None,
              "minimum": lambda x: value >= x, "maximum": lambda x: value <= x,
              "exclusiveMinimum": lambda x: value > x, "exclusiveMaximum": lambda x: value < x,
              "items": lambda x: all(fits(x, one) for one in value),
              "minItems": lambda x: len(value) >= x, "maxItems": lambda x: len(value) <= x,
              "required": lambda x: all(key in value for key in x),
              "minProperties": lambda x: len(value) >= x,
              "dependentRequired": lambda x: all(other in value for key in value for other in x.get(key, []))}
    if not all(check(schema[key]) for key, check in checks.items() if key in schema):
        return False
    if schema.get("type") != "object":
        return True
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    return all(fits(properties[key], value[key]) if key in properties else
               others is not False and (others is True or fits(others, value[key])) for key in value)


class SimilarityJoin(RulesTest):
    """The join of the ten nearest keeps nearly all true pairs: the rule that knows them finds few that
    it does not. On fake_1000 four equality rules keep 81 %."""

    def kept(self, text: str, fields: list[str], ident: str) -> float:
        self.write("a.csv", text)
        self.rules(f'rules = [{{ near = {json.dumps(fields)}, top = 10 }}, {{ equal = ["cluster"] }}]',
                   "".join(f"{name} = {{}}\n" for name in fields) + 'cluster = { compare = "none" }\n')
        self.sosie("link", "a.csv", "--id", ident, "--rules", "rules.toml", "-o", "g.csv", "--stats",
                   "s.json")
        known = json.loads(self.read("s.json"))["rules"][1]
        return 1 - known["only"] / known["pairs"]

    def test_on_made_persons(self):
        rows = people(81, 400)
        rows += copies(82, rows[:200], "c") + copies(83, rows[:100], "d")
        for row in rows:
            row["cluster"] = row["id"].lstrip("cd")
        kept = self.kept(as_csv(rows), ["given", "surname", "born", "city", "phone"], "id")
        self.assertGreaterEqual(kept, 0.98)

    @needs_data("records")
    def test_on_fake_1000(self):
        text = (DATA / "records" / "splink-fake1000" / "records.csv").read_text()
        kept = self.kept(text, ["first_name", "surname", "dob", "city", "email"], "unique_id")
        self.assertGreaterEqual(kept, 0.98)


if __name__ == "__main__":
    unittest.main()
