// Notes on inputs, for people and machines: files that were not read, that were read twice, or that
// have an unusual encoding or dialect.
#include "report/input_notes_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "corpus/shown_text.h"

namespace sosie {
namespace {

// "latin-1: 2 files, utf-16: c.csv": facts, each with the files to which it applies.
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

// A character as JSON; null if there is none.
JsonScalar mark_json(const char& mark) {
  if (mark == '\0') return nullptr;
  return std::string_view(&mark, 1);
}

}  // namespace

// The first few of these paths, and the number of remaining paths.
std::string first_paths(const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, paths.size()); ++i) {
    names.push_back(shown_text(paths[i], 120));
  }
  return fmt::format(
      "{}{}", joined_text(names, ", "),
      paths.size() > kNamed ? fmt::format(" and {} more", paths.size() - kNamed) : "");
}

std::string input_notes_text(const InputNotes& notes) {
  std::string text;
  if (!notes.passed_over.empty()) {
    text += fmt::format("not read, not record files: {}\n", first_paths(notes.passed_over));
  }
  if (!notes.hidden.empty()) {
    text += fmt::format("not read, {} (--hidden reads them): {}\n",
                        plural_text(notes.hidden.size(), "hidden path", "hidden paths"),
                        first_paths(notes.hidden));
  }
  if (!notes.links.empty()) {
    text += fmt::format("not read, symbolic links (--follow reads them): {}\n",
                        first_paths(notes.links));
  }
  if (!notes.dead_links.empty()) {
    text += fmt::format("not read, symbolic links that lead nowhere or to a folder above: {}\n",
                        first_paths(notes.dead_links));
  }
  if (!notes.literal.empty()) {
    text += fmt::format(
        "note: files of exactly this name exist, so ::column= is part of the name: {}\n",
        first_paths(notes.literal));
  }
  if (!notes.repeated.empty()) {
    std::vector<std::string> names;
    for (const RepeatedFile& file : notes.repeated) {
      const bool has_another = file.name != file.first;
      names.push_back(has_another ? fmt::format("{} (also {})", file.name, file.first) : file.name);
    }
    text += fmt::format("note: named twice, so its rows count twice: {}\n", first_paths(names));
  }
  return text;
}

void add_input_notes(const InputNotes& notes, JsonWriter& json) {
  json.list("not_read", notes.passed_over);
  json.list("hidden_not_read", notes.hidden);
  json.begin_array("links_not_read");
  for (const std::string& link : notes.links) json.value(link);
  for (const std::string& link : notes.dead_links) json.value(link);
  json.end_array();
  json.begin_array("read_twice");
  for (const RepeatedFile& file : notes.repeated) {
    json.object({{"name", file.name}, {"first", file.first}});
  }
  json.end_array();
}

std::string encoding_line(const std::vector<FileInEncoding>& encodings, std::uint64_t ill_formed) {
  std::map<std::string, std::vector<std::string>> files;
  for (const FileInEncoding& each : encodings) files[each.encoding].push_back(each.name);
  std::vector<std::string> parts = told_of_files(files);
  if (ill_formed > 0) {
    parts.push_back(plural_text(ill_formed, "row is", "rows are") + " not in " +
                    (encodings.empty() ? "UTF-8" : "the encoding") +
                    ", each such byte treated as a character of its own");
  }
  return joined_text(parts, ", ");
}

std::string dialect_line(const std::vector<FileInDialect>& dialects) {
  std::map<std::string, std::vector<std::string>> files;
  for (const FileInDialect& each : dialects) files[each.text].push_back(each.name);
  return joined_text(told_of_files(files), "; ");
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
