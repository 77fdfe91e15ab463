// Reads rules for `sosie link` from a file of limited size, and the tables that they name.
#include "options/read_link_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/utf8.h"
#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
constexpr std::size_t kMostNames = 256;  // names of a row

std::string read_whole(const std::string& path, const std::string& what,
                       const std::atomic<bool>* cancel) {
  const File file(path);
  std::string text = read_text(file.descriptor(), path, kMostBytes + 1, cancel);
  if (text.size() > kMostBytes) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "too long for " + what,
                fmt::format("a {} file may have at most 16 MiB", what));
  }
  return text;
}

bool is_utf8(std::string_view text) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    if (is_escaped_byte(decoded.code_point) || decoded.code_point == 0) return false;
    at += decoded.size;
  }
  return true;
}

// Removes a cell and the following comma from the front of a row, and returns the cell.
std::string take_cell(std::string_view& row) {
  std::string cell;
  if (row.starts_with('"')) {
    row.remove_prefix(1);
    for (bool ended = false; !ended;) {
      const std::size_t quote = row.find('"');
      if (quote == std::string_view::npos) return {};  // the caller has counted the quotes
      cell += row.substr(0, quote);
      row.remove_prefix(quote + 1);
      ended = !row.starts_with('"');
      if (!ended) {
        cell += '"';
        row.remove_prefix(1);
      }
    }
    row.remove_prefix(std::min(row.size(), row.find(',')));
  } else {
    cell = row.substr(0, row.find(','));
    row.remove_prefix(cell.size());
  }
  if (!row.empty()) row.remove_prefix(1);
  return cell;
}

}  // namespace

std::vector<std::vector<std::string>> parse_nicknames(std::string_view text,
                                                      const std::string& name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::vector<std::string>> rows;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), row.size() + 1));
    if (row.ends_with('\r')) row.remove_suffix(1);
    const auto refuse = [&](const std::string& reason) {
      throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("{}:{}", name, line)}, reason,
                  "each row holds names of the same person: william,bill,will");
    };
    if (!is_utf8(row)) refuse("not UTF-8");
    if (std::count(row.begin(), row.end(), '"') % 2 != 0) refuse("a quote is not closed");
    std::vector<std::string> names;
    while (!row.empty()) {
      names.push_back(take_cell(row));
      if (names.size() > kMostNames) refuse(fmt::format("more than {} names", kMostNames));
    }
    if (names.size() > 1) rows.push_back(std::move(names));
  }
  if (rows.empty()) {
    throw Error(ErrorKind::malformed_input, BadPlace{name}, "no row has two names",
                "each row holds names of the same person: william,bill,will");
  }
  return rows;
}

LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel) {
  return read_link_rules_text(read_whole(path, "rules", cancel), path, cancel);
}

LinkRules read_link_rules_text(std::string_view text, const std::string& path,
                               const std::atomic<bool>* cancel) {
  LinkRules rules = parse_link_rules(text, path);
  for (LinkField& field : rules.fields) {
    if (field.nicknames.empty()) continue;
    field.nickname_path =
        (std::filesystem::path(path).parent_path() / field.nicknames).lexically_normal().string();
    field.nickname_rows =
        parse_nicknames(read_whole(field.nickname_path, "nicknames", cancel), field.nickname_path);
  }
  return rules;
}

}  // namespace sosie
