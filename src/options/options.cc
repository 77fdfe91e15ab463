// TABLE: every option, once; the source of flags, keywords, help and documentation.
#include "sosie/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "core/rational.h"
#include "core/size_text.h"
#include "data/kinds.h"
#include "data/method_name.h"
#include "io/encoding.h"
#include "kernels/simd.h"
#include "options/field_names.h"
#include "options/format_table.h"
#include "options/formats.h"
#include "options/golden_rules.h"
#include "options/link_rules.h"
#include "options/match_part.h"
#include "options/measure_words.h"
#include "options/parse_grid.h"
#include "options/settings.h"
#include "plan/construction.h"
#include "plan/lsh_plan.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"
#include "sosie/index_folder.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Text = std::string_view;

constexpr std::array kVerbs = {
    Verb{"dedup", "dedupe", kDedup, "INPUT... [-o OUT] [--against OTHER]",
         "keep one row of each group of near-duplicates"},
    Verb{"pairs", "", kPairs, "INPUT... [--against OTHER]", "list every pair of similar items"},
    Verb{"query", "", kQuery, "DATA [INPUT...]",
         "look up INPUT in DATA, best matches first; streams from a pipe"},
    Verb{"cluster", "", kCluster, "PAIRS",
         "form groups from pairs or links, at the same or a higher threshold"},
    Verb{"explain", "", kExplain, "ID1 ID2 INPUT... [--against OTHER]",
         "show why two rows are (not) duplicates, and what became of them"},
    Verb{"plan", "", kPlan, "[INPUT...]",
         "predict a run, with reasons: method, recall, time, memory, S-curve"},
    Verb{"sketch", "", kSketch, "INPUT... --plan P.json -o FILE",
         "compute signatures of part of the input for other verbs to use"},
    Verb{"link", "", kLink, "INPUT... [--against OTHER]",
         "link records that describe the same entity, within INPUT or with OTHER"},
    Verb{"index", "", kIndex, "build|add|remove|merge|compact|info|check INDEX [INPUT...]",
         "build and update an on-disk index for query and --against"},
    Verb{"serve", "", kServe, "INDEX...|RUN",
         "serve an index, several as one, or a run to review, over HTTP (loopback by default)"},
    Verb{"demo", "", kDemo, "[FOLDER]",
         "run dedup on the installed sample and show what to try next"},
};

[[noreturn]] void refuse(Text name, Text value, Text expected, const std::string& hint = {}) {
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
              fmt::format("'{}' is not {}", value, expected), hint);
}

std::uint64_t to_integer(Text name, Text value) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || value.empty()) {
    refuse(name, value, "a whole number");
  }
  return number;
}

// Accepts "250000", "1e10", "2.5e9".
void check_row_count(Text name, Text value) {
  if (!parse_count(value)) refuse(name, value, "a number of rows such as 250000 or 1e10");
}

void check_core_count(Text name, Text value) {
  constexpr std::uint64_t kMost = 100'000;
  const std::uint64_t number = to_integer(name, value);
  if (number == 0 || number > kMost) refuse(name, value, "a number from 1 to 100000");
}

// "4G", "256M", "1000000"; K, M and G are powers of 1024.
std::uint64_t to_size(Text name, Text value) {
  constexpr Text kUnits = "KMGT";
  int shift = 0;
  Text digits = value;
  if (!digits.empty() && digits.back() == 'B') digits.remove_suffix(1);
  if (!digits.empty() && digits.back() == 'i') digits.remove_suffix(1);
  if (!digits.empty() && kUnits.find(digits.back()) != Text::npos) {
    shift = 10 * (static_cast<int>(kUnits.find(digits.back())) + 1);
    digits.remove_suffix(1);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty() ||
      number == 0 || number >> (63 - shift) != 0) {
    refuse(name, value, "a size such as 256M or 4G");
  }
  return number << shift;
}

bool to_flag(Text name, Text value) {
  if (value == "true") return true;
  if (value == "false") return false;
  refuse(name, value, "true or false");
}

std::string to_text(Text name, Text value) {
  if (value.empty())
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, "is empty");
  return std::string(value);
}

std::string to_part(Text name, Text value) {
  if (!parse_part(value)) refuse(name, value, "a part I/N such as 3/8, I from 1 to N");
  return std::string(value);
}

// Field names, such as "title|name,body".
std::string to_fields(Text name, Text value) {
  if (const std::string fault = fault_of_field_names(value); !value.empty() && !fault.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name), std::string(value)},
                fault, way_to_field_names(value));
  }
  return to_text(name, value);
}

// A fraction in (0, 1], kept as written.
std::string to_fraction(Text name, Text value) {
  const auto fraction = parse_rational(value);
  if (!fraction || fraction->num == 0 || fraction->num > fraction->den) {
    refuse(name, value, "a number above 0 and at most 1, such as 0.8 or 4/5");
  }
  return std::string(value);
}

// Any number, because inner products have no bounds; require_fraction() rejects values that other
// measures cannot have.
std::string to_threshold(Text name, Text value) {
  if (!parse_signed_rational(value)) return to_fraction(name, value);
  return std::string(value);
}

std::string nearest_hint(Text value, const std::vector<std::string>& words) {
  const std::vector<Text> known(words.begin(), words.end());
  const Text nearest = nearest_name(value, known);
  return nearest.empty() ? std::string() : fmt::format("did you mean {}?", nearest);
}

std::string to_choice(Text name, Text value, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string(value);
  const bool names_file = name == "annotate" && value.find('.') != Text::npos;
  refuse(name, value, fmt::format("one of {}", joined_text(choices, ", ")),
         names_file ? fmt::format("--annotate all -o {} writes the rows to that file", value)
                    : nearest_hint(value, choices));
}

std::string to_choice(Text name, Text value, Text choices) {
  std::vector<std::string> parts;
  for (; !choices.empty();
       choices.remove_prefix(std::min(choices.size(), parts.back().size() + 1))) {
    parts.emplace_back(choices.substr(0, choices.find('|')));
  }
  return to_choice(name, value, parts);
}

constexpr Text kOverwriteChoices = "same|all";

// Python passes True.
void set_overwrite(Options& options, Text value) {
  const bool is_flag = value == "true" || value == "false";
  if (!is_flag) to_choice("overwrite", value, kOverwriteChoices);
  options.overwrite = value != "false";
  options.overwrite_all = value == "all";
}

// "did you mean words:5?" for word:5; empty if nothing is similar.
std::string shingle_hint(Text value) {
  constexpr std::array<Text, 3> kUnits = {"words", "chars", "stopwords"};
  const std::size_t colon = std::min(value.find(':'), value.size());
  const std::string meant =
      std::string(nearest_name(value.substr(0, colon), kUnits)) + std::string(value.substr(colon));
  return parse_shingle(meant) ? fmt::format("did you mean {}?", meant) : std::string{};
}

