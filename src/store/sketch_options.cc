// Options of sketches, and their transfer to runs.
#include "store/sketch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "core/rational.h"
#include "data/kinds.h"
#include "data/method_name.h"
#include "options/bounds.h"
#include "options/equal_values.h"
#include "options/folder_files.h"
#include "options/formats.h"
#include "options/saved_option.h"
#include "options/settings.h"
#include "sosie/error.h"
#include "store/index/index_manifest.h"
#include "store/sketch/sketch_files.h"

namespace sosie {
namespace {

// Returns --within; for sets it is stored as the corresponding threshold.
std::string within_of(const Options& options) {
  return has_any(kAsSets, options.kind) ? std::string() : options.within;
}

// TABLE: the options that determine what is known about a row.
struct Carried {
  std::string_view name;
  std::string (*get)(const Options& options);
};

constexpr std::array kCarried = {
    Carried{"kind", [](const Options& o) { return std::string(kind_name(o.kind)); }},
    Carried{"measure", [](const Options& o) { return o.measure; }},
    Carried{"union", [](const Options& o) { return o.bag_union; }},
    Carried{"threshold", [](const Options& o) { return o.threshold; }},
    Carried{"within", within_of},
    Carried{"recall", [](const Options& o) { return o.recall; }},
    Carried{"shingle", [](const Options& o) { return o.shingle; }},
    Carried{"stopwords", [](const Options& o) { return o.stopwords; }},
    Carried{"tokens", [](const Options& o) { return o.tokens; }},
    Carried{"sketch", [](const Options& o) { return o.sketch; }},
    Carried{"seed", [](const Options& o) { return std::to_string(o.seed); }},
    Carried{"encoding", [](const Options& o) { return o.encoding; }},
    Carried{"column", [](const Options& o) { return o.column; }},
    Carried{"id", [](const Options& o) { return o.id; }},
    Carried{"ratings", [](const Options& o) { return o.ratings; }},
    Carried{"represent", [](const Options& o) { return o.represent; }},
    Carried{"on-bad-row", [](const Options& o) { return o.on_bad_row; }},
    Carried{"keep", [](const Options& o) { return o.keep; }},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kCarried.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCarried[i].name;
  return names;
}();

// Sets an option to its value in the sketches; a value that is not allowed was not written by
// `sketch`.
void set_made(const SketchFiles& sketches, std::string_view name, const std::string& made,
              Options& options) {
  try {
    set_saved_option(options, name, made);
  } catch (const Error&) {
    PackedReader({}, sketches.paths().front()).refuse();
  }
}

// For texts, sets or bags, a distance is 1 - the threshold.
void check_distance(const SketchFiles& sketches, const std::string& made, const Options& options) {
  const auto distance = parse_bound(options.within, BoundSide::not_above);
  const auto threshold = parse_rational(made);
  if (distance && threshold && distance->num <= distance->den &&
      (distance->den - distance->num) * threshold->den == threshold->num * distance->den) {
    return;
  }
  throw Error(
      ErrorKind::invalid_option, RefusedOption{"within", options.within},
      fmt::format("{} was made with --threshold {}", sketches.paths().front(), shown_value(made)),
      "leave it out, or recreate the sketches with it");
}

// The run's own options must equal those with which the sketches were made, except that rows may be
// ranked differently if the sketches contain the necessary facts.
void take_option(const SketchFiles& sketches, std::string_view name, Options& options,
                 const std::string& given) {
  const std::string made = made_with(sketches.first(), name);
  if (!sketches.first().has_items() && !options.within.empty()) {
    if (name == "threshold" && !is_given(options, name)) {
      check_distance(sketches, made, options);
      return;
    }
    if (name == "within") return;
  }
  if (!is_given(options, name)) {
    if (made != given) set_made(sketches, name, made, options);
    return;
  }
  if (name == "keep" || equal_values_of(name, given, made)) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name), given},
              fmt::format("{} was made with {}", sketches.paths().front(), shown_value(made)),
              "leave it out, or recreate the sketches with it");
}

