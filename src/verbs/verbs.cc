// TABLE: the implementation of each verb for each kind of item.
#include "verbs/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/joined_text.h"
#include "core/rational.h"
#include "data/kinds.h"
#include "options/bounds.h"
#include "options/formats.h"
#include "options/input_list.h"
#include "options/items_as_file.h"
#include "options/refuse_options_of_others.h"
#include "options/set_cascade.h"
#include "options/tells.h"
#include "sosie/error.h"
#include "sosie/help.h"
#include "store/index_options.h"
#include "store/saved_plan.h"
#include "store/sketch/sketch_file.h"
#include "store/sketch_options.h"
#include "verbs/index/named_indexes.h"
#include "verbs/index/query_index.h"
#include "verbs/run_plan.h"
#include "verify/measures.h"

namespace sosie {
namespace {

template <typename Result>
using Function = Result (*)(const Options& options, const RunHooks& hooks);

struct KindVerbs {
  KindBit kind;
  MakeEngine engine;
  AnswerStream stream;
  bool as_sets;  // has sketches, and rows need not be in memory
  MakeRunPlan plan;
  Function<RunReport> sketch;  // null: such items have no signature
  Function<std::vector<double>> similarities;
};

constexpr std::array kKinds = {
    KindVerbs{kTextItems, set_engine, stream_of_sets, true, plan_of_sets, sketch_sets,
              similarities_of_sets},
    KindVerbs{kSetItems, set_engine, stream_of_sets, true, plan_of_sets, sketch_sets,
              similarities_of_sets},
    KindVerbs{kBagItems, set_engine, stream_of_sets, true, plan_of_sets, sketch_sets,
              similarities_of_sets},
    KindVerbs{kVectorItems, vector_engine, stream_of_vectors, false, plan_of_vectors,
              sketch_vectors, similarities_of_vectors},
    KindVerbs{kBitItems, bit_engine, stream_of_bits, false, plan_of_bits, sketch_bits,
              similarities_of_bits},
    KindVerbs{kStringItems, string_engine, stream_of_strings, false, plan_of_strings, nullptr,
              similarities_of_strings},
};

// The kind set by --kind; otherwise, the kind of the first input's format, or else text.
KindBit kind_of(const Options& options) {
  if (options.kind != KindBit{}) return options.kind;
  if (!options.represent.empty()) return kSetItems;
  if (!options.group_by.empty()) {
    const bool is_counted = options.ratings.empty() || options.ratings == "bag";
    return is_counted && !options.weight.empty() ? kBagItems : kSetItems;
  }
  if (const Format* named = format_by_name(options.format);
      named != nullptr && named->kind_of == nullptr) {
    return named->kind;
  }
  if (options.inputs.empty()) return kKinds.front().kind;
  const InputList list = list_inputs({options.inputs.front()}, input_rules(options));
  return list.files.empty() ? kKinds.front().kind : kind_of_rows(list.files.front());
}

const KindVerbs* row_of(KindBit kind) {
  return std::find_if(kKinds.begin(), kKinds.end(),
                      [&](const KindVerbs& known) { return known.kind == kind; });
}

const KindVerbs& row_for(const Options& chosen) {
  const KindVerbs* row = row_of(chosen.kind);
  if (row != kKinds.end()) return *row;
  throw Error(ErrorKind::invalid_option, RefusedOption{"kind", std::string(kind_name(chosen.kind))},
              "not supported by this verb");
}

// The row of a verb that does not support all kinds.
const KindVerbs& row_for(VerbBit verb, const Options& chosen) {
  const std::string refusal = refusal_of(verb, chosen.kind);
  if (refusal.empty()) return row_for(chosen);
  throw Error(ErrorKind::invalid_option, fmt::format("{}: {}", verb_name(verb), refusal),
              chosen.kind == kRecordItems
                  ? "sosie link INPUT..."
                  : "pairs -o FILE saves the pairs for dedup --reuse and cluster");
}

// True for records: if an option says so, or applies only to records.
bool is_of_records(const Options& options) {
  if (options.kind != KindBit{}) return options.kind == kRecordItems;
  return std::any_of(options.given.begin(), options.given.end(), [](const auto& given) {
    return find_option(given.first)->kinds.mask == kRecordItems;
  });
}

// explain rereads the rows of both collections.
void refuse_other_without_rows(const Options& options) {
  for (const std::string& path : options.against) {
    const bool are_items = !indexes_in(path).empty();
    if (!are_items && (format_by_extension(path) != nullptr || !SketchFile::is_one(path))) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"against", path},
                are_items ? "is an index, but explain shows rows of files"
                          : "contains sketches, but explain shows rows of files",
                "name the files that it was made from");
  }
}

// The two collections may contain records, whose rows have no text column.
[[noreturn]] void name_kind_of_records(const Error& error, const Options& options) {
  const bool may_be = error.kind() == ErrorKind::malformed_input && options.kind == KindBit{} &&
                      (!options.against.empty() || options.against_table) &&
                      error.reason().find("is missing") != std::string::npos;
  if (!may_be) throw;
  throw Error(error.kind(), BadPlace{error.place()}, error.reason(),
              error.hint() + (error.hint().empty() ? "" : "; ") +
                  "--kind records explains records with several fields");
}

