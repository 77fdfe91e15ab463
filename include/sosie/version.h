#pragma once

namespace sosie {

// The library's version, "major.minor.patch".
[[nodiscard]] const char* version() noexcept;

// Version of everything other than options and input that affects results: Unicode tables, hash
// functions, definitions of signatures and keys. Results can be compared only if their versions are
// equal.
[[nodiscard]] int recipe_version() noexcept;

}  // namespace sosie
