// Reads and writes files of sketches: frame, blocks of rows and of items, contents.
#include "store/sketch/sketch_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/rational.h"
#include "data/columns.h"
#include "data/kinds.h"
#include "store/packed_writer.h"
#include "store/sketch_contents.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

// The format version is between this text and the line feed.
constexpr std::string_view kHead = "sosie-";
constexpr std::string_view kTail = "sosie.";
constexpr char kVersionOfSets = '1';  // texts, sets and bags
constexpr char kVersionOfItems = '2';
constexpr std::size_t kMagicBytes = 8;
constexpr std::size_t kVersionAt = 6;
constexpr std::size_t kSketchTrailerBytes = 3 * sizeof(std::uint64_t) + kMagicBytes;
constexpr std::size_t kBytesOfBlockEntry = 40;

std::string bytes_at(const File& file, std::uint64_t offset, std::uint64_t size) {
  std::string bytes(size, '\0');
  file.read_at(offset, bytes.data(), size);
  return bytes;
}

std::string mark(std::string_view begin, char version) {
  return std::string(begin) + version + '\n';
}

char version_of(const SketchContents& contents) {
  return contents.has_items() ? kVersionOfItems : kVersionOfSets;
}

// True if the bytes are such a mark, for any version.
bool is_mark(std::string_view bytes, std::string_view begin) {
  return bytes.size() == kMagicBytes && bytes.starts_with(begin) && bytes.back() == '\n';
}

SketchedBlock sketched_block(std::string bytes, std::uint64_t number, std::uint64_t rows) {
  const std::uint64_t checksum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), number);
  return {std::move(bytes), checksum, rows};
}

std::string pack_entry(const BlockRange& range, const SketchedBlock& block) {
  PackedWriter out;
  out.value(range.begin);
  out.value(range.end);
  out.value(std::uint64_t{block.bytes.size()});
  out.value(block.checksum);
  out.value(range.file);
  out.value(static_cast<std::uint8_t>(range.row_ends));
  out.value(static_cast<std::uint8_t>(range.dialect.separator));
  out.value(static_cast<std::uint8_t>(range.state));
  out.value(std::uint8_t{0});
  return out.bytes();
}

BlockRange unpack_range(PackedReader& in, BlockRange range,
                        const std::vector<SketchedFile>& files) {
  range.file = in.value<std::uint32_t>();
  const auto row_ends = in.value<std::uint8_t>();
  const auto separator = static_cast<char>(in.value<std::uint8_t>());
  const auto state = in.value<std::uint8_t>();
  if (range.file >= files.size() || row_ends > static_cast<std::uint8_t>(RowEnds::record) ||
      state >= kQuoteStates || in.value<std::uint8_t>() != 0) {
    in.refuse();
  }
  range.row_ends = static_cast<RowEnds>(row_ends);
  range.state = static_cast<QuoteState>(state);
  range.dialect = files[range.file].input.format->dialect;
  if (separator != range.dialect.separator) in.refuse();
  return range;
}

// True if a range of a file begins at `begin` and its boundaries fit the format.
bool is_stretch_of(const SketchedFile& file, const BlockRange& range, std::uint64_t begin,
                   bool is_first) {
  const Format& format = *file.input.format;
  const bool may_begin_in_row = format.row_ends == RowEnds::quoted_line && !is_first;
  return range.begin == begin && range.end >= begin && range.end <= file.bytes &&
         range.row_ends == format.row_ends && range.dialect == format.dialect &&
         (may_begin_in_row || range.state == QuoteState::row_start);
}

// True if blocks of these ranges, in this order, contain every row of their files: each file is
// covered without gaps, from the end of its header to its end.
bool cover_files(const std::vector<SketchedFile>& files, const std::vector<BlockRange>& ranges) {
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const Format& format = *files[i].input.format;
    const std::size_t first = next;
    std::uint64_t end = 0;
    for (; next < ranges.size() && ranges[next].file == i; ++next) {
      if (next == first && format.has_columns()) end = ranges[next].begin;
      if (!is_stretch_of(files[i], ranges[next], end, next == first)) return false;
      end = ranges[next].end;
    }
    const bool has_blocks = next > first;
    if (format.is_document() && next - first != 1) return false;
    if (end != files[i].bytes && (has_blocks || !format.has_columns())) return false;
  }
  return next == ranges.size();
}

// True if the options in the contents of a file are valid and each occurs only
// once.
bool names_options_once(const SketchContents& contents) {
  const auto known = sketch_option_names();
  std::set<std::string_view> seen;
  return std::all_of(contents.options.begin(), contents.options.end(), [&](const auto& option) {
    return std::find(known.begin(), known.end(), option.first) != known.end() &&
           seen.insert(option.first).second;
  });
}

