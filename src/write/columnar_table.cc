// Writes tables of cells as Parquet or Arrow files through TableFiles.
#include "write/columnar_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>
#include <stdexcept>

#include "core/append_readable.h"
#include "data/owned_arrow.h"
#include "data/table_note.h"
#include "sosie/error.h"
#include "write/require_utf8.h"

namespace sosie {
namespace {

constexpr std::uint64_t kFlushBytes = std::uint64_t{4} << 20;

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE

void push_bit(std::vector<std::uint8_t>& bits, std::uint64_t position, bool value) {
  if (position % 8 == 0) bits.push_back(0);
  if (value) bits.back() = static_cast<std::uint8_t>(bits.back() | 1U << position % 8);
}

bool fits_64_bits(std::string_view integer) noexcept {
  std::int64_t value = 0;
  return std::from_chars(integer.data(), integer.data() + integer.size(), value).ec == std::errc{};
}

std::int64_t integer_in(const Cell& cell) {
  if (const auto* number = std::get_if<std::uint64_t>(&cell)) {
    return static_cast<std::int64_t>(*number);
  }
  const std::string_view text = std::get<IdText>(cell).text;
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Text columns are UTF-8.
void append_text(const Cell& cell, std::string& out) {
  if (const auto* id = std::get_if<IdText>(&cell)) {
    require_utf8(cell, "a columnar file");
    out += id->text;
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    append_readable(*text, out);
  } else {
    out += std::to_string(std::get<std::uint64_t>(cell));
  }
}

// Schemas and arrays share one block of memory, which the outermost of them owns.
template <typename T>
struct Tree {
  std::vector<std::string> names;
  std::vector<T> children;
  std::vector<T*> pointers;
};

template <typename T>
void hand_out(std::unique_ptr<T> own, auto* out) {
  out->n_children = static_cast<std::int64_t>(own->children.size());
  for (auto& child : own->children) {
    child.release = [](auto* self) { self->release = nullptr; };
    own->pointers.push_back(&child);
  }
  out->children = own->pointers.data();
  out->private_data = own.release();
  out->release = [](auto* self) {
    const std::unique_ptr<T> done(static_cast<T*>(self->private_data));
    self->release = nullptr;
  };
}

}  // namespace

struct CellColumns::Batch : Tree<ArrowArray> {
  std::vector<Column> columns;
  std::vector<std::array<const void*, 3>> buffers;
  const void* none = nullptr;
};

CellColumns::CellColumns(const std::vector<std::string>& names) : columns_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) columns_[i].name = names[i];
}

CellColumns::Type CellColumns::type_of(const Cell& cell) noexcept {
  if (const auto* id = std::get_if<IdText>(&cell)) {
    return id->is_integer && fits_64_bits(id->text) ? Type::integer : Type::text;
  }
  if (std::holds_alternative<std::uint64_t>(cell)) return Type::integer;
  if (std::holds_alternative<Decimal>(cell)) return Type::number;
  return std::holds_alternative<bool>(cell) ? Type::flag : Type::text;
}

void CellColumns::push(Column& column, bool valid) {
  push_bit(column.validity, column.length, valid);
  if (!valid) ++column.nulls;
  ++column.length;
}

void CellColumns::integers_to_texts(Column& column) {
  for (std::size_t i = 0; i < column.integers.size(); ++i) {
    if ((column.validity[i / 8] >> i % 8 & 1) != 0) {
      column.texts += std::to_string(column.integers[i]);
    }
    column.integers[i] = static_cast<std::int64_t>(column.texts.size());
  }
  column.type = Type::text;
}

void CellColumns::settle(Column& column, Type type) const {
  if (column.type == type) return;
  if (settled_) {
    throw Error(ErrorKind::unsupported,
                fmt::format("column '{}' would hold numbers and texts", column.name),
                "name a .tsv, .csv or .jsonl file, which can");
  }
  if (column.type == Type::integer && type == Type::text) {
    integers_to_texts(column);
    return;
  }
  column.type = type;  // only nulls so far
  if (type == Type::number) column.numbers.resize(column.length);
  if (type == Type::flag) column.flags.resize((column.length + 7) / 8);
  if (type == Type::integer || type == Type::text) column.integers.resize(column.length);
}

void CellColumns::add(std::size_t number, const Cell& cell) {
  Column& column = columns_[number];
  const auto* text = std::get_if<std::string_view>(&cell);
  if (column.type != Type::text && text != nullptr && text->empty()) {
    add_null(number);
    return;
  }
  const Type type = type_of(cell);
  const bool as_text = column.type == Type::text && type == Type::integer;
  settle(column, as_text ? Type::text : type);
  switch (column.type) {
    case Type::integer:
      column.integers.push_back(integer_in(cell));
      break;
    case Type::number:
      column.numbers.push_back(std::get<Decimal>(cell).value);
      break;
    case Type::flag:
      push_bit(column.flags, column.length, std::get<bool>(cell));
      break;
    default:
      append_text(cell, column.texts);
      column.integers.push_back(static_cast<std::int64_t>(column.texts.size()));
  }
  push(column, true);
}

