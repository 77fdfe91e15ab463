// Adds the rows of inputs to an index on disk.
#include "verbs/index/add_rows.h"

#include <fmt/format.h>

#include "core/count_text.h"
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
               writer.folder().manifest().keeps_items},
        buffers_(pool.size()) {}

  IndexedCounts run() {
    rows_.read(writer_.folder().manifest().contents.plan.banding,
               {[this](std::size_t rows) {
                  packed_.clear();
                  packed_.resize(rows);
                },
                [this](unsigned worker, std::size_t i, const InputRow& row) {
                  pack(worker, row, packed_[i]);
                },
                [this] { add_block(); },
                /*keeps_places=*/false});
    if (same_ > 0) refuse_same_ids({same_, first_same_, writer_.folder().path()});
    return counts_;
  }

 private:
  struct Packed {
    std::string bytes;  // none: a bad row
    std::vector<std::uint64_t> keys;
    std::string name;
    std::optional<ItemPlace> same;  // the item with its id
  };

  void pack(unsigned worker, const InputRow& row, Packed& out) {
    if (row.state == RowState::skipped || row.state == RowState::unmatched) return;
    out.bytes = maker_.pack(row);
    if (!row.set.set.empty()) out.keys.assign(row.set.keys.begin(), row.set.keys.end());
    if (!maker_.is_named || writer_.folder().items() == 0) return;
    out.same = writer_.folder().find_name(row.name.id, buffers_[worker]);
    if (out.same) out.name = row.name.id;
  }

  void add_block() {
    for (Packed& row : packed_) {
      if (row.bytes.empty()) continue;
      if (row.same && same_ids_ == SameIds::refuse) {
        if (same_++ == 0) first_same_ = row.name;
        continue;
      }
      if (row.same && same_ids_ == SameIds::skip) {
        ++counts_.skipped;
        continue;
      }
      if (row.same && writer_.remove(*row.same)) ++counts_.replaced;
      if (same_ > 0) continue;  // nothing will be added
      ++counts_.added;
      writer_.add(std::move(row.bytes), row.keys);
    }
  }

  RowScan& rows_;
  SameIds same_ids_;
  IndexWriter& writer_;
  ItemMaker maker_;
  std::vector<IndexBuffer> buffers_;  // by worker
  std::vector<Packed> packed_;        // by row of the block
  IndexedCounts counts_;
  std::uint64_t same_ = 0;  // rows whose ids are there
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
      fmt::format("id '{}' is in {} already{}; nothing was added", rows.first, rows.index, more),
      std::string(rows.way));
}

void expect_named_alike(bool rows_are_numbered, const IndexManifest& manifest,
                        const std::string& path) {
  const std::string& field = manifest.contents.id_field;
  if (rows_are_numbered == field.empty()) return;
  throw Error(ErrorKind::invalid_option, RefusedOption{"id"},
              fmt::format("the items of {} are named by {}", path, field.empty() ? "row" : field),
              field.empty() ? "--id row numbers these rows, too"
                            : "--ids FILE names rows that bring no id, a line each");
}

IndexedCounts add_rows(RowScan& rows, SameIds same_ids, std::uint32_t first_file, ThreadPool& pool,
                       IndexWriter& writer) {
  return RowAdder(rows, same_ids, first_file, pool, writer).run();
}

}  // namespace sosie
