#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "corpus/rows/shingled_text.h"
#include "data/explained_line.h"
#include "data/measure.h"
#include "data/padded_bytes.h"
#include "join/sets/candidate_sketch.h"
#include "report/copied_passages.h"
#include "report/explained_diff.h"

namespace sosie {

// A dedup run's decision on a row.
struct Fate {
  enum class Kind : std::uint8_t {
    kept,
    removed_as_identical,
    removed_as_near,
    unmatched,
    of_other  // an item of --against, which is neither kept nor removed
  } kind = Kind::kept;
  std::string survivor;     // survivor of a removed row: "left", "right", or an id
  double similarity = 1;    // to the survivor
  std::uint64_t group = 1;  // number of rows in a kept row's group, including itself
  bool for_other = false;   // the survivor is an item of --against

  [[nodiscard]] bool is_kept() const noexcept {
    return kind == Kind::kept || kind == Kind::unmatched;
  }
  [[nodiscard]] bool is_removed() const noexcept {
    return kind == Kind::removed_as_identical || kind == Kind::removed_as_near;
  }
};

// An item with all of its hashes (--all).
struct ItemInFull {
  struct Band {
    std::string key;
    std::vector<RowId> rows;         // rows in the item's bucket, including itself
    std::vector<std::string> shown;  // names of the first few other rows
  };
  std::string part;  // noun for its parts: "shingle", "component"
  std::vector<std::string> parts;
  std::string signature_name;  // "signature" of minhashes, "sketch" of bits
  std::string signature;       // empty: none
  std::vector<Band> bands;
};

struct ExplainedItem {
  std::string id;
  std::string place;         // "people.jsonl:17"
  std::uint64_t tokens = 0;  // 0 for a set without its text
  std::uint64_t shingles = 0;
  std::uint64_t elements = 0;  // distinct elements of a bag, if its text is available
  std::vector<ExampleShingle> only_here;
  Fate fate;
  std::optional<ItemInFull> full;
};

// Two texts and their words, which refer to these texts.
struct ComparedTexts {
  PaddedBytes left;
  PaddedBytes right;
  std::vector<SpelledWord> left_words;
  std::vector<SpelledWord> right_words;
};

// --contained: which row contains the other one, if any; the contained one must be from --against.
enum class Holder : std::uint8_t { not_asked, neither, left, right };

// All facts about two rows that `sosie explain` shows.
struct Explanation {
  ExplainedItem left;
  ExplainedItem right;
  Overlap overlap;
  std::vector<ExampleShingle> in_both;
  std::string measure;
  double similarity = 0;  // or distance
  bool is_similarity = true;
  bool is_count = false;  // distances are whole numbers
  ExactSimilarity fraction = {};
  bool has_nothing = false;  // one of the two has nothing to compare: no value is shown
  bool reaches = false;      // the threshold
  Holder holder = Holder::not_asked;
  std::string threshold;      // threshold as written
  std::string shingle;        // "words:5"
  std::string tokens;         // "ascii"
  std::string token_name;     // "words"
  std::string part;           // noun for the sets' elements: "shingle", "element",
                              // "occurrence"
  bool of_text = true;        // otherwise sets, bags or items described by lines
  std::string item = "text";  // "set", "vector", "bit string", "string"
  std::string nothing = "a text without a shingle";  // an item with nothing to compare
  std::vector<ExplainedLine> lines;  // about items in memory, instead of shared elements
  bool is_candidate = true;          // true if the run compares the two
  bool of_bags = false;
  bool same_row = false;
  bool has_fates = true;   // false: no run decides on the two
  bool same_text = false;  // after normalisation
  // lsh: agreement of the two sketches; empty for brute force and for texts without shingles.
  std::optional<SketchAgreement> agreement;
  bool finds_every_pair = false;
  bool compares_every_pair = false;
  BandingPlan plan;
  std::uint64_t cut_off_words = 0;             // words after which the diff ends; 0: none
  std::shared_ptr<const ComparedTexts> texts;  // texts whose diff the page shows
  std::optional<CopiedPassages> passages;      // shown instead of the diff (--passages)

  [[nodiscard]] bool of_sets() const noexcept { return lines.empty(); }
  [[nodiscard]] std::string value_name() const { return is_similarity ? "similarity" : "distance"; }
};

// The page. Text from the data is escaped.
[[nodiscard]] std::string explanation_text(const Explanation& e, const TextStyle& style);

}  // namespace sosie
