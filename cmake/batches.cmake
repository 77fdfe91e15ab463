# Compiling several files of a folder or a wing at a time costs less than half of the time: most of it
# goes into headers. Its files therefore have no two things of one name, in namespaces without a name
# either. `-D SOSIE_BATCHES=OFF` compiles each by itself, for work on few files.
option(SOSIE_BATCHES "Compile several files of a folder or a wing at a time" ON)
set(SOSIE_BATCH_FILES 8)
if(SOSIE_SANITIZE)  # built as a whole, and without optimisation nearly all of the time goes into headers
  set(SOSIE_BATCH_FILES 24)
endif()

# sosie_add_source(TARGET FOLDER FILE): adds a file to the last batch of its folder, such as `join/sets`,
# or to a new one, join_sets_N.
function(sosie_add_source target folder file)
  string(REPLACE / _ folder ${folder})
  target_sources(${target} PRIVATE ${file})
  get_property(count TARGET ${target} PROPERTY SOSIE_COUNT_${folder})
  if(NOT count)
    set(count 0)
  endif()
  math(EXPR batch "${count} / ${SOSIE_BATCH_FILES}")
  math(EXPR count "${count} + 1")
  set_property(TARGET ${target} PROPERTY SOSIE_COUNT_${folder} ${count})
  set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${folder}_${batch})
endfunction()

function(sosie_batched target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SOSIE_BATCHES} UNITY_BUILD_MODE GROUP)
  # A class of one file may have members of that file's own types; g++ sees a file that is included.
  if(SOSIE_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# sosie_kernel_batches(TARGET FILE...): compiles files that foreach_target.h of Highway includes once a
# target. Most of their time goes into Highway's headers, once a target and batch. A file says that it
# is the one to include, so the batch says at its end that it is itself.
function(sosie_kernel_batches target)
  if(NOT SOSIE_BATCHES)
    return()
  endif()
  set(batch 0)
  while(ARGN)
    list(SUBLIST ARGN 0 5 files)
    list(REMOVE_ITEM ARGN ${files})
    set(path ${CMAKE_CURRENT_BINARY_DIR}/kernels_${batch}.cc)
    set(itself "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"${path}\"\n")
    set(content "${itself}#include \"hwy/foreach_target.h\"\n#include \"hwy/highway.h\"\n")
    foreach(file IN LISTS files)
      string(APPEND content "#include \"${file}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${path} CONTENT "${content}${itself}" @ONLY)
    set_source_files_properties(${files} PROPERTIES HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE ${path})
    math(EXPR batch "${batch} + 1")
  endwhile()
endfunction()
