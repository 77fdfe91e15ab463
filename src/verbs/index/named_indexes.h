#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "options/items_as_file.h"
#include "sosie/join.h"
#include "store/index/index_view.h"

namespace sosie {

// True if a query has an index as DATA, or pairs or dedup as OTHER.
[[nodiscard]] bool asks_index(std::string_view verb, const Options& options);

// Paths of the indexes that such a run is over. Throws Error{invalid_option} for files beside them.
[[nodiscard]] std::vector<std::string> named_indexes(std::string_view verb, const Options& options);

// Opens the states that indexes have now. Throws Error{invalid_option} that names both unless all
// were built alike; else as IndexFolder does.
[[nodiscard]] std::vector<std::unique_ptr<IndexFolder>> open_alike(
    const std::vector<std::string>& paths);

// Such indexes, to be read as one. Throws Error{invalid_option} for one that is named twice, too.
[[nodiscard]] std::vector<std::unique_ptr<IndexFolder>> open_together(
    const std::vector<std::string>& paths);

// Says once, where several indexes are read, that two of them have an item with the same id.
void tell_shared_id(const IndexView& index, const ItemsAsFile& items, const RunHooks& hooks);

}  // namespace sosie