// If no input is named, the first file of a list determines the kind, as a named input would.
Options with_listed_inputs(const Options& options, const RunHooks& hooks) {
  if (options.files_from.empty() || !options.inputs.empty() || options.table) return options;
  Options listed = options;
  listed.inputs = read_path_list(options.files_from, hooks.input_descriptor, hooks.cancel);
  const bool reads_twice =
      std::find(listed.inputs.begin(), listed.inputs.end(), "-") != listed.inputs.end();
  if (options.files_from == "-" && reads_twice) {
    throw Error(ErrorKind::invalid_option, "-: standard input can be read only once");
  }
  if (!listed.inputs.empty()) listed.files_from.clear();
  return listed;
}

// The remaining inputs are rows, not sketches.
Options with_kind_of_rows(const Options& options, const RunHooks& hooks) {
  refuse_sketched_inputs(options);
  return with_bound_of_plan(with_kind(with_listed_inputs(options, hooks)), hooks.cancel);
}

}  // namespace

Options with_kind(const Options& options) {
  Options chosen = options;
  chosen.kind = kind_of(options);
  if (chosen.kind == kRecordItems) return chosen;  // measures belong to their fields
  if (!is_given(options, "measure")) chosen.measure = default_measure(chosen.kind);
  take_distance_as_threshold(chosen);
  return chosen;
}

Options with_kind_of_sets(const Options& options, std::string_view purpose) {
  Options chosen = with_kind(options);
  const KindVerbs* row = row_of(chosen.kind);
  if (row != kKinds.end() && row->as_sets) return chosen;
  throw Error(ErrorKind::unsupported, RefusedOption{"kind", std::string(kind_name(chosen.kind))},
              "not for " + std::string(purpose));
}

RunReport dedup(const Options& options, const RunHooks& hooks) {
  expect_other(options);
  if (asks_index(kDedup, options)) {
    check_parts(options);
    return dedup_index(options, hooks);
  }
  if (given_value(options, "add") == "true") {
    throw Error(ErrorKind::invalid_option, RefusedOption{"add"}, "adds the kept rows to an index",
                "use --against INDEX; sosie index build INDEX INPUT... makes one");
  }
  const Options chosen = with_kind_of_rows(with_sketches(options), hooks);
  check_parts(chosen);
  if (chosen.part.empty()) return dedup_rows(chosen, hooks);
  const auto engine = row_for(kDedup, chosen).engine(kDedup, chosen, hooks);
  return dedup_part(*engine, chosen, hooks);
}

// --contained S finds exactly the pairs that `pairs OTHER --against INPUT --measure containment
// --threshold S` finds. Throws Error{invalid_option} for options that make no sense with it.
Options with_contained(const Options& options) {
  if (options.contained.empty()) return options;
  if (options.against.empty() && !options.against_table) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"contained"}, "needs --against OTHER",
                "rows that contain an item of OTHER are removed");
  }
  const std::optional<Rational> part = parse_rational(options.contained);
  if (!part || part->num == 0 || part->num > part->den) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"contained", options.contained},
                "is not a number above 0 and at most 1, such as 0.8 or 4/5");
  }
  for (const std::string_view other :
       {"threshold", "method", "within", "measure", "clustering", "keep", "reuse", "pairs", "audit",
        "recall", "plan", "bands"}) {
    if (is_given(options, other)) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"contained"},
                  fmt::format("cannot be combined with --{}", other),
                  "every row is compared with every item of --against, exactly");
    }
  }
  Options asked = options;
  asked.measure = "containment";
  asked.threshold = options.contained;
  return asked;
}

RunReport dedup_rows(const Options& chosen, const RunHooks& hooks) {
  const Options asked = with_contained(chosen);
  refuse_cascade(asked, "dedup");
  const auto engine = row_for(kDedup, asked).engine(kDedup, asked, hooks);
  return dedup_with(*engine, asked, hooks);
}

RunReport pairs(const Options& options, const RunHooks& hooks) {
  expect_other(options);
  if (asks_index(kPairs, options)) return query_index(kPairs, options, hooks);
  RunReport report = pair_rows(with_kind_of_rows(with_sketches(options), hooks), hooks);
  const bool has_other = !options.against.empty() || options.against_table;
  if (options.top > 0 && !has_other) {
    report.summary += fmt::format(
        "note: --top {0} counts only later rows as partners. For the nearest of all rows: sosie "
        "query X X --top {0} --exclude-self\n",
        options.top);
  }
  return report;
}

RunReport pair_rows(const Options& chosen, const RunHooks& hooks) {
  const KindVerbs& row = row_for(kPairs, chosen);
  if (!chosen.reuse.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"reuse"},
                chosen.reuse.front() + " holds no sketches",
                "pairs and clusters are for dedup --reuse");
  }
  const auto engine = row.engine(kPairs, chosen, hooks);
  return pairs_with(*engine, kPairs, chosen, hooks);
}

