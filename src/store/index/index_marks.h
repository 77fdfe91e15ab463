#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

// Versions of the files of an index on disk (docs/formats/index.md). A log has the first version.
// The manifest of an index of vectors, bit strings or strings has the second. Runs are written in
// the third; in the first, filter signatures stand in the items, and before the third, items were
// stored in full.
inline constexpr char kIndexVersion = '1';
inline constexpr char kNextIndexVersion = '2';
inline constexpr char kRunVersion = '3';
inline constexpr std::size_t kIndexMarkBytes = 12;

// Hint for a damaged index.
inline constexpr std::string_view kIndexHint =
    "restore the folder from a backup, or rebuild the index";

// XXH3 of bytes of an index. `seed`: their offset if it is to be verified as well.
[[nodiscard]] std::uint64_t index_checksum(std::string_view bytes, std::uint64_t seed) noexcept;

// First bytes of the files of an index: "sosie-run-1\n". `kind`: run, log or idx.
[[nodiscard]] std::string index_mark(std::string_view kind, char version = kIndexVersion);

// The version given in such a mark, from kIndexVersion to `newest`. Throws Error{unsupported} for a
// later version, naming both, and Error{malformed_input} for anything else.
char version_of_mark(std::string_view bytes, std::string_view kind, char newest,
                     const std::string& path);

// Throws Error{malformed_input} saying that PATH is damaged at this byte. `what`: the fault that
// was found.
[[noreturn]] void refuse_damage(const std::string& path, std::uint64_t offset,
                                std::string_view what);

// "run-00000012" in a folder.
[[nodiscard]] std::string index_file(const std::string& folder, std::string_view kind,
                                     std::uint64_t number);

}  // namespace sosie
