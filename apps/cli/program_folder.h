#pragma once

#include <filesystem>

namespace sosie::cli {

// The folder that this program's file lies in, links resolved: its other files are found from
// there. Without /proc, as in an empty root: the folder of the name that the program was started
// by.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace sosie::cli
