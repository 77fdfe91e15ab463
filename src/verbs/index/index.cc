// The index in memory: selects the implementation for its kind, saves and loads it.
#include "sosie/index.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <functional>

#include "data/kinds.h"
#include "join/in_memory_joiner.h"
#include "options/set_cascade.h"
#include "sosie/error.h"
#include "verbs/index/index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::string_view kMagic = "sosie index 1\n";
const std::string kName = "saved index";
constexpr std::string_view kHint = "build the index again from its items";

// Options that define an index, except those that concern only speed or file locations.
constexpr std::array<std::string_view, 19> kSavedOptions = {
    "format", "encoding", "column",    "ratings",   "threshold", "within", "measure",
    "union",  "shingle",  "stopwords", "tokens",    "method",    "recall", "sketch",
    "bands",  "seed",     "construct", "represent", "clean"};

bool is_saved(std::string_view name) {
  return std::find(kSavedOptions.begin(), kSavedOptions.end(), name) != kSavedOptions.end();
}

std::unique_ptr<IndexState> state_of(const Options& options) {
  const Options chosen = with_kind(options);
  refuse_cascade(chosen, "an index");
  if (is_item_kind(chosen.kind)) return index_of_items(chosen);
  return index_of_sets(with_kind_of_sets(options, "an index"));
}

Options saved_options(PackedReader& in) {
  Options options;
  options.kind = kind_called(in.text());
  if (options.kind == KindBit{}) in.refuse();
  for (std::uint64_t count = in.count(2 * sizeof(std::uint64_t)); count > 0; --count) {
    const std::string name = in.text();
    const std::string value = in.text();
    if (!is_saved(name)) in.refuse();
    set_option(options, name, value);
  }
  return options;
}

}  // namespace

void check_numbers(std::span<const std::uint64_t> numbers, std::uint64_t next,
                   const PackedReader& in) {
  if (!numbers.empty() && numbers.back() >= next) in.refuse();
  if (std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) != numbers.end()) {
    in.refuse();
  }
}

Index::Index(const Options& options) : state_(state_of(options)) {}
Index::Index(std::unique_ptr<IndexState> state) : state_(std::move(state)) {}
Index::Index(Index&& other) noexcept = default;
Index::~Index() = default;
std::uint64_t Index::size() const { return state_->size(); }
std::uint64_t Index::next_number() const { return state_->next_number(); }
std::string Index::value_name() const { return state_->value_name(); }

std::pair<std::uint64_t, std::uint64_t> Index::add(const IndexRows& rows, const RunHooks& hooks) {
  return state_->add(rows, hooks);
}

std::vector<bool> Index::add_new(const IndexRows& rows, const RunHooks& hooks) {
  return state_->add_new(rows, hooks);
}

RowPairs Index::query(const IndexRows& rows, std::uint64_t top, const RunHooks& hooks) const {
  return state_->query(rows, top, hooks);
}

std::optional<double> Index::list_recall(std::uint64_t top) const {
  return state_->list_recall(top);
}

std::uint64_t Index::remove(std::span<const std::uint64_t> numbers) {
  return state_->remove(numbers);
}

// The magic line, the options, the items, and the XXH3 hash of everything before the hash.
std::string Index::save() const {
  const Options& options = state_->options();
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& [name, value] : options.given) {
    if (is_saved(name)) given.emplace_back(name, value);
  }
  PackedWriter out;
  for (const char byte : kMagic) out.value(byte);
  out.text(std::string(kind_name(options.kind)));
  out.value(std::uint64_t{given.size()});
  for (const auto& [name, value] : given) {
    out.text(name);
    out.text(value);
  }
  state_->save(out);
  out.value(std::uint64_t{XXH3_64bits(out.bytes().data(), out.bytes().size())});
  return out.bytes();
}

Index Index::load(std::string_view bytes) {
  const PackedReader damaged(bytes, kName, kHint);
  std::uint64_t hash = 0;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof hash) damaged.refuse();
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof hash);
  std::memcpy(&hash, bytes.data() + content.size(), sizeof hash);
  if (hash != XXH3_64bits(content.data(), content.size())) damaged.refuse();
  PackedReader in(content.substr(kMagic.size()), kName, kHint);
  std::unique_ptr<IndexState> state;
  try {
    state = state_of(saved_options(in));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_option) throw;
    damaged.refuse();
  }
  state->load(in);
  in.expect_end();
  return Index(std::move(state));
}

}  // namespace sosie
