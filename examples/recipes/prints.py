#!/usr/bin/env python3
"""Makes fingerprints in the form that an extractor writes: the minutiae of each print as points.

    prints.py FINGERS > prints.jsonl

Two prints of each finger, rows {"id": "f17a", "points": [[X, Y, ANGLE], ...]}: pixels from the upper
left corner of a picture of 400 x 400, degrees. A finger has 40 minutiae. A print shows each with
probability --seen .9, moved and turned a little (--moved 2 pixels, standard deviation), and 4 that are
none. The same --seed makes the same prints.
"""

from __future__ import annotations

import argparse
import json
import random

SIDE = 400
MINUTIAE, FALSE = 40, 4


def minutia(rng: random.Random) -> tuple[float, float, float]:
    return rng.uniform(0, SIDE), rng.uniform(0, SIDE), rng.uniform(0, 360)


def print_of(finger: list[tuple[float, float, float]], seen: float, moved: float,
             rng: random.Random) -> list[list[float]]:
    """The minutiae in one picture of a finger, in scanning order."""
    points = []
    for x, y, angle in finger:
        if rng.random() >= seen:
            continue
        x, y = x + rng.gauss(0, moved), y + rng.gauss(0, moved)
        if 0 <= x < SIDE - 1 and 0 <= y < SIDE - 1:
            points.append([round(x, 1), round(y, 1), round(angle + rng.gauss(0, 5)) % 360])
    points += [[round(x, 1), round(y, 1), round(angle) % 360]
               for x, y, angle in (minutia(rng) for _ in range(FALSE))
               if x < SIDE - 1 and y < SIDE - 1]
    return sorted(points, key=lambda point: (point[1], point[0]))


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fingers", type=int, metavar="FINGERS")
    parser.add_argument("--seen", type=float, default=0.9)
    parser.add_argument("--moved", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for number in range(options.fingers):
        finger = [minutia(rng) for _ in range(MINUTIAE)]
        for which in "ab":
            row = {"id": f"f{number}{which}",
                   "points": print_of(finger, options.seen, options.moved, rng)}
            print(json.dumps(row))


if __name__ == "__main__":
    main()
