// TABLE: routes of an index: look-ups, adds, removals.
#include "index_routes.h"

#include <fmt/format.h>

#include <array>

#include "body.h"
#include "json_text.h"

namespace sosie::server {
namespace {

void append_id(const StoredHit& hit, std::string& out) {
  if (hit.id_is_integer) {
    out += hit.id;
  } else {
    append_json(hit.id, out);
  }
}

void append_hit(const StoredHit& hit, std::string_view value_name, std::string& out) {
  out += "{\"id\": ";
  append_id(hit, out);
  fmt::format_to(std::back_inserter(out), ", \"{}\": ", value_name);
  append_json(hit.value, out);
  out += '}';
}

void append_hits(std::span<const StoredHit> hits, std::string_view value_name, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i > 0) out += ", ";
    append_hit(hits[i], value_name, out);
  }
  out += ']';
}

StoredQuery query_of(const Body& body) {
  Options given;
  StoredQuery query;
  for (const auto& [name, value] : body.options) {
    set_option(given, name, value);
    if (name != "top" && name != "exclude-self") query.options.emplace_back(name, value);
  }
  query.top = given.top;
  query.exclude_self = given.exclude_self;
  return query;
}

std::vector<std::string_view> lines_of(const Body& body) {
  std::vector<std::string_view> lines;
  lines.reserve(body.items.size());
  for (std::size_t i = 0; i < body.items.size(); ++i) {
    lines.emplace_back(content_of(body.items[i], i));
  }
  return lines;
}

// Looks up items with content and stored items separately, and returns the answers in the original
// order.
std::vector<std::vector<StoredHit>> look_up(Service& service, const Body& body,
                                            const StoredQuery& query) {
  std::vector<std::string_view> lines;
  std::vector<std::string> ids;
  for (const BodyItem& item : body.items) {
    if (item.line.empty()) {
      ids.push_back(item.id);
    } else {
      lines.emplace_back(item.line);
    }
  }
  const RunHooks hooks = hooks_of(service);
  auto by_line = service.index->query(lines, query, hooks);
  if (ids.empty()) return by_line;
  auto by_id = service.index->query_ids(ids, query, hooks);
  std::vector<std::vector<StoredHit>> all;
  std::size_t line = 0;
  std::size_t id = 0;
  for (const BodyItem& item : body.items) {
    if (!item.line.empty()) {
      all.push_back(std::move(by_line[line++]));
      continue;
    }
    if (!by_id[id]) {
      throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("item {}", all.size())},
                  fmt::format("the index has no item '{}'", item.id));
    }
    all.push_back(std::move(*by_id[id++]));
  }
  return all;
}

Response query(Service& service, const Request& request) {
  const Body body = body_of(service, request);
  const StoredQuery asked = query_of(body);
  const auto found = look_up(service, body, asked);
  const std::string value_name = service.index->value_name(asked);
  ListAnswer answer(request, "results");
  for (const auto& hits : found) append_hits(hits, value_name, answer.next());
  return std::move(answer).done();
}

Response add(Service& service, const Request& request) {
  const Body body = body_of(service, request);
  StoredAddRules rules;
  for (const auto& [name, value] : body.options) {
    Options checked;
    set_option(checked, name, value);
    (name == "replace" ? rules.replace : rules.skip_existing) = value == "true";
  }
  const StoredAdded counts = service.index->add(lines_of(body), rules, hooks_of(service));
  return {200,
          fmt::format(R"({{"added": {}, "skipped": {}, "replaced": {}, "items": {}}})",
                      counts.added, counts.skipped, counts.replaced, service.index->facts().items)};
}

Response add_new(Service& service, const Request& request) {
  const Body body = body_of(service, request);
  const std::vector<StoredNew> rows = service.index->add_new(lines_of(body), hooks_of(service));
  ListAnswer answer(request, "results");
  std::uint64_t added = 0;
  for (const StoredNew& row : rows) {
    std::string& out = answer.next();
    out += row.is_added ? "{\"added\": true" : "{\"added\": false";
    if (row.is_added) ++added;
    if (row.similar_to) {
      out += ", \"similar_to\": ";
      append_hit(*row.similar_to, service.built.value_name, out);
    }
    out += '}';
  }
  return std::move(answer).done(
      fmt::format(R"("added": {}, "items": {})", added, service.index->facts().items));
}

Response remove(Service& service, const Request& request) {
  const Body body = body_of(service, request);
  const std::uint64_t removed = service.index->remove(body.ids, hooks_of(service));
  return {200, fmt::format(R"({{"removed": {}, "unknown": {}, "items": {}}})", removed,
                           body.ids.size() - removed, service.index->facts().items)};
}

Response index_info(Service& service, const Request& /*request*/) {
  const StoredFacts facts = service.index->facts();
  std::string out =
      fmt::format(R"({{"items": {}, "bytes": {}, "runs": {}, "log_items": {}, "next_number": {}, )"
                  R"("keep_items": {}, "read_only": {}, "bands": "{}x{}", "value": "{}", "id": {})",
                  facts.items, facts.bytes, facts.runs, facts.log_items, facts.next_number,
                  facts.keeps_items, service.index->is_read_only(), facts.bands, facts.band_rows,
                  facts.value_name, json_text(facts.id_field.empty() ? "row" : facts.id_field));
  out += fmt::format(R"(, "kind": {}, "column": {}, "options": {{)", json_text(facts.kind),
                     json_text(facts.column));
  bool is_first = true;
  for (const auto& [name, value] : facts.options) {
    if (!is_first) out += ", ";
    is_first = false;
    out += json_text(field_name(name)) + ": " + json_text(value);
  }
  return {200, out + "}}"};
}

constexpr std::string_view kItems = "texts, token lists, or objects with one of these and an id";

constexpr std::array kIndexRows = {
    Route{
        .method = "POST",
        .path = "/v1/query",
        .answer = query,
        .summary = "indexed items similar to each item, best first, each with its similarity, or "
                   "its distance if the bound is a distance",
        .items = "texts, token lists, objects with one of these, or {\"id\": ...} for stored items",
        .options = "top,threshold,within,exclude-self,where",
        .serves = Serves::index,
        .lists = true,
        .is_quick = true},
    Route{.method = "POST",
          .path = "/v1/add",
          .answer = add,
          .summary = "adds items; answers once they would survive a power loss",
          .items = kItems,
          .options = "replace,skip-existing",
          .serves = Serves::index,
          .changes = true},
    Route{.method = "POST",
          .path = "/v1/add_new",
          .answer = add_new,
          .summary = "adds, one after another, the items that are not similar to any indexed item",
          .items = kItems,
          .serves = Serves::index,
          .changes = true,
          .lists = true},
    Route{.method = "POST",
          .path = "/v1/remove",
          .answer = remove,
          .summary = "removes items by their ids",
          .items = "ids",
          .serves = Serves::index,
          .changes = true},
    Route{.method = "GET",
          .path = "/v1/info",
          .answer = index_info,
          .summary = "contents of the index, and the options it was built with",
          .serves = Serves::index,
          .is_quick = true},
};

}  // namespace

std::span<const Route> index_routes() { return kIndexRows; }

}  // namespace sosie::server
