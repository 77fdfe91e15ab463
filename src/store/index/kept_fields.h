#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/error.h"
#include "sosie/options.h"
#include "store/index/index_item.h"
#include "store/index/index_manifest.h"

namespace sosie {

// Fields besides the item itself that an index keeps of its rows (--fields), so that look-ups can
// be for some of its items alone (--where).

// Names of them as they are written, "lang,year"; empty: none.
[[nodiscard]] std::string kept_fields(const SketchContents& contents);
// Names of the fields that a new index shall keep. Throws Error{invalid_option} for an empty or
// repeated one.
[[nodiscard]] std::string fields_to_keep(const Options& options);
// Notes them in a new index.
void set_kept_fields(const std::string& fields, SketchContents& contents);
// Throws Error{invalid_option} with both values if options say others than the index keeps.
void expect_kept_fields(const Options& options, const IndexManifest& manifest,
                        const std::string& path);

// Values of the fields of a row, as IndexItem::fields holds them.
[[nodiscard]] std::string pack_fields(std::span<const std::string> values);

// Some of the fields that an index keeps.
class FieldsOfItems {
 public:
  // None.
  FieldsOfItems() = default;
  // `option`: what the names are said by. Throws Error{invalid_option} for a field that the index
  // does not keep.
  FieldsOfItems(const RefusedOption& option, std::vector<std::string> names,
                const IndexManifest& manifest, const std::string& path);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  // Value of a field, by its position in names(). Throws Error{malformed_input} for an item whose
  // fields are damaged.
  [[nodiscard]] std::string_view value(const IndexItem& item, std::size_t field) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::size_t> positions_;  // among the fields that the index keeps
};

// The items in which one field has one value, byte for byte; of a field that a row does not have
// the value is empty.
class FieldFilter {
 public:
  // `where`: "lang=en". Throws Error{invalid_option} for anything else, and for a field that the
  // index does not keep.
  FieldFilter(std::string_view where, const IndexManifest& manifest, const std::string& path);

  // Throws as FieldsOfItems::value().
  [[nodiscard]] bool accepts(const IndexItem& item) const {
    return field_.value(item, 0) == value_;
  }

 private:
  FieldsOfItems field_;
  std::string value_;
};

// The filter that a run asks for; nothing: it is for all items.
[[nodiscard]] std::optional<FieldFilter> filter_of(const Options& options,
                                                   const IndexManifest& manifest,
                                                   const std::string& path);

}  // namespace sosie
