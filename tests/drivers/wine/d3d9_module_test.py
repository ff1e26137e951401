# SPDX-License-Identifier: MIT
"""What d3d9.dll does to stay in its process, in Wine: FreeLibrary does not unload it any more.

usage: d3d9_module_test.py ROOT FOLDER WINE COMPILER

A DLL of driver_module_windows.cpp alone, and a program that loads it and lets it go.
"""
import pathlib
import subprocess
import sys

import wine_host

LIBRARY = """#include "drivers/wine/d3d9/window/driver_module.hpp"
extern "C" __declspec(dllexport) void stay() { aerogpu::d3d9::stay_loaded(); }
"""
PROGRAM = """#include <windows.h>
#include <cstdio>

/// Whether it is still there.
static auto load_and_free(bool stays) -> bool {
  const HMODULE module = LoadLibraryA("module.dll");
  if (module == nullptr) return stays;
  if (stays) reinterpret_cast<void (*)()>(reinterpret_cast<void*>(GetProcAddress(module, "stay")))();
  FreeLibrary(module);
  return GetModuleHandleA("module.dll") != nullptr;
}

int main() {
  const bool is_there_without = load_and_free(false), is_there_with = load_and_free(true);
  std::printf("without %d\\nwith %d\\n", is_there_without, is_there_with);
}
"""
WANTED = "without 0\nwith 1\n"


def build(root, folder, compiler):
    (folder / "library.cpp").write_text(LIBRARY)
    (folder / "program.cpp").write_text(PROGRAM)
    words = [compiler, "-std=c++20", "-static", f"-I{root}", "-D_WIN32_WINNT=0x0601"]
    module = root / "drivers/wine/d3d9/window/driver_module_windows.cpp"
    for made, sources in (("module.dll", ["-shared", folder / "library.cpp", module]),
                          ("program.exe", [folder / "program.cpp"])):
        subprocess.run([*words, "-o", folder / made, *sources], check=True)


def main():
    root, folder, wine, compiler = sys.argv[1:]
    root, folder = pathlib.Path(root).resolve(), pathlib.Path(folder).resolve()
    with wine_host.exclusive(folder):
        build(root, folder, compiler)
        with wine_host.Wine(wine, folder / "prefix") as here:
            _, text = here.run(folder / "program.exe", cwd=folder)
    if text != WANTED:
        sys.exit(f"FAILED: {text!r} is not {WANTED!r}")
    print("the module stays")


if __name__ == "__main__":
    main()
