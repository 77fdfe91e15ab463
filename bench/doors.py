#!/usr/bin/env python3
"""Compares the cost of each door with the program: the same rows, measured alternately, on one thread.

    build/python-venv/bin/python bench/doors.py FILE.jsonl [--make MB] [--rounds 3] [--only WORD...]

FILE holds rows with `id` and `text`; with --make, it is written first: made-up texts, a fifth of which repeat
an earlier one or are near it. The CPU seconds from the call until the kept rows exist, as the same
kind of object as the input, are counted; a frame is made beforehand, while a stream is read by the call. The
S3 server runs in this process, which is not counted. Prints medians as a Markdown table. Exits with 1 if a
door keeps different rows from the program, or takes more than MOST times its CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from moto.server import ThreadedMotoServer

MOST = 1.3
PROGRAM = Path(__file__).resolve().parents[1] / "build" / "release" / "sosie"
OPTIONS = ["--threshold", "0.8", "--threads", "1", "-q"]

# A door: the preparations, and the expression or statements that end with the ids in `kept`.
BEFORE = """
import json, resource, sys
import sosie
path, out = sys.argv[1:3]
def rows():
    return map(json.loads, open(path, "rb"))
def table():
    import pyarrow.json
    return pyarrow.json.read_json(path, read_options=pyarrow.json.ReadOptions(block_size=64 << 20))
given = dict(threshold=0.8, threads=1)
def cpu():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
"""
AFTER = """
print(json.dumps({"cpu": spent, "kept": list(kept)}))
"""
DOORS = {
    "a path": ("", "sosie.dedup(path, output=out, **given)", "written(out)"),
    "`s3://`": ("import fsspec; fsspec.filesystem('s3')",
                "sosie.dedup('s3://shelf/in.jsonl', output='s3://shelf/out.jsonl', **given)",
                "(json.loads(line)['id'] for line in fsspec.filesystem('s3').cat_file('shelf/out.jsonl').splitlines())"),
    "a list of texts": ("ids, texts = zip(*((row['id'], row['text']) for row in rows())); texts = list(texts)",
                        "result = sosie.dedup(texts, **given); result.apply()",
                        "(ids[row] for row in result.kept['row'].tolist())"),
    "pyarrow": ("frame = table()", "result = sosie.dedup(frame, column='text', **given).apply()",
                "result['id'].to_pylist()"),
    "polars, `frame.sosie`": ("import polars, sosie.polars; frame = polars.from_arrow(table())",
                              "result = frame.sosie.dedup(column='text', **given)", "result['id'].to_list()"),
    "polars, lazy": ("import polars, sosie.polars; frame = polars.scan_ndjson(path)",
                     "frame.sosie.dedup(column='text', **given).sink_ndjson(out)", "written(out)"),
    "pandas, `frame.sosie`": ("import sosie.pandas; frame = table().to_pandas()",
                              "result = frame.sosie.dedup(column='text', **given)", "result['id'].to_list()"),
    "Hugging Face `Dataset`": ("import datasets; frame = datasets.Dataset(table())",
                               "result = sosie.dedup(frame, column='text', **given).apply()", "result['id']"),
    "Hugging Face, streamed": (
        "import datasets; frame = datasets.Dataset(table()).to_iterable_dataset()",
        "result = sosie.dedup(frame, column='text', **given).apply()", "result['id']"),
    "DuckDB": ("import duckdb; frame = duckdb.from_arrow(table())",
               "result = sosie.dedup(frame, column='text', **given).apply().project('id').fetchall()",
               "(id for (id,) in result)"),
    "scikit-learn": ("from sosie.sklearn import NearDuplicates\n"
                     "ids, texts = zip(*((row['id'], row['text']) for row in rows())); texts = list(texts)",
                     "model = NearDuplicates(**given).fit(texts)",
                     "(id for id, is_kept in zip(ids, model.kept_) if is_kept)"),
    "datatrove": ("from datatrove.data import Document\nfrom sosie.datatrove import SosieDedupFilter\n"
                  "documents = [Document(row['text'], str(row['id'])) for row in rows()]",
                  "sosie.dedup(path, removed=out + '.tsv', **given)\n"
                  "block = SosieDedupFilter(out + '.tsv')\n"  # without what datatrove itself counts for each block
                  "result = [document for document in documents if block.filter(document) is True]",
                  "(document.id for document in result)"),
}
WRITTEN = """
def written(name):
    return (json.loads(line)["id"] for line in open(name, "rb"))
