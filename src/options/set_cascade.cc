// Checks the options for cascades and for hash families for sets.
#include "options/set_cascade.h"

#include <fmt/format.h>

#include <string>

#include "core/rational.h"
#include "data/kinds.h"
#include "options/bounds.h"
#include "options/refuse_options_of_others.h"
#include "options/settings.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The set family named by --family; by default, minhash.
const HashFamily& family_of_sets(const Options& options) {
  const HashFamily& family =
      *hash_family_by_name(options.family.empty() ? "minhash" : options.family);
  const bool names_squares = family.form == FunctionForm::squares;
  if (family.form != FunctionForm::minhash && !names_squares) {
    refuse_option({"family", options.family},
                  fmt::format("hashes by {} distance, which a {} does not have", family.distance,
                              item_name(options.kind)),
                  "--family minhash hashes sets and texts, grid-triples sets of squares");
  }
  if (names_squares && options.kind != kSetItems) {
    refuse_option(
        {"family", options.family},
        fmt::format("works only with sets of squares, not with {}", kind_name(options.kind)),
        "--kind sets");
  }
  return family;
}

void check_squares(const Options& options, const HashFamily& family) {
  if (family.form == FunctionForm::squares || !is_given(options, "squares")) return;
  refuse_option({"squares", options.squares}, "works only with --family grid-triples");
}

// Throws if a cascade is combined with options that plan differently.
void check_beside(const Options& options) {
  const RefusedOption cascade{options.construct.empty() ? "family" : "construct",
                              options.construct.empty() ? options.family : options.construct};
  if (!options.plan.empty())
    refuse_option(cascade, "cannot be combined with --plan, which holds bands and rows");
  if (!options.against_sketches && !options.sketches) return;
  refuse_option(cascade, "cannot be combined with sketches, which hold bands and rows");
}

void check_functions(const Options& options, const BandShape& shape, int most) {
  const auto functions =
      static_cast<std::uint64_t>(shape.bands) * static_cast<std::uint64_t>(shape.rows);
  if (functions <= static_cast<std::uint64_t>(most)) return;
  refuse_option({"construct", options.construct},
                fmt::format("needs {} functions, at most {} can be run", functions, most),
                "sosie plan --family describes any cascade");
}

}  // namespace

std::optional<BandShape> asked_shape(const Options& options) {
  if (options.construct.empty() && options.bands.empty()) return std::nullopt;
  if (options.construct.empty()) {
    const auto bands = *parse_bands(options.bands);
    return BandShape{bands.first, bands.second};
  }
  if (!options.bands.empty())
    refuse_option({"construct"}, "means the same as --bands; give only one");
  const Construction construction = *parse_construction(options.construct);
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 24;
  if (const std::uint64_t count = function_count(construction); count > kMostCounted) {
    refuse_option({"construct", options.construct},
                  fmt::format("needs {} functions, more than can be run", count),
                  "sosie plan --family describes any cascade");
  }
  return as_bands(construction);
}

bool is_squares_family(std::string_view name) noexcept {
  const HashFamily* family = hash_family_by_name(name);
  return family != nullptr && family->form == FunctionForm::squares;
}

void refuse_cascade(const Options& options, std::string_view verb) {
  if (is_squares_family(options.family)) {
    refuse_option({"family", options.family},
                  fmt::format("works only in pairs, query and plan, not in {}", verb));
  }
  const auto shape = asked_shape(options);
  if (!shape || shape->is_banding()) return;
  refuse_option({"construct", options.construct},
                fmt::format("{} runs and:ROWS,or:BANDS only", verb),
                "pairs, query and plan run any cascade");
}

std::optional<SetCascade> resolve_cascade(const Options& options, bool has_minhash) {
  SetCascade cascade;
  cascade.family = &family_of_sets(options);
  check_squares(options, *cascade.family);
  const auto shape = asked_shape(options);
  if (cascade.family->form == FunctionForm::squares) {
    if (!shape) {
      refuse_option(
          {"family", options.family},
          "finds pairs by the squares they share, so no cascade can be planned from a threshold",
          "use --construct, such as or:1024");
    }
    cascade.squares = std::stoi(options.squares);
  } else if (!shape || shape->is_banding()) {
    return std::nullopt;
  } else if (!has_minhash) {
    refuse_option({"measure", options.measure}, "there is no lsh for it",
                  "--method exact finds every pair");
  }
  cascade.shape = *shape;
  check_functions(options, cascade.shape,
                  cascade.squares > 0 ? kMostSquareFunctions : kMostMinhashFunctions);
  check_beside(options);
  if (options.audit > 0) {
    refuse_option({"audit"}, "does not apply to a cascade of sets",
                  "pairs --method exact finds every pair, to compare with");
  }
  return cascade;
}

}  // namespace sosie
