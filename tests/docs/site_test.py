"""The site covers every public name: docs/api lists each header in include/sosie, and each name in
the Python package; its Doxygen filter leaves words unchanged.
"""
import ast
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))
from comments import line_of  # noqa: E402


def names_of_package():
    """__all__ of the package."""
    source = (ROOT / "bindings/python/sosie/__init__.py").read_text("utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    raise AssertionError("no __all__")


class Site(unittest.TestCase):
    def test_every_header_is_in_the_reference(self):
        page = (ROOT / "docs/api/cpp.md").read_text("utf-8")
        shown = set(re.findall(r"doxygenfile:: ([\w.]+)", page))
        self.assertEqual(shown, {path.name for path in (ROOT / "include/sosie").glob("*.h")})

    def test_every_name_of_python_is_in_the_reference(self):
        page = (ROOT / "docs/api/python.md").read_text("utf-8")
        shown = {name.removeprefix("sosie.")
                 for name in re.findall(r"auto(?:function|class):: ([\w.]+)", page)}
        errors = ast.parse((ROOT / "bindings/python/sosie/errors.py").read_text("utf-8"))
        in_modules = {node.name for node in errors.body if isinstance(node, ast.ClassDef)}
        self.assertEqual(names_of_package() - shown - in_modules, {"__version__", "strings"})

    def test_comments_become_those_of_doxygen(self):
        self.assertEqual(line_of("  // Rows <= `most` & more."),
                         r"  /// Rows \<= <tt>most</tt> \& more.")
        self.assertEqual(line_of("  int rows = 0;  // 0: all"), "  int rows = 0;  ///< 0: all")
        self.assertEqual(line_of("struct Other;  // elsewhere"), "struct Other;  // elsewhere")
        self.assertEqual(line_of('  f("http://x");'), '  f("http://x");')


if __name__ == "__main__":
    unittest.main()
