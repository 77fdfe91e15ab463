"""Records of the same entity, from files and from memory."""

import csv
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pytest
import sosie

SOSIE_BIN = Path(os.environ.get("SOSIE_BIN", "../../build/release/sosie")).resolve()
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PEOPLE, CUSTOMERS = SAMPLES / "people.csv", SAMPLES / "customers.csv"


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def columns_of(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.fixture(scope="module")
def people():
    return rows_of(PEOPLE), rows_of(CUSTOMERS)


@pytest.fixture(scope="module")
def from_files():
    return sosie.link(PEOPLE, against=CUSTOMERS)


def test_links_are_those_of_the_command_line(from_files, tmp_path):
    out = tmp_path / "links.csv"
    subprocess.run([SOSIE_BIN, "link", PEOPLE, "--against", CUSTOMERS, "-o", out, "-q"], check=True)
    told = rows_of(out)
    assert [row["left"] for row in told] == from_files["left_id"].tolist()
    assert [row["right"] for row in told] == from_files["right_id"].tolist()
    assert [row["score"] for row in told] == [f"{score:.6f}" for score in from_files["score"]]
    assert [row["rules"] for row in told] == from_files["rules"].tolist()
    for name in ("given", "phone"):
        assert [row[f"level_{name}"] for row in told] == from_files[f"level_{name}"].tolist()
        assert [row[f"bits_{name}"] for row in told] == [
            f"{bits:.6f}" for bits in from_files[f"bits_{name}"]]


def test_rows_in_memory_give_what_files_give(people, from_files):
    left, right = people
    expected = list(from_files)
    assert len(expected) == 80
    assert list(sosie.link(left, against=right)) == expected
    assert list(sosie.link(columns_of(left), against=columns_of(right))) == expected
    assert list(sosie.link(pandas.DataFrame(left), against=pandas.DataFrame(right))) == expected
    tables = [pyarrow.Table.from_pylist(rows) for rows in people]
    assert list(sosie.link(tables[0], against=tables[1])) == expected
    assert list(sosie.link(iter(left), against=right)) == expected


def test_row_numbers_point_at_the_rows(people, from_files):
    left, right = people
    for i, j, a, b in zip(from_files["left"], from_files["right"], from_files["left_id"],
                          from_files["right_id"], strict=True):
        assert left[i]["id"] == a and right[j]["id"] == b


def test_groups_of_one_collection(people):
    rows = people[0] + people[1]
    groups = sosie.link(rows)
    assert len(groups) == len(rows)
    assert groups["row"].tolist() == list(range(len(rows)))
    assert groups["id"].tolist() == [row["id"] for row in rows]
    assert groups["cluster_id"].tolist() == [rows[i]["id"] for i in groups["cluster"]]
    sizes = np.bincount(groups["cluster"], minlength=len(rows))
    assert groups["size"].tolist() == sizes[groups["cluster"]].tolist()
    assert np.isnan(groups["weakest"]).tolist() == (groups["size"] == 1).tolist()
    pairs = groups.pairs
    assert len(pairs) == groups.stats["links"] == 80
    assert (groups["cluster"][pairs["left"]] == groups["cluster"][pairs["right"]]).all()
    again = pickle.loads(pickle.dumps(groups))
    assert list(again.pairs) == list(pairs)


def test_asking_for_more_writes_no_weights_again(people, tmp_path):
    weights, page = tmp_path / "weights.json", tmp_path / "page.html"
    groups = sosie.link(people[0] + people[1], model=weights)
    weights.unlink()
    assert len(groups.pairs) == 80
    groups.report(page)
    assert page.exists() and not weights.exists()


def test_ids_are_never_compared(people):
    left, right = people
    renamed = [{**row, "id": f"x{2000 - i}"} for i, row in enumerate(left)]
    without = [{name: value for name, value in row.items() if name != "id"} for row in left]
    expected = sosie.link(left, against=right)
    assert list(expected["left"]) == list(sosie.link(renamed, against=right)["left"])
    numbered = sosie.link(without, against=[
        {name: value for name, value in row.items() if name != "id"} for row in right])
    assert list(expected["left"]) == list(numbered["left"])
    assert "left_id" not in numbered.column_names


def test_rules_come_back_and_go_in_again(people, from_files, tmp_path):
    left, right = people
    assert "[candidates]" in from_files.rules
    assert list(sosie.link(left, against=right, rules=from_files.rules)) == list(from_files)
    path = tmp_path / "rules.toml"
    path.write_text(from_files.rules, encoding="utf-8")
    assert list(sosie.link(left, against=right, rules=path)) == list(from_files)
    born = '[fields]\nborn = {}\n[candidates]\nrules = [{ equal = ["born"] }]\n'
    few = sosie.link(left, against=right, rules="version = 1\n" + born)
    assert "level_born" in few.column_names and "level_given" not in few.column_names
    with pytest.raises(sosie.InputError, match="bron"):
        sosie.link(left, against=right, rules="version = 1\n" + born.replace('"born"', '"bron"'))


def test_options_are_those_of_the_verb(people, tmp_path):
    left, right = people
    every = sosie.link(left, against=right, assign="all", cut=0.5)
    assert len(every) >= 80 and (every["probability"] >= 0.499).all()
    less = sosie.link(left, against=right, ignore=["phone", "city"])
    assert "level_phone" not in less.column_names
    stats = tmp_path / "stats.json"
    told = sosie.link(left, against=right, stats=stats, threads=1, memory="256M")
    assert json.loads(stats.read_text())["links"] == told.stats["links"] == len(told)
    output = tmp_path / "links.parquet"
    written = sosie.link(PEOPLE, against=CUSTOMERS, output=output)
    assert pandas.read_parquet(output)["score"].tolist() == written["score"].tolist()


def test_missing_values_and_numbers_are_fields_too(people):
    left, right = ([{**row, "year": int(row["born"][:4] or 0) or None, "phone": row["phone"] or None}
                    for row in rows] for rows in people)
    by_dicts = sosie.link(left, against=right)
    frames = [pandas.DataFrame(rows).astype({"year": "Int64"}) for rows in (left, right)]
    assert list(sosie.link(frames[0], against=frames[1])["left"]) == list(by_dicts["left"])
    assert "level_year" in by_dicts.column_names
    fewer = [{name: value for name, value in row.items() if value is not None} for row in left]
    assert list(sosie.link(fewer, against=right)) == list(by_dicts)


def test_results_are_arrow_objects(from_files):
    table = from_files.to_arrow()
    assert table.num_rows == len(from_files)
    assert table["rules"].to_pylist() == from_files["rules"].tolist()
    assert from_files.to_pandas()["probability"].between(0, 1).all()
    assert from_files[::2].to_arrow()["bits_born"].to_pylist() == from_files["bits_born"][::2].tolist()


@pytest.mark.parametrize("call, kind, text", [
    (lambda: sosie.link(["anna", "bert"]), TypeError, "named fields"),
    (lambda: sosie.link({"a": ["x"], "b": []}), TypeError, "different lengths"),
    (lambda: sosie.link([{"a": "x"}], init=True), TypeError, r"result\.rules"),
    (lambda: sosie.link([{"a": "x"}], pairs="p.csv"), TypeError, r"result\.pairs"),
    (lambda: sosie.link([{"a": "x"}], ruls="r"), TypeError, "did you mean rules"),
    (lambda: sosie.link([{"a": "x"}], assign="best"), sosie.OptionError, "against"),
    (lambda: sosie.link([{"a": "x"}], format="csv"), sosie.OptionError, "rows in memory"),
    (lambda: sosie.link([{"a": "x"}], against=[{"b": "y"}]), sosie.OptionError, "in common"),
    (lambda: sosie.link("no-such-file.csv"), sosie.FileError, "no-such-file"),
])
def test_what_cannot_be_meant_is_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_no_records_have_no_groups():
    found = sosie.link(pyarrow.table({"name": pyarrow.array([], pyarrow.string())}))
    assert len(found["row"]) == 0
    assert found.stats["records"] == 0


def test_a_report_of_a_run(people, tmp_path):
    left, right = people
    found = sosie.link(left, against=right)
    found.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f'<th scope="row">links</th><td>{len(found["left"]):,}</td>' in page and "Pairs nearest the decision" in page


def test_explain_says_what_link_decides(people, from_files, tmp_path):
    left, right = people
    ids = f"a:{from_files['left_id'][0]}", f"b:{from_files['right_id'][0]}"
    verdict = f"Linked: {from_files['score'][0]:.6f} bits"
    page = sosie.explain(*ids, PEOPLE, against=CUSTOMERS, kind="records")
    assert page.startswith(verdict)
    command = [SOSIE_BIN, "explain", *ids, PEOPLE, "--against", CUSTOMERS, "--kind", "records"]
    assert page == subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for one, other in ((left, right), (columns_of(left), columns_of(right)),
                       (pandas.DataFrame(left), pandas.DataFrame(right))):
        in_memory = sosie.explain(*ids, one, against=other, kind="records")
        assert in_memory.partition("field")[2] == page.partition("field")[2]
    assert sosie.explain(*ids, left, against=right, rules=from_files.rules).startswith(verdict)
    assert sosie.explain("a1", "a1", left, kind="records").startswith("Left and right are the same row")
    with pytest.raises(sosie.InputError, match="no row has the id 'none'"):
        sosie.explain("a:none", ids[1], left, against=right, kind="records")
    with pytest.raises(sosie.OptionError, match="cut: does not apply to texts"):
        sosie.explain(0, 1, ["one", "two"], kind="text", cut=0.5)


def test_a_run_is_saved_once_for_its_review(people, tmp_path):
    run = tmp_path / "run"
    result = sosie.link([PEOPLE, CUSTOMERS], save=str(run))
    written = (run / "run.json").stat().st_mtime_ns
    assert len(result.pairs) == 80  # a separate run, which saves nothing again
    assert (run / "run.json").stat().st_mtime_ns == written
    facts = json.loads((run / "run.json").read_text())
    assert facts["sosie_run"] == 2
    assert facts["overview"]["apply"].startswith("sosie link --reuse decisions.tsv -o reviewed.tsv ")
    assert facts["tables"]["pairs"]["bytes"] == (run / "pairs").stat().st_size > 0
    with pytest.raises(sosie.OptionError, match="save: a table in memory has no file"):
        sosie.link(people[0], save=str(tmp_path / "other"))
    with pytest.raises(sosie.OptionError):
        sosie.link([PEOPLE, CUSTOMERS], save=str(run))
    assert not (tmp_path / "other").exists()


def test_pairs_that_are_suggested_come_back_as_labels_and_decisions(tmp_path):
    asked = tmp_path / "ask.csv"
    links = sosie.link(PEOPLE, against=CUSTOMERS, suggest=20, output=asked)
    assert links.stats["suggested"] == 20
    assert len(links["left"]) == links.stats["links"]  # the answer is still available
    rows = rows_of(asked)
    assert len(rows) == 20
    assert "left_surname" in rows[0]
    with pytest.raises(sosie.OptionError, match="suggest"):
        sosie.link(PEOPLE, against=CUSTOMERS, suggest=20)
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(
        json.dumps({"left": row["left"], "right": row["right"],
                    "label": int(float(row["probability"]) > .5)}) + "\n" for row in rows))
    learnt = sosie.link(PEOPLE, against=CUSTOMERS, labels=labels)
    assert learnt.stats["labels"]["matches"] + learnt.stats["labels"]["others"] == 20
    first = rows_of(PEOPLE)[int(links["left"][0])]["id"], rows_of(CUSTOMERS)[int(links["right"][0])]["id"]
    decisions = tmp_path / "decisions.tsv"
    decisions.write_text("left\tright\tdecision\n" + "\t".join((*first, "rejected")) + "\n")
    decided = sosie.link(PEOPLE, against=CUSTOMERS, reuse=decisions)
    assert (links["left"][0], links["right"][0]) not in set(zip(decided["left"], decided["right"],
                                                               strict=True))
