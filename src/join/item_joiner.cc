// What a run says of how it hashes.
#include "join/item_joiner.h"

#include <fmt/format.h>

#include "plan/construction.h"

namespace sosie {

void set_lsh(const LshPlan& plan, std::uint64_t seed, JoinFacts& facts) {
  const std::string segments =
      plan.segment > 0 ? fmt::format(" of length {:.4g}", plan.segment) : "";
  const std::string sketch =
      plan.sketch_bits > 0
          ? fmt::format(", {} of {} sketch bits may differ", plan.most_different, plan.sketch_bits)
          : "";
  facts.method = "lsh";
  const std::string probes = plan.cells > 1
                                 ? fmt::format(", {:.4g} probes a band ({:g} vertices a function)",
                                               probes_of(plan.cells, plan.rows), plan.cells)
                                 : "";
  facts.method_line = fmt::format("lsh: {} bands of {} functions, {}{}{}{}", plan.bands, plan.rows,
                                  plan.family->name, segments, probes, sketch);
  facts.lsh = plan;
  facts.seed = seed;
}

Scratch* scratch_of_run(const Settings& settings, ItemPlaces* places,
                        std::unique_ptr<Scratch>& own) {
  if (places != nullptr) return places->scratch.get();
  own = std::make_unique<Scratch>(settings.scratch, settings.scratch_limit_bytes);
  return own.get();
}

}  // namespace sosie
