"""Columns as they occur in practice: the first column that a row has, members of lists, names with
commas and bars."""

import re
import unittest

from support import SosieTest, jsonl

TEXTS = ["one two three four five six seven eight", "nine ten eleven twelve",
         "one two three four five six seven eight"]


class FirstThatARowHas(SosieTest):
    def test_sources_of_different_schemas_are_one_run(self):
        self.write("crawl/a.jsonl", [{"id": "c0", "text": TEXTS[0]}, {"id": "c1", "text": None}])
        self.write("code/b.jsonl", [{"id": "s0", "content": TEXTS[1]},
                                    {"id": "s1", "text": None, "content": TEXTS[2]}])
        self.write("news.csv", f"id,body\nn0,{TEXTS[0]}\nn1,\n")
        self.kept("crawl", "code", "--column", "text|content|body", "--removed", "r.tsv",
                  "--dry-run")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                         [("s1", "c0")])
        self.sosie("pairs", "crawl", "code", "news.csv", "--column", "text|content|body", "-o",
                   "p.tsv")
        self.assertEqual([(row["left"], row["right"]) for row in self.table("p.tsv")],
                         [("c0", "s1"), ("c0", "n0"), ("s1", "n0")])

    def test_a_cell_of_csv_that_is_empty_is_passed_over(self):
        self.write("a.csv", f"id,title,name\n1,,{TEXTS[0]}\n2,{TEXTS[0]},other\n3,,\n")
        out = self.sosie("pairs", "a.csv", "--column", "title|name").out
        self.assertEqual(out.splitlines()[1:], [b"1\t2\t1.000000"])

    def test_alternatives_are_joined(self):
        self.write("a.jsonl", [{"title": "a b c", "text": "d e f g"},
                               {"name": "a b c", "content": "d e f g"}])
        for kind in ((), ("--kind", "strings", "--within", "0")):
            out = self.sosie("pairs", "a.jsonl", "--column", "title|name,text|content", *kind).out
            self.assertEqual(out.count(b"\n"), 2, kind)

    def test_a_row_with_none_of_them_is_named_with_what_it_has(self):
        self.write("a.jsonl", [{"id": 1, "text": "x"}, {"id": 2, "contents": "y"}])
        self.fails(3, "dedup", "a.jsonl", "--column", "text|content",
                   says="a.jsonl:2: field 'text' is missing, and so is 'content'",
                   hints="available fields: id, contents")
        self.write("a.csv", "id,contents\n1,x\n")
        self.fails(3, "dedup", "a.csv", "--column", "text|content",
                   says="a.csv:1: field 'text' is missing, and so is 'content'",
                   hints="available fields: id, contents")

    def test_a_field_literally_called_so_wins(self):
        self.write("a.jsonl", [{"a|b": TEXTS[0], "a": "x"}, {"a|b": TEXTS[2], "a": "y"}])
        self.assertEqual(self.sosie("pairs", "a.jsonl", "--column", "a|b").out.count(b"\n"), 2)
        self.assertEqual(self.sosie("pairs", "a.jsonl", "--column", "a\\|b").out.count(b"\n"), 2)
        self.write("a.csv", f'"a,b",c\n{TEXTS[0]},x\n{TEXTS[2]},y\n')
        for column in ("a,b", "a\\,b", "a\\,b|c"):
            self.assertEqual(self.sosie("pairs", "a.csv", "--column", column).out.count(b"\n"), 2)

    def test_sets_vectors_and_bits_too(self):
        self.write("s.jsonl", [{"x": ["a", "b"]}, {"x": None, "y": "a b"}])
        self.write("v.jsonl", [{"x": [1, 2]}, {"y": [1, 2]}])
        self.write("v2.jsonl", [{"p": [{"u": 1}, {"u": 2}]}, {"p": [{"u": 1}, {"u": 2}]}])
        self.write("b.jsonl", [{"x": "ff00"}, {"y": "ff00"}])
        for args in (("s.jsonl", "--kind", "sets", "--column", "x|y"),
                     ("s.jsonl", "--kind", "sets", "--column", "x[]|y"),
                     ("v.jsonl", "--kind", "vectors", "--column", "x|y", "--threshold", ".9"),
                     ("v2.jsonl", "--kind", "vectors", "--column", "p[].u", "--threshold", ".9"),
                     ("v2.jsonl", "--kind", "vectors", "--column", "p[0].u,p[1].u", "--threshold",
                      ".9"),
                     ("b.jsonl", "--kind", "bits", "--column", "x|y", "--within", "0")):
            self.assertEqual(self.sosie("pairs", *args).out.count(b"\n"), 2, args)


    def test_what_holds_nothing_is_passed_over(self):
        for column, empties in (("a|b", (None, "", [])), ("a[]|b", (None, [], [""], [None]))):
            self.write("in.jsonl", [{"id": 0, "b": TEXTS[0]}] + [
                {"id": i, "a": empty, "b": TEXTS[0]} for i, empty in enumerate(empties, 1)])
            for kind in ((), ("--kind", "sets"), ("--kind", "strings", "--within", "0")):
                pairs = self.sosie("pairs", "in.jsonl", "--column", column, *kind).out
                rows = len(empties) + 1
                self.assertEqual(pairs.count(b"\n") - 1, rows * (rows - 1) // 2, (column, kind))
        self.write("chat.jsonl", [{"m": [], "text": TEXTS[0]}, {"m": [{"c": ""}], "text": TEXTS[0]},
                                  {"m": [{"c": TEXTS[0]}]}, {"m": []}])
        run = self.sosie("pairs", "chat.jsonl", "--column", "m[].c|text")
        self.assertEqual(run.out.count(b"\n") - 1, 3)
        self.assertIn("1 row without", run.err)


class NamesWithCommas(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.csv", 'id,"a,b",city\n' + "".join(
            f'{i},"{TEXTS[0]}",{i}\n' for i in range(3)))

    def test_a_backslash_keeps_them_whole_in_every_list(self):
        column = ("--column", "a\\,b")
        self.write("rank.csv", f'id,"a,b",text\n1,5,{TEXTS[0]}\n2,7,{TEXTS[0]}\n3,7,{TEXTS[0]}\n')
        self.assertEqual(self.kept("rank.csv", "--keep", "max:a\\,b,last").splitlines()[1][:1], b"3")
        self.fails(2, "dedup", "rank.csv", "--keep", "max:a,b", hints=re.escape("max:a\\,b"))
        out = self.sosie("pairs", "in.csv", *column, "--show", "a\\,b,city").out
        self.assertEqual(out.splitlines()[0],
                         b"left\tright\tsimilarity\tleft_a,b\tright_a,b\tleft_city\tright_city")
        self.sosie("index", "build", "i.index", "in.csv", *column, "--fields", "a\\,b,city")
        self.write("q.jsonl", [{"id": "q", "text": TEXTS[0]}])
        for where in (f"a,b={TEXTS[0]}", f"a\\,b={TEXTS[0]}"):
            hits = self.sosie("query", "i.index", "q.jsonl", "--other-column", "text", "--where",
                              where).out
            self.assertEqual(hits.count(b"\n") - 1, 3)

    def test_link_leaves_them_out(self):
        rows = [(f"Name{i % 40} Smith{i % 40}", f"{i % 40} High Street", 1900 + i % 40, i)
                for i in range(80)]
        self.write("p.csv", 'id,name,street,year,"a,b"\n' + "".join(
            f"{i},{n},{s},{y},{x}\n" for i, (n, s, y, x) in enumerate(rows)))
        self.sosie("link", "p.csv", "--ignore", "a\\,b,year", "--init", "-o", "rules.toml")
        self.assertNotIn(b"a,b", self.read("rules.toml"))
        self.fails(2, "link", "p.csv", "--ignore", "a,b", says="--ignore a: no record",
                   hints=re.escape("a\\,b"))


