// Writes pairs for a person to label.
#include "verbs/link/suggest_links.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/mix64.h"
#include "decide/suggest_pairs.h"
#include "verbs/link/label_strata.h"

namespace sosie {
namespace {

constexpr std::uint64_t kSuggestSeed = 1;
constexpr double kDoubt = 0.05;  // possible error of a model, relative to the distance from 1/2
// Pairs with a lower probability teach nothing, unless they are the best pair of a record.
constexpr double kLeastAsked = 1e-4;

std::uint64_t hash_of(const RecordPair& pair) {
  return mix64(std::uint64_t{pair.left} << 32 | pair.right);
}

// Pairs that a person may be asked to label, with their descriptions.
struct AskableLinks {
  std::vector<CandidateLink> links = {};
  std::vector<AskablePair> pairs = {};
};

class SuggestionPool {
 public:
  SuggestionPool(const LinkDecisionTask& task, const LinkDecision& decision)
      : task_(task), decision_(decision) {}

  // Scored pairs and, with groups, up to `most` pairs within groups that were never scored.
  [[nodiscard]] AskableLinks all(std::uint64_t most) {
    const std::vector<Standing> standings = standings_of(decision_, task_.inputs.table);
    for (std::size_t i = 0; i < standings.size(); ++i) {
      const CandidateLink& link = decision_.scored()[i];
      const double p = link.link.probability;
      if (p < kLeastAsked && standings[i] == Standing::beside) continue;
      add(link, LabelStrata::stratum_of(p, standings[i]), 1,
          standings[i] == Standing::beside ? 0 : kDoubt);
    }
    if (!task_.inputs.table.across) add_unscored(most);
    return std::move(pool_);
  }

 private:
  void add(const CandidateLink& link, std::size_t stratum, double weight, double doubt) {
    const RecordPair pair = link.link.pair();
    if (task_.linker.pair_rules().is_known(pair)) return;
    std::uint64_t kind = 0;
    for (const std::uint8_t level : task_.linker.comparer().levels(pair.left, pair.right)) {
      kind = mix64(kind * 64 + level + 1);
    }
    pool_.links.push_back(link);
    pool_.pairs.push_back({link.link.probability, stratum, kind, hash_of(pair), weight, doubt});
  }

  // Samples pairs within groups uniformly and keeps those that were never scored.
  void add_unscored(std::uint64_t most) {
    constexpr std::uint64_t kDrawsOfPair = 20;
    const std::span<const std::uint32_t> first = decision_.first_of_group();
    std::vector<std::vector<std::uint32_t>> members(first.size());
    for (std::uint32_t record = 0; record < first.size(); ++record) {
      members[first[record]].push_back(record);
    }
    std::vector<std::uint64_t> ends;  // pairs up to the end of each group
    std::erase_if(members, [](const auto& group) { return group.size() < 2; });
    std::uint64_t pairs = 0;
    for (const auto& group : members) {
      pairs += std::uint64_t{group.size()} * (group.size() - 1) / 2;
      ends.push_back(pairs);
    }
    if (pairs == 0) return;
    const std::uint64_t draws = std::min(pairs, kDrawsOfPair * most);
    std::vector<RecordPair> drawn;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      const std::uint64_t place = random64(kSuggestSeed, 2 * draw) % pairs;
      const auto end = std::upper_bound(ends.begin(), ends.end(), place);
      const auto& group = members[static_cast<std::size_t>(end - ends.begin())];
      const std::uint64_t random = random64(kSuggestSeed, 2 * draw + 1);
      const auto a = static_cast<std::size_t>(random % group.size());
      auto b = static_cast<std::size_t>(random / group.size() % (group.size() - 1));
      b += b >= a ? 1 : 0;
      drawn.push_back({std::min(group[a], group[b]), std::max(group[a], group[b])});
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
    const auto scored = decision_.scored();
    std::erase_if(drawn, [&](const RecordPair& pair) {
      const auto found =
          std::partition_point(scored.begin(), scored.end(),
                               [&](const CandidateLink& link) { return link.link.pair() < pair; });
      return found != scored.end() && found->link.pair() == pair;
    });
    const double weight = static_cast<double>(pairs) / static_cast<double>(draws);
    for (const RecordPair& pair : drawn) {
      add(task_.linker.score_pair(pair.left, pair.right), LabelStrata::kStrata, weight, kDoubt);
    }
  }

