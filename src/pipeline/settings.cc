#include "pipeline/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>

#include "candidates/generators.h"
#include "core/thread_pool.h"
#include "kernels/simd.h"
#include "plan/construction.h"
#include "sosie/error.h"
#include "verify/measures.h"

namespace sosie {
namespace {

constexpr int kMaxBandRows = 1024;

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

// The control group's memory limit; 0 when there is none.
std::uint64_t cgroup_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::uint64_t bytes = 0;
    if (file >> bytes && bytes > 0) return bytes;
  }
  return 0;
}

std::uint64_t default_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  if (const std::uint64_t limit = cgroup_limit(); limit > 0) bytes = std::min(bytes, limit);
  return bytes / 2;
}

// The bands and rows that --construct means.
std::optional<std::pair<int, int>> bands_of_construction(const Options& options) {
  if (!options.bands.empty()) {
    throw Error(ErrorKind::invalid_option, "--construct: says the same as --bands; give one");
  }
  const auto shape = as_banding(*parse_construction(options.construct));
  auto bands = shape ? parse_bands(fmt::format("{}x{}", shape->bands, shape->rows)) : std::nullopt;
  if (!bands) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--construct {}: only and:ROWS,or:BANDS with at most {} rows in all "
                            "can be run",
                            options.construct, kMaxBandRows),
                "any other cascade can be looked at with sosie plan --family");
  }
  return bands;
}

void resolve_method(const Options& options, Settings& settings) {
  if (options.method == "lsh") settings.method = Method::lsh;
  if (options.method == "brute") settings.method = Method::brute;
  const Generator* named = generator_by_method(options.method);  // none for auto
  const auto recall = parse_rational(options.recall);
  settings.recall = recall->value();
  const bool every_pair = recall->num == recall->den;
  if (every_pair && named != nullptr && !named->finds_every_pair) {
    throw Error(ErrorKind::invalid_option,
                "--recall 1: method " + options.method + " cannot promise every pair",
                "say --method brute, or a recall below 1");
  }
  if (every_pair) settings.method = Method::brute;
  const bool constructed = !options.construct.empty();
  const auto bands = constructed ? bands_of_construction(options) : parse_bands(options.bands);
  if (!bands) return;
  if (every_pair || (named != nullptr && !named->uses_bands)) {
    throw Error(ErrorKind::invalid_option, fmt::format("--{}: has no meaning with --method brute",
                                                       constructed ? "construct" : "bands"));
  }
  settings.method = Method::lsh;
  settings.fixed_bands = bands->first;
  settings.fixed_rows = bands->second;
}

std::shared_ptr<const StopWords> stop_words(const Options& options, const ShingleRecipe& recipe) {
  if (recipe.unit != ShingleUnit::stopwords) {
    if (options.stopwords.empty()) return nullptr;
    throw Error(ErrorKind::invalid_option,
                "--stopwords: has no meaning with --shingle " + options.shingle,
                "say --shingle stopwords:2 too");
  }
  return load_stop_words(options.stopwords.empty() ? "english" : options.stopwords, recipe.tokens);
}

}  // namespace

std::optional<std::vector<KeepRule>> parse_keep(std::string_view text) {
  std::vector<KeepRule> rules;
  for (const std::string_view part : split(text, ',')) {
    auto rule = parse_rule(part);
    if (!rule) return std::nullopt;
    rules.push_back(std::move(*rule));
  }
  return rules;
}

std::optional<std::pair<int, int>> parse_bands(std::string_view text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 2) return std::nullopt;
  const auto bands = parse_int(parts[0]);
  const auto rows = parse_int(parts[1]);
  if (!bands || !rows || *bands < 1 || *rows < 1) return std::nullopt;
  if (*bands > kMaxBandRows || *rows > kMaxBandRows || *bands * *rows > kMaxBandRows) {
    return std::nullopt;
  }
  return std::pair{*bands, *rows};
}

Settings resolve_run(const Options& options) {
  Settings settings;
  settings.seed = options.seed;
  settings.keep = *parse_keep(options.keep);
  if (options.on_bad_row == "skip") settings.bad_rows = BadRows::skip;
  if (options.on_bad_row == "keep") settings.bad_rows = BadRows::keep;
  if (!options.show.empty()) {
    for (const std::string_view field : split(options.show, ',')) settings.show.emplace_back(field);
  }
  settings.threads = options.threads == 0 ? available_cores() : options.threads;
  settings.memory_bytes = options.memory_bytes == 0 ? default_memory() : options.memory_bytes;
  settings.scratch = options.scratch.empty() ? "/tmp" : options.scratch;
  if (options.simd != "auto") kernels::limit_simd(options.simd);
  return settings;
}

Settings resolve(const Options& options) {
  if (!options.within.empty()) {
    throw Error(ErrorKind::invalid_option,
                "--within: " + options.measure + " is a similarity, not a distance",
                "say --threshold " + options.threshold);
  }
  Settings settings = resolve_run(options);
  settings.threshold = *parse_rational(options.threshold);
  settings.shingle = *parse_shingle(options.shingle);
  settings.shingle.tokens = options.tokens == "ascii" ? TokenMode::ascii : TokenMode::unicode;
  settings.shingle.bag = options.measure == "bag-jaccard";
  settings.shingle.stop_words = stop_words(options, settings.shingle);
  if (options.sketch == "classic") settings.sketch = SketchKind::classic;
  settings.measure = measure_by_name(options.measure);
  const std::string kind = options.kind.empty() ? "text" : options.kind;
  settings.family = find_family(kind, options.measure);
  if (settings.family == nullptr) {
    throw Error(ErrorKind::invalid_option,
                "--measure " + options.measure + ": is not for items of kind " + kind);
  }
  resolve_method(options, settings);
  return settings;
}

}  // namespace sosie
