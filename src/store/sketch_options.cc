#include "store/sketch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rational.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "sosie/error.h"
#include "store/sketches.h"

namespace sosie {
namespace {

// TABLE: the options that decide what is known of a row.
struct Carried {
  std::string_view name;
  std::string (*get)(const Options& options);
};

constexpr std::array kCarried = {
    Carried{"kind", [](const Options& o) { return o.kind; }},
    Carried{"measure", [](const Options& o) { return o.measure; }},
    Carried{"union", [](const Options& o) { return o.bag_union; }},
    Carried{"threshold", [](const Options& o) { return o.threshold; }},
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
    Carried{"on-bad-row", [](const Options& o) { return o.on_bad_row; }},
    Carried{"keep", [](const Options& o) { return o.keep; }},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kCarried.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCarried[i].name;
  return names;
}();

bool equal_values(const std::string& left, const std::string& right) {
  if (left == right) return true;
  const auto one = parse_rational(left);
  const auto other = parse_rational(right);
  return one && other && one->num == other->num && one->den == other->den;
}

// Sets an option as the sketches say; a value that it cannot have was not written by `sketch`.
void set_made(const SketchFiles& sketches, std::string_view name, const std::string& made,
              Options& options) {
  try {
    set_option(options, name, made);
  } catch (const Error&) {
    PackedReader({}, sketches.paths().front()).refuse();
  }
}

// What the run says for itself must be what the sketches were made with; but rows may rank
// otherwise by what is known of them.
void take_option(const SketchFiles& sketches, std::string_view name, Options& options,
                 const std::string& given) {
  const std::string made = made_with(sketches.first(), name);
  if (!is_given(options, name)) {
    if (made != given) set_made(sketches, name, made, options);
    return;
  }
  if (name == "keep" || equal_values(given, made)) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("--{} {}: {} was made with {}", name, given, sketches.paths().front(),
                          shown_value(made)),
              "leave it out, or make the sketches again with it");
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
  throw Error(ErrorKind::invalid_option,
              fmt::format("--keep {}: asks for other fields or lengths than --keep {}, with which "
                          "{} was made",
                          options.keep, made_with(made, "keep"), sketches.paths().front()),
              "make the sketches again with it");
}

void check_plan_of(const SketchFiles& sketches, const Options& options) {
  const SavedPlan plan = load_plan(options.plan, nullptr);
  if (plan == sketches.plan()) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("--plan {}: is {} x {} at {}/{}; {} was made with {} x {} at {}/{}",
                          options.plan, plan.banding.bands, plan.banding.rows, plan.threshold.num,
                          plan.threshold.den, sketches.paths().front(),
                          sketches.plan().banding.bands, sketches.plan().banding.rows,
                          sketches.plan().threshold.num, sketches.plan().threshold.den),
              "sketches bring their plan: leave --plan out");
}

// What has no meaning where inputs are sketched already.
void check_others(const Options& options) {
  for (const std::string_view name : {"files-from", "bands", "construct"}) {
    if (!is_given(options, name)) continue;
    throw Error(ErrorKind::invalid_option, fmt::format("--{}: cannot go with sketches", name));
  }
  if (options.table) {
    throw Error(ErrorKind::invalid_option, "--reuse: sketches stand for files, not for tables");
  }
  if (options.method != "auto" && options.method != "lsh") {
    throw Error(ErrorKind::invalid_option,
                "--method " + options.method + ": cannot go with sketches, which are for lsh");
  }
}

// The one file of pairs or clusters.
void check_other_file(const Options& options) {
  const std::string& path = options.reuse.front();
  if (options.reuse.size() > 1) {
    throw Error(ErrorKind::invalid_option,
                "--reuse: only sketches may be several, and " + path + " holds none");
  }
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    const File file(path);  // says so if it is not there
    throw Error(ErrorKind::malformed_input, file.name() + ": is no file of sketches",
                "pairs and clusters are taken again with the inputs that they are about");
  }
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
  if (options.reuse.empty()) return options;
  if (!SketchFile::is_one(options.reuse.front())) {
    check_other_file(options);
    return options;
  }
  check_others(options);
  Options chosen = options;
  for (const std::string& path : chosen.inputs) set_option(chosen, "reuse", path);
  const auto sketches = std::make_shared<const SketchFiles>(chosen.reuse);
  for (const Carried& row : kCarried) {
    take_option(*sketches, row.name, chosen, row.get(options));
  }
  check_keep(*sketches, chosen);
  if (!chosen.plan.empty()) check_plan_of(*sketches, chosen);
  chosen.sketches = sketches;
  chosen.reuse.clear();
  chosen.inputs.clear();
  chosen.plan.clear();
  chosen.method = "lsh";
  return chosen;
}

}  // namespace sosie
