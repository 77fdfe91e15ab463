"""Near-duplicates in Spark DataFrames: the same rows as from `sosie dedup` on one machine. For
texts, sets, vectors and bit strings.

Needs pyspark 4 and pyarrow on the driver and this package on every executor. It uses DataFrames and
Arrow batches only, and needs no jar.

    import sosie.spark
    result = sosie.spark.dedup(df, column="text", id="id", threshold=0.8, work="s3://.../job")
    result.kept.write.parquet("clean")
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

try:
    import pyarrow  # noqa: F401
    import pyspark
except ImportError as missing:
    raise ImportError(f"sosie.spark needs {missing.name}: pip install 'sosie[spark]'") from missing

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .. import _sosie
from .._source import native
from ..errors import InputError, OptionError, UnsupportedError
from . import _kernels as kernels
from ._arrays import Scope
from ._source import (
    Columns,
    Counted,
    alike,
    checked_options,
    column_of,
    count,
    numbered,
    options_of,
    plan_of,
    plan_without_bands,
    warn_of_ties,
)
from ._stages import Job
from ._work import Work, plain_errors

if int(pyspark.__version__.split(".")[0]) < 4:
    raise ImportError(f"sosie.spark needs pyspark 4 or newer, this is {pyspark.__version__}")

__all__ = ["Deduplicated", "Pairs", "dedup", "minhash", "pairs", "plan"]

Plan = str | os.PathLike[str]
SEEDS = (42, 43, 44)  # seeds of the hash that numbers rows, in case two ids collide


@dataclass(frozen=True)
class Request:
    """A call's checked arguments."""

    data: DataFrame
    against: DataFrame | None
    columns: Columns
    method: str
    given: Mapping[str, Any]

    @classmethod
    def of(cls, verb: str, data: DataFrame, against: DataFrame | None, columns: Columns,
           method: str, options: Mapping[str, Any]) -> Request:
        given = checked_options(verb, options)
        if method not in ("lsh", "exact"):
            raise OptionError(f"method={method}: expected lsh or exact", option="method")
        kind, measure = given.get("kind", "text"), given.get("measure", "jaccard")
        if method == "exact" and kind in ("vectors", "bits"):
            raise UnsupportedError(f"method=exact: not of {kind} on Spark", option="method",
                                   hint="lsh takes a recall of up to 0.999999")
        if method == "exact" and measure != "jaccard":
            raise UnsupportedError(f"measure={measure}: exact joins on Spark are by jaccard",
                                   option="measure")
        for rows in (data, against):
            if rows is not None:
                columns.check(rows, str(given.get("kind", "text")))
        return cls(data, against, columns, method, given)

    @property
    def kind(self) -> str:
        return str(self.given.get("kind", "text"))

    def base(self, seed: int) -> DataFrame:
        if self.against is None:
            return numbered(self.data, self.columns, None, seed)
        data, against = alike(self.data, self.against, self.columns)
        own = numbered(data, self.columns, 0, seed)
        other = numbered(against, self.columns, 1, seed)
        kind = own.schema["rank"].dataType
        return own.unionByName(other.withColumn("rank", F.col("rank").cast(kind)))

    def numbered_rows(self, with_content: bool) -> tuple[DataFrame, Counted]:
        """Numbers the rows, and counts them."""
        for seed in SEEDS:
            base = self.base(seed)
            counted = count(base, self.columns, self.kind, with_content)
            if counted is not None:
                return base, counted
        raise InputError(f"column '{self.columns.id}': hashes of ids collide",
                         place=self.columns.id, hint="use whole numbers")

    def job(self, plan: Plan | None, work: str | os.PathLike[str] | None, only_across: bool) -> Job:
        base, counted = self.numbered_rows(work is not None)
        warn_of_ties(base, self.columns)
        exact = self.method == "exact"
        if exact and plan is None:
            text = plan_without_bands(self.given)
        else:
            text = plan_of(base, counted, self.given, plan)
        identity = {
            "version": _sosie.__version__, "plan": text, "method": self.method, "rows": counted.rows,
            "content": str(counted.content),
            "columns": [self.columns.text, self.columns.id, self.columns.order, self.columns.keep],
            "options": {name: str(value) for name, value in sorted(self.given.items())},
            "against": self.against is not None, "only_across": only_across,
        }
        return Job(base, counted, kernels.Recipe(text, options_of(text, self.given)),
                   Scope(self.against is not None, only_across),
                   Work(self.data.sparkSession, work, identity), exact)


