// Rejects options that do not apply to a kind of items, with a single check against the rows of the
// option table.
#include "options/refuse_options_of_others.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/kinds.h"
#include "sosie/help.h"

namespace sosie {
namespace {

// TABLE: verbs that do not support all kinds. All other verbs support every kind.
struct VerbKinds {
  VerbBit verb;
  OptionKinds kinds;
};
constexpr OptionKinds kForItemsOfEntities = {~kRecordItems,
                                             "sosie link finds records of the same entity"};
constexpr std::array kVerbKinds = {
    VerbKinds{kSketch, {~(kStringItems | kRecordItems), "they have no signature"}},
    VerbKinds{kDedup, kForItemsOfEntities}, VerbKinds{kPairs, kForItemsOfEntities},
    VerbKinds{kQuery, kForItemsOfEntities}, VerbKinds{kPlan, kForItemsOfEntities}};

std::string no_meaning(KindBit kind, std::string_view reason) {
  return fmt::format("does not apply to {}: {}", kind == kTextItems ? "texts" : kind_name(kind),
                     reason);
}

}  // namespace

std::string refusal_of(const OptionRow& row, KindBit kind) {
  return has_any(row.kinds.mask, kind) ? std::string{} : no_meaning(kind, row.kinds.reason);
}

std::string index_refusal_of(const OptionRow& row, KindBit kinds) {
  if (has_any(row.indexed.mask, kinds)) return {};
  return fmt::format("cannot be combined with an index, {}", row.indexed.reason);
}

OptionKinds kinds_of(VerbBit verb) noexcept {
  const auto* found = std::find_if(kVerbKinds.begin(), kVerbKinds.end(),
                                   [&](const VerbKinds& row) { return row.verb == verb; });
  return found == kVerbKinds.end() ? OptionKinds{} : found->kinds;
}

std::string refusal_of(VerbBit verb, KindBit kind) {
  const OptionKinds kinds = kinds_of(verb);
  return has_any(kinds.mask, kind) ? std::string{} : no_meaning(kind, kinds.reason);
}

void refuse_options_of_others(const Options& options) {
  for (const auto& [name, value] : options.given) {
    const std::string refusal = refusal_of(*find_option(name), told_kind(options.kind));
    if (refusal.empty()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, refusal);
  }
}

}  // namespace sosie
