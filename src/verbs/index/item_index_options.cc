// Build options of an index of vectors, bit strings or strings, and their transfer to runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rational.h"
#include "data/kinds.h"
#include "options/bounds.h"
#include "options/equal_values.h"
#include "options/saved_option.h"
#include "options/set_cascade.h"
#include "options/vector_settings.h"
#include "plan/saved_plan.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"
#include "store/index/recorded_bits.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/item_index_run.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// TABLE: options that are fixed when an index is built, each with the value assumed if the index
// does not record it. `of_rows`: may differ for rows that are looked up or added.
struct FixedOption {
  std::string_view name;
  std::string_view usual;
  bool of_rows = false;
};
constexpr std::array kFixed = {
    FixedOption{"kind", ""},          FixedOption{"measure", ""},
    FixedOption{"threshold", ""},     FixedOption{"within", ""},
    FixedOption{"method", "auto"},    FixedOption{"clean", "none"},
    FixedOption{"recall", "0.99"},    FixedOption{"seed", "1"},
    FixedOption{"family", ""},        FixedOption{"probes", ""},
    FixedOption{"bands", ""},         FixedOption{"column", "text", true},
    FixedOption{"encoding", "", true}};

std::string made(const IndexManifest& manifest, const FixedOption& option) {
  for (const auto& [name, value] : manifest.contents.options) {
    if (name == option.name) return value;
  }
  return std::string(option.usual);
}

[[noreturn]] void refuse(std::string_view name, const std::string& value, const std::string& path,
                         const std::string& made) {
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name), value},
              fmt::format("{} was built with {}", path, shown_value(made)),
              "omit it, or build another index with it");
}

// A stricter bound is applied to the pairs found with the index's own bound.
bool is_stricter(std::string_view name, const std::string& given, const std::string& made) {
  if (name != "threshold" && name != "within") return false;
  const BoundSide side = name == "threshold" ? BoundSide::not_below : BoundSide::not_above;
  const auto one = parse_bound(given, side);
  const auto other = parse_bound(made, side);
  if (!one || !other) return false;
  return name == "threshold" ? is_less(*other, *one) : is_less(*one, *other);
}

// The option that sets the bound of an index, if it has one.
bool has_bound(const IndexManifest& manifest, std::string_view name) {
  const auto& options = manifest.contents.options;
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& option) { return option.first == name; });
}

// A run that sets the other kind of bound than the index reads all items, if possible.
void take_bound(const IndexManifest& manifest, const std::string& path, const FixedOption& option,
                Options& options) {
  const std::string value = made(manifest, option);
  const std::string_view other = option.name == "threshold" ? "within" : "threshold";
  if (!is_given(options, option.name)) {
    if (!value.empty() && !is_given(options, other)) set_option(options, option.name, value);
    return;
  }
  const bool is_own = has_bound(manifest, option.name);
  const bool is_others = has_bound(manifest, other) && manifest.keys != IndexKeys::none;
  if (!is_own && !is_others) return;
  const bool reads_all = manifest.keys == IndexKeys::none && !manifest.contents.has_items();
  if (reads_all && options.kind == kVectorItems) return;  // any bound can be decided
  const std::string given = given_value(options, option.name);
  if (equal_values(given, value) || is_stricter(option.name, given, value)) return;
  refuse(option.name, given, path, value);
}

void take(const IndexManifest& manifest, const std::string& path, const FixedOption& option,
          Options& options) {
  const std::string value = made(manifest, option);
  if (option.name == "threshold" || option.name == "within") {
    take_bound(manifest, path, option, options);
    return;
  }
  if (!is_given(options, option.name)) {
    if (value != option.usual) set_saved_option(options, option.name, value);
    return;
  }
  const std::string given = given_value(options, option.name);
  if (option.of_rows || equal_values_of(option.name, given, value)) return;
  const bool finds_all = value == "auto" || (value == "lsh" && !manifest.contents.has_items());
  if (option.name == "method" && (given == "auto" || given == "exact") && finds_all) return;
  refuse(option.name, given, path, value);
}

// The plan in the form in which runs read it, in memory. If a run has a stricter bound, the plan is
// made for that bound.
void take_plan(const IndexManifest& manifest, const std::string& path, Options& options) {
  const SavedPlan& plan = manifest.contents.plan;
  if (!options.plan.empty()) {
    expect_equal_plans(plan, path, load_plan(options.plan, nullptr), options.plan,
                       "an index has its own plan; omit --plan");
  }
  SavedPlan asked = plan;
  const auto bound = plan.hashed->is_similarity
                         ? parse_bound(options.threshold, BoundSide::not_below)
                         : parse_bound(options.within, BoundSide::not_above);
  if (bound) asked.threshold = *bound;
  options.plan = path + "/MANIFEST";
  const auto text = std::make_shared<const std::string>(plan_to_json(asked));
  options.memory_files[options.plan] = memory_file_of({{text->data(), text->size()}}, text);
  options.method = Method::lsh;
}

}  // namespace

