"""The tools to be measured: Sosie's settings, the peers, and the command for each tool."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOSIE_PYTHON = HERE.parent / "build/python-venv/bin/python"  # make test-python


@dataclass(frozen=True)
class Tool:
    """A program that reads rows and reports which to keep."""

    name: str
    shingles: str         # the form in which it sees a text
    answer: str           # its reason to drop a row
    package: str = ""     # on PyPI; Sosie is built from this tree
    adapter: str = ""     # file in peers/; none for the program sosie
    arguments: tuple[str, ...] = ()
    threads: tuple[int, ...] = (1, 2)
    modes: tuple[str, ...] = ("dedup",)


VERIFIED = "exact similarity to the kept row"
ESTIMATED = "estimated similarity to a kept row"
CANDIDATE = "a shared band"
SAME = "words:5"
RECALL_BANDS = ("--recall-bands",)

SOSIE = [
    Tool("sosie", SAME, VERIFIED, arguments=("--tokens", "ascii"), modes=("dedup", "pairs")),
    Tool("sosie, default tokens", "words:5, Unicode", VERIFIED),
    Tool("sosie in Python", SAME, VERIFIED, adapter="sosie_table.py", modes=("table",)),
]

PEERS = [
    Tool("datasketch", SAME, CANDIDATE, "datasketch", "datasketch_peer.py", threads=(1,),
         modes=("dedup", "table", "sketch", "pairs")),
    Tool("datasketch, 21×6 bands", SAME, CANDIDATE, "datasketch", "datasketch_peer.py",
         RECALL_BANDS, threads=(1,), modes=("dedup", "table", "pairs")),
    Tool("rensa", SAME, ESTIMATED, "rensa", "rensa_peer.py", modes=("dedup", "table", "sketch")),
    Tool("rensa, 21×6 bands", SAME, ESTIMATED, "rensa", "rensa_peer.py", RECALL_BANDS,
         modes=("dedup", "table")),
    Tool("rensa, matrix", SAME, CANDIDATE, "rensa", "rensa_matrix_peer.py",
         modes=("dedup", "sketch", "pairs")),
    Tool("rensa, matrix, 21×6 bands", SAME, CANDIDATE, "rensa", "rensa_matrix_peer.py",
         RECALL_BANDS, modes=("dedup", "pairs")),
    Tool("rensa, matrix, 21×6 bands, verified", SAME, VERIFIED, "rensa", "rensa_matrix_peer.py",
         (*RECALL_BANDS, "--verify"), modes=("dedup", "table")),
    Tool("rensa, rho flags", "words", "a flag", "rensa", "rensa_rho_peer.py",
         modes=("dedup", "sketch")),
    Tool("FastSketchLSH", SAME, CANDIDATE, "FastSketchLSH", "fastsketchlsh_peer.py",
         modes=("dedup", "sketch", "pairs")),
    Tool("FastSketchLSH, 32×8 bands", SAME, CANDIDATE, "FastSketchLSH", "fastsketchlsh_peer.py",
         RECALL_BANDS, modes=("dedup", "pairs")),
    Tool("FastSketchLSH, 32×8 bands, verified", SAME, VERIFIED, "FastSketchLSH",
         "fastsketchlsh_peer.py", (*RECALL_BANDS, "--verify"), modes=("dedup", "table")),
    Tool("SemHash, random word vectors", "a vector a text", "estimated nearness of vectors",
         "semhash", "semhash_peer.py", modes=("table",)),
    Tool("gaoya", SAME, ESTIMATED, "gaoya", "gaoya_peer.py", modes=("dedup", "pairs")),
    Tool("tors", "words:5, UAX 29", CANDIDATE, "tors", "tors_peer.py", threads=(1,),
         modes=("dedup", "sketch", "pairs")),
    Tool("tors, 21×6 bands", "words:5, UAX 29", CANDIDATE, "tors", "tors_peer.py", RECALL_BANDS,
         threads=(1,), modes=("dedup", "pairs")),
    Tool("Daft", SAME, CANDIDATE, "daft", "daft_peer.py", modes=("dedup", "sketch")),
    Tool("Daft, 21×6 bands", SAME, CANDIDATE, "daft", "daft_peer.py", RECALL_BANDS),
    Tool("text-dedup", "its own 5-grams", "exact similarity inside its group", "text-dedup",
         "text_dedup_peer.py"),
    Tool("text-dedup, 40×6 bands", "its own 5-grams", "exact similarity inside its group",
         "text-dedup", "text_dedup_peer.py", RECALL_BANDS),
    Tool("datatrove", "its own 5-grams", CANDIDATE + ", chained", "datatrove",
         "datatrove_peer.py"),
]

TOOLS = {tool.name: tool for tool in SOSIE + PEERS}


def command(tool: Tool, mode: str, sosie: Path, peers_python: Path, source: Path, output: Path,
            threads: int) -> list:
    if tool.adapter:
        python = peers_python if tool.package else SOSIE_PYTHON
        return [python, HERE / "peers" / tool.adapter, mode, source, output,
                "--threads", threads, *tool.arguments]
    return [sosie, mode, source, "-o", output, "--threads", threads, "--quiet", *tool.arguments]


def kept_rows(tool: Tool, output: Path, row_of: dict[str, int]) -> list[int]:
    """The answer in mode `dedup`: peers write ids, Sosie whole rows."""
    with open(output, "rb") as lines:
        if tool.adapter:
            return [row_of[line.decode().rstrip("\n")] for line in lines]
        return [row_of[json.loads(line)["id"]] for line in lines]


def found_pairs(tool: Tool, output: Path, row_of: dict[str, int]) -> list[tuple[int, int]]:
    """The answer in mode `pairs`: peers write row numbers, Sosie ids below a header."""
    with open(output, encoding="utf-8", newline="\n") as lines:
        if tool.adapter:
            return [tuple(map(int, line.split("\t"))) for line in lines]
        if next(lines).startswith("#sosie "):
            next(lines)
        return [tuple(row_of[name] for name in line.split("\t")[:2]) for line in lines]
