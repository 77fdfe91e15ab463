#pragma once

#include <string>
#include <string_view>

#include "write/html_report.h"

// The parts of the page of --report, each a <section> with its heading, appended to `out`.
namespace sosie {

// Pieces of pages shared by the sections.
// A row's place: "people.jsonl, row 17".
[[nodiscard]] std::string html_place(const ReportRow& row);
// An id as code, cut after 80 characters.
[[nodiscard]] std::string html_id(const std::string& id);

// Name of rows without any difference.
[[nodiscard]] std::string_view same_name(const ReportPage& page) noexcept;

void append_totals_section(std::string& out, const ReportPage& page);
void append_inputs_section(std::string& out, const ReportPage& page);
void append_similarities_section(std::string& out, const ReportPage& page);
void append_sizes_section(std::string& out, const ReportPage& page);
void append_clusters_section(std::string& out, const ReportPage& page);
void append_nearest_section(std::string& out, const ReportPage& page);
void append_repeat_section(std::string& out, const ReportPage& page);

}  // namespace sosie
