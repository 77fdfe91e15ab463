#include "corpus/item_rows.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_set>

#include "corpus/asked_fields.h"
#include "corpus/bad_row.h"
#include "corpus/given_ids.h"
#include "corpus/ranking.h"
#include "corpus/row_parsers.h"
#include "read/field_path.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kCheckEvery = 4096;  // rows between looks for a wish to stop

class ItemRowReader {
 public:
  // `corpus` may be null.
  ItemRowReader(const Inputs& inputs, const std::string& column, const ItemRowSteps& steps,
                Corpus* corpus)
      : inputs_(inputs), steps_(steps), fields_(joined_names(column)), corpus_(corpus) {}

  ItemRows read(ThreadPool& pool) {
    FieldRequest request = inputs_.fields;
    request.others = fields_;
    const auto& ranked_by = inputs_.fields.others;
    request.others.insert(request.others.end(), ranked_by.begin(), ranked_by.end());
    RowParsers parsers(inputs_, request);
    for (std::uint32_t file = 0; file < inputs_.list.size(); ++file) {
      if (file == inputs_.first_own_file) known_ids_.clear();
      if (corpus_ != nullptr) begin_file(inputs_, file, *corpus_);
      const Format& format = *inputs_.list[file].format;
      RowStream rows(inputs_.source(file));
      for (RowView row; rows.next(row);) {
        if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
        if (found_.rows % kCheckEvery == 0) pool.check_cancelled();
        add_row(parsers, file, row);
      }
      if (file >= inputs_.first_own_file) found_.own_bytes += inputs_.files[file].size();
    }
    return std::move(found_);
  }

 private:
  void add_row(RowParsers& parsers, std::uint32_t file, const RowView& row) {
    try {
      parsers.parse(file, row.bytes, record_);
      take_item(record_, *inputs_.list[file].format, fields_, steps_);
      if (!inputs_.numbers_rows_of(file)) {
        add_id(file < inputs_.first_own_file ? found_.against_ids : found_.ids);
      }
      if (corpus_ != nullptr) {
        add_place({row.offset, row.length, file}, *corpus_);
        add_rank_values();
      }
    } catch (const RowError& error) {
      throw_bad_row(inputs_,
                    {{row.offset, row.length, file}, row.offset + error.offset(), error.what()},
                    hint_for_item(error.what(), row.bytes));
    }
    if (++found_.rows >= kMostRows) throw Error(ErrorKind::limit_exceeded, "more than 2^32 rows");
  }

  void add_rank_values() {
    for (std::size_t i = fields_.size(); i < record_.others.size(); ++i) {
      corpus_->blocks.back().rank_values.push_back(rank_value_of(record_.others[i]));
    }
  }

  void add_id(ItemIds& ids) {
    if (!known_ids_.emplace(record_.id).second) {
      throw RowError(fmt::format("id '{}' is there twice; --id row numbers the rows", record_.id));
    }
    ids.names.emplace_back(record_.id);
    ids.integers.push_back(record_.id_is_integer);
  }

  const Inputs& inputs_;
  const ItemRowSteps& steps_;
  std::vector<std::string> fields_;
  Corpus* corpus_;
  Record record_;
  ItemRows found_;
  std::unordered_set<std::string> known_ids_;
};

}  // namespace

void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps) {
  if (!format.has_fields) steps.add(record.text, "the line");
  for (std::size_t i = 0; format.has_fields && i < fields.size(); ++i) {
    if (record.others[i].kind == FieldValue::Kind::missing) {
      throw RowError(fmt::format("field '{}' is missing", fields[i]));
    }
    steps.add(record.others[i].text, fmt::format("field '{}'", fields[i]));
  }
  steps.end_row();
}

std::string hint_for_item(std::string_view reason, std::string_view row) {
  const bool is_broken = reason.find("broken JSON") != std::string_view::npos;
  const bool has_word =
      row.find("NaN") != std::string_view::npos || row.find("Infinity") != std::string_view::npos;
  return is_broken && has_word ? "NaN and Infinity are no numbers of JSON" : "";
}

ItemRows read_item_rows(const ItemReading& reading, const std::vector<std::string>& paths,
                        const ItemRowSteps& steps) {
  Options without_text = reading.options;
  without_text.inputs = paths;
  if (reading.places == nullptr) without_text.against.clear();
  without_text.files_from.clear();
  without_text.column.clear();
  const Settings& settings = reading.settings;
  auto scratch = std::make_unique<Scratch>(settings.scratch, settings.scratch_limit_bytes);
  const std::string& column = reading.options.column;
  Inputs inputs = open_inputs(without_text, settings, *scratch, reading.pool, reading.hooks,
                              joined_names(column));
  require_asked_fields(inputs, settings, reading.pool);
  if (reading.places == nullptr) {
    ItemRows rows = ItemRowReader(inputs, column, steps, nullptr).read(reading.pool);
    require_unchanged(inputs);
    return rows;
  }
  ItemPlaces& places = *reading.places;
  places.scratch = std::move(scratch);
  places.inputs = std::move(inputs);
  return ItemRowReader(places.inputs, column, steps, &places.corpus).read(reading.pool);
}

void give_ids(const ItemReading& reading, std::uint64_t own, ItemIds& ids, std::uint64_t against,
              ItemIds& against_ids) {
  const Options& options = reading.options;
  const auto give = [&](const std::string& path, std::uint64_t items, ItemIds& to) {
    if (path.empty()) return;
    if (!to.names.empty()) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: the items have ids of their own", path),
                  "say --id row to leave those aside");
    }
    to = read_given_ids(path, items, reading.hooks.cancel);
    if (reading.places != nullptr) reading.places->inputs.other_paths.push_back(path);
  };
  give(reading.of_against ? options.other_ids : options.ids, own, ids);
  if (reading.places != nullptr && !options.against.empty()) {
    give(options.other_ids, against, against_ids);
  }
}

void add_given_ids(const Options& options, std::vector<std::string>& paths) {
  for (const std::string& path : {options.ids, options.other_ids}) {
    if (!path.empty()) paths.push_back(path);
  }
}

void begin_file(const Inputs& inputs, std::uint32_t file, Corpus& corpus) {
  if (file == inputs.first_own_file) corpus.first_own_row = corpus.rows;
  const Format& format = *inputs.list[file].format;
  const std::uint64_t size = inputs.files[file].likely_size();
  corpus.ranges.push_back({file, 0, size, format.row_ends, format.separator});
  corpus.facts.push_back({.first_row = corpus.rows});
  corpus.blocks.emplace_back();
  corpus.blocks.back().first_row = corpus.rows;
}

void add_place(const RowLocator& place, Corpus& corpus) {
  ScannedBlock& block = corpus.blocks.back();
  block.locators.push_back(place);
  block.states.push_back(RowState::normal);
  BlockFacts& facts = corpus.facts.back();
  ++facts.rows;
  facts.row_bytes += place.length;
  ++corpus.rows;
}

}  // namespace sosie
