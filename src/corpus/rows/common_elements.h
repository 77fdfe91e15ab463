#pragma once

#include <memory>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/scratch.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sosie/join.h"

namespace sosie {

// Finds the shingles or elements that occur in more than a share settings.ignore_common of the rows
// of all inputs, and in at least two rows; empty rows count as rows. Reads the inputs twice: hashed
// counters first select elements that may be common, which are then counted. The result does not
// depend on threads or memory. Throws Error{limit_exceeded} if more elements may be common than can
// be counted in memory.
[[nodiscard]] std::shared_ptr<const CommonShingles> find_common_elements(const Inputs& inputs,
                                                                         const Settings& settings,
                                                                         Scratch& scratch,
                                                                         ThreadPool& pool,
                                                                         const RunHooks& hooks);

}  // namespace sosie
