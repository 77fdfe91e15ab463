// Seeks more neighbours for records whose neighbours mostly look like matches.
#include <fmt/format.h>

#include <algorithm>

#include "join/records/record_linker.h"

namespace sosie {
namespace {

constexpr double kLikely = 0.5;

// Partners of each record in likely links.
std::vector<std::vector<std::uint32_t>> likely_partners(std::span<const CandidateLink> links,
                                                        std::uint32_t records) {
  std::vector<std::vector<std::uint32_t>> partners(records);
  for (const CandidateLink& link : links) {
    if (link.link.probability < kLikely) continue;
    partners[link.link.left].push_back(link.link.right);
    partners[link.link.right].push_back(link.link.left);
  }
  return partners;
}

}  // namespace

// Records most of whose neighbours look like matches.
std::vector<std::uint32_t> RecordLinker::surrounded(std::uint32_t neighbours) const {
  constexpr double kMost = 0.7;
  std::vector<std::uint32_t> matches(table_.size());
  for (const CandidateLink& link : likely_) {
    if (link.link.probability < kLikely) continue;
    ++matches[link.link.left];
    ++matches[link.link.right];
  }
  std::vector<std::uint32_t> records;
  for (std::uint32_t record = 0; record < table_.size(); ++record) {
    if (matches[record] >= kMost * neighbours) records.push_back(record);
  }
  return records;
}

void RecordLinker::widen(bool fits) {
  constexpr std::uint32_t kFactor = 3;
  constexpr std::uint32_t kMostNeighbours = 250;
  constexpr std::uint32_t kManyNeighbours = 90;
  constexpr double kFew = 0.002;
  constexpr double kMany = 0.02;
  if (candidates_.nearest().empty()) return;
  std::uint32_t neighbours = first_neighbours();
  std::vector<PartnerLists> first;
  for (const auto& nearest : candidates_.nearest()) first.push_back(nearest->pairs);
  const FittedModel first_model = fitted_;
  std::vector<double> sums = {fitted_.matches};
  while (true) {
    const std::vector<std::uint32_t> records = surrounded(neighbours);
    const auto part = static_cast<double>(records.size()) / table_.size();
    const std::size_t n = sums.size();
    const bool has_doubled =
        n > 2 && sums[n - 1] > 1.8 * sums[n - 2] && sums[n - 2] > 1.8 * sums[n - 3];
    if (has_doubled || (n > 1 && part > kMany && neighbours >= kManyNeighbours &&
                        sums[n - 1] > 1.5 * sums[n - 2])) {
      for (std::size_t i = 0; i < first.size(); ++i) candidates_.nearest()[i]->pairs = first[i];
      fitted_ = first_model;
      widened_ = 0;
      warn_of_endless_families();
      count();
      return;
    }
    if (part < kFew || records.empty() || neighbours > kMostNeighbours) return;
    neighbours *= kFactor;
    widened_ = std::max<std::uint64_t>(widened_, records.size());
    look_further(records, neighbours);
    count();
    if (fits) fit();
    if (!fits) look();
    sums.push_back(fitted_.matches);
  }
}

// Initial number of neighbours of each record.
std::uint32_t RecordLinker::first_neighbours() const {
  return rules_.candidates[candidates_.nearest()[0]->rule].top;
}

void RecordLinker::warn_of_endless_families() {
  warnings_.push_back(
      fmt::format("comparing more neighbours keeps yielding more matches, as with siblings or "
                  "groups of hundreds; each record keeps its {} nearest",
                  first_neighbours()));
}

// True if nearly all records that match the same record also match each other, as copies do and
// siblings do not.
bool RecordLinker::is_transitive() const {
  constexpr double kNearlyAll = 0.9;
  double matching = 0;
  double pairs = 0;
  for (const std::vector<std::uint32_t>& of : likely_partners(likely_, table_.size())) {
    for (std::size_t i = 1; i < of.size(); ++i) {
      pool_.check_cancelled();
      matching += probability(std::min(of[i - 1], of[i]), std::max(of[i - 1], of[i]));
      ++pairs;
    }
  }
  return matching >= kNearlyAll * pairs;
}

void RecordLinker::look_further(const std::vector<std::uint32_t>& records,
                                std::uint32_t neighbours) {
  for (const auto& nearest : candidates_.nearest()) {
    nearest->lists->find(records, neighbours, pool_);
    memory_.require(kBytesOfPartner * nearest->lists->partners(), "neighbours");
    nearest->pairs = nearest->lists->pairs();
  }
}

void RecordLinker::add_candidates(NearestRule& nearest, PairList pairs) {
  memory_.require(kBytesOfPartner * (pairs.size() + nearest.pairs.partners.size()), "neighbours");
  for (std::uint32_t record = 0; record < table_.size(); ++record) {
    for (const std::uint32_t partner : nearest.pairs[record]) pairs.emplace_back(record, partner);
  }
  nearest.pairs = lists_of(pairs, table_.size());
}

// Twice adds candidate pairs that have a likely partner in common. The model is unchanged.
void RecordLinker::close() {
  constexpr int kRounds = 2;
  constexpr std::uint64_t kMostShared = 12'000'000;  // paths over a partner
  if (candidates_.nearest().empty()) return;
  for (int round = 0; round < kRounds; ++round) {
    const auto partners = likely_partners(likely_, table_.size());
    std::uint64_t shared = 0;
    for (const auto& of : partners) shared += std::uint64_t{of.size()} * of.size();
    if (shared > kMostShared) return;
    PairList pairs;
    for (const auto& of : partners) {
      for (std::size_t i = 0; i < of.size(); ++i) {
        for (std::size_t j = i + 1; j < of.size(); ++j) {
          pairs.emplace_back(std::min(of[i], of[j]), std::max(of[i], of[j]));
        }
      }
    }
    const std::uint64_t before = counts_.pairs;
    add_candidates(*candidates_.nearest().front(), std::move(pairs));
    count();
    if (counts_.pairs == before) return;
    look();
  }
}

}  // namespace sosie
