"""`link --save RUN/` and `serve RUN/`: the pairs of a link run are judged, exported and applied."""

import json
import random
import re
import struct
import sys
import unittest
from pathlib import Path

import saved_files
from made_people import misspelt, word
from support import ROOT, SosieTest
from test_save import GROUP, Run, pieces
from test_serve import HAS_SERVER

sys.path.insert(0, str(ROOT / "tests" / "server"))
from service import Service  # noqa: E402  (stands in tests/server)

PAIR = struct.Struct("<QQddII")
LINKED, SUGGESTED = 1, 2
HOSTILE = '<script>window.hacked = 1</script>\x07'


class LinkSave(SosieTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        given, cities = [word(draw, 2) for _ in range(40)], [word(draw) for _ in range(15)]
        people = [[draw.choice(given), word(draw), draw.choice(cities)] for _ in range(200)]
        copies = [[misspelt(draw, value) if draw.random() < .35 else value for value in row]
                  for row in people[:150]]
        people[7][2] = copies[7][2] = HOSTILE
        self.rows("a.csv", people)
        self.rows("b.csv", copies)
        self.rows("one.csv", people + copies)

    def rows(self, name: str, rows: list[list[str]]) -> None:
        lines = [["id", "given", "surname", "city"], *([f"{name[0]}{i}", *row] for i, row in enumerate(rows))]
        self.write(name, "".join(",".join(line) + "\n" for line in lines))

    def saved(self, *args: str, at: str = "run") -> list[dict]:
        self.sosie("link", *args, "--save", at, "-q")
        run = Run(self.dir / at)
        members = [member for group in run.groups for member in group["rows"]]
        pairs = []
        for data in pieces((self.dir / at / "pairs").read_bytes(), PAIR):
            left, right, score, probability, flags, _ = PAIR.unpack(data)
            pairs.append({"ids": (members[left].id, members[right].id), "score": score,
                          "probability": probability, "flags": flags})
        self.run_folder = run
        return pairs

    def linked(self, name: str) -> set:
        return {(row["left"], row["right"]) for row in self.table(name)}

    def test_holds_the_links_and_asks_what_suggest_asks(self):
        pairs = self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        links = {pair["ids"]: pair for pair in pairs if pair["flags"] & LINKED}
        told = self.table("links.csv")
        self.assertEqual(set(links), {(row["left"], row["right"]) for row in told})
        for row in told:
            pair = links[row["left"], row["right"]]
            self.assertEqual(f"{pair['score']:.6f}", f"{float(row['score']):.6f}")
            self.assertEqual(f"{pair['probability']:.6f}", f"{float(row['probability']):.6f}")
        self.sosie("link", "a.csv", "--against", "b.csv", "--suggest", "300", "-o", "ask.csv", "-q")
        asked = [(row["left"], row["right"]) for row in self.table("ask.csv")]
        self.assertEqual([pair["ids"] for pair in pairs[:len(asked)]], asked)
        self.assertEqual(sum(bool(pair["flags"] & SUGGESTED) for pair in pairs), len(asked))
        for group in self.run_folder.groups:
            for member in group["rows"]:
                row = Path(self.run_folder.path(member)).read_bytes()
                row = row[member.offset:member.offset + member.length]
                self.assertTrue(row.startswith(member.id.encode() + b","))
                if saved_files.LIBRARY:
                    self.assertEqual(saved_files.checksum(row), member.hash)

    def test_groups_of_one_collection_are_the_groups_of_the_output(self):
        pairs = self.saved("one.csv", "-o", "groups.csv")
        together = {}
        for row in self.table("groups.csv"):
            together.setdefault(row["cluster_id"], []).append(row["id"])
        expected = sorted(ids for ids in together.values() if len(ids) > 1)
        groups = [[member.id for member in group["rows"]] for group in self.run_folder.groups]
        self.assertEqual(sorted(ids for ids in groups if len(ids) > 1), expected)
        group_of = {name: ids[0] for ids in expected for name in ids}
        for pair in pairs:
            left, right = (group_of.get(name, name) for name in pair["ids"])
            self.assertEqual(bool(pair["flags"] & LINKED), left == right)

    def names_alone(self) -> None:
        for name in ("a.csv", "b.csv"):
            self.write(f"names-{name}", "".join(
                ",".join(line.split(",")[:3:2]) + "\n" for line in self.read(name).decode().splitlines()))

    def test_pairs_of_one_column_have_probabilities(self):
        self.names_alone()
        pairs = self.saved("names-a.csv", "--against", "names-b.csv", "-o", "links.csv")
        linked = [pair["probability"] for pair in pairs if pair["flags"] & LINKED]
        self.assertGreater(len(linked), 20)
        self.assertGreater(min(linked), 0)
        self.assertGreater(max(linked), .9)

    def test_scores_without_a_model_are_doubtful_near_the_cut(self):
        self.names_alone()
        self.sosie("link", "names-a.csv", "--against", "names-b.csv", "--init", "-o", "rules.toml")
        with open(self.dir / "rules.toml", "a", encoding="utf-8") as rules:
            rules.write('[score]\nmethod = "tfidf"\n')
        pairs = self.saved("names-a.csv", "--against", "names-b.csv", "-o", "links.csv", "--rules", "rules.toml",
                           "--cut", "0.6", "--assign", "all")
        text = self.run_folder.facts["overview"]["text"]
        cut = float(re.search(r"^cut +share of the highest score ([\d.]+)", text, re.M)[1])
        self.assertGreater(abs(cut - 0.5), 0.02)
        self.assertEqual({pair["probability"] for pair in pairs}, {-1})
        doubts = [abs(pair["score"] - cut) for pair in pairs if not pair["flags"] & SUGGESTED]
        self.assertGreater(len(doubts), 20)
        for before, behind in zip(doubts, doubts[1:]):
            self.assertLessEqual(before, behind + 0.002)  # the cut is shown with 3 digits

    def test_empty_runs_are_runs(self):
        self.write("none.csv", "id,given\n")
        self.assertEqual(self.saved("none.csv", "--against", "a.csv", "-o", "links.csv"), [])
        self.assertEqual(self.run_folder.groups, [])

    def test_equal_runs_save_equal_bytes(self):
        for at, threads in (("one", "1"), ("two", "2")):
            self.saved("a.csv", "--against", "b.csv", "-o", "links.csv", "--threads", threads, at=at)
        for name in ("groups", "members", "texts", "pairs", "estimate.json", "decisions.jsonl"):
            self.assertEqual(self.read(f"one/{name}"), self.read(f"two/{name}"))

    def serve(self) -> Service:
        if not HAS_SERVER:
            self.skipTest("built without SOSIE_SERVER")
        service = Service("run", self.dir)
        self.addCleanup(lambda: service.process.poll() is None and service.kill())
        return service

    def review(self, *verdicts: tuple) -> dict:
        """Serves the run, and gives pairs a verdict; returns the two exports by name."""
        service = self.serve()
        self.info = service.get("/v1/info")
        for number, verdict in verdicts:
            service.post("/v1/decisions", {"pairs": [number], "verdict": verdict})
        exports = {}
        for name in ("decisions", "labels"):
            exports[name] = service.ask("GET", f"/v1/decisions/export?as={name}").body
            self.write(f"{name}.tsv", exports[name])
        self.assertEqual(service.stop(), 0)
        return exports

    def test_decisions_and_labels_are_applied_by_the_commands_that_it_shows(self):
        for inputs in (("a.csv", "--against", "b.csv"), ("one.csv",)):
            pairs = self.saved(*inputs, "-o", "links.csv", "--overwrite=all")
            parted = next(n for n, pair in enumerate(pairs) if pair["flags"] & LINKED)
            joined = next(n for n, pair in enumerate(pairs) if not pair["flags"] & LINKED)
            unsure = next(n for n in range(len(pairs)) if n not in (parted, joined))
            self.review((parted, "different"), (joined, "match"), (unsure, "unsure"))
            rows = self.table("decisions.tsv")
            self.assertEqual({(row["left"], row["right"]): row["decision"] for row in rows},
                             {pairs[parted]["ids"]: "rejected", pairs[joined]["ids"]: "accepted",
                              pairs[unsure]["ids"]: ""})
            for name in ("apply", "learn"):
                command = self.info["overview"][name].split()
                self.assertEqual(command[:2], ["sosie", "link"])
                self.sosie(*command[1:], "-q")
                if len(inputs) == 1:
                    group = {row["id"]: row["cluster_id"] for row in self.table("links-reviewed.csv")}
                    left, right = pairs[parted]["ids"]
                    self.assertNotEqual(group[left], group[right])
                    left, right = pairs[joined]["ids"]
                    self.assertEqual(group[left], group[right])
                    continue
                links = self.linked("links-reviewed.csv")
                self.assertNotIn(pairs[parted]["ids"], links)
                self.assertIn(pairs[joined]["ids"], links)

    def test_groups_that_a_person_made_stay_whole(self):
        members = [f"o{n}" for n in range(9)]  # among nine people, hardly any pair is a candidate
        self.write("groups.csv", "id,cluster_id\n" + "".join(f"{name},o0\n" for name in members))
        self.saved("one.csv", "--reuse", "groups.csv", "-o", "links.csv")
        self.review()
        self.sosie(*self.info["overview"]["apply"].split()[1:], "-q")
        for name in ("links.csv", "links-reviewed.csv"):
            group = {row["id"]: row["cluster_id"] for row in self.table(name)}
            self.assertEqual({group.get(member) for member in members}, {"o0"})
        self.assertNotIn("explain", self.run_folder.facts["overview"])  # which takes no --reuse

    def test_groups_are_not_given_the_verdicts_of_pairs(self):
        pairs = self.saved("one.csv", "-o", "links.csv")
        service = self.serve()
        for number in range(len(pairs)):
            service.post("/v1/decisions", {"pairs": [number], "verdict": "different"})
        members = service.get("/v1/groups/0")["members"]
        self.assertEqual({member["verdict"] for member in members}, {"none"})
        self.assertEqual([member["kept"] for member in members], [True] + [False] * (len(members) - 1))
        self.assertEqual(service.stop(), 0)

    def test_ids_with_a_dash_are_explained(self):
        self.write("one.csv", self.read("one.csv").replace(b"\no", b"\n-"))
        self.saved("one.csv", "-o", "links.csv")
        service = self.serve()
        pair = service.get("/v1/pairs/0")
        self.assertEqual(pair["left_id"][0], "-")
        told = self.sosie(*pair["explain"].split()[1:]).out.decode()
        self.assertRegex(told, f"(?s)left +{pair['left_id']} .*right +{pair['right_id']} ")
        self.assertEqual(service.stop(), 0)

    def test_long_ids_are_cut_on_pages_and_whole_in_exports(self):
        long_id = "é" * 5000
        self.write("a.csv", self.read("a.csv").replace(b"\na3,", f"\n{long_id},".encode()))
        pairs = self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        number = next(n for n, pair in enumerate(pairs) if pair["ids"][0] == long_id)
        service = self.serve()
        shown = service.get("/v1/pairs?sort=order&limit=500")["pairs"]
        self.assertIn("é" * 500 + "…", [pair["left_id"] for pair in shown])
        service.post("/v1/decisions", {"pairs": [number], "verdict": "match"})
        export = service.ask("GET", "/v1/decisions/export?as=decisions").body.decode()
        self.assertIn(f"{long_id}\t{pairs[number]['ids'][1]}\taccepted", export)
        self.assertEqual(service.stop(), 0)

    def answered(self, answers: list[tuple[int, str]]) -> dict:
        """Gives answers to the saved run and exports them as labels; the estimate after each of them."""
        service = self.serve()
        told = [service.get("/v1/decisions")["estimate"]]
        for number, verdict in answers:
            told.append(service.post("/v1/decisions", {"pairs": [number], "verdict": verdict})["estimate"])
        self.write("labels.tsv", service.ask("GET", "/v1/decisions/export?as=labels").body)
        self.estimates = told
        if answers:
            undone = service.post("/v1/decisions", {"undo": True})["estimate"]
            self.assertEqual(undone, told[-2])
        self.assertEqual(service.stop(), 0)
        return told[-1]

    def by_labels(self, *args: str) -> dict:
        """What link says with the exported labels, as the page says it."""
        self.sosie("link", *args, "--labels", "labels.tsv", "-o", "learnt.csv", "--stats", "stats.json", "-q", "--overwrite=all")
        stats = json.loads(self.read("stats.json"))
        labels = stats["labels"]["matches"] + stats["labels"]["others"]
        figures = {name: stats["estimates"][-1][name] for name in ("matches", "precision", "recall", "f1")}
        return {"labels": labels, **figures, "confidence": stats["confidence"],
                "confidence_reasons": stats["confidence_reasons"]}

    def same_estimate(self, page: dict, link: dict) -> None:
        for name, value in link.items():
            if isinstance(value, float):
                self.assertAlmostEqual(page[name], value, places=9, msg=name)
            else:
                self.assertEqual(page[name], value, name)

    def test_confidence_moves_with_each_answer_as_labels_move_it(self):
        """Labels of one kind teach nothing: the run of `link --labels` is the one that was saved."""
        for inputs in (("a.csv", "--against", "b.csv"), ("one.csv",)):
            for verdict, is_asked in (("match", lambda flags: flags & LINKED), ("different", lambda flags: not flags & LINKED)):
                pairs = self.saved(*inputs, "-o", "links.csv", "--overwrite=all")
                numbers = [number for number, pair in enumerate(pairs) if is_asked(pair["flags"])][:40]
                page = self.answered([(number, verdict) for number in numbers])
                self.assertNotIn("f1", self.estimates[0])
                self.assertEqual([each["labels"] for each in self.estimates], list(range(len(numbers) + 1)))
                self.assertEqual(len({each["f1"] for each in self.estimates[1:]}), len(numbers))
                told = self.by_labels(*inputs)
                # A reason without labels may hold a figure that moves with the pairs that are certain now.
                self.assertEqual(len(page["confidence_reasons"]), len(told.pop("confidence_reasons")))
                self.same_estimate(page, told)

    def test_a_run_with_labels_goes_on_where_it_ended(self):
        for inputs in (("a.csv", "--against", "b.csv"), ("one.csv",)):
            pairs = self.saved(*inputs, "-o", "links.csv", "--overwrite=all")
            answers = []
            for number, pair in enumerate(pairs[:120]):
                left, right = (int(name[1:]) for name in pair["ids"])
                is_match = (right - left) in ((0,) if len(inputs) > 1 else (200,)) and left < 150
                answers.append((number, "match" if is_match else "different"))
            before = self.answered(answers)
            told = self.by_labels(*inputs, "--save", "run")
            self.assertLess(abs(before["f1"] - told["f1"]), .05)  # which has learnt from them
            self.same_estimate(self.answered([]), told)

    def test_a_run_without_strata_is_still_a_run(self):
        """As older versions saved it, and as a run without a model does."""
        self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        facts = json.loads(self.read("run/run.json"))
        del facts["tables"]["estimate"]
        self.write("run/run.json", json.dumps(facts))
        (self.dir / "run" / "estimate.json").unlink()
        self.assertIsNone(self.answered([(0, "match")]))
        self.names_alone()
        self.sosie("link", "names-a.csv", "--against", "names-b.csv", "--init", "-o", "rules.toml")
        with open(self.dir / "rules.toml", "a", encoding="utf-8") as rules:
            rules.write('[score]\nmethod = "tfidf"\n')
        self.saved("names-a.csv", "--against", "names-b.csv", "-o", "links.csv", "--rules", "rules.toml",
                   "--cut", "0.6", "--overwrite=all")
        self.assertNotIn("estimate.json", [path.name for path in (self.dir / "run").iterdir()])
        self.assertIsNone(self.answered([(0, "match")]))

    def test_a_review_keeps_what_the_run_was_told(self):
        pairs = self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        self.review((0, "match"), (1, "different"))
        self.saved("a.csv", "--against", "b.csv", "--reuse", "decisions.tsv", "-o", "more.csv",
                   "--overwrite=all")
        exports = self.review()
        rows = {(row["left"], row["right"]): row["decision"] for row in self.table("decisions.tsv")}
        self.assertEqual(rows, {pairs[0]["ids"]: "accepted", pairs[1]["ids"]: "rejected"})
        self.assertEqual(exports["labels"].decode().split(), ["left", "right", "label"])

    def test_hostile_folders_get_one_line(self):
        self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        run = self.dir / "run"
        for name in ("pairs", "groups", "members", "texts", "estimate.json"):
            whole = (run / name).read_bytes()
            for bytes_of_table in (whole[:-1], whole[:8] + b"\xff" * 8 + whole[16:], b""):
                (run / name).write_bytes(bytes_of_table)
                self.fails(3, "serve", "run", says=f"run/{name}: is damaged")
            (run / name).unlink()
            self.fails(3, "serve", "run")
            (run / name).write_bytes(whole)
        facts = json.loads((run / "run.json").read_text())
        self.assertEqual(facts["sosie_run"], 2)
        for name, value, code in (("sosie_run", 3, 2), ("columns", [["a"]], 3), ("columns", None, 3),
                                  ("tables", {}, 3), ("kind", "dreams", 3)):
            (run / "run.json").write_text(json.dumps(facts | {name: value}))
            self.fails(code, "serve", "run", says="run")
        if saved_files.LIBRARY:  # a correct checksum, but pairs of rows that do not exist
            for pair in (PAIR.pack(0, 10 ** 9, 1, 1, 1, 0), PAIR.pack(3, 3, 1, 1, 1, 0),
                         PAIR.pack(0, 1, float("nan"), 1, 1, 0)):
                (run / "pairs").write_bytes(pair)
                facts["tables"]["pairs"] = {"bytes": len(pair), "xxh3": f"{saved_files.checksum(pair):016x}"}
                (run / "run.json").write_text(json.dumps(facts))
                self.fails(3, "serve", "run", says="run/pairs: is damaged, a pair names rows that")
            pair = PAIR.pack(0, 1, 1, 1, 1, 39)
            (run / "pairs").write_bytes(pair)
            facts["tables"]["pairs"] = {"bytes": len(pair), "xxh3": f"{saved_files.checksum(pair):016x}"}
            (run / "run.json").write_text(json.dumps(facts))
            self.fails(3, "serve", "run", says="run/pairs: is damaged, a pair is in a stratum that does not exist")

    def test_long_lines_are_refused(self):
        if not saved_files.LIBRARY:
            self.skipTest("needs the library of XXH3")
        self.saved("one.csv", "-o", "links.csv")
        run = self.dir / "run"
        facts = json.loads((run / "run.json").read_text())
        for line, code in ((120, None), (121, 3)):
            text = b"x" * line + b"\0" + (run / "texts").read_bytes()
            groups = [[*GROUP.unpack(data)] for data in pieces((run / "groups").read_bytes(), GROUP)]
            groups[0][6] = line
            for group in groups[1:]:
                group[1] += line + 1
            for name, data in (("texts", text), ("groups", b"".join(GROUP.pack(*group) for group in groups))):
                (self.dir / "run" / name).write_bytes(data)
                facts["tables"][name] = {"bytes": len(data), "xxh3": f"{saved_files.checksum(data):016x}"}
            (run / "run.json").write_text(json.dumps(facts))
            (run / "decisions.jsonl").unlink(missing_ok=True)
            if code:
                self.fails(code, "serve", "run", says="run/groups: is damaged, a group is in an impossible place")
            else:
                self.assertEqual(self.serve().stop(), 0)

    def test_a_review_is_not_replaced_and_changed_rows_are_not_shown(self):
        pairs = self.saved("a.csv", "--against", "b.csv", "-o", "links.csv")
        self.fails(2, "link", "a.csv", "--save", "run", "-o", "out.csv", says="run")
        self.review((0, "match"))
        self.fails(2, "link", "a.csv", "--save", "run", "-o", "out.csv", "--overwrite",
                   says="holds a review of 1 step")
        self.assertNotIn("out.csv", self.names())
        changed = self.read("b.csv").replace(b"\nb3,", b"\nb3,New")
        self.write("b.csv", changed)
        service = self.serve()
        number = next(n for n, pair in enumerate(pairs) if pair["ids"][1] == "b3")
        pair = service.get(f"/v1/pairs/{number}")
        self.assertIn("has changed", pair["right"]["trouble"])
        self.assertEqual(service.stop(), 0)

    def test_refusals(self):
        for more, says in ((("--dry-run",), "save"), (("--init",), "save"),
                           (("--suggest", "3"), "save"),
                           (("--assign", "groups", "--against", "b.csv", "--model", "m.json"), "save")):
            self.fails(2, "link", "a.csv", "--save", "new", "-o", "out.csv", *more, says=says)
        self.sosie("link", "one.csv", "--annotate", "all", "--model", "m.json", "-o", "groups.csv", "-q")
        self.fails(2, "link", "a.csv", "--against", "groups.csv", "--model", "m.json", "--save", "new", "-o", "out.csv", "-q",
                   says="--save: cannot be combined with adding records to the groups")
        self.fails(2, "link", "-", "--save", "new", "-o", "out.csv", stdin=b'{"id": 1, "a": "b"}\n', says="save")
        self.fails(2, "link", "a.csv", "--save", "a.csv", "-o", "out.csv", says="a.csv")
        self.assertFalse({"new", "out.csv"} & self.names())

    def test_every_way_to_write_rows_can_be_saved(self):
        for n, more in enumerate((("--annotate", "all"), ("--golden", "surname=longest"), ("--keep", "first"))):
            self.saved("one.csv", *more, "-o", f"out{n}.csv", at=f"run{n}")
            command = self.run_folder.facts["overview"]["apply"].split()
            self.write("decisions.tsv", "left\tright\tdecision\no0\to200\taccepted\n")
            self.sosie(*command[1:], "-q")
            self.assertIn(f"out{n}-reviewed.csv", self.names())


if __name__ == "__main__":
    unittest.main()
