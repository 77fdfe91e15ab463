"""The stages of a job, from rows to verified pairs and decisions. Each stage is a pure function of
the previous one, so that partitions, retries, speculation and adaptive execution change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import InputError, UnsupportedError
from . import _kernels as kernels
from . import _pieces as pieces
from ._arrays import Scope
from ._groups import LARGEST_PART_BYTES, group_pairs
from ._kernels import Jaccard, Recipe
from ._source import Counted, threshold_of
from ._work import Work, plain_errors

LARGEST_BUCKET = 1000  # above this, pairs in a bucket are found by their rarest elements
ONE_TASK_EDGES = 4_000_000  # pairs that one task decides as a stream; more require rounds first
MOST_BROADCAST = 2_000_000  # rows of two numbers that every executor receives
MOST_TEMPLATES = 10
ROWS_OF_SAMPLE = 64  # of a template
ROWS_OF_PART = 2048  # of a large bucket or star, that are compared at a time
COUNTER_BITS = 22
BAND_ROWS_OF_PART = 2_000_000
ITEMS_OF_PART = 1 << 16
PAIRS_OF_PART = 500_000
USUAL_PARTS = 200
LEAST_OF_PART = 1 << 18
LONG = T.LongType()


def schema(**columns: T.DataType) -> T.StructType:
    return T.StructType([T.StructField(name, kind) for name, kind in columns.items()])


GROUPED = schema(group=LONG, is_pair=T.BooleanType(), left=LONG, right=LONG, is_copy=T.BooleanType())
PIECE = schema(part=LONG, kind=LONG, **dict.fromkeys(pieces.COLUMNS, T.BinaryType()))


@dataclass
class Job:
    """A join: the rows, how they are compared, and where its stages are kept."""

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
        """Rows (rid, rank, h1, h2, keys, filter, bytes): everything about rows except their texts."""
        columns = schema(rid=LONG, rank=self.rank, h1=LONG, h2=LONG, keys=T.BinaryType(),
                         filter=T.BinaryType(), bytes=LONG)
        return self.stage("sketches", lambda: self.base.mapInArrow(
            partial(kernels.sketch, recipe=self.recipe), columns))

    def copies(self) -> DataFrame:
        """Returns rows (rid, rank, rep, rep_rank, bytes): rows whose text (by its hash) also occurs
        in a better-ranked row, `rep`; `bytes` is the size of the row itself."""
        def make() -> DataFrame:
            best_first = Window.partitionBy("h1", "h2", "rank.side").orderBy("rank")
            best = F.first(F.struct("rank", "rid")).over(best_first)
            return (self.sketches().where("h1 is not null")
                    .select("rid", "rank", best.alias("best"), "bytes").where("rid != best.rid")
                    .select("rid", "rank", F.col("best.rid").alias("rep"),
                            F.col("best.rank").alias("rep_rank"), "bytes"))
        return self.stage("copies", make)

    def items(self) -> DataFrame:
        """Rows that are compared: the best-ranked row of each text."""
        copies = self.copies().select("rid")
        return self.sketches().where("keys is not null").join(
            F.broadcast(copies) if self._few_copies else copies, "rid", "left_anti")

    @cached_property
    def _few_copies(self) -> bool:
        with plain_errors(self.work.folder):
            return bool(self.copies().count() <= MOST_BROADCAST)

    def candidates(self) -> DataFrame:
        """Rows (left, right, left_bytes, right_bytes): pairs whose texts are worth comparing."""
        return self.stage("candidates", self._exact if self.exact else self._banded)

    @staticmethod
    def parts_of(rows: int, most: int) -> int:
        """Returns the number of parts for a stage whose rows travel in pieces: parts have `most`
        rows, or fewer, so that many executors get some of them."""
        return max(1, -(-rows // most), min(USUAL_PARTS, rows // LEAST_OF_PART))

    def _by_part(self, rows: DataFrame, parts: int) -> DataFrame:
        return rows.repartition(parts, "part").sortWithinPartitions("part", "kind")

    def buckets(self) -> DataFrame:
        """Pieces: pairs that share a band key, and members of large buckets."""
        def make() -> DataFrame:
            bands = json.loads(self.recipe.plan)["bands"]
            parts = self.parts_of(self.counted.rows * bands, BAND_ROWS_OF_PART)
            rows = self.items().select("rid", "keys").mapInArrow(
                partial(pieces.band_pieces, parts=parts), PIECE)
            return self._by_part(rows, parts).mapInArrow(
                partial(pieces.bucket_pieces, most=self.most, scope=self.scope), PIECE)
        return self.stage("buckets", make)

    def _count_of_pairs(self) -> int:
        """Number of pairs that share a bucket, counted once for each bucket."""
        with plain_errors(self.work.folder):
            row = self.buckets().where(F.col("kind") == pieces.PAIR).agg(
                F.coalesce(F.sum(F.octet_length("a")), F.lit(0)).alias("bytes")).first()
        assert row is not None
        return int(row["bytes"]) // 8

    def _banded(self) -> DataFrame:
        found = self.buckets()
        items = self.items()
        pairs = found.where(F.col("kind") == pieces.PAIR)
        with plain_errors(self.work.folder):
            is_hot = bool(found.where(F.col("kind") == pieces.MEMBER).limit(1).count())
        if is_hot:
            hot = self.hot_members().select("rid").distinct()
            pairs = pairs.unionByName(self._pairs_of_hot(items, hot).mapInArrow(
                pieces.pair_pieces, PIECE))
        parts = max(self.parts_of(self.counted.rows, ITEMS_OF_PART),
                    self.parts_of(self._count_of_pairs(), PAIRS_OF_PART))
        known = items.select("rid", "filter", "bytes").mapInArrow(
            partial(pieces.item_pieces, parts=parts), PIECE)
        by_left = pairs.mapInArrow(partial(pieces.by_left, parts=parts), PIECE)
        half = self._by_part(known.unionByName(by_left), parts).mapInArrow(
            partial(pieces.with_left, parts=parts), PIECE)
        return self._by_part(known.unionByName(half), parts).mapInArrow(
            partial(pieces.prune, rule=self.recipe.filter),
            schema(left=LONG, right=LONG, left_bytes=LONG, right_bytes=LONG))

    def _pairs_of_hot(self, items: DataFrame, hot: DataFrame) -> DataFrame:
        """Returns pairs of rows that share a large bucket: by their rarest elements, or part by
        part for rows without elements."""
        if not self.recipe.has_elements:
            return self._pairs_of_parts(items)
        texts = self.base.select("rid", "text").join(hot, "rid", "left_semi")
        pairs = self._prefix_pairs(texts)
        keys = items.select("rid", "keys")
        both = (pairs.join(keys.toDF("left", "k1"), "left").join(keys.toDF("right", "k2"), "right"))
        return both.mapInArrow(kernels.share_bucket, schema(right=LONG, left=LONG)).select(
            "left", "right")

    def _pairs_of_parts(self, items: DataFrame) -> DataFrame:
        """Pairs of rows in large buckets that the filters do not rule out."""
        members = self.hot_members()
        parts = members.groupBy("key").agg(
            F.ceil(F.count(F.lit(1)) / ROWS_OF_PART).cast("int").alias("parts"))
        own = F.pmod(F.xxhash64("rid"), F.col("parts"))
        rows = (members.join(parts, "key").join(items.select("rid", "filter"), "rid")
                .select("key", "rid", "filter", own.cast("long").alias("part"),
                        F.explode(F.sequence(F.lit(0), F.col("parts") - 1)).alias("with")))
        first, second = (pick("part", F.col("with").cast("long")) for pick in (F.least, F.greatest))
        tile = F.xxhash64("key", first, second)
        return (rows.select(tile.alias("tile"), F.col("key").alias("other"),
                            (F.col("part") != first).cast("long").alias("own"), "rid", "filter")
                .repartition("tile").sortWithinPartitions("tile", "other", "own", "rid")
                .mapInArrow(partial(pieces.tile_pairs, rule=self.recipe.filter, scope=self.scope),
                            schema(left=LONG, right=LONG)))

    def hot_members(self) -> DataFrame:
        """Rows (rid, key): the members of buckets that are too large to list their pairs."""
        return self.buckets().where(F.col("kind") == pieces.MEMBER).select("a", "b").mapInArrow(
            pieces.member_rows, schema(rid=LONG, key=LONG))

    def templates(self) -> list[dict[str, object]]:
        """Returns the templates that cause large buckets of texts, the template with the most rows
        first: rows, common (the mean share of their shingles that half of the rows have), passage.
        Each row counts for its largest bucket."""
        if self.exact or self.recipe.kind != "text":
            return []
        members = self.hot_members()
        sizes = members.groupBy("key").agg(F.count(F.lit(1)).alias("rows"))
        of_row = (members.join(sizes, "key").groupBy("rid")
                  .agg(F.max(F.struct("rows", "key")).alias("largest"))
                  .select("rid", F.col("largest.key").alias("key")))
        in_hash_order = Window.partitionBy("key").orderBy(F.xxhash64("rid"), "rid")
        largest = (of_row.groupBy("key").agg(F.count(F.lit(1)).alias("rows"))
                   .orderBy(F.desc("rows"), "key").limit(MOST_TEMPLATES))
        sample = (of_row.join(F.broadcast(largest), "key")
                  .withColumn("number", F.row_number().over(in_hash_order))
                  .where(F.col("number") <= ROWS_OF_SAMPLE))
        with plain_errors(self.work.folder):
            table = (self.base.select("rid", "text").join(F.broadcast(sample), "rid")
                     .orderBy(F.desc("rows"), "key", "number").select("key", "rows", "text")
                     .toArrow())
        found: dict[str, dict[str, object]] = {}
        for key in dict.fromkeys(table["key"].to_pylist()):
            rows = table.filter(pa.compute.equal(table["key"], key))
            told = kernels.template(rows["text"], self.recipe)
            known = found.setdefault(str(told["passage"]), {"rows": 0, **told})
            known["rows"] = int(str(known["rows"])) + int(rows["rows"][0].as_py())
        return list(found.values())

    def _exact(self) -> DataFrame:
        items = self.items().select("rid", "bytes")
        texts = self.base.select("rid", "text").join(items.select("rid"), "rid", "left_semi")
        pairs = self._prefix_pairs(texts)
        for side in ("left", "right"):
            pairs = pairs.join(items.toDF(side, f"{side}_bytes"), side)
        return pairs.select("left", "right", "left_bytes", "right_bytes")

    def _prefix_pairs(self, texts: DataFrame) -> DataFrame:
        """Rows (left, right): pairs of rows that share one of their rarest elements."""
        measure = self.recipe.options.get("measure", "jaccard")
        if measure != "jaccard":
            raise UnsupportedError(f"measure={measure}: exact joins on Spark are by jaccard",
                                   option="measure")
        recipe = Recipe("", self.recipe.options)
        with plain_errors(self.work.folder):
            held = self.sketches().agg(F.coalesce(F.sum("bytes"), F.lit(0)).alias("sum")).first()
            assert held is not None
            bits = min(COUNTER_BITS, max(12, (held["sum"] // 8).bit_length()))
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

    def grouped(self) -> DataFrame:
        """Rows (group, is_pair, left, right, is_copy): candidates, and copies paired with the row that has
        the same text, each in the group that brings their texts together. If is_pair is false, the
        row lists a member of the group, paired with itself."""
        def make() -> DataFrame:
            of_items = self.candidates().withColumn("is_copy", F.lit(False))
            of_copies = self.copies().select(
                F.col("rep").alias("left"), F.col("rid").alias("right"),
                F.col("bytes").alias("left_bytes"), F.col("bytes").alias("right_bytes"),
                F.lit(True).alias("is_copy"))
            pairs = of_items.unionByName(of_copies)
            if pairs.count() <= self.one_task:
                return pairs.repartition(1).mapInArrow(group_pairs, GROUPED)
            stars = _stars(pairs).select("group", F.lit(True).alias("is_pair"), "left", "right",
                                         "is_copy")
            rows = stars.select("group", "left").unionByName(
                stars.select("group", F.col("right").alias("left"))).distinct()
            return stars.unionByName(rows.select(
                "group", F.lit(False).alias("is_pair"), "left", F.col("left").alias("right"),
                F.lit(False).alias("is_copy")))
        return self.stage("grouped", make)

    def verified(self) -> DataFrame:
        """Rows (left, right, is_copy, similarity, reaches, identical) for all grouped pairs."""
        def make() -> DataFrame:
            members = self.grouped().where("not is_pair").withColumn("rid", F.col("left"))
            if members.count() <= MOST_BROADCAST:
                members = F.broadcast(members)
            texts = self.base.select("rid", "text").join(members, "rid").drop("rid")
            rows = texts.unionByName(self.grouped().where("is_pair"), allowMissingColumns=True)
            return (rows.repartition("group").sortWithinPartitions("group", "is_pair", "left")
                    .mapInArrow(partial(kernels.verify, recipe=self.recipe), schema(
                        left=LONG, right=LONG, is_copy=T.BooleanType(), similarity=T.DoubleType(),
                        reaches=T.BooleanType(), identical=T.BooleanType())))
        return self.stage("verified", make)

    def count_edges(self) -> int:
        """Number of pairs of items that reach the threshold. Texts with equal hashes must be equal."""
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
        """Returns rows (lo, hi, lo_rank, hi_rank, similarity, identical): verified pairs of items,
        where lo ranks better than hi."""
        def make() -> DataFrame:
            ranks = self.sketches().select("rid", "rank")
            both = (self.verified().where("reaches and not is_copy")
                    .join(ranks.toDF("left", "rank_l"), "left")
                    .join(ranks.toDF("right", "rank_r"), "right"))
            first = F.col("rank_l") < F.col("rank_r")

            def better(one: str, other: str) -> Column:
                return F.when(first, F.col(one)).otherwise(F.col(other))

            return both.select(
                better("left", "right").alias("lo"), better("right", "left").alias("hi"),
                better("rank_l", "rank_r").alias("lo_rank"),
                better("rank_r", "rank_l").alias("hi_rank"), "similarity", "identical")
        return self.stage("edges", make)

    def removals(self) -> DataFrame:
        """Returns rows (lo, hi, similarity, identical): hi is removed because of lo. Greedy in rank
        order: an item is removed by the first earlier item that is similar and remains (star
        clustering)."""
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
        """Returns rows (hi): removed items. In each round, items without an open pair to a
        better-ranked item remain, and their partners are removed, until a single task can decide
        the rest."""
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


def _stars(pairs: DataFrame) -> DataFrame:
    """Pairs with a group: the pairs of a left row, in parts where these are many or have much text."""
    parts = pairs.groupBy("left").agg(
        F.greatest(F.ceil(F.count(F.lit(1)) / ROWS_OF_PART),
                   F.ceil(F.sum("right_bytes") / LARGEST_PART_BYTES)).alias("parts"))
    part = F.pmod(F.xxhash64("right"), F.greatest("parts", F.lit(1)))
    return pairs.join(parts, "left").withColumn("group", F.xxhash64("left", part))


def _distinct(decided: DataFrame) -> DataFrame:
    return decided.select("hi").distinct()


def _same(frame: DataFrame) -> DataFrame:
    return frame


def _union(frames: Iterable[DataFrame]) -> DataFrame:
    first, *others = frames
    for frame in others:
        first = first.unionByName(frame)
    return first

