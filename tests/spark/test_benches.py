"""The programs in bench/ that measure Spark jobs, run at their smallest size."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from conftest import make_rows
from pyspark import cloudpickle
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import spark as spark_bench  # noqa: E402
import spark_peers  # noqa: E402
import spark_same  # noqa: E402

for module in (spark_peers, spark_same):  # which workers cannot import
    cloudpickle.register_pickle_by_value(module)

pytestmark = pytest.mark.skipif(not os.access(spark_bench.PROGRAM, os.X_OK),
                                reason=f"{spark_bench.PROGRAM} is not built")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": text}) + "\n"
                            for name, _, text in make_rows(8, 120) if text))
    return path


def test_a_job_is_compared_with_the_program(spark: SparkSession, tmp_path: Path, rows: Path):
    number, size = spark_bench.write_rows([str(rows)], tmp_path)
    told = spark_bench.job_and_program(spark, tmp_path, "lsh")
    assert told["equal"] and 0 < told["removed"] < number and size > 0
    assert told["spark_cpu_seconds"] > 0 and told["driver_MB"]["python"] > 0


def test_stages_are_read_from_the_log_of_events(tmp_path: Path):
    metrics = {"Executor Run Time": 1500, "Shuffle Write Metrics": {"Shuffle Bytes Written": 1200}}
    events = [{"Event": "SparkListenerJobStart", "Stage IDs": [1],
               "Properties": {"spark.job.description": "buckets"}},
              *[{"Event": "SparkListenerTaskEnd", "Stage ID": 1, "Task Metrics": metrics}] * 4]
    (tmp_path / "log").write_text("\n".join(map(json.dumps, events)))
    told = spark_bench.of_events(spark_bench.Stages.of(tmp_path), 1000, 400)
    assert told["bytes_a_band_row"] == 12
    assert told["dearest"] == {"stage": "buckets", "tasks": 4, "median_seconds": 1.5,
                               "longest_seconds": 1.5}


def test_runs_are_equal_whatever_is_killed(spark: SparkSession, rows: Path):
    (told,) = spark_same.runs_of(spark, [str(rows)], ["lsh"], [(3, False, "worker")], with_work=False)
    assert told["equal"] and told["killed"] > 3


@pytest.mark.parametrize("peer", ["numpy", "mllib"])
def test_peers_are_measured(spark: SparkSession, rows: Path, peer: str):
    told = spark_peers.measured(spark, rows, peer, 2)
    assert told["true_pairs"] > 0 and told["recall"] > 0.3 and told["spark_cpu_seconds"] > 0
