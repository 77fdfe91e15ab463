"""Inputs and outputs that are objects in a store, with a real S3 server on loopback that fails in
realistic ways: too many requests, truncated bodies, wrong credentials, an object that changes
during the run."""

from __future__ import annotations

import errno
import functools
import glob
import http.client
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fsspec
import polars
import pyarrow.parquet
import pytest
import s3fs
from conftest import make_texts
from moto.server import ThreadedMotoServer

import sosie
from sosie import _object_command, _objects
from sosie._addresses import address_of, shown, told

TEXTS = make_texts(3, 120)
LINES = [json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(TEXTS)]
KEPT = sosie.dedup(TEXTS, threshold=0.7).kept["row"].tolist()
SECRET = "do-not-tell-me"
SLOW = b"<Error><Code>SlowDown</Code></Error>"
Fault = Callable[[str, str], "tuple[int, bytes] | int | Lost | None"]


class Lost:
    """The server does as it is asked, but its answer is lost on the way: 503 comes."""


class Store:
    """An S3 server behind a proxy with faults. `fault` receives method and path; it returns an
    answer, or the number of body bytes to send."""

    def __init__(self) -> None:
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.fault: Fault = lambda method, path: None
        self.one_by_one = threading.Lock()
        store = self

        class Proxy(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            def forward(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fault = store.fault(self.command, self.path)
                if isinstance(fault, tuple):
                    self.answer(fault[0], [], fault[1])
                    return
                with store.one_by_one:  # the server sometimes fails when parts are combined
                    onward = http.client.HTTPConnection(*store.server.get_host_and_port())
                    onward.request(self.command, self.path, body, dict(self.headers))
                    got = onward.getresponse()
                    content = got.read()
                kept = [(k, v) for k, v in got.getheaders()
                        if k.lower() not in ("content-length", "transfer-encoding", "connection")]
                if isinstance(fault, Lost):
                    self.answer(503, [], SLOW)
                    return
                length = got.getheader("Content-Length") if self.command == "HEAD" else None
                self.answer(got.status, kept, content, fault, length)

            def answer(self, status: int, headers: list[tuple[str, str]], content: bytes,
                       cut: int | None = None, length: str | None = None) -> None:
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", length or str(len(content)))
                self.end_headers()
                self.wfile.write(content[:cut])
                self.close_connection = cut is not None

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = forward

        self.proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        self.proxy.daemon_threads = True
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.proxy.server_port}"

    def stop(self) -> None:
        self.proxy.shutdown()
        self.proxy.server_close()
        self.server.stop()


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    found = Store()
    given = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_MAX_ATTEMPTS": "1",
             "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": found.address}
    before = dict(os.environ)
    os.environ.update(given)
    s3fs.S3FileSystem.clear_instance_cache()
    yield found
    os.environ.clear()
    os.environ.update(before)
    found.stop()


