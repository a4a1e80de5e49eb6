# Settings that every target shares, and the functions that declare one target for a folder.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(SLAQ_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined or thread")
add_library(slaq_options INTERFACE)
# -Wno-restrict: GCC 12 reports false overlaps in its own std::string (GCC bug 105651).
target_compile_options(slaq_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wno-restrict
  -Wno-missing-field-initializers)  # designated initializers name what differs from the defaults
if(SLAQ_SANITIZE)
  target_compile_options(slaq_options INTERFACE
    -fsanitize=${SLAQ_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(slaq_options INTERFACE -fsanitize=${SLAQ_SANITIZE})
  # GCC reports uninitialised values and subscripts out of bounds falsely in instrumented code.
  target_compile_options(slaq_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
endif()

# slaq_library(FOLDER PUBLIC lib... PRIVATE lib...): the library slaq_FOLDER of all sources here. A folder within
# a folder, such as forecast/series, gives slaq_forecast_series.
function(slaq_library folder)
  string(REPLACE "/" "_" name ${folder})
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(slaq_${name} STATIC ${sources})
    target_include_directories(slaq_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(slaq_${name} PUBLIC ${ARG_PUBLIC} PRIVATE slaq_options ${ARG_PRIVATE})
  else()
    add_library(slaq_${name} INTERFACE)
    target_include_directories(slaq_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(slaq_${name} INTERFACE ${ARG_PUBLIC})
  endif()
endfunction()

# slaq_test(FOLDER lib... FOLDERS sub...): the test program test_FOLDER of all sources here and in the folders
# sub, each case one ctest.
function(slaq_test folder)
  cmake_parse_arguments(ARG "" "" "FOLDERS" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(sub ${ARG_FOLDERS})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${sub}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS} slaq_options slaq_test_main)
  gtest_discover_tests(test_${name} TEST_PREFIX ${folder}/ DISCOVERY_TIMEOUT 60
                       NO_PRETTY_VALUES)
endfunction()
