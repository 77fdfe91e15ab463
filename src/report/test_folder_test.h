#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "io/output_file.h"

// Outputs that tests write and read back.
namespace sosie {

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A separate folder, deleted on destruction.
class TestFolder {
 public:
  TestFolder()
      : path_((std::filesystem::temp_directory_path() /
               ("sosie-report-test-" + std::to_string(::getpid())))
                  .string() +
              "/") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + name; }

 private:
  std::string path_;
};

// Content of a file that write(OutputFile&) fills.
template <class Write>
std::string written_by(const Write& write) {
  const TestFolder folder;
  const std::string path = folder / "out";
  OutputFile out(path);
  write(out);
  out.commit();
  return content_of(path);
}

}  // namespace sosie
