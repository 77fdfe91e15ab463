#!/usr/bin/env python3
"""Makes tables from the result files and writes them into Markdown files, between markers.

    tables.py [--results DIR] [--check] [FILE...]     default: docs/benchmarks.md

If bench/results/NAME.json exists, the text between the markers `<!-- bench:NAME -->` and
`<!-- /bench:NAME -->` is replaced with its table and the command that reproduces the table.
`bench:NAME:brief` is a table for one thread with fewer columns, for a README; `bench:machine:NAME`
describes the machine on which NAME was measured.
With --check, nothing is written, and the exit code is 1 if a file is not up to date.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from measure import ROOT, argument_parser

MOST_WAITED = .15  # the highest share of time that a run waits for files on an idle machine
MARKED = re.compile(r"(<!-- bench:([\w:.-]+) -->\n).*?(<!-- /bench:\2 -->)", re.DOTALL)


def fill(text: str, results: Path) -> str:
    """The text with all parts between markers replaced."""
    def part(match: re.Match) -> str:
        path = results / f"{match[2].removeprefix('machine:').partition(':')[0]}.json"
        if not path.exists():
            print(f"{path.name} does not exist; its table is left unchanged", file=sys.stderr)
            return match[0]
        return match[1] + "\n" + render(match[2], json.loads(path.read_text())) + "\n" + match[3]
    return MARKED.sub(part, text)


def render(name: str, result: dict) -> str:
    if name.startswith("machine:"):
        return machine(result)
    lines = TABLES[result["suite"]](result, name.endswith(":brief"))
    return "\n".join([*lines, "", f"`{result['command']}`", ""])


# --- one function per suite

def speed(result: dict, brief: bool) -> list[str]:
    size = result["corpus"]["bytes"]
    md5 = next(row for row in result["rows"] if row["tool"] == "md5")
    alone = {row["tool"]: row for row in result["rows"] if row["threads"] == 1}
    rows = []
    for row in result["rows"]:
        rows.append([row["tool"], str(row["threads"]), *times(row), rate(size, row),
                     f"{md5['seconds'] / row['seconds']:.2f}",
                     f"{alone[row['tool']]['seconds'] / row['seconds']:.2f}"
                     if row["threads"] > 1 else "", memory(row), *quality(row)])
    return table(["work", "threads", "seconds (min–max)", "CPU s", "MB/s", "× md5",
                  "× 1 thread", "peak MB", *QUALITY], rows)


def peers(result: dict, brief: bool) -> list[str]:
    size = result["corpus"]["bytes"]
    sosie = {row["threads"]: row["seconds"] for row in result["rows"] if row["tool"] == "sosie"}
    rows = []
    for row in result["rows"]:
        if "failed" in row:
            rows.append([row["tool"], str(row["threads"]), reason(row), *[""] * 9])
            continue
        rows.append([
            row["tool"], str(row["threads"]), *times(row), rate(size, row),
            f"{row['seconds'] / sosie[row['threads']]:.1f}", memory(row),
            *quality(row)])
    header = ["tool", "threads", "seconds (min–max)", "CPU s", "MB/s", "time / Sosie's",
              "peak MB", *QUALITY]
    if brief:
        keep = [0, 4, 5, 6, 7, 9, 10]
        header = [header[i] for i in keep]
        rows = [[row[i] for i in keep] for row in rows if row[1] == "1" and row[-1]]
    return table(header, rows)


def table_in_memory(result: dict, brief: bool) -> list[str]:
    sosie = {row["threads"]: row["seconds"] for row in result["rows"]
             if row["tool"] == "sosie in Python"}
    rows = [[row["tool"], str(row["threads"]), *times(row),
             rate(result["corpus"]["bytes"], row), f"{row['seconds'] / sosie[row['threads']]:.1f}",
             memory(row), *quality(row)] if "failed" not in row else
            [row["tool"], str(row["threads"]), reason(row), *[""] * 9] for row in result["rows"]]
    return table(["tool", "threads", "seconds (min–max)", "CPU s", "MB/s", "time / Sosie's",
                  "peak MB in addition to the table", *QUALITY], rows)


def sketch(result: dict, brief: bool) -> list[str]:
    size = result["corpus"]["bytes"]
    rows = [[row["tool"] + (" (everything)" if row["tool"] == "sosie" else ""),
             str(row["threads"]), *(times(row) if "failed" not in row else [reason(row), ""]),
             rate(size, row)] for row in result["rows"]]
    return table(["tool", "threads", "seconds (min–max)", "CPU s", "MB/s of the file"], rows)


def pairs(result: dict, brief: bool) -> list[str]:
    rows = [[row["tool"], row["shingles"], f"{row['pairs']:,}", share(row["recall"]),
             share(row["recall_in_slice"]), share(row["precision"])]
            for row in result["rows"] if "failed" not in row]
    return table(["tool", "shingles", "pairs reported", "recall", "on [.8, .85)", "precision"], rows)


def planted(result: dict, brief: bool) -> list[str]:
    measured = [row for row in result["rows"] if "failed" not in row]
    kinds = [edit["kind"] for edit in measured[0]["edits"]]
    rows = []
    for label, cell in (
            ("*similarity*", lambda edit: "–".join(f"{end:.2f}" for end in edit["similarity"])),
            ("*pairs ≥ .8 / all*", lambda edit: f"{edit['true']} / {edit['pairs']}")):
        rows.append([label, *map(cell, measured[0]["edits"]), "", "", ""])
    for row in measured:
        cells = []
        for edit in row["edits"]:
            cell = share(edit["found"] / edit["true"]) if edit["true"] else "–"
            if edit["found_below"]:
                cell += f" (+{edit['found_below']})"
            cells.append(cell)
        rows.append([row["tool"], *cells, f"{row['lost']:,}", share(row["precision"]),
                     rate(result["made_bytes"], row)])
    return table(["tool", *kinds, "rows lost", "precision", "MB/s"], rows)


def growth(result: dict, brief: bool) -> list[str]:
    first = {row["tool"]: row for row in result["rows"] if row["times"] == 1}
    rows = []
    for row in result["rows"]:
        if "failed" in row:
            rows.append([row["tool"], f"{row['bytes'] / 1e6:.0f}", f"{row['rows']:,}", reason(row),
                         *[""] * 9])
            continue
        base = first[row["tool"]].get("seconds")
        rows.append([row["tool"], f"{row['bytes'] / 1e6:.0f}", f"{row['rows']:,}", *times(row),
                     f"{row['seconds'] / base:.1f}" if base else "", rate(row["bytes"], row),
                     memory(row), *quality(row)])
    rows.sort(key=lambda row: list(first).index(row[0]))
    return table(["tool", "MB", "rows", "seconds (min–max)", "CPU s", "× the first", "MB/s",
                  "peak MB", *QUALITY], rows)


def set_joins(result: dict, brief: bool) -> list[str]:
    rows = []
    for row in result["rows"]:
        joins = row["joins"]
        sosie, allpairs, ppjoin = (joins[name] for name in ("sosie", "allpairs", "ppjoin"))
        plain = min(allpairs["cpu_seconds"], ppjoin["cpu_seconds"])
        rows.append([
            row["sets"], f"{sosie['sets']:,.0f}", f"{sosie['elements'] / sosie['sets']:.1f}",
            row["threshold"], f"{sosie['pairs']:,.0f}",
            *(cpu_times(joins[name]) for name in ("sosie", "allpairs", "ppjoin")),
            f"{1e9 * allpairs['cpu_seconds'] / allpairs['postings_seen']:.0f}",
            f"{plain / sosie['cpu_seconds']:.1f}", *set_search(joins, result["limit"])])
    return table(["sets", "number", "mean size", "J", "pairs", "Sosie (min–max)", "AllPairs",
                  "PPJoin", "ns per posting", "best plain / Sosie", "SetSimilaritySearch",
                  "/ Sosie with its ordering"], rows)


def set_search(joins: dict, limit: float) -> list[str]:
    search = joins.get("SetSimilaritySearch")
    if search is None:
        return ["not installed", ""]
    sosie = joins["sosie"]["cpu_seconds"] + joins["sosie"]["ordering_seconds"]
    if "failed" in search:
        return [f"> {limit:g}", f"> {limit / sosie:.0f}"]
    return [cpu_times(search), f"{search['cpu_seconds'] / sosie:.0f}"]


def vector_joins(result: dict, brief: bool) -> list[str]:
    rows = []
    for row in result["rows"]:
        joins = row["joins"]
        exact, sgemm = joins["exact"], joins["sgemm"]
        cells = [row["vectors"], row["threshold"], f"{row['pairs']:,}",
                 f"{cpu_times(sgemm)}", cpu_times(exact),
                 f"{sgemm['cpu_seconds'] / exact['cpu_seconds']:.1f}"]
        for asked in ("0.95", "0.99"):
            lsh = joins[asked]
            cells += [cpu_times(lsh), f"{lsh['recall']:.4f} ({lsh['recall_range'][0]:.4f})",
                      f"{sgemm['cpu_seconds'] / lsh['cpu_seconds']:.1f}",
                      f"{exact['cpu_seconds'] / lsh['cpu_seconds']:.1f}"]
        rows.append(cells)
    of_lsh = [cell for asked in ("0.95", "0.99") for cell in
              (f"lsh, recall {asked}", "measured (minimum)", "× sgemm", "× exact")]
    return table(["vectors", "cosine", "pairs", f"sgemm, {result['rows'][0]['kernel']} (min–max)",
                  "exact (min–max)", "× sgemm", *of_lsh], rows)


def bit_joins(result: dict, brief: bool) -> list[str]:
    rows = [[f"{result['codes']:,}", row["radius"], f"{row['pairs']:,}",
             number(row["scan"]["cpu_seconds"]), cpu_times(row["exact"]), memory(row["exact"]),
             f"{row['scan']['cpu_seconds'] / row['exact']['cpu_seconds']:.0f}"]
            for row in result["rows"]]
    return table(["64-bit codes", "within", "pairs", "flat scan", "exact (min–max)", "peak MB",
                  "scan / exact"], rows)


def vector_queries(result: dict, brief: bool) -> list[str]:
    rows = [[row["data"], row["tool"], row["setting"], share(row["recall"]),
             f"{row['batched_per_s']:,.0f}", f"{row['single_per_s']:,.1f}",
             number(row["build_seconds"]), memory(row)] for row in result["rows"]]
    return table(["vectors", "tool", "setting", "recall@10", "queries per CPU s, all at once",
                  "one by one", "CPU s to build", "peak MB"], rows)


def link_quality(result: dict, brief: bool) -> list[str]:
    """A row measured on an earlier day gives the date (`measured`)."""
    rows = [[row["set"], ", ".join([row["tool"], *([row["measured"]] if "measured" in row else [])]),
             *([reason(row), *[""] * 7] if "failed" in row else [
        f"{row['f1']:.3f}", share(row["precision"]), share(row["recall"]),
        f"{row['best_f1']:.3f}" if row["best_f1"] is not None else "",
        f"{row['says']:.3f}" if row.get("says") is not None else "", row.get("confidence") or "",
        number(row["cpu_seconds"]), memory(row)])] for row in result["rows"]]
    return table(["set", "tool", "pair F1", "precision", "recall", "F1 at the best cut",
                  "estimated F1", "confidence", "CPU s", "peak MB"], rows)


def link_honesty(result: dict, brief: bool) -> list[str]:
    """By change: the number of runs with confidence `ok`, and how far estimates are off."""
    names = {"rows": "a third of the rows left out", "order": "columns reordered",
             "column": "one column left out"}
    rows = []
    for change in [*names, None]:
        runs = [row for row in result["rows"] if change in (None, row["change"]) and "failed" not in row]
        sure = [row for row in runs if row["confidence"] == "ok"]
        off = [abs(row["f1"] - row["says"]) for row in sure if row["says"] is not None]
        low = [abs(row["f1"] - row["says"]) for row in runs
               if row["confidence"] != "ok" and row["says"] is not None]
        rows.append([names.get(change, "all"), str(len(runs)), str(len(sure)),
                     *(f"{value:.3f}" if off else "" for value in (mean(off), max(off, default=0))),
                     str(sum(error > .1 for error in off)), f"{mean(low):.3f}" if low else "",
                     str(sum(row["pairs"] == 0 for row in runs))])
    return table(["change", "runs", "confidence ok", "mean error", "largest error", "off by more than .1",
                  "mean error, confidence low", "no link"], rows)


def mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def link_speed(result: dict, brief: bool) -> list[str]:
    rows = [[row["set"], row["tool"], *([reason(row), *[""] * 4] if "failed" in row else [
        *times(row), memory(row), f"{row['pairs']:,}", f"{row['f1']:.4f}"])]
        for row in result["rows"]]
    return table(["rows", "tool", "seconds (min–max)", "CPU s", "peak MB", "links", "pair F1"],
                 rows)


def string_joins(result: dict, brief: bool) -> list[str]:
    rows = [[row["strings"], f"{row['lines']:,}", row["within"], f"{row['sosie']['pairs']:,}",
             cpu_times(row["sosie"]), number(row["goal"]), memory(row["sosie"])]
            for row in result["rows"]]
    return table(["strings", "number", "within", "pairs", "CPU s (min–max)", "goal", "peak MB"],
                 rows) + ["", beside([row["sosie"] for row in result["rows"]])]


def string_peers(result: dict, brief: bool) -> list[str]:
    rows = []
    for row in result["rows"]:
        tools = row["tools"]
        sosie = tools["sosie"]["cpu_seconds"]
        cells = [row["strings"], row["within"], f"{tools['sosie']['pairs']:,}",
                 cpu_times(tools["sosie"])]
        for name in ("cdist", "symspell", "duckdb"):
            seconds = tools[name]["cpu_seconds"] if name in tools else None
            cells += [number(seconds), f"{seconds / sosie:.0f}"] if seconds else ["", ""]
        rows.append([*cells[:6], f"{row['goal']}", *cells[6:]])
    return table(["strings", "within", "pairs", "CPU s (min–max)", "RapidFuzz", "/ Sosie", "goal",
                  "SymSpell", "/ Sosie", "DuckDB", "/ Sosie"], rows) + [
                      "", beside([row["tools"]["sosie"] for row in result["rows"]])]


def string_kernels(result: dict, brief: bool) -> list[str]:
    rows = []
    for row in result["rows"]:
        cut_off = "none" if row["cut_off"] is None else str(row["cut_off"])
        cells = [str(row["length"]), row["strings"], cut_off]
        for way in ("pair", "many"):
            sosie, other = row[f"sosie_{way}"], row[f"rapidfuzz_{way}"]
            cells += [f"{sosie:.0f}", f"{other:.0f}", f"{other / sosie:.1f}"]
        rows.append(cells)
    return table(["length", "strings", "cut-off", "pair: Sosie, ns", "rapidfuzz-cpp", "/ Sosie",
                  "with many: Sosie, ns", "rapidfuzz-cpp", "/ Sosie"], rows)


def string_scale(result: dict, brief: bool) -> list[str]:
    rows = []
    first: dict[str, dict] = {}
    for row in result["rows"]:
        found = row["sosie"]
        base = first.setdefault(row["what"], found)
        ratio = ""
        if row["what"] == "memory" and found is not base:
            ratio = f"CPU time × {found['cpu_seconds'] / base['cpu_seconds']:.2f}"
        if row["what"] == "threads" and found is not base:
            ratio = f"{base['seconds'] / found['seconds']:.2f} times as fast"
        if row["what"] == "growth":
            each = 1e9 * found["cpu_seconds"] / (row["lines"] + found["pairs"])
            ratio = f"{each:,.0f} ns per string and pair"
        rows.append([row["strings"], f"{row['lines']:,}", row["within"],
                     row.get("how", ""), f"{found['pairs']:,}", *times(found), memory(found),
                     ratio])
    alone = [row["sosie"] for row in result["rows"] if row.get("how") != "2 threads"]
    return table(["strings", "number", "within", "with", "pairs", "seconds (min–max)", "CPU s",
                  "peak MB", ""], rows) + ["", beside(alone)]


# Labels for the figures of bench/index.py, by their names in the results.
INDEX_FIGURES = {
    "build_cpu": "build, CPU s", "sketch_cpu": "sketches of the same rows, CPU s",
    "build_peak_mb": "build, peak MB", "bytes_an_item": "bytes per item",
    "bytes_without_sets": "bytes per item, `--keep-items no`",
    "start_ms": "a process that looks up one text, ms", "look_up_us": "look-up, CPU µs",
    "query_peak_mb": "look-ups, peak MB", "cold_p50_ms": "cold look-up, median ms",
    "cold_p99_ms": "cold look-up, 99th percentile ms", "added_a_second": "added per second, 1,000 per call",
    "single_adds_a_second": "added per second, one per call",
    "removed_a_second": "removed per second, 1,000 per call",
    "single_removals_a_second": "removed per second, one per call",
    "grown_look_up_us": "look-up after these adds, CPU µs", "compact_seconds": "compaction, seconds",
    "speed_beside_compaction": "speed of look-ups during compaction, × alone",
}


def index(result: dict, brief: bool) -> list[str]:
    rows = [[text, *(number(row[name]) for row in result["rows"])]
            for name, text in INDEX_FIGURES.items()]
    return table(["items", *(f"{row['items']:,}" for row in result["rows"])], rows)


def index_peers(result: dict, brief: bool) -> list[str]:
    rows = [[row["items"], row["tool"], *([reason(row), *[""] * 8] if "failed" in row else [
        number(row["build_seconds"]), f"{row['build_peak_mb']:.0f}",
        f"{row['bytes'] / 1e6:.1f}" if row["bytes"] else "none", number(row["open_seconds"]),
        f"{1e6 * row['look_up_seconds']:,.0f}", share(row["recall"]), share(row["precision"]),
        f"{row['adds_a_second']:,.0f}", f"{row['removals_a_second']:,.0f}"])]
        for row in result["rows"]]
    return table(["items", "tool", "build, s", "peak MB", "MB on disk", "open and first look-up, s",
                  "look-up, µs", "recall", "precision", "added per second, one by one",
                  "removed per second"], rows)


def recipe(result: dict, brief: bool) -> list[str]:
    return table(result["columns"], result["rows"])


def goals(result: dict, brief: bool) -> list[str]:
    """A line for each row with its worst case; unless `brief`, also lines for the other cases."""
    rows = []
    for row in result["rows"]:
        head = row["work"]
        if "not_measured" in row:
            rows.append([head, "", "", "not measured", "missed", row["not_measured"]])
            continue
        for case in row["cases"]:
            rows.append([f"{head} ({case['case']})" if head else f"… ({case['case']})",
                         f"{case['gate']:g}", f"{case['goal']:g}",
                         f"{figures(case['value'])} {row['unit']}".strip(), case["grade"],
                         case.get("beside", "")])
            head = ""
    return table(["work", "gate", "goal", "result", "meets", "details"], rows)


def figures(value: float) -> str:
    """At most four significant figures."""
    return f"{value:.4g}" if value < 1000 else f"{value:,.0f}"


def beside(runs: list[dict]) -> str:
    """A sentence about other work on the machine, during which single-threaded runs had to wait."""
    waited = 1 - sum(run["cpu_seconds"] for run in runs) / sum(run["seconds"] for run in runs)
    if waited < MOST_WAITED:
        return f"These runs waited {100 * waited:.0f} % of their time, so no other work slowed them down."
    return (f"Other work ran on the machine at the same time: these runs waited {100 * waited:.0f} % of "
            "their time. CPU times are longer than on an idle machine, so rely on the ratios "
            "within a row.")


def packed(result: dict, brief: bool) -> list[str]:
    """In each cell, the worse of the results for the different numbers of threads."""
    cells: dict = {}
    for row in result["rows"]:
        place = cells.setdefault((row["rate"], row["verb"]), {"plain": row["plain"]})
        key = row["container"], row["memory"]
        place[key] = max(place.get(key, 0), row["ratio"] or float("inf"))
    columns = sorted({key for place in cells.values() for key in place
                      if key != "plain" and key[0] != "plain"},
                     key=lambda key: (key[1] != "default", key[0].split()[::-1]))
    return table(["near-duplicates", "verb", "plain, CPU s",
                  *(name if memory == "default" else f"{name}, {memory}" for name, memory in columns)],
                 [[f"{rate:.0%}", f"`{verb}`", f"{place['plain']:.2f}",
                   *(f"{place[key]:.2f}" for key in columns)]
                  for (rate, verb), place in cells.items()])


def parallel(result: dict, brief: bool) -> list[str]:
    def work(row: dict) -> str:
        words = row["command"].split()
        return " ".join([words[1], *(Path(word).name for word in words[2:] if word[0] == "/")])
    cores = [int(count) for count in result["rows"][0]["predicted"]]
    return table(["work", "threads", "one alone", "serial part",
                  *(f"{count} cores" for count in cores), "CPU time"],
                 [[f"`{work(row)}`", str(row["threads"]),
                   f"{row['runnable'].get('1', row['runnable'].get(1, 0)):.0%}",
                   f"{row['serial']:.3f}", *(f"{times:.1f} x" for times in row["predicted"].values()),
                   f"{row['cpu_seconds'] / row['single_cpu_seconds']:.2f} x"]
                  for row in result["rows"]])


TABLES = {"goals": goals, "speed": speed, "peers": peers, "table": table_in_memory, "sketch": sketch,
          "pairs": pairs, "planted": planted, "growth": growth, "set_joins": set_joins,
          "vector_joins": vector_joins, "bit_joins": bit_joins, "vector_queries": vector_queries,
          "string_joins": string_joins, "string_peers": string_peers,
          "string_kernels": string_kernels, "string_scale": string_scale,
          "link_quality": link_quality, "link_honesty": link_honesty, "link_speed": link_speed,
          "recipe": recipe, "index": index, "index_peers": index_peers, "packed": packed,
          "parallel": parallel}


def machine(result: dict) -> str:
    where = result["surroundings"]
    versions = ", ".join(f"{name} {version}" for name, version in where["packages"].items())
    return (f"Measured {where['date']}: {where['cpu']['model']}, {where['cores']} cores "
            f"({', '.join(where['cpu']['instructions'])}), {where['system']}, load "
            f"{where['load']} at the start; {where['sosie']} (commit {where['commit']}, "
            f"{where['compiler']['version']}, {where['compiler']['build_type']}); "
            f"{where['peers_python']}{' with ' if versions else ''}{versions}.\n")


# --- cells

def times(row: dict) -> list[str]:
    return [with_range(row, "seconds"), number(row["cpu_seconds"])]


def cpu_times(row: dict) -> str:
    return with_range(row, "cpu_seconds")


def with_range(row: dict, name: str) -> str:
    low, high = row[name + "_range"]
    few = "" if row["rounds"] > 2 else "*" * (3 - row["rounds"])
    return f"{number(row[name])} ({number(low)}–{number(high)}){few}"


def number(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def rate(size: int, row: dict) -> str:
    if "failed" in row:
        return ""
    value = size / 1e6 / row["seconds"]
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def share(value: float) -> str:
    """Never rounded up to 1."""
    return "1" if value == 1 else f"{int(value * 10000) / 10000:.4f}"


QUALITY = ["recall", "on [.8, .85)", "pairs left", "rows lost (false)", "precision"]


def quality(row: dict) -> list[str]:
    if "recall" not in row:
        return [""] * len(QUALITY)
    return [share(row["recall"]), share(row["recall_in_slice"]), f"{row['left']:,}",
            f"{row['lost']:,} ({row['false']:,})", share(row["precision"])]


def memory(row: dict) -> str:
    return f"{row['peak_mb']:,.0f}" if "peak_mb" in row else ""


def reason(row: dict) -> str:
    return "failed: " + row["failed"].strip().splitlines()[-1][:80].replace("|", "/")


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(header) + " |", "|---" * len(header) + "|",
            *("| " + " | ".join(row) + " |" for row in rows)]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[ROOT / "docs/benchmarks.md"])
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    old = 0
    for path in options.files:
        before = path.read_text(encoding="utf-8")
        after = fill(before, options.results)
        if before == after:
            continue
        old += 1
        if options.check:
            print(f"{path} is not up to date: run bench/tables.py", file=sys.stderr)
        else:
            path.write_text(after, encoding="utf-8")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
