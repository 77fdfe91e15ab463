#!/usr/bin/env python3
"""Compares a Parquet file under a memory cap with the same rows as JSON lines.

    make parquet
    build/arrow-venv/bin/python bench/parquet.py FILE.jsonl --bytes 1000000000 --memory 1G

Writes the rows of FILE (id, text), repeated with different ids, as a Parquet file of at least this many bytes
and as JSON lines, runs `sosie dedup` on both and prints for each: seconds, CPU seconds, peak memory, rows
kept. Exits with 1 if the kept ids differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PROGRAM = Path(__file__).resolve().parents[1] / "build" / "release" / "sosie"
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string()), ("copy", pa.int32())])
BATCH_ROWS = 2000


def rows_of(path: Path, copy: int):
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            yield {"id": f"{copy}/{number}", "text": json.loads(line)["text"], "copy": copy}


def make(source: Path, folder: Path, least: int, codec: str) -> tuple[Path, Path]:
    """Writes the same rows in both formats."""
    parquet, lines = folder / "in.parquet", folder / "in.jsonl"
    copy = 0
    with pq.ParquetWriter(parquet, SCHEMA, compression=codec) as table, lines.open("w") as out:
        while parquet.stat().st_size < least:
            batch = []
            for row in rows_of(source, copy):
                batch.append(row)
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                if len(batch) == BATCH_ROWS:
                    table.write_batch(pa.RecordBatch.from_pylist(batch, SCHEMA))
                    batch = []
            if batch:
                table.write_batch(pa.RecordBatch.from_pylist(batch, SCHEMA))
            copy += 1
    return parquet, lines


def run(path: Path, memory: str, threads: str) -> dict[str, object]:
    output = path.with_stem("out")
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([PROGRAM, "dedup", path, "-o", output, "--memory", memory, "--threads", threads,
                    "--scratch", path.parent, "--quiet", "--stats", path.parent / "stats.json"],
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    stats = json.loads((path.parent / "stats.json").read_text())
    return {"seconds": round(time.monotonic() - started, 2),
            "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
            "peak_mb": round(stats["peak_memory_bytes"] / 1e6),
            "scratch_mb": round(stats["scratch_bytes"] / 1e6),
            "bytes": path.stat().st_size, "kept": digest(output)}


def digest(path: Path) -> tuple[int, str]:
    """Returns the number of rows, and a hash of their ids in order."""
    found, rows = hashlib.sha256(), 0
    if path.suffix == ".parquet":
        batches = pq.ParquetFile(path).iter_batches(columns=["id"])
        ids = (value for batch in batches for value in batch["id"].to_pylist())
    else:
        ids = (json.loads(line)["id"] for line in path.open("rb"))
    for value in ids:
        found.update(value.encode() + b"\n")
        rows += 1
    return rows, found.hexdigest()[:16]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--bytes", type=int, default=1_000_000_000, help="of the Parquet file, at least")
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--codec", default="zstd")
    parser.add_argument("--folder", type=Path, help="where files go; default: a temporary one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        files = make(options.file, Path(folder), options.bytes, options.codec)
        results = {path.suffix: run(path, options.memory, options.threads) for path in files}
    for suffix, result in results.items():
        print(suffix, json.dumps(result))
    return 0 if len({result["kept"] for result in results.values()}) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
