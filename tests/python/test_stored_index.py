"""`sosie.Index.create` and `open`: an index on disk, compared with the command line."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import polars
import pytest

import sosie
from sosie._stored_index import rows_of

ROOT = Path(__file__).resolve().parents[2]
SOSIE = Path(os.environ.get("SOSIE_BIN") or ROOT / "build" / "release" / "sosie").resolve()
SERVER = SOSIE.parent / "libexec" / "sosie" / "sosie-server"


def command(*args: str, folder: Path) -> str:
    done = subprocess.run([SOSIE, *args], cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def lines_of(found: object) -> list[str]:
    return [f"{left}\t{right}\t{value:.6f}" for left, right, value in found]  # type: ignore[attr-defined]


def write_rows(path: Path, texts: list[str], first: int = 0) -> None:
    rows = [json.dumps({"id": f"d{n}", "text": text}) for n, text in enumerate(texts, first)]
    path.write_text("".join(row + "\n" for row in rows))


def test_several_folders_are_open_as_one(texts, tmp_path):
    rows = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts[:200])]
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, some in zip([*folders, tmp_path / "all"], (rows[:90], rows[90:], rows), strict=True):
        sosie.Index.create(folder, some, threshold=0.5).close()
    with sosie.Index.open(folders) as index, sosie.Index.open(tmp_path / "all") as one:
        assert index.read_only and len(index) == 200
        for asked in ({"data": texts[80:120]}, {"ids": ["d5", "d150"]}):
            for more in ({}, {"top": 2}, {"threshold": 0.7}, {"exclude_self": True}):
                if "data" in asked and "exclude_self" in more:
                    asked = {"data": rows[80:120]}
                assert list(index.query(**asked, **more)) == list(one.query(**asked, **more))
        with pytest.raises(sosie.FileError, match="several indexes are open, so they are read-only"):
            index.add(["another row"], ids=["new"])
        again = pickle.loads(pickle.dumps(index))
        assert list(again.query(texts[:50])) == list(one.query(texts[:50]))
    with sosie.Index.open(f"{folders[0]},{folders[1]}") as index:
        assert len(index) == 200
    with pytest.raises(sosie.OptionError, match="given twice"):
        sosie.Index.open([folders[0], folders[0]])
    with pytest.raises(sosie.OptionError, match="not addresses"):
        sosie.Index.open([folders[0], "http://127.0.0.1:1"])


def test_answers_are_those_of_the_command_line(texts, tmp_path):
    write_rows(tmp_path / "data.jsonl", texts[:200])
    write_rows(tmp_path / "more.jsonl", texts[150:], 200)
    command("index", "build", "by_command", "data.jsonl", "--threshold", "0.5", folder=tmp_path)
    named = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts[:200])]
    with sosie.Index.create(tmp_path / "by_python", named, threshold=0.5) as index:
        (tmp_path / "asked.jsonl").write_text(
            "".join(json.dumps({"text": text}) + "\n" for text in texts[180:]))
        for top in ((), ("--top", "2")):
            expected = command("query", "by_command", "asked.jsonl", *top, folder=tmp_path)
            found = index.query(texts[180:], top=2 if top else None)
            assert lines_of(found) == expected.splitlines()[1:] and len(found) > 20
        command("index", "add", "by_command", "more.jsonl", folder=tmp_path)
        index.add(texts[150:], ids=[f"d{n}" for n in range(200, 200 + len(texts[150:]))])
        assert index.remove(["d3", "d201", "nobody"]) == 2
        (tmp_path / "gone").write_text("d3\nd201\nnobody\n")
        command("index", "remove", "by_command", "--ids", "gone", folder=tmp_path)
        found = lines_of(index.query(texts[180:]))
        assert found == lines_of(index.query(polars.DataFrame({"text": texts[180:]})))
        index.compact()
        assert lines_of(index.query(texts[180:])) == found
    for path in ("by_python", "by_command"):
        expected = command("query", path, "asked.jsonl", folder=tmp_path).splitlines()[1:]
        assert expected == found
    assert sorted(p.read_bytes() for p in (tmp_path / "by_python").glob("run-*")) != []


def test_what_is_new_is_added_as_dedup_adds_it(texts, tmp_path):
    write_rows(tmp_path / "more.jsonl", texts)
    command("index", "build", "by_command", "more.jsonl", "--threshold", "0.5", folder=tmp_path)
    index = sosie.Index.create(tmp_path / "by_python", threshold=0.5)
    added = index.add_new(texts, ids=[f"d{n}" for n in range(len(texts))])
    expected = sosie.dedup(texts, threshold=0.5, bands=index.info()["bands"]).mask
    assert added.tolist() == expected.tolist()
    assert len(index) == expected.sum()
    assert index.add_new(texts, ids=[f"d{n}" for n in range(len(texts))]).sum() == 0


def test_sets_tables_and_numbered_rows(tmp_path):
    index = sosie.Index.create(tmp_path / "sets", [{"a", "b", "c"}, {"x"}], threshold=0.5)
    assert index.info()["kind"] == "sets"
    assert list(index.query([["c", "b"], ["z"]])) == [(0, 0, 2 / 3)]
    index.add([{"z"}])
    assert list(index.query([["z"]])) == [(0, 2, 1.0)]
    table = polars.DataFrame({"id": ["p", "q"], "text": ["one two three four five six", "other words"]})
    named = sosie.Index.create(tmp_path / "table", table)
    assert list(named.query(["one two three four five six"])) == [(0, "p", 1.0)]
    assert list(named.query(ids=["p"])) == [(0, "p", 1.0)]
    assert list(named.query(ids=["p"], exclude_self=True)) == []


def test_readers_pickles_and_closed_ones(texts, tmp_path):
    index = sosie.Index.create(tmp_path / "x", threshold=0.5)
    index.add(texts[:50], ids=list(range(50)))
    with pytest.raises(sosie.errors.FileError):
        sosie.Index.open(tmp_path / "x")
    reader = pickle.loads(pickle.dumps(index))
    assert list(reader.query(texts[:50])) == list(index.query(texts[:50]))
    with pytest.raises(sosie.errors.FileError, match="read-only"):
        reader.add(["a b c"], ids=["new"])
    index.close()
    with pytest.raises(sosie.errors.FileError, match="closed"):
        index.query(["a"])
    with sosie.Index.open(tmp_path / "x") as again:
        with pytest.raises(sosie.errors.InputError, match="already"):
            again.add(texts[50:52], ids=[60, 7])
        assert again.add(texts[50:52], ids=[60, 7], skip_existing=True) == {
            "added": 1, "skipped": 1, "replaced": 0}
        with pytest.raises(sosie.errors.OptionError, match="built with"):
            again.query(texts[:1], threshold=0.3)
        assert again.add(["a b c", None], ids=["u", "v"])["added"] == 2  # a null matches nothing


@pytest.mark.skipif(not SERVER.exists(), reason="needs a build of the server")
def test_a_served_index_gives_the_same_answers(texts, tmp_path):
    index = sosie.Index.create(tmp_path / "here", threshold=0.5)
    sosie.Index.create(tmp_path / "there", threshold=0.5).close()
    service = subprocess.Popen([SOSIE, "serve", "there", "--listen", "127.0.0.1:0", "-q"],
                               cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        address = service.stdout.readline().strip()
        with sosie.Index.open(address) as remote:
            for one in (index, remote):
                one.add(texts[:80], ids=[f"d{n}" for n in range(80)])
                assert one.remove(["d3", "nobody"]) == 1
            names = [f"n{n}" for n in range(120)]
            assert remote.add_new(texts[60:180], names).tolist() == \
                index.add_new(texts[60:180], names).tolist()
            assert list(remote.query(texts, top=3)) == list(index.query(texts, top=3))
            assert list(remote.query(ids=["d5"])) == list(index.query(ids=["d5"]))
            assert len(remote) == len(index)
            with pytest.raises(sosie.errors.InputError, match="already"):
                remote.add(["a b c"], ids=["d5"])
            with pytest.raises(sosie.errors.OptionError, match="threshold"):
                remote.query(["a"], threshold=0.2)
    finally:
        service.terminate()
        service.wait()
        service.stdout.close()


def test_look_ups_beside_adds_see_whole_calls(texts, tmp_path):
    index = sosie.Index.create(tmp_path / "x", threshold=0.9)
    pair = [texts[0], texts[0]]
    stops = threading.Event()
    seen: list[int] = []

    def look() -> None:
        while not stops.is_set():
            seen.append(len(index.query([texts[0]])))

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(40):
        index.add(pair, ids=[f"{number}a", f"{number}b"])
        if number == 20:
            index.compact()
    stops.set()
    for thread in threads:
        thread.join()
    assert len(index.query([texts[0]])) == 80
    assert all(count % 2 == 0 for count in seen) and len(seen) > 3


def item_rows(kind: str) -> tuple[object, object, dict[str, object]]:
    """Items, others that are near some of them, and a bound."""
    draw = np.random.default_rng(4)
    if kind == "bits":
        bits = draw.random((60, 64)) < 0.5
        near = bits[30:].copy()
        near[:, 5] ^= True
        return bits, near, {"within": 3}
    if kind == "vectors":
        vectors = draw.normal(size=(60, 16)).astype(np.float32)
        return vectors, vectors[30:] + np.float32(0.05), {"threshold": 0.9}
    words = ["".join(draw.choice(list("abcdefgh"), 9)) for _ in range(60)]
    return words, [word[:4] + word[5:] for word in words[30:]], {"within": 1}


@pytest.mark.parametrize("kind", ["bits", "vectors", "strings"])
def test_items_of_other_kinds_are_found_as_in_memory(kind, tmp_path):
    data, near, bound = item_rows(kind)
    names = [f"i{number}" for number in range(60)]
    with sosie.Index.create(tmp_path / "index", data, names, kind=kind, **bound) as index:
        assert index.info()["kind"] == kind and len(index) == 60
        found = list(index.query(near))
        assert len(found) >= 30
        direct = sosie.query(data, near, kind=kind, **bound)
        assert [(left, f"i{right}", value) for left, right, value in direct] == found
        assert index.remove([names[40]]) == 1
        assert names[40] not in {right for _, right, _ in index.query(near)}
        assert not index.add_new(near, [f"n{number}" for number in range(30)])[0]
        index.add(data[40:41], [names[40]])
        index.compact()
        assert {right for _, right, _ in index.query(near)} >= set(names[30:])
        own = list(index.query(ids=["i31"], exclude_self=True))
        assert "i31" not in {right for _, right, _ in own}
    again = sosie.Index.open(tmp_path / "index", read_only=True)
    assert len(again.query(near)) >= 30
    again.close()


def test_the_nearest_vectors_need_no_bound(tmp_path):
    data, near, _ = item_rows("vectors")
    with sosie.Index.create(tmp_path / "index", data, kind="vectors") as index:
        found = index.query(near, top=2)
        assert list(found) == list(sosie.query(data, near, top=2))


def test_fields_that_the_index_keeps_choose_among_its_items(tmp_path):
    rows = [{"id": f"d{n}", "text": "a b c", "lang": "en" if n % 2 else "de"} for n in range(6)]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command("index", "build", "i", "data.jsonl", "--shingle", "words:1", "--fields", "lang", folder=tmp_path)
    with sosie.Index.open(str(tmp_path / "i")) as index:
        assert [right for _, right, _ in index.query(["a b c"], where="lang=en")] == ["d1", "d3", "d5"]
        assert [right for _, right, _ in index.query(ids=["d0"], where="lang=en", top=1)] == ["d1"]
        with pytest.raises(sosie.OptionError, match="did you mean 'lang'"):
            index.query(["a b c"], where="lng=en")


ITEMS_WITH_FIELDS = {
    "text": ("text", "a b c d e f", {}),
    "sets": ("set", ["a", "b", "c"], {}),
    "vectors": ("vector", [1.0, 2.0, 3.0], {"threshold": 0.9}),
    "bits": ("bits", "00ff00ff00ff00ff", {"within": 1}),
    "strings": ("string", "anna", {"within": 1}),
}


@pytest.mark.parametrize("kind", ITEMS_WITH_FIELDS)
def test_rows_in_memory_bring_their_fields(tmp_path, kind):
    column, item, options = ITEMS_WITH_FIELDS[kind]
    rows = [{"id": f"d{n}", column: item, "lang": "en" if n % 2 else "de", "year": 2000 + n}
            for n in range(8)]
    folder = tmp_path / "index"
    with sosie.Index.create(folder, rows[:4], kind=kind, column=column, fields=["lang", "year"],
                            **options) as index:
        assert index.info()["options"]["fields"] == "lang,year"
        index.add(rows[4:6])
        assert index.add_new([{**rows[6], column: item}]).tolist() == [False]
        index.add([{"id": "none", column: item}])
        query = {"id": "q", column: item}
        found = [right for _, right, _ in index.query([query], where="lang=en")]
        assert found == ["d1", "d3", "d5"]
        assert [right for _, right, _ in index.query([query], where="year=2004")] == ["d4"]
        assert [right for _, right, _ in index.query([query], where="lang=")] == ["none"]
    with sosie.Index.open(folder, read_only=True) as index:
        assert [right for _, right, _ in index.query([query], where="lang=de")] == ["d0", "d2", "d4"]


def test_tables_bring_their_fields(tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"id": ["x", "y", "z"], "lang": ["en", "de", None], "other": [1, 2, 3],
                      "text": ["a b c d e f"] * 3})
    with sosie.Index.create(tmp_path / "index", table, fields="lang") as index:
        index.add(pa.table({"text": ["a b c d e f"], "id": ["later"], "lang": ["en"]}))
        index.add(pa.table({"text": ["a b c d e f"], "id": ["bare"]}))
        assert [right for _, right, _ in index.query(["a b c d e f"], where="lang=en")] == ["x", "later"]
        assert [right for _, right, _ in index.query(["a b c d e f"], where="lang=")] == ["z", "bare"]
    with pytest.raises(sosie.OptionError, match="names 'a' twice"):
        sosie.Index.create(tmp_path / "other", table, fields=["a", "a"])


@pytest.mark.parametrize("type_", ["float32", "float64", "float16", "int8", "uint8", "int64"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_the_rows_of_their_lists(tmp_path, type_, order):
    draw = np.random.default_rng(8)
    near = np.tile(draw.integers(0, 90, (60, 16)), (2, 1)) + draw.integers(0, 3, (120, 16))
    near[100:110] = 92 - near[100:110]
    rows = near.astype(type_, order=order)
    ids = [f"v{n}" if n % 3 else n for n in range(120)]
    answers = []
    for name, form in (("array", lambda some: some), ("lists", lambda some: some.tolist())):
        with sosie.Index.create(tmp_path / name, form(rows[:50]), ids[:50], kind="vectors",
                                measure="euclidean", within=6) as index:
            assert index.add(form(rows[50:80]), ids[50:80])["added"] == 30
            assert index.add(form(rows[70:90]), ids[70:90], skip_existing=True)["skipped"] == 10
            added = index.add_new(form(rows[80:]), [f"n{n}" for n in range(80, 120)])
            answers.append((lines_of(index.query(form(rows))), lines_of(index.query(form(rows), top=2)),
                            lines_of(index.query(ids=[3, "v4"])), added.tolist(), index.info()["items"]))
            with pytest.raises(sosie.InputError, match="'v1' is already in"):
                index.add(form(rows[1:2]), ["v1"])
            with pytest.raises(sosie.InputError, match="row 1.*id 'x' is (in|already)"):
                index.add(form(rows[:2]), ["x", "x"])
            with pytest.raises(sosie.InputError, match="ids: 1 for 2 rows"):
                index.add(form(rows[:2]), ["x"])
            with pytest.raises(sosie.InputError, match="lone surrogate"):
                index.add(form(rows[:1]), ["\ud800"])
    assert answers[0] == answers[1]
    assert len(answers[0][0]) > 120 and 0 < sum(answers[0][3]) < 40


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_tables_of_vectors_are_read_as_arrays(tmp_path, library):
    pa = pytest.importorskip("pyarrow")
    rows = np.random.default_rng(3).normal(size=(40, 8)).astype(np.float32)

    def table(names: list, lang: bool = False) -> object:
        made = pa.table({"id": names, "vector": list(rows[:len(names)]), **({"lang": ["en"] * len(names)}
                                                                            if lang else {})})
        return made if library == "pyarrow" else polars.from_arrow(made)

    names = [f"v{n}" for n in range(40)]
    form = rows_of(table(names), "vector", "vectors", "id")
    assert form.native.extension == ".npy" and form.named(None) == names
    with sosie.Index.create(tmp_path / "index", table(names[:30]), column="vector", kind="vectors",
                            threshold=0.99) as index:
        assert index.add(table(names), skip_existing=True) == {"added": 10, "skipped": 30, "replaced": 0}
        assert [right for _, right, _ in index.query(table(names))] == names
        assert len(index.query(table(names), exclude_self=True)) == 0
        assert [right for _, right, _ in index.query(rows)] == names
        with pytest.raises(sosie.InputError, match="without ids"):
            index.query(rows, exclude_self=True)
        assert index.add(rows[:2], [7, "8"])["added"] == 2
        assert [right for _, right, _ in index.query(rows[:2])] == ["v0", 7, "v1", "8"]
    kept = rows_of(table(names, lang=True), "vector", "vectors", "id", ["lang"])
    assert kept.native.extension == ".jsonl"


def test_ids_are_for_rows_without(tmp_path):
    pa = pytest.importorskip("pyarrow")
    records = [{"id": "a", "vector": [0.0, 10.0]}, {"id": "b", "vector": [20.0, 30.0]}]
    vectors = np.array([row["vector"] for row in records])
    table = pa.Table.from_pylist(records)
    bound = {"kind": "vectors", "measure": "euclidean", "within": 1, "column": "vector"}
    for number, rows in enumerate((records, table, polars.from_arrow(table), table.to_reader())):
        with pytest.raises(sosie.OptionError, match="already have ids"):
            sosie.Index.create(tmp_path / f"{number}", rows, ["x", "y"], **bound)
        if number == 3:
            rows = table.to_reader()
        with sosie.Index.create(tmp_path / f"again-{number}", rows, **bound) as index:
            assert [right for _, right, _ in index.query(vectors)] == ["a", "b"]
            with pytest.raises(sosie.OptionError, match="already have ids"):
                index.add(table, ["x", "y"])
    with sosie.Index.create(tmp_path / "named", vectors, np.array([3, 4]), **bound) as index:
        nothing = {"added": 0, "skipped": 0, "replaced": 0}
        assert index.add(vectors[:0]) == index.add(vectors[:0], []) == index.add([], []) == nothing
        assert len(index.add_new(vectors[:0])) == 0
        assert index.add(vectors, [np.int64(7), 8])["added"] == 2
        assert index.add(vectors, pa.array(["s", "t"]))["added"] == 2
        for rows in (vectors, vectors.tolist()):
            with pytest.raises(sosie.InputError, match="ids: 0 for 2 rows"):
                index.add(rows, [])
        assert {right for _, right, _ in index.query(vectors)} == {3, 4, 7, 8, "s", "t"}
    with sosie.Index.create(tmp_path / "numbered", vectors, **bound) as index:
        for rows in (vectors, vectors.tolist()):
            with pytest.raises(sosie.OptionError, match="identified by their numbers"):
                index.add(rows, ["x", "y"])


class Stream:
    """An object that Arrow can read, with nothing else known about it."""

    def __init__(self, held):
        self.held = held

    def __arrow_c_stream__(self, requested_schema=None):
        return self.held.__arrow_c_stream__(requested_schema)


def test_streams_of_arrow_keep_their_ids(tmp_path):
    pa = pytest.importorskip("pyarrow")
    vectors = [[0.0, 10.0], [20.0, 30.0]]
    bound = {"kind": "vectors", "measure": "euclidean", "within": 1, "column": "vector"}
    table = pa.table({"id": ["a", "b"], "vector": vectors})
    with sosie.Index.create(tmp_path / "named", Stream(table), **bound) as index:
        assert index.info()["id"] == "id"
        index.add(Stream(pa.table({"id": [7], "vector": vectors[:1]})))
        assert [right for _, right, _ in index.query(Stream(table))] == ["a", 7, "b"]
    with sosie.Index.create(tmp_path / "array", Stream(pa.chunked_array([vectors])), **bound) as index:
        assert [right for _, right, _ in index.query(np.array(vectors))] == [0, 1]


def test_a_column_called_row_names_nothing(tmp_path):
    table = polars.DataFrame({"row": ["a", "b"], "vector": [[0.0, 10.0], [20.0, 30.0]]})
    bound = {"kind": "vectors", "measure": "euclidean", "within": 1, "column": "vector"}
    with sosie.Index.create(tmp_path / "index", table, **bound) as index:
        index.add(table)
        assert [right for _, right, _ in index.query(table)] == [0, 2, 1, 3]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_of_other_classes(tmp_path):
    rows = np.eye(3)
    with sosie.Index.create(tmp_path / "index", np.matrix(rows), threshold=0.9, kind="vectors") as index:
        index.add(rows.astype(bool))
        index.add(np.ma.array(rows))
        assert len(index.query(rows)) == 9
        with pytest.raises(TypeError, match="masked array"):
            index.add(np.ma.array(rows, mask=rows > 0))


def test_arrays_of_bits_have_names(tmp_path):
    bits = np.random.default_rng(9).integers(0, 2, (60, 64)).astype(bool)
    near = bits.copy()
    near[:, 5] ^= True
    with sosie.Index.create(tmp_path / "bits", bits[:40], [f"b{n}" for n in range(40)],
                            measure="hamming", within=2) as index:
        assert index.add(bits[40:], list(range(20)))["added"] == 20
        found = {(left, right) for left, right, _ in index.query(near)}
        assert found >= {(n, f"b{n}") for n in range(40)} | {(n + 40, n) for n in range(20)}


def test_an_array_has_no_fields_and_no_texts(tmp_path):
    rows = np.eye(4, dtype=np.float32)
    with pytest.raises(sosie.OptionError, match="no fields"):
        sosie.Index.create(tmp_path / "fields", rows, ids=list("abcd"), fields="lang", threshold=0.9)
    with sosie.Index.create(tmp_path / "named", rows, ids=list("abcd"), threshold=0.9) as index, \
            pytest.raises(sosie.SosieError, match="without ids"):
        index.add(rows)
    with sosie.Index.create(tmp_path / "sets", kind="sets", threshold=0.5) as index, \
            pytest.raises((sosie.SosieError, TypeError)):
        index.query(rows)


def test_the_bench_of_open_indexes_runs_in_little():
    done = subprocess.run([sys.executable, ROOT / "bench/open_index.py", "--vectors", "300", "--strings", "300"],
                          check=True, capture_output=True, text=True)
    figures = json.loads(done.stdout)
    assert set(figures) == {"vectors", "strings"}
    assert all(value > 0 for some in figures.values() for value in some.values())


def test_fields_whose_names_have_commas_are_kept(tmp_path: Path) -> None:
    table = polars.DataFrame({"id": ["x"], "text": ["one two three four five six"], "a,b": ["p"], "c": ["q"]})
    more = polars.DataFrame({"id": ["y"], "text": ["six five four three two one"], "a,b": ["r"], "c": ["s"]})
    with sosie.Index.create(tmp_path / "commas.index", table, fields=["a,b", "c"]) as index:
        index.add(more)
        hits = index.query(["six five four three two one"], where=r"a\,b=r")
        assert [right for _, right, _ in hits] == ["y"]
