# Compiles several files of a folder or a wing at a time, which takes less than half of the time,
# because most of it is spent on headers. Names must therefore be unique among these files, even in
# anonymous namespaces. `-D SOSIE_BATCHES=OFF` compiles each file separately, for work on a few files.
option(SOSIE_BATCHES "Compile several files of a folder or a wing at a time" ON)
set(SOSIE_BATCH_FILES 24)

# sosie_add_batches(TARGET FOLDER FILE...): adds the files of a folder, such as `join/sets`, in
# batches of equal size, join_sets_N.
function(sosie_add_batches target folder)
  target_sources(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SOSIE_BATCHES} UNITY_BUILD_MODE GROUP)
  string(REPLACE / _ folder ${folder})
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${SOSIE_BATCH_FILES} - 1) / ${SOSIE_BATCH_FILES}")
  set(index 0)
  foreach(file IN LISTS ARGN)
    math(EXPR batch "${index} * ${batches} / ${count}")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${folder}_${batch})
    math(EXPR index "${index} + 1")
  endforeach()
  # A class defined in one file may have members of that file's own types; g++ considers it an included
  # file.
  if(SOSIE_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# sosie_kernel_batches(TARGET FILE...): compiles files that Highway's foreach_target.h includes once
# per target. Most of the time is spent on Highway's headers, once per target and batch. Each file
# names itself as the one to include, so at its end the batch names itself instead.
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
