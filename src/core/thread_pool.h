#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace sosie {

// Number of cores on which this process may run, according to its affinity; at least 1.
[[nodiscard]] unsigned available_cores() noexcept;

// A fixed set of workers that process index ranges together. The caller is worker 0. Results must
// not depend on which worker gets which index, so each index writes to its own place.
class ThreadPool {
 public:
  ThreadPool(unsigned threads, const std::atomic<bool>* cancel);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] unsigned size() const noexcept {
    return static_cast<unsigned>(threads_.size()) + 1;
  }

  // Throws Error{cancelled} if the caller of the run has asked to stop.
  void check_cancelled() const;

  // Calls task(worker, index) once for each index below `count`; the calls start in ascending
  // order. If tasks throw, no further index is started, and the exception of the lowest index is
  // rethrown. As indexes start in order, it is the first exception in input order.
  void for_each(std::size_t count, const std::function<void(unsigned, std::size_t)>& task);

  using Step = std::function<void(unsigned worker, std::size_t index)>;
  // The steps for an index, in this order. `begin`, `turn` and `end` run for only one index at a
  // time, in ascending order; the other steps run concurrently. Any step may be empty.
  struct Steps {
    Step begin = {};
    Step middle = {};
    Step turn = {};
    Step rest = {};
    Step end = {};
  };

  // Runs the steps for each index below `count`; all steps for an index run in the same worker.
  // Exceptions are handled as in for_each().
  void for_each_in_turn(std::size_t count, const Steps& steps);

 private:
  void work(unsigned worker);
  void drain(unsigned worker);

  const std::atomic<bool>* cancel_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::uint64_t generation_ = 0;
  unsigned busy_ = 0;
  bool stopping_ = false;
  const std::function<void(unsigned, std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t failed_index_ = 0;
  std::exception_ptr failure_;
};

// Admits either many readers or one writer. A waiting writer goes before readers that arrive later,
// so that neither side waits long for the other.
class ReadWriteLock {
 public:
  [[nodiscard]] std::shared_lock<std::shared_mutex> reading() {
    const std::lock_guard turn(turn_);
    return std::shared_lock(state_);
  }
  [[nodiscard]] std::unique_lock<std::shared_mutex> writing() {
    const std::lock_guard turn(turn_);
    return std::unique_lock(state_);
  }

 private:
  std::mutex turn_;
  std::shared_mutex state_;
};

}  // namespace sosie
