"""Finds the near-duplicates in a Ray Data dataset: python ray_pairs.py INPUT.jsonl PLAN.json

`sosie plan INPUT.jsonl --method lsh -o PLAN.json` makes the plan. Rows have the fields id and text.
Prints how many rows there are and how many are kept: the first id of each group."""
import functools
import sys

import numpy
import pyarrow
import sosie


def keys_of(batch: pyarrow.Table, plan: str) -> pyarrow.Table:
    """Each document once per band, under its key."""
    sketched = sosie.sketch_batch(batch, plan)
    rows = numpy.repeat(numpy.flatnonzero(~sketched.is_empty), sketched.band_keys.shape[1])
    keys = sketched.band_keys[~sketched.is_empty].ravel()
    return batch.take(rows).append_column("key", pyarrow.array(keys.view(numpy.int64)))


def pairs_of(bucket: pyarrow.Table, plan: str) -> pyarrow.Table:
    """Returns the pairs in a bucket that reach the threshold, with exact similarities."""
    bucket = bucket.sort_by("id")
    left, right = numpy.triu_indices(len(bucket), 1)
    found = sosie.verify_batch(bucket, left, right, plan, threads=1)
    ids = bucket["id"]
    pairs = pyarrow.table({"left": ids.take(left), "right": ids.take(right),
                           "similarity": found.similarity})
    return pairs.filter(found.reaches)


def removed_by(pairs: pyarrow.Table) -> set:
    """Returns the ids to leave out; a pair counts once, however many keys it shares."""
    each = pairs.group_by(["left", "right"]).aggregate([("similarity", "max")])
    each = each.rename_columns({"similarity_max": "similarity"})
    groups = sosie.cluster(each.sort_by([("left", "ascending"), ("right", "ascending")]))
    return set(groups["id"][~groups["kept"]])


def main(path: str, plan_path: str) -> None:
    import ray

    with open(plan_path) as file:
        plan = file.read()
    pages = ray.data.read_json(path, lines=True)
    keys = pages.map_batches(functools.partial(keys_of, plan=plan), batch_format="pyarrow")
    pairs = keys.groupby("key").map_groups(functools.partial(pairs_of, plan=plan),
                                           batch_format="pyarrow")
    found = pairs.to_pandas()  # without columns where there is no pair
    removed = removed_by(pyarrow.Table.from_pandas(found, preserve_index=False)) if len(found) else set()
    clean = pages.filter(lambda row: row["id"] not in removed)
    print(pages.count(), "rows,", clean.count(), "kept")


if __name__ == "__main__":
    main(*sys.argv[1:])