class Found:
    """The results of a job: DataFrames, computed on first use."""

    def __init__(self, request: Request, job: Job):
        self._request = request
        self._job = job

    @property
    def _value_name(self) -> str:
        """Name of the column of values: similarity or distance."""
        return "similarity" if self._job.recipe.is_similarity else "distance"

    @property
    def _of_equal(self) -> float:
        """The value of two equal rows."""
        return 1.0 if self._job.recipe.is_similarity else 0.0

    @property
    def plan(self) -> str:
        """The plan as JSON, for `sosie dedup --plan`. Exact jobs do not use its bands."""
        return self._job.recipe.plan

    def explain(self, id1: object, id2: object) -> str:
        """Explains why two rows are (not) similar, like `sosie explain`.

        Args:
            id1 (object): id of a row; with two collections, of the first row that has it.
            id2 (object): id of another row.
        """
        texts = []
        for key in (id1, id2):
            is_it = F.col("rank.id").cast("string") == F.lit(str(key))
            row = self._job.base.where(is_it).orderBy("rank").first()
            if row is None:
                raise InputError(f"no row has the id '{key}'", place=str(key))
            texts.append(row["text"])
        rows, given = self._job.recipe.given(pyarrow.array(texts))
        given = {name: value for name, value in given.items() if name != "sketch"}
        return _sosie.explain(native(rows), None, "0", "1", given)

    @cached_property
    def _pairs(self) -> DataFrame:
        """Pairs of rows: those with the texts of similar items, and those with equal texts."""
        job = self._job
        job.count_edges()
        side = F.col("rank.side")
        own = job.items().select("rid", "rank", side.alias("side"))
        copies = job.copies()
        of_item = own.select(F.col("rid").alias("item"), "rank").unionByName(
            copies.select(F.col("rep").alias("item"), "rank"))
        left, right = of_item.toDF("lo", "rank_l"), of_item.toDF("hi", "rank_r")
        found = (job.edges().select("lo", "hi", "similarity").join(left, "lo").join(right, "hi")
                 .select("rank_l", "rank_r", "similarity"))
        if not job.scope.only_across:
            found = found.unionByName(self._pairs_of_copies(of_item, copies))
        return self._in_order(found)

    def _pairs_of_copies(self, of_item: DataFrame, copies: DataFrame) -> DataFrame:
        groups = copies.where("rank.side = 0" if self._request.against is None
                              else "rank.side = 1").select(F.col("rep").alias("item")).distinct()
        rows = of_item.join(groups, "item", "left_semi")
        left, right = rows.toDF("item", "rank_l"), rows.toDF("item", "rank_r")
        return (left.join(right, "item").where("rank_l < rank_r")
                .select("rank_l", "rank_r", F.lit(self._of_equal).alias("similarity")))

    def _in_order(self, found: DataFrame) -> DataFrame:
        """Columns left, right, similarity, followed by the order of the rows: left is the earlier
        row; with another collection, right is a row of it."""
        place = {mark: F.struct(f"rank_{mark}.order", f"rank_{mark}.id") for mark in "lr"}
        if self._job.scope.only_across:
            first = F.col("rank_l.side") > F.col("rank_r.side")
        else:
            first = place["l"] < place["r"]
        columns = [F.when(first, F.col(f"rank_{one}.{name}")).otherwise(F.col(f"rank_{two}.{name}"))
                   .alias(alias) for name, alias, one, two in (
                       ("id", "left", "l", "r"), ("id", "right", "r", "l"))]
        return found.select(*columns, F.col("similarity").alias(self._value_name))


