# `ninja install`, `ninja uninstall`, and the package for find_package(Remat).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Remat)
get_property(programs GLOBAL PROPERTY REMAT_PROGRAMS)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS RematPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS Remat LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/remat TYPE INCLUDE)
install(FILES docs/dialect.md docs/passes.md LICENSE TYPE DOC)

configure_package_config_file(cmake/RematConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RematConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/RematConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RematConfig.cmake
  ${PROJECT_BINARY_DIR}/RematConfigVersion.cmake cmake/uninstall.cmake
  DESTINATION ${package})

# What was installed is noted where it was installed to, so that it can be
# removed without this build folder.
install(CODE "
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${package})
  string(REPLACE \";\" \"\\n\" files \"\${CMAKE_INSTALL_MANIFEST_FILES}\")
  file(WRITE \${folder}/installed.txt \"\${files}\\n\")")
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
  -P ${CMAKE_INSTALL_PREFIX}/${package}/uninstall.cmake)
