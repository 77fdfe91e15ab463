// Items of an index of vectors, bit strings or strings as rows of a file in memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/count_text.h"
#include "core/size_text.h"
#include "data/kinds.h"
#include "options/bounds.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/index/kept_fields.h"
#include "store/index/recorded_bits.h"
#include "store/index_options.h"
#include "store/sketch_options.h"
#include "verbs/index/item_index_run.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::size_t kItemWord = sizeof(std::uint64_t);
constexpr std::array<std::size_t, 4> kComponentBytes = {1, 1, 4, 8};  // see item_index_rows.cc
constexpr std::uint64_t kDouble = 3;

// The payload of an item as a field of a row.
class ItemText {
 public:
  explicit ItemText(const IndexView& index)
      : index_(index),
        kind_(kind_called(made_with(index.manifest().contents, "kind"))),
        dimension_(index.manifest().contents.dimension) {}

  // The component type of a vector (see item_index_rows.cc), and its components.
  [[nodiscard]] std::pair<std::uint64_t, std::string_view> components(const IndexItem& item) const {
    const std::string_view payload = item.elements;
    const std::uint64_t type = first_word(payload, item);
    if (type >= kComponentBytes.size() ||
        payload.size() !=
            (dimension_ * kComponentBytes[type] + 2 * kItemWord - 1) / kItemWord * kItemWord) {
      refuse(item);
    }
    return {type, payload.substr(kItemWord, dimension_ * kComponentBytes[type])};
  }

  // A vector's components converted to this type; empty if the type cannot represent all of them.
  // Valid until the next item is converted.
  std::optional<std::string_view> components_as(std::uint64_t wanted, const IndexItem& item) {
    const auto [type, bytes] = components(item);
    if (type == wanted) return bytes;
    return converted(type, bytes, wanted);
  }

  // Components of many vectors as doubles; `capacity` bytes are reserved, so that they are not
  // moved.
  std::string doubles_of(std::uint64_t type, std::string_view components, std::uint64_t capacity) {
    const std::size_t row = dimension_ * kComponentBytes[type];
    std::string doubles;
    doubles.reserve(std::max<std::uint64_t>(
        capacity, components.size() / row * dimension_ * kComponentBytes[kDouble]));
    for (std::size_t at = 0; at < components.size(); at += row) {
      doubles += converted(type, components.substr(at, row), kDouble).value();
    }
    return doubles;
  }

  // Valid until the next call.
  std::string_view of(const IndexItem& item) {
    text_.clear();
    const std::string_view payload = item.elements;
    if (kind_ == kBitItems) {
      append_hex(payload, item);
    } else if (kind_ == kVectorItems) {
      append_numbers(item);
    } else {
      const std::uint64_t size = first_word(payload, item);
      if (size > payload.size() - kItemWord) refuse(item);
      text_ = payload.substr(kItemWord, size);
    }
    return text_;
  }

 private:
  [[noreturn]] void refuse(const IndexItem& item) const {
    throw Error(
        ErrorKind::malformed_input,
        fmt::format("{}: item '{}' is not of the kind of the index", index_.path(), item.name()),
        std::string(kIndexHint));
  }

  [[nodiscard]] std::uint64_t first_word(std::string_view payload, const IndexItem& item) const {
    if (payload.size() < kItemWord) refuse(item);
    std::uint64_t word = 0;
    std::memcpy(&word, payload.data(), kItemWord);
    return word;
  }

  // A vector's components converted to type `wanted`; empty if that type cannot represent all of
  // them. Valid until the next item is converted.
  std::optional<std::string_view> converted(std::uint64_t type, std::string_view components,
                                            std::uint64_t wanted) {
    text_.resize(dimension_ * kComponentBytes[wanted]);
    bool fits = true;
    if (wanted == 0) fits = convert_to<std::int8_t>(type, components.data());
    if (wanted == 1) fits = convert_to<std::uint8_t>(type, components.data());
    if (wanted == 2) fits = convert_to<float>(type, components.data());
    if (wanted == kDouble) fits = convert_to<double>(type, components.data());
    if (!fits) return std::nullopt;
    return text_;
  }

