#!/usr/bin/env python3
"""The program as shipped: it loads no library from the current folder, and is hardened against
remaining bugs.

SOSIE_BIN names the program; readelf and a C compiler are part of any toolchain that built it.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ["SOSIE_BIN"]).resolve()


def readelf(*options: str) -> str:
    return subprocess.run(["readelf", "--wide", *options, PROGRAM], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


class RunPath(unittest.TestCase):
    def test_has_no_entry_that_depends_on_the_current_folder(self):
        for line in readelf("--dynamic").splitlines():
            if "(RPATH)" in line or "(RUNPATH)" in line:
                for entry in line.partition("[")[2].rstrip("]").split(":"):
                    self.assertTrue(entry.startswith(("/", "$ORIGIN")), line)

    def test_libraries_of_the_current_folder_are_not_loaded(self):
        needed = [line.partition("[")[2].rstrip("]") for line in readelf("--dynamic").splitlines()
                  if "(NEEDED)" in line]
        self.assertTrue(needed)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "evil.c").write_text(
                '#include <stdio.h>\n#include <stdlib.h>\n'
                '__attribute__((constructor)) static void run(void) '
                '{ fclose(fopen("loaded", "w")); exit(0); }\n')
            subprocess.run(["cc", "-shared", "-fPIC", "-o", "evil.so", "evil.c"], cwd=folder,
                           check=True)
            for library in needed:  # one at a time: a false libc would stop the loader itself
                planted = shutil.copy(folder / "evil.so", folder / library)
                subprocess.run([PROGRAM, "--version"], cwd=folder, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.assertFalse((folder / "loaded").exists(), library)
                os.remove(planted)


class Hardening(unittest.TestCase):
    def test_is_position_independent_with_read_only_relocations(self):
        self.assertIn("DYN (", readelf("--file-header"))
        self.assertIn("GNU_RELRO", readelf("--segments"))
        self.assertIn("NOW", readelf("--dynamic"))

    def test_stack_is_protected_and_not_executable(self):
        stack = next(line for line in readelf("--segments").splitlines() if "GNU_STACK" in line)
        self.assertNotIn("RWE", stack)
        self.assertIn("__stack_chk_fail", readelf("--dyn-syms"))

    def test_functions_of_the_c_library_are_fortified(self):
        self.assertRegex(readelf("--dyn-syms"), r"__(memcpy|read|pread64|snprintf|vsnprintf|memset)_chk")


if __name__ == "__main__":
    unittest.main()
