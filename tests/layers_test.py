"""tools/check_layers.py names file and line of each broken include rule, and nothing else."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent.parent / "tools" / "check_layers.py"


def check(files):
    """Returns the exit status and the lines printed for a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()


def check_objects(files, name_of, built=None):
    """Like check(), but first compiles each source in src/ to an object with the same name.
    `built`: names of the objects in the current build; None: the build does not list them."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        for path in files:
            if path.endswith(".cc"):
                out = root / "build/src/CMakeFiles/sosie.dir" / name_of(path.removeprefix("src/"))
                out.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["c++", "-std=c++20", "-I", root / "src", "-c", root / path, "-o", out],
                               check=True)
        if built is not None:
            lines = "".join(f"build src/CMakeFiles/sosie.dir/{name}: CXX\n" for name in built)
            (root / "build/build.ninja").write_text(lines, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, folder, root / "build"], capture_output=True,
                              text=True, check=False)
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
            '#include "sketch/minhash.h"\n\n#include "core/mix64.h"\n#include "verify/jaccard.h"\n',
            "src/sketch/minhash.cc:4: src/sketch may not include verify/")

    def test_calls_of_linux_have_their_places(self):
        self.assert_broken("src/store/index_log.cc", "// fdatasync is Linux's\nint s = ::fdatasync(3);\n",
                           "src/store/index_log.cc:2: fdatasync is Linux's: src/io/system.h has what stands in for it")
        self.assert_ok("src/io/system.cc", "int s = ::syncfs(3);\n")

    def test_large_libraries_are_compiled_once(self):
        self.assert_broken("src/report/a.cc", "#include <nlohmann/json.hpp>\n",
                           "src/report/a.cc:1: src/report may not include nlohmann/json.hpp: "
                           "core/json_value.h reads JSON")
        self.assert_ok("src/core/a.cc", "#include <nlohmann/json.hpp>\n")
        self.assert_broken("src/report/a.cc", "  fmt::format_to(out, pattern, 1);\n",
                           "src/report/a.cc:1: compiles all of fmt once more: text += fmt::format(...)")
        self.assert_ok("src/report/a.cc", "  out += fmt::format(pattern, 1);\n")

    def test_kinds_verbs_and_methods_are_not_compared_as_texts(self):
        said = "src/join/a.cc:1: compares a text, {}: options hold a KindBit, VerbBit or Method"
        for line, found in (('if (o.kind == "bits") a();', 'kind == "'), ('b = verb_ != "dedup";', 'verb_ != "'),
                            ('if ("lsh" == o.method) a();', '"lsh" == o.method')):
            self.assert_broken("src/join/a.cc", line + "\n", said.format(found))
        self.assert_ok("src/join/a.cc", "if (o.kind == kBitItems && o.method == Method::lsh) a();\n")

    def test_names_are_unique_in_a_folder(self):
        cost = "namespace {\nconstexpr double kCost = 1;\n"
        here, there = "src/plan/a.cc", "src/plan/b.cc"
        self.assertEqual(
            check({here: cost + "class Sum {\n};\n}\n", there: cost + "struct Sum final {\n};\n}\n"}),
            (1, [f"{there}:2: kCost is defined in a.cc too", f"{there}:3: Sum is defined in a.cc too"]))
        others = {here: cost, "src/join/b.cc": cost, "src/plan/b_test.cc": cost, there: "class Sum;\n",
                  "src/plan/c.cc": "class Sum {\n};\n"}
        self.assertEqual(check(others)[0], 0)

    def test_a_header_declares_something_of_its_name(self):
        rule = CHECKER.read_text(encoding="utf-8")
        most = int(re.search(r"^MOST_UNNAMED = (\d+)", rule, re.MULTILINE)[1])
        left = {f"src/io/odd_{i}.h": "#pragma once\nint other();\n" for i in range(most)}
        for name, text in (("costs", "struct Cost {\n};\n"), ("order_rows", "void order_rows(int rows);\n"),
                           ("audit", "int audit_pairs();\n"), ("plan_test", "constexpr int kTestPlan = 1;\n"),
                           ("edits", "template <class T>\nclass SortedEdits final {\n};\n")):
            files = {**left, f"src/plan/{name}.h": "#pragma once\n" + text}
            self.assertEqual(check(files)[0], 0, name)
        for name, text in (("costs", "struct Costly {\n  struct Cost {};\n};\n"),
                           ("order_rows", "// order_rows() is elsewhere.\nvoid order_items();\n")):
            files = {**left, f"src/plan/{name}.h": "#pragma once\n" + text}
            status, lines = check(files)
            self.assertEqual((status, len(lines)), (1, most + 1))
            self.assertIn(f"src/plan/{name}.h:1: declares no type, function or constant of its name", lines)
        self.assertEqual(check({**left, "include/sosie/join.h": "int pairs();\n"})[0], 0)

    def test_a_wing_includes_no_other_wing(self):
        path = "src/join/bits/bit_join.cc"
        self.assert_ok(path, '#include "join/bits/bit_layout.h"\n#include "join/grouped_join.h"\n'
                             '#include "corpus/items/bit_items.h"\n')
        self.assert_ok("src/join/near_values.cc",
                       '#include "join/sets/indexed_sets.h"\n#include "join/strings/string_join.h"\n')
        self.assert_broken(
            path, '#include "join/sets/set_run.h"\n',
            f"{path}:1: src/join/bits may not include join/sets/: a wing includes no other")
        self.assert_broken(path, '#include "report/summary.h"\n',
                           f"{path}:1: src/join may not include report/")

    def test_names_are_unique_in_a_wing_and_among_all_tests_of_a_folder(self):
        cost = "namespace {\nconstexpr double kCost = 1;\n"
        here, there = "src/join/bits/a.cc", "src/join/sets/b.cc"
        self.assertEqual(check({here: cost, there: cost})[0], 0)
        self.assertEqual(check({here: cost, "src/join/bits/b.cc": cost}),
                         (1, ["src/join/bits/b.cc:2: kCost is defined in a.cc too"]))
        self.assertEqual(check({"src/join/bits/a_test.cc": cost, "src/join/b_test.cc": cost, here: "\n"}),
                         (1, ["src/join/bits/a_test.cc:2: kCost is defined in b_test.cc too"]))

    def test_a_stage_may_include_the_base_and_the_public_vocabulary(self):
        self.assert_ok("src/read/jsonl.cc",
                       '#include "read/jsonl.h"\n#include <simdjson.h>\n#include "io/file.h"\n'
                       '#include "data/text_block.h"\n#include "kernels/find.h"\n'
                       '#include "sosie/error.h"\n')

    def test_the_base_never_looks_up(self):
        for folder, other in (("core", "io"), ("core", "data"), ("io", "data"), ("data", "io"),
                              ("data", "kernels"), ("core", "verbs"), ("plan", "store")):
            self.assert_broken(f"src/{folder}/x.h", f'#pragma once\n#include "{other}/y.h"\n',
                               f"src/{folder}/x.h:2: src/{folder} may not include {other}/")

    def test_kernels_know_std_and_highway_only(self):
        self.assert_ok("src/kernels/dot.cc",
                       '#include "kernels/dot.h"\n#include "hwy/highway.h"\n#include <hwy/base.h>\n'
                       '#include <cstdint>\n')
        self.assert_broken(
            "src/kernels/dot.cc", '#include "core/mix64.h"\n#include <fmt/core.h>\n',
            "src/kernels/dot.cc:1: src/kernels may not include core/",
            "src/kernels/dot.cc:2: src/kernels may include std, Highway and intrinsics only, not fmt/core.h")
        self.assert_broken("src/kernels/dot.h", '#include "sosie/error.h"\n',
                           "src/kernels/dot.h:1: src/kernels may not include sosie/")

    def test_public_headers_know_std_only(self):
        self.assert_ok("include/sosie/join.h", '#include <span>\n#include "sosie/error.h"\n')
        self.assert_broken(
            "include/sosie/join.h", '#include <fmt/core.h>\n#include "core/mix64.h"\n',
            "include/sosie/join.h:1: include/sosie may include std only, not fmt/core.h",
            "include/sosie/join.h:2: include/sosie may include std only, not core/mix64.h")

    def test_references_know_std_only(self):
        self.assert_ok("reference/jaccard.h", '#include <set>\n#include "reference/shingles.h"\n')
        self.assert_broken("reference/jaccard.h", '#include "sosie/error.h"\n',
                           "reference/jaccard.h:1: reference may include std only, not sosie/error.h")

    def test_front_ends_know_the_public_headers_only(self):
        self.assert_ok("apps/cli/main.cc",
                       '#include "verbs.h"\n#include <CLI/CLI.hpp>\n#include "sosie/join.h"\n')
        for path in ("apps/cli/main.cc", "bindings/python/module.cc", "examples/join/main.cc"):
            top = path.split("/")[0]
            self.assert_broken(path, '#include "sosie/join.h"\n#include "verbs/dedup.h"\n',
                               f"{path}:2: {top} may include sosie/ only, not verbs/")

    def test_verbs_see_all_of_src_but_no_front_end(self):
        self.assert_ok("src/verbs/dedup.cc",
                       '#include "read/jsonl.h"\n#include "report/summary.h"\n#include <sosie/join.h>\n')
        self.assert_broken("src/verbs/dedup.cc", '#include "reference/jaccard.h"\n',
                           "src/verbs/dedup.cc:1: src/verbs may not include reference/")

    def test_what_is_made_of_stages_sees_what_stands_before_it(self):
        path = "src/join/run.cc"
        self.assert_ok(path, '#include "corpus/corpus.h"\n#include "store/checkpoint.h"\n')
        self.assert_broken(path, '#include "report/summary.h"\n#include "verbs/verbs.h"\n',
                           f"{path}:1: src/join may not include report/",
                           f"{path}:2: src/join may not include verbs/")

    def test_no_folder_holds_much_of_the_source(self):
        large = "int x;\n" * 3000
        folders = ("core", "io", "data", "read", "write", "plan", "verify")
        files = {f"src/{folder}/x.cc": large for folder in folders}
        self.assertEqual(check(files)[0], 0)
        self.assertEqual(check(files | {"src/plan/y.cc": large}),
                         (1, ["src/plan:1: holds 25% of the source, at most 15%"]))

    def test_angle_brackets_and_blanks_are_no_way_round(self):
        self.assert_broken("src/verify/x.cc", "  #  include <sketch/minhash.h>\n",
                           "src/verify/x.cc:1: src/verify may not include sketch/")

    def test_relative_includes_are_no_way_round(self):
        for name in ("../sketch/minhash.h", "minhash.h"):
            self.assert_broken(
                "src/verify/x.cc", f'#include "{name}"\n',
                f"src/verify/x.cc:1: include by folder/file.h from the root, not {name}")

    def test_a_folder_that_is_not_in_the_plan_is_named(self):
        for path in ("src/util/misc.cc", "src/join/util/misc.cc", "src/core/util/misc.cc",
                     "src/core/sets/misc.cc", "src/join/sets/util/misc.cc"):
            self.assert_broken(path, "\n",
                               f"{path}:1: no folder of src/ (ARCHITECTURE.md) holds this file")

    def test_tests_benchmarks_and_fuzz_targets_may_include_anything(self):
        status, _ = check({
            "src/core/a.cc": "\n",
            "src/core/a_test.cc": '#include "verbs/dedup.h"\n',
            "src/core/a_bench.cc": '#include "verbs/dedup.h"\n',
            "fuzz/a_fuzz.cc": '#include "verbs/dedup.h"\n',
        })
        self.assertEqual(status, 0)

    CROSSING = {
        "src/join/a.h": "namespace sosie { void join_all(); void undeclared(); }\n",
        "src/join/a.cc": '#include "join/a.h"\n'
                         "namespace sosie { void summarize(); void join_all() { summarize(); } }\n",
        "src/report/b.h": "namespace sosie { void summarize(); }\n",
        "src/report/b.cc": '#include "join/a.h"\n#include "report/b.h"\n'
                           "namespace sosie { void summarize() { undeclared(); } }\n",
        "src/verbs/c.h": "\n",
        "src/verbs/c.cc": '#include "join/a.h"\nnamespace sosie { void undeclared() {} }\n',
    }

    def test_symbols_are_held_to_the_rules_of_includes(self):
        status, lines = check_objects(self.CROSSING, lambda path: f"{path}.o")
        self.assertEqual((status, lines), (
            1, ["src/report/b.cc:1: needs sosie::undeclared() of src/verbs/c.cc",
                "src/join/a.cc:1: needs sosie::summarize() of src/report/b.cc",
                "src/verbs/c.cc:1: sosie::undeclared() is declared in no header of src/verbs"]))

    def test_symbols_of_batches_are(self):
        status, lines = check_objects(
            self.CROSSING, lambda path: f"Unity/unity_{path.split('/')[0]}_0_cxx.cxx.o")
        self.assertEqual((status, lines), (
            1, ["src/report:1: needs sosie::undeclared() of src/verbs",
                "src/join:1: needs sosie::summarize() of src/report",
                "src/verbs:1: sosie::undeclared() is declared in no header of src/verbs"]))

    WINGS = {
        "src/join/a.h": "namespace sosie { void join_all(); void join_sets(); }\n",
        "src/join/a.cc": '#include "join/a.h"\nnamespace sosie { void join_all() { join_sets(); } }\n',
        "src/join/bits/b.cc": '#include "join/a.h"\n'
                              "namespace sosie { void join_bits() { join_all(); join_sets(); } }\n",
        "src/join/sets/c.cc": '#include "join/a.h"\nnamespace sosie { void join_sets() {} }\n',
    }

    def test_a_wing_needs_no_symbol_of_another_wing(self):
        status, lines = check_objects(self.WINGS, lambda path: f"{path}.o")
        self.assertEqual((status, lines), (
            1, ["src/join/bits/b.cc:1: needs sosie::join_sets() of src/join/sets/c.cc, another wing"]))

    def test_nor_does_a_wing_in_batches(self):
        def name_of(path):
            return f"Unity/unity_{path.rpartition('/')[0].replace('/', '_')}_0_cxx.cxx.o"
        status, lines = check_objects(self.WINGS, name_of)
        self.assertEqual((status, lines), (
            1, ["src/join/bits:1: needs sosie::join_sets() of src/join/sets, another wing"]))

    def test_objects_that_an_earlier_build_left_are_not_looked_at(self):
        files = self.WINGS | {"src/join/bits/b.cc": "int bits() { return 1; }\n",
                              "src/join/bits/old.cc": self.WINGS["src/join/bits/b.cc"]}
        now = [f"{path.removeprefix('src/')}.o" for path in files if not path.endswith("old.cc")]
        self.assertEqual(check_objects(files, lambda path: f"{path}.o")[0], 1)
        self.assertEqual(check_objects(files, lambda path: f"{path}.o", now)[0], 0)

    def test_a_folder_without_objects_is_not_a_pass(self):
        status, _ = check_objects(self.CROSSING, lambda path: path.replace("/", "-"))
        self.assertEqual(status, 1)

    def test_an_empty_tree_is_not_a_pass(self):
        self.assertEqual(check({})[0], 2)


if __name__ == "__main__":
    unittest.main()
