"""Which files in a folder or matched by a pattern are inputs, and what is reported about JSON in
other shapes and about files that are named twice."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import sqlite3
import tarfile
import unittest
import zipfile

from support import SosieTest, jsonl, zstd, ZSTD

ROWS = [{"id": "a", "text": "one two three four five six"},
        {"id": "b", "text": "seven eight nine ten eleven"}]
OTHER = [{"id": "c", "text": "twelve thirteen fourteen fifteen"}]
LINES = jsonl(ROWS)


class HiddenFiles(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("d/part-0.csv", "text\nhello world\nhello moon\n")
        self.write("d/.ipynb_checkpoints/part-0-checkpoint.csv", "text\nhello world\nhello moon\n")
        self.write("d/.part-0.csv", "text\nsecret\n")
        self.write("d/._part-0.csv", "text\nfork\n")
        self.write("d/sub/.x.csv", "text\nbelow\n")
        self.write("d/part-0.csv~", "text\nolder\n")
        self.write("d/part-1.csv.crc", "crc\0")
        self.write("d/_SUCCESS", "")

    def test_are_no_inputs_and_are_counted_and_named(self):
        result = self.sosie("dedup", "d", "-o", "out/", "--stats", "s.json")
        self.assertEqual(self.outputs("out"), ["part-0.csv"])
        self.assertRegex(result.err, r"not read, 7 hidden paths \(--hidden reads them\): d/\._part-0\.csv, "
                                     r"d/\.ipynb_checkpoints/, d/\.part-0\.csv, d/_SUCCESS, d/part-0\.csv~ "
                                     r"and 2 more\n")
        stats = json.loads(self.read("s.json"))
        self.assertEqual(stats["rows"], 2)
        self.assertEqual(stats["hidden_not_read"],
                         ["d/._part-0.csv", "d/.ipynb_checkpoints/", "d/.part-0.csv", "d/_SUCCESS",
                          "d/part-0.csv~", "d/part-1.csv.crc", "d/sub/.x.csv"])

    def test_are_read_when_asked_or_named(self):
        self.assertEqual(self.kept("d", "--hidden"), b"text\nfork\nhello world\nhello moon\nsecret\nbelow\n")
        self.assertEqual(self.kept("d/.part-0.csv"), b"text\nsecret\n")
        self.assertEqual(self.kept("d/.ipynb_checkpoints"), b"text\nhello world\nhello moon\n")
        self.assertEqual(self.kept("d/.p*.csv"), b"text\nsecret\n")

    def test_a_named_format_is_that_of_hidden_names_too(self):
        for name in ("_SUCCESS", "part-1.csv.crc"):
            self.write(f"d/{name}", "text\nmark\n")
        self.write("d/unknown", "text\nnot read\n")
        asked = ("--hidden", "--format", "csv")
        self.assertEqual(self.kept("d", *asked),
                         b"text\nfork\nhello world\nhello moon\nsecret\nmark\nolder\nbelow\n")
        self.fails(2, "dedup", "d", *asked, "-o", "d/kept~", says="d/kept~")

    def test_no_verb_reads_them(self):
        self.write("q.csv", "text\nsecret\n")
        self.sosie("plan", "d", "--method", "lsh", "-o", "p.json")
        for verb in (["pairs", "d", "--stats", "s.json"], ["query", "d", "q.csv", "--stats", "s.json"],
                     ["link", "d", "--dry-run", "--stats", "s.json"]):
            result = self.sosie(*verb, code=None)
            self.assertIn("hidden paths (--hidden reads them)", result.err, verb)
            self.assertEqual(len(json.loads(self.read("s.json"))["hidden_not_read"]), 7, verb)
        for verb in (["sketch", "d", "--plan", "p.json", "-o", "d.sketches"],
                     ["index", "build", "d.index", "d"]):
            result = self.sosie(*verb)
            self.assertIn("7 hidden paths", result.err, verb)
            self.assertRegex(result.err, "2 (rows|items)", verb)

    def test_a_folder_of_hidden_files_says_how_to_read_them(self):
        self.write("h/.a.jsonl", LINES)
        self.fails(4, "dedup", "h", says="h: the folder contains no files but 1 hidden one",
                   hints="--hidden reads them")

    def test_documents_that_are_hidden_are_left_out_too(self):
        self.write("docs/a.md", "text")
        self.write("docs/.git/HEAD", "ref")
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/")
        self.assertEqual(self.outputs("out"), ["a.md"])


class Patterns(SosieTest):
    def setUp(self):
        super().setUp()
        for name in ("d/a.txt", "d/.h.txt", "d/s/b.txt", "d/s/t/c.txt", "d/.s/e.txt", "d/s/t/x.log"):
            self.write(name, name + "\n")

    def names(self, *args):
        return self.kept(*args, "--threshold", "1").decode().split()

    def test_two_stars_are_folders_at_any_depth(self):
        self.assertEqual(self.names("d/**/*.txt"), ["d/a.txt", "d/s/b.txt", "d/s/t/c.txt"])
        self.assertEqual(self.names("**/t/*.txt"), ["d/s/t/c.txt"])
        self.assertEqual(self.names("**/**/*.txt"), ["d/a.txt", "d/s/b.txt", "d/s/t/c.txt"])
        self.assertEqual(self.names("d/s/**", "--format", "txt"),
                         ["d/s/b.txt", "d/s/t/c.txt", "d/s/t/x.log"])
        self.fails(4, "dedup", "d/**/*.csv", says="no file matches")

    def test_they_look_into_hidden_folders_only_when_asked(self):
        self.assertEqual(self.names("d/**/e.txt", "--hidden"), ["d/.s/e.txt"])
        self.fails(4, "dedup", "d/**/e.txt", says="no file matches")

    def test_hidden_names_are_taken_when_asked_or_named(self):
        self.write("d/_SUCCESS", "mark\n")
        self.assertEqual(self.names("d/*.txt", "--hidden"), ["d/.h.txt", "d/a.txt"])
        self.assertEqual(self.names("d/*/*.txt", "--hidden"), ["d/.s/e.txt", "d/s/b.txt"])
        self.assertEqual(self.names("d/.*.txt"), ["d/.h.txt"])
        self.assertEqual(self.names("d/[_a]*", "--format", "txt"), ["d/a.txt"])
        told = self.sosie("dedup", "d/[_a]*", "--format", "txt", "--dry-run").err
        self.assertIn("1 hidden path", told)
        self.fails(4, "dedup", "d/?SUCCESS", says="no file matches", hints="--hidden also searches hidden")
        self.fails(2, "dedup", "d/*.txt", "--hidden", "-o", "d/.o.txt", says="d/.o.txt")

    def test_names_of_folders_are_no_patterns(self):
        self.write("w/[s]*/a.txt", "one\n")
        self.assertEqual(self.names("w/**/a.txt"), ["one"])


class Extensions(SosieTest):
    def test_count_whatever_their_case(self):
        self.write("d/A.JSONL.GZ", gzip.compress(LINES))
        self.write("d/B.Csv", "id,text\nc,twelve thirteen fourteen\n")
        self.sosie("dedup", "d", "-o", "out/")
        self.assertEqual(gzip.decompress(self.read("out/A.JSONL.GZ")), LINES)
        self.assertEqual(self.read("out/B.Csv"), b"id,text\nc,twelve thirteen fourteen\n")
        self.assertEqual(self.kept("d/A.JSONL.GZ"), LINES)

    def test_packed_bytes_are_known_whatever_the_name_is(self):
        self.write("plain.jsonl", gzip.compress(LINES))
        self.write("plain.csv", gzip.compress(b"text\nhello world\n"))
        self.assertEqual(self.kept("plain.jsonl"), LINES)
        self.assertEqual(self.kept("plain.csv"), b"text\nhello world\n")
        if ZSTD:
            self.write("z.jsonl.gz", zstd(LINES))
            self.assertEqual(self.kept("z.jsonl.gz"), LINES)

    def test_other_programs_files_are_told_with_the_way_out(self):
        for name, way in (("x.xlsx", "save the sheet as CSV"), ("x.ODS", "save the sheet as CSV"),
                          ("x.jsonl.bz2", "decompress it first"), ("x.md", "--format NAME")):
            self.write(name, "PK")
            self.fails(2, "dedup", name, says="cannot tell the format from the name", hints=way)

    def test_other_programs_files_are_told_by_their_bytes_under_any_name(self):
        made = {"compressed with xz": lzma.compress(LINES), "compressed with bzip2": bz2.compress(LINES),
                "tar archive": self.tar_of(LINES), "ZIP archive or a spreadsheet": self.zip_of(LINES),
                "SQLite database": self.database()}
        for what, content in made.items():
            for name in ("x.jsonl", "x.csv", "x.txt", "x.sets", "x.json"):
                self.write(name, content)
                self.fails(2, "dedup", name, "--on-bad-row", "skip", says=f"{name}: is .*{what}", hints=".")
            self.write("x.jsonl.gz", gzip.compress(content))
            self.fails(2, "pairs", "x.jsonl.gz", says=f"is .*{what}")
            self.fails(2, "dedup", "-", stdin=content, says=f"<stdin>: is .*{what}")
            self.write("b.csv", "id,name\n1,ann\n")
            self.write("x.csv", content)
            self.fails(2, "link", "x.csv", "--against", "b.csv", says=f"x.csv: is .*{what}")
            self.write("one/x", content)  # a document is read whatever it contains
            self.sosie("dedup", "one", "--format", "files", "-o", "out/", "--overwrite")

    def tar_of(self, content):
        self.write("inside", content)
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as out:
            out.add(self.dir / "inside", "inside.jsonl")
        return archive.getvalue()

    @staticmethod
    def zip_of(content):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as out:
            out.writestr("inside.jsonl", content)
        return archive.getvalue()

    def database(self):
        path = self.dir / "x.db"
        with contextlib.closing(sqlite3.connect(path)) as base:
            base.execute("create table if not exists people (name text)")
            base.commit()
        return self.read("x.db")

    def test_a_folder_without_known_extensions_needs_a_format(self):
        for name in ("a.md", "sub/b.md", "c.html", "d"):
            self.write("docs/" + name, "some words")
        for verb in (["dedup", "docs"], ["pairs", "docs"], ["plan", "docs"],
                     ["index", "build", "i", "docs"]):
            self.fails(2, *verb, says=r"docs: no file in it has a known extension: 4 files \(2 \.md, "
                                      r"1 without, 1 \.html\), such as docs/a\.md, docs/c\.html, docs/d",
                       hints="--format files treats each file as a document")
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/")
        self.assertEqual(self.kept("docs", "--format", "txt"), b"some words")
        self.write("sheets/x.xlsx", "PK")
        self.fails(2, "dedup", "sheets", hints="save the sheet as CSV")


class Json(SosieTest):
    def test_a_row_a_line_is_read_packed_or_not(self):
        packs = [("", bytes), (".gz", gzip.compress)] + ([(".zst", zstd)] if ZSTD else [])
        for extension, pack in packs:
            self.write("c4/0.json" + extension, pack(LINES))
            self.write("c4/1.json" + extension, pack(LINES.replace(b'"a"', b'"x"').replace(b'"b"', b'"y"')))
            self.assertEqual(self.kept("c4/0.json" + extension), LINES)
            self.sosie("dedup", "c4", "-o", f"out{extension}/")
            self.assertEqual(self.outputs(f"out{extension}"),
                             ["0.json" + extension, "1.json" + extension])
            for name in ("0", "1"):
                os.remove(self.dir / f"c4/{name}.json{extension}")
        self.write("one.json", "  \n" + LINES.decode().replace("\n", "\r\n") + "\n")
        self.assertEqual(self.kept("one.json"), LINES.replace(b"\n", b"\r\n"))
        self.write("none.json", "")
        self.assertEqual(self.kept("none.json"), b"")

    def test_other_shapes_are_refused_with_the_command_that_makes_rows(self):
        array = json.dumps(ROWS)
        shapes = [(array, "array", r"\.\[\]"), ("\n [\n{}\n]", "array", r"\.\[\]"),
                  (json.dumps(ROWS, indent=2), "array", r"\.\[\]"),
                  (json.dumps(ROWS[0], indent=2), "objects spread", r"\."),
                  ("\n".join(json.dumps(row, indent=1) for row in ROWS), "objects spread", r"\.")]
        for text, words, filter in shapes:
            for data, name, command in (
                    (text, "x.json", rf"jq -c '{filter}' x\.json > x\.jsonl turns it into rows"),
                    (gzip.compress(text.encode()), "x.json.gz",
                     rf"gzip -dc x\.json\.gz \| jq -c '{filter}' > x\.jsonl turns it into rows"),
                    (text, "d/x.json", rf"jq -c '{filter}' d/x\.json > d/x\.jsonl")):
                self.write(name, data)
                self.fails(2, "dedup", name.split("/")[0],
                           says=rf"{name}: contains (a JSON|JSON) {words}.*not one object per line",
                           hints=command)
        self.write("x y.json", array)
        self.fails(2, "pairs", "x y.json", hints=r"jq -c '\.\[\]' 'x y\.json' > 'x y\.jsonl'")

    def test_an_array_under_another_name_is_told_too(self):
        for indent in (None, 2):
            array = json.dumps(ROWS, indent=indent)
            self.write("arr.jsonl", array)
            for verb in (["dedup", "arr.jsonl"], ["dedup", "arr.jsonl", "--kind", "strings", "--within", "1"],
                         ["link", "arr.jsonl"]):
                self.fails(3, *verb, says=r"arr\.jsonl: contains a JSON array, not one object per line",
                           hints=r"jq -c '\.\[\]' arr\.jsonl > arr\.rows\.jsonl")
            self.fails(3, "dedup", "-", stdin=array.encode(), hints=r"jq -c '\.\[\]' turns it into rows")

    def test_broken_rows_stay_broken_rows(self):
        for text in ('{"id": "a", "text": "x\n{"id": "b", "text": "y"}\n',
                     '{"id": "a", "text": {"b": 1\n{"id": "b", "text": "y"}\n',
                     '{"id": "a"} x\n{"id": "b", "text": "y"}\n'):
            self.write("x.json", text)
            self.fails(3, "dedup", "x.json", says=r"x\.json:1: ")

    def test_a_description_beside_other_record_files_is_passed_over(self):
        self.write("d/data.jsonl", LINES)
        self.write("d/dataset_info.json", json.dumps({"splits": {"train": 2}}, indent=2))
        result = self.sosie("dedup", "d", "--stats", "s.json")
        self.assertEqual(result.out, LINES)
        self.assertEqual(json.loads(self.read("s.json"))["not_read"], ["d/dataset_info.json"])
        self.write("d/more.json", json.dumps(OTHER))
        self.fails(2, "dedup", "d", says=r"d/more\.json: contains a JSON array")


class FilesNamedTwice(SosieTest):
    def test_are_told_by_path_link_and_folder(self):
        self.write("d/a.jsonl", LINES)
        self.write("d/b.jsonl", OTHER)
        os.symlink("d/a.jsonl", self.dir / "link.jsonl")
        os.link(self.dir / "d/b.jsonl", self.dir / "hard.jsonl")
        for inputs, twice in ((["d", "d/a.jsonl"], [("d/a.jsonl", "d/a.jsonl")]),
                              (["d/a.jsonl", "./d/a.jsonl"], [("./d/a.jsonl", "d/a.jsonl")]),
                              (["link.jsonl", "d"], [("d/a.jsonl", "link.jsonl")]),
                              (["hard.jsonl", "d"], [("d/b.jsonl", "hard.jsonl")]),
                              (["d"], [])):
            result = self.sosie("dedup", *inputs, "--id", "row", "--stats", "s.json")
            self.assertEqual(json.loads(self.read("s.json"))["read_twice"],
                             [{"name": name, "first": first} for name, first in twice])
            self.assertEqual("named twice" in result.err, bool(twice), inputs)

    def test_across_collections_it_is_no_matter(self):
        self.write("a.jsonl", LINES)
        result = self.sosie("dedup", "a.jsonl", "--against", "a.jsonl", "--stats", "s.json")
        self.assertNotIn("twice", result.err)
        result = self.sosie("dedup", "a.jsonl", "--against", "a.jsonl", "--against", "a.jsonl", "--id", "row")
        self.assertIn("named twice", result.err)
        self.assertNotIn("twice", self.sosie("query", "a.jsonl", "a.jsonl").err)

    def test_equal_ids_say_that_it_is_one_file(self):
        self.write("a.jsonl", LINES)
        self.fails(3, "dedup", "a.jsonl", "./a.jsonl", says="id 'a' is already used by a.jsonl:1",
                   hints="both names refer to the same file")


class IdsOfShards(SosieTest):
    def setUp(self):
        super().setUp()
        for shard in range(3):
            self.write(f"crawl/{shard}.jsonl",
                       [{"id": i, "text": f"text {shard} of {i} with more words"} for i in range(3)])

    def test_are_compared_before_the_rows_are_read(self):
        broken = b'{"id": 9, "text": broken\n'
        self.write("crawl/0.jsonl", self.read("crawl/0.jsonl") + broken)
        for verb in (["dedup", "crawl"], ["pairs", "crawl"], ["query", "crawl", "crawl/1.jsonl"],
                     ["dedup", "crawl/1.jsonl", "--against", "crawl"], ["index", "build", "i", "crawl"],
                     ["dedup", "crawl", "--kind", "strings", "--within", "1"],
                     ["link", "crawl", "--dry-run"]):
            option = "--other-id" if "--against" in verb else "--id"
            self.fails(3, *verb, says=r"crawl/1\.jsonl:1: id '0' is already used by crawl/0\.jsonl:1",
                       hints=rf"\n  {option} file:row identifies rows by their file")

    def test_rows_are_called_by_their_file_and_number(self):
        self.write("crawl/2.jsonl", [{"id": 0, "text": "text 0 of 1 with more words"}])
        for kind in ([], ["--kind", "strings", "--within", "0"]):
            self.kept("crawl", "--id", "file:row", "--removed", "r.tsv", "--clusters", "c.tsv", *kind)
            self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                             [("crawl/2.jsonl:0", "crawl/0.jsonl:1")])
            self.kept("crawl", "--id", "file:row", "--reuse", "c.tsv", "--removed", "again.tsv", *kind)
            self.assertEqual(self.read("again.tsv"), self.read("r.tsv"))
            out = self.sosie("pairs", "crawl", "--id", "file:row", *kind).out.decode()
            self.assertEqual(out.split("\n")[1].split("\t")[:2], ["crawl/0.jsonl:1", "crawl/2.jsonl:0"])
        shown = self.sosie("explain", "crawl/2.jsonl:0", "crawl/0.jsonl:1", "crawl", "--id", "file:row")
        self.assertIn(b"crawl/2.jsonl:0", shown.out)
        self.fails(3, "explain", "crawl/2.jsonl:1", "crawl/0.jsonl:1", "crawl", "--id", "file:row",
                   says=r"no row has the id 'crawl/2\.jsonl:1'", hints=r"such as crawl/0\.jsonl:0")

    def test_queries_and_vectors_are_called_so_too(self):
        self.write("q.jsonl", [{"id": 7, "text": "text 1 of 2 with more words"}])
        out = self.sosie("query", "crawl", "q.jsonl", "--id", "file:row").out.decode()
        self.assertEqual(out.split("\n")[1].split("\t")[:2], ["q.jsonl:0", "crawl/1.jsonl:2"])
        out = self.sosie("query", "crawl", "-", "--id", "file:row",
                         stdin=self.read("q.jsonl")).out.decode()
        self.assertEqual(out.split("\n")[1].split("\t")[:2], ["<stdin>:0", "crawl/1.jsonl:2"])
        self.write("v/a.txt", "1 2\n5 1\n")
        self.write("v/b.txt", "1 2\n")
        out = self.sosie("pairs", "v", "--kind", "vectors", "--threshold", "1", "--id", "file:row").out
        self.assertEqual(out.decode().split("\n")[1].split("\t")[:2], ["v/a.txt:0", "v/b.txt:0"])

    def test_an_index_refuses_it(self):
        self.fails(2, "index", "build", "i", "crawl", "--id", "file:row", hints="--id row")


class SketchedFolders(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("d/a.jsonl", [{"id": f"a{i}", "text": f"some words of row {i} and more"} for i in range(9)])
        self.write("d/s/b.jsonl", [{"id": f"b{i}", "text": f"some words of row {i} and more"} for i in range(4)])
        self.write("d/readme.md", "no rows")
        self.sosie("plan", "d", "--method", "lsh", "-o", "p.json")

    def test_stand_for_themselves(self):
        self.sosie("sketch", "d", "--plan", "p.json", "-o", "x.sketches")
        self.sosie("dedup", "d", "--plan", "p.json", "-o", "plain/", "--removed", "plain.tsv")
        for inputs in (["d"], ["./d"], []):
            result = self.sosie("dedup", *inputs, "--reuse", "x.sketches", "-o", "out/", "--overwrite",
                                "--removed", "r.tsv")
            self.assertIn("readme.md", result.err)
            self.assertEqual(self.read("r.tsv").replace(b"./", b""), self.read("plain.tsv"))
            for name in ("a.jsonl", "s/b.jsonl"):
                self.assertEqual(self.read("out/" + name), self.read("plain/" + name))
        self.sosie("sketch", "d/a.jsonl", "--plan", "p.json", "-o", "a.sketches")
        self.sosie("sketch", "d/s/b.jsonl", "--plan", "p.json", "-o", "b.sketches")
        self.sosie("dedup", "d", "--reuse", "a.sketches", "--reuse", "b.sketches", "-o", "two/")
        self.assertEqual(self.read("two/a.jsonl"), self.read("plain/a.jsonl"))

    def test_other_files_are_refused(self):
        self.sosie("sketch", "d/a.jsonl", "--plan", "p.json", "-o", "a.sketches")
        self.fails(2, "dedup", "d", "--reuse", "a.sketches", says=r"d/s/b\.jsonl: has no sketches in a\.sketches")
        self.sosie("sketch", "d", "--plan", "p.json", "-o", "x.sketches")
        self.fails(2, "dedup", "d/a.jsonl", "--reuse", "x.sketches",
                   says=r"x\.sketches was also made from d/s/b\.jsonl")
        self.fails(2, "dedup", "d/s/b.jsonl", "d/a.jsonl", "--reuse", "x.sketches",
                   says=r"d/s/b\.jsonl: at this position, x\.sketches was made from d/a\.jsonl")


if __name__ == "__main__":
    unittest.main()
