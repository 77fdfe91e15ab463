// Bounds set by --threshold and --within, and the options that exclude them.
#include "options/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/joined_text.h"
#include "core/rational.h"
#include "options/refuse_options_of_others.h"
#include "sosie/error.h"
#include "verify/measures.h"

namespace sosie {
namespace {

// TABLE: options that apply only to the rows of another collection; expect_other() rejects them if
// there is none.
constexpr std::array<std::string_view, 6> kOptionsOfOther = {"other-format",     "other-column",
                                                             "other-id",         "other-delimiter",
                                                             "other-skip-lines", "other-encoding"};

// The only similarity that can exceed 1.
constexpr std::string_view kDot = "dot";

}  // namespace

void require_fraction(const Options& options) {
  const auto [size, negative] = *parse_signed_rational(options.threshold);
  if (!negative && size.num > 0 && size.num <= size.den) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"threshold"},
              fmt::format("'{}' is not a number above 0 and at most 1, such as 0.8 or 4/5",
                          options.threshold));
}

BoundFacts facts_of_sets(const Options& options, bool falls) {
  if (!options.within.empty()) return {options.measure, options.within, false};
  return {options.measure, falls ? std::string() : options.threshold, true};
}

ItemBound resolve_bound(const Options& options, std::string_view name, bool is_similarity) {
  const bool threshold = is_given(options, "threshold");
  const bool within = !options.within.empty();
  if (within && is_similarity) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"within"},
                fmt::format("{} is a similarity, not a distance", name),
                name == "cosine" ? "use --threshold S, or --measure angle --within DEGREES"
                                 : "use --threshold S");
  }
  if (threshold && !is_similarity) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"threshold"},
                fmt::format("{} is a distance, not a similarity", name), "use --within D");
  }
  if (!threshold && !within) {
    throw Error(ErrorKind::invalid_option, RefusedOption{is_similarity ? "threshold" : "within"},
                fmt::format("must be given for {}", name),
                "pairs and query accept --top K instead");
  }
  if (threshold && name != kDot) require_fraction(options);
  const std::string& text = within ? options.within : options.threshold;
  if (within)
    return {{std::string(name), text, is_similarity}, *parse_bound(text, BoundSide::not_above)};
  return {{std::string(name), text, is_similarity}, parse_signed_rational(text)->size};
}

bool asks_for_nearest(const Options& options) {
  const bool has_count = options.top > 0 || options.top_pairs > 0;
  return has_count && !is_given(options, "threshold") && options.within.empty();
}

ItemBound no_bound(std::string_view name, bool is_similarity) {
  return {{std::string(name), {}, is_similarity}, {}};
}

void refuse_audit_of_nearest(const Options& options) {
  if (options.audit == 0) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"audit"},
              fmt::format("--{} alone finds the nearest items, however far they are",
                          options.top > 0 ? "top" : "top-pairs"),
              "also set --threshold or --within");
}

void refuse_told_of_other(const Options& options, std::string_view why, std::string_view way) {
  for (const std::string_view name : kOptionsOfOther) {
    if (!is_given(options, name)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, std::string(why),
                std::string(way));
  }
}

bool tells_of_other(const Options& options) {
  return std::any_of(kOptionsOfOther.begin(), kOptionsOfOther.end(),
                     [&](std::string_view name) { return is_given(options, name); });
}

void expect_other(const Options& options) {
  if (!options.against.empty() || options.against_table || options.against_sketches) return;
  refuse_told_of_other(options, "there is nothing to compare with",
                       "--against OTHER names the other collection");
}

void refuse_options_of_texts(const Options& options, KindBit kind) {
  refuse_options_of_others(options);
  if (!options.other_ids.empty() && options.against.empty() && !options.against_sketches) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"other-ids"},
                "there is nothing to compare with", "--ids names the items of the input");
  }
  if (options.table || options.against_table) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{} cannot be read from tables", kind_name(kind)),
                "name a file that holds them");
  }
  const auto pipes = std::count(options.inputs.begin(), options.inputs.end(), "-") +
                     std::count(options.against.begin(), options.against.end(), "-");
  if (pipes > 1) {
    throw Error(ErrorKind::invalid_option, "-: standard input can be read only once");
  }
}

void take_distance_as_threshold(Options& options) {
  if (options.within.empty()) return;
  const auto typed = typed_measure(options.measure, options.kind);
  if (!typed || !typed->row->has_distance) return;
  const auto refuse = [&](const std::string& problem, const std::string& hint) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"within", options.within}, problem, hint);
  };
  const Bound distance = *parse_bound(options.within, BoundSide::not_above);
  if (is_given(options, "threshold"))
    refuse("sets the same bound as --threshold; give only one of them", "");
  if (options.bag_union != Options{}.bag_union) {
    refuse("with --union sum, equal bags have a similarity of 1/2, so there is no distance",
           "use --threshold S");
  }
  if (distance.num >= distance.den) {
    refuse(fmt::format("every pair is within it: {} distances are at most 1", options.measure),
           "use a distance below 1");
  }
  options.threshold = fmt::format("{}/{}", distance.den - distance.num, distance.den);
}

void refuse_measure(std::string_view typed, KindBit kind) {
  std::vector<std::string> own;
  std::vector<std::string_view> others;
  const std::string_view name = typed.substr(0, typed.find(':'));
  for (const MeasureRow& row : measure_table()) {
    if (has_any(row.kinds, kind)) own.push_back(row.shown_name());
    for (const Kind& other : kItemKinds) {
      if (row.name == name && has_any(row.kinds, other.bit)) others.push_back(other.name);
    }
  }
  const std::string_view items = kind_name(kind);
  const std::string hint = fmt::format("{} {} compared by {}", items,
                                       items.ends_with('s') ? "are" : "is", joined_text(own, ", "));
  throw Error(ErrorKind::invalid_option, RefusedOption{"measure", std::string(typed)},
              fmt::format("does not support --kind {}", items),
              fmt::format("{}; {} is for --kind {}", hint, name, joined_text(others, " or ")));
}

bool shows_compared(const Options& options) {
  return !options.show.empty() && options.clean != "none";
}

bool is_given(const Options& options, std::string_view name) {
  return std::any_of(options.given.begin(), options.given.end(),
                     [&](const auto& given) { return given.first == name; });
}

std::string given_value(const Options& options, std::string_view name) {
  const auto found = std::find_if(options.given.begin(), options.given.end(),
                                  [&](const auto& given) { return given.first == name; });
  return found == options.given.end() ? std::string() : found->second;
}

}  // namespace sosie
