// Files in another encoding or dialect than the usual ones, in summaries.
#include "report/unusual_files.h"

#include <fmt/format.h>

#include <map>

#include "core/count_text.h"
#include "corpus/shown_text.h"

namespace sosie {
namespace {

// "latin-1: 2 files, utf-16: c.csv": what is said of files, with the files.
std::vector<std::string> told_of_files(
    const std::map<std::string, std::vector<std::string>>& files_of) {
  std::vector<std::string> parts;
  parts.reserve(files_of.size() + 1);
  for (const auto& [what, files] : files_of) {
    parts.push_back(fmt::format(
        "{}: {}", what,
        files.size() == 1 ? shown_text(files.front(), 80) : count_text(files.size()) + " files"));
  }
  return parts;
}

// A character as JSON; null: none.
JsonScalar mark_json(const char& mark) {
  if (mark == '\0') return nullptr;
  return std::string_view(&mark, 1);
}

}  // namespace

std::string encoding_line(const std::vector<FileInEncoding>& encodings, std::uint64_t ill_formed) {
  std::map<std::string, std::vector<std::string>> files;
  for (const FileInEncoding& each : encodings) files[each.encoding].push_back(each.name);
  std::vector<std::string> parts = told_of_files(files);
  if (ill_formed > 0) {
    parts.push_back(plural_text(ill_formed, "row is", "rows are") + " not in " +
                    (encodings.empty() ? "UTF-8" : "the encoding") +
                    ", each such byte a letter of its own");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string dialect_line(const std::vector<FileInDialect>& dialects) {
  std::map<std::string, std::vector<std::string>> files;
  for (const FileInDialect& each : dialects) files[each.text].push_back(each.name);
  return fmt::format("{}", fmt::join(told_of_files(files), "; "));
}

void add_unusual_files(const std::vector<FileInEncoding>& encodings,
                       const std::vector<FileInDialect>& dialects, JsonWriter& json) {
  if (!encodings.empty()) {
    json.begin_array("encodings");
    for (const FileInEncoding& each : encodings) {
      json.object({{"name", each.name}, {"encoding", each.encoding}});
    }
    json.end_array();
  }
  if (dialects.empty()) return;
  json.begin_array("dialects");
  for (const FileInDialect& each : dialects) {
    json.object({{"name", each.name},
                 {"delimiter", mark_json(each.dialect.separator)},
                 {"quote", mark_json(each.dialect.quote)},
                 {"escape", mark_json(each.dialect.escape)}});
  }
  json.end_array();
}

}  // namespace sosie
