#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "io/file.h"
#include "read/input_list.h"
#include "sosie/join.h"

namespace sosie {

struct OpenedFiles {
  std::vector<File> files;          // in the order of the list
  std::uint64_t scratch_bytes = 0;  // what was written to scratch
};

// Opens the files of a run, so that all can be read by position: what comes from a pipe or is
// packed goes to unnamed files in the folder `scratch`. Errors: io; malformed_input for a broken or
// truncated .gz or .zst. The first in input order is reported.
[[nodiscard]] OpenedFiles open_files(std::span<const InputFile> list, const std::string& scratch,
                                     ThreadPool& pool, const RunHooks& hooks);

}  // namespace sosie
