"""FastSketchLSH: sketches of 128 values and 16 bands, as recommended in its documentation. Shingles
(words:5) are hashed to 64 bits beforehand and passed as batches in its CSR layout, its fastest
interface. As in its documentation, candidates count as duplicates; the first row of each group is
kept."""

import common
import numpy
from FastSketchLSH import LSH, FastSimilaritySketch


def shape(options):
    return (256, 32) if options.recall_bands else (128, 16)


def sketches(prepared, options):
    sketcher = FastSimilaritySketch(size=shape(options)[0], seed=42)
    return numpy.vstack([sketcher.batch_csr(values, starts, prehashed=True,
                                            num_threads=options.threads)
                         for values, starts in prepared])


def candidates(texts, options):
    matrix = sketches(common.hashed_batches(texts), options)
    size, bands = shape(options)
    lsh = LSH(num_perm=size, num_bands=bands, num_threads=options.threads)
    lsh.insert(matrix)
    partners, starts = lsh.query(matrix, format="csr")
    rows = numpy.repeat(numpy.arange(len(texts)), numpy.diff(starts.astype(numpy.int64)))
    later = partners < rows
    return zip(partners[later].tolist(), rows[later].tolist())


def dedup(options):
    return common.dedup_by(candidates, options)


def sketch(options):
    prepared = list(common.hashed_batches(common.read(options.input)[1]))
    return lambda: sketches(prepared, options)


def pairs(options):
    return candidates(common.read(options.input)[1], options)


common.main(dedup, sketch, pairs)
