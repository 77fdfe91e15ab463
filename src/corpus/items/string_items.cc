// Reads strings.
#include "corpus/items/string_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/count_text.h"
#include "core/memory_budget.h"
#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::uint8_t width_for(std::uint32_t alphabet) noexcept {
  if (alphabet <= 1U << 8) return 1;
  return alphabet <= 1U << 16 ? 2 : 4;
}

template <typename Symbol>
void widen(StringColumn& column) {
  const std::size_t count = column.symbols.size() / column.width;
  std::vector<std::byte> wide(count * sizeof(Symbol));
  for (std::size_t i = 0; i < count; ++i) {
    Symbol symbol = 0;
    std::memcpy(&symbol, column.symbols.data() + i * column.width, column.width);
    std::memcpy(wide.data() + i * sizeof(Symbol), &symbol, sizeof(Symbol));
  }
  column.symbols = std::move(wide);
  column.width = sizeof(Symbol);
}

void make_wide_enough(StringColumn& column) {
  const std::uint8_t width = width_for(column.alphabet);
  if (width <= column.width) return;
  if (width == 2) {
    widen<std::uint16_t>(column);
  } else {
    widen<std::uint32_t>(column);
  }
}

template <typename Symbol>
void append_as(std::span<const char32_t> code_points, const SymbolTable& symbols, std::byte* to) {
  for (const char32_t c : code_points) {
    const auto symbol = static_cast<Symbol>(symbols.find(c));
    std::memcpy(to, &symbol, sizeof symbol);
    to += sizeof symbol;
  }
}

// Appends strings as they arrive.
class StringCollector {
 public:
  StringCollector(const Settings& settings, StringForm form, StringItems& items)
      : settings_(settings), items_(items), column_(items.column), reader_(form) {
    column_.alphabet = items.symbols.size();
  }

  [[nodiscard]] ItemRowSteps steps() {
    return {.add = [this](std::string_view text, std::string_view /*what*/) { reader_.read(text); },
            .end_row = [this] { return end_row(); },
            .leave_out = [this] { leave_out(); },
            .of_text = true,
            .is_well_formed = [this] { return reader_.is_well_formed(); },
            .length = [this] { return static_cast<std::uint32_t>(reader_.code_points().size()); }};
  }

  // Throws Error{limit_exceeded} if the strings exceed the memory limit.
  void finish() const {
    if (!is_too_much_) return;
    const std::uint64_t bytes = bytes_of(symbols_, rows_, items_.symbols.size());
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("the strings need {} of memory; --memory is {}", bytes_text(bytes),
                            limit_text(settings_.memory_bytes)),
                fmt::format("raise --memory; {} is enough", round_size_text(bytes)));
  }

 private:
  bool end_row() {
    const bool is_item = !is_blank(reader_.code_points());
    take(reader_.code_points(), is_item);
    return is_item;
  }

  void leave_out() { take({}, /*is_item=*/false); }

  void take(std::span<const char32_t> code_points, bool is_item) {
    if (is_too_much_) return count(code_points);
    if (!is_item) items_.left_out.push_back(static_cast<RowId>(column_.rows()));
    append_string(code_points, items_.symbols, column_);
    check_memory();
  }

  static std::uint64_t bytes_of(std::uint64_t symbols, std::uint64_t rows,
                                std::uint32_t alphabet) noexcept {
    return symbols * width_for(alphabet) + (rows + 1) * sizeof column_.starts[0];
  }

  // If strings exceed the memory limit, counts to the end, so that the error can tell how much
  // would be enough.
  void check_memory() {
    symbols_ = column_.starts.back();
    rows_ = column_.rows();
    if (bytes_of(symbols_, rows_, column_.alphabet) <= settings_.memory_bytes) return;
    is_too_much_ = true;
    column_ = {};
  }

  void count(std::span<const char32_t> code_points) {
    for (const char32_t c : code_points) (void)items_.symbols.add(c);
    symbols_ += code_points.size();
    ++rows_;
  }

  const Settings& settings_;
  StringItems& items_;
  StringColumn& column_;
  StringReader reader_;
  bool is_too_much_ = false;
  std::uint64_t symbols_ = 0;  // symbol count of all strings
  std::uint64_t rows_ = 0;
};

}  // namespace