void check_keep(const SketchFiles& sketches, const Options& options) {
  bool lengths = false;
  std::vector<std::string> fields;
  const std::vector<KeepRule> rules = *parse_keep(options.keep);
  for (const KeepRule& rule : rules) {
    lengths |= rule.by == KeepRule::By::longest || rule.by == KeepRule::By::shortest;
    if (!rule.field.empty()) fields.push_back(rule.field);
  }
  const SketchContents& made = sketches.first();
  if (lengths == made.has_lengths && fields == made.rank_fields) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"keep", options.keep},
              fmt::format("needs other fields or lengths than --keep {}, with which {} was made",
                          made_with(made, "keep"), sketches.paths().front()),
              "recreate the sketches with it");
}

void check_plan_of(const Sketches& sketches, const Options& options) {
  const SavedPlan plan = load_plan(options.plan, nullptr);
  if (plan == sketches.plan()) return;
  if (plan.hashed || sketches.plan().hashed) {
    expect_equal_plans(sketches.plan(), sketches.paths().front(), plan, options.plan,
                       "sketches have their own plan; omit --plan");
  }
  throw Error(ErrorKind::invalid_option, RefusedOption{"plan", options.plan},
              fmt::format("is {} x {} at {}; {} was made with {} x {} at {}", plan.banding.bands,
                          plan.banding.rows, bound_text(plan.threshold), sketches.paths().front(),
                          sketches.plan().banding.bands, sketches.plan().banding.rows,
                          bound_text(sketches.plan().threshold)),
              "sketches have their own plan; omit --plan");
}

// The threshold of vectors and bit strings is always set, unless there is a distance bound.
void take_threshold(const SketchFiles& sketches, Options& options) {
  if (!sketches.first().has_items() || !options.within.empty()) return;
  if (is_given(options, "threshold")) return;
  set_made(sketches, "threshold", made_with(sketches.first(), "threshold"), options);
}

// Rejects options that have no meaning if the plan comes from sketches.
void check_others(const Options& options) {
  for (const std::string_view name : {"bands", "construct", "group-by"}) {
    if (!is_given(options, name)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
                "cannot be combined with sketches");
  }
  if (options.method != Method::automatic && options.method != Method::lsh) {
    throw Error(ErrorKind::invalid_option,
                RefusedOption{"method", std::string(method_name(options.method))},
                "cannot be combined with sketches, which only --method lsh uses");
  }
}

// Rejects options that have no meaning if all inputs are already sketched.
void check_other_inputs(const Options& options) {
  if (is_given(options, "files-from")) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"files-from"},
                "cannot be combined with sketches");
  }
  if (options.table) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"reuse"},
                "sketches refer to files, not to tables");
  }
}

// Checks the single file of pairs or clusters.
void check_other_file(const Options& options) {
  const std::string& path = options.reuse.front();
  if (options.reuse.size() > 1) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"reuse"},
                "several files are accepted only if all are sketches; " + path + " holds none");
  }
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    const File file(path);  // says so if it is not there
    throw Error(ErrorKind::malformed_input, file.name() + ": is not a file of sketches",
                "pairs and clusters are reused with the inputs that they were made from");
  }
}

// Replaces folders in `reuse` with the sketch files that they contain, in the order of their paths.
void list_folders(Options& options) {
  std::vector<std::string> files;
  for (const std::string& path : options.reuse) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> found = files_below(path, {}).paths;
    const auto other = std::find_if_not(found.begin(), found.end(), SketchFile::is_one);
    if (found.empty() || other != found.end()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"reuse", path},
                  found.empty()
                      ? "holds no sketches"
                      : fmt::format("contains files other than sketches, such as {}", *other),
                  "name the sketch files, or a folder that contains nothing else");
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  options.reuse = std::move(files);
}