void set_shingle(Options& options, Text value) {
  if (!parse_shingle(value)) {
    refuse("shingle", value,
           fmt::format("words:N or chars:N with N from 1 to {}, or stopwords:N up to {}",
                       kMaxShingleSize, kMaxShingleSize - 1),
           shingle_hint(value));
  }
  options.shingle = value;
}

void set_ignore_common(Options& options, Text value) {
  const auto part = parse_rational(value);
  if (!part || part->num == 0 || part->num >= part->den) {
    refuse("ignore-common", value, "a share of the items: a number above 0 and below 1");
  }
  options.ignore_common = value;
}

std::string to_encoding(Text name, Text value) {
  if (!is_encoding_name(value)) {
    refuse(name, value,
           "one of utf-8, utf-16, utf-32, latin-1, iso-8859-2 to -16, windows-1250 to "
           "-1258, auto, or a stateless encoding that `iconv -l` lists");
  }
  return std::string(value);
}

void set_measure_name(Options& options, Text value) {
  if (!typed_measure(value)) {
    std::vector<std::string> names = shown_words(measure_words());
    const std::string hint = measure_hint(value);
    std::sort(names.begin(), names.end());
    refuse("measure", value, fmt::format("one of the measures {}", joined_text(names, ", ")),
           hint.empty() ? nearest_hint(value, names) : hint);
  }
  options.measure = value;
}

void set_kind(Options& options, Text value) {
  options.kind = kind_called(to_choice("kind", value, shown_words(kind_words())));
}

void set_method(Options& options, Text value) {
  options.method = method_called(to_choice("method", value, shown_words(method_words())));
}

void set_bands(Options& options, Text value) {
  if (!parse_bands(value)) {
    refuse("bands", value,
           fmt::format("BANDSxROWS such as 14x8, with at most {} rows in all", kMostFunctions));
  }
  options.bands = value;
}

void set_filters(Options& options, Text value) {
  if (!parse_filters(value)) {
    refuse("filters", value, "none or a list of length, prefix, position, suffix, signature");
  }
  options.filters = value;
}

void set_construct(Options& options, Text value) {
  if (!parse_construction(value)) {
    refuse("construct", value,
           "a cascade such as and:4,or:4, each of 1 to 65536, at most 2^32 functions in all");
  }
  options.construct = value;
}

void set_family(Options& options, Text value) {
  if (hash_family_by_name(value) == nullptr) {
    refuse("family", value,
           fmt::format("one of the families {}", joined_text(shown_words(family_words()), ", ")));
  }
  options.family = value;
}

// A probability, kept as written.
std::string to_probability(Text name, Text value) {
  const auto p = parse_rational(value);
  if (!p || p->num == 0 || p->num >= p->den) {
    refuse(name, value, "a number above 0 and below 1, such as 0.004096 or 1/3");
  }
  return std::string(value);
}

// A distance, kept as written.
std::string to_distance(Text name, Text value) {
  if (!parse_rational(value)) {
    refuse(name, value, "a number from 0 to 2147483647, such as 0.2, 3 or 1/3");
  }
  return std::string(value);
}

void set_keep(Options& options, Text value) {
  const auto rules = parse_keep(value);
  if (!rules) {
    const bool is_name = !value.empty() && value.find_first_of(":,") == Text::npos;
    const bool has_name = value.find(':') != Text::npos && value.find(',') != Text::npos;
    refuse("keep", value, "a list of first, last, longest, shortest, max:FIELD, min:FIELD",
           value == "max" || value == "min"
               ? fmt::format("{0}:FIELD ranks by a field, such as {0}:score", value)
           : is_name  ? fmt::format("max:{0} or min:{0} ranks by a field of that name", value)
           : has_name ? "in the name of a field, put a backslash before a comma: max:a\\,b"
                      : "");
  }
  const auto is_of_order = [](const KeepRule& rule) {
    return rule.by == KeepRule::By::first || rule.by == KeepRule::By::last;
  };
  if (std::any_of(rules->begin(), rules->end() - 1, is_of_order)) {
    refuse("keep", value, "a list with first or last only at its end",
           "they leave no ties, so later rules have no effect");
  }
  for (const KeepRule& rule : *rules) {
    if (!rule.field.empty()) to_fields("keep", rule.field);
  }
  options.keep = value;
}

void add_golden(Options& options, Text value) {
  if (!parse_golden(value)) {
    refuse("golden", value, fmt::format("FIELD=RULE, with a rule of {}", kGoldenRules));
  }
  options.golden.emplace_back(value);
}

void set_up_to(Text name, std::uint64_t most, std::uint64_t& member, Text value) {
  member = to_integer(name, value);
  if (member < 1 || member > most) {
    refuse(name, value, fmt::format("a number from 1 to {}", most));
  }
}

void set_threads(Options& options, Text value) {
  std::uint64_t number = 0;
  set_up_to("threads", 1024, number, value);
  options.threads = static_cast<unsigned>(number);
}

void set_count(Text name, std::uint64_t& member, Text value) {
  member = to_integer(name, value);
  if (member == 0) refuse(name, value, "a number above 0");
}

void set_simd(Options& options, Text value) {
  const auto targets = kernels::simd_targets();
  if (value != "auto" && std::find(targets.begin(), targets.end(), value) == targets.end()) {
    refuse("simd", value,
           fmt::format("auto or what this CPU can run: {}", joined_text(targets, ", ")));
  }
  options.simd = value;
}

std::string to_delimiter(Text name, Text value) {
  const Text meant = value == "\\t" || value == "tab" ? Text("\t") : value;
  if (meant.size() != 1 || !is_separator(meant.front())) {
    refuse(name, value, "one ASCII character (no quote, backslash or line break), or tab");
  }
  return std::string(meant);
}

void set_quote(Options& options, Text value) {
  if (value != "none" && (value.size() != 1 || !is_quote(value.front()))) {
    refuse("quote", value, "an ASCII punctuation character (no backslash), or none");
  }
  options.quote = value;
}

void set_escape(Options& options, Text value) {
  if (value.size() != 1 || !is_escape(value.front())) {
    refuse("escape", value, "an ASCII punctuation character");
  }
  options.escape = value;
}

void set_cut(Options& options, Text value) {
  if (!is_link_cut(value)) {
    refuse("cut", value, "auto, a number above 0 and at most 1, or precision: and such a number");
  }
  options.cut = value;
}

void set_ratings(Options& options, Text value) {
  if (!parse_ratings(value)) refuse("ratings", value, "drop:R, liked-hated:R or bag");
  options.ratings = value;
}

void set_represent(Options& options, Text value) {
  if (!parse_grid(value)) {
    refuse("represent", value, kGridForm,
           fmt::format("lengths above 0, a border of half a cell at most, 2 to 360 directions, {} "
                       "cells at most",
                       kMostSquaresOfGrid));
  }
  options.represent = value;
}

