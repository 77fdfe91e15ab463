#pragma once

#include <memory>
#include <string_view>

#include "store/index/index_view.h"
#include "store/index/index_writer.h"
#include "verbs/engine.h"

namespace sosie {

// The engine for texts, sets and bags that are looked up in an index on disk. Rows are read once
// and looked up by the keys of the index, block by block, so that memory grows with the number of
// items found, not with the size of the index. dedup works as with --against and --keep first; kept
// rows are written to `writer`, unless it is null, but not committed. `options` must come from
// options_for_index(). The options, the index and the hooks must outlive the engine.
[[nodiscard]] std::unique_ptr<Engine> index_engine(VerbBit verb, const Options& options,
                                                   const IndexView& index, IndexWriter* writer,
                                                   const RunHooks& hooks);

}  // namespace sosie
