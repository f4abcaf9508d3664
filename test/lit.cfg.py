# lit's view of the tests: one behaviour a file, named for what it shows.
#
# Features: `shared` where ../shared (corpus, benchmark graphs, judges) exists,
# `assertions` where MLIR was built with them (statistics print only there).
import os
import shutil

import lit.formats

config.name = "remat"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["Inputs", "unit", "test-passes"]
config.test_source_root = os.path.join(config.source, "test")
config.test_exec_root = os.path.join(config.build, "test")

path = [os.path.join(config.build, "bin"), config.mlir_tools,
        config.llvm_tools, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)

shared = os.environ.get("REMAT_SHARED",
                        os.path.join(os.path.dirname(config.source), "shared"))
if os.path.isdir(shared):
    config.available_features.add("shared")
if config.mlir_assertions.upper() in ("ON", "TRUE", "1"):
    config.available_features.add("assertions")

# A compiler of the family that did not build MLIR.
other = "g++" if config.compiler_id == "Clang" else "clang++"
if shutil.which(other):
    config.available_features.add("other-compiler")

config.substitutions += [
    ("%other_cxx", other),
    ("%mlir_dir", config.mlir_dir),
    ("%llvm_dir", config.llvm_dir),
    ("%shared", shared),
    ("%root", config.source),
    ("%build", config.build),
    ("%plugin", os.path.join(config.build, "lib", "RematPlugin.so")),
    ("%test_passes", "mlir-opt --load-dialect-plugin="
     + os.path.join(config.build, "test", "lib", "TestPasses.so")),
    ("%mlir_include", config.mlir_include),
    ("%mlir_lib", config.mlir_lib),
    ("%python", "python3"),
    ("%cc", config.cc),
    ("%cxx", config.cxx),
    ("%cmake", config.cmake),
]
