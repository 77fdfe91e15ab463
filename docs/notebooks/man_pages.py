# %% [markdown]
# # A Parquet file, cleaned
# Manual pages of four releases, most of them in several. Cells are marked as editors know them (`# %%`);
# `python docs/notebooks/man_pages.py` runs them all.

# %% Load
import polars as pl

import sosie

pl.read_ndjson("samples/man-pages.jsonl").write_parquet("pages.parquet")
pages = pl.read_parquet("pages.parquet")
pages.describe()

# %% What would be run, and with which recall
print(sosie.plan(pages))

# %% Remove near-duplicates, of each group keep the longest
result = sosie.dedup(pages, threshold=0.8, keep="longest")
result

# %% The removals nearest the threshold: is .8 the right one?
print(result.show(3))

# %% Other thresholds
result.sweep([0.6, 0.7, 0.8, 0.9]).to_polars()

# %% Clusters: the largest groups, with what stands in their rows
groups = result.clusters.to_polars()
largest = (
    groups.with_columns(pages["id"][groups["row"].to_numpy()].alias("id"))
    .sort("size", "cluster", "row", descending=[True, False, False])
    .head(8)
)
largest

# %% A stricter threshold
strict = result.at(0.95)
int(result.mask.sum()), int(strict.mask.sum())

# %% Write what is left, with every column it came with
strict.apply(pages).write_parquet("clean.parquet")
strict.report("report.html")
