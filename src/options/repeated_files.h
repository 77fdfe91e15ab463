#pragma once

#include <span>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// The files that a collection contains more than once, under the same or another name: by their
// path, through a link, or because their folder was given, too. In the order of the collection.
[[nodiscard]] std::vector<RepeatedFile> repeated_files(std::span<const InputFile> files);

}  // namespace sosie
