#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/run_summary.h"

// Contents of the page of --report. Texts are as they stand in the data; the page escapes them.
namespace sosie {

// Which input's rows were removed against which input's survivors.
struct ReportFlow {
  std::vector<InputCounts> inputs;     // at most kReportInputs, then one for all others
  std::vector<std::uint64_t> removed;  // [removed row's input * inputs.size() + survivor's input]
};
inline constexpr std::size_t kReportInputs = 20;

// Axis of the measure's values for a removed row and its survivor: from `first`, the farthest, to
// `last`, the value of equal rows.
struct ReportAxis {
  double first = 0;
  double last = 1;

  // 0 for the first and 1 for the last; what lies outside is taken for the nearest end.
  [[nodiscard]] double position(double value) const noexcept {
    if (value == last || first == last) return 1;
    return std::clamp((value - first) / (last - first), 0.0, 1.0);
  }
  [[nodiscard]] double value(double position) const noexcept {
    return first + position * (last - first);
  }
};

// Near-duplicates removed by what the measure says of them and their survivor: bin i counts
// positions [i/100, (i+1)/100) of the axis, the last one exactly 1.
using SimilarityBins = std::array<std::uint64_t, 101>;

// Probabilities that banding finds a pair, at similarities i / (probabilities.size() - 1).
struct ReportCurve {
  std::string name;
  std::string banding;       // "14 x 8"; empty when every pair was compared
  std::string at_threshold;  // "92.35 %"
  double expected = 0;       // expected number of the near-duplicates removed here that would be
                             // found
  std::vector<double> probabilities;
};

// Groups of first to last rows.
struct ReportSizes {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t groups = 0;
  std::uint64_t rows = 0;
};

struct ReportRow {
  std::string id;
  std::string file;
  std::uint64_t row = 0;
};

inline constexpr std::uint64_t kReportMembers = 1000;  // rows of a group, at most

struct ReportCluster {
  ReportRow survivor;
  std::string line;         // first line of the survivor's text
  std::uint64_t bytes = 0;  // the survivor's, as it lies in its file
  bool of_against = false;  // the survivor is a row of --against
  std::uint64_t rows = 0;
  std::uint64_t identical = 0;
  std::uint64_t saved_bytes = 0;  // bytes of the removed rows
  struct Member {
    ReportRow row;
    std::uint64_t bytes = 0;
    double value = 0;  // the measure's, for it and the survivor
    bool identical = false;
  };
  std::vector<Member> members;  // removed rows, the first kReportMembers at most
  struct WeakestEdge {
    ReportRow removed;
    double similarity = 0;
  };
  std::optional<WeakestEdge> weakest;  // none when all rows are identical
  struct Component {                   // component of items that share buckets, nothing verified
    std::uint64_t rows = 0;
    std::uint64_t survivors = 0;  // rows in it that verification keeps
  };
  std::optional<Component> component;
};

// A run of words of one side of a pair.
struct DiffPart {
  enum class Kind : std::uint8_t { same, changed, left_out } kind = Kind::same;
  std::string text;         // words, joined by blanks; empty when left out
  std::uint64_t words = 0;  // in this part
};

// A field of a row, as it stands there.
struct ReportField {
  std::string name;
  std::string value;
};

struct ReportSide {
  ReportRow row;
  std::vector<ReportField> fields;  // fields of rows without a text
  std::uint64_t words = 0;          // in the whole text
  std::vector<DiffPart> parts;
};

struct ReportPair {
  double similarity = 0;     // or distance
  std::uint64_t shared = 0;  // shingles
  std::uint64_t united = 0;
  bool of_root = false;  // the similarity is shared / sqrt(united)
  ReportSide removed;
  ReportSide kept;
};

struct ReportParameter {
  std::string name;
  std::string value;
  bool is_default = true;
  std::string help;
  bool is_output = false;  // names a file to write, and decides nothing
};

// Words of a page about vectors or bit strings, which have no texts, shingles or words.
struct ItemWords {
  std::string items;  // "vectors"
  std::string value;  // "similarity" or "distance"
  bool is_similarity = true;
  std::string method;  // in words, with the recall
};

struct ReportPage {
  RunSummary summary;
  std::optional<ItemWords> measured;  // none of texts and sets
  ReportAxis axis;
  double threshold = 0;
  bool is_chained = false;  // groups are connected components of similar pairs
  ReportFlow flow;
  SimilarityBins bins{};
  std::vector<ReportCurve> curves;  // this run's, then others to compare with; or none
  std::vector<ReportSizes> sizes;
  std::vector<ReportCluster> clusters;
  std::vector<ReportPair> nearest;
  std::vector<ReportParameter> parameters;
  std::string command;  // a line for a shell that repeats the run
  std::string apply;    // a line that applies decisions.tsv of a review of the saved run
  std::string written;  // date and time; empty: not told
  std::string version;
  int recipe = 0;

  // Noun for the measure's value: "similarity" or "distance".
  [[nodiscard]] std::string_view value_name() const noexcept {
    return measured ? std::string_view(measured->value) : "similarity";
  }
};

}  // namespace sosie
