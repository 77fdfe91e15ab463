"""`sosie link` without tuning: several partners, families, a single column, and its own estimates."""

# slow: families of dozens.

import json
import random
import shlex
import unittest
from itertools import combinations

from made_people import misspelt, word
from support import SosieTest


def person(draw: random.Random) -> list[str]:
    return [word(draw), word(draw, 4), f"{draw.randrange(1940, 2005)}{draw.randrange(101, 999)}",
            word(draw, 5), f"0{draw.randrange(10**8, 10**9)}"]


def slip(draw: random.Random, row: list[str]) -> list[str]:
    field = draw.randrange(len(row))
    return [misspelt(draw, value) if f == field else value for f, value in enumerate(row)]


class LinkConfidence(SosieTest):
    HEAD = ["given", "surname", "born", "city", "phone"]

    def rows(self, name: str, rows: list[list[str]], head: list[str] | None = None) -> None:
        lines = [["id", *(head or self.HEAD)], *([str(i), *row] for i, row in enumerate(rows))]
        self.write(name, "".join(",".join(line) + "\n" for line in lines))

    def run_of(self, *args: str) -> tuple[dict, str]:
        result = self.sosie("link", *args, "-o", "out.csv", "--stats", "stats.json")
        return json.loads((self.dir / "stats.json").read_text()), result.err

    def pairs(self) -> set:
        return {(row["left"], row["right"]) for row in self.table("out.csv")}

    def test_a_side_that_holds_several_copies_has_several_partners(self):
        draw = random.Random(1)
        left = [person(draw) for _ in range(300)]
        right = [slip(draw, row) for row in left for _ in range(3)]
        self.rows("a.csv", left)
        self.rows("b.csv", right + [person(draw) for _ in range(300)])
        self.run_of("a.csv", "--against", "b.csv")
        truth = {(str(i // 3), str(i)) for i in range(900)}
        self.assertGreater(len(self.pairs() & truth), 870)
        self.assertLess(len(self.pairs() - truth), 10)
        self.run_of("a.csv", "--against", "b.csv", "--assign", "one-to-one")
        self.assertLessEqual(len(self.pairs()), 300)

    def test_copies_on_both_sides_have_several_partners(self):
        draw = random.Random(1)
        left, right = [], []
        for _ in range(200):
            one = person(draw)
            left += [one, *(slip(draw, one) for _ in range(draw.randrange(3)))]
            right += [(one[1], slip(draw, one)) for _ in range(draw.randrange(4))]
        self.rows("a.csv", left)
        self.rows("b.csv", [row for _, row in right])
        self.assert_copies(["--assign", "auto"], len(left), len(right), several=True)
        self.assert_copies(["--assign", "best"], len(left), len(right), several=False)

    def assert_copies(self, asked: list[str], left: int, right: int, several: bool) -> None:
        stats, _ = self.run_of("a.csv", "--against", "b.csv", *asked)
        a, b = self.table("a.csv"), self.table("b.csv")
        truth = {(x["id"], y["id"]) for x in a for y in b
                 if sum(x[key] == y[key] for key in self.HEAD) >= 3}
        partners = {pair[0] for pair in truth}
        found = self.pairs()
        self.assertEqual(len(found - truth), 0)
        self.assertGreater(len(found), .95 * len(truth if several else partners))
        if not several:
            self.assertEqual(len({left for left, _ in found}), len(found))
        self.assertEqual(stats["confidence"], "low" if several else "ok")

    def test_the_best_of_partners_that_are_copies_is_a_link(self):
        draw = random.Random(2)
        left = [person(draw) for _ in range(300)]
        self.rows("a.csv", left)
        self.rows("b.csv", [slip(draw, row) for row in left] + [slip(draw, row) for row in left[:20]])
        self.run_of("a.csv", "--against", "b.csv", "--assign", "one-to-one")
        one_to_one = {left for left, _ in self.pairs()}
        self.run_of("a.csv", "--against", "b.csv", "--assign", "best")
        self.assertLessEqual(one_to_one, {left for left, _ in self.pairs()})
        self.assertEqual({int(left) for left, _ in self.pairs()}, set(range(300)))

    def offers_of_two_shops(self, seed: int, sizes: int = 2, shortened: float = .15) -> None:
        """Products in up to so many sizes; the shops share a fifth of them, one leaves words out."""
        draw = random.Random(seed)
        syllables = "ba ke di fo gu ha li mo ne pi ra so tu ve wa xi yo ze".split()

        def name(count: int) -> str:
            return "".join(draw.choice(syllables) for _ in range(count))

        brands = [name(2) for _ in range(40)]
        left, right = [], []
        for _ in range(500):
            first = [draw.choice(brands), name(3), draw.choice("laptop monitor phone lamp drill".split())]
            price = draw.randrange(10, 900)
            for k in range(draw.randint(1, sizes)):
                words = [*first, str(11 + 2 * k), draw.choice("black white silver red".split())]
                chance = draw.random()
                if chance < .6:
                    left.append([" ".join(words), first[0], f"{price + 20 * k}.00"])
                if chance < .2 or chance >= .6:
                    if draw.random() < shortened:
                        del words[draw.randrange(1, 4)]
                    right.append([" ".join(words), first[0], f"{(price + 20 * k) * draw.uniform(.85, 1.15):.2f}"])
        self.rows("a.csv", left, ["title", "brand", "price"])
        self.rows("b.csv", right, ["title", "brand", "price"])

    def test_sizes_of_a_product_are_no_copies_of_it(self):
        self.offers_of_two_shops(0)
        stats, _ = self.run_of("a.csv", "--against", "b.csv")
        self.assertEqual(len({left for left, _ in self.pairs()}), len(self.pairs()))
        self.assertEqual(stats["confidence"], "low")

    def test_several_partners_that_may_be_sizes_of_a_product_are_doubted(self):
        self.offers_of_two_shops(11)
        stats, _ = self.run_of("a.csv", "--against", "b.csv")
        self.assertLess(len({right for _, right in self.pairs()}), len(self.pairs()))
        self.assertIn("records of the right collection have several partners, copies or siblings",
                      stats["confidence_reasons"])
        self.assertLess(stats["estimated_f1"], .95)

    def test_partners_that_are_missing_are_expected_as_often_as_others_have_a_second_one(self):
        self.offers_of_two_shops(0, sizes=3, shortened=.3)
        stats, err = self.run_of("a.csv", "--against", "b.csv")
        self.assertEqual(stats["confidence"], "low", "the share of the clear links is no lower bound")
        self.assertIn("of the clearest links have a second free partner", err)

    def test_families_of_products_are_linked_one_to_one(self):
        draw = random.Random(2)
        left, right = [], []
        for _ in range(150):
            brand, line, what = word(draw), word(draw, 4), word(draw, 5)
            for size in range(4):
                model = f"{word(draw, 2)}{draw.randrange(100, 999)}"
                price = f"{10 + 7 * size + draw.randrange(5)}.{draw.randrange(10, 99)}"
                left.append([f"{brand} {line} {what} {model}", brand, model, price])
                right.append([f"{brand} {what} {line} {model}", brand, model, price])
        head = ["title", "brand", "model", "price"]
        self.rows("a.csv", left, head)
        self.rows("b.csv", right, head)
        self.run_of("a.csv", "--against", "b.csv")
        pairs = self.pairs()
        self.assertEqual(len(pairs), len({left for left, _ in pairs}))
        self.assertGreater(sum(left == right for left, right in pairs), 570)

    def test_groups_of_thirteen_are_found_whole(self):
        draw = random.Random(3)
        rows = [slip(draw, row) for row in [person(draw) for _ in range(60)] for _ in range(13)]
        self.rows("a.csv", rows + [person(draw) for _ in range(300)])
        stats, err = self.run_of("a.csv")
        self.assertNotIn("more neighbours keep", err)
        sizes = [row["size"] for row in self.table("out.csv")]
        self.assertGreater(sizes.count("13"), 700)
        self.assertEqual(stats["confidence"], "ok")
        weak = {row["cluster_id"] for row in self.table("out.csv")
                if row["weakest"] and float(row["weakest"]) < .01}
        self.assertEqual(stats["weak_groups"], len(weak))

    def test_an_exact_copy_is_never_ranked_below_a_misspelt_one(self):
        draw = random.Random(4)
        titles = [[" ".join(word(draw) for _ in range(5)), word(draw, 4)] for _ in range(400)]
        right = [[" ".join(misspelt(draw, w) if draw.random() < .3 else w for w in row[0].split()),
                  row[1]] for row in titles]
        right[:20] = [list(row) for row in titles[:20]]
        right += [[misspelt(draw, row[0]), row[1]] for row in titles[:20]]
        self.rows("a.csv", titles, ["title", "maker"])
        self.rows("b.csv", right, ["title", "maker"])
        self.run_of("a.csv", "--against", "b.csv", "--assign", "one-to-one")
        for i in range(20):
            self.assertIn((str(i), str(i)), self.pairs())

    def test_one_column_is_linked_by_a_cosine_that_stands_out(self):
        draw = random.Random(5)
        names = [" ".join(word(draw) for _ in range(3)) for _ in range(300)]
        self.rows("a.csv", [[name] for name in names], ["name"])
        self.rows("b.csv", [[misspelt(draw, name)] for name in names[:150]] +
                  [[" ".join(word(draw) for _ in range(3))] for _ in range(150)], ["name"])
        stats, err = self.run_of("a.csv", "--against", "b.csv")
        pairs = self.pairs()
        self.assertGreater(sum(left == right for left, right in pairs), 140)
        self.assertLess(sum(left != right for left, right in pairs), 12)
        self.assertIsNone(stats["estimated_f1"])
        self.assertEqual(stats["confidence"], "low")
        self.assertEqual(len(stats["confidence_reasons"]), 1)
        self.assertIn("confidence  low: with a single column", err)
        self.assertIn("next: a second column to compare", err)

    def names(self, seed: int, copies: int) -> set:
        """Writes 400 names made from few words, some of them twice, with a typo or without a word;
        returns the pairs of these copies."""
        draw = random.Random(seed)
        given, surnames = [word(draw, 2) for _ in range(30)], [word(draw) for _ in range(300)]
        names = [f"{draw.choice(given)} {draw.choice(given)} {draw.choice(surnames)}" for _ in range(400)]
        made = [misspelt(draw, name) if draw.random() < .5 else name.split(" ", 1)[1] for name in names[:copies]]
        self.rows("a.csv", [[name] for name in names + made], ["name"])
        return {(str(i), str(400 + i)) for i in range(copies)}

    def test_scores_of_one_column_reach_from_0_to_1(self):
        draw = random.Random(22)
        names = [" ".join(word(draw) for _ in range(3)) for _ in range(300)]
        self.rows("a.csv", [[name] for name in names], ["name"])
        self.rows("b.csv", [[name] for name in names[:100]] +
                  [[misspelt(draw, misspelt(draw, name))] for name in names[100:200]], ["name"])
        self.run_of("a.csv", "--against", "b.csv")
        links = self.table("out.csv")
        scores = [float(row["score"]) for row in links]
        self.assertEqual(scores, sorted(scores, reverse=True))
        parts = [float(row["probability"]) for row in links]
        self.assertTrue(all(part > .95 for row, part in zip(links, parts) if row["level_name"] == "equal"))
        self.assertLess(min(parts), .95)
        _, err = self.run_of("a.csv", "--against", "b.csv", "--cut", ".9")
        self.assertIn("cut         probability 0.9", err)
        kept = {(row["left"], row["right"]) for row in self.table("out.csv")}
        self.assertEqual(sum(row["level_name"] == "equal" for row in self.table("out.csv")), 100)
        self.assertLess(len(kept), len(links))
        given = ("a.csv", "--against", "b.csv")
        text = self.sosie("explain", "a:0", "b:0", *given, "--id", "id", "--kind", "records").out.decode()
        self.assertIn(" bits, probability 0.9", text)

    def test_labels_move_the_links_of_one_column_and_what_is_said_of_them(self):
        truth = self.names(23, 120)
        free, _ = self.run_of("a.csv")
        before = self.grouped()
        self.assertEqual(free["estimates"], [])
        self.sosie("link", "a.csv", "--suggest", "100", "-o", "ask.csv")
        asked = self.table("ask.csv")
        pairs = [(row["left"], row["right"]) for row in asked]
        self.assertGreater(sum(pair in truth for pair in pairs), 20)
        self.write("labels.csv", "left,right,label\n" + "".join(
            f"{left},{right},{int((left, right) in truth)}\n" for left, right in pairs))
        stats, err = self.run_of("a.csv", "--labels", "labels.csv")
        f1 = lambda found: 2 * len(found & truth) / (len(found) + len(truth))  # noqa: E731
        self.assertGreater(f1(self.grouped()), f1(before) + .01, err)
        self.assertEqual([row["method"] for row in stats["estimates"]], ["labels"])
        self.assertAlmostEqual(stats["estimates"][0]["f1"], f1(self.grouped()), delta=.1, msg=err)

    def test_one_column_of_two_lists_tells_precision_alone(self):
        draw = random.Random(24)
        names = [" ".join(word(draw) for _ in range(3)) for _ in range(600)]
        self.rows("a.csv", [[name] for name in names[:400]], ["name"])
        self.rows("b.csv", [[misspelt(draw, name)] for name in names[200:]], ["name"])
        stats, err = self.run_of("a.csv", "--against", "b.csv")
        self.assertIn("recall unknown, by runner-up", err)
        estimate = stats["estimates"][0]
        self.assertIsNone(estimate["recall"])
        self.assertIsNone(estimate["f1"])
        links = self.pairs()
        true = sum(int(left) == int(right) + 200 for left, right in links) / len(links)
        self.assertAlmostEqual(estimate["precision"], true, delta=.1)

    def test_one_column_of_one_collection_gives_groups(self):
        draw = random.Random(6)
        names = [" ".join(word(draw) for _ in range(3)) for _ in range(200)]
        self.rows("a.csv", [[name] for name in names] +
                  [[misspelt(draw, name)] for name in names[:100]], ["name"])
        stats, _ = self.run_of("a.csv")
        self.assertGreater(stats["groups"], 90)
        self.assertLess(stats["links"], 110)

    def test_names_that_share_common_words_are_no_copies(self):
        draw = random.Random(11)
        given, surnames = [word(draw, 2) for _ in range(40)], [word(draw, 5) for _ in range(300)]
        names = sorted({f"{draw.choice(given)} {draw.choice(given)} {draw.choice(surnames)}" for _ in range(600)})
        copies = [misspelt(draw, name) for name in names[:60]]
        self.rows("a.csv", [[name] for name in names + copies], ["name"])
        stats, _ = self.run_of("a.csv")
        self.assertGreater(stats["links"], 45)
        self.assertLess(stats["links"], 110)  # 775 with the cosine alone

    def shared_homes(self, draw: random.Random, copies: int) -> list[list[str]]:
        """Members who share surname, street and city, and copies with a typo."""
        given, rows = [word(draw) for _ in range(60)], []
        for _ in range(150):
            home = [word(draw, 4), f"{draw.randrange(1, 150)} {word(draw, 4)} street", word(draw, 4)]
            rows += [[name, *home] for name in draw.sample(given, draw.randrange(2, 6))]
        return rows + [slip(draw, row) for row in rows[:copies]]

    def test_households_that_differ_in_given_names_alone_are_no_copies(self):
        rows = self.shared_homes(random.Random(21), 80)
        self.rows("a.csv", rows, ["given", "surname", "street", "city"])
        stats, _ = self.run_of("a.csv")
        self.assertGreater(stats["links"], 60)
        self.assertLess(stats["links"], 110)

    def test_candidates_that_are_nearly_all_matches_give_links(self):
        draw = random.Random(7)
        left = [person(draw) for _ in range(200)]
        self.rows("a.csv", left)
        self.rows("b.csv", [slip(draw, row) for row in left])
        self.write("rules.toml", 'version = 1\n[fields]\n' + "".join(
            f'{name} = {{ compare = "jaro-winkler", levels = [0.92, 0.82] }}\n'
            for name in self.HEAD) + '[candidates]\nrules = [{ near = ["given", "surname", "born", '
            '"city", "phone"], top = 1 }]\n')
        stats, _ = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        self.assertGreater(stats["links"], 190)

    def test_shops_of_one_house_are_not_linked_with_confidence(self):
        draw = random.Random(3)
        towns = [word(draw) for _ in range(6)]
        shops = [[f"{draw.randrange(1, 300)} {word(draw, 4)} street", draw.choice(towns), person(draw)[4]]
                 for _ in range(500)]
        copies = [[misspelt(draw, address) if draw.random() < .5 else address, town,
                   misspelt(draw, phone) if draw.random() < .5 else phone]
                  for address, town, phone in shops[:100]]
        others = [[address, town, person(draw)[4]] for address, town, _ in shops[200:240]]
        self.rows("shops.csv", shops + copies + others, ["address", "town", "phone"])
        stats, err = self.run_of("shops.csv")
        self.assertEqual(stats["confidence"], "low", err)
        self.assertIn("of the links rest on a single field, and fewer than three fields", err)

    def offers(self, draw: random.Random) -> tuple[list[list[str]], list[list[str]]]:
        """Two shops whose products come in variants that differ in colour, size and price."""
        sides: tuple[list, list] = ([], [])
        brands = [word(draw, 3) for _ in range(40)]
        for _ in range(500):
            brand, name, what = draw.choice(brands), word(draw, 4), draw.choice(["lens", "drill", "mouse", "phone"])
            price = draw.randrange(9, 900)
            for size in range(draw.randrange(1, 6)):
                colour = draw.choice(["black", "white", "silver", "red", "blue", "green", "grey", "gold"])
                title = f"{brand} {name} {what} {11 + 2 * size} {colour}"
                shops = draw.choice([(0, 1), (0,), (0,), (1,), (1,)])
                for shop in shops:
                    words = title.split()
                    if shop == 1 and draw.random() < .3:
                        words = words[1:] + words[:1]
                    if shop == 1 and draw.random() < .3:
                        words.append(draw.choice(["new", "oem", "sale"]))
                    offered = (price + 20 * size) * draw.uniform(.85, 1.15)
                    sides[shop].append([" ".join(words), brand, f"{offered:.2f}", title])
        return sides

    def test_variants_of_a_missing_product_are_not_linked_with_confidence(self):
        left, right = self.offers(random.Random(5))
        for name, side in (("a.csv", left), ("b.csv", right)):
            self.rows(name, [row[:3] for row in side], ["title", "brand", "price"])
        stats, err = self.run_of("a.csv", "--against", "b.csv")
        links = [left[int(x)][3] == right[int(y)][3] for x, y in self.pairs()]
        self.assertLess(sum(links) / len(links), .9, "wrong links, or there is nothing to tell")
        f1 = 2 * sum(links) / (len(links) + len({row[3] for row in left} & {row[3] for row in right}))
        self.assertAlmostEqual(stats["estimated_f1"], f1, delta=.05)
        self.assertGreater(stats["estimates"][0]["f1"], f1 + .05, "the model sees it by itself")
        self.assertEqual(stats["confidence"], "low", err)
        self.assertIn("of the clearest links have a second free partner", err)

    def households(self, name: str, seed: int, copied: float) -> set:
        """Writes families of two to five people at the same address and as many people living
        alone; returns the pairs of copies."""
        draw = random.Random(seed)
        given = [word(draw, 2) for _ in range(150)]

        def member(home: list[str]) -> list[str]:
            return [draw.choice(given), *home,
                    f"{draw.randrange(1930, 2010)}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 29):02d}"]

        rows = []
        for size in [*(draw.randint(2, 5) for _ in range(120)), *[1] * 400]:
            home = [word(draw, 3), f"{draw.randrange(1, 99)} {word(draw, 4)} street",
                    str(draw.randrange(10_000, 99_999)), word(draw, 3)]
            rows += [member(home) for _ in range(size)]
        originals = draw.sample(range(len(rows)), round(copied * len(rows)))
        copies = {(str(row), str(len(rows) + i)) for i, row in enumerate(originals)}
        rows += [slip(draw, rows[row]) for row in originals]
        self.rows(name, rows, ["given", "surname", "street", "zip", "city", "born"])
        return copies

    def grouped(self) -> set:
        groups = {}
        for row in self.table("out.csv"):
            groups.setdefault(row["cluster_id"], []).append(row["id"])
        return {pair for ids in groups.values() for pair in combinations(sorted(ids, key=int), 2)}

    def test_members_of_a_household_are_no_copies(self):
        for seed, copied in ((1, .05), (2, .15), (3, .3)):
            copies = self.households("people.csv", seed, copied)
            stats, err = self.run_of("people.csv")
            pairs = self.grouped()
            self.assertGreater(len(pairs & copies), .93 * len(pairs), err)
            self.assertGreater(len(pairs & copies), .93 * len(copies), err)
            self.assertEqual((stats["confidence"], stats["confidence_reasons"]), ("ok", []), err)

    def test_sons_with_the_name_of_their_father_are_no_copies(self):
        for seed in (31, 32, 33):
            copies = self.households("people.csv", seed, .15)
            rows = [line.split(",")[1:] for line in self.read("people.csv").decode().splitlines()[1:]]
            first: dict = {}
            for row in rows:
                first.setdefault(row[3], row[0])
                if sum(row[0].encode()) % 5 < 2:
                    row[0] = first[row[3]]
            self.rows("people.csv", rows, ["given", "surname", "street", "zip", "city", "born"])
            stats, err = self.run_of("people.csv")
            pairs = self.grouped()
            self.assertGreater(len(pairs & copies), .85 * len(pairs), err)
            self.assertGreater(len(pairs & copies), .85 * len(copies), err)
            self.assertGreater(stats["estimated_f1"], .9, err)

    def test_households_with_whole_names_in_one_column_are_no_sure_copies(self):
        for seed, copied in ((41, .02), (42, .05), (43, .3)):
            copies = self.households("people.csv", seed, copied)
            rows = [line.split(",")[1:] for line in self.read("people.csv").decode().splitlines()[1:]]
            self.rows("people.csv", [[f"{row[0]} {row[1]}", *row[2:]] for row in rows],
                      ["name", "street", "zip", "city", "born"])
            stats, err = self.run_of("people.csv")
            pairs = self.grouped()
            f1 = 2 * len(pairs & copies) / (len(pairs) + len(copies))
            if stats["confidence"] == "ok":
                self.assertAlmostEqual(stats["estimated_f1"], f1, delta=.1, msg=err)
            else:
                self.assertIn("as members of a household do" if f1 < .9 else "families", err)

    def test_households_without_a_copy_are_not_linked(self):
        self.households("people.csv", 4, 0)
        self.run_of("people.csv")
        self.assertLess(len(self.grouped()), 3)

    def test_where_copies_are_too_few_kin_are_named_and_doubted(self):
        copies = self.households("people.csv", 5, .005)
        stats, err = self.run_of("people.csv")
        self.assertLess(len(self.grouped() - copies), 3)
        self.assertEqual(stats["confidence"], "low")
        self.assertIn("families differ in 'given' and 'born' together", err)
        self.assertIn('never = [{ differ = ["given", "born"] }]', err)

    def households_without_birth_dates(self, copied: float) -> set:
        truth = self.households("people.csv", 6, copied)
        lines = [line.rsplit(",", 1)[0] for line in self.read("people.csv").decode().splitlines()]
        self.write("people.csv", "\n".join(lines) + "\n")
        return truth

    def test_kin_that_differ_in_one_field_alone_are_parted_and_doubted(self):
        truth = self.households_without_birth_dates(.15)
        stats, err = self.run_of("people.csv")
        self.assertEqual(stats["confidence"], "low")
        self.assertIn("families differ in 'given'", err)
        self.assertIn('never = [{ differ = ["given"] }]', err)
        pairs = self.grouped()
        self.assertGreater(len(pairs & truth), .9 * len(pairs), err)
        self.assertGreater(len(pairs & truth), .75 * len(truth), err)

    def test_kin_that_differ_in_one_field_alone_are_doubted(self):
        self.households_without_birth_dates(1)
        stats, err = self.run_of("people.csv")
        self.assertEqual(stats["confidence"], "low")
        self.assertIn("many links differ in 'given' alone, as members of a household do", err)
        self.assertIn('never = [{ differ = ["given"] }]', err)

    def rules(self, decide: str) -> None:
        fields = "".join(f'{name} = {{ compare = "jaro-winkler", levels = [0.92, 0.82] }}\n'
                         for name in self.HEAD)
        self.write("rules.toml", f'version = 1\n[fields]\n{fields}sex = {{ compare = "none" }}\n'
                   '[candidates]\nrules = [{ near = ["given", "surname", "born", "city", "phone"], '
                   f'top = 5 }}]\n[decide]\n{decide}\n')

    def test_the_estimate_leaves_out_what_never_is_a_link(self):
        draw = random.Random(11)
        left = [[*person(draw), "f"] for _ in range(500)]
        self.rows("a.csv", left, [*self.HEAD, "sex"])
        self.rows("b.csv", [[*slip(draw, row[:5]), "f" if i < 250 else "m"]
                            for i, row in enumerate(left)], [*self.HEAD, "sex"])
        self.rules('never = [{ differ = ["sex"] }]')
        stats, err = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        self.assertEqual(self.pairs(), {(str(i), str(i)) for i in range(250)})
        self.assertGreater(stats["estimated_f1"], .98, err)
        self.assertEqual(stats["confidence"], "ok", err)

    def test_matches_that_never_parts_by_a_slip_are_expected(self):
        draw = random.Random(12)
        left = [[*person(draw), ""] for _ in range(400)]
        self.rows("a.csv", left, [*self.HEAD, "sex"])
        right = [[misspelt(draw, row[0]) if i % 4 == 0 else row[0], *row[1:]]
                 for i, row in enumerate(left)]
        self.rows("b.csv", right, [*self.HEAD, "sex"])
        self.rules('never = [{ differ = ["given"] }]')
        stats, err = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        self.assertEqual(len(self.pairs()), 300)
        self.assertAlmostEqual(stats["estimated_f1"], 2 * 300 / 700, delta=.05, msg=err)
        self.assertIn("never rules separate 100 pairs that the model considers matches", err)

    def test_matches_that_never_parts_against_the_model_are_expected(self):
        draw = random.Random(14)
        left = [[*person(draw), ""] for _ in range(400)]
        self.rows("a.csv", left, [*self.HEAD, "sex"])
        right = [[*row[:3], word(draw, 5), row[4], ""] if i % 4 == 0 else [*slip(draw, row[:5]), ""]
                 for i, row in enumerate(left)]  # a quarter has moved
        self.rows("b.csv", right, [*self.HEAD, "sex"])
        self.rules('never = [{ differ = ["city"] }]')
        stats, err = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        found = len(self.pairs())
        self.assertAlmostEqual(stats["estimated_f1"], 2 * found / (found + 400), delta=.05, msg=err)
        self.assertIn("pairs that the model considers matches", err)

    def test_links_by_a_rule_that_the_model_takes_for_none_are_doubted(self):
        draw = random.Random(13)
        left = [[*person(draw), ""] for _ in range(400)]
        right = [[*slip(draw, row[:5]), ""] for row in left[:200]]
        right += [[*person(draw)[:3], row[3], row[4], ""] for row in left[200:260]]
        self.rows("a.csv", left, [*self.HEAD, "sex"])
        self.rows("b.csv", right, [*self.HEAD, "sex"])
        self.rules('always = [{ equal = ["phone"] }]')
        stats, err = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        self.assertGreater(len(self.pairs()), 255)
        self.assertIn("of the links, which the model rejects", err)
        self.assertLess(stats["estimated_f1"], .93)
        by_model = next(line for line in err.splitlines() if ", by model" in line)
        self.assertIn(f"F1 {stats['estimated_f1']:.3f}", by_model)
        # It matters which links are certain.
        self.rules('always = [{ equal = ["given", "phone"] }]')
        stats, err = self.run_of("a.csv", "--against", "b.csv", "--rules", "rules.toml")
        self.assertNotIn("which the model rejects", err)

    def test_few_rows_are_never_linked_with_confidence(self):
        self.rows("six.csv", [
            ["Clara", "Huber", "Lindenweg 4", "Linz", "1984-03-12"],
            ["Paul", "Huber", "Lindenweg 4", "Linz", "1981-11-02"],
            ["Anna", "Schmidt", "Hauptstrasse 12", "Berlin", "1990-07-21"],
            ["Ana", "Schmidt", "Hauptstr. 12", "Berlin", "1990-07-21"],
            ["Jonas", "Weber", "Am Markt 3", "Hamburg", "1975-01-30"],
            ["Lena", "Fischer", "Gartenweg 9", "Bonn", "1969-05-17"]],
            ["given", "surname", "street", "city", "born"])
        stats, err = self.run_of("six.csv")
        self.assertEqual(stats["confidence"], "low")
        self.assertIn("there are too few matches to learn from", err)

    def test_what_is_clear_is_said_with_confidence(self):
        draw = random.Random(8)
        left = [person(draw) for _ in range(500)]
        self.rows("a.csv", left)
        self.rows("b.csv", [slip(draw, row) for row in left[:300]] +
                  [person(draw) for _ in range(200)])
        stats, err = self.run_of("a.csv", "--against", "b.csv")
        self.assertEqual((stats["confidence"], stats["confidence_reasons"]), ("ok", []))
        self.assertGreater(stats["estimated_f1"], 0.98)
        self.assertIn("confidence  ok\n", err)
        self.assertNotIn("next:", err)
        self.assertIsNone(stats["confidence_next_step"])

    def people(self, name: str, seed: int, count: int, copied: int, names: int) -> None:
        """Writes people without surnames, some of whom occur twice."""
        draw = random.Random(seed)
        given = [word(draw) for _ in range(names)]
        weights = [(i + 3) ** -.7 for i in range(names)]
        rows = [[draw.choices(given, weights)[0], str(draw.randrange(1920, 2000)),
                 str(draw.randrange(1, 13)), str(draw.randrange(1, 31))] for _ in range(count)]
        for row in rows[:copied]:
            other, chance = list(row), draw.random()
            if chance < .45:
                other[0] = misspelt(draw, other[0])
            elif chance < .65:
                other[1] = str(int(other[1]) + draw.choice([-10, 10, 1, -1]))
            elif chance < .9:
                month = chance < .8
                other[2 if month else 3] = str(draw.randrange(1, 13 if month else 31))
            rows.append(other)
        self.rows(name, rows, ["given", "year", "month", "day"])

    def test_matches_that_a_longer_fit_sees_lower_the_estimate(self):
        for seed in (4, 5):
            self.people("a.csv", seed, 5000, 700, 300)
            stats, _ = self.run_of("a.csv")
            self.assertLess(stats["estimated_f1"], stats["estimates"][0]["f1"] - .05, seed)

    def test_fits_that_see_very_different_numbers_of_matches_have_low_confidence(self):
        self.people("a.csv", 3, 5000, 700, 600)
        stats, _ = self.run_of("a.csv")
        self.assertTrue(any(reason.startswith("models expect between ")
                            for reason in stats["confidence_reasons"]))

    def test_groups_of_pairs_that_are_not_clear_have_low_confidence(self):
        for seed in (1, 2):
            self.people("a.csv", seed, 3000, 300, 60)
            stats, err = self.run_of("a.csv")
            self.assertIn("many pairs are neither clear matches nor clear non-matches",
                          stats["confidence_reasons"], seed)
            self.assertIn("next: ", err)

    def test_the_answer_does_not_depend_on_threads(self):
        draw = random.Random(9)
        rows = [person(draw) for _ in range(300)]
        self.rows("a.csv", rows + [slip(draw, row) for row in rows[:200] for _ in range(2)])
        outputs = set()
        for threads in ("1", "2", "5"):
            self.sosie("link", "a.csv", "-o", "out.csv", "--threads", threads)
            outputs.add((self.dir / "out.csv").read_bytes())
        self.assertEqual(len(outputs), 1)

    def test_a_model_of_several_partners_gives_the_same_bytes(self):
        draw = random.Random(1)
        people = [person(draw) for _ in range(300)]
        self.rows("few.csv", people)
        self.rows("many.csv", [slip(draw, row) for row in people for _ in range(3)])
        for left, right, side in (("few.csv", "many.csv", "left"), ("many.csv", "few.csv", "right")):
            with self.subTest(several=side):
                given = (left, "--against", right)
                self.run_of(*given, "--model", "m.json")
                learnt = self.read("out.csv")
                model = json.loads(self.read("m.json"))
                self.assertEqual(model["several_partners"], side)
                self.sosie("link", *given, "--init", "-o", "rules.toml")
                rules = (self.dir / "rules.toml").read_text() + '[score]\nmodel = "m.json"\n'
                self.write("rules.toml", rules)
                self.run_of(*given, "--rules", "rules.toml")
                self.assertEqual(self.read("out.csv"), learnt)
                # A request overrides the model.
                self.run_of(*given, "--rules", "rules.toml", "--assign", "one-to-one")
                self.assertLessEqual(len(self.pairs()), 300)
                self.write("m.json", json.dumps(model | {"several_partners": "both"}))
                err = self.fails(3, "link", *given, "--rules", "rules.toml").err
                self.assertIn("several_partners", err)

    def test_offers_of_endless_families_are_not_all_linked(self):
        # A hundred products from each series, with codes that differ by a digit or two.
        draw = random.Random(1)
        rows, entities = [], []
        for _ in range(6):
            brand, series, kind = word(draw, 2), [word(draw) for _ in range(5)], word(draw, 2)
            base = str(draw.randrange(10**4, 10**5))
            for product in range(100):
                code = f"{base}-{product:03d}"
                size = draw.choice(["4", "8", "16", "32", "64"])
                for _ in range(3):
                    title = [name if draw.random() > .1 else misspelt(draw, name)
                             for name in series if draw.random() > .1] + [code, size + "gb"]
                    rows.append([brand, kind, " ".join(title), code if draw.random() < .8 else "",
                                 size if draw.random() < .5 else ""])
                    entities.append(code)
        self.rows("a.csv", rows, ["brand", "kind", "title", "part", "size"])
        stats, err = self.run_of("a.csv", "--model", "m.json")
        self.assertIn("each record keeps its 10 nearest", err)
        self.assertEqual(stats["confidence"], "low")
        groups = self.read("out.csv")
        members = {}
        for row in self.table("out.csv"):
            members.setdefault(row["cluster_id"], []).append(entities[int(row["id"])])
        linked = [(a, b) for of in members.values() for a, b in combinations(of, 2)]
        right = sum(a == b for a, b in linked)
        self.assertGreater(right, 450)  # of 1,800
        self.assertGreater(right / len(linked), 0.9)
        # The model without changes gives the same groups.
        self.sosie("link", "a.csv", "--init", "-o", "rules.toml")
        self.write("rules.toml",
                   (self.dir / "rules.toml").read_text() + '[score]\nmodel = "m.json"\n')
        self.run_of("a.csv", "--rules", "rules.toml")
        self.assertEqual(self.read("out.csv"), groups)

    def test_groups_of_hundreds_go_back_to_ten_neighbours(self):
        # All of ten neighbours match, and all of thirty, and of ninety.
        draw = random.Random(10)
        rows = [slip(draw, row) for row in [person(draw) for _ in range(4)] for _ in range(300)]
        self.rows("a.csv", rows)
        stats, err = self.run_of("a.csv")
        self.assertIn("each record keeps its 10 nearest", err)
        self.assertLessEqual(stats["candidates"], 10 * len(rows))
        self.assertEqual(stats["confidence"], "low")
        self.assertIn("comparing more neighbours keeps yielding more matches",
                      stats["confidence_reasons"])
        self.assertGreater(stats["links"], 150_000)  # complete groups nevertheless

    def test_partners_that_look_alike_do_not_make_the_answer_empty(self):
        # Households whose members share every value.
        draw = random.Random(11)
        homes = [(word(draw), str(draw.randrange(1, 400)), word(draw, 4)) for _ in range(90)]
        people = [[*home, draw.choice("abcdefgh")] for home in homes for _ in range(4)]
        head = ["surname", "number", "street", "initial"]
        self.rows("a.csv", people, head)
        self.rows("b.csv", [[misspelt(draw, row[0]), *row[1:]] if draw.random() < .3 else row
                            for row in people], head)
        stats, _ = self.run_of("a.csv", "--against", "b.csv")
        self.assertGreater(stats["links"], 200)
        self.assertEqual(stats["confidence"], "low")

    def test_a_model_that_sees_no_match_among_near_copies_is_refused(self):
        draw = random.Random(12)
        people = [person(draw) for _ in range(200)]
        self.rows("a.csv", people + [slip(draw, row) for row in people])
        self.sosie("link", "a.csv", "--init", "-o", "rules.toml")
        self.run_of("a.csv", "--model", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        matches, strangers = model["classes"][:2]
        strangers["share"] += matches["share"]
        matches["share"] = 1e-30
        self.write("m.json", json.dumps(model))
        with open(self.dir / "rules.toml", "a", encoding="utf-8") as rules:
            rules.write('[score]\nmodel = "m.json"\n')
        given = ("a.csv", "--rules", "rules.toml")
        self.assertIn("a new one is learnt", self.fails(2, "link", *given).err)
        # A requested cut may leave nothing.
        self.sosie("link", *given, "--cut", "0.9")

    def test_low_confidence_names_a_next_step_that_runs(self):
        draw = random.Random(13)
        names = [word(draw, 2) for _ in range(12)]
        people = [[draw.choice(names), draw.choice(names), word(draw, 8),
                   draw.choice(names)] for _ in range(400)]
        head = ["given", "surname", "e mail", "city"]
        self.rows("a.csv", people, head)
        # Without e-mail, no pair is a link, so --check-by 'e mail' would have nothing to check.
        for filled, step in ((1, "--suggest 100"), (.3, "--ignore 'e mail'")):
            with self.subTest(filled):
                self.rows("b.csv", [[draw.choice(names), *row[1:2],
                                     row[2] if draw.random() < filled else "", row[3]]
                                    for row in people], head)
                stats, err = self.run_of("a.csv", "--against", "b.csv")
                self.assertEqual(stats["confidence"], "low")
                self.assertTrue(stats["confidence_next_step"].startswith(step),
                                stats["confidence_next_step"])
                self.assertIn(f"            next: {stats['confidence_next_step']}\n", err)
                self.run_of("a.csv", "--against", "b.csv", *shlex.split(step))

    def test_a_column_that_nearly_no_record_has_is_told(self):
        draw = random.Random(14)
        people = [[*person(draw), {7: "f", 311: "g"}.get(i, "")] for i in range(400)]
        self.rows("a.csv", people, [*self.HEAD, "fax"])
        _, err = self.run_of("a.csv")
        self.assertIn("note        field 'fax' is nearly empty: 0.5 % of the records have it", err)

    def test_few_names_that_are_changed_about_are_compared_crosswise(self):
        draw = random.Random(15)
        people = [person(draw) for _ in range(400)]
        self.rows("a.csv", people)
        self.rows("b.csv", [[row[1], row[0], *row[2:]] if i % 12 == 0 else row
                            for i, row in enumerate(people)])
        rules = self.sosie("link", "a.csv", "--against", "b.csv", "--init", "-q").out.decode()
        self.assertIn('crosswise = "surname"', rules)

    def test_kin_of_another_file_are_no_copies_though_people_move(self):
        draw = random.Random(17)
        given = [word(draw, 2) for _ in range(150)]
        surnames = [word(draw) for _ in range(1000)]

        def home() -> list[str]:
            return [f"{draw.randrange(1, 150)} {word(draw, 2)} street", f"{draw.randrange(9999):04}"]

        def resident(surname: str, at: list[str]) -> list[str]:
            born = f"{draw.randrange(1930, 2005)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
            return [draw.choice(given), surname, born, *at]

        left = [resident(draw.choice(surnames), home()) for _ in range(2000)]
        moved = [row[:3] + home() if draw.random() < .2 else row for row in left[:600]]
        kin = [resident(row[1], row[3:]) for row in draw.sample(left, 420)]
        others = [resident(draw.choice(surnames), home()) for _ in range(980)]
        head = ["given", "surname", "born", "street", "postcode"]
        self.rows("a.csv", left, head)
        self.rows("b.csv", [slip(draw, row) if draw.random() < .5 else row for row in moved] + kin +
                  others, head)
        self.run_of("a.csv", "--against", "b.csv")
        pairs = self.pairs()
        right = sum(left == other for left, other in pairs)
        self.assertGreater(right, 580)
        self.assertLess(len(pairs) - right, 30)

    def test_people_of_one_address_are_not_one_person(self):
        draw = random.Random(16)
        people = []
        for _ in range(250):
            home = [word(draw, 4), f"{draw.randrange(1, 99)} {word(draw, 4)}", f"{draw.randrange(9999):04}"]
            people += [[word(draw), *home, f"{draw.randrange(1940, 2005)}{draw.randrange(101, 999)}",
                        f"{word(draw, 4)}@{word(draw)}"] for _ in range(4)]
        rows = people + [slip(draw, row) for row in people[:300]]
        self.rows("a.csv", rows, ["given", "surname", "street", "postcode", "born", "email"])
        self.run_of("a.csv")
        sizes = [row["size"] for row in self.table("out.csv")]
        self.assertGreater(sizes.count("2"), 560)
        self.assertLess(sum(size not in ("1", "2") for size in sizes), 20)


if __name__ == "__main__":
    unittest.main()
