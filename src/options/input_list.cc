// Lists the files that paths, folders and patterns name, each with its format.
#include "options/input_list.h"

#include <glob.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <optional>
#include <system_error>

#include "io/file.h"
#include "io/output_list.h"
#include "options/formats.h"
#include "options/index_items.h"
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
  throw Error(ErrorKind::invalid_option, RefusedOption{"format"},
              "unknown format '" + std::string(name) + "'", "known formats: " + known);
}

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> expand_pattern(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status != 0 || paths.empty()) {
    throw Error(ErrorKind::io, BadPlace{pattern}, "no file matches");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// "https" of "https://host/x.jsonl"; empty: no address.
std::string_view scheme_of(std::string_view input) {
  const std::string_view scheme = input.substr(0, input.find("://"));
  const bool is_one = scheme.size() < input.size() && !scheme.empty() &&
                      std::all_of(scheme.begin(), scheme.end(), [](unsigned char c) {
                        return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
                      });
  return is_one ? scheme : std::string_view{};
}

[[noreturn]] void refuse_address(const std::string& input, std::string_view scheme) {
  if (scheme == "file") {
    throw Error(ErrorKind::unsupported, BadPlace{input}, "is an address, not a path",
                "name the path: " + input.substr(std::string_view("file://").size()));
  }
  throw Error(ErrorKind::unsupported, BadPlace{input},
              "inputs are not read over the network (" + std::string(scheme) + "://)",
              "download the file first and name its path");
}

// True if a link leads to a folder that it lies in.
bool leads_back(const fs::path& link) {
  std::error_code error;
  const std::string target = fs::canonical(link, error).string() + "/";
  if (error) return true;
  const std::string place = fs::canonical(link.parent_path(), error).string() + "/";
  return error || place.starts_with(target);
}

class Expander {
 public:
  explicit Expander(const InputRules& rules)
      : rules_(rules), forced_(in_dialect(forced_format(rules.format))) {}

  void add(const std::string& input) {
    if (rules_.memory_files != nullptr) {
      if (auto file = input_in_memory(input, *rules_.memory_files)) return add_file(*file);
    }
    if (input == "-") {
      add_file({"-", "<stdin>", "<stdin>", forced_ ? forced_ : format_by_name("jsonl"), "", "-"});
      return;
    }
    std::error_code error;
    if (const auto scheme = scheme_of(input); !scheme.empty() && !fs::exists(input, error)) {
      refuse_address(input, scheme);
    }
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
      throw Error(ErrorKind::io, BadPlace{path}, why);
    }
    const Format* format = format_of(path);
    if (format == nullptr) {
      throw Error(ErrorKind::unsupported, BadPlace{path}, "cannot tell the format from the name",
                  "known extensions: " + known_extensions() + "; or say --format NAME");
    }
    add_file({path, path, path, format, fs::path(path).filename().string(), path});
  }

  void add_folder(const std::string& folder) {
    const std::size_t known_links = list_.links.size();
    std::vector<std::string> paths = files_below(folder);
    std::sort(paths.begin(), paths.end());
    std::sort(list_.links.begin() + static_cast<std::ptrdiff_t>(known_links), list_.links.end());
    const bool any = std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
      return format_by_extension(path) != nullptr;
    });
    const Format* documents = format_by_name("files");
    for (const std::string& path : paths) {
      const std::string relative = below(folder, path);
      if (!any || forced_ == documents) {
        add_file({path, path, folder, forced_ ? forced_ : documents, relative, relative});
      } else if (format_by_extension(path) != nullptr) {
        add_file({path, path, folder, format_of(path), relative, relative});
      } else {
        list_.passed_over.push_back(path);
      }
    }
    if (!paths.empty()) return;
    const std::size_t links = list_.links.size() - known_links;
    throw Error(ErrorKind::io, BadPlace{folder},
                "the folder holds no files" +
                    (links == 0 ? "" : " but " + std::to_string(links) + " symbolic links"),
                links == 0 ? "" : "--follow reads what they lead to");
  }

  // Regular files at any depth. Symbolic links that are not followed go to list_.links.
  std::vector<std::string> files_below(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    const auto how = rules_.follows_links ? fs::directory_options::follow_directory_symlink
                                          : fs::directory_options::none;
    for (fs::recursive_directory_iterator at(folder, how, error), end; at != end;
         at.increment(error)) {
      if (error) break;
      std::error_code ignored;  // a file that is gone by now, or a link that leads nowhere
      if (at->is_symlink(ignored) && (!rules_.follows_links || leads_back(at->path()))) {
        list_.links.push_back(at->path().string());
        at.disable_recursion_pending();
      } else if (at->is_regular_file(ignored) && at->path().filename() != kOutputListName) {
        paths.push_back(at->path().string());
      }
    }
    if (error) throw Error(ErrorKind::io, BadPlace{folder}, error.message());
    return paths;
  }

  [[nodiscard]] const Format* format_of(const std::string& path) const {
    return forced_ != nullptr ? forced_ : in_dialect(format_by_extension(path));
  }

  [[nodiscard]] const Format* in_dialect(const Format* format) const {
    if (format == nullptr) return nullptr;
    return &dialect_of(*format, rules_.delimiter, rules_.has_header);
  }

  // The path of a file in the folder, without the folder.
  static std::string below(const std::string& folder, const std::string& path) {
    const std::size_t start = path.find_first_not_of('/', folder.size());
    return path.substr(std::min(start, path.size()));
  }

  void add_file(InputFile file) { list_.files.push_back(std::move(file)); }

  const InputRules rules_;
  const Format* forced_;
  InputList list_;
};

}  // namespace

InputList list_inputs(const std::vector<std::string>& inputs, const InputRules& rules) {
  Expander expander(rules);
  for (const std::string& input : inputs) expander.add(input);
  return expander.take();
}

std::optional<InputFile> input_in_memory(const std::string& path, const MemoryFiles& files) {
  const auto found = files.find(path);
  if (found == files.end()) return std::nullopt;
  if (const IndexItemRows* items = index_items_at(path, files)) {
    const std::string& index = items->name();
    return InputFile{path, index, index, &items->format(), index, index, found->second};
  }
  const std::string name(kRowsInMemory);
  return InputFile{path, name, name, format_by_extension(path), name, name, found->second};
}

std::string_view kind_of_rows(const InputFile& file) {
  const Format& format = *file.format;
  if (format.kind_of == nullptr) return format.kind;
  if (file.memory) return format.kind_of(File::in_memory(file.name, file.memory));
  try {
    return format.kind_of(File(file.path));
  } catch (const Error&) {
    return format.kind;
  }
}

std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                        const std::atomic<bool>* cancel) {
  std::optional<File> file;
  if (list != "-") descriptor = file.emplace(list).descriptor();
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  const std::string text = read_to_end(descriptor, list, kMost + 1, cancel);
  // Between NULs, if there are any, as `find -print0` writes them: names may have line breaks.
  const char separator = text.find('\0') == std::string::npos ? '\n' : '\0';
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end - at >= PATH_MAX || text.size() > kMost) {
      throw Error(
          ErrorKind::malformed_input, list + ": is too long for a list of paths",
          "it names files, one a line, in at most 64 MiB; data itself, or its folder, is INPUT");
    }
    std::string path = text.substr(at, end - at);
    if (separator == '\n' && path.ends_with('\r')) path.pop_back();
    if (!path.empty()) paths.push_back(std::move(path));
    at = end + 1;
  }
  return paths;
}

}  // namespace sosie
