#!/usr/bin/env python3
"""Tests the harness on tiny inputs, without peers or network; SOSIE_BIN names the program.

Measurements are worthless if the yardstick is wrong, so most of these tests check how exact pairs
and scores are computed, against cases made by hand and a plain second implementation.
"""

import argparse
import contextlib
import io
import itertools
import json
import os
import random
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]

import common  # noqa: E402  (of the peers)
import corpora  # noqa: E402
import guard  # noqa: E402
import link  # noqa: E402
import measure  # noqa: E402
import memory  # noqa: E402
import parallel  # noqa: E402
import person_files  # noqa: E402
import planted  # noqa: E402
import record_sets  # noqa: E402
import run  # noqa: E402
import set_files  # noqa: E402
import set_joins  # noqa: E402
import tables  # noqa: E402
import tools  # noqa: E402
import truth  # noqa: E402

SCRATCH = tempfile.TemporaryDirectory(prefix="bench-smoke-")
WORK = Path(SCRATCH.name)
corpora.WORK = WORK  # so nothing is left in the build tree


def truth_of(rows: int, *pairs: tuple[int, int, float]) -> truth.Truth:
    out = truth.Truth(rows, 0.8)
    for pair in pairs:
        out.add(*pair)
    return out


class ExactPairs(unittest.TestCase):
    def computed(self, texts: list[str], threshold: tuple[int, int]) -> list:
        program = truth.build_program(WORK)
        rows = truth.compute_pairs(program, texts, threshold, WORK / "pairs.tsv")
        self.assertEqual(rows, len(texts))
        return list(truth.read_computed(WORK / "pairs.tsv", rows, threshold[0] / threshold[1]))

    def test_equal_brute_force_over_real_shingles(self):
        texts = [row["text"] for row in itertools.islice(corpora.corpus("sample").rows(), 20)]
        texts += ["", "one two", "One, TWO!", "one two three four five", "naïve café a b c d",
                  "a b a b a b a b a b", "b a b a b a b a", "five four three two one"]
        sets = [planted.shingles(text) for text in texts]
        for threshold in ((1, 2), (4, 5), (1, 1)):
            expected = []
            for left, right in itertools.combinations(range(len(texts)), 2):
                first, second = sets[left], sets[right]
                both, either = len(first & second), len(first | second)
                if either and both * threshold[1] >= threshold[0] * either:
                    expected.append((left, right, round(both / either, 9)))
            self.assertEqual(self.computed(texts, threshold), expected)

    def test_equal_the_truth_of_the_sample(self):
        sample = corpora.corpus("sample")
        texts = [row["text"] for row in sample.rows()]
        self.assertEqual(self.computed(texts, (4, 5)), list(sample.truth((4, 5))))

    def test_threshold_is_inclusive(self):
        # 8 of 10 shingles in common: 12 words, plus 1 at either end
        middle = " ".join(f"w{i}" for i in range(12))
        self.assertEqual(self.computed([f"x {middle}", f"{middle} y"], (4, 5)), [(0, 1, 0.8)])
        self.assertEqual(self.computed([f"x {middle}", f"{middle} y"], (81, 100)), [])


