"""Rows of DataFrames: their numbers, ranks and texts, checked before a job runs."""

from __future__ import annotations

import difflib
import json
import os
import re
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .. import _sosie
from .._batches import plan_text, rows_of
from .._source import exact, native
from ..errors import InputError, OptionError, UnsupportedError
from . import _kernels as kernels
from ._work import plain_errors

SAMPLE_ROWS = 2048
SAMPLE_BYTES = 24 << 20
KINDS = ("text", "sets", "vectors", "bits")
KIND_OPTIONS = ("kind", "measure", "shingle", "stopwords", "tokens", "sketch", "seed", "threshold",
                "within")
PLAN_OPTIONS = ("recall", "bands", "family")


def checked_options(verb: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options checked by the option table; None means not given."""
    given = {name: exact(value) for name, value in options.items() if value is not None}
    for name in given:
        if name not in KIND_OPTIONS + PLAN_OPTIONS:
            hint = _sosie.option_hint(name, "pairs")
            raise TypeError(f"spark.{verb}() takes no '{name}'" + (hint and f": {hint}"))
    kind = given.get("kind", "text")
    if kind not in KINDS:
        raise UnsupportedError(f"kind={kind}: not on Spark", option="kind",
                               hint="text, sets, vectors and bits are")
    return given


@dataclass(frozen=True)
class Wanted:
    """The contents of a column of items."""

    type: type[T.DataType]
    name: str


WANTED = {
    "text": Wanted(T.StringType, "texts"),
    "sets": Wanted(T.ArrayType, "arrays"),
    "vectors": Wanted(T.ArrayType, "arrays of numbers"),
    "bits": Wanted(T.StringType, "strings of hexadecimal digits"),
}


@dataclass(frozen=True)
class Columns:
    """The columns of a DataFrame that a job uses."""

    text: str
    id: str
    order: str | None
    keep: str | list[str] = "first"

    def check(self, rows: DataFrame, kind: str) -> None:
        names = [self.text, self.id] + ([self.order] if self.order else [])
        for name in [*names, *(field for _, field in self.rules() if field)]:
            if name not in rows.columns:
                near = difflib.get_close_matches(name, rows.columns, 3, 0.5)
                raise InputError(
                    f"no column '{name}'", place=name,
                    hint="did you mean " + " or ".join(near) + "?" if near
                    else "there are " + ", ".join(rows.columns[:20]))
        held = rows.schema[self.text].dataType
        wanted = WANTED[kind]
        is_wanted = isinstance(held, wanted.type)
        if kind == "vectors" and isinstance(held, T.ArrayType):
            is_wanted = isinstance(held.elementType, T.NumericType)
        if not is_wanted:
            told = held.simpleString()
            hint = ("pyspark.ml.functions.vector_to_array makes arrays of them"
                    if kind == "vectors" and told == "vector" else None)
            raise InputError(f"column '{self.text}' holds {told}, not {wanted.name}",
                             place=self.text, hint=hint)
        if kind in ("vectors", "bits"):
            for rule, _ in self.rules():
                if rule in ("longest", "shortest"):
                    raise OptionError(f"keep={self.keep}: {kind} have no length to rank by",
                                      option="keep")
        id_type = rows.schema[self.id].dataType
        if not isinstance(id_type, (T.IntegralType, T.StringType)):
            raise InputError(f"column '{self.id}' holds {id_type.simpleString()}: ids are strings "
                             "or whole numbers", place=self.id)

    def rules(self) -> list[tuple[str, str]]:
        """Rules of keep=, as (rule, field)."""
        rules = []
        for rule in _sosie.joined_names(_sosie.checked_option("keep", self.keep)):
            name, _, field = rule.partition(":")
            rules.append((name, re.sub(r"\\(.)", r"\1", field)))
        return rules


def column_of(name: str) -> Column:
    """Returns the column with this name, which may contain any characters."""
    return F.col("`" + name.replace("`", "``") + "`")


def alike(rows: DataFrame, others: DataFrame, columns: Columns) -> tuple[DataFrame, DataFrame]:
    """Both collections, with ids and orders of the same type."""
    for name in dict.fromkeys((columns.id, columns.order or columns.id)):
        own, other = rows.schema[name].dataType, others.schema[name].dataType
        if own == other:
            continue
        if not (isinstance(own, T.IntegralType) and isinstance(other, T.IntegralType)):
            raise InputError(f"column '{name}' holds {own.simpleString()}, in against "
                             f"{other.simpleString()}", place=name, hint="cast one of them")
        rows, others = (frame.withColumn(name, column_of(name).cast("long"))
                        for frame in (rows, others))
    return rows, others


def descending(rows: DataFrame, name: str) -> Column:
    """A value that falls as the column's value rises; nulls come last."""
    kind = rows.schema[name].dataType
    if isinstance(kind, T.IntegralType):
        return F.bitwise_not(column_of(name))  # also correct for the lowest number
    if isinstance(kind, T.NumericType):
        return -column_of(name)
    if isinstance(kind, (T.TimestampType, T.TimestampNTZType)):
        return -F.unix_micros(column_of(name).cast("timestamp"))
    if isinstance(kind, T.DateType):
        return -F.unix_date(column_of(name))
    raise UnsupportedError(f"column '{name}' holds {kind.simpleString()}: numbers and times can be "
                           "ranked from the last", option="keep")


def rank_fields(rows: DataFrame, columns: Columns) -> list[Column]:
    """The columns that rank a row, most important first; nulls rank last."""
    fields = []
    order = columns.order or columns.id
    for number, (rule, field) in enumerate(columns.rules()):
        if rule == "first":
            continue
        if rule == "last":
            value = descending(rows, order)
        elif rule in ("longest", "shortest"):
            length = F.octet_length(column_of(columns.text))
            value = -length if rule == "longest" else length
        else:
            value = descending(rows, field) if rule == "max" else column_of(field)
            fields.append(value.isNull().alias(f"none{number}"))
        fields.append(value.alias(f"k{number}"))
    return fields


def numbered(rows: DataFrame, columns: Columns, side: int | None, seed: int) -> DataFrame:
    """Returns rows (rid, rank, text). `side`: 1 for another collection, 0 for the collection
    compared with it, None if there is only one, whose whole-number ids are then used unchanged."""
    key = column_of(columns.id)
    whole = isinstance(rows.schema[columns.id].dataType, T.IntegralType)
    if side is None and whole:
        rid = key.cast("long")
    else:
        rid = F.xxhash64(key, F.lit(seed))
        if side is not None:
            rid = rid.bitwiseAND(F.lit(-2)).bitwiseOR(F.lit(side))
    order = column_of(columns.order or columns.id)
    return rows.select(
        rid.alias("rid"),
        F.struct(F.lit(0 if side is None else 1 - side).alias("side"),
                 *(rank_fields(rows, columns) if side != 1 else none_of(rows, columns)),
                 order.alias("order"), key.alias("id")).alias("rank"),
        column_of(columns.text).alias("text"),
    )


def none_of(rows: DataFrame, columns: Columns) -> list[Column]:
    """Rank columns for rows of another collection, which all come first, in input order only."""
    return [F.lit(None).alias(name) for name in rank_names(columns)]


def rank_names(columns: Columns) -> list[str]:
    names = []
    for number, (rule, _) in enumerate(columns.rules()):
        if rule in ("max", "min"):
            names.append(f"none{number}")
        if rule != "first":
            names.append(f"k{number}")
    return names


@dataclass(frozen=True)
class Counted:
    """Facts about the rows, known before a job begins."""

    rows: int
    content: int  # sum of the hashes of all rows; 0: not requested


def count(base: DataFrame, columns: Columns, kind: str, with_content: bool) -> Counted | None:
    """Counts rows and raises InputError for duplicate ids; returns None if the numbers of two ids
    collide. Reads items only to check their length or hash their contents."""
    nothing = F.lit(None).cast("long")
    units = nothing
    if kind == "vectors":
        units = F.when(F.col("text").isNotNull(), F.size("text"))
    elif kind == "bits":
        units = F.length(F.regexp_replace("text", r"^\s*0[xX]|\s", ""))  # digits alone
    content = F.xxhash64("rid", "rank", "text").cast("decimal(38,0)") if with_content else nothing
    of_number = base.groupBy("rid").agg(
        F.count(F.lit(1)).alias("n"), F.min("rank.id").alias("a"), F.max("rank.id").alias("b"),
        F.min(units).alias("least"), F.max(units).alias("most"), F.sum(content).alias("content"),
        F.sum(F.col("rank.id").isNull().cast("long")).alias("no_id"),
        F.sum(F.col("rank.order").isNull().cast("long")).alias("no_order"))
    with plain_errors():
        row = of_number.agg(
            *(F.coalesce(F.sum(name), F.lit(0)).alias(name)
              for name in ("n", "content", "no_id", "no_order")),
            F.min("least").alias("least"), F.max("most").alias("most"),
            F.min(F.when((F.col("n") > 1) & (F.col("a") == F.col("b")), F.col("a"))).alias("twice"),
            F.max((F.col("n") > 1) & (F.col("a") != F.col("b"))).alias("collide")).first()
    assert row is not None
    if row["no_id"]:
        raise InputError(f"column '{columns.id}': {row['no_id']} rows have no id", place=columns.id,
                         hint="ids are unique and not null")
    if row["twice"] is not None:
        raise InputError(f"column '{columns.id}': id '{row['twice']}' occurs twice", place=columns.id,
                         hint="ids are unique; monotonically_increasing_id() does not qualify, since it "
                         "changes with partitions")
    if row["no_order"]:
        raise InputError(f"column '{columns.order}': {row['no_order']} rows have no value",
                         place=columns.order, hint="fill the column, or leave order= out")
    if kind in ("vectors", "bits") and row["least"] != row["most"]:
        one = "components" if kind == "vectors" else "digits"
        raise InputError(f"column '{columns.text}': rows have {row['least']} to {row['most']} {one}",
                         place=columns.text, hint=f"{kind} that are compared must have the same length")
    return None if row["collide"] else Counted(row["n"], int(row["content"]))


def warn_of_ties(base: DataFrame, columns: Columns) -> None:
    """Warns about rows with the same place in the order, which are then ordered by their ids."""
    if columns.order is None:
        return
    with plain_errors():
        tie = (base.groupBy("rank.side", "rank.order").count().where("count > 1")
               .agg(F.count(F.lit(1)).alias("n")).first())
    if tie is not None and tie["n"]:
        warnings.warn(f"column '{columns.order}': {tie['n']} values occur in several rows, which "
                      f"are then ordered by '{columns.id}'", stacklevel=4)


def plan_of(base: DataFrame, counted: Counted, given: Mapping[str, Any],
            plan: str | os.PathLike[str] | None) -> str:
    """The given plan, or a plan for a sample chosen by a hash of the ids."""
    if plan is not None:
        for name in PLAN_OPTIONS:
            if name in given:
                raise OptionError(f"{name}: is set by the plan", option=name,
                                  hint="leave out one of the two")
        return plan_text(plan)
    wanted = max(1, -(-counted.rows // SAMPLE_ROWS))
    mixed = F.xxhash64(F.col("rank.id"), F.lit("sosie"))
    drawn = base.where(F.pmod(mixed, F.lit(wanted)) == 0).select("rank", "text", mixed.alias("mixed"))
    size = F.octet_length("text") if isinstance(base.schema["text"].dataType, T.StringType) else (
        F.size("text") * 8)
    in_order = Window.orderBy("mixed", "rank")
    held = F.sum(F.coalesce(size, F.lit(0)).cast("long")).over(
        in_order.rowsBetween(Window.unboundedPreceding, -1))
    with plain_errors():
        numbered_sample = drawn.select("rank.id", "text", F.row_number().over(in_order).alias("number"),
                                       F.coalesce(held, F.lit(0)).alias("held"))
        sample = (numbered_sample.where(F.col("held") < SAMPLE_BYTES).select("number", "id", "text")
                  .toArrow().sort_by("number"))
        if given.get("kind", "text") in ("vectors", "bits"):  # otherwise nulls are rows without elements
            sample = sample.drop_null()

    def planned(texts: pa.Array) -> str:
        rows, options = rows_of(pa.table({"text": texts}), {**given, "column": "text"})
        return saved_plan(native(rows), options)

    texts = sample["text"].combine_chunks()
    with kernels.told_by_id(texts, lambda row: sample["id"][row], planned):
        return planned(texts)


def saved_plan(rows: object, options: Mapping[str, Any]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.json"
        asked = {name: value for name, value in options.items() if name not in ("id", "column")}
        if rows is not None:
            asked["column"] = "text"
        if asked.get("kind") == "vectors":
            asked["probes"] = 1  # rows meet only through keys
        _sosie.plan(rows, None, {**asked, "method": "lsh", "output": str(path)})
        return path.read_text("utf-8")


def plan_without_bands(given: Mapping[str, Any]) -> str:
    """A plan for exact joins, which use only the text hashes of sketches."""
    return saved_plan(None, {**given, "recall": "0.5", "bands": "1x1"})


def options_of(plan: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options that decide how rows are represented and compared, including the plan's."""
    told: dict[str, Any] = {}
    if plan:
        saved = json.loads(plan)
        told = {name: saved[name] for name in ("measure", "seed")}
        if saved["kind"] in ("vectors", "bits"):
            told["kind"] = saved["kind"]
        else:
            told["sketch"] = saved["sketch"]
            if saved["shingle"] != "elements":
                told["tokens"] = saved["tokens"]
                told["shingle"] = saved["shingle"].partition("@")[0]
        if "within" not in given and "threshold" not in given:
            told |= {name: saved[name] for name in ("threshold", "within") if name in saved}
    return {**told, **{name: value for name, value in given.items() if name not in PLAN_OPTIONS}}


def threshold_of(given: Mapping[str, Any]) -> Fraction:
    """The Jaccard similarity that pairs must reach."""
    if "within" in given:
        return 1 - Fraction(str(given["within"]))
    return Fraction(str(given.get("threshold", _sosie.default_of("threshold"))))