// True if this kind of item can be sketched, and with such a plan.
bool is_kind_of_sketches(const SketchContents& contents) {
  const std::string name = made_with(contents, "kind");
  const KindBit kind = kind_called(name);
  if (contents.has_items()) return kind == contents.plan.kind;
  return name.empty() || has_any(kAsSets, kind);
}

// True if the options for vectors or bit strings agree with those for which the plan was made.
bool agree_with_plan(const SketchContents& contents) {
  const SavedPlan& plan = contents.plan;
  const std::string within = made_with(contents, "within");
  if (within.empty() != plan.hashed->is_similarity) return false;
  const auto bound = within.empty()
                         ? parse_bound(made_with(contents, "threshold"), BoundSide::not_below)
                         : parse_bound(within, BoundSide::not_above);
  return bound == plan.threshold && made_with(contents, "measure") == plan.measure &&
         made_with(contents, "seed") == std::to_string(plan.seed);
}

std::string trailer(const std::string& contents, std::uint64_t blocks, char version) {
  PackedWriter out;
  out.value(std::uint64_t{contents.size()});
  out.value(blocks);
  out.value(std::uint64_t{XXH3_64bits(contents.data(), contents.size())});
  return out.bytes() + mark(kTail, version);
}

// Returns the version.
char check_marks(const File& file) {
  if (file.size() < kMagicBytes + kSketchTrailerBytes) {
    throw Error(ErrorKind::malformed_input, file.name() + ": is not a complete file of sketches",
                "recreate the sketches");
  }
  const std::string head = bytes_at(file, 0, kMagicBytes);
  const std::string tail = bytes_at(file, file.size() - kMagicBytes, kMagicBytes);
  if (!is_mark(head, kHead) || !is_mark(tail, kTail)) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: {}", file.name(),
                            is_mark(head, kHead) ? "is cut off" : "is not a file of sketches"),
                "recreate the sketches");
  }
  const char version = head[kVersionAt];
  if (version != tail[kVersionAt]) PackedReader({}, file.name()).refuse();
  if (version != kVersionOfSets && version != kVersionOfItems) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: sketch format {}, this program reads {} and {}", file.name(),
                            version, kVersionOfSets, kVersionOfItems),
                "recreate the sketches, or use the program that made them");
  }
  return version;
}

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;  // each worker has one in memory
constexpr std::size_t kMostItems = 4096;
constexpr std::size_t kWordBits = 64;
constexpr std::uint8_t kCells = 32;  // vertices of a function

// `width`: number of values per item.
template <class T>
void pack_part(PackedWriter& out, const std::vector<T>& values, std::size_t width,
               std::size_t first, std::size_t last) {
  out.column(std::span<const T>(values).subspan(first * width, (last - first) * width));
}

// True if the cells of each row are among the cells that it is near.
bool are_cells(const HashedItems& items) noexcept {
  for (std::size_t i = 0; i < items.cells.size(); ++i) {
    if (items.cells[i] >= kCells || (items.near[i] >> items.cells[i] & 1) == 0) return false;
  }
  return true;
}

}  // namespace

SketchWriter::SketchWriter(const std::string& path, SketchContents contents,
                           const std::atomic<bool>* cancel)
    : contents_(std::move(contents)),
      shape_(contents_.shape()),
      out_(path, OutputFile::Durability::flushed_to_disk, Compression::none, cancel) {
  out_.refuse_terminal("sketches");
  write(mark(kHead, version_of(contents_)));
}

void SketchWriter::write(std::string_view bytes) {
  out_.write(bytes);
  bytes_ += bytes.size();
}

SketchedBlock SketchWriter::packed(std::size_t number, const ScannedBlock& block) const {
  return sketched_block(pack_sketch_block(block, shape_), number, block.rows());
}

void SketchWriter::add(const BlockRange& range, const HashedItems& items, std::size_t first,
                       std::size_t last) {
  std::string bytes = pack_items(items, hash_shape(*contents_.plan.hashed), first, last);
  add(range, sketched_block(std::move(bytes), blocks_, last - first));
}

void SketchWriter::add(const BlockRange& range, const SketchedBlock& block) {
  table_ += pack_entry(range, block);
  ++blocks_;
  contents_.rows += block.rows;
  write(block.bytes);
}

std::uint64_t SketchWriter::commit() {
  PackedWriter packed;
  pack_contents(packed, contents_);
  const std::string contents = packed.bytes() + table_;
  write(contents);
  write(trailer(contents, blocks_, version_of(contents_)));
  out_.commit();
  return bytes_;
}

