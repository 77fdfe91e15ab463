// Finds members of families among matches: pairs that differ in several fields together.
#include "plan/match_families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace sosie {
namespace {

constexpr double kFewestPairs = 10;
constexpr double kLeastPart = 0.05;    // part of the matches that differ, and that agree
constexpr double kNearlyAlways = 0.8;  // part of these in which the other field differs, too
constexpr double kLeastCorrelation = 0.5;
constexpr double kGoodPart = 0.1;
constexpr double kMostPart = 0.65;
constexpr double kTellingBits = 3;  // that an equal value says, on average of all pairs
constexpr std::size_t kMostTelling = 20;

// Matches, counted by agreement in one field and in another.
struct Agreements {
  std::array<std::array<double, 2>, 2> pairs{};

  [[nodiscard]] double of_first(std::size_t agrees) const {
    return pairs[agrees][0] + pairs[agrees][1];
  }
  [[nodiscard]] double of_second(std::size_t agrees) const {
    return pairs[0][agrees] + pairs[1][agrees];
  }
  [[nodiscard]] bool are_of_families() const {
    const double all = of_first(0) + of_first(1);
    const double most = std::max(of_first(0), of_second(0));
    const double least = std::min({of_first(0), of_second(0), of_first(1), of_second(1)});
    return least >= kFewestPairs && least >= kLeastPart * all &&
           pairs[0][0] >= kNearlyAlways * most && correlation() >= kLeastCorrelation;
  }
  [[nodiscard]] double together() const { return pairs[0][0] / (of_first(0) + of_first(1)); }
  // In fields that differ in most matches, differences need not be related.
  [[nodiscard]] bool are_of_households() const {
    return pairs[0][0] >= kFewestPairs && together() >= kGoodPart &&
           (together() >= kMostPart || are_of_families());
  }
  // Correlation, from -1 to 1.
  [[nodiscard]] double correlation() const {
    return (pairs[1][1] * pairs[0][0] - pairs[1][0] * pairs[0][1]) /
           std::sqrt(of_first(0) * of_first(1) * of_second(0) * of_second(1));
  }
};

// Fields whose equal values carry much information, most informative first.
std::vector<std::size_t> telling_fields(const LevelPatterns& candidates,
                                        std::span<const double> matches, const LevelBits& bits) {
  std::vector<double> filled(bits.size());
  double all = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    all += matches[i];
    for (std::size_t f = 0; f < bits.size(); ++f)
      filled[f] += candidates[i][f] > 0 ? matches[i] : 0;
  }
  std::vector<std::pair<double, std::size_t>> order;  // negative bits, to be ascending
  for (std::size_t f = 0; f < bits.size(); ++f) {
    const double of_field = bits[f].back() * filled[f] / std::max(all, 1.0);
    if (of_field >= kTellingBits) order.emplace_back(-of_field, f);
  }
  std::sort(order.begin(), order.end());
  if (order.size() > kMostTelling) order.resize(kMostTelling);
  std::vector<std::size_t> fields;
  fields.reserve(order.size());
  for (const auto& [minus, f] : order) fields.push_back(f);
  return fields;
}

// Agreements of any two informative fields: for positions i < j, at [i][j].
std::vector<std::vector<Agreements>> agreements_of(const LevelPatterns& candidates,
                                                   std::span<const double> matches,
                                                   const std::vector<std::size_t>& telling,
                                                   const LevelBits& bits) {
  constexpr double kHardlyAny = 1e-9;
  std::vector<std::vector<Agreements>> found(telling.size(),
                                             std::vector<Agreements>(telling.size()));
  std::vector<std::pair<std::size_t, std::size_t>> seen;  // positions, and whether they agree
  for (std::size_t row = 0; row < candidates.size(); ++row) {
    if (matches[row] < kHardlyAny) continue;
    seen.clear();
    for (std::size_t i = 0; i < telling.size(); ++i) {
      const double said = bits[telling[i]][candidates[row][telling[i]]];
      if (said != 0) seen.emplace_back(i, said > 0 ? 1 : 0);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (std::size_t j = i + 1; j < seen.size(); ++j) {
        found[seen[i].first][seen[j].first].pairs[seen[i].second][seen[j].second] += matches[row];
      }
    }
  }
  return found;
}

// Calls each(fields, agreements) for any two informative fields.
template <typename Each>
void for_each_telling_pair(const LevelPatterns& candidates, std::span<const double> matches,
                           const LevelBits& bits, const Each& each) {
  const std::vector<std::size_t> telling = telling_fields(candidates, matches, bits);
  const auto agreements = agreements_of(candidates, matches, telling, bits);
  for (std::size_t i = 0; i < telling.size(); ++i) {
    for (std::size_t j = i + 1; j < telling.size(); ++j) {
      const FieldPair fields{std::min(telling[i], telling[j]), std::max(telling[i], telling[j])};
      each(fields, agreements[i][j]);
    }
  }
}

