#pragma once

#include "sosie/join.h"

namespace sosie {

// The bit of the verb in the table of options, whose rows for it alone (keep-items, replace,
// skip-existing) are read from Options::given.
inline constexpr VerbBit kIndex = 256;

// An index on disk: a folder of items that query() takes as DATA (options.inputs[0]) and pairs() as
// options.against, and that grows and shrinks. options.inputs is an action, INDEX, and what else
// the action takes:
//   build INDEX INPUT...      makes the folder; the other options mean what they do for pairs()
//   add INDEX INPUT...        adds rows behind those that are there
//   remove INDEX              removes the items that options.ids names, a file with one id a line
//   merge INDEX OTHER...      makes the folder of all items of other indexes, in their order
//   compact INDEX             merges its runs and forgets removed items
//   info INDEX                says what it holds; options.plan gets its plan
//   check INDEX               reads every byte of it
// Each call is one transaction: it returns when all of it survives a loss of power; otherwise
// nothing of it is there. One writer at a time; readers see the state that was there when they
// opened it. Errors: malformed_input for a folder that is no index, for damage (with file and
// offset) and for an id that is there already; unsupported for another version of the format,
// invalid_option with both values for options that the index was not built with, io for a second
// writer. Format: docs/formats/index.md.
RunReport index_folder(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
