#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "io/external_sort.h"
#include "io/record_file.h"

namespace sosie {

// Accepts plain records in any number and order from several threads, and returns them in the order
// of sort_key() as often as requested. Records beyond the memory limit go to scratch. They are
// sorted in chunks, outside the lock, and merged when they are read. Records with equal keys stay
// in the order in which they were added if only one thread adds records.
// `prune`, if set, receives records sorted by key and may remove records that no reader will need,
// so that they take neither memory nor scratch. It receives each record at least once, but never
// all at the same time.
template <class T>
class SortedRecords {
 public:
  using Prune = std::function<void(std::vector<T>& sorted)>;

  // `memory_bytes`: total limit while records are added and read.
  SortedRecords(Scratch& scratch, std::uint64_t memory_bytes, Prune prune = {})
      : scratch_(scratch),
        prune_(std::move(prune)),
        memory_bytes_(memory_bytes),
        most_in_chunk_(std::clamp<std::uint64_t>(memory_bytes / 16, kLeastChunk, kMostChunk) /
                       sizeof(T)),
        most_runs_(std::max<std::uint64_t>(memory_bytes / 2 / kLargePage, 2)) {}

  // Throws as RecordFile::append() does.
  void add(std::span<const T> records) {
    std::unique_lock lock(mutex_);
    while (!records.empty()) {
      const std::size_t fits = std::min(records.size(), most_in_chunk_ - chunk_.size());
      chunk_.insert(chunk_.end(), records.begin(),
                    records.begin() + static_cast<std::ptrdiff_t>(fits));
      records = records.subspan(fits);
      if (chunk_.size() == most_in_chunk_) close_chunk(lock);
    }
  }

  // Must be called after the last add() and before the first for_each().
  void finish() {
    std::unique_lock lock(mutex_);
    if (!chunk_.empty()) close_chunk(lock);
    std::vector<T>().swap(chunk_);
    if (file_) file_->finish();
    while (file_runs_.size() > most_runs_) merge_some();
  }

  // Calls each(record) in order until it returns false. Not thread-safe.
  template <class Each>
  void for_each(const Each& each) const {
    Merger merger;
    for (const FileRun& run : file_runs_) merger.add(*file_, run);
    for (const std::vector<T>& run : runs_) merger.add(run);
    merger.run(each);
  }

 private:
  static constexpr std::uint64_t kLeastChunk = 16 * sizeof(T);
  static constexpr std::uint64_t kMostChunk = std::uint64_t{8} << 20;

  struct FileRun {
    std::uint64_t begin;
    std::uint64_t end;
  };

  // Merges runs while they are read. Of records with equal keys, those from earlier runs come
  // first.
  class Merger {
   public:
    void add(const std::vector<T>& run) {
      if (run.empty()) return;
      sources_.push_back({run.data(), run.data() + run.size(), nullptr, {}, {}});
    }
    void add(const RecordFile& file, const FileRun& run) {
      sources_.push_back({nullptr, nullptr, &file, run, {}});
      sources_.back().refill();
    }

    template <class Each>
    void run(const Each& each) {
      for (std::size_t i = 0; i < sources_.size(); ++i) heap_.push_back({key_of(i), i});
      std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
      while (!heap_.empty()) {
        if (!drain_front(each)) return;
        sift_down();
      }
    }

   private:
    // A run, starting at its reading position. Of a run in a file, only one page at a time is in
    // memory.
    struct Source {
      const T* at;
      const T* end;
      const RecordFile* file;
      FileRun left;  // not yet in memory
      std::vector<T> page;

      // Returns false at the end of the run.
      bool refill() {
        if (file == nullptr || left.begin == left.end) return false;
        const std::uint64_t of_page = file->records_of_page();
        page.resize(of_page);
        const std::uint64_t number = left.begin / of_page;
        const std::uint64_t first = left.begin % of_page;
        file->read_page(number, page.data());
        const std::uint64_t past = std::min(of_page, left.end - number * of_page);
        at = page.data() + first;
        end = page.data() + past;
        left.begin += past - first;
        return true;
      }
    };
    using Entry = std::pair<std::uint64_t, std::size_t>;  // key, number of the source

    [[nodiscard]] std::uint64_t key_of(std::size_t source) const {
      return sort_key(*sources_[source].at);
    }

    // Passes on all records at the front that precede the records of every other run, and leaves
    // the key of the next record there.
    template <class Each>
    bool drain_front(const Each& each) {
      Entry& front = heap_.front();
      Source& source = sources_[front.second];
      const Entry* const least = least_child(0);
      do {
        if (!each(*source.at)) return false;
        ++source.at;
        if (source.at == source.end && !source.refill()) {
          front = heap_.back();
          heap_.pop_back();
          return true;
        }
        front.first = sort_key(*source.at);
      } while (least == nullptr || front < *least);
      return true;
    }

