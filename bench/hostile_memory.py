#!/usr/bin/env python3
"""Checks that --memory holds for any input: giant rows, decompression bombs, cliques, and large
numbers of anything.

    hostile_memory.py --folder DIR [--memory 64M,256M,1G] [--only WORD] [--json FILE] [--small]

Makes the inputs in DIR, runs each case under each cap and prints a Markdown table. Exits with 1 if
a case breaks the rule: either the peak is at most the cap + 64 MiB, or the run fails with exit code
4 and names a sufficient --memory. At 256M or more, such a failure is allowed only for a single
oversized item, and for vectors and bit strings, which must be in memory. A run that takes longer
than --limit is stopped, and breaks the rule, too. With --json, outcomes are saved as they are
produced, and existing ones are not run again. --small: smaller inputs under 64M, in less than a
minute.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
SLACK = 64 * MIB
LEAST_STRICT = 256 * MIB  # at this limit and above, exit code 4 is an exception
SOSIE = str(Path(os.environ.get("SOSIE_BIN") or HERE.parent / "build/release/sosie").resolve())
SAYS_ENOUGH = re.compile(r"--memory \d+[MG]|raise --memory|larger --memory|higher --threshold")


@dataclass(frozen=True)
class Sizes:
    giant: int  # bytes of an oversized row
    bomb: int  # bytes of a single row when decompressed
    clique: int  # rows that are all similar to each other
    vectors: int
    files: int
    columns: int
    ids: int
    rows: int  # of many small ones
    equal: int  # equal rows


FULL = Sizes(giant=300 * MIB, bomb=1 << 30, clique=5000, vectors=6000, files=10_000,
             columns=10_000, ids=1_000_000, rows=2_500_000, equal=1_000_000)
SMALL = Sizes(giant=40 * MIB, bomb=160 * MIB, clique=400, vectors=400, files=300, columns=2000,
              ids=20_000, rows=50_000, equal=20_000)


@dataclass
class Case:
    name: str
    args: list[str]  # arguments of the program; inputs are in the folder
    makes: Callable[[Path, Sizes], None]
    inputs: list[str]
    one_item: bool = False  # a single item may be too large for any cap used here
    in_memory: bool = False  # vectors, bits: must be in memory
    stdin: str = ""
    codes: tuple[int, ...] = (0,)
    known: str = ""  # why it still breaks the rule; reported, but not a failure of the suite


@dataclass
class Outcome:
    case: str
    memory: str
    code: int
    peak_mib: float
    seconds: float
    said: str = ""
    broken: list[str] = field(default_factory=list)
    known: str = ""


# Functions that make inputs, by the names of their inputs.

def write_repeated(path: Path, head: bytes, unit: bytes, size: int, tail: bytes) -> None:
    block = unit * (MIB // len(unit))
    with open(path, "wb") as out:
        out.write(head)
        for _ in range(size // len(block)):
            out.write(block)
        out.write(tail)


def words(count: int, seed: int, vocabulary: int = 5000) -> list[str]:
    pick = random.Random(seed)
    return [f"w{pick.randrange(vocabulary)}" for _ in range(count)]


def giant_json(folder: Path, sizes: Sizes) -> None:
    write_repeated(folder / "giant.jsonl", b'{"id": 1, "text": "a small row"}\n{"id": 2, "text": "',
                   b"some words of it ", sizes.giant, b'"}\n')
    (folder / "one.jsonl").write_text('{"id": 1, "text": "a small row"}\n')
    subprocess.run([SOSIE, "plan", "one.jsonl", "-o", "plan.json"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def giant_fields(folder: Path, sizes: Sizes) -> None:
    with open(folder / "fields.jsonl", "wb") as out:
        for row in range(20):
            cells = ", ".join(f'"f{i}": {i}' for i in range(sizes.columns))
            out.write(f'{{"id": {row}, "text": "a b c d e {row}", {cells}}}\n'.encode())


def open_quote(folder: Path, sizes: Sizes) -> None:
    write_repeated(folder / "quote.csv", b'id,text\n1,"an open quote ', b"line after line\n",
                   sizes.giant, b"")
    write_repeated(folder / "quote.tsv", b'id\ttext\n1\t"an open quote ', b"line after line\n",
                   sizes.giant, b"")


def giant_line(folder: Path, sizes: Sizes) -> None:
    write_repeated(folder / "giant.txt", b"a line\n", b"some words of it ", sizes.giant, b"\n")
    write_repeated(folder / "giant.sets", b"1 2 3\n", b"17 4711 42 8 ", sizes.giant, b"\n")
    write_repeated(folder / "numbers.txt", b"1 2 3\n", b"0.5 1.25 3.75 ", sizes.giant, b"\n")
    write_repeated(folder / "bits.txt", b"0101\n", b"01100101", sizes.giant, b"\n")
    (folder / "few.jsonl").write_text('{"id": "b", "text": "a small row"}\n')
    write_repeated(folder / "giant.tsv", b"left\tright\tsimilarity\n", b"a long name ",
                   sizes.giant, b"\tb\t0.900000\n")


def giant_document(folder: Path, sizes: Sizes) -> None:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs/small").write_text("a small document of a few words")
    write_repeated(folder / "docs/giant", b"", b"some words of it\n", 2 * sizes.giant, b"")


def zeros(folder: Path, sizes: Sizes) -> None:
    (folder / "packed").mkdir(exist_ok=True)
    for name in ("zeros.txt.gz", "packed/zeros"):
        with gzip.GzipFile(folder / name, "wb", 6, mtime=0) as out:
            for _ in range(sizes.bomb // MIB):
                out.write(bytes(MIB))


def zstd_bomb(folder: Path, sizes: Sizes) -> None:
    """A single row made of blocks that repeat one byte: 4 bytes represent 128 KiB."""
    def block(kind: int, size: int, data: bytes, last: int = 0) -> bytes:
        return struct.pack("<I", size << 3 | kind << 1 | last)[:3] + data
    head, tail = b'{"id": 1, "text": "', b'"}\n'
    blocks = [block(0, len(head), head)]
    blocks += [block(1, 1 << 17, b"a")] * (sizes.bomb >> 17)
    blocks.append(block(0, len(tail), tail, last=1))
    (folder / "bomb.jsonl.zst").write_bytes(b"\x28\xB5\x2F\xFD\x00\x50" + b"".join(blocks))


def zstd_window(folder: Path, _: Sizes) -> None:
    """A small row in a frame that requests a window of 128 MiB."""
    row = b'{"id": 1, "text": "a small row"}\n'
    block = struct.pack("<I", len(row) << 3 | 1)[:3] + row
    (folder / "window.jsonl.zst").write_bytes(b"\x28\xB5\x2F\xFD\x00\x88" + block)


def blank_lines(folder: Path, sizes: Sizes) -> None:
    write_repeated(folder / "blank.jsonl", b'{"id": 1, "text": "one row"}\n', b"\n" * 16,
                   sizes.giant, b"")


def deep_json(folder: Path, sizes: Sizes) -> None:
    with open(folder / "deep.jsonl", "wb") as out:
        for row in range(2000):
            out.write(b'{"id": %d, "text": "a b c d e f %d", "x": %s1%s}\n'
                      % (row, row, b"[" * 900, b"]" * 900))
    write_repeated(folder / "deeper.jsonl", b'{"id": 1, "text": "a", "x": ', b"[" * 16,
                   sizes.giant // 10, b"\n")


def columns(folder: Path, sizes: Sizes) -> None:
    with open(folder / "columns.csv", "w") as out:
        out.write("id,text," + ",".join(f"c{i}" for i in range(sizes.columns)) + "\n")
        for row in range(200):
            cells = ",".join(str(i * row) for i in range(sizes.columns))
            out.write(f"{row},some text of row {row},{cells}\n")


def many_files(folder: Path, sizes: Sizes) -> None:
    for name in ("files", "packs"):
        (folder / name).mkdir(exist_ok=True)
    for i in range(sizes.files):
        row = f'{{"id": {i}, "text": "{" ".join(words(60, i))}"}}\n'.encode()
        (folder / f"files/{i}.jsonl").write_bytes(row)
        (folder / f"packs/{i}.jsonl.gz").write_bytes(gzip.compress(row, 1, mtime=0))


def long_ids(folder: Path, sizes: Sizes) -> None:
    with open(folder / "ids.jsonl", "w") as out:
        for i in range(sizes.ids):
            out.write(f'{{"id": "{i:0200d}", "text": "{" ".join(words(12, i))}"}}\n')


def many_rows(folder: Path, sizes: Sizes) -> None:
    with open(folder / "rows.txt", "w") as out:
        pick = random.Random(5)
        for _ in range(sizes.rows):
            out.write(f"w{pick.randrange(10**6)} w{pick.randrange(10**6)} x y z q\n")


def large_rows(folder: Path, sizes: Sizes) -> None:
    """Many rows of 1.5 MB; the maximum under 64M with two workers is 4 MiB."""
    with open(folder / "large.jsonl", "w") as out:
        for row in range(max(8, sizes.giant // (16 * MIB))):
            text = " ".join(words(220_000, row, 1_000_000))
            out.write(f'{{"id": {row}, "text": "{text}"}}\n')


def largest_rows(folder: Path, sizes: Sizes) -> None:
    """A few rows almost as large as 256M allows with two workers."""
    pick = random.Random(8)
    with open(folder / "largest.jsonl", "w") as out:
        for row in range(4):
            out.write(f'{{"id": {row}, "text": "{pick.randbytes(sizes.giant // 40).hex()}"}}\n')


def packed_rows(folder: Path, sizes: Sizes) -> None:
    with open(folder / "spread.jsonl", "w") as out:
        for row in range(sizes.rows // 20):
            out.write(f'{{"id": {row}, "text": "{" ".join(words(60, row // 2 * 2))} {row % 2}"}}\n')
    plain = folder / "spread.jsonl"
    with open(plain, "rb") as source, gzip.open(folder / "long.jsonl.gz", "wb", 6) as out:
        shutil.copyfileobj(source, out, MIB)
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "-f", plain, "-o", folder / "long.jsonl.zst"], check=True)


def clique(folder: Path, sizes: Sizes) -> None:
    """All rows are similar: they have 200 words, two of which are their own."""
    base = words(200, 1)
    with open(folder / "clique.jsonl", "w") as out, open(folder / "clique.sets", "w") as sets:
        for row in range(sizes.clique):
            text = " ".join(base + [f"own{row}", f"end{row}"])
            out.write(f'{{"id": {row}, "text": "{text}"}}\n')
            sets.write(" ".join([str(i) for i in range(60)] + [str(1000 + row)]) + "\n")
    with open(folder / "bags.sets", "w") as bags:
        for row in range(sizes.clique):
            bags.write(" ".join(2 * [str(i) for i in range(60)] + [str(1000 + row)]) + "\n")


def equal_sets(folder: Path, sizes: Sizes) -> None:
    (folder / "equal.sets").write_text("1 2 3 4 5 6 7\n" * sizes.equal)


def pairs_file(folder: Path, sizes: Sizes) -> None:
    clique(folder, sizes)
    subprocess.run([SOSIE, "pairs", "clique.jsonl", "--method", "exact", "-o", "found.tsv"],
                   cwd=folder, check=True, stderr=subprocess.DEVNULL)


def close_vectors(folder: Path, sizes: Sizes) -> None:
    pick = random.Random(3)
    with open(folder / "close.fvecs", "wb") as out, open(folder / "close.txt", "w") as bits:
        for _ in range(sizes.vectors):
            out.write(struct.pack("<i32f", 32, *(1 + pick.random() / 50 for _ in range(32))))
            bits.write(format((1 << 63) + (1 << pick.randrange(60)), "016x") + "\n")


def dense_vectors(folder: Path, sizes: Sizes) -> None:
    rows = sizes.giant // (4 * 512)
    block = random.Random(4).randbytes(512)  # small exponents: any byte pattern below
    data = b"".join(struct.pack("<f", byte / 255) for byte in block)[:4 * 508]
    with open(folder / "dense.fvecs", "wb") as out:
        for row in range(rows):
            out.write(struct.pack("<i", 512) + struct.pack("<4f", *(row % 97, row % 89, 1, 2))
                      + data)


def claims(folder: Path, _: Sizes) -> None:
    (folder / "claims.fvecs").write_bytes(struct.pack("<i", 0x7FFFFFFF) + bytes(64))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000), }"
    (folder / "claims.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1)
                                        + header.encode() + b"\n" + bytes(64))


DEDUP = ["--removed", "removed.tsv", "-o", "OUT"]


def cases() -> list[Case]:
    giant = {"makes": giant_json, "inputs": ["giant.jsonl"], "one_item": True}
    line = {"makes": giant_line, "one_item": True}
    group = {"makes": clique, "inputs": ["clique.jsonl"]}
    close = {"makes": close_vectors, "in_memory": True}
    return [
        Case("giant row of JSON: dedup", ["dedup", "giant.jsonl", *DEDUP], **giant),
        Case("giant row of JSON: plan", ["plan", "giant.jsonl"], **giant),
        Case("giant row of JSON: pairs", ["pairs", "giant.jsonl", "-o", "OUT"], **giant),
        Case("giant row of JSON: exact", ["pairs", "giant.jsonl", "--method", "exact", "-o", "OUT"],
             **giant),
        Case("giant row of JSON: sketch", ["sketch", "giant.jsonl", "--plan", "plan.json", "-o",
                                           "OUT"], **giant),
        Case("giant row of JSON: explain", ["explain", "1", "2", "giant.jsonl"], **giant),
        Case("giant row of JSON: dedup --against",
             ["dedup", "giant.jsonl", "--against", "giant.jsonl", *DEDUP], **giant),
        Case("giant row of JSON: query from a pipe", ["query", "giant.jsonl", "-"],
             stdin="giant.jsonl", codes=(0, 1), **giant),
        Case("giant row of JSON: query a small file from a pipe", ["query", "one.jsonl", "-"],
             stdin="giant.jsonl", codes=(0, 1), **giant),
        Case("giant row of JSON: from a pipe", ["dedup", "-", *DEDUP], stdin="giant.jsonl",
             **giant),
        Case("open quote: CSV", ["dedup", "quote.csv", *DEDUP], open_quote, ["quote.csv"],
             one_item=True, codes=(0, 3)),
        Case("open quote: TSV", ["dedup", "quote.tsv", *DEDUP], open_quote, ["quote.tsv"],
             one_item=True, codes=(0, 3)),
        Case("open quote: plan", ["plan", "quote.csv"], open_quote, ["quote.csv"], one_item=True,
             codes=(0, 3)),
        Case("giant line of text", ["dedup", "giant.txt", *DEDUP], inputs=["giant.txt"], **line),
        Case("giant set", ["dedup", "giant.sets", *DEDUP], inputs=["giant.sets"], **line),
        Case("giant set: exact pairs", ["pairs", "giant.sets", "--method", "exact", "-o", "OUT"],
             inputs=["giant.sets"], **line),
        Case("giant vector", ["pairs", "numbers.txt", "--kind", "vectors", "--threshold", "0.9",
                              "-o", "OUT"], inputs=["numbers.txt"], codes=(3,), **line),
        Case("giant bit string", ["pairs", "bits.txt", "--kind", "bits", "--within", "1", "-o",
                                  "OUT"], inputs=["bits.txt"], codes=(3,), **line),
        Case("giant name in a pairs file", ["cluster", "giant.tsv", "-o", "OUT"],
             inputs=["giant.tsv"], **line),
        Case("giant name in a pairs file: --reuse", ["dedup", "few.jsonl", "--reuse", "giant.tsv",
                                                     *DEDUP],
             inputs=["few.jsonl", "giant.tsv"], **line),
        Case("giant document", ["dedup", "docs", "--format", "files", "-o", "OUT/"], giant_document, ["docs"],
             one_item=True),
        Case("giant document: plan", ["plan", "docs", "--format", "files"], giant_document, ["docs"], one_item=True),
        Case("zeros in .gz", ["dedup", "zeros.txt.gz", *DEDUP], zeros, ["zeros.txt.gz"],
             one_item=True),
        Case("zeros in .gz: plan", ["plan", "zeros.txt.gz"], zeros, ["zeros.txt.gz"],
             one_item=True),
        Case("zeros in .gz: a document", ["dedup", "packed", "--format", "files", "-o", "OUT/"], zeros, ["packed"],
             one_item=True),
        Case("bomb in .zst", ["dedup", "bomb.jsonl.zst", *DEDUP], zstd_bomb, ["bomb.jsonl.zst"],
             one_item=True),
        Case("bomb in .zst: plan", ["plan", "bomb.jsonl.zst"], zstd_bomb, ["bomb.jsonl.zst"],
             one_item=True),
        Case("zstd window of 128 MiB", ["dedup", "window.jsonl.zst", *DEDUP], zstd_window,
             ["window.jsonl.zst"], one_item=True),
        Case("blank lines", ["dedup", "blank.jsonl", *DEDUP], blank_lines, ["blank.jsonl"]),
        Case("deep JSON", ["dedup", "deep.jsonl", *DEDUP], deep_json, ["deep.jsonl"]),
        Case("deeper JSON", ["dedup", "deeper.jsonl", *DEDUP], deep_json, ["deeper.jsonl"],
             one_item=True, codes=(0, 3)),
        Case("10,000 fields", ["dedup", "fields.jsonl", *DEDUP], giant_fields, ["fields.jsonl"]),
        Case("10,000 columns", ["dedup", "columns.csv", *DEDUP], columns, ["columns.csv"]),
        Case("10,000 files", ["dedup", "files", *DEDUP], many_files, ["files"]),
        Case("10,000 files in .gz", ["dedup", "packs", *DEDUP], many_files, ["packs"]),
        Case("a million ids of 200 bytes", ["dedup", "ids.jsonl", *DEDUP], long_ids,
             ["ids.jsonl"]),
        Case("a million ids: pairs", ["pairs", "ids.jsonl", "-o", "OUT"], long_ids, ["ids.jsonl"]),
        Case("many small rows", ["dedup", "rows.txt", "--method", "lsh", *DEDUP], many_rows,
             ["rows.txt"]),
        Case("many small rows: exact", ["pairs", "rows.txt", "--method", "exact", "-o", "OUT"],
             many_rows, ["rows.txt"]),
        Case("rows of 1.5 MB", ["dedup", "large.jsonl", *DEDUP], large_rows, ["large.jsonl"],
             one_item=True),
        Case("rows of 1.5 MB: characters", ["dedup", "large.jsonl", "--shingle", "chars:9", *DEDUP],
             large_rows, ["large.jsonl"], one_item=True),
        Case("rows of 15 MB: characters", ["pairs", "largest.jsonl", "--method", "lsh", "--shingle",
                                           "chars:9", "-o", "OUT"],
             largest_rows, ["largest.jsonl"], one_item=True),
        Case("rows of 1.5 MB: exact", ["pairs", "large.jsonl", "--method", "exact", "-o", "OUT"],
             large_rows, ["large.jsonl"], one_item=True),
        Case("one long member of gzip", ["dedup", "long.jsonl.gz", *DEDUP], packed_rows,
             ["long.jsonl.gz"]),
        Case("one long frame of zstd", ["dedup", "long.jsonl.zst", *DEDUP], packed_rows,
             ["long.jsonl.zst"]),
        Case("clique: dedup --pairs, lsh", ["dedup", "clique.jsonl", "--method", "lsh", "--pairs",
                                            "pairs.tsv", *DEDUP], **group),
        Case("clique: dedup --pairs, brute", ["dedup", "clique.jsonl", "--method", "brute",
                                              "--pairs", "pairs.tsv", *DEDUP], **group),
        Case("clique: pairs, lsh", ["pairs", "clique.jsonl", "--method", "lsh", "-o", "OUT"],
             **group),
        Case("clique: pairs, exact", ["pairs", "clique.jsonl", "--method", "exact", "-o", "OUT"],
             **group),
        Case("clique: pairs --top 3", ["pairs", "clique.jsonl", "--threshold", "0.8", "--top", "3",
                                       "-o", "OUT"], **group),
        Case("clique: pairs --top 3, exact", ["pairs", "clique.jsonl", "--method", "exact", "--top",
                                              "3", "-o", "OUT"], **group),
        Case("clique: pairs --top-pairs 10, lsh", ["pairs", "clique.jsonl", "--method", "lsh",
                                                   "--top-pairs", "10", "-o", "OUT"], **group),
        Case("clique: pairs --audit", ["pairs", "clique.jsonl", "--method", "exact",
                                       "--audit=1000", "-o", "OUT"], **group),
        Case("clique: dedup --pairs, exact", ["dedup", "clique.jsonl", "--method", "exact",
                                              "--pairs", "pairs.tsv", *DEDUP], **group),
        Case("clique: components", ["dedup", "clique.jsonl", "--method", "lsh", "--clustering",
                                    "components", *DEDUP], **group),
        Case("clique: containment", ["dedup", "clique.jsonl", "--measure", "containment", *DEDUP],
             **group),
        Case("clique: query of itself", ["query", "clique.jsonl", "clique.jsonl", "-o", "OUT.tsv"],
             codes=(0, 1), **group),
        Case("clique: cluster", ["cluster", "found.tsv", "-o", "OUT"], pairs_file, ["found.tsv"]),
        Case("clique: dedup --reuse", ["dedup", "clique.jsonl", "--reuse", "found.tsv", *DEDUP],
             pairs_file, ["clique.jsonl", "found.tsv"]),
        *(Case(f"clique of sets: {name}, {method}",
               ["pairs", "clique.sets", "--threshold", "0.8", "--method", method, *args, "-o",
                "OUT"], makes=clique, inputs=["clique.sets"])
          for name, args in (("pairs", []), ("--top 3", ["--top", "3"]),
                             ("--top-pairs 10", ["--top-pairs", "10"]),
                             ("--top-pairs 10,000,000", ["--top-pairs", "10000000"]))
          for method in ("exact", "lsh", "brute")),
        Case("clique of bags: pairs", ["pairs", "bags.sets", "--kind", "bags", "--threshold", "0.8",
                                       "-o", "OUT"], makes=clique, inputs=["bags.sets"]),
        Case("equal sets: --top-pairs 10", ["pairs", "equal.sets", "--threshold", "0.8",
                                            "--top-pairs", "10", "-o", "OUT"],
             equal_sets, ["equal.sets"]),
        *(Case(f"clique of vectors: {name}, {method}",
               ["pairs", "close.fvecs", "--threshold", "0.9", "--method", method, *args, "-o",
                "OUT"], inputs=["close.fvecs"], **close)
          for name, args in (("pairs", []), ("--top-pairs 10", ["--top-pairs", "10"]),
                             ("--top-pairs 10,000,000", ["--top-pairs", "10000000"]))
          for method in ("exact", "lsh")),
        *(Case(f"clique of bits: {name}, {method}",
               ["pairs", "close.txt", "--kind", "bits", "--within", "4", "--method", method, *args,
                "-o", "OUT"], inputs=["close.txt"], **close)
          for name, args in (("pairs", []), ("--top-pairs 10,000,000",
                                             ["--top-pairs", "10000000"]))
          for method in ("exact", "lsh")),
        Case("clique of bits: dedup", ["dedup", "close.txt", "--kind", "bits", "--within", "4",
                                       *DEDUP], inputs=["close.txt"], **close),
        Case("dense vectors", ["dedup", "dense.fvecs", "--threshold", "0.99", "-o", "OUT.fvecs"],
             dense_vectors, ["dense.fvecs"], in_memory=True),
        Case("fvecs that claims 8 GB a row", ["pairs", "claims.fvecs", "--threshold", "0.9", "-o",
                                              "OUT"], claims, ["claims.fvecs"], codes=(3,)),
        Case("npy that claims 4 TB", ["pairs", "claims.npy", "--threshold", "0.9", "-o", "OUT"],
             claims, ["claims.npy"], codes=(3,)),
    ]


def bytes_of(size: str) -> int:
    return int(size[:-1]) * {"M": MIB, "G": 1 << 30}[size[-1]]


def run(case: Case, folder: Path, memory: str, threads: int,
        limit_seconds: int) -> Outcome:
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    side = {"OUT": "out/kept", "OUT/": "out/docs/", "OUT.fvecs": "out/kept.fvecs",
            "OUT.tsv": "out/found.tsv",
            "removed.tsv": "out/removed.tsv", "pairs.tsv": "out/pairs.tsv"}
    if case.args[0] in ("pairs", "cluster"):
        side["OUT"] = "out/pairs.tsv"
    elif case.args[0] == "sketch":
        side["OUT"] = "out/sketches"
    else:
        extension = re.sub(r"\.(gz|zst)$", "", case.inputs[0]).rsplit(".", 1)
        side["OUT"] += "." + (extension[1] if len(extension) > 1 else "jsonl")
    command = [SOSIE, *(side.get(arg, arg) for arg in case.args), "--memory", memory]
    if case.args[0] != "cluster":
        command += ["--threads", str(threads)]
    if case.args[0] != "plan":
        command += ["--scratch", str(folder)]
    begun = time.monotonic()
    stdin = open(folder / case.stdin, "rb") if case.stdin else subprocess.DEVNULL
    cat = None
    if case.stdin:  # a pipe, not a file
        cat = subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE)
        stdin = cat.stdout
    with open(folder / "out.txt", "wb") as printed, open(folder / "err.txt", "wb") as errors:
        process = subprocess.Popen(command, stdin=stdin, stdout=printed, stderr=errors, cwd=folder)
        stop = threading.Timer(limit_seconds, process.kill)
        stop.start()
        _, status, usage = os.wait4(process.pid, 0)
        stop.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if cat:
        cat.stdout.close()
        cat.wait()
    said = (folder / "err.txt").read_text(errors="replace")
    outcome = Outcome(case.name, memory, process.returncode, usage.ru_maxrss / 1024,
                      time.monotonic() - begun)
    error = said.find("sosie: ")
    outcome.said = said[error:].strip()[:300] if process.returncode not in (0, 1) else ""
    outcome.broken = broken_rules(case, outcome)
    outcome.known = case.known
    return outcome


def broken_rules(case: Case, outcome: Outcome) -> list[str]:
    broken = []
    cap = bytes_of(outcome.memory)
    if outcome.peak_mib * MIB > cap + SLACK:
        broken.append("peak")
    if outcome.code == 4:
        if cap >= LEAST_STRICT and not (case.one_item or case.in_memory):
            broken.append("refused")
        if not SAYS_ENOUGH.search(outcome.said):
            broken.append("no way out")
    elif outcome.code == -9:
        broken.append("time")
    elif outcome.code not in case.codes:
        broken.append(f"exit {outcome.code}")
    return broken


def table(outcomes: list[Outcome], memories: list[str]) -> str:
    lines = ["| case | " + " | ".join(memories) + " |", "|---" * (len(memories) + 1) + "|"]
    for name in dict.fromkeys(o.case for o in outcomes):
        cells = []
        for memory in memories:
            found = [o for o in outcomes if o.case == name and o.memory == memory]
            if not found:
                cells.append("–")
            for o in found:
                cell = f"{o.peak_mib:.0f} MiB, {o.seconds:.1f} s"
                cell += f", exit {o.code}" if o.code not in (0, 1) else ""
                cells.append(cell + (f" **{', '.join(o.broken)}**" if o.broken else ""))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def saved_outcomes(path: Path | None) -> list[Outcome]:
    if path is None or not path.exists():
        return []
    return [Outcome(**saved) for saved in json.loads(path.read_text())]


def save_outcomes(path: Path | None, outcomes: list[Outcome]) -> None:
    if path is not None:
        path.write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="for inputs, outputs, scratch")
    parser.add_argument("--memory", default="", help="the caps (default: 64M,256M,1G)")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=600, help="seconds of a run")
    parser.add_argument("--json", type=Path, help="the outcomes, as JSON")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sizes = SMALL if options.small else FULL
    memories = (options.memory or ("64M" if options.small else "64M,256M,1G")).split(",")
    outcomes = saved_outcomes(options.json)
    done = {(o.case, o.memory) for o in outcomes}
    for case in cases():
        left = [memory for memory in memories if (case.name, memory) not in done]
        if options.only not in case.name or not left:
            continue
        if not all((folder / name).exists() for name in case.inputs):
            case.makes(folder, sizes)
        if not all((folder / name).exists() for name in case.inputs):
            continue  # the program that makes it is not installed
        for memory in left:
            outcomes.append(run(case, folder, memory,
                                options.threads, options.limit))
            save_outcomes(options.json, outcomes)
            if outcomes[-1].broken:
                print(f"{case.name}, {memory}: {', '.join(outcomes[-1].broken)}: "
                      f"{outcomes[-1].said}", file=sys.stderr, flush=True)
    print(table(outcomes, memories))
    broken = [o for o in outcomes if o.broken]
    known = [o for o in broken if o.known]
    print(f"\n{len(outcomes)} runs, {len(broken)} break the rule, {len(known)} of them as known")
    return 1 if len(broken) > len(known) else 0


if __name__ == "__main__":
    sys.exit(main())
