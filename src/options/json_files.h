#pragma once

#include <string>

#include "io/file.h"
#include "read/json_shape.h"

namespace sosie {

// The error for a JSON file that does not have one object per line.
struct JsonRefusal {
  std::string reason;
  std::string hint;  // the command that converts it to rows
};

// The shape of a file, which may be compressed. For files that are not regular or cannot be read,
// the result is `lines`; the code that opens them then reports the error.
[[nodiscard]] JsonShape shape_of_json_file(const std::string& path);
// The shape of an open file's decompressed contents.
[[nodiscard]] JsonShape shape_of_json(const File& file);

// `name`: the path of the file, or a substitute such as "<stdin>". `shape`: any shape except lines.
[[nodiscard]] JsonRefusal refusal_of(const std::string& name, JsonShape shape);

}  // namespace sosie
