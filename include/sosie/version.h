#pragma once

namespace sosie {

// The library's version, "major.minor.patch".
[[nodiscard]] const char* version() noexcept;

// Version of everything other than options and input that affects results: Unicode tables, hash
// functions, definitions of signatures and keys. Results are comparable only between equal
// versions.
[[nodiscard]] int recipe_version() noexcept;

}  // namespace sosie
