#pragma once

#include <span>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// The files that a collection contains more than once, under the same or another name: because of
// their paths, a link, or because their folder was also given. In the order of the collection.
[[nodiscard]] std::vector<RepeatedFile> repeated_files(std::span<const InputFile> files);

}  // namespace sosie
