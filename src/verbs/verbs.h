#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "join/item_joiner.h"
#include "sosie/join.h"
#include "sosie/similarity.h"

namespace sosie {

// The options with the kind of items that they mean, and its measure if none is given.
[[nodiscard]] Options with_kind(const Options& options);
// The same for what is there for items compared as sets only; throws Error{unsupported} for others,
// with `purpose` as what it is not for ("an index").
[[nodiscard]] Options with_kind_of_sets(const Options& options, std::string_view purpose);

// The verbs for items that are compared as sets: texts (sets of shingles) and sets themselves.
RunReport dedup_sets(const Options& options, const RunHooks& hooks);
RunReport pairs_of_sets(const Options& options, const RunHooks& hooks);
RunReport query_of_sets(const Options& options, const RunHooks& hooks);
RunReport plan_sets(const Options& options, const RunHooks& hooks);
RunReport sketch_sets(const Options& options, const RunHooks& hooks);

// A query said as a join of two collections: DATA is the one that is compared with, and its ids
// are the other ones.
[[nodiscard]] Options as_join(Options options);

// For texts, sets and bags.
RunReport explain_sets(const Options& options, const std::string& left_id,
                       const std::string& right_id, const RunHooks& hooks);
// The verbs for items that lie in memory, vectors and bit strings: what is made of a kind's joiner.
using MakeJoiner = std::unique_ptr<ItemJoiner> (*)(std::string_view verb, const Options& options);
RunReport dedup_items(MakeJoiner make, const Options& options, const RunHooks& hooks);
RunReport pairs_of_items(MakeJoiner make, const Options& options, const RunHooks& hooks);
RunReport query_of_items(MakeJoiner make, const Options& options, const RunHooks& hooks);
// A query whose rows are all there, of as_join(); or, of the verb "pairs", pairs.
RunReport joined_items(std::string_view verb, ItemJoiner& joiner, const Options& options,
                       const RunHooks& hooks);

// similarities() of items compared as sets, of vectors and of bit strings.
std::vector<double> similarities_of_sets(const Options& options, const RunHooks& hooks);
std::vector<double> similarities_of_vectors(const Options& options, const RunHooks& hooks);
std::vector<double> similarities_of_bits(const Options& options, const RunHooks& hooks);

// plan --family: what a construction makes of a locality-sensitive family; no items are read.
RunReport plan_family(const Options& options, const RunHooks& hooks);

}  // namespace sosie
