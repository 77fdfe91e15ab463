"""rensa's rho, which its own speed figures are based on: it samples a few positions of a document,
and answers with one flag per row that does not show which row is duplicated. As in its benchmark,
the tokens are the words and there are 8 bands; flagged rows are dropped, for want of anything
better."""

import common
from rensa import RMinHash, RMinHashLSH

SIZE, BANDS, SEED = 128, 8, 42


def sketches(sets):
    return RMinHash.digest_matrix_from_token_sets_rho(sets, SIZE, SEED)


def dedup(options):
    ids, texts = common.read(options.input)
    matrix = sketches([text.lower().split() for text in texts])
    lsh = RMinHashLSH(threshold=common.THRESHOLD, num_perm=SIZE, num_bands=BANDS)
    flags = lsh.query_duplicate_flags_matrix_one_shot(matrix)
    return [identifier for identifier, flag in zip(ids, flags) if not flag]


def sketch(options):
    sets = [text.lower().split() for text in common.read(options.input)[1]]
    return lambda: sketches(sets)


common.main(dedup, sketch)
