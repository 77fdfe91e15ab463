// Lists the files to which paths, folders and patterns refer, each with its format.
#include "options/input_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "core/count_text.h"
#include "io/compression.h"
#include "io/file.h"
#include "io/foreign_format.h"
#include "options/field_names.h"
#include "options/formats.h"
#include "options/items_as_file.h"
#include "options/json_files.h"
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
    if (!format.looked_into.empty()) names += fmt::format(" {}", format.looked_into);
  }
  return names;
}

const Format* forced_format(std::string_view name, bool by_other) {
  if (name.empty()) return nullptr;
  if (const Format* format = format_by_name(name)) return format;
  std::string known;
  for (const Format& format : formats()) {
    known += known.empty() ? "" : ", ";
    known += format.name;
  }
  throw Error(ErrorKind::invalid_option, RefusedOption{by_other ? "other-format" : "format"},
              "unknown format '" + std::string(name) + "'", "known formats: " + known);
}

// "https" in "https://host/x.jsonl"; empty if the input is not an address.
std::string_view scheme_of(std::string_view input) {
  const std::string_view scheme = input.substr(0, input.find("://"));
  const bool is_one = scheme.size() < input.size() && !scheme.empty() &&
                      std::all_of(scheme.begin(), scheme.end(), [](unsigned char c) {
                        return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
                      });
  return is_one ? scheme : std::string_view{};
}

// TABLE: programs that write an object to standard output.
struct Streamer {
  std::string_view scheme;
  std::string_view command;
  std::string_view rest;  // after the address
};
constexpr std::array kStreamers = {
    Streamer{"s3", "aws s3 cp", " -"}, Streamer{"gs", "gcloud storage cat", ""},
    Streamer{"http", "curl -sSf", ""}, Streamer{"https", "curl -sSf", ""}};

[[noreturn]] void refuse_address(const std::string& input, std::string_view scheme) {
  if (scheme == "file") {
    throw Error(ErrorKind::unsupported, BadPlace{input}, "is a URL, not a path",
                "name the path: " + input.substr(std::string_view("file://").size()));
  }
  const auto* const found = std::find_if(kStreamers.begin(), kStreamers.end(),
                                         [&](const Streamer& one) { return one.scheme == scheme; });
  std::string hint = "download the file first and name its path";
  if (found != kStreamers.end() && !is_pattern(input)) {
    hint = fmt::format("pipe it: {} {}{} | sosie VERB -; or download it first", found->command,
                       input, found->rest);
  }
  throw Error(ErrorKind::unsupported, BadPlace{input},
              "inputs are not read over the network (" + std::string(scheme) + "://)",
              hint + "; sosie from pip install 'sosie[remote]' can read addresses");
}

// TABLE: files made by other programs, and how to extract their contents.
struct OtherFile {
  std::string_view extension;
  std::string_view way_out;
};
constexpr std::array kOtherFiles = {
    OtherFile{".xlsx", kSaveAsCsv},  OtherFile{".xls", kSaveAsCsv},
    OtherFile{".xlsm", kSaveAsCsv},  OtherFile{".ods", kSaveAsCsv},
    OtherFile{".bz2", kUnpackFirst}, OtherFile{".xz", kUnpackFirst},
    OtherFile{".lz4", kUnpackFirst}, OtherFile{".zip", kUnpackFirst},
    OtherFile{".7z", kUnpackFirst},  OtherFile{".tar", kUnpackFirst},
    OtherFile{".tgz", kUnpackFirst}};

// Advice on converting files with such names; empty if there is none.
std::string_view way_out_of(std::string_view path) {
  path = without_compression_extension(path);
  const auto* found =
      std::find_if(kOtherFiles.begin(), kOtherFiles.end(),
                   [&](const OtherFile& other) { return has_extension(path, other.extension); });
  return found == kOtherFiles.end() ? std::string_view{} : found->way_out;
}

[[noreturn]] void refuse_extension(const std::string& path) {
  const std::string_view way_out = way_out_of(path);
  throw Error(ErrorKind::unsupported, BadPlace{path}, "cannot tell the format from the name",
              way_out.empty() ? "known extensions: " + known_extensions() + "; or use --format NAME"
                              : std::string(way_out));
}

