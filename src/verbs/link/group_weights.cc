// Detects groups that were made with weights other than those in --model (--assign groups).
#include "verbs/link/group_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/written_number.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kMostPairsSeen = 1000;
constexpr std::size_t kFewestPairs = 5;
constexpr double kCertain = 0.9999;  // above this probability, most models agree
constexpr double kTolerance = 0.02;  // a spreadsheet may have dropped digits

std::optional<double> told_probability(const RecordColumn& column, std::uint32_t row) {
  const auto number = written_number(column.text_of(row));
  return number ? std::optional<double>(static_cast<double>(*number)) : std::nullopt;
}

// Pairs of older rows that are a complete group and have the same probability.
std::vector<RecordPair> pairs_of_two(const OlderGroups& groups) {
  std::uint32_t count = 0;
  for (const std::uint32_t group : groups.group_of) count = std::max(count, group + 1);
  std::vector<std::uint32_t> sizes(count);
  for (const std::uint32_t group : groups.group_of) ++sizes[group];
  std::vector<std::uint32_t> first(count, ~std::uint32_t{0});
  std::vector<RecordPair> pairs;
  const std::vector<std::uint32_t>& values = groups.probability.values;
  for (std::uint32_t row = 0; row < groups.group_of.size() && pairs.size() < kMostPairsSeen;
       ++row) {
    const std::uint32_t group = groups.group_of[row];
    if (sizes[group] != 2 || values[row] == RecordColumn::kMissing) continue;
    if (first[group] == ~std::uint32_t{0}) {
      first[group] = row;
    } else if (values[first[group]] == values[row]) {
      pairs.push_back({first[group], row});
    }
  }
  return pairs;
}

// True if the levels of a field depend on the other records.
bool has_moving_levels(const LinkRules& rules) {
  return std::any_of(rules.fields.begin(), rules.fields.end(), [](const LinkField& field) {
    const FieldMeasure measure = field.comparison.measure;
    return field.is_compared &&
           (measure == FieldMeasure::tfidf || measure == FieldMeasure::nearness);
  });
}

}  // namespace

void check_group_weights(const OlderGroups& groups, const RecordLinker& linker,
                         const LinkRules& rules, const std::string& model) {
  if (has_moving_levels(rules)) return;
  std::size_t compared = 0;
  std::size_t other = 0;
  for (const RecordPair& pair : pairs_of_two(groups)) {
    const auto told = told_probability(groups.probability, pair.left);
    if (!told) continue;
    const double found = linker.probability(groups.fresh + pair.left, groups.fresh + pair.right);
    if (std::min(*told, found) > kCertain) continue;
    ++compared;
    other += std::abs(*told - found) > kTolerance ? 1 : 0;
  }
  if (compared < kFewestPairs || 2 * other <= compared) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"model", model},
              fmt::format("was not made with {}: the probabilities of {} of {} pairs differ there",
                          groups.file, other, compared),
              "name the model written by the run that made the groups");
}

}  // namespace sosie
