"""Addresses of objects in stores, as text: which texts are one, and what people are told of them."""

from __future__ import annotations

import os
import re
import weakref
from typing import Protocol

SCHEMES = ("s3", "s3a", "gs", "gcs", "hf", "http", "https", "abfs", "abfss", "az", "memory")
_ADDRESS = re.compile(rf"({'|'.join(SCHEMES)})://(?=[^/])")
_OF_PATH = re.compile(rf"({'|'.join(SCHEMES)}):/{{1,2}}(?=[^/])")  # a Path keeps one slash


class Folder(Protocol):
    """Where objects lie while a run reads them."""

    path: str


folders: weakref.WeakSet[Folder] = weakref.WeakSet()


def address_of(value: object) -> str | None:
    """The address that a text, or a path made of one, is; None for any other value."""
    if isinstance(value, str):
        return value if _ADDRESS.match(value) else None
    if not isinstance(value, os.PathLike):
        return None
    path = os.fspath(value)
    found = _OF_PATH.match(path) if isinstance(path, str) else None
    if found is None or os.path.exists(path):
        return None
    return f"{found[1]}://{path[found.end():]}"


def shown(address: str) -> str:
    """What messages call an object: without a password, and without what is signed behind a ?."""
    address = re.sub(r"//[^/@]*:[^/@]*@", "//", address, count=1)
    if address.startswith(("http", "abfs", "az")):
        address = re.split("[?#]", address, maxsplit=1)[0]
    return address


def told(text: str) -> str:
    """A text of a run in which objects are called by their addresses, not by where they lie."""
    for folder in list(folders):
        if folder.path in text:
            text = _OF_PATH.sub(r"\1://", text.replace(folder.path + "/", ""))
        above = os.path.dirname(folder.path)
        if above in text:  # a title that was cut within the name of the folder
            text = re.sub(re.escape(above) + "/[^/\\s<]*\u2026", "\u2026", text)
    return text
