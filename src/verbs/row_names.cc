// Reads the names of rows, for callers that use row numbers.
#include "sosie/row_names.h"

#include <utility>

#include "corpus/items/given_ids.h"
#include "corpus/row_parsers.h"
#include "data/kinds.h"
#include "options/input_list.h"
#include "read/block_reader.h"
#include "read/field_paths.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::size_t kRowsPerCheck = 4096;

RowNameList from_ids(ItemIds ids) {
  RowNameList list{true, true, std::move(ids.names)};
  for (const bool integer : ids.are_integers) list.are_integers = list.are_integers && integer;
  return list;
}

void add_names(const Inputs& inputs, std::uint32_t file, RowParsers& parsers,
               const ThreadPool& pool, RowNameList& list) {
  const Format& format = *inputs.list[file].format;
  RowStream rows(inputs.source(file));
  Record record;
  const std::size_t first = list.names.size();
  for (RowView row; rows.next(row);) {
    if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
    const std::size_t number = list.names.size();
    if (number % kRowsPerCheck == 0) pool.check_cancelled();
    if (inputs.rows_by_file) {
      list.names.push_back(inputs.numbered_name(file, number, number - first));
      list.are_integers = false;
      continue;
    }
    try {
      parsers.parse(file, row.bytes, record);
      list.names.emplace_back(record.id);
      list.are_integers = list.are_integers && record.id_is_integer;
    } catch (const RowError&) {  // a bad row that the run left out or passed through
      list.names.emplace_back();
      list.are_integers = false;
    }
  }
}

bool holds_vectors(const Options& options) {
  if (options.inputs.empty()) return false;
  const InputList list = list_inputs({options.inputs.front()}, input_rules(options));
  return !list.files.empty() && list.files.front().format->read_vectors != nullptr;
}

}  // namespace

RowNameList row_names(const Options& options, bool looks_only, const RunHooks& hooks) {
  Options chosen = with_kind(options);
  chosen.against.clear();
  chosen.against_table.reset();
  const Settings settings = resolve_run(chosen);
  if (!chosen.ids.empty()) {
    return from_ids(read_given_ids(chosen.ids, {}, settings.memory_bytes, hooks.cancel));
  }
  if (holds_vectors(chosen)) return {};
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  ThreadPool pool(settings.threads, hooks.cancel);
  const bool of_fields = has_any(kVectorItems | kBitItems, chosen.kind);
  const std::vector<std::string> fields =
      of_fields ? joined_names(chosen.column) : std::vector<std::string>{};
  if (of_fields) chosen.column.clear();
  const Inputs inputs = open_inputs(chosen, settings, scratch, pool, hooks, fields);
  const bool are_named = !inputs.ids_are_rows || inputs.rows_by_file;
  RowNameList list{are_named, are_named, {}};
  if (!list.are_named || looks_only) return list;
  FieldRequest request;
  request.id = inputs.fields.id;
  RowParsers parsers(inputs, request);
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    add_names(inputs, file, parsers, pool, list);
  }
  require_unchanged(inputs);
  return list;
}

}  // namespace sosie
