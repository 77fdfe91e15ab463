"""Finds near-duplicate documents, sets, vectors, bit strings and records, with verified pairs and the recall you set.

>>> import sosie
>>> texts = ["the quick brown fox jumps over the lazy dog", "an entirely different sentence here",
...          "The quick brown fox jumps over the lazy dog!"]
>>> result = sosie.dedup(texts)
>>> result.mask.tolist()
[True, True, False]
>>> result.apply() == texts[:2]
True
"""

from . import strings
from ._batches import SketchedBatch, VerifiedBatch
from ._results import Clusters, Deduplicated, Linked, Pairs, ResultTable
from ._sosie import __version__
from ._verbs import (
    Index,
    cluster,
    dedup,
    explain,
    link,
    minhash,
    pairs,
    plan,
    query,
    similarity,
    sketch_batch,
    verify_batch,
)
from .errors import FileError, InputError, LimitError, OptionError, SosieError, UnsupportedError

__all__ = [
    "Clusters",
    "Deduplicated",
    "FileError",
    "Index",
    "InputError",
    "LimitError",
    "Linked",
    "OptionError",
    "Pairs",
    "ResultTable",
    "SketchedBatch",
    "SosieError",
    "UnsupportedError",
    "VerifiedBatch",
    "__version__",
    "cluster",
    "dedup",
    "explain",
    "link",
    "minhash",
    "pairs",
    "plan",
    "query",
    "similarity",
    "sketch_batch",
    "strings",
    "verify_batch",
]
