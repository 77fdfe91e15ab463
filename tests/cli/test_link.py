"""`sosie link`: records of the same entity, within one collection and between two."""

# slow: groups of fifty, and 20,000 records in one block.

import csv
import json
import random
import unittest

from support import DATA, SosieTest, needs_data, read_table

FIRST = ("anna bert carla david emma franz greta hans irene jakob klara lukas maria norbert olga paul "
         "quentin rosa simon thea ulrich vera walter xenia yannick zoe").split()
LAST = ("schneider fischer weber wagner becker hoffmann schaefer koch richter klein wolf neumann "
        "schwarz zimmermann braun krueger hartmann lange werner krause lehmann koehler").split()
CITIES = "berlin hamburg muenchen koeln frankfurt stuttgart duesseldorf leipzig dortmund".split()


def people(seed: int, count: int) -> list[dict]:
    draw = random.Random(seed)
    return [{"id": f"p{i}", "given": draw.choice(FIRST), "surname": draw.choice(LAST),
             "born": f"{draw.randint(1940, 2005)}{draw.randint(1, 12):02}{draw.randint(1, 28):02}",
             "city": draw.choice(CITIES), "phone": f"0{draw.randint(10**8, 10**9 - 1)}"}
            for i in range(count)]


def typo(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text))
    return text[:at] + draw.choice("abcdefghij") + text[at + 1:]


def copies(seed: int, rows: list[dict], prefix: str) -> list[dict]:
    """A corrupted copy of each row, with one typing error or one missing value."""
    draw = random.Random(seed)
    out = []
    for row in rows:
        copy = dict(row, id=prefix + row["id"])
        field = draw.choice(["given", "surname", "city", "phone"])
        copy[field] = typo(draw, copy[field]) if draw.random() < 0.7 else ""
        out.append(copy)
    return out


def as_csv(rows: list[dict]) -> str:
    lines = [",".join(rows[0])]
    return "\n".join(lines + [",".join(row.values()) for row in rows]) + "\n"


def pairs_of(groups: list[dict]) -> set:
    members: dict = {}
    for row in groups:
        members.setdefault(row["cluster_id"], []).append(row["id"])
    return {(a, b) for ids in members.values() for i, a in enumerate(ids) for b in ids[i + 1:]}


