#pragma once

#include <atomic>
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
  std::string relative;     // its path below the folder it was found in, else its file name
  std::string document_id;  // what it is called when it is one document
};

struct InputList {
  std::vector<InputFile> files;
  std::vector<std::string> passed_over;  // files beside record files in folders
};

// Expands files, folders and glob patterns, in the order given; folders (at any depth) and globs
// sorted by the bytes of the path. A folder stands for the record files in it; one that has none is
// a collection of documents, each file one. `format_name` overrules extensions ("files":
// documents); standard input is JSONL unless it does. Errors: io for what is not there, unsupported
// for an extension nobody reads, invalid_option for an unknown format name.
[[nodiscard]] InputList list_inputs(const std::vector<std::string>& inputs,
                                    std::string_view format_name);

// The paths that a file lists, one a line; blank lines are left out. "-" is the descriptor. Waiting
// for a pipe ends with Error{cancelled} when *cancel becomes true.
[[nodiscard]] std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                                      const std::atomic<bool>* cancel);

}  // namespace sosie
