// The facts of a saved run as JSON, and read again with every field checked.
#include "store/run/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_writer.h"
#include "options/formats.h"
#include "sosie/error.h"
#include "sosie/version.h"

namespace sosie {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostListed = 4'000'000;

OrderedJson sum_json(const TableSum& sum) {
  return {{"bytes", sum.bytes}, {"xxh3", fmt::format("{:016x}", sum.checksum)}};
}

// Takes fields out of JSON that others may have written.
class FactFields {
 public:
  FactFields(const OrderedJson& json, const std::string& path) : json_(json), path_(path) {
    if (!json.is_object()) refuse("an object is missing");
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: is no run, {}", path_, what),
                "sosie dedup INPUT --save RUN/ writes one");
  }
  [[nodiscard]] const OrderedJson& at(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) refuse(fmt::format("'{}' is missing", name));
    return *found;
  }
  [[nodiscard]] bool has(const char* name) const { return json_.contains(name); }
  // Text that functions of C get whole.
  [[nodiscard]] std::string text(const char* name) const { return to_text(at(name), name); }
  [[nodiscard]] std::string to_text(const OrderedJson& value, const char* name) const {
    if (!value.is_string()) refuse(fmt::format("'{}' is no text", name));
    auto text = value.get<std::string>();
    if (text.find('\0') != std::string::npos) refuse(fmt::format("'{}' is no text", name));
    return text;
  }
  [[nodiscard]] std::uint64_t number(const char* name) const {
    if (!at(name).is_number_unsigned()) refuse(fmt::format("'{}' is no count", name));
    return at(name).get<std::uint64_t>();
  }
  [[nodiscard]] double real(const char* name) const {
    if (!at(name).is_number()) refuse(fmt::format("'{}' is no number", name));
    return at(name).get<double>();
  }
  [[nodiscard]] bool flag(const char* name) const {
    if (!at(name).is_boolean()) refuse(fmt::format("'{}' is neither true nor false", name));
    return at(name).get<bool>();
  }
  [[nodiscard]] const OrderedJson& list(const char* name) const {
    if (!at(name).is_array() || at(name).size() > kMostListed) {
      refuse(fmt::format("'{}' is no list", name));
    }
    return at(name);
  }
  [[nodiscard]] std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> out;
    for (const OrderedJson& each : list(name)) out.push_back(to_text(each, name));
    return out;
  }
  [[nodiscard]] FactFields object(const char* name) const { return {at(name), path_}; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  const OrderedJson& json_;
  const std::string& path_;
};

TableSum sum_of(const FactFields& fields) {
  const std::string hex = fields.text("xxh3");
  if (hex.size() != 16 || hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
    fields.refuse("a checksum is none");
  }
  return {fields.number("bytes"), std::stoull(hex, nullptr, 16)};
}

InputFile file_of_facts(const FactFields& fields) {
  InputFile file;
  file.path = fields.text("path");
  file.name = fields.text("name");
  file.group = fields.text("group");
  file.format = format_by_saved_name(fields.text("format"));
  file.is_format_asked = true;  // it was read so
  file.relative = fields.text("relative");
  file.document_id = fields.text("document_id");
  if (fields.has("column")) file.told.column = fields.text("column");
  if (file.path.empty() || file.path == "-" || file.format == nullptr) {
    fields.refuse("a file has no path or no known format");
  }
  return file;
}

OrderedJson json_of_file(const InputFile& file) {
  OrderedJson json = {{"path", file.path},         {"name", file.name},
                      {"group", file.group},       {"format", saved_name(*file.format)},
                      {"relative", file.relative}, {"document_id", file.document_id}};
  if (!file.told.column.empty()) json["column"] = file.told.column;
  return json;
}

OrderedJson parse_facts(std::string_view text, const std::string& path) {
  OrderedJson json = OrderedJson::parse(text, nullptr, false);
  if (json.is_discarded()) {
    throw Error(ErrorKind::malformed_input, path + ": is no run, it is no JSON",
                "sosie dedup INPUT --save RUN/ writes one");
  }
  return json;
}

void check_run_version(const FactFields& fields) {
  const std::uint64_t version = fields.number("sosie_run");
  if (version == kRunVersion) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: is of version {}, this program reads version {}", fields.path(),
                          version, kRunVersion),
              "write the run again with dedup --save");
}

}  // namespace

std::string RunSums::mark() const {
  return fmt::format("{:016x}{:016x}", groups.checksum ^ texts.checksum, members.checksum);
}

std::string decisions_head(const std::string& mark) {
  JsonWriter json;
  json.object({{"sosie_decisions", 1}, {"run", mark}});
  return json.text() + "\n";
}

std::string run_facts_json(const RunFacts& facts, const RunSums& sums) {
  OrderedJson json = {{"sosie_run", kRunVersion},
                      {"version", version()},
                      {"tables",
                       {{"groups", sum_json(sums.groups)},
                        {"members", sum_json(sums.members)},
                        {"texts", sum_json(sums.texts)}}},
                      {"kind", facts.kind},
                      {"value", facts.value_name},
                      {"is_similarity", facts.is_similarity},
                      {"bound", facts.bound},
                      {"is_chained", facts.is_chained},
                      {"id_field", facts.id_field},
                      {"against_id", facts.against_id},
                      {"rank_fields", facts.rank_fields},
                      {"first_own_file", facts.first_own_file},
                      {"sources", facts.sources}};
  json["files"] = OrderedJson::array();
  for (const InputFile& file : facts.files) json["files"].push_back(json_of_file(file));
  json["options"] = OrderedJson::array();
  for (const auto& [name, value] : facts.options) json["options"].push_back({name, value});
  json["overview"] = OrderedJson::parse(facts.overview);
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

RunFacts run_facts_of(std::string_view text, const std::string& path, RunSums& sums) {
  const OrderedJson json = parse_facts(text, path);
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
  for (const OrderedJson& file : fields.list("files"))
    facts.files.push_back(file_of_facts({file, path}));
  const std::uint64_t first = fields.number("first_own_file");
  if (first > facts.files.size()) fields.refuse("'first_own_file' is behind the last file");
  facts.first_own_file = static_cast<std::uint32_t>(first);
  for (const OrderedJson& option : fields.list("options")) {
    if (!option.is_array() || option.size() != 2) fields.refuse("an option is no pair");
    const std::string name = fields.to_text(option[0], "options");
    constexpr auto kNames = run_reading_options();
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      fields.refuse("an option is none that rows are read by");
    }
    facts.options.emplace_back(name, fields.to_text(option[1], "options"));
  }
  static_cast<void>(fields.object("overview"));
  facts.overview = json["overview"].dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  return facts;
}

}  // namespace sosie
