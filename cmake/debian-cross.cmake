# Compiles for another architecture of Debian, SLAQ_ARCHITECTURE (arm64, amd64, ...), with Debian's cross compiler and
# with that architecture's libraries: scripts/install-deps --programs --architecture arm64
set(SLAQ_ARCHITECTURE "" CACHE STRING "The architecture to compile for, as Debian calls it")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SLAQ_ARCHITECTURE)

function(slaq_ask_dpkg variable result)
  execute_process(COMMAND dpkg-architecture -a ${SLAQ_ARCHITECTURE} -f -q ${variable}
                  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE ignored COMMAND_ERROR_IS_FATAL ANY)
  set(${result} ${answer} PARENT_SCOPE)
endfunction()
slaq_ask_dpkg(DEB_HOST_GNU_TYPE triplet)
slaq_ask_dpkg(DEB_HOST_GNU_CPU processor)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(PKG_CONFIG_EXECUTABLE ${triplet}-pkg-config)