class Deduplicated(Found):
    """Result of :func:`dedup`."""

    @cached_property
    def removed(self) -> DataFrame:
        """Removed rows: id, kept_id (the survivor), similarity (double; for a distance bound:
        distance), exact (bool: the same normalised text, or an equal item), and with `against` also
        kept_in_against (bool)."""
        return self._job.stage("gone", self._removed)

    def _removed(self) -> DataFrame:
        job = self._job
        removals = job.removals()
        items = job.items()
        own = items.select(F.col("rid").alias("hi"), F.col("rank.id").alias("id"))
        kept = items.select(F.col("rid").alias("lo"), F.col("rank.id").alias("kept_id"))
        gone = removals.join(kept, "lo").select(
            "hi", "kept_id", "similarity", F.col("identical").alias("exact"),
            (F.col("lo").bitwiseAND(F.lit(1)) == 1).alias("kept_in_against"))
        copies = job.copies().where(F.col("rank.side") == F.lit(self._own_side))
        of_copies = copies.join(gone.withColumnRenamed("hi", "rep"), "rep", "left").select(
            F.col("rank.id").alias("id"),
            F.coalesce("kept_id", F.col("rep_rank.id")).alias("kept_id"),
            F.coalesce("similarity", F.lit(self._of_equal)).alias("similarity"),
            F.coalesce("exact", F.lit(True)).alias("exact"),
            F.coalesce("kept_in_against", F.lit(False)).alias("kept_in_against"))
        found = gone.join(own, "hi").drop("hi").unionByName(of_copies)
        names = ["id", "kept_id", F.col("similarity").alias(self._value_name), "exact"]
        return found.select(*names, *(["kept_in_against"] if self._request.against is not None else []))

    @property
    def _own_side(self) -> int:
        return 0 if self._request.against is None else 1

    @cached_property
    def kept(self) -> DataFrame:
        """Kept rows of the data, with all of their columns, in no particular order."""
        data, name = self._request.data, self._request.columns.id
        gone = self.removed.select(F.col("id").alias("sosie_gone_id"))
        return data.join(gone, column_of(name) == F.col("sosie_gone_id"), "left_anti")

    @cached_property
    def pairs(self) -> DataFrame:
        """Every verified pair: left, right (ids, in the order of rows), similarity (double)."""
        return self._pairs

    @cached_property
    def stats(self) -> dict[str, Any]:
        """Counts of the job: rows, kept, removed (identical and near), empty, candidates (pairs whose
        texts were compared), similar (pairs that reach the threshold); and templates, as the program
        reports them: for each passage that many rows share, rows, common (the mean share of their
        shingles that at least half of the rows have) and passage."""
        with plain_errors(self._job.work.folder):
            removed = self.removed.groupBy("exact").count().collect()
            counts = {row["exact"]: row["count"] for row in removed}
            own = self._job.base.where(F.col("rank.side") == F.lit(self._own_side)).count()
            gone = sum(counts.values())
            return {
                "rows": own, "kept": own - gone, "removed": gone,
                "identical": counts.get(True, 0), "near": counts.get(False, 0),
                "empty": self._job.sketches().where("keys is null").count(),
                "candidates": self._job.candidates().count(),
                "similar": self._job.count_edges(),
                "templates": self._job.templates(),
            }


class Pairs(Found):
    """Result of :func:`pairs`."""

    @cached_property
    def pairs(self) -> DataFrame:
        """Every verified pair: left, right (ids), similarity (double). Left is the earlier row; with
        `against`, right is a row of `against`."""
        return self._pairs


