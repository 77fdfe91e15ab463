#pragma once

#include <span>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// Files of a collection that it already contains under this or another name: by their path, through
// a link, or in a folder that was given, too. In the order of the collection.
[[nodiscard]] std::vector<RepeatedFile> repeated_files(std::span<const InputFile> files);

}  // namespace sosie
