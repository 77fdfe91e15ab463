// Answers a stream of texts, sets or bags row by row.
#include "verbs/query_stream.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "corpus/bad_lines.h"
#include "corpus/bad_row.h"
#include "corpus/count_inputs.h"
#include "corpus/ill_formed.h"
#include "corpus/rows/rejects.h"
#include "corpus/rows/row_names.h"
#include "io/file.h"
#include "join/pair_selection.h"
#include "join/sets/query_row.h"
#include "join/sets/set_run.h"
#include "join/sets/set_searcher.h"
#include "join/sets/top_rows.h"
#include "join/streamed_rows.h"
#include "options/formats.h"
#include "options/output_options.h"
#include "options/set_cascade.h"
#include "options/settings.h"
#include "report/pair_writer.h"
#include "sosie/error.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

bool is_regular(const struct stat& status) { return S_ISREG(status.st_mode); }

// True if the path, like a pipe, can only be read or written from front to back.
bool is_stream(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !is_regular(status) && !S_ISDIR(status.st_mode);
}

bool is_stream(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && !is_regular(status);
}

// True if each row can be answered on its own.
bool asks_row_by_row(const Options& options, const RunHooks& hooks) {
  const bool of_rows = !options.table && !options.against_table && !options.against_sketches &&
                       options.group_by.empty() && options.files_from.empty() &&
                       options.checkpoint.empty();
  // A cascade needs all rows at once.
  const auto shape = asked_shape(options);
  const bool is_cascade = is_squares_family(options.family) || (shape && !shape->is_banding());
  return of_rows && !is_cascade && hooks.pairs == nullptr && options.top_pairs == 0 &&
         options.audit == 0;
}

bool writes_at_once(const std::string& output) {
  return output.empty() || output == "-" || is_stream(output);
}

bool has_lines(const Format& format) {
  const bool lines = format.row_ends == RowEnds::line || format.row_ends == RowEnds::quoted_line;
  return lines && !format.columnar && format.make_parser != nullptr;
}

Options options_of_data(const Options& options) {
  Options data = options;
  data.inputs.resize(1);
  return data;
}

// --top without a threshold selects among all items that share an element.
Settings settings_of_stream(const Options& options) {
  Settings settings = resolve(options);
  if (settings.lowers_threshold) settings.threshold = kLeastThreshold;
  return settings;
}

class StreamQuery {
 public:
  StreamQuery(const Options& options, const InputFile& input, const RunHooks& hooks)
      : options_(options),
        found_(with_own_rows(options)),
        input_(input),
        hooks_(hooks),
        data_options_(options_of_data(options)),
        row_options_(options_of_other(options)),
        settings_(settings_of_stream(options)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        short_limit_(short_text_limit(settings_)),
        rows_(input, row_options_, settings_, scratch_, hooks) {}

  RunReport run() {
    open_outputs();
    data_.emplace(data_options_, settings_, scratch_, pool_, hooks_);
    check_outputs(data_->inputs(), options_, result_of(options_, hooks_));
    names_.emplace(data_->inputs(), data_->corpus(), settings_.show, pool_);
    finders_.resize(pool_.size());
    if (rejects_ != nullptr) write_rejects(data_->inputs(), data_->corpus(), *rejects_);
    out_->flush();
    rows_.read({[this] { make_readers(); }, [this](std::span<const FedRow> rows) { look_up(rows); },
                [this] { out_->flush(); }});
    return finish();
  }

 private:
  void open_outputs() {
    check_outputs(std::vector{options_.inputs.front()}, options_, result_of(options_, hooks_));
    outputs_.emplace(kQuery, options_, settings_, hooks_,
                     facts_of_sets(options_, settings_.lowers_threshold));
    out_ = outputs_->table();
    rejects_ = outputs_->rejects();
  }

  void make_readers() {
    const auto banding =
        data_->choice().finds_every_pair() ? std::nullopt : std::optional(data_->choice().banding);
    readers_.clear();
    for (unsigned i = 0; i < pool_.size(); ++i) {
      readers_.push_back(std::make_unique<QueryRowReader>(rows_.inputs(), settings_, banding));
    }
  }

  // Looks up as many rows at a time as have hits that fit in the available share of the memory.
  void look_up(std::span<const FedRow> rows) {
    constexpr std::uint64_t kMostRows = 1024;
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::uint64_t hits = settings_.memory_bytes / 16 / sizeof(SimilarSet);
      const std::uint64_t fit = std::clamp<std::uint64_t>(hits / (most_hits_ + 1), 1, kMostRows);
      const std::size_t end = begin + std::min<std::size_t>(fit, rows.size() - begin);
      find_hits(rows.subspan(begin, end - begin));
      for (std::size_t i = begin; i < end; ++i) {
        if (options_.exclude_self) erase_own(asked_[i - begin], hits_[i - begin]);
        take(rows[i], asked_[i - begin], hits_[i - begin]);
      }
      begin = end;
    }
  }

