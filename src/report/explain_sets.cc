// Explanation of two texts, sets or bags.
#include "report/explain_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "corpus/rows/row_reader.h"
#include "corpus/rows/shingled_text.h"
#include "data/kinds.h"
#include "join/sets/candidate_sketch.h"

namespace sosie {
namespace {

constexpr std::size_t kMostDiffWords = 200'000;  // words of a text compared by the diff
constexpr std::size_t kExamples = 3;
constexpr std::size_t kElements = 20;  // elements of a set that are shown

PaddedBytes text_of(const SetRun& run, RowNumber row) {
  RowReader reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}});
  PaddedBytes text;
  text.assign(reader.read(row).text);
  return text;
}

std::shared_ptr<ComparedTexts> texts_of(const SetRun& run, RowNumber left, RowNumber right) {
  auto texts = std::make_shared<ComparedTexts>();
  texts->left = text_of(run, left);
  texts->right = text_of(run, right);
  return texts;
}

void cut_into_words(const SetRun& run, ComparedTexts& texts, Explanation& e) {
  WordCutter cutter(run.settings.shingle);
  texts.left_words = cutter.cut(texts.left.view(), kMostDiffWords);
  texts.right_words = cutter.cut(texts.right.view(), kMostDiffWords);
  const std::size_t most = std::max(texts.left_words.size(), texts.right_words.size());
  if (most == kMostDiffWords) e.cut_off_words = kMostDiffWords;
}

// Sketches, as lsh sees them, of the items that share a bucket with an item; by place.
std::map<Place, CandidateSketch> neighbours_of(SetRun& run, Place place,
                                               CandidateSketcher& sketcher) {
  std::map<Place, CandidateSketch> neighbours;
  for (const std::uint32_t bucket : run.matcher->buckets_of()[place]) {
    for (const Place other : run.matcher->buckets()[bucket]) neighbours[other];
  }
  neighbours[place];
  for (auto& [other, sketch] : neighbours) {
    sketcher.sketch(run.matcher->set_of(0, other).hashes(), sketch);
  }
  return neighbours;
}

std::vector<ItemInFull::Band> bands_of(SetRun& run, Place place) {
  const BandingPlan& plan = run.choice.banding;
  CandidateSketcher sketcher(plan, run.settings.seed, run.settings.sketch);
  const std::map<Place, CandidateSketch> neighbours = neighbours_of(run, place, sketcher);
  const CandidateSketch& own = neighbours.at(place);
  std::vector<ItemInFull::Band> bands(own.keys.size());
  for (std::size_t band = 0; band < bands.size(); ++band) {
    bands[band].key = fmt::format("{:016x}", own.keys[band]);
    for (const auto& [other, sketch] : neighbours) {
      if (sketch.keys[band] != own.keys[band]) continue;
      bands[band].rows.push_back(run.items.rows[other]);
      const auto copies = run.items.copies_of(other);
      bands[band].rows.insert(bands[band].rows.end(), copies.begin(), copies.end());
    }
    std::sort(bands[band].rows.begin(), bands[band].rows.end());
  }
  return bands;
}

}  // namespace

ItemInFull set_in_full(SetRun& run, RowNumber row) {
  const Settings& settings = run.settings;
  const PaddedBytes bytes = text_of(run, row);
  const ShingledText text = shingle_text(bytes.view(), settings.shingle);
  ItemInFull full;
  full.part = run.options.kind == kTextItems ? "shingle" : "element";
  if (full.part == "element" && settings.shingle.bag) {
    for (const ExampleShingle& each : example_elements(text, text.set, true, text.set.size())) {
      full.parts.push_back(fmt::format("{}, {} times", each.text, each.times));
    }
  } else {
    full.parts = all_shingles(text, settings.shingle);
  }
  const Place place = run.items.place_of[row];
  if (place == kNoPlace || run.choice.finds_every_pair()) return full;
  MinHasher hasher(run.choice.banding.components, settings.seed, settings.sketch);
  std::vector<std::uint32_t> signature(static_cast<std::size_t>(run.choice.banding.components));
  hasher.sketch(text.in_order, signature);
  full.signature_name = "signature";
  full.signature = fmt::format("{}", fmt::join(signature, " "));
  full.bands = bands_of(run, place);
  return full;
}

