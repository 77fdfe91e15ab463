"""Spark jobs give the same rows, survivors, similarities and pairs as a run on one machine."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from conftest import make_rows
from pyspark.sql import DataFrame, SparkSession

import sosie
import sosie.spark
from sosie.spark import _stages

ROWS = make_rows(5, 700)
COLUMNS = "id string, n long, text string"


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plan") / "plan.json"
    sosie.plan([text for _, _, text in ROWS], method="lsh", threshold=0.7, output=path)
    return path


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    shuffled = sorted(ROWS)  # in another order
    return spark.createDataFrame(shuffled, COLUMNS).repartition(3).localCheckpoint()


def removed_here(rows: list[Any], **options: Any) -> set[tuple[str, str, float, bool]]:
    """Returns the rows that a run on a single machine removes."""
    result = sosie.dedup([row[2] for row in rows], threshold=0.7, **options)
    return {(rows[row][0], rows[kept][0], similarity, exact)
            for row, kept, similarity, exact in result.removed}


def pairs_here(rows: list[Any], **options: Any) -> set[tuple[str, str, float]]:
    found = sosie.pairs([row[2] for row in rows], threshold=0.7, **options)
    return {(rows[left][0], rows[right][0], similarity) for left, right, similarity in found}


def collected(frame: DataFrame) -> set[tuple[Any, ...]]:
    rows = [tuple(row) for row in frame.collect()]
    assert len(rows) == len(set(rows))
    return set(rows)


def test_rows_survivors_and_pairs_are_those_of_one_machine(frame: DataFrame, plan: Path):
    result = sosie.spark.dedup(frame, order="n", plan=plan, threshold=0.7)
    expected = removed_here(ROWS, plan=plan)
    assert collected(result.removed) == expected and len(expected) > 100
    gone = {row[0] for row in expected}
    assert collected(result.kept) == {row for row in ROWS if row[0] not in gone}
    assert result.kept.columns == ["id", "n", "text"]
    assert collected(result.pairs) == pairs_here(ROWS, plan=plan)
    stats = result.stats
    assert stats["rows"] == len(ROWS) and stats["removed"] == len(expected)
    assert stats["identical"] == sum(exact for *_, exact in expected)


def test_the_plan_of_a_job_gives_its_rows_on_one_machine(frame: DataFrame, tmp_path: Path):
    result = sosie.spark.dedup(frame, order="n", threshold=0.7, recall=0.95)
    again = sosie.spark.plan(frame.repartition(3), threshold=0.7, recall=0.95)
    assert again == result.plan
    path = tmp_path / "plan.json"
    path.write_text(result.plan)
    assert collected(result.removed) == removed_here(ROWS, plan=path, recall=0.95)


@pytest.fixture(scope="module")
def sketched(frame: DataFrame, plan: Path) -> dict[str, DataFrame]:
    """The stages with which jobs under the plan begin."""
    job = sosie.spark.dedup(frame, order="n", plan=plan)._job
    job.copies()
    return job.frames


def test_rounds_decide_as_one_task_does(frame: DataFrame, plan: Path,
                                        sketched: dict[str, DataFrame],
                                        monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_stages, "ROWS_OF_PART", 2)  # of a star
    result = sosie.spark.dedup(frame, order="n", plan=plan)
    result._job.frames |= sketched
    result._job.one_task = 20
    assert collected(result.removed) == removed_here(ROWS, plan=plan)
    of_group = result._job.grouped().where("is_pair").groupBy("group").count().collect()
    assert max(row["count"] for row in of_group) <= 6 < sum(row["count"] for row in of_group)


def test_large_buckets_lose_no_pair(frame: DataFrame, plan: Path, sketched: dict[str, DataFrame]):
    result = sosie.spark.dedup(frame, order="n", plan=plan)
    result._job.frames |= sketched
    result._job.most = 2
    assert collected(result.removed) == removed_here(ROWS, plan=plan)
    assert collected(result.pairs) == pairs_here(ROWS, plan=plan)


def test_an_exact_job_finds_every_pair(frame: DataFrame):
    result = sosie.spark.dedup(frame, order="n", method="exact", threshold=0.7)
    assert collected(result.removed) == removed_here(ROWS, method="exact")
    assert collected(result.pairs) == pairs_here(ROWS, method="exact")


@pytest.mark.parametrize("keep", ["longest,last", "max:n"])
def test_rows_rank_as_on_one_machine(frame: DataFrame, plan: Path, keep: str):
    table = pyarrow.table({"text": [row[2] for row in ROWS], "n": [row[1] for row in ROWS]})
    expected = sosie.dedup(table, threshold=0.7, plan=plan, keep=keep)
    result = sosie.spark.dedup(frame, order="n", plan=plan, keep=keep)
    found = collected(result.removed.select("id", "kept_id", "similarity", "exact"))
    assert found == {(ROWS[row][0], ROWS[kept][0], s, e) for row, kept, s, e in expected.removed}


def test_rows_of_another_collection_win(frame: DataFrame, plan: Path, spark: SparkSession):
    own, others = ROWS[200:], ROWS[:200]
    texts = [row[2] for row in own], [row[2] for row in others]
    expected = sosie.dedup(texts[0], against=texts[1], threshold=0.7, plan=plan)
    ours = {(own[row][0], (others if in_other else own)[kept][0], similarity, exact, in_other)
            for row, kept, similarity, exact, in_other in expected.removed}
    data, other = (spark.createDataFrame(rows, COLUMNS) for rows in (own, others))
    result = sosie.spark.dedup(data, against=other, order="n", plan=plan)
    assert collected(result.removed) == ours
    assert result.kept.count() == int(expected.mask.sum())
    found = sosie.spark.pairs(data, against=other, order="n", plan=plan)
    here = sosie.pairs(texts[0], against=texts[1], threshold=0.7, plan=plan)
    assert collected(found.pairs) == {(own[a][0], others[b][0], s) for a, b, s in here}


def test_sets_and_whole_ids(spark: SparkSession):
    sets = [sorted({(n * k) % 50 for k in range(1, 12)}) for n in range(60)]
    frame = spark.createDataFrame([(n, items) for n, items in enumerate(sets)],
                                  "id int, items array<int>")
    result = sosie.spark.dedup(frame, column="items", kind="sets", threshold=0.5, bands="20x3")
    here = sosie.dedup(sets, kind="sets", threshold=0.5, bands="20x3", method="lsh")
    assert collected(result.removed) == {tuple(row) for row in here.removed}


def near_vectors(seed: int) -> np.ndarray:
    """Vectors with near-copies and equal ones."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(150, 24)).astype(np.float32)
    near = rows[::3] + draw.normal(scale=0.05, size=(50, 24)).astype(np.float32)
    rows = np.concatenate([rows, near, rows[::7]])
    return rows[draw.permutation(len(rows))]


