"""SetSimilaritySearch: its all_pairs function, AllPairs with the position filter in Python and
numpy.

    set_search_peer.py FILE THRESHOLD LIMIT

FILE holds one set per line, with elements separated by spaces, and is read beforehand. For each
line of stdin, the join is run, and a line of JSON gives its CPU seconds and its answer; after LIMIT
CPU seconds, it is stopped, and the line reports this instead.
"""

import json
import signal
import sys
import time

from SetSimilaritySearch import all_pairs


class TooSlow(Exception):
    pass


def give_up(*_):
    raise TooSlow


def checksum(pairs: list, sets: int) -> int:
    """As in set_joins.cc: a single number for all pairs, in any order."""
    total = 0
    for one, other in pairs:
        left, right = sorted((int(one), int(other)))
        total += (left * sets + right) ** 2
    return total % 2**64


def join(sets: list, threshold: float, limit: float) -> dict:
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        begin = time.process_time()
        pairs = [pair[:2] for pair in all_pairs(sets, "jaccard", threshold)]
        seconds = time.process_time() - begin
    except TooSlow:
        return {"failed": f"more than {limit:g} CPU seconds"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return {"cpu_seconds": seconds, "pairs": len(pairs), "checksum": checksum(pairs, len(sets))}


def main():
    path, threshold, limit = sys.argv[1:]
    with open(path, encoding="utf-8", newline="\n") as lines:
        sets = [set(line.split()) for line in lines]
    signal.signal(signal.SIGPROF, give_up)
    for _ in sys.stdin:
        print(json.dumps(join(sets, float(threshold), float(limit))), flush=True)


if __name__ == "__main__":
    main()
