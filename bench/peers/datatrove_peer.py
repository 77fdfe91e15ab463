"""datatrove: its four MinHash stages as documented, run one after another on this machine, with its
own normalisation and English word tokenizer, 5-grams, and 14 buckets of 8 hashes. Every cluster
keeps one row. The first and the last stage run one process per thread, each on a share of the
rows."""

import json
import tempfile
from pathlib import Path

import common
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import (MinhashConfig, MinhashDedupBuckets,
                                              MinhashDedupCluster, MinhashDedupFilter)
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter


def dedup(options):
    config = MinhashConfig()
    with tempfile.TemporaryDirectory(dir=options.output.parent) as name:
        folder = Path(name)
        shards = folder / "input"
        shards.mkdir()
        if options.threads == 1:
            (shards / "0.jsonl").symlink_to(options.input.resolve())
        else:
            split(options.input, shards, options.threads)
        reader = JsonlReader(str(shards), text_key="text", id_key="id")
        stages = [
            [reader, MinhashDedupSignature(str(folder / "sketches"), config=config)],
            [MinhashDedupBuckets(str(folder / "sketches"), str(folder / "buckets"), config=config)],
            [MinhashDedupCluster(str(folder / "buckets"), str(folder / "remove"), config=config)],
            [reader, MinhashDedupFilter(str(folder / "remove")),
             JsonlWriter(str(folder / "kept"), compression=None)]]
        tasks = [options.threads, config.num_buckets, 1, options.threads]
        for number, (stage, count) in enumerate(zip(stages, tasks)):
            LocalPipelineExecutor(stage, tasks=count, workers=min(count, options.threads),
                                  logging_dir=str(folder / f"logs{number}")).run()
        kept = []
        for part in sorted((folder / "kept").iterdir()):
            with open(part, "rb") as lines:
                kept += [json.loads(line)["id"] for line in lines]
        return kept


def split(path: Path, folder: Path, parts: int):
    outputs = [open(folder / f"{part}.jsonl", "wb") for part in range(parts)]
    with open(path, "rb") as lines:
        for row, line in enumerate(lines):
            outputs[row % parts].write(line)
    for output in outputs:
        output.close()


if __name__ == "__main__":  # its worker processes import this file
    common.main(dedup)