bool is_telling(const LevelBits& bits, std::size_t field) {
  return bits[field].back() >= kTellingBits;
}

// True for a pair that differs in this field and agrees in all other informative fields that have
// values, at least two of them.
bool differs_alone(std::span<const std::uint8_t> levels, std::size_t field, const LevelBits& bits) {
  constexpr std::size_t kFewestOthers = 2;
  if (bits[field][levels[field]] >= 0) return false;
  std::size_t agreeing = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    if (f == field || levels[f] == 0 || !is_telling(bits, f)) continue;
    if (bits[f][levels[f]] <= 0) return false;
    ++agreeing;
  }
  return agreeing >= kFewestOthers;
}

}  // namespace

std::optional<FieldPair> fields_of_families(const LevelPatterns& candidates,
                                            std::span<const double> matches,
                                            const LevelBits& bits) {
  const std::vector<std::size_t> telling = telling_fields(candidates, matches, bits);
  const std::size_t count = telling.size();
  const auto agreements = agreements_of(candidates, matches, telling, bits);
  std::vector<std::vector<bool>> go_together(count, std::vector<bool>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      go_together[i][j] = go_together[j][i] = agreements[i][j].are_of_families();
    }
  }
  const auto has_third = [&](std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < count; ++k) {
      if (go_together[i][k] && go_together[j][k]) return true;
    }
    return false;
  };
  std::optional<FieldPair> found;
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const double said = bits[telling[i]].back() + bits[telling[j]].back();
      if (said <= most || !go_together[i][j] || !has_third(i, j)) continue;
      most = said;
      found = FieldPair{std::min(telling[i], telling[j]), std::max(telling[i], telling[j])};
    }
  }
  return found;
}

std::vector<FieldPair> fields_that_differ_together(const LevelPatterns& candidates,
                                                   std::span<const double> matches,
                                                   const LevelBits& bits) {
  std::vector<FieldPair> pairs;
  for_each_telling_pair(candidates, matches, bits,
                        [&](const FieldPair& fields, const Agreements& agreements) {
                          if (agreements.are_of_families()) pairs.push_back(fields);
                        });
  return pairs;
}

std::vector<DifferingFields> fields_of_households(const LevelPatterns& candidates,
                                                  std::span<const double> matches,
                                                  const LevelBits& bits) {
  std::vector<DifferingFields> found;
  for_each_telling_pair(candidates, matches, bits,
                        [&](const FieldPair& fields, const Agreements& agreements) {
                          if (agreements.are_of_households())
                            found.push_back({fields, agreements.together()});
                        });
  return found;
}

std::vector<double> parts_that_differ_alone(const LevelPatterns& candidates,
                                            std::span<const double> matches,
                                            const LevelBits& bits) {
  const double all = std::accumulate(matches.begin(), matches.end(), 0.0);
  std::vector<double> parts(bits.size());
  for (const std::size_t field : telling_fields(candidates, matches, bits)) {
    double alone = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (differs_alone(candidates[i], field, bits)) alone += matches[i];
    }
    if (alone >= kFewestPairs) parts[field] = alone / all;
  }
  return parts;
}

std::optional<std::size_t> field_that_differs_alone(const std::vector<double>& parts,
                                                    const std::vector<bool>& may_tell) {
  constexpr double kGoodPartAlone = 0.15;
  std::optional<std::size_t> found;
  double most = kGoodPartAlone;
  for (std::size_t field = 0; field < parts.size(); ++field) {
    if (!may_tell[field] || parts[field] < most) continue;
    most = parts[field];
    found = field;
  }
  return found;
}

std::vector<bool> recurring_fields(const LevelPatterns& random, std::span<const double> weights,
                                   const LevelBits& bits) {
  constexpr double kLeastShare = 1.0 / 2000;
  std::vector<double> equal(bits.size());
  double strangers = 0;
  for (std::size_t i = 0; i < random.size(); ++i) {
    std::size_t agreeing = 0;
    std::size_t last = 0;
    for (std::size_t f = 0; f < bits.size(); ++f) {
      if (!is_telling(bits, f) || bits[f][random[i][f]] <= 0) continue;
      ++agreeing;
      last = f;
    }
    if (agreeing > 1) continue;
    strangers += weights[i];
    if (agreeing == 1 && random[i][last] + 1U == bits[last].size()) equal[last] += weights[i];
  }
  std::vector<bool> recurring(bits.size());
  for (std::size_t f = 0; f < bits.size(); ++f) {
    recurring[f] = strangers > 0 && equal[f] >= kLeastShare * strangers;
  }
  return recurring;
}

bool differ_together(std::span<const std::uint8_t> levels, const FieldPair& fields,
                     const LevelBits& bits) {
  const double first = bits[fields.first][levels[fields.first]];
  const double second = bits[fields.second][levels[fields.second]];
  return std::max(first, second) <= 0 && std::min(first, second) < 0;
}

}  // namespace sosie