class Scores(unittest.TestCase):
    # 0-1-2 is a chain whose ends are not similar; 3-4 is a pair; 5 and 6 are alone.
    chain = truth_of(7, (0, 1, 0.9), (1, 2, 0.82), (3, 4, 1.0))

    def test_right_answer_leaves_nothing_and_loses_nothing(self):
        score = truth.score_kept([0, 2, 3, 5, 6], self.chain)
        self.assertEqual((score["recall"], score["precision"]), (1.0, 1.0))
        self.assertEqual((score["removed"], score["left"], score["lost"]), (2, 0, 0))

    def test_keeping_all_has_no_recall(self):
        score = truth.score_kept(range(7), self.chain)
        self.assertEqual((score["recall"], score["left"], score["removed"]), (0.0, 3, 0))
        self.assertEqual(score["precision"], 1.0)

    def test_removing_all_has_no_precision(self):
        score = truth.score_kept([], self.chain)
        self.assertEqual((score["recall"], score["precision"]), (1.0, 0.0))
        self.assertEqual((score["lost"], score["false"]), (7, 2))

    def test_chained_row_is_lost_but_not_false(self):
        score = truth.score_kept([0, 3, 5, 6], self.chain)  # 2 was removed with the group of 0
        self.assertEqual((score["removed"], score["lost"], score["false"]), (3, 1, 0))
        self.assertAlmostEqual(score["precision"], 2 / 3)

    def test_row_without_any_similar_one_is_false(self):
        score = truth.score_kept([0, 2, 3, 6], self.chain)
        self.assertEqual((score["lost"], score["false"]), (1, 1))

    def test_slice_has_only_pairs_near_the_threshold(self):
        score = truth.score_kept([1, 2, 3, 5, 6], self.chain)  # 1 and 2 (0.82) remain
        self.assertAlmostEqual(score["recall"], 2 / 3)
        self.assertEqual(score["recall_in_slice"], 0.0)

    def test_pairs_count_once_whatever_their_order(self):
        score = truth.score_pairs([(1, 0), (0, 1), (4, 3), (5, 6)], self.chain)
        self.assertEqual(score["pairs"], 3)
        self.assertAlmostEqual(score["recall"], 2 / 3)
        self.assertAlmostEqual(score["precision"], 2 / 3)

    def test_no_pairs_to_find_are_all_found(self):
        score = truth.score_kept(range(3), truth_of(3))
        self.assertEqual((score["recall"], score["precision"]), (1.0, 1.0))


class PlantedEdits(unittest.TestCase):
    text = "\n\n".join(" ".join(f"p{part}w{word}x and" for word in range(50)) for part in range(8))

    def edited(self, kind: str) -> str:
        return planted.EDITS[kind](planted.Editor(7, ["alpha", "beta", "gamma"]), self.text)

    def test_words_are_added_at_the_ends(self):
        self.assertTrue(self.edited("1 word put in front").endswith(" " + self.text))
        self.assertTrue(self.edited("1 word appended").startswith(self.text + " "))

    def test_share_of_words_is_replaced(self):
        before = planted.WORD_IN_TEXT.findall(self.text)
        for kind, count in (("1 word replaced", 1),
                            ("1 % of the words replaced", round(len(before) / 100)),
                            ("5 % of the words replaced", round(len(before) / 20))):
            after = planted.WORD_IN_TEXT.findall(self.edited(kind))
            self.assertEqual(sum(map(str.__ne__, before, after)), count, kind)

    def test_paragraphs_change_places(self):
        after = self.edited("2 paragraphs swapped")
        self.assertNotEqual(after, self.text)
        self.assertEqual(sorted(after.split("\n\n")), sorted(self.text.split("\n\n")))

    def test_tenth_is_cut_out_in_one_piece(self):
        after = self.edited("10 % cut out")
        self.assertEqual(len(after), len(self.text) - round(len(self.text) / 10))
        common_head = len(os.path.commonprefix([after, self.text]))
        self.assertTrue(self.text.endswith(after[common_head:]))

    def test_seed_alone_decides(self):
        texts = [f"{self.text} {number}" for number in range(14)]
        self.assertEqual(planted.plant(texts, 3), planted.plant(texts, 3))
        self.assertNotEqual(planted.plant(texts, 3)[0], planted.plant(texts, 4)[0])

    def test_each_original_has_one_copy_and_its_exact_similarity(self):
        texts = [f"{self.text} {number}" for number in range(14)]
        made, edits = planted.plant(texts, 3)
        self.assertEqual(sorted(one.original for one in edits), list(range(14)))
        self.assertEqual(len(made), 28)
        for one in edits:
            self.assertEqual(one.similarity, planted.jaccard(made[one.original], made[one.copy]))

    def test_pair_is_found_unless_both_rows_are_kept(self):
        kind = "1 word appended"
        edits = [planted.Planted(kind, 0, 3, 0.9), planted.Planted(kind, 1, 4, 0.9),
                 planted.Planted(kind, 2, 5, 0.9), planted.Planted(kind, 6, 7, 0.5)]
        score = next(one for one in planted.score_planted({0, 1, 4, 6}, edits, 0.8)
                     if one["kind"] == kind)  # 0-3 one kept, 1-4 both, 2-5 none, 6-7 one
        self.assertEqual((score["true"], score["found"], score["lost"]), (3, 2, 1))
        self.assertEqual((score["below"], score["found_below"]), (1, 1))