// "2 .md, 1 .html, 3 without": the extensions of these files, most frequent first.
std::string counted_extensions(const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 4;
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : paths) ++counts[fs::path(path).extension().string()];
  std::vector<std::pair<std::size_t, std::string>> sorted;
  sorted.reserve(counts.size());
  for (const auto& [extension, count] : counts) {
    sorted.emplace_back(count, extension.empty() ? "without" : extension);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, sorted.size()); ++i) {
    text +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", count_text(sorted[i].first), sorted[i].second);
  }
  return text + (sorted.size() > kNamed ? ", ..." : "");
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, paths.size()); ++i) {
    names += (i == 0 ? "" : ", ") + paths[i];
  }
  const std::string_view way_out = way_out_of(paths.front());
  throw Error(
      ErrorKind::unsupported, BadPlace{folder},
      fmt::format("no file in it has a known extension: {} ({}), such as {}",
                  plural_text(paths.size(), "file", "files"), counted_extensions(paths), names),
      way_out.empty() ? "--format files treats each file as a document; --format NAME "
                        "reads the rows of all of them in that format"
                      : std::string(way_out));
}

[[noreturn]] void refuse_json(const std::string& path, JsonShape shape) {
  JsonRefusal refusal = refusal_of(path, shape);
  throw Error(ErrorKind::unsupported, BadPlace{path}, std::move(refusal.reason),
              std::move(refusal.hint));
}

[[noreturn]] void refuse_empty(const std::string& folder, const FolderRules& rules,
                               const FolderFiles& found) {
  std::string others;
  std::string ways;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view many,
                       std::string_view way) {
    if (count == 0) return;
    others +=
        fmt::format("{}{}", others.empty() ? " but " : " and ", plural_text(count, one, many));
    ways += fmt::format("{}{}", ways.empty() ? "" : "; ", way);
  };
  add(found.hidden.size(), "hidden one", "hidden ones", "--hidden reads them");
  add(found.links.size(), "symbolic link", "symbolic links",
      rules.follows_links ? "the links lead nowhere, or to a folder above"
                          : "--follow reads link targets");
  add(found.special.size(), "pipe, socket or device", "pipes, sockets or devices",
      "a pipe is read if it is named itself");
  throw Error(ErrorKind::io, BadPlace{folder}, "the folder contains no files" + others, ways);
}

constexpr std::string_view kColumnMark = "::column=";

// An input as typed: a path, optionally with the column of its rows.
struct TypedInput {
  std::string path;
  std::string column = {};
};

// Position of the mark before the column. File names may also contain this mark, so the last mark
// after an existing path is preferred to the first mark.
std::size_t column_mark(const std::string& input) {
  std::error_code error;
  for (std::size_t at = input.rfind(kColumnMark); at != std::string::npos && at > 0;
       at = input.rfind(kColumnMark, at - 1)) {
    if (fs::exists(input.substr(0, at), error)) return at;
  }
  return input.find(kColumnMark);
}

TypedInput typed_input(const std::string& input) {
  const std::size_t mark = column_mark(input);
  if (mark == std::string::npos || mark == 0) return {input};
  TypedInput typed{input.substr(0, mark), input.substr(mark + kColumnMark.size())};
  if (typed.column.empty()) {
    throw Error(ErrorKind::invalid_option, BadPlace{input}, "names no column",
                "PATH::column=FIELD names the text field of these rows");
  }
  if (const std::string fault = fault_of_field_names(typed.column); !fault.empty()) {
    throw Error(ErrorKind::invalid_option, BadPlace{input},
                fmt::format("column '{}': {}", typed.column, fault),
                way_to_field_names(typed.column));
  }
  return typed;
}

class Expander {
 public:
  explicit Expander(const InputRules& rules)
      : rules_(rules), forced_(in_dialect(forced_format(rules.format, rules.by_other))) {}

