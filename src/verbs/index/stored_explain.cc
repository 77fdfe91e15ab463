// Explains why an item of an open index is similar to a row or to another item.
#include "options/bounds.h"
#include "report/explain_sets.h"
#include "sosie/error.h"
#include "verbs/engine.h"
#include "verbs/index/stored_index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::string_view kRowName = "(row)";

ShingledText set_alone(SetView elements) {
  ShingledText text;
  text.set.assign(elements.begin(), elements.end());
  return text;
}

std::string page_of(Explanation& e, const ItemToExplain& item, const std::string& id) {
  e.has_fates = false;
  e.left.id = item.row ? std::string(kRowName) : item.id;
  e.right.id = id;
  return explanation_text(e, text_style(false));
}

}  // namespace

std::string StoredSets::explain(const ItemToExplain& item, const std::string& id,
                                const RunHooks& /*hooks*/) const {
  Explanation e;
  const Settings& settings = shape_->settings;
  readers_->with_reader([&](StoredRowReader& reader) {
    const auto reading = lock_.reading();
    const IndexLookup lookup(index(), settings, files_ ? &*files_ : nullptr);
    const auto set_of = [&](const std::string& name) {
      const ItemPlace place = place_of(name, reader.finder.buffer);
      const IndexItem stored = index().item(place, reader.finder.buffer);
      return set_alone(stored.size == 0 ? SetView() : lookup.elements_of(stored, reader.finder));
    };
    ShingledText left;
    if (item.row) {
      reader.read_asked(*item.row, 0);
      PaddedBytes text;
      text.assign(reader.asked_text());
      left = shingle_text(text.view(), settings.shingle);
    } else {
      left = set_of(item.id);
    }
    const ShingledText right = set_of(id);
    explain_overlap(settings, shape_->options, left, right, e);
    e.same_row = !item.row && item.id == id;
    e.finds_every_pair = settings.method == Method::exact;
    if (!e.finds_every_pair && !left.set.empty() && !right.set.empty()) {
      explain_bands(shape_->plan, settings, left, right, e);
    }
  });
  return page_of(e, item, id);
}

std::string explain_stored_items(const Options& options, const ItemToExplain& item,
                                 const std::string& id, const RunHooks& hooks) {
  const auto engine = engine_of_kind(kExplain, options, hooks);
  engine->prepare();
  (void)engine->decide();
  Explanation e;
  e.same_row = !item.row && item.id == id;
  engine->explain(0, engine->corpus().rows - 1, e);
  return page_of(e, item, id);
}

}  // namespace sosie
