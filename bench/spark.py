#!/usr/bin/env python3
"""Compares sosie.spark with the program on the same rows, and measures the cost of each.

    build/spark-venv/bin/python bench/spark.py FILE.jsonl[.gz]... [--method lsh]
    build/spark-venv/bin/python bench/spark.py templated:100000
    build/spark-venv/bin/python bench/spark.py FILE.jsonl --master local-cluster[2,1,3072] --memory 512m

Runs `sosie dedup --plan` and sosie.spark.dedup (local[2], on Parquet files) on FILE with the plan that the
job made, and prints a JSON object: rows, rows kept by both, whether removed rows, survivors and similarities
are equal, CPU seconds of both (without Spark's start), bytes that the shuffles of bands and of texts wrote,
from Spark's event log, the longest and the median task in the most expensive stage, and the driver's memory
(on a master whose executors are separate processes). templated:N are N texts, four fifths of each from the
same template. Exits with 1 if the two differ.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow
import pyarrow.parquet

PROGRAM = Path(os.environ.get(
    "SOSIE_BIN", Path(__file__).resolve().parents[1] / "build" / "release" / "sosie"))
PART_BYTES = 50_000_000  # of a file of Parquet
os.environ["PYSPARK_PYTHON"] = sys.executable


def cpu_of_children() -> float:
    """CPU seconds of this process and all its descendants."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
        used[int(name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total, found = 0.0, [os.getpid()]
    while found:
        process = found.pop()
        total += used.get(process, 0)
        found += [child for child, parent in parents.items() if parent == process]
    return total


def by_program(path: Path, plan: Path, method: str, folder: Path) -> tuple[set, float]:
    removed = folder / "removed.tsv"
    how = ["--method", "exact"] if method == "exact" else ["--plan", str(plan)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PROGRAM, "dedup", path, *how, "--quiet", "--removed", removed, "-o",
                    folder / "kept.jsonl"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with removed.open() as lines:
        rows = {(row["id"], row["kept_id"], row["similarity"], row["exact"])
                for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}
    return rows, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass
class Stages:
    """Figures from Spark's event log, by stage of the job."""

    shuffled: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # bytes
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # of tasks

    @classmethod
    def of(cls, folder: Path) -> Stages:
        found, described = cls(), {}
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.name.startswith("."):  # checksums
                continue
            for event in map(json.loads, filter(None, path.read_text().split("\n"))):
                if event["Event"] == "SparkListenerJobStart":
                    name = event["Properties"].get("spark.job.description", "plan")
                    described.update(dict.fromkeys(event["Stage IDs"], name))
                elif event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
                    name, metrics = described.get(event["Stage ID"], "plan"), event["Task Metrics"]
                    found.shuffled[name] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                    found.seconds[f"{name}:{event['Stage ID']}"].append(
                        metrics["Executor Run Time"] / 1000)
        return found

    def dearest(self) -> dict[str, object]:
        """The tasks of the longest stage, among those with four tasks or more."""
        stages = {name: times for name, times in self.seconds.items() if len(times) >= 4}
        name = max(stages, key=lambda name: sum(stages[name]), default="")
        times = sorted(stages.get(name, [0.0]))
        return {"stage": name.partition(":")[0], "tasks": len(times),
                "median_seconds": round(times[len(times) // 2], 2),
                "longest_seconds": round(times[-1], 2)}


def templated(count: int) -> Iterator[dict]:
    """Texts with the same template, each with a fifth of its own."""
    template = " ".join(f"template{n}" for n in range(160))
    for number in range(count):
        own = " ".join(f"own{number}x{n}" for n in range(40))
        yield {"id": f"t{number}", "text": f"{template} {own}"}


def rows_of(name: str) -> Iterator[dict]:
    if name.startswith("templated:"):
        yield from templated(int(name.partition(":")[2]))
        return
    path = Path(name)
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as lines:
        yield from map(json.loads, lines)


def write_rows(names: list[str], folder: Path) -> tuple[int, int]:
    """Rows as JSON lines and as Parquet, numbered: the input order is a column."""
    size = number = 0
    held: list[dict] = []
    parts = 0

    def flush() -> None:
        nonlocal parts
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(held), folder / f"rows/{parts:04}.parquet")
        parts += 1
        held.clear()

    (folder / "rows").mkdir()
    of_part = 0
    with (folder / "rows.jsonl").open("w") as out:
        for row in (row for name in names for row in rows_of(name)):
            whole = {"id": row["id"], "n": number, "text": row["text"]}
            bytes_of_row = len(row["text"].encode())
            out.write(json.dumps(whole) + "\n")
            held.append(whole)
            size, of_part, number = size + bytes_of_row, of_part + bytes_of_row, number + 1
            if of_part >= PART_BYTES:
                flush()
                of_part = 0
    if held:
        flush()
    return number, size


def session(master: str, settings: dict[str, str]):
    """A session that has already run a job, so it has completed its start."""
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "127.0.0.1"}
    builder = (SparkSession.builder.master(master).config("spark.ui.enabled", "false")
               .config("spark.driver.host", "127.0.0.1")
               .config("spark.ui.showConsoleProgress", "false"))
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.range(1).count()
    return spark


def driver(spark) -> dict[str, float]:
    """Memory of the driver in MB: the peak of Python, and the memory Java holds after garbage collection."""
    java = spark._jvm.java.lang
    java.System.gc()
    runtime = java.Runtime.getRuntime()
    return {"python": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
            "java_after_gc": round((runtime.totalMemory() - runtime.freeMemory()) / 1e6)}


def job_and_program(spark, folder: Path, method: str) -> dict[str, object]:
    """Runs both on the rows that write_rows() left in a folder, and compares the removed rows."""
    import sosie.spark

    data = spark.read.parquet(str(folder / "rows"))
    start = cpu_of_children()
    result = sosie.spark.dedup(data, order="n", method=method)
    stage = result._job.work.stage

    def described(name, make):
        def made():
            frame = make()  # together with the stages before
            spark.sparkContext.setJobDescription(name)
            return frame
        found = stage(name, made)
        spark.sparkContext.setJobDescription("between")
        return found

    result._job.work.stage = described
    gone = result.removed.collect()
    kept = result.kept.select("id").count()
    used = cpu_of_children() - start
    plan = folder / "plan.json"
    plan.write_text(result.plan)
    there = {(row["id"], row["kept_id"], f"{row['similarity']:.6f}",
              "true" if row["exact"] else "false") for row in gone}
    told = {"driver_MB": driver(spark), "kept": kept, "removed": len(gone),
            "candidates": result._job.candidates().count(), "spark_cpu_seconds": round(used, 1)}
    if method == "lsh":
        told["band_rows"] = result._job.items().count() * json.loads(result.plan)["bands"]
    here, program = by_program(folder / "rows.jsonl", plan, method, folder)
    if here != there:
        print(sorted(here - there)[:3], sorted(there - here)[:3], file=sys.stderr)
    return told | {"equal": here == there, "program_cpu_seconds": round(program, 2),
                   "times_program": round(used / program, 1)}


def of_events(stages: Stages, size: int, band_rows: int | None) -> dict[str, object]:
    told = {"text_share_moved": round(stages.shuffled["verified"] / size, 3),
            "dearest": stages.dearest(), "shuffled_bytes": dict(stages.shuffled)}
    if band_rows:
        told["bytes_a_band_row"] = round(stages.shuffled["buckets"] / band_rows, 2)
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--method", default="lsh", choices=("lsh", "exact"))
    parser.add_argument("--memory", default="4g", help="of the driver")
    parser.add_argument("--master", default="local[2]")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "events").mkdir()
        number, size = write_rows(args.names, folder)
        spark = session(args.master, {
            "spark.driver.memory": args.memory, "spark.executor.memory": "3g",
            "spark.eventLog.enabled": "true", "spark.eventLog.compress": "false",
            "spark.eventLog.dir": (folder / "events").as_uri()})
        start = cpu_of_children()
        told = {"names": [Path(name).name for name in args.names], "method": args.method,
                "rows": number, "bytes": size, "spark_start_cpu_seconds": round(start, 1),
                **job_and_program(spark, folder, args.method)}
        spark.stop()
        told |= of_events(Stages.of(folder / "events"), size, told.get("band_rows"))
    print(json.dumps(told, indent=1))
    return 0 if told["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
