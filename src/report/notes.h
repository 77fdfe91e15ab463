#pragma once

#include <string>

#include "data/run_summary.h"

namespace sosie {

// Plural noun for the units that shingles are made of: "words", "characters", "elements".
[[nodiscard]] const char* token_name(const RunSummary& summary);

// Notes on a run, each with its line end; empty when there is nothing to say: damaged inputs,
// texts too short for the shingles, values of --keep that count as texts although they look like
// numbers, and shingles that most texts share.
[[nodiscard]] std::string damaged_note(const RunSummary& summary);
// A collection to be compared with, or to look in, that has no row.
[[nodiscard]] std::string nothing_there_note(const RunSummary& summary);
[[nodiscard]] std::string short_text_note(const RunSummary& summary);
[[nodiscard]] std::string rank_note(const RunSummary& summary);
[[nodiscard]] std::string common_shingles_note(const RunSummary& summary);

}  // namespace sosie
