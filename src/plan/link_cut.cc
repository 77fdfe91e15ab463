// Finds the lowest score of a link from estimated probabilities that links are true.
#include "plan/link_cut.h"

#include <limits>

namespace sosie {
namespace {

LinkCut cut_at(double score, std::uint64_t links, double matches, double all_matches) {
  LinkCut cut;
  cut.score = score;
  cut.links = links;
  cut.matches = matches;
  const auto kept = static_cast<double>(links);
  if (links > 0) cut.precision = matches / kept;
  cut.recall = all_matches > 0 ? matches / all_matches : 1;
  if (kept + all_matches > 0) cut.f1 = 2 * matches / (kept + all_matches);
  return cut;
}

// True if `next`, a lower cut, should replace `best`.
bool takes(const CutRule& rule, const LinkCut& next, const LinkCut& best) {
  switch (rule.kind) {
    case CutRule::Kind::best_f1:
      return next.f1 > best.f1;
    case CutRule::Kind::precision:
      return next.precision >= rule.value;
    case CutRule::Kind::fixed:
      return next.score >= rule.value;
  }
  return false;
}

}  // namespace

LinkCut choose_cut(std::span<const JudgedScore> links, double all_matches, const CutRule& rule) {
  LinkCut best = cut_at(std::numeric_limits<double>::infinity(), 0, 0, all_matches);
  double matches = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    matches += links[i].true_part;
    if (i + 1 < links.size() && links[i + 1].score == links[i].score) continue;
    const LinkCut next = cut_at(links[i].score, i + 1, matches, all_matches);
    if (takes(rule, next, best)) best = next;
  }
  if (rule.kind == CutRule::Kind::fixed) best.score = rule.value;
  return best;
}

double sum_of_matches(std::span<const JudgedScore> links) noexcept {
  double sum = 0;
  for (const JudgedScore& link : links) sum += link.true_part;
  return sum;
}

}  // namespace sosie
