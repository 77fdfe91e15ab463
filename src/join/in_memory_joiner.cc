// Parts shared by joiners of all kinds.
#include "join/in_memory_joiner.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "data/kinds.h"
#include "options/tells.h"
#include "plan/construction.h"

namespace sosie {
namespace {

// Memory of the program, and of functions and vectors that are hashed together.
constexpr std::uint64_t kHashingBytes = 2'000'000;
constexpr std::uint64_t kProgramBytes = 9'000'000;

// Adds the found pairs, which go to scratch if they exceed their share of the memory.
void add_pairs(const LshForecast& forecast, std::uint64_t most_bytes, RunForecast& run) {
  const double bytes = forecast.expected_pairs * sizeof(ScoredPair);
  const double in_memory = std::min(bytes, static_cast<double>(most_bytes));
  run.costs.peak_bytes += static_cast<std::uint64_t>(in_memory);
  if (bytes > in_memory) run.costs.scratch_bytes += static_cast<std::uint64_t>(bytes);
}

}  // namespace

std::uint64_t hash_of_items(const InMemoryJoiner& joiner, RowId items) {
  std::uint64_t hash = items;
  for (RowId item = 0; item < items; ++item) {
    const std::string_view bytes = joiner.bytes_of(item);
    hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash);
  }
  return hash;
}

MethodFacts facts_of(const LshPlan& plan) {
  const std::string segments =
      plan.segment > 0 ? fmt::format(" of length {:.4g}", plan.segment) : "";
  const std::string sketch =
      plan.sketch_bits > 0
          ? fmt::format(", {} of {} sketch bits may differ", plan.most_different, plan.sketch_bits)
          : "";
  const std::string probes =
      plan.cells > 1 ? fmt::format(", {:.4g} probes per band ({:g} vertices per function)",
                                   probes_of(plan.cells, plan.rows), plan.cells)
                     : "";
  const std::string bands =
      plan.over.empty()
          ? fmt::format("{} bands of {} functions", plan.bands, plan.rows)
          : fmt::format("{}, {} functions", construction_text(construction_of(plan.shape())),
                        plan.bands * plan.rows);
  return {
      .method = Method::lsh,
      .line = fmt::format("lsh: {}, {}{}{}{}", bands, plan.family->name, segments, probes, sketch),
      .bands = plan.bands,
      .rows = plan.rows,
      .segment = plan.segment,
      .probes = plan.cells,
      .sketch_bits = plan.sketch_bits,
      .most_different = plan.most_different,
      .construct = plan.over.empty() ? "" : construction_text(construction_of(plan.shape())),
      .expected_recall = plan.expected_recall};
}

std::string cost_warning(const LshForecast& forecast) {
  if (!forecast.plan || forecast.plan->over.empty()) return {};
  if (forecast.lsh_ns <= forecast.brute_ns) return {};
  return fmt::format(
      "costs {:.1f} times as much as brute force, about {:.2g} s instead of {:.2g} s on one core; "
      "--method exact "
      "or brute finds every pair",
      forecast.lsh_ns / forecast.brute_ns, forecast.lsh_ns / 1e9, forecast.brute_ns / 1e9);
}

void warn_if_costly(const LshForecast& forecast, const Options& options, const RunHooks& hooks) {
  const std::string dear = cost_warning(forecast);
  if (!dear.empty() && tells(options, hooks)) {
    hooks.on_message("--construct " + options.construct + ": " + dear);
  }
}

RunForecast hashed_run(const LshForecast& forecast, const BandNeeds& needs) {
  const BandMemory memory_share = memory_for_bands(needs);
  RunForecast run;
  run.method = facts_of(*forecast.plan);
  run.costs.cpu_seconds = forecast.lsh_ns / 1e9;
  run.costs.peak_bytes =
      kProgramBytes + kHashingBytes + needs.besides +
      needs.rows * (BandedJoin::kRowBytes + needs.key_bytes * memory_share.bands_kept +
                    needs.grouped_bytes * memory_share.bands_at_once);
  add_pairs(forecast, memory_share.sort_bytes, run);
  return run;
}

RunForecast exact_run(const LshForecast& forecast, bool brute, MethodFacts method,
                      const ExactMemory& memory) {
  RunForecast run;
  run.method = std::move(method);
  run.costs.cpu_seconds = (brute ? forecast.brute_ns : forecast.exact_ns) / 1e9;
  run.costs.peak_bytes = kProgramBytes + memory.kept;
  add_pairs(forecast, memory.pairs, run);
  return run;
}

bool is_item_kind(KindBit kind) noexcept { return has_any(kInMemory, kind); }

std::unique_ptr<InMemoryJoiner> item_joiner(VerbBit verb, const Options& options) {
  if (options.kind == kVectorItems) return vector_joiner(verb, options);
  if (options.kind == kBitItems) return bit_joiner(verb, options);
  return string_joiner(verb, options);
}

JoinSides sides_of(const Corpus& corpus, std::span<const RowId> left_out, bool across) {
  const auto own_left_out =
      std::lower_bound(left_out.begin(), left_out.end(), corpus.first_own_row);
  const auto left_out_of_other = static_cast<std::size_t>(own_left_out - left_out.begin());
  const auto others = static_cast<RowId>(corpus.first_own_row - left_out_of_other);
  const RowRange own{others, static_cast<RowId>(corpus.rows - left_out.size())};
  return across ? JoinSides{own, RowRange{0, others}} : JoinSides{own};
}

}  // namespace sosie
