"""Which files are read, and the names of their rows: links, addresses, mixed inputs, damaged
shards, rows numbered within their file, joined fields."""

import gzip
import json
import os
import shutil
import unittest

from support import SosieTest, jsonl, zstd, ZSTD


class Links(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("secret.txt", "root:x\n")
        self.write("outside/more.txt", "more\n")
        self.write("d/a.txt", "one\n")
        os.symlink("../secret.txt", self.dir / "d/pw.txt")
        os.symlink("../outside", self.dir / "d/sub")
        os.symlink(".", self.dir / "d/self")

    def test_links_in_folders_are_left_out_and_named(self):
        result = self.sosie("dedup", "d", "--stats", "s.json")
        self.assertEqual(result.out, b"one\n")
        self.assertRegex(result.err, r"not read, symbolic links \(--follow reads them\): "
                                     r"d/pw\.txt, d/self, d/sub")
        self.assertEqual(json.loads(self.read("s.json"))["links_not_read"],
                         ["d/pw.txt", "d/self", "d/sub"])

    def test_pipes_in_folders_are_left_out_and_named(self):
        os.mkfifo(self.dir / "d/pipe.txt")
        for more in ((), ("--format", "files"), ("--follow",)):
            run = self.sosie("dedup", "d", *more, "--stats", "s.json", "-o", "out/",
                             "--overwrite=all")
            self.assertIn("not read, not record files: d/pipe.txt\n", run.err)
            self.assertEqual(json.loads(self.read("s.json"))["not_read"], ["d/pipe.txt"])
        (self.dir / "p").mkdir()
        os.mkfifo(self.dir / "p/pipe.txt")
        self.fails(4, "dedup", "p", says="contains no files but 1 pipe, socket or device",
                   hints="a pipe is read if it is named itself")

    def test_they_are_followed_when_asked_but_not_in_circles(self):
        result = self.sosie("dedup", "d", "--follow")
        self.assertEqual(result.out, b"one\nroot:x\nmore\n")
        self.assertRegex(result.err,
                         "symbolic links that lead nowhere or to a folder above: d/self\n")
        self.assertNotIn("--follow", result.err)

    def test_a_link_that_is_named_is_followed(self):
        self.assertEqual(self.kept("d/pw.txt"), b"root:x\n")
        self.assertEqual(self.kept("d/sub"), b"more\n")
        self.assertEqual(self.kept("d/p*.txt"), b"root:x\n")

    def test_a_folder_of_links_says_how_to_read_them(self):
        (self.dir / "l").mkdir()
        os.symlink("../secret.txt", self.dir / "l/x.txt")
        self.fails(4, "dedup", "l", says="l: the folder contains no files but 1 symbolic link",
                   hints="--follow")

    def test_nothing_is_written_through_a_linked_folder(self):
        self.write("in/sub/more.txt", "two\n")
        self.write("in/top.txt", "three\n")
        (self.dir / "OUT").mkdir()
        os.symlink("../outside", self.dir / "OUT/sub")
        self.fails(4, "dedup", "in", "--overwrite", "-o", "OUT/",
                   says="OUT/sub: is a symbolic link")
        self.assertEqual(self.read("outside/more.txt"), b"more\n")
        self.assertEqual(os.listdir(self.dir / "OUT"), ["sub"])
        os.remove(self.dir / "OUT/sub")
        os.symlink("../secret.txt", self.dir / "OUT/top.txt")
        self.sosie("dedup", "in", "--overwrite", "-o", "OUT/")
        self.assertEqual(self.read("secret.txt"), b"root:x\n")
        self.assertEqual(self.read("OUT/top.txt"), b"three\n")


class Addresses(SosieTest):
    def test_the_network_is_not_read(self):
        for address in ("https://example.org/a.jsonl", "s3://bucket/*.jsonl", "http://x/y?z"):
            self.fails(2, "dedup", address, says="not read over the network", hints="download")
        self.fails(2, "dedup", "file:///tmp/a.jsonl", hints="name the path: /tmp/a.jsonl")
        for address, pipe in (("s3://b/a.jsonl", "aws s3 cp s3://b/a.jsonl - | sosie VERB -"),
                              ("gs://b/a.jsonl", "gcloud storage cat gs://b/a.jsonl | sosie VERB -"),
                              ("https://h/a.jsonl", "curl -sSf https://h/a.jsonl | sosie VERB -")):
            self.fails(2, "dedup", address, hints=pipe)
        self.write("a.txt", b"one\n")
        self.fails(4, "dedup", "a.txt", "-o", "s3://b/a.txt", hints="-o - | aws s3 cp")


class MixedInputs(SosieTest):
    def test_inputs_without_any_names_number_all_rows(self):
        self.write("a.jsonl", [{"id": "first", "text": "one"}])
        self.write("b.txt", "one\n")
        self.kept("a.jsonl", "b.txt", "--removed", "r.tsv", "--dry-run")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")], [("1", "0")])


class RowsInFiles(SosieTest):
    def test_row_is_counted_in_the_file_that_stands_beside_it(self):
        self.write("a.txt", "one\ntwo\n")
        self.write("b.txt", "three\nTWO\nOne\n")
        self.kept("a.txt", "b.txt", "--removed", "r.tsv")
        self.assertEqual([tuple(row[name] for name in ("id", "kept_id", "file", "row", "kept_file",
                                                       "kept_row")) for row in self.table("r.tsv")],
                         [("3", "1", "b.txt", "1", "a.txt", "1"),
                          ("4", "0", "b.txt", "2", "a.txt", "0")])

    def test_of_other_and_of_vectors_too(self):
        self.write("old.txt", "x\n")
        self.write("older.txt", "y\nz\n")
        self.write("new.txt", "z\n")
        self.kept("new.txt", "--against", "old.txt", "--against", "older.txt", "--removed", "r.tsv")
        row = self.table("r.tsv")[0]
        self.assertEqual((row["kept_id"], row["kept_file"], row["kept_row"]),
                         ("2", "older.txt", "1"))
        for kind, rows in (("vectors", ("1 2", "5 1")), ("bits", ("ff", "0f"))):
            self.write("a.txt", rows[0] + "\n")
            self.write("b.txt", f"{rows[1]}\n{rows[0]}\n")
            limit = ("--threshold", "1") if kind == "vectors" else ("--within", "0")
            self.kept("a.txt", "b.txt", "--kind", kind, *limit, "--removed", "r.tsv", "--dry-run")
            self.assertEqual([(row["id"], row["file"], row["row"]) for row in self.table("r.tsv")],
                             [("2", "b.txt", "1")])


class DamagedShards(SosieTest):
    def shards(self, pack, extension):
        rows = [{"id": f"r{i}", "text": f"text of row {i} " + "word " * i} for i in range(400)]
        data = pack(jsonl(rows))
        self.write("in/a.jsonl" + extension, pack(jsonl([{"id": "a", "text": "first shard"}])))
        self.write("in/b.jsonl" + extension, data[:len(data) * 2 // 3])
        self.write("in/c.jsonl" + extension, pack(jsonl([{"id": "c", "text": "last shard"}])))
        return rows

    def test_bad_rows_that_are_skipped_include_the_rest_of_a_shard(self):
        packs = [(gzip.compress, ".gz", "truncated gzip")]
        if ZSTD:
            packs.append((zstd, ".zst", "zstd"))
        for pack, extension, why in packs:
            shutil.rmtree(self.dir / "in", ignore_errors=True)
            rows = self.shards(pack, extension)
            self.fails(3, "dedup", "in", says=f"b.jsonl{extension}: .*{why}")
            result = self.sosie("dedup", "in", "--on-bad-row", "skip", "--rejects", "bad.tsv",
                                "--stats", "s.json", "--threshold", "1")
            ids = [json.loads(line)["id"] for line in result.out.splitlines()]
            known = [row["id"] for row in rows]
            self.assertEqual((ids[0], ids[-1]), ("a", "c"))
            self.assertEqual(ids[1:-1], known[:len(ids) - 2])
            self.assertLess(len(ids), 402)
            self.assertRegex(result.err, rf"1 damaged input, .*: in/b\.jsonl{extension} \(.*{why}")
            bad = self.table("bad.tsv")
            self.assertEqual([(row["file"], row["row"]) for row in bad],
                             [("in/b.jsonl" + extension, "")])
            self.assertEqual(bad[0]["line"], str(len(ids) - 1))
            self.assertIn(why, bad[0]["reason"])
            self.assertEqual([entry["name"] for entry in json.loads(self.read("s.json"))["damaged"]],
                             ["in/b.jsonl" + extension])

    def test_a_damaged_document_is_left_out(self):
        text = gzip.compress(os.urandom(3000).hex().encode())
        self.write("docs/a.md", "first")
        self.write("docs/b.md", text[:1500])
        self.write("docs/c.md", "second")
        self.fails(3, "dedup", "docs", "--format", "files", "-o", "out/", says="docs/b.md")
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/", "--on-bad-row", "skip", "--rejects", "r.tsv")
        self.assertEqual(self.outputs("out"), ["a.md", "c.md"])
        self.assertEqual([row["file"] for row in self.table("r.tsv")], ["docs/b.md"])


class JoinedFields(SosieTest):
    def test_nulls_and_numbers_are_text_or_empty_in_every_format(self):
        self.write("in.csv", "id,title,body,n\na,x,,1\nb,x,,1\nc,x,y,2\nd,,y,2\n")
        self.write("in.jsonl", [{"id": "a", "title": "x", "body": None, "n": 1},
                                {"id": "b", "title": "x", "n": 1},
                                {"id": "c", "title": "x", "body": "y", "n": 2},
                                {"id": "d", "title": None, "body": "y", "n": 2}])
        found = []
        for name in ("in.csv", "in.jsonl"):
            self.sosie("pairs", name, "--column", "title,body,n", "--shingle", "words:1",
                       "--threshold", "0.1", "-o", "p.csv")
            found.append(self.read("p.csv"))
        self.assertEqual(found[0], found[1])
        self.fails(3, "dedup", "in.jsonl", "--column", "titel,bdy", says="'titel' is missing")


if __name__ == "__main__":
    unittest.main()
