// Parts that joiners of all kinds share.
#include "join/item_joiner.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/construction.h"

namespace sosie {

MethodFacts facts_of(const LshPlan& plan) {
  const std::string segments =
      plan.segment > 0 ? fmt::format(" of length {:.4g}", plan.segment) : "";
  const std::string sketch =
      plan.sketch_bits > 0
          ? fmt::format(", {} of {} sketch bits may differ", plan.most_different, plan.sketch_bits)
          : "";
  const std::string probes = plan.cells > 1
                                 ? fmt::format(", {:.4g} probes a band ({:g} vertices a function)",
                                               probes_of(plan.cells, plan.rows), plan.cells)
                                 : "";
  return {.method = "lsh",
          .line = fmt::format("lsh: {} bands of {} functions, {}{}{}{}", plan.bands, plan.rows,
                              plan.family->name, segments, probes, sketch),
          .bands = plan.bands,
          .rows = plan.rows,
          .segment = plan.segment,
          .probes = plan.cells,
          .sketch_bits = plan.sketch_bits,
          .most_different = plan.most_different,
          .expected_recall = plan.expected_recall};
}

JoinSides sides_of(const Corpus& corpus, std::span<const RowId> left_out, bool across) {
  const auto of_other = std::lower_bound(left_out.begin(), left_out.end(), corpus.first_own_row);
  const auto others = static_cast<RowId>(corpus.first_own_row - (of_other - left_out.begin()));
  const RowRange own{others, static_cast<RowId>(corpus.rows - left_out.size())};
  return across ? JoinSides{own, RowRange{0, others}} : JoinSides{own};
}

}  // namespace sosie
