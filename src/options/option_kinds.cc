// Options that mean nothing for some kinds of items: one check, by the rows of the option table.
#include "options/option_kinds.h"

#include <fmt/format.h>

#include "data/kinds.h"
#include "sosie/error.h"
#include "sosie/help.h"

namespace sosie {

std::string refusal_of(const OptionRow& row, std::string_view kind) {
  const unsigned bit = kind_bit(kind);
  if ((row.kinds.mask & bit) != 0) return {};
  const std::string_view items = bit == kTextItems ? "texts" : kind;
  return fmt::format("has no meaning for {}: {}", items, row.kinds.reason);
}

void refuse_options_of_others(const Options& options) {
  for (const auto& [name, value] : options.given) {
    const std::string refusal =
        refusal_of(*find_option(name), options.kind.empty() ? "text" : options.kind);
    if (refusal.empty()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, refusal);
  }
}

}  // namespace sosie
