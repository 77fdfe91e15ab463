#pragma once

#include <string_view>

#include "io/file.h"
#include "options/input_list.h"

namespace sosie {

// Number of bytes at the start of a file from which foreign content is detected.
inline constexpr std::size_t kBytesOfContent = std::size_t{4} << 10;

// Throws Error{unsupported} if the content of a text file, which decoded begins with `head`,
// clearly contradicts the format given by its name: UTF-16 without a mark, and in line formats
// other than JSONL also JSON, HTML and XML. `--format` accepts any content.
void refuse_foreign_content(const InputFile& input, std::string_view head);

// Throws Error{malformed_input} for a JSONL file with an invalid row, if none of its first lines is
// JSON: HTML, XML, CSV, TSV, or other text.
void refuse_other_than_json(const InputFile& input, const File& file);

}  // namespace sosie
