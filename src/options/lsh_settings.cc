// Checks the options for locality-sensitive hashing of vectors and bit strings.
#include "options/lsh_settings.h"

#include <fmt/format.h>

#include <string>

#include "core/rational.h"
#include "options/bounds.h"
#include "options/refuse_options_of_others.h"
#include "options/set_cascade.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The shape requested by --bands or --construct, if its number of functions is feasible.
std::optional<BandShape> fixed_shape(const Options& options) {
  auto shape = asked_shape(options);
  if (!shape) return shape;
  if (options.construct.empty()) {
    if (shape->rows > kMostBandRows) {
      refuse_option({"bands", options.bands},
                    fmt::format("at most {} rows per band", kMostBandRows));
    }
  } else if (shape->rows > kMostBandRows || shape->bands > kMostFunctions / shape->rows) {
    refuse_option({"construct", options.construct},
                  fmt::format("at most {} functions in the first AND, {} in all, can be run",
                              kMostBandRows, kMostFunctions),
                  "sosie plan --family describes any cascade");
  }
  if (!shape->is_banding() && !options.plan.empty()) {
    refuse_option({"construct", options.construct},
                  "cannot be combined with --plan, which holds bands and rows");
  }
  return shape;
}

// The hash family for items with this measure: the requested family, or else the usual one.
const HashFamily* hash_family_of(const MeasureRow& measure, const Options& options) {
  const HashFamily* usual = usual_hash_family(measure.hashed_as);
  if (options.family.empty() || usual == nullptr) return usual;
  const HashFamily* named = hash_family_by_name(options.family);
  if (named->distance != usual->distance) {
    refuse_option(
        {"family", std::string(named->name)},
        fmt::format("is sensitive to {} distance, not to {}", named->distance, usual->distance));
  }
  return named;
}

// Number of probes requested by --probes.
double probes_for(const Options& options, const std::optional<BandShape>& fixed) {
  if (options.probes.empty()) return 1;
  const double probes = parse_rational(options.probes)->value();
  if (probes > 1 && !can_be_probed(options.family)) {
    refuse_option({"probes", options.probes}, "works only with --family cross-polytope");
  }
  if (probes > 1 && fixed && !fixed->is_banding()) {
    refuse_option({"probes", options.probes}, "needs --construct and:ROWS,or:BANDS");
  }
  if (probes > 1 && fixed && !can_probe(probes, fixed->rows)) {
    refuse_option({"probes", options.probes},
                  fmt::format("with {} rows per band, a vector would have {:.0f} keys in each "
                              "band; at most {:.0f} can be looked up",
                              fixed->rows, probes_of(probes, fixed->rows), kMostProbes));
  }
  return probes;
}

// The option that requests hashing.
RefusedOption hashing_option(const Options& options) {
  if (options.method == Method::lsh) return {"method", "lsh"};
  if (!options.construct.empty()) return RefusedOption{"construct"};
  if (!options.bands.empty()) return RefusedOption{"bands"};
  return RefusedOption{options.plan.empty() ? "family" : "plan"};
}

// Throws unless items can be hashed as the options require.
void require_hashing(const Options& options, const MeasureRow& measure, bool every_pair,
                     bool nearest) {
  const bool lsh = options.method == Method::lsh;
  if (lsh && every_pair) {
    refuse_option({"recall", "1"}, "method lsh cannot guarantee every pair",
                  "use --method exact, or a recall below 1");
  }
  if (!lsh && (every_pair || options.method == Method::exact || options.method == Method::brute)) {
    refuse_option(hashing_option(options), "does not apply to a method that finds every pair");
  }
  if (nearest) {
    refuse_option(hashing_option(options),
                  "--top alone finds the nearest items, however far they are",
                  "also set --threshold or --within");
  }
  if (!measure.has_method(Method::lsh)) {
    refuse_option({"measure", std::string(measure.name)}, "there is no lsh for it",
                  "--method exact finds every pair");
  }
}

}  // namespace

LshSettings resolve_lsh(const Options& options, const MeasureRow& measure, bool nearest) {
  const auto recall = *parse_rational(options.recall);
  const bool every_pair = recall.num == recall.den;
  LshSettings settings;
  settings.recall = recall.value();
  settings.fixed = fixed_shape(options);
  settings.probes = probes_for(options, settings.fixed);
  settings.required = options.method == Method::lsh || settings.fixed.has_value() ||
                      !options.family.empty() || !options.plan.empty();
  if (settings.required) require_hashing(options, measure, every_pair, nearest);
  const bool may = options.method == Method::automatic && !every_pair && !nearest &&
                   measure.has_method(Method::lsh);
  if (settings.required || may) settings.family = hash_family_of(measure, options);
  settings.is_named = !options.family.empty();
  return settings;
}

}  // namespace sosie