RunReport sketch(const Options& options, const RunHooks& hooks) {
  const Options chosen = with_kind_of_rows(options, hooks);
  refuse_cascade(chosen, "sketch");
  return row_for(kSketch, chosen).sketch(chosen, hooks);
}

std::unique_ptr<Engine> engine_of_kind(VerbBit verb, const Options& chosen, const RunHooks& hooks) {
  return row_for(chosen).engine(verb, chosen, hooks);
}

RunReport query(const Options& options, const RunHooks& hooks) {
  if (options.inputs.empty() && !options.against_table) {
    throw Error(ErrorKind::invalid_option, "query: no DATA given", "sosie query DATA [INPUT...]");
  }
  if (options.exclude_self && options.top_pairs > 0) {
    throw Error(
        ErrorKind::invalid_option, RefusedOption{"top-pairs"},
        "cannot be combined with --exclude-self: pairs of an item with itself would be among the K",
        "use --top K, or remove the lines whose two ids are equal");
  }
  if (asks_index(kQuery, options)) return query_index(kQuery, options, hooks);
  if (is_given(options, "where")) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"where"},
                "works only with an index as DATA",
                "sosie index build INDEX INPUT... --fields FIELD,... makes one");
  }
  return query_rows(with_kind_of_rows(with_sketched_data(options), hooks), hooks);
}

RunReport query_rows(const Options& chosen, const RunHooks& hooks) {
  // If the items of an index have names, these are used.
  const bool is_index = !chosen.inputs.empty() &&
                        index_items_at(chosen.inputs.front(), chosen.memory_files) != nullptr;
  if (chosen.exclude_self && !is_index && chosen.ids.empty() != chosen.other_ids.empty()) {
    throw Error(ErrorKind::invalid_option, "--exclude-self: only one of DATA and INPUT has ids",
                "--ids names the rows of DATA, --other-ids those of INPUT");
  }
  const KindVerbs& row = row_for(kQuery, chosen);
  if (auto answered = row.stream(chosen, hooks)) return *answered;
  const Options join = as_join(chosen);
  const Options found = with_own_rows(join);
  const auto engine = row.engine(kQuery, found, hooks);
  return pairs_with(*engine, kQuery, join, hooks);
}

std::vector<double> similarities(const Options& options, const RunHooks& hooks) {
  const Options chosen = with_kind_of_rows(options, hooks);
  return row_for(chosen).similarities(chosen, hooks);
}

RunReport explain(const Options& options, const std::string& left_id, const std::string& right_id,
                  const RunHooks& hooks) {
  expect_other(options);
  if (is_of_records(options)) return explain_records(options, hooks, left_id, right_id);
  refuse_other_without_rows(options);
  const Options chosen = with_contained(with_kind_of_rows(options, hooks));
  refuse_options_of_others(chosen);
  refuse_cascade(chosen, "explain");
  try {
    const auto engine = row_for(chosen).engine(kExplain, chosen, hooks);
    return explain_with(*engine, chosen, hooks, left_id, right_id);
  } catch (const Error& error) {
    name_kind_of_records(error, options);
  }
}

namespace {

// True if the options for the other collection can only refer to INPUT, because DATA comes first.
bool is_planned_query(const Options& options) {
  return options.against.empty() && !options.against_table && options.inputs.size() > 1 &&
         tells_of_other(options);
}

// The run to be planned, with only the options for the join.
Options as_planned(const Options& options, const RunHooks& hooks) {
  Options planned = options;
  std::vector<std::string> left_out;
  std::erase_if(planned.given, [&](const auto& given) {
    if (find_option(given.first)->is_planned) return false;
    left_out.push_back(fmt::format("--{}", given.first));
    return true;
  });
  std::sort(left_out.begin(), left_out.end());
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  planned.audit = planned.top = planned.top_pairs = 0;
  for (std::string Options::*text :
       {&Options::checkpoint, &Options::pairs, &Options::plan, &Options::report}) {
    (planned.*text).clear();
  }
  planned.reuse.clear();
  if (!left_out.empty() && tells(options, hooks)) {
    hooks.on_message(fmt::format("the plan covers a run without {}, which it cannot predict",
                                 joined_text(left_out, ", ")));
  }
  return planned;
}

}  // namespace

RunReport plan(const Options& options, const RunHooks& hooks) {
  Options planned = as_planned(options, hooks);
  if (is_planned_query(planned)) planned = as_join(planned);
  expect_other(planned);
  const bool has_rows = !planned.inputs.empty() || !planned.files_from.empty() || planned.table;
  if (!planned.p1.empty() || !planned.p2.empty()) return plan_probabilities(planned);
  if (!planned.family.empty() && !has_rows) return plan_family(planned, hooks);
  const Options chosen = with_contained(with_kind_of_rows(planned, hooks));
  return plan_with(row_for(kPlan, chosen).plan, chosen, hooks);
}

}  // namespace sosie