  // Returns false if the type cannot represent a component.
  template <class T>
  [[nodiscard]] bool convert_to(std::uint64_t type, const char* components) {
    bool fits = true;
    char* out = text_.data();
    for_each_component(type, components, [&](double value) {
      const bool is_in_range = std::is_same_v<T, double> ||
                               (value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                                value <= static_cast<double>(std::numeric_limits<T>::max()));
      const T component = is_in_range ? static_cast<T>(value) : T{};
      std::memcpy(out, &component, sizeof component);
      out += sizeof component;
      fits = fits && (std::is_same_v<T, double> || static_cast<double>(component) == value);
    });
    return fits;
  }

  void append_hex(std::string_view payload, const IndexItem& item) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (payload.size() != (dimension_ + 63) / 64 * kItemWord) refuse(item);
    for (std::uint64_t digit = 0; digit < dimension_ / 4; ++digit) {
      const auto byte = static_cast<unsigned char>(payload[digit / 2]);
      text_ += kDigits[digit % 2 == 0 ? byte & 15U : byte >> 4U];
    }
  }

  void append_numbers(const IndexItem& item) {
    const auto [type, bytes] = components(item);
    text_ += '[';
    for_each_component(type, bytes.data(), [&](double component) {
      if (text_.size() > 1) text_ += ',';
      text_ += fmt::format("{}", component);
    });
    text_ += ']';
  }

  template <class Each>
  void for_each_component(std::uint64_t type, const char* components, const Each& each) const {
    if (type == 0) for_each_of<std::int8_t>(components, each);
    if (type == 1) for_each_of<std::uint8_t>(components, each);
    if (type == 2) for_each_of<float>(components, each);
    if (type == kDouble) for_each_of<double>(components, each);
  }

  template <class T, class Each>
  void for_each_of(const char* components, const Each& each) const {
    for (std::uint64_t i = 0; i < dimension_; ++i) {
      T component{};
      std::memcpy(&component, components + i * sizeof component, sizeof component);
      each(static_cast<double>(component));
    }
  }

  const IndexView& index_;
  KindBit kind_;
  std::uint64_t dimension_;
  std::string text_;
};

// The form in which items become rows. An array has the component type of the first item, or
// doubles if that type cannot represent the values of other items, which were read from JSON.
enum class RowForm : std::uint8_t { text, array };

class ItemCollector {
 public:
  ItemCollector(const IndexView& index, RowForm form,
                std::uint64_t memory_bytes = ~std::uint64_t{0},
                std::optional<FieldFilter> where = {}, const std::string& show = {})
      : index_(index),
        form_(form),
        memory_bytes_(memory_bytes),
        where_(std::move(where)),
        text_(index),
        column_(made_with(index.manifest().contents, "column")),
        rows_(std::make_shared<ItemsAsFile>(
            index.path(), ItemsAsFile::Whole{index.items(), index.bytes(),
                                             recorded_bits(index.manifest().contents)})) {
    if (column_.empty()) column_ = Options{}.column;
    if (show.empty()) return;
    shown_ = joined_names(show);
    std::vector<std::string> kept = shown_;
    std::erase(kept, column_);
    fields_ = FieldsOfItems({"show", show}, kept, index.manifest(), index.path());
  }

  // Items without content match nothing and are left out.
  void add(const IndexItem& item) {
    if (item.size == 0 || (where_ && !where_->accepts(item))) return;
    if (form_ == RowForm::text) {
      const std::string_view text = text_.of(item);
      rows_->add(item.number, item.name(), item.name_is_integer(), text, shown_of(item, text));
    } else {
      add_vector(item);
    }
    if (rows_->bytes() > memory_bytes_ / 2)
      refuse_size();  // the other half is for data derived from items
  }

  [[nodiscard]] std::shared_ptr<const ItemsAsFile> take() && {
    if (type_) {
      rows_->end_array(static_cast<ItemArray::Type>(*type_), index_.manifest().contents.dimension);
    }
    return std::move(rows_);
  }

 private:
  // The fields to show; one of them may be the compared field.
  [[nodiscard]] ItemsAsFile::Fields shown_of(const IndexItem& item, std::string_view text) const {
    ItemsAsFile::Fields fields;
    std::size_t kept = 0;
    for (const std::string& name : shown_) {
      fields.emplace_back(name, name == column_ ? text : fields_.value(item, kept++));
    }
    return fields;
  }

  void add_vector(const IndexItem& item) {
    if (!type_) type_ = text_.components(item).first;
    std::optional<std::string_view> components = text_.components_as(*type_, item);
    if (!components) {
      rows_->replace_components(
          text_.doubles_of(*type_, rows_->components(), capacity_for(kDouble)));
      type_ = kDouble;
      components = text_.components_as(kDouble, item);
    }
    if (rows_->numbers().empty()) rows_->reserve(capacity_for(*type_));
    rows_->add_vector(item.number, item.name(), item.name_is_integer(), *components);
  }

