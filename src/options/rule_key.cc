// TABLE: keys in a rules file, with their types, bounds and meanings.
#include "options/rule_key.h"

#include <algorithm>
#include <array>
#include <utility>

#include "options/link_rule_names.h"
#include "represent/text_shingler.h"

namespace sosie {
namespace {

using RT = RuleType;

constexpr std::size_t kMostBounds = kMostLevels - 3;
constexpr double kMostCount = 1 << 20;
constexpr RuleRange kPartOfOne = {0, 1, true};

template <typename Value>
Value taken(RuleValue& value) {
  return std::move(std::get<Value>(value));
}

constexpr const char* kDayFormats = "made of %Y or %y, %m or %b, and %d, such as \"%d.%m.%Y\"";

std::vector<std::string_view> clean_names() { return names_of(kCleans); }
std::vector<std::string_view> type_names() { return names_of(kTypes); }
std::vector<std::string_view> decimal_names() { return {".", ","}; }
std::vector<std::string_view> assign_names() { return names_of(kAssigns); }
std::vector<std::string_view> score_method_names() { return names_of(kScoreMethods); }
std::vector<std::string_view> method_names() { return {"exact", "lsh"}; }

std::vector<std::string_view> comparison_names() {
  std::vector<std::string_view> names;
  for (const FieldMeasureName& row : field_measures()) names.push_back(row.name);
  names.push_back(kNotCompared);
  return names;
}

bool is_shingle(std::string_view text) {
  const auto recipe = parse_shingle(text);
  return recipe && (recipe->unit == ShingleUnit::chars || recipe->unit == ShingleUnit::words);
}

bool is_there(std::string_view text) { return !text.empty(); }

const std::array kFieldKeys = {
    RuleKeyOf<LinkField>{
        {"columns", RT::texts,
         "columns that make up the field, joined by a space; its name if left out"},
        [](LinkField& f, RuleValue v) { f.columns = taken<std::vector<std::string>>(v); }},
    RuleKeyOf<LinkField>{
        {"columns_right", RT::texts,
         "columns of the other collection, if they have different names"},
        [](LinkField& f, RuleValue v) { f.columns_right = taken<std::vector<std::string>>(v); }},
    RuleKeyOf<LinkField>{{.name = "clean",
                          .type = RT::choice,
                          .help = "part of a value that is compared",
                          .names = clean_names},
                         [](LinkField& f, RuleValue v) {
                           f.form.clean = *value_in(kCleans, taken<std::string>(v));
                         }},
    RuleKeyOf<LinkField>{
        {.name = "type",
         .type = RT::choice,
         .help = "type of the values; one that is not a number or date counts as missing",
         .names = type_names},
        [](LinkField& f, RuleValue v) { f.form.type = *value_in(kTypes, taken<std::string>(v)); }},
    RuleKeyOf<LinkField>{
        {.name = "format",
         .type = RT::text,
         .help = "date formats, such as \"%d.%m.%Y\" or \"%d.%m.%Y|%Y-%m-%d\"",
         .beside = "type",
         .check = is_day_format,
         .expected = kDayFormats,
         .pattern = "%[Yy]"},
        [](LinkField& f, RuleValue v) { f.form.date_format = taken<std::string>(v); }},
    RuleKeyOf<LinkField>{{.name = "format_right",
                          .type = RT::text,
                          .help = "date formats in the other collection, if different",
                          .beside = "type",
                          .check = is_day_format,
                          .expected = kDayFormats,
                          .pattern = "%[Yy]"},
                         [](LinkField& f, RuleValue v) { f.format_right = taken<std::string>(v); }},
    RuleKeyOf<LinkField>{
        {.name = "decimal",
         .type = RT::choice,
         .help = "decimal separator of numbers",
         .names = decimal_names,
         .beside = "type"},
        [](LinkField& f, RuleValue v) { f.form.decimal = taken<std::string>(v).front(); }},
    RuleKeyOf<LinkField>{
        {.name = "decimal_right",
         .type = RT::choice,
         .help = "decimal separator in the other collection, if different",
         .names = decimal_names,
         .beside = "type"},
        [](LinkField& f, RuleValue v) { f.decimal_right = taken<std::string>(v).front(); }},
    RuleKeyOf<LinkField>{{.name = "compare",
                          .type = RT::choice,
                          .help = "measure of two values; none: only candidate rules use the field",
                          .names = comparison_names,
                          .noun = "comparison"},
                         [](LinkField& f, RuleValue v) {
                           const auto name = taken<std::string>(v);
                           f.is_compared = name != kNotCompared;
                           if (f.is_compared) f.comparison.measure = *measure_called(name);
                         }},
    RuleKeyOf<LinkField>{
        {.name = "levels",
         .type = RT::numbers,
         .help = "bounds, strictest first; equal and different values have their own levels",
         .range = {0, 1e9},
         .most_items = kMostBounds},
        [](LinkField& f, RuleValue v) { f.comparison.bounds = taken<std::vector<double>>(v); }},
    RuleKeyOf<LinkField>{
        {"brief", RT::texts,
         "some of the columns, also compared by themselves; the mean of both counts"},
        [](LinkField& f, RuleValue v) { f.brief = taken<std::vector<std::string>>(v); }},
    RuleKeyOf<LinkField>{
        {.name = "crosswise",
         .type = RT::text,
         .help =
             "other field whose values may be swapped with these: both are also compared crosswise",
         .check = is_there,
         .expected = "the name of a field",
         .pattern = "."},
        [](LinkField& f, RuleValue v) { f.crosswise = taken<std::string>(v); }},
    RuleKeyOf<LinkField>{
        {"swapped", RT::flag, "the two columns are also compared with those of one side swapped"},
        [](LinkField& f, RuleValue v) { f.swapped = taken<bool>(v); }},
    RuleKeyOf<LinkField>{
        {.name = "nicknames",
         .type = RT::text,
         .help =
             "CSV file whose rows are names of the same person, in the folder of the rules file",
         .check = is_there,
         .expected = "the name of a file",
         .pattern = "."},
        [](LinkField& f, RuleValue v) { f.nicknames = taken<std::string>(v); }},
    RuleKeyOf<LinkField>{
        {.name = "separator",
         .type = RT::text,
         .help = "separator of the values of a list; the best pair of values counts",
         .check = is_there,
         .expected = "a separator such as \";\"",
         .pattern = "."},
        [](LinkField& f, RuleValue v) { f.separator = taken<std::string>(v); }},
    RuleKeyOf<LinkField>{{"frequency", RT::flag, "agreement in a rare value says more"},
                         [](LinkField& f, RuleValue v) { f.frequency = taken<bool>(v); }},
};

template <CandidateRule::Kind kind>
void set_rule_fields(CandidateRule& rule, RuleValue value) {
  rule.kind = kind;
  rule.fields = taken<std::vector<std::uint32_t>>(value);
}

const std::array kCandidateKeys = {
    RuleKeyOf<CandidateRule>{{"equal", RT::fields, "fields that are all equal"},
                             set_rule_fields<CandidateRule::Kind::equal>},
    RuleKeyOf<CandidateRule>{{"near", RT::fields, "fields that are similar, joined by a space"},
                             set_rule_fields<CandidateRule::Kind::near>},
    RuleKeyOf<CandidateRule>{{"sorted", RT::fields, "fields by which records are sorted"},
                             set_rule_fields<CandidateRule::Kind::sorted>},
    RuleKeyOf<CandidateRule>{
        {.name = "prefix",
         .type = RT::count,
         .help = "first characters that must be equal",
         .range = {1, kMostCount},
         .beside = "equal"},
        [](CandidateRule& r, RuleValue v) { r.prefix = taken<std::uint32_t>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "window",
         .type = RT::count,
         .help = "maximum distance between two records in the sorted order",
         .range = {1, kMostCount},
         .beside = "sorted"},
        [](CandidateRule& r, RuleValue v) { r.window = taken<std::uint32_t>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "top",
         .type = RT::count,
         .help = "number of nearest records of each record that are candidates",
         .range = {1, kMostCount},
         .beside = "near"},
        [](CandidateRule& r, RuleValue v) { r.top = taken<std::uint32_t>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "prune",
         .type = RT::number,
         .help = "share of each text's tfidf weight that the search skips; 0: find every neighbour",
         .range = {0, 0.5},
         .beside = "near"},
        [](CandidateRule& r, RuleValue v) { r.near.prune = taken<double>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "measure",
         .type = RT::choice,
         .help = "measure of similarity: one for strings, one for sets, or tfidf",
         .names = near_measure_names,
         .beside = "near",
         .check = is_near_measure},
        [](CandidateRule& r, RuleValue v) { r.near.measure = taken<std::string>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "within",
         .type = RT::count,
         .help = "maximum number of edits between two strings",
         .range = {0, kMostCount},
         .beside = "near"},
        [](CandidateRule& r, RuleValue v) { r.near.within = taken<std::uint32_t>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "threshold",
         .type = RT::number,
         .help = "minimum similarity",
         .range = {1e-6, 1},
         .beside = "near"},
        [](CandidateRule& r, RuleValue v) { r.near.threshold = written_number(taken<double>(v)); }},
    RuleKeyOf<CandidateRule>{
        {.name = "shingle",
         .type = RT::text,
         .help = "elements of the sets: chars:3, words:2",
         .beside = "near",
         .check = is_shingle,
         .expected = "chars:K or words:K, such as \"chars:3\"",
         .pattern = "^(chars|words):[1-9][0-9]?$"},
        [](CandidateRule& r, RuleValue v) { r.near.shingle = taken<std::string>(v); }},
    RuleKeyOf<CandidateRule>{
        {.name = "method",
         .type = RT::choice,
         .help = "exact finds every pair, lsh a share of `recall` of them",
         .names = method_names,
         .beside = "near"},
        [](CandidateRule& r, RuleValue v) { r.near.lsh = taken<std::string>(v) == "lsh"; }},
    RuleKeyOf<CandidateRule>{
        {.name = "recall",
         .type = RT::number,
         .help = "share of the pairs at the threshold that lsh finds",
         .range = kPartOfOne,
         .beside = "method"},
        [](CandidateRule& r, RuleValue v) { r.near.recall = taken<double>(v); }},
};

const std::array kCandidatesKeys = {
    RuleKeyOf<LinkRules>{
        {.name = "max_block",
         .type = RT::count,
         .help = "maximum number of records with equal fields for which all pairs are candidates",
         .range = {1, 2147483648.0}},
        [](LinkRules& r, RuleValue v) { r.max_block = taken<std::uint32_t>(v); }},
};

const std::array kScoreKeys = {
    RuleKeyOf<LinkRules>{{.name = "method",
                          .type = RT::choice,
                          .help = "score of a pair; auto: by the shape of the fields",
                          .names = score_method_names,
                          .noun = "method of scoring"},
                         [](LinkRules& r, RuleValue v) {
                           r.method = *value_in(kScoreMethods, taken<std::string>(v));
                         }},
    RuleKeyOf<LinkRules>{{.name = "model",
                          .type = RT::text,
                          .help = "weights file that a run wrote with --model",
                          .check = is_there,
                          .expected = "the name of a file",
                          .pattern = "."},
                         [](LinkRules& r, RuleValue v) { r.model = taken<std::string>(v); }},
};

const std::array kDecideKeys = {
    RuleKeyOf<LinkRules>{
        {.name = "assign",
         .type = RT::choice,
         .help = "partners of a record, with two collections",
         .names = assign_names},
        [](LinkRules& r, RuleValue v) { r.assign = *value_in(kAssigns, taken<std::string>(v)); }},
    RuleKeyOf<LinkRules>{
        {.name = "cut",
         .type = RT::number_or_text,
         .help = "auto, lowest probability of a link, or precision:P",
         .range = {1e-9, 1},
         .check = is_link_cut,
         .expected = "auto, a number above 0 and at most 1, or precision: and such a number",
         .pattern = "^(auto|(precision:)?[0-9.eE/+-]+)$"},
        [](LinkRules& r, RuleValue v) { r.cut = taken<std::string>(v); }},
};

void set_fields(PairRule& rule, RuleValue value) {
  rule = taken<std::vector<std::uint32_t>>(value);
}

const std::array kAlwaysKeys = {
    RuleKeyOf<PairRule>{{"equal", RT::fields, "fields that are all equal"}, set_fields}};
const std::array kNeverKeys = {RuleKeyOf<PairRule>{
    {"differ", RT::fields, "fields that are all present and all differ"}, set_fields}};

}  // namespace

std::span<const RuleKeyOf<LinkField>> field_keys() { return kFieldKeys; }
std::span<const RuleKeyOf<CandidateRule>> candidate_keys() { return kCandidateKeys; }
std::span<const RuleKeyOf<LinkRules>> candidates_keys() { return kCandidatesKeys; }
std::span<const RuleKeyOf<LinkRules>> score_keys() { return kScoreKeys; }
std::span<const RuleKeyOf<LinkRules>> decide_keys() { return kDecideKeys; }
std::span<const RuleKeyOf<PairRule>> always_keys() { return kAlwaysKeys; }
std::span<const RuleKeyOf<PairRule>> never_keys() { return kNeverKeys; }

}  // namespace sosie
