#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/find_dialect.h"

namespace sosie {

// A range of files in the list, such as one of the two collections.
struct FileRange {
  std::uint32_t begin;
  std::uint32_t end;
};

// Finds the names of a file's columns, if its format has columns: in its first nonblank row after
// the lines to skip, or their numbers. Throws Error{malformed_input} for an unreadable header.
[[nodiscard]] FileHeader read_file_header(const Inputs& inputs, std::uint32_t file);
// Fills in inputs.headers of all files whose format has columns. First detects the dialects of
// those in `unknown`, which become their formats.
void read_file_headers(Inputs& inputs, FileRange unknown, const DialectRules& rules,
                       ThreadPool& pool);

// Names columns that have no name, "column 3", or a repeated one, "name 2". Returns the positions
// of these columns.
std::vector<std::uint32_t> number_columns(std::vector<std::string>& names);

// A hint if the header is a title of one field above wider rows; else empty.
[[nodiscard]] std::string title_hint(const Inputs& inputs, std::uint32_t file);

// Throws Error{malformed_input} unless the header contains the field, or one of its paths, exactly
// once.
void check_field(const Inputs& inputs, std::uint32_t file, const std::string& field);

// Checks that the header of each file contains the fields that the run needs, and that all files of
// a format have equally many columns if these are named by numbers. `id`: the field that names the
// rows; may be empty. Throws Error{malformed_input}.
void check_file_headers(const Inputs& inputs, FileRange range, const std::string& id);

}  // namespace sosie
