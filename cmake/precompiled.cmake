# Headers that nearly every source includes, precompiled: they take three quarters of a file's compile time. Only if
# WITH_PCH is on (the presets that build the tests); the others compile every source with only its own includes.
#
# ql_precompiled(NAME LINK libraries... DEFINE macros... HEADERS headers...): defines NAME for ql_use_precompiled(TARGET NAME).
# The libraries are those of the targets, so that both are compiled with the same flags.
function(ql_precompiled NAME)
  if(NOT WITH_PCH)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LINK;DEFINE;HEADERS" ${ARGN})
  set(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/precompiled_${NAME}.cpp)
  file(CONFIGURE OUTPUT ${SOURCE} CONTENT "// holds the precompiled header ${NAME}\n" @ONLY)
  add_library(ql_pch_${NAME} OBJECT ${SOURCE})
  target_include_directories(ql_pch_${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(ql_pch_${NAME} PRIVATE ${ARG_LINK})
  target_compile_definitions(ql_pch_${NAME} PRIVATE ${ARG_DEFINE})
  set_target_properties(ql_pch_${NAME} PROPERTIES AUTOMOC OFF)
  target_precompile_headers(ql_pch_${NAME} PRIVATE ${ARG_HEADERS})
endfunction()

function(ql_use_precompiled TARGET NAME)
  if(WITH_PCH)
    target_precompile_headers(${TARGET} REUSE_FROM ql_pch_${NAME})
  endif()
endfunction()

set(QL_STANDARD_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque> <filesystem> <fstream>
                        <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <regex> <set> <sstream> <string>
                        <string_view> <thread> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector>)
