// Contents of sketch files as bytes: plan, options, inputs and blocks. Checks blocks against their
// inputs, and that several files agree.
#include "store/sketch_contents.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/written_number.h"
#include "corpus/ill_formed.h"
#include "options/equal_values.h"
#include "options/formats.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "store/sketch_options.h"

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

// Kind of a number that has so many digits that they are stored as written.
constexpr auto kOfDigits = static_cast<std::uint8_t>(RankValue::Kind::number) + 1;

// The size of long double depends on the machine, so such numbers are written as text: exactly, in
// hexadecimal.
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
  block.locators.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) block.locators.push_back({offsets[i], lengths[i], file});
  block.states.reserve(rows);
  for (const std::uint8_t state : in.column<std::uint8_t>(rows)) {
    if (state > static_cast<std::uint8_t>(RowState::unmatched)) in.refuse();
    block.states.push_back(static_cast<RowState>(state));
  }
}

void unpack_hashes(PackedReader& in, std::uint64_t rows, ScannedBlock& block) {
  const auto halves = in.column<std::uint64_t>(2 * rows);
  block.text_hashes.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    block.text_hashes.push_back({halves[2 * i], halves[2 * i + 1]});
  }
}

constexpr std::uint64_t kFingerprintBytes = std::uint64_t{64} << 10;

