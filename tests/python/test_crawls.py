"""Texts of HTML pages in WARC files: the same rows as from a WET file of the same pages; also files
that are truncated, state wrong sizes, or grow when decompressed."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from conftest import make_texts

import sosie
from sosie import crawls
from sosie.crawls import pages

TEXTS = make_texts(3, 90)
KEPT = sosie.dedup(TEXTS, threshold=0.7).kept["row"].tolist()


def record(kind: str, body: bytes, **headers: str) -> bytes:
    lines = ["WARC/1.0", f"WARC-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body + b"\r\n\r\n"


def response(html: bytes, kind: str = "text/html; charset=utf-8", packing: str = "", **headers: str) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{packing}\r\n".encode() + html
    return record("response", http, Content_Type="application/http; msgtype=response", **headers)


def page(text: str) -> str:
    return f"<html><head><title>t</title></head><body><nav><a href=x>menu</a></nav><p>{text}</p></body></html>"


CRAWL = record("warcinfo", b"software: none\r\n") + b"".join(
    record("request", b"GET / HTTP/1.1\r\n\r\n") + response(
        page(text).encode(), WARC_Record_ID=f"<urn:{i}>", WARC_Target_URI=f"http://a/{i}",
        WARC_Date="2026-01-01T00:00:00Z") + record("metadata", b"x: y\r\n")
    for i, text in enumerate(TEXTS))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_pages_are_the_rows_of_a_wet_file():
    Path("c.warc").write_bytes(CRAWL)
    Path("c.warc.gz").write_bytes(gzip.compress(CRAWL))
    Path("c.wet").write_bytes(b"".join(
        record("conversion", text.encode(), WARC_Record_ID=f"<urn:{i}>") for i, text in enumerate(TEXTS)))
    for given in ("c.warc", Path("c.warc.gz"), io.BytesIO(CRAWL)):
        rows = list(pages(given))
        assert [row["text"] for row in rows] == TEXTS
        assert rows[7] == {"id": "<urn:7>", "url": "http://a/7", "date": "2026-01-01T00:00:00Z",
                           "text": TEXTS[7]}
        kept = sosie.dedup(rows, threshold=0.7, id="id")
        assert kept.kept["id"].tolist() == sosie.dedup("c.wet", threshold=0.7).kept["id"].tolist()
        assert kept.kept["row"].tolist() == KEPT
    assert "menu" in next(pages("c.warc", main_content=False))["text"]


def test_encodings_are_those_of_the_response_or_of_the_page():
    text = "Grüße an alle, die dies lesen und verstehen."
    packed = "Content-Encoding: gzip\r\n"
    Path("c.warc").write_bytes(b"".join([
        response(page(text).encode()), response(page(text).encode("latin-1"), "text/html; charset=iso-8859-1"),
        response(page(text).encode(), "TEXT/HTML; charset=nonsense"),
        response(page(text).encode(), "application/xhtml+xml"),
        response(gzip.compress(page(text).encode()), packing=packed),
        response(b'{"a": 1}', "application/json"), record("conversion", b"a text")]))
    assert [row["text"] for row in pages("c.warc")] == [text] * 5


def test_files_that_are_broken_are_refused():
    packed = bytearray(gzip.compress(CRAWL))
    packed[200] ^= 255
    for content, says in ((CRAWL[:-300], "cut short"), (gzip.compress(CRAWL)[:-90], "b.warc: broken at record"),
                          (bytes(packed), "b.warc: broken at record"), (b"hello\n" * 50, "b.warc: "),
                          (CRAWL.replace(b"Content-Length: 16", b"Content-Length: 99999999", 1), "cut short"),
                          (CRAWL.replace(b"WARC-Type: request", b"Type: request", 1), "cut short")):
        Path("b.warc").write_bytes(content)
        with pytest.raises(sosie.InputError, match=says) as caught:
            list(pages("b.warc"))
        assert caught.value.place == "b.warc"
    with pytest.raises(sosie.FileError, match="none.warc: No such file"):
        list(pages("none.warc"))
    Path("b.warc").write_bytes(b"")
    assert list(pages("b.warc")) == []


def test_a_disk_that_fails_is_no_fault_of_the_records():
    class Failing(io.BytesIO):
        def read(self, size=-1):
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read(64)

    with pytest.raises(sosie.FileError, match="Input/output error"):
        list(pages(Failing(CRAWL)))


def test_a_page_that_grows_when_it_is_unpacked_is_cut(monkeypatch):
    monkeypatch.setattr(crawls, "MOST_BYTES", 1 << 20)
    packer = zlib.compressobj(9, wbits=31)
    bomb = packer.compress(b"<p>" + b"word " * (20 << 20)) + packer.flush()
    Path("c.warc").write_bytes(response(bomb, packing="Content-Encoding: gzip\r\n") + response(b"<p>next page</p>"))
    first, second = pages("c.warc")
    assert 1 << 19 < len(first["text"]) <= 1 << 20 and second["text"] == "next page"


def test_a_missing_library_is_told_with_what_to_type():
    code = "import sys; sys.modules['fastwarc'] = sys.modules['resiliparse'] = None\nimport sosie.crawls"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'sosie[crawls]'" in done.stderr.splitlines()[-1]
