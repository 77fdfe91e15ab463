#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sosie {

struct WarcHeader {
  std::string_view name;
  std::string_view value;  // without white space around it
};

// A record of a WARC file (ISO 28500): views of its bytes.
struct WarcRecord {
  std::vector<WarcHeader> headers;
  std::string_view content;

  // Value of a header, by its name in any case; empty: there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
  [[nodiscard]] std::string_view type() const noexcept { return header("WARC-Type"); }
};

// Bytes of the record at the start of `bytes`, with line ends in front of it, to behind its
// content, as its headers say; nothing if the headers do not end in `bytes`. Throws RowError where
// no record begins or the headers tell no length.
[[nodiscard]] std::optional<std::uint64_t> warc_record_bytes(std::string_view bytes);

// Reads a whole record. Throws RowError as above.
[[nodiscard]] WarcRecord read_warc_record(std::string_view record);

// True for records that are about others (warcinfo, request, metadata, revisit), and for line ends
// without a record.
[[nodiscard]] bool is_about_records(std::string_view record);

// True for the plain text of a page.
[[nodiscard]] bool is_plain_text(const WarcRecord& record);

// True if nothing but line ends is there.
[[nodiscard]] bool is_only_line_ends(std::string_view bytes) noexcept;

}  // namespace sosie
