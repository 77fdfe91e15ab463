// A query as a join, and queries answered while rows arrive: as a stream for texts and sets, row by
// row for other items.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/bad_lines.h"
#include "corpus/bad_row.h"
#include "corpus/count_inputs.h"
#include "corpus/ill_formed.h"
#include "corpus/items/item_rows.h"
#include "corpus/row_parsers.h"
#include "corpus/rows/rejects.h"
#include "corpus/rows/row_names.h"
#include "join/in_memory_joiner.h"
#include "join/item_lookup.h"
#include "join/sets/set_run.h"
#include "join/streamed_rows.h"
#include "options/input_list.h"
#include "options/output_options.h"
#include "options/settings.h"
#include "read/field_paths.h"
#include "report/pair_writer.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "verbs/query_stream.h"
#include "verbs/verbs.h"

namespace sosie {

Options as_join(Options options) {
  if (!options.against_table && !options.against_sketches) {
    options.against.assign(options.inputs.begin(), options.inputs.begin() + 1);
    options.inputs.erase(options.inputs.begin());
  }
  std::swap(options.ids, options.other_ids);  // `ids` names DATA, `other_ids` INPUT
  // This also applies to --column and --other-column, and to similar options.
  const Options of_other = options_of_other(options);
  const ToldOfFile of_input = told_of(of_other);
  options.other_format = std::exchange(options.format, of_other.format);
  options.other_column = std::exchange(options.column, of_input.column);
  options.other_id = std::exchange(options.id, of_input.id);
  options.other_delimiter = std::exchange(options.delimiter, of_input.delimiter);
  options.other_encoding = std::exchange(options.encoding, of_input.encoding);
  options.other_skip_lines = std::to_string(std::exchange(options.skip_lines, of_input.skip_lines));
  options.other_stands = true;
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    options.inputs.emplace_back("-");
  }
  return options;
}

Options with_own_rows(Options options) {
  if (!options.exclude_self) return options;
  if (options.top > 0) ++options.top;
  options.limit = 0;
  return options;
}

std::optional<RunReport> stream_of_sets(const Options& options, const RunHooks& hooks) {
  const auto input = streamed_input(options, hooks);
  if (!input) return std::nullopt;
  return query_stream(options, *input, hooks);
}

namespace {

// A query for vectors or bit strings whose rows are answered as they arrive.
struct ItemQuery {
  const Options& options;  // as_join()
  const Settings& settings;
  const BoundFacts& facts;
  const RunHooks& hooks;
  ThreadPool& pool;
};

constexpr std::uint64_t kMostRows = 1024;  // rows that are looked up together
constexpr std::size_t kNamesAtOnce = 16384;
constexpr std::uint64_t kFirstRows = 32;  // rows before the number of hits per row is known

// The options for reading rows, and the fields that contain an item.
Options options_of_rows(Options options, const ItemRowSteps& steps) {
  if (!steps.of_text) options.column.clear();
  return options;
}
std::vector<std::string> fields_of(const Options& options, const ItemRowSteps& steps) {
  return steps.of_text ? std::vector<std::string>{} : joined_names(options.column);
}

class ItemStream {
 public:
  ItemStream(const ItemQuery& query, const InputFile& input, ItemLookup& lookup)
      : query_(query),
        input_(input),
        lookup_(lookup),
        steps_(lookup.steps()),
        fields_(fields_of(query.options, steps_)),
        row_options_(options_of_rows(query.options, steps_)),
        scratch_(query.settings.scratch, query.settings.scratch_limit_bytes),
        rows_(input, row_options_, query.settings, scratch_, query.hooks),
        right_names_(lookup.places().inputs, lookup.places().corpus, query.settings.show,
                     query.pool) {}

