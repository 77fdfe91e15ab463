"""A collection in shards, and sketch files of the shards."""

import json
import random

import corpus
from support import IN_MEMORY, SosieTest

SHARDS = 4
SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv")
MACHINE = ("seconds", "peak_memory_bytes", "scratch_bytes", "threads", "candidates")


def rows(seed: int, count: int) -> list[dict]:
    chance = random.Random(seed)
    texts = corpus.texts(seed, count) + corpus.planted_pairs(seed + 1, count // 4, 80)
    texts += chance.choices(texts, k=count // 5)
    chance.shuffle(texts)
    return [{"id": f"d{i}", "text": text, "score": chance.choice([None, 1, 2.5, 1e300, "x", "yy"])}
            for i, text in enumerate(texts)]


class Sharded(SosieTest):
    """Four shards of a collection, and a plan made for the whole."""
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.rows = rows(91, 1000)
        self.shards = [f"s{i}.jsonl" for i in range(SHARDS)]
        size = len(self.rows) // SHARDS + 1
        for i, name in enumerate(self.shards):
            self.write(name, self.rows[i * size:(i + 1) * size])

    def plan(self, *args: str) -> None:
        self.sosie("plan", *self.shards, *args, "-o", "plan.json")

    def sketch(self, *args: str) -> list[str]:
        """Runs one process per shard, all at the same time; returns the sketch files."""
        names = [f"{shard}.sketches" for shard in self.shards]
        running = [self.start("sketch", shard, "--plan", "plan.json", *args, "-o", name)
                   for shard, name in zip(self.shards, names)]
        for process in running:
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
        return names

    def outcome(self, *args: str) -> tuple:
        """Returns every output of a dedup run except those that may differ."""
        self.sosie("dedup", *args, *SIDES, "--stats", "s.json", "-o", "out")
        stats = json.loads(self.read("s.json"))
        for machine in MACHINE:
            stats.pop(machine)
        return [self.read(name) for name in ("out", "r.tsv", "c.tsv", "p.tsv")], stats
