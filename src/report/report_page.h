#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/run_summary.h"

// Contents of the --report page. Texts are as in the data; the page escapes them.
namespace sosie {

// For each pair of inputs, the number of rows removed from one because of survivors in the other.
struct ReportFlow {
  std::vector<InputCounts> inputs;     // at most kReportInputs, then all others combined
  std::vector<std::uint64_t> removed;  // [removed row's input * inputs.size() + survivor's input]
};
inline constexpr std::size_t kReportInputs = 20;

// Axis for the measure's value between a removed row and its survivor: from `first`, the most
// distant value, to `last`, the value for equal rows.
struct ReportAxis {
  double first = 0;
  double last = 1;

  // 0 for the first value and 1 for the last; values outside are clamped.
  [[nodiscard]] double position(double value) const noexcept {
    if (value == last || first == last) return 1;
    return std::clamp((value - first) / (last - first), 0.0, 1.0);
  }
  [[nodiscard]] double value(double position) const noexcept {
    return first + position * (last - first);
  }
};

// Removed near-duplicates by the measure's value between them and their survivors. Bin i counts
// positions [i/100, (i+1)/100) on the axis; the last bin counts exactly 1.
using SimilarityBins = std::array<std::uint64_t, 101>;

// The probabilities with which banding finds a pair with similarity i / (probabilities.size() - 1).
struct ReportCurve {
  std::string name;
  std::string banding;       // "14 x 8"; empty if every pair was compared
  std::string at_threshold;  // "92.35 %"
  double expected = 0;       // expected number of the near-duplicates removed here that would be
                             // found
  std::vector<double> probabilities;
};

// Groups with `first` to `last` rows.
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

inline constexpr std::uint64_t kReportMembers = 1000;  // maximum number of rows shown for a group

struct ReportCluster {
  ReportRow survivor;
  std::string line;         // first line of the survivor's text
  std::uint64_t bytes = 0;  // bytes of the survivor as stored in its file
  bool of_against = false;  // the survivor is a row of --against
  std::uint64_t rows = 0;
  std::uint64_t identical = 0;
  std::uint64_t saved_bytes = 0;  // bytes of the removed rows
  struct Member {
    ReportRow row;
    std::uint64_t bytes = 0;
    double value = 0;  // the measure's value for it and the survivor
    bool identical = false;
  };
  std::vector<Member> members;  // removed rows, at most the first kReportMembers
  struct WeakestEdge {
    ReportRow removed;
    double similarity = 0;
  };
  std::optional<WeakestEdge> weakest;  // empty if all rows are identical
  struct Component {                   // items connected by buckets, without verification
    std::uint64_t rows = 0;
    std::uint64_t survivors = 0;  // its rows that verification keeps
  };
  std::optional<Component> component;
};

// A run of words on one side of a pair.
struct DiffPart {
  enum class Kind : std::uint8_t { same, changed, left_out } kind = Kind::same;
  std::string text;         // words, joined by spaces; empty if left out
  std::uint64_t words = 0;  // in this part
};

// A field of a row, as in the input.
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
  bool is_output = false;  // names an output file and does not affect the result
};

// Words for a page about vectors or bit strings, which have no texts, shingles or words.
struct ItemWords {
  std::string items;  // "vectors"
  std::string value;  // "similarity" or "distance"
  bool is_similarity = true;
  std::string method;  // described in words, with the recall
};

struct ReportPage {
  RunSummary summary;
  std::optional<ItemWords> measured;  // empty for texts and sets
  ReportAxis axis;
  double threshold = 0;
  bool is_chained = false;  // groups are connected components of similar pairs
  ReportFlow flow;
  SimilarityBins bins{};
  std::vector<ReportCurve> curves;  // this run's curve, then others for comparison; may be empty
  std::vector<ReportSizes> sizes;
  std::vector<ReportCluster> clusters;
  std::vector<ReportPair> nearest;
  std::vector<ReportParameter> parameters;
  std::string command;  // a shell command that reproduces the run
  std::string apply;    // a command that applies decisions.tsv of a review
  std::string written;  // date and time; empty: not shown
  std::string version;
  int recipe = 0;

  // The noun for the measure's value: "similarity" or "distance".
  [[nodiscard]] std::string_view value_name() const noexcept {
    return measured ? std::string_view(measured->value) : "similarity";
  }
};

}  // namespace sosie