  RunReport run() {
    const ItemPlaces& data = lookup_.places();
    check_outputs(data.inputs, query_.options, result_of(query_.options, query_.hooks));
    PairOutputs outputs(kQuery, query_.options, query_.settings, query_.hooks, query_.facts);
    out_ = outputs.table();
    rejects_ = outputs.rejects();
    if (rejects_ != nullptr) write_rejects(data.inputs, data.corpus, *rejects_);
    out_->flush();
    rows_.read({[this] { make_parsers(); }, [this](std::span<const FedRow> rows) { look_up(rows); },
                [this] { out_->flush(); }});
    return outputs.finish([this] { return summarize(); }, query_.pool,
                          [&] { require_unchanged(data.inputs); });
  }

 private:
  struct Trouble {
    FedRow row;
    std::uint64_t line;
    std::string reason;
    std::optional<IllFormedCount> too_many = {};  // rows that are invalid in their encoding
  };

  void make_parsers() {
    FieldRequest request = rows_.inputs().fields;
    request.others = fields_;
    request.items = fields_.size();
    const std::vector<std::string>& show = query_.settings.show;
    request.others.insert(request.others.end(), show.begin(), show.end());
    parsers_.emplace(rows_.inputs(), request);
  }

  void look_up(std::span<const FedRow> rows) {
    while (!rows.empty()) {
      const auto some = rows.first(std::min<std::size_t>(rows_at_once(), rows.size()));
      const auto trouble = take_in(some);
      answer();
      if (trouble) refuse(*trouble);
      rows = rows.subspan(some.size());
    }
  }

  // Number of rows whose hits fit in the available share of the memory.
  [[nodiscard]] std::uint64_t rows_at_once() const {
    const std::uint64_t hits = query_.settings.memory_bytes / 32 / sizeof(ScoredPair);
    return std::clamp<std::uint64_t>(hits / (most_hits_ + 1), 1,
                                     counts_.rows == 0 ? kFirstRows : kMostRows);
  }

  // Reads rows until one of them stops the run.
  std::optional<Trouble> take_in(std::span<const FedRow> rows) {
    names_.clear();
    for (const FedRow& row : rows) {
      record_.id_is_integer = false;
      try {
        parsers_->parse(0, row.bytes, record_);
        take_item(record_, rows_.format(), fields_, steps_);
        if (auto fault = take_ill_formed(row)) return fault;
        if (!steps_.end_row()) {
          ++counts_.rows;
          ++counts_.empty;
          continue;
        }
      } catch (const RowError& error) {
        Trouble trouble{row, trouble_line(row, error.offset()), error.what()};
        if (query_.settings.bad_rows == BadRows::stop) return trouble;
        leave_out(trouble);
        continue;
      }
      name_row();
      ++counts_.rows;
    }
    return std::nullopt;
  }

  // Records a text that is invalid in its encoding. The first one over the limit stops the run,
  // after the results of earlier rows. Throws RowError if such rows are to be left out.
  std::optional<Trouble> take_ill_formed(const FedRow& row) {
    if (steps_.length) counts_.words += steps_.length();
    if (!steps_.is_well_formed || steps_.is_well_formed()) return std::nullopt;
    const auto place = find_ill_formed_place(row.bytes, rows_.inputs().encoding_of(0));
    if (!place) return std::nullopt;
    if (query_.settings.bad_rows == BadRows::skip) throw RowError(place->reason, place->offset);
    ++counts_.ill_formed;
    ill_formed_bytes_.add(row.bytes);
    const std::uint64_t line = trouble_line(row, place->offset);
    if (first_ill_formed_.empty()) {
      first_ill_formed_ = fmt::format("{}: {}", rows_.place(line), place->reason);
    }
    if (rejects_ != nullptr) rejects_->row({input_.name, line, place->reason, row.bytes});
    const IllFormedCount count{counts_.rows + 1, counts_.ill_formed};
    if (!count.is_too_much() || !query_.settings.stops_for_encoding) return std::nullopt;
    return Trouble{row, line, place->reason, count};
  }

  void leave_out(const Trouble& bad) {
    steps_.leave_out();
    ++counts_.rows;
    ++(query_.settings.bad_rows == BadRows::skip ? counts_.skipped : counts_.unmatched);
    counts_.bad_lines += lines_of_row(bad.row.bytes);
    if (rejects_ != nullptr) rejects_->row({input_.name, bad.line, bad.reason, bad.row.bytes});
  }

