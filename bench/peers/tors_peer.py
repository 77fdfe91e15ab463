"""tors: minhash_signature (with its faster engine, SuperMinHash) and lsh_candidates, both in Rust,
on texts. It receives the words separated by spaces and makes five-word shingles itself (UAX 29),
with 128 permutations and 16 bands of 8 rows. Candidates count as duplicates; the first row is
kept."""

import common
import tors


def shape(options):
    return (21, 6) if options.recall_bands else (16, 8)


def sketches(texts, options):
    bands, rows = shape(options)
    return [tors.minhash_signature(text, num_perm=bands * rows, method="superminhash",
                                   shingle_size=common.SHINGLE_WORDS) for text in texts]


def candidates(texts, options):
    bands, rows = shape(options)
    return tors.lsh_candidates(sketches(texts, options), bands=bands, rows=rows)["pairs"]


def dedup(options):
    ids, texts = common.read(options.input)
    texts = [common.plain(text) for text in texts]
    return [ids[row] for row in common.keep_first(len(ids), candidates(texts, options))]


def sketch(options):
    texts = [common.plain(text) for text in common.read(options.input)[1]]
    return lambda: sketches(texts, options)


def pairs(options):
    return candidates([common.plain(text) for text in common.read(options.input)[1]], options)


common.main(dedup, sketch, pairs)
