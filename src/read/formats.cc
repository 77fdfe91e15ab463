#include "read/formats.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::array kFormats = {
    Format{.name = "jsonl",
           .extensions = {".jsonl", ".ndjson"},
           .has_fields = true,
           .blank_lines_are_rows = false,
           .make_parser = make_jsonl_parser,
           .field_names = jsonl_field_names},
    Format{.name = "txt",
           .extensions = {".txt", ""},
           .has_fields = false,
           .blank_lines_are_rows = true,
           .make_parser = make_text_line_parser,
           .field_names = text_line_field_names},
};

bool has_extension(const Format& format, std::string_view path) noexcept {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view e) { return !e.empty() && path.ends_with(e); });
}

}  // namespace

std::span<const Format> formats() noexcept { return kFormats; }

const Format* format_by_name(std::string_view name) noexcept {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                   [&](const Format& format) { return format.name == name; });
  return found == kFormats.end() ? nullptr : found;
}

const Format* format_by_extension(std::string_view path) noexcept {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return has_extension(format, path);
  });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace sosie
