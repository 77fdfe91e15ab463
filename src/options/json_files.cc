// Checks that JSON files have one object per line, and suggests how to convert other files.
#include "options/json_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "io/compression.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Maximum size of an object that may describe other files; longer objects are data.
constexpr std::uint64_t kMostLooked = std::uint64_t{1} << 20;
constexpr std::size_t kPiece = std::size_t{64} << 10;

struct Enough {};  // thrown when no more bytes are needed

// The name quoted so that a shell treats it as one word.
std::string quoted(const std::string& name) {
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/._-+=,:@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !name.starts_with('-')) return name;
  std::string text = name.starts_with('-') ? "'./" : "'";
  for (const char c : name) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Suggested name for the file of rows made from a JSON file.
std::string rows_name(const std::string& name) {
  std::string_view stem = without_compression_extension(name);
  if (has_extension(stem, ".json")) return std::string(stem) + "l";
  if (has_extension(stem, ".jsonl")) stem.remove_suffix(std::string_view(".jsonl").size());
  return std::string(stem) + ".rows.jsonl";
}

std::string command(const std::string& name, std::string_view filter) {
  const std::string out = quoted(rows_name(name));
  switch (compression_by_extension(name)) {
    case Compression::gzip:
      return fmt::format("gzip -dc {} | jq -c '{}' > {}", quoted(name), filter, out);
    case Compression::zstd:
      return fmt::format("zstd -dc {} | jq -c '{}' > {}", quoted(name), filter, out);
    case Compression::none:
      break;
  }
  return fmt::format("jq -c '{}' {} > {}", filter, quoted(name), out);
}

}  // namespace

JsonShape shape_of_json(const File& file) {
  JsonLook look;
  std::string piece;
  std::uint64_t at = 0;
  while (at < kMostLooked) {
    piece.resize(kPiece);
    piece.resize(file.read_some(at, piece.data(), piece.size()));
    if (look.add(piece)) break;
    if (piece.empty()) return look.shape(/*is_whole=*/true);
    at += piece.size();
  }
  return look.shape(/*is_whole=*/false);
}

JsonShape shape_of_json_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return JsonShape::lines;
  JsonLook look;
  try {
    const File file(path);
    std::uint64_t read = 0;
    const auto source = [&](char* out, std::size_t size) {
      const std::size_t count = file.read_some(read, out, std::min(size, kPiece));
      read += count;
      return count;
    };
    std::uint64_t seen = 0;
    const auto sink = [&](std::string_view bytes) {
      seen += bytes.size();
      if (look.add(bytes) || seen >= kMostLooked) throw Enough();
    };
    unpack(packing_of(file, path), source, path, sink);
  } catch (const Enough&) {
    return look.shape(/*is_whole=*/false);
  } catch (const Error&) {  // reported when the file is opened
    return JsonShape::lines;
  }
  return look.shape(/*is_whole=*/true);
}

JsonRefusal refusal_of(const std::string& name, JsonShape shape) {
  const bool is_array = shape == JsonShape::array;
  const std::string_view filter = is_array ? ".[]" : ".";
  return {fmt::format("contains {}, not one object per line",
                      is_array ? "a JSON array" : "JSON objects spread over several lines"),
          name.starts_with('<') ? fmt::format("jq -c '{}' turns it into rows", filter)
                                : command(name, filter) + " turns it into rows"};
}

}  // namespace sosie
