// Fields of rows that an index on disk stores.
#include "store/index/kept_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "options/bounds.h"
#include "read/field_paths.h"
#include "sosie/error.h"
#include "store/index/index_item.h"
#include "store/index/index_marks.h"
#include "store/index_options.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

constexpr std::string_view kFieldsOption = "fields";

std::vector<std::string> names_of_fields(const SketchContents& contents) {
  const std::string fields = kept_fields(contents);
  return fields.empty() ? std::vector<std::string>() : joined_names(fields);
}

}  // namespace

std::string kept_fields(const SketchContents& contents) {
  for (const auto& [name, value] : contents.options) {
    if (name == kFieldsOption) return value;
  }
  return {};
}

std::string fields_to_keep(const Options& options) {
  std::string fields = given_value(options, kFieldsOption);
  if (fields.empty()) return fields;
  const std::vector<std::string> names = joined_names(fields);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (!name->empty() && std::find(names.begin(), name, *name) == name) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(kFieldsOption), fields},
                name->empty() ? "a name is empty" : fmt::format("names '{}' twice", *name));
  }
  return fields;
}

void set_kept_fields(const std::string& fields, SketchContents& contents) {
  if (!fields.empty()) contents.options.emplace_back(kFieldsOption, fields);
}

void expect_kept_fields(const Options& options, const IndexManifest& manifest,
                        const std::string& path) {
  const std::string made = kept_fields(manifest.contents);
  const std::string given = given_value(options, kFieldsOption);
  if (given.empty() || given == made) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(kFieldsOption), given},
              fmt::format("{} was built with {}", path, shown_value(made)),
              "omit it, or build another index with it");
}

std::string pack_fields(std::span<const std::string> values) {
  std::string out;
  for (const std::string& value : values) {
    put_number(value.size(), out);
    out += value;
  }
  return out;
}

FieldsOfItems::FieldsOfItems(const RefusedOption& option, std::vector<std::string> names,
                             const IndexManifest& manifest, const std::string& path)
    : path_(path), names_(std::move(names)) {
  const std::vector<std::string> kept = names_of_fields(manifest.contents);
  for (const std::string& name : names_) {
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const std::string& each) {
      return each == name || unescaped_name(each) == name;
    });
    positions_.push_back(static_cast<std::size_t>(found - kept.begin()));
    if (found != kept.end()) continue;
    const std::vector<std::string_view> known(kept.begin(), kept.end());
    const std::string_view nearest = nearest_name(name, known);
    throw Error(
        ErrorKind::invalid_option, option,
        fmt::format("{} does not store the field '{}'", path, name),
        kept.empty()
            ? "sosie index build --fields FIELD,... stores fields"
            : fmt::format("{}it stores: {}",
                          nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                          joined_text(kept, ", ")));
  }
}

std::string_view FieldsOfItems::value(const IndexItem& item, std::size_t field) const {
  ItemBytes values(item.fields);
  for (std::size_t i = 0; i < positions_[field]; ++i) (void)values.bytes(values.number());
  const std::string_view value = values.bytes(values.number());
  if (values.is_right()) return value;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: the fields of item '{}' are damaged", path_, item.name()),
              std::string(kIndexHint));
}

FieldFilter::FieldFilter(std::string_view where, const IndexManifest& manifest,
                         const std::string& path) {
  const RefusedOption option{"where", std::string(where)};
  const std::size_t sign = where.find('=');
  if (sign == std::string_view::npos || sign == 0) {
    throw Error(ErrorKind::invalid_option, option, "is not FIELD=VALUE");
  }
  field_ = FieldsOfItems(option, {std::string(where.substr(0, sign))}, manifest, path);
  value_ = where.substr(sign + 1);
}

std::optional<FieldFilter> filter_of(const Options& options, const IndexManifest& manifest,
                                     const std::string& path) {
  if (!is_given(options, "where")) return std::nullopt;
  return FieldFilter(given_value(options, "where"), manifest, path);
}

}  // namespace sosie
