# Installs the build tree BUILD below WORK, moves the result (an installed package must not depend
# on its original location), then builds and runs the consumer project with it. SHIPS: true if BUILD
# is what users get, in which case the program must be small and stripped.
# cmake -D BUILD=... -D WORK=... -D COMPILER=... -D VERSION=... -D SHIPS=... -P install_test.cmake
cmake_minimum_required(VERSION 3.25)
set(CONSUMER ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(PREFIX ${WORK}/moved)
set(LARGEST_BYTES 12000000)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect_output expected)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "expected '${expected}', got '${output}' from: ${ARGN}")
  endif()
endfunction()

# Fails unless the program is at most this large and contains neither debug symbols nor a symbol table.
function(expect_small_program program)
  file(SIZE ${program} bytes)
  if(bytes GREATER LARGEST_BYTES)
    message(FATAL_ERROR "${program} has ${bytes} bytes, at most ${LARGEST_BYTES} may ship")
  endif()
  execute_process(COMMAND readelf --wide --sections ${program} OUTPUT_VARIABLE sections
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT sections MATCHES "\\.text" OR sections MATCHES "\\.(symtab|debug_[a-z]+)")
    message(FATAL_ERROR "${program} is not stripped: ${CMAKE_MATCH_0}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${PREFIX})

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer -G Ninja
  -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
expect_output("^${VERSION} recipe [0-9]+$" ${WORK}/consumer/consumer)

if(EXISTS ${BUILD}/sosie)
  expect_output("${VERSION}" ${PREFIX}/bin/sosie --version)
  # The sample for the demo is found relative to the program's new place.
  expect_output("Of its 274 documents, 167 were kept" ${PREFIX}/bin/sosie demo ${WORK}/demo --quiet)
  if(SHIPS)
    expect_small_program(${PREFIX}/bin/sosie)
  endif()
endif()
