#!/usr/bin/env python3
"""Compares sosie.spark with the program on the same rows, and measures what each takes.

    build/spark-venv/bin/python bench/spark.py FILE.jsonl[.gz]... [--method lsh]

runs `sosie dedup --plan` and sosie.spark.dedup (local[2], partitions from the sizes) on FILE under the
plan that the job made, and prints a JSON object: rows, rows kept by both, whether removed rows,
survivors and similarities are equal, CPU seconds of both (Spark's start apart), bytes that the
shuffles of bands and of texts wrote, from Spark's event log. Ends with 1 where the two differ.
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
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "build" / "release" / "sosie"
os.environ["PYSPARK_PYTHON"] = sys.executable


def cpu_of_children() -> float:
    """CPU seconds of all processes below this one, and of itself."""
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


def shuffles(folder: Path) -> dict[str, dict[str, int]]:
    """Records and bytes that shuffles wrote, by stage of the job and number of the exchange."""
    described: dict[int, str] = {}
    written: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.startswith("."):  # checksums
            continue
        for line in filter(None, path.read_text().split("\n")):
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                name = event["Properties"].get("spark.job.description", "")
                described.update(dict.fromkeys(event["Stage IDs"], name))
            elif event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
                metrics = event["Task Metrics"]["Shuffle Write Metrics"]
                written[event["Stage ID"]][0] += metrics["Shuffle Records Written"]
                written[event["Stage ID"]][1] += metrics["Shuffle Bytes Written"]
    named: dict[str, dict[str, int]] = {}
    for stage, (records, size) in sorted(written.items()):
        if records:
            named[f"{described.get(stage, '')}:{stage}"] = {"records": records, "bytes": size}
    return named


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--method", default="lsh", choices=("lsh", "exact"))
    parser.add_argument("--memory", default="4g")
    args = parser.parse_args()
    from pyspark.sql import SparkSession

    import sosie.spark

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "events").mkdir()
        rows = folder / "rows.jsonl"  # numbered: the order of the input is a column
        size = number = 0
        with rows.open("w") as out:
            for file in args.files:
                with (gzip.open if file.suffix == ".gz" else open)(file, "rt") as lines:
                    for line in lines:
                        row = json.loads(line)
                        size += len(row["text"].encode())
                        out.write(json.dumps({"id": row["id"], "n": number, "text": row["text"]}) + "\n")
                        number += 1
        spark = (SparkSession.builder.master("local[2]").config("spark.driver.memory", args.memory)
                 .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
                 .config("spark.ui.showConsoleProgress", "false")
                 .config("spark.eventLog.enabled", "true")
                 .config("spark.eventLog.compress", "false")
                 .config("spark.eventLog.dir", (folder / "events").as_uri()).getOrCreate())
        spark.sparkContext.setLogLevel("ERROR")
        spark.range(1).count()
        start = cpu_of_children()
        data = spark.read.schema("id string, n long, text string").json(str(rows))
        result = sosie.spark.dedup(data, order="n", method=args.method, work=str(folder / "work"))
        stage = result._job.work.stage

        def described(name, make):
            spark.sparkContext.setJobDescription(name)
            return stage(name, make)

        result._job.work.stage = described
        gone = result.removed.collect()
        kept = result.kept.select("id").count()
        used = cpu_of_children() - start
        plan = folder / "plan.json"
        plan.write_text(result.plan)
        there = {(row["id"], row["kept_id"], f"{row['similarity']:.6f}",
                  "true" if row["exact"] else "false") for row in gone}
        candidates = result._job.candidates().count()
        spark.stop()
        here, program = by_program(rows, plan, args.method, folder)
        told = {"files": [file.name for file in args.files], "method": args.method, "rows": number,
                "bytes": size, "kept": kept, "removed": len(gone), "equal": here == there,
                "candidates": candidates, "spark_start_cpu_seconds": round(start, 1),
                "spark_cpu_seconds": round(used, 1), "program_cpu_seconds": round(program, 2),
                "shuffles": shuffles(folder / "events")}
    print(json.dumps(told, indent=1))
    if here != there:
        print(sorted(here - there)[:3], sorted(there - here)[:3], file=sys.stderr)
    return 0 if here == there else 1


if __name__ == "__main__":
    sys.exit(main())
