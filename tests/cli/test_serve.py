"""`sosie serve`: an index as a service, with the same answers as the command line."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest
import urllib.request
from http.client import HTTPException

import corpus
from measured_rows import npy
from support import ROOT, SANITIZED, SOSIE, SosieTest, read_table

sys.path.insert(0, str(ROOT / "tests" / "server"))
from service import Service  # noqa: E402  (stands in tests/server)

INDEX = "words.index"


HAS_SERVER = (SOSIE.parent / "libexec" / "sosie" / "sosie-server").exists()


@unittest.skipUnless(HAS_SERVER, "built without SOSIE_SERVER")
class ServeTest(SosieTest):
    def setUp(self):
        super().setUp()
        texts = corpus.texts(72, 400)
        self.rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
        self.write("data.jsonl", self.rows[:300])
        self.sosie("index", "build", INDEX, "data.jsonl", "--threshold", "0.5", "-q")

    def serve(self, *args: str, index: str = INDEX) -> Service:
        service = Service(index, self.dir, *args)
        self.addCleanup(lambda: service.process.poll() is None and service.kill())
        return service

    def expect_answers(self, service: Service, **fields) -> None:
        """The service's hits are the lines of `sosie query`, in the same order."""
        asked = self.rows[280:]
        self.write("asked.jsonl", asked)
        options = [text for name, value in fields.items()
                   for text in ("--" + name.replace("_", "-"), str(value))]
        lines = read_table(self.sosie("query", INDEX, "asked.jsonl", *options, code=None).out)
        answer = service.post("/v1/query", {"items": asked, **fields})
        found = [{"left": row["id"], "right": hit["id"], "similarity": f"{hit['similarity']:.6f}"}
                 for row, hits in zip(asked, answer["results"]) for hit in hits]
        self.assertGreater(len(lines), 20)
        self.assertEqual(found, lines)
        bare = service.post("/v1/query", {"items": [row["text"] for row in asked], **fields})
        self.assertEqual(bare, answer)


class Refused(ServeTest):
    def test_what_is_no_index_and_no_run(self):
        self.fails(2, "serve", says="^sosie: serve: no index or run given$", hints=r"\n  sosie serve INDEX\.\.\.\|RUN\n")
        self.fails(4, "serve", "nope", says="^sosie: nope: No such file or directory$")
        self.fails(3, "serve", "data.jsonl", says="is a file, not an index")
        (self.dir / "folder").mkdir()
        self.fails(3, "serve", "folder", says="^sosie: folder: neither an index nor a saved run$",
                   hints="sosie index build .*--save")

    def test_an_address_that_is_taken(self):
        port = self.serve().port
        self.fails(4, "serve", INDEX, "--read-only", "--listen", f"127.0.0.1:{port}", hints="127.0.0.1:0",
                   says=rf"^sosie: 127\.0\.0\.1:{port}: Address already in use$")

    def test_a_run_that_another_one_serves(self):
        self.sosie("dedup", "data.jsonl", "-o", "kept.jsonl", "--save", "run", "-q")
        self.serve(index="run")
        self.fails(4, "serve", "run", "--listen", "127.0.0.1:0", hints="--read-only",
                   says="^sosie: run: in use by another process$")