ITEMS = {
    "cosine": ("vectors", {"threshold": 0.95}),
    "euclidean": ("vectors", {"measure": "euclidean", "within": 2}),
    "bits": ("bits", {"within": 4}),
}


@pytest.mark.parametrize("name", ITEMS)
def test_vectors_and_bit_strings(spark: SparkSession, tmp_path: Path, name: str):
    kind, options = ITEMS[name]
    rows = near_vectors(3)
    items = rows if kind == "vectors" else [np.packbits(row > 0).tobytes().hex() for row in rows]
    if kind == "bits":
        items[0] = f" 0x{items[0].upper()}"
    path = tmp_path / "plan.json"
    probes = {"probes": 1} if kind == "vectors" else {}
    sosie.plan(items, kind=kind, method="lsh", bands="9x3", output=path, **options, **probes)
    held = "array<float>" if kind == "vectors" else "string"
    frame = spark.createDataFrame(
        [(n, row.tolist() if kind == "vectors" else row) for n, row in enumerate(items)],
        f"id int, item {held}").repartition(3)
    here = sosie.dedup(items, kind=kind, method="lsh", plan=path, **options)
    pairs = {tuple(row) for row in sosie.pairs(items, kind=kind, method="lsh", plan=path, **options)}
    value = "similarity" if name == "cosine" else "distance"
    result = sosie.spark.dedup(frame, column="item", kind=kind, plan=path, **options)
    result._job.most = 1000 if name == "euclidean" else 2  # larger buckets are processed part by part
    assert result.removed.columns == ["id", "kept_id", value, "exact"]
    assert collected(result.removed) == {tuple(row) for row in here.removed}
    assert collected(result.pairs) == pairs and len(pairs) > 20
    if name == "cosine":
        assert result.stats["identical"] == sum(exact for *_, exact in here.removed) > 9
        assert result.stats["templates"] == []


