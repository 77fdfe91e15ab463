"""Every verb reads compressed inputs in the same way as plain ones: containers, kinds, threads,
memory, sizes.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import itertools
import os
import random
import struct
import subprocess
import threading
import unittest

from support import TESTS, ZSTD, SosieTest, jsonl


# --- containers: bytes as compressed by other programs


def gzip_members(data: bytes, each: int) -> bytes:
    return b"".join(gzip.compress(data[at:at + each], 1) for at in range(0, len(data), each))


def zstd(data: bytes, *options: str) -> bytes:
    """As written by a pipe: the frame does not give the size of its content."""
    return subprocess.run([ZSTD, "-q", "-c", "-1", *options], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def zstd_frames(data: bytes, each: int) -> bytes:
    return b"".join(zstd(data[at:at + each]) for at in range(0, len(data), each))


def skippable(data: bytes) -> bytes:
    return struct.pack("<II", 0x184D2A53, len(data)) + data


def part(data: bytes, most: int) -> int:
    """Bytes per part, so that there are at least three parts."""
    return min(most, len(data) // 3 + 1)


CONTAINERS = {
    "one member": (".gz", lambda data: gzip.compress(data, 1)),
    "members": (".gz", lambda data: gzip_members(data, part(data, 700_001))),
    "small members": (".gz", lambda data: gzip_members(data, len(data) // 40 + 1)),
    "zeros behind it": (".gz", lambda data: gzip_members(data, part(data, 2_000_003)) + bytes(1000)),
}
if ZSTD:
    CONTAINERS |= {
        "piped": (".zst", zstd),
        "with its size": (".zst", lambda data: zstd(data, f"--stream-size={len(data)}")),
        "frames": (".zst", lambda data: zstd_frames(data, part(data, 1_300_001))),
        "two threads": (".zst", lambda data: zstd(data, "-T2")),
        "long window": (".zst", lambda data: zstd(data, "--long=25")),
        "skippable frames": (".zst", lambda data: skippable(b"some notes") + zstd(data)
                             + skippable(b"") + zstd(b"")),
    }

# --- rows of each kind: `repeats` words from a few, so that a part compresses much better


FEW_WORDS = [f"word{number:03}" for number in range(300)]
MANY_WORDS = [f"{random.Random(number).getrandbits(32):07x}" for number in range(30_000)]


def words(chance: random.Random, repeats: bool, count: int) -> list[str]:
    return chance.choices(FEW_WORDS if repeats else MANY_WORDS, k=count)


def row_of_text(chance, number, repeats):
    return {"id": f"r{number}", "text": " ".join(words(chance, repeats, 90)), "n": number % 7}


def row_of_elements(chance, number, repeats):
    return {"id": f"r{number}", "text": words(chance, repeats, 60), "n": number % 7}


def row_of_string(chance, number, repeats):
    return {"id": f"r{number}", "text": " ".join(words(chance, repeats, 12)), "n": number % 7}


def row_of_vector(chance, number, repeats):
    value = (lambda: chance.randrange(3)) if repeats else chance.random
    return {"id": f"r{number}", "text": [value() for _ in range(64)], "n": number % 7}


def row_of_bits(chance, number, repeats):
    bits = f"{chance.randrange(3000):0512x}" if repeats else f"{chance.getrandbits(2048):0512x}"
    return {"id": f"r{number}", "text": bits, "n": number % 7}


KINDS = {
    "text": (row_of_text, ["--threshold", "0.7"]),
    "sets": (row_of_elements, ["--threshold", "0.7"]),
    "bags": (row_of_elements, ["--measure", "bag-jaccard", "--threshold", "0.7"]),
    "strings": (row_of_string, ["--within", "2"]),
    "vectors": (row_of_vector, ["--threshold", "0.97"]),
    "bits": (row_of_bits, ["--within", "3"]),
}

# --- sizes: a piece that is unpacked at a time has 1 MiB, the size of a file is guessed from 4 MiB,
# --memory 256M keeps 48 MiB at hand. Of the sizes that are lowered, 420 kB cross each.

DIVISOR = 128
TRUE_SIZES = {"few rows": 3_000, "a piece": 1 << 20, "a guess": (4 << 20) + 1_000, "long": 6_500_000}
SIZES = {"few rows": 3_000, "a piece": 8 << 10, "a guess": (32 << 10) + 1_000, "long": 420_000}
TAILS = {"packs better": (False, True), "packs worse": (True, False), "packs alike": (False, False)}
MEMORY = {"default": [], "256M": ["--memory", "256M"]}
THREADS = {"1": ["--threads", "1"], "7": ["--threads", "7"]}


def copy_with_a_change(chance: random.Random, row: dict, number: int) -> dict:
    text = row["text"]
    if isinstance(text, list):
        text = text[:-1] + [text[0]]
    elif " " in text:
        text = text[:-1] + chance.choice("xyz")
    return {**row, "id": f"r{number}", "text": text}


def make_rows(kind: str, size: int, tail: tuple[bool, bool]) -> bytes:
    """Rows of about this many bytes; a fifth of them repeat earlier rows, some with changes."""
    chance = random.Random(f"{kind} {size} {tail}")
    make, out, done = KINDS[kind][0], [], 0
    while done < size:
        number = len(out)
        if out and chance.random() < 0.2:
            row = copy_with_a_change(chance, chance.choice(out), number)
        else:
            row = make(chance, number, tail[done > size // 2])
        out.append(row)
        done += 60 + sum(len(str(value)) for value in row["text"]) if isinstance(
            row["text"], list) else 60 + len(row["text"])
    return jsonl(out)


# --- verbs: commands over the input `{}` whose last line of outputs is compared

COMMANDS = {
    "dedup": [["dedup", "{}", "-o", "kept.jsonl", "--removed", "removed.tsv"]],
    "dedup by a field": [["dedup", "{}", "-o", "kept.jsonl", "--keep", "max:n"]],
    "dedup with a checkpoint": [["dedup", "{}", "-o", "kept.jsonl", "--checkpoint", "done"]],
    "dedup by pairs": [["pairs", "{}", "-o", "pairs.tsv"],
                       ["dedup", "{}", "--reuse", "pairs.tsv", "-o", "kept.jsonl"]],
    "dedup by clusters": [["dedup", "{}", "-o", "kept.jsonl", "--clusters", "clusters.csv"],
                          ["dedup", "{}", "--reuse", "clusters.csv", "-o", "again.jsonl"]],
    "annotate": [["dedup", "{}", "--annotate", "all", "-o", "kept.jsonl"]],
    "pairs": [["pairs", "{}", "-o", "pairs.tsv", "--show", "n"]],
    "two collections": [["pairs", "{}", "--against", "{}", "-o", "pairs.tsv"]],
    "query": [["query", "{}", "asked.jsonl", "-o", "hits.tsv"]],
    "query by it": [["query", "asked.jsonl", "{}", "-o", "hits.tsv"]],
    "explain": [["explain", "r0", "r1", "{}"]],
    "index": [["index", "build", "i.index", "{}"], ["query", "i.index", "asked.jsonl", "-o",
                                                    "hits.tsv"]],
}
NOT_FOR = {  # combinations that do not apply, or that take minutes
    ("dedup with a checkpoint", "vectors"), ("dedup with a checkpoint", "bits"),
    ("dedup with a checkpoint", "strings"),
}
FACTORS = {"container": CONTAINERS, "verb": COMMANDS, "kind": KINDS, "size": SIZES, "tail": TAILS,
           "memory": MEMORY, "threads": THREADS}


def is_possible(case: dict) -> bool:
    return (case["verb"], case["kind"]) not in NOT_FOR


def covering_array() -> list[dict]:
    """Cases that cover every possible combination of two values of two factors, found greedily."""
    names = list(FACTORS)
    open_pairs = {frozenset(((a, x), (b, y))) for a, b in itertools.combinations(names, 2)
                  for x in FACTORS[a] for y in FACTORS[b]
                  if not {a, b} == {"verb", "kind"} or (x, y) not in NOT_FOR}
    chance = random.Random(5)
    cases = []
    while open_pairs:
        best, gain = None, set()
        first = min(open_pairs, key=sorted)
        for _ in range(30):
            case = dict(sorted(first))
            for name in chance.sample(names, len(names)):
                case.setdefault(name, chance.choice(list(FACTORS[name])))
            covered = {frozenset(pair) for pair in itertools.combinations(case.items(), 2)}
            covered &= open_pairs
            if is_possible(case) and len(covered) > len(gain):
                best, gain = case, covered
        cases.append(best)
        open_pairs -= gain
    return cases


def all_cases():
    """The product of all factors, requested by `SOSIE_TESTS=whole`."""
    for values in itertools.product(*FACTORS.values()):
        case = dict(zip(FACTORS, values))
        if is_possible(case):
            yield case


class PackedMatrix(SosieTest):
    @classmethod
    def setUpClass(cls):
        cls.rows = {}
        cls.answers = {}

    def setUp(self):
        super().setUp()
        self.divisor = DIVISOR
        self.sizes = SIZES

    def environment(self) -> dict:
        return super().environment() | {"SOSIE_DIVIDE_PIECES": str(self.divisor)}

    def rows_for(self, case: dict) -> bytes:
        key = case["kind"], self.sizes[case["size"]], case["tail"]
        if key not in self.rows:
            self.rows[key] = make_rows(*key[:2], TAILS[case["tail"]])
        return self.rows[key]

    def answer(self, case: dict, name: str, data: bytes, options: list[str]) -> dict:
        """The files that the commands of a case leave behind, and their output."""
        for path in sorted(self.dir.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.write(name, data)
        self.write("asked.jsonl", b"".join(self.rows_for(case).splitlines(True)[:40]))
        kind = ["--kind", case["kind"], *KINDS[case["kind"]][1]]
        printed = b""
        for command in COMMANDS[case["verb"]]:
            queries_index = command[:2] == ["query", "i.index"]
            words = [word.format(name) for word in command]
            result = self.sosie(*words, *([] if queries_index else kind), *options, "-q")
            printed += result.out
        left = {path.name: path.read_bytes() for path in self.dir.iterdir()
                if path.is_file() and path.name not in (name, "asked.jsonl")}
        return {"printed": printed.replace(name.encode(), b"INPUT"),
                **{path: content.replace(name.encode(), b"INPUT")
                   for path, content in left.items()}}

    def plain_answer(self, case: dict) -> dict:
        key = case["verb"], case["kind"], self.sizes[case["size"]], case["tail"]
        if key not in self.answers:
            self.answers[key] = self.answer(case, "in.jsonl", self.rows_for(case), [])
        return self.answers[key]

    def test_packed_rows_give_the_bytes_of_plain_ones(self):
        self.compare(all_cases() if TESTS == "whole" else covering_array())

    @unittest.skipUnless(TESTS == "whole", "minutes")
    def test_packed_rows_give_the_bytes_of_plain_ones_in_pieces_of_their_true_sizes(self):
        self.divisor = 1
        self.sizes = TRUE_SIZES
        self.compare(covering_array())

    def compare(self, cases):
        for case in cases:
            with self.subTest(**case):
                expected = self.plain_answer(case)
                extension, pack = CONTAINERS[case["container"]]
                found = self.answer(case, "in.jsonl" + extension, pack(self.rows_for(case)),
                                    MEMORY[case["memory"]] + THREADS[case["threads"]])
                self.assertEqual(found.keys(), expected.keys())
                for name, content in expected.items():
                    self.assertEqual(found[name], content, name)


class Streams(SosieTest):
    def setUp(self):
        super().setUp()
        self.data = make_rows("text", TRUE_SIZES["a guess"], TAILS["packs better"])
        self.write("in.jsonl", self.data)
        self.plain = self.kept("in.jsonl")

    def test_packed_standard_input(self):
        for container, (_, pack) in CONTAINERS.items():
            with self.subTest(container=container):
                self.assertEqual(self.kept("-", stdin=pack(self.data)), self.plain)

    def test_packed_named_pipes(self):
        for container, (extension, pack) in CONTAINERS.items():
            with self.subTest(container=container):
                path = self.dir / ("pipe.jsonl" + extension)
                os.mkfifo(path)
                packed = pack(self.data)
                writer = threading.Thread(target=lambda: path.write_bytes(packed))
                writer.start()
                self.assertEqual(self.kept(path.name), self.plain)
                writer.join()
                path.unlink()


if __name__ == "__main__":
    unittest.main()
