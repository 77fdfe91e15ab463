// Checks fields named by options and reports misspelt names before work begins.
#include "corpus/asked_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "corpus/items/item_rows.h"
#include "corpus/row_parsers.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Searches the rows of one file after another for fields until all have been seen.
class FieldSearch {
 public:
  FieldSearch(const Inputs& inputs, std::vector<std::string> fields, const ThreadPool& pool)
      : inputs_(inputs), pool_(pool), missing_(std::move(fields)) {}

  void inspect(std::uint32_t file) {
    const Format& format = *inputs_.list[file].format;
    if (format.make_parser == nullptr || missing_.empty()) return;
    if (format.row_ends == RowEnds::cell) {  // a table, which was asked for its columns
      missing_.clear();
      return;
    }
    const std::vector<std::string>& header = inputs_.headers[file].names;
    if (!header.empty()) {
      has_rows_ = true;
      keep_names(header);
      forget_named(header, format.columnar);
    } else if (!format.columnar) {
      inspect_rows(file);
    }
  }

  // True if there are rows and all of them could be searched.
  [[nodiscard]] bool is_certain() const noexcept { return has_rows_ && is_known_; }
  [[nodiscard]] const std::vector<std::string>& missing() const noexcept { return missing_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void keep_names(const std::vector<std::string>& names) {
    if (names_.empty()) names_ = names;
  }

  // `nested`: "a.b" may be inside "a".
  void forget_named(const std::vector<std::string>& names, bool nested) {
    std::erase_if(missing_, [&](const std::string& field) {
      return std::any_of(names.begin(), names.end(),
                         [&](const std::string& name) { return may_lie_in(field, name, nested); });
    });
  }

  void forget_names_in(std::string_view row, const Format& format) {
    if (format.field_names == nullptr) return;
    const std::vector<std::string> names = format.field_names(row, format.dialect);
    keep_names(names);
    forget_named(names, false);
  }

  void inspect_rows(std::uint32_t file) {
    constexpr std::uint64_t kRowsPerCheck = 4096;
    constexpr std::uint64_t kRowsWithNulls = 100;  // a field of nulls is there too
    const Format& format = *inputs_.list[file].format;
    // A line without fields is shown under the name of the text.
    FieldRequest request;
    if (!format.has_fields) request.column = inputs_.fields.column;
    request.others = missing_;
    RowParsers parsers(inputs_, request);
    const std::vector<std::string> asked = missing_;
    RowStream rows(inputs_.source(file));
    std::uint64_t seen = 0;
    Record record;
    for (RowView row; !missing_.empty() && rows.next(row);) {
      if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
      if (++seen % kRowsPerCheck == 0) pool_.check_cancelled();
      has_rows_ = true;
      if (seen <= kRowsWithNulls) forget_names_in(row.bytes, format);
      if (missing_.empty()) return;
      try {
        parsers.parse(file, row.bytes, record);
      } catch (const RowError&) {
        is_known_ = false;  // its fields are unknown; the run itself reports the row
        continue;
      }
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (record.others[i].kind != FieldValue::Kind::missing) std::erase(missing_, asked[i]);
      }
    }
  }

  const Inputs& inputs_;
  const ThreadPool& pool_;
  std::vector<std::string> missing_;
  std::vector<std::string> names_;  // names in the first row that has some
  bool has_rows_ = false;
  bool is_known_ = true;
};

template <class IsAsked>
FieldSearch search_files(const Inputs& inputs, std::vector<std::string> fields,
                         const IsAsked& is_asked, const ThreadPool& pool) {
  FieldSearch search(inputs, std::move(fields), pool);
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    if (is_asked(file)) search.inspect(file);
  }
  return search;
}

void refuse_missing(std::string_view option, const FieldSearch& search) {
  if (!search.is_certain() || search.missing().empty()) return;
  const std::string field = unescaped_name(search.missing().front());
  const std::vector<std::string_view> names(search.names().begin(), search.names().end());
  const std::string_view nearest = nearest_name(field, names);
  throw Error(ErrorKind::malformed_input, RefusedOption{std::string(option)},
              fmt::format("no row has the field '{}'", field),
              names.empty()
                  ? "rows of this format have no fields"
                  : fmt::format("{}available fields: {}",
                                nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                                joined_text(names, ", ")));
}

void require_fields(const Inputs& inputs, std::string_view option,
                    const std::vector<std::string>& fields, std::uint32_t first_file,
                    const ThreadPool& pool) {
  if (fields.empty()) return;
  const auto is_asked = [&](std::uint32_t file) { return file >= first_file; };
  refuse_missing(option, search_files(inputs, fields, is_asked, pool));
}

// Checks compared fields whose absence cannot be seen from a single row: a row may lack some of
// several joined fields, and a row that lacks all of them may be left out or passed through.
void require_compared_fields(const Inputs& inputs, const std::vector<std::string>& item_fields,
                             bool stops, const ThreadPool& pool) {
  const auto column_of = [&](std::uint32_t file) -> const std::string& {
    return inputs.list[file].told.column;
  };
  if (!item_fields.empty() && item_fields.front() == kEveryField) return;
  std::set<std::string> known;
  for (std::uint32_t first = 0; first < inputs.list.size(); ++first) {
    const std::string& column = column_of(first);
    if (!known.insert(column).second) continue;
    const bool is_text = !inputs.fields.column.empty();
    const std::vector<std::string> names =
        column.empty() && !is_text ? item_fields : joined_names(column);
    if (names.empty() || names.front() == kEveryField) continue;
    const auto is_asked = [&](std::uint32_t file) {
      return column_of(file) == column && inputs.list[file].format->has_fields;
    };
    const FieldSearch parts = search_files(inputs, names, is_asked, pool);
    const auto first_row_tells = [&] {
      // If no row has any of them, the first row is rejected, with its place.
      return !is_text || parts.missing().size() == names.size() ||
             search_files(inputs, {column}, is_asked, pool).missing().empty();
    };
    if (parts.missing().empty() || (stops && first_row_tells())) continue;
    refuse_missing(inputs.list[first].told.option("column").substr(2), parts);
  }
}

}  // namespace

void require_asked_fields(const Inputs& inputs, const Settings& settings, const ThreadPool& pool,
                          const std::vector<std::string>& item_fields) {
  if (inputs.grouped) return;
  require_compared_fields(inputs, item_fields, settings.bad_rows == BadRows::stop, pool);
  std::vector<std::string> ranked_by;
  for (const KeepRule& rule : settings.keep) {
    if (!rule.field.empty()) ranked_by.push_back(rule.field);
  }
  require_fields(inputs, "keep", ranked_by, inputs.first_own_file, pool);
  require_fields(inputs, "show", settings.show, 0, pool);
}

}  // namespace sosie
