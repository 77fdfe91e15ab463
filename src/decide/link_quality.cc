// Precision, recall and F1 of links compared with true pairs, and the steps that lost missing
// pairs.
#include "decide/link_quality.h"

#include <algorithm>

namespace sosie {
namespace {

bool has(std::span<const RecordPair> sorted, const RecordPair& pair) {
  return std::binary_search(sorted.begin(), sorted.end(), pair);
}

bool has(std::span<const ScoredLink> sorted, const RecordPair& pair) {
  const auto found = std::partition_point(
      sorted.begin(), sorted.end(), [&](const ScoredLink& link) { return link.pair() < pair; });
  return found != sorted.end() && found->pair() == pair;
}

void lose(LostPairs& lost, const RecordPair& pair) {
  ++lost.count;
  if (lost.examples.size() < kLostExamples) lost.examples.push_back(pair);
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 1; }

// Adds the first few true pairs that are neither candidates nor in the output; their number is
// known.
void add_examples(const TruthTask& task, LostPairs& lost) {
  const std::uint64_t wanted = std::min<std::uint64_t>(lost.count, kLostExamples);
  if (wanted == 0) return;
  task.truth.each([&](const RecordPair& pair) {
    if (!has(task.scored, pair) && !has(task.output, pair)) lost.examples.push_back(pair);
    return lost.examples.size() < wanted;
  });
}

}  // namespace

LinkQuality judge_links(const TruthTask& task) {
  LinkQuality quality;
  quality.true_pairs = task.truth.count();
  quality.output_pairs = task.output.size();
  for (const RecordPair& pair : task.output) quality.found += task.truth.contains(pair) ? 1U : 0U;
  for (const ScoredLink& link : task.scored) {
    const RecordPair pair = link.pair();
    if (!has(task.output, pair)) {
      lose(link.score >= task.cut ? quality.by_decision : quality.by_score, pair);
    }
  }
  quality.by_candidates.count =
      quality.true_pairs - quality.found - quality.by_score.count - quality.by_decision.count;
  add_examples(task, quality.by_candidates);
  const auto found = static_cast<double>(quality.found);
  const auto output = static_cast<double>(quality.output_pairs);
  const auto truth = static_cast<double>(quality.true_pairs);
  quality.precision = ratio(found, output);
  quality.recall = ratio(found, truth);
  quality.f1 = ratio(2 * found, output + truth);
  return quality;
}

}  // namespace sosie
