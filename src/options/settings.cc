// Settings of runs on texts, sets and bags: checks and resolves all options together.
#include "options/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "candidates/generators.h"
#include "core/memory_budget.h"
#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/kinds.h"
#include "data/method_name.h"
#include "io/file.h"
#include "kernels/simd.h"
#include "options/bounds.h"
#include "options/parse_grid.h"
#include "options/refuse_options_of_others.h"
#include "plan/construction.h"
#include "plan/lsh_plan.h"
#include "sosie/columns.h"
#include "sosie/error.h"
#include "verify/jaccard.h"

namespace sosie {
namespace {

constexpr int kMostBandMinhashes = 1024;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<KeepRule> parse_rule(std::string_view text) {
  using By = KeepRule::By;
  if (text == "first") return KeepRule{By::first, {}};
  if (text == "last") return KeepRule{By::last, {}};
  if (text == "longest") return KeepRule{By::longest, {}};
  if (text == "shortest") return KeepRule{By::shortest, {}};
  const bool greatest = text.starts_with("max:");
  if ((!greatest && !text.starts_with("min:")) || text.size() == 4) return std::nullopt;
  return KeepRule{greatest ? By::greatest : By::least, std::string(text.substr(4))};
}

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::uint64_t default_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  const std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  return std::min(bytes, resource_limits().memory_bytes) / 2;
}

unsigned default_threads() { return std::min(available_cores(), resource_limits().cores); }

// The numbers of bands and rows per band that --bands or --construct requests for minhashes.
std::optional<std::pair<int, int>> asked_bands(const Options& options) {
  const auto shape = asked_shape(options);
  if (!shape) return std::nullopt;
  const bool by_bands = options.construct.empty();
  if (static_cast<std::int64_t>(shape->bands) * shape->rows > kMostBandMinhashes) {
    throw Error(ErrorKind::invalid_option,
                RefusedOption{by_bands ? "bands" : "construct",
                              by_bands ? options.bands : options.construct},
                fmt::format("at most {} rows in all bands can be run", kMostBandMinhashes),
                by_bands ? "" : "sosie plan --family describes any cascade");
  }
  return std::pair{shape->bands, shape->rows};
}

// The option that requests hashing.
std::string lsh_option(const Options& options) {
  if (!options.construct.empty()) return "construct";
  return options.bands.empty() ? "family" : "bands";
}

void resolve_filters(const Options& options, Settings& settings) {
  if (options.filters.empty()) return;
  settings.filters = *parse_filters(options.filters);
  if (settings.method != Method::exact) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"filters"}, "needs --method exact");
  }
}

void resolve_method(const Options& options, Settings& settings) {
  settings.method = options.method;
  resolve_filters(options, settings);
  const Generator* named = generator_by_method(options.method);  // none for auto
  const auto recall = parse_rational(options.recall);
  settings.recall = recall->value();
  const bool every_pair = recall->num == recall->den;
  if (every_pair && named != nullptr && !named->finds_every_pair) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"recall", "1"},
                fmt::format("method {} cannot guarantee every pair", method_name(options.method)),
                "use --method exact, or a recall below 1");
  }
  const bool sketched = !settings.measure->distance.empty();
  const bool hashes =
      !options.bands.empty() || !options.construct.empty() || !options.family.empty();
  settings.cascade = resolve_cascade(options, sketched);
  if (!settings.cascade && !sketched && (settings.method == Method::lsh || hashes)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"measure", options.measure},
                "there is no lsh for it", "--method exact finds every pair");
  }
  if (hashes && (every_pair || (named != nullptr && !named->uses_bands))) {
    throw Error(ErrorKind::invalid_option, RefusedOption{lsh_option(options)},
                "does not apply to a method that finds every pair");
  }
  if (hashes) settings.method = Method::lsh;
  if (settings.cascade) return;
  if ((every_pair || !sketched) && named == nullptr) settings.method = Method::exact;
  if (!options.plan.empty() && named != nullptr && !named->uses_bands) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"plan"},
                "does not apply to a method that finds every pair");
  }
  const auto bands = asked_bands(options);
  if (!bands) return;
  settings.fixed_bands = bands->first;
  settings.fixed_rows = bands->second;
}

// If every pair is found, the most similar pairs, per row or overall, need no threshold. For the
// most similar pairs overall, texts use lsh unless an exact method is requested.
void resolve_top(const Options& options, Settings& settings) {
  const bool has_rows = options.sketches == nullptr && options.against_sketches == nullptr;
  const bool asks = options.top > 0 || options.top_pairs > 0;
  const bool bounded = is_given(options, "threshold") || !options.within.empty();
  if (!asks || bounded || !options.plan.empty() || !has_rows) return;
  const bool is_set = settings.shingle.unit == ShingleUnit::elements;
  if (settings.method == Method::automatic && settings.fixed_bands == 0 &&
      (options.top > 0 || is_set)) {
    settings.method = Method::exact;
  }
  settings.lowers_threshold = settings.method == Method::exact || settings.method == Method::brute;
  if (options.top == 0) return;
  if (settings.lowers_threshold) {
    refuse_audit_of_nearest(options);
    return;
  }
  throw Error(ErrorKind::invalid_option, RefusedOption{"method", "lsh"},
              "--top alone asks for the most similar rows, which hashing may miss",
              "use --threshold S too, or --method exact");
}

