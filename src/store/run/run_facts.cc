// Writes the facts of a saved run as JSON and reads them back, checking every field.
#include "store/run/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "options/formats.h"
#include "options/items_as_file.h"
#include "sosie/error.h"
#include "sosie/version.h"
#include "store/run/fact_fields.h"

namespace sosie {
namespace {

void add_sum(const char* table, const TableSum& sum, JsonWriter& json) {
  json.object(table, {{"bytes", sum.bytes}, {"xxh3", fmt::format("{:016x}", sum.checksum)}});
}

TableSum sum_of(const FactFields& fields) {
  const std::string hex = fields.text("xxh3");
  if (hex.size() != 16 || hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
    fields.refuse("a checksum is malformed");
  }
  return {fields.number("bytes"), std::stoull(hex, nullptr, 16)};
}

InputFile file_of_facts(const FactFields& fields) {
  InputFile file;
  file.path = fields.text("path");
  file.name = fields.text("name");
  file.group = fields.text("group");
  const std::string format = fields.text("format");
  file.format = format == format_of_index_items().name ? &format_of_index_items()
                                                       : format_by_saved_name(format);
  file.is_format_asked = true;  // it was read so
  file.relative = fields.text("relative");
  file.document_id = fields.text("document_id");
  if (fields.has("column")) file.told.column = fields.text("column");
  if (file.path.empty() || file.path == "-" || file.format == nullptr) {
    fields.refuse("a file has no path or no known format");
  }
  return file;
}

void add_file(const InputFile& file, JsonWriter& json) {
  json.begin_object();
  json.members({{"path", file.path},
                {"name", file.name},
                {"group", file.group},
                {"format", saved_name(*file.format)},
                {"relative", file.relative},
                {"document_id", file.document_id}});
  if (!file.told.column.empty()) json.member("column", file.told.column);
  json.end_object();
}

using TextPairs = std::vector<std::pair<std::string, std::string>>;

void add_text_pairs(const char* name, const TextPairs& pairs, JsonWriter& json) {
  json.begin_array(name);
  for (const auto& [first, second] : pairs) {
    json.begin_array();
    json.value(first);
    json.value(second);
    json.end_array();
  }
  json.end_array();
}

TextPairs text_pairs(const FactFields& fields, const char* name) {
  TextPairs pairs;
  for (const JsonValue& each : fields.list(name)) {
    if (!each.is_list() || each.list().size() != 2) {
      fields.refuse(fmt::format("'{}' holds something that is not a pair", name));
    }
    pairs.emplace_back(fields.to_text(each.list()[0], name), fields.to_text(each.list()[1], name));
  }
  return pairs;
}

JsonValue parse_facts(std::string_view text, const std::string& path) {
  std::optional<JsonValue> json = parse_json(text);
  if (json) return std::move(*json);
  throw Error(ErrorKind::malformed_input, path + ": is not a run: not valid JSON",
              "sosie dedup or link INPUT --save RUN/ writes one");
}

void check_run_version(const FactFields& fields) {
  const std::uint64_t version = fields.number("sosie_run");
  if (version == kRunVersion || version == kLinkRunVersion) return;
  throw Error(
      ErrorKind::unsupported,
      fmt::format("{}: has version {}; this program reads versions {} and {}", fields.path(),
                  version, kRunVersion, kLinkRunVersion),
      version > kLinkRunVersion ? "a newer program wrote it" : "write the run again with --save");
}

}  // namespace

std::string RunSums::mark() const {
  return fmt::format("{:016x}{:016x}", groups.checksum ^ texts.checksum,
                     members.checksum ^ pairs.checksum);
}

std::string decisions_head(const std::string& mark) {
  JsonWriter json;
  json.object({{"sosie_decisions", 1}, {"run", mark}});
  return json.text() + "\n";
}

std::string run_facts_json(const RunFacts& facts, const RunSums& sums) {
  JsonWriter json(1);
  json.begin_object();
  json.members(
      {{"sosie_run", facts.is_of_links ? kLinkRunVersion : kRunVersion}, {"version", version()}});
  json.begin_object("tables");
  add_sum("groups", sums.groups, json);
  add_sum("members", sums.members, json);
  add_sum("texts", sums.texts, json);
  if (facts.is_of_links) add_sum("pairs", sums.pairs, json);
  if (sums.estimate) add_sum("estimate", *sums.estimate, json);
  json.end_object();
  json.members({{"kind", facts.kind},
                {"value", facts.value_name},
                {"is_similarity", facts.is_similarity},
                {"bound", facts.bound},
                {"is_chained", facts.is_chained},
                {"id_field", facts.id_field},
                {"against_id", facts.against_id}});
  json.list("rank_fields", facts.rank_fields);
  json.member("first_own_file", facts.first_own_file);
  json.list("sources", facts.sources);
  json.begin_array("files");
  for (const InputFile& file : facts.files) add_file(file, json);
  json.end_array();
  add_text_pairs("options", facts.options, json);
  if (facts.is_of_links) add_text_pairs("columns", facts.columns, json);
  json.name("overview");
  parse_facts(facts.overview, "overview").write_to(json);
  json.end_object();
  return json.text() + "\n";
}

RunFacts run_facts_of(std::string_view text, const std::string& path, RunSums& sums) {
  const JsonValue json = parse_facts(text, path);
  const FactFields fields(json, path);
  check_run_version(fields);
  const FactFields tables = fields.object("tables");
  sums = {sum_of(tables.object("groups")), sum_of(tables.object("members")),
          sum_of(tables.object("texts"))};
  RunFacts facts;
  facts.kind = fields.text("kind");
  facts.value_name = fields.text("value");
  facts.is_similarity = fields.flag("is_similarity");
  facts.bound = fields.real("bound");
  facts.is_chained = fields.flag("is_chained");
  facts.id_field = fields.text("id_field");
  facts.against_id = fields.text("against_id");
  facts.rank_fields = fields.texts("rank_fields");
  facts.sources = fields.texts("sources");
  for (const JsonValue& file : fields.list("files"))
    facts.files.push_back(file_of_facts({file, path}));
  const std::uint64_t first = fields.number("first_own_file");
  if (first > facts.files.size()) fields.refuse("'first_own_file' is after the last file");
  facts.first_own_file = static_cast<std::uint32_t>(first);
  facts.options = text_pairs(fields, "options");
  for (const auto& option : facts.options) {
    constexpr auto kNames = run_reading_options();
    if (std::find(kNames.begin(), kNames.end(), option.first) == kNames.end()) {
      fields.refuse("an option does not affect how rows are read");
    }
  }
  facts.is_of_links = fields.number("sosie_run") == kLinkRunVersion;
  if (facts.is_of_links) {
    facts.columns = text_pairs(fields, "columns");
    sums.pairs = sum_of(tables.object("pairs"));
    if (tables.has("estimate")) sums.estimate = sum_of(tables.object("estimate"));
  }
  static_cast<void>(fields.object("overview"));
  facts.overview = fields.at("overview").written();
  return facts;
}

}  // namespace sosie
