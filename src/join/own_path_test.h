#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace sosie {

// A unique path for a file, at which no file exists at first and none remains in the end.
struct OwnPath {
  explicit OwnPath(std::string_view name)
      : path((std::filesystem::temp_directory_path() /
              ("sosie-" + std::string(name) + "-test." + std::to_string(::getpid()) + "." +
               std::to_string(made++)))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~OwnPath() { std::filesystem::remove(path); }
  OwnPath(const OwnPath&) = delete;
  OwnPath& operator=(const OwnPath&) = delete;

  static inline int made = 0;
  std::string path;
};

}  // namespace sosie
