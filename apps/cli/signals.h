#pragma once

#include <atomic>

namespace sosie::cli {

// From now on SIGINT, SIGTERM, and SIGHUP unless it is ignored, ask the run to end; a closed pipe
// and a file larger than the shell allows are errors of the call that meets them.
void handle_signals();

// True once such a signal has arrived.
[[nodiscard]] const std::atomic<bool>& interrupted() noexcept;

// The exit code of a run stopped by a signal: 128 plus its number; 130 if none has arrived.
[[nodiscard]] int interrupted_exit_code() noexcept;

}  // namespace sosie::cli
