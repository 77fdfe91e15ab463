#include "pipeline/item_rows.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_set>

#include "pipeline/bad_row.h"
#include "pipeline/corpus.h"
#include "pipeline/row_parsers.h"
#include "read/field_path.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kCheckEvery = 4096;  // rows between looks for a wish to stop

class ItemRowReader {
 public:
  ItemRowReader(const Inputs& inputs, const std::string& column, const ItemRowSteps& steps)
      : inputs_(inputs), steps_(steps), fields_(joined_names(column)) {}

  ItemRows read(ThreadPool& pool) {
    FieldRequest request = inputs_.fields;
    request.others = fields_;
    RowParsers parsers(inputs_, request);
    for (std::uint32_t file = 0; file < inputs_.list.size(); ++file) {
      const Format& format = *inputs_.list[file].format;
      RowStream rows(inputs_.source(file));
      for (RowView row; rows.next(row);) {
        if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
        if (found_.rows % kCheckEvery == 0) pool.check_cancelled();
        add_row(parsers, file, row);
      }
      found_.bytes += inputs_.files[file].size();
    }
    return std::move(found_);
  }

 private:
  void add_row(RowParsers& parsers, std::uint32_t file, const RowView& row) {
    try {
      parsers.parse(file, row.bytes, record_);
      if (inputs_.list[file].format->has_fields) {
        for (std::size_t i = 0; i < fields_.size(); ++i) add_field(i);
      } else {
        steps_.add(record_.text, "the line");
      }
      steps_.end_row();
      if (!inputs_.ids_are_rows) add_id();
    } catch (const RowError& error) {
      throw_bad_row(
          inputs_, {{row.offset, row.length, file}, row.offset + error.offset(), error.what()}, {});
    }
    if (++found_.rows >= kMostRows) throw Error(ErrorKind::limit_exceeded, "more than 2^32 rows");
  }

  void add_field(std::size_t i) {
    if (record_.others[i].kind == FieldValue::Kind::missing) {
      throw RowError(fmt::format("field '{}' is missing", fields_[i]));
    }
    steps_.add(record_.others[i].text, fmt::format("field '{}'", fields_[i]));
  }

  void add_id() {
    if (!known_ids_.emplace(record_.id).second) {
      throw RowError(fmt::format("id '{}' is there twice; --id row numbers the rows", record_.id));
    }
    found_.ids.names.emplace_back(record_.id);
    found_.ids.integers.push_back(record_.id_is_integer);
  }

  const Inputs& inputs_;
  const ItemRowSteps& steps_;
  std::vector<std::string> fields_;
  Record record_;
  ItemRows found_;
  std::unordered_set<std::string> known_ids_;
};

}  // namespace

ItemRows read_item_rows(const Options& options, const std::vector<std::string>& paths,
                        const Settings& settings, ThreadPool& pool, const RunHooks& hooks,
                        const ItemRowSteps& steps) {
  Options without_text = options;
  without_text.inputs = paths;
  without_text.against.clear();
  without_text.files_from.clear();
  without_text.column.clear();
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  const Inputs inputs = open_inputs(without_text, settings, scratch, pool, hooks);
  return ItemRowReader(inputs, options.column, steps).read(pool);
}

}  // namespace sosie
