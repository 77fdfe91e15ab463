#!/usr/bin/env python3
"""Measures other tools on Spark with the same rows, for comparison with bench/spark.py.

    build/spark-venv/bin/python bench/spark_peers.py FILE.jsonl (numpy | mllib) [--tables 4]

numpy: near-duplicates by a script similar to text-dedup's former one (words:5 shingles, 256
components with numpy, 25 bands of 10, pairs that share a bucket, unverified). mllib: Spark's
MinHashLSH with --tables hash tables over the same shingles, hashed to 2^20. Prints JSON: CPU
seconds (without Spark's start), rows, pairs; recall and precision compared with the pairs of
similarity .8 that `sosie pairs` finds.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import struct
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import spark as jobs

WORD = re.compile(r"\W+")
COMPONENTS, BANDS, ROWS = 256, 25, 10
PRIME = np.uint64((1 << 61) - 1)
MOST = np.uint64((1 << 32) - 1)


def shingles(text: str) -> set[str]:
    words = [word for word in WORD.split(text.lower()) if word]
    return {" ".join(words[at : at + 5]) for at in range(max(1, len(words) - 4))}


def band_keys(batches):
    draw = np.random.RandomState(42)
    a = draw.randint(1, 1 << 61, COMPONENTS, np.uint64)
    b = draw.randint(0, 1 << 61, COMPONENTS, np.uint64)
    for batch in batches:
        rows = {"band": [], "key": [], "id": []}
        for name, text in zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True):
            hashes = np.array([struct.unpack("<I", hashlib.sha1(one.encode()).digest()[:4])[0]
                               for one in shingles(text)], np.uint64)
            signature = np.bitwise_and((hashes[:, None] * a + b) % PRIME, MOST).min(axis=0)
            for band in range(BANDS):
                rows["band"].append(band)
                rows["key"].append(signature[band * ROWS : (band + 1) * ROWS].tobytes())
                rows["id"].append(name)
        yield pa.record_batch(rows)


def by_numpy(data):
    from pyspark.sql import functions as F

    keys = data.select("id", "text").mapInArrow(band_keys, "band long, key binary, id string")
    buckets = keys.groupBy("band", "key").agg(F.collect_set("id").alias("ids")).where("size(ids) > 1")
    found = set()
    for row in buckets.select("ids").collect():
        found.update(combinations(sorted(row["ids"]), 2))
    return found


def by_mllib(data, tables):
    from pyspark.ml.feature import HashingTF, MinHashLSH
    from pyspark.sql import functions as F
    from pyspark.sql import types as T

    cut = F.udf(lambda text: sorted(shingles(text)), T.ArrayType(T.StringType()))
    rows = data.select("id", cut("text").alias("shingles"))
    counted = HashingTF(numFeatures=1 << 20, binary=True, inputCol="shingles",
                        outputCol="features").transform(rows).select("id", "features").cache()
    model = MinHashLSH(numHashTables=tables, seed=1, inputCol="features",
                       outputCol="hashes").fit(counted)
    near = model.approxSimilarityJoin(counted, counted, 0.2, "distance")
    return {(row[0], row[1]) for row in
            near.where("datasetA.id < datasetB.id").select("datasetA.id", "datasetB.id").collect()}


def truth(path: Path) -> set[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pairs.tsv"
        subprocess.run([jobs.PROGRAM, "pairs", path, "--method", "exact", "--threshold", "0.8",
                        "--quiet", "-o", out], check=True)
        with out.open() as lines:
            next(lines)  # the settings that they were made with
            return {tuple(sorted((row["left"], row["right"]))) for row in
                    csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def measured(spark, path: Path, peer: str, tables: int) -> dict[str, object]:
    """The cost of the peer, and its results, for the rows of a JSON lines file."""
    expected = truth(path)
    with tempfile.TemporaryDirectory() as name:
        number, size = jobs.write_rows([str(path)], Path(name))
        start = jobs.cpu_of_children()
        data = spark.read.parquet(f"{name}/rows")
        found = by_numpy(data) if peer == "numpy" else by_mllib(data, tables)
        used = jobs.cpu_of_children() - start
    right = len(found & expected)
    return {"peer": peer, "tables": tables if peer == "mllib" else BANDS,
            "name": path.name, "rows": number, "bytes": size,
            "spark_cpu_seconds": round(used, 1), "pairs": len(found), "true_pairs": len(expected),
            "recall": round(right / max(1, len(expected)), 4),
            "precision": round(right / max(1, len(found)), 4)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("peer", choices=("numpy", "mllib"))
    parser.add_argument("--tables", type=int, default=4)
    args = parser.parse_args()
    spark = jobs.session("local[2]", {"spark.driver.memory": "8g"})
    print(json.dumps(measured(spark, args.path, args.peer, args.tables), indent=1))
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