def dedup(
    data: DataFrame,
    *,
    column: str = "text",
    id: str = "id",
    order: str | None = None,
    keep: str | list[str] = "first",
    against: DataFrame | None = None,
    method: str = "lsh",
    plan: Plan | None = None,
    work: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Deduplicated:
    """Keeps one row of each group of near-duplicates.

    Keeps the same rows as `sosie dedup --plan` on one machine, regardless of partitions, retries and
    adaptive execution. Every removed row was verified to be similar to the row that it is removed
    for.

    Args:
        data (DataFrame): rows.
        column (str): texts; with kind="sets" arrays of strings or numbers, with kind="vectors"
            arrays of numbers, with kind="bits" strings of hexadecimal digits. Default: text.
        id (str): unique strings or whole numbers. Default: id.
        order (str): input order, by which rows rank; ties rank by id. Default: by id.
        keep (str): rule that ranks rows: first, last, longest, shortest, max:FIELD, min:FIELD, or
            several, comma-separated. Default: first.
        against (DataFrame): rows to compare with, in the same columns; they always win and are
            never removed.
        method (str): lsh, or, for texts and sets, exact (every pair, by prefixes of rare elements).
            Default: lsh.
        plan (str): plan file or its JSON, as `sosie plan -o` writes it. Default: made from a sample
            chosen by a hash of the ids.
        work (str): folder for the stages of the job, on a file system that all executors share; the
            same call resumes a killed job. Default: none, executors hold them.
        **options: threshold, within, recall, bands, family, kind, measure, shingle, stopwords,
            tokens, sketch, seed, as for :func:`sosie.dedup`.

    Returns:
        Deduplicated: `.kept`, `.removed`, `.pairs` (DataFrames), `.stats`, `.plan`, `.explain()`.

    Raises:
        OptionError: an invalid option or value, or another job's `work`.
        InputError: a missing column, null ids, or duplicate ids.
        UnsupportedError: executors without the package; a kind or measure not supported on Spark.
    """
    request = Request.of("dedup", data, against, Columns(column, id, order, keep), method, options)
    return Deduplicated(request, request.job(plan, work, only_across=False))


def pairs(
    data: DataFrame,
    *,
    column: str = "text",
    id: str = "id",
    order: str | None = None,
    against: DataFrame | None = None,
    method: str = "lsh",
    plan: Plan | None = None,
    work: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Pairs:
    """Finds every pair of similar rows: within `data`, or between `data` and `against`.

    Args: as of :func:`dedup`.

    Returns:
        Pairs: `.pairs` (DataFrame: left, right, similarity), `.plan`, `.explain()`.
    """
    request = Request.of("pairs", data, against, Columns(column, id, order), method, options)
    return Pairs(request, request.job(plan, work, only_across=against is not None))


def plan(data: DataFrame, *, column: str = "text", id: str = "id", **options: Any) -> str:
    """Returns the plan that :func:`dedup` makes for these rows: JSON, for `sosie dedup --plan`.

    Args: as of :func:`dedup`.
    """
    request = Request.of("plan", data, None, Columns(column, id, None), "lsh", options)
    base, counted = request.numbered_rows(with_content=False)
    return plan_of(base, counted, request.given, None)


def minhash(data: DataFrame, num_perm: int = 128, *, column: str = "text",
            **options: Any) -> DataFrame:
    """Replaces the column of texts by a column `minhash` with the signatures of
    :func:`sosie.minhash`, as arrays of longs.

    Args:
        data (DataFrame): rows.
        num_perm (int): components of a signature, 1 to 4096.
        column (str): texts, or with kind="sets" arrays. Default: text.
        **options: kind, shingle, stopwords, tokens, sketch, seed.
    """
    given = checked_options("minhash", options)
    if column not in data.columns:
        raise InputError(f"no column '{column}'", place=column)
    if "minhash" in data.columns:
        raise InputError("column 'minhash' already exists", place="minhash")
    others = [name for name in data.columns if name != column]
    rows = data.select(*map(column_of, others), column_of(column).alias("text"))
    kinds = [data.schema[name] for name in others]
    return rows.mapInArrow(
        partial(kernels.minhash, components=num_perm, recipe=kernels.Recipe("", given)),
        T.StructType([*kinds, T.StructField("minhash", T.ArrayType(T.LongType()))]))