  // Names a row as RowNames does for rows of files.
  void name_row() {
    const Inputs& inputs = rows_.inputs();
    const bool numbered = inputs.ids_are_rows;
    RowNames::Entry name{
        numbered ? inputs.numbered_name(0, counts_.rows, counts_.rows) : std::string(record_.id),
        numbered ? !inputs.rows_by_file : record_.id_is_integer,
        {}};
    for (std::size_t i = fields_.size(); i < record_.others.size(); ++i) {
      name.shown.emplace_back(record_.others[i].text);
    }
    if (shows_compared_) name.shown.push_back(lookup_.text_of_row());
    names_.push_back(std::move(name));
  }

  void answer() {
    pairs_measured_ += lookup_.find(found_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      std::vector<ScoredPair>& hits = found_[i];
      const bool any = !query_.facts.bound.empty() || !query_.facts.is_similarity;
      if (!any) std::erase_if(hits, [](const ScoredPair& hit) { return !(hit.value > 0); });
      if (query_.options.exclude_self) erase_own(names_[i], hits);
      most_hits_ = std::max<std::uint64_t>(most_hits_, hits.size());
      if (hits.empty()) continue;
      check_limit(written_.pairs + hits.size());
      write(names_[i], hits);
      ++written_.lefts;
      written_.pairs += hits.size();
    }
  }

  void erase_own(const RowNames::Entry& left, std::vector<ScoredPair>& hits) {
    std::vector<RowNumber> rights;
    rights.reserve(hits.size());
    for (const ScoredPair& hit : hits) rights.push_back(lookup_.row_of(hit.right));
    const auto names = right_names_.look_up(rights);
    std::size_t i = 0;
    std::erase_if(hits, [&](const ScoredPair&) { return names[i++].id == left.id; });
    const std::uint64_t top = query_.options.top;
    if (top > 0 && hits.size() > top) hits.resize(top);
  }

  // Pairs of earlier rows have already been written and remain.
  void check_limit(std::uint64_t pairs) {
    if (query_.options.limit == 0 || pairs <= query_.options.limit) return;
    out_->flush();
    check_pair_limit(pair_selection(query_.options), query_.facts, pairs);
  }

  void write(const RowNames::Entry& left, std::span<const ScoredPair> hits) {
    for (; !hits.empty(); hits = hits.subspan(std::min(kNamesAtOnce, hits.size()))) {
      const auto some = hits.first(std::min(kNamesAtOnce, hits.size()));
      std::vector<RowNumber> rights;
      for (const ScoredPair& hit : some) rights.push_back(lookup_.row_of(hit.right));
      auto right = right_names_.look_up(rights);
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (shows_compared_) right[i].shown.push_back(lookup_.text_of_item(some[i].right));
        write(left, right[i], some[i].value);
      }
    }
  }

  void write(const RowNames::Entry& left, const RowNames::Entry& right, double value) {
    cells_ = {IdText{left.id, left.id_is_integer}, IdText{right.id, right.id_is_integer},
              query_.facts.cell(value)};
    for (std::size_t field = 0; field < left.shown.size(); ++field) {
      cells_.emplace_back(left.shown[field]);
      cells_.emplace_back(right.shown[field]);
    }
    out_->row(cells_);
  }

  [[noreturn]] void refuse(const Trouble& trouble) {
    out_->flush();
    if (trouble.too_many) {
      check_encoding(*trouble.too_many, query_.settings,
                     {[&] { return first_ill_formed_; }, [&] { return ill_formed_bytes_; },
                      rows_.inputs().list.front().told});
    }
    throw_bad_row(
        {rows_.format(), rows_.inputs().list.front().told, trouble.row.bytes,
         rows_.place(trouble.line), trouble.reason, &rows_.inputs().headers.front().names},
        hint_for_item(trouble.reason));
  }

