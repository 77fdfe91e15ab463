"""Drops what a run removed, inside a pipeline of NeMo Curator: python curator_filter.py INPUT/ REMOVED.tsv OUTPUT/

`sosie dedup INPUT/ --removed REMOVED.tsv` makes the table. Rows have the fields id and text."""
import sys

import pyarrow.csv
from nemo_curator.backends.xenna import XennaExecutor
from nemo_curator.pipeline import Pipeline
from nemo_curator.stages.base import ProcessingStage
from nemo_curator.stages.text.io.reader import JsonlReader
from nemo_curator.stages.text.io.writer import JsonlWriter
from nemo_curator.tasks import DocumentBatch


class Kept(ProcessingStage[DocumentBatch, DocumentBatch]):
    name = "kept"

    def __init__(self, removed: str):
        self.removed = removed

    def inputs(self):
        return ["data"], ["id"]

    def outputs(self):
        return ["data"], ["id"]

    def setup(self, worker_metadata=None):
        table = pyarrow.csv.read_csv(self.removed, parse_options=pyarrow.csv.ParseOptions(delimiter="\t"))
        self.ids = set(table["id"].to_pylist())

    def process(self, batch):
        rows = batch.to_pandas()
        batch.data = rows[~rows["id"].isin(self.ids)]
        return batch


def main(given: str, removed: str, written: str) -> None:
    pipeline = Pipeline("kept", stages=[JsonlReader(given), Kept(removed), JsonlWriter(written)])
    pipeline.run(XennaExecutor({"execution_mode": "batch"}))  # "streaming" needs four processors


if __name__ == "__main__":
    main(*sys.argv[1:])