  void add(const std::string& input) {
    const std::size_t first = list_.files.size();
    std::error_code error;
    if (input.find(kColumnMark) == std::string::npos) {
      add_named(input);
    } else if (fs::exists(input, error)) {
      list_.notes.literal.push_back(input);
      add_named(input);
    } else {
      const TypedInput typed = typed_input(input);
      add_named(typed.path);
      for (std::size_t i = first; i < list_.files.size(); ++i) {
        list_.files[i].told.column = typed.column;
      }
    }
  }

  InputList take() { return std::move(list_); }

 private:
  void add_named(const std::string& input) {
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
      list_.notes.places.push_back({input, true, false, rules_.folders.takes_hidden});
      FolderFiles found = expand_pattern(input, rules_.folders);
      InputNotes notes;
      notes.hidden = std::move(found.hidden);
      list_.notes.append(std::move(notes));
      for (const std::string& path : found.paths) add_path(path);
    } else {
      add_path(input);
    }
  }

  void add_path(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      add_folder(path);
      return;
    }
    if (!fs::exists(path, error)) {
      const std::string why = error ? error.message() : system_message(ENOENT);
      const bool has_mark = path.find("::") != std::string::npos;
      throw Error(ErrorKind::io, BadPlace{path}, why,
                  has_mark ? "only column=FIELD may follow ::, as in PATH::column=FIELD" : "");
    }
    const Format* format = format_of(path);
    if (format == nullptr) {
      format = in_dialect(format_looked_into(path));
      if (format == nullptr) refuse_extension(path);
      const JsonShape shape = shape_of_json_file(path);
      if (shape != JsonShape::lines) refuse_json(path, shape);
    }
    add_file({path, path, path, format, fs::path(path).filename().string(), path});
  }

  void add_folder(const std::string& folder) {
    FolderFiles found = files_below(folder, rules_.folders);
    if (found.paths.empty()) refuse_empty(folder, rules_.folders, found);
    InputNotes notes;
    notes.passed_over = std::move(found.special);
    notes.hidden = std::move(found.hidden);
    (rules_.folders.follows_links ? notes.dead_links : notes.links) = std::move(found.links);
    list_.notes.append(std::move(notes));
    const bool has_records = std::any_of(found.paths.begin(), found.paths.end(), is_record_file);
    const bool has_others =
        std::any_of(found.paths.begin(), found.paths.end(),
                    [](const auto& path) { return format_by_extension(path) != nullptr; });
    if (!has_records && forced_ == nullptr) refuse_folder(folder, found.paths);
    const bool takes_all = !has_records || forced_ == format_by_name("files");
    list_.notes.places.push_back({folder, false, takes_all, rules_.folders.takes_hidden});
    for (const std::string& path : found.paths) {
      const Format* format = forced_;
      if (!takes_all && !is_record_file(path) && !is_asked_for(path)) {
        list_.notes.passed_over.push_back(path);
        continue;
      }
      if (format == nullptr) format = in_dialect(format_by_extension(path));
      if (format == nullptr) format = format_in_folder(path, has_others);
      if (format == nullptr) continue;
      const std::string relative = below(folder, path);
      add_file({path, path, folder, format, relative, relative});
    }
  }

  // True for a hidden file whose name does not show its format, if both are accepted.
  [[nodiscard]] bool is_asked_for(const std::string& path) const {
    return forced_ != nullptr && rules_.folders.takes_hidden &&
           is_hidden_name(fs::path(path).filename().string());
  }

  // nullptr for a file that only describes the files in the same folder, which is skipped.
  const Format* format_in_folder(const std::string& path, bool is_beside_others) {
    const JsonShape shape = shape_of_json_file(path);
    if (shape == JsonShape::lines) return in_dialect(format_looked_into(path));
    if (shape != JsonShape::object || !is_beside_others) refuse_json(path, shape);
    list_.notes.passed_over.push_back(path);
    return nullptr;
  }

  [[nodiscard]] const Format* format_of(const std::string& path) const {
    return forced_ != nullptr ? forced_ : in_dialect(format_by_extension(path));
  }

  [[nodiscard]] const Format* in_dialect(const Format* format) const {
    if (format == nullptr) return nullptr;
    return &with_layout(*format, {{rules_.delimiter}, rules_.has_header});
  }

  // The path of a file relative to the folder.
  static std::string below(const std::string& folder, const std::string& path) {
    const std::size_t start = path.find_first_not_of('/', folder.size());
    return path.substr(std::min(start, path.size()));
  }

  void add_file(InputFile file) {
    if (!file.memory && !file.format->is_document()) refuse_lfs_pointer(file.path);
    file.is_format_asked = forced_ != nullptr;
    list_.files.push_back(std::move(file));
  }

  const InputRules rules_;
  const Format* forced_;
  InputList list_;
};

}  // namespace

