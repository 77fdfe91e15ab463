#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json_writer.h"
#include "data/input_notes.h"
#include "data/run_summary.h"

namespace sosie {

// The first few of these paths in a form that is safe to print on a terminal, and the number of
// remaining paths.
[[nodiscard]] std::string first_paths(const std::vector<std::string>& paths);

// One line for each kind of note, each with a line end; empty if there are no notes.
[[nodiscard]] std::string input_notes_text(const InputNotes& notes);

// Adds the notes to the JSON summary.
void add_input_notes(const InputNotes& notes, JsonWriter& json);

// "latin-1: 2 files, utf-16: c.csv, 3 rows are not in the encoding, ..."; empty if there are none.
[[nodiscard]] std::string encoding_line(const std::vector<FileInEncoding>& encodings,
                                        std::uint64_t ill_formed);
// "delimiter ';': a.csv; delimiter '|', quote none: 2 files"; empty if there are none.
[[nodiscard]] std::string dialect_line(const std::vector<FileInDialect>& dialects);

// Adds "encodings" and "dialects", if there are any.
void add_unusual_files(const std::vector<FileInEncoding>& encodings,
                       const std::vector<FileInDialect>& dialects, JsonWriter& json);

}  // namespace sosie