class Several(ServeTest):
    """`sosie serve A B` answers like the service of a single index of both."""

    def setUp(self):
        super().setUp()
        for name, rows in (("one", self.rows[:200]), ("two", self.rows[200:300])):
            self.write(f"{name}.jsonl", rows)
            self.sosie("index", "build", f"{name}.index", f"{name}.jsonl", "--threshold", "0.5", "-q")

    def test_answers_are_those_of_one_index_of_both(self):
        both = self.serve("two.index", index="one.index")
        one = self.serve()
        self.expect_answers(both)
        items = [{"id": "d3"}, self.rows[290], {"id": "d290"}]
        for fields in ({"items": items}, {"items": items, "top": 2, "exclude_self": True}):
            self.assertEqual(both.post("/v1/query", fields), one.post("/v1/query", fields))
        explained = {"items": [{"id": "d3"}, {"id": "d290"}]}
        self.assertEqual(both.post("/v1/explain", explained), one.post("/v1/explain", explained))
        info = both.get("/v1/info")
        self.assertEqual((info["items"], info["next_number"], info["read_only"]), (300, 300, True))

    def test_nothing_changes_several(self):
        both = self.serve("two.index", index="one.index")
        for path, body in (("add", {"items": [self.rows[300]]}), ("remove", {"ids": ["d3"]})):
            refused = both.ask("POST", f"/v1/{path}", body)
            self.assertEqual(refused.status, 403)
            self.assertIn("one.index,two.index: several indexes are served", refused.json["error"]["reason"])
        self.write("more.jsonl", self.rows[300:310])
        self.sosie("index", "add", "two.index", "more.jsonl")  # nobody else writes it
        self.sosie("index", "compact", "two.index")
        self.expect_answers(both)  # the state when it was opened

    def test_what_is_not_served_together(self):
        self.fails(2, "serve", "one.index", "one.index", says="one.index: this index is given twice")
        self.fails(4, "serve", "one.index", "nope", says="nope: No such file or directory")
        self.sosie("dedup", "data.jsonl", "-o", "kept.jsonl", "--save", "run", "-q")
        self.fails(2, "serve", "one.index", "run", says="expected indexes, or one run")


