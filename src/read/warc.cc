// Reads records of WARC 1.0 and 1.1: header lines, an empty line, the number of bytes given by
// Content-Length, two line ends.
#include "read/warc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ascii_lower.h"
#include "core/line_end.h"
#include "data/format.h"

namespace sosie {
namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 20;
constexpr std::string_view kVersion = "WARC/";

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

std::size_t begin_of_record(std::string_view bytes) noexcept {
  return std::min(bytes.find_first_not_of("\r\n"), bytes.size());
}

// Start of the content; npos if the headers do not end here.
std::size_t begin_of_content(std::string_view bytes) noexcept {
  const std::size_t begin = begin_of_record(bytes);
  for (std::size_t at = begin;;) {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string_view::npos) return end;
    if (at > begin && without_line_end(bytes.substr(at, end + 1 - at)).empty()) return end + 1;
    at = end + 1;
  }
}

// Passes on each header; a folded header includes its line ends.
template <class Take>
void for_each_header(std::string_view head, const Take& take) {
  const auto line_end = [head](std::size_t from) {
    return std::min(head.find('\n', from), head.size());
  };
  for (std::size_t at = line_end(begin_of_record(head)) + 1, end = 0; at < head.size();
       at = end + 1) {
    end = line_end(at);
    while (end + 1 < head.size() && (head[end + 1] == ' ' || head[end + 1] == '\t')) {
      end = line_end(end + 1);
    }
    const std::string_view line = head.substr(at, end - at);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      take(WarcHeader{trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))});
    }
  }
}

void require_version(std::string_view bytes) {
  const std::string_view begin = bytes.substr(begin_of_record(bytes), kVersion.size());
  if (begin == kVersion.substr(0, begin.size())) return;
  throw RowError("no WARC record begins here");
}

}  // namespace

std::string_view WarcRecord::header(std::string_view name) const noexcept {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const WarcHeader& header) {
    return is_same_name(header.name, name);
  });
  return found == headers.end() ? std::string_view() : found->value;
}

std::optional<std::uint64_t> warc_record_bytes(std::string_view bytes) {
  require_version(bytes);
  const std::size_t begin = begin_of_content(bytes.substr(0, kMostHeaderBytes));
  if (begin == std::string_view::npos) {
    if (bytes.size() < kMostHeaderBytes) return std::nullopt;
    throw RowError("the headers of this WARC record do not end within 1 MiB");
  }
  std::optional<std::uint64_t> length;
  for_each_header(bytes.substr(0, begin), [&](const WarcHeader& header) {
    if (!is_same_name(header.name, "Content-Length")) return;
    std::uint64_t value = 0;
    const char* const end = header.value.data() + header.value.size();
    const auto read = std::from_chars(header.value.data(), end, value);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    if (read.ec != std::errc{} || read.ptr != end || value > kMost ||
        length.value_or(value) != value) {
      throw RowError(fmt::format("Content-Length is {}'{}'",
                                 length ? "given twice, the second time as " : "",
                                 header.value.substr(0, 40)));
    }
    length = value;
  });
  if (!length) throw RowError("this WARC record has no Content-Length");
  return begin + *length;
}

WarcRecord read_warc_record(std::string_view record) {
  const std::optional<std::uint64_t> bytes = warc_record_bytes(record);
  if (!bytes || *bytes > record.size()) throw RowError("this WARC record is cut short");
  const std::size_t begin = begin_of_content(record);
  WarcRecord read;
  for_each_header(record.substr(0, begin),
                  [&](const WarcHeader& header) { read.headers.push_back(header); });
  read.content = record.substr(begin, *bytes - begin);
  return read;
}

bool is_about_records(std::string_view record) {
  if (is_only_line_ends(record)) return !record.empty();
  std::string_view type;
  for_each_header(record.substr(0, begin_of_content(record)), [&](const WarcHeader& header) {
    if (type.empty() && is_same_name(header.name, "WARC-Type")) type = header.value;
  });
  constexpr std::array<std::string_view, 4> kAbout = {"warcinfo", "request", "metadata", "revisit"};
  return std::any_of(kAbout.begin(), kAbout.end(),
                     [type](std::string_view about) { return is_same_name(type, about); });
}

bool is_plain_text(const WarcRecord& record) {
  constexpr std::string_view kPlain = "text/plain";
  return is_same_name(record.type(), "conversion") ||
         (is_same_name(record.type(), "resource") &&
          is_same_name(record.header("Content-Type").substr(0, kPlain.size()), kPlain));
}

bool is_only_line_ends(std::string_view bytes) noexcept {
  return begin_of_record(bytes) == bytes.size();
}

}  // namespace sosie