class Adapters(unittest.TestCase):
    def test_share_their_shingles_with_the_truth(self):
        for row in itertools.islice(corpora.corpus("sample").rows(), 5):
            ours = {b" ".join(one) for one in planted.shingles(row["text"])}
            self.assertEqual(set(common.shingles(row["text"])), ours)
        self.assertEqual(common.shingles("Two words"), [b"two words"])
        self.assertEqual(common.shingles("..."), [])

    def test_first_row_of_a_group_is_kept(self):
        self.assertEqual(common.keep_first(5, [(0, 1), (2, 1), (4, 3), (3, 3)]), [0, 2, 3])

    def test_removed_row_removes_none(self):
        self.assertEqual(common.keep_first(3, [(0, 1), (1, 2)]), [0, 2])


class Memory(unittest.TestCase):
    def test_promises_are_kept_in_little(self):
        text = WORK / "text"
        text.write_text(" ".join(f"{a}{b}{c}" for a, b, c in
                                 itertools.product("abcdefghkp", "aeiou", "lmnrst")))
        corpus = memory.make_corpus(WORK, text, 3_000_000, 1)
        rows = [json.loads(line)["text"] for line in corpus.read_text().splitlines()]
        self.assertLess(max(map(len, rows)), 1000)
        sosie = Path(os.environ["SOSIE_BIN"])
        free, capped = (memory.run(sosie, corpus, WORK, size, 1) for size in ("64G", "3M"))
        self.assertEqual(free.rows, len(rows))
        self.assertEqual(free.scratch_bytes, 0)
        slow_is_fine = memory.Measured(**{**vars(capped), "cpu_seconds": 0.0})
        self.assertEqual(memory.broken_promises(free, slow_is_fine, 3 * memory.MIB, WORK), [])

    def test_broken_promises_are_told(self):
        for name, memory_size in itertools.product(memory.OUTPUTS, ("1G", "2G")):
            path = WORK / memory_size / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(memory_size)
        free = memory.Measured("1G", 10, 1.0, 1.0, 1, 0)
        capped = memory.Measured("2G", 10, 2.1, 1.0, 65 * memory.MIB, 6401)
        self.assertEqual(len(memory.broken_promises(free, capped, 0, WORK)), 5)


class Measuring(unittest.TestCase):
    def test_peak_is_of_the_program_and_not_of_its_runner(self):
        ballast = bytearray(200_000_000)
        measured = measure.run(["true"], 1, 10)
        self.assertLess(measured["peak_mb"], 50, len(ballast))
        allocate = "data = bytearray(100_000_000)"
        self.assertGreater(measure.run([sys.executable, "-c", allocate], 1, 10)["peak_mb"], 95)

    def test_failure_has_its_last_words(self):
        with self.assertRaisesRegex(measure.Failed, "exit code 3.*no luck"):
            measure.run(["sh", "-c", "echo no luck >&2; exit 3"], 1, 10)

    def test_limit_of_time_is_kept(self):
        with self.assertRaises(measure.Failed):
            measure.run(["sleep", "20"], 1, 1)

    def test_rounds_alternate_and_the_first_is_thrown_away(self):
        called = []
        with contextlib.redirect_stderr(io.StringIO()):
            results = measure.interleave(
                {name: lambda name=name: called.append(name) or {"seconds": len(called)}
                 for name in "AB"}, rounds=2, patience=60)
        self.assertEqual("".join(called), "ABABAB")
        self.assertEqual([one["seconds"] for one in results["A"]], [3, 5])

    def test_median_and_range(self):
        self.assertEqual(measure.summary([{"seconds": 3}, {"seconds": 1}, {"seconds": 2}]),
                         {"rounds": 3, "seconds": 2, "seconds_range": [1, 3]})


