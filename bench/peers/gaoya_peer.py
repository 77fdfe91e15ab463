"""gaoya: MinHashStringIndex, entirely in Rust. It receives the words separated by spaces and makes
the five-word shingles itself. For a threshold of 0.8, it uses 25 bands of 5 rows (default: 20 x 5).
A row is removed if its estimated similarity to an earlier kept row reaches the threshold."""

import common
from gaoya.minhash import MinHashStringIndex

BATCH = 2000


def index(options):
    bands, rows = (21, 6) if options.recall_bands else (25, 5)
    return MinHashStringIndex(hash_size=32, jaccard_threshold=common.THRESHOLD, num_bands=bands,
                              band_size=rows, analyzer="word", lowercase=False,
                              ngram_range=(common.SHINGLE_WORDS, common.SHINGLE_WORDS),
                              id_container="vec")


def candidates(texts, options):
    found = index(options)
    for first in range(0, len(texts), BATCH):
        part = texts[first:first + BATCH]
        found.par_bulk_insert_docs(list(range(first, first + len(part))), part)
    for first in range(0, len(texts), BATCH):
        for row, others in enumerate(found.par_bulk_query(texts[first:first + BATCH]), first):
            yield from ((other, row) for other in others if other < row)


def dedup(options):
    ids, texts = common.read(options.input)
    texts = [common.plain(text) for text in texts]
    return [ids[row] for row in common.keep_first(len(ids), candidates(texts, options))]


def pairs(options):
    return candidates([common.plain(text) for text in common.read(options.input)[1]], options)


common.main(dedup, pairs=pairs)
