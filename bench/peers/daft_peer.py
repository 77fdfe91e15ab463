"""Daft: its minhash expression (Rust, multi-threaded), with 128 xxhash hashes of word 5-grams. It
receives the words separated by spaces. Bands (16 of 8 rows) are joined here with numpy, where
Daft's deduplication guide joins data frames: rows are sorted by band, and each row is paired with
the first row in its bucket. Candidates count as duplicates."""

import common
import daft
import numpy
from daft.functions import minhash


def shape(options):
    return (21, 6) if options.recall_bands else (16, 8)


def sketches(frame, options):
    bands, rows = shape(options)
    column = minhash(daft.col("text"), num_hashes=bands * rows, ngram_size=common.SHINGLE_WORDS,
                     seed=1, hash_function="xxhash3_64")
    table = frame.select(column.alias("sketch")).to_arrow()
    return table["sketch"].combine_chunks().flatten().to_numpy().reshape(-1, bands * rows)


def candidates(texts, options):
    bands, rows = shape(options)
    matrix = sketches(daft.from_pydict({"text": texts}), options)
    for band in range(bands):
        part = numpy.ascontiguousarray(matrix[:, band * rows:(band + 1) * rows])
        keys = part.view(numpy.dtype((numpy.void, part.itemsize * rows))).ravel()
        _, first, inverse = numpy.unique(keys, return_index=True, return_inverse=True)
        later = numpy.nonzero(first[inverse] != numpy.arange(len(keys)))[0]
        yield from zip(first[inverse[later]].tolist(), later.tolist())


def dedup(options):
    ids, texts = common.read(options.input)
    texts = [common.plain(text) for text in texts]
    return [ids[row] for row in common.keep_first(len(ids), candidates(texts, options))]


def sketch(options):
    frame = daft.from_pydict({"text": [common.plain(text)
                                       for text in common.read(options.input)[1]]}).collect()
    return lambda: sketches(frame, options)


common.main(dedup, sketch)