void explain_overlap(const Settings& settings, const Options& options, const ShingledText& left,
                     const ShingledText& right, Explanation& e) {
  const Measure& measure = *settings.measure;
  e.overlap = measure.overlap(left.set, right.set);
  e.measure = measure.name;
  // Shows an ordered measure in the direction that counts; a line of the page shows both
  // directions.
  const bool flip = measure.is_ordered() && measure.is_above(e.overlap.flipped(), e.overlap);
  const Overlap overlap = flip ? e.overlap.flipped() : e.overlap;
  e.similarity = measure.similarity(overlap);
  e.fraction = measure.fraction(overlap);
  e.reaches = measure.reaches(e.overlap, settings.threshold);
  e.threshold = options.threshold;
  e.shingle = options.shingle;
  e.tokens = options.tokens;
  e.of_text = options.kind == kTextItems;
  e.token_name = !e.of_text ? "elements" : settings.shingle.cuts_words() ? "words" : "characters";
  e.part = e.of_text ? "shingle" : settings.shingle.bag ? "occurrence" : "element";
  e.left.tokens = left.tokens;
  e.right.tokens = right.tokens;
  e.left.shingles = left.set.size();
  e.right.shingles = right.set.size();
  e.has_nothing = e.left.shingles == 0 || e.right.shingles == 0;
  e.of_bags = !e.of_text && settings.shingle.bag;
  if (e.of_bags) {
    e.left.elements = count_elements(left);
    e.right.elements = count_elements(right);
  }
  const auto examples = [&](const ShingledText& of, const ShingledText& other, bool shared) {
    if (e.of_bags) return example_elements(of, other.set, shared, kElements);
    return example_shingles(of, other.set, shared, settings.shingle,
                            e.of_text ? kExamples : kElements);
  };
  e.in_both = examples(left, right, true);
  e.left.only_here = examples(left, right, false);
  e.right.only_here = examples(right, left, false);
  e.item = e.of_text ? "text" : "set";
  if (!e.of_text) e.nothing = "an empty set";
}

void explain_bands(const BandingPlan& plan, const Settings& settings, const ShingledText& left,
                   const ShingledText& right, Explanation& e) {
  e.plan = plan;
  CandidateSketcher sketcher(plan, settings.seed, settings.sketch);
  CandidateSketch sketches[2];
  sketcher.sketch(left.set, sketches[0]);
  sketcher.sketch(right.set, sketches[1]);
  e.agreement = agreement_of(sketches[0], sketches[1]);
}

std::string longest_passage(const SetRun& run, RowNumber row, RowNumber other) {
  const std::shared_ptr<ComparedTexts> texts = texts_of(run, row, other);
  WordCutter cutter(run.settings.shingle);
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const CopiedPassages copied =
      copied_passages(cutter.cut(texts->left.view(), kAll), cutter.cut(texts->right.view(), kAll),
                      run.settings.shingle);
  const auto longest =
      std::max_element(copied.passages.begin(), copied.passages.end(),
                       [](const auto& a, const auto& b) { return a.words < b.words; });
  if (longest != copied.passages.end()) return std::string(longest->text);
  // Both texts have fewer words than a shingle, so each is a single shingle.
  const bool are_short = shingle_text(texts->left.view(), run.settings.shingle).set.size() == 1;
  return are_short ? std::string(texts->left.view()) : std::string();
}

namespace {

// --contained only measures how much of an item of --against a row contains, not the reverse.
void explain_holding(const SetRun& run, RowNumber left_row, RowNumber right_row, Explanation& e) {
  const bool left_is_item = left_row < run.corpus.first_own_row;
  const bool right_is_item = right_row < run.corpus.first_own_row;
  e.holder = left_is_item == right_is_item ? Holder::neither
             : left_is_item                ? Holder::right
                                           : Holder::left;
  if (e.holder == Holder::neither) {
    e.reaches = false;
    return;
  }
  const Measure& measure = *run.settings.measure;
  const Overlap held = left_is_item ? e.overlap : e.overlap.flipped();
  e.similarity = measure.similarity(held);
  e.fraction = measure.fraction(held);
  e.reaches = measure.left_reaches(held, run.settings.threshold);
}

}  // namespace

void explain_sets(const SetRun& run, RowNumber left_row, RowNumber right_row, Explanation& e) {
  const std::shared_ptr<ComparedTexts> texts = texts_of(run, left_row, right_row);
  const Settings& settings = run.settings;
  const ShingledText left = shingle_text(texts->left.view(), settings.shingle);
  const ShingledText right = shingle_text(texts->right.view(), settings.shingle);
  explain_overlap(settings, run.options, left, right, e);
  if (!run.options.contained.empty()) explain_holding(run, left_row, right_row, e);
  e.finds_every_pair = run.choice.finds_every_pair();
  e.compares_every_pair = run.choice.brute;
  if (!e.finds_every_pair && !left.set.empty() && !right.set.empty()) {
    explain_bands(run.choice.banding, settings, left, right, e);
  }
  if (!e.of_text) return;
  cut_into_words(run, *texts, e);
  e.texts = texts;
  if (run.options.passages && !e.same_row) {
    e.passages = copied_passages(texts->left_words, texts->right_words, settings.shingle);
  }
}

}  // namespace sosie
