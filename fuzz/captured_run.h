#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/command.h"
#include "fuzz/input.h"

extern "C" __attribute__((weak)) void __sanitizer_set_report_fd(void* descriptor);

// Runs the program's whole command line inside this process.
namespace sosie::fuzz {

// Sends sanitizer reports to the current standard error, even if it is redirected later.
inline void keep_reports() {
  if (__sanitizer_set_report_fd == nullptr) return;
  const int reports = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the function wants the number as a pointer
  __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(reports)));
}

// Replaces the standard streams with files in memory.
class Streams {
 public:
  explicit Streams(std::string_view input) {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < kCount; ++i) {
      const int stream = static_cast<int>(i);
      before_.at(i) = ::fcntl(stream, F_DUPFD_CLOEXEC, 100);
      const int memory = ::memfd_create("stream", MFD_CLOEXEC);
      require(before_.at(i) >= 0 && memory >= 0);
      require(::dup2(memory, stream) == stream);
      ::close(memory);
    }
    while (!input.empty()) {
      const ssize_t wrote = ::write(STDIN_FILENO, input.data(), input.size());
      require(wrote > 0);
      input.remove_prefix(static_cast<std::size_t>(wrote));
    }
    ::lseek(STDIN_FILENO, 0, SEEK_SET);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    for (std::size_t i = 0; i < kCount; ++i) {
      ::dup2(before_.at(i), static_cast<int>(i));
      ::close(before_.at(i));
    }
  }

  static std::string written(int stream) {
    std::string bytes(static_cast<std::size_t>(::lseek(stream, 0, SEEK_END)), '\0');
    require(::pread(stream, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    return bytes;
  }

 private:
  static constexpr std::size_t kCount = 3;
  std::array<int, kCount> before_{};
};

struct Outcome {
  int code = 0;
  std::string result;    // standard output
  std::string messages;  // standard error
};

inline Outcome run_program(std::vector<std::string> arguments, std::string_view input,
                           const TableFiles* table_files) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  Outcome outcome;
  const Streams streams(input);
  outcome.code = cli::run_command(pointers, {.table_files = table_files});
  outcome.result = Streams::written(STDOUT_FILENO);
  outcome.messages = Streams::written(STDERR_FILENO);
  // A run handles these signals itself; between runs, they stop the fuzzer.
  for (const int number : {SIGINT, SIGTERM}) (void)std::signal(number, SIG_DFL);
  if (outcome.code > 128) std::_Exit(outcome.code);
  return outcome;
}

// A folder that is emptied for each run, and a folder for the run's temporary files, both inside a
// folder that is removed when the process ends.
class RunFolder {
 public:
  RunFolder() {
    keep_reports();
    std::string name = std::filesystem::temp_directory_path().string() + "/sosie-fuzz-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr);
    root_ = name;
    std::filesystem::create_directory(scratch());
    require(::setenv("TMPDIR", scratch().c_str(), 1) == 0);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder() {
    std::error_code none;
    std::filesystem::remove_all(root_, none);
  }

  // Creates the folder anew, and makes it the current folder for the lifetime of this object.
  class Inside {
   public:
    explicit Inside(const RunFolder& run) {
      const std::filesystem::path folder = run.root_ / "work";
      std::filesystem::remove_all(folder);
      std::filesystem::create_directory(folder);
      std::filesystem::current_path(folder);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() {
      std::error_code none;
      std::filesystem::current_path(before_, none);
    }

   private:
    std::filesystem::path before_ = std::filesystem::current_path();
  };

  [[nodiscard]] bool left_temporary_files() const { return !std::filesystem::is_empty(scratch()); }

 private:
  [[nodiscard]] std::filesystem::path scratch() const { return root_ / "scratch"; }

  std::filesystem::path root_;
};

inline std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

// Arrow's threads may close a file a moment after the run has ended.
inline bool descriptors_return_to(std::ptrdiff_t count) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    if (open_descriptors() <= count) return true;
    ::usleep(1000);
  }
  return false;
}

}  // namespace sosie::fuzz
