// Converts vectors, bit strings and strings to and from items of an index on disk.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>

#include "core/count_text.h"
#include "corpus/count_inputs.h"
#include "corpus/rows/row_reader.h"
#include "data/kinds.h"
#include "options/bounds.h"
#include "options/vector_settings.h"
#include "plan/saved_plan.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/index/kept_fields.h"
#include "store/index/recorded_bits.h"
#include "store/index_options.h"
#include "store/saved_plan.h"
#include "store/sketch_options.h"
#include "verbs/index/item_index_run.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr RowId kItemsAtOnce = 4096;
constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::array<std::string_view, 4> kComponentTypes = {"int8", "uint8", "float32", "float64"};

// A number followed by bytes, padded to whole words.
std::string in_words(std::uint64_t number, std::string_view bytes) {
  std::string out(reinterpret_cast<const char*>(&number), kWordBytes);
  out += bytes;
  out.resize((out.size() + kWordBytes - 1) / kWordBytes * kWordBytes, '\0');
  return out;
}

// Key of a block of a bit string: a hash of its bits, seeded with the block's number.
std::uint64_t key_of_block(std::string_view words, std::uint64_t bits, std::uint64_t blocks,
                           std::uint64_t block) {
  const std::uint64_t begin = block * bits / blocks;
  const std::uint64_t end = (block + 1) * bits / blocks;
  std::vector<std::uint64_t> some((end - begin + 63) / 64 + 1);
  for (std::uint64_t bit = begin; bit < end; ++bit) {
    const auto byte = static_cast<unsigned char>(words[bit / 8]);
    some[(bit - begin) / 64] |= std::uint64_t{byte >> bit % 8 & 1U} << (bit - begin) % 64;
  }
  return XXH3_64bits_withSeed(some.data(), some.size() * kWordBytes, block) >> (64 - kBandKeyBits);
}

// If there is no bound, as in an index for nearest items only, --top takes its place.
Options options_for_reading(Options options, const std::string& fields) {
  options.show = fields;
  options.against.clear();
  options.audit = 0;
  if (!is_given(options, "threshold") && options.within.empty()) {
    options.top = 1;
  }
  if (wants_lists(options)) options.method = Method::exact;  // items have no keys
  return options;
}

void refuse_dimension(const std::string& what, std::uint64_t found, const std::string& path,
                      std::uint64_t known) {
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("the rows have {} {}, the items of {} have {}", found, what, path, known));
}

}  // namespace

ReadItems::ReadItems(const Options& options, const RunHooks& hooks, const std::string& fields,
                     bool are_new)
    : options_(options_for_reading(options, fields)),
      hooks_(hooks),
      joiner_(item_joiner(kQuery, options_)),
      pool_(joiner_->settings().threads, hooks.cancel) {
  const MissingFields missing = are_new ? MissingFields::refused : MissingFields::allowed;
  for_kept_fields([&] { joiner_->read(pool_, hooks_, places_, missing); });
  if (places_.inputs.rows_by_file) refuse_id_by_file(options);
  places_.inputs.own_names = &joiner_->own_ids();
  if (are_new) tell_unusual(places_.inputs, options_, hooks_);
}

bool ReadItems::is_named() const noexcept {
  return !places_.inputs.ids_are_rows || !joiner_->own_ids().names.empty();
}

std::uint64_t ReadItems::dimension() const {
  const bool has_items = places_.corpus.rows > joiner_->left_out().size();
  return options_.kind == kStringItems || !has_items ? 0 : joiner_->facts().dimension;
}

SavedPlan ReadItems::plan() {
  if (!options_.plan.empty()) {
    SavedPlan plan = load_plan(options_.plan, hooks_.cancel);
    (void)joiner_->hash(plan, {});  // checks it
    return plan;
  }
  const JoinForecast forecast = joiner_->foresee({}, {});
  const std::uint64_t bits = options_.kind == kBitItems ? dimension() : 0;
  return saved_plan(options_, joiner_->bound(), require_plan(forecast.methods), bits);
}

void ReadItems::require_fitting(const IndexManifest& manifest, const std::string& path) const {
  const SketchContents& contents = manifest.contents;
  const std::uint64_t own = dimension();
  if (own != 0 && contents.dimension != 0 && own != contents.dimension) {
    refuse_dimension(options_.kind == kBitItems ? "bits" : "components", own, path,
                     contents.dimension);
  }
  expect_recorded_bits(inputs().declared_bits, "the rows", manifest, path);
  if (own != 0 && options_.kind == kBitItems) {
    const bool has_digits =
        own % 4 == 0 && joiner_->bytes_of(0).size() == (own + 63) / 64 * kWordBytes;
    if (!has_digits) {
      throw Error(
          ErrorKind::unsupported,
          "an index stores only bit strings from a single field, made of whole hexadecimal digits");
    }
  }
  if (rows() > 0) expect_named_alike(!is_named(), manifest, path);
}

void ReadItems::take_next(const IndexManifest& manifest, Progress& at, Item& out) {
  const std::size_t item = at.next++;
  const std::string_view bytes = joiner_->bytes_of(item);
  if (options_.kind == kBitItems) {
    out.payload = bytes;
  } else if (options_.kind == kVectorItems) {
    out.payload = in_words(at.type, bytes);
  } else {
    const std::string_view text = at.reader.read(out.row).text;
    out.payload = in_words(text.size(), text);
  }
  if (manifest.keys == IndexKeys::blocks) {
    for (std::uint32_t block = 0; block < manifest.blocks; ++block) {
      out.keys.push_back(key_of_block(bytes, dimension(), manifest.blocks, block));
    }
  } else if (manifest.keys == IndexKeys::hashes) {
    add_hashes(manifest, item, at, out);
  }
}