  // Size of all components in the index, if memory is limited.
  [[nodiscard]] std::uint64_t capacity_for(std::uint64_t type) const {
    if (memory_bytes_ == ~std::uint64_t{0}) return 0;
    return std::min(index_.items() * index_.manifest().contents.dimension * kComponentBytes[type],
                    memory_bytes_ / 2);
  }

  [[noreturn]] void refuse_size() const {
    const double an_item =
        static_cast<double>(rows_->bytes()) / static_cast<double>(rows_->numbers().size());
    const auto bytes =
        static_cast<std::uint64_t>(an_item * static_cast<double>(rows_->whole().items));
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("{}: its items need about {} of memory as rows; --memory is {}",
                            index_.path(), bytes_text(bytes), limit_text(memory_bytes_)),
                "raise --memory above " + round_size_text(2 * bytes));
  }

  const IndexView& index_;
  RowForm form_;
  std::uint64_t memory_bytes_;
  std::optional<FieldFilter> where_;
  ItemText text_;
  std::string column_;                 // the item's field
  std::vector<std::string> shown_;     // names of fields
  FieldsOfItems fields_;               // the other fields
  std::optional<std::uint64_t> type_;  // type of an array's components
  std::shared_ptr<ItemsAsFile> rows_;
};

// Passes items to a collector through each(): vectors as an array, unless a field is requested;
// other items as text.
template <class Each>
std::shared_ptr<const ItemsAsFile> collected(const IndexView& index, const Options& options,
                                             std::uint64_t memory_bytes, const Each& each) {
  const bool is_array = kind_called(made_with(index.manifest().contents, "kind")) == kVectorItems &&
                        !is_given(options, "keep") && !is_given(options, "show");
  ItemCollector collector(index, is_array ? RowForm::array : RowForm::text, memory_bytes,
                          filter_of(options, index.manifest(), index.path()), options.show);
  each(collector);
  return std::move(collector).take();
}

}  // namespace

std::shared_ptr<const ItemsAsFile> all_items(const IndexView& index, const Options& options,
                                             std::uint64_t first) {
  return collected(index, options, resolve_run(options).memory_bytes, [&](ItemCollector& rows) {
    index.for_each([&](const IndexItem& item) { rows.add(item); }, first);
  });
}

std::shared_ptr<const ItemsAsFile> items_near(const IndexView& index, const Options& options,
                                              const RunHooks& hooks) {
  const IndexManifest& manifest = index.manifest();
  // With the bound implied by --top, an audit or a stream, any item may be needed.
  const bool may_be_any =
      manifest.keys == IndexKeys::none || asks_for_nearest(options) || options.audit > 0 ||
      options.table != nullptr || !options.files_from.empty() ||
      std::find(options.inputs.begin(), options.inputs.end(), "-") != options.inputs.end();
  if (may_be_any) return all_items(index, options);
  constexpr std::uint64_t kMostShare = 8;  // look-ups of more rows than this share read most items
  ReadItems asked(options, hooks);
  if (asked.rows() > 64 && asked.rows() > index.items() / kMostShare) {
    return all_items(index, options);
  }
  const std::uint64_t dimension = asked.dimension();
  if (dimension != 0 && dimension != manifest.contents.dimension) {
    return all_items(index, options);
  }
  std::vector<ItemPlace> near;
  std::vector<ItemPlace> found;
  IndexBuffer buffer;
  asked.for_each(manifest, [&](ReadItems::Item& item) {
    if (item.keys.empty()) return;
    index.find(item.keys, buffer, found);
    near.insert(near.end(), found.begin(), found.end());
  });
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return collected(index, options, ~std::uint64_t{0}, [&](ItemCollector& rows) {
    for (const ItemPlace& place : near) rows.add(index.item(place, buffer));
  });
}

std::shared_ptr<const ItemsAsFile> items_at(const IndexView& index,
                                            std::span<const ItemPlace> places) {
  ItemCollector collected(index, RowForm::text);
  IndexBuffer buffer;
  for (const ItemPlace& place : places) collected.add(index.item(place, buffer));
  return std::move(collected).take();
}

}  // namespace sosie
