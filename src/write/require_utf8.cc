// Rejects ids that a format cannot represent.
#include "write/require_utf8.h"

#include <fmt/format.h>

#include "core/utf8.h"
#include "sosie/error.h"

namespace sosie {

void require_utf8(const Cell& cell, std::string_view format) {
  const auto* id = std::get_if<IdText>(&cell);
  if (id == nullptr || find_ill_formed_utf8(id->text) == std::string_view::npos) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("id '{}' is not UTF-8, so {} cannot hold it", id->text, format),
              "write a .csv or .tsv file instead, or use --id row to identify rows by number");
}

}  // namespace sosie
