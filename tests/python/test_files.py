"""Parquet and Arrow files: the program with its plugin and the package's command behave
identically."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import sosie
from conftest import make_texts

PROGRAMS = {
    "plugin": [str(Path(os.environ["SOSIE_BIN"]).resolve())],
    "package": [str(Path(sys.executable).parent / "sosie")],
}


@pytest.fixture(params=PROGRAMS)
def run(request, tmp_path):
    def call(*args: object, fails: int | set[int] = 0, **kwargs) -> subprocess.CompletedProcess:
        command = [*PROGRAMS[request.param], *map(str, args)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, **kwargs)
        codes = fails if isinstance(fails, set) else {fails}
        assert done.returncode in codes, (done.returncode, done.stderr)
        return done

    return call


def table_of(texts: list[str]) -> pa.Table:
    """Rows with columns of many shapes in addition to the text."""
    count = len(texts)
    fields = {
        "id": pa.array([f"doc-{i}" for i in range(count)]),
        "text": pa.array(texts),
        "score": pa.array([i % 7 / 4 for i in range(count)], pa.float32()),
        "seen": pa.array([1_700_000_000_000_000 - i for i in range(count)], pa.timestamp("us", "UTC")),
        "tags": pa.array([["a", None, "b"][: i % 4] for i in range(count)]),
        "source": pa.array([{"site": f"s{i % 3}", "rank": i} for i in range(count)]),
        "language": pa.array(["en", "fr", None][i % 3] for i in range(count)).dictionary_encode(),
    }
    return pa.table(fields).replace_schema_metadata({"origin": "crawl 7"})


@pytest.fixture
def table() -> pa.Table:
    return table_of(make_texts(3, 700))


def write_jsonl(path: Path, table: pa.Table) -> None:
    rows = table.select(["id", "text", "score"]).to_pylist()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def kept_ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("codec", ["zstd", "gzip", "none"])
def test_parquet_keeps_the_rows_that_jsonl_keeps_with_all_columns(run, tmp_path, table, codec):
    pq.write_table(table, tmp_path / "in.parquet", compression=codec, row_group_size=150)
    write_jsonl(tmp_path / "in.jsonl", table)
    run("dedup", "in.parquet", "-o", "out.parquet")
    run("dedup", "in.jsonl", "-o", "out.jsonl")
    kept = pq.read_table(tmp_path / "out.parquet")
    ids = kept_ids(tmp_path / "out.jsonl")
    assert 400 < len(ids) < 700
    assert kept["id"].to_pylist() == ids
    read = pq.read_table(tmp_path / "in.parquet")
    wanted = read.filter(pa.array([i in set(ids) for i in table["id"].to_pylist()]))
    assert kept.schema.equals(read.schema, check_metadata=True)
    assert kept.equals(wanted)
    file = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert [file.row_group(i).num_rows for i in range(file.num_row_groups - 1)] == [150] * (
        file.num_row_groups - 1
    )
    expected = {"none": "UNCOMPRESSED"}.get(codec, codec.upper())
    assert {file.row_group(0).column(i).compression for i in range(file.num_columns)} == {expected}


@pytest.mark.parametrize("codec", ["uncompressed", "lz4", "zstd"])
def test_arrow_files_are_packed_as_they_were(run, tmp_path, table, codec):
    pa.feather.write_feather(table, tmp_path / "in.arrow", compression=codec, chunksize=100)
    write_jsonl(tmp_path / "in.jsonl", table)
    run("dedup", "in.arrow", "-o", "out.feather")
    run("dedup", "in.jsonl", "-o", "out.jsonl")
    kept = pa.feather.read_table(tmp_path / "out.feather")
    assert kept["id"].to_pylist() == kept_ids(tmp_path / "out.jsonl")
    assert kept.schema.equals(table.schema, check_metadata=True)
    packed = sosie._sosie.arrow_ipc_codec(str(tmp_path / "out.feather"))
    assert packed == {"uncompressed": ""}.get(codec, codec)


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_types_of_parquet_that_are_extensions_of_arrow_stay(run, tmp_path, extension):
    texts = make_texts(6, 30)
    keys = pa.array([bytes([i] * 16) for i in range(30)], pa.binary(16))
    notes = pa.array([json.dumps({"n": i}) for i in range(30)])
    table = pa.table({"text": texts, "key": pa.ExtensionArray.from_storage(pa.uuid(), keys),
                      "note": pa.ExtensionArray.from_storage(pa.json_(), notes)})
    name = f"in.{extension}"
    (pq.write_table if extension == "parquet" else pa.feather.write_feather)(table, tmp_path / name)
    run("dedup", name, "-o", f"out.{extension}")
    read = pq.read_table if extension == "parquet" else pa.feather.read_table
    came, kept = read(tmp_path / name), read(tmp_path / f"out.{extension}")
    assert kept.schema.equals(came.schema, check_metadata=True)
    ids = set(kept["key"].combine_chunks().storage.to_pylist())
    assert 15 < len(ids) < 30
    assert kept["note"].combine_chunks().storage.to_pylist() == [
        note for note, key in zip(notes.to_pylist(), keys.to_pylist()) if key in ids
    ]
    pairs = run("pairs", name, "--id", "key", "--show", "key").stdout.splitlines()[1:]
    named = {str(uuid.UUID(bytes=key)) for key in keys.to_pylist()}
    assert len(pairs) > 5
    assert all(set(line.split("\t")[k] for k in (0, 1, 3, 4)) <= named for line in pairs)
    if extension == "parquet":
        logical = {str(column.logical_type) for column in pq.ParquetFile(tmp_path / "out.parquet").schema}
        assert logical == {"String", "UUID", "JSON"}


@pytest.mark.parametrize("name", ["in.parquet", "in.arrow"])
def test_bytes_are_those_of_what_is_compared_whatever_else_is_read(run, tmp_path, name):
    texts = [*make_texts(5, 90), 'quote " and\nline', "ü", "", None]
    count = len(texts)
    table = pa.table({
        "key": [f"a long name of row {i}" for i in range(count)],
        "text": texts,
        "other": pa.array(texts[::-1]).dictionary_encode(),
        "score": [float(i) for i in range(count)],
        "vector": [[0.5, i] for i in range(count)],
    })
    (pq.write_table if name.endswith("parquet") else pa.feather.write_feather)(table, tmp_path / name)
    size = sum(len(text.encode()) for text in texts if text)

    def counted(*options: str) -> int:
        run("dedup", name, "--dry-run", "--stats", "s.json", *options)
        return json.loads((tmp_path / "s.json").read_text())["bytes"]

    for options in ([], ["--id", "key"], ["--keep", "max:score"], ["--id", "key", "--method", "exact"],
                    ["--column", "other"]):
        assert counted(*options) == size, options
    assert counted("--column", "text,other") == 2 * size
    assert counted("--kind", "strings", "--within", "1") == size
    assert counted("--kind", "strings", "--within", "1", "--id", "key") == size
    of_vectors = ["--kind", "vectors", "--threshold", "0.9", "--column", "vector"]
    assert counted(*of_vectors) == counted(*of_vectors, "--id", "key") < 12 * count
    assert sosie.dedup(table, column="text").stats["bytes"] == size


def test_streams_of_arrow_are_read(run, tmp_path, table):
    with pa.ipc.new_stream(tmp_path / "in.arrow", table.schema) as out:
        out.write_table(table)
    pq.write_table(table, tmp_path / "in.parquet")
    for name in ("in.arrow", "in.parquet"):
        run("dedup", name, "--dry-run", "--removed", f"{name}.tsv", "--id", "row")
    columns = [
        [line.split("\t")[:5] for line in (tmp_path / f"{name}.tsv").read_text().splitlines()]
        for name in ("in.arrow", "in.parquet")
    ]
    assert columns[0] == columns[1] and len(columns[0]) > 100


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_both_programs_write_the_same_bytes(tmp_path, table, kind):
    """Two readers and writers (docs/decisions/0013), which use the same sizes and defaults."""
    if kind == "parquet":
        pq.write_table(table, tmp_path / "in.parquet", row_group_size=150, compression="zstd")
    else:
        pyarrow.feather.write_feather(table, tmp_path / "in.arrow", chunksize=150)
    written = []
    for name, program in PROGRAMS.items():
        out, pairs = (tmp_path / f"{name}{part}.{kind}" for part in ("", "-pairs"))
        subprocess.run([*program, "dedup", f"in.{kind}", "-q", "--annotate", "kept", "-o", out,
                        "--pairs", pairs], cwd=tmp_path, check=True)
        written.append([out.read_bytes(), pairs.read_bytes()])
    assert written[0] == written[1]


def test_many_files_into_one_and_into_a_folder(run, tmp_path, table):
    (tmp_path / "in").mkdir()
    for i in range(3):
        part = table.slice(i * 233, 233)
        pq.write_table(part, tmp_path / "in" / f"{i}.parquet", compression="zstd")
    run("dedup", "in", "-o", "one.parquet")
    run("dedup", "in", "-o", "folder/")
    one = pq.read_table(tmp_path / "one.parquet")
    parts = [pq.read_table(tmp_path / "folder" / f"{i}.parquet") for i in range(3)]
    assert one.num_rows < 699
    assert pa.concat_tables(parts).equals(one)


def test_side_files_are_tables(run, tmp_path, table):
    pq.write_table(table, tmp_path / "in.parquet")
    outputs = {name: f"{name}.parquet" for name in ("removed", "clusters", "pairs")}
    options = [part for name, path in outputs.items() for part in (f"--{name}", path)]
    run("dedup", "in.parquet", "--dry-run", *options)
    run("dedup", "in.parquet", "--dry-run",
        *[part.replace(".parquet", ".jsonl") for part in options])
    for name, path in outputs.items():
        rows = pq.read_table(tmp_path / path).to_pylist()
        lines = (tmp_path / f"{name}.jsonl").read_text().splitlines()
        assert len(rows) > 100
        for row, line in zip(rows, lines, strict=True):
            wanted = json.loads(line)
            assert row == pytest.approx(wanted, abs=5e-7) if "similarity" in row else row == wanted
    again = run("dedup", "in.parquet", "--reuse", "pairs.parquet", "-o", "again.parquet")
    assert "reuse" in again.stderr
    run("dedup", "in.parquet", "-o", "first.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "first.parquet").read_bytes()


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_pairs_files_say_what_they_were_made_with(run, tmp_path, table, extension):
    write_jsonl(tmp_path / "in.jsonl", table)
    pairs = f"p.{extension}"

    def note() -> bytes | None:
        schema = (pq.read_schema(tmp_path / pairs) if extension == "parquet" else
                  pyarrow.ipc.open_file(tmp_path / pairs).schema)
        return (schema.metadata or {}).get(b"sosie")

    run("pairs", "in.jsonl", "--threshold", "0.9", "-o", pairs)
    assert note() == b"threshold=0.9 measure=jaccard"
    run("cluster", pairs, "--threshold", "0.95")
    for verb in (["cluster", pairs], ["dedup", "in.jsonl", "--reuse", pairs]):
        refused = run(*verb, "--threshold", "0.3", fails=2)
        assert f"{pairs}: was made with --threshold 0.9 and lacks pairs" in refused.stderr
    run("dedup", "in.jsonl", "--threshold", "0.7", "--dry-run", "--pairs", pairs)
    assert note() == b"threshold=0.7 measure=jaccard"
    run("query", "in.jsonl", "in.jsonl", "-o", pairs)
    assert note() is None  # hits of a query are not pairs of a collection


@pytest.mark.parametrize("ids", [["--id", "row"], []])
def test_annotate_adds_columns(run, tmp_path, table, ids):
    pq.write_table(table, tmp_path / "in.parquet")
    run("dedup", "in.parquet", *ids, "--annotate", "all", "-o", "all.parquet", "--removed", "r.tsv")
    rows = pq.read_table(tmp_path / "all.parquet")
    assert rows.num_rows == table.num_rows
    assert rows.drop(["duplicate_of", "cluster_size"]).equals(pq.read_table(tmp_path / "in.parquet"))
    assert rows.schema.field("duplicate_of").type == (pa.int64() if ids else pa.large_string())
    removed = dict(line.split("\t")[:2] for line in (tmp_path / "r.tsv").read_text().splitlines()[1:])
    names = range(table.num_rows) if ids else table["id"].to_pylist()
    told = [None if value is None else str(value) for value in rows["duplicate_of"].to_pylist()]
    assert told == [removed.get(str(name)) for name in names]
    sizes = rows["cluster_size"].to_pylist()
    assert all(size >= 2 for size, of in zip(sizes, told) if of is not None)
    assert "exists already" in run("dedup", "all.parquet", "--annotate", "kept", "-o", "x.parquet",
                                     fails=2).stderr


def test_lists_are_sets_and_vectors(run, tmp_path):
    sets = [[1, 2, 3, 4], [4, 3, 2, 1, 1], [7, 8, 9], None, []]
    vectors = [[1.0, 0.0], [0.5, 0.5], [2.0, 0.0], [0.0, 1.0], [0.25, 0.25]]
    table = pa.table({
        "basket": pa.array(sets[:3] + [[], []], pa.list_(pa.int32())),
        "embedding": pa.array(vectors, pa.list_(pa.float32(), 2)),
    })
    pq.write_table(table, tmp_path / "in.parquet")
    found = run("pairs", "in.parquet", "--kind", "sets", "--column", "basket").stdout
    assert found.splitlines()[1:] == ["0\t1\t1.000000"]
    found = run("pairs", "in.parquet", "--kind", "vectors", "--column", "embedding",
                "--threshold", "0.99").stdout
    assert [line.split("\t")[:2] for line in found.splitlines()[1:]] == [["0", "2"], ["1", "4"]]
    run("dedup", "in.parquet", "--kind", "vectors", "--column", "embedding", "--threshold", "0.99",
        "-o", "out.parquet")
    read = pq.read_table(tmp_path / "in.parquet")
    assert pq.read_table(tmp_path / "out.parquet").equals(read.take([0, 1, 3]))


def test_fields_of_structs_order_and_join(run, tmp_path):
    text = "one two three four five six seven eight"
    rows = [{"doc": {"title": "t", "body": text}, "at": 3}, {"doc": {"title": "t", "body": text}, "at": 9},
            {"doc": {"title": "u", "body": "nothing like the others in any way at all"}, "at": 1}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    run("dedup", "in.parquet", "--column", "doc.title,doc.body", "--keep", "max:at", "-o", "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet")["at"].to_pylist() == [9, 1]


def test_memory_is_bounded(run, tmp_path):
    """Many times more text than the memory limit."""
    texts = make_texts(1, 3000)
    table = table_of([f"{i} " + " ".join([text] * 20) for i, text in enumerate(texts)])
    schema = table.schema
    with pq.ParquetWriter(tmp_path / "in.parquet", schema, compression="zstd") as out:
        for _ in range(6):
            out.write_table(table, row_group_size=1000)
    size = pq.read_metadata(tmp_path / "in.parquet")
    total = sum(size.row_group(i).total_byte_size for i in range(size.num_row_groups))
    assert total > 60 << 20
    done = run("dedup", "in.parquet", "--id", "row", "--memory", "64M", "-o", "out.parquet",
               "--stats", "s.json")
    peak = json.loads((tmp_path / "s.json").read_text())["peak_memory_bytes"]
    assert peak < (64 + 64 + 120) << 20, done.stderr  # 120: Python with numpy and pyarrow
    assert pq.read_metadata(tmp_path / "out.parquet").num_rows < 3000


BAD = {
    "no column": (["--column", "txet"], 3, "did you mean 'text'?"),
    "format": (["-o", "out.jsonl"], 2, "the input is parquet"),
    "packed": (["-o", "out.parquet.gz"], 2, "compressed internally"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_meant_is_said(run, tmp_path, table, case):
    options, code, said = BAD[case]
    pq.write_table(table, tmp_path / "in.parquet")
    output = [] if "-o" in options else ["-o", "out.parquet"]
    assert said in run("dedup", "in.parquet", *options, *output, fails=code).stderr
    assert not list(tmp_path.glob("*out*"))


def test_broken_files(run, tmp_path, table):
    pq.write_table(table, tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "junk.parquet").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty.parquet").write_bytes(b"")
    middle = len(whole) // 3
    (tmp_path / "flip.parquet").write_bytes(whole[:middle] + b"\xff" * 2000 + whole[middle + 2000 :])
    (tmp_path / "junk.arrow").write_bytes(b"ARROW1\0\0" + bytes(range(256)) * 4)
    for name in ("cut.parquet", "junk.parquet", "empty.parquet", "flip.parquet", "junk.arrow"):
        error = run("dedup", name, "-o", "out.parquet" if name.endswith("t") else "out.arrow",
                    fails=3).stderr
        assert error.startswith(f"sosie: {name}: "), error
        assert len(error.splitlines()) <= 2
    assert not list(tmp_path.glob("*out*"))
    pq.write_table(table.drop(["score"]), tmp_path / "other.parquet")
    error = run("dedup", "whole.parquet", "other.parquet", "--id", "row", "-o", "out.parquet",
                fails=3).stderr
    assert "other.parquet: the header differs from that of whole.parquet" in error


def test_no_rows_and_nulls(run, tmp_path, table):
    pq.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    run("dedup", "none.parquet", "-o", "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").equals(pq.read_table(tmp_path / "none.parquet"))
    nulls = pa.table({"text": pa.array(["a b c d e f", None, "a b c d e f"])})
    pq.write_table(nulls, tmp_path / "nulls.parquet")
    said = run("dedup", "nulls.parquet", "-o", "out2.parquet").stderr
    assert "1 row without a shingle (kept)" in said
    assert pq.read_table(tmp_path / "out2.parquet").equals(nulls.slice(0, 2))


def test_a_full_disk_leaves_nothing(run, tmp_path, table):
    pq.write_table(pa.concat_tables([table] * 8), tmp_path / "in.parquet", compression="none")

    def few_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = run("dedup", "in.parquet", "--id", "row", "-o", "out.parquet", "--scratch", "/dev/shm",
               fails=4, preexec_fn=few_bytes)
    assert done.stderr.startswith("sosie: ")
    assert not list(tmp_path.glob("*out*"))


def test_a_pipe_cannot_be_read(run):
    said = run("dedup", "-", "--format", "parquet", fails=4, input="").stderr
    assert "cannot be read from a pipe" in said


def test_paths_in_python(tmp_path, table):
    pq.write_table(table, tmp_path / "in.parquet")
    result = sosie.dedup(tmp_path / "in.parquet", output=str(tmp_path / "out.parquet"))
    assert len(result.mask) == table.num_rows
    read = pq.read_table(tmp_path / "in.parquet")
    assert pq.read_table(tmp_path / "out.parquet").equals(read.filter(pa.array(result.mask)))


def ipc_bytes(table: pa.Table) -> bytearray:
    sink = pa.BufferOutputStream()
    with pyarrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytearray(sink.getvalue().to_pybytes())


def test_numbers_in_arrow_files_are_checked(run, tmp_path):
    text = pa.array([f"some words of row {i}" for i in range(64)])
    coded = pa.DictionaryArray.from_arrays(pa.array([1] * 64, pa.int32()), pa.array(["x", "y"]))
    lists = pa.array([["a", "b"]] * 64)
    whole = ipc_bytes(pa.table({"text": text, "coded": coded, "lists": lists}))
    places = {
        "text": text.buffers()[1],
        "coded": coded.indices.buffers()[1],
        "lists": lists.buffers()[1],
    }
    for column, buffer in places.items():
        at = whole.find(buffer.to_pybytes())
        assert at > 0
        for number in (0x7FFFFFFF, -1, 1 << 20):
            broken = bytearray(whole)
            broken[at + 40 : at + 44] = number.to_bytes(4, "little", signed=True)
            (tmp_path / "in.arrow").write_bytes(broken)
            kind = ("--kind", "sets") if column == "lists" else ()
            said = run("dedup", "in.arrow", "--column", column, *kind, "-o", "out.arrow", fails=3)
            assert said.stderr.startswith("sosie: in.arrow: ")
            assert not (tmp_path / "out.arrow").exists()


def test_ill_formed_text_in_arrow_files_is_read(run, tmp_path):
    raw = pa.array([b"one \xff two", b"three"]).view(pa.string())
    (tmp_path / "in.arrow").write_bytes(ipc_bytes(pa.table({"text": raw})))
    run("dedup", "in.arrow", "-o", "out.arrow")
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all().num_rows == 2


@pytest.mark.parametrize(
    "kind", [pa.string_view(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
def test_rows_are_taken_out_of_every_kind_of_text_column(run, tmp_path, kind):
    texts = pa.array(["a b c", "a b c", "d e f", "a b c", "g h i"], pa.string())
    table = pa.table({"text": texts.cast(kind), "n": range(5)})
    (tmp_path / "in.arrow").write_bytes(ipc_bytes(table))
    run("dedup", "in.arrow", "-o", "out.arrow")
    kept = pa.ipc.open_file(tmp_path / "out.arrow").read_all()
    assert kept.schema.equals(table.schema)
    assert kept.to_pydict() == {"text": ["a b c", "d e f", "g h i"], "n": [0, 2, 4]}


@pytest.mark.parametrize("extension", ["arrow", "parquet"])
def test_mutated_files_never_crash(run, tmp_path, extension):
    table = table_of(make_texts(5, 40))
    if extension == "arrow":
        whole = ipc_bytes(table)
    else:
        pq.write_table(table, tmp_path / "whole.parquet", compression="none")
        whole = (tmp_path / "whole.parquet").read_bytes()
    draw = random.Random(extension)
    for _ in range(int(os.environ.get("SOSIE_MUTANTS", "10"))):
        broken = bytearray(whole)
        for _ in range(draw.randrange(1, 6)):
            at = draw.randrange(len(broken))
            broken[at] = draw.choice([0, 1, 0x7F, 0x80, 0xFF, broken[at] ^ (1 << draw.randrange(8))])
        path = tmp_path / f"in.{extension}"
        path.write_bytes(broken[: draw.choice([len(broken)] * 3 + [draw.randrange(len(broken))])])
        codes = {0, 2, 3, 4}
        done = run("dedup", path.name, "--column", "text", "--keep", "max:score", "-o",
                   f"out.{extension}", fails=codes, timeout=20)
        assert done.returncode == 0 or done.stderr.startswith("sosie: "), done.stderr


CORPUS = Path(__file__).parents[2] / "fuzz" / "corpus" / "arrow_files"


def test_inputs_of_the_fuzz_target_end_with_a_code_of_the_manual(tmp_path):
    paths = sorted(CORPUS.iterdir())  # the target itself runs all of them
    for number, path in enumerate(paths[:: max(1, len(paths) // 60)]):
        head, _, files = path.read_bytes().partition(b"\n")
        first, _, other = files.partition(b"\n====\n")
        if b"/" in head:  # the target itself leaves it out
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        words = head.decode("latin-1").split()
        for word in words:
            name = word.rpartition("=")[2]
            if name.startswith(("in.", "other.")):
                (folder / name).write_bytes(other if name.startswith("other.") else first)
        done = subprocess.run([*PROGRAMS["plugin"], *words], cwd=folder, input=first,
                              capture_output=True, timeout=20)
        assert done.returncode in {0, 1, 2, 3, 4}, (path.name, done.stderr)