class Parallel(unittest.TestCase):
    # One thread computes for .3 s, then two for as long each: .3 of .9 thread seconds are serial.
    PROGRAM = """
import hashlib, threading, time
def compute(until):
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 20000)
compute(time.monotonic() + .3)
ends = time.monotonic() + .3
others = [threading.Thread(target=compute, args=(ends,)) for _ in range(2)]
for one in others: one.start()
for one in others: one.join()
"""

    def test_time_of_one_thread_alone_is_found(self):
        run = parallel.watch([sys.executable, "-S", "-c", self.PROGRAM])
        self.assertGreater(len(run.times), 50)
        self.assertAlmostEqual(parallel.serial_part(run.spent()), 1 / 3, delta=.12)

    def test_prediction_is_that_of_amdahl(self):
        run = parallel.Watched(2.0, 3.0, [0, 1, 2], [1, 2, 0])  # a second alone, one of both
        model = parallel.model_of([run], 3.0, 2)
        self.assertAlmostEqual(model.seconds(1) / model.seconds(4), 3 / (1 + 2 / 4))
        dearer = parallel.model_of([run], 2.4, 2)  # the second thread costs .6 s more
        self.assertAlmostEqual(dearer.seconds(4), .8 + (1.6 + 3 * .6) / 4)

    @unittest.skipUnless(os.environ.get("SOSIE_BIN"), "SOSIE_BIN names no program")
    def test_corpus_to_table(self):
        options = argparse.Namespace(threads=2, rounds=1, functions=3)
        command = [os.environ["SOSIE_BIN"], "dedup", str(corpora.corpus("sample").path),
                   "-o", "{out}/kept.jsonl", "-q"]
        found = parallel.measured(command, options)
        self.assertTrue(0 <= found["serial"] <= 1)
        table = tables.TABLES["parallel"]({"rows": [found]}, False)
        self.assertIn("| `dedup man-pages.jsonl`", table[2])


class SetFiles(unittest.TestCase):
    def test_sets_are_different_and_none_is_empty(self):
        self.assertEqual(list(set_files.different(["a b", "", "c", "a b"])), ["a b", "c"])
        self.assertEqual(set_files.as_line(["b", "a", "b"]), "a b")


SET_JOINS = Path(os.environ.get("SOSIE_BIN", "")).resolve().parent / "set_joins"


@unittest.skipUnless(SET_JOINS.exists(), "set_joins is not beside the program")
class SetJoins(unittest.TestCase):
    def test_all_joins_find_the_pairs_of_the_definition(self):
        draw = random.Random(5)
        lines = list(set_files.different(
            set_files.as_line(str(draw.randrange(20)) for _ in range(draw.randint(1, 9)))
            for _ in range(400)))
        (WORK / "few.sets").write_text("\n".join(lines) + "\n")
        sets = [set(line.split()) for line in lines]
        pairs = [(i, j) for i, j in itertools.combinations(range(len(sets)), 2)
                 if 5 * len(sets[i] & sets[j]) >= 3 * len(sets[i] | sets[j])]
        self.assertGreater(len(pairs), 50)
        with contextlib.redirect_stderr(io.StringIO()):
            row = set_joins.point_row(SET_JOINS, "few", "0.6",
                                      argparse.Namespace(rounds=1, limit=20))
        for name in set_joins.OURS:
            found = row["joins"][name]
            self.assertEqual(found["pairs"], len(pairs), name)
            self.assertEqual(found["checksum"],
                             sum((i * len(sets) + j) ** 2 for i, j in pairs) % 2**64, name)
        table = tables.TABLES["set_joins"]({"rows": [row], "limit": 20}, False)
        self.assertIn(f"| few | {len(sets)} |", table[2])


