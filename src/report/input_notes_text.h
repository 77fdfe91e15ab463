#pragma once

#include <string>
#include <vector>

#include "core/json_writer.h"
#include "data/input_notes.h"

namespace sosie {

// The first of these paths as a terminal may show them, and how many more there are.
[[nodiscard]] std::string first_paths(const std::vector<std::string>& paths);

// A line for each kind of note, each with its line end; empty when there is nothing to say.
[[nodiscard]] std::string input_notes_text(const InputNotes& notes);

// Adds them to the summary for machines.
void add_input_notes(const InputNotes& notes, JsonWriter& json);

}  // namespace sosie
