#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json_writer.h"
#include "data/run_summary.h"

namespace sosie {

// "latin-1: 2 files, utf-16: c.csv, 3 rows are not in the encoding, ..."; empty: nothing to say.
[[nodiscard]] std::string encoding_line(const std::vector<FileInEncoding>& encodings,
                                        std::uint64_t ill_formed);
// "delimiter ';': a.csv; delimiter '|', quote none: 2 files"; empty: nothing to say.
[[nodiscard]] std::string dialect_line(const std::vector<FileInDialect>& dialects);

// Adds "encodings" and "dialects", where there are some.
void add_unusual_files(const std::vector<FileInEncoding>& encodings,
                       const std::vector<FileInDialect>& dialects, JsonWriter& json);

}  // namespace sosie