Options with_item_index(const Options& options, const IndexManifest& manifest,
                        const std::string& path) {
  Options chosen = options;
  refuse_cascade(chosen, "an index");
  for (const FixedOption& option : kFixed) take(manifest, path, option, chosen);
  chosen = with_kind(chosen);
  if (manifest.contents.has_items()) {
    take_plan(manifest, path, chosen);
  } else if (!chosen.plan.empty()) {
    refuse("plan", chosen.plan, path, "");
  } else if (chosen.method == Method::automatic || wants_lists(chosen)) {
    chosen.method = Method::exact;  // only an index that stays open uses lists
  }
  return chosen;
}

std::vector<std::pair<std::string, std::string>> item_options(const Options& options) {
  std::vector<std::pair<std::string, std::string>> fixed;
  for (const FixedOption& option : kFixed) {
    std::string value = given_value(options, option.name);
    if (option.name == "kind") value = kind_name(options.kind);
    if (option.name == "measure") value = options.measure;
    if (!value.empty() && value != option.usual) fixed.emplace_back(option.name, value);
  }
  return fixed;
}

void expect_equal_items(const IndexManifest& one, const std::string& path,
                        const IndexManifest& other, const std::string& other_path) {
  constexpr std::string_view kWay =
      "indexes must have the same plan and options to be read together or merged";
  const auto expect = [&](std::string_view name, const std::string& value,
                          const std::string& other_value) {
    expect_equal_option(name, value, path, other_value, other_path, kWay);
  };
  const auto name_of = [](const IndexManifest& manifest) {
    return manifest.contents.id_field.empty() ? std::string("row") : manifest.contents.id_field;
  };
  for (const FixedOption& option : kFixed) {
    if (!option.of_rows) expect(option.name, made(one, option), made(other, option));
  }
  expect("fields", kept_fields(one.contents), kept_fields(other.contents));
  const std::uint64_t dimension = one.contents.dimension;
  const std::uint64_t other_dimension = other.contents.dimension;
  if (dimension != other_dimension && dimension != 0 && other_dimension != 0) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("the items of {} have {} components or bits, those of {} have {}", path,
                            dimension, other_path, other_dimension));
  }
  if (one.contents.has_items() != other.contents.has_items() || one.keys != other.keys) {
    expect("method", one.contents.has_items() ? "lsh" : "exact",
           other.contents.has_items() ? "lsh" : "exact");
  }
  if (one.contents.has_items()) {
    expect_equal_plans(one.contents.plan, path, other.contents.plan, other_path, kWay);
  }
  if (one.contents.id_field.empty() != other.contents.id_field.empty()) {
    expect("id", name_of(one), name_of(other));
  }
}

IndexManifest manifest_of_items(const Options& options, ReadItems& rows) {
  // With a larger bound, the blocks in which two strings agree would be too short to be selective.
  constexpr std::uint64_t kMostNear = 15;
  constexpr int kMostBands = 1024;
  IndexManifest manifest;
  SketchContents& contents = manifest.contents;
  contents.options = item_options(options);
  contents.dimension = rows.dimension();
  record_bits(rows.inputs().declared_bits, contents);
  if (rows.is_named()) {
    const std::string& field = rows.inputs().fields.id;
    contents.id_field = field.empty() ? "id" : field;
  } else if (rows.rows() == 0 && options.id != "row" && !options.id.empty()) {
    contents.id_field = options.id;
  }
  manifest.keys = IndexKeys::none;
  if (wants_lists(options)) {
    (void)recall_of_lists(options);  // checks it
    return manifest;
  }
  const bool hashes = options.method == Method::lsh || !options.plan.empty() ||
                      !options.bands.empty() || !options.family.empty();
  if (hashes) {
    contents.plan = rows.plan();
    const HashedPlan& hashed = *contents.plan.hashed;
    if (hashed.probes <= 1 && hashed.bands <= kMostBands) manifest.keys = IndexKeys::hashes;
    return manifest;
  }
  const auto bound = parse_bound(options.within, BoundSide::not_above);
  const bool is_near = options.measure == "hamming" && options.method != Method::brute && bound &&
                       bound->num / bound->den <= kMostNear;
  if (options.kind == kBitItems && is_near) {
    manifest.keys = IndexKeys::blocks;
    manifest.blocks = static_cast<std::uint32_t>(bound->num / bound->den) + 1;
  }
  return manifest;
}

}  // namespace sosie
