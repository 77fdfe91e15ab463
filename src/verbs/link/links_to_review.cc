// Chooses the pairs of a link run for review.
#include "verbs/link/links_to_review.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "cluster/components.h"
#include "verbs/link/suggest_links.h"

namespace sosie {
namespace {

// Initial number of suggested pairs; further labels hardly improve the estimate
// (docs/theory/link-labels.md).
constexpr std::uint64_t kSuggested = 300;
// Maximum size of a group, within a single collection, for which all pairs are listed.
constexpr std::size_t kListedGroup = 8;
// Minimum probability for listing a pair that is not a link.
constexpr double kListedProbability = 0.05;
// Maximum number of pairs that are not links: as many as there are links, plus this number.
constexpr std::size_t kMoreThanLinks = 10'000;
// Bytes per pair while pairs are being chosen: as found, in a growing list, in a set, and as saved.
constexpr std::uint64_t kBytesOfReviewedLink = 200;

class ReviewedLinks {
 public:
  ReviewedLinks(const LinkDecisionTask& task, const LinkDecision& decision,
                const std::vector<std::uint32_t>& first, double even)
      : task_(task), decision_(decision), first_(first), even_(even) {}

  [[nodiscard]] std::vector<SavedLink> all() {
    const std::vector<RecordPair> chains = chains_of_person();
    const std::vector<std::uint32_t> by_group = records_by_group();
    require_memory(chains, by_group);
    for (const CandidateLink& link : suggested_links(task_, decision_, kSuggested)) {
      add(link, RunPair::suggested);
    }
    const std::size_t suggested = found_.size();
    for (const CandidateLink& link : decision_.scored()) {
      if (is_told(link.link)) add(link, 0);
    }
    for (const Judgement& judged : known().pairs) add_unscored(judged.pair);
    for (const RecordPair& pair : chains) add_unscored(pair);
    visit_small_groups(by_group, [this](const RecordPair& pair) { add_unscored(pair); });
    const std::size_t links = found_.size();
    for (const CandidateLink& link : decision_.scored()) {
      if (link.link.probability >= kListedProbability) add(link, 0);
    }
    sort_doubtful(links);
    found_.resize(std::min(found_.size(), 2 * links + kMoreThanLinks));
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

  // Adds a pair if it is new.
  void add(const CandidateLink& link, std::uint32_t flags) {
    const auto [left, right] = link.link.pair();
    if (seen_.insert(std::uint64_t{left} << 32 | right).second) found_.push_back({link, flags});
  }

  // Adds a pair that may not have been scored.
  void add_unscored(const RecordPair& pair) {
    if (seen_.contains(std::uint64_t{pair.left} << 32 | pair.right)) return;
    add(task_.linker.score_pair(pair.left, pair.right), 0);
  }

  [[nodiscard]] const Judgements& known() const noexcept { return task_.inputs.judgements.known; }

  // True for a pair whose outcome must be listed, regardless of the length of the list.
  [[nodiscard]] bool is_told(const ScoredLink& link) const {
    return decision_.is_linked(link.pair()) ||
           (link.probability >= kListedProbability && known().verdict(link.pair()));
  }

  // Pairs that connect the members of each group that a person made.
  [[nodiscard]] std::vector<RecordPair> chains_of_person() const {
    if (known().groups.empty()) return {};
    std::vector<RecordPair> chains = task_.linker.pair_rules().always(task_.pool);
    std::erase_if(chains, [&](const RecordPair& pair) { return !known().verdict(pair); });
    return chains;
  }

  // The records of a single collection, group by group.
  [[nodiscard]] std::vector<std::uint32_t> records_by_group() const {
    if (task_.inputs.table.across) return {};
    task_.linker.memory().require(first_.size() * sizeof(std::uint32_t), "records of groups");
    std::vector<std::uint32_t> records(first_.size());
    std::iota(records.begin(), records.end(), 0U);
    std::sort(records.begin(), records.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(first_[a], a) < std::pair(first_[b], b);
    });
    return records;
  }

  // Visits the pairs in small groups; they may not have been scored.
  template <class Visit>
  void visit_small_groups(const std::vector<std::uint32_t>& records, const Visit& visit) const {
    for (auto begin = records.begin(); begin != records.end();) {
      const auto end = std::find_if(begin, records.end(), [&](std::uint32_t record) {
        return first_[record] != first_[*begin];
      });
      const bool is_small = static_cast<std::size_t>(end - begin) <= kListedGroup;
      for (auto left = begin; is_small && left != end; ++left) {
        for (auto right = left + 1; right != end; ++right) visit(RecordPair{*left, *right});
      }
      begin = end;
    }
  }

  // Reserves memory for these pairs and the scored pairs.
  void require_memory(const std::vector<RecordPair>& chains,
                      const std::vector<std::uint32_t>& by_group) const {
    const auto scored = decision_.scored();
    std::uint64_t most = kSuggested + known().pairs.size() + chains.size();
    most += static_cast<std::uint64_t>(
        std::count_if(scored.begin(), scored.end(), [this](const CandidateLink& link) {
          return link.link.probability >= kListedProbability || is_told(link.link);
        }));
    visit_small_groups(by_group, [&](const RecordPair& /*pair*/) { ++most; });
    task_.linker.memory().require(most * kBytesOfReviewedLink, "pairs to review");
  }

  // Sorts the pairs starting at `begin` by their distance from even odds.
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
    const auto said = known().verdict(pair);
    if (!said) return saved;
    saved.flags |= *said ? RunPair::said_match : RunPair::said_other;
    const bool decides = judged.decisions && judged.decisions->known.verdict(pair);
    if (!decides) saved.flags |= RunPair::said_by_label;
    return saved;
  }

  const LinkDecisionTask& task_;
  const LinkDecision& decision_;
  const std::vector<std::uint32_t>& first_;
  double even_;  // probability of a pair as likely to be a link as not
  std::vector<Found> found_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

std::vector<std::uint32_t> first_by_links(const std::vector<CandidateLink>& links,
                                          std::uint32_t records) {
  Components joined(records);
  for (const CandidateLink& link : links) joined.link(link.link.left, link.link.right);
  std::vector<std::uint32_t> first(records);
  for (std::uint32_t record = 0; record < records; ++record) first[record] = joined.root_of(record);
  return first;
}

std::vector<SavedLink> links_to_review(const LinkDecisionTask& task, const LinkDecision& decision,
                                       const std::vector<std::uint32_t>& first, double cut) {
  // Without a model, a pair at the cut is the most doubtful.
  return ReviewedLinks(task, decision, first,
                       task.pair_score == nullptr || task.method.by_words ? 0.5 : cut)
      .all();
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