class Guard(unittest.TestCase):
    def runs(self, seconds: list[float], mb: float = 100, digest: str = "a") -> list[dict]:
        return [{"cpu_seconds": one, "peak_mb": mb, "digest": digest} for one in seconds]

    def test_interval_holds_the_median_19_times_in_20(self):
        rng = random.Random(1)
        for count in (6, 15, 31):
            held = 0
            for _ in range(4000):
                low, high = guard.order_interval([rng.random() for _ in range(count)])
                held += low <= 0.5 <= high
            self.assertGreaterEqual(held / 4000, 0.94, count)

    def test_slower_only_where_the_whole_interval_is(self):
        base = self.runs([1.0] * 15)
        self.assertFalse(guard.compared(base, self.runs([1.0] * 15))["slower"])
        self.assertTrue(guard.compared(base, self.runs([1.1] * 15))["slower"])
        mixed = self.runs([1.1, 1.0] * 7 + [1.0])
        self.assertFalse(guard.compared(base, mixed)["slower"])

    def test_memory_and_bytes_are_compared(self):
        base = self.runs([1.0] * 5)
        self.assertFalse(guard.compared(base, self.runs([1.0] * 5, 104))["larger"])
        self.assertTrue(guard.compared(base, self.runs([1.0] * 5, 106))["larger"])
        self.assertFalse(guard.compared(base, self.runs([1.0] * 5, digest="b"))["same_bytes"])

    def test_first_line_of_pairs_is_not_compared(self):
        one, other = WORK / "one.tsv", WORK / "other.tsv"
        one.write_bytes(b"#sosie threshold=0.8 measure=jaccard\nleft\tright\n")
        other.write_bytes(b"left\tright\n")
        self.assertEqual(guard.digest(one), guard.digest(other))

    @unittest.skipUnless(os.environ.get("SOSIE_BIN"), "SOSIE_BIN names no program")
    def test_jobs_run_on_small_inputs(self):
        program, small = Path(os.environ["SOSIE_BIN"]).resolve(), {}
        for name, make in (("prose", lambda out: guard.short_rows(out, 300)),
                           ("sets", lambda out: guard.token_sets(out, 300, False)),
                           ("bags", lambda out: guard.token_sets(out, 300, True)),
                           ("vectors", lambda out: guard.vectors(out, 200, 16)),
                           ("bits", lambda out: guard.bit_strings(out, 300, 256))):
            suffix = {"prose": ".jsonl", "vectors": ".npy", "bits": ".txt"}.get(name, ".sets")
            small[name] = WORK / f"guard-{name}{suffix}"
            make(small[name])
        small |= {"short": small["prose"], "few": small["prose"], "few-sets": small["sets"],
                  "few-vectors": small["vectors"]}
        with contextlib.redirect_stdout(io.StringIO()):
            results = guard.guard(program, program, guard.jobs(small), 1)
        self.assertGreaterEqual(len(results), 12)
        self.assertTrue(all(one["same_bytes"] for one in results.values()))


@unittest.skipUnless(os.environ.get("SOSIE_BIN"), "SOSIE_BIN names no program")
class Suites(unittest.TestCase):
    def test_run_from_corpus_to_table(self):
        options = argparse.Namespace(
            threads=[1], tools=["sosie"], rounds=1, patience=20, limit=60,
            sosie=Path(os.environ["SOSIE_BIN"]).resolve(), results=WORK / "results")
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            bench = run.Bench(options, WORK)
            bench.suite("speed", "sample")
            bench.suite("peers", "sample")
            bench.suite("pairs", "sample")
            bench.suite("planted", "synthetic:1")
        row = json.loads((WORK / "results/peers-sample.json").read_text())["rows"][0]
        self.assertEqual((row["true_pairs"], row["recall"], row["lost"]), (155, 1.0, 0))
        edits = json.loads((WORK / "results/planted-synthetic-1.json").read_text())["rows"][0]
        self.assertEqual(edits["precision"], 1.0)
        self.assertGreater(sum(edit["true"] for edit in edits["edits"]), 50)

        page = WORK / "page.md"
        names = ("speed-sample", "peers-sample:brief", "machine:peers-sample", "pairs-sample",
                 "planted-synthetic-1")
        page.write_text("".join(f"<!-- bench:{name} -->\n<!-- /bench:{name} -->\n"
                                for name in names))
        filled = tables.fill(page.read_text(), options.results)
        self.assertIn("python3 bench/run.py planted --corpus synthetic:1", filled)
        self.assertIn("| md5 | 1 |", filled)
        self.assertEqual(filled, tables.fill(filled, options.results))
        for name in names:
            self.assertIn(f"<!-- /bench:{name} -->", filled)

    def test_every_peer_has_its_adapter(self):
        for tool in tools.PEERS:
            self.assertTrue((HERE / "peers" / tool.adapter).is_file(), tool.name)


