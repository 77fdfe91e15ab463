#pragma once

#include <string>

#include "data/input_notes.h"
#include "options/input_list.h"
#include "sosie/error.h"
#include "sosie/options.h"

namespace sosie {

// Throws Error{invalid_option} for an output that is an input, and for one that the same inputs
// would include next time: a file with a known extension in an input folder, or one that matches a
// pattern. Hidden files are allowed, because they are read only on request.
void refuse_outputs_among_inputs(const Options& options, const InputList& inputs);

// Likewise for the folder of --checkpoint, based on the typed names only: before it is created, and
// before any input is listed.
void refuse_checkpoint_among_inputs(const Options& options);

// Likewise for an output of rows named .json, for which folders are searched.
void refuse_rows_among_inputs(const std::string& output, const InputNotes& notes);

// Throws Error{invalid_option} for an output in the folder named by an option such as --checkpoint,
// which must contain only its own files, and for an output folder that contains it.
void refuse_outputs_in_folder(const Options& options, const RefusedOption& folder);

}  // namespace sosie
