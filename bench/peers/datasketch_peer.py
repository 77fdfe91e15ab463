"""datasketch: MinHash and MinHashLSH with 128 permutations. Shingles (words:5) are hashed to 32
bits beforehand, because its default, SHA-1 in Python, is several times slower. As in its
documentation, a row is kept if the index of the rows kept so far returns no candidate."""

import common
from datasketch import MinHash, MinHashLSH

PERMUTATIONS = 128


def index(options):
    bands = {"params": (21, 6)} if options.recall_bands else {}
    return MinHashLSH(threshold=common.THRESHOLD, num_perm=PERMUTATIONS, **bands)


def hashed(texts):
    shingles = common.HashedShingles()
    return ((shingles(text) & 0xFFFFFFFF).tolist() for text in texts)


def sketches(sets):
    empty = MinHash(num_perm=PERMUTATIONS, hashfunc=int)
    for one in sets:
        sketch = empty.copy()
        sketch.update_batch(one)
        yield sketch if one else None


def dedup(options):
    ids, texts = common.read(options.input)
    survivors = index(options)
    kept = []
    for row, sketch in enumerate(sketches(hashed(texts))):
        if sketch is not None:
            if survivors.query(sketch):
                continue
            survivors.insert(row, sketch, check_duplication=False)
        kept.append(ids[row])
    return kept


def sketch(options):
    sets = list(hashed(common.read(options.input)[1]))
    return lambda: list(sketches(sets))


def pairs(options):
    seen = index(options)
    for row, sketch in enumerate(sketches(hashed(common.read(options.input)[1]))):
        if sketch is not None:
            yield from ((other, row) for other in seen.query(sketch))
            seen.insert(row, sketch, check_duplication=False)


common.main(dedup, sketch, pairs)