class Linking(unittest.TestCase):
    def test_made_persons_have_known_copies(self):
        folder = person_files.person_files(400)
        data = record_sets.record_set("persons:400")
        truth_pairs = data.truth()
        self.assertEqual(len(truth_pairs), 200)
        left, right = data.rows(0), data.rows(1)
        self.assertEqual((len(left), len(right)), (400, 400))
        self.assertEqual([*left[0]], ["id", *person_files.FIELDS])
        equal = [sum(left[int(a)][field] == right[int(b)][field] for field in person_files.FIELDS)
                 for a, b in truth_pairs]
        self.assertGreater(sum(equal) / len(equal), 4.5)   # of seven
        self.assertLess(sum(equal) / len(equal), 6.3)
        again = WORK / "again"
        again.mkdir()
        person_files.write(again, 400)
        for name in ("a.csv", "b.csv", "truth.csv"):
            self.assertEqual((again / name).read_bytes(), (folder / name).read_bytes())

    def test_made_households_have_known_copies(self):
        for seed, part in ((4, 0), (6, .15)):
            data = record_sets.record_set(f"households:{seed}")
            self.assertEqual(data.columns(0), person_files.IN_HOUSEHOLDS)
            rows = data.rows(0)
            copies = len(rows) - len({row["entity"] for row in rows})
            self.assertAlmostEqual(copies / len(rows), part, delta=.001)
            homes = Counter((row["surname"], row["street"], row["zip"]) for row in rows)
            self.assertGreater(sum(count > 1 for count in homes.values()), 60)
            self.assertEqual(rows, [{"id": str(number), "entity": str(entity)} |
                                    dict(zip(person_files.IN_HOUSEHOLDS, row))
                                    for number, (entity, *row) in
                                    enumerate(person_files.Households(seed).rows(part))])

    def test_tools_get_neither_ids_nor_entities(self):
        table = WORK / "people.csv"
        table.write_text("rec_id,name,entity\nrec-7-org,ann,7\nrec-7-dup,anne,7\nrec-9,bob,9\n")
        data = record_sets.RecordSet("people", [table], "rec_id", "entity")
        self.assertEqual(data.truth(), {("0", "1")})
        [given] = data.given(WORK)
        self.assertEqual(given.read_text(), "id,name\n0,ann\n1,anne\n2,bob\n")

    def test_quality_counts_pairs(self):
        true_pairs = {("0", "1"), ("2", "3"), ("4", "5")}
        quality = record_sets.quality({("0", "1"), ("0", "2")}, true_pairs)
        self.assertEqual((quality.precision, quality.f1), (.5, .4))
        scored = [(3.0, ("0", "1")), (2.0, ("0", "2")), (2.0, ("2", "3")), (1.0, ("7", "8"))]
        self.assertEqual(record_sets.best_f1(scored, true_pairs), 4 / 6)

    def test_answers_are_read_from_links_and_from_clusters(self):
        links = WORK / "links.csv"
        links.write_text("left,right,score,linked\n3,4,1.5,1\n3,5,0.5,0\n6,7,,1\n")
        linked, scored = link.answer(links, scores=True)
        self.assertEqual(linked, {("3", "4"), ("6", "7")})
        self.assertEqual(scored, [(1.5, ("3", "4")), (.5, ("3", "5"))])
        clusters = WORK / "clusters.csv"
        clusters.write_text("id,cluster_id,size,weakest\n0,0,3,0.9\n10,0,3,0.9\n2,0,3,0.9\n5,5,1,\n")
        linked, _ = link.answer(clusters, scores=False)
        self.assertEqual(linked, {("0", "2"), ("0", "10"), ("2", "10")})

    @unittest.skipUnless(os.environ.get("SOSIE_BIN"), "SOSIE_BIN names no program")
    def test_made_persons_are_linked_by_both_files_of_rules(self):
        options = argparse.Namespace(suite="speed", sosie=Path(os.environ["SOSIE_BIN"]), rounds=0,
                                     tools=["sosie", "splink"], peer_rows=100)  # no peers here
        rows = []
        with contextlib.redirect_stderr(io.StringIO()):
            for name in ("persons:2000", "persons-born:2000"):
                folder = WORK / name
                folder.mkdir()
                rows += link.measured(link.Work(name, options, folder), options)
        self.assertEqual([(row["set"], row["tool"]) for row in rows],
                         [("persons:2000", "sosie"), ("persons-born:2000", "sosie")])
        for row in rows:
            self.assertGreater(row["f1"], .98)
            self.assertGreater(row["pairs"], 950)
        table = tables.TABLES["link_speed"]({"rows": rows}, False)
        self.assertIn("| persons-born:2000 | sosie |", table[3])


if __name__ == "__main__":
    unittest.main()
