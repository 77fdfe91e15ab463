#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "io/sorted_runs.h"

namespace sosie {

// A record's 64-bit sort key: its member `key`. Record types without this member provide an
// overload of this function.
template <class T>
[[nodiscard]] std::uint64_t sort_key(const T& record) noexcept {
  return record.key;
}

// Stable sort of `records` by the lowest `bytes` bytes of sort_key(), one byte at a time. `spare`
// must have the same size. Returns whichever of the two holds the result.
template <class T>
std::span<T> sort_by_bytes(std::span<T> records, std::span<T> spare, std::size_t bytes) {
  std::array<std::array<std::size_t, 256>, sizeof(std::uint64_t)> counts{};
  for (const T& record : records) {
    const std::uint64_t key = sort_key(record);
    for (std::size_t i = 0; i < bytes; ++i) ++counts[i][key >> (8 * i) & 255];
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    std::array<std::size_t, 256>& next = counts[i];
    if (std::find(next.begin(), next.end(), records.size()) != next.end()) continue;
    std::size_t sum = 0;
    for (std::size_t& start : next) sum += std::exchange(start, sum);
    for (const T& record : records) spare[next[sort_key(record) >> (8 * i) & 255]++] = record;
    std::swap(records, spare);
  }
  return records;
}

// Stable sort of `records` by sort_key(): a radix sort that takes O(n) for each byte in which keys
// differ. Lists larger than the caches are first split by the highest bits in which keys differ.
// `spare`: working memory of the same size.
template <class T>
void sort_by_key(std::vector<T>& records, std::vector<T>& spare) {
  constexpr std::size_t kCachedBytes = std::size_t{4} << 20;
  constexpr int kSplitBits = 8;
  spare.resize(records.size());
  const std::span<T> all(records);
  const std::span<T> other(spare);
  if (all.size_bytes() <= kCachedBytes) {
    const std::span<T> sorted = sort_by_bytes(all, other, sizeof(std::uint64_t));
    if (sorted.data() != all.data()) records.swap(spare);
    return;
  }
  std::uint64_t differ = 0;
  for (const T& record : all) differ |= sort_key(record) ^ sort_key(all.front());
  const int shift = std::max(0, static_cast<int>(std::bit_width(differ)) - kSplitBits);
  std::array<std::size_t, 257> begins{};
  for (const T& record : all) ++begins[(sort_key(record) >> shift & 255) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::array<std::size_t, 257> next = begins;
  for (const T& record : all) other[next[sort_key(record) >> shift & 255]++] = record;
  const std::size_t bytes = (static_cast<std::size_t>(shift) + 7) / 8;
  for (std::size_t part = 0; part < 256; ++part) {
    const std::size_t begin = begins[part];
    const std::size_t size = begins[part + 1] - begin;
    const std::span<T> home = all.subspan(begin, size);
    const std::span<T> sorted = sort_by_bytes(other.subspan(begin, size), home, bytes);
    if (sorted.data() != home.data()) std::copy(sorted.begin(), sorted.end(), home.begin());
  }
}

// Sorts any number of plain records by sort_key(); records with equal keys stay in the order in
// which they were added. When the records exceed the memory limit, they are written to scratch as
// sorted runs, which are merged when they are read. Not thread-safe.
template <class T>
class ExternalSort {
  using Runs = typename RunsOfType<T>::Runs;

 public:
  // `memory_bytes`: total limit while records are added and read.
  ExternalSort(Scratch& scratch, std::size_t memory_bytes)
      : scratch_(scratch),
        most_in_memory_(std::max<std::size_t>(memory_bytes / (2 * sizeof(T)), 1)),
        most_runs_(std::max<std::size_t>(memory_bytes / Runs::kReaderBytes, 2)) {}

  // Throws as RecordFile::append() does.
  void add(const T& record) {
    if (records_.size() == most_in_memory_) spill();
    if (records_.size() == records_.capacity()) {
      // Buffers that have been outgrown are too small to be reused, so there should be few of them.
      // Pages that are never written to take no memory.
      records_.reserve(std::min(most_in_memory_, 8 * records_.size() + 64));
    }
    records_.push_back(record);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return spilled_ + records_.size(); }
  // True while nothing has been written to scratch.
  [[nodiscard]] bool is_in_memory() const noexcept { return file_ == nullptr; }

  // Calls each(record) in order. May be called only once, after the last add().
  template <class Each>
  void drain(const Each& each) {
    if (!file_) {
      sort_by_key(records_, spare_);
      std::vector<T>().swap(spare_);
      for (const T& record : records_) each(record);
      std::vector<T>().swap(records_);
      return;
    }
    if (!records_.empty()) spill();
    std::vector<T>().swap(records_);
    std::vector<T>().swap(spare_);
    file_->finish();
    while (runs_.size() > most_runs_) merge_some();
    merge(runs_, each);
    file_.reset();
  }

 private:
  // The reading position in a run.
  struct Cursor {
    std::size_t order;  // rank of the run among the runs
    typename Runs::Reader reader;
    T record;

    // Returns false at the end.
    bool next() { return reader.next(record); }
    // Orders a heap so that the cursor with the smallest record is at the front.
    friend bool operator<(const Cursor& a, const Cursor& b) noexcept {
      const std::uint64_t left = sort_key(a.record);
      const std::uint64_t right = sort_key(b.record);
      return left != right ? left > right : a.order > b.order;
    }
  };

  void spill() {
    sort_by_key(records_, spare_);
    if (!file_) file_ = std::make_unique<Runs>(scratch_);
    file_->append(records_);
    runs_.push_back(file_->end_run());
    spilled_ += records_.size();
    records_.clear();
    std::vector<T>().swap(spare_);  // if many sorts are in use, only one at a time holds it
  }

  template <class Each>
  void merge(const std::vector<RunRange>& runs, const Each& each) {
    std::vector<std::unique_ptr<Cursor>> heap;
    const auto greater = [](const auto& a, const auto& b) { return *a < *b; };
    for (std::size_t i = 0; i < runs.size(); ++i) {
      heap.push_back(
          std::make_unique<Cursor>(Cursor{i, typename Runs::Reader(*file_, runs[i]), T{}}));
      if (!heap.back()->next()) heap.pop_back();
    }
    std::make_heap(heap.begin(), heap.end(), greater);
    while (!heap.empty()) {
      each(heap.front()->record);
      if (heap.front()->next()) {
        sift_down(heap);
        continue;
      }
      std::pop_heap(heap.begin(), heap.end(), greater);
      heap.pop_back();
    }
  }

  // Restores the heap after the record at its front has been replaced with a larger one.
  static void sift_down(std::vector<std::unique_ptr<Cursor>>& heap) {
    std::size_t at = 0;
    while (true) {
      std::size_t child = 2 * at + 1;
      if (child >= heap.size()) return;
      if (child + 1 < heap.size() && *heap[child] < *heap[child + 1]) ++child;
      if (!(*heap[at] < *heap[child])) return;
      heap[at].swap(heap[child]);
      at = child;
    }
  }

  // Merges runs into fewer and longer ones in another file.
  void merge_some() {
    auto longer = std::make_unique<Runs>(scratch_);
    std::vector<RunRange> merged;
    for (std::size_t begin = 0; begin < runs_.size(); begin += most_runs_) {
      const std::size_t end = std::min(runs_.size(), begin + most_runs_);
      merge({runs_.begin() + static_cast<std::ptrdiff_t>(begin),
             runs_.begin() + static_cast<std::ptrdiff_t>(end)},
            [&](const T& record) {
              longer->append({&record, 1});
            });
      merged.push_back(longer->end_run());
    }
    longer->finish();
    file_ = std::move(longer);
    runs_ = std::move(merged);
  }

  Scratch& scratch_;
  std::size_t most_in_memory_;
  std::size_t most_runs_;
  std::vector<T> records_;
  std::vector<T> spare_;
  std::vector<RunRange> runs_;
  std::unique_ptr<Runs> file_;  // null while everything is in memory
  std::uint64_t spilled_ = 0;
};

}  // namespace sosie
