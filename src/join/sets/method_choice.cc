// Chooses the method of a run on sets.
#include "join/sets/method_choice.h"

#include <algorithm>

#include "corpus/sketches.h"
#include "plan/find_banding.h"
#include "store/sketch_options.h"

namespace sosie {

bool is_method_open(const Options& options, const Settings& settings) noexcept {
  return settings.method == Method::automatic && options.plan.empty() && options.reuse.empty() &&
         deciding_sketches(options) == nullptr;
}

MethodChoice cheapest_method(const SetCosts& costs,
                             const std::optional<BandingPlan>& lsh) noexcept {
  const double least = std::min({costs.brute, costs.exact, costs.lsh});
  MethodChoice choice;
  choice.brute = costs.brute == least;
  choice.exact = !choice.brute && costs.exact == least;
  if (!choice.finds_every_pair()) choice.banding = *lsh;
  return choice;
}

namespace {

// The total number of elements is an estimate; slightly more than planned is no reason to start
// over.
std::uint64_t most_elements(const CollectionFacts& collection,
                            const std::optional<BandingPlan>& lsh) noexcept {
  if (!lsh) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t most = most_elements_of_auto(collection, lsh);
  return most > kMostElementsOfAuto ? most + most / 8 : most;
}

// Number of pairs among this many rows; for two collections an estimate, based on their sizes in
// bytes.
double pairs_of(double rows, const Inputs& inputs) {
  if (!inputs.has_against()) return rows * (rows - 1) / 2;
  double bytes = 0;
  double others = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto size = static_cast<double>(inputs.files[i].size());
    bytes += size;
    others += i < inputs.first_own_file ? size : 0;
  }
  const double part = others / std::max(1.0, bytes);
  return rows * part * rows * (1 - part);
}

// Fills in the banding and, if known, the number of comparisons it will make in vain.
void plan_lsh(const Options& options, const Settings& settings, const Inputs& inputs,
              const std::atomic<bool>* cancel, MethodChoice& choice) {
  const bool is_given =
      deciding_sketches(options) != nullptr || !options.plan.empty() || settings.fixed_bands > 0;
  if (is_given) {
    choice.banding = banding_for(options, settings, inputs, cancel);
    return;
  }
  const SampleFacts sample = draw_sample(inputs, settings);
  choice.banding = choose_banding(settings.threshold, settings.recall, sample);
  const auto documents = static_cast<double>(sample.documents);
  const double of_document =
      forecast(choice.banding, settings.threshold, sample).false_candidates_per_document;
  choice.false_part = of_document / std::max(1.0, documents - 1);
  choice.false_candidates = choice.false_part * pairs_of(documents, inputs);
}

}  // namespace

JoinUse use_of(VerbBit verb) noexcept {
  return verb == kDedup || verb == kExplain ? JoinUse::survivors : JoinUse::every_pair;
}

MethodChoice scan_and_choose_method(const MethodTask& task, ThreadPool& pool,
                                    const std::atomic<bool>* cancel) {
  const auto& [verb, options, settings, inputs, small_side] = task;
  MethodChoice choice;
  choice.cascade = settings.cascade.has_value();
  if (choice.cascade) return choice;
  choice.brute = settings.method == Method::brute || !options.reuse.empty();
  choice.exact = settings.method == Method::exact && options.reuse.empty();
  if (choice.finds_every_pair()) return choice;
  if (!is_method_open(options, settings)) {
    plan_lsh(options, settings, inputs, cancel, choice);
    return choice;
  }
  RowSample sample(inputs, settings);
  if (small_side) {
    sample.look_up(*small_side->elements, small_side->larger, small_side->of_smaller);
  }
  const auto& [similarities, collection] = sample.facts();
  const JoinGoal goal{settings.threshold, use_of(verb),
                      find_banding(settings.threshold, settings.recall, similarities)};
  if (is_lsh_cheapest(collection, similarities, goal)) {
    choice.banding = *goal.lsh;
    return choice;
  }
  if (is_brute_cheapest(collection, similarities, goal)) {
    choice.brute = true;
    choice.most_elements = most_elements(collection, goal.lsh);
    return choice;
  }
  sample.join(pool);
  choice = cheapest_method(set_costs(collection, similarities, goal), goal.lsh);
  choice.most_elements = most_elements(collection, goal.lsh);
  return choice;
}

}  // namespace sosie
