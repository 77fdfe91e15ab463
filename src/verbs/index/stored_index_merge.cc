// Merges runs of an open index, concurrently with look-ups and changes.
#include <chrono>

#include "verbs/index/stored_index_state.h"

#if defined(__linux__) && !defined(SOSIE_PORTABLE)
#include <sys/resource.h>
#include <unistd.h>
#define SOSIE_HAS_NICE_THREADS
#endif

namespace sosie {
namespace {

constexpr std::chrono::milliseconds kTurn{10};  // the longest time until a merge stops on request

// Gives look-ups and adds priority over this thread, if threads have priorities of their own.
void step_back() noexcept {
#ifdef SOSIE_HAS_NICE_THREADS
  constexpr int kMergeNice = 10;
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kMergeNice);
#endif
}

}  // namespace

void StoredIndexState::begin_merge() {
  const std::size_t runs = writer_->folder().runs().size();
  if (merge_ || runs == inspected_runs_) return;
  inspected_runs_ = runs;
  if (merging_.joinable()) merging_.join();  // it has nothing left to do
  try {
    merge_ = writer_->begin_merge();
    if (merge_) merging_ = std::thread([this] { merge_beside(); });
  } catch (const std::exception&) {  // no memory or no thread; the changes are durable
    merge_.reset();
  }
}

// A failed merge is retried once there are further runs; the index remains valid without it.
void StoredIndexState::merge_beside() {
  step_back();
  for (bool goes_on = true; goes_on;) {
    try {
      merge_->run(&merge_ends_);
    } catch (const std::exception&) {
      goes_on = false;
    }
    std::unique_lock alone(writing_, std::defer_lock);
    while (!alone.try_lock_for(kTurn)) {
      if (merge_ends_) return;
    }
    if (merge_ends_) return;
    try {
      if (goes_on) {
        take_merge();
        inspected_runs_ = writer_->folder().runs().size();
        merge_ = writer_->begin_merge();
      }
    } catch (const std::exception&) {
      goes_on = false;
    }
    if (!goes_on) merge_.reset();
    goes_on = merge_ != nullptr;
  }
}

void StoredIndexState::stop_merge() {
  merge_ends_ = true;
  if (merging_.joinable()) merging_.join();
  merge_ends_ = false;
  merge_.reset();
}

}  // namespace sosie
