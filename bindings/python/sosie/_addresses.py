"""Addresses of objects in stores: recognises them and formats them for messages."""

from __future__ import annotations

import functools
import os
import re
import weakref
from typing import Protocol

SCHEMES = ("s3", "s3a", "gs", "gcs", "hf", "http", "https", "abfs", "abfss", "az", "memory")
_ADDRESS = re.compile(rf"({'|'.join(SCHEMES)})://(?=[^/])")
_OF_PATH = re.compile(rf"({'|'.join(SCHEMES)}):/{{1,2}}(?=[^/])")  # a Path keeps one slash


class Folder(Protocol):
    """Folder that holds objects while a run reads them."""

    path: str


folders: weakref.WeakSet[Folder] = weakref.WeakSet()


def address_of(value: object) -> str | None:
    """The address in a text, or in a path made from one; None for any other value."""
    if isinstance(value, str):
        return value if _ADDRESS.match(value) else None
    if not isinstance(value, os.PathLike):
        return None
    path = os.fspath(value)
    found = _OF_PATH.match(path) if isinstance(path, str) else None
    if found is None or os.path.exists(path):
        return None
    return f"{found[1]}://{path[found.end():]}"


def is_web(address: str) -> bool:
    return address.startswith("http")


def shown(address: str) -> str:
    """An address as messages show it: without a password, and without the signature after a ?."""
    if is_web(address):
        # A token may stand alone, and a password may hold a slash; after the host an @ belongs to the path.
        address = re.sub(r"^(https?://)([^/?#]*|[^/?#:]*:(?!\d*[/?#])[^?#]*)@", r"\1", address)
    address = re.sub(r"//[^/@]*:[^/@]*@", "//", address, count=1)
    return re.split("[?#]" if is_web(address) else "[?]", address, maxsplit=1)[0]


def told(text: str) -> str:
    """The text of a run, with addresses of objects in place of their local paths."""
    for folder in list(folders):
        top = folder.path + "/"
        if top in text:
            text = re.sub(re.escape(top) + _OF_PATH.pattern, r"\1://", text).replace(top, "")
        above = os.path.dirname(folder.path)
        if above in text:  # a title that was cut within the name of the folder
            text = re.sub(re.escape(above) + "/([^/\\s<]*)\u2026", functools.partial(_cut, top), text)
    return text


def _cut(top: str, found: re.Match[str]) -> str:
    return "\u2026" if top.startswith(found[0][:-1]) else found[0]


def all_told(names: list[str]) -> list[str]:
    """Replaces local paths by addresses in ids, which may name files."""
    return list(map(told, names)) if folders else names
