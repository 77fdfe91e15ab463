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

// Additional fields that an index stores for its items (--fields), so that look-ups can be
// restricted to some of them (--where).

// Names of these fields as written, "lang,year"; empty: none.
[[nodiscard]] std::string kept_fields(const SketchContents& contents);
// Names of the fields that a new index keeps. Throws Error{invalid_option} for an empty or repeated
// name.
[[nodiscard]] std::string fields_to_keep(const Options& options);
// Records them in a new index.
void set_kept_fields(const std::string& fields, SketchContents& contents);
// Throws Error{invalid_option} with both values if the options name fields other than those kept.
void expect_kept_fields(const Options& options, const IndexManifest& manifest,
                        const std::string& path);

// Values of the fields of a row in the form of IndexItem::fields.
[[nodiscard]] std::string pack_fields(std::span<const std::string> values);

// Some of the fields that an index keeps.
class FieldsOfItems {
 public:
  // No fields.
  FieldsOfItems() = default;
  // `option`: the option that names them. Throws Error{invalid_option} for a field that the index
  // does not keep.
  FieldsOfItems(const RefusedOption& option, std::vector<std::string> names,
                const IndexManifest& manifest, const std::string& path);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  // Value of a field, by its position in names(). Throws Error{malformed_input} for an item with
  // damaged fields.
  [[nodiscard]] std::string_view value(const IndexItem& item, std::size_t field) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::size_t> positions_;  // among the fields that the index keeps
};

// Selects the items in which a field has a given value, byte for byte. If a row lacks the field,
// its value is empty.
class FieldFilter {
 public:
  // `where`: "lang=en". Throws Error{invalid_option} for anything else, and for a field that the
  // index does not keep.
  FieldFilter(std::string_view where, const IndexManifest& manifest, const std::string& path);

  // Throws as FieldsOfItems::value() does.
  [[nodiscard]] bool accepts(const IndexItem& item) const {
    return field_.value(item, 0) == value_;
  }

 private:
  FieldsOfItems field_;
  std::string value_;
};

// The filter requested for a run; nullopt: all items.
[[nodiscard]] std::optional<FieldFilter> filter_of(const Options& options,
                                                   const IndexManifest& manifest,
                                                   const std::string& path);

}  // namespace sosie
