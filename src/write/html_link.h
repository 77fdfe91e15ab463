#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Contents of the page of `link --report`. Texts are as they stand in the data; the page escapes
// them.
namespace sosie {

// Pairs of scores in [first + i · width, first + (i + 1) · width), by i; the last bin has its end.
struct LinkBins {
  struct Bin {
    std::uint64_t pairs = 0;  // candidates
    std::uint64_t links = 0;  // links among these
  };
  double first = 0;
  double width = 1;
  std::vector<Bin> bins;
};

// Estimated quality of the links by one method.
struct LinkPageEstimate {
  struct Band {
    double high = 0;
    double low = 0;
    double true_part = 0;
  };
  std::string method;
  std::string refusal;       // empty: the estimate holds
  bool knows_recall = true;  // false: precision alone is known
  double matches = 0;
  std::string interval;  // "2,190 to 2,240", or nothing
  double precision = 1;
  double recall = 1;
  double f1 = 1;
  std::optional<double> cut;  // the cut with the largest F1 by this method
  std::vector<Band> bands;    // by descending score
};

// Quality by --truth, and where true pairs were lost.
struct LinkPageTruth {
  struct Step {
    std::string name;
    std::uint64_t pairs = 0;
    std::string examples;
  };
  std::uint64_t true_pairs = 0;
  double precision = 1;
  double recall = 1;
  double f1 = 1;
  std::vector<Step> lost;
};

struct LinkPageLevel {
  std::string field;  // empty: the field above
  std::string level;
  double m = 0;  // share among matches
  double u = 0;  // share among other pairs
  double bits = 0;
};

struct LinkPageRule {
  std::string name;
  std::uint64_t pairs = 0;
  std::uint64_t only = 0;        // that no other rule found
  std::uint64_t only_links = 0;  // links among these
  std::uint64_t largest_block = 0;
  std::string blocks;  // on blocks that are too large, or nothing
};

// A pair in full: its values, and how they sum up.
struct LinkPagePair {
  struct Field {
    std::string name;
    std::string left;  // empty: missing
    std::string right;
    std::string level;
    std::optional<double> bits;
  };
  std::string why;  // it is shown: "weakest link"
  std::string left;
  std::string right;
  std::string rules;
  double score = 0;
  double probability = -1;  // below 0: not known
  std::vector<Field> fields;
};

struct LinkPage {
  struct Total {
    std::string name;
    std::string value;
    std::string remark;
  };
  std::vector<Total> totals;
  std::vector<std::string> notes;
  bool has_odds = true;  // scores are bits
  bool are_groups = false;
  std::optional<double> cut;  // none: no pair reaches it
  std::string cut_text;       // "probability 0.874, as asked for"
  LinkBins bins;
  std::vector<LinkPageEstimate> estimates;
  std::vector<std::string> low_confidence;  // reasons; empty: none
  std::string next_step;                    // advice where confidence is low
  std::optional<LinkPageTruth> truth;
  std::string method;  // "fellegi-sunter: the fields are short"
  std::vector<LinkPageLevel> weights;
  std::vector<LinkPageRule> rules;
  std::vector<LinkPagePair> pairs;
  std::string rules_text;
  std::string command;
  std::vector<std::string> data;  // names of the inputs
  std::string resources;          // date, time and memory, which differ from run to run
  std::string version;
};

// The page (html_page.h). Its size is bounded by the numbers of fields, rules and shown pairs.
[[nodiscard]] std::string html_link_page(const LinkPage& page);

// Pairs by their scores as bars, with the estimated true part of each score over them, as an inline
// SVG. Bars stand for logarithms of counts.
[[nodiscard]] std::string score_chart(const LinkPage& page);

// Letter of the line of the i-th estimate: 'a', 'b' ...
[[nodiscard]] char line_letter(std::size_t i) noexcept;

}  // namespace sosie
