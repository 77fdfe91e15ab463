#include <gtest/gtest.h>

#include <string>

#include "sosie/options.h"

namespace sosie {
namespace {

TEST(OptionHint, KnowsWhatOtherToolsCallIt) {
  const std::vector<std::pair<const char*, const char*>> known = {
      {"num_perm", "--recall"},               // datasketch, text-dedup, rensa
      {"params", "--bands"},                  // datasketch
      {"weights", "--recall"},                // datasketch
      {"ngram", "--shingle words:N"},         // text-dedup
      {"min_length", "not needed"},           // text-dedup
      {"num_proc", "--threads"},              // text-dedup
      {"batch_size", "--memory"},             // text-dedup
      {"n_grams", "--shingle words:N"},       // datatrove
      {"num_buckets", "--bands"},             // datatrove, NeMo Curator, duplodocus
      {"hashes_per_bucket", "--bands"},       // datatrove, NeMo Curator
      {"char_ngrams", "--shingle chars:N"},   // NeMo Curator
      {"minhashes_per_band", "--bands"},      // NeMo Curator
      {"jaccard_threshold", "--threshold"},   // NeMo Curator, data-juicer
      {"false_positive_check", "verified"},   // NeMo Curator
      {"text_field", "--column"},             // NeMo Curator
      {"id_field", "--id"},                   // NeMo Curator
      {"num_bands", "--bands"},               // rensa, NeMo Curator
      {"columns", "--column"},                // SemHash
      {"use_ann", "--method"},                // SemHash
      {"window_size", "--shingle"},           // data-juicer
      {"lowercase", "--tokens"},              // data-juicer
      {"ngram_length", "--shingle words:N"},  // dolma
      {"processes", "--threads"},             // dolma
      {"dryrun", "--dry-run"},                // dolma
      {"bucket_size", "--bands"},             // duplodocus
      {"ngram_size", "--shingle words:N"},    // duplodocus
      {"storage-dir", "--scratch"},           // duplodocus
      {"jaccard-threshold", "--threshold"}};  // '-' is equivalent to '_'
  for (const auto& [theirs, ours] : known) {
    EXPECT_NE(option_hint(theirs, kDedup).find(ours), std::string::npos)
        << theirs << ": " << option_hint(theirs, kDedup);
  }
}

TEST(OptionHint, KnowsWhatDoesTheWorkInAnotherVerb) {
  EXPECT_NE(option_hint("threshold", kLink).find("--cut"), std::string::npos);
  EXPECT_NE(option_hint("column", kLink).find("--ignore"), std::string::npos);
}

TEST(OptionHint, ReadsPythonNames) {
  EXPECT_EQ(option_hint("on_bad_row", kDedup), "did you mean --on-bad-row?");
  EXPECT_EQ(option_hint("top_pairs", kPairs), "did you mean --top-pairs?");
}

TEST(OptionHint, DoesNotTakeALetterForAnotherOption) {
  EXPECT_NE(option_hint("v", kDedup).find("--version"), std::string::npos);
  EXPECT_NE(option_hint("j", kDedup).find("--threads"), std::string::npos);
  for (const char* name : {"x", "y", "xy", "size", "all"}) {
    EXPECT_EQ(option_hint(name, kDedup), "") << name;
  }
}

TEST(OptionHint, HintsNameOptionsThatExist) {
  for (const char* theirs :
       {"num_perm", "num_bands", "ngram", "char_ngram", "tokenizer", "eps", "text_key", "id_key",
        "input_filetype", "exclusion_writer", "save_cluster_id", "perform_removal", "n_jobs",
        "work_dir", "random_seed", "use_ann", "output_dir", "batch_size"}) {
    const std::string hint = option_hint(theirs, kDedup);
    const std::size_t start = hint.find("--") + 2;
    const std::size_t end = hint.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", start);
    EXPECT_NE(find_option(hint.substr(start, end - start)), nullptr) << theirs << ": " << hint;
  }
}

}  // namespace
}  // namespace sosie