SketchFile::SketchFile(const std::string& path) : file_(path) {
  if (!file_.is_regular()) {
    throw Error(ErrorKind::io, path + ": sketches are read from a file, not from a pipe");
  }
  version_ = check_marks(file_);
  const std::uint64_t end = file_.size() - kSketchTrailerBytes;
  const std::string last = bytes_at(file_, end, kSketchTrailerBytes);
  PackedReader in(last, path);
  const auto size = in.value<std::uint64_t>();
  const auto blocks = in.value<std::uint64_t>();
  const auto checksum = in.value<std::uint64_t>();
  if (size > end - kMagicBytes || blocks > size / kBytesOfBlockEntry) in.refuse();
  const std::string contents = bytes_at(file_, end - size, size);
  if (checksum != XXH3_64bits(contents.data(), contents.size())) in.refuse();
  checksum_ = checksum;
  read_contents(contents, blocks, end - size);
}

void SketchFile::read_contents(const std::string& bytes, std::uint64_t blocks,
                               std::uint64_t blocks_end) {
  PackedReader in(bytes, path());
  contents_ = unpack_contents(in, path());
  if (contents_.has_items()) {
    item_shape_ = hash_shape(*contents_.plan.hashed);
  } else {
    shape_ = contents_.shape();
  }
  std::uint64_t offset = kMagicBytes;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    BlockRange range;
    range.begin = in.value<std::uint64_t>();
    range.end = in.value<std::uint64_t>();
    const auto size = in.value<std::uint64_t>();
    const auto checksum = in.value<std::uint64_t>();
    ranges_.push_back(unpack_range(in, range, contents_.files));
    if (size > blocks_end - offset) in.refuse();
    places_.push_back({offset, size, checksum});
    offset += size;
  }
  in.expect_end();
  if (offset != blocks_end) in.refuse();
  check_contents(in);
}

void SketchFile::check_contents(const PackedReader& in) const {
  if (version_ != version_of(contents_) || !cover_files(contents_.files, ranges_) ||
      !names_options_once(contents_) || !is_kind_of_sketches(contents_)) {
    in.refuse();
  }
  if (contents_.has_items()) check_items(in);
}

// Checks that every block has the size of a whole number of items, and that the total agrees with
// the contents.
void SketchFile::check_items(const PackedReader& in) const {
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) items += items_of(i);
  const std::uint64_t most = contents_.plan.kind == kBitItems ? kMostBits : kMaxDimension;
  if (items != contents_.rows || contents_.dimension > most || contents_.has_lengths ||
      (contents_.dimension == 0) != (items == 0) || !agree_with_plan(contents_)) {
    in.refuse();
  }
}

bool SketchFile::is_one(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  const File file(path);
  if (file.size() < kMagicBytes) return false;
  return is_mark(bytes_at(file, 0, kMagicBytes), kHead) ||
         is_mark(bytes_at(file, file.size() - kMagicBytes, kMagicBytes), kTail);
}

std::string SketchFile::bytes_of(std::size_t number) const {
  const Place& place = places_[number];
  std::string bytes = bytes_at(file_, place.offset, place.bytes);
  if (place.checksum != XXH3_64bits_withSeed(bytes.data(), bytes.size(), number)) {
    PackedReader(bytes, path()).refuse();
  }
  return bytes;
}

std::uint64_t SketchFile::items_of(std::size_t number) const {
  return items_of_block(item_shape_, places_[number].bytes, path());
}

HashedItems SketchFile::read_items(std::size_t number) const {
  return unpack_items(bytes_of(number), item_shape_, path());
}

ScannedBlock SketchFile::read(std::size_t number, std::uint32_t file,
                              ColumnsOfBlock* hashes) const {
  const std::string bytes = bytes_of(number);
  ScannedBlock block = unpack_sketch_block(bytes, shape_, file, path(), hashes);
  const BlockRange& range = ranges_[number];
  const bool has_rows = contents_.rows >= block.rows();
  if (!has_rows || !can_be_block_of(range, contents_.files[range.file].bytes, block)) {
    PackedReader(bytes, path()).refuse();
  }
  return block;
}

void SketchFile::read_part(std::size_t number, std::uint64_t begin, void* out,
                           std::uint64_t bytes) const {
  const Place& place = places_[number];
  if (begin > place.bytes || bytes > place.bytes - begin) PackedReader({}, path()).refuse();
  file_.read_at(place.offset + begin, static_cast<char*>(out), bytes);
}

