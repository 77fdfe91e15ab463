// Reads rows whose items stay in memory: vectors, bit strings, strings.
#include "corpus/items/item_rows.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <iterator>

#include "corpus/asked_fields.h"
#include "corpus/bad_lines.h"
#include "corpus/bad_row.h"
#include "corpus/file_headers.h"
#include "corpus/first_ids.h"
#include "corpus/identical.h"
#include "corpus/ill_formed.h"
#include "corpus/items/given_ids.h"
#include "corpus/rank_rows.h"
#include "corpus/row_parsers.h"
#include "corpus/sketches.h"
#include "options/input_list.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kCheckEvery = 4096;  // rows between looks for a wish to stop

// Functions that receive a row, either as an item or, if `fields` is set, field by field.
struct Steps {
  const ItemRowSteps& item;
  const FieldSteps* fields = nullptr;
};

// The fields that contain the item in its original form; empty for texts, which are named by their
// column.
std::vector<std::string> item_fields(const Options& options, const ItemRowSteps& steps) {
  return steps.of_text ? std::vector<std::string>{} : joined_names(options.column);
}

// The options for reading the run's own rows, or the rows of the other collection.
Options options_of(const ItemReading& reading) {
  return reading.of_against ? options_of_other(reading.options) : reading.options;
}

class ItemRowReader {
 public:
  ItemRowReader(const ItemReading& reading, const Steps& steps, const Inputs& inputs,
                Corpus& corpus)
      : reading_(reading),
        steps_(steps.item),
        field_steps_(steps.fields),
        inputs_(inputs),
        corpus_(corpus),
        places_(inputs, corpus),
        fields_(field_steps_ != nullptr ? field_steps_->fields_of(inputs)
                                        : item_fields(options_of(reading), steps_)),
        item_fields_(field_steps_ != nullptr ? std::vector<std::string>{} : fields_) {}

  ItemRows read() {
    FieldRequest request = inputs_.fields;
    request.others = fields_;
    request.items = field_steps_ == nullptr ? fields_.size() : 0;
    const auto& ranked_by = inputs_.fields.others;
    request.others.insert(request.others.end(), ranked_by.begin(), ranked_by.end());
    RowParsers parsers(inputs_, request);
    for (std::uint32_t file = 0; file < inputs_.list.size(); ++file) {
      places_.begin_file(file);
      const Format& format = *inputs_.list[file].format;
      if (format.read_vectors != nullptr) {
        reading_.pool.check_cancelled();
        steps_.add_file(inputs_, file, places_);
        continue;
      }
      const std::string& column = inputs_.list[file].told.column;
      if (field_steps_ == nullptr && !steps_.of_text) {
        item_fields_ = column.empty() ? fields_ : joined_names(column);
      }
      RowStream rows(inputs_.source(file));
      for (RowView row; rows.next(row);) {
        if (format.is_blank != nullptr && format.is_blank(row.bytes)) {
          places_.add_blank_line();
          continue;
        }
        if (corpus_.rows % kCheckEvery == 0) reading_.pool.check_cancelled();
        add_row(parsers, file, row);
      }
    }
    for (std::size_t i = inputs_.first_own_file; i < inputs_.files.size(); ++i) {
      found_.own_bytes += inputs_.files[i].counted_size();  // known by now of packed files, too
    }
    check_unique_ids(inputs_, corpus_, reading_.pool);
    check_encodings(inputs_, corpus_, reading_.settings);
    found_.rows = corpus_.rows;
    return std::move(found_);
  }

