"""`explain --passages`: passages that one text shares with another, with their positions in both.
"""

import random
import re
import unittest

from support import SosieTest, jsonl

PASSAGE = re.compile(r"^  left (\d+)-(\d+), right (\d+)-(\d+)  ([\d,]+) words?$\n  \"(.*)\"$", re.M)


class Passages(SosieTest):
    def page(self, left: str, right: str, *args: str) -> str:
        self.write("in.jsonl", jsonl([{"id": "left", "text": left},
                                      {"id": "right", "text": right}]).decode())
        return self.sosie("explain", "left", "right", "in.jsonl", "--passages",
                          *args).out.decode()

    def passages(self, left: str, right: str, *args: str) -> list[tuple[str, str]]:
        """The text of each passage, extracted by its positions in both texts."""
        return [(left[int(one[0]):int(one[1])], right[int(one[2]):int(one[3])])
                for one in PASSAGE.findall(self.page(left, right, *args))]

    def test_passages_are_found_in_another_order(self):
        rng = random.Random(3)
        words = [f"w{number}" for number in range(400)]
        parts = [" ".join(rng.sample(words, 30)) for _ in range(4)]
        own = [" ".join(f"o{number}" for number in range(begin, begin + 20))
               for begin in range(0, 200, 20)]
        left = f"{own[0]}, {parts[2]}. {own[1]}; {parts[0]}! {own[2]}"
        right = f"{parts[0]} {own[5]} {parts[1]} {own[6]} {parts[2]} {parts[3]}"
        self.assertEqual(self.passages(left, right),
                         [(parts[2], parts[2]), (parts[0], parts[0])])
        page = self.page(left, right)
        self.assertIn("passages of at least 5 words: 2; 60 of 120 words of left, 60 of 160 of right",
                      page)
        self.assertNotIn("word by word", page)

    def test_positions_are_characters_of_the_texts_as_they_are(self):
        left = "«Ünïcode» first:  Das ist   EIN Satz, der kopiert wurde\n(naja)."
        right = "日本 das ist ein satz der kopiert wurde"
        self.assertEqual(self.passages(left, right, "--shingle", "words:4"),
                         [("Das ist   EIN Satz, der kopiert wurde",
                           "das ist ein satz der kopiert wurde")])

    def test_a_passage_is_as_long_as_a_shingle_at_least(self):
        left, right = "a b c d x e f g", "a b c d y e f g"
        self.assertEqual(self.passages(left, right, "--shingle", "words:4"), [("a b c d",) * 2])
        self.assertEqual(self.passages(left, right, "--shingle", "words:3"),
                         [("a b c d",) * 2, ("e f g",) * 2])
        self.assertEqual(self.passages(left, right, "--shingle", "chars:6"), [("a b c d",) * 2])
        self.assertIn("of at least 8 characters: none",
                      self.page(left, right, "--shingle", "chars:8"))

    def test_one_place_may_be_copied_twice(self):
        right = "one two three four five six"
        self.assertEqual(self.passages(f"{right} and again {right}", right),
                         [(right, right), (right, right)])

    def test_what_all_rows_have_is_no_passage(self):
        head = "permission is hereby granted free of charge to any person"
        copied = "this sentence was written once and copied once only"
        rows = [{"id": "left", "text": f"{head} x {copied} y"},
                {"id": "right", "text": f"{copied} z {head}"}]
        rows += [{"id": str(n), "text": f"{head} {n} own words of row {n} {n}"} for n in range(8)]
        self.write("in.jsonl", jsonl(rows).decode())
        page = self.sosie("explain", "left", "right", "in.jsonl", "--passages", "--ignore-common",
                          "0.5").out.decode()
        self.assertEqual([one[5] for one in PASSAGE.findall(page)], [copied])

    def test_long_lists_and_texts_are_cut(self):
        pieces = [" ".join(f"p{n}_{i}" for i in range(5)) for n in range(130)]
        left = " ".join(f"{piece} l{n}" for n, piece in enumerate(pieces))
        right = " ".join(f"{piece} r{n}" for n, piece in enumerate(reversed(pieces)))
        page = self.page(left, right)
        self.assertEqual(len(PASSAGE.findall(page)), 100)
        self.assertIn("... and 30 more", page)
        long = " ".join(f"w{n}" for n in range(200))
        self.assertLess(max(map(len, self.page(f"a {long}", f"b {long}").splitlines())), 170)

    def test_a_text_beside_itself_and_beside_nothing(self):
        self.assertEqual(self.passages("a b c d e f", "a b c d e f"), [("a b c d e f",) * 2])
        self.assertIn("none", self.page("a b c d e f", ""))
        self.write("in.sets", "a b\na c\n")
        self.fails(2, "explain", "0", "1", "in.sets", "--passages", says="they have no text")


if __name__ == "__main__":
    unittest.main()
