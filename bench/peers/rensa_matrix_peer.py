"""rensa through its fastest interfaces that use every token: a digest matrix from one flat buffer
of hashed shingles (words:5), and its native LSH, which flags the rows that have a candidate. A flag
does not show which row is duplicated, so the digests of the flagged rows, usually few, are grouped
by band here. Candidates count as duplicates; the first row of each group is kept. As in rensa's own
benchmark of sketches of this size, there are 16 bands."""

from collections import defaultdict

import common
from rensa import RMinHash, RMinHashLSH

BATCH = 2000
SEED = 42


def shape(options):
    return (126, 21) if options.recall_bands else (128, 16)


def matrices(prepared, options):
    return [RMinHash.digest_matrix_from_flat_token_hashes(values, starts, shape(options)[0], SEED)
            for values, starts in prepared]


def candidates(texts, options):
    size, bands = shape(options)
    digests = matrices(common.hashed_batches(texts, BATCH), options)
    lsh = RMinHashLSH(threshold=common.THRESHOLD, num_perm=size, num_bands=bands)
    for number, matrix in enumerate(digests):
        lsh.insert_matrix(matrix, number * BATCH)
    buckets = defaultdict(list)
    for number, matrix in enumerate(digests):
        flags = lsh.query_duplicate_flags_matrix(matrix)
        if not any(flags):
            continue
        for offset, (flag, digest) in enumerate(zip(flags, matrix.to_rows())):
            if flag:
                for band in range(bands):
                    part = tuple(digest[band * size // bands:(band + 1) * size // bands])
                    buckets[band, part].append(number * BATCH + offset)
    return {(left, right) for rows in buckets.values()
            for at, right in enumerate(rows) for left in rows[:at]}


def dedup(options):
    return common.dedup_by(candidates, options)


def sketch(options):
    prepared = list(common.hashed_batches(common.read(options.input)[1]))
    return lambda: matrices(prepared, options)


def pairs(options):
    return candidates(common.read(options.input)[1], options)


common.main(dedup, sketch, pairs)
