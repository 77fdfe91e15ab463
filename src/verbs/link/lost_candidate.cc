// Explains why a candidate rule missed a pair of records.
#include "verbs/link/lost_candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "candidates/nearest_records.h"
#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/rational.h"
#include "corpus/items/record_fields.h"
#include "corpus/items/record_keys.h"
#include "corpus/shown_text.h"
#include "join/near_values.h"
#include "sosie/strings.h"
#include "verify/edit_pattern.h"
#include "verify/measures.h"

namespace sosie {
namespace {

// Maximum rank of a neighbour that is reported.
constexpr std::uint32_t kMostRank = 1000;

std::string field_names(const std::vector<std::uint32_t>& fields, const LinkRules& rules) {
  std::string names;
  for (const std::uint32_t f : fields) {
    if (!names.empty()) names += '&';
    names += rules.fields[f].name;
  }
  return names;
}

std::string rank_text(const NearestRecords& lists, std::uint32_t of, std::uint32_t other) {
  const auto found = lists.of(of);
  const auto at = std::find(found.begin(), found.end(), other);
  if (at != found.end()) return fmt::format("number {}", at - found.begin() + 1);
  return found.size() < kMostRank ? "not found" : fmt::format("beyond {}", kMostRank);
}

}  // namespace

std::string LostCandidate::reason(const CandidateRule& rule, std::uint32_t first,
                                  std::uint32_t second) const {
  if (rule.kind == CandidateRule::Kind::equal) return of_equal(rule, first, second);
  if (std::string lacking = lacks(rule, first, second); !lacking.empty()) return lacking;
  if (rule.kind == CandidateRule::Kind::sorted) return of_sorted(rule, first, second);
  const NearMeasure& near = rule.near;
  if (!near.has_bound() && (near.is_tfidf() || near.measure == "cosine")) {
    return of_nearest(rule, first, second);
  }
  std::string left;
  std::string right;
  join_text(table_, rule.fields, first, left);
  join_text(table_, rule.fields, second, right);
  return near.is_of_strings() ? of_strings(rule, left, right) : of_sets(rule, left, right);
}

// Says which record lacks all fields of a rule; empty if neither does.
std::string LostCandidate::lacks(const CandidateRule& rule, std::uint32_t first,
                                 std::uint32_t second) const {
  const auto has_none = [&](std::uint32_t record) {
    return std::all_of(rule.fields.begin(), rule.fields.end(), [&](std::uint32_t f) {
      return table_.columns[f].values[record] == RecordColumn::kMissing;
    });
  };
  const bool left = has_none(first);
  const bool right = has_none(second);
  if (!left && !right) return {};
  return fmt::format("no {} {}", field_names(rule.fields, rules_),
                     left && right ? "on either side"
                     : left        ? "on the left"
                                   : "on the right");
}

std::string LostCandidate::of_equal(const CandidateRule& rule, std::uint32_t first,
                                    std::uint32_t second) const {
  std::vector<std::string> reasons;
  for (const std::uint32_t field : rule.fields) {
    const CandidateRule alone{.kind = rule.kind, .fields = {field}};
    if (std::string lacking = lacks(alone, first, second); !lacking.empty()) {
      reasons.push_back(std::move(lacking));
      continue;
    }
    const std::vector<std::uint32_t> keys =
        equal_record_keys(table_, std::array{field}, rule.prefix);
    if (keys[first] != keys[second]) {
      reasons.push_back("different " + rules_.fields[field].name);
    }
  }
  if (!reasons.empty()) return joined_text(reasons, ", ");
  const std::vector<std::uint32_t> keys = equal_record_keys(table_, rule.fields, rule.prefix);
  return in_large_block(
      static_cast<std::uint64_t>(std::count(keys.begin(), keys.end(), keys[first])));
}

std::string LostCandidate::in_large_block(std::uint64_t records) const {
  return fmt::format(
      "in a block of {} records, more than {}: only its nearest pairs by the other "
      "fields are candidates",
      count_text(records), count_text(rules_.max_block));
}

std::string LostCandidate::of_sorted(const CandidateRule& rule, std::uint32_t first,
                                     std::uint32_t second) const {
  const std::vector<std::uint32_t> order = sorted_records(table_, rule.fields);
  const auto place = [&](std::uint32_t record) {
    return std::find(order.begin(), order.end(), record) - order.begin();
  };
  const auto apart = place(first) - place(second);
  return fmt::format(
      "{} apart in the order, more than {}",
      plural_text(static_cast<std::uint64_t>(apart < 0 ? -apart : apart), "place", "places"),
      rule.window);
}

std::string LostCandidate::of_nearest(const CandidateRule& rule, std::uint32_t first,
                                      std::uint32_t second) const {
  memory_.require(nearest_needs(table_, rule.fields, rule.top, pool_.size()).peak_bytes,
                  "neighbours");
  NearestRecords lists(joined_sets(table_, rule.fields, recipe_of(rule.near), pool_),
                       table_.across ? table_.left : 0, search_of(rule.near), pool_);
  lists.find(std::array{std::min(first, second), std::max(first, second)}, kMostRank, pool_);
  const auto is_near = [&](std::uint32_t of, std::uint32_t other) {
    const auto found = lists.of(of).first(std::min<std::size_t>(rule.top, lists.of(of).size()));
    return std::find(found.begin(), found.end(), other) != found.end();
  };
  if (is_near(first, second) || is_near(second, first)) {
    return fmt::format("among the {} nearest, but prune = {} skips the characters they share",
                       rule.top, rule.near.prune);
  }
  return fmt::format("not among the {} nearest: right is {} for left, left is {} for right",
                     rule.top, rank_text(lists, first, second), rank_text(lists, second, first));
}

std::string LostCandidate::of_strings(const CandidateRule& rule, const std::string& left,
                                      const std::string& right) const {
  const NearMeasure& near = rule.near;
  const EditMeasure measure = string_measure(near.measure)->edits;
  const std::uint32_t edits = EditQuery(measure, left).distance(right);
  const std::string apart = plural_text(edits, "edit", "edits") + " apart";
  if (near.within) {
    if (edits > *near.within) return fmt::format("{}, more than {}", apart, *near.within);
  } else {
    const EditBound bound{measure, true, 0, *parse_rational(near.threshold)};
    const auto length = [](const std::string& text) {
      return static_cast<std::uint32_t>(count_characters(text));
    };
    if (edits > bound.most_edits(length(left), length(right))) {
      return fmt::format("{}, a similarity of {:.6f}, below {}", apart,
                         bound.value(length(left), length(right), edits), near.threshold);
    }
  }
  return fmt::format(
      "{}, but too many records are near: only the nearest pairs of more than {} "
      "are candidates",
      apart, count_text(rules_.max_block));
}

std::string LostCandidate::of_sets(const CandidateRule& rule, const std::string& left,
                                   const std::string& right) const {
  const NearMeasure& near = rule.near;
  const Measure measure = set_measure_of(near);
  const std::array texts = {&left, &right};
  const HashedSets sets = shingle_texts(
      texts.size(), [&](std::uint32_t number, std::string& text) { text = *texts[number]; },
      recipe_of(near), pool_);
  const auto set = [&](std::size_t i) {
    return SetView(sets.hashes).subspan(sets.starts[i], sets.starts[i + 1] - sets.starts[i]);
  };
  const Overlap overlap = measure.overlap(set(0), set(1));
  const std::string value =
      fmt::format("a {} of {:.6f}", near.measure, measure.similarity(overlap));
  if (!near.threshold.empty() && !measure.reaches(overlap, *measure.threshold(near.threshold))) {
    return fmt::format("{}, below {}", value, near.threshold);
  }
  if (near.lsh)
    return fmt::format("{}, but lsh with recall {} missed the pair", value, near.recall);
  if (rule.top > 0) {
    return fmt::format("{}, not among the {} most similar of either", value, rule.top);
  }
  return fmt::format(
      "{}, but too many records are near: only the nearest pairs of more than {} "
      "are candidates",
      value, count_text(rules_.max_block));
}

}  // namespace sosie
