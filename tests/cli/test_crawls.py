"""Files in which other programs write one record after another: WET files of crawls (ISO 28500),
and chemfp fingerprints."""

import gzip
import json
import random
import unittest
import zlib

import corpus
from support import SosieTest


def record(kind: str, body: bytes, end: bytes = b"\r\n", **headers: str) -> bytes:
    lines = [b"WARC/1.0", b"WARC-Type: " + kind.encode()]
    lines += [f"{name.replace('_', '-')}: {value}".encode() for name, value in headers.items()]
    lines += [b"Content-Length: " + str(len(body)).encode(), b""]
    return end.join(lines) + end + body + 2 * end


class Wet(SosieTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        texts = corpus.texts(11, 400) + corpus.planted_pairs(12, 100, 80)
        draw.shuffle(texts)
        # Contents that look like the end or beginning of a record, and invalid UTF-8 bytes.
        marks = ["\r\n\r\nWARC/1.0\r\nContent-Length: 3\r\n\r\n", "\n\n", '"\\\t\x01', "\r"]
        self.bodies = [(text + draw.choice(marks) * (i % 3 == 0)).encode() + b"\xff" * (i % 100 == 7)
                       for i, text in enumerate(texts)]
        self.records = [record("conversion", body, WARC_Record_ID=f"<urn:{i}>",
                               WARC_Target_URI=f"http://a.example/{i}", WARC_Date=f"2026-01-{i % 28 + 1:02}")
                        for i, body in enumerate(self.bodies)]
        self.info = record("warcinfo", b"software: none\r\n", WARC_Record_ID="<urn:info>")
        self.write("c.wet", self.info + b"".join(self.records))
        self.write("c.jsonl", b"".join(
            b'{"id": "<urn:%d>", "text": %s}\n' % (i, json.dumps(body.decode(errors="surrogateescape"),
                                                                 ensure_ascii=False)
                                                    .encode(errors="surrogateescape"))
            for i, body in enumerate(self.bodies)))

    def test_the_same_pairs_as_of_json(self):
        pairs = self.sosie("pairs", "c.jsonl").out
        self.assertGreater(pairs.count(b"\n"), 90)
        self.write("members.warc.wet.gz", b"".join(gzip.compress(one) for one in [self.info, *self.records]))
        self.write("one.warc", gzip.compress(self.read("c.wet")))
        self.write("feeds.wet", self.info + b"".join(
            record("conversion", body, b"\n", WARC_Record_ID=f"<urn:{i}>")
            for i, body in enumerate(self.bodies)))
        for name in ("c.wet", "members.warc.wet.gz", "one.warc", "feeds.wet"):
            for args in ((), ("--threads", "1", "--memory", "3M", "--method", "lsh"), ("--threads", "7")):
                self.assertEqual(self.sosie("pairs", name, *args).out, pairs, (name, args))

    def test_kept_records_are_copied(self):
        self.sosie("dedup", "c.wet", "-o", "k.wet", "--removed", "r.jsonl", "--checkpoint", "ck")
        gone = {row["row"] for row in map(json.loads, self.read("r.jsonl").splitlines())}
        self.assertGreater(len(gone), 90)
        kept = b"".join(one for i, one in enumerate(self.records) if i not in gone)
        self.assertEqual(self.read("k.wet"), kept)
        self.sosie("plan", "c.wet", "-o", "p.json")
        self.sosie("sketch", "c.wet", "--plan", "p.json", "-o", "s.sketch")
        self.sosie("dedup", "c.wet", "--reuse", "s.sketch", "-o", "again.wet")
        self.sosie("dedup", "c.wet", "--plan", "p.json", "-o", "plan.wet")
        self.assertEqual(self.read("again.wet"), self.read("plan.wet"))

    def test_packed_outputs_have_a_member_for_each_record(self):
        """This lets readers of crawls find a record by the offset of its member."""
        kept = self.sosie("dedup", "c.wet").out
        outputs = set()
        for threads in ("1", "7"):
            self.sosie("dedup", "c.wet", "--threads", threads, "-o", "k.wet.gz", "--overwrite")
            outputs.add(self.read("k.wet.gz"))
        self.assertEqual(len(outputs), 1)
        records, rest = [], outputs.pop()
        while rest:
            member = zlib.decompressobj(wbits=31)
            records.append(member.decompress(rest))
            rest = member.unused_data
        self.assertEqual(b"".join(records), kept)
        self.assertTrue(all(one.startswith(b"WARC/1.0") and one.count(b"WARC-Record-ID") == 1 for one in records))
        self.sosie("dedup", "c.wet", "-o", "k.wet.zst")
        self.assertEqual(self.read("k.wet.zst").count(b"\x28\xb5\x2f\xfd"), len(records))
        self.assertEqual(self.sosie("dedup", "k.wet.zst").out, kept)
        self.sosie("dedup", "k.wet.gz", "-o", "same/", "--threshold", "1")
        self.assertEqual(self.read("same/k.wet.gz"), self.read("k.wet.gz"))

    def test_texts_are_the_same_by_every_way_of_asking(self):
        """If only the text is requested, it is not converted."""
        for columns in ("text,id", "text|id", "text"):
            pairs = [self.sosie("pairs", name, "--column", columns).out for name in ("c.wet", "c.jsonl")]
            self.assertGreater(pairs[0].count(b"\n"), 20)
            self.assertEqual(pairs[0], pairs[1], columns)
        shown = [self.sosie("pairs", name, "--show", "text").out for name in ("c.wet", "c.jsonl")]
        self.assertEqual(shown[0], shown[1])
        kept = [self.sosie("dedup", name, "--keep", "max:text", "--clusters", f"{name}.tsv", "--dry-run") and
                self.read(f"{name}.tsv") for name in ("c.wet", "c.jsonl")]
        self.assertEqual(kept[0], kept[1])

    def test_memory_of_bytes_that_json_escapes(self):
        self.write("nul.wet", record("conversion", bytes(15 << 20), WARC_Record_ID="<urn:1>"))
        self.sosie("dedup", "nul.wet", "--threads", "1", "--memory", "128M", "--dry-run", "--stats", "s.json")
        self.assertLess(json.loads(self.read("s.json"))["peak_memory_bytes"], 128 << 20)

    def test_fields_are_headers(self):
        out = self.sosie("pairs", "c.wet", "--show", "url,date", "--limit", "1000").out.decode()
        head, first = out.splitlines()[:2]
        self.assertEqual(head.split("\t")[3:5], ["left_url", "right_url"])
        number = first.split("\t")[0].removeprefix("<urn:").removesuffix(">")
        self.assertEqual(first.split("\t")[3], f"http://a.example/{number}")
        self.sosie("dedup", "c.wet", "--id", "url", "--keep", "max:date", "-o", "k.wet")

    def test_files_that_are_broken(self):
        whole = self.read("c.wet")
        length = b"Content-Length: %d" % len(self.bodies[0])
        for bytes_, says, hints in (
                (whole.replace(length, b"Content-Length: %d" % (len(self.bodies[0]) - 5), 1),
                 "no WARC record begins here", "wrong Content-Length"),
                (whole.replace(length, b"Content-Length: 9999999999", 1), "this WARC record is cut short",
                 "--on-bad-row skip"),
                (whole.replace(length, b"Content-Length: ten", 1), "Content-Length is 'ten'", ""),
                (whole.replace(length, b"Length: 10", 1), "has no Content-Length", ""),
                (whole[:-40], "this WARC record is cut short", "--on-bad-row skip"),
                (whole.replace(b"WARC-Type: conversion", b"X: y"), "this WARC record has no WARC-Type", ""),
                (b"a text\n", "b.wet:1: no WARC record begins here", "")):
            for name, data in (("b.wet", bytes_), ("b.wet.gz", gzip.compress(bytes_))):
                self.write(name, data)
                self.fails(3, "pairs", name, says=says.replace("b.wet", name), hints=hints)
        self.assertIn("set aside   20 rows", self.sosie("pairs", "c.wet").err)
        self.assertIn(", 1 header\n", self.sosie("pairs", "c.wet").err)
        self.write("b.wet", whole.replace(b"conversion", b"response", 3))
        self.fails(3, "pairs", "b.wet", says="a record of type 'response' contains no plain text",
                   hints="--on-bad-row skip")
        self.assertIn("9 bad rows left out",
                      self.sosie("pairs", "b.wet", "--on-bad-row", "skip").err)
        self.write("b.wet", whole[:-40])
        self.assertIn("7 bad rows left out", self.sosie("pairs", "b.wet", "--on-bad-row", "skip").err)
        self.write("b.wet.gz", gzip.compress(whole)[:-400])
        self.assertIn("damage", self.sosie("pairs", "b.wet.gz", "--on-bad-row", "skip").err)
        self.write("b.wet", "a text".encode("utf-16"))
        self.fails(2, "pairs", "b.wet", says="format wet is always read as UTF-8")
        self.fails(2, "pairs", "c.wet", "--encoding", "latin-1", says="format wet is always read as UTF-8")
        self.write("b.jsonl", whole)
        self.fails(3, "pairs", "b.jsonl", says="appears to contain WARC records", hints="--format wet")

    def test_line_ends_between_records(self):
        """Some programs write none, or more than two; whatever is there is copied."""
        draw = random.Random(7)
        ends = [b"", b"\n", b"\r\n", b"\r\n\r\n", b"\r\n\r\n\r\n\n"]
        texts = [record("conversion", body, WARC_Record_ID=f"<urn:{i}>")[:-4] + draw.choice(ends)
                 for i, body in enumerate(self.bodies)]
        self.write("a.wet", b"\n" + b"".join(texts[:300]))
        self.write("b.wet", b"".join(texts[300:]) + b"\r\n\n")
        pairs = self.sosie("pairs", "c.jsonl").out
        outputs = set()
        for args in ((), ("--memory", "3M", "--method", "lsh"), ("--threads", "7", "--memory", "64M")):
            self.assertEqual(self.sosie("pairs", "a.wet", "b.wet", *args).out, pairs)
            self.sosie("dedup", "a.wet", "b.wet", *args, "--threshold", "1", "-o", "k.wet", "--overwrite",
                       "--removed", "r.jsonl")
            gone = {row["row"] + 300 * (row["file"] == "b.wet")
                    for row in map(json.loads, self.read("r.jsonl").splitlines())}
            kept = b"".join(text for i, text in enumerate(texts) if i not in gone)
            self.assertEqual(self.read("k.wet").replace(b"\n", b"").replace(b"\r", b""),
                             kept.replace(b"\n", b"").replace(b"\r", b""))
            self.assertIn(f"rows        {600 - len(gone)} read", self.sosie("pairs", "k.wet").err)
            outputs.add(self.read("k.wet"))
        self.assertEqual(len(outputs), 1)

    def test_headers_that_are_called_like_fields(self):
        self.write("h.wet", b"".join(
            record("Conversion", f"page {i} of many words, all of its own {i * 7}".encode(), text="the same",
                   id="mine", warc_record_id=f"<urn:{i}>", X_Note="one\r\n  two") for i in range(3)))
        self.assertEqual(self.sosie("pairs", "h.wet", "--shingle", "words:1", "--threshold", "1").out.count(b"\n"), 1)
        out = self.sosie("pairs", "h.wet", "--shingle", "words:1", "--threshold", "0.5", "--show",
                         "x-note").out.decode()
        self.assertEqual(out.splitlines()[1].split("\t")[:2] + out.splitlines()[1].split("\t")[3:],
                         ["<urn:0>", "<urn:1>", "one    two", "one    two"])


class Fps(SosieTest):
    def test_fingerprints(self):
        draw = random.Random(6)
        rows = [draw.getrandbits(166) for _ in range(300)]
        rows += [row ^ (1 << draw.randrange(166)) for row in rows[:60]]
        self.write("m.fps", "#FPS1\n#num_bits=166\n#software=none\n" + "".join(
            f"{row:042x}\tCHEM{i}\tmore\n" for i, row in enumerate(rows)))
        self.write("m.csv", "id,text\n" + "".join(f"CHEM{i},{row:042x}\n" for i, row in enumerate(rows)))
        for args in (("pairs", "--within", "2"), ("pairs", "--measure", "jaccard", "--threshold", "0.8")):
            found = self.sosie(args[0], "m.fps", *args[1:]).out
            self.assertEqual(found, self.sosie(args[0], "m.csv", "--kind", "bits", *args[1:]).out)
            self.assertGreaterEqual(found.count(b"\n"), 61)
        self.sosie("dedup", "m.fps", "--within", "2", "-o", "k.fps")
        self.assertEqual(self.read("k.fps").count(b"\n"), 300)
        for name, bits, digits, says in (
                ("other.fps", 167, 42, "other.fps: #num_bits is 167, but 166 in m.fps"),
                ("short.fps", 166, 40, "short.fps: #num_bits=166 takes 42 hexadecimal digits, the first row has 40")):
            self.write(name, f"#FPS1\r\n#num_bits={bits}\r\n{1:0{digits}x}\tCHEM\r\n")
            self.fails(3, "pairs", "m.fps", name, "--within", "2", says=says)
            self.fails(3, "query", "m.fps", name, "--within", "2", says=says)
        self.write("same.fps", f"#FPS1\n#num_bits=166\n{1:042x}\tCHEM\n")
        self.write("none.fps", f"{1:042x}\tNONE\n")
        self.sosie("pairs", "m.fps", "same.fps", "none.fps", "--within", "2", "--id", "row")
        self.write("b.fps", "00ff CHEM1\n")
        self.fails(3, "pairs", "b.fps", "--within", "1", says="b.fps:1: expected HEX<tab>ID, found no tab")

    def test_an_index_remembers_the_declared_bits(self):
        def fps(name, bits, ids):
            header = f"#FPS1\n#num_bits={bits}\n" if bits else ""
            self.write(name, header + "".join(f"{7 << i:042x}\t{i}\n" for i in ids))
        fps("m.fps", 166, range(40))
        fps("same.fps", 166, range(40, 50))
        fps("other.fps", 167, range(50, 60))
        fps("none.fps", 0, range(60, 70))
        fps("long.fps", 176, [])
        for part, bound in enumerate((("--within", "2"), ("--measure", "jaccard", "--threshold", "0.5"))):
            m, n, o = (f"{name}{part}.index" for name in "mno")
            self.sosie("index", "build", m, "m.fps", *bound)
            self.assertRegex(self.sosie("index", "info", m).out.decode(), "num-bits +166\n")
            for name, bits in (("other.fps", 167), ("long.fps", 176)):
                self.fails(3, "index", "add", m, name, says=f"#num_bits of the rows is {bits}, but 166 in {m}")
                for words in (("query", m, name), ("pairs", name, "--against", m),
                              ("dedup", name, "--against", m, "-o", "k.fps")):
                    self.fails(3, *words, says=f"{name}: #num_bits is {bits}, but 166 in {m}")
            for name in ("same.fps", "none.fps"):
                self.sosie("index", "add", m, name)
                self.assertGreater(self.sosie("query", m, name).out.count(b"\n"), 10)
            self.sosie("index", "build", n, "none.fps", *bound)
            self.sosie("index", "build", o, "other.fps", *bound)
            for words in (("query", f"{n},{m},{o}", "none.fps"), ("index", "merge", "all.index", n, m, o)):
                self.fails(3, *words, says=f"#num_bits of {o} is 167, but 166 in {n}")
            self.fails(3, "index", "add", n, "long.fps",  # which has no rows
                       says=f"#num_bits of the rows is 176, but the items of {n} have 168 bits")
            self.sosie("index", "merge", f"both{part}.index", n, o)


if __name__ == "__main__":
    unittest.main()