def test_items_that_cannot_be_compared_are_named(spark: SparkSession):
    def job(rows: list[Any], kind: str = "vectors", **options: Any) -> Any:
        held = "array<double>" if kind == "vectors" else "string"
        frame = spark.createDataFrame(rows, f"id string, item {held}")
        return sosie.spark.dedup(frame, column="item", kind=kind, **options)

    ones = [(f"r{n}", [1.0, float(n)]) for n in range(4)]
    with pytest.raises(sosie.InputError, match="rows have 1 to 2 components"):
        job([*ones, ("short", [1.0])], threshold=0.9)
    with pytest.raises(sosie.InputError, match="id 'zero': .*all zeros"):
        job([*ones, ("zero", [0.0, 0.0]), ("none", None)], threshold=0.9, bands="2x2").removed.count()
    rows = [*ones, ("copy", [1.0, 1.0]), ("none", None), ("nothing", None)]
    assert job(rows, threshold=0.9999, bands="2x2").kept.count() == len(rows) - 1
    with pytest.raises(sosie.InputError, match="'zz': .*hexadecimal"):
        job([("a", "0f"), ("zz", "zz")], "bits", within=1, bands="2x2").removed.count()
    with pytest.raises(sosie.UnsupportedError, match="method=exact: not of vectors on Spark"):
        job(ones, threshold=0.9, method="exact")
    with pytest.raises(sosie.OptionError, match="vectors have no length to rank by"):
        job(ones, threshold=0.9, keep="longest")
    with pytest.raises(sosie.InputError, match="holds string, not arrays of numbers"):
        sosie.spark.dedup(spark.createDataFrame([("a", "x")], "id string, text string"),
                          kind="vectors", threshold=0.9)


def test_templates_are_told(spark: SparkSession):
    template = " ".join(f"template{n}" for n in range(60))
    rows = [(n, f"{template} " + " ".join(f"own{n}x{k}" for k in range(40))) for n in range(30)]
    frame = spark.createDataFrame(rows, "id int, text string")
    result = sosie.spark.dedup(frame, bands="40x1", threshold=0.8)
    result._job.most = 10
    [found] = result.stats["templates"]
    assert found["rows"] == 30 and len(found["passage"]) > 300
    assert template.startswith(found["passage"])
    assert 0.4 < found["common"] < 0.7


def test_distances_are_called_so_and_columns_may_be_called_anything(spark: SparkSession):
    texts = [f"one two three four five six seven eight nine ten {n // 3} twelve" for n in range(9)]
    frame = spark.createDataFrame([(n - 128, n, text) for n, text in enumerate(texts)],
                                  "`my.id` tinyint, `a.b` int, `t*` string")
    result = sosie.spark.dedup(frame, column="t*", id="my.id", keep="last", within="1/2", bands="20x2")
    here = sosie.dedup(texts, within="1/2", bands="20x2", method="lsh", keep="last")
    assert result.removed.columns == ["id", "kept_id", "distance", "exact"]
    assert collected(result.removed) == {(row - 128, kept - 128, distance, exact)
                                         for row, kept, distance, exact in here.removed}
    assert result.kept.columns == frame.columns
    assert {row[1] for row in result.kept.collect()} == set(np.flatnonzero(here.mask).tolist())


def test_collections_have_ids_of_one_type(spark: SparkSession):
    own = spark.createDataFrame([(1, "a b c"), (2, "d e f")], "id int, text string")
    words = spark.createDataFrame([("b2", "a b c")], "id string, text string")
    with pytest.raises(sosie.InputError, match="column 'id' holds int, in against string"):
        sosie.spark.dedup(own, against=words)
    large = spark.createDataFrame([(1 << 40, "A b c")], "id long, text string")
    result = sosie.spark.dedup(own, against=large, bands="2x1")
    assert collected(result.removed) == {(1, 1 << 40, 1.0, True, True)}
    with pytest.raises(sosie.UnsupportedError, match="measure=dice: exact joins on Spark"):
        sosie.spark.dedup(own, method="exact", measure="dice")


