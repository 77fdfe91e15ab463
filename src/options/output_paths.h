#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// Paths of the files of a collection below an output folder, one per file. A file in an input
// folder keeps its path below that folder; if several folders were given, preceded by the folder's
// own name. A file that was named directly keeps its name; shards, which are the inputs of
// separately made sketches, keep the path below their common folder. If names are equal, as many
// parent folders are prepended to all of them as distinguish them.
[[nodiscard]] std::vector<std::string> output_paths(std::span<const InputFile> files,
                                                    bool are_shards);

// Sets InputFile::group, the heading of a file in the summary. If all files are in a single input
// folder, it is the subfolder that contains them, if there are few such folders; else the input as
// given.
void group_by_folder(std::span<InputFile> files);

}  // namespace sosie