 private:
  void add_row(RowParsers& parsers, std::uint32_t file, const RowView& row) {
    const RowLocator place{row.offset, row.length, file};
    std::optional<IllFormedPlace> fault;
    const TableColumns* table = inputs_.table_of(file);
    bool is_item = false;
    try {
      parsers.parse(file, row.bytes, record_);
      if (table != nullptr) table->fill(row.number, record_);
      if (field_steps_ != nullptr) {
        field_steps_->take(record_);
      } else {
        take_item(record_, *inputs_.list[file].format, item_fields_, steps_);
      }
      fault = fault_of(row, file);
      if (fault && reading_.settings.bad_rows == BadRows::skip) {
        throw RowError(fault->reason, fault->offset);
      }
      ranks_ = rank_values_of(record_, inputs_.fields.others);
      is_item = steps_.end_row();
    } catch (const RowError& error) {
      BadRow bad{place, row.offset + error.offset(), error.what()};
      if (reading_.settings.bad_rows == BadRows::stop) refuse(bad);
      steps_.leave_out();
      places_.add_bad(std::move(bad), reading_.settings.bad_rows == BadRows::skip);
      forget_record();
      add_values(file, /*bad=*/true);
      return;
    }
    places_.add(place, is_item ? RowState::normal : RowState::empty);
    if (fault) places_.note_ill_formed({place, row.offset + fault->offset, fault->reason});
    if (steps_.length && field_steps_ == nullptr) places_.add_words(steps_.length());
    add_values(file);
  }

  // Encoding error in the text added last.
  [[nodiscard]] std::optional<IllFormedPlace> fault_of(const RowView& row,
                                                       std::uint32_t file) const {
    if (!steps_.is_well_formed || steps_.is_well_formed()) return std::nullopt;
    return find_ill_formed_place(row.bytes, inputs_.encoding_of(file));
  }

  // An error in an earlier row takes precedence.
  [[noreturn]] void refuse(const BadRow& bad) const {
    check_unique_ids(inputs_, corpus_, reading_.pool);
    throw_bad_row(inputs_, bad, hint_for_item(bad.reason));
  }

  void forget_record() {
    record_.id = {};
    record_.id_is_integer = false;
    ranks_.assign(inputs_.fields.others.size(), RankValue{});
  }

  void add_values(std::uint32_t file, bool bad = false) {
    ScannedBlock& block = places_.block();
    block.rank_values.insert(block.rank_values.end(), ranks_.begin(), ranks_.end());
    std::string& number_like = corpus_.facts.back().number_like;
    if (number_like.empty()) number_like = number_like_text(ranks_);
    if (reading_.settings.ranks_by_length()) {
      block.text_bytes.push_back(steps_.length && !bad ? steps_.length() : 0);
    }
    if (inputs_.numbers_rows_of(file)) return;
    block.id_hashes.push_back(XXH3_64bits(record_.id.data(), record_.id.size()));
    if (!reading_.keep_names) return;
    ItemIds& ids = file < inputs_.first_own_file ? found_.against_ids : found_.ids;
    ids.names.emplace_back(record_.id);
    ids.are_integers.push_back(record_.id_is_integer);
  }

  const ItemReading& reading_;
  const ItemRowSteps& steps_;
  const FieldSteps* field_steps_;
  const Inputs& inputs_;
  Corpus& corpus_;
  PlaceWriter places_;
  std::vector<std::string> fields_;       // fields of the run's own rows
  std::vector<std::string> item_fields_;  // fields of the file that is read, which hold the item
  Record record_;
  std::vector<RankValue> ranks_;  // by field that --keep names
  ItemRows found_;
};

}  // namespace

namespace {

// True if the row lacks the field; a null, in contrast, points to its bytes.
bool is_absent(const FieldValue& value) {
  return value.kind == FieldValue::Kind::missing && value.text.data() == nullptr;
}

}  // namespace

void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps) {
  if (steps.of_text || !format.has_fields) {
    steps.add(record.text, "the line");
    return;
  }
  const std::span<const FieldValue> values = std::span(record.others).first(fields.size());
  const bool has_value = std::any_of(values.begin(), values.end(), [](const FieldValue& value) {
    return value.kind != FieldValue::Kind::missing;
  });
  for (std::size_t i = 0; i < fields.size(); ++i) {
    // A row without any of the values has nothing to compare; a row with only some of them is
    // incomplete.
    if (is_absent(values[i]) || (has_value && values[i].kind == FieldValue::Kind::missing)) {
      throw RowError(told_missing(fields[i]));
    }
    steps.add(values[i].text, fmt::format("field '{}'", fields[i]));
  }
}