constexpr Text kInput = "Input";
constexpr Text kSimilarity = "Similarity";
constexpr Text kRecords = "Records";
constexpr Text kOutput = "Output";
constexpr Text kService = "Service";
constexpr Text kRun = "Run";
constexpr Text kBadRowChoices = "stop|skip|keep";
constexpr Text kUnionChoices = "max|sum";
constexpr Text kSquareChoices = "1|2|3|4|5|6|7|8";
constexpr Text kProbeChoices = "1|1.25|1.5|2|3";
constexpr Text kClusteringChoices = "star|components";
constexpr Text kAssignChoices = "auto|one-to-one|best|all|groups";
constexpr Text kAnnotateChoices = "kept|all";
constexpr Text kKeepItemsChoices = "yes|no";
constexpr Text kLogChoices = "auto|json|off";
constexpr Text kSketchChoices = "permfill|classic";
constexpr Text kTokenChoices = "unicode|raw|ascii";
constexpr Text kCleanChoices = "none|fold|alnum";
constexpr Text kColorChoices = "auto|always|never";
constexpr Text kProgressChoices = "auto|bar|plain|none";

// Why an option applies only to some kinds of items.
constexpr OptionKinds kForTexts = {kTextItems, "they have no text"};
constexpr OptionKinds kForElements = {kSetItems | kBagItems,
                                      "only sets and bags are built from elements"};
constexpr OptionKinds kForBags = {kTextItems | kBagItems,
                                  "only bags count how often an element occurs"};
constexpr OptionKinds kForHashedSets = {kTextItems | kSetItems | kBagItems,
                                        "only sets, and texts as sets, have minhashes"};
constexpr OptionKinds kForJoinedSets = {kTextItems | kSetItems | kBagItems,
                                        "only sets, and texts as sets, are joined by elements"};
constexpr OptionKinds kForGrownSets = {kTextItems | kSetItems | kBagItems,
                                       "they are planned for the input rows"};
constexpr OptionKinds kForNameless = {kVectorItems | kBitItems, "their rows have a field for ids"};
constexpr OptionKinds kForFamilies = {~(kStringItems | kRecordItems), "they are not hashed"};
constexpr OptionKinds kForGrids = {kSetItems, "only sets can consist of grid cells"};
constexpr OptionKinds kForContents = {kTextItems | kSetItems,
                                      "only texts and sets contain one another"};
constexpr OptionKinds kForStrings = {kStringItems,
                                     "only strings are compared character by character"};
constexpr OptionKinds kForSignatures = {~(kStringItems | kRecordItems), "they have no signature"};
constexpr OptionKinds kForItems = {~kRecordItems, "they are compared by rules"};
constexpr OptionKinds kForRecords = {kRecordItems, "only records are compared by rules"};
constexpr OptionKinds kForVectors = {kVectorItems, "only functions of vectors can be probed"};

// The reason why rows cannot be looked up in an index on disk with an option: rows of any kind or,
// for kInMemory, rows that are not compared as sets.
constexpr Text kOneByOne = "where rows are looked up one by one as they are read";
constexpr Text kBuildAnother = "build another index with it";
constexpr Text kNameFiles = "name the files that the items came from";
constexpr OptionKinds kNoIndexOfOneRun = {
    KindBit{}, "because an earlier run knows the ids of only one collection", "leave it out"};
constexpr OptionKinds kNoIndexOfBands = {
    KindBit{}, "which is searched with the bands it was built with", kBuildAnother};
constexpr OptionKinds kNoIndexOfFunctions = {
    kInMemory, "which is searched with the functions it was built with", kBuildAnother};
constexpr OptionKinds kNoIndexOfPassages = {
    kInMemory, "whose keys find rows similar as a whole, not passages", kNameFiles};
constexpr OptionKinds kNoIndexOfFilters = {kInMemory, "whose plan fixes the filter",
                                           "leave it out"};
constexpr OptionKinds kNoIndexOfCommon = {kInMemory, "whose items were made from all shingles",
                                          kNameFiles};
constexpr OptionKinds kNoIndexOfGroups = {kInMemory, kOneByOne,
                                          "build the sets first, one per row"};
constexpr OptionKinds kNoIndexOfSquares = {kInMemory, "whose sets were made when it was built",
                                           kBuildAnother};
constexpr OptionKinds kNoIndexOfCheckpoints = {kInMemory,
                                               "where each row is read once and not saved",
                                               "split the rows over several shorter runs"};
constexpr OptionKinds kAnyIndex = {};
constexpr OptionKinds kForAll = {};
constexpr bool kUnplanned = false;

// Verbs that read items, including an index of items.
constexpr VerbBit kReading = kAllVerbs | kIndex;
// Verbs that accept a second collection of items (for link: of records; for explain: of either).
constexpr VerbBit kCompared = kDedup | kPairs | kQuery | kExplain | kPlan;
constexpr VerbBit kOfOther = kCompared | kLink;
constexpr VerbBit kEvery = kReading | kCluster | kLink | kServe | kDemo;

using T = OptionType;
using O = Options;

