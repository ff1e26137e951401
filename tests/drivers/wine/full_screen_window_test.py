# SPDX-License-Identifier: MIT
"""The display's mode after the end of a full-screen focus window, in Wine: the one that the user chose.

usage: full_screen_window_test.py ROOT FOLDER COMPILER

A program of full_screen_windows.cpp alone, which has another window that stays, so that it stays in front.
Status 77 without an X server to be had.
"""
import pathlib
import subprocess
import sys

import wine_host

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "drivers/wine/tools"))
import wine_station  # noqa: E402

PROGRAM = """#include "drivers/wine/d3d9/window/full_screen.hpp"

#include <cstdio>
#include <windows.h>

namespace user = aerogpu::d3d9::user;

static auto open_window() -> HWND {
  return CreateWindowA("shown", "", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 200, 200, nullptr,
                       nullptr, GetModuleHandleA(nullptr), nullptr);
}
static void print_mode(const char* when) {
  const auto mode = user::display_size();
  std::printf("%s %ux%u\\n", when, mode.width, mode.height);
}

int main() {
  WNDCLASSA shown{};
  shown.lpfnWndProc = DefWindowProcA;
  shown.lpszClassName = "shown";
  shown.hInstance = GetModuleHandleA(nullptr);
  RegisterClassA(&shown);
  int listener = 0;
  user::full_screen wanted;
  wanted.focus = wanted.shown = open_window();
  wanted.wanted = {640, 480};
  wanted.on_activation = [](void*, bool) {};
  wanted.context = &listener;
  open_window();
  user::enter_full_screen(wanted);
  print_mode("within");
  DestroyWindow(static_cast<HWND>(wanted.focus));
  print_mode("after the window");
  user::leave_full_screen(wanted.focus, &listener);
  print_mode("after the device");
}
"""
DESKTOP = "1024x768"
WANTED = f"within 640x480\nafter the window {DESKTOP}\nafter the device {DESKTOP}\n"


def build(root, folder, compiler):
    (folder / "program.cpp").write_text(PROGRAM)
    subprocess.run([compiler, "-std=c++20", "-static", f"-I{root}", "-D_WIN32_WINNT=0x0601",
                    "-o", folder / "program.exe", folder / "program.cpp",
                    root / "drivers/wine/d3d9/window/full_screen_windows.cpp", "-luser32"], check=True)
    return folder / "program.exe"


def run(program, folder):
    with wine_station.display(wants_own=True) as (name, _):
        prefix = wine_station.Prefix(folder / "prefix", name, desktop=DESKTOP)
        prefix.make()
        try:
            done = subprocess.run(["wine", program], stdout=subprocess.PIPE, text=True, check=False,
                                  timeout=wine_host.RUN_SECONDS, env=prefix.environment)
        finally:
            prefix.stop()
    return done.stdout


def main():
    root, folder, compiler = sys.argv[1:]
    root, folder = pathlib.Path(root).resolve(), pathlib.Path(folder).resolve()
    with wine_host.exclusive(folder):
        try:
            text = run(build(root, folder, compiler), folder)
        except wine_station.StationError as why:
            print(f"skipped: {why}")
            sys.exit(wine_host.SKIPPED)
    if text != WANTED:
        sys.exit(f"FAILED: {text!r} is not {WANTED!r}")
    print("the display has the user's mode again")


if __name__ == "__main__":
    main()
