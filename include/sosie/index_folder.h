#pragma once

#include "sosie/join.h"

namespace sosie {

// Bit of the verb `index` in the option table. Options that only this verb has (keep-items,
// replace, skip-existing) are read from Options::given.
inline constexpr VerbBit kIndex{256};

// An updatable index on disk: a folder of items that query() accepts as DATA (options.inputs[0])
// and pairs() as options.against. options.inputs holds an action, INDEX, and further operands:
//   build INDEX INPUT...      creates the folder; other options as for pairs()
//   add INDEX INPUT...        adds rows
//   remove INDEX              removes the items listed in the file options.ids, one id per line
//   merge INDEX OTHER...      creates the folder from all items of other indexes, in order
//   compact INDEX             merges its runs and drops removed items
//   info INDEX                prints its contents; writes its plan to options.plan
//   check INDEX               reads and checks every byte of the folder
// Each call is a transaction: its changes survive a power loss once it returns, and a failed call
// changes nothing. Only one process can write at a time; readers see the state from when they
// opened the folder. Errors: malformed_input for a folder that is not an index, for damage (with
// file and offset) and for a duplicate id; unsupported for another version of the format;
// invalid_option (with both values) for options that differ from the index's own; io for a second
// writer. Format: docs/formats/index.md.
RunReport index_folder(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
