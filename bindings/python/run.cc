// Runs a verb in a thread of its own, which Python may interrupt.
#include "run.h"

#include <nanobind/stl/string_view.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "python_files.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

// Messages from the working thread to the waiting one.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Progress> latest;
};

// Raises pending Python exceptions: from a signal, or from the callback.
void look_after(const nb::object& progress, const std::optional<Progress>& latest) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (latest && !progress.is_none()) progress(latest->stage, latest->done, latest->total);
}

}  // namespace

RunReport run_interruptibly(nb::object progress, RunHooks& hooks,
                            const std::function<RunReport(const RunHooks&)>& work) {
  constexpr std::chrono::milliseconds kLookEvery{50};
  Shared shared;
  std::atomic<bool> cancel{false};
  hooks.cancel = &cancel;
  hooks.table_files = &python_table_files();
  hooks.on_progress = [&shared](const Progress& now) {
    const std::lock_guard lock(shared.mutex);
    shared.latest = now;
  };
  RunReport report;
  std::exception_ptr failed;
  std::thread worker([&] {
    try {
      report = work(hooks);
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.done = true;
    shared.changed.notify_one();
  });
  std::exception_ptr raised;
  bool done = false;
  while (!done) {
    std::optional<Progress> latest;
    {
      const nb::gil_scoped_release unlocked;
      std::unique_lock lock(shared.mutex);
      shared.changed.wait_for(lock, kLookEvery, [&] { return shared.done; });
      done = shared.done;
      latest = std::exchange(shared.latest, std::nullopt);
    }
    if (raised != nullptr) continue;
    try {
      look_after(progress, latest);
    } catch (...) {
      raised = std::current_exception();
      cancel = true;
    }
  }
  worker.join();
  if (raised != nullptr) std::rethrow_exception(raised);
  if (failed != nullptr) std::rethrow_exception(failed);
  return report;
}

void run_briefly(const std::function<void(const RunHooks&)>& work) {
  const nb::gil_scoped_release unlocked;
  RunHooks hooks;
  hooks.table_files = &python_table_files();
  work(hooks);
}

}  // namespace sosie::python
