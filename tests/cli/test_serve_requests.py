"""`sosie serve`: options in a request, options of the index, and their names in the answer."""

import json
import unittest

from support import ROOT, jsonl
from test_serve import HAS_SERVER, ServeTest


@unittest.skipUnless(HAS_SERVER, "built without SOSIE_SERVER")
class Bounds(ServeTest):
    """The values in an answer, and their name, are the same as in `sosie query` with the same options."""

    KINDS = (
        ("sets", ("--threshold", "0.2"), ["a b c", "a b d", "a b c"], ({}, {"threshold": 0.4}, {"within": 0.7})),
        ("sets", ("--within", "0.8"), ["a b c", "a b d", "a b c"], ({}, {"threshold": 0.4}, {"within": 0.7})),
        ("text", ("--shingle", "words:1", "--threshold", "0.2"), ["a b c", "a b d"], ({}, {"within": 0.6})),
        ("strings", ("--within", "3"), ["anna", "anne", "hanne"],
         ({}, {"within": 2}, {"threshold": 0.7}, {"top": 1})),
        ("strings", ("--threshold", "0.5"), ["anna", "anne", "hanne"], ({}, {"within": 2}, {"threshold": 0.7})),
        ("strings", ("--top", "2"), ["anna", "anne", "hanne"], ({"top": 2}, {"within": 2}, {"threshold": 0.7})),
        ("strings", ("--threshold", "0.8"), ["hannes", "hanne", "hans"], ({}, {"threshold": 0.9})),
        ("bits", ("--within", "9"), ["ff", "fe", "0f"], ({}, {"within": 2})),
        ("bits", ("--measure", "jaccard", "--threshold", "0.8"), ["ff", "fe", "0f"], ({}, {"threshold": 0.9})),
        ("vectors", ("--threshold", "0.5"), [[1, 2], [2, 1], [1, 1]], ({}, {"threshold": 0.9})),
        ("vectors", ("--measure", "euclidean", "--within", "2"), [[1, 2], [2, 1], [1, 1]], ({}, {"within": 1})),
    )

    def test_query_names_what_it_tells(self):
        for number, (kind, built, items, asked) in enumerate(self.KINDS):
            index = f"k{number}.index"
            rows = [{"id": f"r{i}", "text": item} for i, item in enumerate(items)]
            self.write("rows.jsonl", jsonl(rows))
            build = [] if "--top" in built else list(built)
            self.sosie("index", "build", index, "rows.jsonl", "--kind", kind, *build, "-q")
            service = self.serve(index=index)
            for fields in asked:
                with self.subTest(kind=kind, built=built, fields=fields):
                    options = [text for name, value in fields.items() for text in ("--" + name, str(value))]
                    out = self.sosie("query", index, "rows.jsonl", *options, "-q").out.decode().splitlines()
                    name = out[0].split("\t")[2]
                    lines = [line.split("\t") for line in out[1:]]
                    self.assertGreater(len(lines), 0)
                    for body in (rows, [{"id": row["id"]} for row in rows]):
                        answer = service.post("/v1/query", {"items": body, **fields})["results"]
                        found = [(row["id"], hit["id"], hit[name], len(hit))
                                 for row, hits in zip(rows, answer) for hit in hits]
                        self.assertEqual([(a, b) for a, b, _, _ in found], [(a, b) for a, b, _ in lines])
                        for (_, _, value, size), (_, _, shown) in zip(found, lines):
                            self.assertAlmostEqual(value, float(shown), places=6)
                            self.assertEqual(size, 2)
            self.assertEqual(service.stop(), 0)

    def test_a_run_of_another_kind_has_the_measure_of_that_kind(self):
        self.write("rows.jsonl", jsonl([{"id": "a", "text": "one two three"}]))
        self.sosie("index", "build", "text.index", "rows.jsonl", "--threshold", "0.6", "-q")
        service = self.serve(index="text.index")
        found = service.post("/v1/pairs", {"items": ["anna", "anne", "otto"], "kind": "strings", "within": 2})
        self.assertEqual(found["pairs"], [{"left": 0, "right": 1, "distance": 1}])
        self.assertEqual(service.post("/v1/dedup", {"items": ["anna", "anne", "otto"], "kind": "strings",
                                                    "within": 2})["kept"], [0, 2])
        self.assertIn("hyperplane", service.post("/v1/plan", {"kind": "vectors", "threshold": 0.9})["text"])
        self.assertEqual(service.stop(), 0)

    def test_runs_over_a_body_take_the_bound_of_the_request_or_the_index(self):
        for number, (kind, built, items, asked) in enumerate(self.KINDS):
            if "--top" in built:
                continue
            index = f"b{number}.index"
            rows = [{"id": f"r{i}", "text": item} for i, item in enumerate(items)]
            self.write("rows.jsonl", jsonl(rows))
            self.sosie("index", "build", index, "rows.jsonl", "--kind", kind, *built, "-q")
            service = self.serve(index=index)
            for fields in asked:
                if "top" in fields:
                    continue
                with self.subTest(kind=kind, built=built, fields=fields):
                    bound = [text for name, value in fields.items() for text in ("--" + name, str(value))]
                    args = list(built)
                    if bound:
                        at = args.index("--within" if "--within" in args else "--threshold")
                        args[at:at + 2] = bound
                    args = ["rows.jsonl", "--kind", kind, "--id", "row", *args, "-q"]
                    out = self.sosie("pairs", *args).out.decode().splitlines()
                    answer = service.post("/v1/pairs", {"items": items, **fields})["pairs"]
                    # The bound of an index of sets is a threshold.
                    name = out[0].split("\t")[2] if fields or kind not in ("sets", "text") else "similarity"
                    self.assertEqual([(p["left"], p["right"]) for p in answer],
                                     [tuple(map(int, line.split("\t")[:2])) for line in out[1:]])
                    for pair in answer:
                        self.assertEqual(set(pair), {"left", "right", name})
                    kept = self.sosie("dedup", *args).out.splitlines()
                    answer = service.post("/v1/dedup", {"items": items, **fields})
                    self.assertEqual([rows[row] for row in answer["kept"]], [json.loads(line) for line in kept])
                    for row in answer["removed"]:
                        self.assertEqual(set(row), {"row", "kept", name, "exact"})
            self.assertEqual(service.stop(), 0)


