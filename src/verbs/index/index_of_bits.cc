// An index of bit strings.
#include "corpus/items/bit_items.h"
#include "data/kinds.h"
#include "join/bits/bit_searcher.h"
#include "options/bit_settings.h"
#include "verbs/index/in_memory_index.h"

namespace sosie {
namespace {

// Operations of an index on bit strings.
class BitKind : public OneTypeKind<BitColumn, BitSearcher> {
 public:
  using Column = BitColumn;
  using Settings = BitSettings;
  using Searched = BitSearcher;

  explicit BitKind(const Options& options)
      : options_(options_of_index(options)), settings_(resolve_bits(options_, kQuery)) {}

  [[nodiscard]] const BitSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept { return settings_.measure->is_similarity; }

  [[nodiscard]] RowsRead<BitColumn> read(const IndexRows& rows, ThreadPool& pool,
                                         const RunHooks& hooks) const {
    if (rows.array) return {copy_of(*rows.array)};
    const Options options = options_to_read(options_, rows);
    BitItems items = read_bits({options, settings_.run, pool, hooks}, rows.paths);
    erase_rows(items.column, items.left_out);
    return {std::move(items.column), std::move(items.left_out)};
  }

  [[nodiscard]] static std::string length_of(const BitColumn& column) {
    return fmt::format("{} bits", column.bits);
  }
  [[nodiscard]] static bool have_one_length(const BitColumn& a, const BitColumn& b) {
    return a.bits == b.bits && a.words == b.words;
  }

  [[nodiscard]] BitSettings settings_for(const BitColumn&, ThreadPool&) const { return settings_; }
  [[nodiscard]] static std::unique_ptr<BitSearcher> search_in(const BitColumn& column,
                                                              const BitSettings& settings,
                                                              ThreadPool&) {
    return std::make_unique<BitSearcher>(column, settings);
  }

  static void append(BitColumn& to, const BitColumn& from, std::size_t row) {
    if (to.rows == 0) to = {0, from.bits, from.words, {}};
    to.data.insert(to.data.end(), from.row(row), from.row(row) + from.words);
    ++to.rows;
  }

  static void save(const BitColumn& column, PackedWriter& out) {
    out.value(std::uint64_t{column.bits});
    out.value(std::uint64_t{column.words});
    out.column(std::span<const std::uint64_t>(column.data));
  }
  [[nodiscard]] static BitColumn load(std::uint64_t rows, PackedReader& in) {
    BitColumn column{rows, in.value<std::uint64_t>(), in.value<std::uint64_t>(), {}};
    // Each field of a row starts a new word, so there may be more words than the bits require.
    if (column.bits == 0 || column.bits > kMostBits || column.words > column.bits ||
        column.words * 64 < column.bits) {
      in.refuse();
    }
    column.data = in.column<std::uint64_t>(rows * column.words);
    return column;
  }

 private:
  // The bits in the format of append_hex_bits(): each digit holds four bits, lowest bit first.
  static BitColumn copy_of(const ItemArray& array) {
    if (array.type != ItemArray::Type::bits) refuse_array(kBitItems);
    if (array.rows > 0 && array.width == 0) refuse_row(0, "the bit string is empty");
    if (8 * array.width > kMostBits) {
      refuse_row(0, fmt::format("{} bits; the maximum is {}", 8 * array.width, kMostBits));
    }
    BitColumn column{array.rows, 8 * array.width, (array.width + 7) / 8, {}};
    column.data.resize(column.rows * column.words);
    const auto* bytes = static_cast<const std::uint8_t*>(array.data);
    for (std::uint64_t row = 0; row < array.rows; ++row) {
      for (std::uint64_t i = 0; i < array.width; ++i) {
        const std::uint64_t byte = *bytes++;
        column.data[row * column.words + i / 8] |= (byte >> 4 | (byte & 15) << 4) << 8 * (i % 8);
      }
    }
    return column;
  }

  Options options_;
  BitSettings settings_;
};

}  // namespace

std::unique_ptr<IndexState> index_of_bits(const Options& options) {
  return std::make_unique<InMemoryIndex<BitKind>>(options);
}

}  // namespace sosie
