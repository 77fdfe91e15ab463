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

Pickles: `load` and `loads` read pickles of datasketch 1.2 and later without running the code they name. Sketches
from before 2.0 have scheme="legacy" and compare only with sketches of that scheme. datasketch cannot read pickles
of this package; the bytes of a LeanMinHash work in both directions.

Storage: an index is in memory, or in a file with storage_config={"type": "sqlite", "path": "index.db"} and
keys of type str, int or bytes. Changes by `insert` and `remove` are on disk when the call returns; a session writes
once, at its end. Redis, Cassandra and MongoDB are not supported; use `sosie serve` for several machines.

Not supported: HNSW, HyperLogLog, MinHashLSHEnsemble, MinHashLSHBloom, bBitMinHash and AsyncMinHashLSH (importing one
suggests a replacement), and GPUs: gpu_mode="detect" computes on the CPU, "always" raises RuntimeError. Bands may
differ for weights=(0, 1), where datasketch depends on rounding errors.
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
