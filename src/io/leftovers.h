#pragma once

#include <string>

namespace sosie {

// Temporary name of an output until it is complete: `.NAME.sosie-XXXXXX` in the same folder, for
// mkstemp() and mkdtemp(). `name` may be empty.
[[nodiscard]] std::string unfinished_name(const std::string& folder, const std::string& name);

// Says that a process is at work on it, as long as the descriptor is open.
void claim_unfinished(int descriptor) noexcept;

// Removes what runs that were killed have left under such names: nobody has claimed it, and it has
// not been written to for ten minutes. What cannot be removed stays.
void remove_leftovers(const std::string& folder, const std::string& name) noexcept;

}  // namespace sosie