std::string has_no(std::string_view measure) {
  return fmt::format("{} and has no {}", kAllZeros, measure);
}

std::string hint_for_item(std::string_view reason) {
  const bool is_zero = reason.starts_with(kAllZeros);
  return std::string(kWaysRoundBadRows) + (is_zero ? "; --measure euclidean compares them" : "");
}

namespace {

// `has_names`: the files name their rows, regardless of --id.
void refuse_fields(const ItemReading& reading, const ToldOfFile& told, bool has_names) {
  const std::string& id = told.id;
  if (!has_names && !id.empty() && id != "row" && id != kIdByFile) {
    const std::string option = told.option("id");
    throw Error(ErrorKind::invalid_option, RefusedOption{option.substr(2), id},
                "a vector file has no ids",
                fmt::format("use {} row, or give JSONL or CSV", option));
  }
  if (!reading.options.show.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"show", reading.options.show},
                "a vector file has no fields");
  }
  for (const KeepRule& rule : reading.settings.keep) {
    if (rule.field.empty()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"keep", reading.options.keep},
                "a vector file has no fields");
  }
}

// Throws if a collection mixes vector files and files of rows, and for fields that vector files do
// not have.
void check_collection(const ItemReading& reading, std::span<const InputFile> files) {
  const auto is_binary = [](const InputFile& file) { return file.format->read_vectors != nullptr; };
  const auto binary = std::find_if(files.begin(), files.end(), is_binary);
  if (binary == files.end()) return;
  const auto other = std::find_if_not(files.begin(), files.end(), is_binary);
  if (other != files.end()) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}, {}: an array and text rows cannot be in the same collection",
                            std::min(binary, other)->name, std::max(binary, other)->name),
                "convert one of them, or compare them with --against");
  }
  refuse_fields(reading, files.front().told, names_of(files) != nullptr);
}

// Rows that are read with all their fields have a name for each column.
void name_columns(Inputs& inputs, const FieldSteps& steps) {
  for (std::size_t i = 0; i < inputs.headers.size(); ++i) {
    if (inputs.list[i].format->columnar) continue;
    std::vector<std::string>& names = inputs.headers[i].names;
    for (const std::uint32_t c : number_columns(names)) steps.renamed(c + 1, names[c]);
  }
}

// Gives numbered rows the names requested by --id file:row.
void name_by_file(const ItemPlaces& places, ItemRows& rows) {
  const Corpus& corpus = places.corpus;
  const FileRows file_rows(corpus);
  for (RowId row = 0; row < corpus.rows; ++row) {
    ItemIds& ids = row < corpus.first_own_row ? rows.against_ids : rows.ids;
    const std::uint32_t file = corpus.locator(row).file;
    ids.names.push_back(
        places.inputs.numbered_name(file, corpus.number_of(row), file_rows.number_of(row, file)));
    ids.are_integers.push_back(false);
  }
}

