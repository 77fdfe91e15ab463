"""The reported time covers the whole run, and the progress names every stage."""

import json
import os
import re
import threading
import time
import unittest

import corpus
from support import SosieTest

LATE_S = 1.2


class LateReader(threading.Thread):
    """Reads a named pipe, but nothing for a while."""

    def __init__(self, path):
        super().__init__()
        os.mkfifo(path)
        self.path, self.data = path, b""
        self.start()

    def run(self):
        with open(self.path, "rb", buffering=0) as pipe:
            time.sleep(LATE_S)
            while more := pipe.read(1 << 20):
                self.data += more


class Time(SosieTest):
    def seconds(self, err: str) -> float:
        return float(re.search(r"^time +([\d.]+) s", err, re.M)[1])

    def check(self, name: str, *args: str):
        """If the reader of an output is late, the output takes time, which is reported."""
        reader = LateReader(self.dir / name)
        done = self.sosie(*args, "--stats", "s.json")
        reader.join()
        self.assertGreater(len(reader.data), 100_000, "more than a pipe holds")
        told = json.loads(self.read("s.json"))["seconds"]
        self.assertGreater(told, LATE_S * 0.9)
        self.assertGreater(self.seconds(done.err), LATE_S * 0.9)

    def test_of_dedup_ends_with_its_report(self):
        self.write("in.jsonl", corpus.planted_pairs(7, 900))
        self.check("page.html", "dedup", "in.jsonl", "-o", "out.jsonl", "--report", "page.html")

    def test_of_dedup_ends_with_its_tables(self):
        self.write("in.txt", "one and the same row\n" * 9_000)
        self.check("gone.tsv", "dedup", "in.txt", "-o", "out.txt", "--removed", "gone.tsv")

    def test_of_pairs_ends_with_the_last_one(self):
        self.write("in.txt", "one and the same row\n" * 200)
        self.check("p.tsv", "pairs", "in.txt", "-o", "p.tsv")

    def test_of_link_ends_with_the_last_one(self):
        self.write("in.csv", "name,city\n" + "".join(
            f"person {i // 2} of the world,city {i // 2 % 90}\n" for i in range(9_000)))
        self.check("g.csv", "link", "in.csv", "-o", "g.csv", "--id", "row")

    def test_a_saved_run_tells_the_time_up_to_it(self):
        self.write("in.jsonl", corpus.texts(5, 200))
        self.sosie("dedup", "in.jsonl", "-o", "o.jsonl", "--save", "run", "--stats", "s.json", "-q")
        saved = json.loads(self.read("run/run.json"))["overview"]["summary"]["seconds"]
        self.assertLessEqual(saved, json.loads(self.read("s.json"))["seconds"])
        self.assertGreater(saved, 0)


class Stages(SosieTest):
    def test_have_names_in_the_order_of_the_run(self):
        self.write("in.jsonl", corpus.planted_pairs(61, 3_000))
        err = self.sosie("dedup", "in.jsonl", "--method", "brute", "-o", "out.jsonl", "--removed", "r.tsv", "--save", "run",
                         "--report", "page.html", "--progress", "bar").err
        shown = re.findall(r"\r\x1b\[2K([a-z]+) +(?:\[|\.\.\.)", err)
        stages = [stage for number, stage in enumerate(shown) if stage not in shown[:number]]
        behind = [stage for stage in stages if stage not in ("opening", "reading", "indexing", "comparing")]
        self.assertEqual(behind[-5:], ["listing", "writing", "reporting", "saving", "finishing"])
        self.assertNotIn(" 0 s left", err)


if __name__ == "__main__":
    unittest.main()
