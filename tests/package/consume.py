#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build consumers the way users of the library do, and run them.

usage: consume.py {pkg-config|cmake|elsewhere|subproject|sources|plain} ROOT [part...]
       consume.py {built-pkg-config|built-cmake} ROOT BUILD PREFIX part...

pkg-config and cmake install the headers alone into a scratch prefix, elsewhere with headers and data outside of it; the built- ways install what the build
folder BUILD, which was set up for PREFIX, holds. subproject and sources use the sources where they are;
plain sets a build up without any option and looks at what it would compile. A part is null, vulkan, d3d9_to_spirv or dxbc_to_spirv: a program of consumer/ uses it.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PICTURE = "consumer: 1 submission, fence 1, pixel ff336699"
MODULE = "consumer: SPIR-V 07230203"
EXPECTED = {"null": PICTURE, "vulkan": PICTURE, "d3d9_to_spirv": MODULE + ", 1 color",
            "dxbc_to_spirv": MODULE + ", vertex"}
SOURCES = {"null": "main.cpp", "vulkan": "triangle.cpp", "d3d9_to_spirv": "translate.cpp",
           "dxbc_to_spirv": "compile.cpp"}
LIBRARIES = ["vulkan", "d3d9_to_spirv", "dxbc_to_spirv"]
# Half of GCC's time, and a user of libraries that GCC made. By pkg-config both compile the headers.
COMPILER = "clang++" if shutil.which("clang++") else "g++"


def attempt(*command, cwd=None, env=None):
    return subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True,
                          text=True)


