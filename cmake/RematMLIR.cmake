# Finds MLIR and says how to compile and link against it.

# Debian keeps several LLVMs side by side; MLIR_DIR and LLVM_DIR override.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR REQUIRED CONFIG)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "remat needs MLIR 22; ${MLIR_DIR} is "
    "${LLVM_PACKAGE_VERSION}. Set MLIR_DIR and LLVM_DIR.")
endif()
get_filename_component(REMAT_MLIR_PREFIX ${MLIR_CMAKE_DIR}/../../.. REALPATH)
# Installed programs find MLIR where it was at build time, be that inside of our
# own tree (CMake would leave such a place out).
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib" ${REMAT_MLIR_PREFIX}/lib
  ${LLVM_LIBRARY_DIR})
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# remat_use_mlir(target): headers, and flags of C++ that derives from MLIR's
# classes. Their layout depends on NDEBUG (statistics), so it must be as it was
# when MLIR was built, whatever this build's type is.
function(remat_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  if(LLVM_ENABLE_ASSERTIONS)
    set(ndebug -UNDEBUG)
  else()
    set(ndebug -DNDEBUG)
  endif()
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>
    $<$<COMPILE_LANGUAGE:CXX>:${ndebug}>)
endfunction()

# What programs link: the C API's archives (no shared library has them), then
# the two shared libraries. The archives are named as files, because as CMake
# targets they drag in static copies of what libMLIR has already.
set(REMAT_MLIR_LIBS "")
set(REMAT_CAPI_PARTS IR Interfaces Transforms RegisterEverything Conversion Func
  Arith SCF Tensor MemRef Linalg LLVM ControlFlow Math Bufferization Quant)
foreach(part ${REMAT_CAPI_PARTS})
  if(TARGET MLIRCAPI${part})
    list(APPEND REMAT_MLIR_LIBS $<TARGET_FILE:MLIRCAPI${part}>)
  endif()
endforeach()
list(APPEND REMAT_MLIR_LIBS MLIR LLVM)

# Trait queries of another compiler family silently answer wrong; see the source
# of the check. The answer is kept for this build folder.
if(NOT DEFINED REMAT_TRAITS_AGREE)
  if(LLVM_ENABLE_ASSERTIONS)
    set(ndebug -UNDEBUG)
  else()
    set(ndebug -DNDEBUG)
  endif()
  try_run(REMAT_TRAITS_AGREE trait_check_compiles
    ${PROJECT_BINARY_DIR}/trait-check
    ${PROJECT_SOURCE_DIR}/cmake/trait-check.cpp
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}"
    COMPILE_DEFINITIONS -fno-rtti -fvisibility=hidden -w ${ndebug}
    LINK_LIBRARIES MLIR LLVM
    CXX_STANDARD 17
    COMPILE_OUTPUT_VARIABLE trait_check_output)
  if(NOT trait_check_compiles)
    unset(REMAT_TRAITS_AGREE CACHE)
    message(FATAL_ERROR "A program that uses MLIR does not build with "
      "${CMAKE_CXX_COMPILER}:\n${trait_check_output}")
  endif()
endif()
if(NOT REMAT_TRAITS_AGREE EQUAL 0)
  set(answer ${REMAT_TRAITS_AGREE})
  unset(REMAT_TRAITS_AGREE CACHE)
  message(FATAL_ERROR "${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID}) and the "
    "compiler that built MLIR in ${MLIR_DIR} spell types differently: traits of "
    "ops would be misread (the check ended with ${answer}). Build with the "
    "compiler family that built MLIR: clang for Debian's packages, gcc for the "
    "wheels from PyPI. Set CMAKE_CXX_COMPILER.")
endif()
