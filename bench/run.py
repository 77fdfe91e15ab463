#!/usr/bin/env python3
"""Measures Sosie, its peers and the yardsticks: a table and a JSON file for each suite and corpus.

    run.py small                                    everything at a small size, under 10 minutes
    run.py speed   --corpus linux:100 --threads 1,2     Sosie against md5, memcpy and wc -l
    run.py peers   --corpus linux:100 --threads 1,2     Sosie against others: time, memory, quality
    run.py table   --corpus linux:100                   the same, for rows in an Arrow table
    run.py sketch  --corpus linux:100                   the same, sketching alone
    run.py pairs   --corpus licence-texts               recall and precision of the reported pairs
    run.py planted --corpus linux:100                   which edits of a text are detected
    run.py growth  --corpus linux:100                   N, 2N, 4N, 8N, N being this corpus's size
    run.py goals                                        each goal of goals.toml: is it met? (goals.py)

The corpora are defined in corpora.py. All figures of a run are measured in the same run, A B C A B
C ..., and the first round is discarded. Processes are measured from outside, and pinned to as many
cores as the number of threads they may use. Peers are installed by install_peers.py; without them,
only Sosie is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import corpora
import goals
import measure
import planted
import tables
import tools
import truth

THRESHOLD = (4, 5)
SMALL = "synthetic:10"
PLANTED_EACH = 200     # originals for each kind of edit
PLANTED_WORDS = 100    # the shortest original
WORK = {  # of suite `speed`, with the default tokens
    "dedup words:5": ("--shingle", "words:5"),
    "dedup chars:9": ("--shingle", "chars:9"),
}


class Bench:
    def __init__(self, options: argparse.Namespace, scratch: Path):
        self.options = options
        self.scratch = scratch
        self.peers_python = measure.ROOT / "build/bench-venv/bin/python"
        self.here = measure.surroundings(
            options.sosie, self.peers_python, sorted({tool.package for tool in tools.PEERS}))

    # --- one process

    def whole(self, command: list, threads: int, output: Path | None = None) -> dict:
        """`output` of an earlier round no longer exists, because replacing it would take time."""
        if output is not None:
            output.unlink(missing_ok=True)
        return measure.run(command, threads, self.options.limit)

    def inside(self, command: list, output: Path, threads: int) -> dict:
        """A process that times a part of itself, and writes the time."""
        self.whole(command, threads)
        return json.loads(output.read_text())

    def tools_for(self, mode: str, threads: int) -> list[tools.Tool]:
        return [tool for tool in tools.TOOLS.values()
                if mode in tool.modes and threads in tool.threads
                and (not self.options.tools or tool.name in self.options.tools)
                and (not tool.package or tool.package in self.here["packages"])]

    def command(self, tool: tools.Tool, mode: str, source: Path, output: Path,
                threads: int) -> list:
        return tools.command(tool, mode, self.options.sosie, self.peers_python, source, output,
                             threads)

    # --- suites: each returns the rows of its table

    def speed(self, corpus: corpora.Corpus) -> list[dict]:
        rows = []
        for threads in self.options.threads:
            outputs = {name: self.scratch / f"{name}.jsonl" for name in WORK}
            calls = self.yardsticks(corpus) if threads == 1 else {}
            for name, arguments in WORK.items():
                command = [self.options.sosie, "dedup", corpus.path, "-o", outputs[name], "--quiet",
                           "--threads", threads, *arguments]
                calls[name] = lambda command=command, output=outputs[name]: self.whole(
                    command, threads, output)
            measured = self.measured(calls, threads)
            row_of = {name: row for row, name in enumerate(corpus.ids())}
            for row in measured:
                if row["tool"] in WORK and "failed" not in row:
                    kept = tools.kept_rows(tools.TOOLS["sosie"], outputs[row["tool"]], row_of)
                    row |= truth.score_kept(kept, self.reference(corpus, row_of, row["tool"]))
            rows += measured
        return rows

    def yardsticks(self, corpus: corpora.Corpus) -> dict:
        out = self.scratch / "yardstick"
        script = tools.HERE / "yardsticks.py"
        calls = {what: lambda what=what: self.inside(
            [sys.executable, script, what, corpus.path, out], out, 1) for what in ("md5", "memcpy")}
        return calls | {"wc -l": lambda: self.whole(["wc", "-l", corpus.path], 1)}

    def reference(self, corpus: corpora.Corpus, row_of: dict[str, int], work: str) -> truth.Truth:
        """Returns reference pairs for a task whose tokens and shingles have no truth: the pairs
        that Sosie itself finds with another seed and a recall of 99.99 %."""
        out = self.scratch / "reference.tsv"
        self.whole([self.options.sosie, "pairs", corpus.path, "-o", out, "--quiet", "--seed", "99",
                    "--method", "lsh", "--recall", "0.9999", *WORK[work]],
                   len(os.sched_getaffinity(0)))
        pairs = truth.Truth(len(row_of), THRESHOLD[0] / THRESHOLD[1])
        with open(out, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                if line.startswith(("#sosie ", "left\t")):
                    continue
                left, right, similarity = line.rstrip("\n").split("\t")
                pairs.add(row_of[left], row_of[right], float(similarity))
        return pairs

    def peers(self, corpus: corpora.Corpus) -> list[dict]:
        return [row for threads in self.options.threads
                for row in self.deduplicated(corpus, threads, self.score_kept(corpus), {})]

    def deduplicated(self, corpus: corpora.Corpus, threads: int, score, more: dict) -> list[dict]:
        """A row for each tool, and for each of the `more` calls in the same rounds."""
        chosen = {tool.name: tool for tool in self.tools_for("dedup", threads)}
        outputs = {name: self.scratch / f"kept-{number}" for number, name in enumerate(chosen)}
        calls = more | {name: lambda tool=tool: self.whole(
            self.command(tool, "dedup", corpus.path, outputs[tool.name], threads), threads,
            outputs[tool.name])
            for name, tool in chosen.items()}
        rows = self.measured(calls, threads)
        row_of = {name: row for row, name in enumerate(corpus.ids())}
        for row in rows:
            if row["tool"] in chosen and "failed" not in row:
                tool = chosen[row["tool"]]
                row |= {"shingles": tool.shingles, "answer": tool.answer,
                        **score(tools.kept_rows(tool, outputs[tool.name], row_of))}
        return rows

    def score_kept(self, corpus: corpora.Corpus):
        exact = corpus.truth(THRESHOLD)
        return lambda kept: truth.score_kept(kept, exact)

    def table(self, corpus: corpora.Corpus) -> list[dict]:
        """Rows in memory, as Python libraries receive them."""
        score = self.score_kept(corpus)
        row_of = {name: row for row, name in enumerate(corpus.ids())}
        rows = []
        for threads in self.options.threads:
            chosen = {tool.name: tool for tool in self.tools_for("table", threads)}
            outputs = {name: self.scratch / f"table-{number}" for number, name in enumerate(chosen)}
            def one(tool: tools.Tool, threads: int = threads) -> dict:
                out = outputs[tool.name]
                measured = self.inside(self.command(tool, "table", corpus.path, out, threads), out,
                                       threads)
                return {key: value for key, value in measured.items() if key != "result"}

            measured = self.measured({name: lambda tool=tool: one(tool)
                                      for name, tool in chosen.items()}, threads)
            for row in measured:
                if "failed" not in row:
                    kept = json.loads(outputs[row["tool"]].read_text())["result"]
                    row |= score([row_of[name] for name in kept])
            rows += measured
        return rows

    def sketch(self, corpus: corpora.Corpus) -> list[dict]:
        rows = []
        for threads in self.options.threads:
            out = self.scratch / "out"
            calls = {tool.name: lambda tool=tool: self.inside(
                self.command(tool, "sketch", corpus.path, out, threads), out, threads)
                for tool in self.tools_for("sketch", threads)}
            sosie = tools.TOOLS["sosie"]
            calls["sosie"] = lambda: self.whole(
                self.command(sosie, "dedup", corpus.path, out, threads), threads)
            rows += self.measured(calls, threads)
        return rows

    def pairs(self, corpus: corpora.Corpus) -> list[dict]:
        """Only quality, with one call each."""
        exact = corpus.truth(THRESHOLD)
        row_of = {name: row for row, name in enumerate(corpus.ids())}
        rows = []
        for tool in self.tools_for("pairs", 1):
            out = self.scratch / "pairs.tsv"
            try:
                self.whole(self.command(tool, "pairs", corpus.path, out, 1), 1)
            except measure.Failed as failure:
                rows.append({"tool": tool.name, "failed": str(failure)})
                continue
            found = tools.found_pairs(tool, out, row_of)
            rows.append({"tool": tool.name, "shingles": tool.shingles,
                         **truth.score_pairs(found, exact)})
        return rows

    def planted(self, corpus: corpora.Corpus) -> list[dict]:
        originals = unlike(corpus, PLANTED_WORDS, PLANTED_EACH * len(planted.EDITS))
        texts, edits = planted.plant(originals, seed=1)
        made = corpora.Corpus(corpus.name, self.scratch / "planted.jsonl")
        with open(made.path, "wb") as out:
            for row, text in enumerate(texts):
                corpora.write(out, f"p{row}", text)
        self.made_bytes = made.path.stat().st_size
        exact = made.truth(THRESHOLD)

        def score(kept: list[int]) -> dict:
            return {**truth.score_kept(kept, exact), "edits": planted.score_planted(
                set(kept), edits, THRESHOLD[0] / THRESHOLD[1])}
        return self.deduplicated(made, 1, score, {})

    def growth(self, corpus: corpora.Corpus) -> list[dict]:
        rows = []
        kind, _, size = corpus.name.partition(":")
        for times in (1, 2, 4, 8):
            larger = corpora.corpus(f"{kind}:{int(size) * times}")
            md5 = {"md5": self.yardsticks(larger)["md5"]}
            rows += [{"times": times, **larger.description(), **row} for row in
                     self.deduplicated(larger, 1, self.score_kept(larger), md5)]
        return rows

    def measured(self, calls: dict, threads: int) -> list[dict]:
        results = measure.interleave(calls, self.options.rounds, self.options.patience)
        return [{"tool": name, "threads": threads,
                 **({"failed": runs} if isinstance(runs, str) else measure.summary(runs))}
                for name, runs in results.items()]

    # --- the result file

    def suite(self, name: str, corpus_name: str):
        print(f"{name} {corpus_name}", file=sys.stderr, flush=True)
        corpus = corpora.corpus(corpus_name)
        rows = getattr(self, name)(corpus)
        threads = ",".join(map(str, self.options.threads))
        command = f"python3 bench/run.py {name} --corpus {corpus_name} --threads {threads}"
        if self.options.tools:
            command += f" --tools '{';'.join(self.options.tools)}'"
        result = {"suite": name, "command": command, "corpus": corpus.description(),
                  "threshold": THRESHOLD[0] / THRESHOLD[1], "rounds": self.options.rounds,
                  "patience": self.options.patience, "surroundings": self.here, "rows": rows}
        if name == "planted":
            result["made_bytes"] = self.made_bytes
        self.options.results.mkdir(parents=True, exist_ok=True)
        path = self.options.results / f"{name}-{corpus_name.replace(':', '-')}.json"
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        print(f"wrote {path}", file=sys.stderr, flush=True)
        print("\n".join([f"\n{name} {corpus_name}\n", *tables.TABLES[name](result, False)]))


def unlike(corpus: corpora.Corpus, words: int, count: int) -> list[str]:
    """Returns the first texts with at least this many words that are not similar to any other text,
    even at a threshold of 1/2."""
    exact = corpus.truth((1, 2))
    similar = set(exact.left) | set(exact.right)
    out = []
    for row, text in enumerate(row["text"] for row in corpus.rows()):
        if row not in similar and len(planted.WORD.findall(text.encode())) >= words:
            out.append(text)
            if len(out) == count:
                break
    return out


def small(bench: Bench):
    """Under 10 minutes on two slow cores: each tool with 10 MB."""
    bench.options.threads = [1, 2]
    bench.suite("speed", SMALL)
    bench.options.threads, bench.options.rounds, bench.options.patience = [1], 3, 8.0
    bench.suite("peers", SMALL)
    bench.options.tools = [name for name, tool in tools.TOOLS.items()
                           if tool.package not in ("text-dedup", "datatrove")]
    bench.suite("planted", SMALL)


SUITES = ("speed", "peers", "table", "sketch", "pairs", "planted", "growth")


def parse_options() -> argparse.Namespace:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("suite", choices=("small", *SUITES))
    parser.add_argument("--corpus", default="sample", help="several with commas (default: sample)")
    parser.add_argument("--threads", default="1", help="e.g. 1,2 (default: 1)")
    parser.add_argument("--tools", default="", help="names as in tools.py, with ; between")
    parser.add_argument("--rounds", type=int, default=5, help="after the first (default: 5)")
    parser.add_argument("--patience", type=float, default=120,
                        help="seconds for all rounds of a slow tool (default: 120)")
    parser.add_argument("--limit", type=float, default=1800,
                        help="seconds for one call of a tool (default: 1800)")
    parser.add_argument("--sosie", type=Path, help="the program (default: build/release/sosie)",
                        default=os.environ.get("SOSIE_BIN") or measure.ROOT / "build/release/sosie")
    parser.add_argument("--results", type=Path, default=measure.ROOT / "bench/results")
    options = parser.parse_args()
    options.sosie = Path(options.sosie).resolve()
    options.threads = [int(number) for number in options.threads.split(",")]
    options.tools = [name for name in options.tools.split(";") if name]
    unknown = set(options.tools).difference(tools.TOOLS)
    if unknown:
        parser.error(f"{', '.join(unknown)}: none of {'; '.join(tools.TOOLS)}")
    if not shutil.which(options.sosie):
        parser.error("there is no program: build it, or say where it is with --sosie")
    return options


def main():
    if sys.argv[1:2] == ["goals"]:
        corpora.WORK.mkdir(parents=True, exist_ok=True)
        sys.exit(goals.main(sys.argv[2:]))
    options = parse_options()
    corpora.WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=corpora.WORK) as scratch:
        bench = Bench(options, Path(scratch))
        if options.suite == "small":
            small(bench)
        else:
            for name in options.corpus.split(","):
                bench.suite(options.suite, name)


if __name__ == "__main__":
    main()
