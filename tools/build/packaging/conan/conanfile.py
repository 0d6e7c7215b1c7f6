"""The Conan 2 recipe of this checkout: conan create tools/build/packaging/conan

Programs find the package by find_package(clsort), as without Conan: the library's own files for
CMake are part of it. docs/packages.md says how to take OpenCL from the system.
"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..", "..")
SOURCES = ("CMakeLists.txt", "LICENSE", "*.md", "cl/*", "docs/*", "include/*", "src/*",
           "tests/examples/*", "tools/*")


class ClsortConan(ConanFile):
    name = "clsort"
    description = "Sorting arrays of numbers on any OpenCL device"
    license = "MIT"
    topics = ("sorting", "opencl", "gpu")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = ["C"]

    def set_version(self):
        header = os.path.join(self.recipe_folder, ROOT, "include", "clsort", "clsort.h")
        numbers = re.findall(r"^#define CLSORT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
                             load(self, header), re.MULTILINE)
        self.version = ".".join(numbers)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def requirements(self):
        self.requires("opencl-headers/2023.12.14", transitive_headers=True)
        self.requires("opencl-icd-loader/2023.12.14")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TOOL", "TESTS", "MPI"):
            toolchain.cache_variables[f"CLSORT_BUILD_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "clsort")]
        self.cpp_info.set_property("pkg_config_name", "clsort")
        self.cpp_info.libs = ["clsort"]
        if self.options.shared:
            self.cpp_info.defines = ["CLSORT_SHARED"]
        elif self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