  void find_hits(std::span<const FedRow> rows) {
    asked_.resize(std::max(asked_.size(), rows.size()));
    hits_.resize(std::max(hits_.size(), rows.size()));
    pool_.for_each(rows.size(), [&](unsigned worker, std::size_t i) {
      readers_[worker]->read(rows[i], counts_.rows + i, asked_[i]);
      data_->find(asked_[i].sketched(), found_.top, finders_[worker], hits_[i]);
    });
  }

  void erase_own(const QueryRow& asked, std::vector<SimilarSet>& hits) {
    std::vector<RowNumber> rights;
    rights.reserve(hits.size());
    for (const auto& hit : hits) rights.push_back(hit.position);
    const auto names = names_->look_up(rights);
    std::size_t i = 0;
    std::erase_if(hits, [&](const auto&) { return names[i++].id == asked.id; });
    if (options_.top > 0 && hits.size() > options_.top) hits.resize(options_.top);
  }

  void take(const FedRow& row, const QueryRow& asked, const std::vector<SimilarSet>& hits) {
    if (asked.is_bad()) reject(row, asked);
    ++counts_.rows;
    if (!asked.encoding_fault.empty()) note_ill_formed(row, asked);
    counts_.words += asked.tokens;
    if (asked.state == RowState::empty) ++counts_.empty;
    const bool is_short = asked.state == RowState::normal && asked.tokens < short_limit_;
    if (is_short && !asked.is_bad()) ++counts_.short_rows;
    most_hits_ = std::max<std::uint64_t>(most_hits_, hits.size());
    if (hits.empty()) return;
    const std::uint64_t pairs = written_.pairs + hits.size();
    if (options_.limit > 0 && pairs > options_.limit) {
      fail_with_answers([&] {
        check_pair_limit(pair_selection(options_), {options_.measure, options_.threshold, true},
                         pairs);
      });
    }
    write(asked, hits);
  }

  // Pairs of earlier rows have already been written and remain.
  template <class Fail>
  void fail_with_answers(const Fail& fail) {
    out_->flush();
    fail();
  }

  void reject(const FedRow& row, const QueryRow& asked) {
    if (settings_.bad_rows == BadRows::stop) {
      fail_with_answers([&] {
        throw_bad_row({rows_.format(), rows_.inputs().list.front().told, row.bytes,
                       rows_.place(asked.trouble_line), asked.reason},
                      kWaysRoundBadRows);
      });
    }
    ++(settings_.bad_rows == BadRows::skip ? counts_.skipped : counts_.unmatched);
    counts_.bad_lines += lines_of_row(row.bytes);
    if (rejects_ != nullptr)
      rejects_->row({input_.name, asked.trouble_line, asked.reason, row.bytes});
  }

  // Decides after each such row, so that the outcome depends only on the rows read so far.
  void note_ill_formed(const FedRow& row, const QueryRow& asked) {
    ++counts_.ill_formed;
    ill_formed_bytes_.add(row.bytes);
    if (first_ill_formed_.empty()) {
      first_ill_formed_ = rows_.place(asked.trouble_line) + ": " + asked.encoding_fault;
    }
    if (rejects_ != nullptr)
      rejects_->row({input_.name, asked.trouble_line, asked.encoding_fault, row.bytes});
    const IllFormedCount count{counts_.rows, counts_.ill_formed};
    if (!count.is_too_much() || !settings_.stops_for_encoding) return;
    fail_with_answers([&] {
      check_encoding(count, settings_,
                     {[&] { return first_ill_formed_; }, [&] { return ill_formed_bytes_; },
                      rows_.inputs().list.front().told});
    });
  }