std::shared_ptr<const StopWords> stop_words(const Options& options, const ShingleRecipe& recipe) {
  if (recipe.unit != ShingleUnit::stopwords) {
    if (options.stopwords.empty()) return nullptr;
    throw Error(ErrorKind::invalid_option, RefusedOption{"stopwords"},
                "does not apply to --shingle " + options.shingle, "use --shingle stopwords:2 too");
  }
  return load_stop_words(options.stopwords.empty() ? "english" : options.stopwords, recipe.tokens);
}

// Checks options for rows that are (set, element) pairs.
void check_grouping(const Options& options) {
  const auto refuse = [](const RefusedOption& option, const std::string& why) {
    throw Error(ErrorKind::invalid_option, option, why,
                "--group-by SET --element FIELD [--weight FIELD]");
  };
  if (options.group_by.empty()) {
    if (!options.element.empty()) refuse({"element"}, "needs --group-by");
    if (!options.weight.empty()) refuse({"weight"}, "needs --group-by");
    return;
  }
  if (options.table || options.against_table) refuse({"group-by"}, "works only on files");
  if (options.element.empty()) refuse({"group-by"}, "needs --element");
  if (!options.ratings.empty() && options.weight.empty()) refuse({"ratings"}, "needs --weight");
  for (const std::string_view name : {"column", "id", "show", "on-bad-row", "rejects"}) {
    if (!is_given(options, name)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
                "cannot be combined with --group-by");
  }
  if (options.keep.find(':') != std::string::npos) {
    refuse({"keep", options.keep}, "sets built by --group-by have no such field");
  }
}

// Resolves the options that define how items become sets of hashes.
void resolve_items(const Options& options, KindBit kind, Settings& settings) {
  if (!options.ratings.empty()) settings.elements.ratings = *parse_ratings(options.ratings);
  if (!options.represent.empty()) {
    if (!options.ratings.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"represent"},
                  "cannot be combined with --ratings: points are not rated");
    }
    settings.elements.grid = *parse_grid(options.represent);
  }
  if (kind == kTextItems) {
    settings.shingle = *parse_shingle(options.shingle);
    settings.shingle.tokens = *parse_tokens(options.tokens);
    settings.shingle.stop_words = stop_words(options, settings.shingle);
  } else {
    settings.shingle = {ShingleUnit::elements, 1};
  }
  if (!options.ignore_common.empty()) {
    settings.ignore_common = parse_rational(options.ignore_common);
  }
  settings.shingle.bag =
      kind == kBagItems || typed_measure(options.measure)->row->counts_repetitions;
  if (options.ratings == "bag" && !settings.shingle.bag) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"ratings", options.ratings},
                "sets do not count how often an element occurs", "use --kind bags");
  }
}

// Resolves the measure and the options that apply only to some measures.
void resolve_measure(const Options& options, KindBit kind, Settings& settings) {
  const auto set = [&](Measure made) {
    made.shows_distance = !options.within.empty();
    settings.made_measure = std::make_shared<const Measure>(made);
    settings.measure = settings.made_measure.get();
  };
  set(*set_measure(options.measure, kind));
  settings.threshold = *settings.measure->threshold(options.threshold);
  if (is_given(options, "union") && !typed_measure(options.measure)->row->counts_repetitions) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"union"}, "needs --measure bag-jaccard");
  }
  if (options.bag_union != "sum") return;
  Rational& threshold = settings.threshold;
  if (!is_given(options, "threshold") && options.top > 0) threshold = {1, 2};  // not asked for
  if (2 * threshold.num > threshold.den) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"threshold", options.threshold},
                "with --union sum similarities are at most 1/2",
                "equal bags have a similarity of 1/2: use a --threshold of 0.5 or less");
  }
  set(bag_jaccard_of_sum());
  threshold.den -= threshold.num;
}

// With an ordered measure, it matters which of two items contains the other.
void check_ordered(const Options& options, const Settings& settings) {
  if (settings.measure == nullptr || !settings.measure->is_ordered()) return;
  const auto refuse = [&](std::string_view option, std::string_view reason) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(option)},
                fmt::format("cannot be combined with --measure {}, {}", options.measure, reason));
  };
  if (options.clustering != "star") refuse("clustering", "which removes contained items only");
  if (options.audit > 0) refuse("audit", "for which every pair is found");
}

}  // namespace

bool Settings::ranks_by_length() const noexcept {
  return std::any_of(keep.begin(), keep.end(), [](const KeepRule& rule) {
    return rule.by == KeepRule::By::longest || rule.by == KeepRule::By::shortest;
  });
}

std::optional<std::vector<KeepRule>> parse_keep(std::string_view text) {
  std::vector<KeepRule> rules;
  for (const std::string& part : joined_names(text)) {
    auto rule = parse_rule(part);
    if (!rule) return std::nullopt;
    rules.push_back(std::move(*rule));
  }
  return rules;
}

