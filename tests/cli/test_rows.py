"""Rows are read correctly, and kept rows are written byte for byte."""

import random
import unittest

import corpus
from support import SosieTest, jsonl, oracle

LONE = "\\ud83d"  # the first half of a surrogate pair, as JSON writes it


def row(identifier, text: str) -> bytes:
    """A JSONL row with `text` inserted unchanged, escapes included."""
    return f'{{"id": "{identifier}", "text": "{text}"}}\n'.encode()


class BytesOfRows(SosieTest):
    def test_kept_rows_come_out_byte_for_byte(self):
        rows = (b'{"text" :  "one two three", "id":"a" , "x":[1.0e5, {"text": "no"}, null]}\n'
                b'  {"id":"b","text":"caf\\u00e9 \\/ \\ud83d\\ude00 \\"q\\""}\t\n'
                b'{"id":"c","text":"one two three"}\n'
                b'{"id":"d","text":"","n":1.50,"m":12345678901234567890123}\n')
        name = self.write("in.jsonl", rows)
        lines = rows.splitlines(keepends=True)
        self.assertEqual(self.kept(name), lines[0] + lines[1] + lines[3])

    def test_a_last_row_without_newline_stays_without(self):
        name = self.write("in.jsonl", row("a", "one two") + row("b", "three four").rstrip(b"\n"))
        self.assertEqual(self.kept(name), self.read(name))

    def test_a_last_row_without_newline_gets_one_if_another_follows(self):
        self.write("1.jsonl", row("a", "one two").rstrip(b"\n"))
        self.write("2.jsonl", row("b", "three four").rstrip(b"\n"))
        self.write("3.jsonl", row("c", "three four").rstrip(b"\n"))
        expected = row("a", "one two") + row("b", "three four").rstrip(b"\n")
        self.assertEqual(self.kept("1.jsonl", "2.jsonl"), expected)
        self.assertEqual(self.kept("1.jsonl", "2.jsonl", "3.jsonl"), expected)

    def test_lines_of_text_without_a_last_newline(self):
        self.write("1.txt", "one two\nthree four")
        self.write("2.txt", "one two\nfive six")
        self.assertEqual(self.kept("1.txt", "2.txt"), b"one two\nthree four\nfive six")

    def test_carriage_returns_stay_and_do_not_count_as_text(self):
        self.write("in.jsonl", row("a", "one two").replace(b"\n", b"\r\n")
                   + row("b", "three").replace(b"\n", b"\r\n") + row("c", "one two"))
        self.assertEqual(self.kept("in.jsonl"), self.read("in.jsonl")[:-len(row("c", "one two"))])
        self.write("in.txt", "one two\r\nthree\r\none two\nTHREE")
        self.assertEqual(self.kept("in.txt", "--shingle", "chars:9"), b"one two\r\nthree\r\n")

    def test_a_byte_order_mark_is_skipped_in_every_file(self):
        mark = b"\xef\xbb\xbf"
        self.write("1.jsonl", mark + row("a", "one two"))
        self.write("2.jsonl", mark + row("b", "three four"))
        self.assertEqual(self.kept("1.jsonl", "2.jsonl").removeprefix(mark),
                         row("a", "one two") + row("b", "three four"))
        self.write("1.txt", mark + b"one two\n")
        self.write("2.txt", mark + b"one two\nthree\n")
        self.assertEqual(self.kept("1.txt", "2.txt", "--shingle", "chars:3").removeprefix(mark),
                         b"one two\nthree\n")

    def test_a_first_row_that_begins_with_a_byte_order_mark_keeps_it_when_it_is_read_again(self):
        mark = b"\xef\xbb\xbf"
        self.write("other.txt", "a b c d")
        for name, rows, options in (
                ("in.txt", "x y z\nu v w\n", ("--shingle", "words:1")),
                ("in.tsv", '"p q r\nx y z\n', ("--no-header", "--column", "1", "--shingle", "words:1")),
                ("in.sets", "x y\nx y\n", ("--threshold", "1"))):
            self.write(name, b"a b c d\n" + mark + rows.encode())
            kept = self.kept(name, "--against", "other.txt", *options)
            self.assertEqual(kept, 2 * mark + rows.encode(), name)
            again = name.replace("in", "again")
            self.write(again, kept)
            self.assertEqual(self.kept(again, *options), kept)
        self.write("in.jsonl", row("a", "a b c d") + mark + row("b", "x y z"))
        self.assertEqual(self.kept("in.jsonl", "--against", "other.txt"), mark + row("b", "x y z"))

    def test_a_byte_order_mark_alone_is_an_empty_file(self):
        for name in ("in.jsonl", "in.txt"):
            self.write(name, b"\xef\xbb\xbf")
            self.kept(name, "--stats", "stats.json")
            self.assertEqual(self.stats().read, 0)

    def test_blank_lines_are_no_rows(self):
        self.write("in.jsonl", b"\n\r\n" + row("a", "one two") + b"\n" + row("b", "one two")
                   + b"\r\n\n" + row("c", "three") + b"\n\n")
        self.assertEqual(self.kept("in.jsonl", "--stats", "stats.json", "--removed", "gone.tsv"),
                         row("a", "one two") + row("c", "three"))
        self.assertEqual(self.stats().read, 3)
        self.assertEqual([(gone["row"], gone["kept_row"]) for gone in self.table("gone.tsv")],
                         [("1", "0")])

    def test_lines_of_white_space_are_blank(self):
        self.write("in.jsonl", b" \t \n" + row("a", "one two") + b"   ")
        self.assertEqual(self.kept("in.jsonl"), row("a", "one two"))

    def test_in_text_every_line_is_an_item(self):
        self.write("in.txt", "\none two\n\none two\n \n")
        self.assertEqual(self.kept("in.txt", "--stats", "stats.json"), b"\none two\n\n \n")
        self.assertEqual(self.stats().read, 5)

    def test_rows_that_straddle_blocks(self):
        """Rows of 1 byte to 700 kB in one file: each is written once, and copies are removed."""
        chance = random.Random(1)
        rows, first, size = [], [], 0
        while size < 9_000_000:
            if rows and chance.random() < 0.3:
                text = chance.choice(first)[1]
                rows.append((f"r{len(rows)}", text))
            else:
                words = int(10 ** chance.uniform(0, 5))
                text = corpus.unrelated_words(chance, words) + f" only{len(rows)}"
                rows.append((f"r{len(rows)}", text))
                first.append(rows[-1])
            size += len(rows[-1][1])
        name = self.write("in.jsonl", b"".join(row(*item) for item in rows))
        kept = self.kept(name, "--threshold", "1", "--threads", "2")
        self.assertEqual(kept, b"".join(row(*item) for item in first))

    def test_one_row_much_larger_than_a_block(self):
        text = corpus.unrelated_words(random.Random(2), 1_500_000)
        self.write("in.jsonl", row("a", text) + row("b", "short") + row("c", text + " more"))
        self.assertEqual(self.kept("in.jsonl"), row("a", text) + row("b", "short"))