  void write(const QueryRow& asked, std::span<const SimilarSet> hits) {
    constexpr std::size_t kNamesAtOnce = 16384;
    ++written_.lefts;
    for (; !hits.empty(); hits = hits.subspan(std::min(kNamesAtOnce, hits.size()))) {
      const auto some = hits.first(std::min(kNamesAtOnce, hits.size()));
      std::vector<RowNumber> rights;
      for (const auto& hit : some) rights.push_back(hit.position);
      const auto right = names_->look_up(rights);
      for (std::size_t i = 0; i < some.size(); ++i) write_pair(asked, some[i], right[i]);
      written_.pairs += some.size();
    }
  }

  void write_pair(const QueryRow& asked, const SimilarSet& hit, const RowNames::Entry& right) {
    cells_ = {IdText{asked.id, asked.id_is_integer}, IdText{right.id, right.id_is_integer},
              Decimal{settings_.measure->shown(hit.overlap)}};
    for (std::size_t field = 0; field < right.shown.size(); ++field) {
      cells_.emplace_back(asked.shown[field]);
      cells_.emplace_back(right.shown[field]);
    }
    out_->row(cells_);
  }

  RunReport finish() {
    return outputs_->finish([this] { return summarize(); }, pool_,
                            [this] { require_unchanged(data_->inputs()); });
  }

  [[nodiscard]] RunSummary summarize() const {
    RunSummary summary =
        summary_of_asked(kQuery, options_, settings_, data_->choice(), pool_.size());
    summary.total = counts_;
    summary.total.bytes = rows_.bytes();
    summary.total.blank_lines = rows_.blank_lines();
    summary.inputs = {summary.total};
    summary.inputs.front().name = input_.group;
    list_unusual(rows_.inputs(), summary.encodings, summary.dialects);
    const Inputs& data = data_->inputs();
    list_unusual(data, summary.encodings, summary.dialects);
    summary.against.given = true;
    summary.against.rows = data_->corpus().rows;
    for (const File& file : data.files) summary.against.bytes += file.size();
    summary.notes = data.notes;
    summary.short_limit = short_limit_;
    for (const SetSearcher::Finder& finder : finders_) {
      summary.candidates += finder.by_prefixes.candidates + finder.by_bands.listed;
      summary.verified += finder.by_prefixes.verified + finder.by_bands.verified;
    }
    summary.pairs = written_.pairs;
    summary.rows_with_pairs = written_.lefts;
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = scratch_.peak_bytes();
    return summary;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  Options found_;  // with the options of the rows
  const InputFile& input_;
  const RunHooks& hooks_;
  Options data_options_;
  Options row_options_;
  Settings settings_;
  ThreadPool pool_;
  Scratch scratch_;
  std::uint64_t short_limit_;
  std::optional<PairOutputs> outputs_;
  TableWriter* out_ = nullptr;
  TableWriter* rejects_ = nullptr;  // null: not requested
  std::optional<SetSearcher> data_;
  std::optional<RowNames> names_;
  std::vector<SetSearcher::Finder> finders_;  // by worker
  StreamedRows rows_;
  std::vector<std::unique_ptr<QueryRowReader>> readers_;  // by worker
  std::vector<QueryRow> asked_;                           // rows being looked up
  std::vector<std::vector<SimilarSet>> hits_;
  std::vector<Cell> cells_;
  std::uint64_t most_hits_ = 0;  // maximum number of hits of a row so far
  InputCounts counts_;
  std::string first_ill_formed_;  // the first row that is invalid in its encoding
  IllFormedBytes ill_formed_bytes_;
  PairCounts written_;
};

}  // namespace

std::optional<InputFile> streamed_input(const Options& options, const RunHooks& hooks) {
  if (!asks_row_by_row(options, hooks) || !writes_at_once(options.output)) return std::nullopt;
  if (options.inputs.size() > 2) return std::nullopt;
  const std::string input = options.inputs.size() == 2 ? options.inputs.back() : "-";
  if (input == "-") {
    if (options.inputs.front() == "-" || !is_stream(hooks.input_descriptor)) return std::nullopt;
  } else if (!is_stream(input)) {
    return std::nullopt;
  }
  InputFile file = list_inputs({input}, input_rules(options_of_other(options))).files.front();
  return has_lines(*file.format) ? std::optional(std::move(file)) : std::nullopt;
}

RunReport query_stream(const Options& options, const InputFile& input, const RunHooks& hooks) {
  return StreamQuery(options, input, hooks).run();
}

}  // namespace sosie
