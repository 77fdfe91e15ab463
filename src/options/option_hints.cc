// TABLE: names that our options have in other tools; also finds the nearest name to a misspelt one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/nearest_name.h"
#include "sosie/options.h"

namespace sosie {
namespace {

using Text = std::string_view;

// An option, argument or configuration key of another tool, written with '_', and its equivalent
// here. Each name is listed once, since tools share most names. For people used to datasketch,
// text-dedup, datatrove, NeMo Curator, rensa, SemHash, data-juicer, dolma or duplodocus.
struct ForeignName {
  Text theirs;
  Text ours;
};

constexpr Text kPlanned = "--recall R (the planner chooses how many minhashes)";
constexpr Text kBands = "--bands BxR, or better --recall R (the planner chooses)";
constexpr Text kWords = "--shingle words:N";
constexpr Text kChars = "--shingle chars:N";
constexpr Text kAnyShingle = "--shingle words:N or chars:N";
constexpr Text kThreshold = "--threshold S";
constexpr Text kColumn = "--column FIELD";
constexpr Text kId = "--id FIELD";
constexpr Text kInputHint = "name files and folders without an option";
constexpr Text kOutputHint = "--output OUT";
constexpr Text kThreads = "--threads N";
constexpr Text kScratch = "--scratch DIR";
constexpr Text kVerified = "not needed: every removal is verified against the kept row";
constexpr Text kNormal = "--tokens unicode (the default folds case and normalises)";
constexpr Text kShort = "not needed: short texts are compared too, and the summary says so";

constexpr std::array kForeignNames = {
    // Numbers of minhashes and bands
    ForeignName{"num_perm", kPlanned},
    ForeignName{"num_permutations", kPlanned},
    ForeignName{"num_hashes", kPlanned},
    ForeignName{"num_hash", kPlanned},
    ForeignName{"signature_size", kPlanned},
    ForeignName{"num_bands", kBands},
    ForeignName{"num_buckets", kBands},
    ForeignName{"num_bucket", kBands},
    ForeignName{"b", kBands},
    ForeignName{"r", kBands},
    ForeignName{"params", kBands},
    ForeignName{"bands_rows", kBands},
    ForeignName{"rows_per_band", kBands},
    ForeignName{"num_rows_per_band", kBands},
    ForeignName{"hashes_per_bucket", kBands},
    ForeignName{"minhashes_per_band", kBands},
    ForeignName{"bucket_size", kBands},
    ForeignName{"weights", "--recall R (the misses you allow; nothing false is removed)"},
    ForeignName{"false_positive_weight", "--recall R (nothing false is removed)"},
    ForeignName{"false_negative_weight", "--recall R (the misses you allow)"},
    // Shingles and normalising
    ForeignName{"ngram", kWords},
    ForeignName{"ngrams", kWords},
    ForeignName{"n_gram", kWords},
    ForeignName{"n_grams", kWords},
    ForeignName{"ngram_size", kWords},
    ForeignName{"ngram_length", kWords},
    ForeignName{"window_size", kAnyShingle},
    ForeignName{"width", kAnyShingle},
    ForeignName{"shingle_size", kAnyShingle},
    ForeignName{"k_shingle", kAnyShingle},
    ForeignName{"char_ngram", kChars},
    ForeignName{"char_ngrams", kChars},
    ForeignName{"tokenization", "--shingle words:N or chars:N, --tokens unicode or ascii"},
    ForeignName{"tokenizer", "--shingle words:N or chars:N, --tokens unicode or ascii"},
    ForeignName{"lowercase", kNormal},
    ForeignName{"norm_config", kNormal},
    ForeignName{"language", kNormal},
    // Thresholds
    ForeignName{"jaccard_threshold", kThreshold},
    ForeignName{"jaccard", kThreshold},
    ForeignName{"similarity", kThreshold},
    ForeignName{"similarity_threshold", kThreshold},
    ForeignName{"minimum_similarity", kThreshold},
    ForeignName{"sim_threshold", kThreshold},
    ForeignName{"eps", "--threshold S (a similarity: 1 - eps)"},
    ForeignName{"bit_diff", "--threshold S (sets are compared, not bits)"},
    ForeignName{"false_positive_check", kVerified},
    ForeignName{"check_false_positive", kVerified},
    ForeignName{"true_jaccard", kVerified},
    ForeignName{"jaccard_compute", kVerified},
    ForeignName{"min_length", kShort},
    ForeignName{"min_words", kShort},
    ForeignName{"skip_empty", "not needed: rows without a shingle are kept and match nothing"},
    ForeignName{"hash_func", "cannot be chosen; --seed N draws other hash functions"},
    ForeignName{"hash_bits", "cannot be chosen; shingles are hashed to 64 bits"},
    ForeignName{"hash_config", "cannot be chosen; --seed N draws other hash functions"},
    ForeignName{"use_64_bit_hash", "cannot be chosen; shingles are hashed to 64 bits"},
    ForeignName{"permutation_seed", "--seed N"},
    ForeignName{"random_seed", "--seed N"},
    ForeignName{"use_ann", "--method lsh or brute"},
    // Input and output
    ForeignName{"text_field", kColumn},
    ForeignName{"text_key", kColumn},
    ForeignName{"text_column", kColumn},
    ForeignName{"content_key", kColumn},
    ForeignName{"columns", kColumn},
    ForeignName{"key", kColumn},
    ForeignName{"field", kColumn},
    ForeignName{"id_field", kId},
    ForeignName{"id_key", kId},
    ForeignName{"id_column", kId},
    ForeignName{"idx_column", kId},
    ForeignName{"input", kInputHint},
    ForeignName{"input_path", kInputHint},
    ForeignName{"input_dir", kInputHint},
    ForeignName{"input_folder", kInputHint},
    ForeignName{"input_data_dir", kInputHint},
    ForeignName{"path", kInputHint},
    ForeignName{"data_dir", kInputHint},
    ForeignName{"data_files", kInputHint},
    ForeignName{"documents", kInputHint},
    ForeignName{"input_filetype", "--format NAME (or by extension)"},
    ForeignName{"out", kOutputHint},
    ForeignName{"output_path", kOutputHint},
    ForeignName{"output_dir", kOutputHint},
    ForeignName{"output_folder", kOutputHint},
    ForeignName{"exclusion_writer", "--removed FILE"},
    ForeignName{"save_cluster_id", "--clusters FILE"},
    ForeignName{"save_cluster_size", "--clusters FILE"},
    ForeignName{"perform_removal", "not needed: dedup removes rows; --dry-run writes none"},
    ForeignName{"dryrun", "--dry-run"},
    ForeignName{"sep", "--delimiter C"},
    ForeignName{"separator", "--delimiter C"},
    ForeignName{"delim", "--delimiter C"},
    ForeignName{"quotechar", "--quote C"},
    ForeignName{"quote_char", "--quote C"},
    ForeignName{"escapechar", "--escape C"},
    ForeignName{"escape_char", "--escape C"},
    ForeignName{"skiprows", "--skip-lines N"},
    ForeignName{"skip_rows", "--skip-lines N"},
    ForeignName{"header", "--no-header where the first line is a row"},
    ForeignName{"force", "--overwrite (only for folders; a file is replaced without it)"},
    ForeignName{"verbose", "--progress plain (a line every 30 s)"},
    ForeignName{"type", "--kind KIND or --format NAME"},
    // Resources
    ForeignName{"jobs", kThreads},
    ForeignName{"workers", kThreads},
    ForeignName{"num_proc", kThreads},
    ForeignName{"num_workers", kThreads},
    ForeignName{"n_jobs", kThreads},
    ForeignName{"np", kThreads},
    ForeignName{"processes", kThreads},
    ForeignName{"cache_dir", kScratch},
    ForeignName{"cache_path", kScratch},
    ForeignName{"work_dir", kScratch},
    ForeignName{"working_dir", kScratch},
    ForeignName{"storage_dir", kScratch},
    ForeignName{"batch_size", "not needed: --memory SIZE bounds the run"},
};

// One-letter options of other tools.
struct Letter {
  char letter;
  Text hint;
};

constexpr std::array kLetters = {
    Letter{'v', "sosie --version prints the version; --progress plain shows what a run does"},
    Letter{'V', "sosie --version prints the version"},
    Letter{'j', "use --threads N"},
    Letter{'n', "use --dry-run, or --top K"},
    Letter{'k', "use --shingle words:K or chars:K, or --top K"},
    Letter{'t', "use --threshold S, or --threads N"},
    Letter{'c', "use --column FIELD"},
    Letter{'i', "name files and folders without an option"},
    Letter{'f', "use --format NAME, or --overwrite"},
};

// Options of other verbs, and their equivalents in this one.
struct OtherVerb {
  Text option;
  VerbBit verb;
  Text hint;
};
constexpr std::array kOtherVerbs = {
    OtherVerb{"threshold", kLink, "--cut P is the lowest probability of a link"},
    OtherVerb{"within", kLink, "--cut P is the lowest probability of a link"},
    OtherVerb{"column", kLink,
              "--ignore FIELD,... leaves fields out; a --rules file names the fields to compare"},
};

// True if the first option named in a hint exists; some hints mention options of later versions.
bool is_built(Text hint) {
  if (!hint.starts_with("--")) return true;
  const Text name = hint.substr(2, hint.find_first_of(" ,", 2) - 2);
  return find_option(name) != nullptr;
}

// Treats "jaccard-threshold" and "jaccard_threshold" as the same name.
bool same_name(Text written, Text theirs) noexcept {
  return std::equal(written.begin(), written.end(), theirs.begin(), theirs.end(),
                    [](char a, char b) { return (a == '-' ? '_' : a) == b; });
}

// Recognizes "on_bad_row", as in Python, as --on-bad-row.
const OptionRow* with_hyphens(Text name) noexcept {
  for (const OptionRow& row : option_table()) {
    if (std::equal(name.begin(), name.end(), row.name.begin(), row.name.end(),
                   [](char a, char b) { return (a == '_' ? '-' : a) == b; })) {
      return &row;
    }
  }
  return nullptr;
}

Text nearest_option(std::string_view name, VerbBit verb) {
  std::vector<Text> names;
  for (const OptionRow& row : option_table()) {
    if (has_any(row.verbs, verb)) names.push_back(row.name);
  }
  return nearest_name(name, names);
}

}  // namespace

std::string option_hint(std::string_view name, VerbBit verb) {
  if (const OptionRow* row = with_hyphens(name); row != nullptr && has_any(row->verbs, verb)) {
    return fmt::format("did you mean --{}?", row->name);
  }
  for (const OtherVerb& other : kOtherVerbs) {
    if (same_name(name, other.option) && other.verb == verb) return std::string(other.hint);
  }
  for (const ForeignName& foreign : kForeignNames) {
    if (same_name(name, foreign.theirs) && is_built(foreign.ours)) {
      return (foreign.ours.starts_with("--") ? "use " : "") + std::string(foreign.ours);
    }
  }
  for (const Letter& letter : kLetters) {
    if (name.size() == 1 && name.front() == letter.letter) return std::string(letter.hint);
  }
  const Text nearest = nearest_option(name, verb);
  return nearest.empty() ? std::string{} : fmt::format("did you mean --{}?", nearest);
}

}  // namespace sosie
