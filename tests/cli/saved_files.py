"""Takes apart files that runs save, and reassembles them with correct checksums:
docs/formats/sketches.md and src/io/journal.h."""

from __future__ import annotations

import ctypes
import ctypes.util
import struct

TRAILER = 32
ENTRY = 40  # bytes per block in the table of a sketch file
HEAD = 24   # bytes in the head of a journal record


def load():
    name = ctypes.util.find_library("xxhash") or "libxxhash.so.0"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return None
    library.XXH3_64bits_withSeed.restype = ctypes.c_uint64
    library.XXH3_64bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    return library


LIBRARY = load()  # None: checksums cannot be computed here


def checksum(data: bytes, seed: int = 0) -> int:
    return LIBRARY.XXH3_64bits_withSeed(data, len(data), seed)


def repaired_sketches(data: bytes) -> bytes:
    """Corrects the checksums of all blocks and of the contents, as far as they exist."""
    out = bytearray(data)
    end = len(out) - TRAILER
    if end < 8:
        return data
    size, blocks = struct.unpack_from("<QQ", out, end)
    if size > end - 8 or blocks * ENTRY > size:
        return data
    offset = 8
    for number in range(blocks):
        entry = end - (blocks - number) * ENTRY
        length = struct.unpack_from("<Q", out, entry + 16)[0]
        if length > end - offset:
            break
        struct.pack_into("<Q", out, entry + 24, checksum(bytes(out[offset:offset + length]), number))
        offset += length
    struct.pack_into("<Q", out, end + 16, checksum(bytes(out[end - size:end])))
    return bytes(out)


def records(journal: bytes) -> list[bytes]:
    found = []
    while len(journal) >= HEAD:
        size = struct.unpack_from("<Q", journal)[0]
        found.append(journal[HEAD:HEAD + size])
        journal = journal[HEAD + size:]
    return found


def journal_of(parts: list[bytes]) -> bytes:
    out = b""
    for part in parts:
        head = struct.pack("<QQ", len(part), checksum(part))
        out += head + struct.pack("<Q", checksum(head, len(out))) + part
    return out


def sketch_parts(data: bytes) -> tuple[list, list, bytes]:
    """Returns the blocks of a sketch file, their entries in the table, and the contents before
    these entries."""
    end = len(data) - TRAILER
    size, count = struct.unpack_from("<QQ", data, end)
    table = end - count * ENTRY
    entries = [data[at:at + ENTRY] for at in range(table, end, ENTRY)]
    blocks, offset = [], 8
    for entry in entries:
        length = struct.unpack_from("<Q", entry, 16)[0]
        blocks.append(data[offset:offset + length])
        offset += length
    return blocks, entries, data[end - size:table]


def sketches_of(blocks: list, entries: list, head: bytes, like: bytes) -> bytes:
    """Reassembles the parts into a file, with the marks in `like`; its checksums still have to be
    repaired."""
    sized = [entry[:16] + struct.pack("<Q", len(block)) + entry[24:]
             for block, entry in zip(blocks, entries)]
    contents = head + b"".join(sized)
    trailer = struct.pack("<QQQ", len(contents), len(sized), 0)
    return like[:8] + b"".join(blocks) + contents + trailer + like[-8:]


def item_blocks(data: bytes, item_bytes: int) -> list:
    """The positions of the blocks in a sketch file of items, and the number of items in each."""
    found, offset = [], 8
    for block in sketch_parts(data)[0]:
        assert (len(block) - 8) % item_bytes == 0, (len(block), item_bytes)
        found.append((offset, (len(block) - 8) // item_bytes))
        offset += len(block)
    return found
