#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "io/file.h"
#include "read/input_list.h"
#include "sosie/join.h"

namespace sosie {

// Opens the files of a run, in the order of the list, so that all can be read by position: what
// comes from a pipe or is packed goes to scratch. Errors: io; malformed_input for a broken or
// truncated .gz or .zst. The first in input order is reported.
[[nodiscard]] std::vector<File> open_files(std::span<const InputFile> list, Scratch& scratch,
                                           ThreadPool& pool, const RunHooks& hooks);

}  // namespace sosie
