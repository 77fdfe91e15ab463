"""`sosie plan`: the planned run, and a saved plan that runs in the same way."""

import json
import os
import random
import re
import threading
import unittest
from xml.etree import ElementTree

import corpus
from support import SosieTest

# Bands x rows used by other tools, and the share of pairs at J = 0.8 that they find.
PEERS = {(9, 13): 40, (14, 8): 92, (20, 13): 68, (26, 11): 90, (8, 16): 20}


class Plan(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(80, 600) + corpus.texts(81, 300))

    def test_it_runs_with_and_without_input(self):
        for args in ((), ("in.jsonl",), ("in.jsonl", "--threshold", "0.5"),
                     ("--threshold", "0.9", "--recall", "0.999")):
            out = self.sosie("plan", "--verbose", *args).out.decode()
            bands = re.search(r"\b(\d+)\s?[x×]\s?(\d+)\b|\b(\d+) bands", out)
            self.assertIsNotNone(bands, out)

    def test_a_run_takes_what_is_planned(self):
        rng = random.Random(82)
        baskets = [" ".join(str(rng.randrange(5000)) for _ in range(8)) for _ in range(3000)]
        long_texts = corpus.texts(83, 1500)
        self.write("baskets.sets", "".join(f"{line}\n" for line in baskets).encode())
        self.write("long.jsonl", long_texts)
        self.write("few.jsonl", long_texts[:200])
        taken = set()
        for name in ("in.jsonl", "baskets.sets", "long.jsonl", "few.jsonl"):
            plan = self.sosie("plan", "--verbose", name).out.decode()
            for verb, label in (("dedup", "dedup method"), ("pairs", "pairs, query")):
                self.sosie(verb, name, "--stats", "s.json")
                method = json.loads(self.read("s.json"))["method"]
                taken.add(method)
                self.assertRegex(plan, rf"(?m)^({label}|method)\s+{method}:", (name, verb))
            self.assertRegex(plan, r"(?m)^predicted +dedup: exact \d.*brute .*; pairs: exact \d")
        self.assertEqual(taken, {"brute", "exact", "lsh"})

    def test_six_lines_say_what_is_asked_first(self):
        self.write("v.tsv", "a\t1 0 0\nb\t0 1 0\n")
        self.write("names.txt", "anna\nanne\n")
        for args, lacks in ((("in.jsonl",), ()), (("in.jsonl", "--method", "exact"), ()),
                            (("--threshold", "0.7"), ("time", "memory")),
                            (("in.jsonl", "--construct", "and:2,or:3,and:2"),
                             ("time", "memory")),
                            (("names.txt", "--kind", "strings", "--within", "1"), ())):
            lines = self.sosie("plan", *args).out.decode().splitlines()
            self.assertEqual([line.split()[0] for line in lines],
                             [label for label in ("time", "memory", "method", "recall", "why", "try")
                              if label not in lacks], args)

    def test_a_recall_of_one_is_planned(self):
        for args, why in ((("--recall", "1"), "--recall 1 needs it"),
                          (("--measure", "containment"), "there is no lsh for containment")):
            plan = self.sosie("plan", "in.jsonl", *args).out.decode()
            self.assertRegex(plan, r"(?m)^time +.*\n(.*\n)*method +exact\nrecall +1: every pair is found\nwhy +" + why)

    def test_it_says_when_most_rows_are_too_short_to_differ_in_a_word(self):
        self.write("short.txt", "".join(f"{n} red green blue black white\n" for n in range(50)))
        self.assertRegex(self.sosie("plan", "short.txt").out.decode(),
                         r"(?m)^try +shorter shingles or a lower --threshold: half of the rows are "
                         r"under 49 words")

    def test_peers_are_on_the_same_axis(self):
        out = self.sosie("plan", "--verbose", "in.jsonl").out.decode()
        for (bands, rows), percent in PEERS.items():
            found = re.search(rf"\b{bands}\s?[x×]\s?{rows}\b.*?\b([0-9.]+)\s?%", out)
            self.assertIsNotNone(found, out)
            self.assertEqual(round(float(found.group(1))), percent)

    def test_a_curve_of_lsh_that_is_not_taken_says_so(self):
        self.write("in.jsonl", corpus.texts(97, 50))
        for method, name in (("auto", r"lsh \(not chosen\)"), ("lsh", "this plan")):
            out = self.sosie("plan", "--verbose", "in.jsonl", "--method", method).out.decode()
            self.assertRegex(out, rf"(?m)^ +━━━ +\d+ x \d+ .* {name}$")

    def test_the_curve_is_described(self):
        out = self.sosie("plan", "--verbose", "in.jsonl").out.decode().lower()
        for word in ("recall", "half", "steep"):
            self.assertIn(word, out)

    def test_sets_are_not_called_documents(self):
        self.write("in.sets", "a b c\na b d\n")
        for options, items in (((), "sets"), (("--kind", "bags"), "bags")):
            page = self.sosie("plan", "--verbose", "in.sets", *options).out.decode()
            self.assertRegex(page, f"(?m)^items are +{items} of elements$")
            self.assertNotIn("words:5", page)

    def test_a_given_banding_is_described(self):
        """20 x 5 finds .9996 at 0.8 (T-4.1); the filter may lose .001 of these."""
        out = self.sosie("plan", "--verbose", "--bands", "20x5").out.decode()
        found = re.search(r"\b20\s?[x×]\s?5\b.*?\b(99\.[0-9]+)\s?%", out)
        self.assertIsNotNone(found, out)
        self.assertGreaterEqual(float(found.group(1)), 99.86)
        self.assertLessEqual(float(found.group(1)), 99.96)

    def test_a_saved_plan_gives_the_bytes_of_a_direct_run(self):
        for args in ((), ("--threshold", "0.6", "--recall", "0.9"), ("--shingle", "chars:9"),
                     ("--bands", "8x16"), ("--seed", "5")):
            self.sosie("plan", "in.jsonl", *args, "-o", "plan.json")
            json.loads(self.read("plan.json"))
            self.assertEqual(self.kept("in.jsonl", *args, "--plan", "plan.json"),
                             self.kept("in.jsonl", *args), args)
            self.assertEqual(self.sosie("pairs", "in.jsonl", *args, "--plan", "plan.json").out,
                             self.sosie("pairs", "in.jsonl", *args).out, args)

    def test_a_plan_comes_from_a_pipe_too(self):
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        os.mkfifo(self.dir / "pipe")
        writer = threading.Thread(
            target=lambda: (self.dir / "pipe").write_bytes(self.read("plan.json")))
        writer.start()
        try:
            self.assertEqual(self.kept("in.jsonl", "--plan", "pipe"), self.kept("in.jsonl"))
        finally:
            writer.join()

    def test_of_plan_and_picture_none_appears_when_one_fails(self):
        self.sosie("plan", "--svg", "curve.svg", "-o", "no/such/plan.json", code=4)
        self.sosie("plan", "--svg", "no/such/curve.svg", "-o", "plan.json", code=4)
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_a_plan_is_the_same_for_any_number_of_threads(self):
        plans = set()
        for threads in ("1", "2", "7"):
            self.sosie("plan", "in.jsonl", "--threads", threads, "-o", "plan.json")
            plans.add(self.read("plan.json"))
        self.assertEqual(len(plans), 1)

    def test_a_broken_or_missing_plan(self):
        self.write("plan.json", b"{broken")
        self.fails(3, "dedup", "in.jsonl", "--plan", "plan.json", says="plan.json")
        self.fails(4, "dedup", "in.jsonl", "--plan", "nosuch.json", says="nosuch.json")

    def test_a_plan_is_refused_by_methods_that_have_no_bands(self):
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        for method in ("exact", "brute"):
            self.fails(2, "dedup", "in.jsonl", "--plan", "plan.json", "--method", method,
                       says="--plan: does not apply to a method that finds every pair")

    def test_the_picture_is_xml(self):
        self.sosie("plan", "in.jsonl", "--svg", "curve.svg")
        root = ElementTree.fromstring(self.read("curve.svg"))
        self.assertTrue(root.tag.endswith("svg"))
        self.assertGreater(len(list(root.iter())), 10)

    def test_rows_that_dedup_will_not_write_into_one_file_are_told(self):
        for others in ({"m/a.csv": "id,text\n1,a\n", "m/b.tsv": "id\ttext\n2\tb\n"},
                       {"n/a.csv": "id,text\n1,a\n", "n/b.csv": "text,id,more\nb,2,x\n"},
                       {"o/a.csv": "id,text\n1,a\n", "o/b.csv": "id;text\n2;b\n"}):
            for name, content in others.items():
                self.write(name, content)
            folder = next(iter(others)).partition("/")[0]
            said = self.sosie("plan", folder).err
            self.assertIn("dedup into one file: ", said)
            self.assertIn("-o FOLDER/", said)
            self.sosie("dedup", folder, "-o", "kept.csv", code=None)
            self.assertNotIn("kept.csv", self.names())
            self.sosie("dedup", folder, "-o", f"kept-{folder}/")
        self.assertNotIn("into one file", self.sosie("plan", "m/a.csv").err)

    def test_a_run_is_planned_by_its_own_options(self):
        rows = [{"id": i, "text": f"a b c d e {i % 40}"} for i in range(99)]
        self.write("in.jsonl", rows)
        self.write("items.jsonl", rows[:9])
        plain = self.sosie("plan", "in.jsonl").out
        for args in (("--id", "id", "--keep", "max:id", "--removed", "r.tsv", "--annotate", "all"),
                     ("--clusters", "c.tsv", "--stats", "s.json", "--dry-run", "--on-bad-row", "skip"),
                     ("--show", "text", "--limit", "7", "--exclude-self", "--rejects", "x.tsv"),
                     ("--progress", "none", "--clustering", "components", "--fail-if-duplicates")):
            run = self.sosie("plan", "in.jsonl", *args)
            self.assertEqual((run.out, run.err), (plain, ""), args)
        run = self.sosie("plan", "in.jsonl", "--audit=50", "--report", "r.html", "--top", "3")
        self.assertEqual(run.out, plain)
        self.assertIn("the plan covers a run without --audit, --report, --top", run.err)
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), ["in.jsonl", "items.jsonl"])
        self.assertIn(b"108 rows", self.sosie("plan", "in.jsonl", "--against", "items.jsonl").out)
        held = self.sosie("plan", "in.jsonl", "--against", "items.jsonl", "--contained", "0.8").out
        self.assertIn(b"there is no lsh for containment", held)
        self.write("q.jsonl", [{"id": 1, "question": "a b c d e"}])
        self.assertIn(b"100 rows", self.sosie("plan", "in.jsonl", "q.jsonl", "--other-column",
                                              "question").out)
        self.fails(2, "plan", "in.jsonl", "--other-column", "x", says="nothing to compare with")
        self.write("kept.jsonl", rows)
        self.fails(2, "plan", "in.jsonl", "-o", "kept.jsonl", says="a plan cannot be written as .jsonl")
        self.assertEqual(self.read("kept.jsonl").count(b"\n"), 99)
        self.fails(2, "plan", "in.jsonl", "--cut", "0.5", says="--cut: not an option of plan")
        self.fails(2, "plan", "in.jsonl", "--keep", "best", says="--keep: 'best' is not a list")

    def test_it_changes_nothing(self):
        self.sosie("plan", "in.jsonl")
        self.assertEqual(self.names(), {"in.jsonl"})


if __name__ == "__main__":
    unittest.main()
