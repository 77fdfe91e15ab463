"""Candidate rules of `sosie link`: nearness by any join, and the report of --dry-run about them."""

import itertools
import json
import random
import unittest

from record_rules import RulesTest
from support import DATA, needs_data
from test_link import as_csv, copies, pairs_of, people

import edits  # stands in reference/


def trigrams(text: str) -> set:
    return {text[i:i + 3] for i in range(max(1, len(text) - 2))}


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
        """Pairs between the collections, and within both as a single one."""
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
            return x.isdigit() and y.isdigit() and edits.distance(x, y) <= 6
        # A copy may contain a letter, which clean = digits removes.
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
            return 20 * (max(len(x), len(y)) - edits.distance(x, y)) >= 13 * max(len(x), len(y))
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
        # One of the two has chosen the other: at most 230 x 1 pairs, at least half of that.
        for count in counts[:2]:
            self.assertGreaterEqual(count, 115)
            self.assertLessEqual(count, 230)

    def test_what_is_brief_finds_candidates_that_prose_would_drown(self):
        draw = random.Random(13)
        words = ["".join(draw.choices("abcdefghij", k=6)) for _ in range(60)]
        def product(number, title):
            return f"{number},{title},{' '.join(draw.choices(words, k=40))}"
        titles = [" ".join("".join(draw.choices("klmnopqrs", k=6)) for _ in range(3))
                  for _ in range(300)]
        for name in ("shop.csv", "other.csv"):  # each shop has its own prose
            rows = [product(i, title) for i, title in enumerate(titles)]
            self.write(name, "id,title,description\n" + "\n".join(rows) + "\n")
        self.sosie("link", "shop.csv", "--against", "other.csv", "-o", "l.csv", "--stats", "s.json")
        rules = json.loads(self.read("s.json"))["rules"]
        self.assertEqual([rule["rule"] for rule in rules], ["near title&description", "near title"])
        self.assertGreater(rules[1]["only"], 100)
        links = self.table("l.csv")
        self.assertGreaterEqual(sum(row["left"] == row["right"] for row in links), 295)
        without = self.sosie("link", "shop.csv", "--against", "other.csv", "--ignore", "description",
                             "--init", "-q").out.decode()
        self.assertEqual(without.count("\n  { near = "), 1)

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
        self.assertIn("matches are lost, judging by 4,096 of the pairs left out", result.err)
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


class SimilarityJoin(RulesTest):
    """The join of the ten nearest keeps nearly all true pairs: a rule that knows the true pairs
    adds few. On fake_1000, four equality rules keep 81 %."""

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