def run(*command, cwd=None, env=None):
    done = attempt(*command, cwd=cwd, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(output, text):
    if text not in output:
        sys.exit(f"expected {text!r}, got {output!r}")


def version_of(root):
    """The project's version, as Meson knows it."""
    return re.search(r"^  version : '(.*)'", (root / "meson.build").read_text(), re.MULTILINE)[1]


def install_headers(root, scratch):
    """The library alone, in a prefix that is moved afterwards: a package must be relocatable."""
    first, prefix = scratch / "first", scratch / "moved"
    run("meson", "setup", scratch / "build", root, "--prefix", first, "-Dauto_features=disabled")
    run("meson", "install", "-C", scratch / "build")
    first.rename(prefix)
    return prefix


def install_built(scratch, build, prefix):
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", scratch / "installed")
    return scratch / "installed" / prefix.lstrip("/")


class pkg_config:
    """pkg-config for a package that lies elsewhere than it was built for."""

    def __init__(self, prefix):
        folders = sorted(str(path) for path in prefix.rglob("pkgconfig"))
        self.env = dict(os.environ, PKG_CONFIG_PATH=":".join(folders))
        self.prefix = prefix

    def ask(self, *arguments):
        return run("pkg-config", f"--define-variable=prefix={self.prefix}", *arguments,
                   env=self.env).split()

    def has(self, name):
        return attempt("pkg-config", "--exists", name, env=self.env).returncode == 0


def package_of(part):
    return "aerogpu-" + part.replace("_", "-")


def by_pkg_config(root, scratch):
    prefix = install_headers(root, scratch)
    package = pkg_config(prefix)
    flags = package.ask("--cflags", "aerogpu", "aerogpu-null")
    source = root / "tests/package/consumer"
    for compiler in ("g++", "clang++"):
        if not shutil.which(compiler):
            continue
        run(compiler, "-std=c++20", "-Wall", "-Werror", *flags, source / "main.cpp", "-o",
            scratch / "consumer")
        expect(run(scratch / "consumer"), PICTURE)
    run(COMPILER, "-std=c++20", *flags, root / "examples/minimal_emulator/main.cpp", "-o", scratch / "emulator")
    run(scratch / "emulator", scratch / "desktop.ppm")
    run("gcc", "-std=c11", "-Wall", "-Werror", *flags, source / "main.c", "-o", scratch / "c")
    expect(run(scratch / "c"), f"library {version_of(root)}, ABI 1.4")
    expect(package.ask("--modversion", "aerogpu"), version_of(root))
    suite = package.ask("--cflags", "aerogpu-conformance")
    folder = next(pathlib.Path(flag[2:]) for flag in suite if "share/aerogpu" in flag)
    if not list((folder / "tests/conformance").glob("*.hpp")):
        sys.exit(f"no conformance suite in {folder}")
    example = root / "examples/model_backend"  # Compiled elsewhere; here it finds all that it includes.
    run("g++", "-std=c++20", "-E", *suite, f"-I{example}", example / "run_conformance.cpp", "-o",
        scratch / "suite.i")
    there = [part for part in LIBRARIES if package.has(package_of(part))]
    if there or list(prefix.rglob("*.a")):
        sys.exit(f"a package of headers has libraries: {there}")
    if not (prefix / "share/licenses/aerogpu/LICENSE").is_file():
        sys.exit("the licence is not installed")


def check_headers(scratch, package, parts):
    """What is installed for `parts` includes nothing that is not."""
    folders = [package.prefix / "include/aerogpu-shaders", package.prefix / "include/aerogpu-backends"]
    names = [path.relative_to(folder) for folder in folders for path in sorted(folder.rglob("*.hpp"))
             if path.relative_to(folder).parts[0] in parts]
    (scratch / "headers.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    if len(names) < len(parts):
        sys.exit(f"the package lacks headers; it has {names}")
    run(COMPILER, "-std=c++20", "-fsyntax-only", scratch / "headers.cpp",
        *package.ask("--cflags", *map(package_of, parts)))


def built_by_pkg_config(root, scratch, build, prefix, *parts):
    package = pkg_config(install_built(scratch, build, prefix))
    check_headers(scratch, package, parts)
    env = dict(os.environ)
    for part in parts:
        names = [package_of(part)]
        if part == "dxbc_to_spirv":
            names.append("aerogpu-conformance")
            env["AEROGPU_SHADER_COMPILER"] = " ".join(
                package.ask("--variable=shader_compiler", names[0]))
        run(COMPILER, "-std=c++20", root / "tests/package/consumer" / SOURCES[part],
            *package.ask("--cflags", "--libs", *names), "-o", scratch / part)
        expect(run(scratch / part, env=env), EXPECTED[part])


def with_cmake(root, scratch, parts, *options):
    """Configures, builds and runs the consumer of `parts`."""
    folder = scratch / "cmake"
    run("cmake", "-S", root / "tests/package/consumer", "-B", folder, f"-DPARTS={';'.join(parts)}",
        f"-DCMAKE_CXX_COMPILER={COMPILER}", *options)
    run("cmake", "--build", folder, "--parallel", os.cpu_count())
    env, compiler = dict(os.environ), folder / "shader_compiler"
    if compiler.exists() and compiler.read_text():
        env["AEROGPU_SHADER_COMPILER"] = compiler.read_text()
    for part in parts:
        expect(run(folder / part, env=env), EXPECTED[part])


def by_cmake(root, scratch):
    prefix = install_headers(root, scratch)
    with_cmake(root, scratch, ["null"], f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    for part in LIBRARIES:
        failed = attempt("cmake", "-S", root / "tests/package/consumer", "-B", scratch / "absent",
                         f"-DPARTS={part}", f"-DCMAKE_PREFIX_PATH={prefix}")
        if failed.returncode == 0:
            sys.exit(f"find_package finds {part}, which is not installed")
        expect(" ".join(failed.stderr.split()),
               f"the part '{part}' was not built into this package, which has: null conformance")


def from_elsewhere(root, scratch):
    """Folders that lie outside the prefix: then the package cannot be moved, and is found all the same."""
    prefix, headers, data = (scratch / name for name in ("prefix", "headers", "data"))
    run("meson", "setup", scratch / "build", root, "--prefix", prefix, "-Dauto_features=disabled",
        f"-Dincludedir={headers}", f"-Ddatadir={data}")
    run("meson", "install", "-C", scratch / "build")
    env = dict(os.environ, PKG_CONFIG_PATH=str(data / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "aerogpu-null", "aerogpu-conformance", env=env).split()
    if sorted(flags) != sorted(f"-I{folder}" for folder in
                               (headers, headers / "aerogpu-backends", data / "aerogpu")):
        sys.exit(f"pkg-config: {flags}")
    folder = scratch / "cmake"
    run("cmake", "-G", "Unix Makefiles", "-S", root / "tests/package/consumer", "-B", folder, "-DPARTS=null",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run("make", "-C", folder, "main.i")  # What it includes lies there; that it compiles, other ways show.
    config = next(prefix.rglob("aerogpuConfig.cmake"))
    script = scratch / "parts.cmake"
    script.write_text(f'''cmake_minimum_required(VERSION 3.20)
project(parts LANGUAGES CXX)
find_package(aerogpu REQUIRED COMPONENTS conformance PATHS "{config.parent}" NO_DEFAULT_PATH)
get_target_property(suite aerogpu::conformance INTERFACE_INCLUDE_DIRECTORIES)
message(STATUS "suite in ${{suite}}, libraries below ${{_aerogpu_prefix}};")
''')
    (scratch / "parts").mkdir()
    script.rename(scratch / "parts/CMakeLists.txt")
    expect(run("cmake", "-S", scratch / "parts", "-B", scratch / "parts-build"),
           f"suite in {data}/aerogpu, libraries below {prefix};")


def built_by_cmake(root, scratch, build, prefix, *parts):
    with_cmake(root, scratch, parts, f"-DCMAKE_PREFIX_PATH={install_built(scratch, build, prefix)}")


def from_sources(root, scratch, *parts):
    """FetchContent, which adds the folder as add_subdirectory does. Large units, to be quick."""
    with_cmake(root, scratch, parts or ["null"], f"-DAEROGPU_SOURCES={root}",
               "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16")


def as_subproject(root, scratch, *parts):
    project = scratch / "project"
    shutil.copytree(root / "tests/package/consumer", project)
    (project / "subprojects").mkdir()
    (project / "subprojects/aerogpu").symlink_to(root)
    shutil.copy(root / "packaging/aerogpu.wrap", project / "subprojects")
    tools = {"CXX": COMPILER} | ({"CXX_LD": "lld"} if shutil.which("ld.lld") else {})
    run("meson", "setup", scratch / "build", project, "--wrap-mode=nodownload", "--force-fallback-for=aerogpu",
        "-Ddebug=false", "-Doptimization=0", env=os.environ | tools)
    run("ninja", "-C", scratch / "build")
    expect(run(scratch / "build/null"), PICTURE)
    expect(run(scratch / "build/suite"), "consumer: plain")
    built = [path.name for path in (scratch / "build").rglob("*.a")]
    if built:
        sys.exit(f"a subproject builds {built}, which nobody asked for")
    if "d3d9_to_spirv" in parts:
        run("ninja", "-C", scratch / "build", "d3d9-to-spirv")
        expect(run(scratch / "build/d3d9-to-spirv"), EXPECTED["d3d9_to_spirv"])
    if "vulkan" in parts:  # Its library is that of the built package: it is not compiled again.
        run("meson", "configure", scratch / "build", "-Daerogpu:vulkan=enabled")
        run("ninja", "-C", scratch / "build", "vulkan.p/triangle.cpp.o")


def plainly(root, scratch):
    """A build without options has no drivers and no benchmarks, which take longest."""
    run("meson", "setup", scratch / "build", root)
    targets = json.loads(run("meson", "introspect", "--targets", scratch / "build"))
    folders = {target["name"]: os.path.relpath(target["defined_in"], root) for target in targets}
    unasked = [name for name, folder in folders.items()
               if folder.startswith(("drivers/", "tests/drivers/", "bench/"))]
    if unasked or not folders:
        sys.exit(f"of {len(folders)} targets nobody asked for {unasked}")


WAYS = {"pkg-config": by_pkg_config, "cmake": by_cmake, "elsewhere": from_elsewhere, "subproject": as_subproject,
        "sources": from_sources, "plain": plainly, "built-pkg-config": built_by_pkg_config,
        "built-cmake": built_by_cmake}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in WAYS:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        WAYS[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(scratch).resolve(),
                          *sys.argv[3:])
    print(f"{sys.argv[1]}: built and ran")


if __name__ == "__main__":
    main()