    [[nodiscard]] const Entry* least_child(std::size_t at) const {
      const std::size_t child = 2 * at + 1;
      if (child >= heap_.size()) return nullptr;
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) return &heap_[child + 1];
      return &heap_[child];
    }

    void sift_down() {
      std::size_t at = 0;
      while (const Entry* child = least_child(at)) {
        const auto number = static_cast<std::size_t>(child - heap_.data());
        if (!(heap_[number] < heap_[at])) return;
        std::swap(heap_[number], heap_[at]);
        at = number;
      }
    }

    std::vector<Source> sources_;
    std::vector<Entry> heap_;
  };

  // Sorts the chunk that has been filled, while other threads fill the next one.
  void close_chunk(std::unique_lock<std::mutex>& lock) {
    std::vector<T> run = std::exchange(chunk_, {});
    const std::uint64_t bytes = 2 * run.size() * sizeof(T);
    held_bytes_ += bytes;
    lock.unlock();
    {
      std::vector<T> spare;
      sort_by_key(run, spare);
    }
    if (prune_) {
      prune_(run);
      run.shrink_to_fit();
    }
    lock.lock();
    held_bytes_ -= bytes;
    hold(std::move(run));
  }

  void hold(std::vector<T> run) {
    held_bytes_ += run.size() * sizeof(T);
    runs_.push_back(std::move(run));
    const std::uint64_t open = 2 * most_in_chunk_ * sizeof(T);
    if (!prune_) {
      if (held_bytes_ + open > memory_bytes_) spill_runs();
      return;
    }
    // From all runs together, more records can be removed than from each alone. The copy must fit
    // in memory.
    if (2 * held_bytes_ + open > memory_bytes_) prune_runs();
  }

  void spill_runs() {
    if (!file_) file_ = std::make_unique<RecordFile>(scratch_, sizeof(T), kLargePage);
    const std::uint64_t first = file_->size();
    merge_runs([&](const T& record) {
      file_->append(&record, 1);
      return true;
    });
    file_runs_.push_back({first, file_->size()});
  }

  void prune_runs() {
    std::vector<T> all;
    all.reserve(held_records());
    merge_runs([&](const T& record) {
      all.push_back(record);
      return true;
    });
    prune_(all);
    all.shrink_to_fit();
    held_bytes_ += all.size() * sizeof(T);
    runs_.push_back(std::move(all));
    if (8 * runs_.front().size() * sizeof(T) > memory_bytes_) spill_runs();
  }

  [[nodiscard]] std::size_t held_records() const {
    std::size_t count = 0;
    for (const std::vector<T>& run : runs_) count += run.size();
    return count;
  }

  // Empties the runs in memory.
  template <class Each>
  void merge_runs(const Each& each) {
    Merger merger;
    for (const std::vector<T>& run : runs_) {
      merger.add(run);
      held_bytes_ -= run.size() * sizeof(T);
    }
    merger.run(each);
    runs_.clear();
  }

  // Merges the runs into fewer, longer runs in another file.
  void merge_some() {
    auto longer = std::make_unique<RecordFile>(scratch_, sizeof(T), kLargePage);
    std::vector<FileRun> merged;
    for (std::size_t begin = 0; begin < file_runs_.size(); begin += most_runs_) {
      const std::size_t end = std::min<std::size_t>(file_runs_.size(), begin + most_runs_);
      const std::uint64_t first = longer->size();
      Merger merger;
      for (std::size_t i = begin; i < end; ++i) merger.add(*file_, file_runs_[i]);
      merger.run([&](const T& record) {
        longer->append(&record, 1);
        return true;
      });
      merged.push_back({first, longer->size()});
    }
    longer->finish();
    file_ = std::move(longer);
    file_runs_ = std::move(merged);
  }

  Scratch& scratch_;
  Prune prune_;
  std::uint64_t memory_bytes_;
  std::size_t most_in_chunk_;
  std::uint64_t most_runs_;
  std::mutex mutex_;
  std::vector<T> chunk_;              // open
  std::vector<std::vector<T>> runs_;  // sorted, in memory; after the runs in the file
  std::uint64_t held_bytes_ = 0;      // bytes of runs and of chunks that are being sorted
  std::unique_ptr<RecordFile> file_;  // none while all are in memory
  std::vector<FileRun> file_runs_;
};

}  // namespace sosie