constexpr std::array kOptions = {
    // Input
    OptionRow{"format", "", 0, T::text, "NAME", "by extension", kFormatNames.text(),
              kReading | kLink, kInput, "input format; overrides file extensions",
              [](O& o, Text v) { o.format = to_text("format", v); }},
    OptionRow{"delimiter", "", 0, T::text, "C", "detected per CSV file; tab in TSV",
              "one character, or tab", kReading | kLink, kInput, "field separator of CSV and TSV",
              [](O& o, Text v) { o.delimiter = to_delimiter("delimiter", v); }},
    OptionRow{"quote", "", 0, T::text, "C", "detected per file", "one character, or none",
              kReading | kLink, kInput,
              "character that quotes CSV fields; none: treat quotes as text", set_quote},
    OptionRow{"escape", "", 0, T::text, "C", "detected per file", "one character", kReading | kLink,
              kInput, "escape character of CSV files, such as a backslash", set_escape},
    OptionRow{
        "skip-lines", "", 0, T::integer, "N", "0", "", kReading | kLink, kInput,
        "lines above the CSV or TSV header, such as a title; they are copied above the kept rows",
        [](O& o, Text v) { o.skip_lines = to_integer("skip-lines", v); }},
    OptionRow{"no-header", "", 0, T::flag, "", "", "", kReading | kLink, kInput,
              "CSV and TSV files have no header; fields are named 1, 2 and so on",
              [](O& o, Text v) { o.no_header = to_flag("no-header", v); }},
    OptionRow{"follow", "", 0, T::flag, "", "", "", kReading | kLink, kInput,
              "follow symbolic links inside input folders",
              [](O& o, Text v) { o.follow = to_flag("follow", v); }},
    OptionRow{"hidden", "", 0, T::flag, "", "", "", kReading | kLink, kInput,
              "also read hidden files in input folders (.name, name~, .crc, _SUCCESS)",
              [](O& o, Text v) { o.hidden = to_flag("hidden", v); }},
    OptionRow{"files-from", "", 0, T::text, "LIST", "", "", kReading | kLink, kInput,
              "read input paths from this file, one per line or NUL-separated (-: standard "
              "input)",
              [](O& o, Text v) { o.files_from = to_text("files-from", v); }},
    OptionRow{
        "encoding", "", 0, T::text, "NAME|auto", "utf-8",
        "utf-8, utf-16, utf-32, latin-1, iso-8859-N, windows-125N, or any other that iconv "
        "supports",
        kReading | kLink, kInput,
        "input encoding; auto: detect it per file; kept rows are written in the same encoding",
        [](O& o, Text v) { o.encoding = to_encoding("encoding", v); }},
    OptionRow{"column", "text", 0, T::text, "FIELD", "text", "", kReading, kInput,
              "field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)",
              [](O& o, Text v) { o.column = to_fields("column", v); }, "", nullptr, kForItems},
    OptionRow{"id", "", 0, T::text, "FIELD|row|file:row", "id, else row", "", kReading | kLink,
              kInput,
              "field that identifies a row; row: its number; file:row: file and number in it",
              [](O& o, Text v) { o.id = to_fields("id", v); }},
    OptionRow{"ids", "", 0, T::text, "FILE", "row numbers", "", kDedup | kPairs | kQuery | kIndex,
              kInput,
              "file with ids of vectors or bits, one per line; query: file with ids of DATA, one "
              "per line; index: file with ids of vectors, bits or items to remove, one per line",
              [](O& o, Text v) { o.ids = to_text("ids", v); }, "", nullptr, kForNameless},
    OptionRow{
        "other-ids", "", 0, T::text, "FILE", "row numbers", "", kDedup | kPairs | kQuery, kInput,
        "file with ids of --against, one per line; query: file with ids of INPUT, one per line",
        [](O& o, Text v) { o.other_ids = to_text("other-ids", v); }, "", nullptr, kForNameless},
    OptionRow{"other-format", "", 0, T::text, "NAME", "that of --format", kFormatNames.text(),
              kOfOther, kInput, "input format of --against; query: input format of INPUT",
              [](O& o, Text v) { o.other_format = to_text("other-format", v); }},
    OptionRow{"other-column", "", 0, T::text, "FIELD", "that of --column", "", kCompared, kInput,
              "field with the text in --against; query: field with the text in INPUT",
              [](O& o, Text v) { o.other_column = to_fields("other-column", v); }, "", nullptr,
              kForItems},
    OptionRow{"other-id", "", 0, T::text, "FIELD|row", "that of --id", "", kOfOther, kInput,
              "field that identifies a row of --against; query: field that identifies a row of "
              "INPUT",
              [](O& o, Text v) { o.other_id = to_fields("other-id", v); }},
    OptionRow{"other-delimiter", "", 0, T::text, "C", "that of --delimiter",
              "one character, or tab", kOfOther, kInput,
              "field separator of the CSV and TSV files in --against; query: of those in INPUT",
              [](O& o, Text v) { o.other_delimiter = to_delimiter("other-delimiter", v); }},
    OptionRow{"other-skip-lines", "", 0, T::integer, "N", "that of --skip-lines", "", kOfOther,
              kInput,
              "lines above the CSV or TSV header of --against; query: lines above that of INPUT",
              [](O& o, Text v) {
                to_integer("other-skip-lines", v);
                o.other_skip_lines = v;
              }},
    OptionRow{"other-encoding", "", 0, T::text, "NAME|auto", "that of --encoding", "", kOfOther,
              kInput, "encoding of --against; query: encoding of INPUT",
              [](O& o, Text v) { o.other_encoding = to_encoding("other-encoding", v); }},
    OptionRow{"against", "", 0, T::list, "OTHER", "", "may be repeated",
              kDedup | kPairs | kPlan | kLink | kExplain, kInput,
              "also compare with this file, folder, pattern, sketches or indexes A,B (dedup: its "
              "rows win and are never written); link: file, folder or pattern of the other "
              "collection",
              [](O& o, Text v) { o.against.push_back(to_text("against", v)); }},
    OptionRow{"kind", "as", 0, T::choice, "KIND", "by format", "", kReading, kInput,
              "kind of the items", set_kind, "", kind_words},
    OptionRow{"ratings", "", 0, T::text, "RULE", "", "drop:R, liked-hated:R, bag", kReading, kInput,
              "turn rated elements into sets: drop those below R, split liked and hated, or "
              "repeat",
              set_ratings, "", nullptr, kForElements},
    OptionRow{"represent", "", 0, T::text, "GRID", "", kGridForm, kReading, kInput,
              "elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both "
              "cells near a border",
              set_represent, "", nullptr, kForGrids},
    OptionRow{"group-by", "", 0, T::text, "FIELD", "", "", kDedup | kPairs | kQuery | kPlan, kInput,
              "field that names the set, if rows are (set, element) pairs, in any order",
              [](O& o, Text v) { o.group_by = to_fields("group-by", v); }, "", nullptr,
              kForElements, kNoIndexOfGroups},
    OptionRow{"element", "", 0, T::text, "FIELD", "", "", kDedup | kPairs | kQuery | kPlan, kInput,
              "with --group-by: field that holds the element",
              [](O& o, Text v) { o.element = to_fields("element", v); }, "", nullptr, kForElements},
    OptionRow{"weight", "", 0, T::text, "FIELD", "", "", kDedup | kPairs | kQuery | kPlan, kInput,
              "with --group-by: field with the multiplicity, or with --ratings the rating",
              [](O& o, Text v) { o.weight = to_fields("weight", v); }, "", nullptr, kForElements},
    OptionRow{"on-bad-row", "", 0, T::choice, "WHAT", "stop", kBadRowChoices, kReading | kLink,
              kInput, "when a row cannot be read: stop, skip it, or keep it unmatched",
              [](O& o, Text v) { o.on_bad_row = to_choice("on-bad-row", v, kBadRowChoices); }},
    OptionRow{"rejects", "", 0, T::text, "FILE", "", kTableExtensions.text(),
              kDedup | kPairs | kQuery, kInput,
              "write the bad rows that were skipped or kept, with reasons",
              [](O& o, Text v) { o.rejects = to_text("rejects", v); }},
    // Similarity
    OptionRow{"threshold", "", 0, T::fraction, "S", "0.8", "above 0, at most 1 (dot: any)",
              kReading | kCluster, kSimilarity,
              "minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)",
              [](O& o, Text v) { o.threshold = to_threshold("threshold", v); }, "", nullptr,
              kForItems},
    OptionRow{
        "within", "", 0, T::text, "D", "", "", kReading | kCluster, kSimilarity,
        "maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets",
        [](O& o, Text v) { o.within = to_distance("within", v); }, "", nullptr, kForItems},
    OptionRow{"contained", "", 0, T::fraction, "S", "", "above 0, at most 1", kDedup | kExplain,
              kSimilarity,
              "with --against: remove only rows that contain at least this share of an item's "
              "shingles",
              [](O& o, Text v) { o.contained = to_threshold("contained", v); }, "", nullptr,
              kForContents, kNoIndexOfPassages},
    OptionRow{"measure", "", 0, T::text, "NAME",
              "jaccard; cosine of vectors; hamming of bits; levenshtein of strings", "", kReading,
              kSimilarity, "similarity or distance measure", set_measure_name, "", measure_words,
              kForItems},
    OptionRow{"union", "", 0, T::choice, "HOW", "max", kUnionChoices, kReading, kSimilarity,
              "bag-jaccard: the union counts an element as often as the larger bag, or both bags "
              "together",
              [](O& o, Text v) { o.bag_union = to_choice("union", v, kUnionChoices); }, "", nullptr,
              kForBags},
    OptionRow{"shingle", "", 0, T::text, "UNIT:N", "words:5",
              "words:1..64, chars:1..64, stopwords:1..63", kReading, kSimilarity,
              "unit and length of the shingles", set_shingle, "", nullptr, kForTexts},
    OptionRow{"stopwords", "", 0, T::text, "LANG|FILE", "english", "", kReading, kSimilarity,
              "stop words for --shingle stopwords:N: a language, or a file with one word per line",
              [](O& o, Text v) { o.stopwords = to_text("stopwords", v); }, "", nullptr, kForTexts},
    OptionRow{"ignore-common", "", 0, T::fraction, "F", "", "above 0, below 1",
              kDedup | kPairs | kExplain, kSimilarity,
              "ignore shingles or elements that occur in more than this share of the items",
              set_ignore_common, "", nullptr, kForHashedSets, kNoIndexOfCommon, kUnplanned},
    OptionRow{"tokens", "", 0, T::choice, "MODE", "unicode", kTokenChoices, kReading, kSimilarity,
              "rules for splitting text into words: unicode (case folded), raw (case kept) or "
              "ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and "
              "similar scripts is a word",
              [](O& o, Text v) { o.tokens = to_choice("tokens", v, kTokenChoices); }, "", nullptr,
              kForTexts},
    OptionRow{"clean", "", 0, T::choice, "HOW", "none", kCleanChoices, kComparing | kIndex,
              kSimilarity,
              "compare strings as is; with case and spaces folded; or folded and reduced to "
              "letters, marks and digits",
              [](O& o, Text v) { o.clean = to_choice("clean", v, kCleanChoices); }, "", nullptr,
              kForStrings},
    OptionRow{"method", "", 0, T::choice, "NAME", "auto", "", kComparing | kIndex, kSimilarity,
              "method for finding candidate pairs", set_method, "", method_words, kForItems},
    OptionRow{"filters", "", 0, T::text, "NAME,...", "all",
              "length, prefix, position, suffix, signature; none", kDedup | kPairs | kQuery,
              kSimilarity, "filters used by --method exact; they affect speed, not the result",
              set_filters, "", nullptr, kForJoinedSets, kNoIndexOfFilters},
    OptionRow{
        "recall", "", 0, T::fraction, "R", "0.99", "above 0, at most 1", kReading, kSimilarity,
        "expected share of the pairs at the threshold that are found; 1: every pair",
        [](O& o, Text v) { o.recall = to_fraction("recall", v); }, "", nullptr, kForSignatures},
    OptionRow{"sketch", "", 0, T::choice, "NAME", "permfill", kSketchChoices, kReading, kSimilarity,
              "minhash: one permutation, or one hash function per component (slow)",
              [](O& o, Text v) { o.sketch = to_choice("sketch", v, kSketchChoices); }, "", nullptr,
              kForHashedSets},
    OptionRow{"bands", "", 0, T::text, "BxR", "planned",
              "at most 1024 rows in all; vectors and bits: 16384", kComparing | kIndex, kSimilarity,
              "number of bands, and of rows per band; overrides the plan", set_bands, "", nullptr,
              kForSignatures},
    OptionRow{"construct", "", 0, T::text, "STEP,...", "planned", "and:N, or:N", kComparing,
              kSimilarity,
              "AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR",
              set_construct, "", nullptr, kForSignatures, kNoIndexOfBands},
    OptionRow{"family", "", 0, T::text, "NAME", "", "", kComparing | kIndex, kSimilarity,
              "locality-sensitive hash family; plan: family to describe", set_family, "",
              family_words, kForFamilies, kNoIndexOfFunctions},
    OptionRow{"squares", "", 0, T::choice, "K", "3", kSquareChoices, kPairs | kQuery | kPlan,
              kSimilarity, "grid cells per function of --family grid-triples",
              [](O& o, Text v) { o.squares = to_choice("squares", v, kSquareChoices); }, "",
              nullptr, kForGrids, kNoIndexOfSquares},
    OptionRow{"probes", "", 0, T::choice, "M", "1", kProbeChoices, kComparing | kIndex, kSimilarity,
              "average number of vertices probed per hash function (cross-polytope)",
              [](O& o, Text v) { o.probes = to_choice("probes", v, kProbeChoices); }, "", nullptr,
              kForVectors},
    OptionRow{"d1", "", 0, T::text, "D", "1/5 of the range", "", kPlan, kSimilarity,
              "with --family: distance up to which pairs should be found",
              [](O& o, Text v) { o.d1 = to_distance("d1", v); }},
    OptionRow{"d2", "", 0, T::text, "D", "4/5 of the range", "", kPlan, kSimilarity,
              "with --family: distance beyond which pairs should not be found",
              [](O& o, Text v) { o.d2 = to_distance("d2", v); }},
    OptionRow{"p1", "", 0, T::text, "P", "", "", kPlan, kSimilarity,
              "without --family: probability that one function finds a pair that should be "
              "found",
              [](O& o, Text v) { o.p1 = to_probability("p1", v); }},
    OptionRow{"p2", "", 0, T::text, "P", "", "", kPlan, kSimilarity,
              "probability that one function finds a pair that should not be found",
              [](O& o, Text v) { o.p2 = to_probability("p2", v); }},
    OptionRow{"plan", "", 0, T::text, "FILE", "", "",
              kDedup | kPairs | kQuery | kExplain | kSketch | kIndex, kSimilarity,
              "use a plan saved by `sosie plan -o` (index: info: write the plan of the index)",
              [](O& o, Text v) { o.plan = to_text("plan", v); }, "", nullptr, kForSignatures,
              kAnyIndex, kUnplanned},
    OptionRow{"seed", "", 0, T::integer, "N", "1", "", kReading, kSimilarity,
              "seed of the hash functions; equal seeds give equal results",
              [](O& o, Text v) { o.seed = to_integer("seed", v); }, "", nullptr, kForItems},
    OptionRow{"audit", "", 0, T::integer, "N", "", "1000 if N is omitted", kDedup | kPairs | kQuery,
              kSimilarity, "measure recall and precision on N rows drawn at random",
              [](O& o, Text v) { set_count("audit", o.audit, v); }, "1000", nullptr, kForAll,
              kAnyIndex, kUnplanned},
    // Records
    OptionRow{
        "rules", "", 0, T::text, "FILE", "chosen from the data", "", kLink | kExplain, kRecords,
        "TOML file that defines fields, candidates and decision; `sosie link --init` writes one",
        [](O& o, Text v) { o.rules = to_text("rules", v); }, "", nullptr, kForRecords},
    OptionRow{"init", "", 0, T::flag, "", "", "", kLink, kRecords,
              "write the rules chosen from the data, with comments, and link nothing",
              [](O& o, Text v) { o.init = to_flag("init", v); }},
    OptionRow{"ignore", "", 0, T::text, "FIELD,...", "", "", kLink | kExplain, kRecords,
              "fields to ignore, such as ids or known entities",
              [](O& o, Text v) { o.ignore = to_fields("ignore", v); }, "", nullptr, kForRecords},
    OptionRow{"assign", "", 0, T::choice, "HOW", "auto", kAssignChoices, kLink | kExplain, kRecords,
              "with --against: one-to-one, best partner of each left record, or all pairs at or "
              "above the cut; auto: one-to-one, or several on a side that clearly has copies; "
              "groups: add "
              "the records to the groups of OTHER, rows with cluster_id, by the weights of --model",
              [](O& o, Text v) { o.assign = to_choice("assign", v, kAssignChoices); }, "", nullptr,
              kForRecords},
    OptionRow{"join-groups", "", 0, T::flag, "", "", "", kLink, kRecords,
              "with --assign groups: if a new record belongs to several groups, merge them under "
              "the first id",
              [](O& o, Text v) { o.join_groups = to_flag("join-groups", v); }, "", nullptr,
              kForRecords},
    OptionRow{"cut", "", 0, T::text, "P|auto", "auto", "above 0, at most 1", kLink | kExplain,
              kRecords,
              "lowest probability (as printed) of a link; auto: as many links as the model or the "
              "runners-up suggest; precision:P: as many as an estimated precision of P allows",
              set_cut, "", nullptr, kForRecords},
    OptionRow{"check-by", "", 0, T::text, "FIELD|auto", "", "", kLink | kExplain, kRecords,
              "estimate precision and recall from a field that is not scored; auto: each in turn",
              [](O& o, Text v) { o.check_by = to_text("check-by", v); }, "", nullptr, kForRecords},
    OptionRow{
        "truth", "", 0, T::text, "FILE|column:FIELD", "", "", kLink | kExplain, kRecords,
        "measure precision and recall against known pairs of ids, or a field that names the entity",
        [](O& o, Text v) { o.truth = to_text("truth", v); }, "", nullptr, kForRecords},
    OptionRow{
        "labels", "", 0, T::text, "FILE", "", "", kLink, kRecords,
        "learn from pairs labelled by hand (left, right, label: 1 or 0), and follow the labels",
        [](O& o, Text v) { o.labels = to_text("labels", v); }, "", nullptr, kForRecords},
    OptionRow{"suggest", "", 0, T::integer, "N", "", "", kLink, kRecords,
              "instead of links, write the N pairs whose labels would help most, for --labels",
              [](O& o, Text v) { set_count("suggest", o.suggest, v); }, "", nullptr, kForRecords},
    // Output
    OptionRow{"output", "", 'o', T::text, "OUT", "standard output", "",
              kAllVerbs | kCluster | kLink, kOutput,
              "write the result to OUT, which appears once it is complete",
              [](O& o, Text v) { o.output = v == "-" ? std::string() : to_text("output", v); }},
    OptionRow{"overwrite", "", 0, T::choice, "WHAT", "", kOverwriteChoices, kDedup | kLink, kOutput,
              "allow a non-empty output folder (-o OUT/, --save RUN/): replace files of the same "
              "name, but stop if other files of an earlier run would remain or a review would be "
              "lost; all: remove these too",
              set_overwrite, "same"},
    OptionRow{"keep", "", 0, T::text, "RULE,...", "first",
              "first, last, longest, shortest, max:FIELD, min:FIELD",
              kDedup | kExplain | kSketch | kLink, kOutput,
              "which row of a group to keep; ties are broken by input order; max and min put "
              "numbers before other values; with --measure containment the largest row is kept, "
              "and RULE decides among rows that contain each other",
              set_keep, "", nullptr, kForItems},
    OptionRow{"clustering", "", 0, T::choice, "NAME", "star", kClusteringChoices,
              kDedup | kCluster | kExplain, kOutput,
              "star: every removed row is similar to its survivor; components: chains of similar "
              "rows form groups",
              [](O& o, Text v) { o.clustering = to_choice("clustering", v, kClusteringChoices); },
              "", nullptr, kForItems},
    OptionRow{"annotate", "", 0, T::choice, "ROWS", "", kAnnotateChoices, kDedup | kLink, kOutput,
              "add duplicate_of and cluster_size to kept rows, or to all rows and drop none; link: "
              "write the rows, with cluster_id, cluster_size and probability, or linked_id",
              [](O& o, Text v) { o.annotate = to_choice("annotate", v, kAnnotateChoices); }},
    OptionRow{"golden", "", 0, T::list, "FIELD=RULE", "", "may be repeated", kLink, kOutput,
              "write one row per group, with the best value for each field, cluster_id and "
              "cluster_size; RULE: longest, shortest, newest, oldest, newest:OTHER (from the row "
              "with the highest value of OTHER), most-frequent, source:FILE|FILE, "
              "source:OTHER=VALUE|VALUE; default: first",
              add_golden},
    OptionRow{"keep-items", "", 0, T::choice, "YES", "yes", kKeepItemsChoices, kIndex, kOutput,
              "store the compared part of each item; no: read it from the input files, which must "
              "remain in place",
              [](O& /*o*/, Text v) { to_choice("keep-items", v, kKeepItemsChoices); }},
    OptionRow{"fields", "", 0, T::text, "FIELD,...", "", "", kIndex, kOutput,
              "build: store these fields for query --where",
              [](O& /*o*/, Text v) { to_fields("fields", v); }},
    OptionRow{"where", "", 0, T::text, "FIELD=VALUE", "", "", kQuery, kOutput,
              "return only indexed items whose stored field has this value",
              [](O& /*o*/, Text v) { to_text("where", v); }},
    OptionRow{"replace", "", 0, T::flag, "", "", "", kIndex, kOutput,
              "add: replace items that have the same ids",
              [](O& /*o*/, Text v) { to_flag("replace", v); }},
    OptionRow{"add", "", 0, T::flag, "", "", "", kDedup, kOutput,
              "add the kept rows to the --against index once they are written",
              [](O& /*o*/, Text v) { to_flag("add", v); }},
    OptionRow{"skip-existing", "", 0, T::flag, "", "", "", kIndex, kOutput,
              "add: skip items whose ids exist already, so that the command can be repeated",
              [](O& /*o*/, Text v) { to_flag("skip-existing", v); }},
    OptionRow{"reuse", "", 0, T::list, "FILE", "", "may be repeated", kDedup | kPairs | kLink,
              kOutput,
              "use sketches of all inputs (dedup: or pairs or edited clusters of an earlier "
              "run); link: apply a person's decisions on pairs or groups",
              [](O& o, Text v) { o.reuse.push_back(to_text("reuse", v)); }, "", nullptr, kForAll,
              kNoIndexOfOneRun, kUnplanned},
    OptionRow{
        "part", "", 0, T::text, "I/N", "", "", kDedup, kOutput,
        "match only the I-th of N parts of the --reuse sketches; write the result to a folder",
        [](O& o, Text v) { o.part = to_part("part", v); }},
    OptionRow{"parts", "", 0, T::text, "DIR", "", "", kDedup, kOutput,
              "combine the output of all --part runs into the result of a single run",
              [](O& o, Text v) { o.parts = to_text("parts", v); }},
    OptionRow{"removed", "", 0, T::text, "FILE", "", kTableExtensions.text(), kDedup, kOutput,
              "write the removed rows, each with its survivor",
              [](O& o, Text v) { o.removed = to_text("removed", v); }},
    OptionRow{"removed-rows", "", 0, T::text, "FILE", "", "", kDedup, kOutput,
              "write the removed rows unchanged, in input order and format",
              [](O& o, Text v) { o.removed_rows = to_text("removed-rows", v); }},
    OptionRow{"clusters", "", 0, T::text, "FILE", "", kTableExtensions.text(), kDedup | kLink,
              kOutput,
              "write the groups of two or more rows; size includes a row of --against, which has "
              "no line; link: write the group of every row",
              [](O& o, Text v) { o.clusters = to_text("clusters", v); }},
    OptionRow{"pairs", "", 0, T::text, "FILE", "", kTableExtensions.text(), kDedup | kLink, kOutput,
              "write all pairs, as `sosie pairs` does; costs more; link: write the linked pairs",
              [](O& o, Text v) { o.pairs = to_text("pairs", v); }, "", nullptr, kForAll, kAnyIndex,
              kUnplanned},
    OptionRow{"stats", "", 0, T::text, "FILE", "", "", kDedup | kPairs | kQuery | kLink, kOutput,
              "write the summary as JSON", [](O& o, Text v) { o.stats = to_text("stats", v); }},
    OptionRow{"model", "", 0, T::text, "FILE.json", "", "", kLink, kOutput,
              "write the weights to a file, for rules with [score] model = \"FILE.json\" or for "
              "--assign groups",
              [](O& o, Text v) { o.model = to_text("model", v); }},
    OptionRow{
        "report", "", 0, T::text, "FILE", "", "", kDedup | kLink, kOutput,
        "write an HTML page that shows what was removed and why; link: what was linked and why",
        [](O& o, Text v) { o.report = to_text("report", v); }, "", nullptr, kForAll, kAnyIndex,
        kUnplanned},
    OptionRow{
        "save", "", 0, T::text, "RUN/", "", "", kDedup | kLink, kOutput,
        "save the groups in a folder, for review with `sosie serve RUN/`; link: save pairs and "
        "groups in a folder, for review with `sosie serve RUN/`",
        [](O& /*o*/, Text v) { to_text("save", v); }, "", nullptr, kForAll, kAnyIndex, kUnplanned},
    OptionRow{"svg", "", 0, T::text, "FILE", "", "", kPlan, kOutput,
              "write the S-curve as an SVG picture",
              [](O& o, Text v) { o.svg = to_text("svg", v); }},
    OptionRow{"verbose", "", 0, T::flag, "", "", "", kPlan, kOutput,
              "show everything: the cost of each method, the S-curve, sensitivity, errors",
              [](O& o, Text v) { o.verbose = to_flag("verbose", v); }},
    OptionRow{"index", "", 0, T::flag, "", "", "", kPlan, kOutput,
              "also predict an index of these items, and of up to 10^10 similar ones",
              [](O& o, Text v) { o.index = to_flag("index", v); }},
    OptionRow{"rows", "", 0, T::text, "N", "those of INPUT", "such as 250000 or 1e10", kPlan,
              kOutput, "predict runs on N rows similar to those of INPUT",
              [](O& /*o*/, Text v) { check_row_count("rows", v); }, "", nullptr, kForGrownSets},
    OptionRow{"cores", "", 0, T::integer, "N", "", "", kPlan, kOutput,
              "also predict run times on N cores",
              [](O& /*o*/, Text v) { check_core_count("cores", v); }},
    OptionRow{"machines", "", 0, T::integer, "K", "", "", kPlan, kOutput,
              "also predict dedup in parts on K machines, of --cores each",
              [](O& /*o*/, Text v) { check_core_count("machines", v); }, "", nullptr,
              kForHashedSets},
    OptionRow{"dry-run", "", 0, T::flag, "", "", "", kDedup | kLink, kOutput,
              "do everything except write the kept rows; link: only count the candidates, with "
              "their cost",
              [](O& o, Text v) { o.dry_run = to_flag("dry-run", v); }},
    OptionRow{"fail-if-duplicates", "", 0, T::flag, "", "", "", kDedup, kOutput,
              "exit 1 when a row was removed",
              [](O& o, Text v) { o.fail_if_duplicates = to_flag("fail-if-duplicates", v); }},
    OptionRow{"show", "", 0, T::text, "FIELD,...", "", "", kPairs | kQuery, kOutput,
              "also show these fields of both rows",
              [](O& o, Text v) { o.show = to_fields("show", v); }},
    OptionRow{
        "top", "", 0, T::integer, "K", "all", "", kPairs | kQuery, kOutput,
        "only the K most similar partners of each left item; without OTHER, only among later rows",
        [](O& o, Text v) { set_count("top", o.top, v); }, "", nullptr, kForAll, kAnyIndex,
        kUnplanned},
    OptionRow{"top-pairs", "", 0, T::integer, "K", "all", "", kPairs | kQuery, kOutput,
              "only the K most similar pairs; sets and exact methods need no --threshold",
              [](O& o, Text v) { set_count("top-pairs", o.top_pairs, v); }, "", nullptr, kForAll,
              kAnyIndex, kUnplanned},
    OptionRow{"exclude-self", "", 0, T::flag, "", "", "", kQuery, kOutput,
              "skip the row of DATA that has the same id (or number, if rows have no ids)",
              [](O& o, Text v) { o.exclude_self = to_flag("exclude-self", v); }},
    OptionRow{"all", "", 0, T::flag, "", "", "", kExplain, kOutput,
              "also list the parts of both items, their signatures, bands and buckets",
              [](O& o, Text v) { o.explain_all = to_flag("all", v); }, "", nullptr, kForItems},
    OptionRow{"passages", "", 0, T::flag, "", "", "", kExplain, kOutput,
              "show the passages of the left text that also occur in the right one, with positions",
              [](O& o, Text v) { o.passages = to_flag("passages", v); }, "", nullptr, kForTexts},
    OptionRow{"limit", "", 0, T::integer, "N", "none", "", kPairs | kQuery, kOutput,
              "exit 4 if there are more pairs, and write nothing (when streaming: nothing more)",
              [](O& o, Text v) { set_count("limit", o.limit, v); }},
    // Service
    OptionRow{"listen", "", 0, T::text, "ADDRESS:PORT", "127.0.0.1:7860", "port 0: any free port",
              kServe, kService, "address to listen on; beyond loopback, --token-file is required",
              [](O& o, Text v) { o.listen = to_text("listen", v); }},
    OptionRow{"token-file", "", 0, T::text, "FILE", "", "", kServe, kService,
              "file with the secret that requests must send (Authorization: Bearer SECRET)",
              [](O& o, Text v) { o.token_file = to_text("token-file", v); }},
    OptionRow{"read-only", "", 0, T::flag, "", "", "", kServe, kService,
              "serve without changing the index, so that another process may write to it",
              [](O& o, Text v) { o.read_only = to_flag("read-only", v); }},
    OptionRow{"log", "", 0, T::choice, "WHAT", "auto", kLogChoices, kServe, kService,
              "json: log every request to standard error; auto: on a terminal only failed "
              "requests, otherwise json",
              [](O& /*o*/, Text v) { to_choice("log", v, kLogChoices); }},
    OptionRow{"max-body", "", 0, T::size, "SIZE", "8M", "", kServe, kService,
              "largest request body",
              [](O& o, Text v) { o.max_body_bytes = to_size("max-body", v); }},
    OptionRow{"timeout", "", 0, T::integer, "SECONDS", "30", "1 to 3600", kServe, kService,
              "time limit for receiving a request, and for sending its response",
              [](O& o, Text v) { set_up_to("timeout", 3600, o.timeout_seconds, v); }},
    OptionRow{"max-connections", "", 0, T::integer, "N", "1200", "1 to 100000", kServe, kService,
              "maximum number of open connections",
              [](O& o, Text v) { set_up_to("max-connections", 100000, o.max_connections, v); }},
    OptionRow{"allow-host", "", 0, T::list, "NAME", "", "may be repeated", kServe, kService,
              "also accept this Host header",
              [](O& o, Text v) { o.allow_hosts.push_back(to_text("allow-host", v)); }},
    OptionRow{"allow-origin", "", 0, T::list, "URL", "", "may be repeated", kServe, kService,
              "allow requests from pages of this origin, such as https://example.org",
              [](O& o, Text v) { o.allow_origins.push_back(to_text("allow-origin", v)); }},
    // Run
    OptionRow{"threads", "", 0, T::integer, "N", "all cores", "1 to 1024",
              kReading | kLink | kServe, kRun,
              "number of worker threads; does not change the result", set_threads},
    OptionRow{"memory", "", 0, T::size, "SIZE", "half of RAM", "", kEvery, kRun,
              "memory limit, exceeded by at most 64M (below 256M: best effort)",
              [](O& o, Text v) { o.memory_bytes = to_size("memory", v); }},
    OptionRow{"scratch", "", 0, T::text, "DIR", "/tmp", "", kEvery, kRun,
              "folder for temporary files",
              [](O& o, Text v) { o.scratch = to_text("scratch", v); }},
    OptionRow{"scratch-limit", "", 0, T::size, "SIZE", "none", "", kEvery, kRun,
              "maximum space for temporary files",
              [](O& o, Text v) { o.scratch_limit_bytes = to_size("scratch-limit", v); }},
    OptionRow{"checkpoint", "", 0, T::text, "DIR", "", "", kDedup | kPairs, kRun,
              "save progress in DIR; repeat the command to resume",
              [](O& o, Text v) { o.checkpoint = to_text("checkpoint", v); }, "", nullptr, kForAll,
              kNoIndexOfCheckpoints, kUnplanned},
    OptionRow{"progress", "", 0, T::choice, "HOW", "auto", kProgressChoices,
              kDedup | kPairs | kQuery | kExplain | kSketch | kLink | kIndex, kRun,
              "bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain",
              [](O& o, Text v) { o.progress = to_choice("progress", v, kProgressChoices); }},
    OptionRow{"simd", "", 0, T::text, "NAME", "auto", "AMX, AVX3_DL, AVX2, SSE4, ...",
              kReading | kLink, kRun,
              "instruction set of the inner loops; does not change the result", set_simd},
    OptionRow{"color", "", 0, T::choice, "WHEN", "auto", kColorChoices, kExplain, kRun,
              "use colours instead of [-removed-] and {+added+}; auto: on a terminal",
              [](O& o, Text v) { o.color = to_choice("color", v, kColorChoices); }},
    OptionRow{"quiet", "", 'q', T::flag, "", "", "", kEvery, kRun, "no summary and no progress",
              [](O& o, Text v) { o.quiet = to_flag("quiet", v); }},
};

}  // namespace

