"""A job on Spark Connect, in its own process, because a session of the other kind cannot run in the
same process. Exits with 1 unless the rows equal those on a single machine; exits even while frames
are held."""

import sys

from conftest import make_rows
from pyspark.sql import SparkSession

import sosie
import sosie.spark

rows = make_rows(5, 150)
texts = [text for _, _, text in rows]
session = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
session.conf.set("spark.sql.adaptive.enabled", "true")  # as users have it
assert type(session).__module__.startswith("pyspark.sql.connect")
data = session.createDataFrame(rows, "id string, n long, text string")
sosie.plan(texts, method="lsh", threshold=0.7, output=sys.argv[2])
result = sosie.spark.dedup(data, order="n", plan=sys.argv[2], threshold=0.7)
here = sosie.dedup(texts, threshold=0.7, plan=sys.argv[2])
removed = {(rows[row][0], rows[kept][0], value, exact) for row, kept, value, exact in here.removed}
found = {tuple(row) for row in result.removed.collect()}
assert found == removed and len(removed) > 20, found ^ removed
print(f"{len(removed)} rows are removed on Spark Connect as on one machine")
