// Notes on inputs that were not read, or read twice, for people and for machines.
#include "report/input_notes_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "corpus/shown_text.h"

namespace sosie {

// The first of these paths, and how many more there are.
std::string first_paths(const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, paths.size()); ++i) {
    names.push_back(shown_text(paths[i], 120));
  }
  return fmt::format(
      "{}{}", fmt::join(names, ", "),
      paths.size() > kNamed ? fmt::format(" and {} more", paths.size() - kNamed) : "");
}

std::string input_notes_text(const InputNotes& notes) {
  std::string text;
  if (!notes.passed_over.empty()) {
    text += fmt::format("not read, no record files: {}\n", first_paths(notes.passed_over));
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
    text += fmt::format("note: files are called so, and :: names no column: {}\n",
                        first_paths(notes.literal));
  }
  if (!notes.repeated.empty()) {
    std::vector<std::string> names;
    for (const RepeatedFile& file : notes.repeated) {
      const bool has_another = file.name != file.first;
      names.push_back(has_another ? fmt::format("{} (also {})", file.name, file.first) : file.name);
    }
    text += fmt::format("note: named twice, so its rows are there twice: {}\n", first_paths(names));
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

}  // namespace sosie
