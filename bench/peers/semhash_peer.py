"""SemHash compares embeddings instead of shingles, so it finds other pairs than those counted here.
Its own model would have to be downloaded, so it is replaced with one of the same kind and size: the
mean of fixed random word vectors. The threshold is SemHash's default."""

import hashlib

import common
import numpy
from semhash import SemHash

DIMENSION = 256


class WordVectors:
    """The mean of the vectors of a text's words."""

    def __init__(self):
        self.known: dict[bytes, numpy.ndarray] = {}

    def vector(self, word: bytes) -> numpy.ndarray:
        if word not in self.known:
            seed = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
            drawn = numpy.random.default_rng(seed).standard_normal(DIMENSION)
            self.known[word] = drawn.astype(numpy.float32)
        return self.known[word]

    def encode(self, texts, **_) -> numpy.ndarray:
        empty = numpy.zeros((1, DIMENSION), numpy.float32)
        return numpy.stack([
            numpy.mean([self.vector(word) for word in common.words(text)] or empty, axis=0)
            for text in texts])


def dedup(options):
    ids, texts = common.read(options.input)
    records = [{"id": name, "text": text} for name, text in zip(ids, texts)]
    index = SemHash.from_records(records, columns=["text"], model=WordVectors())
    return [record["id"] for record in index.self_deduplicate().selected]


common.main(dedup)
