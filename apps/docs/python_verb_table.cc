// TABLE: the functions of the Python package, with the texts of their docstrings.
#include "python_verb_table.h"

#include <array>

namespace sosie::docs {
namespace {

using Text = std::string_view;

// Options that determine the signature of a row.
constexpr std::array<Text, 12> kOfSignatures = {"format",  "column",  "kind",      "ratings",
                                                "shingle", "tokens",  "stopwords", "sketch",
                                                "seed",    "threads", "memory",    "encoding"};

// Options that determine the similarity of two rows.
constexpr std::array<Text, 12> kOfSimilarity = {"format",    "column",  "kind",    "ratings",
                                                "measure",   "union",   "shingle", "tokens",
                                                "stopwords", "threads", "memory",  "encoding"};

// Options that determine how an index reads and compares rows.
constexpr std::array<Text, 23> kOfIndex = {
    "format",    "column", "ratings", "threshold",     "within", "measure",  "union",     "shingle",
    "stopwords", "tokens", "method",  "recall",        "sketch", "bands",    "construct", "seed",
    "threads",   "memory", "scratch", "scratch-limit", "simd",   "encoding", "clean"};

// Options that determine how a row is read and compared, independent of its location.
constexpr std::array<Text, 15> kOfBatches = {
    "column",  "kind",      "ratings", "represent", "measure", "union",   "threshold", "within",
    "shingle", "stopwords", "tokens",  "sketch",    "seed",    "threads", "memory"};

constexpr Text kData =
    "data: rows: an Arrow object (a table of pyarrow, polars or pandas, a DuckDB relation, a "
    "datasets.Dataset), a list or any iterable of texts, dicts, sets or vectors, a numpy array, a "
    "sparse matrix of scipy, or paths.";

constexpr std::array kVerbs = {
    PythonVerb{
        "dedup", "data: Source", kData, "Deduplicated",
        "Keep one row of each group of near-duplicates.",
        "Every removed row was verified to be similar to the row kept in its place, and no found "
        "pair consists of two kept rows.",
        "Deduplicated: `.mask` (numpy bool by row, True: kept), `.removed` (row: int64, kept_row: "
        "int64, similarity: double, or distance: double, exact: bool), `.clusters` (row: int64, "
        "cluster: int64, kept: bool, size: int64), `.kept` (row: int64), `.pairs`, `.stats`, "
        "`.summary`, `.apply(data)`, `.at(threshold)`. Tables are Arrow objects. If the rows have "
        "ids, there are also the columns id, kept_id, cluster_id: int64 or string.",
        "MMDS chapter 3.",
        ">>> texts = [\"the quick brown fox jumps over the lazy dog\",\n"
        "...          \"an entirely different sentence\",\n"
        "...          \"The quick brown fox jumps over the lazy dog!\"]\n"
        ">>> result = sosie.dedup(texts)\n"
        ">>> result.mask.tolist()\n"
        "[True, True, False]\n"
        ">>> list(result.removed)\n"
        "[(2, 0, 1.0, True)]"},
    PythonVerb{"pairs", "data: Source", kData, "Pairs",
               "List every pair of similar rows, within `data` or between it and `against`.",
               "A pair at the threshold is found with probability `recall`; every reported pair is "
               "verified.",
               "Pairs, an Arrow object: left: int64, right: int64 (row numbers), similarity: "
               "double (distance: double for a distance measure), sorted by (left, right); if the "
               "rows have ids, also left_id and right_id: int64 or string.",
               "MMDS chapters 3.4 (lsh) and 3.9 (exact).",
               ">>> texts = [\"one two three\", \"one two four\", \"five\"]\n"
               ">>> list(sosie.pairs(texts, shingle=\"words:1\", threshold=0.5))\n"
               "[(0, 1, 0.5)]"},
    PythonVerb{
        "query", "data: Source,\nitems: Source",
        "data: rows to look up in: an Arrow object, a list, an array, or one path.\n"
        "items: rows to look up, like `data`.",
        "Pairs", "Find the rows of `data` that are similar to each row of `items`, best first.",
        "Hits are grouped by item, in the order of the items.",
        "Pairs, an Arrow object: left: int64 (row of `items`), right: int64 (row of `data`), "
        "similarity: double (distance: double for a distance measure); if the rows have ids, also "
        "left_id and right_id: int64 or string.",
        "MMDS chapter 3.4.",
        ">>> texts = [\"one two three\", \"four five\"]\n"
        ">>> list(sosie.query(texts, [\"one two\"], shingle=\"words:1\", threshold=0.5))\n"
        "[(0, 0, 0.6666666666666666)]"},
    PythonVerb{
        "link", "data: Records",
        "data: records: an Arrow object, a list of dicts, a dict of columns, or paths.", "Linked",
        "Link records of the same entity, within `data` or between it and `against`.",
        "Each field is compared by levels, and the weight of each level is learnt from the "
        "candidate pairs, without labels. Without `rules`, the rules are chosen from the data; "
        "`.rules` contains them as a file. The ids of records are never compared.",
        "Linked, an Arrow object. With `against`, links, best first: left: int64, right: int64 "
        "(row "
        "numbers), score: double (bits), probability: double, rules: string, and for each field "
        "level_FIELD: string, bits_FIELD: double; if the rows have ids, also left_id and right_id: "
        "int64 or string. Without it, groups, one row per record: row: int64, cluster: int64 "
        "(first "
        "row of the group), size: int64, weakest: double (lowest probability of a pair in the "
        "group; NaN for a single record); if the rows have ids, also id and cluster_id. `.pairs` "
        "contains the links, or all pairs of records within groups. `.stats`, `.summary`, "
        "`.rules`.",
        "Fellegi, Sunter, A Theory for Record Linkage, 1969; MMDS chapter 3.8.",
        ">>> people = {\"name\": [f\"{a} {b}\" for a in [\"anna\", \"bert\", \"carla\", \"dora\"]\n"
        "...                    for b in [\"smith\", \"jones\", \"meyer\", \"lopez\", "
        "\"rossi\"]],\n"
        "...           \"born\": [f\"19{i % 7}{i % 10}-0{i % 9 + 1}-1{i % 8}\" for i in "
        "range(20)]}\n"
        ">>> others = {\"name\": people[\"name\"][5:15], \"born\": people[\"born\"][5:15]}\n"
        ">>> links = sosie.link(people, against=others)\n"
        ">>> sorted(zip(links[\"left\"].tolist(), links[\"right\"].tolist()))[:3]\n"
        "[(5, 0), (6, 1), (7, 2)]"},
    PythonVerb{"cluster", "pairs: PairSource",
               "pairs: the result of pairs(), an Arrow object with the columns left, right and "
               "similarity, a list of such tuples, or a path.",
               "Clusters", "Group the items of similar pairs, with one survivor per group.",
               "An item is removed only if it forms a pair with its survivor "
               "(`clustering=\"components\"`: if it is connected to it). Items rank in the order "
               "of their first occurrence. Without `threshold`, all pairs count.",
               "Clusters, an Arrow object: id: int64 (string, if pairs name items by strings), "
               "cluster_id: the survivor's id, of the same type, kept: bool, size: int64.",
               "Aslam, Pelekhov and Rus, The Star Clustering Algorithm, 2004; ranks are the order.",
               ">>> list(sosie.cluster([(0, 1, 0.9), (1, 2, 0.8)], threshold=0.85))\n"
               "[(0, 0, True, 2), (1, 0, False, 2)]"},
    PythonVerb{"similarity", "left: Source,\nright: Source",
               "left: rows: an Arrow object, a list, an array, or a path.\n"
               "right: rows, the same number as in `left`.",
               "npt.NDArray[np.float64]",
               "Compute the similarity (or distance) of row i of `left` and row i of `right`.",
               "Exact, for all i. A row without a shingle has similarity 0.",
               "numpy float64, one number per row.", "MMDS chapters 3.1.1 and 3.5.",
               ">>> sosie.similarity([\"a b c\"], [\"a b d\"], shingle=\"words:1\").tolist()\n"
               "[0.5]",
               "pairs", kOfSimilarity},
    PythonVerb{
        "minhash", "data: Source,\nnum_perm: int = 128",
        "data: rows: an Arrow object, a list, or paths.\n"
        "num_perm: components of a signature, 1 to 4096. Default: 128.",
        "npt.NDArray[np.uint32]", "Compute MinHash signatures of all rows.",
        "Two rows agree in each component with probability equal to the Jaccard similarity of "
        "their "
        "sets, so `(a == b).mean()` estimates it with a standard deviation of at most `0.5 / "
        "sqrt(num_perm)`.",
        "numpy uint32 of shape (rows, num_perm). All values of a row without a shingle are 2**32 - "
        "1.",
        "MMDS chapter 3.3.",
        ">>> a, b = sosie.minhash([\"one two three four five\", \"One two three four five!\"])\n"
        ">>> float((a == b).mean())\n"
        "1.0",
        "pairs", kOfSignatures},
    PythonVerb{
        "sketch_batch", "data: Source,\nplan: Path",
        "data: rows of a batch: an Arrow object or a list.\n"
        "plan: a plan file written by `sosie plan -o`, or its JSON.",
        "SketchedBatch",
        "Compute what `sosie sketch` writes for rows: band keys, filter signatures, hashes.",
        "For programs that group equal keys themselves. Two rows that share a band key are a "
        "candidate pair if at least `filter_agreements` (in `plan`) of their filter bytes agree. "
        "Vectors that share a key are a candidate pair if at most `most_different` bits differ, "
        "and bit strings, whose filters are the bits themselves, if they are within the bound. A "
        "row has the same values in every batch and on every machine.",
        "SketchedBatch: `.band_keys` (numpy uint64, rows x bands), `.filters` (uint8, rows x "
        "components), `.text_hashes` (uint64, rows x 2), `.is_empty` (bool: the row matches "
        "nothing, and its values are 0).",
        "MMDS chapters 3.3 and 3.4.",
        ">>> import json\n"
        ">>> plan = {\"sosie_plan\": 1, \"recipe\": 1, \"measure\": \"jaccard\", \"kind\": "
        "\"text\",\n"
        "...         \"shingle\": \"words:5\", \"tokens\": \"unicode\", \"sketch\": \"permfill\",\n"
        "...         \"threshold\": \"4/5\", \"recall\": \"0.99\", \"seed\": 1, \"components\": "
        "128,\n"
        "...         \"bands\": 16, \"rows\": 6, \"filter_agreements\": 88}\n"
        ">>> batch = sosie.sketch_batch([\"one two three four\", \"One, two: three; four!\"],\n"
        "...                            json.dumps(plan))\n"
        ">>> batch.band_keys.shape\n"
        "(2, 16)\n"
        ">>> bool((batch.text_hashes[0] == batch.text_hashes[1]).all())\n"
        "True",
        "pairs", kOfBatches},
    PythonVerb{
        "verify_batch",
        "data: Source,\nleft: npt.ArrayLike,\nright: npt.ArrayLike,\nplan: Path | None = None",
        "data: rows of a batch: an Arrow object or a list.\n"
        "left: number of a row, for each pair.\n"
        "right: number of the other row, for each pair.\n"
        "plan: a plan file, or its JSON; None: rows are compared as the options specify.",
        "VerifiedBatch", "Compute the exact similarities of some pairs of rows.",
        "Every row is read only once, however many pairs contain it.",
        "VerifiedBatch, by pair: `.similarity` (numpy float64; a distance with `within`), "
        "`.reaches` (bool: within the bound), `.is_identical` (bool: equal normalised texts or "
        "equal items).",
        "MMDS chapter 3.1.1.",
        ">>> found = sosie.verify_batch([\"a b c\", \"a b d\", \"A b c\"], [0, 0], [1, 2],\n"
        "...                            shingle=\"words:1\", threshold=0.5)\n"
        ">>> found.similarity.tolist(), found.reaches.tolist(), found.is_identical.tolist()\n"
        "([0.5, 1.0], [True, True], [False, True])",
        "pairs", kOfBatches},
    PythonVerb{
        "plan", "data: Source | None = None",
        "data: rows to plan for, from which a sample is read: an Arrow object, a list, or paths; "
        "None: any rows.",
        "str", "Predict how a run would proceed, and why.",
        "The plan names the method and predicts time, memory and scratch from a sample of the "
        "rows; with `verbose`, also the costs of each method and the S-curve.",
        "The text that `sosie plan` prints.", "MMDS chapters 3.4.2 (S-curve) and 3.6.",
        ">>> \"recall\" in sosie.plan(threshold=0.7)\n"
        "True"},
    PythonVerb{"explain", "left: str | int,\nright: str | int,\ndata: Records",
               "left: id of a row; for rows in memory its number, from 0.\n"
               "right: id of another row.\n"
               "data: rows: an Arrow object, a list, or paths.",
               "str", "Explain why two rows are (not) near-duplicates, and what becomes of them.",
               "With `against`, `rules` or kind=\"records\", rows are records as in `link`, and "
               "the text explains why two of them are the same entity or not. With two "
               "collections, ids are \"a:ID\" and \"b:ID\".",
               "The text that `sosie explain` prints.", "MMDS chapters 3.1.1 and 3.2.",
               ">>> text = sosie.explain(0, 1, [\"one two three\", \"one two four\"], "
               "shingle=\"words:1\")\n"
               ">>> \"2 of 4\" in text\n"
               "True"},
    PythonVerb{
        "Index", "kind: Kind | None = None",
        "kind: kind of the items: \"text\", \"sets\", \"bags\", \"vectors\", \"bits\" or "
        "\"strings\"; None: the kind of the first rows.",
        "None", "An index of items of any kind, for look-ups while items are added and removed.",
        "Items are numbered from 0 in the order in which they are added; numbers are not reused. "
        "Every hit is verified. For texts, sets and bags, a pair at the threshold is found with "
        "probability `recall`; for vectors, bit strings and strings, every pair is found, and "
        "without a threshold or bound `query(data, top=K)` finds the K nearest. For vectors "
        "without a bound, `method=\"lsh\"` finds a share `recall` of the K nearest (K up to 100) "
        "by searching a few lists; their number is calibrated as vectors are added and depends on "
        "how they were batched. Results do "
        "not depend on threads. An index can be pickled.",
        "", "MMDS chapter 3.4.",
        ">>> index = sosie.Index(threshold=0.5, shingle=\"words:2\")\n"
        ">>> index.add([\"one two three four\", \"and now something else\"]).tolist()\n"
        "[0, 1]\n"
        ">>> list(index.query([\"one two three\"]))\n"
        "[(0, 0, 0.6666666666666666)]\n"
        ">>> index.add_new([\"one two three four five\", \"quite new\", \"quite new\"]).tolist()\n"
        "[False, True, False]",
        "pairs", kOfIndex},
};

}  // namespace

std::span<const PythonVerb> python_verb_table() noexcept { return kVerbs; }

}  // namespace sosie::docs
