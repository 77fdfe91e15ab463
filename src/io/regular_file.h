#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/file.h"

namespace sosie {

// Opens a regular file with open(2)'s `flags`; neither follows a symbolic link nor waits for the
// reader of a pipe. null: there is no such file. Throws Error{invalid_option} for a link and for
// other things that have the name, Error{io}.
[[nodiscard]] std::shared_ptr<const Descriptor> open_regular_file(const std::string& path,
                                                                  int flags);

// Writes all bytes where the descriptor stands. Throws Error{io} that names `path`.
void write_all(int descriptor, std::string_view bytes, const std::string& path);

}  // namespace sosie