  [[nodiscard]] RunSummary summarize() const {
    const JoinFacts facts = lookup_.facts();
    RunSummary summary;
    summary.verb = kQuery;
    summary.kind = query_.options.kind;
    summary.dimension = facts.dimension;
    summary.components = facts.components;
    summary.measure = query_.facts.measure;
    summary.threshold = query_.facts.bound;
    summary.is_similarity = query_.facts.is_similarity;
    summary.recall = query_.options.recall;
    summary.seed = query_.settings.seed;
    summary.method = facts.method;
    summary.total = counts_;
    summary.total.bytes = rows_.bytes();
    summary.total.blank_lines = rows_.blank_lines();
    summary.inputs = {summary.total};
    summary.inputs.front().name = input_.group;
    list_unusual(rows_.inputs(), summary.encodings, summary.dialects);
    list_unusual(lookup_.places().inputs, summary.encodings, summary.dialects);
    summary.against.given = true;
    summary.against.rows = lookup_.places().corpus.rows;
    summary.against.bytes = lookup_.bytes();
    summary.candidates = pairs_measured_;
    summary.verified = pairs_measured_;
    summary.pairs = written_.pairs;
    summary.rows_with_pairs = written_.lefts;
    summary.threads = query_.settings.threads;
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = scratch_.peak_bytes();
    return summary;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const ItemQuery& query_;
  const InputFile& input_;
  ItemLookup& lookup_;
  ItemRowSteps steps_;
  std::vector<std::string> fields_;
  Options row_options_;
  Scratch scratch_;
  StreamedRows rows_;
  TableWriter* out_ = nullptr;
  TableWriter* rejects_ = nullptr;  // null: not requested
  std::optional<RowParsers> parsers_;
  Record record_;
  std::vector<RowNames::Entry> names_;  // names of the rows that are looked up together
  RowNames right_names_;
  std::vector<Cell> cells_;
  std::vector<std::vector<ScoredPair>> found_;
  InputCounts counts_;
  bool shows_compared_ = shows_compared(query_.options);
  std::uint64_t pairs_measured_ = 0;
  std::uint64_t most_hits_ = 0;   // maximum number of hits of a row so far
  std::string first_ill_formed_;  // first row that is invalid in its encoding
  IllFormedBytes ill_formed_bytes_;
  PairCounts written_;
};

// The INPUT of a query for such items, if its rows are to be answered as they arrive.
std::optional<InputFile> streamed_items(const Options& options, const RunHooks& hooks) {
  // Only a join has the names of all rows and the hash buckets.
  if (!options.other_ids.empty() || options.method == Method::lsh || !options.plan.empty()) {
    return std::nullopt;
  }
  return streamed_input(options, hooks);
}

// Answers each row of `input` before waiting for the next, with the same pairs, in the same order
// and with the same bytes, as an exact join with all rows. Otherwise like query_stream().
RunReport query_items(const ItemQuery& query, const InputFile& input, ItemLookup& lookup) {
  return ItemStream(query, input, lookup).run();
}

using MakeJoiner = std::unique_ptr<InMemoryJoiner> (*)(VerbBit verb, const Options& options);

std::optional<RunReport> stream_of_items(MakeJoiner make, const Options& options,
                                         const RunHooks& hooks) {
  const Options join = as_join(options);
  const Options found = with_own_rows(join);
  const auto joiner = make(kQuery, found);  // reports errors in options first
  const auto input = streamed_items(options, hooks);
  if (!input) return std::nullopt;
  ThreadPool pool(joiner->settings().threads, hooks.cancel);
  const auto lookup = joiner->lookup(pool, hooks);
  return query_items({join, joiner->settings(), joiner->bound().facts, hooks, pool}, *input,
                     *lookup);
}

}  // namespace

std::optional<RunReport> stream_of_vectors(const Options& options, const RunHooks& hooks) {
  return stream_of_items(vector_joiner, options, hooks);
}

std::optional<RunReport> stream_of_bits(const Options& options, const RunHooks& hooks) {
  return stream_of_items(bit_joiner, options, hooks);
}

std::optional<RunReport> stream_of_strings(const Options& options, const RunHooks& hooks) {
  return stream_of_items(string_joiner, options, hooks);
}

}  // namespace sosie