  const LinkDecisionTask& task_;
  const LinkDecision& decision_;
  AskableLinks pool_;
};

// Positions of columns in the order in which people compare them: columns with the same name are
// side by side.
struct QuestionPlace {
  bool is_right = false;
  std::size_t column = 0;
};

std::vector<QuestionPlace> asked_places(const QuestionColumns& columns) {
  const std::vector<RecordColumn>& right = columns.right.empty() ? columns.left : columns.right;
  std::vector<bool> is_placed(right.size());
  std::vector<QuestionPlace> places;
  for (std::size_t c = 0; c < columns.left.size(); ++c) {
    places.push_back({false, c});
    const auto same = std::find_if(right.begin(), right.end(), [&](const RecordColumn& column) {
      return column.name == columns.left[c].name;
    });
    if (same == right.end()) continue;
    const auto at = static_cast<std::size_t>(same - right.begin());
    is_placed[at] = true;
    places.push_back({true, at});
  }
  for (std::size_t c = 0; c < right.size(); ++c) {
    if (!is_placed[c]) places.push_back({true, c});
  }
  return places;
}

}  // namespace

std::vector<std::string> suggestion_columns(const QuestionColumns& columns) {
  const std::vector<RecordColumn>& right = columns.right.empty() ? columns.left : columns.right;
  std::vector<std::string> names = {"left", "right", "label", "score", "probability"};
  for (const QuestionPlace& place : asked_places(columns)) {
    names.push_back(place.is_right ? "right_" + right[place.column].name
                                   : "left_" + columns.left[place.column].name);
  }
  return names;
}

std::vector<CandidateLink> suggested_links(const LinkDecisionTask& task,
                                           const LinkDecision& decision, std::uint64_t most) {
  const AskableLinks pool = SuggestionPool(task, decision).all(most);
  std::vector<CandidateLink> links;
  for (const std::size_t i :
       suggest_pairs(pool.pairs, LabelStrata::kStrata + 1, most, kSuggestSeed)) {
    links.push_back(pool.links[i]);
  }
  return links;
}

std::uint64_t suggest_links(const LinkDecisionTask& task, const LinkDecision& decision,
                            const QuestionColumns& columns, const RecordNames& names,
                            std::uint64_t most, TableWriter& out) {
  const std::vector<CandidateLink> chosen = suggested_links(task, decision, most);
  const std::vector<RecordColumn>& rights = columns.right.empty() ? columns.left : columns.right;
  const std::uint32_t split = columns.right.empty() ? 0 : names.split;
  const std::vector<QuestionPlace> places = asked_places(columns);
  for (const CandidateLink& each : chosen) {
    const CandidateLink link = decision.judged(each);
    const std::uint32_t left = link.link.left;
    const std::uint32_t right = link.link.right;
    const std::string left_id = names.of(left);
    const std::string right_id = names.of(right);
    std::vector<Cell> cells = {IdText{left_id, names.is_integer(left)},
                               IdText{right_id, names.is_integer(right)}, std::string_view{},
                               Decimal{link.link.score},
                               link.link.probability < 0 ? Cell(std::string_view{})
                                                         : Cell(Decimal{link.link.probability})};
    for (const QuestionPlace& place : places) {
      cells.emplace_back(place.is_right ? rights[place.column].text_of(right - split)
                                        : columns.left[place.column].text_of(left));
    }
    out.row(cells);
  }
  return chosen.size();
}

}  // namespace sosie
