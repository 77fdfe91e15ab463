"""The installed files: few, but everything that is needed."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import sosie

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(sosie.__file__).parent
SYSTEM = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
          "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def libraries(file: Path) -> dict[str, str]:
    """The libraries that a file is linked with: name and location."""
    done = subprocess.run(["ldd", file], check=True, capture_output=True, text=True)
    lines = [re.match(r"\s*(\S+)(?: => (\S+))?", line).groups() for line in done.stdout.splitlines()]
    return {Path(name).name: place or name for name, place in lines}


def test_it_is_linked_with_the_system_and_what_it_carries():
    modules = list(PACKAGE.glob("_sosie*.so"))
    assert len(modules) == 1
    for name, place in libraries(modules[0]).items():
        assert name in SYSTEM or Path(place).is_relative_to(PACKAGE), name


def test_the_wheel_has_every_library_once():
    (wheel,) = (ROOT / "build" / "wheel").glob("sosie-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [Path(name).name for name in archive.namelist() if name.startswith("sosie/lib/")]
    assert names and len({name.partition(".so")[0] for name in names}) == len(names), names


def test_the_metadata_name_the_licence_and_what_the_package_is_for():
    told = importlib.metadata.metadata("sosie")
    assert told["License-Expression"] == "Apache-2.0" and told["License"] is None
    assert set(told.get_all("License-File")) == {"LICENSE", "NOTICE"}
    assert "Typing :: Typed" in told.get_all("Classifier")
    assert 'pyarrow>=14.0.1; extra == "parquet"' in told.get_all("Requires-Dist")


def test_missing_libraries_are_named_with_their_packages(tmp_path):
    """A single message for all of them, before anything is built."""
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja",
         "-D", "CMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-D", "CMAKE_DISABLE_FIND_PACKAGE_zstd=ON"],
        capture_output=True, text=True)
    assert done.returncode != 0
    assert "needs are missing: fmt zstd" in done.stderr
    assert "apt-get install libfmt-dev libzstd-dev" in done.stderr
    assert "dnf install fmt-devel libzstd-devel" in done.stderr
    assert "brew install fmt zstd" in done.stderr


def test_an_unsafe_pyarrow_is_refused():
    code = ("import pyarrow; pyarrow.__version__ = '13.0.0'\n"
            "try:\n    import sosie._table_files\nexcept ImportError as error:\n    print(error)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "pyarrow 13.0.0 is not safe with untrusted files; use 14.0.1 or newer\n"


def test_the_command_is_the_program():
    command = Path(sys.executable).parent / "sosie"
    done = subprocess.run([command, "--version"], capture_output=True, text=True)
    assert done.stdout.startswith(f"sosie {sosie.__version__} ")


def test_the_command_has_its_demo(tmp_path):
    command = Path(sys.executable).parent / "sosie"
    done = subprocess.run([command, "demo", tmp_path / "demo"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "274 read, 167 kept" in done.stderr
    assert str(PACKAGE / "share" / "man-pages.jsonl.zst") in done.stdout


def test_a_clean_environment_needs_nothing_but_numpy(tmp_path):
    """The packages that `pip install` of the wheel brings suffice for the README's example."""
    (wheel,) = (ROOT / "build" / "wheel").glob("sosie-*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    listed = subprocess.run([python, "-m", "pip", "list", "--format=freeze"], check=True,
                            capture_output=True, text=True).stdout
    installed = {line.partition("==")[0] for line in listed.splitlines()} - {"pip", "setuptools"}
    assert installed == {"numpy", "sosie"}
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    done = subprocess.run([python, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("[ True False]"), done.stderr
    command = subprocess.run([python.parent / "sosie", "dedup", ROOT / "samples/man-pages.jsonl",
                              "-o", tmp_path / "kept.jsonl"], capture_output=True, text=True)
    assert "167 kept" in command.stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="cibuildwheel needs Python 3.11")
@pytest.mark.parametrize("arch", ["x86_64", "aarch64"])
def test_wheels_are_built_for_each_python(arch):
    """The configuration is read by the tool for which it is meant; no wheels are built."""
    done = subprocess.run([sys.executable, "-m", "cibuildwheel", "--print-build-identifiers",
                           "--platform", "linux", "--archs", arch, ROOT],
                          capture_output=True, text=True)
    assert done.stdout.split() == [f"cp3{minor}-manylinux_{arch}" for minor in (10, 11, 12)], (
        done.stderr)


def parameters(signature: str) -> list[str]:
    """a and b for "f(self, a: int, b: array[x, shape=(*)]) -> None"."""
    return re.findall(r"(\w+): ", signature.partition(" -> ")[0])


def test_stubs_are_those_of_the_module():
    """The module's functions have exactly the parameters in the stub file."""
    import sosie._sosie as module

    def stubbed(body: list[ast.stmt]) -> dict[str, list[str]]:
        return {node.name: [a.arg for a in node.args.args if a.arg != "self"]
                for node in body if isinstance(node, ast.FunctionDef) and node.name != "__len__"}

    def there(owner: object, names: set[str]) -> dict[str, list[str]]:
        return {name: parameters(getattr(owner, name).__doc__) for name in names}

    tree = ast.parse((PACKAGE / "_sosie.pyi").read_text())
    public = {name for name in dir(module) if not name.startswith("__")}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {name for name in public if callable(getattr(module, name))} - classes.keys()
    assert there(module, functions) == stubbed(tree.body)
    for name, node in classes.items():
        methods = stubbed(node.body)
        assert there(getattr(module, name), set(methods)) == methods


def test_nothing_else_is_imported():
    """`import sosie` imports neither pandas nor pyarrow nor polars."""
    code = ("import sys, sosie; sosie.dedup(['a b c', 'a b c']).removed\n"
            "print(sorted({'pandas', 'pyarrow', 'polars', 'duckdb'} & sys.modules.keys()))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
