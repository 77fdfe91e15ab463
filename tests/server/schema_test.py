"""Requests that /openapi.json describes, and others that it does not: each is answered as described
there.

Needs schemathesis (requirements.txt) in this Python environment. SOSIE_EXAMPLES: number of requests
per route (default: 20).
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from service import SOSIE, Service

# Not tested: that each value of an option's type is accepted. The program decides which combinations are valid.
NOT_CHECKED = "positive_data_acceptance"


class SchemaTest(unittest.TestCase):
    def test_answers_are_those_of_the_document(self):
        with tempfile.TemporaryDirectory(prefix="schema-") as name:
            folder = Path(name)
            rows = [json.dumps({"id": f"d{n}", "text": f"text number {n} of a few"}) for n in range(50)]
            (folder / "data.jsonl").write_text("\n".join(rows) + "\n")
            subprocess.run([SOSIE, "index", "build", "x.index", "data.jsonl", "-q"], cwd=folder, check=True)
            service = Service("x.index", folder, "--quiet")
            try:
                run = subprocess.run(
                    [Path(sys.executable).parent / "schemathesis", "run", service.address + "openapi.json",
                     "--phases", "coverage,fuzzing", "--mode", "all", "--seed", "1", "--no-color",
                     "--exclude-checks", NOT_CHECKED, "-n", os.environ.get("SOSIE_EXAMPLES", "20")],
                    cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200)
                self.assertEqual(run.returncode, 0, run.stdout[-4000:])
                self.assertRegex(run.stdout, r"[1-9]\d\d generated")
                self.assertEqual(service.ask("GET", "/healthz").status, 200)
            finally:
                self.assertEqual(service.stop(), 0)


if __name__ == "__main__":
    unittest.main()
