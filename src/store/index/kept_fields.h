#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// The items in which one field has one value, byte for byte; of a field that a row does not have
// the value is empty.
class FieldFilter {
 public:
  // `where`: "lang=en". Throws Error{invalid_option} for anything else, and for a field that the
  // index does not keep.
  FieldFilter(std::string_view where, const IndexManifest& manifest, const std::string& path);

  // Throws Error{malformed_input} for an item whose fields are damaged.
  [[nodiscard]] bool accepts(const IndexItem& item) const;

 private:
  std::string path_;
  std::size_t field_ = 0;
  std::string value_;
};

// The filter that a run asks for; nothing: it is for all items.
[[nodiscard]] std::optional<FieldFilter> filter_of(const Options& options,
                                                   const IndexManifest& manifest,
                                                   const std::string& path);

}  // namespace sosie
