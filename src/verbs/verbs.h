#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/join.h"
#include "sosie/similarity.h"
#include "verbs/engine.h"

namespace sosie {

// The options with the kind of items that they imply, and that kind's measure if none is given.
[[nodiscard]] Options with_kind(const Options& options);
// Chooses the kind for an operation on items that are compared as sets. For other kinds, throws
// Error{unsupported} that mentions the `purpose` ("an index").
[[nodiscard]] Options with_kind_of_sets(const Options& options, std::string_view purpose);

// The engine for a kind; `chosen`: from with_kind(). Throws as MakeEngine does.
[[nodiscard]] std::unique_ptr<Engine> engine_of_kind(VerbBit verb, const Options& chosen,
                                                     const RunHooks& hooks);

// The verbs, implemented once for all kinds.
RunReport dedup_with(Engine& engine, const Options& options, const RunHooks& hooks);
// pairs; or, with verb "query" and options from as_join(), a query whose rows are all available.
RunReport pairs_with(Engine& engine, VerbBit verb, const Options& options, const RunHooks& hooks);

// query, pairs and dedup of rows: options from with_kind(), with sketches and indexes resolved.
RunReport query_rows(const Options& chosen, const RunHooks& hooks);
RunReport pair_rows(const Options& chosen, const RunHooks& hooks);
RunReport dedup_rows(const Options& chosen, const RunHooks& hooks);

// --part and --parts, after sketches have been resolved. check_parts() throws Error{invalid_option}
// for options that exclude them; dedup_part() processes a single part, in place of dedup_with().
void check_parts(const Options& options);
RunReport dedup_part(Engine& engine, const Options& options, const RunHooks& hooks);

RunReport explain_with(Engine& engine, const Options& options, const RunHooks& hooks,
                       const std::string& left_id, const std::string& right_id);

// dedup and explain: the options of the join that --contained requests. Throws
// Error{invalid_option} for options that make no sense with it.
[[nodiscard]] Options with_contained(const Options& options);

// explain for two records of a link run. With two collections, `left_id` and `right_id` begin with
// a: and b:.
RunReport explain_records(const Options& options, const RunHooks& hooks, const std::string& left_id,
                          const std::string& right_id);

// A query as a join of two collections: DATA is the collection to compare with, and its ids become
// the ids of OTHER.
[[nodiscard]] Options as_join(Options options);

// The options of the join for a query with --exclude-self: one more answer per row, and no limit on
// the total, so that answers are complete after own rows have been left out.
[[nodiscard]] Options with_own_rows(Options options);

// Answers a query whose rows arrive one by one; nullopt if all rows are available.
using AnswerStream = std::optional<RunReport> (*)(const Options& options, const RunHooks& hooks);
std::optional<RunReport> stream_of_sets(const Options& options, const RunHooks& hooks);
std::optional<RunReport> stream_of_vectors(const Options& options, const RunHooks& hooks);
std::optional<RunReport> stream_of_bits(const Options& options, const RunHooks& hooks);
std::optional<RunReport> stream_of_strings(const Options& options, const RunHooks& hooks);

// sketch for each kind: texts, sets and bags; vectors; bit strings. They share the report and the
// checks of options and inputs (inputs are reread when all shards are matched).
RunReport sketch_sets(const Options& asked, const RunHooks& hooks);
RunReport sketch_vectors(const Options& options, const RunHooks& hooks);
RunReport sketch_bits(const Options& options, const RunHooks& hooks);
void check_sketch_options(const Options& options);
// The options with the single column of all inputs. Throws if sketches cannot be made from these
// inputs.
[[nodiscard]] Options options_of_sketch(const Inputs& inputs, const Options& options);
RunReport sketched(const Corpus& corpus, const Inputs& inputs, const std::string& output,
                   std::uint64_t bytes);

// Throws Error{invalid_option}: --keep ranks by length, but the items have none.
[[noreturn]] void refuse_ranks_by_length(const Options& options);

// similarities() by kind: items compared as sets, vectors, bit strings, and strings.
std::vector<double> similarities_of_sets(const Options& options, const RunHooks& hooks);
std::vector<double> similarities_of_vectors(const Options& options, const RunHooks& hooks);
std::vector<double> similarities_of_bits(const Options& options, const RunHooks& hooks);
std::vector<double> similarities_of_strings(const Options& options, const RunHooks& hooks);

// plan --family: the effect of a construction on a locality-sensitive family; reads no items.
RunReport plan_family(const Options& options, const RunHooks& hooks);
// plan --p1 --p2: the effect of a construction on a family given by its probabilities.
RunReport plan_probabilities(const Options& options);

}  // namespace sosie
