"""`sosie link` on inputs that strangers bring: sparse rows, very wide tables, very long values."""

import json
import random
import unittest

from support import SosieTest


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
        # Named by rules, a field may come later than any sample reaches.
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
        self.assertIn("no field to be compared by", err)
        self.assertIn("field 'name' is left out: it is constant", err)
        self.write("other.jsonl", '{"id": 1}\n')
        err = self.fails(3, "link", "a.csv", "--against", "other.jsonl").err
        self.assertIn("one has name, city; the other one none;", err)

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
        err = self.sosie("link", "wide.csv", "-o", "out.csv", timeout=60).err
        self.assertIn("field 'c512' is left out: at most 512 are looked at", err)
        self.assertIn("9467 fields before it are left out as well", err)
        self.assertLess(err.count("\n"), 80)

    def test_the_cut_of_the_model_is_the_one_that_is_taken(self):
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
        model = stats["estimates"][0]
        self.assertEqual(model["method"], "model")
        self.assertEqual(model["cut"]["links"], stats["links"])
        self.assertAlmostEqual(stats["cut_bits"], model["cut"]["score"], places=9)

    def test_a_name_of_megabytes_is_not_repeated_whole(self):
        self.write("a.csv", "id,name\n1,anna\n2,bert\n")
        self.write("rules.toml", "version = 1\n[fields]\nname = {}\n[candidates]\n"
                                 f"rules = [{{ equal = [\"{'x' * 10**6}\"] }}]\n")
        err = self.fails(3, "link", "a.csv", "--rules", "rules.toml").err
        self.assertIn("rules.toml:5: 'xxx", err)
        self.assertLess(len(err), 500)


if __name__ == "__main__":
    unittest.main()
