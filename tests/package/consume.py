#!/usr/bin/env python3
"""Build the consumer the way a user of the library does, and run it.

usage: consume.py {pkg-config|cmake|subproject} ROOT

pkg-config and cmake install the library into a scratch prefix first.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = "consumer: 1 submission, fence 1, pixel ff336699"


def run(*command, cwd=None, env=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(output, text):
    if text not in output:
        sys.exit(f"expected {text!r}, got {output!r}")


def install(root, scratch):
    """The library alone, in a prefix that is moved afterwards: a package must be relocatable."""
    first, prefix = scratch / "first", scratch / "moved"
    run("meson", "setup", scratch / "build", root, "--prefix", first, "-Dlibdir=lib",
        "-Dauto_features=disabled")
    run("meson", "install", "-C", scratch / "build")
    first.rename(prefix)
    return prefix


def by_pkg_config(root, scratch):
    prefix = install(root, scratch)
    env = dict(os.environ, PKG_CONFIG_PATH=":".join(
        str(prefix / lib / "pkgconfig") for lib in ("share", "lib")))
    flags = run("pkg-config", "--define-prefix", "--cflags", "aerogpu", "aerogpu-null",
                env=env).split()
    source = root / "tests/package/consumer"
    for compiler in ("g++", "clang++"):
        if not shutil.which(compiler):
            continue
        run(compiler, "-std=c++20", "-Wall", "-Werror", *flags, source / "main.cpp", "-o",
            scratch / "consumer")
        expect(run(scratch / "consumer"), EXPECTED)
    run("gcc", "-std=c11", "-Wall", "-Werror", *flags, source / "main.c", "-o", scratch / "c")
    expect(run(scratch / "c"), "ABI 1.4")
    suite = run("pkg-config", "--define-prefix", "--cflags", "aerogpu-conformance", env=env).split()
    folder = next(pathlib.Path(flag[2:]) for flag in suite if "share/aerogpu" in flag)
    if not list((folder / "tests/conformance").glob("*.hpp")):
        sys.exit(f"no conformance suite in {folder}")


def by_cmake(root, scratch):
    prefix = install(root, scratch)
    run("cmake", "-S", root / "tests/package/consumer", "-B", scratch / "cmake",
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", scratch / "cmake")
    expect(run(scratch / "cmake/consumer"), EXPECTED)


def as_subproject(root, scratch):
    project = scratch / "project"
    shutil.copytree(root / "tests/package/consumer", project)
    (project / "subprojects").mkdir()
    (project / "subprojects/aerogpu").symlink_to(root)
    run("meson", "setup", scratch / "build", project, "--wrap-mode=nodownload",
        "--force-fallback-for=aerogpu")
    run("meson", "compile", "-C", scratch / "build")
    expect(run(scratch / "build/consumer"), EXPECTED)


def main():
    ways = {"pkg-config": by_pkg_config, "cmake": by_cmake, "subproject": as_subproject}
    if len(sys.argv) != 3 or sys.argv[1] not in ways:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        ways[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(scratch).resolve())
    print(f"{sys.argv[1]}: built and ran")


if __name__ == "__main__":
    main()
