#include "verbs/verbs.h"

#include <algorithm>
#include <array>

#include "options/bounds.h"
#include "options/families.h"
#include "options/formats.h"
#include "options/input_list.h"
#include "sosie/error.h"
#include "store/sketch_options.h"

// TABLE: what runs each verb for each kind of item.
namespace sosie {
namespace {

template <typename Result>
using Function = Result (*)(const Options& options, const RunHooks& hooks);

struct KindVerbs {
  std::string_view kind;       // --kind
  MakeJoiner make_joiner;      // null: compared as sets
  Function<RunReport> plan;    // null: not for such items
  Function<RunReport> sketch;  // the same
  Function<std::vector<double>> similarities;
};

constexpr std::array kKinds = {
    KindVerbs{"text", nullptr, plan_sets, sketch_sets, similarities_of_sets},
    KindVerbs{"sets", nullptr, plan_sets, sketch_sets, similarities_of_sets},
    KindVerbs{"bags", nullptr, plan_sets, sketch_sets, similarities_of_sets},
    KindVerbs{"vectors", vector_joiner, nullptr, nullptr, similarities_of_vectors},
    KindVerbs{"bits", bit_joiner, nullptr, nullptr, similarities_of_bits},
};

// What --kind says, else what the format of the first input holds, else text.
std::string_view kind_of(const Options& options) {
  if (!options.kind.empty()) return options.kind;
  if (!options.group_by.empty()) {
    return options.weight.empty() || !options.ratings.empty() ? "sets" : "bags";
  }
  if (const Format* named = format_by_name(options.format);
      named != nullptr && named->kind_of == nullptr) {
    return named->kind;
  }
  if (options.inputs.empty()) return kKinds.front().kind;
  const InputList list = list_inputs({options.inputs.front()}, input_rules(options));
  return list.files.empty() ? kKinds.front().kind : kind_of_rows(list.files.front());
}

[[noreturn]] void refuse_kind(std::string_view kind) {
  throw Error(ErrorKind::invalid_option, "--kind " + std::string(kind) + ": not for this verb");
}

const KindVerbs* row_of(std::string_view kind) {
  return std::find_if(kKinds.begin(), kKinds.end(),
                      [&](const KindVerbs& known) { return known.kind == kind; });
}

const KindVerbs& row_for(const Options& chosen) {
  const KindVerbs* row = row_of(chosen.kind);
  if (row == kKinds.end()) refuse_kind(chosen.kind);
  if (!chosen.checkpoint.empty() && row->make_joiner != nullptr) {
    throw Error(ErrorKind::unsupported, "--checkpoint: not for " + chosen.kind + " yet");
  }
  return *row;
}

template <typename Result>
Result run(Function<Result> KindVerbs::*verb, const Options& options, const RunHooks& hooks) {
  refuse_sketched_inputs(options);
  const Options chosen = with_kind(options);
  const KindVerbs& row = row_for(chosen);
  if (row.*verb == nullptr) refuse_kind(chosen.kind);
  return (row.*verb)(chosen, hooks);
}

// A verb that is written once for what is compared as sets, and once for what lies in memory.
RunReport run(Function<RunReport> of_sets,
              RunReport (*of_items)(MakeJoiner, const Options&, const RunHooks&),
              const Options& options, const RunHooks& hooks) {
  refuse_sketched_inputs(options);
  const Options chosen = with_kind(options);
  const KindVerbs& row = row_for(chosen);
  return row.make_joiner == nullptr ? of_sets(chosen, hooks)
                                    : of_items(row.make_joiner, chosen, hooks);
}

}  // namespace

Options with_kind(const Options& options) {
  Options chosen = options;
  chosen.kind = kind_of(options);
  if (!is_given(options, "measure")) chosen.measure = default_measure(chosen.kind);
  return chosen;
}

Options with_kind_of_sets(const Options& options, std::string_view purpose) {
  Options chosen = with_kind(options);
  const KindVerbs* row = row_of(chosen.kind);
  if (row != kKinds.end() && row->make_joiner == nullptr) return chosen;
  throw Error(ErrorKind::unsupported,
              "--kind " + chosen.kind + ": not for " + std::string(purpose));
}

RunReport dedup(const Options& options, const RunHooks& hooks) {
  return run(dedup_sets, dedup_items, with_sketches(options), hooks);
}

RunReport pairs(const Options& options, const RunHooks& hooks) {
  const Options chosen = with_sketches(options);
  if (!chosen.reuse.empty()) {
    throw Error(ErrorKind::invalid_option,
                "--reuse: " + chosen.reuse.front() + " holds no sketches",
                "pairs and clusters are for dedup --reuse");
  }
  return run(pairs_of_sets, pairs_of_items, chosen, hooks);
}

RunReport sketch(const Options& options, const RunHooks& hooks) {
  return run(&KindVerbs::sketch, options, hooks);
}

RunReport query(const Options& options, const RunHooks& hooks) {
  if (options.inputs.empty() && !options.against_table) {
    throw Error(ErrorKind::invalid_option, "query: no DATA named", "sosie query DATA [INPUT...]");
  }
  return run(query_of_sets, query_of_items, with_sketched_data(options), hooks);
}

std::vector<double> similarities(const Options& options, const RunHooks& hooks) {
  return run(&KindVerbs::similarities, options, hooks);
}

RunReport explain(const Options& options, const std::string& left_id, const std::string& right_id,
                  const RunHooks& hooks) {
  refuse_sketched_inputs(options);
  return explain_sets(with_kind_of_sets(options, "explain"), left_id, right_id, hooks);
}

RunReport plan(const Options& options, const RunHooks& hooks) {
  if (!options.family.empty()) return plan_family(options, hooks);
  return run(&KindVerbs::plan, options, hooks);
}

}  // namespace sosie