"""


def by_python(before: str, call: str, kept: str) -> Callable[[Path, Path], dict]:
    code = f"{BEFORE}{WRITTEN}{before}\nbegin = cpu()\n{call}\nspent = cpu() - begin\nkept = {kept}\n{AFTER}"

    def run(path: Path, out: Path) -> dict:
        done = subprocess.run([sys.executable, "-c", code, path, out], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        return json.loads(done.stdout.splitlines()[-1])

    return run


def by_command(*command: object) -> Callable[[Path, Path], dict]:
    """The program; for WET, the ids are URLs."""
    def run(path: Path, out: Path) -> dict:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "dedup", path, *OPTIONS, "-o", out, "--removed", f"{out}.tsv"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        content = out.read_bytes()
        ids = [line.partition(b" ")[2].decode().strip() for line in content.split(b"\n")
               if line.startswith(b"WARC-Record-ID: ")] or [json.loads(line)["id"]
                                                            for line in content.splitlines()]
        return {"cpu": sum(after[:2]) - sum(before[:2]), "kept": ids}

    return run


def make_rows(megabytes: int, path: Path) -> None:
    draw = random.Random(1)
    words = ["".join(draw.choices("aeioulnrstdm", k=draw.randint(2, 11))) for _ in range(30_000)]
    texts: list[list[str]] = []
    with open(path, "w") as out:
        while out.tell() < megabytes * 1_000_000:
            text = draw.choices(words, k=draw.randint(100, 450))
            if texts and draw.random() < 0.2:
                text = list(draw.choice(texts))
                text[draw.randrange(len(text))] = draw.choice(words)
            texts = [text, *texts[:999]]
            out.write(json.dumps({"id": f"r{out.tell()}", "text": " ".join(text)}) + "\n")


def write_wet(rows: Path, wet: Path) -> None:
    with open(wet, "wb") as out, open(rows, "rb") as lines:
        for row in map(json.loads, lines):
            text = row["text"].encode()
            out.write(b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: %s\r\nContent-Length: %d\r\n\r\n"
                      % (str(row["id"]).encode(), len(text)) + text + b"\r\n\r\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--make", type=int, metavar="MB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="doors whose name holds one of these")
    args = parser.parse_args()
    if args.make:
        make_rows(args.make, args.file)
    doors = {"the program": by_command(PROGRAM), "the program on WET": by_command(PROGRAM),
             "the package's command": by_command(Path(sys.executable).with_name("sosie")),
             **{name: by_python(*door) for name, door in DOORS.items()}}
    doors = {name: door for name, door in doors.items() if name == "the program" or any(word in name for word in args.only)}
    results: dict[str, list[dict]] = {name: [] for name in doors}
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing",
                   "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{host}:{port}",
                   "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the latter for Arrow
    with tempfile.TemporaryDirectory() as folder:
        wet, out = Path(folder, "in.wet"), Path(folder, "out")
        write_wet(args.file, wet)
        fill = "import s3fs, sys; s = s3fs.S3FileSystem(); s.mkdir('shelf'); s.put_file(sys.argv[1], 'shelf/in.jsonl')"
        subprocess.run([sys.executable, "-c", fill, args.file], check=True)
        for _ in range(args.rounds):
            for name, door in doors.items():
                is_wet = name.endswith("WET")
                results[name].append(door(wet if is_wet else args.file, out.with_suffix(".wet" if is_wet else ".jsonl")))
    server.stop()
    return told(results)


def told(results: dict[str, list[dict]]) -> int:
    kept = list(map(str, results["the program"][0]["kept"]))
    program = statistics.median(one["cpu"] for one in results["the program"])
    wrong = []
    print("| door | CPU s | of the program's | rows kept |\n|---|---|---|---|")
    for name, runs in results.items():
        cpu = statistics.median(one["cpu"] for one in runs)
        print(f"| {name} | {cpu:.2f} | {cpu / program:.2f} | {len(runs[0]['kept']):,} |")
        if any(list(map(str, one["kept"])) != kept for one in runs):
            wrong.append(f"{name} keeps other rows")
        if cpu > MOST * program:
            wrong.append(f"{name} takes {cpu / program:.2f} times the CPU seconds")
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
