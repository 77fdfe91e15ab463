"""The Python package sosie, with a table of rows as input and a mask as output."""

import common
import sosie


def dedup(options):
    result = sosie.dedup(options.input, tokens="ascii", threads=options.threads)
    ids = options.input["id"].to_pylist()
    return [ids[row] for row in result.kept["row"].tolist()]


common.main(dedup)