@pytest.fixture
def bucket(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The file system, with a bucket that holds the rows as a single object and as two in a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    files = fsspec.filesystem("s3")
    files.invalidate_cache()
    if files.exists("shelf"):
        files.rm("shelf", recursive=True)
    files.mkdir("shelf")
    files.pipe({"shelf/in.jsonl": "".join(LINES).encode(), "shelf/c/a.jsonl": "".join(LINES[:70]).encode(),
                "shelf/c/sub/b.jsonl": "".join(LINES[70:]).encode()})
    yield files
    store.fault = lambda method, path: None


def ids(content: bytes) -> list[int]:
    return [json.loads(line)["id"] for line in content.splitlines()]


def names(files: Any) -> set[str]:
    files.invalidate_cache()
    return set(files.find("shelf")) - {"shelf/in.jsonl", "shelf/c/a.jsonl", "shelf/c/sub/b.jsonl"}


def test_which_words_are_addresses():
    assert address_of("s3://b/x") == "s3://b/x" == address_of(Path("s3://b/x"))
    assert address_of("memory://x") and address_of("hf://datasets/a/b.parquet")
    for other in ("s3:/b", "see s3://b", "ftp://h/x", "file:///x", "s3://", 3, None, ["s3://shelf/x"]):
        assert address_of(other) is None
    assert shown(f"https://me:{SECRET}@h/a.jsonl?X-Amz-Signature={SECRET}") == "https://h/a.jsonl"
    assert shown("abfs://c@account.dfs.core.windows.net/x") == "abfs://c@account.dfs.core.windows.net/x"


def test_objects_go_in_and_out(bucket):
    result = sosie.dedup("s3://shelf/in.jsonl", threshold=0.7, output="s3://shelf/out.jsonl",
                         removed="s3://shelf/removed.tsv", stats="stats.json", report="s3://shelf/r.html")
    assert ids(bucket.cat("shelf/out.jsonl")) == KEPT == result.kept["id"].tolist()
    assert names(bucket) == {"shelf/out.jsonl", "shelf/removed.tsv", "shelf/r.html"}
    assert len(bucket.cat("shelf/removed.tsv").splitlines()) == 1 + len(TEXTS) - len(KEPT)
    told = json.loads(Path("stats.json").read_text())
    assert told["inputs"][0]["name"] == result.stats["inputs"][0]["name"] == "s3://shelf/in.jsonl"
    assert b"s3://shelf/in.jsonl" in bucket.cat("shelf/r.html")
    assert b"sosie-objects" not in bucket.cat("shelf/r.html")
    assert len(result.pairs) > 0 and result.at(0.9).mask.sum() >= len(KEPT)  # read again, later
    assert pickle.loads(pickle.dumps(result)).mask.tolist() == result.mask.tolist()
    del result
    assert glob.glob("scratch/*") == []


def test_folders_patterns_and_lists_of_objects(bucket):
    for given in ("s3://shelf/c/", "s3://shelf/c", "s3://shelf/c/**/*.jsonl", [Path("s3://shelf/in.jsonl")]):
        assert sosie.dedup(given, threshold=0.7).kept["id"].tolist() == KEPT
    sosie.dedup("s3://shelf/c/", threshold=0.7, output="s3://shelf/clean/")
    assert names(bucket) == {"shelf/clean/a.jsonl", "shelf/clean/sub/b.jsonl"}
    assert ids(bucket.cat("shelf/clean/a.jsonl") + bucket.cat("shelf/clean/sub/b.jsonl")) == KEPT
    with pytest.raises(sosie.OptionError, match=r"^s3://shelf/clean/: the folder is not empty"):
        sosie.dedup("s3://shelf/c/", output="s3://shelf/clean/")
    sosie.dedup("s3://shelf/c/", threshold=0.99, output="s3://shelf/clean/", overwrite=True)
    assert len(ids(bucket.cat("shelf/clean/a.jsonl"))) > sum(kept < 70 for kept in KEPT)
    with pytest.raises(sosie.FileError, match="does not write, such as shelf/clean/sub/b.jsonl"):
        sosie.dedup("s3://shelf/c/a.jsonl", output="s3://shelf/clean/", overwrite=True)
    found = sosie.pairs("s3://shelf/in.jsonl", against="s3://shelf/c/a.jsonl", threshold=0.7)
    same = sosie.pairs(TEXTS, against=TEXTS[:70], threshold=0.7)
    assert [row[:3] for row in found] == list(same)


def test_errors_name_the_object(bucket):
    bucket.pipe("shelf/bad.jsonl", b'{"text":"a"}\nbroken\n')
    with pytest.raises(sosie.InputError) as caught:
        sosie.dedup("s3://shelf/bad.jsonl")
    assert caught.value.place == "s3://shelf/bad.jsonl:2" and "sosie-objects" not in str(caught.value)
    for missing in ("s3://shelf/none.jsonl", "s3://nowhere/x.jsonl", "s3://shelf/none/*.jsonl"):
        with pytest.raises(sosie.FileError, match="there is no such object") as caught:
            sosie.dedup(missing)
        assert caught.value.place == missing
    with pytest.raises(sosie.FileError, match=r"s3://shelf/../x: '..' cannot be part of a name"):
        sosie.dedup("s3://shelf/../x")
    with pytest.raises(sosie.OptionError, match="save: must be on a local disk"):
        sosie.dedup("s3://shelf/in.jsonl", save="s3://shelf/run/")
    with pytest.raises(sosie.OptionError, match="inputs are never changed"):
        sosie.dedup("s3://shelf/in.jsonl", output="s3://shelf/in.jsonl")
    with pytest.raises(sosie.UnsupportedError, match="cannot write over HTTP"):
        sosie.dedup("s3://shelf/in.jsonl", output="http://127.0.0.1/x.jsonl")
    assert names(bucket) == {"shelf/bad.jsonl"}


def test_requests_that_fail_for_a_while_are_made_again(store, bucket):
    seen: dict[str, int] = {}

    def fault(method, path):
        if method != "GET" or "in.jsonl" not in path:
            return None
        seen[path] = seen.get(path, 0) + 1
        # then a body that is cut short, and one that is short by its own account
        return {1: (503, SLOW), 2: 1000, 3: (206, LINES[0].encode())}.get(seen[path])

    store.fault = fault
    result = sosie.dedup("s3://shelf/in.jsonl", threshold=0.7)
    assert result.kept["id"].tolist() == KEPT and max(seen.values()) >= 4


def test_requests_that_fail_for_good_end_the_run(store, bucket):
    store.fault = lambda method, path: (503, SLOW) if method == "GET" and "in.jsonl" in path else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/in.jsonl: cannot be read \(SlowDown\)$"):
        sosie.dedup("s3://shelf/in.jsonl")
    assert glob.glob("scratch/*") == []


def test_slow_answers_are_waited_for_and_asked_for_again(store, bucket, monkeypatch):
    monkeypatch.setattr(s3fs.S3FileSystem, "read_timeout", 3)
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 2)
    s3fs.S3FileSystem.clear_instance_cache()
    seconds = iter([0.5, 7, 0])
    asked = []

    def fault(method, path):
        if method == "GET" and "in.jsonl" in path:
            asked.append(path)
            time.sleep(next(seconds, 0.5))

    store.fault = fault
    try:
        for _ in range(2):
            assert sosie.dedup("s3://shelf/in.jsonl", threshold=0.7).kept["id"].tolist() == KEPT
        assert len(asked) == 3
        seconds = iter([7] * 9)
        with pytest.raises(sosie.FileError, match=r"^s3://shelf/in.jsonl: cannot be read \(\w*Timeout\w*\)$"):
            sosie.dedup("s3://shelf/in.jsonl", output="s3://shelf/out.jsonl")
        assert glob.glob("scratch/*") == [] and names(bucket) == set()
    finally:
        s3fs.S3FileSystem.clear_instance_cache()