void ReadItems::add_hashes(const IndexManifest& manifest, std::size_t item, Progress& at,
                           Item& out) {
  if (item == at.end) {
    at.first = item;
    const std::size_t items = rows() - joiner_->left_out().size();
    at.end = std::min<std::size_t>(items, item + kItemsAtOnce);
    at.hashed = joiner_->hash(manifest.contents.plan,
                              {static_cast<RowId>(at.first), static_cast<RowId>(at.end)});
  }
  const std::size_t bands = manifest.shape().bands;
  const auto keys = std::span(at.hashed.keys).subspan((item - at.first) * bands, bands);
  out.keys.assign(keys.begin(), keys.end());
}

void ReadItems::for_each(const IndexManifest& manifest,
                         const std::function<void(Item& item)>& take) {
  const Corpus& corpus = places_.corpus;
  RowNames names(places_.inputs, corpus, {}, pool_);
  const std::string type = options_.kind == kVectorItems ? joiner_->facts().components : "";
  const auto known = std::find(kComponentTypes.begin(), kComponentTypes.end(), type);
  const std::vector<std::string> fields = joiner_->settings().show;
  Progress at{RowReader(places_.inputs, corpus, {places_.inputs.fields.column, {}, fields}),
              static_cast<std::uint64_t>(known - kComponentTypes.begin())};
  for (RowNumber begin = 0; begin < corpus.rows; begin += kItemsAtOnce) {
    pool_.check_cancelled();
    std::vector<RowNumber> some(std::min<RowNumber>(kItemsAtOnce, corpus.rows - begin));
    std::iota(some.begin(), some.end(), begin);
    std::vector<RowNames::Entry> named = names.look_up(some);
    for (const RowNumber row : some) {
      const RowState state = corpus.state(row);
      if (state == RowState::skipped || state == RowState::unmatched) continue;
      RowNames::Entry& name = named[row - begin];
      Item item{row_id(row), {std::move(name.id), name.id_is_integer}, {}, {}};
      if (state != RowState::empty) take_next(manifest, at, item);
      if (!fields.empty()) {
        for (const FieldValue& value : at.reader.read(row).others) {
          item.fields.emplace_back(value.text);
        }
      }
      take(item);
    }
  }
  require_unchanged(places_.inputs);
}

namespace {

// The first rows of an index determine how many components or bits its items have, and the first
// file that declares a number of bits determines that number.
void learn_sizes(const ReadItems& rows, IndexWriter& writer) {
  const SketchContents& contents = writer.folder().manifest().contents;
  if (contents.dimension == 0 && rows.dimension() > 0) writer.set_dimension(rows.dimension());
  const std::uint64_t declared = rows.inputs().declared_bits;
  if (recorded_bits(contents) == 0 && declared > 0) writer.set_declared_bits(declared);
}

// The stored form of an item; `first`: number of the first row.
std::string packed(const ReadItems::Item& item, std::uint64_t first, bool is_named) {
  IndexItem out;
  out.number = first + item.row;
  out.is_named = is_named;
  if (is_named) {
    out.id = item.name.id;
    out.id_is_integer = item.name.is_integer;
  }
  const std::string fields = pack_fields(item.fields);
  out.fields = fields;
  out.size = static_cast<std::uint32_t>(item.payload.size() / kWordBytes);
  out.is_kept = true;
  const XXH128_hash_t hash = XXH3_128bits(item.payload.data(), item.payload.size());
  out.hash.high = hash.high64;
  out.hash.low = hash.low64;
  out.elements = item.payload;
  return pack_item(out);
}

// The stored item with the id of this one.
std::optional<ItemPlace> same_item(const ReadItems& rows, const ReadItems::Item& item,
                                   const IndexFolder& folder, IndexBuffer& buffer) {
  if (!rows.is_named()) return std::nullopt;
  require_utf8_id(item.name.id, folder.path());
  return folder.items() > 0 ? folder.find_name(item.name.id, buffer) : std::nullopt;
}

}  // namespace

IndexedCounts add_items(const ItemsToAdd& items, IndexWriter& writer) {
  const IndexFolder& folder = writer.folder();
  IndexedCounts counts;
  IndexBuffer buffer;
  const std::uint64_t first = folder.next_number();
  std::uint64_t same_count = 0;
  std::string first_same;
  learn_sizes(items.rows, writer);
  items.rows.for_each(folder.manifest(), [&](ReadItems::Item& item) {
    if (items.keeps && (item.payload.empty() || !items.keeps(item.row))) return;
    const auto same = same_item(items.rows, item, folder, buffer);
    if (same && items.same_ids == SameIds::refuse) {
      if (same_count++ == 0) first_same = item.name.id;
      return;
    }
    if (same && items.same_ids == SameIds::skip) {
      ++counts.skipped;
      return;
    }
    if (same && writer.remove(*same)) ++counts.replaced;
    ++counts.added;
    writer.add(packed(item, first, items.rows.is_named()), item.keys);
  });
  if (same_count > 0) refuse_same_ids({same_count, first_same, folder.path()});
  return counts;
}

}  // namespace sosie