class Answers(ServeTest):
    def test_hits_are_those_of_the_command_line(self):
        service = self.serve()
        self.expect_answers(service)
        self.expect_answers(service, top=2)
        self.expect_answers(service, threshold=0.7)
        service.post("/v1/add", {"items": self.rows[300:350]})
        service.post("/v1/remove", {"ids": ["d5", "d281", "nobody"]})
        self.expect_answers(service)
        self.assertEqual(service.stop(), 0)
        self.sosie("index", "check", INDEX)
        self.assertIn("items         348\n", self.sosie("index", "info", INDEX).out.decode())

    def test_stored_items_are_looked_up_by_their_ids(self):
        service = self.serve()
        by_id = service.post("/v1/query", {"items": [{"id": "d3"}, self.rows[290], {"id": "d290"}]})
        by_text = service.post("/v1/query", {"items": [self.rows[3], self.rows[290]]})
        self.assertEqual(by_id["results"][:2], by_text["results"])
        self.assertEqual(by_id["results"][2], by_text["results"][1])
        self.assertEqual(by_id["results"][0][0], {"id": "d3", "similarity": 1.0})
        alone = service.post("/v1/query", {"items": [self.rows[3]], "exclude_self": True})
        self.assertNotIn("d3", [hit["id"] for hit in alone["results"][0]])
        unknown = service.ask("POST", "/v1/query", {"items": [{"id": "x"}]})
        self.assertEqual(unknown.status, 400)
        self.assertIn("no item 'x'", unknown.json["error"]["reason"])

    def test_what_is_new_is_added_as_dedup_adds_it(self):
        self.write("more.jsonl", self.rows[250:])
        self.sosie("index", "build", "other.index", "data.jsonl", "--threshold", "0.5", "-q")
        self.sosie("dedup", "more.jsonl", "--against", "other.index", "--add", "--removed",
                   "removed.tsv")
        expected = {row["id"]: (row["kept_id"], row["similarity"]) for row in self.table("removed.tsv")}
        service = self.serve()
        answer = service.post("/v1/add_new", {"items": self.rows[250:]})
        found = {row["id"]: (new["similar_to"]["id"], f"{new['similar_to']['similarity']:.6f}")
                 for row, new in zip(self.rows[250:], answer["results"]) if "similar_to" in new}
        self.assertEqual(found, expected)
        service.stop()
        items = f"items         {answer['items']}\n"
        self.assertIn(items, self.sosie("index", "info", "other.index").out.decode())
        self.assertEqual(sum(new["added"] for new in answer["results"]), answer["items"] - 300)
        self.assertEqual(self.sosie("query", INDEX, "more.jsonl").out,
                         self.sosie("query", "other.index", "more.jsonl").out)

    def test_ids_that_are_there_are_refused_left_out_or_replaced(self):
        service = self.serve()
        items = [{"id": "d0", "text": "words of quite another kind here"}, self.rows[301]]
        refused = service.ask("POST", "/v1/add", {"items": items})
        self.assertEqual(refused.status, 400)
        self.assertIn("id 'd0' is already in words.index", refused.json["error"]["reason"])
        self.assertEqual(service.get("/v1/info")["items"], 300)
        self.assertEqual(service.post("/v1/add", {"items": items, "skip_existing": True}),
                         {"added": 1, "skipped": 1, "replaced": 0, "items": 301})
        self.assertEqual(service.post("/v1/add", {"items": items[:1], "replace": True}),
                         {"added": 1, "skipped": 0, "replaced": 1, "items": 301})
        twice = service.ask("POST", "/v1/add", {"items": [self.rows[310], self.rows[310]]})
        self.assertEqual((twice.status, twice.json["error"]["place"]), (400, "row 1"))

    def test_sets_are_lists_of_tokens(self):
        rng = random.Random(3)
        sets = [sorted(set(rng.choices("abcdefghijklmnop", k=8))) for _ in range(80)]
        self.write("data.sets", "".join(" ".join(tokens) + "\n" for tokens in sets))
        self.sosie("index", "build", "sets.index", "data.sets", "-q", "--threshold", "0.6")
        service = self.serve(index="sets.index")
        lines = read_table(self.sosie("query", "sets.index", "data.sets").out)
        answer = service.post("/v1/query", {"items": sets})
        found = [{"left": str(row), "right": str(hit["id"]), "similarity": f"{hit['similarity']:.6f}"}
                 for row, hits in enumerate(answer["results"]) for hit in hits]
        self.assertEqual(found, lines)

    def test_vectors_and_bit_strings_are_looked_up_as_by_the_command_line(self):
        rng = random.Random(8)
        vectors = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(60)]
        bits = [f"{rng.randrange(256):02x}" for _ in range(60)]
        for kind, items, options, value in (("vectors", vectors, ("--threshold", "0.9"), "similarity"),
                                            ("bits", bits, ("--within", "1"), "distance")):
            with self.subTest(kind=kind):
                self.write(f"{kind}.jsonl", [{"id": f"i{n}", "text": item} for n, item in enumerate(items)])
                self.sosie("index", "build", f"{kind}.index", f"{kind}.jsonl", "--kind", kind, *options, "-q")
                service = self.serve(index=f"{kind}.index")
                lines = read_table(self.sosie("query", f"{kind}.index", f"{kind}.jsonl").out)
                results = service.post("/v1/query", {"items": items})["results"]
                found = [(f"i{row}", hit["id"], float(hit[value])) for row, hits in enumerate(results) for hit in hits]
                self.assertGreater(len(found), 70)
                self.assertEqual([each[:2] for each in found], [(line["left"], line["right"]) for line in lines])
                for each, line in zip(found, lines):
                    self.assertAlmostEqual(each[2], float(line[value]), places=5)
                alone = service.ask("POST", "/v1/add", {"items": [{"id": "x"}]})
                self.assertEqual((alone.status, alone.json["error"]["place"]), (400, "item 0"))
                added = service.post("/v1/add", {"items": [{"id": "new", "text": items[0]}]})
                self.assertEqual(added["items"], 61)
                hits = service.post("/v1/query", {"items": [{"id": "new"}], "exclude_self": True})["results"][0]
                self.assertIn("i0", [hit["id"] for hit in hits])
                text = service.post("/v1/explain", {"items": [items[0], {"id": "new"}]})["text"]
                self.assertIn(f"The same {'vector' if kind == 'vectors' else 'bit string'}.", text)
                self.assertEqual(service.stop(), 0)

    def test_an_item_is_taken_by_its_text_whatever_the_order_of_its_members(self):
        self.write("body.jsonl", [{"id": n, "body": "a b c"} for n in range(3)])
        self.sosie("index", "build", "body.index", "body.jsonl", "--column", "body", "--shingle", "words:1", "-q")
        service = self.serve(index="body.index")
        for item in ({"text": "a b c", "vector": [1, 2]}, {"vector": [1, 2], "text": "a b c"}):
            self.assertEqual(len(service.post("/v1/query", {"items": [item]})["results"][0]), 3)

    def test_a_field_chooses_among_the_items(self):
        self.write("fields.jsonl", [{"id": n, "text": "a b c", "lang": "en" if n % 2 else "de"} for n in range(6)])
        self.sosie("index", "build", "fields.index", "fields.jsonl", "--shingle", "words:1", "--fields", "lang", "-q")
        service = self.serve(index="fields.index")
        found = service.post("/v1/query", {"items": ["a b c"], "where": "lang=en"})["results"][0]
        self.assertEqual([hit["id"] for hit in found], [1, 3, 5])
        refused = service.ask("POST", "/v1/query", {"items": ["a b c"], "where": "lng=en"})
        self.assertEqual((refused.status, refused.json["error"]["option"]), (400, "where"))
        self.assertEqual(service.post("/v1/add", {"items": [{"id": 9, "text": "a b c", "lang": "en"}]})["items"], 7)
        found = service.post("/v1/query", {"items": [{"id": 1}], "where": "lang=en"})["results"][0]
        self.assertEqual([hit["id"] for hit in found], [1, 3, 5, 9])
        self.assertEqual(service.ask("GET", "/v1/info").json["options"]["fields"], "lang")

    def test_runs_over_the_items_of_a_body(self):
        service = self.serve()
        items = self.rows[:60]
        self.write("body.jsonl", items)
        options = ("--threshold", "0.5", "--method", "exact", "--id", "row")
        pairs = read_table(self.sosie("pairs", "body.jsonl", *options).out)
        answer = service.post("/v1/pairs", {"items": items, "method": "exact"})
        self.assertEqual([(str(pair["left"]), str(pair["right"]), f"{pair['similarity']:.6f}")
                          for pair in answer["pairs"]], [tuple(pair.values()) for pair in pairs])
        kept = self.sosie("dedup", "body.jsonl", *options).out.decode().splitlines()
        dedup = service.post("/v1/dedup", {"items": items, "method": "exact"})
        self.assertEqual([items[row]["id"] for row in dedup["kept"]],
                         [json.loads(line)["id"] for line in kept])
        self.assertIn("similarity", service.post("/v1/explain", {"items": items[:2]})["text"])
        for body in ([items[0], {"id": items[1]["id"]}], [{"id": items[1]["id"]}, items[0]],
                     [{"id": items[0]["id"]}, {"id": items[1]["id"]}]):
            self.assertIn("similarity", service.post("/v1/explain", {"items": body})["text"])
        refused = service.ask("POST", "/v1/explain", {"items": ["a b c", {"id": "nobody"}]})
        self.assertEqual((refused.status, "no item 'nobody'" in refused.json["error"]["reason"]), (400, True))
        self.assertIn("recall", service.post("/v1/plan", {"threshold": 0.8})["text"])

    def test_bounds_of_many_digits_decide_by_the_double_that_they_are(self):
        service = self.serve()
        rows = [[0.0], [0.09999999999], [0.1999999999800001], [3e-12]]
        bodies = {"0.09999999999": {(0, 1), (0, 3), (1, 3)}, "0.0999999999": {(0, 3)},
                  "3e-12": {(0, 3)}, "2.9e-12": set()}
        for within, expected in bodies.items():
            for bound in (within, float(within)):
                answer = service.post("/v1/pairs", {"items": rows, "kind": "vectors", "within": bound,
                                                    "measure": "manhattan", "method": "exact"})
                self.assertEqual({(pair["left"], pair["right"]) for pair in answer["pairs"]},
                                 expected, bound)

    def test_errors_say_place_option_and_reason(self):
        service = self.serve()
        for body, place, reason in (
                (b"{", "body", "not JSON"), (b"[1]", "body", "not a JSON object"),
                (b"{}", "items", "missing"), (b'{"items": 3}', "items", "list"),
                (b'{"items": [3]}', "item 0", "text"),
                (b'{"items": [{"id": "x", "other": 1}]}', "row 0", "text"),
                (b'{"items": ["\xff"]}', "body", "UTF"),
                (b'{"items": ["a"], "tpo": 1}', "tpo", "not a field"),
                (b'{"items": ["a"], "output": "x"}', "output", "not a field"),
                (b'{"items": ' + b"[" * 100_000, "body", ""),
                (b'{"items": ["a"], "top": -1}', None, "whole number"),
                (b'{"items": ["a"], "threshold": 0.2}', None, "built with 0.5")):
            with self.subTest(body=body[:40]):
                answer = service.ask("POST", "/v1/query", body)
                error = answer.json["error"]
                self.assertEqual((answer.status, error.get("place")), (400, place), error)
                self.assertIn(reason, error["reason"])
        self.assertEqual(service.ask("POST", "/v1/query", b'{"items": ["a"], "top": 0}')
                         .json["error"]["option"], "top")

    def test_lone_surrogates_are_read_as_in_files(self):
        texts = [r"one two \ud800 three", r"one two \ud800 three", r"one two \udc00 three",
                 r"one two \ud83d\ude00 three", r"one \"two\" \\ud800 three"]
        self.write("odd.jsonl", "".join(f'{{"id": {i}, "text": "{text}"}}\n' for i, text in enumerate(texts)))
        options = ("--threshold", "1", "--shingle", "chars:3")
        expected = [[0, 1]]
        found = self.sosie("pairs", "odd.jsonl", *options).out.decode().splitlines()[1:]
        self.assertEqual([list(map(int, line.split("\t")[:2])) for line in found], expected)
        self.sosie("index", "build", "odd.index", "odd.jsonl", *options)
        service = self.serve(index="odd.index")
        for as_item in ('"{}"', '{{"text": "{}", "n": 123456789012345678901234567890}}'):
            items = "[" + ", ".join(map(as_item.format, texts)) + "]"
            answer = service.ask("POST", "/v1/pairs", b'{"items": %s}' % items.encode()).json
            self.assertEqual([[pair["left"], pair["right"]] for pair in answer["pairs"]], expected)
            answer = service.ask("POST", "/v1/query", b'{"items": %s}' % items.encode()).json
            self.assertEqual([[hit["id"] for hit in hits] for hits in answer["results"]],
                             [[0, 1], [0, 1], [2], [3], [4]])
        for body in (rb'{"items": [{"id": "\ud800", "text": "x y z"}]}', rb'{"items": [{"id": "\ud800"}]}'):
            refused = service.ask("POST", "/v1/add" if b"text" in body else "/v1/query", body)
            self.assertEqual(refused.status, 400, refused.body)
            self.assertRegex(refused.json["error"]["reason"], "not UTF-8|lone surrogate")
        self.assertIn("sosie_index_items 5", service.ask("GET", "/metrics").body.decode())

    def test_lines_of_json_are_taken_and_given(self):
        service = self.serve()
        lines = {"Content_Type": "application/x-ndjson"}
        asked = self.rows[280:300]
        body = "".join(json.dumps(row) + "\r\n\n" for row in asked).encode()
        results = service.post("/v1/query", {"items": asked, "top": 2, "exclude_self": True})["results"]
        for headers in (lines, {**lines, "Accept": "application/x-ndjson"}):
            answer = service.ask("POST", "/v1/query?top=2&exclude_self=true", body, **headers)
            self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
            self.assertEqual([json.loads(line) for line in answer.body.splitlines()], results)
        mixed = service.ask("POST", "/v1/query?top=2&exclude_self=true", body, **lines,
                            Accept="application/json")
        self.assertEqual(mixed.json["results"], results)
        pairs = service.post("/v1/pairs", {"items": asked})
        answer = service.ask("POST", "/v1/pairs", {"items": asked}, Accept="application/x-ndjson")
        self.assertEqual([json.loads(line) for line in answer.body.splitlines()], pairs["pairs"])
        added = service.ask("POST", "/v1/add", json.dumps(self.rows[300]).encode(), **lines)
        self.assertEqual(added.json["items"], 301)
        removed = service.ask("POST", "/v1/remove", b'"d300"\n"d1"\n"nobody"\n', **lines)
        self.assertEqual(removed.json, {"removed": 2, "unknown": 1, "items": 299})
        self.assertEqual(service.ask("POST", "/v1/query", b"\n \n", **lines).body, b"")
        for path, bad, place in (("query", b'"a"\n{', "line 2"), ("query", b'"a"\n3', "item 1"),
                                 ("plan", b'"a"', "body"), ("query?tpo=1", b'"a"', "tpo"),
                                 ("query?top=%2", b'"a"', None), ("remove", b"[]", "id 0")):
            with self.subTest(path=path, body=bad):
                refused = service.ask("POST", "/v1/" + path, bad, **lines)
                self.assertEqual((refused.status, refused.json["error"].get("place")), (400, place))

    def test_openapi_names_every_route_and_its_fields(self):
        service = self.serve()
        document = service.get("/openapi.json")
        self.assertEqual(document["openapi"], "3.1.0")
        query = document["paths"]["/v1/query"]["post"]
        fields = query["requestBody"]["content"]["application/json"]["schema"]["properties"]
        self.assertEqual(list(fields), ["items", "top", "threshold", "within", "exclude_self", "where"])
        for path, methods in document["paths"].items():
            for method in methods:
                if method == "get" and "{" not in path:
                    self.assertEqual(service.ask("GET", path).status, 200, path)
        self.assertIn("sosie_index_items 300", service.ask("GET", "/metrics").body.decode())


