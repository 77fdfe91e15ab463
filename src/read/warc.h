#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sosie {

struct WarcHeader {
  std::string_view name;
  std::string_view value;  // without surrounding white space
};

// A record of a WARC file (ISO 28500), as views into its bytes.
struct WarcRecord {
  std::vector<WarcHeader> headers;
  std::string_view content;

  // The value of the header with this name, whose case does not matter; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
  [[nodiscard]] std::string_view type() const noexcept { return header("WARC-Type"); }
};

// Size of the record at the start of `bytes` according to its headers, including its content and
// any line ends before it; nullopt if the headers do not end in `bytes`. Throws RowError if no
// record begins there or the headers give no length.
[[nodiscard]] std::optional<std::uint64_t> warc_record_bytes(std::string_view bytes);

// Reads a complete record. Throws RowError as above.
[[nodiscard]] WarcRecord read_warc_record(std::string_view record);

// True for records about other records (warcinfo, request, metadata, revisit), and for line ends
// that belong to no record.
[[nodiscard]] bool is_about_records(std::string_view record);

// True for the plain text of a page.
[[nodiscard]] bool is_plain_text(const WarcRecord& record);

// True if there are only line ends.
[[nodiscard]] bool is_only_line_ends(std::string_view bytes) noexcept;

}  // namespace sosie
