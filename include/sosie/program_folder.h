#pragma once

#include <filesystem>

namespace sosie {

// The folder of the running program's file, links resolved, from which its other files are found.
// Without /proc, as in an empty root: the folder of the name by which the program was started.
// Empty if the system tells neither.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace sosie
