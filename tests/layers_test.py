"""tools/check_layers.py names file and line of each broken include rule, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent.parent / "tools" / "check_layers.py"


def check(files):
    """Exit status and lines printed for a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()


class Layers(unittest.TestCase):
    def assert_broken(self, path, text, *expected):
        status, lines = check({path: text})
        self.assertEqual((status, lines), (1, list(expected)))

    def assert_ok(self, path, text):
        self.assertEqual(check({path: text}), (0, ["layers: ok (1 files)"]))

    def test_a_stage_may_not_include_another_stage(self):
        self.assert_broken(
            "src/sketch/minhash.cc",
            '#include "sketch/minhash.h"\n\n#include "core/hash64.h"\n#include "verify/jaccard.h"\n',
            "src/sketch/minhash.cc:4: src/sketch may not include verify/")

    def test_a_stage_may_include_the_base_and_the_public_vocabulary(self):
        self.assert_ok("src/read/jsonl.cc",
                       '#include "read/jsonl.h"\n#include <simdjson.h>\n#include "io/file.h"\n'
                       '#include "data/text_block.h"\n#include "kernels/find.h"\n'
                       '#include "sosie/error.h"\n')

    def test_the_base_never_looks_up(self):
        for folder, other in (("core", "io"), ("core", "data"), ("io", "data"), ("data", "io"),
                              ("data", "kernels"), ("core", "pipeline"), ("plan", "store")):
            self.assert_broken(f"src/{folder}/x.h", f'#pragma once\n#include "{other}/y.h"\n',
                               f"src/{folder}/x.h:2: src/{folder} may not include {other}/")

    def test_kernels_know_std_and_highway_only(self):
        self.assert_ok("src/kernels/dot.cc",
                       '#include "kernels/dot.h"\n#include "hwy/highway.h"\n#include <hwy/base.h>\n'
                       '#include <cstdint>\n')
        self.assert_broken(
            "src/kernels/dot.cc", '#include "core/hash64.h"\n#include <fmt/core.h>\n',
            "src/kernels/dot.cc:1: src/kernels may not include core/",
            "src/kernels/dot.cc:2: src/kernels may include std, Highway and intrinsics only, not fmt/core.h")
        self.assert_broken("src/kernels/dot.h", '#include "sosie/error.h"\n',
                           "src/kernels/dot.h:1: src/kernels may not include sosie/")

    def test_public_headers_know_std_only(self):
        self.assert_ok("include/sosie/join.h", '#include <span>\n#include "sosie/error.h"\n')
        self.assert_broken(
            "include/sosie/join.h", '#include <fmt/core.h>\n#include "core/hash64.h"\n',
            "include/sosie/join.h:1: include/sosie may include std only, not fmt/core.h",
            "include/sosie/join.h:2: include/sosie may include std only, not core/hash64.h")

    def test_references_know_std_only(self):
        self.assert_ok("reference/jaccard.h", '#include <set>\n#include "reference/shingles.h"\n')
        self.assert_broken("reference/jaccard.h", '#include "sosie/error.h"\n',
                           "reference/jaccard.h:1: reference may include std only, not sosie/error.h")

    def test_front_ends_know_the_public_headers_only(self):
        self.assert_ok("apps/cli/main.cc",
                       '#include "verbs.h"\n#include <CLI/CLI.hpp>\n#include "sosie/join.h"\n')
        for path in ("apps/cli/main.cc", "bindings/python/module.cc", "examples/join/main.cc"):
            top = path.split("/")[0]
            self.assert_broken(path, '#include "sosie/join.h"\n#include "pipeline/dedup.h"\n',
                               f"{path}:2: {top} may include sosie/ only, not pipeline/")

    def test_the_pipeline_sees_all_of_src_but_no_front_end(self):
        self.assert_ok("src/pipeline/dedup.cc",
                       '#include "read/jsonl.h"\n#include "verify/jaccard.h"\n#include <sosie/join.h>\n')
        self.assert_broken("src/pipeline/dedup.cc", '#include "reference/jaccard.h"\n',
                           "src/pipeline/dedup.cc:1: src/pipeline may not include reference/")

    def test_rooms_of_the_pipeline_see_those_before_them(self):
        path = "src/pipeline/sets/run.cc"
        self.assert_ok(path, '#include "pipeline/rows/corpus.h"\n#include "pipeline/sets/run.h"\n')
        self.assert_ok("src/pipeline/dedup.cc", '#include "pipeline/reports/report_page.h"\n')
        self.assert_broken(path, '#include "pipeline/outputs/summary.h"\n#include "pipeline/verbs.h"\n',
                           f"{path}:1: src/pipeline/sets may not include pipeline/outputs/",
                           f"{path}:2: src/pipeline/sets may not include pipeline/")

    def test_angle_brackets_and_blanks_are_no_way_round(self):
        self.assert_broken("src/verify/x.cc", "  #  include <sketch/minhash.h>\n",
                           "src/verify/x.cc:1: src/verify may not include sketch/")

    def test_relative_includes_are_no_way_round(self):
        for name in ("../sketch/minhash.h", "minhash.h"):
            self.assert_broken(
                "src/verify/x.cc", f'#include "{name}"\n',
                f"src/verify/x.cc:1: include by folder/file.h from the root, not {name}")

    def test_a_folder_that_is_not_in_the_plan_is_named(self):
        for path in ("src/util/misc.cc", "src/pipeline/util/misc.cc", "src/core/util/misc.cc"):
            self.assert_broken(path, "\n",
                               f"{path}:1: no folder of src/ (ARCHITECTURE.md) holds this file")

    def test_tests_benchmarks_and_fuzz_targets_may_include_anything(self):
        status, _ = check({
            "src/core/a.cc": "\n",
            "src/core/a_test.cc": '#include "pipeline/dedup.h"\n',
            "src/core/a_bench.cc": '#include "pipeline/dedup.h"\n',
            "fuzz/a_fuzz.cc": '#include "pipeline/dedup.h"\n',
        })
        self.assertEqual(status, 0)

    def test_an_empty_tree_is_not_a_pass(self):
        self.assertEqual(check({})[0], 2)


if __name__ == "__main__":
    unittest.main()