class MembersOfLists(SosieTest):
    def chat(self, *contents):
        return {"messages": [{"role": "user", "content": content} for content in contents]}

    def test_all_members_are_one_text(self):
        self.write("chat.jsonl", [self.chat("one two three", "four five six seven eight"),
                                  self.chat("nine ten"), self.chat(TEXTS[0]), {"messages": []}])
        result = self.sosie("dedup", "chat.jsonl", "--column", "messages[].content", "--removed",
                            "r.tsv")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")], [("2", "0")])
        self.assertEqual(len(result.out.splitlines()), 3)
        self.assertEqual(
            self.kept("chat.jsonl", "--column", "messages[0].content").count(b"\n"), 4)

    def test_members_of_several_kinds_or_none_fit(self):
        same = {"m": [{"c": "one two three four five"}, {"c": 6}, {"c": None}, {"d": 1}]}
        self.write("mixed.jsonl", [same, same, {"m": [1, 2, 3, 4, 5, 6]}, {"m": [1, 2, 3, 4, 5, 6]}])
        self.fails(3, "pairs", "mixed.jsonl", "--column", "m[].c", says="mixed.jsonl:3: field 'm")
        self.write("numbers.jsonl", [{"m": [1, 2, 3, 4, 5, 6]}] * 2)
        self.assertEqual(self.sosie("pairs", "numbers.jsonl", "--column", "m[]").out.count(b"\n"), 2)
        self.fails(3, "pairs", "numbers.jsonl", "--column", "m[].c", says=r"field 'm\[\]\.c' is missing")
        self.write("objects.jsonl", [{"m": ["one two three four five", {"c": "six"}]}] * 2)
        self.fails(3, "pairs", "objects.jsonl", "--column", "m[]", says="is an object in one member",
                   hints=r"'m\[\].c' reaches into it")

    def test_lists_of_texts_and_nested_ones(self):
        self.write("a.jsonl", [{"a": {"b": [{"c": "one two three four"}, {"c": "five six"}]}},
                               {"a": {"b": [{"c": "one two three four five six"}, {}]}}])
        self.assertEqual(self.kept("a.jsonl", "--column", "a.b[].c").count(b"\n"), 1)
        self.write("t.jsonl", [{"tags": ["one two", 3, None, "four five six"]},
                               {"tags": "one two 3 four five six"}])
        self.assertEqual(self.kept("t.jsonl", "--column", "tags[]|tags").count(b"\n"), 1)

    def test_messages_give_the_way_in(self):
        self.write("chat.jsonl", [self.chat("Good morning"), {"messages": "x"}])
        self.fails(3, "dedup", "chat.jsonl", "--column", "messages",
                   says=re.escape("chat.jsonl:1: field 'messages' is a list, not a string"),
                   hints=re.escape("'messages[].content' reads content of all its members"))
        self.fails(3, "dedup", "chat.jsonl", "--column", "messages[].text",
                   says=re.escape("field 'messages[].text' is missing"),
                   hints=re.escape("a member of 'messages' has: role, content"))
        self.fails(3, "dedup", "chat.jsonl", "--column", "messages.content",
                   says=re.escape("field 'messages.content' is missing"),
                   hints=re.escape("'messages[].content' reads content of all its members"))
        self.fails(3, "dedup", "chat.jsonl", "--column", "messages[].content",
                   says=re.escape("chat.jsonl:2: field 'messages' is a string, not a list"),
                   hints=re.escape("'messages' alone reads the value as is; --on-bad-row skip"))
        self.write("deep.jsonl", [{"m": [{"c": [{"type": "text", "text": "x"}]}]}])
        self.fails(3, "dedup", "deep.jsonl", "--column", "m[].c",
                   says=re.escape("deep.jsonl:1: field 'm[].c' is a list in one member, not a string"),
                   hints=re.escape("'m[].c[].text' reads text of all its members"))

    def test_shown_fields_are_reached_likewise(self):
        self.write("chat.jsonl", [self.chat(TEXTS[0]), self.chat(TEXTS[2])])
        out = self.sosie("pairs", "chat.jsonl", "--column", "messages[].content", "--show",
                         "messages[0].role,messages[].role").out
        self.assertEqual(out.splitlines()[1].split(b"\t")[3:],
                         [b"user", b"user", b'["user"]', b'["user"]'])

    def test_every_verb_reads_them(self):
        column = ("--column", "messages[].content|text")
        self.write("chat.jsonl", [self.chat(TEXTS[0]), self.chat(TEXTS[1])])
        self.write("plain.jsonl", [{"text": TEXTS[2]}])
        self.assertEqual(
            self.sosie("query", "chat.jsonl", "plain.jsonl", *column).out.splitlines()[1:],
            [b"0\t0\t1.000000"])
        self.assertIn(b"1.000000", self.sosie("explain", "0", "2", "chat.jsonl", "plain.jsonl",
                                              *column).out)
        plan = self.sosie("plan", "chat.jsonl", *column, "-o", "plan.json")
        self.assertEqual(plan.code, 0)
        self.sosie("sketch", "chat.jsonl", *column, "--plan", "plan.json", "-o", "a.sketches")
        self.assertEqual(
            self.kept("plain.jsonl", "--against", "a.sketches", *column, "--plan", "plan.json"), b"")
        self.sosie("index", "build", "x.index", "chat.jsonl", *column)
        self.assertEqual(
            self.sosie("query", "x.index", "plain.jsonl", *column).out.splitlines()[1:],
            [b"0\t0\t1.000000"])
        self.sosie("dedup", "chat.jsonl", "plain.jsonl", *column, "--save", "run", "--report",
                   "r.html", "--dry-run")
        self.assertIn(b"one two three", self.read("r.html"))

    def test_threads_and_packed_files_change_nothing(self):
        rows = [self.chat(f"word{i % 50} a b c d", "e f g h") for i in range(2000)]
        self.write("a.jsonl", rows)
        expected = self.kept("a.jsonl", "--column", "messages[].content", "--threads", "1")
        self.assertEqual(expected.count(b"\n"), 50)
        self.assertEqual(self.kept("a.jsonl", "--column", "messages[].content", "--threads", "7"),
                         expected)
        flat = jsonl([{"text": "\n".join(m["content"] for m in row["messages"])} for row in rows])
        self.write("flat.jsonl", flat)
        self.assertEqual(self.kept("flat.jsonl").count(b"\n"), 50)


if __name__ == "__main__":
    unittest.main()
