#pragma once

#include <string>

namespace sosie {

// Temporary name of an output until it is complete: `.NAME.sosie-XXXXXX` in the same folder, for
// mkstemp() and mkdtemp(). `name` may be empty.
[[nodiscard]] std::string unfinished_name(const std::string& folder, const std::string& name);

// Says that a process is at work on an output of this name, as long as the descriptor or a
// duplicate of it is open. False if another run has taken it for a leftover meanwhile: then it is
// to be made anew.
[[nodiscard]] bool claim_unfinished(int descriptor, const std::string& path) noexcept;

// Removes what runs that were killed have left under such names: it is this user's, and no process
// has a claim to it. Only on file systems of this machine, where the claims of all processes are
// seen; elsewhere leftovers stay, as does what cannot be removed.
void remove_leftovers(const std::string& folder, const std::string& name) noexcept;

}  // namespace sosie
