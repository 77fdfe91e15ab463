# Generated from the option table (`make docs`); do not edit.
"""The verbs: one function each, with a keyword for every option."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike
from typing import Literal

import numpy as np
import numpy.typing as npt

from . import _run
from ._batches import SketchedBatch, VerifiedBatch
from ._index import IndexBase
from ._results import Clusters, Deduplicated, Linked, Pairs
from ._source import PairSource, Path, Progress, Records, Source, checked

Format = Literal[
    "jsonl",
    "csv",
    "tsv",
    "txt",
    "sets",
    "wet",
    "fps",
    "files",
    "parquet",
    "arrow",
    "npy",
    "fvecs",
    "bvecs",
    "ivecs",
]
OtherFormat = Literal[
    "jsonl",
    "csv",
    "tsv",
    "txt",
    "sets",
    "wet",
    "fps",
    "files",
    "parquet",
    "arrow",
    "npy",
    "fvecs",
    "bvecs",
    "ivecs",
]
Kind = Literal["text", "sets", "bags", "vectors", "bits", "strings", "records"]
OnBadRow = Literal["stop", "skip", "keep"]
Measure = Literal[
    "jaccard",
    "bag-jaccard",
    "dice",
    "overlap",
    "containment",
    "cosine",
    "tversky:0.5,0.5",
    "tversky:1,1",
    "tversky:1,0",
    "tversky:0,1",
    "tversky:0.3,0.7",
    "tversky:0.9,0.1",
    "tversky:2,1",
    "angle",
    "euclidean",
    "manhattan",
    "chebyshev",
    "minkowski:1",
    "minkowski:1.5",
    "minkowski:2",
    "minkowski:2.5",
    "minkowski:3",
    "minkowski:4",
    "minkowski:5",
    "minkowski:6",
    "minkowski:7",
    "minkowski:8",
    "minkowski:9",
    "minkowski:10",
    "canberra",
    "hamming",
    "dot",
    "levenshtein",
    "indel",
    "osa",
    "damerau",
]
Union = Literal["max", "sum"]
Tokens = Literal["unicode", "raw", "ascii"]
Clean = Literal["none", "fold", "alnum"]
Method = Literal["auto", "lsh", "exact", "brute"]
Sketch = Literal["permfill", "classic"]
Family = Literal[
    "minhash",
    "bit-sampling",
    "hyperplane",
    "hyperplane-signs",
    "hyperplane-rotation",
    "cross-polytope",
    "gaussian-segments",
    "cauchy-segments",
    "grid-triples",
]
Squares = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
Probes = Literal["1", "1.25", "1.5", "2", "3"]
Assign = Literal["auto", "one-to-one", "best", "all", "groups"]
Overwrite = Literal["same", "all"]
Clustering = Literal["star", "components"]
Annotate = Literal["kept", "all"]
KeepItems = Literal["yes", "no"]


@checked
def dedup(
    data: Source,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    id: str | None = None,
    ids: str | PathLike[str] | None = None,
    other_ids: str | PathLike[str] | None = None,
    other_format: OtherFormat | None = None,
    other_column: str | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    group_by: str | None = None,
    element: str | None = None,
    weight: str | None = None,
    on_bad_row: OnBadRow | None = None,
    rejects: str | PathLike[str] | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    contained: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    ignore_common: float | str | Fraction | None = None,
    tokens: Tokens | None = None,
    clean: Clean | None = None,
    method: Method | None = None,
    filters: str | Sequence[str] | None = None,
    recall: float | str | Fraction | None = None,
    sketch: Sketch | None = None,
    bands: str | None = None,
    construct: str | Sequence[str] | None = None,
    family: Family | None = None,
    probes: Probes | None = None,
    plan: str | PathLike[str] | None = None,
    seed: int | None = None,
    audit: int | None = None,
    output: str | PathLike[str] | None = None,
    overwrite: bool | Overwrite | None = None,
    keep: str | Sequence[str] | None = None,
    clustering: Clustering | None = None,
    annotate: Annotate | None = None,
    add: bool | None = None,
    reuse: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    part: str | None = None,
    parts: str | PathLike[str] | None = None,
    removed: str | PathLike[str] | None = None,
    removed_rows: str | PathLike[str] | None = None,
    clusters: str | PathLike[str] | None = None,
    stats: str | PathLike[str] | None = None,
    report: str | PathLike[str] | None = None,
    save: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    simd: str | None = None,
    against: Source | None = None,
    progress: Progress = None,
) -> Deduplicated:
    """Keep one row of each group of near-duplicates.

    Every removed row was verified to be similar to the row kept in its place, and no found pair
    consists of two kept rows.

    Args:
        data (Source): rows: an Arrow object (a table of pyarrow, polars or pandas, a DuckDB
            relation, a datasets.Dataset), a list or any iterable of texts, dicts, sets or vectors,
            a numpy array, a sparse matrix of scipy, or paths.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        ids (str | PathLike[str]): file with ids of vectors or bits, one per line. Default: row
            numbers.
        other_ids (str | PathLike[str]): file with ids of against, one per line. Default: row
            numbers.
        other_format (OtherFormat): input format of against (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_column (str): field with the text in against. Default: that of column.
        other_id (str): field that identifies a row of against. Default: that of id.
        other_delimiter (str): field separator of the CSV and TSV files in against (one character,
            or tab). Default: that of delimiter.
        other_skip_lines (int): lines above the CSV or TSV header of against. Default: that of
            skip_lines.
        other_encoding (str): encoding of against. Default: that of encoding.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        group_by (str): field that names the set, if rows are (set, element) pairs, in any order.
        element (str): with group_by: field that holds the element.
        weight (str): with group_by: field with the multiplicity, or with ratings the rating.
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        rejects (str | PathLike[str]): write the bad rows that were skipped or kept, with reasons
            (.jsonl .csv .tsv .parquet .arrow).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        contained (float | str | Fraction): with against: remove only rows that contain at least
            this share of an item's shingles (above 0, at most 1).
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        ignore_common (float | str | Fraction): ignore shingles or elements that occur in more than
            this share of the items (above 0, below 1).
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        filters (str | Sequence[str]): filters used by method exact; they affect speed, not the
            result (length, prefix, position, suffix, signature; none). Default: all.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        family (Family): locality-sensitive hash family (minhash, bit-sampling, hyperplane,
            hyperplane-signs, hyperplane-rotation, cross-polytope, gaussian-segments,
            cauchy-segments, grid-triples).
        probes (Probes): average number of vertices probed per hash function (cross-polytope)
            (1|1.25|1.5|2|3). Default: 1.
        plan (str | PathLike[str]): use a plan saved by `sosie.plan(..., output=...)`.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        audit (int): measure recall and precision on this many documents, drawn from the input.
        output (str | PathLike[str]): file or folder to which the result is also written.
        overwrite (bool | Overwrite): with output: write into a non-empty folder, replacing files of
            the same name; "all" also removes other files of an earlier run, and the review of a
            saved run.
        keep (str | Sequence[str]): which row of a group to keep; ties are broken by input order;
            max and min put numbers before other values; with measure containment the largest row is
            kept, and RULE decides among rows that contain each other (first, last, longest,
            shortest, max:FIELD, min:FIELD). Default: first.
        clustering (Clustering): star: every removed row is similar to its survivor; components:
            chains of similar rows form groups (star|components). Default: star.
        annotate (Annotate): with output: add duplicate_of and cluster_size to kept rows, or to all
            rows and drop none.
        add (bool): add the kept rows to the against index once they are written.
        reuse (str | PathLike[str] | Sequence[str | PathLike[str]]): use sketches of all inputs; or
            pairs or edited clusters of an earlier run (may be repeated).
        part (str): match only the I-th of N parts of the reuse sketches; write the result to a
            folder.
        parts (str | PathLike[str]): combine the output of all part runs into the result of a single
            run.
        removed (str | PathLike[str]): write the removed rows, each with its survivor (.jsonl .csv
            .tsv .parquet .arrow).
        removed_rows (str | PathLike[str]): write the removed rows unchanged, in input order and
            format.
        clusters (str | PathLike[str]): write the groups of two or more rows; size includes a row of
            against, which has no line (.jsonl .csv .tsv .parquet .arrow).
        stats (str | PathLike[str]): file for the summary, as JSON.
        report (str | PathLike[str]): write an HTML page that shows what was removed and why.
        save (str): save the groups in a folder, for review with `sosie serve RUN/`.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        checkpoint (str | PathLike[str]): save progress in this folder; the same call resumes (paths
            only).
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        against (Source): rows to compare with, like `data`; they always win and are never removed.
        progress (Progress): True for a line on stderr, or a function (stage, done, total).

    Returns:
        Deduplicated: `.mask` (numpy bool by row, True: kept), `.removed` (row: int64, kept_row:
        int64, similarity: double, or distance: double, exact: bool), `.clusters` (row: int64,
        cluster: int64, kept: bool, size: int64), `.kept` (row: int64), `.pairs`, `.stats`,
        `.summary`, `.apply(data)`, `.at(threshold)`. Tables are Arrow objects. If the rows have
        ids, there are also the columns id, kept_id, cluster_id: int64 or string.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapter 3.

    Example:
        >>> import sosie
        >>> texts = ["the quick brown fox jumps over the lazy dog",
        ...          "an entirely different sentence",
        ...          "The quick brown fox jumps over the lazy dog!"]
        >>> result = sosie.dedup(texts)
        >>> result.mask.tolist()
        [True, True, False]
        >>> list(result.removed)
        [(2, 0, 1.0, True)]
    """
    return _run.dedup(
        data,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "column": column,
            "id": id,
            "ids": ids,
            "other_ids": other_ids,
            "other_format": other_format,
            "other_column": other_column,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "group_by": group_by,
            "element": element,
            "weight": weight,
            "on_bad_row": on_bad_row,
            "rejects": rejects,
            "threshold": threshold,
            "within": within,
            "contained": contained,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "ignore_common": ignore_common,
            "tokens": tokens,
            "clean": clean,
            "method": method,
            "filters": filters,
            "recall": recall,
            "sketch": sketch,
            "bands": bands,
            "construct": construct,
            "family": family,
            "probes": probes,
            "plan": plan,
            "seed": seed,
            "audit": audit,
            "output": output,
            "overwrite": overwrite,
            "keep": keep,
            "clustering": clustering,
            "annotate": annotate,
            "add": add,
            "reuse": reuse,
            "part": part,
            "parts": parts,
            "removed": removed,
            "removed_rows": removed_rows,
            "clusters": clusters,
            "stats": stats,
            "report": report,
            "save": save,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "checkpoint": checkpoint,
            "simd": simd,
        },
        against,
        progress,
    )


@checked
def pairs(
    data: Source,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    id: str | None = None,
    ids: str | PathLike[str] | None = None,
    other_ids: str | PathLike[str] | None = None,
    other_format: OtherFormat | None = None,
    other_column: str | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    group_by: str | None = None,
    element: str | None = None,
    weight: str | None = None,
    on_bad_row: OnBadRow | None = None,
    rejects: str | PathLike[str] | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    ignore_common: float | str | Fraction | None = None,
    tokens: Tokens | None = None,
    clean: Clean | None = None,
    method: Method | None = None,
    filters: str | Sequence[str] | None = None,
    recall: float | str | Fraction | None = None,
    sketch: Sketch | None = None,
    bands: str | None = None,
    construct: str | Sequence[str] | None = None,
    family: Family | None = None,
    squares: Squares | None = None,
    probes: Probes | None = None,
    plan: str | PathLike[str] | None = None,
    seed: int | None = None,
    audit: int | None = None,
    output: str | PathLike[str] | None = None,
    reuse: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    stats: str | PathLike[str] | None = None,
    show: str | Sequence[str] | None = None,
    top: int | None = None,
    top_pairs: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    simd: str | None = None,
    against: Source | None = None,
    progress: Progress = None,
) -> Pairs:
    """List every pair of similar rows, within `data` or between it and `against`.

    A pair at the threshold is found with probability `recall`; every reported pair is verified.

    Args:
        data (Source): rows: an Arrow object (a table of pyarrow, polars or pandas, a DuckDB
            relation, a datasets.Dataset), a list or any iterable of texts, dicts, sets or vectors,
            a numpy array, a sparse matrix of scipy, or paths.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        ids (str | PathLike[str]): file with ids of vectors or bits, one per line. Default: row
            numbers.
        other_ids (str | PathLike[str]): file with ids of against, one per line. Default: row
            numbers.
        other_format (OtherFormat): input format of against (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_column (str): field with the text in against. Default: that of column.
        other_id (str): field that identifies a row of against. Default: that of id.
        other_delimiter (str): field separator of the CSV and TSV files in against (one character,
            or tab). Default: that of delimiter.
        other_skip_lines (int): lines above the CSV or TSV header of against. Default: that of
            skip_lines.
        other_encoding (str): encoding of against. Default: that of encoding.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        group_by (str): field that names the set, if rows are (set, element) pairs, in any order.
        element (str): with group_by: field that holds the element.
        weight (str): with group_by: field with the multiplicity, or with ratings the rating.
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        rejects (str | PathLike[str]): write the bad rows that were skipped or kept, with reasons
            (.jsonl .csv .tsv .parquet .arrow).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        ignore_common (float | str | Fraction): ignore shingles or elements that occur in more than
            this share of the items (above 0, below 1).
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        filters (str | Sequence[str]): filters used by method exact; they affect speed, not the
            result (length, prefix, position, suffix, signature; none). Default: all.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        family (Family): locality-sensitive hash family (minhash, bit-sampling, hyperplane,
            hyperplane-signs, hyperplane-rotation, cross-polytope, gaussian-segments,
            cauchy-segments, grid-triples).
        squares (Squares): grid cells per function of family grid-triples (1|2|3|4|5|6|7|8).
            Default: 3.
        probes (Probes): average number of vertices probed per hash function (cross-polytope)
            (1|1.25|1.5|2|3). Default: 1.
        plan (str | PathLike[str]): use a plan saved by `sosie.plan(..., output=...)`.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        audit (int): measure recall and precision on this many documents, drawn from the input.
        output (str | PathLike[str]): file or folder to which the result is also written.
        reuse (str | PathLike[str] | Sequence[str | PathLike[str]]): use sketches of all inputs (may
            be repeated).
        stats (str | PathLike[str]): file for the summary, as JSON.
        show (str | Sequence[str]): with output: also show these fields of both rows.
        top (int): only the K most similar partners of each left item; without OTHER, only among
            later rows. Default: all.
        top_pairs (int): only the K most similar pairs; sets and exact methods need no threshold.
            Default: all.
        limit (int): exit 4 if there are more pairs, and write nothing (when streaming: nothing
            more). Default: none.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        checkpoint (str | PathLike[str]): save progress in this folder; the same call resumes (paths
            only).
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        against (Source): rows to compare with, like `data`; they always win and are never removed.
        progress (Progress): True for a line on stderr, or a function (stage, done, total).

    Returns:
        Pairs, an Arrow object: left: int64, right: int64 (row numbers), similarity: double
        (distance: double for a distance measure), sorted by (left, right); if the rows have ids,
        also left_id and right_id: int64 or string.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapters 3.4 (lsh) and 3.9 (exact).

    Example:
        >>> import sosie
        >>> texts = ["one two three", "one two four", "five"]
        >>> list(sosie.pairs(texts, shingle="words:1", threshold=0.5))
        [(0, 1, 0.5)]
    """
    return _run.pairs(
        data,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "column": column,
            "id": id,
            "ids": ids,
            "other_ids": other_ids,
            "other_format": other_format,
            "other_column": other_column,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "group_by": group_by,
            "element": element,
            "weight": weight,
            "on_bad_row": on_bad_row,
            "rejects": rejects,
            "threshold": threshold,
            "within": within,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "ignore_common": ignore_common,
            "tokens": tokens,
            "clean": clean,
            "method": method,
            "filters": filters,
            "recall": recall,
            "sketch": sketch,
            "bands": bands,
            "construct": construct,
            "family": family,
            "squares": squares,
            "probes": probes,
            "plan": plan,
            "seed": seed,
            "audit": audit,
            "output": output,
            "reuse": reuse,
            "stats": stats,
            "show": show,
            "top": top,
            "top_pairs": top_pairs,
            "limit": limit,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "checkpoint": checkpoint,
            "simd": simd,
        },
        against,
        progress,
    )


@checked
def query(
    data: Source,
    items: Source,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    id: str | None = None,
    ids: str | PathLike[str] | None = None,
    other_ids: str | PathLike[str] | None = None,
    other_format: OtherFormat | None = None,
    other_column: str | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    group_by: str | None = None,
    element: str | None = None,
    weight: str | None = None,
    on_bad_row: OnBadRow | None = None,
    rejects: str | PathLike[str] | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    clean: Clean | None = None,
    method: Method | None = None,
    filters: str | Sequence[str] | None = None,
    recall: float | str | Fraction | None = None,
    sketch: Sketch | None = None,
    bands: str | None = None,
    construct: str | Sequence[str] | None = None,
    family: Family | None = None,
    squares: Squares | None = None,
    probes: Probes | None = None,
    plan: str | PathLike[str] | None = None,
    seed: int | None = None,
    audit: int | None = None,
    output: str | PathLike[str] | None = None,
    where: str | None = None,
    stats: str | PathLike[str] | None = None,
    show: str | Sequence[str] | None = None,
    top: int | None = None,
    top_pairs: int | None = None,
    exclude_self: bool | None = None,
    limit: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    simd: str | None = None,
    progress: Progress = None,
) -> Pairs:
    """Find the rows of `data` that are similar to each row of `items`, best first.

    Hits are grouped by item, in the order of the items.

    Args:
        data (Source): rows to look up in: an Arrow object, a list, an array, or one path.
        items (Source): rows to look up, like `data`.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        ids (str | PathLike[str]): file with ids of DATA, one per line. Default: row numbers.
        other_ids (str | PathLike[str]): file with ids of INPUT, one per line. Default: row numbers.
        other_format (OtherFormat): input format of INPUT (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_column (str): field with the text in INPUT. Default: that of column.
        other_id (str): field that identifies a row of INPUT. Default: that of id.
        other_delimiter (str): of those in INPUT (one character, or tab). Default: that of
            delimiter.
        other_skip_lines (int): lines above that of INPUT. Default: that of skip_lines.
        other_encoding (str): encoding of INPUT. Default: that of encoding.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        group_by (str): field that names the set, if rows are (set, element) pairs, in any order.
        element (str): with group_by: field that holds the element.
        weight (str): with group_by: field with the multiplicity, or with ratings the rating.
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        rejects (str | PathLike[str]): write the bad rows that were skipped or kept, with reasons
            (.jsonl .csv .tsv .parquet .arrow).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        filters (str | Sequence[str]): filters used by method exact; they affect speed, not the
            result (length, prefix, position, suffix, signature; none). Default: all.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        family (Family): locality-sensitive hash family (minhash, bit-sampling, hyperplane,
            hyperplane-signs, hyperplane-rotation, cross-polytope, gaussian-segments,
            cauchy-segments, grid-triples).
        squares (Squares): grid cells per function of family grid-triples (1|2|3|4|5|6|7|8).
            Default: 3.
        probes (Probes): average number of vertices probed per hash function (cross-polytope)
            (1|1.25|1.5|2|3). Default: 1.
        plan (str | PathLike[str]): use a plan saved by `sosie.plan(..., output=...)`.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        audit (int): measure recall and precision on this many documents, drawn from the input.
        output (str | PathLike[str]): file or folder to which the result is also written.
        where (str): return only indexed items whose stored field has this value.
        stats (str | PathLike[str]): file for the summary, as JSON.
        show (str | Sequence[str]): with output: also show these fields of both rows.
        top (int): only the K most similar partners of each left item; without OTHER, only among
            later rows. Default: all.
        top_pairs (int): only the K most similar pairs; sets and exact methods need no threshold.
            Default: all.
        exclude_self (bool): skip the row of DATA that has the same id (or number, if rows have no
            ids).
        limit (int): exit 4 if there are more pairs, and write nothing (when streaming: nothing
            more). Default: none.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        progress (Progress): True for a line on stderr, or a function (stage, done, total).

    Returns:
        Pairs, an Arrow object: left: int64 (row of `items`), right: int64 (row of `data`),
        similarity: double (distance: double for a distance measure); if the rows have ids, also
        left_id and right_id: int64 or string.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapter 3.4.

    Example:
        >>> import sosie
        >>> texts = ["one two three", "four five"]
        >>> list(sosie.query(texts, ["one two"], shingle="words:1", threshold=0.5))
        [(0, 0, 0.6666666666666666)]
    """
    return _run.query(
        data, items,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "column": column,
            "id": id,
            "ids": ids,
            "other_ids": other_ids,
            "other_format": other_format,
            "other_column": other_column,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "group_by": group_by,
            "element": element,
            "weight": weight,
            "on_bad_row": on_bad_row,
            "rejects": rejects,
            "threshold": threshold,
            "within": within,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "clean": clean,
            "method": method,
            "filters": filters,
            "recall": recall,
            "sketch": sketch,
            "bands": bands,
            "construct": construct,
            "family": family,
            "squares": squares,
            "probes": probes,
            "plan": plan,
            "seed": seed,
            "audit": audit,
            "output": output,
            "where": where,
            "stats": stats,
            "show": show,
            "top": top,
            "top_pairs": top_pairs,
            "exclude_self": exclude_self,
            "limit": limit,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "simd": simd,
        },
        progress,
    )


@checked
def link(
    data: Records,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    id: str | None = None,
    other_format: OtherFormat | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    on_bad_row: OnBadRow | None = None,
    rules: str | PathLike[str] | None = None,
    ignore: str | Sequence[str] | None = None,
    assign: Assign | None = None,
    join_groups: bool | None = None,
    cut: float | str | Fraction | None = None,
    check_by: str | None = None,
    truth: str | None = None,
    labels: str | PathLike[str] | None = None,
    suggest: int | None = None,
    output: str | PathLike[str] | None = None,
    overwrite: bool | Overwrite | None = None,
    keep: str | Sequence[str] | None = None,
    annotate: Annotate | None = None,
    golden: str | Sequence[str] | None = None,
    reuse: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    clusters: str | PathLike[str] | None = None,
    stats: str | PathLike[str] | None = None,
    model: str | None = None,
    report: str | PathLike[str] | None = None,
    save: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    simd: str | None = None,
    against: Records | None = None,
    progress: Progress = None,
) -> Linked:
    """Link records of the same entity, within `data` or between it and `against`.

    Each field is compared by levels, and the weight of each level is learnt from the candidate
    pairs, without labels. Without `rules`, the rules are chosen from the data; `.rules` contains
    them as a file. The ids of records are never compared.

    Args:
        data (Records): records: an Arrow object, a list of dicts, a dict of columns, or paths.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        other_format (OtherFormat): input format of against (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_id (str): field that identifies a row of against. Default: that of id.
        other_delimiter (str): field separator of the CSV and TSV files in against (one character,
            or tab). Default: that of delimiter.
        other_skip_lines (int): lines above the CSV or TSV header of against. Default: that of
            skip_lines.
        other_encoding (str): encoding of against. Default: that of encoding.
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        rules (str | PathLike[str]): TOML file that defines fields, candidates and decision; `sosie
            link init` writes one. Default: chosen from the data.
        ignore (str | Sequence[str]): fields to ignore, such as ids or known entities.
        assign (Assign): with against: one-to-one, best partner of each left record, or all pairs at
            or above the cut; auto: one-to-one, or several on a side that clearly has copies;
            groups: add the records to the groups of OTHER, rows with cluster_id, by the weights of
            model (auto|one-to-one|best|all|groups). Default: auto.
        join_groups (bool): with assign groups: if a new record belongs to several groups, merge
            them under the first id.
        cut (float | str | Fraction): lowest probability (as printed) of a link; auto: as many links
            as the model or the runners-up suggest; precision:P: as many as an estimated precision
            of P allows (above 0, at most 1). Default: auto.
        check_by (str): estimate precision and recall from a field that is not scored; auto: each in
            turn.
        truth (str): measure precision and recall against known pairs of ids, or a field that names
            the entity.
        labels (str | PathLike[str]): learn from pairs labelled by hand (left, right, label: 1 or
            0), and follow the labels.
        suggest (int): instead of links, write the N pairs whose labels would help most, for labels.
        output (str | PathLike[str]): file or folder to which the result is also written.
        overwrite (bool | Overwrite): with output: write into a non-empty folder, replacing files of
            the same name; "all" also removes other files of an earlier run, and the review of a
            saved run.
        keep (str | Sequence[str]): which row of a group to keep; ties are broken by input order;
            max and min put numbers before other values; with measure containment the largest row is
            kept, and RULE decides among rows that contain each other (first, last, longest,
            shortest, max:FIELD, min:FIELD). Default: first.
        annotate (Annotate): with output: add duplicate_of and cluster_size to kept rows, or to all
            rows and drop none.
        golden (str | Sequence[str]): write one row per group, with the best value for each field,
            cluster_id and cluster_size; RULE: longest, shortest, newest, oldest, newest:OTHER (from
            the row with the highest value of OTHER), most-frequent, source:FILE|FILE,
            source:OTHER=VALUE|VALUE; default: first (may be repeated).
        reuse (str | PathLike[str] | Sequence[str | PathLike[str]]): apply a person's decisions on
            pairs or groups (may be repeated).
        clusters (str | PathLike[str]): write the group of every row (.jsonl .csv .tsv .parquet
            .arrow).
        stats (str | PathLike[str]): file for the summary, as JSON.
        model (str): write the weights to a file, for rules with [score] model = "FILE.json" or for
            assign groups.
        report (str | PathLike[str]): what was linked and why.
        save (str): save pairs and groups in a folder, for review with `sosie serve RUN/`.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        against (Records): another collection, like `data`; links are between the two.
        progress (Progress): True for a line on stderr, or a function (stage, done, total).

    Returns:
        Linked, an Arrow object. With `against`, links, best first: left: int64, right: int64 (row
        numbers), score: double (bits), probability: double, rules: string, and for each field
        level_FIELD: string, bits_FIELD: double; if the rows have ids, also left_id and right_id:
        int64 or string. Without it, groups, one row per record: row: int64, cluster: int64 (first
        row of the group), size: int64, weakest: double (lowest probability of a pair in the group;
        NaN for a single record); if the rows have ids, also id and cluster_id. `.pairs` contains
        the links, or all pairs of records within groups. `.stats`, `.summary`, `.rules`.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        Fellegi, Sunter, A Theory for Record Linkage, 1969; MMDS chapter 3.8.

    Example:
        >>> import sosie
        >>> people = {"name": [f"{a} {b}" for a in ["anna", "bert", "carla", "dora"]
        ...                    for b in ["smith", "jones", "meyer", "lopez", "rossi"]],
        ...           "born": [f"19{i % 7}{i % 10}-0{i % 9 + 1}-1{i % 8}" for i in range(20)]}
        >>> others = {"name": people["name"][5:15], "born": people["born"][5:15]}
        >>> links = sosie.link(people, against=others)
        >>> sorted(zip(links["left"].tolist(), links["right"].tolist()))[:3]
        [(5, 0), (6, 1), (7, 2)]
    """
    return _run.link(
        data,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "id": id,
            "other_format": other_format,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "on_bad_row": on_bad_row,
            "rules": rules,
            "ignore": ignore,
            "assign": assign,
            "join_groups": join_groups,
            "cut": cut,
            "check_by": check_by,
            "truth": truth,
            "labels": labels,
            "suggest": suggest,
            "output": output,
            "overwrite": overwrite,
            "keep": keep,
            "annotate": annotate,
            "golden": golden,
            "reuse": reuse,
            "clusters": clusters,
            "stats": stats,
            "model": model,
            "report": report,
            "save": save,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "simd": simd,
        },
        against,
        progress,
    )


@checked
def cluster(
    pairs: PairSource,
    *,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    output: str | PathLike[str] | None = None,
    clustering: Clustering | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
) -> Clusters:
    """Group the items of similar pairs, with one survivor per group.

    An item is removed only if it forms a pair with its survivor (`clustering="components"`: if it
    is connected to it). Items rank in the order of their first occurrence. Without `threshold`, all
    pairs count.

    Args:
        pairs (PairSource): the result of pairs(), an Arrow object with the columns left, right and
            similarity, a list of such tuples, or a path.
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        output (str | PathLike[str]): file or folder to which the result is also written.
        clustering (Clustering): star: every removed row is similar to its survivor; components:
            chains of similar rows form groups (star|components). Default: star.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.

    Returns:
        Clusters, an Arrow object: id: int64 (string, if pairs name items by strings), cluster_id:
        the survivor's id, of the same type, kept: bool, size: int64.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        Aslam, Pelekhov and Rus, The Star Clustering Algorithm, 2004; ranks are the order.

    Example:
        >>> import sosie
        >>> list(sosie.cluster([(0, 1, 0.9), (1, 2, 0.8)], threshold=0.85))
        [(0, 0, True, 2), (1, 0, False, 2)]
    """
    return _run.cluster(
        pairs,
        {
            "threshold": threshold,
            "within": within,
            "output": output,
            "clustering": clustering,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
        },
    )


@checked
def similarity(
    left: Source,
    right: Source,
    *,
    format: Format | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> npt.NDArray[np.float64]:
    """Compute the similarity (or distance) of row i of `left` and row i of `right`.

    Exact, for all i. A row without a shingle has similarity 0.

    Args:
        left (Source): rows: an Arrow object, a list, an array, or a path.
        right (Source): rows, the same number as in `left`.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.

    Returns:
        numpy float64, one number per row.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapters 3.1.1 and 3.5.

    Example:
        >>> import sosie
        >>> sosie.similarity(["a b c"], ["a b d"], shingle="words:1").tolist()
        [0.5]
    """
    return _run.similarity(
        left, right,
        {
            "format": format,
            "encoding": encoding,
            "column": column,
            "kind": kind,
            "ratings": ratings,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "threads": threads,
            "memory": memory,
        },
    )


@checked
def minhash(
    data: Source,
    num_perm: int = 128,
    *,
    format: Format | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    sketch: Sketch | None = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> npt.NDArray[np.uint32]:
    """Compute MinHash signatures of all rows.

    Two rows agree in each component with probability equal to the Jaccard similarity of their sets,
    so `(a == b).mean()` estimates it with a standard deviation of at most `0.5 / sqrt(num_perm)`.

    Args:
        data (Source): rows: an Arrow object, a list, or paths.
        num_perm (int): components of a signature, 1 to 4096. Default: 128.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.

    Returns:
        numpy uint32 of shape (rows, num_perm). All values of a row without a shingle are 2**32 - 1.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapter 3.3.

    Example:
        >>> import sosie
        >>> a, b = sosie.minhash(["one two three four five", "One two three four five!"])
        >>> float((a == b).mean())
        1.0
    """
    return _run.minhash(
        data, num_perm,
        {
            "format": format,
            "encoding": encoding,
            "column": column,
            "kind": kind,
            "ratings": ratings,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "sketch": sketch,
            "seed": seed,
            "threads": threads,
            "memory": memory,
        },
    )


@checked
def sketch_batch(
    data: Source,
    plan: Path,
    *,
    column: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    sketch: Sketch | None = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> SketchedBatch:
    """Compute what `sosie sketch` writes for rows: band keys, filter signatures, hashes.

    For programs that group equal keys themselves. Two rows that share a band key are a candidate
    pair if at least `filter_agreements` (in `plan`) of their filter bytes agree. Vectors that share
    a key are a candidate pair if at most `most_different` bits differ, and bit strings, whose
    filters are the bits themselves, if they are within the bound. A row has the same values in
    every batch and on every machine.

    Args:
        data (Source): rows of a batch: an Arrow object or a list.
        plan (Path): a plan file written by `sosie plan -o`, or its JSON.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.

    Returns:
        SketchedBatch: `.band_keys` (numpy uint64, rows x bands), `.filters` (uint8, rows x
        components), `.text_hashes` (uint64, rows x 2), `.is_empty` (bool: the row matches nothing,
        and its values are 0).

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapters 3.3 and 3.4.

    Example:
        >>> import sosie
        >>> import json
        >>> plan = {"sosie_plan": 1, "recipe": 1, "measure": "jaccard", "kind": "text",
        ...         "shingle": "words:5", "tokens": "unicode", "sketch": "permfill",
        ...         "threshold": "4/5", "recall": "0.99", "seed": 1, "components": 128,
        ...         "bands": 16, "rows": 6, "filter_agreements": 88}
        >>> batch = sosie.sketch_batch(["one two three four", "One, two: three; four!"],
        ...                            json.dumps(plan))
        >>> batch.band_keys.shape
        (2, 16)
        >>> bool((batch.text_hashes[0] == batch.text_hashes[1]).all())
        True
    """
    return _run.sketch_batch(
        data, plan,
        {
            "column": column,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "threshold": threshold,
            "within": within,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "sketch": sketch,
            "seed": seed,
            "threads": threads,
            "memory": memory,
        },
    )


@checked
def verify_batch(
    data: Source,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    plan: Path | None = None,
    *,
    column: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    sketch: Sketch | None = None,
    seed: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> VerifiedBatch:
    """Compute the exact similarities of some pairs of rows.

    Every row is read only once, however many pairs contain it.

    Args:
        data (Source): rows of a batch: an Arrow object or a list.
        left (npt.ArrayLike): number of a row, for each pair.
        right (npt.ArrayLike): number of the other row, for each pair.
        plan (Path): a plan file, or its JSON; None: rows are compared as the options specify.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.

    Returns:
        VerifiedBatch, by pair: `.similarity` (numpy float64; a distance with `within`), `.reaches`
        (bool: within the bound), `.is_identical` (bool: equal normalised texts or equal items).

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapter 3.1.1.

    Example:
        >>> import sosie
        >>> found = sosie.verify_batch(["a b c", "a b d", "A b c"], [0, 0], [1, 2],
        ...                            shingle="words:1", threshold=0.5)
        >>> found.similarity.tolist(), found.reaches.tolist(), found.is_identical.tolist()
        ([0.5, 1.0], [True, True], [False, True])
    """
    return _run.verify_batch(
        data, left, right, plan,
        {
            "column": column,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "threshold": threshold,
            "within": within,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "sketch": sketch,
            "seed": seed,
            "threads": threads,
            "memory": memory,
        },
    )


@checked
def plan(
    data: Source | None = None,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    id: str | None = None,
    other_format: OtherFormat | None = None,
    other_column: str | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    group_by: str | None = None,
    element: str | None = None,
    weight: str | None = None,
    on_bad_row: OnBadRow | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    tokens: Tokens | None = None,
    clean: Clean | None = None,
    method: Method | None = None,
    recall: float | str | Fraction | None = None,
    sketch: Sketch | None = None,
    bands: str | None = None,
    construct: str | Sequence[str] | None = None,
    family: Family | None = None,
    squares: Squares | None = None,
    probes: Probes | None = None,
    d1: float | str | Fraction | None = None,
    d2: float | str | Fraction | None = None,
    p1: str | None = None,
    p2: str | None = None,
    seed: int | None = None,
    output: str | PathLike[str] | None = None,
    svg: str | PathLike[str] | None = None,
    verbose: bool | None = None,
    index: bool | None = None,
    rows: str | None = None,
    cores: int | None = None,
    machines: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    simd: str | None = None,
    against: Source | None = None,
) -> str:
    """Predict how a run would proceed, and why.

    The plan names the method and predicts time, memory and scratch from a sample of the rows; with
    `verbose`, also the costs of each method and the S-curve.

    Args:
        data (Source): rows to plan for, from which a sample is read: an Arrow object, a list, or
            paths; None: any rows.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        other_format (OtherFormat): input format of against (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_column (str): field with the text in against. Default: that of column.
        other_id (str): field that identifies a row of against. Default: that of id.
        other_delimiter (str): field separator of the CSV and TSV files in against (one character,
            or tab). Default: that of delimiter.
        other_skip_lines (int): lines above the CSV or TSV header of against. Default: that of
            skip_lines.
        other_encoding (str): encoding of against. Default: that of encoding.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        group_by (str): field that names the set, if rows are (set, element) pairs, in any order.
        element (str): with group_by: field that holds the element.
        weight (str): with group_by: field with the multiplicity, or with ratings the rating.
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        family (Family): family to describe (minhash, bit-sampling, hyperplane, hyperplane-signs,
            hyperplane-rotation, cross-polytope, gaussian-segments, cauchy-segments, grid-triples).
        squares (Squares): grid cells per function of family grid-triples (1|2|3|4|5|6|7|8).
            Default: 3.
        probes (Probes): average number of vertices probed per hash function (cross-polytope)
            (1|1.25|1.5|2|3). Default: 1.
        d1 (float | str | Fraction): with family: distance up to which pairs should be found.
            Default: 1/5 of the range.
        d2 (float | str | Fraction): with family: distance beyond which pairs should not be found.
            Default: 4/5 of the range.
        p1 (str): without family: probability that one function finds a pair that should be found.
        p2 (str): probability that one function finds a pair that should not be found.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        output (str | PathLike[str]): file or folder to which the result is also written.
        svg (str | PathLike[str]): write the S-curve as an SVG picture.
        verbose (bool): show everything: the cost of each method, the S-curve, sensitivity, errors.
        index (bool): also predict an index of these items, and of up to 10^10 similar ones.
        rows (str): predict runs on N rows similar to those of INPUT (such as 250000 or 1e10).
            Default: those of INPUT.
        cores (int): also predict run times on N cores.
        machines (int): also predict dedup in parts on K machines, of cores each.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        against (Source): rows to compare with, like `data`; they always win and are never removed.

    Returns:
        The text that `sosie plan` prints.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapters 3.4.2 (S-curve) and 3.6.

    Example:
        >>> import sosie
        >>> "recall" in sosie.plan(threshold=0.7)
        True
    """
    return _run.plan(
        data,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "column": column,
            "id": id,
            "other_format": other_format,
            "other_column": other_column,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "group_by": group_by,
            "element": element,
            "weight": weight,
            "on_bad_row": on_bad_row,
            "threshold": threshold,
            "within": within,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "tokens": tokens,
            "clean": clean,
            "method": method,
            "recall": recall,
            "sketch": sketch,
            "bands": bands,
            "construct": construct,
            "family": family,
            "squares": squares,
            "probes": probes,
            "d1": d1,
            "d2": d2,
            "p1": p1,
            "p2": p2,
            "seed": seed,
            "output": output,
            "svg": svg,
            "verbose": verbose,
            "index": index,
            "rows": rows,
            "cores": cores,
            "machines": machines,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "simd": simd,
        },
        against,
    )


@checked
def explain(
    left: str | int,
    right: str | int,
    data: Records,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    skip_lines: int | None = None,
    no_header: bool | None = None,
    follow: bool | None = None,
    hidden: bool | None = None,
    encoding: str | None = None,
    column: str | Sequence[str] | None = None,
    id: str | None = None,
    other_format: OtherFormat | None = None,
    other_column: str | None = None,
    other_id: str | None = None,
    other_delimiter: str | None = None,
    other_skip_lines: int | None = None,
    other_encoding: str | None = None,
    kind: Kind | None = None,
    ratings: str | None = None,
    represent: str | None = None,
    on_bad_row: OnBadRow | None = None,
    threshold: float | str | Fraction | None = None,
    within: float | str | Fraction | None = None,
    contained: float | str | Fraction | None = None,
    measure: Measure | None = None,
    union: Union | None = None,
    shingle: str | None = None,
    stopwords: str | PathLike[str] | None = None,
    ignore_common: float | str | Fraction | None = None,
    tokens: Tokens | None = None,
    clean: Clean | None = None,
    method: Method | None = None,
    recall: float | str | Fraction | None = None,
    sketch: Sketch | None = None,
    bands: str | None = None,
    construct: str | Sequence[str] | None = None,
    family: Family | None = None,
    probes: Probes | None = None,
    plan: str | PathLike[str] | None = None,
    seed: int | None = None,
    rules: str | PathLike[str] | None = None,
    ignore: str | Sequence[str] | None = None,
    assign: Assign | None = None,
    cut: float | str | Fraction | None = None,
    check_by: str | None = None,
    truth: str | None = None,
    output: str | PathLike[str] | None = None,
    keep: str | Sequence[str] | None = None,
    clustering: Clustering | None = None,
    all: bool | None = None,
    passages: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: str | PathLike[str] | None = None,
    scratch_limit: int | str | None = None,
    simd: str | None = None,
    against: Records | None = None,
) -> str:
    """Explain why two rows are (not) near-duplicates, and what becomes of them.

    With `against`, `rules` or kind="records", rows are records as in `link`, and the text explains
    why two of them are the same entity or not. With two collections, ids are "a:ID" and "b:ID".

    Args:
        left (str | int): id of a row; for rows in memory its number, from 0.
        right (str | int): id of another row.
        data (Records): rows: an Arrow object, a list, or paths.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        delimiter (str): field separator of CSV and TSV (one character, or tab). Default: detected
            per CSV file; tab in TSV.
        quote (str): character that quotes CSV fields; none: treat quotes as text (one character, or
            none). Default: detected per file.
        escape (str): escape character of CSV files, such as a backslash (one character). Default:
            detected per file.
        skip_lines (int): lines above the CSV or TSV header, such as a title; they are copied above
            the kept rows. Default: 0.
        no_header (bool): CSV and TSV files have no header; fields are named 1, 2 and so on.
        follow (bool): follow symbolic links inside input folders.
        hidden (bool): also read hidden files in input folders (.name, name~, .crc, _SUCCESS).
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        id (str): field with the rows' ids, which results then contain. Default: the field id, if
            files have one; rows in memory are identified by their numbers, from 0.
        other_format (OtherFormat): input format of against (jsonl, csv, tsv, txt, sets, wet, fps,
            files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: that of format.
        other_column (str): field with the text in against. Default: that of column.
        other_id (str): field that identifies a row of against. Default: that of id.
        other_delimiter (str): field separator of the CSV and TSV files in against (one character,
            or tab). Default: that of delimiter.
        other_skip_lines (int): lines above the CSV or TSV header of against. Default: that of
            skip_lines.
        other_encoding (str): encoding of against. Default: that of encoding.
        kind (Kind): kind of the items (text|sets|bags|vectors|bits|strings|records). Default: by
            format.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        represent (str): elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by
            both cells near a border (grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]).
        on_bad_row (OnBadRow): when a row cannot be read: stop, skip it, or keep it unmatched
            (stop|skip|keep). Default: stop.
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        contained (float | str | Fraction): with against: remove only rows that contain at least
            this share of an item's shingles (above 0, at most 1).
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        ignore_common (float | str | Fraction): ignore shingles or elements that occur in more than
            this share of the items (above 0, below 1).
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        family (Family): locality-sensitive hash family (minhash, bit-sampling, hyperplane,
            hyperplane-signs, hyperplane-rotation, cross-polytope, gaussian-segments,
            cauchy-segments, grid-triples).
        probes (Probes): average number of vertices probed per hash function (cross-polytope)
            (1|1.25|1.5|2|3). Default: 1.
        plan (str | PathLike[str]): use a plan saved by `sosie.plan(..., output=...)`.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        rules (str | PathLike[str]): TOML file that defines fields, candidates and decision; `sosie
            link init` writes one. Default: chosen from the data.
        ignore (str | Sequence[str]): fields to ignore, such as ids or known entities.
        assign (Assign): with against: one-to-one, best partner of each left record, or all pairs at
            or above the cut; auto: one-to-one, or several on a side that clearly has copies;
            groups: add the records to the groups of OTHER, rows with cluster_id, by the weights of
            model (auto|one-to-one|best|all|groups). Default: auto.
        cut (float | str | Fraction): lowest probability (as printed) of a link; auto: as many links
            as the model or the runners-up suggest; precision:P: as many as an estimated precision
            of P allows (above 0, at most 1). Default: auto.
        check_by (str): estimate precision and recall from a field that is not scored; auto: each in
            turn.
        truth (str): measure precision and recall against known pairs of ids, or a field that names
            the entity.
        output (str | PathLike[str]): file or folder to which the result is also written.
        keep (str | Sequence[str]): which row of a group to keep; ties are broken by input order;
            max and min put numbers before other values; with measure containment the largest row is
            kept, and RULE decides among rows that contain each other (first, last, longest,
            shortest, max:FIELD, min:FIELD). Default: first.
        clustering (Clustering): star: every removed row is similar to its survivor; components:
            chains of similar rows form groups (star|components). Default: star.
        all (bool): also list the parts of both items, their signatures, bands and buckets.
        passages (bool): show the passages of the left text that also occur in the right one, with
            positions.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.
        against (Records): another collection of records, like `data`.

    Returns:
        The text that `sosie explain` prints.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapters 3.1.1 and 3.2.

    Example:
        >>> import sosie
        >>> text = sosie.explain(0, 1, ["one two three", "one two four"], shingle="words:1")
        >>> "2 of 4" in text
        True
    """
    return _run.explain(
        left, right, data,
        {
            "format": format,
            "delimiter": delimiter,
            "quote": quote,
            "escape": escape,
            "skip_lines": skip_lines,
            "no_header": no_header,
            "follow": follow,
            "hidden": hidden,
            "encoding": encoding,
            "column": column,
            "id": id,
            "other_format": other_format,
            "other_column": other_column,
            "other_id": other_id,
            "other_delimiter": other_delimiter,
            "other_skip_lines": other_skip_lines,
            "other_encoding": other_encoding,
            "kind": kind,
            "ratings": ratings,
            "represent": represent,
            "on_bad_row": on_bad_row,
            "threshold": threshold,
            "within": within,
            "contained": contained,
            "measure": measure,
            "union": union,
            "shingle": shingle,
            "stopwords": stopwords,
            "ignore_common": ignore_common,
            "tokens": tokens,
            "clean": clean,
            "method": method,
            "recall": recall,
            "sketch": sketch,
            "bands": bands,
            "construct": construct,
            "family": family,
            "probes": probes,
            "plan": plan,
            "seed": seed,
            "rules": rules,
            "ignore": ignore,
            "assign": assign,
            "cut": cut,
            "check_by": check_by,
            "truth": truth,
            "output": output,
            "keep": keep,
            "clustering": clustering,
            "all": all,
            "passages": passages,
            "threads": threads,
            "memory": memory,
            "scratch": scratch,
            "scratch_limit": scratch_limit,
            "simd": simd,
        },
        against,
    )


class Index(IndexBase):
    """An index of items of any kind, for look-ups while items are added and removed.

    Items are numbered from 0 in the order in which they are added; numbers are not reused. Every
    hit is verified. For texts, sets and bags, a pair at the threshold is found with probability
    `recall`; for vectors, bit strings and strings, every pair is found, and without a threshold or
    bound `query(data, top=K)` finds the K nearest. For vectors without a bound, `method="lsh"`
    finds a share `recall` of the K nearest (K up to 100) by searching a few lists; their number is
    calibrated as vectors are added and depends on how they were batched. Results do not depend on
    threads. An index can be pickled.

    Args:
        kind (Kind): kind of the items: "text", "sets", "bags", "vectors", "bits" or "strings";
            None: the kind of the first rows.
        format (Format): input format; overrides file extensions (jsonl, csv, tsv, txt, sets, wet,
            fps, files, parquet, arrow, npy, fvecs, bvecs, ivecs). Default: by extension.
        encoding (str): input encoding; auto: detect it per file; kept rows are written in the same
            encoding (utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that
            iconv supports). Default: utf-8.
        column (str | Sequence[str]): field with the text: a.b, a[].b (nested), a|b (first present),
            a,b (joined). Default: text.
        ratings (str): turn rated elements into sets: drop those below R, split liked and hated, or
            repeat (drop:R, liked-hated:R, bag).
        threshold (float | str | Fraction): minimum similarity (inclusive); decided exactly, without
            rounding (0.8, 4/5) (above 0, at most 1 (dot: any)). Default: 0.8.
        within (float | str | Fraction): maximum distance (inclusive): degrees for angle, edits for
            strings, 1 - jaccard for sets.
        measure (Measure): similarity or distance measure (jaccard, bag-jaccard, dice, overlap,
            containment, cosine, tversky:A,B, angle, euclidean, manhattan, chebyshev, minkowski:R,
            canberra, hamming, dot, levenshtein, indel, osa, damerau). Default: jaccard; cosine of
            vectors; hamming of bits; levenshtein of strings.
        union (Union): bag-jaccard: the union counts an element as often as the larger bag, or both
            bags together (max|sum). Default: max.
        shingle (str): unit and length of the shingles (words:1..64, chars:1..64, stopwords:1..63).
            Default: words:5.
        stopwords (str | PathLike[str]): stop words for shingle stopwords:N: a language, or a file
            with one word per line. Default: english.
        tokens (Tokens): rules for splitting text into words: unicode (case folded), raw (case kept)
            or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar
            scripts is a word (unicode|raw|ascii). Default: unicode.
        clean (Clean): compare strings as is; with case and spaces folded; or folded and reduced to
            letters, marks and digits (none|fold|alnum). Default: none.
        method (Method): method for finding candidate pairs (auto|lsh|exact|brute). Default: auto.
        recall (float | str | Fraction): expected share of the pairs at the threshold that are
            found; 1: every pair (above 0, at most 1). Default: 0.99.
        sketch (Sketch): minhash: one permutation, or one hash function per component (slow)
            (permfill|classic). Default: permfill.
        bands (str): number of bands, and of rows per band; overrides the plan (at most 1024 rows in
            all; vectors and bits: 16384). Default: planned.
        construct (str | Sequence[str]): AND and OR constructions in order, to any depth; and:R,or:B
            equals bands BxR (and:N, or:N). Default: planned.
        seed (int): seed of the hash functions; equal seeds give equal results. Default: 1.
        threads (int): number of worker threads; does not change the result (1 to 1024). Default:
            all cores.
        memory (int | str): memory limit, exceeded by at most 64M (below 256M: best effort).
            Default: half of RAM.
        scratch (str | PathLike[str]): folder for temporary files. Default: /tmp.
        scratch_limit (int | str): maximum space for temporary files. Default: none.
        simd (str): instruction set of the inner loops; does not change the result (AMX, AVX3_DL,
            AVX2, SSE4, ...). Default: auto.

    Raises:
        OptionError: an invalid option or value (a ValueError).
        InputError: a broken row, a missing or wrong column, a duplicate id (a ValueError).
        FileError: a file that is missing, unreadable or unwritable, a full disk (an OSError).
        LimitError: a budget (memory, scratch_limit) or a limit would be exceeded.
        TypeError: data without rows, or an unknown keyword.

    Source:
        MMDS chapter 3.4.

    Example:
        >>> import sosie
        >>> index = sosie.Index(threshold=0.5, shingle="words:2")
        >>> index.add(["one two three four", "and now something else"]).tolist()
        [0, 1]
        >>> list(index.query(["one two three"]))
        [(0, 0, 0.6666666666666666)]
        >>> index.add_new(["one two three four five", "quite new", "quite new"]).tolist()
        [False, True, False]
    """

    @checked
    def __init__(
        self,
        kind: Kind | None = None,
        *,
        format: Format | None = None,
        encoding: str | None = None,
        column: str | Sequence[str] | None = None,
        ratings: str | None = None,
        threshold: float | str | Fraction | None = None,
        within: float | str | Fraction | None = None,
        measure: Measure | None = None,
        union: Union | None = None,
        shingle: str | None = None,
        stopwords: str | PathLike[str] | None = None,
        tokens: Tokens | None = None,
        clean: Clean | None = None,
        method: Method | None = None,
        recall: float | str | Fraction | None = None,
        sketch: Sketch | None = None,
        bands: str | None = None,
        construct: str | Sequence[str] | None = None,
        seed: int | None = None,
        threads: int | None = None,
        memory: int | str | None = None,
        scratch: str | PathLike[str] | None = None,
        scratch_limit: int | str | None = None,
        simd: str | None = None,
    ):
        super().__init__(
            kind,
            {
                "format": format,
                "encoding": encoding,
                "column": column,
                "ratings": ratings,
                "threshold": threshold,
                "within": within,
                "measure": measure,
                "union": union,
                "shingle": shingle,
                "stopwords": stopwords,
                "tokens": tokens,
                "clean": clean,
                "method": method,
                "recall": recall,
                "sketch": sketch,
                "bands": bands,
                "construct": construct,
                "seed": seed,
                "threads": threads,
                "memory": memory,
                "scratch": scratch,
                "scratch_limit": scratch_limit,
                "simd": simd,
            },
        )
