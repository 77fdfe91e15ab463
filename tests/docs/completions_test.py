"""The shell completions offer everything in the option table; shells that are not installed are
skipped."""

import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASH = ROOT / "docs" / "completions" / "sosie.bash"
ZSH = ROOT / "docs" / "completions" / "_sosie"
FISH = ROOT / "docs" / "completions" / "sosie.fish"
MAN = ROOT / "docs" / "man" / "sosie.1"


def run(*command: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def needs(program: str):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


@needs("bash")
class Bash(unittest.TestCase):
    def complete(self, *words: str) -> set[str]:
        """Returns the words that bash offers to complete the last of `words`."""
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sosie; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = run("bash", "-c", script, str(BASH), *words, cwd=ROOT)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_offers_verbs(self):
        self.assertEqual(self.complete("sosie", "ded"), {"dedup", "dedupe"})

    def test_offers_the_options_of_a_verb(self):
        self.assertEqual(self.complete("sosie", "dedup", "--thres"), {"--threshold"})
        self.assertEqual(self.complete("sosie", "pairs", "--top"), {"--top", "--top-pairs"})
        self.assertEqual(self.complete("sosie", "dedup", "--top"), set())

    def test_offers_values(self):
        self.assertEqual(self.complete("sosie", "dedup", "--on-bad-row", "s"), {"stop", "skip"})
        self.assertIn("README.md", self.complete("sosie", "dedup", "--removed", "READ"))
        self.assertEqual(self.complete("sosie", "dedup", "--threshold", ""), set())

    def test_offers_the_words_that_an_option_takes(self):
        for option, word, offers in (
                ("--measure", "co", {"containment", "cosine"}), ("--format", "p", {"parquet"}),
                ("--family", "hyper", {"hyperplane", "hyperplane-signs", "hyperplane-rotation"}),
                ("--keep", "m", {"max:", "min:"}), ("--kind", "b", {"bags", "bits"}),
                ("--as", "se", {"sets"}), ("--shingle", "w", {"words:"}),
                ("--measure", "mink", {"minkowski:"}), ("--progress", "p", {"plain"})):
            with self.subTest(option=option, word=word):
                self.assertEqual(self.complete("sosie", "dedup", option, word), offers)

    def test_offers_the_next_word_of_a_list(self):
        self.assertEqual(self.complete("sosie", "dedup", "--keep", "longest,fi"),
                         {"longest,first"})
        self.assertEqual(self.complete("sosie", "dedup", "--filters", "p"),
                         {"prefix", "position"})

    def test_offers_values_behind_an_equals_sign(self):
        """Bash breaks words there."""
        self.assertEqual(self.complete("sosie", "dedup", "--measure", "=", "ham"), {"hamming"})
        self.assertIn("dice", self.complete("sosie", "dedup", "--measure", "="))

    def test_offers_verbs_behind_help(self):
        self.assertEqual(self.complete("sosie", "help", "ded"), {"dedup", "dedupe"})

    def test_offers_the_actions_of_index(self):
        actions = {"build", "add", "remove", "merge", "compact", "info", "check"}
        self.assertEqual(self.complete("sosie", "index", ""), actions)
        self.assertEqual(self.complete("sosie", "index", "co"), {"compact"})
        self.assertIn("--threshold", self.complete("sosie", "index", "--thr"))
        self.assertIn("README.md", self.complete("sosie", "index", "build", "READ"))

    def test_offers_files(self):
        self.assertIn("README.md", self.complete("sosie", "dedup", "READ"))


@needs("zsh")
class Zsh(unittest.TestCase):
    def test_is_zsh(self):
        self.assertEqual(run("zsh", "-n", str(ZSH)).stderr, "")


class ZshText(unittest.TestCase):
    def test_offers_the_words_that_an_option_takes(self):
        text = ZSH.read_text()
        for action in (":NAME:(jsonl csv tsv", ":NAME:(jaccard bag-jaccard",
                       ":RULE,...:_sequence compadd - first last"):
            self.assertIn(action, text)


@needs("fish")
class Fish(unittest.TestCase):
    def complete(self, line: str) -> set[str]:
        done = run("fish", "--no-config", "-c", f"source {FISH}; complete -C '{line}'")
        self.assertEqual(done.stderr, "")
        return {offer.split("\t")[0] for offer in done.stdout.splitlines()}

    def test_offers_options_and_values(self):
        self.assertEqual(self.complete("sosie dedup --thres"), {"--threshold"})
        self.assertEqual(self.complete("sosie dedup --on-bad-row s"), {"stop", "skip"})
        self.assertEqual(self.complete("sosie dedup --measure ham"), {"hamming"})
        self.assertIn("longest,first", self.complete("sosie dedup --keep longest,fi"))
        self.assertIn("pairs", self.complete("sosie p"))
        self.assertIn("pairs", self.complete("sosie help p"))


class Man(unittest.TestCase):
    @needs("groff")
    def test_is_clean_roff(self):
        done = run("groff", "-man", "-ww", "-Tutf8", "-z", str(MAN))
        self.assertEqual(done.stderr, "")

    def test_names_every_section(self):
        text = MAN.read_text()
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "EXAMPLES"):
            self.assertIn(f".SH {section}\n", text)


if __name__ == "__main__":
    unittest.main()
