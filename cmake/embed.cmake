# ql_embed(TARGET NAME file...): compiles files below resources/ into TARGET as the table for core/base/resources.h.
# The files are read at build time, so that editing one rebuilds one object; an empty list gives an empty table.
set(QL_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_script.cmake)

function(ql_embed TARGET NAME)
  set(ROOT ${PROJECT_SOURCE_DIR}/resources)
  set(LIST ${CMAKE_CURRENT_BINARY_DIR}/embedded/${NAME}.list)
  set(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/embedded/${NAME}.cpp)
  list(JOIN ARGN "\n" LINES)
  # The list is a separate dependency: adding or removing a file also changes the table.
  file(CONFIGURE OUTPUT ${LIST} CONTENT "${LINES}\n" @ONLY)
  add_custom_command(
    OUTPUT ${OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DNAME=${NAME} -DROOT=${ROOT} -DLIST=${LIST} -DOUTPUT=${OUTPUT} -P ${QL_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${LIST} ${QL_EMBED_SCRIPT}
    COMMENT "Embedding ${NAME}"
    VERBATIM)
  target_sources(${TARGET} PRIVATE ${OUTPUT})
endfunction()

# ql_resource_files(OUT folder...): the files of folders of resources/, found again at every build; no hidden files.
function(ql_resource_files OUT)
  set(FOUND)
  foreach(FOLDER ${ARGN})
    file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/${FOLDER}/*)
    list(FILTER FILES EXCLUDE REGEX "/\\.[^/]*$")
    list(APPEND FOUND ${FILES})
  endforeach()
  list(SORT FOUND)
  set(${OUT} ${FOUND} PARENT_SCOPE)
endfunction()
