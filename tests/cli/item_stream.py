"""Code shared by the tests of `sosie query DATA -` for vectors and bit strings."""

import subprocess
import threading

from support import SosieTest

PATIENCE_S = 30


class ItemStreamTest(SosieTest):
    def answers_row_by_row(self, lines: list[bytes], *query: str) -> None:
        """Writes the rows q0, q1, ... of asked.jsonl into a pipe, each row only after the lines for
        the previous one have been read; `lines` is the whole table."""
        process = self.start("query", *query, "--quiet", stdin=subprocess.PIPE)
        # A test that hangs here must fail, not wait for ever.
        timer = threading.Timer(PATIENCE_S, process.kill)
        timer.start()
        self.assertEqual(process.stdout.readline(), lines[0])
        for i, row in enumerate(self.read("asked.jsonl").splitlines(keepends=True)):
            process.stdin.write(row)
            process.stdin.flush()
            for answer in lines:
                if answer.startswith(b"q%d\t" % i):
                    self.assertEqual(process.stdout.readline(), answer)
        rest, _ = process.communicate()
        timer.cancel()
        self.assertEqual((rest, process.returncode), (b"", 0))