class TextOfRows(SosieTest):
    """Texts that count as the same."""

    def kept_ids(self, rows: list[bytes], *args: str) -> str:
        name = self.write("in.jsonl", b"".join(rows))
        kept = self.kept(name, "--threshold", "1", *args)
        lines = kept.splitlines(keepends=True)
        return "".join(number for number, raw in zip("abcdefghi", rows) if raw in lines)

    def test_escapes_mean_what_they_stand_for(self):
        rows = [row("a", "caf\\u00e9 \\ud840\\udc0b a\\/b\\tc"), row("b", "café \U0002000b a/b c"),
                row("c", "café \U0002000b a/b\\nc"), row("d", "cafe \U0002000b a/b c")]
        for shingle in ("words:2", "chars:3"):
            for tokens in ("unicode", "ascii"):
                self.assertEqual(self.kept_ids(rows, "--shingle", shingle, "--tokens", tokens),
                                 "ad", (shingle, tokens))

    def test_escaped_quotes_and_backslashes_do_not_end_a_text(self):
        rows = [row("a", 'say \\"one two\\" three \\\\'), row("b", 'say \\"one two\\" four \\\\'),
                row("c", 'say \\u0022one two\\u0022 three \\u005c')]
        self.assertEqual(self.kept_ids(rows, "--shingle", "chars:3"), "ab")

    def test_each_ill_formed_byte_and_lone_surrogate_is_a_letter_of_its_own(self):
        rows = [row("a", f"ab{LONE}cd"), row("b", "ab\ufffdcd"), row("c", "ab\\ufffdcd"),
                row("d", "ab@cd").replace(b"@", b"\xff"), row("e", "ab\\udc00cd"),
                row("f", "abcd"), row("g", "ab@cd").replace(b"@", b"\xfe"),
                row("h", "AB@cd").replace(b"@", b"\xff"),
                row("i", "ab@cd").replace(b"@", b"\xed\xb0\x80")]
        for tokens in ("unicode", "ascii"):
            for shingle in ("chars:3", "words:1"):
                self.assertEqual(
                    self.kept_ids(rows, "--shingle", shingle, "--tokens", tokens,
                                  "--threshold", "1"), "abdefg", (tokens, shingle))

    def test_truncated_sequences_are_as_many_letters_as_bytes(self):
        rows = [row("a", "x@y").replace(b"@", b"\xf0\x9f\x98"), row("b", "x\ufffdy"),
                row("c", "x@y").replace(b"@", b"\xf0\x9f\x99")]
        self.assertEqual(self.kept_ids(rows, "--shingle", "chars:2"), "abc")

    def test_nul_is_a_blank(self):
        rows = [row("a", "one two"), row("b", "one\\u0000two"), row("c", "one \\u0000\\n two")]
        for shingle in ("words:2", "chars:3"):
            for tokens in ("unicode", "ascii"):
                self.assertEqual(self.kept_ids(rows, "--shingle", shingle, "--tokens", tokens),
                                 "a", (shingle, tokens))
        self.write("in.txt", b"one\0two\none two\n")
        self.assertEqual(self.kept("in.txt", "--threshold", "1", "--shingle", "chars:3"),
                         b"one\0two\n")

    def test_canonical_equivalents_are_the_same(self):
        rows = [row("a", "\u00e9t\u00e9 \u1e69 \uac00 \u212b"),
                row("b", "e\u0301te\u0301 s\u0307\u0323 \u1100\u1161 \u00c5")]
        for shingle in ("words:1", "chars:2"):
            self.assertEqual(self.kept_ids(rows, "--shingle", shingle), "a")
            self.assertEqual(self.kept_ids(rows, "--shingle", shingle, "--tokens", "ascii"), "ab")

    def test_case_is_folded_in_full(self):
        rows = [row("a", "STRASSE ΟΔΟΣ ﬁn ЁЖ ǅ"), row("b", "straße οδος FIN ёж ǆ"),
                row("c", "Strasse οδοσ ﬁN Ёж Ǆ")]
        for shingle in ("words:1", "chars:3"):
            self.assertEqual(self.kept_ids(rows, "--shingle", shingle), "a")
        self.assertEqual(self.kept_ids(rows, "--tokens", "ascii"), "abc")

    def test_ascii_tokens_fold_only_ascii_letters(self):
        rows = [row("a", "One ÉTÉ_1"), row("b", "oNE ÉTÉ_1"), row("c", "one été_1")]
        self.assertEqual(self.kept_ids(rows, "--tokens", "ascii"), "ac")

    def test_what_is_between_words_does_not_matter_to_words(self):
        rows = [row("a", "one two three"), row("b", "«one»—two... (three)!"),
                row("c", "one two-three"), row("d", "one two_three"), row("e", "onetwo three")]
        self.assertEqual(self.kept_ids(rows, "--shingle", "words:1"), "ade")

    def test_unicode_white_space_is_one_blank_in_character_shingles(self):
        rows = [row("a", "one two"), row("b", "\\u2003one\\u00a0\\u3000\\u0085two\\u2028"),
                row("c", "one\\u200btwo")]
        self.assertEqual(self.kept_ids(rows, "--shingle", "chars:3"), "ac")

    def test_each_character_of_scripts_without_blanks_is_a_word(self):
        for text in ("人人生而自由在尊严", "すべてカナ人間は", "มนุษย์ทั้งหลาย", "ㄅㄆㄇㄈㄉㄊㄋ",
                     "ມະນຸດທຸກຄົນ", "មនុស្សទាំងអស់", "လူတိုင်းသည်"):
            with self.subTest(text=text):
                name = self.write("in.jsonl", row("a", text) + row("b", text[:-1])
                                  + row("c", " ".join(text)))
                rows = self.rows_of(name)
                expected = oracle.answer(rows, "0.2", "words:1")
                self.assertEqual(expected.pairs[1][2], 1)
                out = self.sosie("pairs", name, "--method", "brute", "--threshold", "0.2",
                                 "--shingle", "words:1").out
                self.assert_pairs(out, expected.pairs)

    def test_the_text_of_the_row_is_not_one_deeper_inside(self):
        rows = [b'{"id":"a","meta":{"text":"zero"},"list":[{"text":1}],"text":"one two"}\n',
                b'{"text":"one two","id":"b","meta":{"text":"other","id":5}}\n']
        self.assertEqual(self.kept_ids(rows), "a")


