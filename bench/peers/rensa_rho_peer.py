"""rensa's rho, the basis of rensa's own speed figures: it samples a few positions in a document and
returns one flag per row, which does not show which row is duplicated. As in its benchmark, the
tokens are the words and there are 8 bands. Flagged rows are dropped, because nothing better is
possible."""

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
