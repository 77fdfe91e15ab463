#pragma once

#include <string_view>

#include "io/file.h"
#include "options/input_list.h"

namespace sosie {

// Number of bytes at the start of a file that are searched for foreign content.
inline constexpr std::size_t kBytesOfContent = std::size_t{4} << 10;

// Throws Error{unsupported} if the content of a text file (`head`: its decoded beginning) clearly
// contradicts the format that its name implies: UTF-16 without a mark and, in line formats other
// than JSONL, also JSON, HTML and XML. With `--format`, any content is accepted.
void refuse_foreign_content(const InputFile& input, std::string_view head);

// Throws Error{malformed_input} for a JSONL file with an invalid row if none of its first lines is
// JSON but HTML, XML, CSV, TSV or other text.
void refuse_other_than_json(const InputFile& input, const File& file);

}  // namespace sosie
