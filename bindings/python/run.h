#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "sosie/join.h"

namespace sosie::python {

// Runs `work` without the interpreter's lock, in a thread of its own, while the calling thread
// handles signals (Ctrl-C stops the run with KeyboardInterrupt) and calls progress(stage, done,
// total), if it is not None. An exception from this callback stops the run and is raised.
RunReport run_interruptibly(nanobind::object progress, RunHooks& hooks,
                            const std::function<RunReport(const RunHooks&)>& work);

// Runs `work` in this thread, without the interpreter's lock, if it takes only moments, so that
// Ctrl-C need not interrupt it. A thread would cost more than a look-up.
void run_briefly(const std::function<void(const RunHooks&)>& work);

}  // namespace sosie::python
