#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/input_list.h"

namespace sosie {

// Paths of the files of one collection below an output folder, one a file. A file of a folder that
// was given keeps its path below that; where several folders were given, behind the folder's own
// name. A file that was named itself keeps its name; of shards, which are the inputs of sketches
// made one by one, the path below the folder that all of them lie in. Where own names are equal, as
// many folders above stand before all of them as tell them apart.
[[nodiscard]] std::vector<std::string> output_paths(std::span<const InputFile> files,
                                                    bool are_shards);

// Sets InputFile::group, what the summary counts a file under. Where all files were found in one
// folder, that is the folder below it that they lie in, if there are few such folders; else what
// was given.
void group_by_folder(std::span<InputFile> files);

}  // namespace sosie
