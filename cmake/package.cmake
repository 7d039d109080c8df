# cmake --install: the programs, the engine's library, and the package that find_package(Quantloupe) finds (docs/plugins.md).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What plug-ins and other programs may include; with everything that these include in turn.
set(QL_PUBLIC_HEADERS
  core/analysis/analyser.h core/base/file.h core/base/plugin.h core/base/strings.h core/exec/executor.h core/exec/kernel.h
  core/exec/runtime.h core/export/exporter.h core/io/dataset.h core/io/importer.h core/observer/range.h core/pass/pass.h
  core/platform/dispatcher.h core/quant/quantize.h core/session/run.h)

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

ql_with_included(HEADERS ${QL_PUBLIC_HEADERS})
foreach(HEADER IN LISTS HEADERS)
  get_filename_component(FOLDER ${HEADER} DIRECTORY)
  install(FILES ${HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/quantloupe/${FOLDER} COMPONENT engine)
endforeach()

set_target_properties(ql_core ql_cli PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS quantloupe-cli RUNTIME COMPONENT engine)
install(TARGETS ql_core ql_cli LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT engine)
if(WITH_GUI)
  install(TARGETS quantloupe RUNTIME)
endif()

set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Quantloupe)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/QuantloupeConfig.cmake.in QuantloupeConfig.cmake
                              INSTALL_DESTINATION ${PACKAGE_FOLDER} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# A plug-in works with exactly this version.
write_basic_package_version_file(QuantloupeConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/QuantloupeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/QuantloupeConfigVersion.cmake
        DESTINATION ${PACKAGE_FOLDER} COMPONENT engine)