class Link(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = people(1, 300)
        self.copies = copies(2, self.rows[:150], "c")
        self.write("a.csv", as_csv(self.rows))
        self.write("b.csv", as_csv(self.copies))
        self.write("all.csv", as_csv(self.rows + self.copies))
        self.truth = {(row["id"], "c" + row["id"]) for row in self.rows[:150]}

    def test_groups_hold_the_copies_and_every_row_once(self):
        self.sosie("link", "all.csv", "-o", "c.csv")
        groups = self.table("c.csv")
        self.assertEqual([row["id"] for row in groups],
                         [row["id"] for row in self.rows + self.copies])
        found = pairs_of(groups)
        self.assertGreaterEqual(len(found & self.truth), 147)
        self.assertLessEqual(len(found - self.truth), 3)
        sizes = {row["cluster_id"]: 0 for row in groups}
        for row in groups:
            sizes[row["cluster_id"]] += 1
        for row in groups:
            self.assertEqual(int(row["size"]), sizes[row["cluster_id"]])
            self.assertEqual(row["weakest"] == "", row["size"] == "1")

    def test_links_are_one_to_one_and_best_first(self):
        self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv")
        links = self.table("l.csv")
        found = {(row["left"], row["right"]) for row in links}
        self.assertGreaterEqual(len(found & self.truth), 147)
        self.assertLessEqual(len(found - self.truth), 3)
        self.assertEqual(len({row["left"] for row in links}), len(links))
        self.assertEqual(len({row["right"] for row in links}), len(links))
        scores = [float(row["score"]) for row in links]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for row in links:
            bits = sum(float(row[f"bits_{f}"]) for f in ("given", "surname", "born", "city", "phone"))
            self.assertAlmostEqual(bits, float(row["score"]), places=4)
            self.assertEqual(row["rules"], "near given&surname&born&city&phone")

    def test_same_bytes_for_any_threads_and_memory(self):
        outs = []
        for run, options in enumerate((["--threads", "1"], ["--threads", "5"],
                                       ["--threads", "3", "--memory", "100M"])):
            self.sosie("link", "all.csv", "-o", f"{run}.csv", "--pairs", f"p{run}.csv", *options)
            self.sosie("link", "a.csv", "--against", "b.csv", "-o", f"l{run}.csv", *options)
            outs.append([self.read(name)
                         for name in (f"{run}.csv", f"p{run}.csv", f"l{run}.csv")])
        self.assertEqual(outs[0], outs[1])
        self.assertEqual(outs[0], outs[2])

    def test_ids_decide_nothing(self):
        self.sosie("link", "all.csv", "-o", "c.csv")
        renamed = [dict(row, id=f"row {i}") for i, row in enumerate(self.rows + self.copies)]
        self.write("renamed.csv", as_csv(renamed))
        self.sosie("link", "renamed.csv", "-o", "r.csv")
        number = {row["id"]: f"row {i}" for i, row in enumerate(self.rows + self.copies)}
        self.assertEqual([dict(row, id=number[row["id"]], cluster_id=number[row["cluster_id"]])
                          for row in self.table("c.csv")], self.table("r.csv"))

    def test_pairs_are_all_pairs_of_a_group(self):
        self.sosie("link", "all.csv", "-o", "c.csv", "--pairs", "p.csv")
        groups = self.table("c.csv")
        pairs = self.table("p.csv")
        self.assertEqual({(row["left"], row["right"]) for row in pairs}, pairs_of(groups))
        self.assertEqual({row["rules"] for row in pairs},
                         {"near given&surname&born&city&phone"})
        weakest: dict = {}
        group_of = {row["id"]: row["cluster_id"] for row in groups}
        for row in pairs:
            group = group_of[row["left"]]
            weakest[group] = min(weakest.get(group, 1), float(row["probability"]))
        for row in groups:
            if row["size"] != "1":
                self.assertAlmostEqual(float(row["weakest"]), weakest[row["cluster_id"]], places=5)

    def test_groups_of_fifty_are_found_whole(self):
        """The ten nearest records are only a part of the group, so the search continues."""
        draw = random.Random(3)
        rows = []
        for person in people(4, 8):
            for i in range(50):
                copy = dict(person, id=f"{person['id']}-{i}")
                if draw.random() < 0.5:
                    field = draw.choice(["given", "surname", "phone"])
                    copy[field] = typo(draw, copy[field])
                rows.append(copy)
        rows += [dict(row, id="o" + row["id"]) for row in people(5, 300)]
        self.write("many.csv", as_csv(rows))
        summary = self.sosie("link", "many.csv", "-o", "c.csv").err
        self.assertIn("search widened for", summary)
        truth = {(a["id"], b["id"]) for i, a in enumerate(rows[:400]) for b in rows[i + 1:400]
                 if a["id"].split("-")[0] == b["id"].split("-")[0]}
        found = pairs_of(self.table("c.csv"))
        self.assertGreater(len(found & truth) / len(truth), 0.95)
        self.assertGreater(len(found & truth) / len(found), 0.95)

    def test_first_rules_give_what_no_rules_give(self):
        for inputs in (["all.csv"], ["a.csv", "--against", "b.csv"]):
            self.sosie("link", *inputs, "-o", "x.csv")
            rules = self.sosie("link", *inputs, "--init").out
            self.write("rules.toml", rules.decode())
            self.sosie("link", *inputs, "--rules", "rules.toml", "-o", "y.csv")
            self.assertEqual(self.read("x.csv"), self.read("y.csv"))
            self.sosie("link", *inputs, "--init", "-o", "again.toml")
            self.assertEqual(self.read("again.toml"), rules)

    RULES = """version = 1
[fields]
name = { columns = ["given", "surname"], compare = "jaro-winkler", levels = [0.95, 0.88, 0.8] }
born = { type = "date", compare = "days", levels = [1, 400] }
phone = { clean = "digits", compare = "levenshtein", levels = [1, 2] }
[candidates]
rules = [ { equal = ["born"] }, { equal = ["phone"] }, { sorted = ["name"], window = 4 } ]
"""

    def test_rules_say_what_is_compared_and_found(self):
        self.write("rules.toml", self.RULES)
        result = self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "-o",
                            "l.csv", "--stats", "s.json")
        links = self.table("l.csv")
        found = {(row["left"], row["right"]) for row in links}
        self.assertGreaterEqual(len(found & self.truth), 145)
        self.assertIn("level_name", links[0])
        self.assertNotIn("level_city", links[0])
        self.assertIn("sorted name", result.err)
        stats = json.loads(self.read("s.json"))
        by_rule = {rule["rule"]: rule for rule in stats["rules"]}
        same_day = sum(a["born"] == b["born"] for a in self.rows for b in self.copies)
        self.assertEqual(by_rule["born"]["pairs"], same_day)
        self.assertLessEqual(by_rule["born"]["only"], same_day)
        self.assertEqual(stats["links"], len(links))
        self.assertEqual([level["level"] for level in stats["fields"][1]["levels"]],
                         ["different", "days 400", "days 1", "equal"])

    def test_columns_of_other_names_are_mapped(self):
        renamed = [{"key": row["id"], "name": row["given"] + " " + row["surname"],
                    "birth": row["born"], "tel": row["phone"]} for row in self.copies]
        self.write("other.csv", as_csv(renamed))
        rules = self.RULES.replace('"surname"],', '"surname"], columns_right = "name",').replace(
            'type = "date",', 'type = "date", columns = ["born"], columns_right = ["birth"],').replace(
            'clean = "digits",', 'clean = "digits", columns_right = ["tel"],')
        self.write("rules.toml", rules)
        self.sosie("link", "a.csv", "--against", "other.csv", "--rules", "rules.toml", "-o", "l.csv")
        found = {(row["left"], self.copies[int(row["right"])]["id"]) for row in self.table("l.csv")}
        self.assertGreaterEqual(len(found & self.truth), 145)
        result = self.fails(2, "link", "a.csv", "--against", "other.csv")
        self.assertIn("no field in common", result.err)
        self.assertIn("tel", result.err)

    def test_large_blocks_are_said_and_keep_their_nearest(self):
        self.write("rules.toml", """version = 1
[fields]
given = {}
surname = {}
city = { compare = "equal" }
phone = { compare = "levenshtein" }
[candidates]
rules = [ { equal = ["city"] } ]
max_block = 5
""")
        result = self.sosie("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "-o",
                            "l.csv")
        self.assertIn("blocks of more than 5 records", result.err)
        found = {(row["left"], row["right"]) for row in self.table("l.csv")}
        same_city = {(a["id"], b["id"]) for a in self.rows for b in self.copies
                     if a["city"] == b["city"]} & self.truth
        self.assertGreater(len(found & same_city) / len(same_city), 0.95)

    def test_cut_and_assign(self):
        counts = []
        for cut in ("0.999999", "0.9", "0.1", "precision:0.999"):
            self.sosie("link", "a.csv", "--against", "b.csv", "--cut", cut, "-o", "l.csv")
            links = self.table("l.csv")
            counts.append(len(links))
            if not cut.startswith("precision"):
                self.assertTrue(all(float(row["probability"]) >= float(cut) - 1e-6 for row in links))
        self.assertLessEqual(counts[0], counts[1])
        self.assertLessEqual(counts[1], counts[2])
        self.write("b2.csv", as_csv(self.copies + [dict(row, id="d" + row["id"])
                                                   for row in self.copies]))
        lefts = {}
        for assign in ("one-to-one", "best", "all"):
            self.sosie("link", "a.csv", "--against", "b2.csv", "--assign", assign, "-o", "l.csv")
            lefts[assign] = [row["left"] for row in self.table("l.csv")]
        self.assertEqual(len(set(lefts["best"])), len(lefts["best"]))
        self.assertGreater(len(lefts["all"]), 1.9 * len(lefts["best"]))
        self.assertLessEqual(len(lefts["one-to-one"]), len(lefts["best"]))

    def test_formats_agree(self):
        lines = "".join(json.dumps(row) + "\n" for row in self.rows + self.copies)
        self.write("all.jsonl", lines)
        self.sosie("link", "all.csv", "-o", "c.csv")
        self.sosie("link", "all.jsonl", "-o", "j.csv")
        self.assertEqual(self.read("c.csv"), self.read("j.csv"))
        self.sosie("link", "a.csv", "b.csv", "-o", "two.csv")
        self.assertEqual(self.read("c.csv"), self.read("two.csv"))
        out = self.sosie("link", "all.csv").out.decode().splitlines()
        self.assertEqual(out[0], "id\tcluster_id\tsize\tweakest")
        self.assertEqual(len(out), 451)

    def test_ignored_fields_are_not_compared(self):
        self.sosie("link", "a.csv", "--against", "b.csv", "--ignore", "phone,city", "-o", "l.csv")
        self.assertNotIn("level_phone", self.table("l.csv")[0])
        result = self.fails(2, "link", "a.csv", "--ignore", "phon")
        self.assertIn("did you mean phone?", result.err)


