#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "sosie/error.h"
#include "sosie/join.h"

namespace sosie::fuzz {

inline constexpr int kSmallRows = 24;

// A separate folder for this process, with the rows from which the seeds were made in `in.jsonl`:
// every second row is the previous one, shifted by one word.
class SmallRun {
 public:
  // Makes the folder the current one for the lifetime of this object.
  class Inside {
   public:
    explicit Inside(const std::string& folder)
        : before_(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
      require(before_ >= 0 && ::chdir(folder.c_str()) == 0);
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() {
      require(::fchdir(before_) == 0);
      ::close(before_);
    }

   private:
    int before_;
  };

  SmallRun() {
    std::string name = std::filesystem::temp_directory_path().string() + "/sosie-fuzz-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    const Inside inside(folder_);
    std::string rows;
    for (int row = 0; row < kSmallRows; ++row) {
      std::string text;
      for (int word = 0; word < 30; ++word) {
        text += fmt::format("{}w{}", word == 0 ? "" : " ", (row / 2 * 5 + word + row % 2) % 97);
      }
      rows += fmt::format("{{\"id\": \"r{}\", \"text\": \"{}\"}}\n", row, text);
    }
    write("in.jsonl", rows);
  }
  SmallRun(const SmallRun&) = delete;
  SmallRun& operator=(const SmallRun&) = delete;
  ~SmallRun() {
    std::fprintf(stderr, "%zu of %zu runs took what they were given\n", taken(), tried());
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  static void write(const std::string& name, std::string_view bytes) {
    std::ofstream file(name, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    require(file.good());
  }
  static std::string read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // A single thread, little memory, and no rows written.
  static Options options() {
    Options options;
    set_option(options, "threads", "1");
    set_option(options, "memory", "64M");
    options.dry_run = true;
    options.quiet = true;
    return options;
  }

  // Runs `work`, which may fail, but only with an Error of the library. Returns false if it failed.
  template <class Work>
  static bool runs(const Work& work) {
    ++tried();
    try {
      work();
      ++taken();
      return true;
    } catch (const Error& error) {
      require(error.kind() != ErrorKind::cancelled);
      return false;
    }
  }

 private:
  // Counts that show how far a target's inputs get.
  static std::size_t& tried() {
    static std::size_t count = 0;
    return count;
  }
  static std::size_t& taken() {
    static std::size_t count = 0;
    return count;
  }

  std::string folder_;
};

}  // namespace sosie::fuzz
