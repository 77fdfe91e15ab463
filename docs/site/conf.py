"""How Sphinx makes the site of docs/: tools/docs_site.sh."""
import os
import pathlib

from docutils import nodes
from sphinx import addnodes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SOSIE_SITE", ROOT / "build" / "site"))

project = "Sosie"
copyright = "the authors of Sosie"  # noqa: A001
release = os.environ["SOSIE_VERSION"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe"]
root_doc = "index"
exclude_patterns = ["site", "notebooks", "decisions/0000-template.md"]
html_theme = "furo"
html_title = f"Sosie {release}"
html_static_path = ["static"]
html_css_files = ["wide-tables.css"]
html_copy_source = False
myst_heading_anchors = 4
# `console` and `py` blocks are run by tests; their shortened outputs are no valid code.
# Each header names the namespace anew.
suppress_warnings = ["misc.highlighting_failure", "duplicate_declaration.cpp"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# Libraries of other doors, which the site does not need.
autodoc_mock_imports = ["datatrove", "fastwarc", "fsspec", "loguru", "resiliparse", "sklearn"]
napoleon_google_docstring = True
napoleon_numpy_docstring = False
breathe_projects = {"sosie": str(BUILD / "doxygen" / "xml")}
breathe_default_project = "sosie"
cpp_id_attributes = ["SOSIE_EXPORT"]


def file_outside(target, folder):
    """The file of this tree that a link names, where that is no page of the site."""
    path = target.split("#")[0]
    if not path or "://" in path or path.startswith("mailto:"):
        return None
    for place in ((folder / path).resolve(), (folder / f"{path}.md").resolve()):
        if place.exists() and (place.is_dir() or not place.is_relative_to(ROOT / "docs")):
            return place.relative_to(ROOT)
    return None


def name_files_outside(app, document):
    """Links to files that are no pages (sources, samples, results) become their names."""
    folder = pathlib.Path(app.env.doc2path(app.env.docname)).parent
    links = (nodes.reference, addnodes.download_reference, addnodes.pending_xref)
    for node in list(document.findall(lambda each: isinstance(each, links))):
        target = node.get("refuri") or node.get("reftarget") or ""
        if name := file_outside(target, folder):
            node.replace_self(nodes.literal(text=str(name)))


def setup(app):
    app.connect("doctree-read", name_files_outside)