class BadInput(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = people(7, 60)
        self.write("a.csv", as_csv(self.rows + copies(8, self.rows, "c")))

    def test_rules_name_file_line_and_nearest(self):
        self.write("r.toml", "version = 1\n[fields]\ngiven = { compare = \"jaro-winkle\" }\n")
        result = self.fails(3, "link", "a.csv", "--rules", "r.toml")
        self.assertEqual(result.error_lines(), [
            "sosie: r.toml:3: 'jaro-winkle' is no comparison", "  did you mean jaro-winkler?"])
        self.write("r.toml", "version = 1\n[fields]\ngivn = {}\n[candidates]\n"
                             "rules = [{ near = [\"givn\"] }]\n")
        result = self.fails(3, "link", "a.csv", "--rules", "r.toml")
        self.assertIn("field 'givn' is missing", result.err)
        self.assertIn("did you mean given?", result.err)
        self.fails(4, "link", "a.csv", "--rules", "none.toml")

    def test_what_cannot_be_meant(self):
        self.fails(2, "link")
        self.fails(2, "link", "a.csv", "--assign", "best")
        self.fails(2, "link", "a.csv", "--against", "a.csv", "--pairs", "p.csv")
        self.assertIn("precision:", self.fails(2, "link", "a.csv", "--cut", "2").err)
        self.fails(2, "link", "a.csv", "--init", "--rules", "r.toml")
        self.fails(2, "link", "a.csv", "-o", "a.csv")
        self.write("t.txt", "one\ntwo\n")
        self.fails(2, "link", "t.txt")

    def test_ragged_rows_and_equal_ids(self):
        self.write("r.csv", "id,name,city\n1,anna,berlin\n2,bert\n3,carla,koeln\n")
        self.assertIn("r.csv:3", self.fails(3, "link", "r.csv").err)
        result = self.sosie("link", "r.csv", "--on-bad-row", "skip")
        self.assertEqual([row["id"] for row in read_table(result.out)], ["1", "3"])
        self.assertIn("bad rows    1 left out", result.err)
        result = self.sosie("link", "r.csv", "--on-bad-row", "keep")
        self.assertEqual([row["size"] for row in read_table(result.out)], ["1", "1", "1"])
        self.assertIn("bad rows    1 linked to nothing", result.err)
        self.write("d.csv", "id,name\n1,anna\n1,bert\n")
        self.assertIn("1", self.fails(3, "link", "d.csv").err)

    def test_empty_and_constant_fields_are_left_out_and_said(self):
        rows = [dict(row, land="de", note="") for row in self.rows + copies(8, self.rows, "c")]
        self.write("x.csv", as_csv(rows))
        result = self.sosie("link", "x.csv", "-o", "c.csv", "--pairs", "p.csv")
        self.assertIn("field 'land' is left out: it is constant", result.err)
        self.assertIn("field 'note' is left out: it is empty", result.err)
        self.sosie("link", "a.csv", "-o", "c2.csv")
        self.assertEqual(self.read("c.csv"), self.read("c2.csv"))

    def test_nothing_to_tell_apart(self):
        self.write("same.csv", "id,name,city\n" + "".join(f"{i},anna,berlin\n" for i in range(20)))
        self.write("r.toml", "version = 1\n[fields]\nname = {}\ncity = {}\n"
                             "[candidates]\nrules = [{ equal = [\"name\"] }]\n")
        self.sosie("link", "same.csv", "--rules", "r.toml", "-o", "c.csv")
        self.assertEqual({row["size"] for row in self.table("c.csv")}, {"20"})  # copies of one record
        self.write("far.csv", "id,name\n1,abc\n2,xyz\n3,klm\n")
        result = self.sosie("link", "far.csv")
        self.assertIn("confidence  low: nothing is linked", result.err)
        self.assertEqual(len(result.out.decode().splitlines()), 4)
        self.fails(3, "link", "same.csv")  # both fields are constant

    def test_no_record_and_one_record(self):
        self.write("none.csv", "id,name\n")
        self.write("one.csv", "id,name\n7,anna\n")
        self.assertEqual(self.sosie("link", "none.csv").out, b"id\tcluster_id\tsize\tweakest\n")
        self.assertEqual(self.table_of(self.sosie("link", "one.csv").out),
                         [{"id": "7", "cluster_id": "7", "size": "1", "weakest": ""}])
        self.assertEqual(self.table_of(self.sosie("link", "one.csv", "--against", "none.csv").out),
                         [])

    def table_of(self, out: bytes) -> list[dict]:
        return read_table(out)

    def test_the_same_file_on_both_sides(self):
        self.sosie("link", "a.csv", "--against", "a.csv", "-o", "l.csv")
        links = self.table("l.csv")
        self.assertEqual({row["left"] for row in links}, {row["right"] for row in links})

    def test_equal_surnames_do_not_blow_up(self):
        draw = random.Random(9)
        rows = [{"id": str(i), "name": draw.choice(FIRST), "surname": "smith",
                 "phone": str(draw.randint(10**8, 10**9))} for i in range(20000)]
        self.write("s.csv", as_csv(rows))
        self.write("r.toml", "version = 1\n[fields]\nname = {}\nsurname = {}\n"
                             "phone = { compare = \"levenshtein\" }\n"
                             "[candidates]\nrules = [{ equal = [\"surname\"] }]\n")
        result = self.sosie("link", "s.csv", "--rules", "r.toml", "-o", "c.csv")
        self.assertIn("1 block of more than 2,000 records (the largest has 20,000)", result.err)

    def write_many_equal_rows(self, count: int):
        rows = people(10, 300)
        rows += [dict(rows[0], id=f"e{i}") for i in range(count)]
        self.write("e.csv", as_csv(rows))

    def test_many_equal_rows_are_one_search(self):
        """Comparing each with 50,000 rows that share all characters would take minutes."""
        self.write_many_equal_rows(50000)
        self.write("r.toml", "version = 1\n[fields]\ngiven = {}\nsurname = {}\nphone = {}\n"
                             "[candidates]\nrules = [{ near = [\"given\", \"surname\", \"phone\"] }]\n")
        result = self.fails(4, "link", "e.csv", "--rules", "r.toml", "--memory", "100M")
        self.assertRegex(result.err, "the records and their (neighbours|links) need about")
        self.assertRegex(result.err, r"raise --memory; \d+[MG] is enough")

    def test_pairs_of_a_large_group_are_counted_without_being_listed(self):
        self.write_many_equal_rows(1000)
        self.sosie("link", "e.csv", "-o", "c.csv", "--stats", "s.json")
        self.sosie("link", "e.csv", "-o", "c2.csv", "--stats", "s2.json", "--pairs", "p.csv")
        stats, listed = (json.loads(self.read(name)) for name in ("s.json", "s2.json"))
        self.assertEqual(stats["links"], len(self.table("p.csv")))
        self.assertGreaterEqual(stats["links"], 1001 * 1000 // 2)
        self.assertEqual(stats["estimated_precision"], listed["estimated_precision"])
        mean = sum(float(row["probability"]) for row in self.table("p.csv")) / stats["links"]
        self.assertAlmostEqual(stats["estimated_precision"], mean, places=3)

    def test_odd_numbers(self):
        rows = [{"id": str(i), "name": row["given"] + " " + row["surname"] + " " + row["city"],
                 "price": price}
                for i, (row, price) in enumerate(zip(self.rows * 2, ["1.5", "nan", "-3", "1e300",
                                                                     "inf", "12,5", "7.25"] * 18))]
        self.write("n.csv", "id,name,price\n" + "".join(
            f"{row['id']},{row['name']},\"{row['price']}\"\n" for row in rows))
        self.write("r.toml", "version = 1\n[fields]\nname = {}\n"
                             "price = { type = \"number\", compare = \"ratio\" }\n"
                             "[candidates]\nrules = [{ near = [\"name\"] }]\n")
        self.sosie("link", "n.csv", "--rules", "r.toml", "-o", "c.csv")


@needs_data("records")
class RecordSets(SosieTest):
    """Pair F1 on labelled sets, without labels and without rules: at most .02 below the goals for
    hand-written rules."""

    def f1(self, found: set, truth: set) -> float:
        return 2 * len(found & truth) / (len(found) + len(truth))

    def test_fodors_zagats(self):
        folder = DATA / "records" / "fodors-zagats"
        self.sosie("link", str(folder / "fodors.csv"), "--against", str(folder / "zagats.csv"), "-o",
                   "l.csv")
        rows = list(csv.reader((folder / "truth.csv").read_text().splitlines()))
        truth = {tuple(row) for row in rows[1:]}
        found = {(row["left"], row["right"]) for row in self.table("l.csv")}
        self.assertGreater(self.f1(found, truth), 0.96)

    def test_fake_1000(self):
        records = DATA / "records" / "splink-fake1000" / "records.csv"
        self.sosie("link", str(records), "--id", "unique_id", "--ignore", "cluster", "-o", "c.csv")
        entities: dict = {}
        for row in csv.DictReader(records.read_text().splitlines()):
            entities.setdefault(row["cluster"], []).append(row["unique_id"])
        truth = {(a, b) for ids in entities.values() for i, a in enumerate(ids) for b in ids[i + 1:]}
        found = pairs_of(self.table("c.csv"))
        self.assertGreater(self.f1(found, truth), 0.91)


if __name__ == "__main__":
    unittest.main()
