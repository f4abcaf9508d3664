# Finds MLIR and says how to compile and link against it.

# Debian keeps several LLVMs side by side; MLIR_DIR and LLVM_DIR override.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR REQUIRED CONFIG)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "remat needs MLIR 22; ${MLIR_DIR} is "
    "${LLVM_PACKAGE_VERSION}. Set MLIR_DIR and LLVM_DIR.")
endif()
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
foreach(part IR Interfaces Transforms RegisterEverything Conversion Func Arith
    SCF Tensor MemRef Linalg LLVM ControlFlow Math Bufferization Quant)
  if(TARGET MLIRCAPI${part})
    list(APPEND REMAT_MLIR_LIBS $<TARGET_FILE:MLIRCAPI${part}>)
  endif()
endforeach()
list(APPEND REMAT_MLIR_LIBS MLIR LLVM)