def test_an_object_that_changes_meanwhile_is_refused(store, bucket):
    changed = threading.Event()

    def fault(method, path):
        if method == "GET" and path == "/shelf/in.jsonl" and not changed.is_set():
            changed.set()
            host, port = store.server.get_host_and_port()
            writer = s3fs.S3FileSystem(endpoint_url=f"http://{host}:{port}")
            writer.pipe("shelf/in.jsonl", "".join(reversed(LINES)).encode())

    store.fault = fault
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/in.jsonl: changed while it was read"):
        sosie.dedup("s3://shelf/in.jsonl", output="s3://shelf/out.jsonl")
    assert changed.is_set() and names(bucket) == set()


@pytest.mark.parametrize("change", ["shorter", "longer", "removed"])
@pytest.mark.parametrize("given", ["s3://shelf/c/", "s3://shelf/c/**/*.jsonl", "s3://shelf/c/sub/b.jsonl"])
def test_an_object_that_changes_after_it_was_listed_is_named(change, given, store, bucket, monkeypatch):
    monkeypatch.setattr(_objects, "RANGE_BYTES", 1000)
    changed = threading.Event()

    def fault(method, path):
        if method == "GET" and path == "/shelf/c/sub/b.jsonl" and not changed.is_set():
            changed.set()
            host, port = store.server.get_host_and_port()
            writer = s3fs.S3FileSystem(endpoint_url=f"http://{host}:{port}")
            if change == "removed":
                writer.rm_file("shelf/c/sub/b.jsonl")
            else:
                writer.pipe("shelf/c/sub/b.jsonl", "".join(LINES[:1 if change == "shorter" else 90]).encode())

    store.fault = fault
    says = "there is no such object" if change == "removed" and given.endswith("b.jsonl") else "changed while it was read"
    with pytest.raises(sosie.FileError, match=f"^s3://shelf/c/sub/b.jsonl: {says}"):
        sosie.dedup(given, output="s3://shelf/out.jsonl")
    assert changed.is_set() and names(bucket) == set() and glob.glob("scratch/*") == []


def test_an_error_in_a_folder_names_the_object(store, bucket):
    store.fault = lambda method, path: (503, SLOW) if method == "GET" and "b.jsonl" in path else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/c/sub/b.jsonl: cannot be read \(SlowDown\)$"):
        sosie.dedup("s3://shelf/c/")


def test_a_bucket_that_is_not_there_is_told_when_it_is_written(store, bucket):
    with pytest.raises(sosie.FileError, match=r"^s3://nowhere/out.jsonl: cannot be written \(NoSuchBucket\)"):
        sosie.dedup("s3://shelf/in.jsonl", output="s3://nowhere/out.jsonl")


@pytest.fixture
def long_rows(bucket, monkeypatch) -> bytes:
    """Rows in s3://shelf/long.jsonl that are uploaded in parts."""
    content = b"".join(b'{"text":"%d %s"}\n' % (i, b"x" * 4000) for i in range(3000))
    bucket.pipe("shelf/long.jsonl", content)
    monkeypatch.setattr(s3fs.core, "calculate_chunksize", lambda size, chunksize=None: 5 << 20)
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 2)
    return content