ItemRows read_rows(const ItemReading& reading, const std::vector<std::string>& paths,
                   const Steps& steps) {
  Options without_text = options_of(reading);
  without_text.inputs = paths;
  if (reading.places == nullptr || reading.alone) without_text.against.clear();
  without_text.files_from.clear();
  const std::vector<std::string> named = item_fields(without_text, steps.item);
  if (!steps.item.of_text) without_text.column.clear();
  const Settings& settings = reading.settings;
  ItemPlaces unasked;
  ItemPlaces& places = reading.places == nullptr ? unasked : *reading.places;
  places.scratch = std::make_unique<Scratch>(settings.scratch, settings.scratch_limit_bytes);
  std::vector<std::string> asked =
      steps.fields == nullptr ? named : std::vector<std::string>{std::string(kEveryField)};
  places.inputs =
      open_inputs(without_text, settings, *places.scratch, reading.pool, reading.hooks, asked);
  if (steps.fields != nullptr) name_columns(places.inputs, *steps.fields);
  const std::span<const InputFile> files = places.inputs.list;
  check_collection(reading, files.first(places.inputs.first_own_file));
  check_collection(reading, files.subspan(places.inputs.first_own_file));
  if (reading.missing == MissingFields::refused) {
    require_asked_fields(places.inputs, settings, reading.pool, asked);
  }
  if (settings.bad_rows == BadRows::stop) check_first_ids(places.inputs, reading.pool);
  ItemRows rows = ItemRowReader(reading, steps, places.inputs, places.corpus).read();
  if (places.inputs.rows_by_file) name_by_file(places, rows);
  for (std::size_t i = 0; i < places.corpus.blocks.size(); ++i) {
    places.corpus.facts[i].bad_lines = lines_of_bad_rows(
        places.inputs, places.corpus.blocks[i].bad_rows, settings.bad_rows == BadRows::skip);
  }
  require_unchanged(places.inputs);
  return rows;
}

}  // namespace

ItemRows read_item_rows(const ItemReading& reading, const std::vector<std::string>& paths,
                        const ItemRowSteps& steps) {
  return read_rows(reading, paths, {steps});
}

ItemRows read_field_rows(const ItemReading& reading, const std::vector<std::string>& paths,
                         const ItemRowSteps& steps, const FieldSteps& fields) {
  return read_rows(reading, paths, {steps, &fields});
}

std::vector<std::string> with_listed_paths(const ItemReading& reading,
                                           std::vector<std::string> paths) {
  if (reading.of_against || reading.options.files_from.empty()) return paths;
  std::vector<std::string> listed = read_path_list(
      reading.options.files_from, reading.hooks.input_descriptor, reading.hooks.cancel);
  std::move(listed.begin(), listed.end(), std::back_inserter(paths));
  return paths;
}

namespace {

void take_names(const NamesOfRows& given, std::uint64_t items, ItemIds& ids) {
  if (given.names.size() != items) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("ids: {} for {} rows", given.names.size(), items));
  }
  static_cast<NamesOfRows&>(ids) = given;
}

}  // namespace

void give_ids(const ItemReading& reading, std::uint64_t own, ItemIds& ids, std::uint64_t against,
              ItemIds& against_ids) {
  const Options& options = reading.options;
  std::span<const InputFile> files;
  std::uint32_t first_own = 0;
  if (reading.places != nullptr) {
    files = reading.places->inputs.list;
    first_own = reading.places->inputs.first_own_file;
  }
  if (const NamesOfRows* names = names_of(files.subspan(first_own))) take_names(*names, own, ids);
  if (const NamesOfRows* names = names_of(files.first(first_own))) {
    take_names(*names, against, against_ids);
  }
  const auto give = [&](const std::string& path, std::uint64_t items,
                        std::span<const InputFile> named, ItemIds& to) {
    if (path.empty()) return;
    if (!to.names.empty()) {
      const ToldOfFile told = named.empty() ? told_of(options_of(reading)) : named.front().told;
      throw Error(ErrorKind::invalid_option, fmt::format("{}: the items already have ids", path),
                  fmt::format("use {} row to ignore them", told.option("id")));
    }
    to = read_given_ids(path, items, reading.settings.memory_bytes, reading.hooks.cancel);
    if (reading.places != nullptr) reading.places->inputs.other_paths.push_back(path);
  };
  give(reading.of_against ? options.other_ids : options.ids, own, files.subspan(first_own), ids);
  if (reading.places != nullptr && !reading.alone && has_other(options)) {
    give(options.other_ids, against, files.first(first_own), against_ids);
  }
}

void add_given_ids(const Options& options, std::vector<std::string>& paths) {
  for (const std::string& path : {options.ids, options.other_ids}) {
    if (!path.empty()) paths.push_back(path);
  }
}

}  // namespace sosie
