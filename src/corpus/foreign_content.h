#pragma once

#include <string_view>

#include "io/file.h"
#include "options/input_list.h"

namespace sosie {

// Number of bytes at the beginning of a file by which foreign content is told.
inline constexpr std::size_t kBytesOfContent = std::size_t{4} << 10;

// Throws Error{unsupported} about a file of text that, decoded, begins with `head` if its name says
// a format that its content clearly is not: UTF-16 without a mark, and in files of lines other than
// JSONL also JSON, HTML and XML. `--format` takes every content as it is.
void refuse_foreign_content(const InputFile& input, std::string_view head);

// Throws Error{malformed_input} about a file of JSONL with a row that is no JSON, if none of its
// first lines is: HTML, XML, CSV, TSV, or other text.
void refuse_other_than_json(const InputFile& input, const File& file);

}  // namespace sosie
