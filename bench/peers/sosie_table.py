"""The Python package sosie, of which rows come as a table and leave as a mask."""

import common
import sosie


def dedup(options):
    result = sosie.dedup(options.input, tokens="ascii", threads=options.threads)
    ids = options.input["id"].to_pylist()
    return [ids[row] for row in result.kept["row"].tolist()]


common.main(dedup)
