// Reads bit strings.
#include "corpus/bit_items.h"

#include <fmt/format.h>

#include "read/hex_bits.h"
#include "read/input_list.h"
#include "sosie/error.h"

namespace sosie {

namespace {

// Puts bit strings behind each other as they come.
class BitCollector {
 public:
  explicit BitCollector(BitItems& items) : items_(items), column_(items.column) {}

  [[nodiscard]] ItemRowSteps steps() {
    return {[this](std::string_view text, std::string_view what) {
              found_ += append_bits(text, what, column_.data);
            },
            [this] { end_row(); }, [this] { leave_out(); }};
  }

  void finish() {
    if (column_.bits == 0 && column_.rows > 0) take_length({1, 1});
  }

 private:
  void end_row() {
    const BitLength length{found_, column_.data.size() - column_.rows * column_.words};
    check_bits(length, column_.bits == 0 ? length : BitLength{column_.bits, column_.words},
               "the first row has");
    if (column_.bits == 0) take_length(length);
    found_ = 0;
    ++column_.rows;
  }

  // Of the first good row, behind rows that were left out.
  void take_length(const BitLength& length) {
    column_.bits = length.bits;
    column_.words = length.words;
    column_.data.insert(column_.data.begin(), column_.rows * length.words, 0);
  }

  void leave_out() {
    column_.data.resize(column_.rows * column_.words);
    items_.left_out.push_back(static_cast<RowId>(column_.rows));
    column_.data.resize(++column_.rows * column_.words);
    found_ = 0;
  }

  BitItems& items_;
  BitColumn& column_;
  std::size_t found_ = 0;  // bits of the row, as far as its fields are read
};

}  // namespace

BitItems read_bits(const ItemReading& reading, const std::vector<std::string>& inputs) {
  BitItems items;
  BitCollector collector(items);
  const std::vector<std::string> paths = with_listed_paths(reading, inputs);
  ItemRows rows = read_item_rows(reading, paths, collector.steps());
  collector.finish();
  const BitColumn& column = items.column;
  items.ids = std::move(rows.ids);
  items.against_ids = std::move(rows.against_ids);
  items.bytes = rows.own_bytes;
  const std::uint64_t against =
      reading.places == nullptr ? 0 : reading.places->corpus.first_own_row;
  give_ids(reading, column.rows - against, items.ids, against, items.against_ids);
  for (const InputFile& file : list_inputs(paths, input_rules(reading.options)).files) {
    items.paths.push_back(file.path);
  }
  return items;
}

std::size_t append_bits(std::string_view text, std::string_view what,
                        std::vector<std::uint64_t>& words) {
  if (const auto bits = append_hex_bits(text, words)) return *bits;
  throw RowError(fmt::format("{} is not a string of hexadecimal digits", what));
}

void check_bits(const BitLength& found, const BitLength& length, std::string_view those) {
  if (found.bits == 0) throw RowError("the bit string is empty");
  if (found.bits > kMostBits) {
    throw RowError(fmt::format("{} bits, at most {} are read", found.bits, kMostBits));
  }
  if (found.bits != length.bits) {
    throw RowError(fmt::format("{} bits, {} {}", found.bits, those, length.bits));
  }
  // Each field begins a word.
  if (found.words == length.words) return;
  throw RowError(fmt::format("{} bits in fields of other lengths than {}", found.bits, those));
}

void require_one_length(const BitItems& left, const BitItems& right) {
  const BitColumn& ours = left.column;
  const BitColumn& theirs = right.column;
  if (ours.rows == 0 || theirs.rows == 0 || ours.bits == theirs.bits) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: has strings of {} bits, {} of {}", left.paths.front(), ours.bits,
                          right.paths.front(), theirs.bits));
}

}  // namespace sosie
