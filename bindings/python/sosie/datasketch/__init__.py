"""The sketches of datasketch 2.0, with its names, values and errors: change the import, keep the rest.

>>> from sosie.datasketch import MinHash, MinHashLSH
>>> lsh = MinHashLSH(threshold=0.5, num_perm=128)
>>> for key, text in {"a": "the quick brown fox", "b": "the quick brown cat", "c": "a bird"}.items():
...     sketch = MinHash(num_perm=128)
...     sketch.update_batch(word.encode() for word in text.split())
...     lsh.insert(key, sketch)
>>> query = MinHash(num_perm=128)
>>> query.update_batch([b"the", b"quick", b"brown", b"dog"])
>>> sorted(lsh.query(query))
['a', 'b']

Pickles: `load` and `loads` read those of datasketch, from 1.2 on, without running what they name. Sketches
from before 2.0 have scheme="legacy", and so has what is compared with them. Pickles of this package are
not read by datasketch; the bytes of a LeanMinHash go both ways.

Storage: an index is in memory, or in a file with storage_config={"type": "sqlite", "path": "index.db"} and
keys that are str, int or bytes. What `insert` or `remove` did is on disk when it returns; a session writes
once, at its end. Redis, Cassandra and MongoDB are refused; `sosie serve` answers several machines.

Not here: HNSW, HyperLogLog, MinHashLSHEnsemble, MinHashLSHBloom, bBitMinHash, AsyncMinHashLSH, whose import
says what to take instead, and graphics cards: gpu_mode="detect" computes on the CPU, "always" raises
RuntimeError. Bands may differ for weights=(0, 1), which rounding errors decide in datasketch.
"""

from __future__ import annotations

import sys

from ._pickles import load, loads
from .hashfunc import sha1_hash32, sha1_hash64
from .lean_minhash import LeanMinHash
from .lsh import MinHashLSH
from .lshforest import MinHashLSHForest
from .minhash import MinHash
from .weighted_minhash import WeightedMinHash, WeightedMinHashGenerator

WeightedMinHashLSH = MinHashLSH
WeightedMinHashLSHForest = MinHashLSHForest

__all__ = [
    "LeanMinHash",
    "MinHash",
    "MinHashLSH",
    "MinHashLSHForest",
    "WeightedMinHash",
    "WeightedMinHashGenerator",
    "WeightedMinHashLSH",
    "WeightedMinHashLSHForest",
    "load",
    "loads",
    "sha1_hash32",
    "sha1_hash64",
]

_INSTEAD = {
    "HNSW": "sosie.Index(kind='vectors') finds nearest vectors",
    "AsyncMinHashLSH": "`sosie serve` answers many callers at once",
    "HyperLogLog": "it is in datasketch",
    "HyperLogLogPlusPlus": "it is in datasketch",
    "MinHashLSHBloom": "MinHashLSH is exact, and holds what it indexed",
    "MinHashLSHEnsemble": "sosie.query(..., measure='containment') finds sets that contain one",
    "bBitMinHash": "LeanMinHash is the smallest sketch here",
}


def __getattr__(name: str) -> object:
    if name in _INSTEAD:
        message = f"sosie.datasketch has no {name}: {_INSTEAD[name]}"
        by_import = sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap"
        raise (ImportError if by_import else AttributeError)(message)  # an import drops other messages
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
