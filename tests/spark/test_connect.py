"""sosie.spark on Spark Connect."""

import os
import subprocess
import sys
from pathlib import Path


def test_rows_are_those_of_one_machine_and_the_process_ends(tmp_path: Path):
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable,
                   "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g"}
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_LOCAL_REMOTE"):
        environment.pop(name, None)
    done = subprocess.run([sys.executable, "connect_job.py", tmp_path / "plan.json"],
                          cwd=Path(__file__).parent, env=environment, timeout=400,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "as on one machine" in done.stdout
