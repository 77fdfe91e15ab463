"""Starts `sosie serve` on a free port and sends HTTP requests to it, for tests and
bench/serve.py."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOSIE = Path(os.environ.get("SOSIE_BIN") or ROOT / "build" / "release" / "sosie").resolve()


class Answer:
    def __init__(self, status: int, headers: Any, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Service:
    """The running program. `folder`: the place of its standard error, as a log."""

    def __init__(self, index: str, folder: Path, *args: str, log: str = "log"):
        self.log = folder / log
        with open(self.log, "ab") as log_file:
            self.process = subprocess.Popen(
                [SOSIE, "serve", index, "--listen", "127.0.0.1:0", *args], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log_file)
        line = self.process.stdout.readline().decode()
        if not line.startswith("http://"):
            raise AssertionError(f"no address but {line!r}: {self.log.read_text()[-500:]}")
        self.address = line.strip()
        self.port = int(line.rstrip("/\n").rpartition(":")[2])

    def ask(self, method: str, path: str, body: Any = None, timeout: float = 20,
            **headers: str) -> Answer:
        """A request over its own connection; `body` is sent as JSON unless it is bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, named)
            reply = connection.getresponse()
            return Answer(reply.status, reply.headers, reply.read())
        finally:
            connection.close()

    def post(self, path: str, body: Any, **options: Any) -> Any:
        """The JSON of an answer, whose status must be 200."""
        answer = self.ask("POST", path, body, **options)
        assert answer.status == 200, (answer.status, answer.body[:500])
        return answer.json

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == 200, (answer.status, answer.body[:500])
        return answer.json

    def connect(self, timeout: float = 20) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def stop(self, timeout: float = 10) -> int:
        """Asks it to stop, and returns its exit code."""
        self.process.terminate()
        code = self.process.wait(timeout)
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
