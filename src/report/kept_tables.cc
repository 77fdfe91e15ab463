// Copies kept rows of Parquet and Arrow files in batches.
#include "report/kept_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "corpus/open_files.h"
#include "data/owned_arrow.h"
#include "sosie/error.h"
#include "write/columnar_table.h"

namespace sosie {
namespace {

// The rows of a file in order, several at a time, with the decision on each row.
class RowsOfFile {
 public:
  RowsOfFile(const KeptSource& source, const KeepRow& keep, std::uint32_t file)
      : source_(source), keep_(keep), file_(file) {
    const auto& ranges = source.corpus.ranges;
    while (block_ < ranges.size() && ranges[block_].file < file) ++block_;
  }

  // Decides which of the next rows are kept, and calls each(row) for them.
  void next(std::vector<std::uint8_t>& keep, const std::function<void(RowNumber)>& each) {
    for (std::uint8_t& flag : keep) {
      while (at_ == rows_.size()) {
        if (!read_block()) fail();
      }
      flag = rows_[at_].stays ? 1 : 0;
      if (rows_[at_].stays) each(rows_[at_].row);
      ++at_;
    }
  }

  void expect_end() {
    while (at_ == rows_.size() && read_block()) {
    }
    if (at_ < rows_.size()) fail();
  }

 private:
  struct Row {
    RowNumber row;
    bool stays;
  };

  bool read_block() {
    const Corpus& corpus = source_.corpus;
    if (block_ == corpus.ranges.size() || corpus.ranges[block_].file != file_) return false;
    source_.pool.check_cancelled();
    rows_.clear();
    at_ = 0;
    corpus.for_each_row(block_, [&](RowNumber row, const RowLocator&, RowState state) {
      rows_.push_back({row, state != RowState::skipped && keep_(row)});
    });
    const BlockFacts& facts = corpus.facts[block_++];
    if (source_.hooks.on_progress && facts.rows > 0) {
      source_.hooks.on_progress(
          {"writing", std::uint64_t{facts.first_row} + facts.rows, corpus.rows});
    }
    return true;
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::io, source_.inputs.list[file_].name + ": changed while it was read");
  }

  const KeptSource& source_;
  const KeepRow& keep_;
  std::uint32_t file_;
  std::size_t block_ = 0;
  std::vector<Row> rows_;  // rows of the block before the current one
  std::size_t at_ = 0;
};

// The added fields, as columns.
class AddedColumns {
 public:
  explicit AddedColumns(const AddFields& fields) : fields_(fields), columns_(fields.names) {}

  // Determines the column types from an example row.
  void schema(ArrowSchema* out) {
    for (std::size_t i = 0; i < fields_.names.size(); ++i) columns_.add(i, fields_.examples[i]);
    columns_.schema(out);
    OwnedArrow<ArrowArray> examples;
    columns_.take(&examples.value);
  }

  void add(RowNumber row) {
    const std::vector<AddedField> fields = fields_.of(row);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].is_null) {
        columns_.add_null(i);
      } else {
        columns_.add(i, fields[i].value);
      }
    }
  }

  void take(ArrowArray* out) { columns_.take(out); }

 private:
  const AddFields& fields_;
  CellColumns columns_;
};

constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;
// A read takes about as long as copying this many bytes.
constexpr std::uint64_t kGapBytes = 4096;

}  // namespace

void write_kept_table(const KeptSource& source, const KeepRow& keep, const AddFields& fields,
                      std::uint32_t begin, std::uint32_t end, OutputFile& out) {
  const Inputs& inputs = source.inputs;
  if (begin == end) return;
  const InputFile& model = inputs.list[begin];
  const TableFiles& files = table_files(source.hooks, model.name);
  const bool adds = !fields.names.empty();
  AddedColumns added(fields);
  std::unique_ptr<TableFileWriter> writer;
  ColumnarOutput output(out, model.name);
  output.step([&] {
    OwnedArrow<ArrowSchema> schema;
    if (adds) added.schema(&schema.value);
    writer = files.write_like(model.format->name, model.path, adds ? &schema.value : nullptr,
                              output.sink());
  });
  for (std::uint32_t i = begin; i < end; ++i) {
    RowsOfFile rows(source, keep, i);
    ColumnarOutput step(out, inputs.list[i].name);
    step.step([&] {
      writer->copy(inputs.list[i].path, [&](std::uint64_t count, RowChoice& choice) {
        step.guard([&] {
          choice.keep.resize(count);
          rows.next(choice.keep, [&](RowNumber row) {
            if (adds) added.add(row);
          });
          if (adds) added.take(&choice.added);
        });
      });
    });
    rows.expect_end();
  }
  output.step([&] { writer->finish(); });
}

bool RowBatch::takes(const RowLocator& row) const noexcept {
  return empty() || (row.file == file_ && bytes_ + row.length <= kBatchBytes);
}

bool RowBatch::is_large() const noexcept { return bytes_ > kBatchBytes; }

void RowBatch::add(const RowLocator& row) {
  file_ = row.file;
  bytes_ += row.length;
  if (!pieces_.empty() && pieces_.back().end() == row.offset) {
    pieces_.back().length += row.length;
  } else {
    pieces_.push_back({row.offset, row.length});
  }
}

void RowBatch::clear() noexcept {
  pieces_.clear();
  bytes_ = 0;
}

void RowBatch::read(const File& file, std::string& out) const {
  // In files that are not regular, the bytes between two rows may not be readable.
  const bool joins_gaps = file.is_regular();
  std::size_t filled = 0;
  for (std::size_t first = 0; first < pieces_.size();) {
    const std::uint64_t begin = pieces_[first].offset;
    std::uint64_t end = pieces_[first].end();
    std::size_t next = first + 1;
    while (joins_gaps && next < pieces_.size() && pieces_[next].offset >= end &&
           pieces_[next].offset - end <= kGapBytes && pieces_[next].end() - begin <= kBatchBytes) {
      end = pieces_[next++].end();
    }
    const std::size_t from = filled;
    out.resize(std::max<std::size_t>(out.size(), from + (end - begin)));
    file.read_at(begin, out.data() + from, end - begin);
    for (; first < next; ++first) {
      std::memmove(out.data() + filled, out.data() + from + (pieces_[first].offset - begin),
                   pieces_[first].length);
      filled += pieces_[first].length;
    }
  }
  out.resize(filled);
}

}  // namespace sosie
