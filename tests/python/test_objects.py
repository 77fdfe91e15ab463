"""Inputs and outputs that are objects in a store, against a real S3 server on loopback that fails as
stores do: too many requests, bodies cut short, wrong credentials, an object that changes meanwhile."""

from __future__ import annotations

import functools
import glob
import http.client
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
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
from sosie._addresses import address_of, shown

TEXTS = make_texts(3, 120)
LINES = [json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(TEXTS)]
KEPT = sosie.dedup(TEXTS, threshold=0.7).kept["row"].tolist()
SECRET = "do-not-tell-me"
Fault = Callable[[str, str], "tuple[int, bytes] | int | None"]


class Store:
    """An S3 server, and a proxy in front of it that has faults. `fault` gets method and path; it gives
    an answer, or how many bytes of the body come."""

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
                with store.one_by_one:  # the server fails at times when parts come together
                    onward = http.client.HTTPConnection(*store.server.get_host_and_port())
                    onward.request(self.command, self.path, body, dict(self.headers))
                    got = onward.getresponse()
                    content = got.read()
                kept = [(k, v) for k, v in got.getheaders()
                        if k.lower() not in ("content-length", "transfer-encoding", "connection")]
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
    """The file system, with a bucket that holds the rows as one object and as two below a folder."""
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
    with pytest.raises(sosie.FileError, match=r"s3://shelf/../x: '..' is no part of a name"):
        sosie.dedup("s3://shelf/../x")
    with pytest.raises(sosie.OptionError, match="save: lies on a disk"):
        sosie.dedup("s3://shelf/in.jsonl", save="s3://shelf/run/")
    with pytest.raises(sosie.OptionError, match="inputs are never changed"):
        sosie.dedup("s3://shelf/in.jsonl", output="s3://shelf/in.jsonl")
    with pytest.raises(sosie.UnsupportedError, match="not written over HTTP"):
        sosie.dedup("s3://shelf/in.jsonl", output="http://127.0.0.1/x.jsonl")
    assert names(bucket) == {"shelf/bad.jsonl"}


def test_requests_that_fail_for_a_while_are_made_again(store, bucket):
    seen: dict[str, int] = {}

    def fault(method, path):
        if method != "GET" or "in.jsonl" not in path:
            return None
        seen[path] = seen.get(path, 0) + 1
        slow = b"<Error><Code>SlowDown</Code></Error>"
        # then a body that is cut short, and one that is short by its own account
        return {1: (503, slow), 2: 1000, 3: (206, LINES[0].encode())}.get(seen[path])

    store.fault = fault
    result = sosie.dedup("s3://shelf/in.jsonl", threshold=0.7)
    assert result.kept["id"].tolist() == KEPT and max(seen.values()) >= 4


def test_requests_that_fail_for_good_end_the_run(store, bucket):
    store.fault = lambda method, path: (503, b"<Error><Code>SlowDown</Code></Error>") if (
        method == "GET" and "in.jsonl" in path) else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/in.jsonl: cannot be read \(SlowDown\)$"):
        sosie.dedup("s3://shelf/in.jsonl")
    assert glob.glob("scratch/*") == []


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


def test_an_output_that_fails_leaves_no_part_and_no_loss(store, bucket, monkeypatch):
    store.fault = lambda method, path: (403, b"<Error><Code>AccessDenied</Code></Error>") if (
        method == "PUT" and "out.jsonl" in path) else None
    with pytest.raises(sosie.FileError, match=r"^s3://shelf/out.jsonl: access is denied") as caught:
        sosie.dedup("s3://shelf/in.jsonl", threshold=0.7, output="s3://shelf/out.jsonl")
    assert names(bucket) == set()
    kept = caught.value.hint.removeprefix("what was to be written is complete in ")
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
    assert (code, out, err) == (2, "", err) and "parquet" in err  # rows of JSON have no schema
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
