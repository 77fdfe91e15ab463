// TABLE: routes of a saved run: the contents of its page, and decisions made there.
#include "run_routes.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "json_text.h"
#include "sosie/error.h"
#include "sosie/saved_run.h"

namespace sosie::server {
namespace {

// Value of a field after the '?' in the path; empty if it is missing.
std::string parameter(const Request& request, std::string_view name) {
  for (auto& [field, value] : address_fields(request.head.query)) {
    if (field == name) return std::move(value);
  }
  return {};
}

std::uint64_t to_number(std::string_view name, const std::string& value, std::uint64_t otherwise) {
  if (value.empty()) return otherwise;
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (fault == std::errc{} && end == value.data() + value.size()) return number;
  throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name), value},
              "is not a whole number");
}

std::uint64_t number(const Request& request, std::string_view name, std::uint64_t otherwise) {
  return to_number(name, parameter(request, name), otherwise);
}

Response run_info(Service& service, const Request& /*request*/) {
  return {200, service.run->info()};
}

Response histogram(Service& service, const Request& request) {
  return {200,
          service.run->histogram(parameter(request, "threshold"), parameter(request, "recall"))};
}

Response forecast(Service& service, const Request& request) {
  return {200, service.run->forecast(parameter(request, "threshold"), parameter(request, "recall"),
                                     parameter(request, "shingle"), &service.cancel)};
}

Response groups(Service& service, const Request& request) {
  GroupsAsked asked;
  if (const std::string sort = parameter(request, "sort"); !sort.empty()) asked.sort = sort;
  asked.source = parameter(request, "source");
  asked.text = parameter(request, "text");
  asked.state = parameter(request, "state");
  asked.offset = number(request, "offset", asked.offset);
  asked.limit = number(request, "limit", asked.limit);
  return {200, service.run->groups(asked)};
}

Response group(Service& service, const Request& request) {
  constexpr std::uint64_t kListed = 20;
  constexpr std::uint64_t kNoGroup = ~std::uint64_t{0};
  const auto found =
      service.run->group(to_number("group", request.parameters.front(), kNoGroup),
                         number(request, "offset", 0), number(request, "limit", kListed));
  if (!found) return {404, error_json("the run has no such group")};
  return {200, *found};
}

Response pairs(Service& service, const Request& request) {
  PairsAsked asked;
  if (const std::string sort = parameter(request, "sort"); !sort.empty()) asked.sort = sort;
  asked.state = parameter(request, "state");
  asked.answer = parameter(request, "answer");
  asked.text = parameter(request, "text");
  if (!parameter(request, "group").empty()) asked.group = number(request, "group", 0);
  asked.offset = number(request, "offset", asked.offset);
  asked.limit = number(request, "limit", asked.limit);
  return {200, service.run->pairs(asked)};
}

Response pair(Service& service, const Request& request) {
  const auto found = service.run->pair(to_number("pair", request.parameters.front(), 0));
  if (!found) return {404, error_json("the run has no such pair")};
  return {200, *found};
}

Response decisions(Service& service, const Request& /*request*/) {
  return {200, service.run->decisions()};
}

Response decide(Service& service, const Request& request) {
  return {200, service.run->decide(request.body)};
}

Response exported(Service& service, const Request& request) {
  std::string format = parameter(request, "format");
  std::string as = parameter(request, "as");
  if (format.empty()) format = "tsv";
  if (as.empty()) as = "decisions";
  Response response{200, {}, format == "jsonl" ? "application/x-ndjson" : "text/plain"};
  service.run->export_decisions(format, as,
                                [&](std::string_view bytes) { response.body += bytes; });
  response.headers = {
      {"Content-Disposition", fmt::format("attachment; filename=\"{}.{}\"", as, format)}};
  return response;
}

constexpr std::array kRunRows = {
    Route{.method = "GET",
          .path = "/v1/info",
          .answer = run_info,
          .summary = "counts, inputs, group sizes, and the state of the review",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/histogram",
          .answer = histogram,
          .summary = "similarities of removed rows, and curves of the share of pairs found",
          .fields = "threshold,recall",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/forecast",
          .answer = forecast,
          .summary = "the output of `sosie plan` for the run's inputs, including time and memory",
          .fields = "threshold,recall,shingle",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/groups",
          .answer = groups,
          .summary = "a page of the groups, sorted and filtered",
          .fields = "sort,source,text,state,offset,limit",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/groups/{group}",
          .answer = group,
          .summary = "rows of a group, each with its difference from the kept row",
          .fields = "offset,limit",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/pairs",
          .answer = pairs,
          .summary = "a page of the pairs of a link run, sorted and filtered",
          .fields = "sort,state,answer,group,text,offset,limit",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/pairs/{pair}",
          .answer = pair,
          .summary = "both records of a pair, field by field",
          .serves = Serves::run},
    Route{.method = "GET",
          .path = "/v1/decisions",
          .answer = decisions,
          .summary = "state of the review",
          .serves = Serves::run},
    Route{.method = "POST",
          .path = "/v1/decisions",
          .answer = decide,
          .summary = "performs a step of the review, or undoes the last one",
          .serves = Serves::run,
          .changes = true},
    Route{.method = "GET",
          .path = "/v1/decisions/export",
          .answer = exported,
          .summary = "the decisions as a file for --reuse, or as labels for link --labels",
          .fields = "format,as",
          .serves = Serves::run},
};

}  // namespace

std::span<const Route> run_routes() { return kRunRows; }

}  // namespace sosie::server
