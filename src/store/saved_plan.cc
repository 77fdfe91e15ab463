// Plans as saved and loaded by runs.
#include "store/saved_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "corpus/sketches.h"
#include "data/kinds.h"
#include "plan/lsh_forecast.h"
#include "plan/saved_plan.h"
#include "sketch/cross_polytopes.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"
#include "verify/measures.h"

namespace sosie {
namespace {

// "0.9", or "2/3" if there is no short decimal.
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

void expect_equal(const std::string& name, std::string_view what, const std::string& in_plan,
                  const std::string& asked) {
  if (in_plan == asked) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: was made for {} {}, this run has {}", name, what, in_plan, asked));
}

std::string shape_text(int bands, int rows) { return fmt::format("{}x{}", bands, rows); }

// Compares the plan with the options of the run.
void check_asked(const SavedPlan& saved, const HashedPlan& hashed, const std::string& name,
                 const PlanRequirements& asked) {
  const Options& options = asked.options;
  expect_equal(name, "measure", saved.measure, asked.bound.facts.measure);
  expect_equal(name, hashed.is_similarity ? "threshold" : "distances within",
               bound_text(saved.threshold), bound_text(asked.bound.bound));
  expect_equal(name, "seed", std::to_string(saved.seed), std::to_string(options.seed));
  if (!options.family.empty()) expect_equal(name, "family", hashed.family, options.family);
  if (asked.lsh.fixed) {
    expect_equal(name, "bands", shape_text(hashed.bands, hashed.rows),
                 shape_text(asked.lsh.fixed->bands, asked.lsh.fixed->rows));
  }
  if (!options.probes.empty()) {
    expect_equal(name, "probes", fmt::format("{:g}", hashed.probes),
                 fmt::format("{:g}", asked.lsh.probes));
  }
  if (hashed.bits > 0 && asked.bits > 0) {
    expect_equal(name, "bits", std::to_string(hashed.bits), std::to_string(asked.bits));
  }
}

// Returns the family if it can hash items of this measure and the plan fits it.
const HashFamily& checked_family(const HashedPlan& hashed, const std::string& name,
                                 const PlanRequirements& asked) {
  const auto refuse = [&](std::string_view field, const std::string& problem) {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: field '{}': {}", name, field, problem),
                "`sosie plan -o FILE` writes a plan");
  };
  const HashFamily* family = hash_family_by_name(hashed.family);
  if (family == nullptr || family->distance != asked.lsh.family->distance) {
    refuse("family", fmt::format("'{}' does not hash by {} distance", hashed.family,
                                 asked.lsh.family->distance));
  }
  const auto probed = probed_vertices();
  if (std::find(probed.begin(), probed.end(), hashed.probes) == probed.end() ||
      (hashed.probes > 1 && !can_be_probed(hashed.family)) ||
      !can_probe(hashed.probes, hashed.rows)) {
    refuse("probes", fmt::format("{} cannot be", hashed.probes));
  }
  if (hashed.sketch_bits != sketch_bits_of(*family)) {
    refuse("sketch_bits", fmt::format("{} is not {}", hashed.sketch_bits, sketch_bits_of(*family)));
  }
  const bool in_segments = is_in_segments(*family);
  const bool planned = in_segments ? is_planned_segment(hashed.segment, asked.bound.bound.value())
                                   : hashed.segment == 0;
  if (!planned)
    refuse("segment", fmt::format("{} is not a valid length in a plan", hashed.segment));
  return *family;
}

void take_bound(const SavedPlan& plan, Options& options) {
  if (!options.within.empty() || is_given(options, "threshold")) return;
  const bool is_similarity = !plan.hashed || plan.hashed->is_similarity;
  set_option(options, is_similarity ? "threshold" : "within", text_of(plan.threshold));
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
  const bool hashes_numbers = has_any(kVectorItems | kBitItems, options.kind);
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
  take_bound(plan, chosen);
  take("recall", plan.recall);
  take("seed", std::to_string(plan.seed));
  return chosen;
}

Options with_bound_of_plan(const Options& options, const std::atomic<bool>* cancel) {
  const bool has_signatures = !has_any(kStringItems | kRecordItems, options.kind);
  const bool has_bound =
      is_given(options, "threshold") || !options.within.empty() || is_given(options, "contained");
  std::error_code none;
  const bool is_read_twice = std::filesystem::is_regular_file(options.plan, none);
  if (!is_read_twice || !has_signatures || has_bound || deciding_sketches(options) != nullptr) {
    return options;
  }
  const SavedPlan plan = load_plan(options.plan, cancel);
  Options chosen = options;
  if (plan.hashed && plan.kind != options.kind) return options;
  if (!is_given(options, "measure")) set_option(chosen, "measure", plan.measure);
  if (chosen.measure == plan.measure) take_bound(plan, chosen);
  return chosen;
}

LshPlan checked_plan(const SavedPlan& saved, const std::string& name,
                     const PlanRequirements& asked) {
  expect_equal(name, "kind", std::string(kind_name(saved.kind)),
               std::string(kind_name(asked.options.kind)));
  const HashedPlan& hashed = *saved.hashed;
  check_asked(saved, hashed, name, asked);
  LshPlan plan{.bands = hashed.bands,
               .rows = hashed.rows,
               .segment = hashed.segment,
               .cells = hashed.probes,
               .sketch_bits = hashed.sketch_bits,
               .most_different = hashed.most_different};
  plan.family = &checked_family(hashed, name, asked);
  return plan;
}

std::optional<LshPlan> plan_of_run(const PlanRequirements& asked, const std::atomic<bool>* cancel) {
  if (const Sketches* sketches = deciding_sketches(asked.options)) {
    return checked_plan(sketches->plan(), sketches->paths().front(), asked);
  }
  const std::string& path = asked.options.plan;
  if (path.empty()) return std::nullopt;
  const auto in_memory = asked.options.memory_files.find(path);  // an index brings it
  if (in_memory == asked.options.memory_files.end()) {
    return checked_plan(load_plan(path, cancel), path, asked);
  }
  std::string text(in_memory->second->size(), '\0');
  in_memory->second->read(0, text.data(), text.size());
  return checked_plan(plan_from_json(text, path), path, asked);
}

}  // namespace sosie
