#!/usr/bin/env python3
"""Checks that sosie.spark removes the same rows as the program, however a job is run.

    build/spark-venv/bin/python bench/spark_same.py FILE.jsonl[.gz]... [--methods lsh,exact] [--executors]

For each method: 1, 8 and 64 partitions of shuffled rows, adaptive execution on and off, and a Python worker
that is killed once in each stage (its tasks are retried). With --executors: on two executors that are
separate processes, a job with work= in which an executor is killed once in each stage, together with its
data. Prints a line for each run, and exits with 1 if removed rows, survivors, similarities or pairs differ
from those of `sosie dedup` and `sosie pairs` with the plan of the first run.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import spark as jobs
from pyspark.sql import DataFrame, SparkSession, functions

import sosie.spark

# partitions, adaptive execution, what is killed in each stage
MATRIX = [(1, True, ""), (8, True, ""), (64, True, ""), (8, False, ""), (8, True, "worker")]
ON_EXECUTORS = [(8, True, ""), (8, True, "executor")]


def pairs_of_program(path: Path, how: list[str], folder: Path) -> set:
    out = folder / "pairs.tsv"
    subprocess.run([jobs.PROGRAM, "pairs", path, *how, "--quiet", "-o", out], check=True)
    with out.open() as lines:
        next(lines)  # the settings that they were made with
        return {(row["left"], row["right"], row["similarity"]) for row in
                csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def killing(kernel, marks: str, victim: str):
    """The kernel; its worker, or its executor, dies in the middle of the first task that runs it."""
    def run(batches):
        for number, batch in enumerate(kernel(batches)):
            yield batch
            mark = Path(marks) / f"{getattr(kernel, 'func', kernel).__name__}"
            if number == 0 and not mark.exists():
                mark.write_text("killed")
                os.kill(executor() if victim == "executor" else os.getpid(), signal.SIGKILL)
                time.sleep(60)  # until it is gone
    return run


def executor() -> int:
    """The Java process above this worker and the daemon that started it."""
    process = os.getpid()
    while Path(f"/proc/{process}/comm").read_text() != "java\n":
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process


@dataclass
class Job:
    """The rows in a folder under a plan, and the program's results for them."""

    spark: SparkSession
    folder: Path
    method: str

    def __post_init__(self) -> None:
        plan = self.folder / "plan.json"
        self.removed, _ = jobs.by_program(self.folder / "rows.jsonl", plan, self.method, self.folder)
        how = ["--method", "exact"] if self.method == "exact" else ["--plan", str(plan)]
        self.pairs = pairs_of_program(self.folder / "rows.jsonl", how, self.folder)

    def run(self, partitions: int, adaptive: bool, victim: str, work: Path | None) -> dict[str, object]:
        begin = time.time()
        self.spark.conf.set("spark.sql.adaptive.enabled", str(adaptive).lower())
        marks = self.folder / f"marks-{self.method}"
        marks.mkdir(exist_ok=True)
        rows = self.spark.read.parquet(str(self.folder / "rows"))
        base: type[DataFrame] = type(rows)
        plain = base.mapInArrow
        if victim:
            base.mapInArrow = lambda self, kernel, *rest, **named: plain(
                self, killing(kernel, str(marks), victim), *rest, **named)
        order = functions.xxhash64("id", functions.lit(partitions))
        result = sosie.spark.dedup(
            rows.orderBy(order).repartition(partitions), order="n", method=self.method,
            plan=self.folder / "plan.json" if self.method == "lsh" else None, work=work)
        try:
            removed = {(row["id"], row["kept_id"], f"{row['similarity']:.6f}",
                        "true" if row["exact"] else "false") for row in result.removed.collect()}
            pairs = {(row["left"], row["right"], f"{row['similarity']:.6f}")
                     for row in result.pairs.collect()}
        finally:
            base.mapInArrow = plain
        return {"method": self.method, "partitions": partitions, "adaptive": adaptive,
                "victim": victim, "killed": len([*marks.iterdir()]) if victim else 0,
                "removed": len(removed), "pairs": len(pairs),
                "equal": removed == self.removed and pairs == self.pairs,
                "seconds": round(time.time() - begin, 1)}


def runs_of(spark: SparkSession, names: list[str], methods: list[str],
            matrix: list[tuple[int, bool, str]], with_work: bool) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs.write_rows(names, folder)
        rows = spark.read.parquet(str(folder / "rows"))
        (folder / "plan.json").write_text(sosie.spark.plan(rows))
        for method in methods:
            job = Job(spark, folder, method)
            for number, run in enumerate(matrix):
                yield job.run(*run, folder / f"work-{method}-{number}" if with_work else None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--methods", default="lsh,exact")
    parser.add_argument("--executors", action="store_true")
    args = parser.parse_args()
    spark = jobs.session("local-cluster[2,1,3072]" if args.executors else "local[2,4]", {
        "spark.driver.memory": "1g" if args.executors else "6g", "spark.executor.memory": "3g",
        "spark.sql.shuffle.partitions": "16"})
    spark.sparkContext.setLogLevel("OFF")
    equal = True
    for told in runs_of(spark, args.names, args.methods.split(","),
                        ON_EXECUTORS if args.executors else MATRIX, args.executors):
        print(json.dumps(told), flush=True)
        equal = equal and bool(told["equal"])
    spark.stop()
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
