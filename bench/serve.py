#!/usr/bin/env python3
"""Measures `sosie serve` under load: requests per second, time and CPU per request, memory from
beginning to end.

usage: bench/serve.py [--items N] [--requests N] [--seconds S] [--connections N]

Builds an index of N short texts (10 to 30 words, a fifth of them edited copies), and looks up texts
from it and new ones, one per request, top 10. There are three loads: as fast as the connections
allow; half of that rate, with concurrent adds; and the cost of the look-up alone, in `sosie query`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "server"))
from service import SOSIE, Service  # noqa: E402  (stands in tests/server)

TICKS = os.sysconf("SC_CLK_TCK")
WORDS = 50_000


class Texts:
    """Short texts by Zipf's law; a fifth are copies of earlier ones with one word replaced."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.words = [f"w{number}" for number in range(WORDS)]
        self.weights = list(accumulate(1 / (rank + 10) for rank in range(WORDS)))
        self.recent: list[list[str]] = []

    def next(self) -> str:
        if self.recent and self.rng.random() < 0.2:
            words = list(self.rng.choice(self.recent))
            words[self.rng.randrange(len(words))] = self.rng.choice(self.words)
        else:
            words = self.rng.choices(self.words, cum_weights=self.weights,
                                     k=self.rng.randint(10, 30))
        if len(self.recent) < 100_000:
            self.recent.append(words)
        else:
            self.recent[self.rng.randrange(100_000)] = words
        return " ".join(words)


def request_of(path: str, body: object) -> bytes:
    data = json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(data)}\r\n\r\n"
            .encode() + data)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


class Connection:
    """One request at a time."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reply = b""
        self.began = 0.0

    def send(self, data: bytes, began: float) -> None:
        self.reply, self.began = b"", began
        self.socket.sendall(data)

    def is_answered(self) -> bool:
        """Receives the available data; returns True once the answer is complete. Any status except
        200 stops the run."""
        some = self.socket.recv(262144)
        if not some:
            raise ConnectionError("closed")
        self.reply += some
        head, end, body = self.reply.partition(b"\r\n\r\n")
        if not end:
            return False
        if not head.startswith(b"HTTP/1.1 200 "):
            raise AssertionError(self.reply[:300])
        length = int(head.partition(b"Content-Length: ")[2].partition(b"\r")[0])
        return len(body) >= length


def load(port: int, requests: list[bytes], connections: int, count: int,
         rate: float | None = None) -> tuple[float, list[float]]:
    """Sends `count` requests, at this rate or as fast as answers arrive. Returns the total seconds
    and the time of each request; at a fixed rate, times are measured from the moment at which the
    request was due."""
    selector = selectors.DefaultSelector()
    idle = [Connection(port) for _ in range(connections)]
    for connection in idle:
        selector.register(connection.socket, selectors.EVENT_READ, connection)
    times: list[float] = []
    sent = 0
    began = time.perf_counter()
    while len(times) < count:
        now = time.perf_counter()
        while idle and sent < count:
            due = began + sent / rate if rate else now
            if due > now:
                break
            idle.pop().send(requests[sent % len(requests)], due)
            sent += 1
        wait = None if rate is None else max(0.0, min(0.01, began + sent / rate - now))
        for key, _ in selector.select(wait):
            if key.data.is_answered():
                times.append(time.perf_counter() - key.data.began)
                idle.append(key.data)
    seconds = time.perf_counter() - began
    for connection in idle:
        connection.socket.close()
    return seconds, sorted(times)


def percentile(times: list[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))] * 1000


def user_seconds(*command: str | Path, folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([SOSIE, *command], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def look_up_us(folder: Path, asked: list[str]) -> float:
    """CPU time of a look-up in `sosie query`, without its start."""
    (folder / "one.jsonl").write_text(json.dumps({"text": asked[0]}) + "\n")
    (folder / "asked.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in asked))
    args = ("--top", "10", "--threads", "1", "-q")
    start = user_seconds("query", "texts.index", "one.jsonl", *args, folder=folder)
    return (user_seconds("query", "texts.index", "asked.jsonl", *args, folder=folder) - start) \
        / len(asked) * 1e6


def measure(folder: Path, args: argparse.Namespace) -> dict:
    texts = Texts(7)
    with open(folder / "texts.jsonl", "w") as out:
        for number in range(args.items):
            out.write(json.dumps({"id": f"t{number}", "text": texts.next()}) + "\n")
    began = time.perf_counter()
    subprocess.run([SOSIE, "index", "build", "texts.index", "texts.jsonl", "--shingle", "words:2",
                    "--threshold", "0.6", "-q"], cwd=folder, check=True)
    build_seconds = time.perf_counter() - began
    asked = [texts.next() for _ in range(min(20_000, args.requests))]
    look_up = look_up_us(folder, asked)
    requests = [request_of("/v1/query", {"items": [text], "top": 10}) for text in asked]
    service = Service("texts.index", folder, "--threads", "1", "--quiet")
    pid = service.process.pid
    load(service.port, requests, args.connections, min(2000, args.requests))
    first_mb, cpu = resident_mb(pid), cpu_seconds(pid)
    seconds, times = load(service.port, requests, args.connections, args.requests)
    request_us = (cpu_seconds(pid) - cpu) / args.requests * 1e6
    last_mb = resident_mb(pid)
    rate = args.requests / seconds
    result = {
        "items": args.items, "build_seconds": build_seconds, "requests": args.requests,
        "requests_per_second": rate, "cpu_us_per_request": request_us,
        "cpu_us_per_look_up": look_up, "p50_ms": percentile(times, 0.5),
        "p99_ms": percentile(times, 0.99), "first_mb": first_mb, "last_mb": last_mb,
    }
    result |= half_load(service, requests, args, rate / 2)
    code = service.stop()
    assert code == 0, code
    return result


def add_until(port: int, ends: Any, took: Any) -> None:
    """Ten adds of ten items per second, in a separate process; reports how long each took."""
    texts = Texts(11)
    times = []
    while not ends.wait(0.1):
        items = [{"id": f"n{len(times)}-{i}", "text": texts.next()} for i in range(10)]
        connection = Connection(port)
        connection.send(request_of("/v1/add", {"items": items}), time.perf_counter())
        while not connection.is_answered():
            pass
        times.append(time.perf_counter() - connection.began)
        connection.socket.close()
    took.put(times)


def half_load(service: Service, requests: list[bytes], args: argparse.Namespace,
              rate: float) -> dict:
    """The load at a given rate, with concurrent adds."""
    ends, took = multiprocessing.Event(), multiprocessing.Queue()
    adder = multiprocessing.Process(target=add_until, args=(service.port, ends, took))
    adder.start()
    _, times = load(service.port, requests, args.connections, max(100, int(rate * args.seconds)), rate)
    ends.set()
    adds = sorted(took.get())
    adder.join()
    return {"half_rate": rate, "half_p50_ms": percentile(times, 0.5),
            "half_p99_ms": percentile(times, 0.99), "adds": len(adds),
            "add_p50_ms": percentile(adds, 0.5) if adds else None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=16)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-serve-") as folder:
        for name, value in measure(Path(folder), args).items():
            print(f"{name:<22}{value:,.1f}" if isinstance(value, float) else f"{name:<22}{value}")


if __name__ == "__main__":
    main()