std::optional<Ratings> parse_ratings(std::string_view text) {
  using Rule = Ratings::Rule;
  if (text == "bag") return Ratings{Rule::bag};
  const std::size_t colon = text.find(':');
  const auto least = parse_bound(
      text.substr(colon == std::string_view::npos ? text.size() : colon + 1), BoundSide::not_below);
  if (!least) return std::nullopt;
  if (text.substr(0, colon) == "drop") return Ratings{Rule::drop, least->value()};
  if (text.substr(0, colon) == "liked-hated") return Ratings{Rule::liked_hated, least->value()};
  return std::nullopt;
}

std::optional<std::pair<int, int>> parse_bands(std::string_view text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 2) return std::nullopt;
  const auto bands = parse_int(parts[0]);
  const auto rows = parse_int(parts[1]);
  if (!bands || !rows || *bands < 1 || *rows < 1) return std::nullopt;
  if (*rows > kMostFunctions || *bands > kMostFunctions / *rows) return std::nullopt;
  return std::pair{*bands, *rows};
}

InputRules input_rules(const Options& options) {
  return {.format = options.format,
          .by_other = options.other_stands,
          .delimiter = options.delimiter.empty() ? '\0' : options.delimiter.front(),
          .has_header = !options.no_header,
          .folders = {.follows_links = options.follow, .takes_hidden = options.hidden},
          .memory_files = &options.memory_files};
}

// Throws Error{io} before anything is read if no file can be created there, instead of when memory
// is full.
std::string scratch_folder(const Options& options) {
  if (options.scratch.empty()) return "/tmp";
  if (::access((options.scratch + "/").c_str(), W_OK | X_OK) != 0) {
    throw Error(ErrorKind::io, options.scratch + ": " + system_message(errno),
                "temporary files go there; --scratch DIR or TMPDIR names another folder");
  }
  return options.scratch;
}

Options options_of_other(Options options) {
  const auto take = [&](const std::string& other, std::string& own) {
    if (!other.empty() || options.other_stands) own = other;
  };
  take(options.other_format, options.format);
  take(options.other_column, options.column);
  take(options.other_id, options.id);
  take(options.other_delimiter, options.delimiter);
  take(options.other_encoding, options.encoding);
  if (!options.other_skip_lines.empty() || options.other_stands) {
    options.skip_lines = 0;
    const std::string& lines = options.other_skip_lines;
    std::from_chars(lines.data(), lines.data() + lines.size(), options.skip_lines);
  }
  options.other_stands = !options.other_stands;
  return options;
}

ToldOfFile told_of(const Options& options) {
  return {options.column,
          options.id,
          options.delimiter,
          options.encoding,
          options.skip_lines,
          options.other_stands,
          options.group_by.empty() ? FieldsNamedBy::column : FieldsNamedBy::group_by};
}

Settings resolve_run(const Options& options) {
  Settings settings;
  settings.seed = options.seed;
  settings.keep = *parse_keep(options.keep);
  if (options.on_bad_row == "skip") settings.bad_rows = BadRows::skip;
  if (options.on_bad_row == "keep") settings.bad_rows = BadRows::keep;
  const bool is_told = !options.encoding.empty() && options.encoding != "auto";
  settings.stops_for_encoding = !is_told && settings.bad_rows == BadRows::stop;
  if (!options.show.empty()) settings.show = joined_names(options.show);
  settings.memory_bytes = options.memory_bytes == 0 ? default_memory() : options.memory_bytes;
  settings.threads = MemoryBudget{settings.memory_bytes}.threads(
      options.threads == 0 ? default_threads() : options.threads);
  settings.scratch = scratch_folder(options);
  if (options.scratch_limit_bytes > 0) settings.scratch_limit_bytes = options.scratch_limit_bytes;
  if (options.simd != "auto") kernels::limit_simd(options.simd);
  return settings;
}

Settings resolve(const Options& options) {
  const KindBit kind = told_kind(options.kind);
  check_grouping(options);
  refuse_options_of_others(options);
  if (!set_measure(options.measure, kind)) refuse_measure(options.measure, kind);
  if (!options.within.empty() && !typed_measure(options.measure, kind)->row->has_distance) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"within"},
                options.measure + " is a similarity, not a distance",
                "use --threshold S, such as " + options.threshold);
  }
  require_fraction(options);
  Settings settings = resolve_run(options);
  resolve_measure(options, kind, settings);
  check_ordered(options, settings);
  if (options.sketch == "classic") settings.sketch = SketchKind::classic;
  resolve_items(options, kind, settings);
  resolve_method(options, settings);
  resolve_top(options, settings);
  return settings;
}

void require_index_of_sets(const Options& options, const Settings& settings) {
  refuse_cascade(options, "an index");
  if (settings.method == Method::exact || settings.method == Method::brute) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("index: --measure {} --recall {} selects an exact method, but an index "
                            "of sets needs lsh",
                            options.measure, options.recall));
  }
}

}  // namespace sosie
