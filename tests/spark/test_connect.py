"""sosie.spark on Spark Connect."""

import os
import subprocess
import sys
from pathlib import Path

from pyspark.sql import SparkSession


def test_rows_are_those_of_one_machine_and_the_process_ends(spark: SparkSession, connect_port: int,
                                                            tmp_path: Path):
    environment = {**os.environ}
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_LOCAL_REMOTE"):
        environment.pop(name, None)
    job = [sys.executable, "connect_job.py", f"sc://127.0.0.1:{connect_port}", tmp_path / "plan.json"]
    done = subprocess.run(job, cwd=Path(__file__).parent, env=environment, timeout=400,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "as on one machine" in done.stdout
