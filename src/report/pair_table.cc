#include "report/pair_table.h"

#include "corpus/row_names.h"

namespace sosie {
namespace {

// Collects pairs and writes them in batches, names looked up together.
class PairWriter {
 public:
  PairWriter(Run& run, TableWriter& out)
      : names_(run.inputs, run.corpus, run.settings.show, run.pool),
        measure_(*run.settings.measure),
        pool_(run.pool),
        out_(out) {}

  // `pairs`: all of a left row stand together.
  void add(std::span<const RowPair> pairs) {
    for (const RowPair& pair : pairs) {
      if (pair.left != last_left_) ++written_.lefts;
      last_left_ = pair.left;
      batch_.push_back(pair);
      if (batch_.size() == kBatch) flush();
    }
  }

  void flush() {
    pool_.check_cancelled();
    std::vector<RowId> lefts;
    std::vector<RowId> rights;
    for (const RowPair& pair : batch_) {
      lefts.push_back(pair.left);
      rights.push_back(pair.right);
    }
    const auto left = names_.look_up(lefts);
    const auto right = names_.look_up(rights);
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      cells = {IdText{left[i].id, left[i].id_is_integer},
               IdText{right[i].id, right[i].id_is_integer},
               Decimal{measure_.shown(batch_[i].overlap)}};
      for (std::size_t field = 0; field < left[i].shown.size(); ++field) {
        cells.emplace_back(left[i].shown[field]);
        cells.emplace_back(right[i].shown[field]);
      }
      out_.row(cells);
    }
    written_.pairs += batch_.size();
    batch_.clear();
  }

  [[nodiscard]] PairCounts written() const noexcept { return written_; }

 private:
  static constexpr std::size_t kBatch = 16384;

  RowNames names_;
  const Measure& measure_;
  ThreadPool& pool_;
  TableWriter& out_;
  std::vector<RowPair> batch_;
  RowId last_left_ = kNoRow;
  PairCounts written_;
};

}  // namespace

std::vector<std::string> pair_columns(const std::vector<std::string>& show,
                                      std::string_view value_name) {
  std::vector<std::string> columns = {"left", "right", std::string(value_name)};
  for (const std::string& field : show) {
    columns.push_back("left_" + field);
    columns.push_back("right_" + field);
  }
  return columns;
}

void for_each_wanted(const Run& run, const PairRows& pairs, PairOrder order,
                     const std::function<void(std::span<const RowPair>)>& each) {
  WantedPairs wanted = wanted_pairs(run.options);
  if (wanted.all()) wanted.limit = 0;  // it was checked when they were found
  const BoundFacts facts{run.options.measure, run.options.threshold, true};
  PairChooser<RowPair, MoreSimilar> chooser(
      wanted, order, MoreSimilar{run.settings.measure},
      {*run.scratch, MemoryBudget{run.settings.memory_bytes}.sorts()},
      [&](std::uint64_t count) { check_pair_limit(wanted, facts, count); }, each);
  pairs.for_each([&](std::span<const RowPair> some) {
    chooser.add(some);
    return true;
  });
  chooser.finish();
}

PairCounts write_pair_table(Run& run, const PairRows& pairs, PairOrder order, TableWriter& out) {
  PairWriter writer(run, out);
  for_each_wanted(run, pairs, order, [&](std::span<const RowPair> some) { writer.add(some); });
  writer.flush();
  return writer.written();
}

}  // namespace sosie
