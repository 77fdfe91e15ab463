"""Hash functions of sketches: the first bytes of a SHA-1 digest as a number."""

from __future__ import annotations

import hashlib
from typing import Any

__all__ = ["sha1_hash32", "sha1_hash64"]


def sha1_hash32(data: Any) -> int:
    """The first four bytes of the SHA-1 digest of bytes as a little-endian number."""
    return int.from_bytes(hashlib.sha1(data).digest()[:4], "little")


def sha1_hash64(data: Any) -> int:
    """The first eight bytes of the SHA-1 digest of bytes as a little-endian number."""
    return int.from_bytes(hashlib.sha1(data).digest()[:8], "little")