@pytest.mark.parametrize("answer", [(503, SLOW), (200, b"<Error><Code>InternalError</Code></Error>"), Lost()])
@pytest.mark.parametrize("times", [1, 99])
def test_an_upload_whose_last_request_fails_begins_again(answer, times, store, bucket, long_rows):
    asked = []

    def fault(method, path):
        if method == "POST" and "uploadId=" in path:
            asked.append(path)
            return answer if len(asked) <= times else None

    store.fault = fault
    if times == 99:
        with pytest.raises(sosie.FileError, match=r"^s3://shelf/out.jsonl: cannot be written \(\w+\)") as caught:
            sosie.dedup("s3://shelf/long.jsonl", output="s3://shelf/out.jsonl")
        kept = Path(caught.value.hint.removeprefix("the complete output is in "))
        assert (kept / "out.jsonl").read_bytes() == long_rows
    else:
        sosie.dedup("s3://shelf/long.jsonl", output="s3://shelf/out.jsonl")
    store.fault = lambda method, path: None
    bucket.invalidate_cache()
    if times != 99 or isinstance(answer, Lost):  # complete, whatever the answer
        assert bucket.cat("shelf/out.jsonl") == long_rows
    else:
        assert not bucket.exists("shelf/out.jsonl")
    assert bucket.list_multipart_uploads("shelf") == []


ODD = ["a b.jsonl", "\u00fc \u4e2d.jsonl", "a%2Fb.jsonl", "a%20b.jsonl", "a+b=c&d.jsonl", "a#b.jsonl", "[x].jsonl", "it's.jsonl",
       "e\u0301.jsonl", "~.jsonl"]


def test_keys_of_odd_characters(bucket):
    share = len(LINES) // len(ODD)
    parts = {name: slice(at * share, (at + 1) * share) for at, name in enumerate(ODD)}
    bucket.pipe({f"shelf/odd/{name}": "".join(LINES[part]).encode() for name, part in parts.items()})
    kept = sosie.dedup("s3://shelf/odd/", threshold=0.7, output="s3://shelf/clean/", removed="r.tsv").kept["id"]
    assert names(bucket) == {f"shelf/{folder}/{name}" for folder in ("odd", "clean") for name in ODD}
    assert sorted(sum((ids(bucket.cat_file(f"shelf/clean/{name}")) for name in ODD), [])) == sorted(kept)
    files = {row.split("\t")[5] for row in Path("r.tsv").read_text().splitlines()[1:]}
    assert len(files) > 5 and files <= {f"s3://shelf/odd/{name}" for name in ODD}
    for name, part in parts.items():
        result = sosie.dedup(f"s3://shelf/odd/{name}", threshold=0.7, output=f"s3://shelf/one/{name}")
        assert result.stats["inputs"][0]["name"] == f"s3://shelf/odd/{name}"
        assert result.mask.tolist() == sosie.dedup(TEXTS[part], threshold=0.7).mask.tolist()
        assert ids(bucket.cat_file(f"shelf/one/{name}")) == result.kept["id"].tolist()
        with pytest.raises(sosie.FileError, match=f"^s3://shelf/none/{re.escape(name)}: there is no such object"):
            sosie.dedup(f"s3://shelf/none/{name}")
    code, out, err = command("dedup", *(f"s3://shelf/odd/{name}" for name in sorted(ODD)), "--threshold", "0.7", "-q")
    assert (code, err) == (0, "") and ids(out.encode()) == kept.tolist()


def test_an_output_that_fails_leaves_no_part_and_no_loss(store, bucket, monkeypatch):
    store.fault = lambda method, path: (403, b"<Error><Code>AccessDenied</Code></Error>") if (
        method == "PUT" and "out.jsonl" in path) else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/out.jsonl: access is denied") as caught:
        sosie.dedup("s3://shelf/in.jsonl", threshold=0.7, output="s3://shelf/out.jsonl")
    assert names(bucket) == set()
    kept = caught.value.hint.removeprefix("the complete output is in ")
    assert ids(Path(kept, "out.jsonl").read_bytes()) == KEPT

    bucket.pipe("shelf/long.jsonl", b"".join(b'{"text":"%d %s"}\n' % (i, b"x" * 4000) for i in range(3000)))
    monkeypatch.setattr(s3fs.core, "calculate_chunksize", lambda size, chunksize=None: 5 << 20)
    store.fault = lambda method, path: (403, b"<Error><Code>AccessDenied</Code></Error>") if (
        "partNumber=2" in path) else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/out.jsonl: access is denied"):
        sosie.dedup("s3://shelf/long.jsonl", output="s3://shelf/out.jsonl")
    store.fault = lambda method, path: None
    assert names(bucket) == {"shelf/long.jsonl"}
    assert bucket.list_multipart_uploads("shelf") == []
    sosie.dedup("s3://shelf/long.jsonl", output="s3://shelf/out.jsonl")
    assert bucket.cat("shelf/out.jsonl") == bucket.cat("shelf/long.jsonl")


def set_auth(store: Store, free_requests: int) -> None:
    onward = http.client.HTTPConnection(*store.server.get_host_and_port())
    onward.request("POST", "/moto-api/reset-auth", str(free_requests))
    onward.getresponse().read()


