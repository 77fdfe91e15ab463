"""Makes realistic corpora: shards written by pipes, mixed containers, Excel's CSV, crawls.

    python3 corpora.py FOLDER [MEGABYTES]       writes all of them below FOLDER, each of that size (20)

Everything is generated from seeds. A corpus is a folder of input files, together with what a run must know
about it: its options, and which lines are rows. In each corpus, a fifth of the rows repeat an earlier row, half
of them with a small change.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ZSTD = shutil.which("zstd")


@dataclass
class Corpus:
    name: str
    folder: Path
    options: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=lambda: ["text"])  # the first is the rows' own
    rows: int = 0
    hidden: int = 0  # files that are not inputs


class Words:
    """Text by Zipf's law in several scripts, with punctuation, links, numbers and occasional markup."""

    def __init__(self, seed: str):
        self.chance = random.Random(seed)
        letters = ["abcdefghijklmnoprstuvw", "abcdefghiklmnoprstuväöüß", "абвгдежзиклмнопрстуфхцчш"]
        self.vocabulary = ["".join(self.chance.choices(self.chance.choice(letters),
                                                       k=self.chance.randint(2, 10)))
                           for _ in range(20_000)]
        self.weights = [1 / (rank + 3) for rank in range(len(self.vocabulary))]
        for rank in range(1, len(self.weights)):
            self.weights[rank] += self.weights[rank - 1]

    def text(self, count: int) -> str:
        words = self.chance.choices(self.vocabulary, cum_weights=self.weights, k=count)
        for _ in range(count // 25):
            at = self.chance.randrange(len(words))
            words[at] = self.chance.choice((f"{words[at]},", f"{words[at]}.", f"({words[at]})",
                                            f"https://{words[at]}.example/{at}", f"{at}", "—",
                                            f"<b>{words[at]}</b>", f'"{words[at]}"', "😀"))
        return " ".join(words)

    def changed(self, text: str) -> str:
        words = text.split(" ")
        for _ in range(max(1, len(words) // 60)):
            words[self.chance.randrange(len(words))] = self.chance.choice(self.vocabulary)
        return " ".join(words)

    def texts(self, size: int, least: int, most: int):
        """Texts of about `size` bytes in total."""
        done: list[str] = []
        written = 0
        while written < size:
            if done and self.chance.random() < 0.2:
                text = self.chance.choice(done)
                text = self.changed(text) if self.chance.random() < 0.5 else text
            else:
                text = self.text(self.chance.randint(least, most))
                done.append(text)
            written += len(text.encode())
            yield text


def json_lines(rows, ending: str = "\n") -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + ending for row in rows).encode()


def zst(data: bytes) -> bytes:
    """As written by a pipe: the frame does not give the size of its content."""
    return subprocess.run([ZSTD, "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def gz_members(data: bytes) -> bytes:
    return b"".join(gzip.compress(data[at:at + 900_001], 6) for at in range(0, len(data), 900_001))


def in_shards(rows: list, count: int) -> list[list]:
    step = -(-len(rows) // count)
    return [rows[at:at + step] for at in range(0, len(rows), step)]


def write(corpus: Corpus, name: str, data: bytes) -> None:
    path = corpus.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def page_rows(words: Words, size: int, least: int = 20, most: int = 400) -> list[dict]:
    return [{"id": f"page-{number}", "url": f"https://site{number % 97}.example/{number}",
             "text": text, "lang": words.chance.choice(["de", "en", "ru", None]),
             "score": round(words.chance.random(), 3)}
            for number, text in enumerate(words.texts(size, least, most))]


# --- the corpora

def crawl_by_pipe(folder: Path, size: int) -> Corpus:
    """Shards compressed by a pipe; each compresses better towards the end."""
    corpus = Corpus("crawl by pipe", folder)
    rows = page_rows(Words("crawl"), size)
    corpus.rows = len(rows)
    pack, extension = (zst, ".zst") if ZSTD else (gz_members, ".gz")
    for number, shard in enumerate(in_shards(rows, 4)):
        shard.sort(key=lambda row: -len(set(row["text"])))
        write(corpus, f"part-{number:05}.jsonl{extension}", pack(json_lines(shard)))
    return corpus


def mixed_containers(folder: Path, size: int) -> Corpus:
    corpus = Corpus("mixed containers", folder)
    rows = page_rows(Words("mixed"), size)
    corpus.rows = len(rows)
    for number, shard in enumerate(in_shards(rows, 5)):
        data = json_lines(shard)
        name, packed = [("a/plain.jsonl", data), ("a/one.jsonl.gz", gzip.compress(data)),
                        ("b/c/members.jsonl.gz", gz_members(data)),
                        ("b/upper.NDJSON", data),
                        ("b/piped.jsonl.zst", zst(data)) if ZSTD else ("b/x.jsonl", data)][number]
        write(corpus, name, packed)
    for name in ("_SUCCESS", ".part.jsonl.crc", "a/.ipynb_checkpoints/plain-checkpoint.jsonl",
                 "b/old.jsonl~", "b/._upper.NDJSON"):
        write(corpus, name, json_lines(rows[:3]))
        corpus.hidden += 1
    return corpus


def windows_lines(folder: Path, size: int) -> Corpus:
    """A byte order mark, Windows line ends, blank lines, no line end after the last row."""
    corpus = Corpus("windows lines", folder)
    rows = page_rows(Words("windows"), size)
    corpus.rows = len(rows)
    data = json_lines(rows, "\r\n").replace(b"\r\n", b"\r\n\r\n", 3)
    write(corpus, "export.jsonl", b"\xEF\xBB\xBF" + data[:-2])
    return corpus


def excel_csv(folder: Path, size: int) -> Corpus:
    """Semicolons, quotes, line feeds inside fields, empty cells."""
    corpus = Corpus("excel csv", folder, ["--delimiter", ";"])
    rows = page_rows(Words("excel"), size, 5, 60)
    out = io.StringIO(newline="")
    table = csv.DictWriter(out, list(rows[0]), delimiter=";", lineterminator="\r\n")
    table.writeheader()
    for number, row in enumerate(rows):
        if number % 37 == 0:
            row["text"] = ""
        if number % 11 == 0:
            row["text"] = row["text"].replace(" ", "\n", 2)
        table.writerow(row)
    corpus.rows = len(rows)
    write(corpus, "kunden.csv", b"\xEF\xBB\xBF" + out.getvalue().encode())
    return corpus


def tab_separated(folder: Path, size: int) -> Corpus:
    corpus = Corpus("tab separated", folder)
    rows = page_rows(Words("tabs"), size, 5, 60)
    corpus.rows = len(rows)
    for number, shard in enumerate(in_shards(rows, 3)):
        lines = ["id\ttext\tscore"] + [f"{row['id']}\t{row['text']}\t{row['score']}"
                                       for row in shard]
        write(corpus, f"t{number}.tsv.gz", gzip.compress("\n".join(lines).encode() + b"\n"))
    return corpus


def chat_rows(folder: Path, size: int) -> Corpus:
    """Rows of nested objects around the text; a few lack it."""
    corpus = Corpus("chat rows", folder, ["--column", "message.content", "--on-bad-row", "keep"])
    rows = [{"id": row["id"], "message": {"role": "user", "content": row["text"],
                                          "tools": [{"name": "x", "arguments": {"a": [1, None]}}]},
             "meta": {"tokens": number, "ok": True}}
            for number, row in enumerate(page_rows(Words("chat"), size))]
    for row in rows[::53]:
        del row["message"]["content"]
    corpus.rows = len(rows)
    data = json_lines(rows)
    write(corpus, "chat.jsonl.gz", gz_members(data))
    return corpus


def plain_lines(folder: Path, size: int) -> Corpus:
    corpus = Corpus("plain lines", folder, [], ["text", "strings"])
    lines = [text for text in Words("lines").texts(size, 3, 12)]
    corpus.rows = len(lines)
    write(corpus, "messages.txt", "\n".join(lines).encode() + b"\n")
    return corpus


def baskets(folder: Path, size: int) -> Corpus:
    corpus = Corpus("baskets", folder, ["--threshold", "0.6"], ["sets"])
    lines = [" ".join(sorted(set(text.split()))) for text in Words("baskets").texts(size, 4, 30)]
    corpus.rows = len(lines)
    for number, shard in enumerate(in_shards(lines, 2)):
        write(corpus, f"b{number}.sets.gz", gzip.compress("\n".join(shard).encode() + b"\n"))
    return corpus


def vectors(folder: Path, size: int) -> Corpus:
    corpus = Corpus("vectors", folder, ["--threshold", "0.98"], ["vectors"])
    chance, rows = random.Random("vectors"), []
    while len(rows) * 400 < min(size, 4_000_000):
        row = [round(chance.gauss(0, 1), 5) for _ in range(48)]
        if rows and chance.random() < 0.2:
            row = [value + round(chance.gauss(0, 0.02), 5) for value in chance.choice(rows)]
        rows.append(row)
    corpus.rows = len(rows)
    data = json_lines({"id": f"v{number}", "text": row} for number, row in enumerate(rows))
    write(corpus, "embeddings.jsonl" + (".zst" if ZSTD else ".gz"),
          zst(data) if ZSTD else gz_members(data))
    return corpus


def fingerprints(folder: Path, size: int) -> Corpus:
    corpus = Corpus("fingerprints", folder, ["--within", "3"], ["bits"])
    chance, rows = random.Random("bits"), []
    while len(rows) * 33 < min(size, 4_000_000):
        row = chance.getrandbits(128)
        if rows and chance.random() < 0.2:
            row = chance.choice(rows) ^ (1 << chance.randrange(128))
        rows.append(row)
    corpus.rows = len(rows)
    write(corpus, "images.txt", "".join(f"{row:032x}\n" for row in rows).encode())
    return corpus


def addresses(folder: Path, size: int) -> Corpus:
    """Short strings, many of them empty."""
    corpus = Corpus("addresses", folder, ["--column", "email", "--within", "1"], ["strings"])
    chance = random.Random("addresses")
    names = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(3, 9))) for _ in range(4000)]
    lines = ["id,name,email"]
    while len(lines) * 40 < min(size, 8_000_000):
        name = f"{chance.choice(names)}.{chance.choice(names)}"
        email = "" if chance.random() < 0.2 else f"{name}@{chance.choice(names)}.example"
        lines.append(f"{len(lines)},{name},{email}")
    corpus.rows = len(lines) - 1
    write(corpus, "people.csv", "\r\n".join(lines).encode() + b"\r\n")
    return corpus


def long_documents(folder: Path, size: int) -> Corpus:
    """A few rows of a megabyte among short ones."""
    corpus = Corpus("long documents", folder)
    words = Words("long")
    rows = page_rows(words, size // 2) + [
        {"id": f"book-{number}", "text": words.text(150_000)} for number in range(2)]
    rows.append({**rows[-1], "id": "book-again"})
    words.chance.shuffle(rows)
    corpus.rows = len(rows)
    data = json_lines(rows)
    write(corpus, "books.jsonl" + (".zst" if ZSTD else ".gz"),
          zst(data) if ZSTD else gz_members(data))
    return corpus


MAKERS = (crawl_by_pipe, mixed_containers, windows_lines, excel_csv, tab_separated, chat_rows,
          plain_lines, baskets, vectors, fingerprints, addresses, long_documents)


def main() -> None:
    folder = Path(sys.argv[1])
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 20
    for make in MAKERS:
        corpus = make(folder / make.__name__, int(megabytes * 1e6))
        print(f"{corpus.name}: {corpus.rows} rows, {' '.join(corpus.options)}")


if __name__ == "__main__":
    main()
