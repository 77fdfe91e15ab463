"""CSV and TSV, compressed files, folders of documents, mirrored trees, lists of inputs and nested
fields. test_bad_input.py covers errors in them."""

import csv
import gzip
import io
import json
import random
import shutil
import subprocess
import unittest

from support import SOSIE, ZSTD, SosieTest, jsonl, read_table, unpack, zstd

WORDS = [f"w{number}" for number in range(300)]


def texts(seed: int, count: int) -> list[str]:
    """Some texts repeat an earlier one, unchanged or with one word added; some contain characters
    that CSV must quote."""
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
                         b'\xef\xbb\xbfid,text\r\n1,"one ""two""\nthree"\r\n2,other\r\n'
                         b'4,"last, ""one"""\n5,five')

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

    def test_columns_are_joined_ranked_and_shown(self):
        self.write("in.csv", b"id,title,body,n\n1,a,b c,2\n2,a b,c,10\n3,a,x,1\n")
        self.assertEqual(self.kept("in.csv", "--column", "title,body", "--keep", "max:n"),
                         b"id,title,body,n\n2,a b,c,10\n3,a,x,1\n")
        out = self.sosie("pairs", "in.csv", "--column", "title,body", "--show", "n").out
        self.assertEqual(out.splitlines()[1], b"1\t2\t1.000000\t2\t10")


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

    def test_scratch_is_at_most_twice_the_packed_size(self):
        packed = gzip.compress(self.read("in.jsonl"))
        self.write("in.jsonl.gz", packed)
        self.kept("in.jsonl.gz", "--stats", "stats.json")
        self.assertLessEqual(self.stats().tree["scratch_bytes"], 2 * len(packed))
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

    def test_standard_input_has_no_place_in_a_tree(self):
        self.fails(2, "dedup", "-", "-o", "out/", says="standard input")


class Documents(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("docs/a.md", "Some words,\nand more words here.\n")
        self.write("docs/sub/b.md", "some words and MORE words here")
        self.write("docs/junk.bin", bytes(range(256)) * 20)
        self.write("docs/none", b"")
        self.write("docs/z.gz", gzip.compress(b"some words and more words here", mtime=0))

    def test_each_file_is_a_document_named_by_its_path(self):
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/", "--removed", "r.tsv")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                         [("sub/b.md", "a.md"), ("z.gz", "a.md")])
        for name in ("a.md", "junk.bin", "none"):
            self.assertEqual(self.read("out/" + name), self.read("docs/" + name))
        self.assertFalse((self.dir / "out/sub").exists())

    def test_packed_documents_are_copied_as_they_are(self):
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/", "--keep", "last")
        self.assertEqual(self.read("out/z.gz"), self.read("docs/z.gz"))

    def test_documents_are_not_written_one_after_another(self):
        self.fails(2, "dedup", "docs", "--format", "files", hints="-o FOLDER/")
        self.fails(2, "dedup", "docs", "--format", "files", "-o", "out.txt", hints="--dry-run")
        self.sosie("dedup", "docs", "--format", "files", "--dry-run", "--stats", "stats.json")
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
        self.sosie("dedup", "many", "--format", "files", "-o", "out/", "--stats", "stats.json")
        self.assertEqual(self.stats().kept, 900)
        self.assertEqual(len(list((self.dir / "out").glob("[!.]*"))), 900)


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

    def test_names_between_nuls_may_have_line_breaks(self):
        names = ["a.jsonl", "b\nb.jsonl", "c\r.jsonl"]
        for name in names:
            self.write(name, jsonl([{"id": name, "text": name}]))
        listed = "\0".join(names).encode() + b"\0"
        self.assertEqual(self.kept("--files-from", "-", stdin=listed),
                         b"".join(self.read(name) for name in names))

    def test_what_is_no_list_is_refused_before_it_fills_the_memory(self):
        self.write("data.txt", b"a line\n" + b"x" * 5000 + b"\n")
        with open(self.dir / "zeros", "wb") as out:
            out.truncate(1 << 40)
        for name in ("data.txt", "zeros"):
            self.fails(3, "dedup", "--files-from", name, hints="pass it as INPUT",
                       says=f"^sosie: {name}: is too long for a list of paths$")


class Columnar(SosieTest):
    """Without the plugin; tests/python/test_files.py covers the plugin and the Python package."""

    def test_who_reads_them_is_said(self):
        program = self.dir / "sosie"
        shutil.copy(SOSIE, program)  # where there is no plugin next to it
        self.write("in.parquet", b"PAR1")
        self.write("in.jsonl", [{"text": "a b c d e f"}])
        for arguments in (["in.parquet"], ["in.jsonl", "--dry-run", "--removed", "r.parquet"]):
            done = subprocess.run([program, "dedup", *arguments], cwd=self.dir,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(": no plugin can read such files\n", done.stderr)
            self.assertIn("pip install sosie pyarrow", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 2)
        self.assertFalse((self.dir / "r.parquet").exists())

    def test_what_is_in_the_way_is_said(self):
        (self.dir / "sosie").write_bytes(SOSIE.read_bytes())
        (self.dir / "sosie").chmod(0o755)
        self.write("libsosie_arrow.so", b"no library")
        self.write("in.arrow", b"ARROW1")
        done = subprocess.run([self.dir / "sosie", "dedup", "in.arrow"], cwd=self.dir,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("in.arrow: cannot load the plugin: ", done.stderr)


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
        self.fails(3, "dedup", "in.jsonl", "--column", "t,z",
                   says="--column: no row has the field 'z'")


if __name__ == "__main__":
    unittest.main()
