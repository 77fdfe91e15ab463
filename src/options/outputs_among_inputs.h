#pragma once

#include <string>

#include "data/input_notes.h"
#include "options/input_list.h"
#include "sosie/error.h"
#include "sosie/options.h"

namespace sosie {

// Throws Error{invalid_option} for an output that is also an input, and for one that would be among
// the same inputs next time: a file with a known extension in an input folder, or a file that
// matches a pattern. Hidden files are allowed, because they are read only on request.
void refuse_outputs_among_inputs(const Options& options, const InputList& inputs);

// Makes this check for the folder of --checkpoint, only from the names as typed, so that it is
// possible before the folder is created and before any input is listed.
void refuse_checkpoint_among_inputs(const Options& options);

// Makes this check for an output of rows named .json, for which folders are searched.
void refuse_rows_among_inputs(const std::string& output, const InputNotes& notes);

// Throws Error{invalid_option} for an output in the folder named by an option such as --checkpoint,
// because this folder must contain only its own files, and for an output folder that contains this
// folder.
void refuse_outputs_in_folder(const Options& options, const RefusedOption& folder);

}  // namespace sosie