// Replaces `reuse` and the inputs, which are further sketch files or the files that were sketched.
std::shared_ptr<const SketchFiles> take_own(Options& options) {
  check_others(options);
  check_other_inputs(options);
  std::vector<std::string> sketched;
  for (const std::string& path : std::vector<std::string>(options.inputs)) {
    if (SketchFile::is_one(path)) {
      set_option(options, "reuse", path);
    } else {
      sketched.push_back(path);
    }
  }
  const Options asked = options;
  auto sketches = std::make_shared<SketchFiles>(options.reuse);
  if (!sketched.empty()) sketches->stand_for(list_inputs(sketched, input_rules(options)));
  for (const Carried& row : kCarried) {
    take_option(*sketches, row.name, options, row.get(asked));
  }
  take_threshold(*sketches, options);
  check_keep(*sketches, options);
  options.sketches = sketches;
  options.reuse.clear();
  options.inputs.clear();
  return sketches;
}

// A given id must be the field that names OTHER's rows; without it, each collection keeps its own.
void check_id_of_other(const SketchFiles& other, const Options& options) {
  const std::string made = other.id_field().empty() ? "row" : other.id_field();
  const bool is_number = made == "row" && options.id == kIdByFile;
  if (options.id.empty() || options.id == made || is_number || other.first().rows == 0) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"id", options.id},
              fmt::format("the rows of {} are identified by {}", other.paths().front(), made),
              "leave it out, or recreate the sketches with it");
}

// Rows of OTHER always rank before all others, whatever --keep; and if all rows are readable, the
// treatment of bad rows does not matter.
bool concerns_other(std::string_view name, const SketchFiles& other) {
  if (name == "id" || name == "keep") return false;
  return name != "on-bad-row" || made_with(other.first(), name) != "stop";
}

bool are_sketches(const std::vector<std::string>& paths) {
  const auto found = std::find_if(paths.begin(), paths.end(), SketchFile::is_one);
  if (found == paths.end()) return false;
  const auto other = std::find_if_not(paths.begin(), paths.end(), SketchFile::is_one);
  if (other == paths.end()) return true;
  throw Error(ErrorKind::invalid_option, RefusedOption{"against"},
              fmt::format("{} contains sketches, but {} does not", *found, *other),
              "name either sketch files or row files, not both");
}

// Two sketched collections can be compared if they were sketched in the same way.
void expect_equal_making(const SketchFiles& other, const SketchFiles& own) {
  constexpr std::string_view kWay = "sketches that are matched must have the same plan and options";
  expect_equal_plans(other.plan(), other.paths().front(), own.plan(), own.paths().front(), kWay);
  for (const Carried& row : kCarried) {
    if (!concerns_other(row.name, other)) continue;
    expect_equal_option(row.name, made_with(other.first(), row.name), other.paths().front(),
                        made_with(own.first(), row.name), own.paths().front(), kWay);
  }
}

// Throws unless OTHER was sketched with the options given for it.
void expect_told(const SketchFiles& other, std::string_view name, const std::string& told) {
  const std::string made = made_with(other.first(), name);
  if (told == made) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{fmt::format("other-{}", name), told},
              fmt::format("{} was made with {}", other.paths().front(), shown_value(made)),
              "leave it out, or recreate the sketches with it");
}

// Replaces `against`. `own`: the sketches of the run's own rows; null if there are none.
void take_other(const SketchFiles* own, Options& options) {
  check_others(options);
  const Options asked = options;
  const auto other = std::make_shared<const SketchFiles>(options.against);
  if (own != nullptr) {
    expect_equal_making(*other, *own);
  } else {
    for (const Carried& row : kCarried) {
      if (!concerns_other(row.name, *other)) continue;
      if (is_given(options, fmt::format("other-{}", row.name))) {
        expect_told(*other, row.name, row.get(options_of_other(asked)));
      } else {
        take_option(*other, row.name, options, row.get(asked));
      }
    }
    take_threshold(*other, options);
  }
  check_id_of_other(*other, options_of_other(asked));
  options.against_sketches = other;
  options.against.clear();
}

}  // namespace

