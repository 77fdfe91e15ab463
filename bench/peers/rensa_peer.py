"""rensa as in its documentation: RMinHashDeduplicator with LSH and 128 permutations, which receives
tokens and keeps a row if no kept row has an estimated similarity of 0.8 or more. The tokens are
words:5 shingles."""

import common
from rensa import RMinHash, RMinHashDeduplicator

BATCH = 2000


def size(options):
    return 126 if options.recall_bands else 128


def dedup(options):
    ids, texts = common.read(options.input)
    bands = {"num_bands": 21} if options.recall_bands else {}
    survivors = RMinHashDeduplicator(threshold=common.THRESHOLD, num_perm=size(options),
                                     use_lsh=True, **bands)
    kept = []
    for first in range(0, len(ids), BATCH):
        rows = range(first, min(first + BATCH, len(ids)))
        new = survivors.add_pairs([(str(row), common.shingles(texts[row])) for row in rows])
        kept += [ids[row] for row, is_new in zip(rows, new) if is_new]
    return kept


def sketch(options):
    sets = [common.shingles(text) for text in common.read(options.input)[1]]
    return lambda: RMinHash.digest_matrix_from_token_byte_sets(sets, size(options), 42)


common.main(dedup, sketch)
