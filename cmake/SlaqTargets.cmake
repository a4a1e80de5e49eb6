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

# For a source, the compiler spends two thirds of its time on reading headers and instantiating templates that the other
# sources of the folder need as well, so these are compiled together. OFF shows which includes a source lacks.
option(SLAQ_UNITY "Compile the sources of a folder together" ON)
set(CMAKE_UNITY_BUILD ${SLAQ_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)  # sources in one unit, so that two cores share the tests of a large folder

set(SLAQ_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined or thread")
add_library(slaq_options INTERFACE)
# -Wno-restrict: GCC 12 reports false overlaps in its own std::string (GCC bug 105651).
target_compile_options(slaq_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wno-restrict
  -Wno-missing-field-initializers)  # designated initializers name what differs from the defaults
if(SLAQ_UNITY)
  # GCC takes a source that is compiled with others for a header, in which a type of an anonymous namespace is a mistake.
  target_compile_options(slaq_options INTERFACE -Wno-subobject-linkage)
endif()
if(SLAQ_SANITIZE)
  target_compile_options(slaq_options INTERFACE
    -fsanitize=${SLAQ_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(slaq_options INTERFACE -fsanitize=${SLAQ_SANITIZE})
  if(SLAQ_SANITIZE MATCHES thread)
    # GCC warns of the fences in Boost.Asio, which ThreadSanitizer does not follow.
    target_compile_options(slaq_options INTERFACE -Wno-tsan)
  endif()
  # GCC reports uninitialised values and subscripts out of bounds falsely in instrumented code.
  target_compile_options(slaq_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The warnings that this project minds are GCC's.
  target_compile_options(slaq_options INTERFACE -Wno-unknown-warning-option -Wno-error)
endif()
option(SLAQ_FUZZ "Link tests/fuzz with libFuzzer, which takes clang" OFF)
if(SLAQ_FUZZ)
  target_compile_options(slaq_options INTERFACE -fsanitize=fuzzer-no-link
    -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/ignored.txt)
endif()

# slaq_library(NAME PUBLIC lib... PRIVATE lib...): the library slaq_NAME of all sources here and in the folders below,
# but for main.cpp. The sources of one folder are compiled together.
function(slaq_library name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  set(roots ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  if(NOT sources)
    add_library(slaq_${name} INTERFACE)
    target_include_directories(slaq_${name} INTERFACE ${roots})
    target_link_libraries(slaq_${name} INTERFACE ${ARG_PUBLIC})
    return()
  endif()
  add_library(slaq_${name} STATIC ${sources})
  target_include_directories(slaq_${name} PUBLIC ${roots})
  target_link_libraries(slaq_${name} PUBLIC ${ARG_PUBLIC} PRIVATE slaq_options ${ARG_PRIVATE})
  set_target_properties(slaq_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH group ${CMAKE_CURRENT_SOURCE_DIR}/.. ${folder})
    string(REPLACE / _ group ${group})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# slaq_text(TARGET FILE NAME): the text of the file is compiled into the target, as the constant NAME with its namespace.
function(slaq_text target file name)
  get_filename_component(file ${file} ABSOLUTE)
  string(REGEX MATCH "^(.*)::([^:]+)$" _ ${name})
  set(namespace ${CMAKE_MATCH_1})
  set(constant ${CMAKE_MATCH_2})
  file(READ ${file} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${constant}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
       "namespace @namespace@ {\nextern const char* const @constant@;\nconst char* const @constant@ = R\"text(@text@)text\";\n}\n")
  target_sources(${target} PRIVATE ${source})
endfunction()

# slaq_reads_flags(FILE...): sources of this folder that include CLI11. With -O3 its headers take the compiler
# twice as long as with -O1, and reading a command line needs no speed.
function(slaq_reads_flags)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1)
endfunction()

# slaq_test(FOLDER lib... FOLDERS sub...): the test program test_FOLDER of all sources here and in the folders
# sub, which is one ctest. With -O3 the compiler would need half as much time again for a test as with -O1.
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
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${folder} COMMAND test_${name})
endfunction()

# Debian's Python is the one that has Debian's packages.
find_program(SLAQ_TESTS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)

# slaq_test_without_ipv4(FOLDER): its tests of IPv6 once more, as the ctest FOLDER/without-ipv4, on a network that has
# no IPv4. Skipped where no such network can be made.
function(slaq_test_without_ipv4 folder)
  set(network "ip link set lo up && ip address delete 127.0.0.1/8 dev lo || exit 77")
  add_test(NAME ${folder}/without-ipv4
           COMMAND unshare --net --map-root-user sh -c
                   "${network}; exec $<TARGET_FILE:test_${folder}> --gtest_filter=*IPv6*")
  set_tests_properties(${folder}/without-ipv4 PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# slaq_python_tests(FOLDER property...): each file *_test.py here is one ctest with those properties.
function(slaq_python_tests folder)
  if(NOT SLAQ_TESTS_PYTHON)
    return()
  endif()
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.py)
  foreach(test ${tests})
    get_filename_component(name ${test} NAME_WE)
    add_test(NAME ${folder}/${name} COMMAND ${SLAQ_TESTS_PYTHON} -B ${test})
    if(ARGN)
      set_tests_properties(${folder}/${name} PROPERTIES ${ARGN})
    endif()
  endforeach()
endfunction()

# slaq_fuzz(NAME lib...): the fuzz target NAME_fuzz.cpp of this folder. With SLAQ_FUZZ it is linked with libFuzzer;
# else it reads the files of corpus/NAME once, as the test fuzz/NAME.
function(slaq_fuzz name)
  add_executable(fuzz_${name} ${name}_fuzz.cpp)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(fuzz_${name} PRIVATE ${ARGN} slaq_fuzz_checks slaq_options)
  if(SLAQ_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${name})
  else()
    target_link_libraries(fuzz_${name} PRIVATE slaq_fuzz_replay)
    add_test(NAME fuzz/${name} COMMAND fuzz_${name} ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  endif()
endfunction()
