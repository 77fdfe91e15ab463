#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The value of a key in the metadata of an ArrowSchema: an i32 count, then keys and values, each an
// i32 size and its bytes (the Arrow C data interface). Empty: there is no such key. `metadata` may
// be null.
[[nodiscard]] std::string arrow_metadata(const char* metadata, std::string_view key);

}  // namespace sosie
