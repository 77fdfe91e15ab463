#!/usr/bin/env python3
"""Checks that sosie.spark removes what the program does, however a job is run.

    build/spark-venv/bin/python bench/spark_same.py FILE.jsonl[.gz]... [--methods lsh,exact]

For each method: partitions 1, 8 and 64 of shuffled rows, adaptive execution on and off, and a Python
worker that is killed in each stage once (its tasks are tried again). Prints a line for each run, and
ends with 1 where removed rows, survivors, similarities or pairs differ from those of `sosie dedup` and
`sosie pairs` under the plan of the first run.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import spark as jobs

RUNS = [(1, True, False), (8, True, False), (64, True, False), (8, False, False), (8, True, True)]


def pairs_of_program(path: Path, how: list[str], folder: Path) -> set:
    out = folder / "pairs.tsv"
    subprocess.run([jobs.PROGRAM, "pairs", path, *how, "--quiet", "-o", out], check=True)
    with out.open() as lines:
        next(lines)  # what they were made with
        return {(row["left"], row["right"], row["similarity"]) for row in
                csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def killing(kernel, marks: str):
    """The kernel, whose worker dies in the middle of the first task that runs it."""
    def run(batches):
        for number, batch in enumerate(kernel(batches)):
            yield batch
            mark = Path(marks) / f"{getattr(kernel, 'func', kernel).__name__}"
            if number == 0 and not mark.exists():
                mark.write_text("killed")
                os.kill(os.getpid(), signal.SIGKILL)
    return run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--methods", default="lsh,exact")
    args = parser.parse_args()
    from pyspark.sql import DataFrame, SparkSession

    import sosie.spark

    spark = (SparkSession.builder.master("local[2,4]").config("spark.driver.memory", "6g")
             .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.sql.shuffle.partitions", "16")
             .config("spark.ui.showConsoleProgress", "false").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    base: type[DataFrame] = type(spark.range(1))
    plain = base.mapInArrow
    equal = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs.write_rows(args.names, folder)
        rows = spark.read.parquet(str(folder / "rows"))
        plan = folder / "plan.json"
        plan.write_text(sosie.spark.plan(rows))
        for method in args.methods.split(","):
            expected, _ = jobs.by_program(folder / "rows.jsonl", plan, method, folder)
            how = ["--method", "exact"] if method == "exact" else ["--plan", str(plan)]
            pairs = pairs_of_program(folder / "rows.jsonl", how, folder)
            for partitions, adaptive, kills in RUNS:
                begin = time.time()
                spark.conf.set("spark.sql.adaptive.enabled", str(adaptive).lower())
                marks = folder / f"marks-{method}"
                marks.mkdir(exist_ok=True)
                if kills:
                    base.mapInArrow = lambda self, kernel, *rest, marks=str(marks), **named: plain(
                        self, killing(kernel, marks), *rest, **named)
                data = rows.orderBy(sosie.spark.F.xxhash64("id", sosie.spark.F.lit(partitions))
                                    ).repartition(partitions)
                result = sosie.spark.dedup(data, order="n", method=method,
                                           plan=plan if method == "lsh" else None)
                removed = {(row["id"], row["kept_id"], f"{row['similarity']:.6f}",
                            "true" if row["exact"] else "false") for row in result.removed.collect()}
                listed = {(row["left"], row["right"], f"{row['similarity']:.6f}")
                          for row in result.pairs.collect()}
                base.mapInArrow = plain
                is_equal = removed == expected and listed == pairs
                equal = equal and is_equal
                print(json.dumps({
                    "method": method, "partitions": partitions, "adaptive": adaptive,
                    "killed": len([*marks.iterdir()]) if kills else 0, "removed": len(removed),
                    "pairs": len(listed), "equal": is_equal,
                    "seconds": round(time.time() - begin, 1)}), flush=True)
    spark.stop()
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
