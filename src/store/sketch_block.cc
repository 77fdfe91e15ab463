// Blocks of texts, sets and bags in sketch files: scanned rows, as bytes.
#include "store/sketch_block.h"

#include <array>
#include <charconv>

#include "core/written_number.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

template <class T>
void pack_column(PackedWriter& out, const std::vector<T>& values) {
  out.column(std::span<const T>(values));
}

void pack_locators(PackedWriter& out, const ScannedBlock& block) {
  for (const RowLocator& row : block.locators) out.value(row.offset);
  for (const RowLocator& row : block.locators) out.value(row.length);
  for (const RowState state : block.states) out.value(static_cast<std::uint8_t>(state));
}

void pack_hashes(PackedWriter& out, const ScannedBlock& block) {
  for (const Hash128& hash : block.text_hashes) {
    out.value(hash.high);
    out.value(hash.low);
  }
}

// Kind of a number that is written with the digits that it came with, for it has many.
constexpr auto kOfDigits = static_cast<std::uint8_t>(RankValue::Kind::number) + 1;

// Numbers have other sizes on other machines: they are written in hexadecimal digits, exactly.
void pack_value(PackedWriter& out, const RankValue& value) {
  const bool of_digits = value.kind == RankValue::Kind::number && !value.text.empty();
  out.value(
      static_cast<std::uint8_t>(of_digits ? kOfDigits : static_cast<std::uint8_t>(value.kind)));
  if (value.kind == RankValue::Kind::text || of_digits) out.text(value.text);
  if (value.kind != RankValue::Kind::number || of_digits) return;
  std::array<char, 64> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value.number,
                                     std::chars_format::hex);
  out.text({digits.data(), static_cast<std::size_t>(written.ptr - digits.data())});
}

RankValue unpack_value(PackedReader& in) {
  const auto kind = in.value<std::uint8_t>();
  if (kind > kOfDigits) in.refuse();
  RankValue value;
  value.kind = kind == kOfDigits ? RankValue::Kind::number : static_cast<RankValue::Kind>(kind);
  if (value.kind == RankValue::Kind::missing) return value;
  std::string text = in.text();
  if (value.kind == RankValue::Kind::text) {
    value.text = std::move(text);
    return value;
  }
  if (kind == kOfDigits) {
    const auto number = written_number(text);
    if (!number) in.refuse();
    value.number = *number;
    value.text = std::move(text);
    return value;
  }
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value.number, std::chars_format::hex);
  if (read.ec != std::errc{} || read.ptr != end) in.refuse();
  if (value.number != value.number) in.refuse();  // NaN has no rank
  return value;
}

void pack_bad_rows(PackedWriter& out, const ScannedBlock& block) {
  out.value(std::uint64_t{block.bad_rows.size()});
  for (const BadRow& bad : block.bad_rows) {
    out.value(bad.row.offset);
    out.value(bad.row.length);
    out.value(bad.trouble);
    out.text(bad.reason);
  }
}

void unpack_bad_rows(PackedReader& in, std::uint32_t file, ScannedBlock& block) {
  constexpr std::size_t kLeastBytes = 28;
  block.bad_rows.resize(in.count(kLeastBytes));
  for (BadRow& bad : block.bad_rows) {
    bad.row.offset = in.value<std::uint64_t>();
    bad.row.length = in.value<std::uint32_t>();
    bad.row.file = file;
    bad.trouble = in.value<std::uint64_t>();
    bad.reason = in.text();
  }
}

void unpack_locators(PackedReader& in, std::uint64_t rows, std::uint32_t file,
                     ScannedBlock& block) {
  const auto offsets = in.column<std::uint64_t>(rows);
  const auto lengths = in.column<std::uint32_t>(rows);
  for (std::size_t i = 0; i < rows; ++i) block.locators.push_back({offsets[i], lengths[i], file});
  for (const std::uint8_t state : in.column<std::uint8_t>(rows)) {
    if (state > static_cast<std::uint8_t>(RowState::unmatched)) in.refuse();
    block.states.push_back(static_cast<RowState>(state));
  }
}

void unpack_hashes(PackedReader& in, std::uint64_t rows, ScannedBlock& block) {
  const auto halves = in.column<std::uint64_t>(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    block.text_hashes.push_back({halves[2 * i], halves[2 * i + 1]});
  }
}

}  // namespace

std::string pack_sketch_block(const ScannedBlock& block, const SketchShape& shape) {
  PackedWriter out;
  out.value(std::uint64_t{block.rows()});
  for (const std::uint64_t count :
       {block.lines, block.blank_lines, block.words, block.short_rows}) {
    out.value(count);
  }
  pack_locators(out, block);
  pack_hashes(out, block);
  if (shape.has_ids) pack_column(out, block.id_hashes);
  pack_column(out, block.band_keys);
  pack_column(out, block.filters);
  if (shape.has_lengths) pack_column(out, block.text_bytes);
  for (const RankValue& value : block.rank_values) pack_value(out, value);
  pack_bad_rows(out, block);
  return out.bytes();
}

ScannedBlock unpack_sketch_block(std::string_view bytes, const SketchShape& shape,
                                 std::uint32_t file, const std::string& name) {
  constexpr std::size_t kLeastBytesOfRow = 29;  // locator, state, text hash
  PackedReader in(bytes, name);
  ScannedBlock block;
  const std::uint64_t rows = in.count(kLeastBytesOfRow);
  for (std::uint64_t* count : {&block.lines, &block.blank_lines, &block.words, &block.short_rows}) {
    *count = in.value<std::uint64_t>();
  }
  unpack_locators(in, rows, file, block);
  unpack_hashes(in, rows, block);
  if (shape.has_ids) block.id_hashes = in.column<std::uint64_t>(rows);
  block.band_keys = in.column<std::uint64_t>(rows * shape.bands);
  block.filters = in.column<std::uint8_t>(rows * shape.components);
  if (shape.has_lengths) block.text_bytes = in.column<std::uint32_t>(rows);
  for (std::uint64_t i = 0; i < rows * shape.rank_fields; ++i) {
    block.rank_values.push_back(unpack_value(in));
  }
  unpack_bad_rows(in, file, block);
  in.expect_end();
  return block;
}

}  // namespace sosie
