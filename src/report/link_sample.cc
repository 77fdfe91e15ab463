// Samples the pairs of a link run for its page: their scores, and the pairs closest to the
// decision.
#include "report/link_sample.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::size_t kBins = 60;

LinkBins bins_of(std::span<const CandidateLink> scored,
                 const std::function<bool(const CandidateLink&)>& is_linked) {
  LinkBins bins;
  if (scored.empty()) return bins;
  const auto [least, most] = std::minmax_element(
      scored.begin(), scored.end(),
      [](const CandidateLink& a, const CandidateLink& b) { return a.link.score < b.link.score; });
  bins.first = least->link.score;
  // If all scores are equal, they form a single bin.
  bins.width = std::max((most->link.score - bins.first) / kBins, 1e-3);
  bins.pairs.resize(kBins);
  bins.links.resize(kBins);
  for (const CandidateLink& link : scored) {
    const auto place = static_cast<std::size_t>((link.link.score - bins.first) / bins.width);
    const std::size_t bin = std::min(place, kBins - 1);
    ++bins.pairs[bin];
    if (is_linked(link)) ++bins.links[bin];
  }
  while (bins.pairs.back() == 0) {
    bins.pairs.pop_back();
    bins.links.pop_back();
  }
  return bins;
}

// Keeps the first few pairs in some order. If several pairs have the same score, only the first one
// is kept.
class FewPairs {
 public:
  using Before = bool (*)(const CandidateLink&, const CandidateLink&);

  FewPairs(std::string why, std::size_t most, Before before)
      : why_(std::move(why)), most_(most), before_(before) {}

  void offer(const CandidateLink& link) {
    if (kept_.size() == most_ && !before_(link, kept_.back())) return;
    const auto alike = std::find_if(kept_.begin(), kept_.end(), [&](const CandidateLink& other) {
      return other.link.score == link.link.score;
    });
    if (alike != kept_.end()) {
      if (!before_(link, *alike)) return;
      kept_.erase(alike);
    }
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), link, before_), link);
    if (kept_.size() > most_) kept_.pop_back();
  }

  void add_to(std::vector<ShownLink>& shown) const {
    for (const CandidateLink& link : kept_) shown.push_back({why_, link});
  }

  // Removes all pairs that are beyond doubt, except the first.
  void leave_out_hopeless() {
    constexpr double kDoubtful = 0.01;
    const auto is_hopeless = [](const CandidateLink& each) {
      return each.link.probability >= 0 && each.link.probability < kDoubtful;
    };
    if (kept_.size() < 2) return;
    kept_.erase(std::remove_if(kept_.begin() + 1, kept_.end(), is_hopeless), kept_.end());
  }

 private:
  std::string why_;
  std::size_t most_;
  Before before_;
  std::vector<CandidateLink> kept_;
};

bool is_higher(const CandidateLink& a, const CandidateLink& b) {
  return a.link.score > b.link.score;
}
// Records compete for partners, so even a high-scoring pair may be unlikely.
bool is_likelier(const CandidateLink& a, const CandidateLink& b) {
  if (a.link.probability != b.link.probability) return a.link.probability > b.link.probability;
  return is_higher(a, b);
}
bool is_lower(const CandidateLink& a, const CandidateLink& b) {
  return a.link.score < b.link.score;
}

}  // namespace

LinkSample sample_links(std::span<const CandidateLink> scored, double cut,
                        const std::function<bool(const CandidateLink&)>& is_linked) {
  FewPairs weakest("weakest link", 4, is_lower);
  FewPairs apart("reaches the cut, but is not linked", 4, is_likelier);
  FewPairs below("nearest below the cut", 4, is_likelier);
  FewPairs strongest("strongest link", 1, is_higher);
  for (const CandidateLink& link : scored) {
    if (is_linked(link)) {
      weakest.offer(link);
      strongest.offer(link);
    } else if (link.link.score >= cut) {
      apart.offer(link);
    } else {
      below.offer(link);
    }
  }
  below.leave_out_hopeless();
  apart.leave_out_hopeless();
  LinkSample sample;
  sample.bins = bins_of(scored, is_linked);
  for (const FewPairs* few : {&weakest, &below, &apart, &strongest}) few->add_to(sample.shown);
  return sample;
}

}  // namespace sosie
