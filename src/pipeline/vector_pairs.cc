#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/hash64.h"
#include "core/number_text.h"
#include "pipeline/measured_pairs.h"
#include "pipeline/pair_outputs.h"
#include "pipeline/run.h"
#include "pipeline/vector_items.h"
#include "pipeline/vector_join.h"
#include "pipeline/vector_settings.h"
#include "pipeline/verbs.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// From here on a run says how many pairs it is about to write.
constexpr double kManyPairs = 1e8;
constexpr std::size_t kSampledRows = 128;

// Some rows of a column, drawn with the seed.
VectorColumn sample_of(const VectorColumn& column, std::uint64_t seed) {
  if (column.rows <= kSampledRows) return column;
  return std::visit(
      [&](const auto& components) -> VectorColumn {
        std::decay_t<decltype(components)> some;
        for (std::size_t i = 0; i < kSampledRows; ++i) {
          const std::size_t row = random64(seed, i) % column.rows;
          const auto* begin = components.data() + row * column.dimension;
          some.insert(some.end(), begin, begin + column.dimension);
        }
        return {kSampledRows, column.dimension, std::move(some)};
      },
      column.components);
}

// Pairs a left row is found in on average, as a sample of rows has it. A row's pair with itself
// counts.
double sampled_pairs_a_row(const VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool) {
  const VectorColumn sample = sample_of(*task.left, seed);
  if (sample.rows == 0) return 0;
  VectorJoinTask counting = task;
  counting.left = &sample;
  counting.right = task.right == nullptr ? task.left : task.right;
  counting.only_count = true;
  const auto counts = join_vectors(counting, pool, {}, [](auto) { return true; });
  return static_cast<double>(counts.found) / static_cast<double>(sample.rows);
}

class VectorPairs {
 public:
  VectorPairs(const Options& options, const RunHooks& hooks)
      : options_(options),
        hooks_(hooks),
        settings_(resolve_vectors(options)),
        pool_(settings_.run.threads, hooks.cancel) {}

  RunReport execute() {
    own_ = read_vectors(options_, options_.inputs, settings_.run, pool_, hooks_);
    if (!options_.against.empty()) {
      against_ = read_vectors(options_, options_.against, settings_.run, pool_, hooks_);
      give_one_type(own_, *against_);
    }
    std::vector<std::string> inputs = own_.paths;
    if (against_) inputs.insert(inputs.end(), against_->paths.begin(), against_->paths.end());
    check_outputs(inputs, {options_.output, options_.stats});
    check_lengths(own_);
    if (against_) check_lengths(*against_);
    return write();
  }

 private:
  void check_lengths(const VectorItems& items) {
    if (!settings_.measure->needs_length) return;
    const auto squares = squared_lengths(items.column, pool_);
    const auto zero = std::find(squares.begin(), squares.end(), 0.0);
    if (zero == squares.end()) return;
    const auto row = static_cast<std::size_t>(zero - squares.begin());
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: vector {} is all zeros and has no {}", items.paths.front(),
                            items.ids.name_of(row), settings_.measure->name),
                "leave it out, or take --measure euclidean");
  }

  RunReport write() {
    PairOutputs outputs(options_, hooks_, settings_.bound.facts);
    VectorJoinTask task{.left = &own_.column,
                        .right = against_ ? &against_->column : nullptr,
                        .measure = settings_.measure,
                        .bound = settings_.bound.bound,
                        .filter = !settings_.brute};
    expect(task);
    PairSink sink(options_, settings_.bound.facts, own_.ids, against_ ? against_->ids : own_.ids,
                  outputs.table());
    const auto counts = join_vectors(
        task, pool_,
        [this](std::size_t done) {
          if (hooks_.on_progress) hooks_.on_progress({"comparing", done, own_.column.rows});
        },
        [&](std::span<const MeasuredPair> pairs) {
          sink.add(pairs);
          return true;
        });
    MeasuredSummary summary = summarize();
    summary.candidates = counts.candidates;
    summary.pairs = sink.finish();
    measure_run(summary, started_);
    return outputs.finish(summary, pool_);
  }

  [[nodiscard]] MeasuredSummary summarize() const {
    constexpr std::array<std::string_view, 4> kComponents = {"int8", "uint8", "float32", "float64"};
    MeasuredSummary summary;
    summary.kind = "vectors";
    summary.rows = own_.column.rows;
    summary.has_against = against_.has_value();
    summary.bytes = own_.bytes + (against_ ? against_->bytes : 0);
    summary.against_rows = against_ ? against_->column.rows : 0;
    summary.dimension = own_.column.dimension;
    summary.components = kComponents[own_.column.components.index()];
    summary.facts = settings_.bound.facts;
    summary.method = settings_.brute ? "brute" : "exact";
    summary.method_line = settings_.brute ? "brute: every pair is measured"
                                          : "exact: 16-bit products with a proven bound, then the "
                                            "measure itself";
    summary.threads = settings_.run.threads;
    return summary;
  }

  // Estimates how many pairs there will be: says so when there are absurdly many, and keeps fewer
  // of them in memory at a time.
  void expect(VectorJoinTask& task) {
    if (own_.column.rows <= kSampledRows) return;
    task.pairs_a_row = sampled_pairs_a_row(task, settings_.run.seed, pool_);
    task.most_kept = settings_.run.memory_bytes / 8 / sizeof(MeasuredPair);
    const auto rows = static_cast<double>(own_.column.rows);
    const double expected = against_ ? task.pairs_a_row * rows : (task.pairs_a_row - 1) * rows / 2;
    const bool all = options_.top == 0 && options_.top_pairs == 0 && options_.limit == 0;
    if (!all || expected < kManyPairs || !hooks_.on_message) return;
    hooks_.on_message(
        fmt::format("about {} pairs are expected; {}, or use --top, --top-pairs or --limit",
                    count_text(static_cast<std::uint64_t>(expected)),
                    settings_.measure->is_similarity ? "raise --threshold" : "lower --within"));
  }

  const Options& options_;
  const RunHooks& hooks_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  VectorSettings settings_;
  ThreadPool pool_;
  VectorItems own_;
  std::optional<VectorItems> against_;
};

}  // namespace

RunReport pairs_of_vectors(const Options& options, const RunHooks& hooks) {
  return VectorPairs(options, hooks).execute();
}

}  // namespace sosie