void pack_texts(PackedWriter& out, const std::vector<std::string>& texts) {
  out.value(std::uint64_t{texts.size()});
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> unpack_texts(PackedReader& in) {
  std::vector<std::string> texts(in.count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.text();
  return texts;
}

void pack_file(PackedWriter& out, const SketchedFile& file) {
  const InputFile& input = file.input;
  for (const std::string& text : {input.path, input.name, input.group, saved_name(*input.format),
                                  input.relative, input.document_id}) {
    out.text(text);
  }
  out.value(file.bytes);
  out.value(file.fingerprint);
}

// Outputs are written to such paths below a folder and must not leave it.
bool stays_below(const std::string& relative) {
  const std::filesystem::path path(relative);
  return !relative.empty() && path.is_relative() && path.has_filename() &&
         std::all_of(path.begin(), path.end(),
                     [](const std::filesystem::path& part) { return part != ".." && part != "."; });
}

// A text without zero bytes, so that C functions see all of it.
std::string unpack_c_text(PackedReader& in) {
  std::string text = in.text();
  if (text.find('\0') != std::string::npos) in.refuse();
  return text;
}

SketchedFile unpack_file(PackedReader& in) {
  SketchedFile file;
  InputFile& input = file.input;
  input.path = unpack_c_text(in);
  input.name = unpack_c_text(in);
  input.group = in.text();
  input.format = format_by_saved_name(in.text());
  if (input.path.empty() || input.format == nullptr) in.refuse();
  input.is_format_asked = true;  // it was read so
  input.relative = unpack_c_text(in);
  if (!stays_below(input.relative)) in.refuse();
  input.document_id = in.text();
  file.bytes = in.value<std::uint64_t>();
  file.fingerprint = in.value<std::uint64_t>();
  return file;
}

bool has_rows_in_order(const BlockRange& range, std::uint64_t file_bytes,
                       const ScannedBlock& block) noexcept {
  std::uint64_t free_from = range.begin;
  for (const RowLocator& row : block.locators) {
    const bool begins_here =
        range.row_ends == RowEnds::file ? row.offset <= range.end : row.offset < range.end;
    if (!begins_here || row.offset < free_from) return false;
    if (row.offset > file_bytes || row.length > file_bytes - row.offset) return false;
    free_from = row.offset + row.length;
  }
  return range.row_ends != RowEnds::file || block.rows() <= 1;
}

// True if the bad rows are exactly the rows marked as bad, plus rows not in their encoding, in
// order.
bool has_its_bad_rows(const ScannedBlock& block) noexcept {
  std::size_t next = 0;
  for (std::size_t i = 0; i < block.rows(); ++i) {
    const bool is_bad =
        block.states[i] == RowState::skipped || block.states[i] == RowState::unmatched;
    const bool is_last = next == block.bad_rows.size();
    const RowLocator& row = block.locators[i];
    if (is_last || block.bad_rows[next].row.offset != row.offset) {
      if (is_bad) return false;
      continue;
    }
    const BadRow& bad = block.bad_rows[next++];
    if (bad.row.length != row.length || (!is_bad && !is_ill_formed(bad))) return false;
    if (bad.trouble < row.offset || bad.trouble - row.offset > row.length) return false;
  }
  return next == block.bad_rows.size();
}

bool has_its_counts(const ScannedBlock& block) noexcept {
  const std::uint64_t rows = block.rows();
  return block.lines >= rows && block.lines - rows == block.blank_lines && block.short_rows <= rows;
}

// The fields of a plan in the order of its file: names, and values as JSON.
std::vector<std::pair<std::string, std::string>> plan_fields(const SavedPlan& plan) {
  constexpr std::string_view kBehindName = "\": ";
  std::vector<std::pair<std::string, std::string>> fields;
  const std::string text = plan_to_json(plan);  // a field a line
  for (std::size_t end = 0, at = text.find('"'); at != std::string::npos;
       at = text.find('"', end)) {
    end = text.find('\n', at);
    std::string_view line = std::string_view(text).substr(at + 1, end - at - 1);
    if (line.ends_with(',')) line.remove_suffix(1);
    const std::size_t colon = line.find(kBehindName);
    fields.emplace_back(line.substr(0, colon), line.substr(colon + kBehindName.size()));
  }
  return fields;
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

std::uint64_t hash_of_column(std::string_view bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

SketchedRow sketched_row(std::string_view bytes, std::size_t rows, std::size_t i) noexcept {
  const auto number = [&](std::size_t at, auto value) {
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  constexpr std::size_t kOffset = sizeof(std::uint64_t);
  const std::size_t hash = rows * kSketchPlaceBytes + i * sizeof(Hash128);
  return {{number(i * kOffset, std::uint64_t{}), number(rows * kOffset + i * 4, std::uint32_t{})},
          {number(hash, std::uint64_t{}), number(hash + 8, std::uint64_t{})}};
}

ScannedBlock unpack_sketch_block(std::string_view bytes, const SketchShape& shape,
                                 std::uint32_t file, const std::string& name,
                                 ColumnsOfBlock* hashes) {
  PackedReader in(bytes, name);
  ScannedBlock block;
  const std::uint64_t rows = in.count(kSketchRowBytes);
  for (std::uint64_t* count : {&block.lines, &block.blank_lines, &block.words, &block.short_rows}) {
    *count = in.value<std::uint64_t>();
  }
  unpack_locators(in, rows, file, block);
  unpack_hashes(in, rows, block);
  if (shape.has_ids) block.id_hashes = in.column<std::uint64_t>(rows);
  if (hashes == nullptr) {
    block.band_keys = in.column<std::uint64_t>(rows * shape.bands);
  } else {
    hashes->clear();
    for (std::size_t band = 0; band < shape.bands; ++band) {
      hashes->push_back(hash_of_column(in.skip(rows * sizeof(std::uint64_t))));
    }
    hashes->push_back(hash_of_column(bytes.substr(kSketchBlockHead, rows * kSketchRowBytes)));
  }
  block.filters = in.column<std::uint8_t>(rows * shape.components);
  if (shape.has_lengths) block.text_bytes = in.column<std::uint32_t>(rows);
  for (std::uint64_t i = 0; i < rows * shape.rank_fields; ++i) {
    block.rank_values.push_back(unpack_value(in));
  }
  unpack_bad_rows(in, file, block);
  in.expect_end();
  return block;
}

void pack_contents(PackedWriter& out, const SketchContents& contents) {
  out.text(plan_to_json(contents.plan));
  out.value(std::uint64_t{contents.options.size()});
  for (const auto& [name, value] : contents.options) {
    out.text(name);
    out.text(value);
  }
  out.text(contents.id_field);
  out.value(std::uint8_t{contents.has_lengths});
  pack_texts(out, contents.rank_fields);
  out.value(std::uint64_t{contents.files.size()});
  for (const SketchedFile& file : contents.files) pack_file(out, file);
  pack_texts(out, contents.passed_over);
  out.value(contents.rows);
  if (contents.has_items()) out.value(contents.dimension);
}

SketchContents unpack_contents(PackedReader& in, const std::string& name) {
  constexpr std::size_t kLeastBytesOfFile = 64;
  SketchContents contents;
  contents.plan = plan_from_json(in.text(), name);
  contents.options.resize(in.count(2 * sizeof(std::uint64_t)));
  for (auto& [option, value] : contents.options) {
    option = in.text();
    value = in.text();
  }
  contents.id_field = in.text();
  const auto has_lengths = in.value<std::uint8_t>();
  if (has_lengths > 1) in.refuse();
  contents.has_lengths = has_lengths == 1;
  contents.rank_fields = unpack_texts(in);
  contents.files.resize(in.count(kLeastBytesOfFile));
  for (SketchedFile& file : contents.files) file = unpack_file(in);
  contents.passed_over = unpack_texts(in);
  contents.rows = in.value<std::uint64_t>();
  if (contents.has_items()) contents.dimension = in.value<std::uint64_t>();
  const auto can_be_read = [&](const SketchedFile& file) {
    return file.input.format->make_parser != nullptr || contents.has_items();
  };
  if (!std::all_of(contents.files.begin(), contents.files.end(), can_be_read)) in.refuse();
  return contents;
}

SketchShape SketchContents::shape() const noexcept {
  return {static_cast<std::size_t>(plan.banding.bands),
          static_cast<std::size_t>(plan.banding.components), !id_field.empty(), has_lengths,
          rank_fields.size()};
}

std::uint64_t fingerprint_of(const File& file) {
  const std::uint64_t part = std::min(file.size(), kFingerprintBytes);
  std::string ends(2 * part, '\0');
  file.read_at(0, ends.data(), part);
  file.read_at(file.size() - part, ends.data() + part, part);
  return XXH3_64bits(ends.data(), ends.size());
}

SketchContents contents_of(const Options& options, const Settings& settings, const Inputs& inputs) {
  SketchContents contents;
  contents.options = sketch_options(options);
  contents.id_field = inputs.fields.id;
  contents.has_lengths = settings.ranks_by_length();
  contents.rank_fields = inputs.fields.others;
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    const File& file = inputs.files[i];
    contents.files.push_back({inputs.list[i], file.size(), fingerprint_of(file)});
  }
  contents.passed_over = inputs.notes.passed_over;
  return contents;
}

void expect_equal_plans(const SavedPlan& plan, const std::string& path, const SavedPlan& other_plan,
                        const std::string& other, std::string_view hint) {
  std::map<std::string, std::string> there;  // plans of other kinds have other fields
  for (auto& [field, value] : plan_fields(other_plan)) there.emplace(field, value);
  for (const auto& [field, value] : plan_fields(plan)) {
    const auto found = there.find(field);
    if (found != there.end() && found->second == value) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: was made with {} {}, {} with {}", path, field, value, other,
                            found == there.end() ? "none" : found->second),
                std::string(hint));
  }
}

void expect_equal_option(std::string_view option, const std::string& value, const std::string& path,
                         const std::string& other_value, const std::string& other,
                         std::string_view hint) {
  if (equal_values_of(option, value, other_value)) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: was made with --{} {}, {} with {}", path, option, shown_value(value),
                          other, shown_value(other_value)),
              std::string(hint));
}

// Checksums detect disk errors, but not deliberate changes.
bool can_be_block_of(const BlockRange& range, std::uint64_t file_bytes,
                     const ScannedBlock& block) noexcept {
  const bool small_keys = std::all_of(block.band_keys.begin(), block.band_keys.end(),
                                      [](std::uint64_t key) { return key >> kBandKeyBits == 0; });
  return small_keys && has_its_counts(block) && has_rows_in_order(range, file_bytes, block) &&
         has_its_bad_rows(block);
}

}  // namespace sosie
