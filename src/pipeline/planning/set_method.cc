#include "pipeline/planning/set_method.h"

#include <algorithm>

namespace sosie {

bool is_method_open(const Options& options, const Settings& settings) noexcept {
  return settings.method == Method::automatic && options.plan.empty() && options.reuse.empty() &&
         !options.sketches;
}

MethodChoice cheapest_method(const SetCosts& costs, const BandingPlan& banding) noexcept {
  const double least = std::min({costs.brute, costs.exact, costs.lsh});
  MethodChoice choice;
  choice.brute = costs.brute == least;
  choice.exact = !choice.brute && costs.exact == least;
  if (!choice.finds_every_pair()) choice.banding = banding;
  return choice;
}

JoinUse use_of(std::string_view verb) noexcept {
  return verb == "dedup" || verb == "explain" ? JoinUse::survivors : JoinUse::every_pair;
}

MethodChoice choose_method(std::string_view verb, const Options& options, const Settings& settings,
                           const Inputs& inputs, ThreadPool& pool,
                           const std::atomic<bool>* cancel) {
  MethodChoice choice;
  choice.brute = settings.method == Method::brute || !options.reuse.empty();
  choice.exact = settings.method == Method::exact && options.reuse.empty();
  if (choice.finds_every_pair()) return choice;
  if (!is_method_open(options, settings)) {
    choice.banding = banding_for(options, settings, inputs, cancel);
    return choice;
  }
  RowSample sample(inputs, settings);
  const BandingPlan banding =
      choose_banding(settings.threshold, settings.recall, sample.facts().similarities);
  const auto& [similarities, collection] = sample.facts();
  const JoinUse use = use_of(verb);
  if (is_lsh_cheapest(collection, similarities, banding, settings.threshold, use)) {
    choice.banding = banding;
    return choice;
  }
  sample.join(pool);
  return cheapest_method(set_costs(collection, similarities, banding, settings.threshold, use),
                         banding);
}

}  // namespace sosie
