"""Rules files for tests of `sosie link`, and a parser for the numbers in a dry run."""

import json

from support import SosieTest


class RulesTest(SosieTest):
    FIELDS = "given = {}\nsurname = {}\nborn = { compare = \"damerau\" }\n" \
             "phone = { clean = \"digits\", compare = \"levenshtein\" }\n"

    def rules(self, candidates: str, fields: str = FIELDS, decide: str = "") -> None:
        self.write("rules.toml", f"version = 1\n[fields]\n{fields}\n[candidates]\n{candidates}\n"
                                 f"[decide]\n{decide}\n")

    def foretold(self, *inputs: str) -> dict:
        """Returns the rules as --dry-run reports them, by place."""
        self.sosie("link", *inputs, "--rules", "rules.toml", "--dry-run", "--stats", "s.json")
        return json.loads(self.read("s.json"))
