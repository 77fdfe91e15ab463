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

// Finds the names of a file's columns if its format has columns: in the first nonblank row after
// the lines to skip, or the numbers of the columns. Throws Error{malformed_input} for an unreadable
// header.
[[nodiscard]] FileHeader read_file_header(const Inputs& inputs, std::uint32_t file);
// Fills in inputs.headers for all files whose format has columns. First detects the dialects of the
// files in `unknown`; these dialects become their formats.
void read_file_headers(Inputs& inputs, FileRange unknown, const DialectRules& rules,
                       ThreadPool& pool);

// Gives a name to each column that has none, "column 3", or whose name is repeated, "name 2".
// Returns the positions of these columns.
std::vector<std::uint32_t> number_columns(std::vector<std::string>& names);

// A hint if the header looks like a title: one field above wider rows. Otherwise empty.
[[nodiscard]] std::string title_hint(const Inputs& inputs, std::uint32_t file);

// Throws Error{malformed_input} unless the header contains the field, or one of the paths in it,
// exactly once.
void check_field(const Inputs& inputs, std::uint32_t file, const std::string& field);

// Checks that the header of each file contains the fields that the run needs; if columns are named
// by numbers, also that all files of the same format have equally many columns. `id`: the field
// that names the rows; may be empty. Throws Error{malformed_input}.
void check_file_headers(const Inputs& inputs, FileRange range, const std::string& id);

}  // namespace sosie
