# What plug-ins and other programs may include; with everything that these include in turn.
set(QL_PUBLIC_HEADERS
  core/analysis/analyser.h core/base/file.h core/base/plugin.h core/base/strings.h core/exec/executor.h core/exec/kernel.h
  core/exec/runtime.h core/export/exporter.h core/io/dataset.h core/io/importer.h core/observer/range.h core/pass/pass.h
  core/platform/dispatcher.h core/quant/quantize.h core/session/preset.h core/session/recipe_fields.h core/session/run.h)

function(ql_with_included OUT)
  set(OPEN ${ARGN})
  set(FOUND)
  while(OPEN)
    list(POP_FRONT OPEN HEADER)
    if(HEADER IN_LIST FOUND)
      continue()
    endif()
    list(APPEND FOUND ${HEADER})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${HEADER} LINES REGEX "^#include \"")
    foreach(LINE IN LISTS LINES)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" INCLUDED "${LINE}")
      list(APPEND OPEN ${INCLUDED})
    endforeach()
  endwhile()
  set(${OUT} ${FOUND} PARENT_SCOPE)
endfunction()

ql_with_included(QL_INSTALLED_HEADERS ${QL_PUBLIC_HEADERS})

# QL_HEADERS: a plug-in that was compiled with other headers must be built again (core/base/plugin.h).
set(HASHES)
foreach(HEADER IN LISTS QL_INSTALLED_HEADERS)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${HEADER})
  file(SHA256 ${PROJECT_SOURCE_DIR}/${HEADER} HASH)
  string(APPEND HASHES "${HEADER} ${HASH}\n")
endforeach()
string(SHA256 QL_HEADERS "${HASHES}")
string(SUBSTRING ${QL_HEADERS} 0 12 QL_HEADERS)
