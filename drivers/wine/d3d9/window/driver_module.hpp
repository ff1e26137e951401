// SPDX-License-Identifier: MIT
/// \file The driver's DLL, and where messages for the program's author go, in plain types.
#pragma once

namespace aerogpu::d3d9 {

/// OpenAdapter of the driver that belongs to this process's bitness: from the folder of d3d9.dll,
/// then from the search path. nullptr: there is none.
[[nodiscard]] auto find_open_adapter() -> void (*)();
/// FreeLibrary no longer unloads this DLL.
void stay_loaded();
/// A line, to a debugger and to stderr.
void say(const char* line);

}  // namespace aerogpu::d3d9
