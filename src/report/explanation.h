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

// The decision on a row in the dedup run.
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
  std::uint64_t group = 1;  // rows in a kept row's group, including itself
  bool for_other = false;   // the survivor is an item of --against

  [[nodiscard]] bool is_kept() const noexcept {
    return kind == Kind::kept || kind == Kind::unmatched;
  }
  [[nodiscard]] bool is_removed() const noexcept {
    return kind == Kind::removed_as_identical || kind == Kind::removed_as_near;
  }
};

// An item with its complete hashes (--all).
struct ItemInFull {
  struct Band {
    std::string key;
    std::vector<RowId> rows;         // rows in the item's bucket, including itself
    std::vector<std::string> shown;  // names of the first few of the others
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

// Two texts, and their words, which refer to the texts.
struct ComparedTexts {
  PaddedBytes left;
  PaddedBytes right;
  std::vector<SpelledWord> left_words;
  std::vector<SpelledWord> right_words;
};

// --contained: which of the two rows may contain the other one, an item of --against.
enum class Holder : std::uint8_t { not_asked, neither, left, right };

// All facts that `sosie explain` shows about two rows.
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
  bool of_text = true;        // else sets, bags or items described by lines
  std::string item = "text";  // "set", "vector", "bit string", "string"
  std::string nothing = "a text without a shingle";  // an item with nothing to compare
  std::vector<ExplainedLine> lines;  // on items in memory, instead of shared elements
  bool is_candidate = true;          // true if the run compares the two
  bool of_bags = false;
  bool same_row = false;
  bool has_fates = true;   // false: no run decides on the two
  bool same_text = false;  // after normalisation
  // lsh: agreement of the two sketches; empty for brute and for texts without a shingle.
  std::optional<SketchAgreement> agreement;
  bool finds_every_pair = false;
  bool compares_every_pair = false;
  BandingPlan plan;
  std::uint64_t cut_off_words = 0;             // number of words covered by the diff; 0: all
  std::shared_ptr<const ComparedTexts> texts;  // texts whose diff the page shows
  std::optional<CopiedPassages> passages;      // shown instead of the diff (--passages)

  [[nodiscard]] bool of_sets() const noexcept { return lines.empty(); }
  [[nodiscard]] std::string value_name() const { return is_similarity ? "similarity" : "distance"; }
};

// The page. Text from the data is escaped.
[[nodiscard]] std::string explanation_text(const Explanation& e, const TextStyle& style);

}  // namespace sosie
