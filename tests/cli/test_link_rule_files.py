"""Rules files of `sosie link`: files generated from the data, files that are rejected, and the
schema.
"""

import json
import re
import tomllib
import unittest

from record_rules import RulesTest
from support import ROOT
from test_link import as_csv, copies, people


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
        result = self.fails(2, "link", "a.csv", "--against", "c.csv")
        self.assertIn("no field in common", result.err)
        for name in ("given", "here", "town"):
            self.assertIn(name, result.error_lines()[1])

    def test_columns_of_other_names_are_held_against_each_other_by_their_words(self):
        rows = people(57, 60)
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv([{"id": row["id"], "Name": row["surname"], "town": row["city"],
                                     "phone": row["phone"]} for row in copies(58, rows, "c")]))
        result = self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv")
        self.assertIn("field 'surname' is left out: the other collection does not have it; compare "
                      "it with 'Name'? --rules can, by columns_right", result.err)
        self.assertIn("compare it with 'town'?", result.err)
        # Without a common column, there is nothing else to report.
        self.write("c.csv", as_csv([{"id": row["id"], "family": row["surname"], "town": row["city"]}
                                    for row in rows]))
        result = self.fails(2, "link", "a.csv", "--against", "c.csv")
        self.assertIn("compare 'surname' with 'family', 'city' with 'town'; --init -o RULES.toml writes",
                      result.error_lines()[1])

    def test_ids_and_names_of_sources_are_left_out(self):
        rows = [dict(row, ref=f"r{1000 + i}", source="crm", fax="") for i, row in enumerate(people(59, 60))]
        others = [dict(row, ref=f"r{5000 + i}", source="shop", fax=f"0{i}")
                  for i, row in enumerate(copies(60, people(59, 60), "c"))]
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(others))
        note = "field 'ref' is left out: every record has a different value, like an id"
        self.assertRegex(self.sosie("link", "a.csv", "-o", "g.csv").err, note + r"\n(?!.*--id)")
        self.write("r.csv", as_csv([{name: row[name] for name in row if name != "id"} for row in rows]))
        self.assertIn(f"{note}; --id ref names the records by it", self.sosie("link", "r.csv", "-o", "g.csv").err)
        result = self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv")
        self.assertIn(note, result.err)
        self.assertIn("field 'source' is left out: it is constant in each collection", result.err)
        self.assertIn("field 'fax' is left out: it is empty in one collection", result.err)
        # The same numbers on both sides are kept if they belong to the same records.
        numbered = [dict(row, ref=f"r{1000 + i}") for i, row in enumerate(others)]
        self.write("b.csv", as_csv(numbered))
        self.assertNotIn("'ref'", self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv").err)
        self.write("b.csv", as_csv([dict(row, ref=f"r{1000 + (i + 7) % 60}")
                                    for i, row in enumerate(others)]))
        self.assertIn(note, self.sosie("link", "a.csv", "--against", "b.csv", "-o", "l.csv").err)

    def test_a_field_that_is_checked_by_is_no_part_of_others(self):
        rows = people(65, 150)
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(copies(66, rows, "c")))
        self.rules('rules = [{ near = ["given", "born", "phone"] }]',
                   'given = { crosswise = "surname" }\nsurname = {}\nborn = {}\nphone = {}\n'
                   'all = { columns = ["given", "surname", "city"], brief = ["surname", "city"], '
                   'compare = "tfidf" }\n')
        args = ("link", "a.csv", "--against", "b.csv", "--rules", "rules.toml", "-o", "l.csv")
        self.sosie(*args)
        for name in ("given", "surname"):
            result = self.sosie(*args, "--check-by", name)
            self.assertIn(f"field '{name}' is not scored and finds no candidates", result.err)
        # The rest of the message does not matter.
        self.write("b.csv", as_csv([dict(row, surname="x") for row in copies(66, rows, "c")]))
        self.sosie(*args, "--check-by", "surname")
        without = self.table("l.csv")
        self.write("b.csv", as_csv([dict(row, surname="other") for row in copies(66, rows, "c")]))
        self.sosie(*args, "--check-by", "surname")
        self.assertEqual(self.table("l.csv"), without)

    def test_what_init_writes_gives_the_same_result(self):
        rows = people(63, 120)
        for i, row in enumerate(rows):
            row["note"] = f"customer of {row['city']} since {1990 + i % 20} likes item{i % 17}"
            row["spent"] = f"{(i * 7919) % 1000 / 4:.2f}"
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(copies(64, rows[:80], "c")))
        for args in (["a.csv"], ["a.csv", "--against", "b.csv"]):
            rules = self.sosie("link", *args, "--init", "-q").out
            for key in (b"prune = 0.2", b"nearness", b"tfidf", b"  # "):
                self.assertIn(key, rules)
            self.assertEqual(b"brief = " in rules, len(args) > 1)
            self.write("rules.toml", rules)
            self.sosie("link", *args, "-o", "chosen.csv")
            self.sosie("link", *args, "--rules", "rules.toml", "-o", "given.csv")
            self.assertEqual(self.read("chosen.csv"), self.read("given.csv"))

    def test_columns_without_a_name_of_their_own_are_numbered(self):
        rows = people(55, 60)
        lines = ["id,,given,given,,given 2"] + [
            ",".join((r["id"], r["surname"], r["given"], r["city"], r["phone"], r["born"])) for r in rows]
        self.write("a.csv", "\n".join(lines) + "\n")
        result = self.sosie("link", "a.csv", "-o", "g.csv", "--pairs", "p.csv")
        for column, name in ((2, "column 2"), (4, "given 3"), (5, "column 5")):
            self.assertIn(f"column {column} has no unique name and is called '{name}'", result.err)
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
        self.assertIn("confidence  low: nothing is linked", result.err)
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
        """Very long values, unusual characters, control characters: near by every join."""
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
                 "within cannot be combined with 'cosine', which compares sets")):
            self.rules(candidates)
            result = self.fails(3, "link", "a.csv", "--rules", "rules.toml")
            self.assertIn("rules.toml:9", result.err)
            self.assertIn(message, result.err)


class Schema(RulesTest):
    """The schema is generated from the table that the parser reads, so both give the same verdict
    on a file."""

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
                         ("[1]", str(list(range(62)))), ('equal = "a" }', 'equal = "a", near = "b" }'),
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
    """True if a value matches a schema; supports as much of JSON Schema as rules need."""
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


if __name__ == "__main__":
    unittest.main()
