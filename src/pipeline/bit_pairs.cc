#include <fmt/format.h>

#include "pipeline/bit_items.h"
#include "pipeline/bit_join.h"
#include "pipeline/measured_settings.h"
#include "pipeline/pair_outputs.h"
#include "pipeline/run.h"
#include "pipeline/verbs.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kUsualMeasure = "hamming";

const BitMeasure& measure_of(const Options& options) {
  if (!is_given(options, "measure")) return *bit_measure_by_name(kUsualMeasure);
  if (const BitMeasure* measure = bit_measure_by_name(options.measure)) return *measure;
  throw Error(ErrorKind::invalid_option,
              "--measure " + options.measure + ": is not for items of kind bits",
              "bit strings are compared by hamming and jaccard");
}

class BitPairs {
 public:
  BitPairs(const Options& options, const RunHooks& hooks)
      : options_(options),
        hooks_(hooks),
        settings_(settings_of(options)),
        measure_(measure_of(options)),
        bound_(resolve_bound(options, measure_.name, measure_.is_similarity)),
        pool_(settings_.threads, hooks.cancel) {}

  RunReport execute() {
    items_ = read_bits(options_, options_.inputs, settings_, pool_, hooks_);
    if (!options_.against.empty()) read_against();
    std::vector<std::string> inputs = items_.paths;
    inputs.insert(inputs.end(), against_.paths.begin(), against_.paths.end());
    check_outputs(inputs, {options_.output, options_.stats});
    return write();
  }

 private:
  static Settings settings_of(const Options& options) {
    refuse_options_of_texts(options, "bits");
    return resolve_run(options);
  }

  // The rows of OTHER stand behind the run's own.
  void read_against() {
    against_ = read_bits(options_, options_.against, settings_, pool_, hooks_);
    BitColumn& own = items_.column;
    const BitColumn& other = against_.column;
    own_rows_ = own.rows;
    if (own.rows > 0 && other.rows > 0 && own.bits != other.bits) {
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: has strings of {} bits, {} of {}", items_.paths.front(),
                              own.bits, against_.paths.front(), other.bits));
    }
    own.data.insert(own.data.end(), other.data.begin(), other.data.end());
    own.rows += other.rows;
  }

  RunReport write() {
    PairOutputs outputs(options_, hooks_, bound_.facts);
    const bool across = !options_.against.empty();
    BitJoinResult found;
    if (!across || (own_rows_ > 0 && own_rows_ < items_.column.rows)) {
      const bool all = options_.top == 0 && options_.top_pairs == 0;
      found = join_bits({.column = &items_.column,
                         .split = own_rows_,
                         .measure = &measure_,
                         .bound = bound_.bound,
                         .brute = options_.method == "brute"},
                        all ? options_.limit : 0, pool_);
    }
    if (across) {
      for (MeasuredPair& pair : found.pairs) pair.right -= static_cast<std::uint32_t>(own_rows_);
    }
    PairSink sink(options_, bound_.facts, items_.ids, across ? against_.ids : items_.ids,
                  outputs.table());
    sink.add(found.pairs);
    MeasuredSummary summary = summarize(found, across);
    summary.pairs = sink.finish();
    measure_run(summary, started_);
    return outputs.finish(summary, pool_);
  }

  [[nodiscard]] MeasuredSummary summarize(const BitJoinResult& found, bool across) const {
    MeasuredSummary summary;
    summary.kind = "bits";
    summary.rows = across ? own_rows_ : items_.column.rows;
    summary.has_against = across;
    summary.against_rows = against_.column.rows;
    summary.bytes = items_.bytes + against_.bytes;
    summary.dimension = items_.column.bits;
    summary.components = "bit";
    summary.facts = bound_.facts;
    summary.method = found.indexed ? "exact" : "brute";
    summary.method_line =
        found.indexed
            ? fmt::format("exact: strings that agree in one of {} blocks of bits are measured",
                          bound_.bound.num / bound_.bound.den + 1)
            : "brute: every pair is measured";
    summary.candidates = found.candidates;
    summary.threads = settings_.threads;
    return summary;
  }

  const Options& options_;
  const RunHooks& hooks_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Settings settings_;
  const BitMeasure& measure_;
  MeasuredBound bound_;
  ThreadPool pool_;
  BitItems items_;            // with --against those of OTHER too, in the column
  BitItems against_;          // ids and counts of OTHER
  std::size_t own_rows_ = 0;  // with --against
};

}  // namespace

RunReport pairs_of_bits(const Options& options, const RunHooks& hooks) {
  return BitPairs(options, hooks).execute();
}

}  // namespace sosie