@unittest.skipUnless(HAS_SERVER, "built without SOSIE_SERVER")
class Requests(ServeTest):
    def test_a_field_is_said_once(self):
        service = self.serve()
        for path, body in (("/v1/query", b'{"items": ["a"], "top": 1, "top": 2}'),
                           ("/v1/query", b'{"items": ["a"], "items": []}'),
                           ("/v1/query", b'{"items": ["a"], "t\\u006fp": 1, "top": 1}'),
                           ("/v1/remove", b'{"ids": [], "ids": ["d1"]}'),
                           ("/v1/query?top=1", b'{"items": ["a"], "top": 2}'),
                           ("/v1/query?top=1&top=1", b'{"items": ["a"]}')):
            answer = service.ask("POST", path, body)
            self.assertEqual(answer.status, 400, (path, body))
            self.assertEqual(answer.json["error"]["reason"], "is given twice")
            self.assertIn(answer.json["error"]["place"], ("top", "items", "ids"))

    def test_messages_say_what_a_request_takes(self):
        service = self.serve()
        for path, body, place, reason, hint in (
                ("/v1/query", {"items": "a text"}, "items", "must be a list", '{"items": ["TEXT"]}'),
                ("/v1/remove", {"ids": "d1"}, "ids", "must be a list", '{"ids": ["ID"]}'),
                ("/v1/explain", {"items": ["one"]}, "items", "expected 2 items, got 1", "the second"),
                ("/v1/explain", {"items": [{"id": "d1"}]}, "items", "expected 2 items, got 1", ""),
                ("/v1/explain", {"items": ["a", "b", "c"]}, "items", "expected 2 items, got 3", ""),
                ("/v1/query", {"items": ["a"], "treshold": 0.3}, "treshold",
                 "not a field of this request", "threshold"),
                ("/v1/query", {"text": ["a"]}, "text", "not a field of this request", "items")):
            with self.subTest(path=path, body=body):
                answer = service.ask("POST", path, json.dumps(body).encode())
                error = answer.json["error"]
                self.assertEqual((answer.status, error["place"], error["reason"]),
                                 (400, place, reason))
                self.assertIn(hint, error["hint"])

    def test_fields_of_an_address_are_refused_by_name(self):
        service = self.serve()
        answer = service.ask("GET", "/v1/info?verbose=1")
        self.assertEqual((answer.status, answer.json["error"]["place"]), (400, "verbose"))
        self.assertEqual(service.ask("GET", "/healthz?probe=7").status, 200)

    def test_a_plan_speaks_of_fields(self):
        service = self.serve()
        for fields in ({}, {"method": "exact"}, {"kind": "vectors", "threshold": 0.9}):
            text = service.post("/v1/plan", fields)["text"]
            self.assertIn("method", text)
            self.assertNotIn("--", text)

    def test_where_is_a_field_of_the_document_and_the_guide(self):
        service = self.serve()
        paths = service.ask("GET", "/openapi.json").json["paths"]
        body = paths["/v1/query"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        self.assertIn("where", body["properties"])
        guide = (ROOT / "docs" / "serve.md").read_text()
        row = next(line for line in guide.splitlines() if line.startswith("| `POST /v1/query`"))
        for field in body["properties"]:
            self.assertIn(f"`{field}`", row)

    def test_a_run_refuses_other_fields_and_limits(self):
        self.sosie("dedup", "data.jsonl", "data.jsonl", "--id", "row", "-o", "o.jsonl", "--save", "run/",
                   "-q")
        service = self.serve(index="run/")
        for path in ("/v1/groups?sorted=size", "/v1/groups?limit=1&limit=2", "/v1/groups/0?text=a",
                     "/v1/histogram?shingle=words:3", "/v1/decisions?a=b"):
            self.assertEqual(service.ask("GET", path).status, 400, path)
        for path, most in (("/v1/groups?limit={}", 500), ("/v1/groups/0?limit={}", 100)):
            self.assertEqual(service.ask("GET", path.format(most)).status, 200)
            answer = service.ask("GET", path.format(most + 1))
            self.assertEqual((answer.status, answer.json["error"]["option"]), (400, "limit"))
            self.assertEqual(answer.json["error"]["reason"], f"is more than {most}")
        step = {"groups": [0], "verdict": "not_duplicate", "previw": True}
        answer = service.ask("POST", "/v1/decisions", json.dumps(step).encode())
        self.assertEqual(answer.status, 400)
        self.assertIn("previw", answer.json["error"]["reason"])
        self.assertEqual(service.ask("GET", "/v1/decisions").json["steps"], 0)
        names = [each["name"] for each in
                 service.ask("GET", "/openapi.json").json["paths"]["/v1/groups"]["get"]["parameters"]]
        self.assertEqual(names, ["sort", "source", "text", "state", "offset", "limit"])

    def test_a_run_of_an_earlier_version_opens(self):
        """Field names with an empty part used to be accepted literally."""
        rows = [{"id": str(n), "a||b": "one two three four five six"} for n in range(2)]
        self.write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        self.sosie("dedup", "rows.jsonl", "--column", r"a\|\|b", "-o", "o.jsonl", "--save", "run/", "-q")
        facts = self.dir / "run" / "run.json"
        written = facts.read_text()
        self.assertIn(r"a\\|\\|b", written)
        facts.write_text(written.replace(r"a\\|\\|b", "a||b"))
        service = self.serve(index="run/")
        answer = service.ask("GET", "/v1/groups/0")
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual([[part["text"] for part in member["parts"]] for member in answer.json["members"]],
                         [["one two three four five six"]] * 2)

    def test_head_is_answered_as_get(self):
        service = self.serve()
        for path in ("/", "/healthz", "/readyz", "/v1/info", "/openapi.json", "/v1/nothing"):
            head, get = service.ask("HEAD", path), service.ask("GET", path)
            self.assertEqual((head.status, head.body), (get.status, b""), path)
            for name in ("Content-Type", "Content-Length"):
                self.assertEqual(head.headers[name], get.headers[name], path)
        refused = service.ask("HEAD", "/v1/query")
        self.assertEqual((refused.status, refused.headers["Allow"]), (405, "POST"))
        self.assertEqual(service.ask("POST", "/healthz", {}).headers["Allow"], "GET, HEAD")
        document = service.get("/openapi.json")["paths"]
        self.assertEqual({path for path, methods in document.items() if "get" in methods},
                         {path for path, methods in document.items() if "head" in methods})

    def test_numbers_keep_their_digits(self):
        large = 2**64
        rows = [{"id": large - 1, "text": "one two three"}, {"id": large, "text": "one two four"},
                {"id": 10**40, "text": "nothing of the kind"}]
        self.write("large.jsonl", jsonl(rows))
        self.sosie("index", "build", "large.index", "large.jsonl", "--shingle", "words:1", "--threshold", "0.4", "-q")
        service = self.serve(index="large.index")
        new = b'{"items": [\n {"id": 123456789012345678901234567890,\r\n  "text": "one two three"}\n]}'
        self.assertEqual(service.post("/v1/add", new)["added"], 1)
        found = service.post("/v1/query", {"items": ["one two three", {"id": 10**40}]})["results"]
        self.assertEqual([hit["id"] for hit in found[0]], [large - 1, 123456789012345678901234567890, large])
        self.assertEqual([hit["id"] for hit in found[1]], [10**40])
        self.assertEqual(service.post("/v1/remove", {"ids": [large, 10**40]})["removed"], 2)
        for body in (b'{"items": [{"id": 1.5, "text": "a"}]}', b'{"items": [{"id": 1e3}]}'):
            self.assertEqual(service.ask("POST", "/v1/add", body).status, 400)
        for body in (b'{"items": [' + b"9" * 100, b'{"items": [1234567890123456789012x]}', b"-", b"9" * 50):
            self.assertEqual(service.ask("POST", "/v1/query", body).status, 400)


if __name__ == "__main__":
    unittest.main()