std::span<const std::string_view> sketch_option_names() noexcept { return kNames; }

std::string made_with(const SketchContents& contents, std::string_view name) {
  for (const auto& [option, value] : contents.options) {
    if (option == name) return value;
  }
  const auto carried = std::find_if(kCarried.begin(), kCarried.end(),
                                    [&](const Carried& row) { return row.name == name; });
  return carried->get(Options{});
}

std::string shown_value(const std::string& value) { return value.empty() ? "(none)" : value; }

std::vector<std::pair<std::string, std::string>> sketch_options(const Options& options) {
  std::vector<std::pair<std::string, std::string>> carried;
  for (const Carried& row : kCarried) {
    const std::string value = row.get(options);
    if (value != row.get(Options{})) carried.emplace_back(row.name, value);
  }
  return carried;
}

Options with_sketches(const Options& options) {
  Options chosen = options;
  std::shared_ptr<const SketchFiles> own;
  if (!chosen.reuse.empty()) {
    list_folders(chosen);
    if (SketchFile::is_one(chosen.reuse.front())) {
      own = take_own(chosen);
    } else {
      check_other_file(chosen);
    }
  }
  if (are_sketches(chosen.against)) take_other(own.get(), chosen);
  const Sketches* const sketches = deciding_sketches(chosen);
  if (sketches == nullptr) return chosen;
  if (!chosen.plan.empty()) check_plan_of(*sketches, chosen);
  chosen.plan.clear();
  chosen.method = Method::lsh;
  return chosen;
}

Options with_sketched_data(const Options& options) {
  const auto& inputs = options.inputs;
  const auto rest = std::find_if_not(inputs.begin(), inputs.end(), SketchFile::is_one);
  if (rest == inputs.begin()) return options;
  const auto count = rest - inputs.begin();
  if (rest == inputs.end() && count > 1 && options.files_from.empty() && !options.table) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("query: {} contains sketches, but no INPUT is given", inputs.back()),
                "name INPUT after them, - for standard input; `sosie pairs --reuse S --against S` "
                "compares sketches with sketches");
  }
  Options chosen = options;
  chosen.against.assign(inputs.begin(), rest);
  chosen.inputs.erase(chosen.inputs.begin(), chosen.inputs.begin() + count);
  // Here, options about the other collection refer to INPUT, not to the sketched rows.
  const auto is_of_input = [](const auto& given) { return given.first.starts_with("other-"); };
  std::erase_if(chosen.given, is_of_input);
  for (std::string* told :
       {&chosen.other_format, &chosen.other_column, &chosen.other_id, &chosen.other_delimiter,
        &chosen.other_encoding, &chosen.other_skip_lines}) {
    told->clear();
  }
  chosen = with_sketches(chosen);
  std::copy_if(options.given.begin(), options.given.end(), std::back_inserter(chosen.given),
               is_of_input);
  chosen.other_format = options.other_format;
  chosen.other_column = options.other_column;
  chosen.other_id = options.other_id;
  chosen.other_delimiter = options.other_delimiter;
  chosen.other_encoding = options.other_encoding;
  chosen.other_skip_lines = options.other_skip_lines;
  return chosen;
}

void refuse_sketched_inputs(const Options& options) {
  if (!options.format.empty()) return;
  for (const std::string& path : options.inputs) {
    if (is_index(path)) {
      throw Error(ErrorKind::invalid_option, path + ": is an index, not rows",
                  "use an index with --against in dedup and pairs, or as DATA in query");
    }
    if (format_by_extension(path) != nullptr || !SketchFile::is_one(path)) continue;
    throw Error(ErrorKind::invalid_option, path + ": contains sketches, not rows",
                "use sketches with --reuse and --against in dedup and pairs, or as DATA in query");
  }
}

}  // namespace sosie
