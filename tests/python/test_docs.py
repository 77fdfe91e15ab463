"""The Python code in the documentation works as described."""

from __future__ import annotations

import doctest
import importlib.metadata
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.compute
import pytest
from conftest import SOURCES, make_texts

import sosie
import sosie.datasketch

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/python.md", "docs/coming-from.md"]
RECIPES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/recipes").glob("*.md")
                 if "```python" in path.read_text() and path.stem != "spark")  # which tests/spark runs


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page, tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert found
    for block in found:
        exec(compile(block, page, "exec"), {})  # noqa: S102  (our own page)


@pytest.mark.parametrize("page", RECIPES)
def test_recipes_run_and_print_what_they_show(page, tmp_path, monkeypatch, capsys):
    """A block `text` after a Python block is its output; `# optional: MODULE` requires that module."""
    for folder in ("samples", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", (ROOT / page).read_text(),
                       flags=re.DOTALL)
    assert len(found) == len(blocks(page))
    for block, shown in found:
        needed = re.match(r"# optional: (\w+)\n", block)
        if needed and importlib.util.find_spec(needed[1]) is None:
            continue
        exec(compile(block, page, "exec"), {})  # noqa: S102  (our own page)
        assert capsys.readouterr().out == shown


# By module: the library that it needs, the extra that brings it, the page.
DOORS = {
    "sosie.polars": ("polars", "polars", "recipes/tables.md"),
    "sosie.pandas": ("pandas", "pandas", "recipes/tables.md"),
    "sosie.sklearn": ("sklearn", "sklearn", "recipes/sklearn.md"),
    "sosie.crawls": ("fastwarc", "crawls", "recipes/crawls.md"),
    "sosie.datatrove": ("datatrove", "datatrove", "recipes/pipelines.md"),
    "sosie.spark": ("pyspark", "spark", "recipes/spark.md"),
}
# Doors without a module of their own.
OTHERS = {"remote": "recipes/object-stores.md", "datasets": "recipes/tables.md",
          "duckdb": "recipes/tables.md", "molecules": "recipes/molecules.md", "parquet": "python.md"}


@pytest.mark.parametrize("module", DOORS)
def test_a_door_without_its_library_says_what_to_type(module):
    library, extra, _ = DOORS[module]
    code = f"import sys; sys.modules['{library}'] = None\nimport {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert re.match(rf"ImportError: {module} needs \S+: pip install 'sosie\[{extra}\]'", done.stderr.splitlines()[-1])


@pytest.mark.parametrize("method, library, extra", [("to_arrow", "pyarrow", "parquet"), ("to_polars", "polars", "polars"),
                                                    ("to_pandas", "pandas", "pandas")])
def test_a_table_without_its_library_says_what_to_type(method, library, extra):
    code = f"import sys, sosie; sys.modules['{library}'] = None\nsosie.pairs(['a', 'a']).{method}()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == f"ImportError: this needs {library}: pip install 'sosie[{extra}]'"


def test_every_door_has_an_extra_a_page_an_example_and_an_entry():
    pages = {extra: page for _, extra, page in DOORS.values()} | OTHERS
    assert set(importlib.metadata.metadata("sosie").get_all("Provides-Extra")) == set(pages)
    entries, index = (ROOT / "docs/coming-from.md").read_text(), (ROOT / "docs/index.md").read_text()
    reference = (ROOT / "docs/api/python.md").read_text()
    for extra, page in pages.items():
        text = (ROOT / "docs" / page).read_text()
        assert re.search(rf"pip install '(sosie|\.)\[([a-z]+,)*{extra}(,[a-z]+)*\]'", text), page
        assert "```python\n" in text or "```console\n" in text, page
        if page.startswith("recipes/"):
            assert f"({page}" in entries and f"({page}" in index, page
    for module in DOORS:
        assert module in reference or module == "sosie.spark", module


def test_functions_of_the_ray_recipe_keep_the_rows_of_a_run(tmp_path):
    """Ray itself is not needed: the test passes batches and buckets."""
    spec = importlib.util.spec_from_file_location("ray_pairs", ROOT / "examples/recipes/ray_pairs.py")
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    texts = make_texts(3, 90)
    rows = pyarrow.table({"id": [f"{number:03}" for number in range(len(texts))], "text": texts})
    sosie.plan(rows, threshold=0.7, method="lsh", output=tmp_path / "plan.json")
    plan = (tmp_path / "plan.json").read_text()
    keys = pyarrow.concat_tables([recipe.keys_of(part, plan) for part in (rows[:40], rows[40:])])
    buckets = [keys.filter(pyarrow.compute.equal(keys["key"], key)) for key in keys["key"].unique()]
    pairs = pyarrow.concat_tables([recipe.pairs_of(bucket, plan) for bucket in buckets
                                   if len(bucket) > 1])
    removed = recipe.removed_by(pairs)
    assert removed == set(sosie.dedup(rows, id="id", threshold=0.7).removed["id"]) != set()


@pytest.mark.parametrize("kind", ["list", "polars", "pandas", "pyarrow", "duckdb", "datasets"])
def test_the_example_of_the_readme_takes_every_kind(kind, capsys):
    (example,) = blocks("README.md")
    lines = example.splitlines()
    (given,) = (number for number, line in enumerate(lines) if line.startswith("texts = "))
    lines.insert(given + 1, "texts = convert(texts)")
    exec("\n".join(lines), {"convert": SOURCES[kind]})  # noqa: S102  (our own page)
    printed = capsys.readouterr().out
    assert printed.startswith("[ True False]")
    assert "The quick" not in printed


