# cmake -P PREFIX/lib/cmake/Remat/uninstall.cmake: removes what was installed,
# and the folders that it leaves empty, up to PREFIX.
set(here ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(prefix ${here}/../../.. ABSOLUTE)

# rmdir itself refuses a folder in which anything is left.
function(remove_empty folder)
  execute_process(COMMAND rmdir ${folder}
    RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
  if(NOT refused AND NOT folder STREQUAL prefix)
    get_filename_component(parent ${folder} DIRECTORY)
    remove_empty(${parent})
  endif()
endfunction()

file(STRINGS ${here}/installed.txt files)
foreach(file ${files} ${here}/installed.txt)
  message(STATUS "Removing ${file}")
  file(REMOVE ${file})
  get_filename_component(folder ${file} DIRECTORY)
  remove_empty(${folder})
endforeach()
