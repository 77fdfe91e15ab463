#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// The paths of a collection's files below an output folder, one per file. A file in an input folder
// keeps its path below that folder, preceded by the folder's own name if several folders were
// given. A file that was named directly keeps its name. Shards, the inputs of separate sketches,
// keep their path below the folder that contains all of them. If names are equal, enough parent
// folders are prepended to all of them to distinguish them.
[[nodiscard]] std::vector<std::string> output_paths(std::span<const InputFile> files,
                                                    bool are_shards);

// Sets InputFile::group, the heading of each file in the summary. If all files are in a single
// input folder, the heading is the subfolder with the file, provided that there are few such
// folders; otherwise, it is the input as given.
void group_by_folder(std::span<InputFile> files);

}  // namespace sosie
