#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/find_dialect.h"

namespace sosie {

// Positions in the list of one of the two collections.
struct FileRange {
  std::uint32_t begin;
  std::uint32_t end;
};

// Finds the names of a file's columns, if its format has columns: in its first row behind the
// lines to skip that is not blank, or their numbers. Throws Error{malformed_input} for a header
// that cannot be read.
[[nodiscard]] FileHeader read_file_header(const Inputs& inputs, std::uint32_t file);
// Fills in inputs.headers of all files whose format has columns. Before, finds the dialects of
// those in `unknown`, which become their formats.
void read_file_headers(Inputs& inputs, FileRange unknown, const DialectRules& rules,
                       ThreadPool& pool);

// Gives names to columns that have none, "column 3", or that of an earlier one, "name 2". Returns
// the places of these columns.
std::vector<std::uint32_t> number_columns(std::vector<std::string>& names);

// A way out where the header is a title of one field above wider rows; else empty.
[[nodiscard]] std::string title_hint(const Inputs& inputs, std::uint32_t file);

// Throws Error{malformed_input} unless the header names the field once, or one of its paths.
void check_field(const Inputs& inputs, std::uint32_t file, const std::string& field);

// The header of each file must name the fields that the run asks for; columns that are called by
// their numbers are as many in all files of a format. `id`: the field that names the rows; may be
// empty. Throws Error{malformed_input}.
void check_file_headers(const Inputs& inputs, FileRange range, const std::string& id);

}  // namespace sosie
