#pragma once

#include <string>

#include "io/file.h"
#include "read/json_shape.h"

namespace sosie {

// Message about a file of JSON that does not hold one object a line.
struct JsonRefusal {
  std::string reason;
  std::string hint;  // the command that makes rows of it
};

// Shape of a file, which may be packed. A file that is not regular, or cannot be read, is
// left to whoever opens it: lines.
[[nodiscard]] JsonShape shape_of_json_file(const std::string& path);
// Shape of an open file, unpacked.
[[nodiscard]] JsonShape shape_of_json(const File& file);

// `name`: the path of the file, or what stands for one, as "<stdin>". `shape`: any but lines.
[[nodiscard]] JsonRefusal refusal_of(const std::string& name, JsonShape shape);

}  // namespace sosie
