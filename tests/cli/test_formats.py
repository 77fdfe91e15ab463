"""CSV and TSV, packed files, folders of documents, mirrored trees, lists of inputs, nested fields and
rejected rows."""

import csv
import gzip
import io
import json
import random
import shutil
import subprocess
import unittest

from support import SosieTest, jsonl, read_table

WORDS = [f"w{number}" for number in range(300)]
ZSTD = shutil.which("zstd")


def texts(seed: int, count: int) -> list[str]:
    """Some repeat an earlier one, as it is or with a word more; some hold what CSV must quote."""
    rng = random.Random(seed)
    made: list[str] = []
    for _ in range(count):
        fate = rng.random()
        if made and fate < 0.3:
            made.append(rng.choice(made))
        elif made and fate < 0.5:
            made.append(rng.choice(made) + " " + rng.choice(WORDS))
        else:
            words = rng.choices(WORDS, k=rng.randint(3, 90))
            words.insert(rng.randint(0, 3), rng.choice(["a,b", 'say "hi"', "two\nlines", "x\ty"]))
            made.append(" ".join(words))
    return made


def as_csv(rows: list[dict], delimiter: str = ",") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["id", "text"], delimiter=delimiter,
                            lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def zstd(data: bytes) -> bytes:
    return subprocess.run([ZSTD, "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def unzstd(data: bytes) -> bytes:
    return subprocess.run([ZSTD, "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def unpack(name: str, data: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.decompress(data)
    return unzstd(data) if name.endswith(".zst") else data


def ids_in(name: str, data: bytes) -> list[str]:
    plain = unpack(name, data)
    if ".jsonl" in name:
        return [str(json.loads(line)["id"]) for line in plain.splitlines()]
    delimiter = "\t" if ".tsv" in name else ","
    return [row["id"] for row in csv.DictReader(io.StringIO(plain.decode(), newline=""),
                                                delimiter=delimiter)]


class Csv(SosieTest):
    def test_rows_are_kept_byte_for_byte_behind_one_header(self):
        self.write("a.csv", b'\xef\xbb\xbfid,text\r\n1,"one ""two""\nthree"\r\n\r\n2,other\r\n')
        self.write("b.csv", b'id,text\n3,"one ""two""\nthree"\n4,"last, ""one"""')
        self.write("c.csv", b'"id","text"\n5,five')
        self.assertEqual(self.kept("a.csv", "b.csv", "c.csv"),
                         b'id,text\r\n1,"one ""two""\nthree"\r\n2,other\r\n4,"last, ""one"""\n'
                         b'5,five')

    def test_csv_and_tsv_keep_what_jsonl_keeps(self):
        rows = [{"id": f"d{i}", "text": text} for i, text in enumerate(texts(1, 300))]
        self.write("in.jsonl", jsonl(rows))
        self.write("in.csv", as_csv(rows))
        self.write("in.tsv", as_csv(rows, "\t"))
        for name in ("in.jsonl", "in.csv", "in.tsv"):
            self.sosie("dedup", name, "-o", "out-" + name, "--removed", name + ".r.tsv")
        expected = ids_in("in.jsonl", self.read("out-in.jsonl"))
        self.assertLess(len(expected), len(rows))
        for name in ("in.csv", "in.tsv"):
            self.assertEqual(ids_in(name, self.read("out-" + name)), expected)
            self.assertEqual([row["id"] for row in self.table(name + ".r.tsv")],
                             [row["id"] for row in self.table("in.jsonl.r.tsv")])

    def test_a_large_file_is_the_same_for_any_thread_count(self):
        rows = [{"id": i, "text": text} for i, text in enumerate(texts(2, 9500))]
        self.write("in.csv", as_csv(rows))
        self.assertGreater(len(self.read("in.csv")), 2 << 20)  # more than one block
        outputs = {self.kept("in.csv", "--threads", threads) for threads in ("1", "2", "7")}
        self.assertEqual(len(outputs), 1)
        self.write("in.jsonl", jsonl(rows))
        self.assertEqual(ids_in("in.csv", outputs.pop()),
                         ids_in("in.jsonl", self.kept("in.jsonl")))

    def test_empty_files_and_headers_alone_have_no_rows(self):
        self.write("none.csv", b"")
        self.write("header.csv", b"id,text")
        self.write("blank.csv", b"\r\n\n")
        self.assertEqual(self.kept("none.csv"), b"")
        self.assertEqual(self.kept("blank.csv"), b"")
        self.assertEqual(self.kept("header.csv"), b"id,text")
        self.write("more.csv", b"id,text\n1,a\n")
        self.assertEqual(self.kept("none.csv", "header.csv", "more.csv"), b"id,text\n1,a\n")

    def test_short_and_long_rows_are_named_with_their_physical_line(self):
        self.write("people.csv", b'a,b,text,d\n1,"x\ny\n",t,4\n1,2,3\n')
        self.fails(3, "dedup", "people.csv", says=r"people\.csv:5: expected 4 fields, found 3")
        self.write("people.csv", b'a,text\n1,2,3\n')
        self.fails(3, "dedup", "people.csv", says=r"people\.csv:2: expected 2 fields, found 3")

    def test_quotes_that_mean_nothing_are_named_with_their_line(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n2,"x\ny","z\nq\n')
        self.fails(3, "dedup", "in.csv", says=r"in\.csv:5: unclosed quote")
        self.write("in.csv", b'id,text\n1,a\n2,b"c"\n3,d\n')
        self.fails(3, "dedup", "in.csv", says=r"in\.csv:3: a quote inside a field")
        self.write("in.csv", b'id,text\n1,"a"b\n')
        self.fails(3, "dedup", "in.csv", says=r"in\.csv:2: text behind a closing quote")

    def test_headers_must_be_equal_and_name_the_text(self):
        self.write("a.csv", b"id,text\n1,a\n")
        self.write("b.csv", b"text,id\na,2\n")
        self.fails(3, "dedup", "a.csv", "b.csv", says=r"b\.csv:1: the header differs", hints="text")
        self.fails(3, "dedup", "a.csv", "--column", "body", says=r"a\.csv:1: field 'body'",
                   hints="id, text")
        self.fails(3, "dedup", "a.csv", "--id", "name", says=r"a\.csv:1: field 'name'")
        self.write("c.csv", b"text,text\na,2\n")
        self.fails(3, "dedup", "c.csv", says=r"c\.csv:1: field 'text' is there twice")

    def test_columns_are_joined_ranked_and_shown(self):
        self.write("in.csv", b"id,title,body,n\n1,a,b c,2\n2,a b,c,10\n3,a,x,1\n")
        self.assertEqual(self.kept("in.csv", "--column", "title,body", "--keep", "max:n"),
                         b"id,title,body,n\n2,a b,c,10\n3,a,x,1\n")
        out = self.sosie("pairs", "in.csv", "--column", "title,body", "--show", "n").out
        self.assertEqual(out.splitlines()[1], b"1\t2\t1.000000\t2\t10")


class BadRows(SosieTest):
    def test_rejects_keep_bad_rows_with_their_reasons(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n2\n3,c\n4,x"y\n')
        self.write("in.jsonl", b'{"id": 1, "text": "a"}\n{"id"\n\n{"id": 2}\n')
        for way, kept in (("skip", b'id,text\n1,"a\nb"\n3,c\n'),
                          ("keep", self.read("in.csv"))):
            self.assertEqual(self.kept("in.csv", "--on-bad-row", way, "--rejects", "r.tsv"), kept)
            self.assertEqual([(row["file"], row["line"], row["row"]) for row in self.table("r.tsv")],
                             [("in.csv", "4", "2"), ("in.csv", "6", '4,x"y')])
        self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip", "--rejects", "r.jsonl")
        rejects = self.table("r.jsonl")
        self.assertEqual([row["line"] for row in rejects], ["2", "4"])
        self.assertIn("broken JSON", rejects[0]["reason"])
        self.assertEqual(rejects[1]["reason"], "field 'text' is missing")
        self.assertEqual(rejects[1]["row"], '{"id": 2}')

    def test_rows_read_and_rejected_are_the_rows_there(self):
        rng = random.Random(5)
        whole = as_csv([{"id": i, "text": text} for i, text in enumerate(texts(3, 20))])
        for _ in range(60):
            data = bytearray(whole)
            for _ in range(rng.randint(1, 4)):
                data[rng.randrange(8, len(data))] = rng.choice(b'",\n\rx\0\xff')
            self.write("in.csv", bytes(data))
            result = self.sosie("dedup", "in.csv", "--id", "row", "--on-bad-row", "skip",
                                "--rejects", "r.jsonl", "--stats", "stats.json", code=None)
            self.assertEqual(result.code, 0, result.err)
            stats = self.stats()
            self.assertEqual(stats.kept + stats.removed + stats.skipped, stats.read)
            self.assertEqual(len(self.table("r.jsonl")), stats.skipped)
            kept = self.kept("in.csv", "--id", "row", "--on-bad-row", "keep", "--threshold", "1")
            self.assertLessEqual(len(kept), len(data))


class Packed(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = [{"id": f"d{i}", "text": text} for i, text in enumerate(texts(4, 200))]
        self.write("in.jsonl", jsonl(self.rows))
        self.expected = self.kept("in.jsonl")

    def test_gzip_of_many_members_is_read(self):
        data = self.read("in.jsonl")
        self.write("in.jsonl.gz", gzip.compress(data[:1000]) + gzip.compress(data[1000:]) +
                   bytes(512))
        self.assertEqual(self.kept("in.jsonl.gz"), self.expected)
        self.assertEqual(self.kept("-", stdin=self.read("in.jsonl.gz")), self.expected)

    @unittest.skipUnless(ZSTD, "no zstd here")
    def test_zstd_of_many_frames_is_read(self):
        data = self.read("in.jsonl")
        self.write("in.jsonl.zst", zstd(data[:1000]) + zstd(data[1000:]))
        self.assertEqual(self.kept("in.jsonl.zst"), self.expected)
        self.write("t.jsonl.zst", zstd(data)[:-5])
        self.fails(3, "dedup", "t.jsonl.zst", says=r"t\.jsonl\.zst: truncated zstd")

    def test_broken_gzip_is_an_error(self):
        packed = gzip.compress(self.read("in.jsonl"))
        for name, data, says in (("cut", packed[:-4], "truncated gzip"),
                                 ("half", packed[:len(packed) // 2], "truncated gzip"),
                                 ("none", b"", "truncated gzip"),
                                 ("more", packed + b"x", "bytes after the end of gzip"),
                                 ("plain", self.read("in.jsonl"), "broken gzip")):
            self.write(f"{name}.jsonl.gz", data)
            self.fails(3, "dedup", f"{name}.jsonl.gz", says=rf"{name}\.jsonl\.gz: {says}")

    def test_messages_count_the_lines_of_the_unpacked_text(self):
        self.write("in.csv.gz", gzip.compress(b'id,text\n1,"a\nb"\n2\n'))
        self.fails(3, "dedup", "in.csv.gz", says=r"in\.csv\.gz:4: expected 2 fields, found 1")

    def test_outputs_are_packed_by_their_names(self):
        for threads in ("1", "3"):
            self.sosie("dedup", "in.jsonl", "-o", "out.jsonl.gz", "--removed", "r.tsv.gz",
                       "--threads", threads)
            self.assertEqual(gzip.decompress(self.read("out.jsonl.gz")), self.expected)
            self.write(f"out{threads}.gz", self.read("out.jsonl.gz"))
        self.assertEqual(self.read("out1.gz"), self.read("out3.gz"))
        removed = read_table(gzip.decompress(self.read("r.tsv.gz")))
        self.assertEqual(len(removed), len(self.rows) - len(self.expected.splitlines()))
        self.fails(2, "dedup", "in.jsonl", "-o", "out.csv.gz", says="the input is jsonl")

    def test_scratch_is_counted(self):
        self.write("in.jsonl.gz", gzip.compress(self.read("in.jsonl")))
        self.kept("in.jsonl.gz", "--stats", "stats.json")
        self.assertEqual(self.stats().tree["scratch_bytes"], len(self.read("in.jsonl")))
        self.assertEqual(list(self.scratch.iterdir()), [])


class Trees(SosieTest):
    EXTENSIONS = ["jsonl", "jsonl.gz", "csv", "csv.gz", "tsv"] + \
        (["jsonl.zst", "csv.zst"] if ZSTD else [])

    def shards(self, folder: str, count: int) -> tuple[list[str], list[dict]]:
        rng = random.Random(6)
        names, all_rows = [], []
        for number in range(count):
            extension = self.EXTENSIONS[number % len(self.EXTENSIONS)]
            depth = "/".join(rng.choices("ab", k=rng.randint(0, 3)))
            names.append("/".join(filter(None, [folder, depth, f"s{number:02}.{extension}"])))
        made = texts(7, count * 30)
        names.sort()
        for number, name in enumerate(names):
            rows = [{"id": f"d{i}", "text": made[i]}
                    for i in range(number * 30, number * 30 + 30)] if number % 17 else []
            all_rows += rows
            data = jsonl(rows) if ".jsonl" in name else as_csv(rows, "\t" if ".tsv" in name else ",")
            data = gzip.compress(data) if name.endswith(".gz") else data
            self.write(name, zstd(data) if name.endswith(".zst") else data)
        return names, all_rows

    def test_fifty_mixed_shards_are_mirrored(self):
        names, rows = self.shards("corpus", 50)
        self.write("whole.jsonl", jsonl(rows))
        expected = ids_in("x.jsonl", self.kept("whole.jsonl"))
        self.assertLess(len(expected), len(rows))
        trees = []
        for threads in ("1", "2", "7"):
            out = f"clean{threads}"
            self.sosie("dedup", "corpus", "-o", out + "/", "--threads", threads)
            files = {name: self.read(name.replace("corpus", out, 1)) for name in names}
            self.assertEqual({name for name in self.names() if name.startswith(out)},
                             {name.replace("corpus", out, 1) for name in names})
            self.assertEqual([one for name in names for one in ids_in(name, files[name])], expected)
            trees.append(files)
        self.assertEqual(trees[0], trees[1])
        self.assertEqual(trees[0], trees[2])

    def test_files_without_kept_rows_are_there(self):
        self.write("in/a.jsonl", ["one two"])
        self.write("in/b.jsonl", jsonl([{"id": "x", "text": "one two"}]))
        self.write("in/c.csv", as_csv([{"id": "y", "text": "one two"}]))
        self.write("in/d/e.jsonl.gz", gzip.compress(b""))
        self.sosie("dedup", "in/", "-o", "out/")
        self.assertEqual(self.read("out/b.jsonl"), b"")
        self.assertEqual(self.read("out/c.csv"), b"id,text\n")
        self.assertEqual(gzip.decompress(self.read("out/d/e.jsonl.gz")), b"")

    def test_a_folder_that_holds_files_needs_overwrite(self):
        self.write("in/a.jsonl", ["one two"])
        self.write("out/a.jsonl", b"old")
        self.write("out/mine.txt", b"mine")
        self.fails(2, "dedup", "in", "-o", "out/", says="out/: the folder is not empty",
                   hints="--overwrite")
        self.assertEqual(self.read("out/a.jsonl"), b"old")
        self.sosie("dedup", "in", "-o", "out/", "--overwrite")
        self.assertEqual(self.read("out/a.jsonl"), self.read("in/a.jsonl"))
        self.assertEqual(self.names(), {"in/a.jsonl", "out/a.jsonl", "out/mine.txt"})
        self.fails(2, "dedup", "in", "-o", "in/", "--overwrite", says="is an input of this run")

    def test_two_inputs_of_one_name_are_refused(self):
        self.write("a/x.jsonl", ["one"])
        self.write("b/x.jsonl", ["two"])
        self.fails(2, "dedup", "a", "b", "-o", "out/", "--id", "row", says="both be written to")
        self.fails(2, "dedup", "-", "-o", "out/", says="standard input")

    def test_nothing_is_left_behind_when_a_row_is_bad(self):
        self.write("in/a.jsonl", b'{"id"\n')
        self.fails(3, "dedup", "in", "-o", "out/")
        self.assertEqual(self.names(), {"in/a.jsonl"})
        self.assertEqual([path.name for path in self.dir.iterdir()], ["in"])


class Documents(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("docs/a.md", "Some words,\nand more words here.\n")
        self.write("docs/sub/b.md", "some words and MORE words here")
        self.write("docs/junk.bin", bytes(range(256)) * 20)
        self.write("docs/none", b"")
        self.write("docs/z.gz", gzip.compress(b"some words and more words here", mtime=0))

    def test_each_file_is_a_document_named_by_its_path(self):
        self.sosie("dedup", "docs", "-o", "out/", "--removed", "r.tsv")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                         [("sub/b.md", "a.md"), ("z.gz", "a.md")])
        for name in ("a.md", "junk.bin", "none"):
            self.assertEqual(self.read("out/" + name), self.read("docs/" + name))
        self.assertFalse((self.dir / "out/sub").exists())

    def test_packed_documents_are_copied_as_they_are(self):
        self.sosie("dedup", "docs", "-o", "out/", "--keep", "last")
        self.assertEqual(self.read("out/z.gz"), self.read("docs/z.gz"))

    def test_documents_are_not_written_one_after_another(self):
        self.fails(2, "dedup", "docs", hints="-o FOLDER/")
        self.fails(2, "dedup", "docs", "-o", "out.txt", hints="--dry-run")
        self.sosie("dedup", "docs", "--dry-run", "--stats", "stats.json")
        self.assertEqual(self.stats().removed, 2)

    def test_format_files_makes_documents_of_record_files(self):
        self.write("texts/a.txt", "line one\nline two\n")
        self.write("texts/b.txt", "line one\r\nline two")
        self.sosie("dedup", "texts", "--format", "files", "-o", "out/")
        self.assertEqual({name for name in self.names() if name.startswith("out")}, {"out/a.txt"})
        out = self.sosie("pairs", "texts", "--format", "files").out
        self.assertEqual(out.splitlines()[1], b"a.txt\tb.txt\t1.000000")

    def test_more_files_than_may_be_open(self):
        for number in range(1300):
            self.write(f"many/{number:04}.doc", f"word{number % 900} is all there is")
        self.sosie("dedup", "many", "-o", "out/", "--stats", "stats.json")
        self.assertEqual(self.stats().kept, 900)
        self.assertEqual(len(list((self.dir / "out").iterdir())), 900)


class Lists(SosieTest):
    def test_inputs_come_from_a_list(self):
        for name in ("a", "b", "c"):
            self.write(name + ".jsonl", jsonl([{"id": name, "text": name}]))
        self.write("list", "c.jsonl\r\n\nb.jsonl")
        expected = self.read("c.jsonl") + self.read("b.jsonl")
        self.assertEqual(self.kept("--files-from", "list"), expected)
        self.assertEqual(self.kept("--files-from", "-", stdin=self.read("list")), expected)
        self.assertEqual(self.kept("a.jsonl", "--files-from", "list"),
                         self.read("a.jsonl") + expected)
        self.fails(4, "dedup", "--files-from", "none", says="none: No such file")


class Nested(SosieTest):
    def test_columns_and_ids_reach_into_objects(self):
        self.write("in.jsonl", jsonl([
            {"meta": {"id": 1, "body": {"en": "a b c"}}, "n": 1},
            {"meta": {"id": 2}, "meta.body.en": "a b c"},
            {"meta": {"id": 3, "body": {"en": "wrong"}, "body.en": "A b c"}}]))
        out = self.sosie("pairs", "in.jsonl", "--column", "meta.body.en", "--id", "meta.id").out
        self.assertEqual([line.split(b"\t")[:2] for line in out.splitlines()[1:]],
                         [[b"1", b"2"], [b"1", b"3"], [b"2", b"3"]])
        self.fails(3, "dedup", "in.jsonl", "--column", "meta.body.de",
                   says=r"in\.jsonl:1: field 'meta\.body\.de' is missing")

    def test_columns_are_joined(self):
        self.write("in.jsonl", jsonl([{"t": "a b", "x": {"y": "c"}}, {"t": "a", "x": {"y": "b c"}},
                                      {"t,x.y": "a b c"}]))
        self.assertEqual(self.kept("in.jsonl", "--column", "t,x.y"),
                         self.read("in.jsonl").splitlines(keepends=True)[0])
        self.fails(3, "dedup", "in.jsonl", "--column", "t,z", says="field 'z' is missing")


if __name__ == "__main__":
    unittest.main()
