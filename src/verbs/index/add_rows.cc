// Adds rows of inputs to an index on disk.
#include "verbs/index/add_rows.h"

#include <fmt/format.h>

#include "core/count_text.h"
#include "core/utf8.h"
#include "sosie/error.h"
#include "store/index/kept_fields.h"

namespace sosie {
namespace {

class RowAdder {
 public:
  RowAdder(RowScan& rows, SameIds same_ids, std::uint32_t first_file, ThreadPool& pool,
           IndexWriter& writer)
      : rows_(rows),
        same_ids_(same_ids),
        writer_(writer),
        maker_{writer.folder().next_number(), first_file, !rows.inputs().ids_are_rows,
               writer.folder().manifest().keeps_items, writer.folder().path()},
        // Rows that replace items change the items with which later rows are compared.
        turns_(same_ids == SameIds::replace ? BlockTurns::one_by_one : BlockTurns::at_once),
        buffers_(pool.size()),
        packed_(pool.size()) {}

  IndexedCounts run() {
    rows_.read(
        writer_.folder().manifest().contents.plan.banding,
        {.begin = [this](unsigned worker, std::size_t rows) { begin(packed_by(worker), rows); },
         .take = [this](unsigned worker, std::size_t i,
                        const InputRow& row) { pack(worker, i, row); },
         .end = [this](unsigned worker) { add_block(packed_by(worker)); },
         .turns = turns_,
         .keeps_places = false});
    if (same_ > 0) refuse_same_ids({same_, first_same_, writer_.folder().path()});
    return counts_;
  }

 private:
  // An existing item with the id of a row.
  struct Same {
    ItemPlace place;
    std::string name;
  };
  // The rows of a block.
  struct Packed {
    NewItems items = {};
    std::vector<std::optional<Same>> same = {};
  };

  // The rows of the block that the worker is processing.
  [[nodiscard]] Packed& packed_by(unsigned worker) {
    return packed_[turns_ == BlockTurns::at_once ? worker : 0];
  }

  void begin(Packed& block, std::size_t rows) {
    block.items.resize(rows, writer_.folder().shape());
    block.same.assign(rows, std::nullopt);
  }

  void pack(unsigned worker, std::size_t i, const InputRow& row) {
    if (row.state == RowState::skipped || row.state == RowState::unmatched) return;
    Packed& block = packed_by(worker);
    const bool has_keys = !row.set.set.empty();
    block.items.set(i, maker_.pack(row),
                    has_keys ? row.set.keys : std::span<const std::uint64_t>());
    if (!maker_.is_named || writer_.folder().items() == 0) return;
    const auto place = writer_.folder().find_name(row.name.id, buffers_[worker]);
    if (place) block.same[i] = Same{*place, row.name.id};
  }

  void add_block(Packed& block) {
    for (std::size_t i = 0; i < block.same.size(); ++i) {
      if (block.items.bytes(i).empty()) continue;
      if (may_add(block.same[i])) {
        ++counts_.added;
      } else {
        block.items.leave_out(i);
      }
    }
    if (same_ == 0) writer_.add(block.items);  // otherwise nothing will be added
  }

  // `same`: the item with the same id as the row, if any, which will be replaced.
  [[nodiscard]] bool may_add(const std::optional<Same>& same) {
    if (!same) return true;
    if (same_ids_ == SameIds::refuse) {
      if (same_++ == 0) first_same_ = same->name;
      return false;
    }
    if (same_ids_ == SameIds::skip) {
      ++counts_.skipped;
      return false;
    }
    if (writer_.remove(same->place)) ++counts_.replaced;
    return true;
  }

  RowScan& rows_;
  SameIds same_ids_;
  IndexWriter& writer_;
  ItemMaker maker_;
  BlockTurns turns_;
  std::vector<IndexBuffer> buffers_;  // by worker
  std::vector<Packed> packed_;        // by worker
  IndexedCounts counts_;
  std::uint64_t same_ = 0;  // rows whose ids already exist
  std::string first_same_;
};

}  // namespace

IndexWriter::Limits limits_of(const Options& options, const RunHooks& hooks) {
  const Settings settings = resolve_run(options);
  IndexWriter::Limits limits{settings.memory_bytes, hooks.cancel};
  limits.scratch = settings.scratch;
  limits.scratch_limit_bytes = settings.scratch_limit_bytes;
  limits.threads = settings.threads;
  return limits;
}

std::string ItemMaker::pack(const InputRow& row) const {
  IndexItem item;
  item.number = first_number + row.row;
  item.is_named = is_named;
  if (is_named) {
    require_utf8_id(row.name.id, index);
    item.id = row.name.id;
    item.id_is_integer = row.name.is_integer;
  }
  const std::string fields = pack_fields(row.fields);
  item.fields = fields;
  item.size = static_cast<std::uint32_t>(row.set.set.size());
  item.is_kept = keeps_items;
  item.hash = row.hash;
  item.filter = {reinterpret_cast<const char*>(row.set.filter.data()), row.set.filter.size()};
  if (keeps_items) {
    item.elements = {reinterpret_cast<const char*>(row.set.set.data()), row.set.set.size_bytes()};
  } else {
    item.locator = row.locator;
    item.locator.file += first_file;
  }
  return pack_item(item);
}

void refuse_same_ids(const SameIdRows& rows) {
  const std::string more =
      rows.count == 1 ? "" : fmt::format(", and {} more", plural_text(rows.count - 1, "id", "ids"));
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("id '{}' is already in {}{}; nothing was added", rows.first, rows.index, more),
      std::string(rows.way));
}

void require_utf8_id(const std::string& id, const std::string& index) {
  if (find_ill_formed_utf8(id) == std::string::npos) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("id '{}' is not UTF-8; {} can hold no such item", id, index),
              "give the row another id, or leave it out");
}

void expect_named_alike(bool rows_are_numbered, const IndexManifest& manifest,
                        const std::string& path) {
  const std::string& field = manifest.contents.id_field;
  if (rows_are_numbered == field.empty()) return;
  throw Error(
      ErrorKind::invalid_option, RefusedOption{"id"},
      fmt::format("the items of {} are identified by {}", path, field.empty() ? "row" : field),
      field.empty() ? "--id row numbers these rows, too"
                    : "--ids FILE gives ids to rows without one, one per line");
}

IndexedCounts add_rows(RowScan& rows, SameIds same_ids, std::uint32_t first_file, ThreadPool& pool,
                       IndexWriter& writer) {
  return RowAdder(rows, same_ids, first_file, pool, writer).run();
}

}  // namespace sosie
