// TABLE: extensions that imply a kind of content, used to reject misleading names of outputs.
#include "options/output_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ascii_lower.h"
#include "core/joined_text.h"
#include "io/compression.h"
#include "options/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Extensions of pages, pictures, other programs' formats, and unsupported compressors.
constexpr std::array<std::string_view, 51> kOthers = {
    ".html",   ".htm",  ".xhtml",  ".svg", ".bz2",  ".xz",  ".lzma", ".lz4",    ".lzo",
    ".lz",     ".7z",   ".zip",    ".br",  ".z",    ".rar", ".tar",  ".tgz",    ".tbz2",
    ".txz",    ".sz",   ".snappy", ".pdf", ".ps",   ".eps", ".png",  ".jpg",    ".jpeg",
    ".gif",    ".webp", ".bmp",    ".tif", ".tiff", ".doc", ".docx", ".odt",    ".rtf",
    ".xls",    ".xlsx", ".ods",    ".xml", ".yaml", ".yml", ".toml", ".sqlite", ".db",
    ".duckdb", ".avro", ".orc",    ".pkl", ".npz",  ".h5"};

std::string extension_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return ascii_lower(std::string(name.substr(dot)));
}

// True if files of rows or tables have this extension.
bool is_of_rows(std::string_view extension) {
  return !extension.empty() && (extension == ".json" || format_by_extension(extension) != nullptr);
}

template <class Names>
bool holds(const Names& names, std::string_view extension) {
  return std::find(names.begin(), names.end(), extension) != names.end();
}

[[noreturn]] void refuse_name(std::string_view flag, const std::string& path,
                              std::string_view content, std::string_view extension,
                              const std::string& way_out) {
  const std::string why = fmt::format("{} cannot be written as {}", content, extension);
  if (flag.starts_with("--")) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(flag.substr(2)), path}, why,
                way_out);
  }
  throw Error(ErrorKind::invalid_option, fmt::format("{} {}: {}", flag, path, why), way_out);
}

}  // namespace

void check_output_name(std::string_view flag, const std::string& path, std::string_view content,
                       std::initializer_list<std::string_view> accepted) {
  const std::string extension = extension_of(without_compression_extension(path));
  if (holds(accepted, extension) || !(is_of_rows(extension) || holds(kOthers, extension))) {
    return;
  }
  refuse_name(flag, path, content, extension,
              fmt::format("name it {}", joined_text(accepted, " or ")));
}

void check_json_name(std::string_view flag, const std::string& path, std::string_view content) {
  check_output_name(flag, path, content, {".json", ".jsonl", ".ndjson", ".txt"});
}

void check_output_name(std::string_view flag, const std::string& path, std::string_view content) {
  const std::string extension = extension_of(without_compression_extension(path));
  if (!holds(kOthers, extension)) return;
  refuse_name(flag, path, content, extension, "outputs can be compressed as .gz or .zst");
}

}  // namespace sosie
