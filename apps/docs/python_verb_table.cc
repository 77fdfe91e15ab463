// TABLE: the functions of the Python package, with the texts of their docstrings.
#include "python_verb_table.h"

#include <array>

namespace sosie::docs {
namespace {

using Text = std::string_view;

// Options that decide the signature of a row.
constexpr std::array<Text, 12> kOfSignatures = {"format",  "column",  "kind",      "ratings",
                                                "shingle", "tokens",  "stopwords", "sketch",
                                                "seed",    "threads", "memory",    "encoding"};

// Options that decide the similarity of two rows.
constexpr std::array<Text, 12> kOfSimilarity = {"format",    "column",  "kind",    "ratings",
                                                "measure",   "union",   "shingle", "tokens",
                                                "stopwords", "threads", "memory",  "encoding"};

// Options that decide how an index reads rows and compares them.
constexpr std::array<Text, 23> kOfIndex = {
    "format",    "column", "ratings", "threshold",     "within", "measure",  "union",     "shingle",
    "stopwords", "tokens", "method",  "recall",        "sketch", "bands",    "construct", "seed",
    "threads",   "memory", "scratch", "scratch-limit", "simd",   "encoding", "clean"};

// Options that decide how a row is seen and compared, wherever it lies.
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
        "Keep one of each group of near-duplicate rows.",
        "Every removed row was verified to be similar to the row kept in its place, and no two "
        "kept rows are a pair that was found.",
        "Deduplicated: `.mask` (numpy bool by row, True: kept), `.removed` (row: int64, kept_row: "
        "int64, similarity: double, or distance: double, exact: bool), `.clusters` (row: int64, "
        "cluster: int64, kept: bool, size: int64), `.kept` (row: int64), `.pairs`, `.stats`, "
        "`.summary`, `.apply(data)`, `.at(threshold)`. Tables are Arrow objects. Of rows that have "
        "ids they have these, too, as further columns: id, kept_id, cluster_id: int64 or string.",
        "MMDS chapter 3.",
        ">>> texts = [\"the quick brown fox jumps over the lazy dog\",\n"
        "...          \"an entirely different sentence\",\n"
        "...          \"The quick brown fox jumps over the lazy dog!\"]\n"
        ">>> result = sosie.dedup(texts)\n"
        ">>> result.mask.tolist()\n"
        "[True, True, False]\n"
        ">>> list(result.removed)\n"
        "[(2, 0, 1.0, True)]"},
    PythonVerb{
        "pairs", "data: Source", kData, "Pairs",
        "Every pair of similar rows: within `data`, or between it and `against`.",
        "A pair at the threshold is found with probability `recall`; every pair that is reported "
        "is "
        "verified.",
        "Pairs, an Arrow object: left: int64, right: int64 (row numbers), similarity: double (of a "
        "distance measure: distance: double), sorted by (left, right); of rows that have ids "
        "left_id and right_id, too: int64 or string.",
        "MMDS chapters 3.4 (lsh) and 3.9 (exact).",
        ">>> texts = [\"one two three\", \"one two four\", \"five\"]\n"
        ">>> list(sosie.pairs(texts, shingle=\"words:1\", threshold=0.5))\n"
        "[(0, 1, 0.5)]"},
    PythonVerb{
        "query", "data: Source,\nitems: Source",
        "data: rows to look up in: an Arrow object, a list, an array, or one path.\n"
        "items: rows to look up, as `data`.",
        "Pairs", "The rows of `data` that are similar to each row of `items`, best first.",
        "The hits of an item stand together, items in their order.",
        "Pairs, an Arrow object: left: int64 (row of `items`), right: int64 (row of `data`), "
        "similarity: double (of a distance measure: distance: double); of rows that have ids "
        "left_id and right_id, too: int64 or string.",
        "MMDS chapter 3.4.",
        ">>> texts = [\"one two three\", \"four five\"]\n"
        ">>> list(sosie.query(texts, [\"one two\"], shingle=\"words:1\", threshold=0.5))\n"
        "[(0, 0, 0.6666666666666666)]"},
    PythonVerb{
        "link", "data: Records",
        "data: records: an Arrow object, a list of dicts, a dict of columns, or paths.", "Linked",
        "Records of the same entity: within `data`, or between it and `against`.",
        "All fields are compared level by level, and what a level says of two records is learnt "
        "from the candidate pairs, without labels. Without `rules` they are chosen from the data; "
        "`.rules` holds them as a file. The ids of records are never compared.",
        "Linked, an Arrow object. With `against` links, best first: left: int64, right: int64 (row "
        "numbers), score: double (bits), probability: double, rules: string, and of each field "
        "level_FIELD: string, bits_FIELD: double; of rows that have ids left_id and right_id, too: "
        "int64 or string. Without it groups, one row a record: row: int64, cluster: int64 (first "
        "row of the group), size: int64, weakest: double (least probability of a pair of the "
        "group; NaN for a single record); of rows that have ids id and cluster_id, too. `.pairs` "
        "are the links, or all pairs of records of one group. `.stats`, `.summary`, `.rules`.",
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
    PythonVerb{
        "cluster", "pairs: PairSource",
        "pairs: what pairs() found, an Arrow object with the columns left, right and similarity, a "
        "list of such tuples, or a path.",
        "Clusters", "Group the items of similar pairs, each group around one survivor.",
        "An item is removed only for a survivor it makes a pair with (`clustering=\"components\"`: "
        "for any it is connected with). Items rank in the order in which they are first named. "
        "Without `threshold` all pairs count.",
        "Clusters, an Arrow object: id: int64 (string, where pairs name items by strings), "
        "cluster_id: as id (the survivor's), kept: bool, size: int64.",
        "Aslam, Pelekhov and Rus, The Star Clustering Algorithm, 2004; ranks are the order.",
        ">>> list(sosie.cluster([(0, 1, 0.9), (1, 2, 0.8)], threshold=0.85))\n"
        "[(0, 0, True, 2), (1, 0, False, 2)]"},
    PythonVerb{"similarity", "left: Source,\nright: Source",
               "left: rows: an Arrow object, a list, an array, or a path.\n"
               "right: as many rows as `left` has.",
               "npt.NDArray[np.float64]",
               "Similarity (or distance) of row i of `left` and row i of `right`.",
               "Exactly, for all i. A row without a shingle is similar to none: 0.",
               "numpy float64, one number per row.", "MMDS chapters 3.1.1 and 3.5.",
               ">>> sosie.similarity([\"a b c\"], [\"a b d\"], shingle=\"words:1\").tolist()\n"
               "[0.5]",
               "pairs", kOfSimilarity},
    PythonVerb{
        "minhash", "data: Source,\nnum_perm: int = 128",
        "data: rows: an Arrow object, a list, or paths.\n"
        "num_perm: components of a signature, 1 to 4096. Default: 128.",
        "npt.NDArray[np.uint32]", "MinHash signatures of all rows.",
        "Two rows agree in each component with probability equal to the Jaccard similarity of "
        "their "
        "sets, so `(a == b).mean()` estimates it with a standard deviation of at most `0.5 / "
        "sqrt(num_perm)`.",
        "numpy uint32 of shape (rows, num_perm). A row without a shingle has 2**32 - 1 everywhere.",
        "MMDS chapter 3.3.",
        ">>> a, b = sosie.minhash([\"one two three four five\", \"One two three four five!\"])\n"
        ">>> float((a == b).mean())\n"
        "1.0",
        "pairs", kOfSignatures},
    PythonVerb{
        "sketch_batch", "data: Source,\nplan: Path",
        "data: rows of a batch: an Arrow object or a list.\n"
        "plan: a plan file, or its JSON: what `sosie plan -o` writes.",
        "SketchedBatch",
        "What `sosie sketch` writes of rows: band keys, filter signatures, hashes.",
        "For programs that bring equal keys together on their own: rows that share a band key are "
        "a "
        "candidate pair if `plan`'s `filter_agreements` of their filter bytes agree; vectors, if "
        "its "
        "`most_different` bits differ at most; bit strings, whose filters are their bits, if these "
        "lie within its bound. A row has the same values in every batch, on every machine.",
        "SketchedBatch: `.band_keys` (numpy uint64, rows x bands), `.filters` (uint8, rows x "
        "components), `.text_hashes` (uint64, rows x 2), `.is_empty` (bool: the row matches "
        "nothing, its values are 0).",
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
        "plan: a plan file, or its JSON; None: options alone say how rows are compared.",
        "VerifiedBatch", "The exact similarities of some pairs of rows.",
        "Every row is read once, in however many pairs it is.",
        "VerifiedBatch, by pair: `.similarity` (numpy float64; a distance with `within`), "
        "`.reaches` (bool: the bound), `.is_identical` (bool: the same normalised text, an equal "
        "item).",
        "MMDS chapter 3.1.1.",
        ">>> found = sosie.verify_batch([\"a b c\", \"a b d\", \"A b c\"], [0, 0], [1, 2],\n"
        "...                            shingle=\"words:1\", threshold=0.5)\n"
        ">>> found.similarity.tolist(), found.reaches.tolist(), found.is_identical.tolist()\n"
        "([0.5, 1.0], [True, True], [False, True])",
        "pairs", kOfBatches},
    PythonVerb{
        "plan", "data: Source | None = None",
        "data: rows to plan for, of which a sample is read: an Arrow object, a list, or paths; "
        "None: any rows.",
        "str", "Predict how a run would proceed, and why.",
        "The plan names the method, and on a sample of the rows predicts time, memory and scratch; "
        "verbose, also the costs of each method and the S-curve.",
        "The text that `sosie plan` prints.", "MMDS chapters 3.4.2 (S-curve) and 3.6.",
        ">>> \"recall\" in sosie.plan(threshold=0.7)\n"
        "True"},
    PythonVerb{
        "explain", "left: str | int,\nright: str | int,\ndata: Records",
        "left: id of a row; of rows in memory its number, from 0.\n"
        "right: id of another row.\n"
        "data: rows: an Arrow object, a list, or paths.",
        "str", "Why two rows are (not) near-duplicates, and what becomes of them.",
        "With `against`, `rules` or kind=\"records\" rows are records, as of `link`: why two "
        "are one entity or not. Ids of two collections are \"a:ID\" and \"b:ID\".",
        "The text that `sosie explain` prints.", "MMDS chapters 3.1.1 and 3.2.",
        ">>> text = sosie.explain(0, 1, [\"one two three\", \"one two four\"], "
        "shingle=\"words:1\")\n"
        ">>> \"2 of 4\" in text\n"
        "True"},
    PythonVerb{
        "Index", "kind: Kind | None = None",
        "kind: kind of the items: \"text\", \"sets\", \"bags\", \"vectors\", \"bits\" or "
        "\"strings\"; None: what the first rows are.",
        "None", "Items of any kind that others are looked up in, while they come and go.",
        "Items are numbered from 0 in the order in which they are added; a number is not used "
        "again. "
        "What is found is verified. Of texts, sets and bags a pair at the threshold is found with "
        "probability `recall`; of vectors, bit strings and strings every pair is found, and "
        "without a "
        "threshold or bound `query(data, top=K)` finds the K nearest. Of vectors without a bound "
        "`method=\"lsh\"` finds the part `recall` of the K nearest, K up to 100, and looks at few: "
        "how few is measured when they are added, and depends on how they were batched. Results do "
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
