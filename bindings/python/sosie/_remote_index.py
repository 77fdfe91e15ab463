"""An index behind `sosie serve`, with the methods of an index on disk."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _sosie
from .errors import FileError, InputError, OptionError, UnsupportedError

SECONDS = 600
IDLE_SECONDS = 5  # a service closes idle connections; a request sent at that moment is lost


class RemoteIndex:
    """Sends requests over one connection per thread, reopened after it was idle."""

    def __init__(self, address: str, token: str | None):
        self._address = urllib.parse.urlsplit(address)
        self._headers = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._own = threading.local()
        self._is_closed = False

    def _connect(self) -> http.client.HTTPConnection:
        secure = self._address.scheme == "https"
        made = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        return made(self._address.netloc, timeout=SECONDS)

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        if self._is_closed:
            raise FileError(f"{self._address.geturl()}: the index was closed")
        connection = getattr(self._own, "connection", None)
        if connection is None or time.monotonic() - self._own.used > IDLE_SECONDS:
            connection = self._own.connection = self._connect()
        try:
            connection.request(method, self._address.path.rstrip("/") + path, body, self._headers)
            reply = connection.getresponse()
            text = reply.read()
        except (OSError, http.client.HTTPException) as error:
            self._own.connection = None
            connection.close()
            raise FileError(f"{self._address.geturl()}: {error}") from error
        self._own.used = time.monotonic()
        if reply.status != 200:
            _raise(reply.status, text)
        return json.loads(text)

    def _post(self, path: str, items: bytes, options: Mapping[str, object]) -> Any:
        fields = {name: value for name, value in options.items() if value not in (None, False)}
        rest = json.dumps(fields, default=str).encode()[1:]
        return self._ask("POST", path, b'{"items": [' + items + b"]" +
                         (b", " if fields else b"") + rest)

    def _columns(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        found = [(row, hit) for row, hits in enumerate(answer["results"]) for hit in hits]
        names = {name for _, hit in found[:1] for name in hit if name != "id"}
        name = names.pop() if names else self.info()["value"]
        return {
            "left": np.array([row for row, _ in found], np.int64),
            "right": [hit["id"] for _, hit in found],
            "value": np.array([hit[name] for _, hit in found], np.float64),
            "value_name": name,
        }

    def query(
        self, rows: _sosie.MemoryRows, ids: Sequence[str | int] | None, options: Mapping[str, object]
    ) -> dict[str, Any]:
        field = "" if ids is None else self.info()["id"]
        return self._columns(self._post("/v1/query", _items(rows, ids, field), options))

    def query_ids(self, ids: Sequence[str], options: Mapping[str, object]) -> dict[str, Any]:
        items = ",".join(json.dumps({"id": name}) for name in ids).encode()
        return self._columns(self._post("/v1/query", items, options))

    def add(
        self, rows: _sosie.MemoryRows, ids: Sequence[str | int] | None, replace: bool, skip_existing: bool
    ) -> dict[str, int]:
        answer = self._post("/v1/add", _items(rows, ids, self.info()["id"]),
                            {"replace": replace, "skip_existing": skip_existing})
        return {name: answer[name] for name in ("added", "skipped", "replaced")}

    def add_new(self, rows: _sosie.MemoryRows, ids: Sequence[str | int] | None) -> npt.NDArray[np.bool_]:
        answer = self._post("/v1/add_new", _items(rows, ids, self.info()["id"]), {})
        return np.array([row["added"] for row in answer["results"]], np.bool_)

    def remove(self, ids: Sequence[str]) -> int:
        answer = self._ask("POST", "/v1/remove", json.dumps({"ids": list(ids)}).encode())
        return int(answer["removed"])

    def list_recall(self, top: int) -> float | None:
        raise UnsupportedError("list_recall: not available from a service",
                               hint="open the folder with read_only=True")

    def info(self) -> dict[str, Any]:
        answer: dict[str, Any] = self._ask("GET", "/v1/info")
        return answer

    def compact(self) -> None:
        raise OptionError("compact: cannot compact a served index\n"
                          "stop the service, then run sosie index compact INDEX")

    def close(self) -> None:
        self._is_closed = True


def _items(rows: _sosie.MemoryRows, ids: Sequence[str | int] | None, id_field: str) -> bytes:
    """Rows as JSON objects, each with its id."""
    lines = rows.content().split(b"\n")[:-1]
    if ids is None:
        return b",".join(lines)
    if len(ids) != len(lines):
        raise InputError(f"ids: {len(ids)} for {len(lines)} rows")
    name = json.dumps(id_field).encode()
    named = [b"{" + name + b": " + json.dumps(own).encode() + b", " + line[1:]
             for own, line in zip(ids, lines)]
    return b",".join(named)


def _raise(status: int, text: bytes) -> None:
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        raise FileError(f"the service answered with status {status}") from None
    place = error.get("place")
    message = f"{place}: {error['reason']}" if place else error["reason"]
    if error.get("option"):
        raise OptionError(f"{error['option']}: {message}", option=error["option"])
    raise (InputError if status == 400 else FileError)(message)