def test_no_credential_is_told(store, bucket):
    set_auth(store, 0)
    try:
        with pytest.raises(sosie.FileError, match="s3://shelf/in.jsonl: access is denied") as caught:
            sosie.dedup("s3://shelf/in.jsonl")
    finally:
        set_auth(store, 10**9)
    signed = f"{store.address.replace('//', f'//me:{SECRET}@')}/shelf/none.jsonl?X-Amz-Signature={SECRET}"
    with pytest.raises(sosie.FileError, match="/shelf/none.jsonl: ") as other:
        sosie.dedup(signed)
    for error in (caught.value, other.value):
        assert SECRET not in repr(error) and error.__cause__ is None and error.__suppress_context__


def test_a_web_server_is_read(store, bucket):
    bucket.chmod("shelf/in.jsonl", "public-read")
    address = f"{store.address}/shelf/in.jsonl"
    result = sosie.dedup(f"{address}?key={SECRET}", threshold=0.7, stats="s.json")
    assert result.kept["id"].tolist() == KEPT and result.stats["inputs"][0]["name"] == address
    assert SECRET not in Path("s.json").read_text()
    cut = iter([500, 500])
    store.fault = lambda method, path: next(cut, None) if method == "GET" else None
    assert sosie.dedup(address, threshold=0.7).kept["id"].tolist() == KEPT
    assert next(cut, None) is None
    store.fault = lambda method, path: 500 if method == "GET" else None
    with pytest.raises(sosie.FileError, match=rf"^{address}: cannot be read"):
        sosie.dedup(address)


def test_a_web_server_without_ranges_is_read(tmp_path):
    (tmp_path / "in.jsonl").write_text("".join(LINES))
    here = functools.partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), here) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/in.jsonl"
        assert sosie.dedup(address, threshold=0.7).kept["id"].tolist() == KEPT
        server.shutdown()


