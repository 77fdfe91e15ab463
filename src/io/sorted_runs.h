#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/record_file.h"

namespace sosie {

// A range in a file of runs, in the units of that file.
struct RunRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Sorted runs of plain records in scratch, stored without compression. One thread writes them; then
// many may read.
template <class T>
class PlainRuns {
 public:
  explicit PlainRuns(Scratch& scratch) : file_(scratch, sizeof(T), kLargePage) {}

  // Memory that each reader uses.
  static constexpr std::size_t kReaderBytes = kLargePage;

  // Appends records to the current run. Throws as RecordFile::append() does.
  void append(std::span<const T> records) { file_.append(records.data(), records.size()); }
  // Ends the current run and begins the next one.
  [[nodiscard]] RunRange end_run() {
    const RunRange run{begin_, file_.size()};
    begin_ = file_.size();
    return run;
  }
  void finish() { file_.finish(); }

  class Reader {
   public:
    Reader(const PlainRuns& runs, RunRange run)
        : at_(run.begin), end_(run.end), column_(runs.file_) {}

    // Returns false at the end.
    bool next(T& record) {
      if (at_ == end_) return false;
      record = column_[at_++];
      return true;
    }

   private:
    std::uint64_t at_;
    std::uint64_t end_;
    ColumnReader<T> column_;
  };

 private:
  RecordFile file_;
  std::uint64_t begin_ = 0;
};

// The record type of most sorts: a row number with a key.
struct KeyedRow {
  std::uint64_t key;
  std::uint64_t row;
};

// Sorted runs of keyed rows in scratch, stored compactly in blocks: keys as differences and rows as
// offsets from the lowest row in the block, each with as many bits as the largest one needs. Takes
// a third of the bytes if keys are 40-bit hashes.
class PackedRuns {
 public:
  explicit PackedRuns(Scratch& scratch);

  static constexpr std::size_t kBlockRows = 1024;
  static constexpr std::size_t kReaderBytes = kLargePage + 2 * kBlockRows * sizeof(KeyedRow);

  void append(std::span<const KeyedRow> rows);
  [[nodiscard]] RunRange end_run();
  void finish() { file_.finish(); }

  class Reader {
   public:
    Reader(const PackedRuns& runs, RunRange run);

    bool next(KeyedRow& row) {
      if (next_ == rows_.size() && !read_block()) return false;
      row = rows_[next_++];
      return true;
    }

   private:
    [[nodiscard]] bool read_block();

    std::uint64_t at_;
    std::uint64_t end_;
    ColumnReader<char> bytes_;
    std::vector<char> block_;
    std::vector<KeyedRow> rows_;
    std::size_t next_ = 0;
  };

 private:
  void write_block();

  RecordFile file_;  // bytes
  std::uint64_t begin_ = 0;
  std::vector<KeyedRow> block_;
  std::vector<char> packed_;
};

// Selects the form in which records of a type are written to scratch.
template <class T>
struct RunsOfType {
  using Runs = PlainRuns<T>;
};
template <>
struct RunsOfType<KeyedRow> {
  using Runs = PackedRuns;
};

}  // namespace sosie
