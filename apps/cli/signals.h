#pragma once

#include <atomic>

namespace sosie::cli {

// From now on, SIGINT, SIGTERM and, unless it is ignored, SIGHUP request the run to stop; a closed
// pipe, or a file larger than the shell allows, becomes an error of the call that encounters it.
void handle_signals();

// True once such a signal has arrived.
[[nodiscard]] const std::atomic<bool>& interrupted() noexcept;

// The exit code of a run stopped by a signal: 128 plus its number; 130 if none has arrived.
[[nodiscard]] int interrupted_exit_code() noexcept;

}  // namespace sosie::cli
