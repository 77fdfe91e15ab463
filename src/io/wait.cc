// Waits for a descriptor while a flag may cancel the run.
#include "io/wait.h"

#include "sosie/error.h"

namespace sosie {

void throw_if_cancelled(const std::atomic<bool>* cancel) {
  if (cancel != nullptr && cancel->load()) throw Error(ErrorKind::cancelled, "interrupted");
}

void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel) {
  constexpr int kLookEveryMs = 100;
  struct pollfd waiting = {descriptor, events, 0};
  do {
    throw_if_cancelled(cancel);
    waiting.revents = 0;
  } while (::poll(&waiting, 1, kLookEveryMs) <= 0);
}

}  // namespace sosie