def test_doctests_run():
    for module in (sosie, sys.modules["sosie._verbs"], sys.modules["sosie._index"],
                   sys.modules["sosie._results"], sys.modules["sosie.strings"], sosie.datasketch):
        done = doctest.testmod(module)
        assert done.failed == 0
        assert done.attempted > 0, module


FUNCTIONS = ["cluster", "dedup", "explain", "minhash", "pairs", "plan", "query", "similarity", "Index",
             "Index.add", "Index.add_new", "Index.query", "Index.remove"]


def named(name: str) -> object:
    found: object = sosie
    for part in name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_say_what_goes_in_and_what_comes_out(name):
    function = named(name)
    text = inspect.getdoc(function)
    assert max(map(len, function.__doc__.splitlines())) <= 100
    assert "--" not in text and "standard output" not in text and "exit 1" not in text
    for parameter in set(inspect.signature(function).parameters) - {"self"}:
        assert re.search(rf"^    {parameter} \(.+\): \S", text, re.MULTILINE), parameter
    sections = ["Args", "Raises", "Source", "Example"] + ([] if name == "Index" else ["Returns"])
    for section in sections:
        assert re.search(rf"^{section}:\n    \S", text, re.MULTILINE), section


@pytest.mark.parametrize("name", ["dedup", "pairs", "query", "similarity", "Index"])
def test_docstrings_give_types_as_the_signature_does(name):
    text = " ".join(inspect.getdoc(named(name)).split())
    for parameter, given in inspect.signature(named(name)).parameters.items():
        if parameter == "self":
            continue
        types = given.annotation.removesuffix(" | None")
        assert f" {parameter} ({types}): " in text, parameter
        option = re.search(rf" {parameter} \([^:]*\): (.*?)(?= \w+ \([^()]*\): |$)", text)[1]
        if parameter in ("threshold", "recall", "threads", "seed", "memory"):
            assert "Default:" in option, parameter


def test_all_that_is_public_says_what_it_is():
    for name in sosie.__all__:
        public = getattr(sosie, name)
        if not inspect.isclass(public):
            continue
        for member, value in vars(public).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


CHECKERS = {
    "mypy": ["mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_program_with_types_is_right_for_every_checker(checker, tmp_path):
    (tmp_path / "user.py").write_text((ROOT / "tests/python/typed_example.py").read_text())
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    command = [sys.executable, "-m", *CHECKERS[checker]]
    done = subprocess.run([*command, "user.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = "import sosie\nsosie.dedup(['a'], treshold=1)\nsosie.pairs(['a'], method='fast')\n"
    (tmp_path / "user.py").write_text(wrong)
    done = subprocess.run([*command, "user.py"], cwd=tmp_path, capture_output=True, text=True)
    assert re.search(r"user.py:2.*treshold", done.stdout), done.stdout
    assert re.search(r"user.py:3", done.stdout), done.stdout


def test_the_program_with_types_runs(tmp_path):
    import typed_example as example

    assert len(example.kept_of_frames()) == 1
    assert example.numbers_of_results() == [1, 1, 2]
    assert example.bags_and_vectors() == pytest.approx(1)
    assert example.index_of_sets() == 2 + 1 + 1 + 1
    assert example.sketches_of_words() == ["x"]
    (tmp_path / "in.jsonl").write_text('{"text": "a"}\nbroken\n')
    place, hint = example.what_went_wrong(tmp_path / "in.jsonl")
    assert place.endswith("in.jsonl:2") and hint


def test_types_are_complete(tmp_path):
    """mypy --strict finds nothing wrong with the package or with a program that uses it."""
    (tmp_path / "user.py").write_text(
        "import polars\nimport sosie\nfrom typing import Any\n"
        "class Dataset:\n"  # the datasets library types its own in the same way
        "    @property\n"
        "    def column_names(self) -> list[str]: return []\n"
        "    def with_format(self, type: str | None = None, columns: list[str] | None = None,\n"
        "                    output_all_columns: bool = False, **given: Any) -> 'Dataset': return self\n"
        "r = sosie.dedup(polars.DataFrame({'text': ['a']}), threshold=0.9, keep='longest')\n"
        "kept: polars.DataFrame = r.apply(polars.DataFrame({'text': ['a']}))\n"
        "n: int = len(sosie.pairs(['a b', 'a b']))\n"
        "bags: list[dict[int, int]] = [{1: 2}]\n"
        "sosie.dedup(bags, threshold=0.5)\n"
        "def f(rows: Dataset) -> None: sosie.dedup(rows)\n"
        "sosie.pairs('a.npy', measure='minkowski:3', within=1)\n"
        "sosie.Index('sets', threshold=0.5, measure='dice')\n")
    settings = ["--config-file", ROOT / "pyproject.toml"]
    for command in (["-p", "sosie"], ["user.py"]):
        done = subprocess.run([sys.executable, "-m", "mypy", *settings, *command], cwd=tmp_path,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_misspelt_keywords_and_values_are_type_errors(tmp_path):
    (tmp_path / "user.py").write_text(
        "import sosie\n"
        "sosie.dedup(['a'], treshold=0.9)\n"
        "sosie.dedup(['a'], method='fast')\n"
        "sosie.pairs(['a'], measure='jacard', within='1')\n"
        "sosie.query('a.npy', 'b.npy', measure='euclidean', within=0.5, column=['a', 'b'])\n"
        "sosie.Index(top=3)\n"
        "sosie.Index(treshold=0.5)\n"
        "sosie.dedup(['a'], fail_if_duplicates=True)\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "user.py"], cwd=tmp_path,
                          capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [int(line.split(":")[1]) for line in errors] == [2, 3, 4, 6, 7, 8], done.stdout
    assert "treshold" in errors[0] and "'fast'" in errors[1] and "'jacard'" in errors[2]
