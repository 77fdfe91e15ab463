// Options that mean nothing for some kinds of items: one check, by the rows of the option table.
#include "options/option_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/kinds.h"
#include "sosie/error.h"
#include "sosie/help.h"

namespace sosie {
namespace {

// TABLE: what is not built yet for some kinds, though it would mean something. It only shrinks.
struct NotYet {
  std::string_view option;
  unsigned kinds;
};
constexpr std::array kNotYet = {NotYet{"checkpoint", kStringItems}};

bool is_built(std::string_view option, unsigned kind) noexcept {
  return std::none_of(kNotYet.begin(), kNotYet.end(), [&](const NotYet& row) {
    return row.option == option && (row.kinds & kind) != 0;
  });
}

}  // namespace

std::string refusal_of(const OptionRow& row, std::string_view kind) {
  const unsigned bit = kind_bit(kind);
  const std::string_view items = bit == kTextItems ? "texts" : kind;
  if ((row.kinds.mask & bit) == 0) {
    return fmt::format("has no meaning for {}: {}", items, row.kinds.reason);
  }
  return is_built(row.name, bit) ? std::string{} : fmt::format("not for {} yet", items);
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
