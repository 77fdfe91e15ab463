# Installs the build tree BUILD below WORK, moves the result (an installed package must not remember
# where it was made), then builds and runs the consumer project against it.
# cmake -D BUILD=... -D WORK=... -D COMPILER=... -D VERSION=... -P install_test.cmake
cmake_minimum_required(VERSION 3.25)
set(CONSUMER ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(PREFIX ${WORK}/moved)

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

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${PREFIX})

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer -G Ninja
  -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
expect_output("^${VERSION} recipe [0-9]+$" ${WORK}/consumer/consumer)

if(EXISTS ${BUILD}/sosie)
  expect_output("${VERSION}" ${PREFIX}/bin/sosie --version)
endif()
