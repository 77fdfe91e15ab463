// Writes to the standard streams so that neither a slow nor a failing reader harms the run.
#include "streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>
#include <system_error>

#include "fold_lines.h"
#include "signals.h"
#include "sosie/error.h"

namespace sosie::cli {
namespace {

constexpr int kLookEveryMs = 100;

// True if the descriptor accepts PIPE_BUF bytes without blocking or fails immediately. False after
// a signal if neither is the case at that moment.
bool is_ready(int descriptor) noexcept {
  while (true) {
    struct pollfd waiting = {descriptor, POLLOUT, 0};
    const bool ends = interrupted();
    if (::poll(&waiting, 1, ends ? 0 : kLookEveryMs) > 0) return true;
    if (ends) return false;
  }
}

enum class Outcome { written, failed, interrupted };

// errno contains the reason for a failure.
Outcome write_all(int descriptor, std::string_view rest) noexcept {
  while (!rest.empty()) {
    if (!is_ready(descriptor)) return Outcome::interrupted;
    const ssize_t wrote =
        ::write(descriptor, rest.data(), std::min<std::size_t>(rest.size(), PIPE_BUF));
    if (wrote >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (errno != EINTR && errno != EAGAIN) {
      return Outcome::failed;
    }
  }
  return Outcome::written;
}

}  // namespace

void reserve_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. A stream opened for writing cannot be read, and vice
    // versa.
    (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void write_message(std::string_view text) noexcept { (void)write_all(STDERR_FILENO, text); }

void write_lines(std::string_view text) {
  write_message(fold_lines(text, columns_of_terminal(STDERR_FILENO)));
}

void write_result_lines(std::string_view text) {
  write_result(fold_lines(text, columns_of_terminal(STDOUT_FILENO)));
}

void write_result(std::string_view text) {
  switch (write_all(STDOUT_FILENO, text)) {
    case Outcome::written:
      return;
    case Outcome::interrupted:
      throw Error(ErrorKind::cancelled, "interrupted");
    case Outcome::failed:
      break;
  }
  if (errno == EPIPE) throw ClosedOutput{};
  throw Error(ErrorKind::io, "<stdout>: " + std::generic_category().message(errno));
}

}  // namespace sosie::cli
