"""`sosie link` on unusual inputs: sparse rows, very wide tables, very long values."""

import json
import random
import unittest

from made_people import word
from support import SosieTest, size_of

GIVEN = ["an", "bert", "cleo", "dora", "emil", "fri", "gus", "hein", "ina", "jo", "karl", "lud", "mar",
         "nor", "otto", "paul", "quin", "rosa", "sim", "tom", "ulla", "vera", "wim", "xav", "yan", "zoe"]


class OddInputTest(SosieTest):
    def test_fields_that_the_first_row_lacks_are_compared(self):
        draw = random.Random(1)
        rows = [{"id": "first", "name": "anna schmidt"}]
        for i in range(60):
            born = f"{draw.randint(1940, 2005)}{draw.randint(1, 12):02}{draw.randint(1, 28):02}"
            rows += [{"id": f"{side}{i}", "name": f"name{i}", "born": born} for side in "ab"]
        self.write("sparse.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        chosen = self.sosie("link", "sparse.jsonl", "--init", "-q").out.decode()
        self.assertIn("born = {", chosen)
        # A field named by rules may occur later than any sample reaches.
        late = [{"id": str(i), "name": f"name{i}"} for i in range(12000)] + [
            {"id": "last", "name": "zoe", "born": "19700101"}]
        self.write("late.jsonl", "".join(json.dumps(row) + "\n" for row in late))
        self.write("rules.toml", "version = 1\n[fields]\nname = {}\nborn = {}\n"
                                 "[candidates]\nrules = [{ equal = [\"born\"] }]\n")
        self.sosie("link", "late.jsonl", "--rules", "rules.toml", "--dry-run")

    def test_a_refusal_says_why_no_field_is_compared(self):
        self.write("a.csv", "id,name,city\n1,anna,rome\n")
        self.write("b.csv", "id,name,city\n1,anna,rome\n")
        err = self.fails(3, "link", "a.csv", "--against", "b.csv").err
        self.assertIn("no field to compare", err)
        self.assertIn("field 'name' is left out: it is constant", err)
        self.write("other.jsonl", '{"id": 1}\n')
        err = self.fails(2, "link", "a.csv", "--against", "other.jsonl").err
        self.assertIn("one has name, city; the other has none;", err)

    def test_an_empty_file_has_no_records(self):
        self.write("a.csv", "id,name,city\n1,anna,rome\n2,bert,oslo\n")
        self.write("rules.toml", "version = 1\n[fields]\nname = { compare = \"equal\" }\n"
                                 "[candidates]\nrules = [{ equal = [\"name\"] }]\n")
        for name in ("empty.csv", "empty.jsonl"):
            self.write(name, "")
            self.assertEqual(self.sosie("link", name).out, b"id\tcluster_id\tsize\tweakest\n")
            for args in (("a.csv", "--against", name), (name, "--against", "a.csv"),
                         (name, "--against", name)):
                out = self.sosie("link", *args).out
                self.assertRegex(out, b"^left\tright\tscore\tprobability\trules\t[^\n]*\n$")
                self.sosie("link", *args, "--rules", "rules.toml", "--report", "page.html")

    def test_ten_thousand_columns_take_seconds_and_few_lines(self):
        draw = random.Random(1)
        width = 10000
        rows = [",".join(["id"] + [f"c{i}" for i in range(width)])]
        rows += [",".join([str(j)] + [f"v{draw.randrange(50)}" for _ in range(width)])
                 for j in range(60)]
        self.write("wide.csv", "\n".join(rows) + "\n")
        err = self.sosie("link", "wide.csv", "-o", "out.csv", timeout=120).err
        reason = "left out: only the 512 with the most different values are compared; --rules can choose others"
        self.assertEqual(err.count(f"is {reason}"), 20)
        self.assertIn("9,468 more fields are left out in the same way", err)
        chosen = self.sosie("link", "wide.csv", "--init", "-q").out.decode()
        self.assertEqual(chosen.count("jaro-winkler"), 512)

    def test_columns_that_differ_more_are_taken_before_others(self):
        rows = [",".join(["id"] + [f"flag{i}" for i in range(600)] + ["name", "town"])]
        rows += [",".join([str(j)] + ["no" if j % 50 else "yes"] * 600 + [f"name{j % 40}", f"t{j % 9}x"])
                 for j in range(100)]
        self.write("flags.csv", "\n".join(rows) + "\n")
        chosen = self.sosie("link", "flags.csv", "--init", "-q").out.decode()
        for name in ("name", "town"):
            self.assertIn(f"\n{name} = ", chosen)

    def test_very_many_equal_values_of_the_only_rule_take_seconds(self):
        draw = random.Random(4)
        count = size_of(100000, 20000)
        rows = [f"{i},smith,{draw.choice(GIVEN)}{draw.choice(GIVEN)},{draw.randrange(10**7, 10**8)}"
                for i in range(count)]
        rows += [f"c{row}" for row in rows[:count // 10]]
        self.write("smiths.csv", "\n".join(["id,surname,given,phone", *rows]) + "\n")
        self.write("rules.toml", 'version = 1\n[fields]\nsurname = {}\ngiven = {}\nphone = {}\n'
                                 '[candidates]\nrules = [{ equal = ["surname"] }]\n')
        self.sosie("link", "smiths.csv", "--rules", "rules.toml", "-o", "g.csv", "--stats", "s.json",
                   timeout=120)
        found = json.loads((self.dir / "s.json").read_text())
        self.assertGreaterEqual(found["groups"], 0.98 * (count // 10))

    def test_days_and_decimals_are_read_as_each_collection_writes_them(self):
        draw = random.Random(6)
        left, right = [], []
        for i in range(300):
            name = draw.choice(GIVEN)
            day, month, year = draw.randrange(1, 29), draw.randrange(1, 13), draw.randrange(1940, 2010)
            cents = draw.randrange(100, 99999)
            left.append(f"{i},{name},{day:02}/{month:02}/{year},{cents // 100}.{cents % 100:02}")
            right.append(f'{i},{name},{year}-{month:02}-{day:02} 00:00:00,"{cents // 100},{cents % 100:02}"')
        header = "id,name,born,price"
        self.write("left.csv", "\n".join([header, *left]) + "\n")
        self.write("right.csv", "\n".join([header, *right]) + "\n")
        rules = self.sosie("link", "left.csv", "--against", "right.csv", "--init", "-q").out.decode()
        self.assertIn('born = { type = "date", format = "%d %m %Y", format_right = "%Y %m %d"', rules)
        self.assertIn('price = { type = "number", decimal_right = ","', rules)
        self.write("rules.toml", rules)
        for chosen in ([], ["--rules", "rules.toml"]):
            self.sosie("link", "left.csv", "--against", "right.csv", *chosen, "-o", "links.csv")
            links = self.table("links.csv")
            right_ones = sum(row["left"] == row["right"] for row in links)
            self.assertGreaterEqual(right_ones, 297)
            self.assertLessEqual(len(links) - right_ones, 3)

    def test_days_that_read_as_two_formats_are_told(self):
        draw = random.Random(8)
        rows = [(f"{draw.choice(GIVEN)}{draw.choice(GIVEN)}", draw.randrange(1, 13), draw.randrange(1, 13),
                 draw.randrange(1, 10)) for _ in range(100)]
        def write(name: str, form: str) -> None:
            self.write(name, "id,name,born\n" + "".join(
                f"{i},{given},{form.format(day, month, year)}\n" for i, (given, day, month, year) in enumerate(rows)))
        write("left.csv", "{0:02}/{1:02}/{2:02}")
        write("right.csv", "{0:02}/{1:02}/{2:02}")
        write("iso.csv", "200{2}-{1:02}-{0:02}")
        err = self.sosie("link", "left.csv", "--against", "right.csv", "-o", "l.csv").err
        self.assertEqual(err.count("reads as %d %m %y and as %m %d %y: it is compared as written"), 2, err)
        self.assertIn("field 'born': ", err)
        err = self.sosie("link", "left.csv", "--against", "iso.csv", "-o", "l.csv").err
        self.assertEqual(err.count("reads as %d %m %y and as %m %d %y: the first is taken"), 1, err)
        self.assertNotIn("reads as", self.sosie("link", "left.csv", "-o", "g.csv").err)

    def test_files_of_one_collection_may_order_their_columns_as_they_like(self):
        draw = random.Random(7)
        people = [(f"{draw.choice(GIVEN)}{draw.choice(GIVEN)}", f"{draw.randrange(10**7, 10**8)}",
                   draw.choice(["rome", "oslo", "bonn"])) for _ in range(200)]
        self.write("one.csv", "id,name,phone,town\n" + "".join(
            f"a{i},{name},{phone},{town}\n" for i, (name, phone, town) in enumerate(people)))
        self.write("two.csv", "phone,id,name,fax\n" + "".join(
            f"{phone},b{i},{name},1\n" for i, (name, phone, _) in enumerate(people)))
        done = self.sosie("link", "one.csv", "two.csv", "-o", "groups.csv", "--stats", "s.json")
        self.assertIn("two.csv: has no town, and has also fax", done.err)
        self.assertGreaterEqual(json.loads((self.dir / "s.json").read_text())["groups"], 195)
        self.write("three.csv", "id,a,b\nx,1,2\n")
        err = self.fails(3, "link", "one.csv", "three.csv", "-o", "groups.csv").err
        self.assertIn("three.csv: has none of the columns of one.csv", err)
        self.write("four.csv", "name,phone\nanna,1\n")
        err = self.fails(3, "link", "one.csv", "four.csv", "-o", "groups.csv", "--id", "id").err
        self.assertIn("four.csv", err)
        # Names alone do not distinguish texts.
        err = self.fails(3, "dedup", "one.csv", "two.csv", "--column", "name", "-o", "kept.csv").err
        self.assertIn("the header differs", err)

    def test_records_that_are_all_equal_or_all_different_end(self):
        header = "id,name,town\n"
        self.write("equal.csv", header + "".join(f"{i},anna schmidt,rome\n" for i in range(20000)))
        err = self.fails(3, "link", "equal.csv", "-o", "g.csv", timeout=60).err
        self.assertIn("field 'name' is left out: it is constant", err)
        # But for one record.
        self.write("nearly.csv", header +
                   "".join(f"{i},anna schmidt,rome\n" for i in range(size_of(20000, 1500))) +
                   "x,bert,oslo\n")
        self.sosie("link", "nearly.csv", "-o", "g.csv", timeout=120)
        draw = random.Random(5)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.write("other.csv", header + "".join(
            f"{i},{''.join(draw.choices(letters, k=12))},{''.join(draw.choices(letters, k=9))}\n"
            for i in range(5000)))
        self.sosie("link", "other.csv", "-o", "g.csv", timeout=60)

    def test_columns_that_are_null_are_named(self):
        rows = [f"{i},NULL,name{i % 7},,unknown" for i in range(100)]
        self.write("nulls.csv", "\n".join(["id,a,name,b,c", *rows]) + "\n")
        err = self.sosie("link", "nulls.csv", "-o", "g.csv").err
        for name in "abc":
            self.assertIn(f"field '{name}' is left out: it is empty", err)
        wide = ",".join(f"c{i}" for i in range(2000))
        self.write("wide.csv", f"id,name,{wide}\n" +
                   "".join(f"{i},name{i % 7}{',' * 2000}\n" for i in range(20)))
        err = self.sosie("link", "wide.csv", "-o", "g.csv").err
        self.assertIn("1,980 more fields are left out in the same way", err)
        self.write("nulls.csv", "id,a,b\n" + "".join(f"{i},NULL,\n" for i in range(100)))
        self.assertIn("no field to compare", self.fails(3, "link", "nulls.csv").err)

    def test_the_cut_is_the_score_of_the_last_link(self):
        draw = random.Random(3)
        left, right = [], []
        for i in range(900):
            row = [f"{draw.choice('abcdefghijk')}{draw.choice('lmnop')}n{draw.randrange(50)}",
                   f"{draw.randint(1940, 2005)}{draw.randint(1, 12):02}{draw.randint(1, 28):02}",
                   f"0{draw.randint(10**7, 10**8)}"]
            left.append(",".join([f"a{i}", *row]))
            if i % 2:
                for _ in range(draw.randrange(3)):
                    row[draw.randrange(3)] = draw.choice(["", row[0][1:]])
                right.append(",".join([f"b{i}", *row]))
        header = "id,name,born,phone\n"
        self.write("a.csv", header + "\n".join(left) + "\n")
        self.write("b.csv", header + "\n".join(right) + "\n")
        self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv", "--stats", "s.json")
        stats = json.loads((self.dir / "s.json").read_text())
        self.assertEqual(stats["estimates"][0]["method"], "model")
        scores = [float(row["score"]) for row in self.table("l.csv")]
        self.assertEqual(len(scores), stats["links"])
        self.assertGreater(len(scores), 400)
        self.assertAlmostEqual(stats["cut_bits"], min(scores), places=5)

    def test_a_cut_that_no_link_reaches_is_told_as_it_was_given(self):
        for side in "ab":
            self.write(side + ".csv", "id,name\n" + "".join(
                f"{side}{i},person number{i * 7919 % 1000} smith{i}\n" for i in range(30)))
        said = self.sosie("link", "a.csv", "--against", "b.csv", "--cut", "0.99999", "-o", "out.csv").err
        self.assertIn("cut         probability 1.000, as asked for", said)
        self.assertEqual(self.table("out.csv"), [])

    def test_partners_of_large_groups_are_expected_the_more_are_found(self):
        draw = random.Random(5)
        more = [word(draw, 2) for _ in range(30)]
        names = []
        for entity in range(4):
            own, words = word(draw, 4), draw.sample(more, 6)
            names += [(entity, " ".join([own, *draw.sample(words, draw.randint(3, 5))])) for _ in range(60)]
        names += [(10 + i, " ".join([word(draw, 4), *draw.sample(more, draw.randint(0, 3))])) for i in range(300)]
        draw.shuffle(names)
        self.write("a.csv", "id,firm\n" + "".join(f"{i},{name}\n" for i, (_, name) in enumerate(names)))
        self.sosie("link", "a.csv", "-o", "g.csv", "--pairs", "p.csv", "--threads", "1")
        pairs = [names[int(row["left"])][0] == names[int(row["right"])][0] for row in self.table("p.csv")]
        self.assertGreater(sum(pairs), 1400)  # a sixth fewer if groups are formed only once before
        self.assertGreater(sum(pairs), .99 * len(pairs))
        self.sosie("link", "a.csv", "-o", "h.csv", "--threads", "7")
        self.assertEqual(self.read("g.csv"), self.read("h.csv"))

    def test_strangers_of_one_column_without_a_rival_are_not_linked(self):
        own = [f"{a}{b}{c}" for a in "bdfghj" for b in "aeiou" for c in "klmnp"]  # no two share 3 characters
        ends = [f"{a}{b}{c}" for a in "rstvwz" for b in "aeiou" for c in "bcdfg"]
        left = [f"{part}{end}" for part, end in zip(own, ends)]
        right = [f"{part}x{end[::-1]}q" for part, end in zip(own, ends)]
        copies = ["grand bristolia", "old carltonia"]
        self.write("a.csv", "name\n" + "\n".join(left + copies) + "\n")
        self.write("b.csv", "name\n" + "\n".join(right + copies) + "\n")
        self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv")
        self.assertEqual([row["left"] for row in self.table("l.csv")], ["150", "151"])

    def test_a_name_of_megabytes_is_not_repeated_whole(self):
        self.write("a.csv", "id,name\n1,anna\n2,bert\n")
        self.write("rules.toml", "version = 1\n[fields]\nname = {}\n[candidates]\n"
                                 f"rules = [{{ equal = [\"{'x' * 10**6}\"] }}]\n")
        err = self.fails(3, "link", "a.csv", "--rules", "rules.toml").err
        self.assertIn("rules.toml:5: 'xxx", err)
        self.assertLess(len(err), 500)


if __name__ == "__main__":
    unittest.main()