class Web(BaseHTTPRequestHandler):
    """Sends elsewhere what is asked of /moved and of /loop; has no mark of a version but the date."""

    content = "".join(LINES).encode()
    date = "Mon, 01 Jan 2024 00:00:00 GMT"
    reads = 0
    changes_at = 0

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        to = {"/moved.jsonl": f"/there/a%20b.jsonl?token={SECRET}", "/gone.jsonl": f"/none?token={SECRET}",
              "/loop.jsonl": f"/loop.jsonl?token={SECRET}"}.get(self.path.partition("?")[0])
        if to is not None or not self.path.startswith("/there/"):
            self.send_response(302 if to else 404)
            self.send_header("Location", to or "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.send_header("Last-Modified", self.date)
        self.end_headers()
        if self.command == "GET":
            Web.reads += 1
            if Web.reads == Web.changes_at:
                Web.date = "Tue, 02 Jan 2024 00:00:00 GMT"
            self.wfile.write(self.content)

    do_HEAD = do_GET


@pytest.fixture
def web(tmp_path, monkeypatch) -> Iterator[str]:
    monkeypatch.chdir(tmp_path)
    Web.reads = Web.changes_at = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", ["moved.jsonl", "there/a b.jsonl", "there/a%20b.jsonl", "there/a%2Fb.jsonl", "there/\u00fc.jsonl"])
def test_a_web_server_sends_elsewhere(name, web):
    result = sosie.dedup(f"{web}/{name}", threshold=0.7, stats="s.json")
    assert result.kept["id"].tolist() == KEPT and result.stats["inputs"][0]["name"] == f"{web}/{name}"
    assert SECRET not in Path("s.json").read_text()


def test_errors_behind_redirects_tell_no_credential(web):
    for name in ("gone", "loop"):
        with pytest.raises(sosie.FileError, match=f"^{web}/{name}.jsonl: there is no such object") as caught:
            sosie.dedup(f"{web}/{name}.jsonl")
        assert SECRET not in repr(caught.value)


def test_a_date_tells_that_a_page_changed(web):
    Web.changes_at = 1
    with pytest.raises(sosie.FileError, match="there/a.jsonl: changed while it was read"):
        sosie.dedup(f"{web}/there/a.jsonl")


def test_a_status_is_told_whatever_library_has_it():
    class Refused(OSError):  # as huggingface_hub has it
        response = type("Response", (), {"status_code": 403})()

    with pytest.raises(sosie.FileError, match=r"^hf://a/x: cannot be read \(HTTP 403\)$"), _objects.named_errors("hf://a/x", "read"):
        raise Refused(f"https://cdn?token={SECRET}")


def test_an_endpoint_that_cannot_be_reached_tells_no_credential(monkeypatch, tmp_path):
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://me:{SECRET}@127.0.0.1:9")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    s3fs.S3FileSystem.clear_instance_cache()
    try:
        with pytest.raises(sosie.FileError, match=r"^s3://shelf/in.jsonl: cannot be read \(\w+\)") as caught:
            sosie.dedup("s3://shelf/in.jsonl")
        assert SECRET not in repr(caught.value) and caught.value.__suppress_context__
    finally:
        s3fs.S3FileSystem.clear_instance_cache()


def test_parquet_and_packed_objects(bucket):
    rows = polars.DataFrame({"id": list(range(len(TEXTS))), "text": TEXTS})
    rows.write_parquet("in.parquet")
    bucket.put_file("in.parquet", "shelf/in.parquet")
    sosie.dedup("s3://shelf/in.parquet", threshold=0.7, output="memory://kept/out.parquet")
    with fsspec.open("memory://kept/out.parquet") as file:
        assert pyarrow.parquet.read_table(file)["id"].to_pylist() == KEPT
    sosie.dedup("s3://shelf/in.jsonl", threshold=0.7, output="memory://kept/out.jsonl.zst")
    assert sosie.dedup("memory://kept/out.jsonl.zst", threshold=0.7).mask.all()


def command(*words: str) -> tuple[int, str, str]:
    code = "from sosie._command import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_command_takes_objects_among_files(bucket):
    Path("some.jsonl").write_text("".join(LINES[:70]))
    code, out, err = command("dedup", "s3://shelf/c/sub/b.jsonl", "some.jsonl", "--threshold", "0.7",
                             "-qo", "s3://shelf/out.parquet", "--stats", "s.json", "--removed=r.tsv")
    assert (code, out, err) == (2, "", err) and "parquet" in err  # JSON rows have no schema
    code, out, err = command("dedup", "some.jsonl", "s3://shelf/c/sub/b.jsonl", "--threshold", "0.7",
                             "-qo", "s3://shelf/out.jsonl", "--stats", "s.json", "--removed=r.tsv")
    assert (code, out, err) == (0, "", "")
    assert ids(bucket.cat("shelf/out.jsonl")) == KEPT and names(bucket) == {"shelf/out.jsonl"}
    assert [one["name"] for one in json.loads(Path("s.json").read_text())["inputs"]] == [
        str(Path("some.jsonl").resolve()), "s3://shelf/c/sub/b.jsonl"]
    assert len(Path("r.tsv").read_text().splitlines()) == 1 + len(TEXTS) - len(KEPT)
    bucket.pipe("shelf/bad.jsonl", b'{"text":"a"}\nbroken\n')
    code, out, err = command("dedup", "s3://shelf/bad.jsonl")
    assert code == 3 and err.startswith("sosie: s3://shelf/bad.jsonl:2: broken JSON")
    assert glob.glob("scratch/*") == []


def test_a_missing_library_is_told_with_what_to_type(monkeypatch):
    for module in ("s3fs", "fsspec.core"):
        code = f"import sys; sys.modules['{module}'] = None\nimport sosie; sosie.dedup('s3://shelf/x.jsonl')"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stderr.splitlines()[-2:] == [
            "sosie.errors.UnsupportedError: s3://shelf/x.jsonl: the library of this store is missing",
            "pip install 'sosie[remote]'"]


@pytest.fixture
def memory(tmp_path, monkeypatch) -> Iterator[Any]:
    """An in-memory store with two objects in one folder; temporary files go to ./scratch."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pipe({"/in/a.jsonl": "".join(LINES[:70]).encode(), "/in/b.jsonl": "".join(LINES[70:]).encode()})
    yield files
    files.store.clear()


def content_of(path: Path) -> str:
    if path.suffix == ".parquet":
        return str(pyarrow.parquet.read_table(path).to_pydict())
    if path.suffix == ".arrow":
        return str(pyarrow.ipc.open_file(path).read_all().to_pydict())
    with pyarrow.input_stream(str(path)) as file:  # unpacked
        return bytes(file.read()).decode()


@pytest.mark.parametrize("end", ["tsv", "csv", "jsonl.gz", "tsv.zst", "parquet", "arrow"])
def test_tables_name_objects_by_their_addresses(end, memory):
    sosie.dedup("memory://in/", threshold=0.7, removed=f"plain.{end}")
    rows = sosie.dedup("memory://in/", threshold=0.7, id="file:row", removed=f"r.{end}",
                       clusters=f"c.{end}")
    sosie.pairs("memory://in/b.jsonl", threshold=0.7, id="file:row", output=f"p.{end}")
    for name, row in (("plain", ""), ("r", ":"), ("c", ":"), ("p", ":")):
        content = content_of(Path(f"{name}.{end}"))
        assert "sosie-objects" not in content and f"memory://in/b.jsonl{row}" in content, name
    for table in (rows.removed, rows.clusters, rows.pairs):
        for column in table.column_names:
            assert "sosie-objects" not in str(table[column].tolist())
    assert rows.removed["kept_id"][0].startswith("memory://in/a.jsonl:")
    before = Path(f"r.{end}").read_bytes()
    sosie.dedup("memory://in/", threshold=0.7, id="file:row", removed=f"r.{end}")
    assert Path(f"r.{end}").read_bytes() == before and (end != "jsonl.gz" or before[3:8] == bytes(5))


def test_reports_and_rejected_rows_name_objects_by_their_addresses(memory):
    memory.pipe("/in/b.jsonl", b"".join([memory.cat("/in/b.jsonl"), b"broken\n"]))
    (Path("x").mkdir(), Path("y").mkdir())
    result = sosie.dedup("memory://in/", on_bad_row="skip", rejects="x/t.tsv", removed="y/t.tsv")
    assert Path("x/t.tsv").read_text().splitlines()[1].startswith("memory://in/b.jsonl\t51\t")
    assert Path("y/t.tsv").read_text().startswith("id\t")
    result.report("r.html")
    people = [{"id": n, "name": f"Person {n}", "town": f"town {n % 7}"} for n in range(60)]
    memory.pipe("/people.jsonl", "".join(json.dumps(row) + "\n" for row in people).encode())
    sosie.link("memory://people.jsonl").report("l.html")
    for report in ("r.html", "l.html"):
        assert "sosie-objects" not in Path(report).read_text() and "memory://" in Path(report).read_text()
    Path("own.jsonl").write_text(LINES[100])
    with pytest.raises(sosie.OptionError, match="inputs are never changed"):
        sosie.dedup([Path("memory://in/a.jsonl"), Path("own.jsonl")], removed="own.jsonl")


def test_a_text_that_looks_like_a_path_stays(tmp_path):
    stage = _objects.Stage(tmp_path)
    cut = stage.path[:-3]
    assert told(f"{tmp_path}/notes\u2026 {cut}\u2026 {stage.path}/s3:/b/x http:/y") == (
        f"{tmp_path}/notes\u2026 \u2026 s3://b/x http:/y")


def test_every_option_that_names_a_file_takes_an_address_or_refuses_it():
    reference = (Path(__file__).parents[2] / "docs/reference.md").read_text()
    named = set(re.findall(r"^\| `--([a-z-]+) (?:FILE|DIR|FOLDER|RUN)", reference, re.MULTILINE))
    own = {"files-from", "token-file"}  # a list that is read as text; serve accepts no address
    known = {name.replace("_", "-") for name in (*_objects.READ, *_objects.WRITTEN, *_objects.ON_DISK)}
    assert named - own <= known and len(named) > 15


def test_credentials_of_web_addresses_are_cut():
    for address in (f"https://{SECRET}@h/x", f"https://me:{SECRET}@h/x", f"https://me:{SECRET}/y@h/x",
                    f"https://me:{SECRET}@w@h/x?s={SECRET}#{SECRET}"):
        assert shown(address) == "https://h/x"
    assert shown("https://h:80/p@1.2/x") == "https://h:80/p@1.2/x" == shown("https://h:80/p@1.2/x#y")
    assert shown(f"gs://b/x?X-Goog-Signature={SECRET}") == "gs://b/x"


def watch_uploads(monkeypatch: pytest.MonkeyPatch, refused: Callable[[str], bool]) -> list[str]:
    """Uploads in order, some of which fail."""
    seen: list[str] = []
    put = _objects.put

    def put_or_fail(local: str, address: str) -> None:
        seen.append(address)
        if refused(address):
            raise sosie.FileError(f"{address}: cannot be written", place=address)
        put(local, address)

    monkeypatch.setattr(_objects, "put", put_or_fail)
    return seen


def test_outputs_of_one_name_are_all_kept(memory, monkeypatch):
    watch_uploads(monkeypatch, lambda address: True)
    with pytest.raises(sosie.FileError, match="cannot be written") as caught:
        sosie.dedup("memory://in/a.jsonl", threshold=0.7, output="memory://o/clean/p.jsonl",
                    removed_rows="memory://o/removed/p.jsonl")
    kept = Path(caught.value.hint.removeprefix("the complete output is in "))
    assert sorted(sum((ids(file.read_bytes()) for file in kept.rglob("p.jsonl")), [])) == list(range(70))


def test_a_part_of_a_folder_is_taken_back(memory, monkeypatch):
    memory.pipe("/out/b.jsonl", b"before")
    watch_uploads(monkeypatch, lambda address: address.endswith("b.jsonl"))
    for folder, left in (("new/", []), ("out/", ["/out/b.jsonl"])):
        with pytest.raises(sosie.FileError, match="b.jsonl: cannot be written") as caught:
            sosie.dedup("memory://in/", threshold=0.7, output=f"memory://{folder}", overwrite=True)
        assert memory.find(f"/{folder}") == left
        kept = Path(caught.value.hint.removeprefix("the complete output is in "))
        assert len(list(kept.rglob("*.jsonl"))) == 2


def test_the_command_uploads_the_main_output_last(memory, monkeypatch):
    seen = watch_uploads(monkeypatch, lambda address: False)
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]

    def run(given: list[str]) -> int:
        os.makedirs(given[3])
        for path in (f"{given[3]}/a.jsonl", given[5]):
            Path(path).write_text("a")
        return 0

    words = ["dedup", "memory://in/", "-qo", "memory://o/clean/", "--removed", "memory://o/r.tsv"]
    code = _object_command.command(words, run)
    for one, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
        signal.signal(one, handler)
    assert code == 0 and seen == ["memory://o/r.tsv", "memory://o/clean/a.jsonl"]


def test_weights_are_read_where_records_are_added_to_groups(memory, monkeypatch):
    people = [{"id": n, "name": f"Person {n % 50}", "town": f"town {n % 50 % 7}"} for n in range(100)]
    for name, rows in (("first", people), ("new", [{**people[3], "id": 100}])):
        memory.pipe(f"/{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    sosie.link("memory://first.jsonl", annotate="all", output="memory://groups.jsonl",
               model="memory://weights.json")
    weights = memory.cat("/weights.json")
    seen = watch_uploads(monkeypatch, lambda address: False)
    sosie.link("memory://new.jsonl", against=Path("memory://groups.jsonl"), assign="groups",
               model="memory://weights.json", output="memory://grown.jsonl")
    grown = [json.loads(line) for line in memory.cat("/grown.jsonl").splitlines()]
    assert len(grown) == 101 and grown[-1]["cluster_id"] == grown[3]["cluster_id"]
    assert seen == ["memory://grown.jsonl"] and memory.cat("/weights.json") == weights

    read: list[bytes] = []

    def run(given: list[str]) -> int:
        read.append(Path(given[given.index("--model") + 1]).read_bytes())
        return 0

    words = ["link", "memory://new.jsonl", "--model", "memory://weights.json", "--assign=groups"]
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    assert _object_command.command(words, run) == 0 and read == [weights]
    for one, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
        signal.signal(one, handler)


def test_parts_of_a_run_lie_on_a_disk():
    with pytest.raises(sosie.OptionError, match="parts: must be on a local disk, not in a store"):
        sosie.dedup("in.jsonl", parts=Path("memory://parts"))


def test_a_file_that_cannot_be_moved_leaves_no_part(memory, monkeypatch):
    def no_space(source: str, target: str) -> None:
        Path(target).write_text("part")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", no_space)
    with pytest.raises(sosie.FileError, match="s.json: No space left"):
        sosie.dedup("memory://in/", stats="s.json")
    assert [path.name for path in Path().iterdir()] == ["scratch"] and not list(Path("scratch").iterdir())


def test_names_that_would_be_one_file_are_refused(monkeypatch):
    class Files:
        def info(self, path):
            return {"type": "directory"}

        def find(self, path, detail):
            return {name: {"type": "file", "size": 1} for name in ("b/c/x.jsonl", "b/c//x.jsonl")}

        def invalidate_cache(self):
            pass

    monkeypatch.setattr(_objects, "opened", lambda address: (Files(), "b/c"))
    with pytest.raises(sosie.FileError, match="s3://b/c/: has names that differ only by '//'"):
        _objects.Stage().fetch("s3://b/c/")


def test_lists_of_relative_names_are_refused_beside_objects(memory):
    Path("a.jsonl").write_text(LINES[0])
    for line, code in (("a.jsonl", 2), (str(Path("a.jsonl").resolve()), 0)):
        Path("list.txt").write_text(f"{line}\n")
        done = command("dedup", "--files-from", "list.txt", "-qo", "memory://o.jsonl")
        assert done[0] == code
        assert code == 0 or "'a.jsonl' in list.txt is not an absolute path" in done[2]


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_copying(number, code, tmp_path):
    program = ("import fsspec, sys, time; from fsspec.implementations.memory import MemoryFileSystem as M\n"
               "def wait(*_, **__): print('reads', flush=True); time.sleep(30)\n"
               "M.cat_file = wait; fsspec.filesystem('memory').pipe('/a.jsonl', b'x')\n"
               "from sosie import _object_command as c; sys.exit(c.command(['dedup', 'memory://a.jsonl'], len))")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "TMPDIR": str(tmp_path)}) as run:
        assert run.stdout.readline() == "reads\n" and len(list(tmp_path.iterdir())) == 1
        run.send_signal(number)
        assert run.wait(10) == code and run.stderr.read() == ""
    assert list(tmp_path.iterdir()) == []
