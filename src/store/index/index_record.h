#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/index/index_folder.h"

namespace sosie {

// A record of the log: what one call did. Removals come first.
struct IndexRecord {
  struct Item {
    std::string bytes;
    std::vector<std::uint64_t> keys;  // one a band, or none for an item that matches nothing
  };
  std::vector<ItemPlace> removed;  // places in the runs of the manifest, and behind them in the log
  std::uint64_t next_number = 0;
  std::vector<Item> items;
};

[[nodiscard]] std::string pack_record(const IndexRecord& record);
// Throws Error{malformed_input} for bytes that are none; `path`: what messages call the log.
[[nodiscard]] IndexRecord unpack_record(std::string_view bytes, const IndexShape& shape,
                                        const std::string& path);

}  // namespace sosie