void CellColumns::add_null(std::size_t number) {
  Column& column = columns_[number];
  if (column.type == Type::integer) column.integers.push_back(0);
  if (column.type == Type::text) {
    column.integers.push_back(static_cast<std::int64_t>(column.texts.size()));
  }
  if (column.type == Type::number) column.numbers.push_back(0);
  if (column.type == Type::flag) push_bit(column.flags, column.length, false);
  push(column, false);
}

std::uint64_t CellColumns::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const Column& column : columns_) sum += column.length * sizeof(double) + column.texts.size();
  return sum;
}

void CellColumns::schema(ArrowSchema* out) {
  settled_ = true;
  auto own = std::make_unique<Tree<ArrowSchema>>();
  own->children.resize(columns_.size());
  own->names.reserve(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].type == Type::unknown) {
      columns_[i].type = Type::text;
      columns_[i].integers.resize(columns_[i].length);
    }
    constexpr std::array<const char*, 5> kFormats = {"", "U", "l", "g", "b"};
    ArrowSchema& schema = own->children[i];
    schema.format = kFormats[static_cast<std::size_t>(columns_[i].type)];
    schema.name = own->names.emplace_back(columns_[i].name).c_str();
    schema.flags = kNullable;
  }
  *out = ArrowSchema{};
  out->format = "+s";
  out->name = "";
  hand_out(std::move(own), out);
}

void CellColumns::take(ArrowArray* out) {
  auto own = std::make_unique<Batch>();
  const std::uint64_t length = rows();
  for (Column& column : columns_) {
    Column empty;
    empty.name = column.name;
    empty.type = column.type;
    std::swap(column, empty);
    if (empty.type == Type::text) empty.integers.insert(empty.integers.begin(), 0);
    own->columns.push_back(std::move(empty));
  }
  own->children.resize(columns_.size());
  own->buffers.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = own->columns[i];
    const void* values = column.integers.data();
    if (column.type == Type::number) values = column.numbers.data();
    if (column.type == Type::flag) values = column.flags.data();
    own->buffers[i] = {column.validity.data(), values, column.texts.data()};
    ArrowArray& array = own->children[i];
    array.length = static_cast<std::int64_t>(column.length);
    array.null_count = static_cast<std::int64_t>(column.nulls);
    array.n_buffers = column.type == Type::text ? 3 : 2;
    array.buffers = own->buffers[i].data();
  }
  *out = ArrowArray{};
  out->length = static_cast<std::int64_t>(length);
  out->n_buffers = 1;
  out->buffers = &own->none;
  hand_out(std::move(own), out);
}

struct ColumnarOutput::State {
  OutputFile* file;
  std::exception_ptr failed = {};

  void guard(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failed = std::current_exception();
      throw std::runtime_error("stopped");  // unwinds through the writer
    }
  }
};

ColumnarOutput::ColumnarOutput(OutputFile& file, std::string name)
    : state_(std::make_shared<State>(State{&file})), name_(std::move(name)) {}

ColumnarOutput::~ColumnarOutput() { state_->file = nullptr; }

WriteBytes ColumnarOutput::sink() {
  return [state = state_](std::string_view bytes) {
    if (state->file == nullptr || state->failed != nullptr) throw std::runtime_error("stopped");
    state->guard([&] { state->file->write(bytes); });
  };
}

void ColumnarOutput::guard(const std::function<void()>& work) { state_->guard(work); }

void ColumnarOutput::step(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (state_->failed != nullptr) std::rethrow_exception(state_->failed);
    throw Error(ErrorKind::io, fmt::format("{}: {}", name_, error.what()));
  }
  if (state_->failed != nullptr) std::rethrow_exception(state_->failed);
}

ColumnarTable::ColumnarTable(const TableFiles& files, std::string_view format,
                             const std::vector<std::string>& columns, OutputFile& file,
                             const std::string& name)
    : files_(files), format_(format), output_(file, name), columns_(columns) {}

void ColumnarTable::set_note(std::string_view note) {
  metadata_.clear();
  if (note.empty()) return;
  const auto add_number = [&](std::size_t number) {
    const auto value = static_cast<std::int32_t>(number);
    metadata_.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add_number(1);  // key-value pair
  for (const std::string_view text : {kTableNoteKey, note}) {
    add_number(text.size());
    metadata_ += text;
  }
}

void ColumnarTable::row(std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) columns_.add(i, cells[i]);
  if (columns_.bytes() >= kFlushBytes) flush();
}

void ColumnarTable::flush() {
  output_.step([&] {
    if (!writer_) {
      OwnedArrow<ArrowSchema> schema;
      columns_.schema(&schema.value);
      if (!metadata_.empty()) schema.value.metadata = metadata_.data();
      writer_ = files_.write(format_, &schema.value, output_.sink());
    }
    OwnedArrow<ArrowArray> batch;
    columns_.take(&batch.value);
    writer_->append(&batch.value);
  });
}

void ColumnarTable::finish() {
  flush();
  output_.step([&] { writer_->finish(); });
}

}  // namespace sosie
