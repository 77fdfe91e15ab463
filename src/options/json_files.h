#pragma once

#include <string>

#include "io/file.h"
#include "read/json_shape.h"

namespace sosie {

// Message about a JSON file that does not have one object per line.
struct JsonRefusal {
  std::string reason;
  std::string hint;  // the command that converts it to rows
};

// Shape of a file, which may be compressed. Files that are not regular, or unreadable, are left to
// the code that opens them: lines.
[[nodiscard]] JsonShape shape_of_json_file(const std::string& path);
// Shape of an open file, decompressed.
[[nodiscard]] JsonShape shape_of_json(const File& file);

// `name`: path of the file, or a substitute such as "<stdin>". `shape`: any but lines.
[[nodiscard]] JsonRefusal refusal_of(const std::string& name, JsonShape shape);

}  // namespace sosie
