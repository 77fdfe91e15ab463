#pragma once

#include <poll.h>

#include <atomic>

namespace sosie {

// Throws Error{cancelled} when *cancel is true; cancel may be null.
void throw_if_cancelled(const std::atomic<bool>* cancel);

// Waits until the descriptor can be read (POLLIN) or written (POLLOUT) without waiting, looking at
// *cancel ten times a second. Regular files are always ready.
void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel);

}  // namespace sosie
