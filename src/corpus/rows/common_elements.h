#pragma once

#include <memory>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/scratch.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sosie/join.h"

namespace sosie {

// Shingles or elements that more than settings.ignore_common of the rows of all inputs have, and at
// least two rows; an empty row counts as one. Reads the inputs twice: counts of hashed counters say
// which ones it may be, then these are counted. Does not depend on threads or memory. Throws
// Error{limit_exceeded} when more of them may be common than memory can count.
[[nodiscard]] std::shared_ptr<const CommonShingles> find_common_elements(const Inputs& inputs,
                                                                         const Settings& settings,
                                                                         Scratch& scratch,
                                                                         ThreadPool& pool,
                                                                         const RunHooks& hooks);

}  // namespace sosie