class DocumentsWithoutTokens(SosieTest):
    def test_they_are_kept_and_match_nothing(self):
        rows = [row("a", ""), row("b", ""), row("c", " "), row("d", "?!"), row("e", "?!")]
        name = self.write("in.jsonl", b"".join(rows))
        for method in ("brute", "lsh", "auto"):
            self.assertEqual(self.kept(name, "--method", method, "--stats", "stats.json"),
                             self.read(name))
            self.assertEqual((self.stats().read, self.stats().kept), (5, 5))
            self.assertEqual(self.sosie("pairs", name, "--method", method).out,
                             b"left\tright\tsimilarity\n")

    def test_signs_are_characters_but_not_words(self):
        name = self.write("in.jsonl", row("a", "?! ...") + row("b", "?! ..."))
        self.assertEqual(self.kept(name, "--shingle", "chars:9"), row("a", "?! ..."))

    def test_one_row(self):
        for content in (row("a", "one two three"), row("a", ""), row("a", "x").rstrip(b"\n")):
            name = self.write("in.jsonl", content)
            self.assertEqual(self.kept(name), content)

    def test_texts_shorter_than_a_shingle_are_compared_whole(self):
        rows = [row("a", "One two"), row("b", "one two!"), row("c", "two one"), row("d", "one")]
        name = self.write("in.jsonl", b"".join(rows))
        for method in ("brute", "lsh"):
            self.assertEqual(self.kept(name, "--method", method), rows[0] + rows[2] + rows[3])


class ManyRows(SosieTest):

    def test_near_cliques_cost_about_one_comparison_a_member(self):
        words = corpus.unrelated_words(random.Random(3), 150).split()
        rows = []
        for number in range(8_000):
            words[75] = f"only{number}"
            rows.append({"id": number, "text": " ".join(words)})
        self.write("in.jsonl", jsonl(rows))
        kept = self.kept("in.jsonl", "--removed", "gone.tsv", timeout=20)
        self.assertEqual(kept, jsonl(rows[:1]))
        gone = self.table("gone.tsv")
        self.assertEqual({item["kept_id"] for item in gone}, {"0"})
        self.assertEqual({item["similarity"] for item in gone}, {"0.933775"})  # 141 / 151


if __name__ == "__main__":
    unittest.main()
