"""The stages of a job, from rows to verified pairs and decisions. Each is a pure function of the one
before, so that partitions, retries, speculation and adaptive execution change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import InputError, UnsupportedError
from . import _kernels as kernels
from ._kernels import Jaccard, Recipe, Scope
from ._source import Counted, threshold_of
from ._work import Work, plain_errors

LARGEST_BUCKET = 1000  # above it, pairs of a bucket are found by their rarest elements
ONE_TASK_EDGES = 4_000_000  # pairs that one task decides, in a stream; more take rounds before
COUNTER_BITS = 22
LONG = T.LongType()


def schema(**columns: T.DataType) -> T.StructType:
    return T.StructType([T.StructField(name, kind) for name, kind in columns.items()])


@dataclass
class Job:
    """A join: what is compared and how, and where its stages are."""

    base: DataFrame  # (rid, rank, text), of both collections
    counted: Counted
    recipe: Recipe
    scope: Scope
    work: Work
    exact: bool
    most: int = LARGEST_BUCKET
    one_task: int = ONE_TASK_EDGES
    frames: dict[str, DataFrame] = field(default_factory=dict)

    def stage(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        if name not in self.frames:
            self.frames[name] = self.work.stage(name, make)
        return self.frames[name]

    @property
    def rank(self) -> T.DataType:
        return self.base.schema["rank"].dataType

    @property
    def bound(self) -> Jaccard:
        threshold = threshold_of(self.recipe.options)
        return Jaccard(threshold.numerator, threshold.denominator)

    def sketches(self) -> DataFrame:
        """(rid, rank, h1, h2, keys, filter): all that is known of rows without their texts."""
        columns = schema(rid=LONG, rank=self.rank, h1=LONG, h2=LONG, keys=T.BinaryType(),
                         filter=T.BinaryType())
        return self.stage("sketches", lambda: self.base.mapInArrow(
            partial(kernels.sketch, recipe=self.recipe), columns))

    def copies(self) -> DataFrame:
        """(rid, rank, rep, rep_rank): rows with the text of a row of better rank, by its hash."""
        def make() -> DataFrame:
            rows = self.sketches().where("h1 is not null").select(
                "rid", "rank", "h1", "h2", F.col("rank.side").alias("side"))
            groups = (rows.groupBy("h1", "h2", "side")
                      .agg(F.min(F.struct("rank", "rid")).alias("best"),
                           F.count(F.lit(1)).alias("n"))
                      .where("n > 1").drop("n"))
            return (rows.join(groups, ["h1", "h2", "side"]).where("rid != best.rid")
                    .select("rid", "rank", F.col("best.rid").alias("rep"),
                            F.col("best.rank").alias("rep_rank")))
        return self.stage("copies", make)

    def items(self) -> DataFrame:
        """Rows that are compared: of each text the best."""
        return (self.sketches().where("keys is not null")
                .join(self.copies().select("rid"), "rid", "left_anti"))

    def candidates(self) -> DataFrame:
        """(lo, hi, lo_rank, hi_rank): pairs that are worth a look at their texts, lo of better
        rank."""
        return self.stage("candidates", self._exact if self.exact else self._banded)

    def _banded(self) -> DataFrame:
        items = self.items()
        rows = items.select("rid", "keys").mapInArrow(
            kernels.band_rows, schema(key=LONG, rid=LONG))
        found = self.stage("buckets", lambda: (
            rows.repartition("key").sortWithinPartitions("key", "rid")
            .mapInArrow(partial(kernels.bucket_pairs, most=self.most, scope=self.scope),
                        schema(left=LONG, right=LONG, kind=T.IntegerType()))))
        pairs = found.where(F.col("kind") == kernels.PAIR).select("left", "right")
        with plain_errors(self.work.folder):
            hot = found.where(F.col("kind") == kernels.MEMBER).select(
                F.col("left").alias("rid")).distinct()
            is_hot = bool(hot.limit(1).count())
        if is_hot:
            pairs = pairs.unionByName(self._pairs_of_hot(items, hot))
        pairs = pairs.distinct()
        return self._pruned(pairs, items)

    def _pairs_of_hot(self, items: DataFrame, hot: DataFrame) -> DataFrame:
        """Pairs of rows in large buckets, by their rarest elements, that share a bucket."""
        texts = self.base.select("rid", "text").join(hot, "rid", "left_semi")
        pairs = self._prefix_pairs(texts)
        keys = items.select("rid", "keys")
        both = (pairs.join(keys.toDF("left", "k1"), "left").join(keys.toDF("right", "k2"), "right"))
        return both.mapInArrow(kernels.share_bucket, schema(right=LONG, left=LONG)).select(
            "left", "right")

    def _exact(self) -> DataFrame:
        items = self.items().select("rid", "rank")
        texts = self.base.select("rid", "text").join(items.select("rid"), "rid", "left_semi")
        return self._oriented(self._prefix_pairs(texts), items)

    def _prefix_pairs(self, texts: DataFrame) -> DataFrame:
        """(left, right): pairs of the rows that share one of their rarest elements."""
        measure = self.recipe.options.get("measure", "jaccard")
        if measure != "jaccard":
            raise UnsupportedError(f"measure={measure}: exact joins on Spark are by jaccard",
                                   option="measure")
        recipe = Recipe("", self.recipe.options)
        bits = min(COUNTER_BITS, max(12, (self.counted.bytes // 8).bit_length()))
        with plain_errors(self.work.folder):
            table = (texts.select("text")
                     .mapInArrow(partial(kernels.count_elements, recipe=recipe, bits=bits),
                                 schema(slot=T.IntegerType(), count=LONG))
                     .groupBy("slot").agg(F.sum("count").alias("count")).toArrow())
        counts = np.zeros(1 << bits, np.uint32)
        counts[table["slot"].to_numpy()] = np.minimum(table["count"].to_numpy(), 2**32 - 1)
        number = T.IntegerType()
        rows = texts.mapInArrow(
            partial(kernels.prefix_rows, recipe=recipe, counts=counts),
            schema(key=LONG, size=number, position=number, met=number, rid=LONG))
        return (rows.repartition("key").sortWithinPartitions("key", "size", "rid")
                .mapInArrow(partial(kernels.prefix_pairs, bound=self.bound, scope=self.scope),
                            schema(left=LONG, right=LONG)).distinct())

    def _with_both(self, pairs: DataFrame, items: DataFrame, *names: str) -> DataFrame:
        """Pairs with columns of both rows: name_l and name_r."""
        for side, mark in (("left", "_l"), ("right", "_r")):
            own = items.select(F.col("rid").alias(side),
                               *(F.col(name).alias(name + mark) for name in names))
            pairs = pairs.join(own, side)
        return pairs

    def _oriented(self, pairs: DataFrame, items: DataFrame, *names: str) -> DataFrame:
        both = self._with_both(pairs, items, "rank", *names)
        first = F.col("rank_l") < F.col("rank_r")
        extra = [F.col(name + mark) for name in names for mark in ("_l", "_r")]
        return both.select(
            F.when(first, F.col("left")).otherwise(F.col("right")).alias("lo"),
            F.when(first, F.col("right")).otherwise(F.col("left")).alias("hi"),
            F.when(first, F.col("rank_l")).otherwise(F.col("rank_r")).alias("lo_rank"),
            F.when(first, F.col("rank_r")).otherwise(F.col("rank_l")).alias("hi_rank"), *extra)

    def _pruned(self, pairs: DataFrame, items: DataFrame) -> DataFrame:
        agreements = self.recipe.shape()["filter_agreements"]
        known = items.select("rid", "rank", "filter")
        both = self._oriented(pairs, known, "filter").withColumnsRenamed(
            {"filter_l": "f1", "filter_r": "f2"})
        return both.mapInArrow(
            partial(kernels.prune, agreements=agreements),
            schema(lo=LONG, hi=LONG, lo_rank=self.rank, hi_rank=self.rank))

    def verified(self) -> DataFrame:
        """(lo, hi, is_copy, similarity, reaches, identical): of candidates, and of copies with the
        row whose text they have."""
        def make() -> DataFrame:
            pairs = self.candidates().select("lo", "hi", F.lit(False).alias("is_copy")).unionByName(
                self.copies().select(F.col("rep").alias("lo"), F.col("rid").alias("hi"),
                                     F.lit(True).alias("is_copy")))
            asked = pairs.toDF("leader", "member", "is_copy").unionByName(
                pairs.select(F.col("lo").alias("leader"), F.col("lo").alias("member"),
                             F.lit(False).alias("is_copy")).distinct())
            texts = self.base.select(F.col("rid").alias("member"), "text").join(asked, "member")
            stars = (texts.select("leader", "member", "is_copy", "text").repartition("leader")
                     .sortWithinPartitions("leader", F.col("leader") != F.col("member"), "member"))
            return stars.mapInArrow(
                partial(kernels.verify, recipe=self.recipe),
                schema(lo=LONG, hi=LONG, is_copy=T.BooleanType(), similarity=T.DoubleType(),
                       reaches=T.BooleanType(), identical=T.BooleanType()))
        return self.stage("verified", make)

    def count_edges(self) -> int:
        """Pairs of items that reach the threshold. Texts of one hash must be one text."""
        copy = F.col("is_copy")
        with plain_errors(self.work.folder):
            row = self.verified().agg(
                F.coalesce(F.sum((~copy & F.col("reaches")).cast("long")), F.lit(0)).alias("edges"),
                F.coalesce(F.sum((copy & ~F.col("identical")).cast("long")), F.lit(0)).alias("odd"),
            ).first()
        assert row is not None
        if row["odd"]:
            raise InputError(f"{row['odd']} texts have the 128-bit hash of another text",
                             hint="compare them with the program: sosie dedup")
        return int(row["edges"])

    def edges(self) -> DataFrame:
        """(lo, hi, lo_rank, hi_rank, similarity, identical): verified pairs of items."""
        reached = self.verified().where("reaches and not is_copy")
        return self.candidates().join(reached.drop("reaches", "is_copy"), ["lo", "hi"])

    def removals(self) -> DataFrame:
        """(lo, hi, similarity, identical): hi is removed for lo. Greedy in the order of ranks: an
        item goes for the first one before it that stays (star clustering)."""
        def make() -> DataFrame:
            edges, count = self.edges(), self.count_edges()
            if count > self.one_task:
                return self._survivors(edges, self._rounds(edges, count))
            return (edges.repartition(1).sortWithinPartitions("hi_rank", "lo_rank")
                    .select("lo", "hi", "similarity", "identical")
                    .mapInArrow(kernels.star, schema(lo=LONG, hi=LONG, similarity=T.DoubleType(),
                                                     identical=T.BooleanType())))
        return self.stage("removals", make)

    def _rounds(self, edges: DataFrame, count: int) -> DataFrame:
        """(hi): what is removed. In each round items without an open pair to a better one stay, and
        what they are paired with goes, until one task can decide the rest."""
        open_edges = edges.select("lo", "hi", "lo_rank", "hi_rank")
        gone: list[DataFrame] = []
        number = 0
        while count > self.one_task:
            waiting = open_edges.select(F.col("hi").alias("lo")).distinct()
            decided = open_edges.join(waiting, "lo", "left_anti")
            removed = self.stage(f"removed{number}", partial(_distinct, decided))
            gone.append(removed)
            rest = (open_edges.join(removed, "hi", "left_anti")
                    .join(removed.withColumnRenamed("hi", "lo"), "lo", "left_anti"))
            open_edges = self.stage(f"open{number}", partial(_same, rest))
            with plain_errors(self.work.folder):
                count = open_edges.count()
            number += 1
        last = (open_edges.repartition(1).sortWithinPartitions("hi_rank", "lo_rank")
                .select("lo", "hi", F.lit(0.0).alias("similarity"), F.lit(False).alias("identical"))
                .mapInArrow(kernels.star, schema(lo=LONG, hi=LONG, similarity=T.DoubleType(),
                                                 identical=T.BooleanType())).select("hi"))
        return _union([*gone, last])

    def _survivors(self, edges: DataFrame, removed: DataFrame) -> DataFrame:
        removed = self.stage("removed", lambda: removed)
        kept = (edges.join(removed, "hi", "left_semi")
                .join(removed.withColumnRenamed("hi", "lo"), "lo", "left_anti"))
        first = F.min(F.struct("lo_rank", "lo", "similarity", "identical")).alias("first")
        return kept.groupBy("hi").agg(first).select("first.lo", "hi", "first.similarity",
                                                    "first.identical")


def _distinct(decided: DataFrame) -> DataFrame:
    return decided.select("hi").distinct()


def _same(frame: DataFrame) -> DataFrame:
    return frame


def _union(frames: Iterable[DataFrame]) -> DataFrame:
    first, *others = frames
    for frame in others:
        first = first.unionByName(frame)
    return first

