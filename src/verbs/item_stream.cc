#include "verbs/item_stream.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "corpus/bad_row.h"
#include "corpus/row_parsers.h"
#include "join/coming_rows.h"
#include "join/run.h"
#include "read/field_path.h"
#include "report/pair_outputs.h"
#include "sosie/error.h"
#include "verbs/query_stream.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMostRows = 1024;  // that are looked up together
constexpr std::uint64_t kFirstRows = 32;   // before it is known how many hits a row has

Options without_column(Options options) {
  options.column.clear();
  return options;
}

class ItemStream {
 public:
  ItemStream(const ItemQuery& query, const InputFile& input, ItemLookup& lookup)
      : query_(query),
        input_(input),
        lookup_(lookup),
        steps_(lookup.steps()),
        fields_(joined_names(query.options.column)),
        row_options_(without_column(query.options)),
        scratch_(query.settings.scratch, query.settings.scratch_limit_bytes),
        rows_(input, row_options_, query.settings, scratch_, query.hooks) {}

  RunReport run() {
    std::vector<std::string> inputs = lookup_.paths();
    add_given_ids(query_.options, inputs);
    check_outputs(inputs, {query_.options.output, query_.options.stats},
                  result_of(query_.options, query_.hooks));
    PairOutputs outputs("query", query_.options, query_.settings, query_.hooks, query_.facts);
    out_ = outputs.table();
    out_->flush();
    rows_.read({[this] { make_parsers(); }, [this](std::span<const FedRow> rows) { look_up(rows); },
                [this] { out_->flush(); }});
    return outputs.finish(summarize(), query_.pool, [] {});
  }

 private:
  struct Name {
    std::string id;
    bool is_integer;
  };
  struct Trouble {
    FedRow row;
    std::uint64_t line;
    std::string reason;
  };

  void make_parsers() {
    FieldRequest request = rows_.inputs().fields;
    request.others = fields_;
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

  // So many that their hits fit into a part of the memory.
  [[nodiscard]] std::uint64_t rows_at_once() const {
    const std::uint64_t hits = query_.settings.memory_bytes / 32 / sizeof(MeasuredPair);
    return std::clamp<std::uint64_t>(hits / (most_hits_ + 1), 1,
                                     read_ == 0 ? kFirstRows : kMostRows);
  }

  // Up to the first row that cannot be read.
  std::optional<Trouble> take_in(std::span<const FedRow> rows) {
    names_.clear();
    for (const FedRow& row : rows) {
      record_.id_is_integer = false;
      try {
        parsers_->parse(0, row.bytes, record_);
        take_item(record_, rows_.format(), fields_, steps_);
      } catch (const RowError& error) {
        return Trouble{row, trouble_line(row, error.offset()), error.what()};
      }
      const bool numbered = rows_.inputs().ids_are_rows;
      names_.push_back({numbered ? std::to_string(read_) : std::string(record_.id),
                        numbered || record_.id_is_integer});
      ++read_;
    }
    return std::nullopt;
  }

  void answer() {
    measured_ += lookup_.find(found_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      std::vector<MeasuredPair>& hits = found_[i];
      const bool any = !query_.facts.bound.empty() || !query_.facts.is_similarity;
      if (!any) std::erase_if(hits, [](const MeasuredPair& hit) { return !(hit.value > 0); });
      most_hits_ = std::max<std::uint64_t>(most_hits_, hits.size());
      if (hits.empty()) continue;
      check_limit(written_.pairs + hits.size());
      for (const MeasuredPair& hit : hits) write(names_[i], hit);
      ++written_.lefts;
      written_.pairs += hits.size();
    }
  }

  // What was found for the rows before stays.
  void check_limit(std::uint64_t pairs) {
    if (query_.options.limit == 0 || pairs <= query_.options.limit) return;
    out_->flush();
    check_pair_limit(wanted_pairs(query_.options), query_.facts, pairs);
  }

  void write(const Name& left, const MeasuredPair& hit) {
    const std::string right = lookup_.ids().name_of(hit.right);
    out_->row({IdText{left.id, left.is_integer}, IdText{right, lookup_.ids().is_integer(hit.right)},
               Decimal{hit.value}});
  }

  [[noreturn]] void refuse(const Trouble& trouble) {
    out_->flush();
    throw_bad_row({rows_.format(), trouble.row.bytes, rows_.place(trouble.line), trouble.reason,
                   &rows_.inputs().headers.front().names},
                  hint_for_item(trouble.reason, trouble.row.bytes));
  }

  [[nodiscard]] RunSummary summarize() const {
    const JoinFacts facts = lookup_.facts();
    RunSummary summary;
    summary.verb = "query";
    summary.kind = query_.options.kind;
    summary.dimension = facts.dimension;
    summary.components = facts.components;
    summary.measure = query_.facts.measure;
    summary.threshold = query_.facts.bound;
    summary.is_similarity = query_.facts.is_similarity;
    summary.recall = query_.options.recall;
    summary.seed = query_.settings.seed;
    summary.method = facts.method;
    summary.total.rows = read_;
    summary.total.bytes = rows_.bytes();
    summary.inputs = {summary.total};
    summary.inputs.front().name = input_.group;
    summary.against.given = true;
    summary.against.rows = lookup_.rows();
    summary.against.bytes = lookup_.bytes();
    summary.candidates = measured_;
    summary.verified = measured_;
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
  ComingRows rows_;
  TableWriter* out_ = nullptr;
  std::optional<RowParsers> parsers_;
  Record record_;
  std::vector<Name> names_;  // of the rows that are looked up together
  std::vector<std::vector<MeasuredPair>> found_;
  std::uint64_t read_ = 0;
  std::uint64_t measured_ = 0;
  std::uint64_t most_hits_ = 0;  // of a row so far
  PairCounts written_;
};

}  // namespace

std::optional<InputFile> streamed_items(const Options& options, const RunHooks& hooks) {
  // Names of all rows, and buckets of hashes, are there for a join only.
  if (!options.other_ids.empty() || options.method == "lsh" || !options.plan.empty()) {
    return std::nullopt;
  }
  if (!options.show.empty()) return std::nullopt;  // fields of DATA are read for a join only
  if (is_given(options, "on-bad-row") || is_given(options, "rejects")) return std::nullopt;
  return streamed_input(options, hooks);
}

RunReport query_items(const ItemQuery& query, const InputFile& input, ItemLookup& lookup) {
  return ItemStream(query, input, lookup).run();
}

}  // namespace sosie