def test_a_killed_job_goes_on_where_it_stopped(frame: DataFrame, plan: Path, tmp_path: Path,
                                               monkeypatch: pytest.MonkeyPatch):
    work = str(tmp_path / "work")
    first = sosie.spark.dedup(frame, order="n", plan=plan, work=work)
    first._job.verified()  # and then it is killed
    made = {path.name for path in Path(work).iterdir()}
    monkeypatch.setattr(_stages.kernels, "sketch", None)  # nothing is sketched again
    second = sosie.spark.dedup(frame, order="n", plan=plan, work=tmp_path / "work")
    assert collected(second.removed) == removed_here(ROWS, plan=plan)
    assert made < {path.name for path in Path(work).iterdir()}
    with pytest.raises(sosie.OptionError, match="another job has taken over"):
        first._job.work.stage("more", lambda: frame)
    with pytest.raises(sosie.OptionError, match="stages of another job"):
        sosie.spark.dedup(frame, order="n", plan=plan, keep="last", work=work)
    first_id, first_place, text = ROWS[0]
    changed = [(first_id, first_place, text[::-1]), *ROWS[1:]]  # of the same length in bytes
    with pytest.raises(sosie.OptionError, match=r"stages of another job \(content: "):
        sosie.spark.dedup(frame.sparkSession.createDataFrame(changed, COLUMNS), order="n", plan=plan,
                          work=work)


def test_bad_input_is_told_before_the_run(spark: SparkSession, plan: Path):
    frame = spark.createDataFrame([("a", 1, "x y"), ("a", 2, "x z"), ("b", 2, "y")], COLUMNS)
    with pytest.raises(sosie.InputError, match="id 'a' occurs twice"):
        sosie.spark.dedup(frame)
    with pytest.raises(sosie.InputError, match=r"no column 'txt'\ndid you mean text\?"):
        sosie.spark.dedup(frame, column="txt")
    with pytest.raises(sosie.InputError, match="holds bigint, not texts"):
        sosie.spark.dedup(frame, column="n")
    with pytest.raises(TypeError, match="takes no 'num_perm'"):
        sosie.spark.dedup(frame, num_perm=128)
    with pytest.raises(sosie.OptionError, match="bands: is set by the plan"):
        sosie.spark.dedup(frame.where("n = 2"), plan=plan, bands="14x8")
    with pytest.raises(sosie.UnsupportedError, match="kind=strings: not on Spark"):
        sosie.spark.dedup(frame, kind="strings")
    nulls = spark.createDataFrame([(None, 1, "x"), ("b", None, "y")], COLUMNS)
    with pytest.raises(sosie.InputError, match="column 'id': 1 rows have no id"):
        sosie.spark.dedup(nulls, plan=plan)
    with pytest.raises(sosie.InputError, match="column 'n': 1 rows have no value"):
        sosie.spark.dedup(nulls.where("id = 'b'"), order="n", plan=plan)
    tied = spark.createDataFrame([("a", 2, "x y"), ("b", 2, "y")], COLUMNS)
    with pytest.warns(UserWarning, match="column 'n': 1 values occur in several rows"):
        sosie.spark.dedup(tied, order="n", plan=plan)


def test_no_rows_give_no_rows(frame: DataFrame):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sosie.spark.dedup(frame.where("false"), order="n")
    assert result.kept.count() == 0 and result.removed.count() == 0


def test_explain_and_minhash_are_those_of_one_machine(frame: DataFrame, plan: Path):
    result = sosie.spark.dedup(frame, order="n", plan=plan)
    left, right, _ = next(iter(sorted(pairs_here(ROWS, plan=plan))))
    assert "similarity" in result.explain(left, right)
    with pytest.raises(sosie.InputError, match="no row has the id 'nobody'"):
        result.explain("nobody", right)
    signatures = {row["id"]: row["minhash"] for row in
                  sosie.spark.minhash(frame.select("id", "text"), 64).collect()}
    here = sosie.minhash([text for _, _, text in ROWS], 64)
    for number in (0, 9, 300):
        assert signatures[ROWS[number][0]] == here[number].tolist()
