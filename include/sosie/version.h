#pragma once

namespace sosie {

// The library's version, "major.minor.patch".
[[nodiscard]] const char* version() noexcept;

// Version of everything that decides a result besides options and input: Unicode tables, hash
// functions, signature and key definitions. Two runs can only be compared when it is equal.
[[nodiscard]] int recipe_version() noexcept;

}  // namespace sosie