std::string ToldOfFile::option(std::string_view name) const {
  return fmt::format("--{}{}", by_other ? "other-" : "", name);
}

std::string ToldOfFile::field_options() const {
  switch (fields) {
    case FieldsNamedBy::group_by:
      return "--group-by, --element and --weight name the fields";
    case FieldsNamedBy::nothing:
      return option("id") + " FIELD names the id";
    case FieldsNamedBy::column:
      break;
  }
  return fmt::format("{} FIELD names the text, {} FIELD the id", option("column"), option("id"));
}

std::vector<InputPlace> input_places(const std::vector<std::string>& inputs,
                                     const InputRules& rules) {
  std::vector<InputPlace> places;
  std::error_code error;
  for (const std::string& input : inputs) {
    const std::string path = fs::exists(input, error) ? input : typed_input(input).path;
    const bool is_folder = fs::is_directory(path, error);
    if (!is_folder && (fs::exists(path, error) || !is_pattern(path))) continue;
    places.push_back({path, !is_folder, is_folder, rules.folders.takes_hidden});
  }
  return places;
}

InputList list_inputs(const std::vector<std::string>& inputs, const InputRules& rules) {
  Expander expander(rules);
  for (const std::string& input : inputs) expander.add(input);
  return expander.take();
}

std::optional<InputFile> input_in_memory(const std::string& path, const MemoryFiles& files) {
  const auto found = files.find(path);
  if (found == files.end()) return std::nullopt;
  if (const ItemsAsFile* items = index_items_at(path, files)) {
    const std::string& index = items->name();
    return InputFile{path, index, index, &items->format(), index, index, found->second};
  }
  const std::string name(kRowsInMemory);
  return InputFile{path, name, name, format_by_extension(path), name, name, found->second};
}

KindBit kind_of_rows(const InputFile& file) {
  const Format& format = *file.format;
  if (format.kind_of == nullptr) return format.kind;
  if (file.memory) return format.kind_of(File::in_memory(file.name, file.memory));
  try {
    return format.kind_of(File(file.path));
  } catch (const Error&) {
    return format.kind;
  }
}

namespace {

// The input named on a line of a list: a path, optionally followed by a tab and the column of its
// rows.
std::string listed_input(std::string line) {
  const std::size_t tab = line.find('\t');
  std::error_code error;
  if (tab == std::string::npos || fs::exists(line, error)) return line;
  line.replace(tab, 1, kColumnMark);
  return line;
}

}  // namespace

std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                        const std::atomic<bool>* cancel) {
  std::optional<File> file;
  if (list != "-") descriptor = file.emplace(list).descriptor();
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  const std::string text = read_text(descriptor, list, kMost + 1, cancel);
  // If there is a NUL, lines end with NUL, as `find -print0` writes them, because names may contain
  // line breaks.
  const char separator = text.find('\0') == std::string::npos ? '\n' : '\0';
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end - at >= PATH_MAX || text.size() > kMost) {
      throw Error(ErrorKind::malformed_input, list + ": is too long for a list of paths",
                  "a list has one path per line and at most 64 MiB; if this file is the data, pass "
                  "it as INPUT");
    }
    std::string path = text.substr(at, end - at);
    if (separator == '\n' && path.ends_with('\r')) path.pop_back();
    if (separator == '\n') path = listed_input(std::move(path));
    if (!path.empty()) paths.push_back(std::move(path));
    at = end + 1;
  }
  return paths;
}

}  // namespace sosie
