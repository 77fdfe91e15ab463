"""`sosie link NEW --against GROUPS --assign groups`: new records join groups, and the groups keep
their ids.
"""

import csv
import io
import json
import random
import re
import unittest

from support import ROOT, SosieTest
from test_link import as_csv, copies, pairs_of, people

BATCHES = 5


def customers(seed: int) -> list[dict]:
    """300 customers, most of whom occur two or three times, in random order."""
    rows = people(seed, 300)
    rows += copies(seed + 1, rows[:200], "c") + copies(seed + 2, rows[:100], "d")
    random.Random(seed).shuffle(rows)
    return rows


def entity(id_: str) -> str:
    return id_.lstrip("cd")


def linked_pairs(groups: list[dict]) -> set:
    return {tuple(sorted(pair)) for pair in pairs_of(groups)}


def f1_of(groups: list[dict]) -> float:
    found = linked_pairs(groups)
    true = linked_pairs([dict(row, cluster_id=entity(row["id"])) for row in groups])
    return 2 * len(found & true) / (len(found) + len(true))


class GrownGroups(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = customers(1)

    def rows_of(self, name: str) -> list[dict]:
        return list(csv.DictReader(io.StringIO(self.read(name).decode())))

    def begin(self, rows: list[dict]) -> None:
        self.write("first.csv", as_csv(rows))
        self.sosie("link", "first.csv", "--annotate", "all", "-o", "groups.csv", "--model", "weights.json", "-q")

    def add(self, name: str = "new.csv", to: str = "groups.csv", out: str = "grown.csv", *more: str, **how):
        return self.sosie("link", name, "--against", to, "--assign", "groups", "--model", "weights.json",
                          "-o", out, *more, **how)

    def in_batches(self, rows: list[dict], name: str) -> list[dict]:
        """The groups of all rows, with a fifth of the rows added at a time."""
        size = len(rows) // BATCHES
        self.begin(rows[:size])
        before = "groups.csv"
        for batch in range(1, BATCHES):
            self.write("new.csv", as_csv(rows[batch * size:(batch + 1) * size]))
            out = f"{name}{batch}.csv"
            self.add("new.csv", before, out, "-q")
            self.assertTrue(self.read(out).startswith(self.read(before)))
            before = out
        return self.rows_of(before)

    def test_batches_give_what_one_run_gives_and_ids_stay(self):
        self.write("all.csv", as_csv(self.rows))
        self.sosie("link", "all.csv", "--annotate", "all", "-o", "whole.csv", "-q")
        whole = self.rows_of("whole.csv")
        batches = self.in_batches(self.rows, "one")
        self.assertEqual([row["id"] for row in batches], [row["id"] for row in whole])
        self.assertGreater(f1_of(whole), 0.97)
        self.assertLess(abs(f1_of(batches) - f1_of(whole)), 0.01)
        sizes: dict = {}
        for row in batches:
            sizes[row["cluster_id"]] = sizes.get(row["cluster_id"], 0) + 1
            self.assertEqual(int(row["cluster_size"]) == 1, row["probability"] == "")
        self.assertGreater(max(sizes.values()), 2)

    def test_later_batches_in_another_order_give_the_same_groups(self):
        size = len(self.rows) // BATCHES
        parts = [self.rows[i * size:(i + 1) * size] for i in range(BATCHES)]
        one = self.in_batches([row for part in parts for row in part], "one")
        other = self.in_batches([row for i in (0, 3, 1, 4, 2) for row in parts[i]], "other")
        self.assertEqual(linked_pairs(one), linked_pairs(other))

    def test_the_number_of_threads_changes_nothing(self):
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:]))
        for threads in ("1", "3"):
            self.add("new.csv", "groups.csv", f"{threads}.csv", "--threads", threads)
        self.assertEqual(self.read("1.csv"), self.read("3.csv"))

    def test_records_join_groups_make_groups_or_stay_single(self):
        rows = people(5, 200)
        self.begin(rows[:100] + copies(6, rows[:50], "c"))
        new = [dict(rows[0], id="n1"), dict(rows[150], id="n2"), dict(rows[150], id="n3"), dict(rows[160], id="n4")]
        self.write("new.csv", as_csv(new))
        err = self.add("new.csv", "groups.csv", "grown.csv", "--stats", "stats.json").err
        added = {row["id"]: (row["cluster_id"], row["cluster_size"]) for row in self.rows_of("grown.csv")[-4:]}
        self.assertEqual(added, {"n1": ("p0", "3"), "n2": ("n2", "2"), "n3": ("n2", "2"), "n4": ("n4", "1")})
        self.assertIn("joined      1 record joined a group", err)
        self.assertIn("new         2 records formed 1 group; 1 single", err)
        stats = json.loads(self.read("stats.json"))
        self.assertEqual((stats["joined"], stats["new_groups"], stats["single"], stats["would_join"]), (1, 1, 1, []))

    def test_groups_and_their_weights_are_enough(self):
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:]))
        self.add(out="told.csv")
        err = self.sosie("link", "new.csv", "--against", "groups.csv", "--model", "weights.json", "-o", "seen.csv").err
        self.assertEqual(self.read("seen.csv"), self.read("told.csv"))
        self.assertIn("groups.csv: contains groups from link; new records are added to them", err)
        for more in (("--assign", "auto"), ()):  # there are no weights, so these are written
            err = self.sosie("link", "new.csv", "--against", "groups.csv", "--model", "other.json", "-o", "links.csv",
                             *more).err
            self.assertTrue(self.read("links.csv").startswith(b"left,right,"))
            self.assertEqual("of the run that made them" in err, not more)
            (self.dir / "other.json").unlink()

    def begin_apart(self) -> list[dict]:
        """Groups in which two copies of a customer are separate."""
        rows = people(5, 100)
        self.begin(rows + copies(6, rows[:50], "c"))
        parted = [dict(row, cluster_id="cp0") if row["id"] == "cp0" else row for row in self.rows_of("groups.csv")]
        self.write("groups.csv", as_csv(parted))
        return rows

    def test_runs_at_once_leave_the_output_of_one(self):
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:400]))
        self.add("new.csv", "groups.csv", "alone.csv", "-q")
        run = ("link", "new.csv", "--against", "groups.csv", "--model", "weights.json", "-o", "grown.csv", "--overwrite", "-q")
        self.assertEqual([both.wait(60) for both in [self.start(*run) for _ in range(2)]], [0, 0])
        self.assertEqual(self.read("grown.csv"), self.read("alone.csv"))

    def test_groups_that_a_record_would_join_are_listed_and_stay_apart(self):
        rows = self.begin_apart()
        self.write("new.csv", as_csv([dict(rows[0], id="n1")]))
        err = self.add("new.csv", "groups.csv", "grown.csv", "--pairs", "joins.csv").err
        self.assertEqual(self.rows_of("grown.csv")[-1]["cluster_id"], "p0")
        self.assertIn("would join  1 pair of groups, which stay apart", err)
        self.assertIn("p0 and cp0, by n1", err)
        joins = self.rows_of("joins.csv")
        self.assertEqual([(row["left"], row["right"], row["id"]) for row in joins], [("p0", "cp0", "n1")])
        self.assertTrue(self.read("grown.csv").startswith(self.read("groups.csv")))

    def test_groups_that_a_record_joins_become_one_if_that_is_asked_for(self):
        rows = self.begin_apart()
        before = self.rows_of("groups.csv")
        self.write("new.csv", as_csv([dict(rows[0], id="n1")]))
        err = self.add("new.csv", "groups.csv", "grown.csv", "--join-groups", "--pairs", "joins.csv", "--stats",
                       "stats.json").err
        self.assertIn("groups      1 group joined older ones", err)
        self.assertIn("p0 and cp0, by n1", err)
        grown = self.rows_of("grown.csv")
        self.assertEqual({row["id"] for row in grown if row["cluster_id"] == "p0"}, {"p0", "cp0", "n1"})
        self.assertEqual((grown[-1]["id"], grown[-1]["cluster_size"]), ("n1", "3"))
        self.assertEqual(grown[:-1], [dict(row, cluster_id="p0") if row["id"] == "cp0" else row for row in before])
        joins = [(row["left"], row["right"], row["id"]) for row in self.rows_of("joins.csv")]
        stats = json.loads(self.read("stats.json"))
        self.assertEqual(joins, [("p0", "cp0", "n1")])
        self.assertEqual((len(stats["joined_groups"]), stats["would_join"]), (1, []))
        for threads in ("1", "7"):
            self.add("new.csv", "groups.csv", f"{threads}.csv", "--join-groups", "--threads", threads)
            self.assertEqual(self.read(f"{threads}.csv"), self.read("grown.csv"))

    def joined(self, name: str, before: bytes, parted: bytes) -> bytes:
        """Joins group cp0 with p0 and returns the row `parted` of cp0; all other rows stay."""
        self.write(name, before)
        self.assertEqual(before.count(parted), 1)
        out = "grown-" + name
        self.add("new.csv", name, out, "--join-groups", "--overwrite")
        begin = before.index(parted)
        rest = before[begin + len(parted):]
        grown = self.read(out)
        self.assertTrue(grown.startswith(before[:begin]))
        self.assertIn(rest, grown)
        return grown[begin:grown.index(rest, begin)]

    def test_joined_rows_of_json_keep_all_other_bytes(self):
        rows = self.begin_apart()
        self.write("new.csv", as_csv([dict(rows[0], id="n1")]))
        lines = {row["id"]: json.dumps(row) for row in self.rows_of("groups.csv")}
        person = {name: value for name, value in json.loads(lines.pop("cp0")).items() if name != "cluster_id"}
        fields = json.dumps(person).strip("{}")
        for i in range(10_000):  # more rows than are searched for fields
            lines[f"f{i}"] = json.dumps(dict(dict.fromkeys(person, f"filler {i}"), id=f"f{i}", cluster_id=f"f{i}"))
        for end in ("\n", "\r\n"):
            before = "".join(line + end for line in lines.values()).encode()
            for parted in (
                    '{%s, "cluster_id": @, "note": "keep me"}',
                    '{ %s,"a":[1, 2.50],"b" : {"cluster_id": "cp0", "cluster_id":1e2}, "cluster_id":@ , "c":-0.0 }',
                    r'{"cluster_id": @, %s, "u": "\ud800 \u00e9\/", "n": [1e400, 12345678901234567890123]}',
                    r'{"k": 1, "k": 2, "cluster_id": "p1", %s, "cluster\u005fid": @, "k": "\"cluster_id\": \"cp0\""}',
                    '\ufeff{%s, "cluster_id": @}',
                    '{%s, "cluster_id": @, "deep": ' + "[" * 1100 + "]" * 1100 + "}",
                    '{%s, "cluster_id": @, "bad": "\udcff\udce9"}'):
                with self.subTest(parted=ascii(parted[:80]), end=end):
                    old, new = ((parted % fields).replace("@", id_).encode(errors="surrogateescape")
                                for id_ in ('"cp0"', '"p0"'))
                    last = (end + lines["f0"].replace("f0", "z") + end).encode()
                    self.assertEqual(self.joined("groups.jsonl", before + old + last, old), new)

    def test_joined_rows_of_tables_keep_all_other_bytes(self):
        rows = self.begin_apart()
        self.write("new.csv", as_csv([dict(rows[0], id="n1")]))
        groups = self.rows_of("groups.csv")
        person = next(row for row in groups if row["id"] == "cp0")
        names = ["id", "given", "surname", "cluster_id", "city", "phone", "born", "x,y", "note", "note"]
        for name, separator in (("groups.csv", ","), ("groups.tsv", "\t"), ("groups.csv", ";")):
            for end in ("\n", "\r\n"):
                before = separator.join(f'"{field}"' for field in names) + end
                for row in groups:
                    if row["id"] != "cp0":
                        before += separator.join([*(row[field] for field in names[:7]), "a", "b", "c"]) + end
                last = separator.join(["z"] * len(names)) + end
                for old_id in ("cp0", '"cp0"'):
                    with self.subTest(name=name, separator=separator, end=end, id=old_id):
                        cells = ['"cp0"', person["given"], f'"{person["surname"]}"', "@",
                                 *(person[field] for field in names[4:7]), '"007"', '" sp ""q"""', "NA"]
                        old, new = ((separator.join(cells) + end).replace("@", id_) for id_ in (old_id, "p0"))
                        self.assertEqual(self.joined(name, (before + old + last).encode(), old.encode()), new.encode())

    def test_a_rule_for_a_new_record_parts_no_older_group(self):
        names = ("name", "code", "sex")
        fields = "".join(f'{name} = {{ compare = "equal" }}\n' for name in names)
        self.write("rules.toml", f"version = 1\n[fields]\n{fields}"
                   '[candidates]\nrules = [{ equal = ["name"] }, { equal = ["code"] }]\n'
                   '[decide]\nalways = [{ equal = ["code"] }]\nnever = [{ differ = ["sex"] }]\n')
        levels = [{"level": "different", "shares": [0.1, 0.95]}, {"level": "equal", "shares": [0.9, 0.05]}]
        self.write("weights.json", json.dumps({
            "sosie_model": 2, "together": [], "fields": [{"name": name, "levels": levels} for name in names],
            "classes": [{"match": True, "share": 0.1}, {"match": False, "share": 0.9}]}))
        self.write("groups.csv", "id,name,code,sex,cluster_id,cluster_size\nh1,dora,C1,f,h,1\na,carl,C2,m,g,2\n"
                                 "b,dora,C1,,g,2\nk1,carl,C2,m,k,1\n")
        new = ("n,dora,C1,f\n", "o,carl,C2,m\n")
        for order in (new, new[::-1]):
            self.write("new.csv", "id,name,code,sex\n" + "".join(order))
            self.add("new.csv", "groups.csv", "grown.csv", "--rules", "rules.toml", "--join-groups", "--pairs",
                     "joins.csv", "--overwrite")
            self.assertEqual({row["id"]: row["cluster_id"] for row in self.rows_of("grown.csv")},
                             {"h1": "h", "a": "g", "b": "g", "k1": "g", "n": "h", "o": "g"})
            self.assertEqual([(row["left"], row["right"], row["id"]) for row in self.rows_of("joins.csv")],
                             [("g", "k", "o")])

    def test_a_cut_of_one_takes_what_is_written_as_one(self):
        rows = self.begin_apart()
        self.write("new.csv", as_csv([dict(rows[60], id="n1")]))
        for cut in (".999999", "1"):
            self.add("new.csv", "groups.csv", "grown.csv", "--cut", cut, "--overwrite")
            last = self.rows_of("grown.csv")[-1]
            self.assertEqual((last["cluster_id"], last["probability"]), ("p60", "1.000000"))

    def test_joining_without_groups_is_refused(self):
        self.write("new.csv", as_csv(self.rows[:50]))
        self.fails(2, "link", "new.csv", "--join-groups", says="--join-groups: needs --assign groups")

    def test_a_changed_record_is_taken_out_and_added_again(self):
        rows = people(5, 100)
        self.begin(rows + copies(6, rows[:50], "c"))
        kept = [row for row in self.rows_of("groups.csv") if row["id"] != "p0"]
        self.write("groups.csv", as_csv(kept))
        self.write("new.csv", as_csv([dict(rows[0], city="elsewhere"), dict(people(9, 1)[0], id="x")]))
        self.add()
        grown = {row["id"]: row["cluster_id"] for row in self.rows_of("grown.csv")}
        self.assertEqual(grown["p0"], grown["cp0"])

    def test_ids_of_new_groups_are_those_of_no_other(self):
        rows = people(5, 100)
        self.begin(rows + copies(6, rows[:50], "c"))
        kept = [row for row in self.rows_of("groups.csv") if row["id"] != "p0"]
        self.write("groups.csv", as_csv(kept))  # cp0 is still in group p0
        self.write("new.csv", as_csv([dict(people(9, 1)[0], id="p0")]))
        self.add()
        self.assertEqual(self.rows_of("grown.csv")[-1]["cluster_id"], "p0-2")

    def test_new_groups_are_not_called_as_records_to_come(self):
        rows = people(5, 100)
        self.begin(rows + copies(6, rows[:50], "c"))
        self.write("groups.csv", as_csv([row for row in self.rows_of("groups.csv") if row["id"] != "p0"]))
        new = people(9, 3)
        self.write("new.csv", as_csv([dict(new[0], id="p0"), dict(new[1], id="p0-2"), dict(new[2], id="x")]))
        self.add()
        self.assertEqual([row["cluster_id"] for row in self.rows_of("grown.csv")[-3:]], ["p0-3", "p0-2", "x"])

    def test_ids_of_new_groups_are_json(self):
        rows = people(5, 100)
        first = [dict(row, id=i) for i, row in enumerate(rows + copies(6, rows[:50], "c"))]
        self.write("first.jsonl", "".join(json.dumps(row) + "\n" for row in first))
        self.sosie("link", "first.jsonl", "--annotate", "all", "-o", "groups.jsonl", "--model", "weights.json")
        new = people(9, 2)
        self.write("new.jsonl", "".join(json.dumps(dict(row, id=id_)) + "\n"
                                        for row, id_ in ((new[0], "007"), (new[1], 800), (rows[1], 801))))
        self.add("new.jsonl", "groups.jsonl", "grown.jsonl")
        added = [json.loads(line)["cluster_id"] for line in self.read("grown.jsonl").splitlines()[-3:]]
        self.assertEqual(added, ["007", 800, 1])

    def test_new_rows_have_the_dialect_and_columns_of_the_groups(self):
        rows = people(5, 100)
        for row in rows:
            row["city"] += "; ü"
        with open(self.dir / "first.csv", "w", encoding="cp1252", newline="") as file:
            out = csv.DictWriter(file, list(rows[0]), delimiter=";", lineterminator="\r\n")
            out.writeheader()
            out.writerows(rows + copies(6, rows[:50], "c"))
        self.sosie("link", "first.csv", "--encoding", "cp1252", "--annotate", "all", "-o", "groups.csv",
                   "--model", "weights.json", "-q")
        self.write("groups.csv", self.read("groups.csv").removesuffix(b"\r\n"))
        new = {name: rows[0][name] for name in ("phone", "born", "city", "surname", "given")}
        self.write("new.csv", as_csv([dict(new, id="n1")]))
        self.add("new.csv", "groups.csv", "grown.csv", "--other-encoding", "cp1252")
        before, _, last = self.read("grown.csv").removesuffix(b"\r\n").rpartition(b"\r\n")
        self.assertEqual(before, self.read("groups.csv"))
        row = rows[0]
        self.assertTrue(last.decode("cp1252").startswith(
            f'n1;{row["given"]};{row["surname"]};{row["born"]};"{row["city"]}";{row["phone"]};p0;3;'), last)

    def test_json_groups_take_csv_rows(self):
        rows = people(5, 100)
        first = [dict(row, id=i) for i, row in enumerate(rows + copies(6, rows[:50], "c"))]
        self.write("first.jsonl", "".join(json.dumps(row) + "\n" for row in first))
        self.sosie("link", "first.jsonl", "--annotate", "all", "-o", "groups.jsonl", "--model", "weights.json")
        self.write("new.csv", as_csv([dict(rows[0], id="1000")]))
        self.add("new.csv", "groups.jsonl", "grown.jsonl")
        last = json.loads(self.read("grown.jsonl").splitlines()[-1])
        self.assertEqual((last["cluster_id"], last["cluster_size"], last["phone"]), (0, 3, rows[0]["phone"]))

    def test_fields_that_only_late_rows_have_are_kept(self):
        """The fields of JSON lines come from the first 10,000 rows, unless later rows have others."""
        rows = people(5, 100)
        first = "".join(json.dumps(row) + "\n" for row in rows + copies(6, rows[:50], "c"))
        self.write("first.jsonl", first)
        self.sosie("link", "first.jsonl", "--annotate", "all", "-o", "groups.jsonl", "--model", "weights.json", "-q")
        batch = [dict(row, id=f"n{i}") for i, row in enumerate(people(7, 10_001))]
        late = dict(batch[-1], shoe="44", sizes=[1, 2])
        self.write("new.jsonl", "".join(json.dumps(row) + "\n" for row in [*batch[:-1], late]))
        self.add("new.jsonl", "groups.jsonl", "grown.jsonl", "-q")
        grown = [json.loads(line) for line in self.read("grown.jsonl").splitlines()]
        self.assertEqual({name: grown[-1][name] for name in late}, late)
        self.assertNotIn("shoe", grown[-2])
        self.write("first.csv", as_csv(rows + copies(6, rows[:50], "c")))
        self.sosie("link", "first.csv", "--annotate", "all", "-o", "groups.csv", "-q")
        self.assertIn("new.jsonl:10001 has fields that groups.csv does not have: shoe, sizes",
                      self.add("new.jsonl", "groups.csv", "grown.csv", code=2).err)
        for name in ("cluster_id", "probability"):
            self.write("new.jsonl", "".join(json.dumps(row) + "\n" for row in [*batch[:-1], dict(late, **{name: "1"})]))
            self.assertIn(f"new.jsonl:10001: field '{name}' already exists",
                          self.add("new.jsonl", "groups.jsonl", "grown.jsonl", "--overwrite", code=2).err)

    def test_grown_groups_are_merged_into_one_row_each(self):
        """As in docs/recipes/customers-every-month.md; some copies lack a phone."""
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:]))
        self.add()
        grown = self.rows_of("grown.csv")
        header, _, rows = self.read("grown.csv").decode().partition("\n")
        self.write("named.csv", header.replace("cluster_id,cluster_size", "customer,size") + "\n" + rows)
        self.sosie("link", "named.csv", "--rules", str(ROOT / "examples/link/groups.toml"), "--golden", "phone=longest",
                   "-o", "merged.csv", "-q")
        merged = {row["customer"]: row for row in self.rows_of("merged.csv")}
        self.assertEqual(len(merged), len(self.rows_of("merged.csv")))
        members: dict = {}
        for row in grown:
            members.setdefault(row["cluster_id"], []).append(row)
        self.assertEqual({name: (str(len(of)), max((row["phone"] for row in of), key=len)) for name, of in members.items()},
                         {name: (row["cluster_size"], row["phone"]) for name, row in merged.items()})
        new = {row["id"] for row in self.rows[300:]}
        self.assertGreater(sum(row["id"] in new for of in members.values() for row in of[1:]), 50)

    def test_new_records_ask_for_those_who_would_ask_for_them(self):
        """With top = 2, two strangers with the same name are nearest to a new record, but the new
        record is nearest to its own copy."""
        rows = people(5, 100)
        self.begin(rows + copies(6, rows[:50], "c"))
        rules = json.loads(self.read("weights.json"))["rules"]
        self.write("rules.toml", re.sub(r"near = .*", 'near = ["given", "surname"], top = 2 },', rules))
        self.sosie("link", "first.csv", "--rules", "rules.toml", "--annotate", "all", "-o", "groups.csv", "--model",
                   "weights.json", "--overwrite", "-q")
        groups = self.rows_of("groups.csv")
        strangers = [dict(groups[60], id=id_, cluster_id=id_, cluster_size="1", phone=groups[of]["phone"],
                          born=groups[of]["born"]) for id_, of in (("s", 70), ("t", 80))]
        groups[60]["surname"] += "x"
        self.write("groups.csv", as_csv([*groups, *strangers]))
        self.write("new.csv", as_csv([dict(rows[60], id="n")]))
        self.add()
        self.assertEqual(self.rows_of("grown.csv")[-1]["cluster_id"], "p60")

    def test_nothing_new_changes_nothing_and_no_groups_are_a_beginning(self):
        self.begin(self.rows[:300])
        header = as_csv(self.rows[:1]).splitlines()[0] + "\n"
        self.write("new.csv", header)
        self.add()
        self.assertEqual(self.read("grown.csv"), self.read("groups.csv"))
        self.write("none.csv", header.strip() + ",cluster_id,cluster_size,probability\n")
        self.write("new.csv", as_csv(self.rows[300:400]))
        self.add("new.csv", "none.csv")
        self.assertEqual([row["id"] for row in self.rows_of("grown.csv")], [row["id"] for row in self.rows[300:400]])

    def test_rules_come_with_the_weights(self):
        self.begin(self.rows[:300])
        model = json.loads(self.read("weights.json"))
        self.write("rules.toml", model["rules"])
        self.write("new.csv", as_csv(self.rows[300:400]))
        self.add("new.csv", "groups.csv", "one.csv")
        self.add("new.csv", "groups.csv", "two.csv", "--rules", "rules.toml")
        self.assertEqual(self.read("one.csv"), self.read("two.csv"))
        del model["rules"]
        self.write("weights.json", json.dumps(model))
        self.add("new.csv", "groups.csv", "two.csv", "--rules", "rules.toml")
        self.assertEqual(self.read("one.csv"), self.read("two.csv"))
        self.assertIn("does not contain its rules", self.add(code=2).err)

    def test_nicknames_come_with_the_weights(self):
        self.begin(self.rows[:300])
        rules = json.loads(self.read("weights.json"))["rules"]
        (self.dir / "sub").mkdir()
        self.write("sub/nick.csv", "william,bill\nrobert,bob\n")
        self.write("sub/rules.toml", re.sub(r"^(given = \{.*) \}", r'\1, nicknames = "nick.csv" }', rules, flags=re.M))
        self.assertIn(b"nick.csv", self.read("sub/rules.toml"))
        (self.dir / "weights.json").unlink()
        self.sosie("link", "first.csv", "--rules", "sub/rules.toml", "--annotate", "all", "-o", "groups.csv",
                   "--model", "weights.json", "-q", "--overwrite")
        self.write("new.csv", as_csv(self.rows[300:400]))
        self.add("new.csv", "groups.csv", "one.csv")
        self.add("new.csv", "groups.csv", "two.csv", "--rules", "sub/rules.toml")
        self.assertEqual(self.read("one.csv"), self.read("two.csv"))
        self.write("sub/nick.csv", "william,bill\n")
        self.assertIn("was made with other rules", self.add("new.csv", "groups.csv", "three.csv", "--rules",
                                                            "sub/rules.toml", code=2).err)
        model = json.loads(self.read("weights.json"))
        self.assertEqual(model["nicknames"], {"given": [["william", "bill"], ["robert", "bob"]]})
        model["nicknames"]["given"] = [["a", 1]]
        self.write("weights.json", json.dumps(model))
        self.assertIn("weights.json: nicknames: 'given': is not a list of rows of names",
                      self.add("new.csv", "groups.csv", "three.csv", code=3).err)

    def test_a_cut_that_cannot_be_told_is_said(self):
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:320]))
        model = json.loads(self.read("weights.json"))
        self.assertNotIn("the rules say cut", self.add(out="one.csv").err)
        model["rules"] = model["rules"].replace('cut = "auto"', 'cut = "precision:0.99"')
        self.assertIn('"precision:0.99"', model["rules"])
        self.write("weights.json", json.dumps(model))
        self.assertIn('the rules say cut = "precision:0.99"', self.add(out="two.csv").err)
        self.assertNotIn("the rules say cut", self.add("new.csv", "groups.csv", "three.csv", "--cut", "0.9").err)

    def test_groups_of_other_weights_are_refused(self):
        """Other weights for the same columns, found by the probabilities of groups of two."""
        self.begin(self.rows[:300])
        self.write("new.csv", as_csv(self.rows[300:320]))
        self.sosie("link", "first.csv", "--ignore", "phone,born", "-o", "x.csv", "--model", "others.json", "-q")
        self.fails(2, "link", "new.csv", "--against", "groups.csv", "--assign", "groups", "--model", "others.json",
                   "-o", "grown.csv", says="--model others.json: was not made with groups.csv: the probabilities of")
        self.assertNotIn("grown.csv", self.names())
        rounded = [dict(row, probability=row["probability"][:4]) for row in self.rows_of("groups.csv")]
        self.write("rounded.csv", as_csv(rounded))
        self.add("new.csv", "rounded.csv", "grown.csv", "-q")
        self.write("untold.csv", as_csv([{name: value for name, value in row.items() if name != "probability"} for row in rounded]))
        self.add("new.csv", "untold.csv", "grown-2.csv", "-q")

    def test_what_cannot_be_meant_is_refused(self):
        self.begin(self.rows[:300])
        new = self.rows[300:320]
        self.write("new.csv", as_csv(new))
        self.write("named.csv", as_csv([dict(row, cluster_id="1") for row in new]))
        self.write("more.csv", as_csv([dict(row, shoe="44") for row in new]))
        self.write("known.csv", as_csv(self.rows[298:302]))
        self.write("twice.csv", as_csv([*new, new[0]]))
        self.write("holes.csv", as_csv([dict(row, cluster_id="") for row in self.rows_of("groups.csv")]))
        self.write("double.csv", self.read("groups.csv") + self.read("groups.csv").splitlines(True)[1])
        self.write("rules.toml", json.loads(self.read("weights.json"))["rules"].replace("0.92", "0.9"))
        run = ("link", "new.csv", "--against", "groups.csv", "--assign", "groups")
        weights = ("--model", "weights.json")
        for words, code, told in (
                (("link", "new.csv", "--assign", "groups", *weights), 2, "needs the groups to add to: --against GROUPS"),
                (run, 2, "needs the weights of the run that made the groups"),
                ((*run, "--model", "nosuch.json"), 4, "nosuch.json"),
                ((*run, "--model", "new.csv"), 3, "new.csv: not JSON"),
                ((*run, *weights, "--rules", "rules.toml"), 2,
                 "--model weights.json: was made with other rules than rules.toml"),
                ((*run, *weights, "--golden", "city=first"), 2, "cannot be combined with adding records to groups"),
                ((*run, *weights, "--golden", "city=first"), 2, 'always = [{ equal = ["NEW NAME"] }]'),
                ((*run, *weights, "--truth", "truth.csv"), 2, "cannot be combined with --assign groups"),
                ((*run, *weights, "--truth", "truth.csv"), 2, "leave it out"),
                ((*run, *weights, "--cut", "precision:0.9"), 2, "needs a probability"),
                ((*run, *weights, "--on-bad-row", "keep"), 2, "use skip"),
                ((*run, *weights, "-o", "groups.csv"), 2, "is an input"),
                ((*run, *weights, "-o", "weights.json"), 2, "is an input"),
                (("link", "new.csv", "--against", "first.csv", *run[4:], *weights), 2, "has no field 'cluster_id'"),
                (("link", "new.csv", "--against", "holes.csv", *run[4:], *weights), 3,
                 "holes.csv:2: cluster_id is empty"),
                (("link", "new.csv", "--against", "double.csv", *run[4:], *weights), 3, "double.csv"),
                (("link", "named.csv", *run[2:], *weights), 2, "field 'cluster_id' already exists"),
                (("link", "more.csv", *run[2:], *weights), 2, "has fields that groups.csv does not have: shoe"),
                (("link", "known.csv", *run[2:], *weights), 3,
                 "known.csv:2: 2 records are in groups.csv already, the first is "),
                (("link", "twice.csv", *run[2:], *weights), 3, "twice.csv"),
                (("explain", "a:" + new[0]["id"], "b:" + self.rows[0]["id"], *run[1:]), 2, "needs a run that writes rows")):
            with self.subTest(words=words):
                self.assertIn(told, self.sosie(*words, code=code).err)


if __name__ == "__main__":
    unittest.main()
