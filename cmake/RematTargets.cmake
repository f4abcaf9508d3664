# How this project's own targets are compiled.

add_compile_definitions(REMAT_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wpedantic
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wno-missing-field-initializers>) # rows of tables
if(REMAT_WERROR)
  add_compile_options(-Werror)
endif()
if(REMAT_SANITIZE)
  add_compile_options(-fsanitize=${REMAT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REMAT_SANITIZE})
endif()
# Equal inputs give equal plans on every machine.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>)

# remat_sources(var folder...): the sources of some folders of lib/, found by
# globbing so that a new file needs no line here.
function(remat_sources var)
  set(found "")
  foreach(folder ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${folder}/*.c
      ${PROJECT_SOURCE_DIR}/lib/${folder}/*.cpp)
    list(APPEND found ${files})
  endforeach()
  if(NOT found)
    set(found ${PROJECT_BINARY_DIR}/${var}.c)
    file(WRITE ${found} "typedef int no_sources_yet;\n")
  endif()
  set(${var} ${found} PARENT_SCOPE)
endfunction()

# remat_export_only(target map): only what the version script names is visible.
function(remat_export_only target map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()
