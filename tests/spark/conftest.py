"""A local Spark with two cores, and rows with known near-duplicates."""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

os.environ["PYSPARK_PYTHON"] = sys.executable


@pytest.fixture(scope="session")
def connect_port() -> int:
    """For the Spark Connect server in the single JVM of these tests."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory, connect_port: int) -> Iterator[SparkSession]:
    session = (
        SparkSession.builder.master("local[2,4]").appName("sosie")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        # These jobs are small: compiling them would take longer than running them.
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
        .config("spark.connect.grpc.binding.address", "127.0.0.1")
        .config("spark.connect.grpc.binding.port", connect_port)
        # User jobs plan again after each stage; so do those of Connect and of bench/spark_same.py.
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("local")))
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def make_rows(seed: int, count: int) -> list[tuple[str, int, str | None]]:
    """Returns rows (id, n, text): copies, reworded copies, near-copies, and rows without a word."""
    draw = random.Random(seed)
    texts: list[str | None] = []
    for number in range(count):
        kind = draw.randrange(8)
        if kind < 4 or not texts:
            words = [f"w{draw.randrange(500)}" for _ in range(draw.randrange(4, 90))]
        else:
            words = (draw.choice(texts) or "").split()
            for _ in range((0, 1, 2, 6)[kind - 4]):
                if words:
                    words[draw.randrange(len(words))] = f"changed{number}"
        text = " ".join(words)
        texts.append(text.upper() if kind == 4 else text)
    for number in range(3, count, 97):
        texts[number] = None if number % 2 else "?!"
    return [(f"id{(n * 7919) % 100003:06}", n, text) for n, text in enumerate(texts)]
