#include "read/input_list.h"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "io/file.h"
#include "read/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

std::string known_extensions() {
  std::string names;
  for (const Format& format : formats()) {
    for (const std::string_view extension : format.extensions) {
      if (extension.empty()) continue;
      if (!names.empty()) names += ' ';
      names += extension;
    }
  }
  return names;
}

const Format* forced_format(std::string_view name) {
  if (name.empty()) return nullptr;
  if (const Format* format = format_by_name(name)) return format;
  std::string known;
  for (const Format& format : formats()) {
    known += known.empty() ? "" : ", ";
    known += format.name;
  }
  throw Error(ErrorKind::invalid_option, "--format: unknown format '" + std::string(name) + "'",
              "known formats: " + known);
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> expand_pattern(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status != 0 || paths.empty()) {
    throw Error(ErrorKind::io, pattern + ": no file matches");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Expander {
 public:
  explicit Expander(const Format* forced) : forced_(forced) {}

  void add(const std::string& input) {
    if (input == "-") {
      add_file({"-", "<stdin>", "<stdin>", forced_ ? forced_ : format_by_name("jsonl"), "", "-"});
      return;
    }
    std::error_code error;
    if (!fs::exists(input, error) && is_pattern(input)) {
      for (const std::string& path : expand_pattern(input)) add_path(path);
    } else {
      add_path(input);
    }
  }

  InputList take() { return std::move(list_); }

 private:
  void add_path(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      add_folder(path);
      return;
    }
    if (!fs::exists(path, error)) {
      const std::string why = error ? error.message() : system_message(ENOENT);
      throw Error(ErrorKind::io, path + ": " + why);
    }
    const Format* format = forced_ ? forced_ : format_by_extension(path);
    if (format == nullptr) {
      throw Error(ErrorKind::unsupported, path + ": cannot tell the format from the name",
                  "known extensions: " + known_extensions() + "; or say --format NAME");
    }
    add_file({path, path, path, format, fs::path(path).filename().string(), path});
  }

  void add_folder(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
      if (error) break;
      if (at->is_regular_file(error)) paths.push_back(at->path().string());
    }
    if (error) throw Error(ErrorKind::io, folder + ": " + error.message());
    std::sort(paths.begin(), paths.end());
    const bool any = std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
      return format_by_extension(path) != nullptr;
    });
    const Format* documents = format_by_name("files");
    for (const std::string& path : paths) {
      const std::string relative = below(folder, path);
      if (!any || forced_ == documents) {
        add_file({path, path, folder, forced_ ? forced_ : documents, relative, relative});
      } else if (const Format* format = format_by_extension(path)) {
        add_file({path, path, folder, forced_ ? forced_ : format, relative, relative});
      } else {
        list_.passed_over.push_back(path);
      }
    }
    if (paths.empty()) throw Error(ErrorKind::io, folder + ": the folder holds no files");
  }

  // The path of a file in the folder, without the folder.
  static std::string below(const std::string& folder, const std::string& path) {
    const std::size_t start = path.find_first_not_of('/', folder.size());
    return path.substr(std::min(start, path.size()));
  }

  void add_file(InputFile file) { list_.files.push_back(std::move(file)); }

  const Format* forced_;
  InputList list_;
};

}  // namespace

InputList list_inputs(const std::vector<std::string>& inputs, std::string_view format_name) {
  Expander expander(forced_format(format_name));
  for (const std::string& input : inputs) expander.add(input);
  return expander.take();
}

std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                        const std::atomic<bool>* cancel) {
  std::optional<File> file;
  if (list != "-") descriptor = file.emplace(list).descriptor();
  const std::string text = read_to_end(descriptor, list, ~std::uint64_t{0}, cancel);
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string path = text.substr(at, end - at);
    if (path.ends_with('\r')) path.pop_back();
    if (!path.empty()) paths.push_back(std::move(path));
    at = end + 1;
  }
  return paths;
}

}  // namespace sosie
