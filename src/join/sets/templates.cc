// Describes templates: the shingles shared by rows of hot buckets.
#include "join/sets/templates.h"

#include <algorithm>
#include <map>

#include "corpus/rows/row_reader.h"
#include "corpus/rows/shingled_text.h"

namespace sosie {
namespace {

constexpr std::size_t kSample = 64;              // rows of a template that are looked at
constexpr std::uint64_t kManyComparisons = 100;  // comparisons of a row that are many
constexpr std::size_t kPassageBytes = 400;

std::vector<Place> sample_of(std::span<const Place> members) {
  std::vector<Place> sample;
  const std::size_t count = std::min(kSample, members.size());
  for (std::size_t i = 0; i < count; ++i) sample.push_back(members[i * members.size() / count]);
  return sample;
}

// The shingles that half of the sets contain, ascending.
std::vector<std::uint64_t> common_shingles(std::span<const SetView> sets) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const SetView set : sets) {
    for (const std::uint64_t shingle : set) ++counts[shingle];
  }
  std::vector<std::uint64_t> common;
  for (const auto& [shingle, count] : counts) {
    if (2 * count >= sets.size()) common.push_back(shingle);
  }
  return common;
}

// Mean share of the sets' shingles that are common.
double common_part(std::span<const SetView> sets, const std::vector<std::uint64_t>& common) {
  double sum = 0;
  for (const SetView set : sets) {
    const auto shared = std::count_if(set.begin(), set.end(), [&](std::uint64_t shingle) {
      return std::binary_search(common.begin(), common.end(), shingle);
    });
    sum += static_cast<double>(shared) / static_cast<double>(std::max<std::size_t>(1, set.size()));
  }
  return sum / static_cast<double>(sets.size());
}

// A cut never splits a character.
std::string beginning(std::string passage) {
  if (passage.size() <= kPassageBytes) return passage;
  std::size_t end = kPassageBytes;
  while ((static_cast<unsigned char>(passage[end]) & 0xC0) == 0x80) --end;
  passage.resize(end);
  return passage;
}

TemplateFacts describe(const ComparedRows& compared, std::span<const Place> members) {
  const std::vector<Place> sample = sample_of(members);
  std::vector<ShingleSet> sets;
  sets.reserve(sample.size());
  for (const Place item : sample) sets.push_back(compared.matcher.set_of(0, item));
  std::vector<SetView> views;
  views.reserve(sets.size());
  for (const ShingleSet& set : sets) views.push_back(set.hashes());
  RowReader reader(compared.inputs, compared.corpus, compared.inputs.fields);
  return template_of(views, reader.read(compared.items.rows[sample.front()]).text,
                     compared.settings.shingle);
}

// The run's own rows that belong to each template.
std::vector<std::uint64_t> rows_of_templates(const ComparedRows& compared,
                                             const TemplateBuckets& buckets) {
  std::vector<std::uint64_t> rows(buckets.largest.size() + 1);
  for (Place item = compared.items.fixed; item < compared.items.size(); ++item) {
    rows[buckets.of_item[item]] += compared.items.rows_of(item);
  }
  return rows;
}

// The template with the same passage; added if there is none.
TemplateFacts& same_template(std::vector<TemplateFacts>& templates, const TemplateFacts& facts) {
  const auto same =
      std::find_if(templates.begin(), templates.end(),
                   [&](const TemplateFacts& known) { return known.passage == facts.passage; });
  if (same != templates.end()) return *same;
  TemplateFacts& added = templates.emplace_back();
  added.common = facts.common;
  added.passage = facts.passage;
  return added;
}

std::vector<TemplateFacts> templates_of(const ComparedRows& compared) {
  const TemplateBuckets& buckets = compared.matcher.templates();
  const std::vector<std::uint64_t> rows = rows_of_templates(compared, buckets);
  const std::vector<std::uint64_t> candidates = compared.matcher.candidates_of_templates();
  std::vector<TemplateFacts> templates;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] == 0 || candidates[i] < kManyComparisons * rows[i]) continue;
    const auto members = compared.matcher.buckets()[buckets.largest[i - 1]];
    TemplateFacts& facts = same_template(templates, describe(compared, members));
    facts.rows += rows[i];
    facts.candidates += candidates[i];
  }
  return templates;
}

}  // namespace

TemplateFacts template_of(std::span<const SetView> sets, std::string_view text,
                          const ShingleRecipe& recipe) {
  const std::vector<std::uint64_t> common = common_shingles(sets);
  TemplateFacts facts;
  facts.common = common_part(sets, common);
  facts.passage = beginning(longest_passage(shingle_text(text, recipe), common, recipe));
  return facts;
}

void add_templates(const ComparedRows& compared, std::vector<TemplateFacts>& templates) {
  if (compared.matcher.templates().empty()) return;
  for (const TemplateFacts& found : templates_of(compared)) {
    TemplateFacts& facts = same_template(templates, found);
    facts.may_be_more = facts.rows > 0;
    facts.rows = std::max(facts.rows, found.rows);
    facts.candidates += found.candidates;
  }
  std::stable_sort(
      templates.begin(), templates.end(),
      [](const TemplateFacts& a, const TemplateFacts& b) { return a.candidates > b.candidates; });
  if (templates.size() > kMostTemplates) templates.resize(kMostTemplates);
}

}  // namespace sosie
