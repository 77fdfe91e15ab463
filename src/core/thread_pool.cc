// Thread pool whose workers run numbered tasks until all are done or the run is cancelled.
#include "core/thread_pool.h"

#include <algorithm>
#include <chrono>

#include "sosie/error.h"

#if defined(__linux__) && !defined(SOSIE_PORTABLE)
#include <sched.h>
#define SOSIE_HAS_AFFINITY
#endif

namespace sosie {

unsigned available_cores() noexcept {
#ifdef SOSIE_HAS_AFFINITY
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return std::max(1U, static_cast<unsigned>(CPU_COUNT(&set)));
  }
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(unsigned threads, const std::atomic<bool>* cancel) : cancel_(cancel) {
  for (unsigned worker = 1; worker < threads; ++worker) {
    threads_.emplace_back([this, worker] { work(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::check_cancelled() const {
  if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) {
    throw Error(ErrorKind::cancelled, "interrupted");
  }
}

void ThreadPool::for_each(std::size_t count,
                          const std::function<void(unsigned, std::size_t)>& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<unsigned>(threads_.size());
    ++generation_;
  }
  wake_.notify_all();
  drain(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

namespace {

// Lets indexes pass a point one at a time, in ascending order.
class Turns {
 public:
  // Calls step() once all lower indexes have passed. Returns false, without calling it, if a task
  // with a lower index has failed.
  bool pass(std::size_t index, const ThreadPool& pool, const std::function<void()>& step) {
    constexpr std::chrono::milliseconds kLookEvery(50);  // for an interrupt, which wakes nobody
    std::unique_lock lock(mutex_);
    const auto may_go_on = [&] { return next_ == index || failed_ < index; };
    while (!wake_.wait_for(lock, kLookEvery, may_go_on)) pool.check_cancelled();
    if (failed_ < index) return false;
    lock.unlock();
    step();
    lock.lock();
    ++next_;
    wake_.notify_all();
    return true;
  }

  // Prevents all indexes above this one from passing.
  void fail(std::size_t index) {
    const std::lock_guard lock(mutex_);
    failed_ = std::min(failed_, index);
    wake_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t next_ = 0;
  std::size_t failed_ = ~std::size_t{0};  // the least index whose task failed
};

}  // namespace

void ThreadPool::for_each_in_turn(std::size_t count, const Steps& steps) {
  Turns begins;
  Turns turns;
  Turns ends;
  const auto passes = [this](Turns& place, const Step& step, unsigned worker, std::size_t index) {
    return !step || place.pass(index, *this, [&] { step(worker, index); });
  };
  for_each(count, [&](unsigned worker, std::size_t index) {
    try {
      if (!passes(begins, steps.begin, worker, index)) return;
      if (steps.middle) steps.middle(worker, index);
      if (!passes(turns, steps.turn, worker, index)) return;
      if (steps.rest) steps.rest(worker, index);
      (void)passes(ends, steps.end, worker, index);
    } catch (...) {
      for (Turns* place : {&begins, &turns, &ends}) place->fail(index);
      throw;
    }
  });
}

void ThreadPool::work(unsigned worker) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
    }
    drain(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::drain(unsigned worker) {
  while (true) {
    const std::size_t index = next_.fetch_add(1);
    if (index >= count_) return;
    try {
      check_cancelled();
      (*task_)(worker, index);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || index < failed_index_) {
        failure_ = std::current_exception();
        failed_index_ = index;
      }
      next_ = count_;  // started indexes finish, no other starts
      return;
    }
  }
}

}  // namespace sosie
