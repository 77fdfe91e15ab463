#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/format.h"

namespace sosie {

// One file to be read.
struct InputFile {
  std::string path;   // "-" for standard input
  std::string name;   // what messages and side files call it
  std::string group;  // what the summary counts it under: the file, or the folder it was found in
  const Format* format = nullptr;
};

struct InputList {
  std::vector<InputFile> files;
  std::vector<std::string> passed_over;  // files in folders that are no record files
};

// Expands files, folders and glob patterns, in the order given; folders (at any depth) and globs
// sorted by the bytes of the path. `format_name` overrules extensions; standard input is JSONL
// unless it does. Errors: io for what is not there, unsupported for an extension nobody reads,
// invalid_option for an unknown format name.
[[nodiscard]] InputList list_inputs(const std::vector<std::string>& inputs,
                                    std::string_view format_name);

}  // namespace sosie
