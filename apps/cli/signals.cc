// Signals that stop a run: a flag that the run checks, and the exit code that shells expect.
#include "signals.h"

#include <csignal>

namespace sosie::cli {
namespace {

constexpr int kSignalBase = 128;

std::atomic<bool> has_come{false};
std::atomic<int> number_of_first{SIGINT};

void on_signal(int number) {
  if (!has_come) number_of_first = number;
  has_come = true;
}

}  // namespace

// Without SA_RESTART, so that a run waiting for a pipe notices the signal.
void handle_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction inherited {};  // nohup has the program ignore it
  ::sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);
}

const std::atomic<bool>& interrupted() noexcept { return has_come; }

int interrupted_exit_code() noexcept { return kSignalBase + number_of_first; }

}  // namespace sosie::cli
