"""Pages of crawls: extracts the texts of HTML responses in WARC files with resiliparse::

    import sosie
    from sosie.crawls import pages

    rows = list(pages("crawl.warc.gz"))
    kept = sosie.dedup(rows, threshold=0.8).apply()

WET files, which hold texts, need no extraction: `sosie dedup crawl.wet.gz`.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from typing import BinaryIO

try:
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
except ImportError as missing:
    raise ImportError(f"sosie.crawls needs {missing.name}: pip install 'sosie[crawls]'") from missing

from .errors import FileError, InputError

HTML = ("text/html", "application/xhtml+xml")
MOST_BYTES = 16 << 20  # bytes of a page, compressed and decompressed


def pages(file: str | os.PathLike[str] | BinaryIO, main_content: bool = True) -> Iterator[dict[str, str]]:
    """Yields a row for each HTML page of a WARC file: `id`, `url` and `date`, as in WET files, and `text`.

    Args:
        file: path, compressed or not, or a binary file, such as fsspec.open() gives.
        main_content: leaves out menus and footers. Default: True.

    Only the first 16 MiB of a page are read. A page from which nothing is
    extracted has an empty text, which matches nothing.

    Raises:
        FileError: a file that cannot be read.
        InputError: a file that is not WARC, or is cut short.
    """
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else getattr(file, "name", "the file")
    if not isinstance(file, (str, os.PathLike)):
        yield from _pages_of(file, str(name), main_content)
        return
    try:
        opened = open(name, "rb")
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}", place=str(name)) from error
    with opened:
        yield from _pages_of(opened, str(name), main_content)


def _pages_of(stream: BinaryIO, name: str, main_content: bool) -> Iterator[dict[str, str]]:
    count = 0
    try:
        for record in ArchiveIterator(stream, parse_http=False):
            count += 1
            is_response = record.record_type == WarcRecordType.response and record.is_http
            block = record.reader.read(MOST_BYTES) if is_response else b""
            missing = record.content_length - len(block) - record.consume()
            if missing > 0 or "WARC-Type" not in record.headers:
                raise ValueError("a record is cut short, or its length is wrong")
            if not is_response:
                continue
            record.set_bytes_content(block)
            record.parse_http(auto_decode="all")
            if not (record.http_content_type or "").lower().startswith(HTML):
                continue
            html = record.reader.read(MOST_BYTES)
            yield {
                "id": record.headers.get("WARC-Record-ID") or "",
                "url": record.headers.get("WARC-Target-URI") or "",
                "date": record.headers.get("WARC-Date") or "",
                "text": extract_plain_text(text_of(html, record.http_charset), main_content=main_content),
            }
    except OSError as error:
        if error.errno is None:  # of a decoder
            raise InputError(f"{name}: broken at record {count}: {error}", place=name) from error
        raise FileError(f"{name}: {error.strerror or error}", place=name) from error
    except (EOFError, ValueError) as error:
        raise InputError(f"{name}: broken at record {count}: {error}", place=name) from error
    if count == 0 and (not stream.seekable() or stream.tell() > 0):
        raise InputError(f"{name}: contains no WARC records", place=name)


def text_of(html: bytes, charset: str | None) -> str:
    """Decodes a page by the encoding of its response; if that is missing or unknown, by its content."""
    try:
        codecs.lookup(charset or "")
    except LookupError:
        charset = None
    return str(bytes_to_str(html, charset or detect_encoding(html) or "utf-8"))
