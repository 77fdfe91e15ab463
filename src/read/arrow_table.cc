// Tables in memory from streams of the Arrow C data interface, checked before use.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "data/owned_arrow.h"
#include "io/file.h"
#include "read/arrow_layout.h"
#include "sosie/columns.h"
#include "sosie/error.h"

namespace sosie {
namespace {

class ArrowTable final : public Table {
 public:
  explicit ArrowTable(ArrowArrayStream& stream) {
    check(stream, stream.get_schema(&stream, &schema_.value));
    describe_columns();
    while (true) {
      auto batch = std::make_unique<OwnedArrow<ArrowArray>>();
      check(stream, stream.get_next(&stream, &batch->value));
      if (batch->value.release == nullptr) break;
      if (batch->value.length > 0) add(std::move(batch));
    }
  }

  [[nodiscard]] std::uint64_t rows() const noexcept override { return rows_; }

  [[nodiscard]] std::vector<std::string> column_names() const override {
    std::vector<std::string> names;
    for (const Column& column : columns_) names.push_back(column.name);
    return names;
  }

  [[nodiscard]] bool holds_text(std::size_t column) const noexcept override {
    const Column& asked = columns_[column];
    const auto layout = asked.dictionary ? asked.dictionary : asked.layout;
    return layout == ArrowLayout::none || (layout && is_text(*layout));
  }

  [[nodiscard]] FieldValue value(std::size_t column, std::uint64_t row) const override {
    const Column& asked = columns_[column];
    if (!asked.layout) return {FieldValue::Kind::other, 0, {}};
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), row);
    const auto batch = static_cast<std::size_t>(after - starts_.begin()) - 1;
    return asked.chunks[batch].value(static_cast<std::int64_t>(row - starts_[batch]));
  }

 private:
  struct Column {
    std::string name;
    std::optional<ArrowLayout> layout;      // nothing: not read here
    std::optional<ArrowLayout> dictionary;  // layout of the values that `layout` indexes
    std::vector<ArrowChunk> chunks;         // one a batch
  };

  static void check(ArrowArrayStream& stream, int error) {
    if (error == 0) return;
    const char* reason = stream.get_last_error(&stream);
    throw Error(ErrorKind::malformed_input,
                fmt::format("the table's stream failed: {}",
                            reason != nullptr ? reason : system_message(error)));
  }

  [[nodiscard]] bool is_struct() const { return std::string_view(schema_.value.format) == "+s"; }

  void describe_columns() {
    const std::int64_t count = is_struct() ? schema_.value.n_children : 1;
    for (std::int64_t i = 0; i < count; ++i) {
      const ArrowSchema& schema = is_struct() ? *schema_.value.children[i] : schema_.value;
      Column& column = columns_.emplace_back();
      if (schema.name != nullptr) column.name = schema.name;
      column.layout = arrow_layout(schema.format);
      if (schema.dictionary == nullptr) continue;
      column.dictionary = arrow_layout(schema.dictionary->format);
      if (!column.dictionary) column.layout.reset();
    }
  }

  void add(std::unique_ptr<OwnedArrow<ArrowArray>> batch) {
    const ArrowArray& array = batch->value;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      const ArrowArray& values = is_struct() ? *array.children[i] : array;
      column.chunks.emplace_back(values, column.layout.value_or(ArrowLayout::none),
                                 is_struct() ? array.offset : 0, column.dictionary);
    }
    starts_.push_back(rows_);
    rows_ += static_cast<std::uint64_t>(array.length);
    batches_.push_back(std::move(batch));
  }

  OwnedArrow<ArrowSchema> schema_;
  std::vector<std::unique_ptr<OwnedArrow<ArrowArray>>> batches_;
  std::vector<Column> columns_;
  std::vector<std::uint64_t> starts_;  // first row of each batch
  std::uint64_t rows_ = 0;
};

}  // namespace

std::shared_ptr<const Table> table_from_arrow(ArrowArrayStream* stream) {
  OwnedArrow<ArrowArrayStream> owned;
  std::swap(owned.value, *stream);
  return std::make_shared<const ArrowTable>(owned.value);
}

}  // namespace sosie
