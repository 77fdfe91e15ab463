#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "options/items_as_file.h"
#include "sosie/join.h"
#include "store/index/index_view.h"

namespace sosie {

// True if the DATA of a query, or the OTHER of pairs or dedup, is an index.
[[nodiscard]] bool asks_index(VerbBit verb, const Options& options);

// Paths of such a run's indexes. Throws Error{invalid_option} if files are named as well.
[[nodiscard]] std::vector<std::string> named_indexes(VerbBit verb, const Options& options);

// Opens the current states of indexes. Throws Error{invalid_option}, naming two indexes, if their
// build options differ, and otherwise throws as IndexFolder does.
[[nodiscard]] std::vector<std::unique_ptr<IndexFolder>> open_alike(
    const std::vector<std::string>& paths);

// Opens such indexes so that they are read as one. Also throws Error{invalid_option} for an index
// that is named twice.
[[nodiscard]] std::vector<std::unique_ptr<IndexFolder>> open_together(
    const std::vector<std::string>& paths);

// Reports once, if several indexes are read, that two of them contain items with the same id.
void tell_shared_id(const IndexView& index, const ItemsAsFile& items, const RunHooks& hooks);

}  // namespace sosie
