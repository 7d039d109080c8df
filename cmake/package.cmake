# cmake --install: the programs, the engine's library, and the package that find_package(Quantloupe) finds (docs/plugins.md).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

foreach(HEADER IN LISTS QL_INSTALLED_HEADERS)
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
