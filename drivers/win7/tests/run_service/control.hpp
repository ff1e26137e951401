// SPDX-License-Identifier: MIT
/// \file How run_service.exe and the process of Wine's kernel talk to each other.
#pragma once

namespace aerogpu::run_service {

/// To the driver that plays dxgkrnl: run. CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED,
/// FILE_ANY_ACCESS).
inline constexpr unsigned control_run = 0x00222000;
/// What was found, line by line. A file, because that process has no output, and Wine ends it with
/// its last service.
inline constexpr char report_file[] = R"(C:\aerogpu_service.txt)";
/// The report's last line when nothing is wrong.
inline constexpr char report_closing_line[] = "dxgkrnl saw aerogpu.sys to its end";

}  // namespace aerogpu::run_service
