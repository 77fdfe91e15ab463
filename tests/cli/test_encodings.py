"""Texts that are not UTF-8: reported, counted, decoded, and written unchanged."""

from __future__ import annotations

import gzip
import json
import random
import unittest

from support import SosieTest, read_table

TABLES = {"latin-1": "latin-1",
          **{f"iso-8859-{n}": f"iso8859-{n}" for n in range(2, 17) if n != 12},
          **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
          "cp850": "cp850", "mac-roman": "mac-roman"}
FIRST = "André José Zoë Jürgen Søren Chloë Müge Íñigo Hélène Lukasz Anna Tom".split()
LAST = "Müller Möller Muller Núñez Núnez Bäcker Bècker Çelik Øster Ãlves Smith Ünal".split()


def names(count: int = 2000) -> list[str]:
    """Distinct names, most of which differ from others in a single letter."""
    return [f"{FIRST[i % 12]} {LAST[i // 12 % 12]} {i // 144}" for i in range(count)]


def table(rows: list[str], codec: str, end: str = "\r\n") -> bytes:
    lines = ["id,name"] + [f'n{i},"{name}"' for i, name in enumerate(rows)]
    return (end.join(lines) + end).encode(codec)


class Encodings(SosieTest):
    ARGS = ("--column", "name", "--shingle", "words:1", "--threshold", "1")

    def kept_as(self, codec: str, *args: str) -> bytes:
        self.write("in.csv", table(self.rows, codec))
        return self.sosie("dedup", "in.csv", *self.ARGS, *args).out

    def setUp(self):
        super().setUp()
        self.rows = names()
        self.rows += [self.rows[i].upper() for i in range(0, 400, 10)]

    def test_every_encoding_keeps_the_rows_of_utf8_as_the_bytes_they_came_in(self):
        kept = self.kept_as("utf-8").decode()
        self.assertEqual(kept.count("\n"), 2001)
        for codec, name in (("latin-1", "latin-1"), ("cp1252", "windows-1252"),
                            ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be"),
                            ("utf-32-le", "utf-32le"), ("utf-16-le", "utf-16"),
                            ("latin-1", "iso8859_1")):
            self.assertEqual(self.kept_as(codec, "--encoding", name), kept.encode(codec), name)

    def test_byte_order_marks_tell_utf16_and_utf32(self):
        kept = self.kept_as("utf-8").decode()
        for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
                            ("utf-32-le", b"\xff\xfe\0\0"), ("utf-32-be", b"\0\0\xfe\xff")):
            self.write("in.csv", mark + table(self.rows, codec))
            for args in ((), ("--encoding", codec[:6]), ("--encoding", "auto")):
                out = self.sosie("dedup", "in.csv", *self.ARGS, *args).out
                self.assertEqual(out, mark + kept.encode(codec), (codec, args))

    def test_nothing_is_lost_without_the_encoding(self):
        rows = names(2000)
        self.write("in.csv", table(rows, "latin-1"))
        for tokens in ("unicode", "ascii"):
            for shingle in ("words:1", "chars:3"):
                out = self.sosie("dedup", "in.csv", "--column", "name", "--shingle", shingle,
                                 "--tokens", tokens, "--threshold", "1",
                                 "--on-bad-row", "keep").out
                self.assertEqual(out, self.read("in.csv"), (tokens, shingle))

    def test_too_many_rows_of_other_bytes_end_the_run(self):
        self.write("in.csv", table(self.rows, "latin-1"))
        for verb in (("dedup", "in.csv", "-o", "out.csv"), ("pairs", "in.csv", "-o", "out.csv"),
                     ("plan", "in.csv"), ("explain", "n1", "n2", "in.csv"),
                     ("query", "in.csv", "in.csv", "-o", "out.csv")):
            run = self.sosie(*verb, "--column", "name", code=3)
            self.assertRegex(run.err, r"^sosie: in.csv:\d+: not UTF-8: byte 0x..; "
                                      r"[\d,]+ of [\d,]+ rows are not")
            self.assertIn("--encoding latin-1", run.err)
            self.assertEqual(run.out, b"")
            self.assertFalse((self.dir / "out.csv").exists())
        for more in (("--threads", "1"), ("--threads", "3", "--memory", "64M"),
                     ("--method", "lsh"), ("--method", "exact"), ("--method", "brute")):
            again = self.sosie("dedup", "in.csv", "--column", "name", *more, code=3)
            self.assertEqual(again.err, run.err)

    def test_a_pipe_of_other_bytes_is_refused_or_decoded(self):
        self.write("data.csv", table(self.rows, "utf-8"))
        asked = table(self.rows, "latin-1")
        args = ("query", "data.csv", "-", "--format", "csv", "--column", "name",
                "--shingle", "words:1", "--threshold", "1")
        self.assertIn("not UTF-8", self.sosie(*args, stdin=asked, code=3).err)
        self.write("data.csv", asked)
        told = self.sosie(*args, "--encoding", "latin-1", stdin=asked).out
        self.assertEqual(told.count(b"\n"), 1 + 1960 + 4 * 40)

    def test_ten_rows_or_one_in_a_hundred_are_counted_and_located(self):
        for bad, good in ((10, 0), (20, 1980)):
            rows = [b"caf\xe9 number %d" % i for i in range(bad)]
            rows += [b"row number %d" % i for i in range(good)]
            self.write("in.txt", b"\n".join(rows) + b"\n")
            run = self.sosie("dedup", "in.txt", "--stats", "s.json", "--rejects", "r.tsv")
            self.assertEqual(run.out, self.read("in.txt"))
            self.assertIn(f"{bad} rows are not in UTF-8", run.err)
            self.assertEqual(self.stats("s.json").tree["ill_formed"], bad)
            rejects = read_table(self.read("r.tsv").replace(b"\xe9", b"?"))
            self.assertEqual([row["line"] for row in rejects],
                             [str(1 + i) for i in range(bad)])
            self.assertEqual(rejects[0]["reason"], "not UTF-8: byte 0xE9")

    def test_sketches_and_checkpoints_take_some(self):
        """Such a row is listed and takes part, unlike other bad rows; both are read back unchanged."""
        rows = [b"row number %d of some words" % (i % 1500) + b"\xe9" * (i % 400 == 9)
                for i in range(3000)]
        self.write("in.txt", b"\n".join(rows) + b"\n")
        self.sosie("plan", "in.txt", "--threshold", "0.9", "-o", "p.json")
        args = ("dedup", "in.txt", "--plan", "p.json")
        for bad in ((), ("--on-bad-row", "keep"), ("--on-bad-row", "skip")):
            name = "-".join(("s", *bad)) + ".sketch"
            once = self.sosie(*args, *bad)
            self.sosie("sketch", "in.txt", "--plan", "p.json", *bad, "-o", name)
            reused = self.sosie(*args, *bad, "--reuse", name)
            self.assertEqual(reused.out, once.out, bad)
            folder = "-".join(("ck", *bad))
            self.sosie(*args, *bad, "--checkpoint", folder)
            resumed = self.sosie(*args, *bad, "--checkpoint", folder)
            self.assertEqual(resumed.out, once.out, bad)
            told = "8 bad rows left out" if "skip" in bad else "8 rows are not in UTF-8"
            for run in (once, reused, resumed):
                self.assertIn(told, run.err, bad)
            self.assertIn("100 % of the input has already been read", resumed.err)

    def test_rows_of_other_bytes_are_passed_through_or_left_out(self):
        rows = [b"caf\xe9 %d" % i for i in range(20)] + [b"caf\xc3\xa9", b"CAF\xe9 7"]
        self.write("in.txt", b"\n".join(rows) + b"\n")
        args = ("dedup", "in.txt", "--shingle", "words:1", "--threshold", "1")
        self.assertEqual(self.sosie(*args, code=3).out, b"")
        kept = self.sosie(*args, "--on-bad-row", "keep").out
        self.assertEqual(kept, b"\n".join(rows[:-1]) + b"\n")
        left = self.sosie(*args, "--on-bad-row", "skip", "--stats", "s.json").out
        self.assertEqual(left, b"caf\xc3\xa9\n")
        self.assertEqual(self.stats("s.json").tree["skipped"], 21)

    def test_every_table_is_that_of_python(self):
        for name, codec in TABLES.items():
            letters = bytes([b for b in range(0x20, 256) if b != 0x7F]).decode(codec, "ignore")
            self.write("in.txt", f"{letters}\n{letters}\n".encode(codec))
            self.sosie("pairs", "in.txt", "--encoding", name, "--show", "text", "-o", "p.jsonl")
            self.assertEqual(read_table(self.read("p.jsonl"), "jsonl")[0]["left_text"], letters,
                             name)

    def test_other_encodings_are_those_of_iconv(self):
        texts = {"shift_jis": "日本語の文章 その一", "gb18030": "汉字 𠀀 文本", "euc-kr": "한국어 문장",
                 "koi8-r": "Русский текст", "big5": "繁體中文"}
        for name, text in texts.items():
            rows = [f"{text} a", f"{text} b", f"{text} a"]
            self.write("in.txt", "\n".join(rows).encode(name))
            out = self.sosie("dedup", "in.txt", "--encoding", name, "--threshold", "1").out
            self.assertEqual(out, "\n".join(rows[:2] + [""]).encode(name), name)

    def test_unknown_encodings_are_refused_by_name(self):
        self.write("in.txt", b"a\n")
        for name in ("klingon", "iso-2022-jp", "utf-7"):
            run = self.sosie("dedup", "in.txt", "--encoding", name, code=2)
            self.assertIn(f"--encoding: '{name}'", run.err)

    def test_every_format_and_way_in(self):
        texts = ["Grüße aus Köln", "GRÜSSE AUS KÖLN", "Grüße aus Bonn"]
        kept = [texts[0], texts[2]]
        rows = {"jsonl": [f'{{"id": "{i}", "text": "{t}"}}\n' for i, t in enumerate(texts)],
                "tsv": ["id\ttext\n"] + [f"{i}\t{t}\n" for i, t in enumerate(texts)],
                "txt": [t + "\n" for t in texts]}
        for codec in ("latin-1", "utf-16-le"):
            args = ("--encoding", codec.replace("-le", "le"), "--shingle", "words:1",
                    "--threshold", "1")
            for extension, lines in rows.items():
                data = "".join(lines).encode(codec)
                expected = "".join(line for line in lines if texts[1] not in line).encode(codec)
                self.write(f"in.{extension}", data)
                self.write(f"in.{extension}.gz", gzip.compress(data))
                for name, stdin in ((f"in.{extension}", None), (f"in.{extension}.gz", None),
                                    ("-", data)):
                    out = self.sosie("dedup", name, "--format", extension, *args,
                                     stdin=stdin or b"").out
                    self.assertEqual(out, expected, (codec, name))
            for i, text in enumerate(texts):
                self.write(f"docs-{codec}/{i}", text.encode(codec))
            self.sosie("dedup", f"docs-{codec}", "--format", "files", "-o", f"out-{codec}/",
                       *args)
            found = sorted(path.read_bytes() for path in (self.dir / f"out-{codec}").glob("[!.]*"))
            self.assertEqual(found, sorted(text.encode(codec) for text in kept))

    def test_sets_are_decoded_too(self):
        rows = "käse brot\nbrot käse\nkase brot\n"
        self.write("in.sets", rows.encode("latin-1"))
        out = self.sosie("dedup", "in.sets", "--encoding", "latin-1", "--threshold", "1").out
        self.assertEqual(out, "käse brot\nkase brot\n".encode("latin-1"))

    def test_ill_formed_bytes_of_an_encoding_come_back_as_they_were(self):
        data = "one\n\ud800two\ntwo\n\udc0athree\n".encode("utf-16-le", "surrogatepass") + b"x"
        self.write("in.txt", data)
        run = self.sosie("dedup", "in.txt", "--encoding", "utf-16le", "--rejects", "r.tsv")
        self.assertEqual(run.out, data)
        rejects = read_table(self.read("r.tsv").decode("utf-8", "replace").encode())
        self.assertEqual([(row["line"], row["reason"]) for row in rejects],
                         [("2", "not utf-16le: byte 0x00"), ("4", "not utf-16le: byte 0x0A"),
                          ("5", "not utf-16le: byte 0x78")])

    def test_packed_files_lie_in_scratch_once(self):
        chance = random.Random(5)
        rows = [f"{chance.randbytes(40).hex()} é" for _ in range(100_000)]
        self.write("in.txt.gz", gzip.compress("\n".join(rows).encode("latin-1"), 1))
        self.sosie("dedup", "in.txt.gz", "--encoding", "latin-1", "--stats", "s.json", "--dry-run")
        decoded = len("\n".join(rows).encode())
        self.assertLess(json.loads(self.read("s.json"))["scratch_bytes"], decoded + (2 << 20))

    def test_detected_encodings_are_told(self):
        text = "\n".join(f"Привет, как дела сегодня, друг {i}?" for i in range(50)) + "\n"
        self.write("ru.txt", text.encode("cp1251"))
        run = self.sosie("dedup", "ru.txt", "--encoding", "auto", "--stats", "s.json",
                         "--threshold", "1")
        self.assertEqual(run.out, text.encode("cp1251"))
        self.assertIn("windows-1251: ru.txt", run.err)
        self.assertEqual(self.stats("s.json").tree["encodings"],
                         [{"name": "ru.txt", "encoding": "windows-1251"}])

    def test_what_detection_does_not_see_ends_the_run(self):
        ascii_rows = [f"a row of letters only, number {i}" for i in range(3000)]  # beyond 64 KiB
        rows = ascii_rows + [f"très différent {i}" for i in range(500)]
        self.write("in.txt", ("\n".join(rows) + "\n").encode("latin-1"))
        args = ("dedup", "in.txt", "--encoding", "auto", "--threshold", "1")
        self.fails(3, *args, says="not UTF-8: byte 0xE8; 500 of 3,500 rows are not",
                   hints="--encoding latin-1")
        kept = self.sosie("dedup", "in.txt", "--encoding", "latin-1", "--threshold", "1").out
        self.assertEqual(kept, self.read("in.txt"))
        self.assertEqual(self.sosie(*args, "--on-bad-row", "keep").out, kept)

    def test_letters_of_windows_are_called_so(self):
        rows = [f"{i},Müller {'kostet 5 €' if i % 3 == 0 else ''}" for i in range(40)]
        text = "id,text\n" + "\n".join(rows) + "\n"
        self.write("data.csv", "id,text\n1,x\n")
        for codec, hint in (("cp1252", "--encoding windows-1252 "),
                            ("latin-1", "--encoding latin-1 "),
                            ("cp850", "--encoding NAME .cp850 for DOS")):
            self.write("in.csv", text.replace("€", "€" if codec == "cp1252" else "ß").encode(codec))
            of_other = hint.replace("--", "--other-")
            for args in (("pairs", "in.csv"), ("dedup", "in.csv"), ("link", "in.csv"),
                         ("plan", "in.csv"), ("query", "in.csv", "data.csv"),
                         ("pairs", "in.csv", "--kind", "strings", "--within", "0")):
                self.fails(3, *args, says="not UTF-8: byte 0x", hints=f"\n  {hint}")
            for args in (("query", "data.csv", "in.csv"), ("dedup", "data.csv", "--against", "in.csv"),
                         ("link", "data.csv", "--against", "in.csv")):
                self.fails(3, *args, says="not UTF-8: byte 0x", hints=f"\n  {of_other}")
            for kind in ((), ("--kind", "strings", "--within", "0")):
                self.fails(3, "query", "data.csv", "-", "--format", "csv", *kind, hints=of_other,
                           says="not UTF-8: byte 0x", stdin=self.read("in.csv"))

    def test_link_says_what_it_took(self):
        rows = [f"{i},Müller {i % 9},Straße {i % 7},{i % 5} €" for i in range(60)]
        self.write("in.csv", ("id,name,street,price\n" + "\n".join(rows) + "\n").encode("cp1252"))
        run = self.sosie("link", "in.csv", "--encoding", "auto", "--stats", "stats.json", "-o",
                         "out.csv")
        self.assertRegex(run.err, r"encoding    windows-125\d: in.csv")
        self.assertRegex(json.loads(self.read("stats.json"))["encodings"][0]["encoding"],
                         r"windows-125\d")
        run = self.sosie("link", "in.csv", "--encoding", "utf8", "-o", "out.csv")
        self.assertIn("encoding    60 rows are not in UTF-8", run.err)
        run = self.sosie("link", "in.csv", "--against", "in.csv", "--encoding", "utf8", "--dry-run")
        self.assertIn("encoding    120 rows are not in UTF-8", run.err)

    def test_verbs_without_a_summary_of_rows_say_what_was_taken(self):
        self.write("in.csv", "id;text\n1;Müller Straße zwölf Grüße über Österreich\n"
                             "2;Café Crème, s'il vous plaît\n".encode("cp1252"))
        self.sosie("plan", "in.csv", "--encoding", "auto", "-o", "p.json")
        for args in (("plan", "in.csv"), ("explain", "1", "2", "in.csv"),
                     ("sketch", "in.csv", "--plan", "p.json", "-o", "s"),
                     ("index", "build", "INDEX", "in.csv"),
                     ("plan", "in.csv", "--kind", "strings", "--within", "1"),
                     ("index", "build", "INDEX2", "in.csv", "--kind", "strings", "--within", "1")):
            run = self.sosie(*args, "--encoding", "auto")
            self.assertRegex(run.err, r"in.csv: encoding (windows-1252|latin-1|iso-8859-15?)")
            self.assertIn("in.csv: delimiter ';'", run.err)

    def test_rows_of_a_pipe_are_said_to_be_what_they_were_taken_for(self):
        rows = "id;text\n1;Müller, Straße, zwölf Grüße über Österreich\n"
        self.write("data.csv", rows.encode("cp850"))
        for kind in ((), ("--kind", "strings", "--within", "0")):
            run = self.sosie("query", "data.csv", "-", "--format", "csv", "--encoding", "auto", *kind,
                             stdin=rows.encode("latin-1"))
            self.assertRegex(run.err, r"encoding +cp850: data.csv, latin-1: <stdin>")
            self.assertEqual(run.out.count(b"\n"), 2)

    def test_every_verb_takes_what_auto_finds(self):
        rows = ["Grüße aus Köln, zwölf Bücher über Öl", "Straße und Maß für später", "GRÜSSE AUS KÖLN, ZWÖLF BÜCHER ÜBER ÖL"]
        text = "".join(row + "\n" for row in rows)
        for codec, name in (("cp850", "cp850"), ("mac_roman", "mac-roman"), ("latin-1", "latin-1"),
                            ("utf-16-be", "utf-16be")):
            data = (text if codec != "utf-16-be" else "Привет, мир\nдва слова\nПРИВЕТ, МИР\n").encode(codec)
            self.write("in.txt", data)
            run = self.sosie("dedup", "in.txt", "--encoding", "auto", "--shingle", "words:1", "--threshold", "1")
            self.assertIn(f"encoding    {name}: in.txt", run.err)
            self.assertEqual(run.out, "".join(data.decode(codec).splitlines(True)[:2]).encode(codec))

    def test_inputs_of_two_encodings_are_kept_apart(self):
        self.write("a.txt", "één\n".encode())
        self.write("b.txt", "\ufefftwee\n".encode("utf-16-le"))
        run = self.sosie("dedup", "a.txt", "b.txt", code=2)
        self.assertIn("-o OUT/", run.err)
        self.sosie("dedup", "a.txt", "b.txt", "-o", "out/")
        self.assertEqual(self.read("out/b.txt"), self.read("b.txt"))

    def test_ids_and_side_tables_are_utf8(self):
        self.write("in.csv", "id,text\nä1,Grüße\nö2,GRÜSSE\n".encode("latin-1"))
        self.sosie("dedup", "in.csv", "--encoding", "latin-1", "--removed", "r.tsv", "--annotate",
                   "all", "-o", "out.csv")
        self.assertEqual(read_table(self.read("r.tsv"))[0]["kept_id"], "ä1")
        self.assertEqual(self.read("out.csv").decode("latin-1").splitlines()[2], "ö2,GRÜSSE,ä1,2")


if __name__ == "__main__":
    unittest.main()
