// Rows that an open index takes, as files in memory.
#include "verbs/index/open_index_rows.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "sosie/error.h"

namespace sosie {
namespace {

void expect_own_names(const NamesOfRows& names) {
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t row = 0; row < names.names.size(); ++row) {
    const auto [first, is_new] = row_of.emplace(names.names[row], row);
    if (is_new) continue;
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("row {}", row)},
                fmt::format("id '{}' is already that of row {}", names.names[row], first->second));
  }
}

}  // namespace

JsonRows OpenIndexRows::json() const {
  if (array_ == nullptr) return json_;
  throw Error(ErrorKind::unsupported, "an array of numbers holds no texts, sets or bags");
}

std::shared_ptr<const MemoryFile> OpenIndexRows::file() const {
  if (array_ != nullptr) return array_->file;
  auto text = std::make_shared<std::string>();
  for (const std::string_view row : json_) {
    // A line end inside of an object is white space between its parts.
    for (const char c : row) *text += c == '\n' || c == '\r' ? ' ' : c;
    *text += '\n';
  }
  const std::span<const char> bytes(text->data(), text->size());
  return memory_file_of({bytes}, std::move(text));
}

std::string OpenIndexRows::path() const {
  return "rows" + (array_ == nullptr ? std::string(".jsonl") : array_->extension);
}

void OpenIndexRows::expect_names() const {
  if (array_ == nullptr || array_->rows == 0) return;
  const NamesOfRows* names = array_->file->names();
  if (names != nullptr) return expect_own_names(*names);
  throw Error(ErrorKind::malformed_input,
              "the rows are an array without ids, and the items have some");
}

}  // namespace sosie