std::span<const Verb> verb_table() noexcept { return kVerbs; }

std::string_view verb_name(VerbBit verb) noexcept {
  const auto* found =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& row) { return row.bit == verb; });
  return found == kVerbs.end() ? std::string_view{} : found->name;
}

// Fills in, once, the choices of rows whose values are defined in another table.
std::span<const OptionRow> option_table() noexcept {
  static const auto table = [] {
    static std::array<std::string, kOptions.size()> choices;
    auto rows = kOptions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].words == nullptr) continue;
      const char* between = rows[i].type == OptionType::choice ? "|" : ", ";
      choices[i] = joined_text(shown_words(rows[i].words()), between);
      rows[i].choices = choices[i];
    }
    return rows;
  }();
  return table;
}

const OptionRow* find_option(std::string_view name) noexcept {
  const auto table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow& row) {
    return row.name == name || (!row.alias.empty() && row.alias == name);
  });
  return found == table.end() ? nullptr : &*found;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow* row = find_option(name);
  if (row == nullptr) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)}, "unknown option",
                option_hint(name, kAllVerbs));
  }
  row->set(options, value);
  if (row->type != T::list) {
    std::erase_if(options.given, [&](const auto& given) { return given.first == row->name; });
  }
  options.given.emplace_back(row->name, value);
}

}  // namespace sosie
