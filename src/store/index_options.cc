// Build options of an index, and their transfer to runs.
#include "store/index_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rational.h"
#include "data/method_name.h"
#include "options/bounds.h"
#include "options/equal_values.h"
#include "options/saved_option.h"
#include "options/settings.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/packed_writer.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

// Options that determine how rows are read, not how they are compared; they apply if given.
constexpr std::array<std::string_view, 3> kOfRows = {"column", "id", "encoding"};
// Options that are unrelated to the items.
constexpr std::array<std::string_view, 3> kOfRuns = {"keep", "on-bad-row", "within"};

template <class Names>
bool is_one(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A higher threshold is applied to the pairs found at the index's own threshold.
bool is_higher(const std::string& given, const std::string& made) {
  const auto one = parse_bound(given, BoundSide::not_below);
  const auto other = parse_bound(made, BoundSide::not_below);
  return one && other && is_less(*other, *one);
}

[[noreturn]] void refuse(std::string_view name, const std::string& value, const std::string& path,
                         const std::string& made) {
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name), value},
              fmt::format("{} was built with {}", path, shown_value(made)),
              "omit it, or build another index with it");
}

// True if the index supplies the option to runs that do not set it: if its value is not the
// default, and for the threshold, because --top alone would otherwise accept any similarity.
bool is_told(std::string_view name, const SketchContents& contents) {
  return name == "threshold" ||
         std::any_of(contents.options.begin(), contents.options.end(),
                     [&](const auto& option) { return option.first == name; });
}

void take_option(std::string_view name, const SketchContents& contents, const std::string& path,
                 Options& options) {
  const std::string made = made_with(contents, name);
  // The rows that a query looks up have their own options.
  if (is_one(name, kOfRows) && is_given(options, fmt::format("other-{}", name))) return;
  if (!is_given(options, name)) {
    if (!is_told(name, contents)) return;
    try {
      set_saved_option(options, name, made);
    } catch (const Error&) {
      PackedReader({}, path, "build the index again").refuse();
    }
    return;
  }
  const std::string given = given_value(options, name);
  if (name == "threshold" && is_higher(given, made)) return;
  if (!is_one(name, kOfRows) && !equal_values_of(name, given, made))
    refuse(name, given, path, made);
}

void check_banding(const Options& options, const SavedPlan& plan, const std::string& path) {
  const BandingPlan& banding = plan.banding;
  const auto bands = parse_bands(options.bands);
  if (bands && *bands != std::pair(banding.bands, banding.rows)) {
    refuse("bands", options.bands, path, fmt::format("{}x{}", banding.bands, banding.rows));
  }
  if (options.method != Method::automatic && options.method != Method::lsh &&
      options.method != Method::exact) {
    refuse("method", std::string(method_name(options.method)), path, "lsh");
  }
  if (options.plan.empty()) return;
  expect_equal_plans(plan, path, load_plan(options.plan, nullptr), options.plan,
                     "an index has its own plan; omit --plan");
}

}  // namespace

Options with_index_options(const Options& options, const IndexManifest& manifest,
                           const std::string& path) {
  const SketchContents& contents = manifest.contents;
  Options chosen = options;
  check_banding(chosen, contents.plan, path);
  for (const std::string_view name : sketch_option_names()) {
    if (is_one(name, kOfRuns)) continue;
    const bool is_distance = name == "threshold" && !chosen.within.empty();
    if (!is_distance) take_option(name, contents, path, chosen);
  }
  if (!chosen.within.empty()) {
    take_distance_as_threshold(chosen);
    const std::string made = made_with(contents, "threshold");
    if (!equal_values(chosen.threshold, made) && !is_higher(chosen.threshold, made)) {
      refuse("within", options.within, path, "--threshold " + made);
    }
  }
  chosen.plan.clear();
  chosen.bands.clear();
  if (chosen.method != Method::exact) chosen.method = Method::lsh;
  return chosen;
}

void expect_equal_building(const IndexManifest& one, const std::string& path,
                           const IndexManifest& other, const std::string& other_path) {
  constexpr std::string_view kWay =
      "indexes must have the same plan and options to be read together or merged";
  expect_equal_plans(one.contents.plan, path, other.contents.plan, other_path, kWay);
  for (const std::string_view name : sketch_option_names()) {
    if (is_one(name, kOfRuns) || is_one(name, kOfRows)) continue;
    expect_equal_option(name, made_with(one.contents, name), path, made_with(other.contents, name),
                        other_path, kWay);
  }
  const auto name_of = [](const IndexManifest& manifest) {
    return manifest.contents.id_field.empty() ? std::string("row") : manifest.contents.id_field;
  };
  const bool numbered = one.contents.id_field.empty() != other.contents.id_field.empty();
  if (numbered) expect_equal_option("id", name_of(one), path, name_of(other), other_path, kWay);
  const auto keeps = [](const IndexManifest& manifest) -> std::string {
    return manifest.keeps_items ? "yes" : "no";
  };
  expect_equal_option("fields", kept_fields(one.contents), path, kept_fields(other.contents),
                      other_path, kWay);
  expect_equal_option("keep-items", keeps(one), path, keeps(other), other_path, kWay);
  if (one.keeps_items) return;
  for (const std::string_view name : {"column", "encoding"}) {  // items are read by these again
    expect_equal_option(name, made_with(one.contents, name), path, made_with(other.contents, name),
                        other_path, kWay);
  }
}

}  // namespace sosie
