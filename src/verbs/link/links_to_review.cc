// Chooses the pairs of a run of link that a person may judge in its review.
#include "verbs/link/links_to_review.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "verbs/link/suggest_links.h"

namespace sosie {
namespace {

// Pairs to begin with: labels of so many tell nearly all that labels tell
// (docs/theory/link-labels.md).
constexpr std::uint64_t kSuggested = 300;
// Records of a group of one collection all of whose pairs are listed.
constexpr std::size_t kListedGroup = 8;
// Probability from which on a pair that is no link is listed.
constexpr double kListedProbability = 0.05;
// Pairs beside the links, at most as many as these and so many more.
constexpr std::size_t kMoreThanLinks = 10'000;

class ReviewedLinks {
 public:
  ReviewedLinks(const LinkDecisionTask& task, const LinkDecision& decision,
                const std::vector<std::uint32_t>& first, double even)
      : task_(task), decision_(decision), first_(first), even_(even) {}

  [[nodiscard]] std::vector<SavedLink> all() {
    for (const CandidateLink& link : suggested_links(task_, decision_, kSuggested)) {
      add(link, RunPair::suggested);
    }
    const std::size_t suggested = found_.size();
    for (const CandidateLink& link : decision_.scored()) {
      if (decision_.is_linked(link.link.pair())) add(link, 0);
    }
    for (const Judgement& known : task_.inputs.judgements.known.pairs) {
      add(task_.linker.score_pair(known.pair.left, known.pair.right), 0);
    }
    if (!task_.inputs.table.across) add_small_groups();
    const std::size_t links = found_.size();
    for (const CandidateLink& link : decision_.scored()) {
      if (link.link.probability >= kListedProbability) add(link, 0);
    }
    sort_doubtful(links);
    const std::size_t most = 2 * links + kMoreThanLinks;
    if (found_.size() > most) found_.resize(most);
    sort_doubtful(suggested);
    std::vector<SavedLink> saved;
    saved.reserve(found_.size());
    for (const Found& each : found_) saved.push_back(saved_link(each));
    return saved;
  }

 private:
  struct Found {
    CandidateLink link = {};
    std::uint32_t flags = 0;
  };

  // Adds a pair, unless it was.
  void add(const CandidateLink& link, std::uint32_t flags) {
    const auto [left, right] = link.link.pair();
    if (seen_.insert(std::uint64_t{left} << 32 | right).second) found_.push_back({link, flags});
  }

  // Adds the pairs of small groups, which need not have been scored.
  void add_small_groups() {
    std::vector<std::vector<std::uint32_t>> members(first_.size());
    for (std::uint32_t record = 0; record < first_.size(); ++record) {
      members[first_[record]].push_back(record);
    }
    for (const auto& group : members) {
      if (group.size() < 2 || group.size() > kListedGroup) continue;
      for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t j = i + 1; j < group.size(); ++j) {
          if (!seen_.contains(std::uint64_t{group[i]} << 32 | group[j])) {
            add(task_.linker.score_pair(group[i], group[j]), 0);
          }
        }
      }
    }
  }

  // Sorts the pairs from `begin` on by how far they are from even.
  void sort_doubtful(std::size_t begin) {
    const auto key = [this](const Found& each) {
      const ScoredLink& link = each.link.link;
      return std::tuple(std::abs(link.probability - even_), link.left, link.right);
    };
    std::sort(found_.begin() + static_cast<std::ptrdiff_t>(begin), found_.end(),
              [&](const Found& a, const Found& b) { return key(a) < key(b); });
  }

  [[nodiscard]] SavedLink saved_link(const Found& each) const {
    SavedLink saved{decision_.judged(each.link).link, each.flags};
    const RecordPair pair = saved.link.pair();
    if (decision_.is_linked(pair)) saved.flags |= RunPair::linked;
    const LinkJudgements& judged = task_.inputs.judgements;
    const auto said = judged.known.verdict(pair);
    if (!said) return saved;
    saved.flags |= *said ? RunPair::said_match : RunPair::said_other;
    const bool decides = judged.decisions && judged.decisions->known.verdict(pair);
    if (!decides) saved.flags |= RunPair::said_by_label;
    return saved;
  }

  const LinkDecisionTask& task_;
  const LinkDecision& decision_;
  const std::vector<std::uint32_t>& first_;
  double even_;  // probability of a pair that may as well be a link as not
  std::vector<Found> found_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

std::vector<std::uint32_t> first_by_links(const std::vector<CandidateLink>& links,
                                          std::uint32_t records) {
  std::vector<std::uint32_t> first(records);
  std::iota(first.begin(), first.end(), 0U);
  const auto root_of = [&](std::uint32_t record) {
    while (first[record] != record) record = first[record] = first[first[record]];
    return record;
  };
  for (const CandidateLink& link : links) {
    const auto [a, b] = std::minmax({root_of(link.link.left), root_of(link.link.right)});
    first[b] = a;
  }
  for (std::uint32_t record = 0; record < records; ++record) first[record] = root_of(record);
  return first;
}

std::vector<SavedLink> links_to_review(const LinkDecisionTask& task, const LinkDecision& decision,
                                       const std::vector<std::uint32_t>& first, double cut) {
  // Without a model a pair at the cut is the most doubtful one.
  return ReviewedLinks(task, decision, first, task.pair_score == nullptr ? 0.5 : cut).all();
}

std::vector<std::pair<std::string, std::string>> reviewed_columns(const LinkInputs& inputs) {
  const std::vector<std::string>& left = inputs.left.fields;
  const std::vector<std::string>& right = inputs.right ? inputs.right->fields : left;
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<std::string> placed;
  const auto partner_of = [&](const std::string& name) {
    for (const LinkField& field : inputs.chosen.rules.fields) {
      const auto at = std::find(field.columns.begin(), field.columns.end(), name);
      const auto place = static_cast<std::size_t>(at - field.columns.begin());
      if (at != field.columns.end() && place < field.columns_right.size()) {
        return field.columns_right[place];
      }
    }
    return std::find(right.begin(), right.end(), name) == right.end() ? std::string() : name;
  };
  for (const std::string& name : left) {
    columns.emplace_back(name, inputs.right ? partner_of(name) : name);
    placed.push_back(columns.back().second);
  }
  for (const std::string& name : right) {
    if (std::find(placed.begin(), placed.end(), name) == placed.end())
      columns.emplace_back("", name);
  }
  return columns;
}

}  // namespace sosie