class Lifetime(ServeTest):
    def test_a_second_writer_waits_its_turn_and_a_reader_does_not(self):
        service = self.serve()
        self.write("new.jsonl", self.rows[300:301])
        self.fails(4, "index", "add", INDEX, "new.jsonl")
        reader = self.serve("--read-only")
        self.assertEqual(reader.ask("POST", "/v1/add", {"items": []}).status, 403)
        self.expect_answers(reader)
        service.stop()
        self.sosie("index", "add", INDEX, "new.jsonl")

    def test_a_kill_while_runs_are_merged_loses_nothing(self):
        self.write("first.sets", "q\n")
        self.sosie("index", "build", "sets.index", "first.sets", "--id", "row", "-q")
        acknowledged, asked = 1, 1
        for seconds in (6, 17) if SANITIZED else (0.6, 1.7):
            service = self.serve("--quiet", index="sets.index")
            killer = threading.Timer(seconds, service.process.kill)
            killer.start()
            try:
                while True:
                    # More than fits in the log.
                    items = [[f"a{n}", f"b{n}", f"c{n}"] for n in range(asked, asked + 12_000)]
                    asked += len(items)
                    service.post("/v1/add", {"items": items})
                    acknowledged += len(items)
            except (OSError, HTTPException):
                pass
            killer.join()
            service.kill()
            self.sosie("index", "check", "sets.index")
            reader = self.serve("--quiet", "--read-only", index="sets.index")
            items = reader.get("/v1/info")["items"]
            self.assertIn(items, (acknowledged, acknowledged + 12_000))
            self.assertGreater(items, 1)
            asked = acknowledged = items
            found = reader.post("/v1/query", {"items": [[f"a{n}", f"b{n}", f"c{n}"] for n in range(1, items, 997)]})
            self.assertTrue(all(hits for hits in found["results"]))
            reader.kill()

    def test_what_is_acknowledged_survives_a_kill(self):
        for _ in range(2):
            service = self.serve("--quiet")
            acknowledged = []

            def add(name: str, service=service, acknowledged=acknowledged) -> None:
                number = 0
                try:
                    while True:
                        ident = f"{name}-{time.time_ns()}-{number}"
                        service.post("/v1/add", {"items": [{"id": ident, "text": ident + " a b c d"}]})
                        acknowledged.append(ident)
                        number += 1
                except (OSError, AssertionError, Exception):
                    return

            threads = [threading.Thread(target=add, args=(name,)) for name in "ab"]
            for thread in threads:
                thread.start()
            time.sleep(1.0)
            service.kill()
            for thread in threads:
                thread.join()
            self.assertGreater(len(acknowledged), 5)
            self.sosie("index", "check", INDEX)
            service = self.serve()
            found = service.post("/v1/query", {"items": [{"id": ident} for ident in acknowledged]})
            for ident, hits in zip(acknowledged, found["results"]):
                self.assertIn(ident, [hit["id"] for hit in hits])
            service.stop()

    def test_sigterm_ends_idle_and_unfinished_ones_at_once_and_others_soon(self):
        service = self.serve()
        idle, unfinished = service.connect(), service.connect()
        unfinished.sendall(b"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        answers = []
        texts = [f"{number} " + " ".join(random.Random(number).choices("abcdefgh", k=300))
                 for number in range(60 if SANITIZED else 400)]
        heavy = threading.Thread(target=lambda: answers.append(
            service.ask("POST", "/v1/pairs", {"items": texts, "method": "brute", "threshold": 0.3})))
        heavy.start()
        time.sleep(0.1)
        began = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        for connection in (idle, unfinished):
            self.assertEqual(connection.recv(100), b"")
        self.assertLess(time.monotonic() - began, 1)
        self.assertEqual(service.process.wait(10), 0)
        self.assertLess(time.monotonic() - began, 5.5)
        idle.close()
        unfinished.close()
        heavy.join()
        self.assertIn(answers[0].status if answers else 503, (200, 503))
        service.process.stdout.close()

    def test_a_terminal_shows_the_address_and_no_requests(self):
        leader, follower = os.openpty()
        self.addCleanup(os.close, leader)
        process = subprocess.Popen([SOSIE, "serve", INDEX, "--listen", "127.0.0.1:0"], cwd=self.dir,
                                   stdin=subprocess.DEVNULL, stdout=follower, stderr=follower)
        os.close(follower)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        shown = os.read(leader, 4096).decode()
        self.assertRegex(shown, r"^http://127\.0\.0\.1:\d+/\r\n$")
        for path in ("v1/info", "healthz"):
            with urllib.request.urlopen(shown.strip() + path) as answer:
                self.assertEqual(answer.status, 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(10), 0)
        with self.assertRaises(OSError):  # nothing else was written
            shown += os.read(leader, 4096).decode()
        self.assertEqual(shown.count("\n"), 1)

    def test_a_log_is_written_as_asked_for(self):
        for log, lines in (("off", 0), ("json", 1)):  # into one file
            service = self.serve("--log", log)
            service.get("/v1/info")
            service.stop()
            self.assertEqual(len(service.log.read_text().splitlines()), lines, log)

    def test_errors_speak_of_fields_and_not_of_the_command_line(self):
        service = self.serve()
        def hint(path, **fields):
            refused = service.ask("POST", path, fields)
            self.assertEqual(refused.status, 400)
            return refused.json["error"]["reason"] + "; " + refused.json["error"].get("hint", "")
        taken = hint("/v1/add", items=[self.rows[0]])
        self.assertRegex(taken, "skip_existing leaves such rows out, replace replaces the items")
        far = {"id": self.rows[0]["id"], "text": "words that no other item of this index has in it"}
        self.assertRegex(hint("/v1/add_new", items=[far]), "already in .*; give the rows other ids, leave them out, or first remove")
        self.assertRegex(hint("/v1/query", items=[{"body": "x"}]), r"^field 'text' is missing; (available fields: \w+)?$")
        self.assertRegex(hint("/v1/dedup", items=[{"body": "x"}]), r"^field 'text' is missing; available fields: body$")
        self.assertRegex(hint("/v1/query", items=["x"], recall=0.5), "the fields are: items, top, [a-z_, ]*$")
        self.assertRegex(hint("/v1/pairs", items=["x", "y"], recall=1, method="lsh"), "use method exact, or a recall below 1")
        self.assertRegex(hint("/v1/pairs", items=["x", "y"], within=1, threshold=0.5), "the same bound as threshold; give only one")
        service.stop()
        refused = self.serve("--read-only").ask("POST", "/v1/add", {"items": ["x"]})
        self.assertEqual((refused.status, refused.json["error"]["reason"]), (403, "the service is read-only"))

    def test_vectors_are_items_with_a_vector_and_any_bound(self):
        self.write("v.npy", npy([[1, 0], [1, 1], [0, 1]], "<f4"))
        self.sosie("index", "build", "v.index", "v.npy", "--measure", "cosine", "--threshold", "0.9", "-q")
        service = self.serve(index="v.index")
        hits = lambda **more: service.post("/v1/query", {"items": [{"vector": [1, 0]}], **more})["results"][0]
        self.assertEqual([hit["id"] for hit in hits()], [0])
        self.assertEqual([hit["id"] for hit in hits(threshold=0.5)], [0, 1])
        self.assertEqual([hit["id"] for hit in hits()], [0])
        self.write("q.npy", npy([[1, 0]], "<f4"))
        lines = read_table(self.sosie("query", "v.index", "q.npy", "--threshold", "0.5").out)
        self.assertEqual([line["right"] for line in lines], ["0", "1"])

    def test_the_log_has_a_line_a_request_and_no_contents(self):
        service = self.serve()
        service.ask("POST", "/v1/query", {"items": ["a secret text"]}, X_Request_Id="abc-1")
        service.ask("GET", "/v1/secret")
        service.stop()
        lines = [json.loads(line) for line in service.log.read_text().splitlines()]
        self.assertEqual([(line["route"], line["status"]) for line in lines],
                         [("/v1/query", 200), ("other", 404)])
        self.assertEqual(lines[0]["request"], "abc-1")
        self.assertNotIn("secret", service.log.read_text())

    def test_a_token_is_needed_off_loopback(self):
        self.fails(2, "serve", INDEX, "--listen", "0.0.0.0:0", says="--listen 0.0.0.0:0", hints="token-file")
        self.fails(2, "serve", INDEX, "--listen", "nowhere", says="not an address")
        self.fails(2, "serve", INDEX, INDEX, says="given twice")
        self.fails(3, "serve", ".", says="neither an index nor a saved run")
        self.write("token", "a-long-secret\n")
        service = self.serve("--token-file", "token")
        self.assertEqual(service.ask("GET", "/v1/info").status, 401)
        self.assertEqual(service.ask("GET", "/healthz").status, 200)
        for token in ("a-long-secre", "a-long-secret2", "b-long-secret", ""):
            self.assertEqual(service.ask("GET", "/v1/info", Authorization=f"Bearer {token}").status, 401)
        self.assertEqual(service.ask("GET", "/v1/info", Authorization="Bearer a-long-secret").status, 200)


if __name__ == "__main__":
    unittest.main()
