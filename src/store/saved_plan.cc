// Plans as runs save them.
#include "store/saved_plan.h"

#include <fmt/format.h>

namespace sosie {
namespace {

// "0.9", or "2/3" of what is no short decimal.
std::string text_of(const Bound& number) {
  if (!number.is_whole) return bound_text(number);
  constexpr int kMostDecimals = 9;
  std::uint64_t scale = 1;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, scale *= 10) {
    if (scale % number.den != 0) continue;
    const std::uint64_t scaled = number.num * (scale / number.den);
    if (decimals == 0) return fmt::format("{}", scaled);
    return fmt::format("{}.{:0{}}", scaled / scale, scaled % scale, decimals);
  }
  return fmt::format("{}/{}", number.num, number.den);
}

}  // namespace

SavedPlan saved_plan(const Options& options, const Settings& settings, const BandingPlan& banding) {
  return {.measure = options.measure,
          .shingle = shingle_name(settings.shingle),
          .tokens = options.tokens,
          .sketch = options.sketch,
          .threshold = settings.threshold,
          .recall = options.recall,
          .seed = settings.seed,
          .banding = banding};
}

SavedPlan saved_plan(const Options& options, const ItemBound& bound, const LshPlan& plan,
                     std::uint64_t bits) {
  SavedPlan saved;
  saved.measure = bound.facts.measure;
  saved.kind = options.kind;
  saved.threshold = bound.bound;
  saved.recall = options.recall;
  saved.seed = options.seed;
  saved.hashed = {.family = std::string(plan.family->name),
                  .is_similarity = bound.facts.is_similarity,
                  .bits = bits,
                  .bands = plan.bands,
                  .rows = plan.rows,
                  .segment = plan.segment,
                  .probes = plan.cells,
                  .sketch_bits = plan.sketch_bits,
                  .most_different = plan.most_different};
  return saved;
}

Options with_plan(const Options& options, const SavedPlan& plan) {
  const bool hashes_numbers = options.kind == "vectors" || options.kind == "bits";
  if (plan.hashed ? plan.kind != options.kind : hashes_numbers) return options;
  Options chosen = options;
  const auto take = [&](std::string_view name, const std::string& value) {
    if (!is_given(chosen, name)) set_option(chosen, name, value);
  };
  const std::string shingle = plan.shingle.substr(0, plan.shingle.find('@'));  // without stop words
  if (!plan.hashed) {
    take("sketch", plan.sketch);
    if (shingle != "elements") {
      take("shingle", shingle);
      take("tokens", plan.tokens);
    }
  }
  take("measure", plan.measure);
  const bool is_similarity = !plan.hashed || plan.hashed->is_similarity;
  if (chosen.within.empty() && !is_given(chosen, "threshold")) {
    take(is_similarity ? "threshold" : "within", text_of(plan.threshold));
  }
  take("recall", plan.recall);
  take("seed", std::to_string(plan.seed));
  return chosen;
}

}  // namespace sosie
