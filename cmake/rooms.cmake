# A room is a folder of sources compiled as one object library. New files in a room are picked up by the next build, so
# that adding an operator, a pass, an observer, a platform or an exporter is adding one file.
add_library(ql_warnings INTERFACE)
target_compile_options(ql_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror -ffp-contract=off)

# A first build compiles every source. Twelve of a room as one unit take half as long: LibTorch's and Qt's headers are read,
# and their templates instantiated, once for all of them. The presets fuzz and gpu compile sources separately, so that no
# include is missing.
option(WITH_UNITY "Compile the sources of a room in batches" OFF)
if(WITH_UNITY) # a function of another source is not shadowed
  target_compile_options(ql_warnings INTERFACE -Wshadow=local)
else()
  target_compile_options(ql_warnings INTERFACE -Wshadow)
endif()
if(WITH_SANITIZERS)
  # gcc's analysis of values and bounds ignores the checks inserted by the sanitizers and warns about the standard
  # library; the other builds have these warnings. Null pointers and objects that are too small are found by the address
  # sanitizer, too, and the fuzzers check alignment: these three take nearly half of gcc's time.
  target_compile_options(ql_warnings INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size,alignment
                                               -fno-sanitize-recover=undefined
                                               -fno-omit-frame-pointer -Wno-maybe-uninitialized -Wno-array-bounds
                                               -Wno-restrict -Wno-stringop-overflow)
  target_link_options(ql_warnings INTERFACE -fsanitize=address,undefined)
endif()

function(ql_unity TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${WITH_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# ql_room(NAME FOLDER [libraries...]): object library ql_NAME from FOLDER/*.cpp, includes from the repository root.
function(ql_room NAME FOLDER)
  file(GLOB SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FOLDER}/*.cpp ${PROJECT_SOURCE_DIR}/${FOLDER}/*.h)
  add_library(ql_${NAME} OBJECT ${SOURCES})
  target_include_directories(ql_${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(ql_${NAME} PRIVATE ql_warnings PUBLIC ${ARGN})
  ql_unity(ql_${NAME})
  if(ql_torch IN_LIST ARGN)
    ql_use_precompiled(ql_${NAME} core)
  endif()
endfunction()