void SketchFile::read_keys(std::size_t number, const BandRange& bands,
                           std::vector<RowState>& states, std::vector<std::uint64_t>& keys) const {
  // Lengths and values for --keep reduce the number of rows per block to less than this.
  const std::uint64_t of_row = kSketchRowBytes + shape_.bands * sizeof(std::uint64_t);
  const std::uint64_t most_rows = places_[number].bytes / of_row;
  std::uint64_t rows = 0;
  read_part(number, 0, &rows, sizeof rows);
  if (rows > most_rows) PackedReader({}, path()).refuse();
  static_assert(sizeof(RowState) == 1);
  states.resize(rows);
  read_part(number, kSketchBlockHead + rows * (kSketchPlaceBytes - 1), states.data(), rows);
  if (std::any_of(states.begin(), states.end(),
                  [](RowState state) { return state > RowState::unmatched; })) {
    PackedReader({}, path()).refuse();
  }
  keys.resize(rows * bands.size());
  const std::uint64_t ids = shape_.has_ids ? sizeof(std::uint64_t) : 0;
  const std::uint64_t before = kSketchRowBytes + ids + bands.first * sizeof(std::uint64_t);
  read_part(number, kSketchBlockHead + rows * before, keys.data(),
            keys.size() * sizeof(std::uint64_t));
}

void SketchFile::read_rows(std::size_t number, std::size_t rows, std::string& bytes) const {
  bytes.resize(rows * kSketchRowBytes);
  read_part(number, kSketchBlockHead, bytes.data(), bytes.size());
  const std::uint64_t size = contents_.files[ranges_[number].file].bytes;
  for (std::size_t i = 0; i < rows; ++i) {
    const RowLocator row = sketched_row(bytes, rows, i).locator;
    if (row.offset > size || row.length > size - row.offset) PackedReader({}, path()).refuse();
  }
}

void SketchFile::read_filters(std::size_t number, std::size_t rows, const RowSpan& some,
                              std::vector<std::uint8_t>& filters) const {
  const std::uint64_t keys = shape_.bands + (shape_.has_ids ? 1 : 0);
  const std::uint64_t before = rows * (kSketchRowBytes + keys * sizeof(std::uint64_t));
  filters.resize((some.end - some.begin) * shape_.components);
  read_part(number, kSketchBlockHead + before + some.begin * shape_.components, filters.data(),
            filters.size());
}

HashShape hash_shape(const HashedPlan& plan) noexcept {
  return {static_cast<std::size_t>(plan.bands),
          plan.probes > 1 ? static_cast<std::size_t>(plan.rows) : 0,
          static_cast<std::size_t>(plan.sketch_bits) / kWordBits};
}

std::size_t most_items_of_block(const HashShape& shape) noexcept {
  return std::clamp<std::size_t>(kBlockBytes / shape.item_bytes(), 1, kMostItems);
}

std::uint64_t item_block_bytes(const HashShape& shape, std::uint64_t items) noexcept {
  return sizeof(std::uint64_t) + items * shape.item_bytes();
}

std::uint64_t items_of_block(const HashShape& shape, std::uint64_t bytes, const std::string& name) {
  const std::uint64_t items = bytes / shape.item_bytes();
  if (bytes != item_block_bytes(shape, items) || items > most_items_of_block(shape)) {
    PackedReader({}, name).refuse();
  }
  return items;
}

std::string pack_items(const HashedItems& items, const HashShape& shape, std::size_t first,
                       std::size_t last) {
  PackedWriter out;
  out.value(std::uint64_t{last - first});
  for (std::size_t i = first; i < last; ++i) {
    out.value(items.identities[i].high);
    out.value(items.identities[i].low);
  }
  pack_part(out, items.keys, shape.keys(), first, last);
  pack_part(out, items.cells, shape.cells(), first, last);
  pack_part(out, items.near, shape.cells(), first, last);
  pack_part(out, items.sketches, shape.sketch_words, first, last);
  return out.bytes();
}

HashedItems unpack_items(std::string_view bytes, const HashShape& shape, const std::string& name) {
  PackedReader in(bytes, name);
  const std::uint64_t count = in.count(shape.item_bytes());
  HashedItems items;
  const auto halves = in.column<std::uint64_t>(2 * count);
  items.identities.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    items.identities.push_back({halves[2 * i], halves[2 * i + 1]});
  }
  items.keys = in.column<std::uint32_t>(count * shape.keys());
  items.cells = in.column<std::uint8_t>(count * shape.cells());
  items.near = in.column<std::uint32_t>(count * shape.cells());
  items.sketches = in.column<std::uint64_t>(count * shape.sketch_words);
  in.expect_end();
  if (!are_cells(items)) in.refuse();
  return items;
}

}  // namespace sosie
