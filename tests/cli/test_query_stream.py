"""`sosie query DATA -` with a pipe: each row is answered before the next one arrives."""

import gzip
import json
import os
import subprocess
import threading
import unittest

import corpus
from support import SosieTest, jsonl, read_table

HEADER = b"left\tright\tsimilarity\n"
PATIENCE_S = 30


class QueryStream(SosieTest):
    def setUp(self):
        super().setUp()
        texts = corpus.texts(72, 90)
        self.write("data.jsonl", texts[:60])
        self.asked = texts[60:] + texts[3:6]
        self.write("asked.jsonl", self.asked)

    def talk(self, *args: str, data: str = "data.jsonl") -> subprocess.Popen:
        process = self.start("query", data, *args, "--threshold", "0.3", "--quiet",
                             stdin=subprocess.PIPE)
        # A test that hangs here must fail, not wait for ever.
        timer = threading.Timer(PATIENCE_S, process.kill)
        timer.start()
        self.addCleanup(process.wait)
        self.addCleanup(timer.cancel)
        for stream in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(stream.close)
        return process

    def answers(self, joined: bytes) -> dict[str, bytes]:
        """Returns the output lines for each row that was looked up."""
        lines: dict[str, bytes] = {}
        for line in joined.splitlines(keepends=True)[1:]:
            left = line.split(b"\t")[0].decode()
            lines[left] = lines.get(left, b"") + line
        return lines

    def joined(self, *args: str) -> bytes:
        return self.sosie("query", "data.jsonl", "asked.jsonl", "--threshold", "0.3", *args).out

    def test_each_row_is_answered_before_the_next_one_is_written(self):
        for method in ("exact", "brute", "auto", "lsh"):
            expected = self.answers(self.joined("--method", "brute"))
            self.assertGreater(len(expected), 10)
            process = self.talk("-", "--method", method)
            self.assertEqual(process.stdout.readline(), HEADER)
            for line in self.read("asked.jsonl").splitlines(keepends=True):
                left = json.loads(line)["id"]
                process.stdin.write(line)
                process.stdin.flush()
                for answer in expected.get(left, b"").splitlines(keepends=True):
                    self.assertEqual(process.stdout.readline(), answer)
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"")
            self.assertEqual(process.wait(), 0)

    def test_a_row_of_one_byte_is_answered_too(self):
        self.write("data.sets", b"a\n(\n")
        process = self.talk("-", "--format", "sets", data="data.sets")
        process.stdout.readline()
        for row, answer in ((b"(\n", b"0\t1\t1.000000\n"), (b"a\n", b"1\t0\t1.000000\n")):
            process.stdin.write(row)
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), answer)

    def test_the_bytes_are_those_of_the_join(self):
        asked = self.read("asked.jsonl")
        for options in ((), ("--top", "1"), ("--show", "text"), ("--id", "row"),
                        ("--measure", "containment"), ("--measure", "overlap"),
                        ("--measure", "cosine"), ("--measure", "dice"), ("--shingle", "chars:4"),
                        ("--method", "lsh", "--bands", "50x2")):
            with self.subTest(options=options):
                joined = self.joined(*options)
                self.assertGreater(joined.count(b"\n"), 10)
                for threads in ("1", "3"):
                    out = self.sosie("query", "data.jsonl", "-", "--threshold", "0.3", *options,
                                     "--threads", threads, stdin=asked).out
                    self.assertEqual(out, joined)

    def test_sets_and_bags(self):
        self.write("data.sets", b"a b c d\nx y z\nc d e f\n\n")
        self.write("asked.sets", b"a b c\r\n\nz y x\nq")
        for options in ((), ("--kind", "bags")):
            args = ("query", "data.sets", "--format", "sets", "--threshold", "0.5", *options)
            out = self.sosie(*args, "-", stdin=self.read("asked.sets")).out
            self.assertEqual(out, HEADER + b"0\t0\t0.750000\n2\t1\t1.000000\n")
            self.assertEqual(out, self.sosie(*args, "asked.sets").out)

    def test_csv_with_line_feeds_in_quotes(self):
        text = "\n".join(f"word{i}" for i in range(12))
        asked = f'\ufeffid,text\n\nx,"{text}"\ny,other words\nz,"{text} ""more"""'.encode()
        self.write("asked.csv", asked)
        self.write("data.csv", b"id,text\nd0,\"" + text.encode() + b"\"\n")
        joined = self.sosie("query", "data.csv", "asked.csv", "--threshold", "0.5").out
        self.assertEqual(joined.count(b"\n"), 3)
        out = self.sosie("query", "data.csv", "-", "--threshold", "0.5", "--format", "csv",
                         stdin=asked).out
        self.assertEqual(out, joined)

    def test_packed_input(self):
        out = self.sosie("query", "data.jsonl", "-", "--threshold", "0.3",
                         stdin=gzip.compress(self.read("asked.jsonl"))).out
        self.assertEqual(out, self.joined())

    def test_a_named_pipe(self):
        os.mkfifo(self.dir / "asked.ndjson")
        writer = threading.Thread(
            target=lambda: (self.dir / "asked.ndjson").write_bytes(self.read("asked.jsonl")))
        writer.start()
        out = self.sosie("query", "data.jsonl", "asked.ndjson", "--threshold", "0.3").out
        writer.join()
        self.assertEqual(out, self.joined())

    def test_answers_go_to_a_named_pipe_in_its_format(self):
        os.mkfifo(self.dir / "hits.jsonl")
        args = ("query", "data.jsonl", "--threshold", "0.3", "--id", "row", "-o")
        process = self.start(*args, "hits.jsonl", "-", stdin=subprocess.PIPE)
        writer = threading.Thread(target=lambda: process.communicate(self.read("asked.jsonl")))
        writer.start()
        out = self.read("hits.jsonl")
        writer.join()
        self.sosie(*args, "joined.jsonl", "asked.jsonl")
        self.assertEqual(out, self.read("joined.jsonl"))

    def test_rows_are_named_by_the_first_one_that_can_be(self):
        rows = [{"text": "no id"}, {"id": 5, "text": self.asked[-1]}]
        args = ("query", "data.jsonl", "-", "--threshold", "0.3", "--top", "1")
        self.assertEqual(read_table(self.sosie(*args, stdin=jsonl(rows)).out)[0]["left"], "1")
        err = self.fails(3, *args, stdin=jsonl(rows[::-1])).err
        self.assertIn("<stdin>:2: field 'id' is missing", err)
        rows = b"{}\n[]\n" + jsonl(rows[1:])
        out = self.sosie(*args, "--on-bad-row", "skip", stdin=rows).out
        self.assertEqual(read_table(out)[0]["left"], "5")

    def test_an_id_may_come_again(self):
        row = jsonl([{"id": "again", "text": self.asked[-1]}])
        out = self.sosie("query", "data.jsonl", "-", "--top", "1", stdin=row + row).out
        self.assertEqual([row["left"] for row in read_table(out)], ["again", "again"])

    def test_a_bad_row_ends_the_run_behind_the_answers_before_it(self):
        good = jsonl([{"id": "x", "text": self.asked[-1]}])
        args = ("query", "data.jsonl", "-", "--top", "1")
        answered = self.sosie(*args, stdin=good).out
        for bad, says in ((b'{"id": 1}\n', "^sosie: <stdin>:2: field 'text' is missing"),
                          (b'\n{"id": 1\n', "^sosie: <stdin>:3: ")):
            result = self.fails(3, *args, stdin=good + bad + good, says=says)
            self.assertEqual(result.out, answered)
        result = self.sosie(*args, "--on-bad-row", "skip", "--rejects", "bad.tsv", "--stats",
                            "stats.json", stdin=good + b'{"id": 1}\n' + good)
        self.assertEqual(read_table(result.out)[0], read_table(answered)[0])
        self.assertEqual(self.table("bad.tsv"), [{
            "file": "<stdin>", "line": "2", "reason": "field 'text' is missing",
            "row": '{"id": 1}'}])
        self.assertEqual((self.stats().read, self.stats().skipped), (3, 1))

    def test_bad_rows_of_data_are_rejected_too(self):
        data = self.read("data.jsonl")
        self.write("data.jsonl", data + b"{}\n")
        asked = self.read("asked.jsonl") + b"[]\n"
        self.write("asked.jsonl", asked)
        for what in ("skip", "keep"):
            args = ("query", "data.jsonl", "--threshold", "0.3", "--on-bad-row", what, "--rejects")
            joined = self.sosie(*args, "joined.tsv", "asked.jsonl").out
            self.assertEqual(self.sosie(*args, "streamed.tsv", "-", stdin=asked).out, joined)
            self.assertEqual(self.read("streamed.tsv").replace(b"<stdin>", b"asked.jsonl"),
                             self.read("joined.tsv"))
            self.assertEqual(len(self.table("joined.tsv")), 2)

    def test_no_hit_is_exit_code_1(self):
        asked = jsonl([{"id": 1, "text": "nothing in the data is like this row"}])
        self.assertEqual(self.sosie("query", "data.jsonl", "-", code=1, stdin=asked).out, HEADER)
        self.assertEqual(self.sosie("query", "data.jsonl", "-", code=0, stdin=b"").out, HEADER)
        self.write("none.jsonl", b"")
        asked = self.read("asked.jsonl")
        self.assertEqual(self.sosie("query", "none.jsonl", "-", code=1, stdin=asked).out, HEADER)

    def test_limit_keeps_what_was_answered(self):
        asked = self.read("asked.jsonl")
        joined = self.joined()
        count = joined.count(b"\n") - 1
        args = ("query", "data.jsonl", "-", "--threshold", "0.3", "--limit")
        self.assertEqual(self.sosie(*args, str(count), stdin=asked).out, joined)
        result = self.fails(4, *args, str(count - 1), stdin=asked,
                            says="more than .* pairs reach jaccard 0.*, the maximum set by --limit")
        self.assertTrue(joined.startswith(result.out))
        self.assertGreater(len(result.out), len(HEADER))

    def test_a_reader_that_goes_ends_the_run_quietly(self):
        process = self.talk("-")
        self.assertEqual(process.stdout.readline(), HEADER)
        process.stdout.close()
        process.stdin.write(self.read("asked.jsonl"))
        process.stdin.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(), 0)

    def test_the_summary_is_that_of_the_join(self):
        def counts(tree):
            named = {"inputs": tree["inputs"][0], **tree}
            return {key: named[key] for key in (
                "rows", "pairs", "rows_with_pairs", "bytes", "words", "empty", "short",
                "blank_lines", "against", "measure", "threshold", "kind", "method",
                "expected_recall")}
        args = ("query", "data.jsonl", "--threshold", "0.3", "--method", "exact", "--stats")
        asked = self.read("asked.jsonl") + b"\n" + jsonl([{"id": "short", "text": "too few"}])
        self.write("asked.jsonl", asked)
        streamed = self.sosie(*args, "streamed.json", "-", stdin=asked)
        joined = self.sosie(*args, "joined.json", "asked.jsonl")
        self.assertEqual(counts(self.stats("streamed.json").tree),
                         counts(self.stats("joined.json").tree))
        self.assertEqual(streamed.err.splitlines()[0], joined.err.splitlines()[0])

    def test_what_does_not_fit_into_memory_is_refused_with_a_way_out(self):
        rows = [range(begin, begin + 100_000) for begin in range(0, 4_000_000, 100_000)]
        self.write("data.sets", b"\n".join(b" ".join(b"%d" % i for i in row) for row in rows))
        result = self.fails(4, "query", "data.sets", "-", "--format", "sets", "--memory", "256M",
                            "--method", "exact", stdin=b"1 2 3\n",
                            says="data.sets: does not fit in --memory", hints="name a file")
        self.assertEqual(result.out, b"")


if __name__ == "__main__":
    unittest.main()
