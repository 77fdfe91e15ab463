// Verb sketch for vectors and bit strings: writes the hashes of the items in a shard.
#include <fmt/format.h>

#include <algorithm>

#include "corpus/count_inputs.h"
#include "join/in_memory_joiner.h"
#include "join/sets/set_run.h"
#include "sosie/error.h"
#include "store/saved_plan.h"
#include "store/sketch/sketch_file.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// A block of the file: a range of an input, and the items in its rows.
struct Cut {
  BlockRange range;
  RowRange items;
};

// Cuts the rows of a run into blocks with a maximum number of rows, file by file.
class Cutter {
 public:
  Cutter(const ItemPlaces& places, std::span<const RowId> left_out, std::size_t most_rows)
      : inputs_(places.inputs), corpus_(places.corpus), left_out_(left_out), most_(most_rows) {}

  [[nodiscard]] std::vector<Cut> cut() {
    std::size_t next = 0;
    for (std::uint32_t file = 0; file < inputs_.list.size(); ++file) {
      begin_file(file);
      for (; next < corpus_.ranges.size() && corpus_.ranges[next].file == file; ++next) {
        corpus_.for_each_row(
            next, [&](RowId row, const RowLocator& place, RowState /*state*/) { add(row, place); });
      }
      end_file(file);
    }
    return std::move(cuts_);
  }

 private:
  void begin_file(std::uint32_t file) {
    const Format& format = *inputs_.list[file].format;
    range_ = {.file = file, .row_ends = format.row_ends, .dialect = format.dialect};
    range_.begin = format.has_columns() ? inputs_.source(file).begin : 0;
    rows_ = 0;
  }

  void add(RowId row, const RowLocator& place) {
    if (rows_ == most_) end_block(place.offset);
    ++rows_;
    if (left_ < left_out_.size() && left_out_[left_] == row) {
      ++left_;
    } else {
      ++items_.end;
    }
  }

  void end_block(std::uint64_t end) {
    range_.end = end;
    cuts_.push_back({range_, items_});
    range_.begin = end;
    items_.begin = items_.end;
    rows_ = 0;
  }

  // A file without rows also gets a block, unless it has no bytes other than a header.
  void end_file(std::uint32_t file) {
    const std::uint64_t size = inputs_.files[file].size();
    if (rows_ > 0 || size > range_.begin || inputs_.list[file].format->is_document()) {
      end_block(size);
    }
  }

  const Inputs& inputs_;
  const Corpus& corpus_;
  std::span<const RowId> left_out_;
  std::size_t most_;
  std::size_t left_ = 0;  // rows that are left out so far
  BlockRange range_;      // the block so far
  RowRange items_;        // its items
  std::size_t rows_ = 0;  // its rows
  std::vector<Cut> cuts_;
};

using MakeHasher = std::unique_ptr<InMemoryJoiner>(VerbBit verb, const Options& options);

class ItemSketcher {
 public:
  ItemSketcher(MakeHasher* make_joiner, const Options& options, const RunHooks& hooks)
      : plan_(load_plan(options.plan, hooks.cancel)),
        options_(with_plan(options, plan_)),
        joiner_(make_joiner(kSketch, options_)),
        hooks_(hooks),
        settings_(joiner_->settings()),
        pool_(settings_.threads, hooks.cancel) {
    if (settings_.ranks_by_length()) refuse_ranks_by_length(options);
    joiner_->read(pool_, hooks_, places_);
    made_ = options_of_sketch(places_.inputs, options_);
    tell_unusual(places_.inputs, options, hooks);
  }

  RunReport run() {
    SketchContents contents = contents_of(made_, settings_, places_.inputs);
    contents.plan = plan_;
    const auto items = static_cast<RowId>(places_.corpus.rows - joiner_->left_out().size());
    if (items > 0) contents.dimension = joiner_->facts().dimension;
    (void)joiner_->hash(contents.plan, {});  // checks the plan
    shape_ = hash_shape(*contents.plan.hashed);
    SketchWriter writer(options_.output, std::move(contents), hooks_.cancel);
    write(Cutter(places_, joiner_->left_out(), most_items_of_block(shape_)).cut(), writer);
    require_unchanged(places_.inputs);
    pool_.check_cancelled();
    return sketched(places_.corpus, places_.inputs, options_.output, writer.commit());
  }

 private:
  // Writes several blocks at a time, within a share of the memory.
  void write(std::span<const Cut> cuts, SketchWriter& writer) {
    const std::size_t item_bytes =
        shape_.item_bytes() + joiner_->facts().dimension * sizeof(double);
    const std::size_t fit = std::max<std::size_t>(1, settings_.memory_bytes / 8 / item_bytes);
    for (std::size_t next = 0; next < cuts.size();) {
      RowRange window = cuts[next].items;
      std::size_t end = next + 1;
      for (; end < cuts.size() && cuts[end].items.end - window.begin <= fit; ++end) {
        window.end = cuts[end].items.end;
      }
      const HashedItems hashed = joiner_->hash(writer.plan(), window);
      for (; next < end; ++next) {
        const RowRange& items = cuts[next].items;
        writer.add(cuts[next].range, hashed, items.begin - window.begin, items.end - window.begin);
      }
      if (hooks_.on_progress) hooks_.on_progress({"sketching", window.end, places_.corpus.rows});
    }
  }

  SavedPlan plan_;
  Options options_;
  Options made_;  // includes the column of the inputs
  std::unique_ptr<InMemoryJoiner> joiner_;
  const RunHooks& hooks_;
  const Settings& settings_;
  ThreadPool pool_;
  ItemPlaces places_;
  HashShape shape_;
};

}  // namespace

RunReport sketch_vectors(const Options& options, const RunHooks& hooks) {
  check_sketch_options(options);
  return ItemSketcher(vector_joiner, options, hooks).run();
}

RunReport sketch_bits(const Options& options, const RunHooks& hooks) {
  check_sketch_options(options);
  return ItemSketcher(bit_joiner, options, hooks).run();
}

}  // namespace sosie
