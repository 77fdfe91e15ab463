// Reads files of ids for items without ids of their own (--ids, --other-ids).
#include "corpus/items/given_ids.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "core/utf8.h"
#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
ItemIds read_given_ids(const std::string& path, std::optional<std::uint64_t> items,
                       const std::atomic<bool>* cancel) {
  const File file(path);
  const std::string text = read_text(file.descriptor(), path, ~std::uint64_t{0}, cancel);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  ItemIds ids;
  std::unordered_map<std::string_view, std::size_t> line_of;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    std::string_view id = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (id.ends_with('\r')) id.remove_suffix(1);
    if (id.empty()) {
      throw Error(ErrorKind::malformed_input, fmt::format("{}:{}: an empty id", path, line));
    }
    const auto [first, is_new] = line_of.emplace(id, line);
    if (!is_new) {
      throw Error(ErrorKind::malformed_input, fmt::format("{}:{}: id '{}' is in line {} already",
                                                          path, line, id, first->second));
    }
    ids.names.emplace_back(id);
  }
  if (items && ids.names.size() != *items) {
    throw Error(ErrorKind::malformed_input, BadPlace{path},
                fmt::format("{} ids for {} items", ids.names.size(), *items));
  }
  ids.are_integers.assign(ids.names.size(), false);
  return ids;
}

}  // namespace sosie