std::uint32_t SymbolTable::add(char32_t code_point) {
  auto& page = pages_[code_point / kPage];
  if (!page) page = std::make_unique<Page>();
  std::uint32_t& symbol = (*page)[code_point % kPage];
  if (symbol == 0) {
    symbol = size();
    code_points_.push_back(code_point);
  }
  return symbol;
}

std::uint32_t SymbolTable::find(char32_t code_point) const noexcept {
  const auto& page = pages_[code_point / kPage];
  return page ? (*page)[code_point % kPage] : 0;
}

void append_string(std::span<const char32_t> code_points, SymbolTable& symbols,
                   StringColumn& column) {
  for (const char32_t c : code_points) (void)symbols.add(c);
  column.alphabet = symbols.size();
  make_wide_enough(column);
  append_known(code_points, symbols, column);
}

void append_known(std::span<const char32_t> code_points, const SymbolTable& symbols,
                  StringColumn& column) {
  const std::size_t begin = column.symbols.size();
  column.symbols.resize(begin + code_points.size() * column.width);
  std::byte* to = column.symbols.data() + begin;
  if (column.width == 1) {
    append_as<std::uint8_t>(code_points, symbols, to);
  } else if (column.width == 2) {
    append_as<std::uint16_t>(code_points, symbols, to);
  } else {
    append_as<std::uint32_t>(code_points, symbols, to);
  }
  column.starts.push_back(column.starts.back() + code_points.size());
}

std::vector<char32_t> code_points_of(const StringColumn& column, const SymbolTable& symbols,
                                     std::size_t row) {
  const SymbolSpan string = column.row(row);
  std::vector<char32_t> code_points(string.length);
  for (std::size_t i = 0; i < code_points.size(); ++i) {
    std::uint32_t symbol = 0;
    std::memcpy(&symbol, string.data + i * string.width, string.width);
    code_points[i] = symbols.code_point(symbol);
  }
  return code_points;
}

std::string text_of(const StringColumn& column, const SymbolTable& symbols, std::size_t row) {
  return text_of(code_points_of(column, symbols, row));
}

void erase_strings(StringColumn& column, std::span<const RowId> rows) {
  if (rows.empty()) return;
  StringColumn others{column.width, column.alphabet, {0}, {}};
  others.starts.reserve(column.starts.size() - rows.size());
  std::size_t kept_bytes = 0;
  auto next = rows.begin();
  for (std::size_t row = 0; row < column.rows(); ++row) {
    if (next != rows.end() && *next == row) {
      ++next;
      continue;
    }
    const std::string_view bytes = column.row(row).bytes();
    std::memmove(column.symbols.data() + kept_bytes, bytes.data(), bytes.size());
    kept_bytes += bytes.size();
    others.starts.push_back(kept_bytes / column.width);
  }
  column.symbols.resize(kept_bytes);
  column.starts = std::move(others.starts);
}

void require_memory(const StringColumn& column, std::uint64_t copies, std::uint64_t row_bytes,
                    std::uint64_t memory_bytes) {
  // Part of a run's constant memory (MemoryBudget) besides the program itself.
  constexpr std::uint64_t kConstant = std::uint64_t{48} << 20;
  const std::uint64_t bytes =
      (copies + 1) * (column.symbols.size() + column.rows() * 8) + column.rows() * row_bytes;
  const std::uint64_t sorts = MemoryBudget{memory_bytes}.sorts();
  if (bytes <= memory_bytes - sorts + kConstant) return;
  const std::uint64_t enough = (bytes - kConstant) / 3 * 4;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("the strings and their order need {} of memory; --memory is {}",
                          bytes_text(bytes), limit_text(memory_bytes)),
              fmt::format("raise --memory; {} is enough", round_size_text(enough)));
}

StringItems read_strings(const ItemReading& reading, StringForm form,
                         const std::vector<std::string>& inputs) {
  StringItems items;
  StringCollector collector(reading.settings, form, items);
  ItemReading all = reading;
  all.keep_names = false;  // rows are called by their numbers, or have a field that says how
  items.bytes =
      read_item_rows(all, with_listed_paths(reading, inputs), collector.steps()).own_bytes;
  collector.finish();
  return items;
}

}  // namespace sosie
