#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "sosie/join.h"

namespace sosie::python {

// Runs `work` without the interpreter's lock, in a thread of its own, while this one looks after
// signals (Ctrl-C ends the run with KeyboardInterrupt) and calls progress(stage, done, total), if
// it is not None. An exception of it ends the run and is raised.
RunReport run_interruptibly(nanobind::object progress, RunHooks& hooks,
                            const std::function<RunReport(const RunHooks&)>& work);

// Runs `work` without the interpreter's lock, in this thread: what takes moments, after which
// Ctrl-C comes soon enough. A thread would cost more than a look-up.
void run_briefly(const std::function<void(const RunHooks&)>& work);

}  // namespace sosie::python
