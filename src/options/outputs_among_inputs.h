#pragma once

#include <string>

#include "data/input_notes.h"
#include "options/input_list.h"
#include "sosie/error.h"
#include "sosie/options.h"

namespace sosie {

// Throws Error{invalid_option} for an output that is an input, and for one that the same inputs
// would name next time: a file with a known extension in a folder that was given, or one that
// matches a pattern. Hidden files are read on request alone, and pass.
void refuse_outputs_among_inputs(const Options& options, const InputList& inputs);

// Likewise for the folder of --checkpoint, by what is typed alone: before it is made, and before
// any input is listed.
void refuse_checkpoint_among_inputs(const Options& options);

// Likewise for an output of rows named .json, which folders are looked into for.
void refuse_rows_among_inputs(const std::string& output, const InputNotes& notes);

// Throws Error{invalid_option} for an output in the folder that an option such as --checkpoint
// names, which holds files of its own alone, and for a folder of outputs around it.
void refuse_outputs_in_folder(const Options& options, const RefusedOption& folder);

}  // namespace sosie
