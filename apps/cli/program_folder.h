#pragma once

#include <filesystem>

namespace sosie::cli {

// The folder that contains this program's file, with links resolved; the program's other files are
// found relative to it. Without /proc, as in a bare root file system, the folder in the name that
// started the program.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace sosie::cli
