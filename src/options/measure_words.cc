// Values of options that have their own tables: kinds, measures, methods, families.
#include "options/measure_words.h"

#include <algorithm>
#include <array>

#include "candidates/generators.h"
#include "core/rational.h"
#include "data/kinds.h"
#include "data/method_name.h"
#include "sketch/hash_families.h"
#include "sosie/help.h"
#include "verify/measures.h"

namespace sosie {
namespace {

OptionWord word_of(std::string_view name) { return {std::string(name), {std::string(name)}}; }

template <typename Rows>
std::vector<OptionWord> words_of(const Rows& rows) {
  std::vector<OptionWord> words;
  words.reserve(rows.size());
  for (const auto& row : rows) words.push_back(word_of(row.name));
  return words;
}

OptionWord word_of(const MeasureRow& row) {
  if (row.parameters.empty()) return word_of(row.name);
  OptionWord word{row.shown_name(), {}};
  for (std::string_view rest = row.usual; !rest.empty();) {
    const std::string_view parameters = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), parameters.size() + 1));
    word.usual.push_back(std::string(row.name) + ":" + std::string(parameters));
  }
  return word;
}

// TABLE: names of string measures in other programs.
struct ForeignMeasure {
  std::string_view theirs;
  std::string_view ours;
};
constexpr std::array kForeignMeasures = {
    ForeignMeasure{"edit",
                   "levenshtein (insertions, deletions, replacements), or indel (without "
                   "replacements, the book's edit distance), both for --kind strings"},
    ForeignMeasure{"edit-distance", "levenshtein, or indel (without replacements)"},
    ForeignMeasure{"lcs", "indel (the sum of both lengths, less twice the common subsequence)"},
    ForeignMeasure{"ratio", "indel, with --threshold S"},
    ForeignMeasure{"damerau-levenshtein", "damerau, or osa (which edits no character twice)"},
    ForeignMeasure{"optimal-string-alignment", "osa"},
    ForeignMeasure{"tanimoto", "jaccard, with --kind bits"},
};

// True if a parameter is a number with more digits than allowed.
bool has_long_parameter(std::string_view typed) {
  for (std::size_t colon = typed.find(':'); colon != std::string_view::npos;
       colon = typed.find(',')) {
    typed.remove_prefix(colon + 1);
    const auto number = parse_bound(typed.substr(0, typed.find(',')), BoundSide::not_below);
    if (number && !number->is_whole) return true;
  }
  return false;
}

}  // namespace

std::string measure_hint(std::string_view typed) {
  std::string name(typed);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto* found =
      std::find_if(kForeignMeasures.begin(), kForeignMeasures.end(),
                   [&](const ForeignMeasure& measure) { return measure.theirs == name; });
  if (found != kForeignMeasures.end()) return "use " + std::string(found->ours);
  return has_long_parameter(typed)
             ? "a parameter must be a quotient of two whole numbers below 2^31, such as 2.5 or 1/3"
             : "";
}

std::vector<OptionWord> kind_words() { return words_of(kItemKinds); }
std::vector<OptionWord> family_words() { return words_of(hash_families()); }

std::vector<OptionWord> method_words() {
  std::vector<OptionWord> words;
  words.reserve(kMethods.size());
  for (const NamedMethod& named : kMethods) words.push_back(word_of(named.name));
  return words;
}

std::vector<OptionWord> measure_words() {
  std::vector<OptionWord> words;
  for (const MeasureRow& row : measure_table()) {
    const bool is_there = std::any_of(words.begin(), words.end(), [&](const OptionWord& word) {
      return word.shown == row.shown_name();
    });
    if (!is_there) words.push_back(word_of(row));
  }
  return words;
}

std::vector<std::string> shown_words(const std::vector<OptionWord>& words) {
  std::vector<std::string> shown;
  shown.reserve(words.size());
  for (const OptionWord& word : words) shown.push_back(word.shown);
  return shown;
}

std::vector<MeasureHelp> measure_help() {
  std::vector<MeasureHelp> lines;
  for (const MeasureRow& row : measure_table()) {
    MeasureHelp& line = lines.emplace_back();
    line.name = row.shown_name();
    for (const Kind& kind : kItemKinds) {
      if (!has_any(row.kinds, kind.bit)) continue;
      line.kinds += (line.kinds.empty() ? "" : ", ") + std::string(kind.name);
    }
    for (const Generator& generator : generators()) {
      if (!row.has_method(generator.method)) continue;
      line.methods +=
          (line.methods.empty() ? "" : ", ") + std::string(method_name(generator.method));
    }
    line.is_similarity = row.is_similarity;
    line.source = row.source;
  }
  return lines;
}

}  // namespace sosie
