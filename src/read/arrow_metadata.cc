// Finds values in the metadata of Arrow schemas.
#include "read/arrow_metadata.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sosie {

std::string arrow_metadata(const char* metadata, std::string_view key) {
  if (metadata == nullptr) return {};
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof value);
    metadata += sizeof value;
    return std::max(value, 0);
  };
  const auto text = [&] {
    const std::int32_t size = number();
    const std::string_view bytes(metadata, static_cast<std::size_t>(size));
    metadata += size;
    return bytes;
  };
  for (std::int32_t left = number(); left > 0; --left) {
    const std::string_view found = text();
    const std::string_view value = text();
    if (found == key) return std::string(value);
  }
  return {};
}

}  // namespace sosie
